/** Modifier keys that are down during pointer input: keys of the call, and keys that an earlier press holds. */
import type { DeliveryMode, Pointing } from '../desktop/index.ts';
import type { ActionContext, TraitState } from './definition.ts';
import { deliveryOf } from './keyboard.ts';

/** What the inputs of pointer actions have in common. */
export interface Pointed {
  readonly modifiers?: readonly string[] | undefined;
  readonly delivery?: DeliveryMode | undefined;
}

/** Real keys that are held need no sending: they are down. */
export const modifiersOf = ({ held = [] }: Pick<TraitState, 'held'>, { modifiers = [], delivery }: Pointed): string[] =>
  delivery === 'foreground' ? [...modifiers] : [...new Set([...modifiers, ...held])];

export const heldChord = (modifiers: readonly string[]): string[] =>
  modifiers.length === 0 ? [] : [modifiers.join('+')];

export function pointingOf(context: ActionContext, input: Pointed): Required<Pointing> {
  const delivery = deliveryOf(context, input.delivery);
  return { delivery, modifiers: modifiersOf(context, { ...input, delivery }) };
}
