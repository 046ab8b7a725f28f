/** Says for every setting of the policy which value is in force, where it comes from, and what narrowed it. */
import { canonicalJson } from '../../contract/json/strict-json.ts';
import type { Level, Policy } from '../../contract/gate/permissions.ts';
import type { PolicySetting, SettingOrigin } from '../../contract/gate/policy-sources.ts';
import { grantsSurface, layersOf, type MachineLayer, type MachineLayers, narrowByLayer } from './machine-layers.ts';
import { type PolicyFile, valueAt } from './policy-file.ts';
import { isHostField, REGISTRY_VALUES } from './registry-values.ts';

export interface PolicyParts {
  /** The user's policy file: what it sets; null where there is none. */
  readonly userFile: PolicyFile | null;
  readonly userPath: string;
  /** The user's whole policy. */
  readonly user: Policy;
  /** A level given at start (UIAHOST_LEVEL). */
  readonly level: Level | null;
  readonly machine: MachineLayers;
  readonly machinePath: string;
  readonly isInstalled: boolean;
  /** What parts that are not valid count as. */
  readonly refusal: PolicyFile | null;
  /** The policy in force. */
  readonly inForce: Policy;
}

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one ?? null) === canonicalJson(other ?? null);

/** A list of surfaces without the approver elsewhere, whom the settings of hosts name. */
const localOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((each) => each !== 'approver') : value;

const originOf = (step: MachineLayer, name: string, machinePath: string): SettingOrigin =>
  step.key === null
    ? { layer: 'machine_file', place: machinePath }
    : {
        layer: step.key.startsWith('HKEY_LOCAL_MACHINE') ? 'registry_machine' : 'registry_user',
        place: `${step.key}\\${name}`,
      };

/** Every setting of the policy, in the order of the table. */
export function policySettings(parts: PolicyParts): PolicySetting[] {
  const { userFile, userPath, level, machine, machinePath, inForce } = parts;
  const steps = layersOf(machine);
  const levelled = level === null ? parts.user : { ...parts.user, level };
  const states = steps.reduce<Policy[]>(
    (all, step) => [...all, narrowByLayer(all.at(-1) ?? levelled, step)],
    [levelled],
  );
  const last = states.at(-1) ?? levelled;
  return REGISTRY_VALUES.flatMap(({ name, field }) => {
    if (isHostField(field)) return [];
    const given = valueAt(userFile ?? {}, field) !== undefined || (field === 'level' && userFile !== null);
    let origin: SettingOrigin =
      field === 'level' && level !== null
        ? { layer: 'environment', place: 'UIAHOST_LEVEL' }
        : given
          ? { layer: 'user_file', place: userPath }
          : { layer: 'default', place: null };
    const set: Array<SettingOrigin & { value: unknown }> = [{ ...origin, value: valueAt(levelled, field) }];
    const narrowed: PolicySetting['narrowed'][number][] = [];
    for (const [index, step] of steps.entries()) {
      const by = originOf(step, name, machinePath);
      const [from, to] = [valueAt(states[index], field), valueAt(states[index + 1], field)];
      const stated = valueAt(step.policy, field);
      if (stated !== undefined) set.push({ ...by, value: stated });
      if (isSame(from, to)) continue;
      narrowed.push({ ...by, from, to });
      origin = by;
    }
    const value = valueAt(inForce, field);
    if (!isSame(localOf(valueAt(last, field)), localOf(value))) {
      // An installed host takes decisions from its overlay alone, and a looser policy waits for a person.
      const isRule = field === 'approvals.surfaces' && parts.isInstalled && !grantsSurface(machine, 'api');
      const by: SettingOrigin =
        valueAt(parts.refusal, field) !== undefined
          ? { layer: 'refused', place: 'a part of the policy is not valid' }
          : isRule
            ? { layer: 'installation', place: 'an installed host takes decisions from its overlay alone' }
            : { layer: 'waiting', place: 'a looser policy waits for a person' };
      narrowed.push({ ...by, from: valueAt(last, field), to: value });
      origin = by;
    }
    return [{ setting: field, value, ...origin, set, narrowed }];
  });
}
