/** What surrounds an element and raises or lowers its risk: read for the gate just before it decides. */
import { DLGC_WANTALLKEYS, DLGC_WANTCHARS, WM_GETDLGCODE } from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import type { ChosenItem, ElementContext, WantedItem, SourceFacts } from '../../../contract/element/element.ts';
import { rectCentre, rectContains } from '../../../contract/element/coordinates.ts';
import type { CallContext, TargetSpec } from '../../../desktop/index.ts';
import type { DialogInFront } from '../../../contract/element/element-words.ts';
import { shownDialog, receiverOf, type ActionTools } from '../finding/element-target.ts';
import { Deadline } from '../../windows/waiting.ts';
import { type LastSeen, keyReach, menuState, nodeOfKeys, reachMatters } from '../finding/key-target.ts';
import {
  cut,
  defaultButton,
  focusedNode,
  isInStatusBar,
  isSecret,
  questionTexts,
  valueOf,
} from '../finding/element-target.ts';
import { type Located, elementInfo, locateElement, readLiveAt, locateRef } from '../finding/locate.ts';
import { type Observed, type ReadOptions, readPatiently } from '../reading/observe.ts';
import type { RefBook } from '../finding/refs.ts';
import { type TreeIndex, indexOf } from '../tree/tree-index.ts';
import { type Around, type LiveElement, readLive } from '../reading/live-view.ts';
import {
  classNameOf,
  focusOf,
  isInMenu,
  kindOfWindow,
  parentOf,
  threadOf,
  controlId,
  windowStyle,
} from '../../windows/window-info.ts';
import { TEXT_FIELDS } from '../../../contract/element/control-types.ts';
import type { Rect } from '../../../contract/element/geometry.ts';
import { type TreeNode, pathTo } from '../tree/tree.ts';
import { attempt } from '../../../contract/attempt.ts';
import { grown } from '../../windows/rects.ts';
import { firstLineInView, startOfLine } from '../../drivers/edit.ts';
import { PropertyId } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { pathFor } from '../finding/query.ts';
import { accessibleAt, defaultActionOf, nameOf } from '../sources/accessible.ts';
import { cachedOf, nodeOf, propertiesOf } from '../sources/automation-node.ts';
import { keptText } from '../sources/child-windows.ts';
import type { Automation } from '../sources/uia-client.ts';
import { hasAutomation, messageText, patternText } from './text-attributes.ts';
import { comAnswer } from '../sources/boundary.ts';

/** The window around every view of the shell: in folder windows, Open and Save dialogs of any program, on the desktop. */
const VIEW_CLASS = 'SHELLDLL_DefView';
/** The cell of a file's type, in views with columns. Source: learn.microsoft.com/windows/win32/properties/props-system-itemtypetext */
const TYPE_CELL = 'System.ItemTypeText';
/** Views are a few windows below their top window. */
const MOST_LEVELS = 32;

function isInView(hwnd: number): boolean {
  for (let at = hwnd, level = 0; at !== 0 && level < MOST_LEVELS; at = parentOf(at), level += 1)
    if (classNameOf(at) === VIEW_CLASS) return true;
  return false;
}

/** Null: in a view that does not show it. Undefined: in none. */
function fileTypeOf({ hwnd, children }: Pick<TreeNode, 'hwnd' | 'children'>): string | null | undefined {
  if (!isInView(hwnd)) return undefined;
  const cell = children.find(({ automationId }) => automationId === TYPE_CELL);
  return cell === undefined ? null : (cell.value ?? cell.name);
}

const MOST_TEXTS = 40;
/** Share of an action's time for finding its element in long lists; the rest is for the action. */
const SEARCH_SHARE = 0.6;
/** A text within this many pixels of an element counts as near. */
const NEAR = 80;

const distinct = (texts: readonly string[]): string[] =>
  [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))].slice(0, MOST_TEXTS).map(cut);

/** The element's label, groups, containers, and nearby texts. */
function nearbyTexts(root: TreeNode, node: TreeNode): string[] {
  const index = indexOf(root);
  const centre = rectCentre(node.visible ?? node.rect);
  const around = grown(node.visible ?? node.rect, NEAR);
  const near = [
    ...index.groups.near({ ...centre, width: 0, height: 0 }).filter(({ rect }) => rectContains(rect, centre)),
    ...index.inView
      .near(around)
      .filter(({ controlType, visible }) => controlType === 'Text' && rectContains(around, rectCentre(visible!))),
  ].filter((other) => other !== node && other.name !== '' && !isInStatusBar(root, other));
  const containers = index
    .pathTo(node)
    .slice(1, -1)
    .map((other) => other.name);
  return distinct([node.label ?? '', ...containers, ...index.inOrder(near).map((other) => other.name)]);
}

/** Characters kept before the visible part: its start is given in the control's own count of line breaks. */
const BEFORE = 500;

/** The visible part of an edit control's text; for others the beginning, which is what was read. */
function shownPart(node: TreeNode, length: number, observed: Observed): string {
  const value = node.value ?? '';
  const isEdit = node.locator.kind === 'window' && (node.controlType === 'Edit' || node.controlType === 'Document');
  const line = isEdit ? firstLineInView(observed, node.hwnd) : null;
  const index = line === null ? null : startOfLine(observed, node.hwnd, line);
  if (line === null || index === null || index < 0) return value.slice(0, length);
  // A line break may count as one character there and two here.
  const from = Math.max(0, Math.min(index, value.length) - BEFORE);
  return value.slice(from, from + length + Math.min(line, length));
}

/** A longer text is a document's: what is typed into it makes no path and no formula of it. */
const LONGEST_HELD = 1000;

function heldBy(node: TreeNode | null): { readonly held?: string } {
  const held = node !== null && TEXT_FIELDS.has(node.controlType) ? valueOf(node) : '';
  return held === '' || held.length > LONGEST_HELD ? {} : { held };
}

/**
 * Whether a click puts the caret into a text of its own, judged by provider or class. A page shows text too but takes
 * no caret: it is a read-only document that may contain buttons.
 */
function takesCaret({ capabilities, controlType, states, locator, hwnd }: TreeNode, { windows }: Observed): boolean {
  const kind = locator.kind === 'window' ? windows.entries.get(hwnd)?.kind : undefined;
  return (
    kind === 'edit' ||
    kind === 'rich-edit' ||
    (capabilities.has('text') && !(controlType === 'Document' && states.has('readonly')))
  );
}

/**
 * Whether a control handles letters itself, so that its dialog does not match them against access keys.
 * Source: learn.microsoft.com/windows/win32/dlgbox/wm-getdlgcode
 */
function takesLetters(hwnd: number, { ask }: Observed): boolean {
  return hwnd !== 0 && ((ask(hwnd, WM_GETDLGCODE) ?? 0) & (DLGC_WANTCHARS | DLGC_WANTALLKEYS)) !== 0;
}

function inFrontOf(root: number): { dialogInFront?: DialogInFront } {
  const dialog = shownDialog(root);
  return dialog === null ? {} : { dialogInFront: dialog };
}

/** A disabled window takes neither keys nor the pointer, wherever in it they would go. */
function disabledBy(record: BindingRecord, node: TreeNode | null, target: TargetSpec): Partial<ElementContext> {
  const isInput = target.kind === 'focus' || target.kind === 'point';
  if (isInput && !user32.IsWindowEnabled(Number(record.hwnd)))
    return { isWindowDisabled: true, ...inFrontOf(Number(record.hwnd)) };
  return node?.states.has('disabled') === true ? inFrontOf(Number(record.hwnd)) : {};
}

/** The menu entries on the way and the wanted item inside an element; null where that cannot be known yet. */
type ItemReader = (located: Located, wanted: WantedItem) => Promise<ChosenItem[] | null>;

/** Whether a text field keeps what is typed, so that it presses nothing. An open menu would get it instead. */
function staysIn(hwnd: number, target: Extract<TargetSpec, { kind: 'focus' }>): boolean {
  const kind = kindOfWindow(hwnd);
  return target.staysInField === true && (kind === 'edit' || kind === 'rich-edit') && !isInMenu(threadOf(hwnd).thread);
}

/** What is around the place that input goes to; null where the whole window has to be read. */
function readAround(
  record: BindingRecord,
  target: Exclude<TargetSpec, { kind: 'element' }>,
  options: ReadOptions,
  keysTo: number,
): LiveElement | null {
  if (target.kind === 'window') return readLive(record, options, 'window', (root) => root);
  if (target.kind === 'point') return readLiveAt(record, target.at, options);
  if (target.kind === 'none') return null;
  const around: Around = staysIn(keysTo, target) ? 'place' : 'keys';
  return readLive(record, options, around, (root) => {
    const hwnd = keysTo || focusOf(threadOf(root.hwnd).thread);
    return nodeOfKeys(root, hwnd) ?? focusedNode(root) ?? root;
  });
}

interface ContextWishes {
  readonly call: CallContext;
  /** The window that keys would go to; 0 if unknown. */
  readonly keysTo?: number;
  /** Determines the wanted item inside the element. */
  readonly choose?: ItemReader;
}

/**
 * @param seen keeps the tree for later input to a point or to the focus
 * Errors: target_not_found, target_ambiguous, deadline_exceeded, element_stale, window_gone.
 */
export async function readContext(
  { refs, seen }: { readonly refs: RefBook; readonly seen: LastSeen },
  record: BindingRecord,
  target: TargetSpec,
  options: ReadOptions,
  { call, keysTo = 0, choose = async () => null }: ContextWishes,
): Promise<ElementContext> {
  const since = performance.now();
  const located =
    target.kind === 'element'
      ? await locateElement({ refs, options, call }, record, target, new Deadline(call).remaining() * SEARCH_SHARE)
      : null;
  const around = target.kind === 'element' ? located : readAround(record, target, options, keysTo);
  const observed = around?.observed ?? readPatiently(record, options);
  if (located === null) seen.keep(observed, since);
  const focused = focusedNode(observed.root);
  const defaultName = defaultButton(observed, focused)?.name ?? null;
  let node = located?.node ?? null;
  if (target.kind === 'focus') node = nodeOfKeys(observed.root, keysTo) ?? focused;
  if (target.kind === 'point') node = indexOf(observed.root).at(target.at);
  const address = browserAddress(observed.root);
  const fileType = node === null ? undefined : fileTypeOf(node);
  const context: ElementContext = {
    element: node === null ? null : elementInfo(refs, Number(observed.record.hwnd), node),
    ...(node === null || target.kind !== 'element' ? {} : { receiver: receiverOf(node) }),
    ...(node !== null && target.kind === 'point' && takesCaret(node, observed) ? { takesCaret: true } : {}),
    ...(node !== null && target.kind === 'focus' && takesLetters(keysTo, observed) ? { takesLetters: true } : {}),
    ...(fileType === undefined ? {} : { fileType }),
    ...heldBy(node),
    ...disabledBy(record, node, target),
    ...(observed.record.app.bundleId === record.app.bundleId ? {} : { otherApp: observed.record.app }),
    dialogTitle: cut(observed.root.name),
    dialogTexts: questionTexts(observed.root, observed.windows.entries.get(observed.root.hwnd)?.kind === 'dialog'),
    nearbyTexts: node === null ? [] : nearbyTexts(observed.root, node),
    screenTexts: screenTexts(observed.root, node, (of, length) => shownPart(of, length, observed)),
    address,
    document: documentOf(observed.root, node, address),
    defaultButtonName: defaultName,
    ...(reachMatters(target, node) ? keyReach(observed) : { reachable: [], reachesMore: true }),
    menu: menuState(observed, defaultName !== null),
  };
  // Last, since items found by a search are added to the tree.
  return located === null || target.kind !== 'element' || target.item === undefined
    ? context
    : { ...context, chosen: await choose(located, target.item) };
}

/** `https://example.com/a b` → its parts as a browser compares them; null for text that is not an address. */
function parse(text: string): URL | null {
  try {
    const url = new URL(text);
    return url.protocol === 'https:' || url.protocol === 'http:' || url.protocol === 'file:' ? url : null;
  } catch {
    return null;
  }
}

const withoutWww = (host: string): string => host.replace(/^www\./, '');
const path = (url: URL): string => `${decodeURI(url.pathname).replace(/\/$/, '')}${url.search}`;

/** Whether the text of an address bar (scheme and `www.` may be omitted) matches the address. */
export function barAgrees(address: URL, shown: string): boolean {
  const text = shown.trim();
  if (text === '' || /\s/.test(text)) return false;
  const bar = parse(text) ?? parse(`${address.protocol}//${text}`);
  if (bar === null || bar.protocol !== address.protocol) return false;
  return attempt(
    () =>
      withoutWww(bar.host) === withoutWww(address.host) &&
      path(bar) === path(address) &&
      bar.username === '' &&
      bar.password === '',
    false,
  );
}

/**
 * The outermost document's value if the address bar agrees. Null (address unknown) without such a document or address
 * bar, or where they disagree.
 */
export function browserAddress(root: TreeNode): string | null {
  const index = indexOf(root);
  const document = outermostDocument(index);
  const address = document === null || document.value === null ? null : parse(document.value);
  if (document === null || address === null) return null;
  const bars = index
    .list('bars')
    .filter((node) => node.value !== null && looksLikeAddress(node.value) && !index.pathTo(node).includes(document));
  return bars.length > 0 && bars.every((bar) => barAgrees(address, bar.value!)) ? address.href : null;
}

const isUrl = (text: string | null): boolean => text !== null && !/\s/.test(text) && URL.canParse(text);

/**
 * The document that contains an element. A frame is a document inside the page’s; parts of a page that are exposed as
 * documents have no address and count as their container. Known only where the page's address is.
 */
export function documentOf(root: TreeNode, node: TreeNode | null, page: string | null): ElementContext['document'] {
  const index = indexOf(root);
  const outermost = outermostDocument(index);
  const own =
    node === null
      ? undefined
      : index.pathTo(node).findLast((each) => each.controlType === 'Document' && isUrl(each.value));
  if (own === undefined || outermost === null) return { kind: 'none', address: null };
  if (own === outermost) return { kind: 'page', address: page };
  return { kind: 'frame', address: page === null ? null : (parse(own.value ?? '')?.href ?? null) };
}

const outermostDocument = (index: TreeIndex): TreeNode | null =>
  index.list('documents').find(({ value }) => value !== null && parse(value) !== null) ?? null;

function looksLikeAddress(text: string): boolean {
  const trimmed = text.trim();
  return (
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^\s/]+\.[^\s/]+|^localhost\b|^[a-z][a-z0-9+.-]*:/i.test(trimmed) &&
    !/\s/.test(trimmed)
  );
}

/** How much visible text is scanned for instructions, nearest to the target first. */
export const SCREEN_BUDGET = { texts: 300, characters: 20_000, ofOneText: 8000 } as const;

/** What is in view, nearest first; the target also where it is out of view. */
function* fromNearest(root: TreeNode, target: TreeNode | null, from: Rect): Generator<TreeNode> {
  if (target !== null && target.visible === null) yield target;
  yield* indexOf(root).inView.nearest(from);
}

/** No language has an instruction shorter than this. */
const SHORTEST = 5;

/**
 * Names, values and labels of everything visible, nearest to the target first, within the budget. `shownPart`: the part
 * to scan of a text too long to scan in full.
 */
export function screenTexts(
  root: TreeNode,
  target: TreeNode | null,
  shownPart: (node: TreeNode, length: number) => string,
): string[] {
  const centre = rectCentre(root.visible ?? root.rect);
  const from = target?.visible ?? target?.rect ?? { ...centre, width: 0, height: 0 };
  const found = new Set<string>();
  let left: number = SCREEN_BUDGET.characters;
  for (const node of fromNearest(root, target, from)) {
    const value = valueOf(node);
    const texts = [
      node.name,
      value.length > SCREEN_BUDGET.ofOneText ? shownPart(node, SCREEN_BUDGET.ofOneText) : value,
      isSecret(node) ? '' : (node.shown ?? ''),
      node.label ?? '',
    ];
    for (const text of texts) {
      const trimmed = text.trim().slice(0, Math.min(SCREEN_BUDGET.ofOneText, left));
      if (trimmed.length < SHORTEST || found.has(trimmed)) continue;
      found.add(trimmed);
      left -= trimmed.length;
      if (left < SHORTEST || found.size >= SCREEN_BUDGET.texts) return [...found];
    }
  }
  return [...found];
}

/** What UI Automation shows of it now; null where it has no element for it, or its provider fails. */
function automationFacts(automation: Automation, node: TreeNode, root: number, withText: boolean): SourceFacts | null {
  if (!hasAutomation(node)) return null;
  const { patterns } = automation.abilities;
  using element = automation.elementOf(node, root);
  if (element === null) return null;
  using request = automation.request([...propertiesOf(patterns), PropertyId.ClassName], false);
  using cached = automation.waitingAtMost(ASK_MS, () => element.BuildUpdatedCache(request));
  if (cached === null) return null;
  const above = { identity: '', hwnd: node.hwnd, controlType: null };
  const shown = nodeOf(cached, above, 0, patterns);
  const provider = patterns ? cachedOf(cached)(PropertyId.ProviderDescription) : null;
  const text = withText && patterns && !node.states.has('password') ? patternText(element) : null;
  return {
    source: 'uia',
    controlType: shown.controlType,
    name: shown.name,
    automationId: shown.automationId,
    className: shown.className,
    patterns: [...shown.capabilities].filter((each) => each !== 'default-action').sort(),
    ...(typeof provider === 'string' && provider !== '' ? { provider } : {}),
    ...(text === null ? {} : { text }),
  };
}

/** What its IAccessible says; null where it has none, or it fails. */
function accessibleFacts({ locator }: TreeNode): SourceFacts | null {
  if (locator.kind !== 'window' && locator.kind !== 'msaa') return null;
  using held = accessibleAt(locator.hwnd, locator.kind === 'msaa' ? locator.path : []);
  if (held === null) return null;
  const action = defaultActionOf(held.element);
  return { source: 'msaa', name: nameOf(held.element), ...(action === '' ? {} : { defaultAction: action }) };
}

/** What the system keeps for the window that it is. */
function windowFacts({ locator }: TreeNode): SourceFacts | null {
  if (locator.kind !== 'window') return null;
  const { hwnd } = locator;
  return {
    source: 'window',
    // Not what a field contains, which may be a password.
    name: keptText(kindOfWindow(hwnd), hwnd, windowStyle(hwnd)),
    automationId: String(controlId(hwnd)),
    className: classNameOf(hwnd),
  };
}

/** An item of a control, or the text of an edit control, by the control's messages. */
function messageFacts(node: TreeNode, read: ActionTools['read'], withText: boolean): SourceFacts | null {
  const { locator, controlType, name } = node;
  if (locator.kind === 'item') return { source: 'message', controlType, name };
  const text = withText ? messageText(node, read.remoteControlMemory) : null;
  return text === null ? null : { source: 'message', controlType, name, text };
}

/** A provider that does not answer in this time (ms) shows nothing. */
const ASK_MS = 1000;

/** Errors: element_stale, window_hung. */
export function factsOf(
  { refs, read }: ActionTools,
  record: BindingRecord,
  ref: string,
  withText: boolean,
): { sources: SourceFacts[]; path: string | null; value: string | null } {
  const { node, observed } = locateRef(refs, record, ref, read);
  const { automation } = read;
  const root = Number(observed.record.hwnd);
  const sources = [
    comAnswer(() => (automation === null ? null : automationFacts(automation, node, root, withText))),
    comAnswer(() => accessibleFacts(node)),
    windowFacts(node),
    messageFacts(node, read, withText),
  ].filter((each) => each !== null);
  const path = root === Number(record.hwnd) ? pathIn(readPatiently(record, read), node) : null;
  return { sources, path, value: node.states.has('password') ? null : node.value };
}

/** A path begins at the bound window, and its steps are counted: both need all of it. */
function pathIn({ root, partial }: Observed, { identity }: TreeNode): string | null {
  const node = partial ? undefined : pathTo(root, identity).at(-1);
  return node === undefined || node === root ? null : pathFor(root, node);
}
