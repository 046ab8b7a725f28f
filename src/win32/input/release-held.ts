/** Releases keys and buttons that an earlier worker process left pressed. */
import { WM_LBUTTONUP } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { parseChord } from '../../contract/keys/keys.ts';
import type { HeldInput } from './held-input.ts';
import { postKeyChange } from './chords-background.ts';
import { pressForeground } from './keyboard-foreground.ts';
import { postMouseMessage, sendMouseEvents } from '../exits/input.ts';
import { buttonEvent } from './mouse-foreground.ts';
import { packPoint } from '../windows/rects.ts';
import { receiverAt } from '../elements/finding/text-target.ts';
import { resolveAll } from '../windows/key-codes.ts';

const MOUSE = 'mouse-';

/** Releases one key or button that another process pressed. */
function release({ input, hwnd }: HeldInput): void {
  const window = hwnd === null ? 0 : Number(hwnd);
  if (hwnd !== null && !user32.IsWindow(window)) return;
  if (input.startsWith(MOUSE)) {
    // Outside the window: it ends the drag, and nothing is clicked.
    if (hwnd === null) sendMouseEvents([buttonEvent('left', 'up')]);
    else postMouseMessage(window, WM_LBUTTONUP, 0, packPoint(-1, -1));
    return;
  }
  const chord = parseChord(input);
  if (hwnd === null) {
    pressForeground(null, chord, 'up');
    return;
  }
  const target = receiverAt(window, 'last focus');
  postKeyChange(
    target,
    resolveAll(chord, target),
    'up',
    chord.some((key) => key.modifier === 'alt'),
  );
}

/**
 * Releases what an earlier worker left pressed, last pressed first; a failure to release one does not stop the others.
 */
export function releaseHeldInput(held: readonly HeldInput[]): void {
  for (const each of [...held].reverse()) {
    try {
      release(each);
    } catch {
      /* another desktop has the input, or the layout lacks the key */
    }
  }
}
