/** Everything that can leave the host towards the desktop, and the gate’s permit for it. Plain data: it crosses the worker’s process boundary. */
import type { BindingRecord } from '../element/binding.ts';
import type { ChosenItem, ElementContext, ElementInfo, WantedItem } from '../element/element.ts';
import type { WindowPlace } from '../element/geometry.ts';
import type { CellsAim } from '../cells/sheet.ts';
import type { TerminalLaunch } from './traits.ts';

/** Where it goes: the target, or what a drag picks up. */
export type End = 'target' | 'start';

export type Button = 'left' | 'right' | 'middle';

/** One thing that leaves the host. What it is aimed at is a place of the permit that it belongs to. */
export type Exit =
  /** A press on the element of an end, by the pattern, message or click that a way uses. */
  | {
      readonly kind: 'press';
      readonly end: End;
      readonly by: 'click' | 'invoke' | 'toggle' | 'select' | 'expand' | 'menu';
      readonly button: Button;
      readonly count: number;
    }
  /**
   * Strokes in order: chords, or text that is sent as characters. `from`: where they begin. `isHeld`: they stay down for a
   * while. A text with a line break, a tab or another control character is `keys` too wherever a way sends it as keys.
   */
  | {
      readonly kind: 'keys';
      readonly from: 'element' | 'focus';
      readonly chords: readonly string[];
      readonly text: string;
      readonly rounds: number;
      readonly isHeld: boolean;
    }
  /** Characters that a field takes as text, by message or pattern. Null: a stored secret, which the gate does not know. */
  | { readonly kind: 'text'; readonly text: string | null; readonly replaces: boolean }
  /** An item of the element, an entry of a menu, or, without one, the element itself as an item. */
  | { readonly kind: 'choose'; readonly item: WantedItem | null }
  /** `loses`: what the judged operation would lose for good. */
  | { readonly kind: 'cells'; readonly aim: CellsAim; readonly loses?: string | null | undefined }
  /** The pointer at a place. `held`: the keys that are down meanwhile. */
  | {
      readonly kind: 'point';
      readonly end: End;
      readonly does: 'move' | 'press' | 'down' | 'up' | 'drag' | 'drop' | 'wheel';
      readonly button: Button;
      readonly count: number;
      readonly held: readonly string[];
    }
  | { readonly kind: 'scroll' }
  | { readonly kind: 'focus' }
  /** `place`: the edges and sizes that a move names, in screen pixels. */
  | { readonly kind: 'window'; readonly operation: string; readonly place?: WindowPlace }
  /** A program that runs: the names that were given, or a terminal. `runs`: their paths or AppUserModelIDs, once they are known. */
  | {
      readonly kind: 'start';
      readonly programs: readonly string[];
      readonly terminal: TerminalLaunch | null;
      readonly runs: readonly string[];
    }
  | { readonly kind: 'clipboard'; readonly text: string }
  /** The answer to a terminal’s prompt. */
  | { readonly kind: 'console'; readonly text: string; readonly variant: string | null }
  /** A file or folder that is touched. */
  | { readonly kind: 'path'; readonly path: string };

/** One end as it was judged: delivery compares it with what is there, directly before it sends. */
export interface PermittedPlace {
  /** The window that gets it; null if no window is concerned. */
  readonly window: BindingRecord | null;
  /** What was at the point or had the focus; null if unknown. */
  readonly element: ElementInfo | null;
  /** The caller named that element: what is at the point may be a part of it. */
  readonly isNamed?: boolean | undefined;
  /** The item that would be chosen inside the element, or the way to it. */
  readonly chosen?: readonly ChosenItem[] | null | undefined;
  /** Title of the dialog or window that contains the element. */
  readonly dialogTitle?: string | undefined;
  /** The texts that the verdict rests on: what its dialog asks, and for keys the button that Enter presses. */
  readonly question?: readonly string[] | undefined;
  readonly defaultButton?: string | null | undefined;
  /** Address of the page, where the window shows one; null if it is unknown. */
  readonly address?: string | null | undefined;
  /** For keys: handles of the part that posted keys reach and of the part with the focus, "0" if unknown. */
  readonly keysTo?: ElementContext['keysTo'];
}

/** The gate’s answer: what may leave, and where to. Never more than the call wishes. */
export interface Permit {
  readonly exits: readonly Exit[];
  readonly target: PermittedPlace;
  /** Where a drag starts. */
  readonly start: PermittedPlace | null;
}
