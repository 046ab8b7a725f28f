/** What administrators set for the machine, in layers: the registry's hives, the machine's policy file. Each only narrows. */
import { existsSync, readFileSync } from 'node:fs';
import { isOfFleet, isWholeApprover, type MachineHost } from '../../contract/gate/machine-host.ts';
import { levelReaches, lowerTier } from '../../contract/gate/orders.ts';
import { commonPages } from '../../contract/gate/pages.ts';
import type { ApprovalSurface, Grant, Policy } from '../../contract/gate/permissions.ts';
import type { SettingOrigin } from '../../contract/gate/policy-sources.ts';
import type { PolicyRegistryContent } from '../../contract/gate/registry-content.ts';
import { checkPolicyText, describeProblems, type PolicyFile } from './policy-file.ts';
import { type RegistryLayer, registryPolicy } from './registry-policy.ts';
import { isHostField, REGISTRY_VALUES } from './registry-values.ts';

const both = <T>(own: readonly T[], allowed: readonly T[] | undefined): T[] =>
  allowed === undefined ? [...own] : own.filter((one) => allowed.includes(one));
const either = <T>(own: readonly T[], added: readonly T[] | undefined): T[] => [...new Set([...own, ...(added ?? [])])];
/** The smaller of two limits; null and undefined mean no limit. */
const lower = (one: number | null, other: number | null | undefined): number | null => {
  const given = [one, other].filter((limit) => typeof limit === 'number');
  return given.length === 0 ? null : Math.min(...given);
};

const sameApp = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

/** A grant counts only if both policies spell the application the same way: another spelling can grant less, never more. */
const commonGrants = (own: readonly Grant[], allowed: readonly Grant[]): Grant[] =>
  own.flatMap(({ app, tier }) => {
    const most = allowed.find((grant) => sameApp(grant.app, app));
    return most === undefined ? [] : [{ app, tier: lowerTier(tier, most.tier) }];
  });

/**
 * A user's policy, narrowed by the administrator's for the machine. Only what the administrator's file sets counts, and it only
 * narrows: the lower level, the longer lists of what is denied or needs approval, the smaller limits, and the user's
 * grants that it also names, at the lower tier.
 * How long records are kept is the administrators' decision in both directions; what others can change (not `isBelieved`) keeps
 * them longer only.
 * A machine file with a missing or unknown level means disabled, as in any other policy. In the registry (`isPartial`) a missing
 * level sets nothing, as every other missing value.
 */
export function narrowPolicy(
  user: Policy,
  machine: PolicyFile,
  {
    isPartial = false,
    by = "the machine's policy",
    isBelieved = false,
  }: { isPartial?: boolean; by?: string; isBelieved?: boolean } = {},
): Policy {
  const level = machine.level ?? (isPartial ? user.level : 'disabled');
  const { approvals, limits, retention } = machine;
  const days = <T extends number | null>(own: T, given: T | undefined): T =>
    given === undefined || (!isBelieved && (given ?? Infinity) < (own ?? Infinity)) ? own : given;
  return {
    level: levelReaches(level, user.level) ? user.level : level,
    grants: machine.grants === undefined ? user.grants : commonGrants(user.grants, machine.grants),
    flags: both(user.flags, machine.flags),
    deny: either(user.deny, machine.deny),
    alwaysAsk: either(user.alwaysAsk, machine.alwaysAsk),
    elementsOnly: user.elementsOnly || machine.elementsOnly === true,
    coordinateProposals: user.coordinateProposals && machine.coordinateProposals !== false,
    remoteControlMemory: user.remoteControlMemory && machine.remoteControlMemory !== false,
    allowInsecureUrls: user.allowInsecureUrls && machine.allowInsecureUrls !== false,
    pages: commonPages(user.pages, machine.pages ?? null),
    keepPictures: user.keepPictures && machine.keepPictures !== false,
    approvals: {
      timeoutMs: Math.min(user.approvals.timeoutMs, approvals?.timeoutMs ?? Infinity),
      surfaces: both(user.approvals.surfaces, approvals?.surfaces),
    },
    limits: {
      actionsPerMinute: Math.min(user.limits.actionsPerMinute, limits?.actionsPerMinute ?? Infinity),
      maxActions: lower(user.limits.maxActions, limits?.maxActions),
      maxDurationMs: lower(user.limits.maxDurationMs, limits?.maxDurationMs),
    },
    retention: {
      auditDays: days(user.retention.auditDays, retention?.auditDays),
      pictureDays: days(user.retention.pictureDays, retention?.pictureDays),
      sessionDays: days(user.retention.sessionDays, retention?.sessionDays),
    },
    source: `${user.source}, narrowed by ${by}`,
  };
}

export interface MachineLayers {
  readonly file: PolicyFile | null;
  /** Whether administrators alone can change that file; what others can change only narrows. */
  readonly isFileBelieved: boolean;
  /** The strongest first. */
  readonly registry: readonly RegistryLayer[];
}

export const NO_LAYERS: MachineLayers = { file: null, isFileBelieved: true, registry: [] };

/** One step of narrowing. */
export interface NarrowingStep {
  /** The registry key; null for the machine's file. */
  readonly key: string | null;
  readonly policy: PolicyFile;
  narrow(policy: Policy): Policy;
}

/** The steps from the weakest to the strongest: file, HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE. */
export function narrowingSteps({ file, isFileBelieved, registry }: MachineLayers): NarrowingStep[] {
  const steps: NarrowingStep[] = [];
  if (file !== null)
    steps.push({
      key: null,
      policy: file,
      narrow: (policy) => narrowPolicy(policy, file, { isBelieved: isFileBelieved }),
    });
  for (const { name, policy: set, isAdministrators } of registry.toReversed())
    steps.push({
      key: name,
      policy: set,
      narrow: (policy) =>
        narrowPolicy(policy, set, { isPartial: true, by: 'Group Policy', isBelieved: isAdministrators }),
    });
  return steps;
}

/**
 * A policy narrowed by another of the same user that waits for a person. The grants stay: without its grant an
 * application has what the level allows, which may be more.
 */
export function narrowByWaiting(policy: Policy, { grants: _grants, source: _source, ...waiting }: Policy): Policy {
  return narrowPolicy(policy, waiting, { by: 'a policy that waits for a person' });
}

export const narrowByMachine = (policy: Policy, layers: MachineLayers): Policy =>
  narrowingSteps(layers).reduce((narrowed, step) => step.narrow(narrowed), policy);

/** What each layer sets, and whether administrators alone can set it there. */
const setBy = ({
  file,
  isFileBelieved,
  registry,
}: MachineLayers): Array<{ policy: PolicyFile; isAdministrators: boolean }> => [
  ...(file === null ? [] : [{ policy: file, isAdministrators: isFileBelieved }]),
  ...registry,
];

/** The lists of surfaces that layers set. */
const surfaceLists = (layers: MachineLayers): Array<{ surfaces: readonly string[]; isAdministrators: boolean }> =>
  setBy(layers).flatMap(({ policy, isAdministrators }) => {
    const surfaces = policy.approvals?.surfaces;
    return surfaces === undefined ? [] : [{ surfaces, isAdministrators }];
  });

/** Whether the administrators chose a level: that answers for the user in a data directory that was not used before. */
export const setsLevel = (layers: MachineLayers): boolean =>
  setBy(layers).some(({ policy, isAdministrators }) => isAdministrators && policy.level !== undefined);

/**
 * Whether the administrators let another surface than the overlay decide cards of an installed host: a layer that only
 * they can change names it, and no layer that lists surfaces leaves it out.
 */
export function grantsSurface(layers: MachineLayers, surface: 'api' | 'page'): boolean {
  return (
    surfaceLists(layers).some(({ surfaces, isAdministrators }) => isAdministrators && surfaces.includes(surface)) &&
    listsAll(layers, surface)
  );
}

/** Whether administrators name a person elsewhere who decides cards, and no layer that lists surfaces leaves `approver` out. */
const namesApprover = (layers: MachineLayers): boolean =>
  isWholeApprover(machineHost(layers, '').host.approver) && listsAll(layers, 'approver');

/** Whether no layer that lists surfaces leaves this one out. */
const listsAll = (layers: MachineLayers, surface: string): boolean =>
  surfaceLists(layers).every(({ surfaces }) => surfaces.includes(surface));

/**
 * The surfaces whose decisions count. `own`: the user's list; `narrowed`: what the layers leave of it. The approver
 * elsewhere is the administrators' choice alone, in a checkout too, except where the user allows no surface at all.
 */
export function surfacesInForce(
  own: readonly ApprovalSurface[],
  narrowed: readonly ApprovalSurface[],
  machines: readonly MachineLayers[],
  isInstalled: boolean,
): ApprovalSurface[] {
  const hasApprover = own.length > 0 && machines.every(namesApprover);
  const local = narrowed.filter((each) => each !== 'approver');
  const approver = hasApprover ? ['approver' as const] : [];
  if (!isInstalled) return [...local, ...approver];
  const granted = (['api', 'page'] as const).filter((each) => machines.every((layers) => grantsSurface(layers, each)));
  if (granted.length > 0)
    return [...local.filter((each) => each === 'overlay' || granted.some((one) => one === each)), ...approver];
  if (machines.some(grantsNoSurface)) return [];
  return [
    ...(hasApprover && !machines.every((each) => listsAll(each, 'overlay')) ? [] : ['overlay' as const]),
    ...approver,
  ];
}

/** Whether a layer allows no surface: then every card is denied. */
const grantsNoSurface = (layers: MachineLayers): boolean =>
  surfaceLists(layers).some(({ surfaces }) => surfaces.length === 0);

/** A setting of hosts as one layer sets it. */
interface HostSetting {
  /** Path below `host`, such as `tls.pfx`. */
  readonly name: string;
  readonly value: unknown;
  readonly origin: SettingOrigin;
}

export interface MachineSettings {
  readonly host: MachineHost;
  /** What each layer sets, the weakest first. */
  readonly set: readonly HostSetting[];
}

/**
 * The settings of hosts: the registry's take the place of the file's. What others than administrators can change sets a port
 * and forbids access from other machines, and nothing else.
 */
export function machineHost(layers: MachineLayers, filePath: string): MachineSettings {
  const harmless = ({ port, allowRemote }: MachineHost): MachineHost => ({
    ...(port === undefined ? {} : { port }),
    ...(allowRemote === false ? { allowRemote } : {}),
  });
  const layered = [
    ...(layers.file?.host === undefined
      ? []
      : [{ given: layers.file.host, key: null, isBelieved: layers.isFileBelieved }]),
    ...layers.registry
      .filter(({ policy }) => policy.host !== undefined)
      .map(({ name, policy, isAdministrators }) => ({
        given: policy.host as MachineHost,
        key: name,
        isBelieved: isAdministrators,
      }))
      .toReversed(),
  ];
  const set: HostSetting[] = [];
  let host: MachineHost = {};
  for (const { given, key, isBelieved } of layered) {
    const counts = isBelieved ? given : harmless(given);
    // PEM and PKCS #12 are one choice: a layer that makes it leaves nothing of the other's.
    host = { ...host, ...counts };
    for (const { name, field } of REGISTRY_VALUES) {
      if (!isHostField(field)) continue;
      const value = valueAt({ host: counts }, field);
      if (value === undefined) continue;
      const origin: SettingOrigin =
        key === null
          ? { layer: 'machine_file', place: filePath }
          : { layer: 'registry_machine', place: `${key}\\${name}` };
      set.push({ name: field.slice('host.'.length), value, origin });
    }
  }
  return { host, set };
}

/** Settings without effect that earlier versions had, in sentences. */
export function unusedSettings(layers: MachineLayers, filePath: string): string[] {
  const unused = new Set(REGISTRY_VALUES.flatMap(({ field, isUnused }) => (isUnused === true ? [field] : [])));
  const { host, set } = machineHost(layers, filePath);
  if (isOfFleet(host.approver)) unused.add('host.approver.address');
  return set.flatMap(({ name, value, origin }) =>
    unused.has(`host.${name}`)
      ? [`${origin.place}: host.${name} (${String(value)}) has no effect; earlier versions used it.`]
      : [],
  );
}

/** The value at a path such as `limits.maxActions`. */
export const valueAt = (from: unknown, field: string): unknown =>
  field
    .split('.')
    .reduce<unknown>(
      (value, part) =>
        value === null || typeof value !== 'object' ? undefined : (value as Record<string, unknown>)[part],
      from,
    );

interface MachinePolicyRead {
  readonly layers: MachineLayers;
  /** What is not valid, in sentences: then nothing of it counts. */
  readonly refused: readonly string[];
}

/** `file`: the machine's policy file, which need not exist. `whyNotBelieved`: why that file is not the administrators' alone. */
export function readMachinePolicy(
  content: PolicyRegistryContent,
  file: string | null,
  whyNotBelieved: (file: string) => string | null,
): MachinePolicyRead {
  const registry = registryPolicy(content);
  const refused = registry.refused.map((each) => describeProblems(each.file, each.problems));
  let policy: PolicyFile | null = null;
  let isFileBelieved = true;
  try {
    if (file !== null && existsSync(file)) {
      isFileBelieved = whyNotBelieved(file) === null;
      const check = checkPolicyText(readFileSync(file, 'utf8'));
      policy = check.file;
      if (policy === null) refused.push(describeProblems(file, check.problems));
    }
  } catch (error) {
    refused.push(`${file ?? ''}: the file cannot be read (${String((error as NodeJS.ErrnoException).code)})`);
  }
  return { layers: { file: policy, isFileBelieved, registry: registry.layers }, refused };
}
