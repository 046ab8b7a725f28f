/** What an action changed, seen from outside. */
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { EffectSeen, Evidence } from '../../../contract/outcome.ts';
import { answers } from '../../windows/ping.ts';
import { pause } from '../../waiting.ts';
import { Asker, threadOf } from '../ask.ts';
import { isModal } from '../patterns/window.ts';
import { appearance, appearanceChange } from '../appearance.ts';
import { elementChange } from '../element-change.ts';
import { readWindow } from '../observe.ts';
import { classNameOf, keptText, topWindowsOf } from '../window-info.ts';
import type { ActionTarget } from './target.ts';

/** An effect is looked for at once and then for so long: programs that post messages to themselves need a moment. */
const SETTLE_MS = 150;
const LOOK_EVERY_MS = 10;
/** How long a dialog may take from disabling its owner to being seen. */
const DIALOG_MS = 3000;
const MODAL_MS = 30;
const MODAL_ASK_MS = 500;
/** Providers answer element by element where there is no subtree cache. */
const TREE_MS = 6000;
/** Kept back from the deadline for the answer. */
const RESERVE_MS = 100;

export interface Seen {
  readonly effect: EffectSeen;
  readonly evidence: readonly Evidence[];
  readonly details?: Record<string, unknown>;
}

/** A value that shows the effect when it changes: check state, selection, position. */
export interface Sign {
  readonly kind: string;
  /** Undefined while it cannot be read. */
  read(): unknown;
}

/** Remembers what is there before an action, and tells what is different afterwards. */
export class Watch {
  readonly #target: ActionTarget;
  readonly #sign: Sign | null;
  readonly #hint: Sign | null;
  readonly #process: number;
  readonly #tops: ReadonlySet<number>;
  readonly #appearance: ReadonlyMap<number, string>;
  readonly #before: unknown;
  readonly #hintBefore: unknown;
  readonly #wasEnabled: boolean;

  /**
   * @param sign what must change; null where any visible change of the window counts
   * @param hint what shows the effect as well, where any change counts
   */
  constructor(target: ActionTarget, sign: Sign | null, hint: Sign | null = null) {
    this.#target = target;
    this.#sign = sign;
    this.#hint = hint;
    this.#hintBefore = hint?.read();
    this.#process = threadOf(target.root).process;
    this.#tops = new Set(topWindowsOf(this.#process));
    this.#appearance = sign === null ? appearance(target.root) : new Map();
    this.#before = sign?.read();
    this.#wasEnabled = user32.IsWindowEnabled(target.root);
  }

  /** Null while nothing is seen. */
  look(): Seen | null {
    const outside = this.lookOutside();
    if (outside !== null || this.isDialogOnItsWay()) return outside;
    if (this.#sign !== null) return signChange(this.#sign, this.#before);
    return this.#anyChange() ?? (this.#hint === null || this.#hintBefore === undefined ? null : signChange(this.#hint, this.#hintBefore));
  }

  /** Windows that came or went: never waits for the program. */
  lookOutside(): Seen | null {
    const { root, node } = this.#target;
    const opened = topWindowsOf(this.#process).find((hwnd) => !this.#tops.has(hwnd) && hwnd !== root && isDialogLike(hwnd));
    if (opened !== undefined) return this.#openedWindow(opened);
    if (!user32.IsWindow(root)) return confirmed('window', { hwnd: String(root), open: true }, { hwnd: String(root), open: false });
    return user32.IsWindow(node.hwnd) ? null : confirmed('element', { exists: true }, { exists: false });
  }

  /** A dialog disables its owner first and is shown a moment later. The window was enabled before and is disabled now. */
  isDialogOnItsWay(): boolean {
    return this.#wasEnabled && user32.IsWindow(this.#target.root) && !user32.IsWindowEnabled(this.#target.root);
  }

  #openedWindow(hwnd: number): Seen {
    const isModal = !user32.IsWindowEnabled(this.#target.root);
    const title = keptText(hwnd);
    return {
      effect: isModal ? 'pending_modal' : 'confirmed',
      evidence: [{ kind: 'window', before: null, after: { hwnd: String(hwnd), title } }],
      details: { newWindow: { hwnd: String(hwnd), title, modal: isModal } },
    };
  }

  #anyChange(): Seen | null {
    const change = appearanceChange(this.#appearance, appearance(this.#target.root));
    return change === null ? null : { effect: 'confirmed', evidence: [change] };
  }

  /** Nothing was seen in time. What UI Automation or MSAA shows is looked at once, since that costs most. */
  #atLast(): Seen {
    const change = this.#sign === null ? this.#elementChange() : null;
    if (change !== null) return { effect: 'confirmed', evidence: [change] };
    return { effect: 'unverified', evidence: this.#sign === null ? [] : [{ kind: this.#sign.kind, before: this.#before, after: this.#sign.read() }] };
  }

  #elementChange(): Evidence | null {
    const { node, located, record, tools, deadline } = this.#target;
    if ((node.locator.kind !== 'uia' && node.locator.kind !== 'msaa') || located.observed.partial) return null;
    const now = readWindow(record, { ...tools.read, only: node.hwnd, budgetMs: deadline.share(TREE_MS) });
    return now.partial ? null : elementChange(located.observed.root, now.root);
  }

  /** A window that is seen the moment it is made may turn out to be modal; one that loses its parts, to be on its way out. */
  async #lookTwice(seen: Seen): Promise<Seen> {
    const isNew = seen.details !== undefined && seen.effect !== 'pending_modal';
    if (!isNew && seen.evidence[0]?.kind !== 'element') return seen;
    await pause(MODAL_MS, this.#target.call, 'unknown');
    const again = this.lookOutside() ?? seen;
    return again.effect === 'confirmed' && isNew && this.#isModalByPattern(again) ? { ...again, effect: 'pending_modal', details: asModal(again.details) } : again;
  }

  /** Programs that do not disable the owner of their dialogs say by UI Automation that a window is modal. */
  #isModalByPattern({ details }: Seen): boolean {
    const { automation } = this.#target.tools.read;
    const hwnd = Number((details?.['newWindow'] as { hwnd?: string } | undefined)?.hwnd ?? 0);
    if (automation === null || hwnd === 0 || !new Asker(this.#target.deadline.share(MODAL_ASK_MS)).answers(hwnd)) return false;
    using element = automation.fromWindow(hwnd);
    return element !== null && isModal(element) === true;
  }

  /**
   * Waits until the program has taken what was sent and something is seen, a short while at most once it has.
   * A modal dialog keeps the program busy with itself, and is seen as a new window.
   */
  async settle(): Promise<Seen> {
    const { call, deadline, root } = this.#target;
    const rest = (): number => deadline.remaining(RESERVE_MS);
    while (rest() > 0) {
      const seen = this.lookOutside();
      if (seen !== null) return this.#lookTwice(seen);
      if (!user32.IsWindow(root) || await answers(root, Math.min(rest(), 250))) break;
      if (call.signal.aborted) break;
    }
    const start = performance.now();
    for (;;) {
      const seen = this.look();
      if (seen !== null) return this.#lookTwice(seen);
      if (performance.now() >= start + Math.min(this.isDialogOnItsWay() ? DIALOG_MS : SETTLE_MS, rest())) return this.#atLast();
      await pause(LOOK_EVERY_MS, call, 'unknown');
    }
  }
}

function asModal(details: Record<string, unknown> | undefined): Record<string, unknown> {
  return { ...details, newWindow: { ...(details?.['newWindow'] as object), modal: true } };
}

function signChange(sign: Sign, before: unknown): Seen | null {
  const after = sign.read();
  return after === undefined || Object.is(after, before) ? null : confirmed(sign.kind, before, after);
}

function confirmed(kind: string, before: unknown, after: unknown): Seen {
  return { effect: 'confirmed', evidence: [{ kind, before, after }] };
}

const WS_EX_TOOLWINDOW = 0x80;
const WS_EX_NOACTIVATE = 0x0800_0000;
const GWL_EXSTYLE = -20;

/** Tool tips and drop-down lists come and go by themselves; menus count, since a click can open one. */
function isDialogLike(hwnd: number): boolean {
  if (classNameOf(hwnd) === '#32768') return true;
  return (user32.GetWindowLongW(hwnd, GWL_EXSTYLE) & (WS_EX_TOOLWINDOW | WS_EX_NOACTIVATE)) === 0;
}
