/** The overlay's card as a person sees it: found among the windows of the desktop, its buttons by their colours. */
import { openDisplay } from '../../scripts/lib/x-client.mjs';
import { LIGHT } from '../../src/win32/overlay/theme.ts';
import { sharedDesktop } from './desktop.ts';
import { person } from './hardware.ts';
import { until } from './until.ts';
import type { SeenWindow, Witness } from './witness.ts';

export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Fill of an active Approve, in the light theme. */
const APPROVE = LIGHT.approveFill;

/** The card's window, once it is shown. */
export async function cardWindow(witness: Witness): Promise<SeenWindow> {
  const [found] = await until(
    async () => (await witness.windows()).filter(({ className }) => className.startsWith('uiahost-card')),
    (all) => all.length === 1,
    30_000,
  );
  return found!;
}

/** The middle of the part of a window that has this colour on the screen now; null if there is none. */
async function middleOf(colour: number, { x, y, width, height }: SeenWindow): Promise<Spot | null> {
  const screen = await openDisplay(sharedDesktop().display);
  try {
    // Four bytes a pixel: blue, green, red, nothing.
    const pixels = await screen.image();
    let [minX, minY, maxX, maxY, count] = [Infinity, Infinity, -1, -1, 0];
    for (let row = Math.max(0, y); row < Math.min(y + height, screen.height); row++) {
      for (let column = Math.max(0, x); column < Math.min(x + width, screen.width); column++) {
        if (pixels.readUIntLE((row * screen.width + column) * 4, 3) !== colour) continue;
        [minX, minY, maxX, maxY, count] = [
          Math.min(minX, column),
          Math.min(minY, row),
          Math.max(maxX, column),
          Math.max(maxY, row),
          count + 1,
        ];
      }
    }
    // A button, not a few pixels of a picture on the card.
    return count < 1000 ? null : { x: Math.floor((minX + maxX) / 2), y: Math.floor((minY + maxY) / 2) };
  } finally {
    screen.close();
  }
}

/** Where Approve is, once it is active. */
export async function activeApprove(window: SeenWindow, milliseconds = 30_000): Promise<Spot> {
  return (await until(
    () => middleOf(APPROVE, window),
    (spot) => spot !== null,
    milliseconds,
  ))!;
}

/** A person's click. */
export async function clickAt({ x, y }: Spot): Promise<void> {
  await person.moveMouse(x, y);
  await person.click();
}

/** A person approves by the keyboard: the focusing hotkey, Tab from Deny to Approve, Space. What is typed next must wait for the focus. */
export async function approveByKeyboard(witness: Witness, window: SeenWindow): Promise<void> {
  await person.press('ctrl+alt+shift+space');
  await until(
    () => witness.where(),
    ({ foreground }) => foreground === window.hwnd,
    30_000,
  );
  await person.press('Tab');
  await person.press('space');
}
