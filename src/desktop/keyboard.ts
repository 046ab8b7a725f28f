/** The port of the keyboard: chords, held keys and text, to a window or as real input. */
import type { BindingRecord } from '../contract/element/binding.ts';
import type { CallContext, Done } from './call.ts';

export type DeliveryMode = 'background' | 'foreground';

export interface KeyboardPort {
  /** Any Unicode text to the bound window's text target; `null` = real input to the foreground. */
  typeText(
    record: BindingRecord | null,
    text: string,
    options: { viaClipboard: boolean; delivery: DeliveryMode },
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Chords in canonical form (`["ctrl+a", "delete"]`), each `repeat` times. */
  chords(
    record: BindingRecord | null,
    chords: readonly string[],
    repeat: number,
    delivery: DeliveryMode,
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Presses the keys and keeps them held for the owner until `release`, unbind or exit. */
  press(
    record: BindingRecord | null,
    keys: readonly string[],
    delivery: DeliveryMode,
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Releases keys; releasing a key that is not held is not an error. */
  release(
    record: BindingRecord | null,
    keys: readonly string[],
    delivery: DeliveryMode,
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Holds the keys, resending the down message, then releases them. */
  hold(
    record: BindingRecord | null,
    keys: readonly string[],
    durationMs: number,
    delivery: DeliveryMode,
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Releases every key and button that any owner holds; part of the emergency stop. */
  releaseAll(call: CallContext): Promise<void>;
}
