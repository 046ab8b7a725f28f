/**
 * The policy in the registry, as Group Policy writes it under `Software\Policies\uiahost`: which value means which part of the
 * policy, and of which kind it is. The templates for Group Policy are generated from this table and the policy's schema, and
 * the reader of the registry follows it too. What a value may be (its choices, its bounds) is the schema's to say.
 */

/** Below HKEY_LOCAL_MACHINE and HKEY_CURRENT_USER. */
export const POLICY_KEY = 'Software\\Policies\\uiahost';

/**
 * `choice`: REG_SZ, one of the schema's values. `switch`: REG_DWORD, 0 or 1. `number`: REG_DWORD. The others are keys below, named
 * as the value: `list` has one REG_SZ for each entry, under any name; `set` has a REG_DWORD 1 named for each member, 0 for each
 * that is left out; `grants` has one REG_SZ for each application, the name its path and the data its tier. `text` is a REG_SZ of any content; `tokens` has one
 * REG_SZ for each token, the name its id.
 */
export type RegistryKind = 'choice' | 'switch' | 'number' | 'text' | 'list' | 'set' | 'grants' | 'tokens';

export interface RegistryValue {
  readonly name: string;
  readonly kind: RegistryKind;
  /** The part of the policy by its path in the schema. `host.…` is a setting of hosts and no part of what a policy allows. */
  readonly field: string;
  /** Earlier versions had it: it is read, reported, and has no effect. No template has it. */
  readonly isUnused?: true;
  /** The group of the templates that shows it. */
  readonly category: 'rights' | 'approvals' | 'limits' | 'host';
}

export const REGISTRY_VALUES: readonly RegistryValue[] = [
  { name: 'Level', kind: 'choice', field: 'level', category: 'rights' },
  { name: 'Grants', kind: 'grants', field: 'grants', category: 'rights' },
  { name: 'Deny', kind: 'list', field: 'deny', category: 'rights' },
  { name: 'Pages', kind: 'list', field: 'pages', category: 'rights' },
  { name: 'Flags', kind: 'set', field: 'flags', category: 'rights' },
  { name: 'ElementsOnly', kind: 'switch', field: 'elementsOnly', category: 'rights' },
  { name: 'CoordinateProposals', kind: 'switch', field: 'coordinateProposals', category: 'rights' },
  { name: 'RemoteControlMemory', kind: 'switch', field: 'remoteControlMemory', category: 'rights' },
  { name: 'AllowInsecureUrls', kind: 'switch', field: 'allowInsecureUrls', category: 'rights' },
  { name: 'AlwaysAsk', kind: 'set', field: 'alwaysAsk', category: 'approvals' },
  { name: 'ApprovalSurfaces', kind: 'set', field: 'approvals.surfaces', category: 'approvals' },
  { name: 'ApprovalTimeoutMs', kind: 'number', field: 'approvals.timeoutMs', category: 'approvals' },
  { name: 'ActionsPerMinute', kind: 'number', field: 'limits.actionsPerMinute', category: 'limits' },
  { name: 'MaxActions', kind: 'number', field: 'limits.maxActions', category: 'limits' },
  { name: 'MaxDurationMs', kind: 'number', field: 'limits.maxDurationMs', category: 'limits' },
  { name: 'KeepPictures', kind: 'switch', field: 'keepPictures', category: 'limits' },
  { name: 'AuditDays', kind: 'number', field: 'retention.auditDays', category: 'limits' },
  { name: 'PictureDays', kind: 'number', field: 'retention.pictureDays', category: 'limits' },
  { name: 'SessionDays', kind: 'number', field: 'retention.sessionDays', category: 'limits' },
  { name: 'Address', kind: 'text', field: 'host.address', category: 'host' },
  { name: 'Port', kind: 'number', field: 'host.port', category: 'host' },
  { name: 'AllowRemote', kind: 'switch', field: 'host.allowRemote', category: 'host' },
  { name: 'Names', kind: 'list', field: 'host.names', category: 'host' },
  { name: 'TlsKey', kind: 'text', field: 'host.tls.key', category: 'host' },
  { name: 'TlsCertificate', kind: 'text', field: 'host.tls.certificate', category: 'host' },
  { name: 'TlsPfx', kind: 'text', field: 'host.tls.pfx', category: 'host' },
  { name: 'TlsPassphraseFile', kind: 'text', field: 'host.tls.passphraseFile', category: 'host' },
  { name: 'TlsStore', kind: 'text', field: 'host.tls.store', isUnused: true, category: 'host' },
  { name: 'Users', kind: 'list', field: 'host.users', category: 'host' },
  { name: 'Groups', kind: 'list', field: 'host.groups', category: 'host' },
  { name: 'Sessions', kind: 'set', field: 'host.sessions', category: 'host' },
  { name: 'OnDemand', kind: 'switch', field: 'host.onDemand', category: 'host' },
  { name: 'ApproverAddress', kind: 'text', field: 'host.approver.address', category: 'approvals' },
  { name: 'ApproverName', kind: 'text', field: 'host.approver.name', category: 'approvals' },
  { name: 'ApproverKey', kind: 'text', field: 'host.approver.publicKey', category: 'approvals' },
  { name: 'ApproverSecretFile', kind: 'text', field: 'host.approver.secretFile', category: 'approvals' },
  { name: 'ApproverWaitMs', kind: 'number', field: 'host.approver.waitMs', category: 'approvals' },
  { name: 'ApproverPictures', kind: 'switch', field: 'host.approver.pictures', category: 'approvals' },
  { name: 'CollectorAddress', kind: 'text', field: 'host.collector.address', category: 'host' },
  { name: 'CollectorHeadersFile', kind: 'text', field: 'host.collector.headersFile', category: 'host' },
  { name: 'CollectorTitles', kind: 'switch', field: 'host.collector.titles', category: 'host' },
  { name: 'Fleet', kind: 'switch', field: 'host.fleet.on', category: 'host' },
  { name: 'FleetDrain', kind: 'switch', field: 'host.fleet.drain', category: 'host' },
  { name: 'FleetOnlyWhenIdle', kind: 'switch', field: 'host.fleet.onlyWhenIdle', category: 'host' },
  { name: 'FleetPools', kind: 'list', field: 'host.fleet.pools', category: 'host' },
  { name: 'FleetOrchestrators', kind: 'list', field: 'host.fleet.orchestrators', category: 'host' },
  { name: 'FleetLive', kind: 'list', field: 'host.fleet.live', isUnused: true, category: 'host' },
  { name: 'FleetLedger', kind: 'text', field: 'host.fleet.ledger', category: 'host' },
  { name: 'NotificationIcon', kind: 'switch', field: 'host.icon', category: 'host' },
  { name: 'Tokens', kind: 'tokens', field: 'host.tokens', category: 'host' },
  { name: 'TokensNotBefore', kind: 'text', field: 'host.tokensNotBefore', category: 'host' },
];

/** A setting of hosts, which a policy does not list. */
export const isHostField = (field: string): boolean => field.startsWith('host.');

/** Such a value counts in HKEY_LOCAL_MACHINE alone. */
export const isMachineOnly = ({ field }: RegistryValue): boolean =>
  isHostField(field) || field.startsWith('retention.');
