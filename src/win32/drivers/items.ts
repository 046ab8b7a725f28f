/** Shared by the drivers: remote structures, item nodes, coordinates, signs and marks. */
import { text16 } from '../../../native-bindings/library.ts';
import type { Fields, Layout } from '../../../native-bindings/layout.ts';
import { LVIS_STATEIMAGEMASK, WM_COMMAND, WS_EX_LAYOUTRTL } from '../../../native-bindings/win32/constants.ts';
import { LVHITTESTINFO } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { ControlType, ElementState } from '../../contract/element/control-types.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { inContextOf, readRect } from '../windows/rects.ts';
import { Asker, askWithin } from '../windows/ask.ts';
import { notify } from '../exits/messages.ts';
import type { Mark, MarkPlace, Question } from './driver.ts';
import { LONG_LIST } from '../elements/tree/snapshot-nodes.ts';
import { RemoteBlocks, type RemoteMemory } from '../elements/tree/remote-memory.ts';
import type { Unread } from '../../contract/element/element.ts';
import { makeNode, type ItemKind, type TreeNode } from '../elements/tree/tree.ts';
import { parentOf, type WindowInfo } from '../windows/window-info.ts';

/** Time limits (ms) of one reading of a sign, and of one question about a mark. */
const SIGN_MS = 500;
const MARK_MS = 1000;

/** A control with at most this many items is read completely; of a longer one, the visible and selected items. */
export const SMALL_LIST = LONG_LIST;
/** At most this many items of one name are told apart; beyond that a caller must give the index. */
export const MOST_ALIKE = 20;

/**
 * State image of a check box: 1 = unchecked, 2 = checked, 3 = partial. Programs with custom check boxes keep to this
 * order, since other programs read them this way; the meaning of further images is private.
 */
export const CHECK_STATES: Readonly<Record<number, ElementState>> = { 2: 'checked', 3: 'mixed' };

const clientOut = Buffer.alloc(16);

/** Converts rectangles as the control's program knows them (client area, its own DPI) to screen pixels. */
export function clientToScreen(info: WindowInfo): (rect: Rect) => Rect {
  const { client } = info;
  // A program that is not DPI-aware counts in virtualised pixels.
  const own = inContextOf(info.hwnd, () => (user32.GetClientRect(info.hwnd, clientOut) ? readRect(clientOut) : null));
  const scale = own === null || own.width === 0 || client.width === 0 ? 1 : client.width / own.width;
  const isMirrored = (info.exStyle & WS_EX_LAYOUTRTL) !== 0;
  return (rect) => {
    const width = Math.round(rect.width * scale);
    const x = Math.round(rect.x * scale);
    return {
      x: isMirrored ? client.x + client.width - x - width : client.x + x,
      y: client.y + Math.round(rect.y * scale),
      width,
      height: Math.round(rect.height * scale),
    };
  };
}

export interface ItemSeed {
  readonly kind: ItemKind;
  /** Distinguishes it permanently from the other items of its control. */
  readonly identity: string;
  readonly index: number;
  /** Identifies it in the control's messages. */
  readonly handle?: number;
  readonly controlType: ControlType;
  readonly name: string;
  readonly value?: string | null;
  readonly rect: Rect;
  readonly states?: Iterable<ElementState>;
  readonly automationId?: string;
  readonly unread?: Unread | null;
}

/** A node for a part of a control. It is disabled when its control is. */
export function itemNode(control: TreeNode, seed: ItemSeed): TreeNode {
  const node = makeNode({
    identity: `${control.identity}/${seed.identity}`,
    locator: {
      kind: 'item',
      hwnd: control.hwnd,
      item: seed.kind,
      index: seed.index,
      handle: seed.handle ?? seed.index,
    },
    controlType: seed.controlType,
    name: seed.name,
    value: seed.value ?? null,
    rect: seed.rect,
    source: 'message',
    hwnd: control.hwnd,
    automationId: seed.automationId ?? '',
    states: new Set(seed.states ?? []),
    className: control.className,
    unread: seed.unread ?? null,
  });
  if (control.states.has('disabled')) node.states.add('disabled');
  return node;
}

/** A message whose lParam is a structure in the target. Null if it was not answered. */
export function askRemote(
  asker: Asker,
  memory: RemoteMemory,
  hwnd: number,
  message: number,
  { wParam = 0, offset = 0 }: { readonly wParam?: number | bigint; readonly offset?: number } = {},
): number | null {
  const answer = asker.ask(hwnd, message, wParam, memory.address + BigInt(offset));
  if (answer === null) memory.abandon();
  return answer;
}

/** The same with a RECT as the result. */
export function askRemoteRect(
  asker: Asker,
  memory: RemoteMemory,
  hwnd: number,
  message: number,
  { wParam, first = null }: { readonly wParam: number; readonly first?: Buffer | null },
): Rect | null {
  memory.write(0, first ?? Buffer.alloc(16));
  const answer = askRemote(asker, memory, hwnd, message, { wParam });
  const back = answer === null || answer === 0 ? null : memory.read(0, 16);
  return back === null ? null : readRect(back);
}

/** Offset of texts in the block, behind the structures. */
export const TEXT_AT = 0x1000;
export const TEXT_UNITS = 1024;

/** A text that a message wrote at `TEXT_AT`. */
export function remoteText(memory: RemoteMemory, units: number = TEXT_UNITS): string {
  const text = memory.read(TEXT_AT, Math.min(units, TEXT_UNITS) * 2);
  return text === null ? '' : text16(text);
}

/** LPSTR_TEXTCALLBACK: the program gives the text when it is drawn, and gave none now. */
const BY_CALLBACK: ReadonlySet<bigint> = new Set([0xffff_ffff_ffff_ffffn, 0xffff_ffffn]);

/** What no text begins with, for telling whether a message wrote one. */
const UNWRITTEN = '\uffff';

/** What a control answered to the question about one item. */
interface Answered<F extends Fields> {
  readonly answer: number;
  readonly fields: ReturnType<Layout<F>['read']>;
  /** Some programs fill in the structure and answer 0, others answer and fill in nothing. */
  readonly isTold: boolean;
  /** The text, which may be at an address of the program's own, as the structure says; null: it is not known. */
  text(pointer?: bigint | number): string | null;
}

/** A question about an item, by the address for its text and the structure's size. */
interface ItemQuestion<F extends Fields> {
  readonly wParam?: number;
  fields(text: bigint, size: number): Parameters<Layout<F>['alloc']>[0];
}

/** The program of a control, and the memory in it. */
interface Asked {
  readonly asker: Asker;
  readonly memory: RemoteMemory;
  readonly hwnd: number;
}

/** Most items that are asked for together, and the room for the structure of each, with a text behind it. */
export const TOGETHER = 32;
const STRUCTURE = 0x100;
const SLOT = STRUCTURE + TEXT_UNITS * 2;

/** A message with a structure for each item, through remote memory together, some at a time. Fewer answers if the control stops answering. */
export function askItems<F extends Fields>(
  { asker, memory, hwnd }: Asked,
  message: number,
  structure: Layout<F>,
  questions: ReadonlyArray<ItemQuestion<F>>,
): Array<Answered<F>> {
  if (questions.length > TOGETHER) {
    const first = askItems({ asker, memory, hwnd }, message, structure, questions.slice(0, TOGETHER));
    const rest = questions.slice(first.length);
    return first.length < TOGETHER ? first : [...first, ...askItems({ asker, memory, hwnd }, message, structure, rest)];
  }
  const layout = memory.layoutOf(structure);
  const slots = Buffer.alloc(questions.length * SLOT);
  for (const [index, { fields }] of questions.entries()) {
    const at = index * SLOT;
    layout.write(slots, fields(memory.address + BigInt(at + STRUCTURE), layout.size) ?? {}, at);
    slots.write(UNWRITTEN, at + STRUCTURE, 'utf16le');
  }
  memory.write(0, slots);
  const answers = questions.map(({ wParam = 0 }, index) =>
    askRemote(asker, memory, hwnd, message, { wParam, offset: index * SLOT }),
  );
  const back = memory.read(0, slots.length);
  const end = back === null ? 0 : answers.includes(null) ? answers.indexOf(null) : answers.length;
  return answers.slice(0, end).map((answer, index) => {
    const at = index * SLOT;
    const written = text16(back!.subarray(at + STRUCTURE, at + SLOT));
    const own = written.startsWith(UNWRITTEN) ? null : written;
    return {
      answer: answer!,
      fields: layout.read(back!, at),
      isTold: answer !== 0 || own !== null,
      text(pointer = 0) {
        const place = BigInt(pointer);
        if (BY_CALLBACK.has(place)) return null;
        return place === 0n || place === memory.address + BigInt(at + STRUCTURE)
          ? own
          : memory.textAt(place, TEXT_UNITS);
      },
    };
  });
}

/** The same for one item; null if it was not answered. */
export const askItem = <F extends Fields>(
  asked: Asked,
  [message, wParam]: readonly [message: number, wParam: number],
  structure: Layout<F>,
  fields: ItemQuestion<F>['fields'],
): Answered<F> | null => askItems(asked, message, structure, [{ wParam, fields }])[0] ?? null;

/** Numbers repeated texts, so that each identity is unique. */
export function numbered(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return `${text}#${count}`;
  };
}

/** A value for a sign, which is read again and again: with a time limit of its own. Undefined where it was not answered. */
export const readNow = (hwnd: number, message: number, wParam = 0, lParam = 0): number | undefined =>
  askWithin(hwnd, message, wParam, lParam, SIGN_MS) ?? undefined;

/** A selected item: true where it is the only one, else how many are selected, which choosing it ends. */
export const aloneOrOf = (count: number | undefined): true | number =>
  count === undefined || count < 2 ? true : count;

/** WM_COMMAND as a control sends it to its parent. */
export const notifyParent = ({ hwnd, id }: Pick<WindowInfo, 'hwnd' | 'id'>, code: number): boolean =>
  notify(parentOf(hwnd), WM_COMMAND, ((code << 16) | (id & 0xffff)) >>> 0, hwnd);

/** The answers to a control's questions; null for what it does not answer in time. */
export const answersTo = (asker: Asker, hwnd: number, questions: readonly Question[]): Map<string, number | null> =>
  new Map(questions.map(([kind, message, wParam = 0, lParam = 0]) => [kind, asker.ask(hwnd, message, wParam, lParam)]));

const STATE_IMAGES: Readonly<Record<number, string>> = { 1: 'unchecked', 2: 'checked' };

/** The image that stands for an item's check box; empty if it has none. A tree's mask is the same. */
export function stateImage(state: number): string {
  const image = (state & LVIS_STATEIMAGEMASK) >> 12;
  return image === 0 ? '' : (STATE_IMAGES[image] ?? `state image ${image}`);
}

/** How a list tells the mark under a point. */
interface MarkMessages {
  readonly hitTest: number;
  readonly getState: number;
  readonly images: readonly [message: number, wParam: number];
  readonly onMark: number;
  readonly mask: number;
  readonly isItem: (answer: number) => boolean;
  readonly word: Mark['word'];
}

/**
 * The mark under a point: an item's state image, or the button that expands a branch. Null if the point is not on one;
 * where that cannot be determined, a control with state images is assumed to have one there.
 * Source: learn.microsoft.com/windows/win32/controls/tvm-hittest, lvm-hittest, tvm-getimagelist, lvm-getimagelist
 */
export function markUnder(
  { hwnd, client, mayUseMemory }: MarkPlace,
  { hitTest, getState, images, onMark, mask, isItem, word }: MarkMessages,
): Mark | null {
  const ask = (message: number, wParam = 0, lParam: number | bigint = 0): number | null =>
    new Asker(MARK_MS).ask(hwnd, message, wParam, lParam);
  using blocks = new RemoteBlocks(mayUseMemory);
  const memory = blocks.for(hwnd);
  if (memory === null) return (ask(...images) ?? 0) === 0 ? null : { read: () => null, word };
  // A tree's structure has the same first fields and size; both return the item.
  memory.write(0, LVHITTESTINFO.alloc({ pt: client }));
  const item = ask(hitTest, 0, memory.address);
  if (item === null) memory.abandon();
  const back = item === null ? null : memory.read(0, LVHITTESTINFO.size);
  if (item === null || back === null || !isItem(item) || (LVHITTESTINFO.read(back).flags & onMark) === 0) return null;
  return { read: () => ask(getState, item, mask), word };
}
