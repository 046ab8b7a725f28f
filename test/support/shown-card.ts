/**
 * The card on the overlay as a person uses it: its position, its buttons by their positions, its text, and its picture.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DARK, LIGHT } from '../../src/win32/overlay/theme.ts';
import { sharedDesktop } from './desktop.ts';
import { person } from './hardware.ts';
import { decode } from './pixels.ts';
import { until } from './until.ts';
import type { SeenWindow, Witness } from './witness.ts';

/** Middles of the controls at 96 DPI: from the card's left edge and from its lower edge. */
const PLACES = {
  deny: { x: 110, up: 87 },
  approve: { x: 309, up: 87 },
  details: { x: 50, up: 52 },
  'deny-all': { x: 188, up: 52 },
  stop: { x: 344, up: 52 },
  once: { x: 40, up: 122 },
  window: { x: 120, up: 122 },
  session: { x: 231, up: 122 },
} as const;
export type CardControl = keyof typeof PLACES;

/** Fill of an active Approve, light and dark. */
const ACTIVE = [LIGHT, DARK].map(({ approveFill }) => ({
  r: approveFill >> 16,
  g: (approveFill >> 8) & 0xff,
  b: approveFill & 0xff,
}));

export class ShownCard {
  readonly #witness: Witness;
  window: SeenWindow;

  private constructor(witness: Witness, window: SeenWindow) {
    this.#witness = witness;
    this.window = window;
  }

  static async all(witness: Witness): Promise<SeenWindow[]> {
    return (await witness.windows()).filter(({ className }) => className.startsWith('uiahost-card'));
  }

  /** Waits for the one card window, and for its text to say something. */
  static async appears(witness: Witness, says: string | RegExp = ''): Promise<ShownCard> {
    const [window] = await until(
      () => ShownCard.all(witness),
      (all) => all.length === 1,
      30_000,
    );
    const card = new ShownCard(witness, window!);
    await until(
      () => card.text(),
      (text) => (typeof says === 'string' ? text.includes(says) : says.test(text)),
      30_000,
    );
    [card.window] = (await ShownCard.all(witness)) as [SeenWindow];
    return card;
  }

  static async isGone(witness: Witness): Promise<void> {
    await until(
      () => ShownCard.all(witness),
      (all) => all.length === 0,
      30_000,
    );
  }

  /** The text for screen readers, read by another process. */
  text(): Promise<string> {
    return this.#witness.text(this.window.hwnd);
  }

  place(control: CardControl): { x: number; y: number } {
    const { x, up } = PLACES[control];
    return { x: this.window.x + x, y: this.window.y + this.window.height - up };
  }

  /** Whether Approve is drawn as active. Samples its lower left part, which has no letters. */
  async isActive(): Promise<boolean> {
    const { x, y } = this.place('approve');
    const picture = await decode((await sharedDesktop().picture()).toString('base64'));
    const { r, g, b } = picture.at(x - 80, y + 12);
    return ACTIVE.some((colour) => colour.r === r && colour.g === g && colour.b === b);
  }

  /** Waits until Approve is active, with the cursor elsewhere. */
  async settles(): Promise<this> {
    await until(
      () => this.isActive(),
      (isActive) => isActive,
      30_000,
    );
    return this;
  }

  /** A person's click on a control. */
  async click(control: CardControl): Promise<void> {
    const { x, y } = this.place(control);
    await person.moveMouse(x, y);
    await sleep(50);
    await person.click();
  }
}
