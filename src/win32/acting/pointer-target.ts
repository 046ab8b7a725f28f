/** What the pointer actions share: positions, the state before input, its effect, and whether a point still shows what was judged. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Point } from '../../contract/element/geometry.ts';
import type { DeliveryWay, Evidence, Outcome } from '../../contract/outcome.ts';
import type { CallContext, DeliveryMode, Done } from '../../desktop/index.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { sendMouseEvents, type KeyEvent } from '../exits/input.ts';
import { ItemMark, EFFECT_MS, pointerLooks, untilToggled, modifierFlags } from '../input/mouse-posted.ts';
import { assertMayInject, heldForeground, pressForeground } from '../input/keyboard-foreground.ts';
import { moveEvent } from '../input/mouse-foreground.ts';
import { effectsOf } from '../input/chords-background.ts';
import { type SeenState, look, windowDetails } from '../evidence/chord-effects.ts';
import { posting, quietMoment } from '../windows/person.ts';
import { realTargetAt, requireEnabledAt, type MouseTarget } from '../input/mouse-target.ts';
import { shownEffects, type ShownEffects, type TreeReader } from '../evidence/shown-effects.ts';
import { rootOf } from '../windows/window-info.ts';
import type { ControlKind } from '../windows/classes.ts';
import { describeNode } from '../elements/tree/tree.ts';
import { windowName } from '../elements/tree/labels.ts';
import { Deadline, pause } from '../windows/waiting.ts';
import { toMessagePoint, visibleFrame } from '../windows/rects.ts';
import { cursorPosition, type Witness } from '../windows/witness.ts';
import { type FocusMemory, receiverAt } from '../elements/finding/text-target.ts';
import type { HeldInputs } from '../input/held-input.ts';
import type { ScrollerFinder } from './scroll.ts';
import type { Begun } from '../evidence/late-foreground.ts';
import { parseChord, type Chord } from '../../contract/keys/keys.ts';
import { isInFront, PERSON_QUIET_MS, withKeyState } from '../input/temporary-focus.ts';
import { resolveAll } from '../windows/key-codes.ts';

/** For programs that ask for the keys of the moment at a drop (GetAsyncKeyState): as long as a quick hand holds them. */
const AFTERWARDS_MS = 30;

export class HeldModifiers {
  readonly #keys: Chord;
  readonly #names: readonly string[];
  /** MK_ flags: Ctrl and Shift. */
  readonly flags: number;

  /**
   * `isWhole`: a button goes down and up meanwhile; else the release of Alt opens the menu, and that of the Windows key Start.
   * Errors: invalid_argument for other keys; unsupported for Alt and the Windows key without that. Nothing was sent.
   */
  constructor(names: readonly string[], isWhole: boolean) {
    this.#keys = names.map((name) => parseChord(name)[0]!);
    if (this.#keys.some((key) => key.modifier === null))
      throw new UiaHostError(
        'invalid_argument',
        '`modifiers` accepts only ctrl, shift, alt and win; nothing was sent.',
      );
    this.#names = this.#keys.map((key) => key.modifier ?? '');
    this.flags = modifierFlags(this.#names);
    if (!isWhole && this.#names.some((name) => name === 'alt' || name === 'win'))
      throw new UiaHostError(
        'unsupported',
        'Only Ctrl and Shift can be held here: outside a whole click or drag, the release of Alt or of the Windows key opens a menu. Nothing was sent.',
        { hint: 'Leave the key out, or hold it during a click or a drag.' },
      );
  }

  get isNone(): boolean {
    return this.#keys.length === 0;
  }

  /** The program asks the key state for Alt, which needs a moment without the person’s input. */
  get needsState(): boolean {
    return this.#names.includes('alt');
  }

  /** Real keys, which `send` presses with its first events, and which are released whatever happens. */
  async whileReal(send: (keys: readonly KeyEvent[]) => void | Promise<void>, call: CallContext): Promise<void> {
    if (this.isNone) return send([]);
    const keys = heldForeground(this.#keys);
    try {
      await send(keys);
      await pause(AFTERWARDS_MS, call, 'delivered').catch(() => {});
    } finally {
      pressForeground(null, this.#keys, 'up');
    }
  }

  /** `post` sends messages with the flags; Alt is in the key state of the program until they are handled. */
  async whilePosted(target: MouseTarget, post: () => void | Promise<void>, call: CallContext): Promise<void> {
    if (this.needsState) await withKeyState(target, resolveAll(this.#keys, target), [post], call);
    else await post();
  }

  /**
   * Waits for the moment that the key state needs.
   * Errors: unsupported for modifiers that cannot be carried to a window in the background; user_active.
   */
  async assertCarried(target: MouseTarget, bound: number, deadline: Deadline): Promise<void> {
    this.#assertCarriedNow(target, bound);
    if (!this.needsState) return;
    await quietMoment(PERSON_QUIET_MS, deadline);
    this.#assertCarriedNow(target, bound);
  }

  #assertCarriedNow(target: MouseTarget, bound: number): void {
    if (this.#names.includes('win')) {
      throw new UiaHostError(
        'unsupported',
        'The Windows key belongs to the system: neither mouse messages nor the key state carry it to a program in the background. Nothing was sent.',
        { hint: 'Leave it out, or use delivery: "foreground".' },
      );
    }
    if (this.needsState && isInFront(target, bound)) {
      throw new UiaHostError(
        'unsupported',
        'Alt with a click is carried by the key state, which belongs to the person while the program is in front; nothing was sent.',
        { hint: 'Use delivery: "foreground", which clicks and presses for real.' },
      );
    }
  }
}

/** An owner's pointer on its bound window. It moves with the window, as what is under it does. */
export class VirtualPointer {
  #at: Point | null = null;
  /** The window's corner when the pointer was placed; null if the window was gone. */
  #corner: { readonly hwnd: number; readonly at: Point } | null = null;

  place({ hwnd }: BindingRecord, at: Point): void {
    const corner = visibleFrame(Number(hwnd));
    this.#corner = corner === null ? null : { hwnd: Number(hwnd), at: corner };
    this.#at = at;
  }

  /** Screen pixels; null before it was placed. */
  get at(): Point | null {
    const now = this.#corner === null ? null : visibleFrame(this.#corner.hwnd);
    if (this.#at === null || this.#corner === null || now === null) return this.#at;
    return { x: this.#at.x + now.x - this.#corner.at.x, y: this.#at.y + now.y - this.#corner.at.y };
  }
}

/** Where each owner's virtual pointer is, and what input to a point needs. */
export interface PointerTools {
  readonly held: HeldInputs;
  readonly focus: FocusMemory;
  /** Reads what programs expose through UI Automation or MSAA; without it only their pictures are compared. */
  readonly trees?: TreeReader & ScrollerFinder;
  /** An owner's pointer on its bound window, screen pixels: nothing moves the real cursor in the background. */
  pointerOf(owner: string): VirtualPointer;
}

export const HELD_LEFT = 'mouse-left';
/** A click into one of these serves to focus it, or to choose in it. */
const SHOWS_BY_FOCUS: ReadonlySet<ControlKind> = new Set([
  'edit',
  'rich-edit',
  'combo-box',
  'list-box',
  'list-view',
  'tree-view',
  'tab',
]);

/** The state before input. */
export interface StateBefore {
  readonly target: MouseTarget;
  readonly shown: ShownEffects | null;
  readonly before: SeenState;
  /** What the system reported as focused; 0 if nothing. */
  readonly focused: number;
  /** To be called once the program has processed the input. */
  readonly onTaken: () => void;
  /** The mark that a click is for; null for other input, and if no mark is under the point. */
  readonly mark: ItemMark | null;
}

export const isReal = (record: BindingRecord | null, delivery: DeliveryMode): record is null =>
  delivery === 'foreground' || record === null;

/** The real cursor, or the owner's virtual pointer. Errors: state_conflict. */
export function pointerAt(
  tools: PointerTools,
  record: BindingRecord | null,
  delivery: DeliveryMode,
  call: CallContext,
): Point {
  const at = isReal(record, delivery) ? cursorPosition() : tools.pointerOf(call.owner).at;
  if (at === null)
    throw new UiaHostError('state_conflict', 'The virtual pointer has no position yet; nothing was sent.', {
      hint: 'Move it first (move-mouse or virtual-mouse), or give a point.',
    });
  return at;
}

/**
 * Records the state before input to a point. `pointer`: a custom window is compared without the pointer of the input, which
 * must not explain what it shows (`leaves`), with it both times (`stays`), or as it is (`moves`). `hasPicture`
 * false: a button that goes down or up is drawn so, which shows nothing else.
 */
export async function readBefore(
  tools: PointerTools,
  record: BindingRecord,
  { target, at }: { readonly target: MouseTarget; readonly at: Point },
  call: CallContext,
  {
    pointer = 'leaves',
    isClick = false,
    hasPicture = true,
  }: {
    readonly pointer?: 'leaves' | 'stays' | 'moves';
    readonly isClick?: boolean;
    readonly hasPicture?: boolean;
  } = {},
): Promise<StateBefore> {
  const { visit, leave } = pointerLooks(target);
  const looks = pointer === 'leaves' ? { visit, leave } : pointer === 'stays' ? { visit } : {};
  const shown = await shownEffects(tools.trees ?? null, record, { ...target, ...looks, hasPicture }, at, call);
  const mark = isClick ? ItemMark.under(target, call) : null;
  return {
    target,
    shown,
    mark,
    before: look(target, Number(record.hwnd)),
    focused: tools.focus.reportedFocus(Number(record.hwnd)),
    onTaken: posting(),
  };
}

/**
 * The effect of the input. A field or list that received the focus was reached; for a button that does not count as
 * pressed.
 */
export async function effectsOfInput(
  tools: PointerTools,
  { target, shown, before, focused, onTaken, mark }: StateBefore,
  deadline: Deadline,
): Promise<Evidence[]> {
  const evidence = await effectsOf(before, target, deadline, { shown, withinMs: EFFECT_MS }, onTaken);
  if (mark !== null) {
    await untilToggled(mark, target, deadline);
    return mark.with(evidence);
  }
  const now = tools.focus.reportedFocus(before.bound);
  if (evidence.length > 0 || !SHOWS_BY_FOCUS.has(target.kind) || now !== target.hwnd || now === focused)
    return evidence;
  return [{ kind: 'focus', before: focused === 0 ? null : windowName(focused), after: windowName(now) }];
}

const UNKNOWN_MARK = '; whether the mark there has turned is not known: a screenshot shows it';

/** The outcome of input by one way, confirmed where there is evidence. */
export function outcomeOf(
  witness: Witness,
  delivery: DeliveryWay,
  evidence: readonly Evidence[],
  reason: string,
  more: { effect?: Outcome['effect']; looked?: StateBefore | null } = {},
): Outcome {
  const { looked = null } = more;
  // The real pointer stays there: a picture cannot be compared without it.
  const isPointer = delivery === 'input' && evidence.every(({ kind }) => kind === 'picture');
  const isSeen = looked?.mark?.confirms(evidence) ?? (evidence.length > 0 && !isPointer);
  const details = looked === null ? {} : windowDetails(evidence, looked.before.bound, looked.before.owner);
  return witness.outcome({
    effect: more.effect ?? (isSeen ? 'confirmed' : 'unverified'),
    delivery,
    evidence,
    attempts: [
      { rung: delivery, result: 'delivered', reason: looked?.mark?.isUnknown ? reason + UNKNOWN_MARK : reason },
    ],
    ...(Object.keys(details).length === 0 ? {} : { details }),
  });
}

/**
 * Points are bound to what was judged there, like refs to their elements. Errors: state_conflict; nothing was
 * pressed.
 */
export function assertSameAt(
  tools: PointerTools,
  record: BindingRecord | null,
  { at, hwnd }: { readonly at: Point; readonly hwnd: number },
  call: CallContext,
  end: 'target' | 'start' = 'target',
): void {
  const judged = call.permit?.[end];
  const window = judged?.window ?? record;
  if (judged === undefined || judged === null || window === null || tools.trees === undefined) return;
  const now = tools.trees.changedAt(window, at, hwnd, judged, call) ?? tools.trees.pageInstead(window, judged, call);
  if (now === null) return;
  throw new UiaHostError(
    'state_conflict',
    `At ${at.x},${at.y} there is now ${now}, not what was judged there (${judged.element === null ? 'no identifiable element' : describeNode(judged.element)}); nothing was pressed.`,
    {
      hint: 'Take a new snapshot or screenshot, then aim at what is there now.',
    },
  );
}

/** The same for real input, which goes to the window that is topmost at the point. */
export function assertSameAtReal(
  tools: PointerTools,
  record: BindingRecord | null,
  at: Point,
  call: CallContext,
  end: 'target' | 'start' = 'target',
): void {
  if ((call.permit?.[end]?.window ?? record) !== null)
    assertSameAt(tools, record, { at, hwnd: realTargetAt(at) }, call, end);
}

/** The same before a press or a drop, which would go past a disabled control to what is behind it. Errors: target_disabled too. */
export function assertPressesReal(
  ...[tools, record, at, call, end = 'target']: Parameters<typeof assertSameAtReal>
): void {
  if ((call.permit?.[end]?.window ?? record) !== null) requireEnabledAt(rootOf(user32.WindowFromPoint(at)), at);
  assertSameAtReal(tools, record, at, call, end);
}

/** How long a window has to notice that the pointer has entered it. */
const ENTERED_MS = 30;

/**
 * Moves the pointer before real keys are held, as a person does: a window that it enters may set the modifiers to those
 * of the real keyboard, and would lift them between a move and what they are held for. Errors: user_active.
 */
export async function approach(held: HeldModifiers, at: Point, call: CallContext): Promise<void> {
  if (held.isNone) return;
  assertMayInject(null, 0);
  sendMouseEvents([moveEvent(at)]);
  await pause(ENTERED_MS, call);
}

/** Real input is verified like posted input; if no window is bound, none is read. */
export async function readBeforeReal(
  tools: PointerTools,
  record: BindingRecord | null,
  at: Point,
  call: CallContext,
  isClick = false,
): Promise<StateBefore | null> {
  const hwnd = record === null ? 0 : realTargetAt(at);
  if (record === null || hwnd === 0) return null;
  const client = toMessagePoint(hwnd, at) ?? { x: 0, y: 0 };
  const target: MouseTarget = { ...receiverAt(hwnd), client };
  return readBefore(tools, record, { target, at }, call, { pointer: 'moves', isClick });
}

/** The answer of input by one way, with what the program made of it. */
export async function answerOf(
  tools: PointerTools,
  { witness, deadline, followed }: Begun,
  looked: StateBefore | null,
  delivery: DeliveryWay,
  reason: string,
): Promise<Done<boolean>> {
  const evidence = looked === null ? [] : await effectsOfInput(tools, looked, deadline);
  return followed(outcomeOf(witness, delivery, evidence, reason, { looked }));
}
