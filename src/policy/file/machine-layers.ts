/** What administrators set for the machine, in layers: the registry's hives and the machine's policy file. Each only narrows. */
import type { Policy } from '../../contract/gate/permissions.ts';
import { narrowPolicy } from './narrow-policy.ts';
import type { PolicyFile } from './policy-file.ts';
import type { RegistryLayer } from './registry-policy.ts';

export interface MachineLayers {
  readonly file: PolicyFile | null;
  /** The strongest first. */
  readonly registry: readonly RegistryLayer[];
}

export const NO_LAYERS: MachineLayers = { file: null, registry: [] };

/** One step of narrowing. */
export interface NarrowingStep {
  readonly layer: 'machine_file' | 'registry';
  /** The registry key; null for the file. */
  readonly key: string | null;
  readonly policy: PolicyFile;
  narrow(policy: Policy): Policy;
}

/** The steps from the weakest to the strongest: file, HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE. */
export function narrowingSteps({ file, registry }: MachineLayers): NarrowingStep[] {
  const steps: NarrowingStep[] = [];
  if (file !== null)
    steps.push({
      layer: 'machine_file',
      key: null,
      policy: file,
      narrow: (policy) => narrowPolicy(policy, file),
    });
  for (const { name, policy: set } of registry.toReversed())
    steps.push({
      layer: 'registry',
      key: name,
      policy: set,
      narrow: (policy) => narrowPolicy(policy, set, { isPartial: true, by: 'Group Policy' }),
    });
  return steps;
}

export const narrowByMachine = (policy: Policy, layers: MachineLayers): Policy =>
  narrowingSteps(layers).reduce((narrowed, step) => step.narrow(narrowed), policy);

/** The lists of surfaces that layers set. */
const surfaceLists = ({
  file,
  registry,
}: MachineLayers): Array<{ surfaces: readonly string[]; isAdministrators: boolean }> =>
  [
    { policy: file, isAdministrators: true },
    ...registry.map(({ policy, isAdministrators }) => ({ policy, isAdministrators })),
  ].flatMap(({ policy, isAdministrators }) => {
    const surfaces = policy?.approvals?.surfaces;
    return surfaces === undefined ? [] : [{ surfaces, isAdministrators }];
  });

/**
 * Whether the administrators let the operator's API decide cards of an installed host: a layer that only they can change names it,
 * and no layer that lists surfaces leaves it out.
 */
export function grantsApi(layers: MachineLayers): boolean {
  const lists = surfaceLists(layers);
  return (
    lists.some(({ surfaces, isAdministrators }) => isAdministrators && surfaces.includes('api')) &&
    lists.every(({ surfaces }) => surfaces.includes('api'))
  );
}

/** Whether a layer allows no surface: then every card is denied. */
export const grantsNoSurface = (layers: MachineLayers): boolean =>
  surfaceLists(layers).some(({ surfaces }) => surfaces.length === 0);
