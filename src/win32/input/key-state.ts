/** The key state of a program's thread, which posted messages do not carry: set for the moment in which it takes them. */
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/index.ts';
import { threadOf } from '../windows/ask.ts';
import { pause } from '../windows/waiting.ts';
import type { ResolvedKey } from './key-codes.ts';
import type { KeyTarget } from '../elements/focus/text-target.ts';

/** The program reads the key state while it handles the messages; this long is enough for a busy one (measured 150 ms under load). */
export const ATTACHED_MS = 150;
/** docs/behaviour.md#keyboard: never within a second of the person's own input. */
export const PERSON_QUIET_MS = 1000;

/** Whether the key state of the target's thread is the one that the person's keyboard sets. */
export function isInFront(target: KeyTarget, bound: number): boolean {
  const foreground = threadOf(user32.GetForegroundWindow()).thread;
  return foreground !== 0 && (foreground === target.thread || foreground === threadOf(bound).thread);
}

/** A modifier and its left or right variant: programs ask for either. */
function stateKeys(key: ResolvedKey): number[] {
  switch (key.key.modifier) {
    case 'ctrl':
      return [0x11, key.key.side === 'right' ? 0xa3 : 0xa2];
    case 'alt':
      return [0x12, key.key.side === 'right' ? 0xa5 : 0xa4];
    case 'shift':
      return [0x10, key.key.side === 'right' ? 0xa1 : 0xa0];
    default:
      return [key.vk];
  }
}

/**
 * Posts while the modifiers count as pressed in the target's thread, and puts the state back. Couples input queues, so it is
 * the last rung: never for the foreground thread, never within a second of a person's input; both are looked at before.
 * Errors: unsupported where the target shares its queue with nobody; nothing was sent.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-attachthreadinput
 */
export async function withKeyState(
  target: KeyTarget,
  keys: readonly ResolvedKey[],
  steps: ReadonlyArray<() => void>,
  call: CallContext,
): Promise<void> {
  const own = kernel32.GetCurrentThreadId();
  if (!user32.AttachThreadInput(own, target.thread, true)) {
    throw new UiaHostError(
      'unsupported',
      'The target lets no other thread share its input queue, so it cannot see the modifiers; nothing was sent.',
      { hint: 'Ask for delivery: "foreground".' },
    );
  }
  const saved = Buffer.alloc(256);
  const isSaved = user32.GetKeyboardState(saved);
  try {
    const pressed = Buffer.from(saved);
    for (const key of keys) if (key.key.modifier !== null) for (const vk of stateKeys(key)) pressed[vk] = 0x80;
    user32.SetKeyboardState(pressed);
    for (const step of steps) {
      step();
      await pause(ATTACHED_MS / steps.length, call, 'delivered').catch(() => {});
    }
  } finally {
    if (isSaved) user32.SetKeyboardState(saved);
    user32.AttachThreadInput(own, target.thread, false);
  }
}
