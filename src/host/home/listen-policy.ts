/** Where the host listens, after what Group Policy says about port and access from other machines. */
import { isLoopback } from '../../contract/process/loopback.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { PolicySetting, SettingOrigin } from '../../contract/gate/policy-sources.ts';
import type { RegistrySettings } from '../../policy/file/registry-policy.ts';
import { POLICY_KEY } from '../../policy/file/registry-values.ts';
import type { ListenConfig } from './config.ts';

const KEY = `HKEY_LOCAL_MACHINE\\${POLICY_KEY}`;

/** Where a configured port comes from; undefined for the default. */
export type PortOrigin = { readonly layer: 'environment' | 'installation'; readonly place: string } | undefined;

const DEFAULT_ORIGIN: SettingOrigin = { layer: 'default', place: null };

function setting(
  name: string,
  configured: unknown,
  from: SettingOrigin,
  policy: { readonly name: string; readonly set: unknown; readonly value: unknown },
): PolicySetting {
  const by: SettingOrigin = { layer: 'registry_machine', place: `${KEY}\\${policy.name}` };
  const isSet = policy.set !== null;
  const isChanged = policy.value !== configured;
  return {
    setting: name,
    value: policy.value,
    ...(isChanged ? by : from),
    set: [{ ...from, value: configured }, ...(isSet ? [{ ...by, value: policy.set }] : [])],
    narrowed: isChanged ? [{ ...by, from: configured, to: policy.value }] : [],
  };
}

/**
 * The policy's port takes the place of the configured one; AllowRemote = 0 forbids what the configuration allows. Errors:
 * blocked_by_policy for an address that other machines reach while the policy forbids it.
 */
export function narrowListen<T extends ListenConfig>(
  config: T,
  { port, allowRemote }: RegistrySettings,
  portOrigin: PortOrigin,
): { readonly config: T; readonly settings: PolicySetting[] } {
  const { address } = config;
  const isForbidden = allowRemote === false;
  if (isForbidden && !isLoopback(address))
    throw new UiaHostError(
      'blocked_by_policy',
      `The address ${address} is reachable from other machines, which Group Policy forbids (${KEY}\\AllowRemote is 0). The host did not start.`,
      { hint: 'Leave UIAHOST_ADDRESS out, or have an administrator change the policy.' },
    );
  const now = { ...config, port: port ?? config.port, allowRemote: config.allowRemote && !isForbidden };
  return {
    config: now,
    settings: [
      setting('port', config.port, portOrigin ?? DEFAULT_ORIGIN, { name: 'Port', set: port, value: now.port }),
      setting(
        'allowRemote',
        config.allowRemote,
        config.allowRemote ? { layer: 'environment', place: 'UIAHOST_ALLOW_REMOTE' } : DEFAULT_ORIGIN,
        { name: 'AllowRemote', set: allowRemote, value: now.allowRemote },
      ),
    ],
  };
}
