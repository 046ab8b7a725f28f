/** Which level applies, and which one an action needs. */
import { levelReaches } from '../../contract/gate/orders.ts';
import type { Level, Policy } from '../../contract/gate/permissions.ts';
import type { ActionTraits } from '../../contract/gate/traits.ts';

/** The policy's level, or the token's where that is lower. */
export function levelInForce(policy: Policy, limits: { readonly level?: Level | undefined } | null): Level {
  const limit = limits?.level;
  return limit === undefined || levelReaches(limit, policy.level) ? policy.level : limit;
}

/** Reading the screen or the clipboard needs observe; input, managing windows, launching and writing the clipboard need control. */
export function requiredLevel(traits: ActionTraits): 'observe' | 'control' {
  return traits.effect === 'observe' && !traits.flags.includes('clipboardWrite') ? 'observe' : 'control';
}
