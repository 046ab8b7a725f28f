/** What an action changed, observed from outside. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { EffectSeen, Evidence } from '../../contract/outcome.ts';
import { keepProof, supersede, placeOfControl, successorOf, type Place } from './kept-proof.ts';
import { heardBy, oneRound, STALL_MS, taken, ANSWER_RESERVE_MS, pause } from '../windows/waiting.ts';
import { Asker, answersSoon } from '../windows/ask.ts';
import { threadOf, ownerOf, descendantsOf, kindOfWindow } from '../windows/window-info.ts';
import { isModal } from '../elements/sources/patterns.ts';
import {
  FIELDS,
  SELF_CHANGING,
  shownFields,
  ShownWindows,
  appearance,
  appearanceChange,
  mayTick,
} from './shown-fields.ts';
import { elementChange, persistentChange, type Change, nearChange, type NearChange } from './shown-effects.ts';
import { readLive } from '../elements/reading/live-view.ts';
import { readPatiently } from '../elements/reading/observe.ts';
import { copyOf, pathTo, type TreeNode } from '../elements/tree/tree.ts';
import { newWindow, ownerAfterClosing, type NewWindow } from './chord-effects.ts';
import { applicationWindows, isDialogLike, newsSince, processesOf } from '../windows/popups.ts';
import type { Sign } from '../drivers/driver.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';
import { readEditState, type EditState } from './edit-state.ts';
import { windowName } from '../elements/tree/labels.ts';
import { receiverAt } from '../elements/finding/text-target.ts';

/**
 * An effect is looked for immediately and then for this long (ms): programs that post messages to themselves need a
 * moment.
 */
const SETTLE_MS = 150;
/** How often (ms) the window is checked for a change: at first, and at least. Most changes come soon. */
const CHANGE_POLL_MS = 10;
const SLOWEST_POLL_MS = 50;
/** In between, after waiting this share of the time waited so far. */
const POLL_SHARE = 0.5;
/** A program that takes longer than this (ms) to answer may be showing something already. */
const STUCK_MS = 250;
/** How long a dialog may take from disabling its owner to becoming visible. */
const DIALOG_MS = 3000;
const MODAL_MS = 30;
const MODAL_ASK_MS = 500;
/** A slow provider must leave time for the answer. */
const TREE_MS = 6000;
const TREE_SHARE = 0.5;
/** The most messages that an action here posts: move, press and release. */
const POSTED = 3;

export interface Verdict {
  readonly effect: EffectSeen;
  readonly evidence: readonly Evidence[];
  readonly details?: Record<string, unknown>;
}

type Looked = Verdict & Change;

/** Signs that the control shows at once and its program may refuse. */
const CHOICES: ReadonlySet<string> = new Set(['selection', 'toggle']);

/** Records the state before an action and reports what changed afterwards. */
export class Watch {
  readonly #target: ElementTarget;
  readonly #sign: Sign | null;
  readonly #hint: Sign | null;
  readonly #owner: number;
  readonly #ownerLook: (() => Evidence | null) | null;
  readonly #processes: ReadonlySet<number>;
  readonly #tops: ReadonlySet<number>;
  readonly #isNews = newsSince();
  /** What the windows in it show; null where a sign says more. */
  readonly #shown: ShownWindows | null;
  readonly #fields: ReturnType<typeof shownFields> | null;
  /** What UI Automation or MSAA shows, where that is all there is. */
  readonly #tree: TreeNode | null;
  readonly #before: unknown;
  readonly #hintBefore: unknown;
  /** Where its control is, to know a successor; null where nothing is chosen. */
  readonly #place: Place | null;
  readonly #wasEnabled: boolean;
  readonly #wasShown: boolean;

  /**
   * @param sign what must change; null if any visible change of the window counts
   * @param hint a value that also shows the effect, where any change counts
   */
  constructor(target: ElementTarget, sign: Sign | null, hint: Sign | null = null) {
    this.#target = target;
    this.#sign = sign;
    this.#hint = hint;
    this.#hintBefore = hint?.read();
    this.#owner = ownerOf(target.root);
    this.#processes = processesOf(target.root);
    this.#tops = new Set(applicationWindows(this.#target.root, this.#processes));
    this.#ownerLook = sign === null ? ownerWatch(this.#owner) : null;
    this.#shown = sign === null ? new ShownWindows(target) : null;
    this.#fields =
      this.#shown === null ? null : shownFields(target, this.#shown, target.deadline.remaining(ANSWER_RESERVE_MS));
    const { node, located } = target;
    const isInTree = node.locator.kind === 'uia' || node.locator.kind === 'msaa';
    this.#tree = sign === null && isInTree && !located.observed.partial ? copyOf(located.observed.root) : null;
    this.#before = sign?.read();
    if (sign !== null) supersede(target.call, target.node.hwnd);
    this.#place = this.#isChoice ? placeOfControl(node.hwnd) : null;
    this.#wasEnabled = user32.IsWindowEnabled(target.root);
    this.#wasShown = user32.IsWindowVisible(target.root);
  }

  /** Null until something is seen. A change elsewhere in the window is uncertain. */
  #look(): Looked | null {
    const outside = this.lookOutside();
    if (outside !== null) return sure(outside);
    if (this.isDialogOnItsWay()) return null;
    if (this.#sign !== null) return sure(signChange(this.#sign, this.#before));
    const now = this.#shown?.now() ?? new Map<number, string>();
    const own = this.#shown?.change(now, (hwnd) => this.#isOwn(hwnd)) ?? null;
    if (own !== null) return { effect: 'confirmed', evidence: [own], isSure: true };
    const hint =
      this.#hint === null || this.#hintBefore === undefined ? null : signChange(this.#hint, this.#hintBefore);
    if (hint !== null) return sure(hint);
    const elsewhere = this.#shown?.change(now) ?? null;
    const seen = elsewhere ?? this.#ownerLook?.() ?? null;
    return seen === null ? null : { effect: 'confirmed', evidence: [seen], isSure: false };
  }

  /** The sign as it was before the action; undefined if it has none, or gave no answer. */
  get before(): unknown {
    return this.#before;
  }

  /** Whether anything is seen yet; cheap. */
  isChanged(): boolean {
    return this.#look() !== null;
  }

  /** Windows that appeared or disappeared: never waits for the program. */
  lookOutside(): Verdict | null {
    const { root, node } = this.#target;
    const opened = applicationWindows(this.#target.root, this.#processes).find(
      (hwnd) => !this.#tops.has(hwnd) && hwnd !== root && isDialogLike(hwnd) && this.#isNews(hwnd),
    );
    if (opened !== undefined) return this.#openedWindow(opened);
    if (!user32.IsWindow(root)) {
      const owner = ownerAfterClosing(root, this.#owner);
      return {
        ...confirmed('window', { hwnd: String(root), open: true }, { hwnd: String(root), open: false }),
        ...(owner === null ? {} : { details: { owner } }),
      };
    }
    if (user32.IsWindow(node.hwnd)) return null;
    return this.#isChoice ? this.#inSuccessor() : confirmed('element', { exists: true }, { exists: false });
  }

  get #isChoice(): boolean {
    return this.#sign !== null && CHOICES.has(this.#sign.kind);
  }

  /** A choice shows in the control that holds it, also in a control that the program made in its place. */
  #inSuccessor(): Verdict {
    const hwnd = this.#place === null ? null : successorOf(this.#target.root, this.#place);
    const sign = hwnd === null ? null : (this.#sign?.at?.(hwnd) ?? null);
    return (
      (sign === null ? null : signChange(sign, this.#before)) ?? {
        effect: 'unverified',
        evidence: [{ kind: 'element', before: { exists: true }, after: { exists: false } }],
      }
    );
  }

  /**
   * A dialog disables its owner first and becomes visible a moment later: the window was enabled before and is disabled
   * now.
   */
  isDialogOnItsWay(): boolean {
    return this.#wasEnabled && user32.IsWindow(this.#target.root) && !user32.IsWindowEnabled(this.#target.root);
  }

  #openedWindow(hwnd: number): Verdict {
    const isModal = user32.IsWindow(this.#target.root) && !user32.IsWindowEnabled(this.#target.root);
    const opened = newWindow(hwnd, this.#target.root, isModal);
    return {
      effect: isModal ? 'pending_modal' : 'confirmed',
      evidence: [{ kind: 'window-opened', before: null, after: [opened] }],
      details: { newWindow: opened },
    };
  }

  #isOwn(hwnd: number): boolean {
    const { root, node } = this.#target;
    return node.hwnd !== root && (hwnd === node.hwnd || user32.IsChild(node.hwnd, hwnd));
  }

  /** A change elsewhere. Right after the action hardly anything else can have happened; later it has to last. */
  async #judge(seen: Looked, isFirst: boolean): Promise<Verdict> {
    const { deadline } = this.#target;
    const stayed = isFirst
      ? seen
      : await persistentChange(
          () => this.#look(),
          ({ evidence }) => evidence[0]?.after,
          deadline,
        );
    return stayed === null
      ? ((await this.#inTree()) ?? (await this.#inFields()) ?? this.#unseen())
      : this.#lookTwice(stayed);
  }

  /** What UI Automation or MSAA shows: read last, since it costs most. */
  #inTree(): Promise<Verdict | null> {
    return this.#persists(
      () => (this.#sign === null ? this.#treeChange() : null),
      ({ evidence }) => evidence.after,
    );
  }

  /** Fields may change by themselves, as clocks and meters do: a change has to last, whenever it is seen. */
  #inFields(): Promise<Verdict | null> {
    const look = (): NearChange | null => {
      const evidence = this.#fields?.(this.#target.deadline.remaining(ANSWER_RESERVE_MS)) ?? null;
      return evidence === null ? null : { evidence, isSure: false };
    };
    // A later look returns only what has stayed.
    return this.#persists(look, () => true);
  }

  async #persists(look: () => NearChange | null, shown: (change: NearChange) => unknown): Promise<Verdict | null> {
    const change = await persistentChange(look, shown, this.#target.deadline);
    return change === null ? null : { effect: 'confirmed', evidence: [change.evidence] };
  }

  /** A program that hears of a choice may take it back, or make another one of it, some time later. */
  async #held(seen: Verdict): Promise<Verdict> {
    const { deadline, call, description } = this.#target;
    const sign = this.#sign;
    if (!this.#isChoice || seen.evidence[0]?.kind !== sign?.kind) return seen;
    const { hwnd } = this.#target.node;
    const isKept = (sign?.at?.(hwnd) ?? null) !== null;
    await heardBy(hwnd, deadline, isKept);
    const held = this.#look() ?? this.#unseen();
    if (isKept && held.effect === 'confirmed' && held.evidence[0]?.kind === sign?.kind)
      keepProof({
        by: call,
        hwnd,
        place: this.#place,
        element: description,
        isChoice: true,
        read: (at) => sign?.at?.(at)?.read(),
        shown: held.evidence[0]?.after,
      });
    return held;
  }

  #unseen(): Verdict {
    // Programs keep dialogs that end, and show them again. A window that closes is hidden for a moment, so this comes last.
    if (this.#wasShown && !user32.IsWindowVisible(this.#target.root)) return confirmed('state', 'shown', 'hidden');
    return {
      effect: 'unverified',
      evidence: this.#sign === null ? [] : [{ kind: this.#sign.kind, before: this.#before, after: this.#sign.read() }],
    };
  }

  #treeChange(): NearChange | null {
    const { node, record, tools, deadline } = this.#target;
    if (this.#tree === null) return null;
    const options = { ...tools.read, budgetMs: Math.min(TREE_MS, deadline.remaining() * TREE_SHARE) };
    const { root, partial } =
      readLive(record, options, 'place', (all) => pathTo(all, node.identity).at(-1))?.observed ??
      readPatiently(record, { ...options, only: node.hwnd });
    if (partial) return null;
    const near = nearChange(this.#tree, root, node.identity);
    if (near !== null) return near;
    const far = elementChange(this.#tree, root);
    return far === null ? null : { evidence: far, isSure: false };
  }

  /**
   * A window seen the moment it is created may turn out to be modal; a window that loses its parts may be closing; and what
   * closes may open the next one.
   */
  async #lookTwice(seen: Verdict): Promise<Verdict> {
    const isNew = seen.details?.['newWindow'] !== undefined && seen.effect !== 'pending_modal';
    const kind = seen.evidence[0]?.kind;
    if (!isNew && kind !== 'element' && kind !== 'window') return seen;
    // Its program has gone on once it answers.
    if (kind === 'window' && this.#owner !== 0) await answersSoon(this.#owner, STUCK_MS);
    await pause(MODAL_MS, this.#target.call, 'unknown');
    const again = this.lookOutside() ?? seen;
    return again.effect === 'confirmed' && isNew && this.#isModalByPattern(again) ? asModal(again) : again;
  }

  /** Programs that do not disable the owner of their dialogs report modality through UI Automation. */
  #isModalByPattern({ details }: Verdict): boolean {
    const { automation } = this.#target.tools.read;
    const hwnd = Number((details?.['newWindow'] as { hwnd?: string } | undefined)?.hwnd ?? 0);
    if (automation === null || hwnd === 0 || !new Asker(this.#target.deadline.share(MODAL_ASK_MS)).answers(hwnd))
      return false;
    using element = automation.fromWindow(hwnd);
    return element !== null && isModal(element) === true;
  }

  /**
   * Waits until the program has processed the input and a change is seen, but only briefly once it has.
   * A modal dialog keeps the program busy with itself, and is seen as a new window.
   * @param shown detects the effect at the element's place where its window does not report it
   */
  async settle(shown: { since(): Promise<Evidence[]> } | null = null): Promise<Verdict> {
    const { call, deadline, root } = this.#target;
    const rest = (): number => deadline.remaining(ANSWER_RESERVE_MS);
    let hangs = true;
    while (hangs && rest() > 0 && !call.signal.aborted) {
      hangs = !(await answersSoon(root, Math.min(rest(), STUCK_MS)));
      if (!hangs) break;
      // A program that does not answer may have opened a window, or closed this one.
      const seen = this.lookOutside();
      if (seen !== null) return this.#lookTwice(seen);
      hangs = user32.IsWindow(root);
    }
    // What a hung program shows cannot be asked: each question would be waited for beyond the deadline.
    if (hangs && rest() <= 0) return this.lookOutside() ?? { effect: 'unverified', evidence: [] };
    // The thread has just answered once.
    const { hwnd } = this.#target.node;
    const posted = threadOf(hwnd).thread === threadOf(root).thread ? POSTED - 1 : POSTED;
    await taken(hwnd, posted, Math.min(rest(), STALL_MS), call);
    let had = 0;
    for (let looks = 0; ; looks += 1) {
      const seen = this.#look();
      if (seen !== null)
        return seen.isSure
          ? this.#lookTwice(await this.#held(seen))
          : ((await atPlace(shown)) ?? this.#judge(seen, looks === 0 && !seen.evidence.every(mayTick)));
      if (had >= (this.isDialogOnItsWay() ? DIALOG_MS : SETTLE_MS) || rest() <= 0)
        return (await this.#inTree()) ?? (await atPlace(shown)) ?? (await this.#inFields()) ?? this.#unseen();
      const everyMs = Math.min(SLOWEST_POLL_MS, Math.max(CHANGE_POLL_MS, had * POLL_SHARE));
      had += await oneRound({ hwnd: root, everyMs, leftMs: rest(), call, delivery: 'unknown' });
    }
  }
}

function asModal(seen: Verdict): Verdict {
  const opened = { ...(seen.details?.['newWindow'] as NewWindow), modal: true };
  return {
    effect: 'pending_modal',
    evidence: seen.evidence.map((each) => (each.kind === 'window-opened' ? { ...each, after: [opened] } : each)),
    details: { ...seen.details, newWindow: opened },
  };
}

function signChange(sign: Sign, before: unknown): Verdict | null {
  const after = sign.read();
  // A program may take a choice back, or make another one of it.
  if (after === undefined || Object.is(after, before) || sign.isMeant?.(after) === false) return null;
  return confirmed(sign.kind, before, after);
}

async function atPlace(shown: { since(): Promise<Evidence[]> } | null): Promise<Verdict | null> {
  const evidence = (await shown?.since()) ?? [];
  return evidence.length === 0 ? null : { effect: 'confirmed', evidence };
}

const sure = (seen: Verdict | null): Looked | null => (seen === null ? null : { ...seen, isSure: true });

function confirmed(kind: string, before: unknown, after: unknown): Verdict {
  return { effect: 'confirmed', evidence: [{ kind, before, after }] };
}

/** At most this many fields are read: more than an editor shows at once. */
const MOST_FIELDS = 8;
const READ_MS = 300;

/** Text and selection of the fields in a window. Password fields are never read. */
function fieldsOf(owner: number): Map<number, EditState> {
  const fields = new Map<number, EditState>();
  for (const hwnd of descendantsOf(owner)
    .filter((each) => user32.IsWindowVisible(each) && FIELDS.has(kindOfWindow(each)))
    .slice(0, MOST_FIELDS)) {
    const state = readEditState(receiverAt(hwnd), READ_MS);
    if (state !== null) fields.set(hwnd, state);
  }
  return fields;
}

/** Tells what changed in the owner of a window since; null if that cannot be used while the window is open. */
function ownerWatch(owner: number): (() => Evidence | null) | null {
  if (owner === 0 || !user32.IsWindowVisible(owner)) return null;
  const [fields, shown] = [fieldsOf(owner), appearance(owner, SELF_CHANGING)];
  return () => {
    if (!user32.IsWindow(owner)) return null;
    for (const [hwnd, now] of fieldsOf(owner)) {
      const then = fields.get(hwnd);
      if (then === undefined) continue;
      const element = windowName(hwnd);
      if (then.text !== now.text)
        return { kind: 'text-length', before: then.text.length, after: now.text.length, element };
      if (then.start !== now.start || then.end !== now.end)
        return { kind: 'selection', before: [then.start, then.end], after: [now.start, now.end], element };
    }
    return appearanceChange(shown, appearance(owner, SELF_CHANGING));
  };
}
