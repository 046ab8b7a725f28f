/** Builds a policy in code, for users of the library. */
import { badInput } from '../../contract/errors.ts';
import { isPageEntry } from '../../contract/gate/pages.ts';
import {
  defaultPolicy,
  Level,
  PRESET_LEVELS,
  type AlwaysAsk,
  type Flag,
  type Policy,
  type Preset,
  type Tier,
} from '../../contract/gate/permissions.ts';

/** A policy as library users build it: the host's policy plus the safety document's name for the level. */
export interface SecurityPolicy extends Policy {
  /** The level under the safety document's name. */
  readonly computer: Level;
}

export interface SecurityPolicyBuilder {
  /** Level by the safety document's name; an unknown name means `disabled`. */
  withComputerPermission(level: Level): SecurityPolicyBuilder;
  /** safe = disabled, balanced = control, power and developer = full. */
  withPreset(preset: Preset): SecurityPolicyBuilder;
  withGrant(app: string, tier: Tier): SecurityPolicyBuilder;
  withFlags(...flags: Flag[]): SecurityPolicyBuilder;
  withDenied(...executables: string[]): SecurityPolicyBuilder;
  /** By default only the level causes confirmations: as the document says, `full` runs without any. */
  withAlwaysAsk(...what: AlwaysAsk[]): SecurityPolicyBuilder;
  withElementsOnly(isOn?: boolean): SecurityPolicyBuilder;
  /** The only pages that a browser may show while an action runs in it. */
  withPages(...pages: string[]): SecurityPolicyBuilder;
  /** Allows proposals that name points instead of elements. */
  withCoordinateProposals(isOn?: boolean): SecurityPolicyBuilder;
  build(): SecurityPolicy;
}

type Choices = Pick<
  Policy,
  'level' | 'grants' | 'flags' | 'deny' | 'alwaysAsk' | 'elementsOnly' | 'pages' | 'coordinateProposals'
>;

function builderFor(choices: Choices): SecurityPolicyBuilder {
  const and = (more: Partial<Choices>): SecurityPolicyBuilder => builderFor({ ...choices, ...more });
  return {
    withComputerPermission: (level) => and({ level: Level.safeParse(level).success ? level : 'disabled' }),
    withPreset: (preset) => and({ level: Object.hasOwn(PRESET_LEVELS, preset) ? PRESET_LEVELS[preset] : 'disabled' }),
    withGrant: (app, tier) => and({ grants: [...choices.grants, { app, tier }] }),
    withFlags: (...flags) => and({ flags: [...new Set([...choices.flags, ...flags])] }),
    withDenied: (...deny) => and({ deny: [...new Set([...choices.deny, ...deny])] }),
    withAlwaysAsk: (...what) => and({ alwaysAsk: [...new Set([...choices.alwaysAsk, ...what])] }),
    withElementsOnly: (isOn = true) => and({ elementsOnly: isOn }),
    withPages: (...pages) => {
      const wrong = pages.find((page) => !isPageEntry(page));
      if (wrong !== undefined) throw badInput(`${JSON.stringify(wrong)} is not a page address that a policy can list.`);
      return and({ pages: [...new Set([...(choices.pages ?? []), ...pages])] });
    },
    withCoordinateProposals: (isOn = true) => and({ coordinateProposals: isOn }),
    build: () => ({
      ...defaultPolicy(choices.level),
      ...structuredClone(choices),
      computer: choices.level,
      source: 'builder',
    }),
  };
}

/** Starts a policy. Without a permission or preset it is `disabled`. Each call returns a new builder. */
export function securityPolicy(): SecurityPolicyBuilder {
  return builderFor({
    level: 'disabled',
    grants: [],
    flags: [],
    deny: [],
    alwaysAsk: [],
    elementsOnly: false,
    pages: null,
    coordinateProposals: false,
  });
}

/** The safety document's presets, built. */
export const SECURITY_PRESETS: Readonly<Record<Preset, SecurityPolicy>> = {
  safe: securityPolicy().withPreset('safe').build(),
  balanced: securityPolicy().withPreset('balanced').build(),
  power: securityPolicy().withPreset('power').build(),
  developer: securityPolicy().withPreset('developer').build(),
};

/** Turns a built policy into the host's: the same without the document's name for the level. */
export function toPolicy({ computer: _computer, ...policy }: SecurityPolicy): Policy {
  return policy;
}
