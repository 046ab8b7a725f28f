/** A person's keyboard and mouse: Windows programs see this input as that of real devices. Linux only (X server). */
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedDesktop, xdotool } from './desktop.ts';

export const person = {
  /** In pixels of the screen. */
  async moveMouse(x: number, y: number): Promise<void> {
    await xdotool(sharedDesktop(), 'mousemove', x, y);
  },
  async click(button: 1 | 2 | 3 = 1): Promise<void> {
    await xdotool(sharedDesktop(), 'click', button);
  },
  /**
   * Sends no input, for long enough that the host sees no active person. New windows under the cursor count as input on
   * Wine.
   */
  async leave(): Promise<void> {
    await sleep(1200);
  },
  /** Keys as xdotool names them: `a`, `ctrl+s`, `Return`. */
  async press(...keys: string[]): Promise<void> {
    await xdotool(sharedDesktop(), 'key', ...keys);
  },
};
