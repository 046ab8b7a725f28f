/** What administrators set for the machine, in layers: the registry's hives, the machine's policy file. Each only narrows. */
import { existsSync, readFileSync } from 'node:fs';
import { isOfFleet, isWholeApprover, type MachineHost } from '../../contract/gate/machine-host.ts';
import type { ApprovalSurface, Policy } from '../../contract/gate/permissions.ts';
import type { PolicyFlaws, SettingOrigin } from '../../contract/gate/policy-sources.ts';
import { narrowPolicy } from './loosening.ts';
import { checkPolicyText, describeProblems, keepLast, type PolicyFile, type Refusal, valueAt } from './policy-file.ts';
import type { RegistryLayer, RegistryPolicy } from './registry-policy.ts';
import { isHostField, REGISTRY_VALUES } from './registry-values.ts';

export interface MachineLayers {
  readonly file: PolicyFile | null;
  /** Whether administrators alone can change that file; what others can change only narrows. */
  readonly isFileBelieved: boolean;
  /** The strongest first. */
  readonly registry: readonly RegistryLayer[];
}

export const NO_LAYERS: MachineLayers = { file: null, isFileBelieved: true, registry: [] };

/** What one layer sets. */
export interface MachineLayer {
  /** The registry key; null for the machine's file. */
  readonly key: string | null;
  readonly policy: PolicyFile;
  /** Administrators alone can set it there. */
  readonly isBelieved: boolean;
}

/** From the weakest to the strongest: file, HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE. */
export const layersOf = ({ file, isFileBelieved, registry }: MachineLayers): MachineLayer[] => [
  ...(file === null ? [] : [{ key: null, policy: file, isBelieved: isFileBelieved }]),
  ...registry
    .toReversed()
    .map(({ name, policy, isAdministrators }) => ({ key: name, policy, isBelieved: isAdministrators })),
];

/** One step of narrowing. */
export const narrowByLayer = (policy: Policy, { key, policy: set, isBelieved }: MachineLayer): Policy =>
  narrowPolicy(policy, set, key === null ? { isBelieved } : { isPartial: true, by: 'Group Policy', isBelieved });

/**
 * A policy narrowed by another of the same user that waits for a person. The grants stay: without its grant an
 * application has what the level allows, which may be more.
 */
export function narrowByWaiting(policy: Policy, { grants: _grants, source: _source, ...waiting }: Policy): Policy {
  return narrowPolicy(policy, waiting, { by: 'a policy that waits for a person' });
}

export const narrowByMachine = (policy: Policy, layers: MachineLayers): Policy =>
  layersOf(layers).reduce(narrowByLayer, policy);

/** The lists of surfaces that layers set. */
const surfaceLists = (layers: MachineLayers): Array<{ surfaces: readonly string[]; isBelieved: boolean }> =>
  layersOf(layers).flatMap(({ policy, isBelieved }) => {
    const surfaces = policy.approvals?.surfaces;
    return surfaces === undefined ? [] : [{ surfaces, isBelieved }];
  });

/** Whether the administrators chose a level: that answers for the user in a data directory that was not used before. */
export const setsLevel = (layers: MachineLayers): boolean =>
  layersOf(layers).some(({ policy, isBelieved }) => isBelieved && policy.level !== undefined);

/**
 * Whether the administrators let another surface than the overlay decide cards of an installed host: a layer that only
 * they can change names it, and no layer that lists surfaces leaves it out.
 */
export function grantsSurface(layers: MachineLayers, surface: 'api' | 'page'): boolean {
  return (
    surfaceLists(layers).some(({ surfaces, isBelieved }) => isBelieved && surfaces.includes(surface)) &&
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
  const set: HostSetting[] = [];
  let host: MachineHost = {};
  for (const { policy, key, isBelieved } of layersOf(layers)) {
    const given = policy.host ?? {};
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
function unusedSettings(layers: MachineLayers, filePath: string): string[] {
  const unused = new Set(REGISTRY_VALUES.flatMap(({ field, isUnused }) => (isUnused === true ? [field] : [])));
  const { host, set } = machineHost(layers, filePath);
  if (isOfFleet(host.approver)) unused.add('host.approver.address');
  return set.flatMap(({ name, value, origin }) =>
    unused.has(`host.${name}`)
      ? [`${origin.place}: host.${name} (${String(value)}) has no effect; earlier versions used it.`]
      : [],
  );
}

interface LayerPlaces {
  /** Neither file need exist. */
  readonly userFile: string | null;
  readonly machineFile: string | null;
  readonly registry: RegistryPolicy;
  /** Why the machine's file is not the administrators' alone. */
  whyNotBelieved(file: string): string | null;
}

export interface LayersRead {
  readonly user: PolicyFile | null;
  readonly machine: MachineLayers;
  readonly refused: readonly Refusal[];
  readonly flaws: PolicyFlaws;
}

function readLayerFile(file: string | null, last: PolicyFile | null) {
  if (file === null) return { policy: null, refused: [] };
  const refusal = { file, layer: file };
  try {
    const { file: whole, valid, fields, problems } = checkPolicyText(readFileSync(file, 'utf8'));
    const refused: Refusal[] = whole === null ? [{ ...refusal, problems, fields }] : [];
    return { policy: keepLast(valid, last, refused), refused };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A missing file means defaults; an unreadable one does not.
    if (code === 'ENOENT') return { policy: null, refused: [] };
    const reason = `The file cannot be read (${code ?? 'unknown cause'}).`;
    const problems = [{ severity: 'error' as const, line: 1, column: 1, reason }];
    return { policy: last, refused: [{ ...refusal, problems, fields: null }] };
  }
}

/** Reads every layer and judges each by itself. `last`: the reading before, whose values stay where the new ones are not valid. */
export function readLayers(
  { userFile, machineFile, registry, whyNotBelieved }: LayerPlaces,
  last: Pick<LayersRead, 'user' | 'machine'> = { user: null, machine: NO_LAYERS },
): LayersRead {
  const user = readLayerFile(userFile, last.user);
  const file = readLayerFile(machineFile, last.machine.file);
  const disbelieved = machineFile !== null && existsSync(machineFile) ? whyNotBelieved(machineFile) : null;
  const layers = registry.layers.map((layer) => {
    const before = last.machine.registry.find(({ name }) => name === layer.name)?.policy ?? null;
    const bad = registry.refused.filter((each) => each.layer === layer.name);
    return { ...layer, policy: keepLast(layer.policy, before, bad) ?? {} };
  });
  const refused = [...user.refused, ...file.refused, ...registry.refused];
  const machine = { file: file.policy, isFileBelieved: disbelieved === null, registry: layers };
  const flaws = {
    refused: refused.map((each) => describeProblems(each.file, each.problems)),
    disbelieved,
    writableKeys: registry.writable,
    unknownNames: registry.unknown,
    unusedSettings: unusedSettings(machine, machineFile ?? ''),
  };
  return { user: user.policy, machine, refused, flaws };
}
