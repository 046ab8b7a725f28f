/** Where the values of the policy come from, as the API and the command show it. */
import { z } from 'zod';

/** From the weakest to the strongest, except `installation`, `waiting` and `refused`, which are rules of the host. */
const SettingLayer = z.enum([
  'default',
  'installation',
  'user_file',
  'environment',
  'machine_file',
  'registry_user',
  'registry_machine',
  'waiting',
  'refused',
]);

const origin = {
  layer: SettingLayer,
  place: z.string().nullable().describe('File, variable or registry value; null for a default.'),
};
export type SettingOrigin = { readonly layer: z.infer<typeof SettingLayer>; readonly place: string | null };

export const PolicySetting = z.strictObject({
  setting: z
    .string()
    .describe('Path in the policy, such as `limits.maxActions`; `port` and `allowRemote` are settings of the host.'),
  value: z.unknown().describe('The value in force.'),
  ...origin,
  set: z.array(z.strictObject({ ...origin, value: z.unknown() })).describe('What each layer sets, the user’s first.'),
  narrowed: z
    .array(z.strictObject({ ...origin, from: z.unknown(), to: z.unknown() }))
    .describe('Which layer changed the value, in the order in which they apply.'),
});
export type PolicySetting = z.infer<typeof PolicySetting>;

export const PolicySources = z.strictObject({
  settings: z.array(PolicySetting),
  problems: z.array(z.string()).describe('Layers that do not count, or count only in part, and why.'),
});
export type PolicySources = z.infer<typeof PolicySources>;

/** What of the policy does not count, or counts only in part, in sentences. */
export interface PolicyFlaws {
  /** Not valid: it counts as the narrowest, and after a minute nothing is allowed. */
  readonly refused: readonly string[];
  /** Why the machine’s file only narrows; null if there is none, or administrators alone can change it. */
  readonly disbelieved: string | null;
  /** Registry keys that others than administrators can change; they only narrow. */
  readonly writableKeys: readonly string[];
  /** Names in the registry that this version does not know; the others hold. */
  readonly unknownNames: readonly string[];
  /** Settings without effect that earlier versions had. */
  readonly unusedSettings: readonly string[];
}
export const NO_FLAWS: PolicyFlaws = {
  refused: [],
  disbelieved: null,
  writableKeys: [],
  unknownNames: [],
  unusedSettings: [],
};
