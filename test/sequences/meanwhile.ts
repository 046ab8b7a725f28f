/** What programs and people do to the desktop between the gate's approval and the delivery. */
import type { SimulatedInput } from './simulated-input.ts';
import { WINDOW_KEYS, type WindowKey } from './simulated-scene.ts';

export type Meanwhile =
  /** The page swaps a planted target with something harmless. */
  | { readonly kind: 'swap places' }
  /** The program moves the focus to a planted target. */
  | { readonly kind: 'move focus' }
  /** The items of lists and menus change their order. */
  | { readonly kind: 'reorder items' }
  | { readonly kind: 'come to front'; readonly window: WindowKey };

export const MEANWHILES: readonly Meanwhile[] = [
  { kind: 'swap places' },
  { kind: 'reorder items' },
  { kind: 'move focus' },
  ...WINDOW_KEYS.map((window) => ({ kind: 'come to front' as const, window })),
];

export function meanwhile(input: SimulatedInput, what: Meanwhile): void {
  for (const window of input.windows) {
    const planted = window.parts.find(({ harm, isTabStop }) => harm !== null && isTabStop);
    switch (what.kind) {
      case 'swap places': {
        const other = window.parts.find((part) => part.role === planted?.role && part !== planted);
        if (planted !== undefined && other !== undefined) [planted.rect, other.rect] = [other.rect, planted.rect];
        break;
      }
      case 'move focus':
        if (planted !== undefined) window.focus = planted;
        break;
      case 'reorder items':
        for (const holder of window.parts) {
          if (holder.parts.length < 2) continue;
          const places = holder.parts.map(({ rect }) => rect);
          holder.parts.reverse();
          holder.parts.forEach((item, index) => {
            item.rect = places[index]!;
          });
        }
        break;
      default:
    }
  }
  if (what.kind === 'come to front') {
    const window = input.named(what.window);
    if (window !== null && window.isVisible) input.activate(window);
  }
}
