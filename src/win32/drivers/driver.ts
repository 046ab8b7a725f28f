/** What a kind of control answers for itself. Each kind has one object, in one file, found by `driverOf` (`index.ts`). */
import type { Point } from '../../contract/element/geometry.ts';
import type { Attempt, DeliveryWay } from '../../contract/outcome.ts';
import type { RemoteBlocks } from '../elements/tree/remote-memory.ts';
import type { ItemKind, Locator, TreeNode } from '../elements/tree/tree.ts';
import type { Change } from '../exits/messages.ts';
import type { Asker } from '../windows/ask.ts';
import type { ControlKind } from '../windows/classes.ts';
import type { WindowInfo } from '../windows/window-info.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { beginWay } from '../exits/leaving.ts';

/** A window of the tree with what was read from it. */
export interface WindowEntry {
  readonly info: WindowInfo;
  readonly kind: ControlKind;
  readonly node: TreeNode;
  readonly parent: number;
  readonly thread: number;
  /** Its text as the system keeps it; empty where that is not what it shows. */
  text: string;
}

export interface WindowTree {
  readonly root: TreeNode;
  readonly entries: ReadonlyMap<number, WindowEntry>;
  /** All windows that were listed below the root, hidden ones too. */
  readonly order: readonly number[];
}

/** What every reader of a control receives. */
export interface ReadContext {
  readonly asker: Asker;
  readonly remote: RemoteBlocks;
  readonly windows: WindowTree;
  /** The rows of a long list are left out: the caller asks for those it needs. */
  readonly omitsRows?: boolean | undefined;
}

/** Adds what the control's messages report to the entry's node. */
export type ControlReader = (entry: WindowEntry, context: ReadContext) => void;

// Access to any item of a partly read control: by index, by the control's own search, or by reading all in order.

/** An item as a search finds it. */
export interface ListedItem {
  readonly index: number;
  /** Identifies the item in the control's messages. */
  readonly handle: number;
  readonly name: string;
  /** Nesting depth: 0 in lists. */
  readonly depth: number;
}

export interface ItemList {
  /** The number of items, read or not. */
  readonly count: number;
  /**
   * Items with exactly this text, by the control's own search. An empty result proves nothing: some controls cannot
   * search.
   */
  find(text: string): ListedItem[];
  /** Its program draws the items, and no message has their texts: an item is known by its index alone. */
  readonly isDrawn?: boolean;
  /**
   * Every item from an index on, in order. Null where there is no result yet, so that other work gets a turn. Ends
   * early if the control stops answering.
   */
  items(from: number): Generator<ListedItem | null, void>;
  /**
   * Its node below the nodes of its ancestors, outermost first; null if it is gone. `name`: as it was read just now,
   * where it need not be read again.
   */
  branch(item: Pick<ListedItem, 'index' | 'handle'> & { readonly name?: string }): TreeNode[] | null;
  /** The rows in view, read now; absent where a search finds every text. */
  shown?(): ListedItem[];
  /** One item, without reading others; absent where its index does not identify it. Null if it was not answered. */
  at?(index: number): ListedItem | null;
  /** The item that had this identity below the control's, if it still has its name. */
  known?(identity: string): ListedItem | null;
  /** The node of an item that was just read, without asking where it is; absent where only `branch` makes nodes. */
  row?(item: Pick<ListedItem, 'index' | 'name'>): TreeNode;
}

/** What a list is read with. */
export interface ItemReader {
  readonly info: WindowInfo;
  /** The control's node. */
  readonly node: TreeNode;
  readonly asker: Asker;
  readonly remote: RemoteBlocks;
}

export type ItemLocator = Extract<Locator, { kind: 'item' }>;

/** A question about its state, by the kind of evidence that a changed answer is. */
export type Question = readonly [kind: string, message: number, wParam?: number | bigint, lParam?: number];

/** A control that is acted on, by itself or at one of its items. */
export interface Acted {
  readonly info: WindowInfo;
  /** The node that is meant: the control's, or its item's. */
  readonly node: TreeNode;
  readonly asker: Asker;
  readonly remote: RemoteBlocks;
  /** Its check state, if that has just been asked. */
  readonly before: unknown;
}

/** A control that a text is put into. */
export interface Filled extends Pick<Acted, 'info' | 'asker' | 'remote'> {
  /** What it is called in an error. */
  readonly description: string;
}

/** Where the pointer must press, as nothing else does it: screen pixels. */
export interface PressAt {
  readonly at: Point;
  readonly reason: string;
}

/** A value that changes with an effect: check state, selection, position. */
export interface Sign {
  readonly kind: string;
  /** Undefined while it cannot be read. */
  read(): unknown;
  /**
   * Whether a value is what the action asks for, as the selection of the item and of no other; without this any changed value
   * counts.
   */
  isMeant?(value: unknown): boolean;
  /**
   * The same of this control, or of another that its program put in its place; null where that cannot be known. It can be
   * read once the action is over.
   */
  at?(hwnd: number): Sign | null;
}

/** The mark of an item, such as its check box: read again and again, and said in words. */
export interface Mark {
  read(): number | null;
  word(state: number): string;
}

/** A point of a control (client pixels) that is clicked. */
export interface MarkPlace {
  readonly hwnd: number;
  readonly client: Point;
  readonly mayUseMemory: boolean;
}

/** One kind of control. What is absent it has not, or only UI Automation tells and does it. */
export interface Driver {
  readonly kinds: readonly ControlKind[];
  /** What its items are called in a locator. */
  readonly item?: ItemKind;
  /** Its messages that only read. From WM_USER on a number means this only in its own kinds of window. */
  readonly asks: readonly number[];
  /** Its messages that change something, and which exits each can be. */
  readonly changes?: readonly Change[];
  readonly read?: ControlReader;
  /** Its items, also what `read` leaves out. */
  items?(reader: ItemReader): ItemList | null;
  /** What it shows while nothing is typed or chosen. */
  cue?(entry: WindowEntry, context: Pick<ReadContext, 'asker' | 'remote'>): string | null;
  /** What shows that keys or a click did something. */
  readonly questions?: readonly Question[];
  /** The answers, where they are not simply those to `questions`. */
  state?(asker: Asker, hwnd: number): Map<string, number | null>;
  /** An answer in readable form. */
  word?(question: string, answer: number, isAfter: boolean): unknown;
  /** A click on the control itself, by its own message with the notification that its parent expects. */
  press?(control: Acted): Tried;
  /** A click on one of its items. */
  choose?(control: Acted, item: ItemLocator): Tried | PressAt;
  /** What it holds, where that is not its text; a date in the form of the text `like`. Null if it did not answer. */
  held?(control: Filled, like: string): string | null;
  /**
   * Puts in a text that only its own messages can: a number, a date or an address. Errors: invalid_argument for what it
   * cannot hold.
   */
  fill?(control: Filled, text: string): Attempt;
  /** Brings an item into view; null if the control does not answer. */
  reveal?(asker: Asker, item: ItemLocator): number | null;
  /** What a click on it must change. */
  sign?(hwnd: number, node: TreeNode): Sign | null;
  /** What choosing an item must change. */
  itemSign?(item: ItemLocator, node: TreeNode): Sign | null;
  /** What choosing an item may change in addition. */
  itemHint?(item: ItemLocator, node: TreeNode): Sign | null;
  /** The mark under a point; null if there is none. */
  markAt?(place: MarkPlace): Mark | null;
}

/**
 * Result of one way. `isUnfinished`: the program was asked and has not confirmed completion; it may have acted or may
 * act later.
 */
export type Tried = Attempt & { readonly isUnfinished?: true };

/** One way. It returns its result and does not throw for what a later way may do better. */
export type Way<T> = (target: T) => Tried | Promise<Tried>;

export const delivered = (way: DeliveryWay, reason: string): Attempt => ({ rung: way, result: 'delivered', reason });
/** Counts as delivered, since another way might do it twice. */
export const unfinished = (way: DeliveryWay, name: string, why = ''): Tried => ({
  ...delivered(way, `${name}, which has not returned${why}`),
  isUnfinished: true,
});
export const refused = (way: DeliveryWay, reason: string): Attempt => ({ rung: way, result: 'refused', reason });
export const failed = (way: DeliveryWay, reason: string): Attempt => ({ rung: way, result: 'failed', reason });
export const notApplicable = (way: DeliveryWay, reason: string): Attempt => ({
  rung: way,
  result: 'not_applicable',
  reason,
});

/** For a text that a control cannot hold. `form`: what it takes. */
export const unfit = (description: string, form: string): UiaHostError =>
  new UiaHostError('invalid_argument', `${description} takes ${form}. It was left unchanged.`);

export interface Climb {
  /** The way that delivered; null when none did. */
  readonly delivered: Attempt | null;
  readonly attempts: readonly Attempt[];
  /** The delivered call has not returned: it may take effect later. */
  readonly isUnfinished?: true;
}

/**
 * Tries the ways in order. Stops at a refusal, since the target said no, and at anything that may have taken effect.
 */
export async function climb<T>(ways: ReadonlyArray<Way<T>>, target: T): Promise<Climb> {
  const attempts: Attempt[] = [];
  for (const way of ways) {
    beginWay();
    const { isUnfinished, ...attempt } = await way(target);
    attempts.push(attempt);
    if (attempt.result === 'delivered')
      return { delivered: attempt, attempts, ...(isUnfinished === true ? { isUnfinished } : {}) };
    if (attempt.result === 'refused') break;
  }
  return { delivered: null, attempts };
}

/** What each way said, for an error. */
export const saidBy = (attempts: readonly Attempt[]): string =>
  attempts.map(({ rung, reason }) => `${rung}: ${reason}`).join('; ');
