/** Snapshot of the bound window: docs/behaviour.md#snapshots. */
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import type { ElementQuery, Unread } from '../../../contract/element/element.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import { ITEMS } from '../../../contract/element/control-types.ts';
import { fitImageBudget, screenRectToImage } from '../../../contract/element/coordinates.ts';
import type { ObservationGeometry } from '../../../contract/element/geometry.ts';
import { isHidden, windowGone } from '../../windows/record.ts';
import type { CallContext, SnapshotData, SnapshotOptions } from '../../../desktop/index.ts';
import { throwIfAborted } from '../../windows/waiting.ts';
import { visibleFrame } from '../../windows/rects.ts';
import { MENU_BAR, UNREADABLE_MENU, unreadNote, unreadOf, wayWithoutContent } from '../tree/unread.ts';
import { MENU_CLASS, menuOwnerOf, threadOf } from '../../windows/window-info.ts';
import {
  DEFAULT_VIEW,
  mayBeCounted,
  snapshotNodes,
  type Shown,
  type SnapshotNode,
  type SnapshotView,
} from '../tree/snapshot-nodes.ts';
import { shownName } from '../tree/labels.ts';
import { readPopups, type Observed, type ReadOptions } from '../reading/observe.ts';
import { readAwake, readPart, type PageState } from '../reading/read-part.ts';
import { locateElement } from '../finding/locate.ts';
import { textWords } from './text-attributes.ts';
import type { Observation, RefBook, RefEntry } from '../finding/refs.ts';
import { describeNode, type TreeNode } from '../tree/tree.ts';
import {
  BYTES_A_TOKEN,
  dataOf,
  diffLines,
  lineOf,
  makeCursor,
  pageOf,
  readCursor,
  textsOf,
  valueBudget,
  type Line,
  type LineElement,
} from '../tree/snapshot-text.ts';

/** Part of the deadline (ms) reserved for rendering the text. */
const TEXT_MS = 20;

/** Share of the time that dialogs and menus of a window always have: a slow window does not use it up. */
const POPUPS_SHARE = 0.25;

const MISSING_PAGE =
  '(The program has not built this page for UI Automation yet. Take another snapshot. If the page stays missing, start the program with open-app and accessibility: true.)';

const UNSEEN_PAGE =
  '(A page here is hidden or minimised, and not built for UI Automation: browsers build it once it is shown.)';

/** No line of a window's text begins like this. */
const unseenWindow = (how: 'hidden' | 'minimised'): string =>
  `(This window is ${how}: it has no picture and takes no points. manage-window restore shows it again.)`;

const noContent = (way: string): string =>
  `(No source shows what is in this window; the lines above are its frame. ${way})`;

const isUnreadableMenu = (root: TreeNode): boolean => root.className === MENU_CLASS && root.children.length === 0;

/** The window's current geometry: what a picture of it would have. Errors: window_gone. */
export function geometryOf(record: BindingRecord): ObservationGeometry {
  const frame = visibleFrame(Number(record.hwnd));
  if (frame === null) throw windowGone(record);
  const image = fitImageBudget(Math.max(1, frame.width), Math.max(1, frame.height));
  return {
    imageWidth: image.width,
    imageHeight: image.height,
    displayWidth: Math.max(1, frame.width),
    displayHeight: Math.max(1, frame.height),
    originX: frame.x,
    originY: frame.y,
  };
}

const isNotHeader = ({ controlType }: TreeNode): boolean => controlType !== 'Header';

/** A list that is shown in part is marked, so that a reader knows to look for the rest. */
function shownValue(node: TreeNode, { children, counted }: Shown): Pick<LineElement, 'value' | 'items'> {
  const { value, itemCount } = node;
  if (value !== null || counted > 0 || (node.children.length === 0 && itemCount === null)) return { value };
  const [shown, all] = [children.filter(isNotHeader).length, itemCount ?? node.children.filter(isNotHeader).length];
  return shown === all ? { value: null } : { value: `${shown} of ${all} items`, items: all };
}

/** Every shown element as a line, with its ref. */
function linesOf({ root, record }: Observed, refs: RefBook, drawing: Drawing): Line[] {
  const lines: Line[] = [];
  const nodes = snapshotNodes(root, drawing.view);
  const ids = idsThatTell(nodes);
  for (const shown of nodes) {
    const entry = refs.see(Number(record.hwnd), shown.node);
    lines.push(lineOfNode(shown, entry, drawing, ids.has(shown.node.automationId)));
  }
  return lines;
}

/** How all lines of a snapshot are made. */
export interface Drawing {
  readonly geometry: ObservationGeometry;
  readonly valueBytes: number;
  readonly view: SnapshotView;
  /** How deep the root is. */
  readonly below: number;
  /** What the lines mark as unknown. */
  readonly unread: Set<Unread>;
  /** How the text of an element looks, in words. */
  textOf(node: TreeNode): string;
}

/** How texts look was not asked. */
export const NO_TEXTS = (): string => '';

/** Longer ids are paths of object names, which say no more than their elements do. */
const LONGEST_ID = 64;

/** The ids that tell elements apart: those of one element, and of a moderate length. */
export function idsThatTell(nodes: ReadonlyArray<Pick<SnapshotNode, 'node'>>): ReadonlySet<string> {
  const once = new Set<string>();
  const again = new Set<string>();
  for (const { node } of nodes) {
    const { automationId } = node;
    if (once.has(automationId)) again.add(automationId);
    else if (automationId.length <= LONGEST_ID) once.add(automationId);
  }
  return once.difference(again);
}

export function lineOfNode(
  { node, depth, shown, isLeaf }: SnapshotNode,
  entry: RefEntry,
  { geometry, valueBytes, view, below, unread, textOf }: Drawing,
  hasId: boolean,
): Line {
  const { controlType, states, isCut } = node;
  const unknown = unreadOf(node);
  if (unknown !== null) unread.add(unknown);
  entry.description = describeNode(node);
  const element: LineElement = {
    ...shownValue(node, shown),
    ref: entry.ref,
    depth: depth + below,
    controlType,
    name: shownName(node),
    automationId: hasId ? node.automationId : '',
    states,
    rect: screenRectToImage(geometry, node.visible ?? node.rect),
    counted: shown.counted,
    deeper: shown.deeper ?? 0,
    isCut,
    unread: unknown,
    text: textOf(node),
  };
  return lineOf(element, valueBytes, view.form, isLeaf && view.items === 'counted' && ITEMS.has(controlType));
}

/** The ref of the element that each one is in. */
function parentsOf(lines: readonly Line[]): ReadonlyMap<string, string> {
  const above: string[] = [];
  const parents = new Map<string, string>();
  for (const { ref, element } of lines) {
    const parent = above[element.depth - 1];
    if (parent !== undefined) parents.set(ref, parent);
    above.length = element.depth;
    above.push(ref);
  }
  return parents;
}

function answer(observation: Observation, from: number, options: SnapshotOptions): SnapshotData {
  const page = pageOf(observation.sent, from, options);
  const { note, marks } = observation;
  const parents = options.asElements === true ? parentsOf(observation.elements) : null;
  // With the last lines, where there is room.
  const room = options.maxTokens * BYTES_A_TOKEN - Buffer.byteLength(page.text) - 1;
  const explained = marks !== undefined && page.next === null && Buffer.byteLength(marks) <= room ? marks : undefined;
  return {
    observationId: observation.observationId,
    accessibilityText: [page.text, note, explained].filter((part) => part !== undefined).join('\n'),
    partial: observation.partial,
    ...(page.next === null ? {} : { cursor: makeCursor(observation.observationId, page.next) }),
    geometry: observation.geometry,
    elementCount: page.count,
    ...(parents === null ? {} : { elements: page.elements.map((each) => dataOf(each, parents.get(each.ref))) }),
    isPart: observation.within !== undefined,
  };
}

function kept(refs: RefBook, root: number, observationId: string | undefined, what: string): Observation {
  const observation = observationId === undefined ? undefined : refs.observation(root, observationId);
  if (observation !== undefined) return observation;
  throw new UiaHostError(
    'invalid_argument',
    `The ${what} names an observation that is not among the last eight of this window. Nothing was read.`,
    {
      hint: `Take a snapshot without ${what}.`,
    },
  );
}

/** What is shown: as asked, or as in the observation that this one continues. Errors: invalid_argument. */
function viewOf(
  { form, items, depth, attributes }: SnapshotOptions,
  earlier: Observation | null,
  what: string,
): SnapshotView {
  if (earlier === null)
    return {
      form: form ?? DEFAULT_VIEW.form,
      items: items ?? DEFAULT_VIEW.items,
      ...(depth === undefined ? {} : { depth }),
      ...(attributes === true ? { attributes } : {}),
    };
  const { view } = earlier;
  const isSame =
    (form ?? view.form) === view.form &&
    (items ?? view.items) === view.items &&
    (depth ?? view.depth) === view.depth &&
    (attributes ?? view.attributes ?? false) === (view.attributes ?? false);
  if (isSame) return view;
  throw new UiaHostError(
    'invalid_argument',
    `The observation that ${what} names has the form ${view.form} and items ${view.items}${view.depth === undefined ? '' : ` and depth ${view.depth}`}${view.attributes === true ? ' and attributes' : ''}, not those given. Nothing was read.`,
    { hint: `Leave form, items, depth and attributes out with ${what}, or take a new snapshot.` },
  );
}

/** What the elements themselves do not say. */
function noteOf(
  { root, page }: { readonly root: TreeNode; readonly page: PageState },
  popups: readonly Observed[],
  unread: ReadonlySet<Unread>,
  isDifference: boolean,
): { note?: string; marks?: string } {
  if (page === 'missing') return { note: MISSING_PAGE };
  const roots = [root, ...popups.map((popup) => popup.root)];
  const isMenu = roots.some(isUnreadableMenu);
  const isBar =
    !roots.some(({ className }) => className === MENU_CLASS) && menuOwnerOf(threadOf(root.hwnd).thread) === root.hwnd;
  const menu = isMenu ? UNREADABLE_MENU : isBar ? MENU_BAR : null;
  if (isDifference) return menu === null ? {} : { note: menu };
  const way = isMenu ? null : wayWithoutContent(root);
  const hidden = page === null ? null : UNSEEN_PAGE;
  const notes = [
    isHidden(root.hwnd) ? unseenWindow('hidden') : user32.IsIconic(root.hwnd) ? unseenWindow('minimised') : null,
    hidden,
    menu,
    way === null ? null : noContent(way),
  ].filter((note) => note !== null);
  return { ...(notes.length === 0 ? {} : { note: notes.join('\n') }), ...(way === null ? marksOf(unread) : {}) };
}

function marksOf(unread: ReadonlySet<Unread>): { marks?: string } {
  const marks = unreadNote(unread);
  return marks === undefined ? {} : { marks };
}

/** How the parts of a snapshot are read. */
interface Looking {
  readonly refs: RefBook;
  readonly record: BindingRecord;
  readonly call: CallContext;
  /** Time (ms) for searching lists that were read in part. */
  readonly searchMs: number;
  within(limitMs: number): ReadOptions;
}

/** The element that a query or a ref names, with what is in it. Errors: those of a query, element_stale. */
async function readWithin(
  query: ElementQuery,
  { refs, record, call, searchMs, within }: Looking,
  limitMs: number,
): Promise<Observed> {
  const located = await locateElement(
    { refs, options: within(limitMs), call },
    record,
    { kind: 'element', query, purpose: 'look', isOnlyRead: true },
    searchMs,
  );
  return readPart(located, within(limitMs));
}

/** Errors: window_gone; invalid_argument for a cursor or `since` that is not among the last eight observations; for a part those of a query. */
export async function takeSnapshot(
  refs: RefBook,
  record: BindingRecord,
  options: SnapshotOptions,
  call: CallContext,
  reading: Pick<ReadOptions, 'automation' | 'popups' | 'views'>,
): Promise<SnapshotData> {
  throwIfAborted(call);
  const root = Number(record.hwnd);
  if (options.cursor !== undefined) {
    const cursor = readCursor(options.cursor);
    const observation = kept(refs, root, cursor?.observationId, 'cursor');
    viewOf(options, observation, 'cursor');
    return answer(observation, Math.min(cursor!.next, observation.sent.length), options);
  }
  const before = options.since === undefined ? null : kept(refs, root, options.since, 'since');
  const part = before === null ? options.within : before.within;
  const begun = performance.now();
  const longestMs = call.deadlineMs - TEXT_MS;
  const wholeMs = Math.max(1, Math.min(options.budgetMs, longestMs));
  const within = (limitMs: number): ReadOptions => ({
    ...reading,
    budgetMs: Math.max(1, begun + limitMs - performance.now()),
    remoteControlMemory: options.remoteControlMemory,
  });
  const asked = viewOf(options, before, 'since');
  const looking: Looking = { refs, record, call, within, searchMs: wholeMs / 2 };
  const observed =
    part === undefined
      ? await readAwake(record, within(wholeMs), call)
      : { ...(await readWithin(part, looking, wholeMs)), page: null };
  const popupsMs = performance.now() - begun + wholeMs * POPUPS_SHARE;
  const popups =
    part === undefined ? readPopups(record, observed, within(Math.min(longestMs, Math.max(wholeMs, popupsMs)))) : [];
  const isExpanded = part !== undefined && options.items === undefined && mayBeCounted(observed.root);
  const view: SnapshotView = before === null && isExpanded ? { ...asked, items: 'all' } : asked;
  const geometry = options.geometry ?? geometryOf(record);
  const unread = new Set<Unread>();
  const elements = [observed, ...popups].flatMap((each) =>
    linesOf(each, refs, {
      geometry,
      valueBytes: valueBudget(options.maxTokens),
      view,
      below: each === observed ? 0 : 1,
      unread,
      textOf:
        view.attributes === true
          ? textWords({ read: within(wholeMs), root: Number(each.record.hwnd) }, begun + wholeMs)
          : NO_TEXTS,
    }),
  );
  const sent = before === null ? textsOf(elements) : diffLines(before.elements, elements);
  const observation: Observation = {
    observationId: options.observationId,
    geometry,
    elements,
    sent,
    partial: observed.partial || popups.some(({ partial }) => partial),
    view,
    ...(part === undefined
      ? noteOf(observed, popups, unread, before !== null)
      : { within: { ref: elements[0]!.ref }, ...(before === null ? marksOf(unread) : {}) }),
  };
  refs.keep(root, observation);
  return answer(observation, 0, options);
}
