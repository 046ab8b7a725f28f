/** A person's keyboard and mouse: Windows programs see this input as that of real devices. Linux only (X server). */
import { sharedDesktop, xdotool } from './desktop.ts';

export const person = {
  /** In pixels of the screen. */
  async moveMouse(x: number, y: number): Promise<void> {
    await xdotool(sharedDesktop(), 'mousemove', x, y);
  },
  async click(button: 1 | 2 | 3 = 1): Promise<void> {
    await xdotool(sharedDesktop(), 'click', button);
  },
  /** Keys as xdotool names them: `a`, `ctrl+s`, `Return`. */
  async press(...keys: string[]): Promise<void> {
    await xdotool(sharedDesktop(), 'key', ...keys);
  },
};
