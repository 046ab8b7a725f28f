/** Reads one window: every source in turn, by one table for every system, merged into one tree. */
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import { ITEMS } from '../../../contract/element/control-types.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import { liveWindow, windowGone, recordOf } from '../../windows/record.ts';
import { Asker } from '../../windows/ask.ts';
import { labelFields, TextWatch } from '../tree/labels.ts';
import type { Automation } from '../sources/uia-client.ts';
import { textBefore, windowText } from '../../windows/window-info.ts';
import { isJavaClass, isSystemClass, messagesNeed, type ControlKind } from '../../windows/classes.ts';
import { mergeAutomation, replaceChild, type OwnControl } from './merge.ts';
import { readAccessible, servesItself } from '../sources/accessible.ts';
import { readAutomation } from '../sources/automation.ts';
import { isNotable } from '../sources/boundary.ts';
import { clipContent, readChildWindows } from '../sources/child-windows.ts';
import type { WindowEntry, WindowTree } from '../../drivers/driver.ts';
import { comboParts } from '../../drivers/combo.ts';
import { cueOf, driverOf, readControl } from '../../drivers/index.ts';
import { RemoteBlocks } from '../tree/remote-memory.ts';
import { indexOf } from '../tree/tree-index.ts';
import { clipToAncestors, markCovered, walk, type TreeNode } from '../tree/tree.ts';
import { LiveElements } from '../sources/kept-elements.ts';
import type { LiveViews, WindowView } from './live-views.ts';
import { isDenied, isOutside } from '../../../contract/gate/app-match.ts';
import type { VisibleApplications } from '../../../desktop/call.ts';
import { describeWindow } from '../../windows/describe.ts';
import { popupsOf } from '../../windows/popups.ts';

/** Which popups are shown. */
export interface PopupRules {
  /** The host's own windows, and those of the program that started it, are never shown. */
  isForbidden(hwnd: number): boolean;
  /** Null: only popups of the bound application itself. */
  readonly applications: VisibleApplications | null;
}

/** At most this many are read: menus three levels deep over a dialog are five. */
const MOST_POPUPS = 8;

/**
 * A dialog of another program (a file picker) is shown unless the policy denies that program or the token is limited to
 * others; one with higher rights could not be acted on.
 */
export function popupRecords(bound: BindingRecord, rules: PopupRules | undefined): BindingRecord[] {
  if (rules === undefined) return [];
  const found: BindingRecord[] = [];
  for (const hwnd of popupsOf(Number(bound.hwnd))) {
    if (found.length >= MOST_POPUPS) break;
    if (rules.isForbidden(hwnd)) continue;
    const window = describeWindow(hwnd, () => false);
    if (window === null || window.process.isElevated) continue;
    const isOwnApplication =
      window.process.pid === bound.pid || (bound.app.bundleId !== '' && window.app.bundleId === bound.app.bundleId);
    const { applications } = rules;
    if (
      !isOwnApplication &&
      (applications === null ||
        window.app.bundleId === '' ||
        isDenied(window.app, applications.deny) ||
        isOutside(window.app, applications.only))
    )
      continue;
    found.push(recordOf(window));
  }
  return found;
}

export interface Observed {
  /** The window that was read: the bound one, or one of its popups. */
  readonly record: BindingRecord;
  readonly root: TreeNode;
  readonly windows: WindowTree;
  /** Something did not answer or time ran out. */
  readonly partial: boolean;
  /** One more message within the same budget. */
  ask(hwnd: number, message: number, wParam?: number): number | null;
  /** Whether the window's thread answers. */
  answers(hwnd: number): boolean;
}

export interface ReadOptions {
  readonly budgetMs: number;
  /** Policy: structured control messages may use memory in the target. */
  readonly remoteControlMemory: boolean;
  /** UI Automation; null where the system has none. */
  readonly automation: Automation | null;
  /** The last reading of each window. */
  readonly views: LiveViews;
  /** Which popups belong to the window; undefined: none are read. */
  readonly popups?: PopupRules;
  /** Only this window and the ones above it, to read one element again. */
  readonly only?: number;
  /** This child window and all below it, to read a part. Nothing of it is kept. */
  readonly below?: number;
  /** With `only`: rows of a long list are left out: the caller asks for those it needs. */
  readonly omitsRows?: boolean;
}

/** At most this many custom windows are asked for a provider or an IAccessible. */
const MAX_PROBED = 16;

/** Its items UI Automation may not expose. */
const hasItems = (kind: ControlKind): boolean => driverOf(kind)?.item !== undefined;

const isPart = (node: TreeNode): boolean => node.locator.kind !== 'window';

/** Whether a control's own messages add to what UI Automation gave. */
export function needsMessages(entry: WindowEntry, shown: TreeNode | undefined): boolean {
  if (shown === undefined) return true;
  if (hasItems(entry.kind)) return !shown.children.some(isPart);
  return (
    shown.value === null &&
    !shown.capabilities.has('value') &&
    !shown.capabilities.has('toggle') &&
    !shown.capabilities.has('selection-item')
  );
}

/**
 * Whether a control's own messages take the place of what UI Automation shows of it: a standard control, shown by the
 * system's own proxy. It remains where they need memory that may not be used, and for a check box drawn on a plain button.
 */
function describesItself({ kind, info, node }: WindowEntry, shown: TreeNode, remote: RemoteBlocks): boolean {
  const need = messagesNeed(kind);
  if (kind === 'button' && node.controlType === 'Button' && shown.controlType !== 'Button') return false;
  if (need === null || !(shown.isProxied ?? isSystemClass(info.className))) return false;
  return need === 'alone' || remote.for(info.hwnd) !== null;
}

/** What its program draws or keeps itself: lists without texts, and with check boxes that no message knows. */
function showsMore({ kind, node }: WindowEntry, shown: TreeNode): boolean {
  if (!hasItems(kind)) return false;
  const items = walk(shown).filter(({ controlType }) => ITEMS.has(controlType) || controlType === 'CheckBox');
  if (kind === 'list-box' && items.some(({ capabilities }) => capabilities.has('toggle'))) return true;
  return items.length > 0 && node.itemCount === null && !node.children.some(({ locator }) => locator.kind === 'item');
}

/**
 * A dialog is exposed under the window that owns it but is not one of its child windows: the whole dialog is read then.
 */
const isElsewhere = (root: number, hwnd: number): boolean =>
  hwnd !== root && user32.IsWindow(hwnd) && !user32.IsChild(root, hwnd);

/** Shared by all readers: a text on the desktop is the same for every reader. */
const watch = new TextWatch();

/** Records what a text is now, so that a text that keeps changing labels nothing. */
export const noteText = ({ identity, name }: TreeNode): boolean => watch.isLive(identity, name);

/**
 * UI Automation leaves a ComboBoxEx32 out and shows the combo box in it, which knows neither its texts nor its edit: that is
 * the one control that they are.
 */
function showExtended({ kind, info }: WindowEntry, shown: Map<number, TreeNode>): void {
  if (kind !== 'combo-box' || shown.size === 0 || shown.has(info.hwnd)) return;
  const inner = shown.get(comboParts(info.hwnd).combo);
  if (inner === undefined) return;
  [inner.locator, inner.hwnd] = [{ kind: 'window', hwnd: info.hwnd }, info.hwnd];
  shown.set(info.hwnd, inner);
}

/** Whether the last reading tells the state of a check box: one of the system reports each change, and is not asked then. */
function isKnown({ info, kind, node }: WindowEntry, kept: WindowView | null): boolean {
  const then = kept?.windows.entries.get(info.hwnd);
  if (kept === null || then === undefined || kind !== 'button' || !isSystemClass(info.className)) return false;
  const isReported = kept.changed.has(info.hwnd) || info.style !== then.info.style;
  if (isReported || indexOf(kept.root).parentOf(then.node) === null) return false;
  for (const state of ['checked', 'selected', 'mixed'] as const)
    if (then.node.states.has(state)) node.states.add(state);
  node.unread = then.node.unread;
  return true;
}

/** Errors: window_gone. */
export function readWindow(record: BindingRecord, given: ReadOptions): Observed {
  const top = liveWindow(record);
  const { only, omitsRows, ...everything } = given;
  const hwnd = given.below ?? top;
  const options: ReadOptions = only === undefined || isElsewhere(hwnd, only) ? everything : given;
  const asker = new Asker(options.budgetMs);
  using remote = new RemoteBlocks(options.remoteControlMemory);
  const begun = options.only === undefined && hwnd === top ? options.views.begin(record) : null;
  using live = new LiveElements(options.automation?.readings ?? new Set());
  const last = begun === null ? null : options.views.windows(record);
  const kept = begun === null ? null : options.views.view(record);
  const windows = readChildWindows(hwnd, asker, options.only ?? null, last, hwnd === top);
  if (windows === null) throw windowGone(record);
  const from = options.only ?? hwnd;
  const automation =
    windows.entries.has(from) && asker.answers(from)
      ? readFromTop(windows, from, options.automation, asker, live)
      : null;
  const shown = new Map<number, TreeNode>();
  for (const node of automation === null ? [] : walk(automation))
    if (node.locator.kind === 'window') shown.set(node.locator.hwnd, node);
  const context = { asker, remote, windows, omitsRows: options === given ? omitsRows : undefined };
  const entries = [...windows.entries.values()];
  for (const entry of entries) showExtended(entry, shown);
  const hasPatterns = options.automation?.abilities.patterns === true;
  const own = new Map<number, OwnControl>();
  for (const entry of entries) {
    const isMeant = options.only === undefined || entry.info.hwnd === options.only;
    if (!isMeant || !sourcesOf(entry, hasPatterns).includes('messages')) continue;
    const same = shown.get(entry.info.hwnd);
    const isOwn = same !== undefined && describesItself(entry, same, remote);
    // UI Automation may show the rows of a list view that are in view only: its message says how many there are.
    const isCounted = entry.kind === 'list-view' && same?.isProxied === true;
    if ((isOwn || isCounted || needsMessages(entry, same)) && !isKnown(entry, kept)) readControl(entry, context);
    const isServed = same?.isProxied === true && (isOwn || entry.node.unread !== null) && servesItself(entry, asker);
    if (isServed) same.isProxied = false;
    // A source once chosen stays, also where time ran out: each source has identities of its own.
    if (isOwn && (asker.isPartial || !showsMore(entry, same)))
      own.set(entry.info.hwnd, { found: [textBefore(entry.info.hwnd), windowText(entry.info.hwnd)], isServed });
  }
  for (const entry of entries) if (automation !== null || entry.node.children.length > 0) clipContent(entry);
  const whole = automation === null ? windows.root : graft(windows.root, windows, from, automation, own);
  const root = readOwnTrees(whole, { windows, from, isShown: automation !== null }, options, asker, live);
  labelFields(root, scaleOf(hwnd), noteText, ({ hwnd: field }) => {
    const entry = windows.entries.get(field);
    return entry === undefined ? null : cueOf(entry, context);
  });
  clipToAncestors(root);
  markCovered(root);
  const observed: Observed = {
    record,
    root,
    windows,
    partial: asker.isPartial,
    ask: (window, message, wParam) => asker.ask(window, message, wParam),
    answers: (window) => asker.answers(window),
  };
  if (begun !== null) options.views.keep(record, begun, observed, live);
  return observed;
}

/**
 * A second reading needs the time of the first and as much again: a slow program (rather than a stopped one) would
 * yield less the second time.
 */
const AGAIN = 2;

/**
 * The same, but if something did not answer it is read once more in the remaining budget: a program that paused for a
 * moment answers then, and its element would otherwise be missed or mistaken for its bare window. Errors: window_gone.
 */
export function readPatiently(record: BindingRecord, options: ReadOptions): Observed {
  const since = performance.now();
  const first = readWindow(record, options);
  const tookMs = performance.now() - since;
  const leftMs = options.budgetMs - tookMs;
  return first.partial && leftMs > tookMs * AGAIN ? readWindow(record, { ...options, budgetMs: leftMs }) : first;
}

function windowsOf(root: TreeNode): ReadonlySet<number> {
  const windows = new Set<number>();
  for (const { locator } of walk(root)) if (locator.kind === 'window') windows.add(locator.hwnd);
  return windows;
}

/**
 * The popups of a window, each read like a window of its own. Popups that UI Automation shows in the window's own tree
 * are left out.
 */
export function readPopups(record: BindingRecord, shown: Observed, options: ReadOptions): Observed[] {
  const end = performance.now() + options.budgetMs;
  const { only: _only, popups, ...whole } = options;
  const found = popupRecords(record, popups);
  const inTree = found.length === 0 ? new Set<number>() : windowsOf(shown.root);
  const wanted = found.filter(({ hwnd }) => !inTree.has(Number(hwnd)));
  return wanted.flatMap((popup, at) => {
    // An equal share for each that remains.
    const budgetMs = Math.max(1, (end - performance.now()) / (wanted.length - at));
    try {
      return [{ ...readWindow(popup, { ...whole, budgetMs }) }];
    } catch (error) {
      // Menus come and go while they are read.
      if (error instanceof UiaHostError && error.code === 'window_gone') return [];
      throw error;
    }
  });
}

/** The whole tree by UI Automation, unless another source comes before it and says something. */
function readFromTop(
  windows: WindowTree,
  from: number,
  automation: Automation | null,
  asker: Asker,
  live: LiveElements,
): TreeNode | null {
  const entry = windows.entries.get(from)!;
  if (automation === null) return null;
  for (const source of sourcesOf(entry, automation.abilities.patterns)) {
    if (source === 'accessible' && adoptAccessible(entry, asker)) return null;
    if (source === 'automation') return readAutomation(automation, from, asker, live);
  }
  return null;
}

/** False if its IAccessible is empty. */
function adoptAccessible(entry: WindowEntry, asker: Asker): boolean {
  const { node } = entry;
  const children = readAccessible(node.hwnd, asker);
  node.children.push(...children);
  if (children.length > 0) clipContent(entry);
  if (children.length > 0 && node.controlType === 'Custom') node.controlType = 'Pane';
  return children.length > 0;
}

/** Replaces a window's node with its UI Automation tree. Returns the whole tree. */
function graft(
  root: TreeNode,
  windows: WindowTree,
  hwnd: number,
  automation: TreeNode,
  own?: Parameters<typeof mergeAutomation>[2],
): TreeNode {
  const entry = windows.entries.get(hwnd)!;
  clipContent(entry);
  const old = entry.node;
  const merged = mergeAutomation(automation, old, own);
  if (old === root) return merged;
  replaceChild(root, old, merged);
  return root;
}

function markUnread({ node }: WindowEntry, asker: Asker): void {
  node.isCut = true;
  asker.cut();
}

/** The windows of a reading, where it began, and whether UI Automation showed that window's tree. */
interface Begun {
  readonly windows: WindowTree;
  readonly from: number;
  readonly isShown: boolean;
}

/**
 * Custom windows that the tree does not show yet: each may serve its own through UI Automation or IAccessible. Where
 * UI Automation showed the rest, it left these out, and a window that is large enough to hold something and cannot be asked is
 * marked. Returns the whole tree.
 */
function readOwnTrees(
  whole: TreeNode,
  { windows, from, isShown }: Begun,
  { automation, only }: ReadOptions,
  asker: Asker,
  live: LiveElements,
): TreeNode {
  let root = whole;
  let probed = 0;
  let inTree: ReadonlySet<TreeNode> | null = null;
  for (const entry of windows.entries.values()) {
    const { hwnd } = entry.info;
    const isMeant = isShown
      ? only === undefined && mayHold(entry) && (inTree ??= new Set(walk(root))).has(entry.node)
      : isOwnTree(entry) && (only === undefined || hwnd === from);
    if (!isMeant) continue;
    if (probed >= MAX_PROBED || asker.isOver || !asker.answers(hwnd)) {
      if (isShown) markUnread(entry, asker);
      continue;
    }
    probed++;
    const hasPatterns = automation?.abilities.patterns === true;
    const wasAsked = hwnd === from && automation !== null;
    let isRead = false;
    for (const source of sourcesOf(entry, hasPatterns)) {
      // Without patterns MSAA came first there, too.
      if (source === 'accessible' && !(wasAsked && !hasPatterns) && adoptAccessible(entry, asker)) {
        isRead = true;
        break;
      }
      const tree =
        source === 'automation' && !wasAsked && automation !== null
          ? readAutomation(automation, hwnd, asker, live)
          : null;
      if (tree === null) continue;
      root = graft(root, windows, hwnd, tree);
      [inTree, isRead] = [null, true];
      break;
    }
    // Where UI Automation has patterns, it has an element for each window that it can ask.
    if (isShown && hasPatterns && !isRead) markUnread(entry, asker);
  }
  return root;
}

/** 1 at 96 DPI. */
export function scaleOf(hwnd: number): number {
  // 0 for a window that is gone.
  return (user32.GetDpiForWindow(hwnd) || 96) / 96;
}

type Source = 'automation' | 'accessible' | 'messages';

/**
 * `standard`: a control that the system knows. `own`: a custom window without child windows, which only its program can
 * describe. `frame`: a custom window or dialog with child windows.
 */
type Sort = 'standard' | 'own' | 'frame';

/** Windows of Java: UI Automation shows their frames alone. */
const BY_BRIDGE: readonly Source[] = ['accessible', 'automation', 'messages'];

interface Order {
  /** Where UI Automation has patterns. */
  readonly full: readonly Source[];
  /** Where it has none, a program's own IAccessible offers more, and of a standard control it shows nothing. */
  readonly bare: readonly Source[];
}

const ORDER: Readonly<Record<Sort, Order>> = {
  standard: { full: ['automation', 'messages'], bare: ['messages'] },
  own: { full: ['automation', 'accessible', 'messages'], bare: ['accessible', 'automation', 'messages'] },
  frame: { full: ['automation', 'messages'], bare: ['automation', 'messages'] },
};

function sortOf({ kind, node }: Pick<WindowEntry, 'kind' | 'node'>): Sort {
  if (kind !== 'other' && kind !== 'dialog') return 'standard';
  return node.children.length === 0 ? 'own' : 'frame';
}

/** A custom window without child windows. */
const isOwnTree = (entry: Pick<WindowEntry, 'kind' | 'node'>): boolean => sortOf(entry) === 'own';

/** A window of a program's own class that is large enough to show something of its own. */
const mayHold = (entry: WindowEntry): boolean => entry.kind === 'other' && isNotable(entry.info.rect);

/** @param hasPatterns whether UI Automation has patterns here */
const sourcesOf = (entry: Pick<WindowEntry, 'kind' | 'node'>, hasPatterns: boolean): readonly Source[] =>
  isJavaClass(entry.node.className) ? BY_BRIDGE : ORDER[sortOf(entry)][hasPatterns ? 'full' : 'bare'];
