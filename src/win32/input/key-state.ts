/** Sets the key state of a program's thread, which posted messages do not carry, while it processes them. */
import {
  VK_CONTROL,
  VK_LCONTROL,
  VK_LMENU,
  VK_LSHIFT,
  VK_MENU,
  VK_RCONTROL,
  VK_RMENU,
  VK_RSHIFT,
  VK_SHIFT,
} from '../../../native-bindings/win32/constants.ts';
import { setKeyState } from '../exits/input.ts';
import { inQueueOf } from '../exits/windows.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/index.ts';
import { threadOf } from '../windows/window-info.ts';
import { pause } from '../windows/waiting.ts';
import type { ResolvedKey } from '../windows/key-codes.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';

/**
 * How long the key state stays set: the program reads it while it handles the messages (measured 150 ms on a busy one
 * under load).
 */
export const ATTACHED_MS = 150;
/** docs/behaviour.md#keyboard: never within a second of the person's own input. */
export const PERSON_QUIET_MS = 1000;

/** Whether the target thread's key state is set by the person's keyboard. */
export function isInFront(target: KeyTarget, bound: number): boolean {
  const foreground = threadOf(user32.GetForegroundWindow()).thread;
  return foreground !== 0 && (foreground === target.thread || foreground === threadOf(bound).thread);
}

/** A modifier and its left or right variant: programs query either. */
function stateKeys(key: ResolvedKey): number[] {
  switch (key.key.modifier) {
    case 'ctrl':
      return [VK_CONTROL, key.key.side === 'right' ? VK_RCONTROL : VK_LCONTROL];
    case 'alt':
      return [VK_MENU, key.key.side === 'right' ? VK_RMENU : VK_LMENU];
    case 'shift':
      return [VK_SHIFT, key.key.side === 'right' ? VK_RSHIFT : VK_LSHIFT];
    default:
      return [key.vk];
  }
}

/**
 * Posts while the modifiers count as pressed in the target's thread, then restores the state. It couples input queues,
 * so it is the last way: never for the foreground thread, never within a second of a person's input; the caller checks
 * both.
 * Errors: unsupported if the target does not allow attaching to its queue; nothing was sent.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-attachthreadinput
 */
export async function withKeyState(
  target: KeyTarget,
  keys: readonly ResolvedKey[],
  steps: ReadonlyArray<() => void | Promise<void>>,
  call: CallContext,
): Promise<void> {
  const isDone = await inQueueOf(target.thread, async () => {
    const saved = Buffer.alloc(256);
    const isSaved = user32.GetKeyboardState(saved);
    try {
      const pressed = Buffer.from(saved);
      for (const key of keys) if (key.key.modifier !== null) for (const vk of stateKeys(key)) pressed[vk] = 0x80;
      setKeyState(pressed);
      for (const step of steps) {
        await step();
        await pause(ATTACHED_MS / steps.length, call, 'delivered').catch(() => {});
      }
      return true;
    } finally {
      if (isSaved) setKeyState(saved);
    }
  });
  if (isDone !== null) return;
  throw new UiaHostError(
    'unsupported',
    'The target does not let other threads share its input queue, so modifiers cannot reach it; nothing was sent.',
    { hint: 'Use delivery: "foreground".' },
  );
}
