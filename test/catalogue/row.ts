/**
 * The case catalogue as data: what is done to which program and how, the expected result, and which witness sees it.
 * One file per target in rows/; run.ts runs them, coverage.ts says which must exist.
 */
import { ACTIONS, type ActionDefinition } from '../../src/actions/index.ts';
import type { Delivery, ErrorCode } from '../../src/contract/errors.ts';
import type { EffectSeen } from '../../src/contract/outcome.ts';
import type { TreeNode } from '../support/snapshot-tree.ts';

export const TARGETS = [
  'controls',
  'accessible',
  'provider',
  'notepad',
  'wordpad',
  'regedit',
  'winecfg',
  'taskmgr',
  'console',
] as const;
export type TargetName = (typeof TARGETS)[number];

export type Addressing = 'element' | 'coordinate' | 'keys';
export type DeliveryAsked = 'background' | 'foreground';

/** Actions on the window as a whole, by how they find or reach something in it. */
const AIMED_AT_WINDOW: Readonly<Record<string, Addressing>> = {
  'wait-for': 'element',
  'activate-window': 'coordinate',
  'respond-to-prompt': 'keys',
  'read-terminal': 'keys',
};

/** How an action names its target, by its sample; undefined for an action that is not in the catalogue. */
function addressing({ name, input, sample, traits }: ActionDefinition): Addressing | undefined {
  const { target, isCoordinate } = traits(input.parse(sample) as never, { isBound: true });
  if (target.kind === 'element') return 'element';
  if (isCoordinate) return 'coordinate';
  return target.kind === 'focus' ? 'keys' : AIMED_AT_WINDOW[name];
}

/** The actions in the catalogue, and how each names its target. */
export const ADDRESSING: ReadonlyMap<string, Addressing> = new Map(
  ACTIONS.flatMap((action) => {
    const found = addressing(action);
    return found === undefined ? [] : [[action.name, found]];
  }),
);

/** The expected result of a row. `looks`: the action only reads, and its value is compared. */
export type Expectation =
  | { readonly is: 'delivered'; readonly effect: Exclude<EffectSeen, 'unverified'> }
  | { readonly is: 'delivered'; readonly effect: 'unverified'; readonly because: string }
  | { readonly is: 'refused'; readonly code: ErrorCode; readonly delivery: Delivery }
  | { readonly is: 'looks' };

/** A point of an element that a fresh snapshot finds: its centre, moved by whole pixels. */
export interface Aim {
  readonly at: Partial<TreeNode>;
  readonly dx?: number;
  readonly dy?: number;
}

/** Where the coordinates of the input come from, and their space (default: the action's own). */
export interface Aims {
  /** x and y. */
  readonly point?: Aim;
  readonly from?: Aim;
  readonly to?: Aim;
  /** startX and startY. */
  readonly start?: Aim;
  /** clickX and clickY. */
  readonly press?: Aim;
  readonly space: 'image' | 'client' | 'screen';
}

/** Preparations before the row, which are not judged. Parts of a window: see test/support/witness.ts. */
export type Given =
  | { readonly put: string; readonly text: string }
  | { readonly tell: string }
  | { readonly act: string; readonly input: object }
  /** An action at a point of an element, in image coordinates. */
  | { readonly act: string; readonly input: object; readonly on: Aim }
  | { readonly ask: readonly [message: number, wParam: number, lParam: number]; readonly part: string }
  | { readonly flags: readonly string[] }
  /** What the clipboard holds. */
  | { readonly clipboard: string };

/** The second witness. All witnesses of a row must agree; none of them queries the host. */
export type Witness =
  /** An event in the program's own journal. */
  | { readonly see: 'journal'; readonly event: Readonly<Record<string, unknown>> }
  /** Its journal has no input, no command, no change. */
  | { readonly see: 'silence' }
  /** The content of a control, as the program reports it. */
  | { readonly see: 'state'; readonly of: string | number; readonly holds: Readonly<Record<string, unknown>> }
  /** Text of the window or a part of it, read by another process. */
  | { readonly see: 'text'; readonly part: string; readonly is: string | RegExp }
  | { readonly see: 'selection'; readonly part: string; readonly from: number; readonly to: number }
  /** A control's answer to another process. */
  | {
      readonly see: 'answer';
      readonly part: string;
      readonly ask: readonly [message: number, wParam: number, lParam: number];
      readonly is: number | 'more';
    }
  /** A new window of the program. */
  | { readonly see: 'window'; readonly title?: string | RegExp; readonly className?: string }
  | { readonly see: 'no window' }
  /** A colour on the screen, at a point of an element. */
  | { readonly see: 'pixel'; readonly where: Aim; readonly colour: number }
  /** The window has the foreground. */
  | { readonly see: 'foreground' }
  /** Where the system's cursor is. */
  | { readonly see: 'cursor'; readonly where: Aim }
  /** For actions that read: the expected answer, by the program’s own account; `text` must occur in it. */
  | { readonly see: 'value'; readonly holds: unknown; readonly text?: string };

export interface Row {
  /** A description of what is done, unique in its target. */
  readonly what: string;
  /** One of ADDRESSING. */
  readonly action: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly aims?: Aims;
  readonly given?: readonly Given[];
  readonly expect: Expectation;
  readonly seen: readonly Witness[];
}

/** A row of a table: what is done, by which action with which input, and the expected result with its witnesses. */
export const row = (
  what: string,
  action: string,
  input: NonNullable<Row['input']>,
  expect: Expectation,
  seen: readonly Witness[],
  more: Pick<Row, 'aims' | 'given'> = {},
): Row => ({ what, action, input, ...more, expect, seen });

export const CONFIRMED: Expectation = { is: 'delivered', effect: 'confirmed' };
/** @param because why the host cannot see what it did; the report shows it */
export const unverified = (because: string): Expectation => ({ is: 'delivered', effect: 'unverified', because });
export const MODAL: Expectation = { is: 'delivered', effect: 'pending_modal' };
export const LOOKS: Expectation = { is: 'looks' };
export const refused = (code: ErrorCode, delivery: Delivery = 'not_delivered'): Expectation => ({
  is: 'refused',
  code,
  delivery,
});

export const deliveryAsked = (row: Row): DeliveryAsked =>
  row.input?.['delivery'] === 'foreground' || row.action === 'activate-window' ? 'foreground' : 'background';

/** Errors: an action that is not in the catalogue. */
export function addressingOf({ action }: Row): Addressing {
  const found = ADDRESSING.get(action);
  if (found === undefined) throw new Error(`${action} is not an action that the catalogue has a place for`);
  return found;
}
