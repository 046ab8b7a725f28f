/** The target of an action, checked before anything is sent. */
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import { type ElementState, ITEMS } from '../../../contract/element/control-types.ts';
import type { ElementInfo, Receiver } from '../../../contract/element/element.ts';
import type { PermittedPlace } from '../../../contract/gate/exit.ts';
import { disabledTarget, type DialogInFront } from '../../../contract/element/element-words.ts';
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { GW_ENABLEDPOPUP, DC_HASDEFID, DM_GETDEFID } from '../../../../native-bindings/win32/constants.ts';
import { taken, Deadline, throwIfAborted, ANSWER_RESERVE_MS, pause } from '../../windows/waiting.ts';
import { locateRef, refOf, type Located } from './locate.ts';
import type { ReadOptions, Observed } from '../reading/observe.ts';
import type { RefBook } from './refs.ts';
import { readValue } from '../sources/patterns.ts';
import { pathTo, type TreeNode, describeNode, nodeAt } from '../tree/tree.ts';
import { comparedBy } from '../../exits/leaving.ts';
import { cameWith, applicationWindows, isDialogLike, isMainWindow } from '../../windows/popups.ts';
import { kindOfWindow, windowText, ownerOf, rootOf, threadOf, readWindowInfo } from '../../windows/window-info.ts';
import { isHidden } from '../../windows/record.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import { quoted } from '../../../contract/json/quoted.ts';
import type { CallContext } from '../../../desktop/index.ts';
import { waysFor, type Verb } from '../../../contract/ways/ways.ts';
import { toolkitOf } from '../../windows/toolkit.ts';
import { comboParts } from '../../drivers/combo.ts';
import { driverOf } from '../../drivers/index.ts';
import type { Way } from '../../drivers/driver.ts';
import type { Point } from '../../../contract/element/geometry.ts';
import { DRAWN, FIELDS, indexOf } from '../tree/tree-index.ts';

export type JudgedElement = Pick<ElementInfo, 'identity' | 'controlType' | 'name' | 'automationId'>;

/**
 * The same element with the same content: a page can change a button's meaning without replacing it. A window's title
 * may change freely.
 */
export function isSameElement(judged: JudgedElement | null, now: TreeNode | null): boolean {
  if (judged === null || now === null) return judged === now;
  return (
    now.identity === judged.identity &&
    now.controlType === judged.controlType &&
    now.automationId === judged.automationId &&
    (now.name === judged.name || now.controlType === 'Window')
  );
}

/** Reads a window; `part`: only the window that receives the message and the ones above it, which is faster. */
export interface Reading {
  readonly root: TreeNode;
  readonly partial: boolean;
}

/** The judged element is at the point; an element that the caller named may contain what is at the point. */
function isThere(judged: JudgedElement | null, isNamed: boolean, root: TreeNode, at: Point): boolean {
  const hit = nodeAt(root, at);
  if (!isNamed || judged === null || hit === null) return isSameElement(judged, hit);
  return pathTo(root, hit.identity).some((node) => isSameElement(judged, node));
}

/**
 * A description of what is there instead; null if unchanged. Where the partial reading does not contain the judged
 * element, as with a text that lets clicks through, the whole window is read.
 */
export function changedAt(
  at: Point,
  judged: JudgedElement | null,
  read: (scope: 'part' | 'all') => Reading,
  isNamed = false,
): string | null {
  const part = read('part');
  if (judged !== null && !part.partial && isThere(judged, isNamed, part.root, at)) return null;
  const all = read('all');
  const now = nodeAt(all.root, at);
  if (isThere(judged, isNamed, all.root, at)) return null;
  if (all.partial) return 'something that did not answer in time';
  return now === null ? 'no identifiable element' : describeNode(now);
}

/** What an action needs in addition to the window. */
export interface ActionTools {
  readonly refs: RefBook;
  readonly read: ReadOptions;
  readonly pending: PendingCalls;
  /**
   * Announces that this child of a bound window is about to be clicked or typed into: its document is activated and the
   * keyboard topic remembers it. Called before anything is read, since a title may change by it. Returns a function
   * that undoes it, where nothing was sent.
   */
  focused(bound: number, child: number): () => void;
}

export interface ElementTarget {
  readonly tools: ActionTools;
  /** The window with the element: the bound one, or one of its popups. */
  readonly record: BindingRecord;
  readonly root: number;
  readonly ref: string;
  readonly located: Located;
  readonly node: TreeNode;
  /** How it was described when it was last read with its surroundings. */
  readonly description: string;
  readonly call: CallContext;
  readonly deadline: Deadline;
}

/** Extra wait (ms) for a program that answered a moment ago and stopped responding. */
const PATIENCE_MS = 2000;
/** Part of the deadline (ms) reserved for the action itself. */
const ACTION_RESERVE_MS = 2500;

/** The modal dialog that keeps `root` disabled; 0 when there is none. */
function dialogInFront(root: number): number {
  if (user32.IsWindowEnabled(root)) return 0;
  const popup = user32.GetWindow(root, GW_ENABLEDPOPUP);
  if (popup !== 0 && popup !== root && user32.IsWindowVisible(popup)) return popup;
  const others = applicationWindows(root).filter((hwnd) => hwnd !== root && user32.IsWindowEnabled(hwnd));
  return (
    others.find((hwnd) => ownerOf(hwnd) === root || cameWith(hwnd, root)) ??
    others.find((hwnd) => isStrayDialog(hwnd, threadOf(root).thread)) ??
    0
  );
}

/** A dialog whose owner is hidden or missing: its program disabled the window by itself. */
function isStrayDialog(hwnd: number, thread: number): boolean {
  const owner = ownerOf(hwnd);
  if (owner !== 0 && user32.IsWindowVisible(owner)) return false;
  return threadOf(hwnd).thread === thread && isDialogLike(hwnd) && !isMainWindow(hwnd);
}

/** Names the dialog in front of a window, or a dialog that came since now and may keep its program, whatever its owner. */
export function dialogsSince(
  root: number,
): () => { readonly dialog: DialogInFront; readonly isInFront: boolean } | null {
  const known = new Set(applicationWindows(root));
  return () => {
    const inFront = dialogInFront(root);
    const dialog =
      inFront !== 0
        ? inFront
        : (applicationWindows(root).find(
            (hwnd) => !known.has(hwnd) && isDialogLike(hwnd) && threadOf(hwnd).thread === threadOf(root).thread,
          ) ?? 0);
    return dialog === 0 ? null : { dialog: asDialog(dialog), isInFront: inFront !== 0 };
  };
}

const asDialog = (hwnd: number): DialogInFront => ({ hwnd: String(hwnd), title: windowText(hwnd) });

/** Errors: element_stale, window_gone, window_hung, cancelled. */
export async function targetOf(
  tools: ActionTools,
  record: BindingRecord,
  ref: string,
  call: CallContext,
): Promise<ElementTarget> {
  throwIfAborted(call);
  const deadline = new Deadline(call);
  const look = (): Omit<ElementTarget, 'tools' | 'call' | 'deadline'> => {
    const located = locateRef(tools.refs, record, ref, tools.read);
    const description = tools.refs.entry(ref)?.description ?? describeNode(located.node);
    if (!located.observed.answers(located.node.hwnd)) {
      throw new UiaHostError('window_hung', `The program of ${description} does not respond. Nothing was sent.`);
    }
    const { record: around } = located.observed;
    return { record: around, root: Number(around.hwnd), ref, located, node: located.node, description };
  };
  const target = { tools, call, deadline, ...(await onceItAnswers(Number(record.hwnd), look, deadline)) };
  const judged = judgedAs(ref, call);
  if (judged !== null) comparedBy(() => insteadOf(target, judged));
  return target;
}

/** The permitted element with this ref: the target, or the start of a drag. */
function judgedAs(ref: string, { permit }: CallContext): ElementInfo | null {
  return [permit?.target.element, permit?.start?.element].find((element) => element?.ref === ref) ?? null;
}

/** States that decide what a press or a text does. */
const COMPARED: readonly ElementState[] = ['checked', 'mixed', 'password'];

/**
 * What is there now instead of the judged element, read directly before something is sent to it: another label, role or
 * state, another question of its dialog, another page. Null if nothing changed. Errors: element_stale, window_hung.
 */
function insteadOf({ tools, record, ref, call }: ElementTarget, judged: ElementInfo): string | null {
  const { target } = call.permit!;
  const looks = ['branch', 'tree'] as const;
  let instead: string | null = null;
  // Where a part of the window gives another answer, as for a label that lies next to it, the whole is read.
  for (const scope of looks) {
    const { node, observed } = locateRef(tools.refs, record, ref, tools.read, scope);
    const state = COMPARED.find((each) => node.states.has(each) !== judged.states.includes(each));
    const { root } = observed;
    const grounds = groundsInstead(observed, target);
    const page = (target.address ?? null) === null ? null : addressAround(tools, root, node);
    if (!isSameElement(judged, node)) instead = `${describeNode(judged)} is now ${describeNode(node)}`;
    else if (state !== undefined)
      instead = `${describeNode(judged)} is now ${node.states.has(state) ? state : `not ${state}`}`;
    else if (grounds !== null) instead = grounds;
    else if (page !== null && page !== target.address) instead = `the page is now ${quoted(page)}`;
    else return null;
  }
  return instead;
}

/**
 * The page or question around the judged element instead of the judged one, for points and keys; null if it is the same, or
 * none was judged. Errors: element_stale, window_hung.
 */
export function pageInstead(
  tools: Pick<ActionTools, 'refs' | 'read'>,
  record: BindingRecord,
  judged: PermittedPlace,
): string | null {
  const { element, address = null } = judged;
  const isDialog = kindOfWindow(Number(record.hwnd)) === 'dialog';
  if (element === null || (address === null && !isDialog)) return null;
  const { node, observed } = locateRef(tools.refs, record, element.ref, tools.read, 'branch');
  const page = address === null ? null : addressAround(tools, observed.root, node);
  if (page !== null && page !== address) return `the page is now ${quoted(page)}`;
  // What is not in the branch may be in the rest of the dialog.
  return groundsInstead(observed, judged) === null
    ? null
    : groundsInstead(locateRef(tools.refs, record, element.ref, tools.read, 'tree').observed, judged);
}

/** The address of the page around an element, asked of the page itself; null where there is none. */
function addressAround(
  { read: { automation } }: Pick<ActionTools, 'read'>,
  root: TreeNode,
  node: TreeNode,
): string | null {
  const page = pathTo(root, node.identity).find(
    ({ controlType, value }) => controlType === 'Document' && value !== null && URL.canParse(value),
  );
  if (page === undefined) return null;
  using element = automation?.elementOf(page, root.hwnd) ?? null;
  const shown = (element === null ? page.value : readValue(element)) ?? '';
  return URL.canParse(shown) ? new URL(shown).href : null;
}

/** The same for an element that was located already. */
export function targetAt(tools: ActionTools, located: Located, call: CallContext): ElementTarget {
  const {
    node,
    observed: { record },
  } = located;
  const root = Number(record.hwnd);
  return {
    tools,
    record,
    root,
    ref: refOf(tools.refs, root, node),
    located,
    node,
    description: describeNode(node),
    call,
    deadline: new Deadline(call),
  };
}

/** Reads; if the program stopped responding meanwhile, waits for it and reads once more. */
async function onceItAnswers<T>(hwnd: number, look: () => T, deadline: Deadline): Promise<T> {
  const { call } = deadline;
  try {
    return look();
  } catch (error) {
    if (
      !(error instanceof UiaHostError) ||
      error.code !== 'window_hung' ||
      !(await taken(hwnd, 0, deadline.share(PATIENCE_MS, ACTION_RESERVE_MS), call))
    )
      throw error;
  }
  throwIfAborted(call);
  return look();
}

/**
 * The target's UI Automation element, which the caller disposes of. Null where it has none or none with patterns.
 * Errors: element_stale, window_hung where it does not answer.
 */
export function elementOf({ node, tools, description, root }: ElementTarget): IUIAutomationElement | null {
  const { automation } = tools.read;
  if (automation === null || node.source !== 'uia' || node.capabilities.size === 0) return null;
  if (node.locator.kind === 'uia' && node.locator.isShared === true)
    throw new UiaHostError(
      'target_ambiguous',
      `The program gives ${description} the RuntimeId of another element, so it is unclear which one an action would reach. Nothing was sent.`,
      { hint: 'Use a point of its rectangle instead (click), or its keys.' },
    );
  const element = automation.elementOf(node, root);
  if (element === null) throw new UiaHostError('element_stale', `${description} is gone.`);
  return element;
}

/** The same as plain data; null when there is none. */
export function shownDialog(root: number): DialogInFront | null {
  const dialog = dialogInFront(root);
  return dialog === 0 ? null : asDialog(dialog);
}

/** A person cannot use what is not on the screen. Errors: state_conflict. */
export function requireShown(root: number): void {
  if (isHidden(root))
    throw new UiaHostError(
      'state_conflict',
      `The window ${quoted(windowText(root))} is hidden: its program took it off the screen. Nothing was sent.`,
      { hint: 'Use what its program shows instead; manage-window restore shows the window.' },
    );
}

/**
 * A window that is disabled gets no input from a person, at whatever point and by whatever key, though it takes posted
 * messages. Errors: those of `requireShown`; target_disabled, which names the modal dialog in front of it where there is one.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-enablewindow
 */
export function requireEnabledWindow(hwnd: number): void {
  const root = rootOf(hwnd);
  requireShown(root);
  if (root !== 0 && !user32.IsWindowEnabled(root))
    throw disabledTarget(`Window ${quoted(windowText(root))}`, shownDialog(root));
}

/** Errors: those of `requireShown`; target_disabled, which names the modal dialog in front of the element where there is one. */
export function requireEnabled({ node, root, description }: ElementTarget): void {
  requireShown(root);
  if (node.states.has('disabled')) throw disabledTarget(description, shownDialog(root));
}

/**
 * After a field was told that it is left: its program may ask about the text. Errors: target_disabled
 * where a modal dialog is in front of the element's window now.
 */
export function requireNoDialog({ root, description }: ElementTarget): void {
  const dialog = shownDialog(root);
  if (dialog === null) return;
  throw new UiaHostError(
    'target_disabled',
    `${description} was not pressed: its program heard that the field before it was left, and shows the dialog ${quoted(dialog.title)} (${dialog.hwnd}).`,
    {
      delivery: 'not_delivered',
      hint: `Bind the dialog ${dialog.hwnd} and answer it, then press again.`,
      candidates: [{ hwnd: dialog.hwnd, title: dialog.title }],
    },
  );
}

/** How often (ms) a pending call is checked for a dialog. */
const DIALOG_POLL_MS = 10;

export type Ended =
  | { readonly kind: 'returned'; readonly hresult: number }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'pending' };

/**
 * Calls into a program that may not return while it shows a modal dialog. They run on another thread, one at a time per
 * window, and the action that started one answers without waiting for it to finish.
 */
export class PendingCalls {
  readonly #running = new Map<number, string>();

  /** Errors: state_conflict while an earlier call of this window has not returned. */
  require(root: number, description: string): void {
    const running = this.#running.get(root);
    if (running === undefined) return;
    throw new UiaHostError(
      'state_conflict',
      `${description} was not used: the program has not returned from ${quoted(running)} yet. It may have a dialog open.`,
      {
        hint: 'Answer the dialog first; list-visible-windows shows it.',
      },
    );
  }

  /**
   * Waits until the call ends, until something shows that it will not (a dialog), or until the deadline.
   * @param isEnough polled; true stops the wait
   */
  async run(
    { root, description }: { readonly root: number; readonly description: string },
    started: Promise<number>,
    isEnough: () => boolean,
    deadline: Deadline,
  ): Promise<Ended> {
    this.#running.set(root, description);
    const done = started
      .then((hresult): Ended => ({ kind: 'returned', hresult }))
      .catch((error: unknown): Ended => ({ kind: 'failed', error }))
      .finally(() => this.#running.delete(root));
    let ended: Ended | void = undefined;
    while (ended === undefined && deadline.remaining(ANSWER_RESERVE_MS) > 0 && !isEnough())
      ended = await Promise.race([done, pause(DIALOG_POLL_MS, deadline.call, 'unknown')]);
    return ended ?? { kind: 'pending' };
  }
}

function takesOf({ locator, capabilities, hwnd, source }: TreeNode): Receiver['takes'] {
  const isAutomation = source === 'uia' && capabilities.size > 0;
  if (locator.kind === 'msaa' || (isAutomation && (capabilities.has('value') || capabilities.has('range-value'))))
    return 'value';
  const info = locator.kind === 'window' ? readWindowInfo(hwnd) : null;
  if (info === null) return isAutomation ? 'value' : 'none';
  const kind = kindOfWindow(info.hwnd, info.className);
  if (kind === 'edit' || kind === 'rich-edit') return 'edit';
  if (kind === 'combo-box') return comboParts(info.hwnd).edit === 0 ? 'none' : 'edit';
  if (kind === 'other') return 'custom';
  // A number as its position, a date or an address.
  if (driverOf(kind)?.fill !== undefined) return 'position';
  // Other standard controls hold no text, or text that is not typed: characters would choose among their items.
  return kind === 'dialog' ? 'characters' : 'none';
}

export function receiverOf(node: TreeNode): Receiver {
  const { locator, capabilities, controlType, source } = node;
  const isAccessible = locator.kind === 'msaa';
  const isItem = ITEMS.has(controlType) || (isAccessible && capabilities.has('selection-item'));
  return {
    family: isAccessible ? 'accessible' : source === 'uia' && capabilities.size > 0 ? 'automation' : 'control',
    part: locator.kind === 'item' && locator.item === 'tab-item' ? 'tab' : isItem ? 'item' : 'plain',
    takes: takesOf(node),
    toolkit: toolkitOf(node.hwnd),
  };
}

/** The ways of a verb for this element, in the order of the table; a way that nothing makes is a mistake of the program. */
export const waysOfElement = <T>(
  verb: Verb,
  node: TreeNode,
  isReal: boolean,
  ways: Readonly<Record<string, Way<T>>>,
): ReadonlyArray<Way<T>> =>
  waysFor(verb, receiverOf(node), isReal).map(({ id }) => {
    const way = ways[id];
    if (way === undefined) throw new RangeError(`The way ${id} of ${verb} is not made.`);
    return way;
  });

/**
 * The button that Enter presses while the focus is on `focus`: the focused button itself, else the default button of the
 * dialog. Source: learn.microsoft.com/windows/win32/dlgbox/dlgbox-programming-considerations
 */
export function defaultButton({ root, windows, ask }: Observed, focus: TreeNode | null): TreeNode | null {
  if (focus !== null && (focus.controlType === 'Button' || focus.controlType === 'SplitButton')) return focus;
  const marked = indexOf(root)
    .list('default')
    .find((node) => !node.states.has('disabled') && node.visible !== null);
  if (marked !== undefined) return marked;
  const dialog = windows.entries.get(root.hwnd);
  if (dialog?.kind !== 'dialog') return null;
  const answer = ask(root.hwnd, DM_GETDEFID);
  if (answer === null || answer >>> 16 !== DC_HASDEFID) return null;
  return windows.entries.get(user32.GetDlgItem(root.hwnd, answer & 0xffff))?.node ?? null;
}

/** The focused element; where Windows does not report it, the only text field. */
export function focusedNode(root: TreeNode): TreeNode | null {
  const index = indexOf(root);
  const focused = index.list('focused').at(-1);
  if (focused !== undefined) return focused;
  const fields = index.list('fields');
  return fields.length === 1 ? fields[0]! : null;
}

/** Longer texts are cut. */
const TEXT_LENGTH = 500;

export const cut = (text: string): string => text.slice(0, TEXT_LENGTH);

const MAX_QUESTIONS = 40;
/** A field with more text than this is a document, not a question. */
const LONGEST_QUESTION = 1000;

export const isSecret = (node: TreeNode): boolean => node.states.has('password');
export const valueOf = (node: TreeNode): string => (isSecret(node) ? '' : (node.value ?? ''));

/** What a person reads in an element before deciding; empty if there is nothing to read. */
function questionOf(node: TreeNode, isDialog: boolean): string[] {
  if (node.controlType === 'Text') return [node.name, valueOf(node)];
  if (FIELDS.has(node.controlType)) {
    const value = valueOf(node);
    // A console or an editor changes as it runs; a question in a read-only field does not.
    const isStatic =
      node.states.has('readonly') &&
      value.length <= LONGEST_QUESTION &&
      (node.capabilities.has('value') || !node.capabilities.has('text'));
    const asks = isDialog || value.includes('?') || value.includes('？');
    return [...(isStatic && asks ? [value] : []), ...(node.controlType === 'Document' && isDialog ? [node.name] : [])];
  }
  return node.source === 'msaa' && DRAWN.has(node.controlType) && !node.capabilities.has('default-action')
    ? [node.name, valueOf(node)]
    : [];
}

/** What tells of the window as a whole, such as the name of its page: nothing that is asked. */
export const isInStatusBar = (root: TreeNode, node: TreeNode): boolean =>
  indexOf(root).list('statusBars').length > 0 &&
  indexOf(root)
    .pathTo(node)
    .some(({ controlType }) => controlType === 'StatusBar');

/**
 * What a window asks, wherever its text is: static text, read-only field, document, task dialog, drawn text from MSAA; not its
 * status bar. `isDialog`: it is one of the system's dialogs.
 */
export function questionTexts(root: TreeNode, isDialog: boolean): string[] {
  const texts = new Set<string>();
  for (const node of indexOf(root).list('questions')) {
    if (node === root || isInStatusBar(root, node)) continue;
    for (const text of questionOf(node, isDialog)) {
      const trimmed = text.trim();
      if (trimmed !== '') texts.add(trimmed);
      if (texts.size >= MAX_QUESTIONS) return questions(texts);
    }
  }
  return questions(texts);
}

const questions = (texts: ReadonlySet<string>): string[] => [...texts].map(cut);

/** What differs now from what the judged dialog asked, or Enter presses there; null where nothing does, and outside dialogs. */
function groundsInstead(observed: Observed, judged: PermittedPlace): string | null {
  const { root, windows } = observed;
  if (windows.entries.get(root.hwnd)?.kind !== 'dialog') return null;
  const { dialogTitle, question = [], defaultButton: then } = judged;
  if (dialogTitle !== undefined && cut(root.name) !== dialogTitle)
    return `the dialog ${quoted(dialogTitle)} is now ${quoted(root.name)}`;
  const asks = questionTexts(root, true);
  const gone = question.find((text) => !asks.includes(text));
  if (gone !== undefined) return `the dialog no longer asks ${quoted(gone)}, but ${quoted(asks.join(' '), 200)}`;
  // A click moves the focus, and with it the button that Enter would press.
  if (judged.keysTo === undefined || then === undefined) return null;
  const now = defaultButton(observed, focusedNode(root))?.name ?? null;
  return now === then ? null : `Enter presses ${quoted(now ?? '')} now`;
}
