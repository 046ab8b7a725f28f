/**
 * The catalogue of tasks as data: a goal, the calls with which an agent reaches it, and the witnesses that it is
 * reached. One file per group of programs in rows/; run.ts runs them, report.ts writes docs/tasks.md.
 */
import type { ErrorCode } from '../../src/contract/errors.ts';
import type { TreeNode } from '../support/snapshot-tree.ts';
import type { ProgramName } from './program-names.ts';
import { wordsOf } from '../support/words.ts';

/** The second witness of a step or of a task's end. None of them queries the host. */
export type Witness =
  /** A file of the task's folder; null: it does not exist. */
  | { readonly see: 'file'; readonly name: string; readonly holds: string | RegExp | null }
  /** A value of the current user's registry; null: it does not exist. Without a backslash: below the task's own key. */
  | { readonly see: 'value'; readonly name: string; readonly holds: string | number | null }
  | { readonly see: 'window'; readonly title: string | RegExp }
  | { readonly see: 'no window'; readonly title: string | RegExp }
  /** The program's own journal: it did this for its user. */
  | { readonly see: 'did'; readonly what: string; readonly detail?: string }
  /** Text of a part (`Edit`, `#1010`) of the window with that title, read by another process; without `in`: the task's own. */
  | { readonly see: 'text'; readonly part: string; readonly in?: string; readonly is: string | RegExp }
  /** That part's answer to another process. */
  | {
      readonly see: 'answer';
      readonly part: string;
      readonly in?: string;
      readonly ask: readonly [message: number, wParam: number, lParam: number];
      readonly is: number;
    }
  /** The program has ended. */
  | { readonly see: 'ended' };

/** An element as it was in the latest snapshot of the task. */
export interface Seen {
  readonly line: Partial<Omit<TreeNode, 'states' | 'ref'>>;
  /** Below the first element that matches. */
  readonly below?: Partial<Omit<TreeNode, 'states' | 'ref'>>;
}

/** One call of the public interface. */
export interface Step {
  readonly call: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** Its ref goes into the input. */
  readonly ref?: Seen;
  /**
   * A point of it, in image coordinates, goes into the input: its upper left corner plus this many pixels, else its
   * centre.
   */
  readonly point?: Seen & { readonly right?: number; readonly down?: number };
  /** The handle of the window that the latest answer named as new, or as in the way, goes into the input. */
  readonly opened?: true;
  /** What an agent must find in the answer to continue. */
  readonly reads?: string | RegExp;
  /** A person is asked, and approves; `scope` as on the card. */
  readonly asks?: { readonly scope?: 'once' | 'window' | 'session' };
  /** It fails with this error, which tells the agent how to continue. */
  readonly ends?: ErrorCode;
  /** The witnesses of its effect: queried after every call that acts, whatever the answer. */
  readonly seen?: readonly Witness[];
  /**
   * A menu or a label edit is open, which closes when another window becomes active: the person does not click
   * elsewhere before this call.
   */
  readonly open?: true;
  /** It makes the program start another one, which comes to the front as programs do. */
  readonly starts?: true;
}

/** Where a task happens. */
export interface Place {
  /** The path of a file in its folder, as Windows programs write it. */
  path(name?: string): string;
  /** Its own registry key, below HKEY_CURRENT_USER. */
  readonly key: string;
}

export interface Task {
  readonly program: ProgramName;
  /** A description, unique among all tasks. */
  readonly goal: string;
  /** Files that exist before the task. */
  readonly files?: Readonly<Record<string, string>>;
  /** In the registry before the task: below its own key, or by a whole path below HKEY_CURRENT_USER, where what was there before comes back afterwards. */
  readonly values?:
    | Readonly<Record<string, string | number>>
    | ((place: Place) => Readonly<Record<string, string | number>>);
  /** Level of the host's policy for this task; default: full. `alwaysAsk` keeps its default. */
  readonly level?: 'control' | 'full';
  /** Further arguments of the program. */
  readonly args?: (place: Place) => readonly string[];
  readonly steps: (place: Place) => readonly Step[];
  /** Everything that must differ afterwards; anything not named here must be unchanged. */
  readonly leaves: {
    /** null: it no longer exists. */
    readonly files?: Readonly<Record<string, string | RegExp | null>>;
    /** Below its own key, or with a whole path below HKEY_CURRENT_USER; null: it no longer exists. */
    readonly values?: Readonly<Record<string, string | number | null>>;
    /** Everything that a program with a journal reports, in order: `wrote: order.txt`. */
    readonly did?: readonly string[];
    readonly seen?: readonly Witness[];
  };
}

export const valuesOf = ({ values = {} }: Task, place: Place): Readonly<Record<string, string | number>> =>
  typeof values === 'function' ? values(place) : values;

/** Calls that only read: they must have no effect. */
export const LOOKING: ReadonlySet<string> = new Set(wordsOf`
  bind-to-window snapshot screenshot list-visible-windows read-table wait-for wait-quiet read-terminal
  get-binding-status request-access
`);

// Short forms of the calls that nearly every task makes.
export const bind = (title: string): Step => ({ call: 'bind-to-window', input: { title } });
/** A window whose title is not unique: the answer to the call that opened it has its handle. */
export const bindNew: Step = { call: 'bind-to-window', opened: true };
export const step = (call: string, input: Required<Step>['input'], ...seen: readonly Witness[]): Step => ({
  call,
  input,
  seen,
});
export const look = (reads?: string | RegExp, input: Record<string, unknown> = {}): Step => ({
  call: 'snapshot',
  input,
  ...(reads === undefined ? {} : { reads }),
});
export const press = (text: string, ...then: readonly Witness[]): Step =>
  step('virtual-keyboard', { action: 'combo', text }, ...then);
export const write = (text: string, ...then: readonly Witness[]): Step =>
  step('virtual-keyboard', { action: 'type', text }, ...then);
export const click = (name: string, ...then: readonly Witness[]): Step => step('click-element', { name }, ...then);
export const clickA = (role: string, name: string, ...then: readonly Witness[]): Step =>
  step('click-element', { name, role }, ...then);
export const clickAt = (point: Required<Step>['point'], ...then: readonly Witness[]): Step => ({
  ...step('click', {}, ...then),
  point,
});
export const fill = (name: string, text: string, ...then: readonly Witness[]): Step =>
  step('type-into-element', { name, role: 'textbox', text }, ...then);
export const pick = (name: string, item: string, ...then: readonly Witness[]): Step =>
  step('select-element', { name, item }, ...then);
export const window = (title: string | RegExp): Witness => ({ see: 'window', title });
export const gone = (title: string | RegExp): Witness => ({ see: 'no window', title });
export const ended: Witness = { see: 'ended' };
export const did = (what: string, detail?: string): Witness => ({
  see: 'did',
  what,
  ...(detail === undefined ? {} : { detail }),
});
export const shows = (part: string, is: string | RegExp, title?: string): Witness => ({
  see: 'text',
  part,
  is,
  ...(title === undefined ? {} : { in: title }),
});
export const answers = (part: string, ask: readonly [number, number, number], is: number, title?: string): Witness => ({
  see: 'answer',
  part,
  ask,
  is,
  ...(title === undefined ? {} : { in: title }),
});
export const file = (name: string, holds: string | RegExp | null): Witness => ({ see: 'file', name, holds });
export const value = (name: string, holds: string | number | null): Witness => ({ see: 'value', name, holds });
