/** The rules of the card that is shown: when Approve counts, what a press does, where the keyboard is. No Windows in here. */
import { CARD_SETTLES_MS } from '../../contract/patience.ts';
import { DEFAULT_WINDOW_MINUTES } from '../../contract/gate/card-lines.ts';
import type { ApprovalDecision, ApprovalScope, ApprovalCard } from '../../contract/gate/approval.ts';
import type { CardWords } from '../../contract/gate/card-words.ts';
import type { Judgement } from './input-judgement.ts';
import type { ControlId } from './layout.ts';
import type { Decider, CardPixels } from './protocol.ts';

// The cards that wait for a decision, and which one is shown next.

/** A card that waits for a decision. */
export interface CardEntry {
  card: ApprovalCard;
  pixels: CardPixels | null;
  /** Its whole waiting time, once known. */
  totalMs: number | null;
}

/** The host’s own cards take turns like an agent’s. */
const HOST = '';
const ownerOf = ({ card }: CardEntry): string => card.owner ?? HOST;
const tokenOf = (entry: CardEntry): string => ownerOf(entry).split('/', 1)[0] ?? HOST;

/**
 * The shown card stays until it is decided or expires. Next is the token that was shown least recently, then its session that
 * was shown least recently (a token may have any number), then that session's oldest card. So an agent with many cards
 * delays another by one card at most.
 */
export class CardQueue {
  readonly #entries: CardEntry[] = [];
  readonly #turns = new Map<string, number>();
  #turn = 0;
  #current: CardEntry | null = null;

  get current(): CardEntry | null {
    return this.#current;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** `1/3`; empty for a single card. */
  get position(): string {
    return this.#entries.length > 1 ? `1/${this.#entries.length}` : '';
  }

  add(card: ApprovalCard): void {
    if (this.find(card.approvalId) !== null) return;
    this.#entries.push({ card, pixels: null, totalMs: null });
    this.#choose();
  }

  find(approvalId: string): CardEntry | null {
    return this.#entries.find(({ card }) => card.approvalId === approvalId) ?? null;
  }

  /** False if it was not in the queue. */
  remove(approvalId: string): boolean {
    return this.#take(({ card }) => card.approvalId === approvalId);
  }

  /** Removes all cards of an agent, which a person has denied together. */
  removeOwner(owner: string): boolean {
    return this.#take(({ card }) => card.owner === owner);
  }

  #take(which: (entry: CardEntry) => boolean): boolean {
    const before = this.#entries.length;
    this.#entries.splice(0, before, ...this.#entries.filter((entry) => !which(entry)));
    if (this.#current !== null && which(this.#current)) this.#current = null;
    this.#choose();
    return this.#entries.length < before;
  }

  #choose(): void {
    if (this.#entries.length === 0) this.#turns.clear();
    if (this.#current !== null || this.#entries.length === 0) return;
    const last = (key: string): number => this.#turns.get(key) ?? 0;
    // The sort is stable: the order of arrival decides among equals.
    const [next] = this.#entries.toSorted(
      (one, other) =>
        last(tokenOf(one)) - last(tokenOf(other)) || last(`owner ${ownerOf(one)}`) - last(`owner ${ownerOf(other)}`),
    );
    if (next === undefined) return;
    this.#current = next;
    this.#turn += 1;
    this.#turns.set(tokenOf(next), this.#turn);
    this.#turns.set(`owner ${ownerOf(next)}`, this.#turn);
  }
}

/** Time that a notice replaces the countdown: long enough to read one sentence. */
const NOTICE_MS = 6000;

export type PressedBy = 'mouse' | 'keyboard';

/** What keeps the card from being seen unchanged: the sentence for the person, and the words for the log. */
export interface Obstruction {
  readonly notice: string;
  readonly reason: string;
}

export interface CardStateOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Milliseconds since 1970, which a card's expiry is compared with. */
  readonly time: () => number;
  /** Whether the system can tell a person's input from a program's at present. */
  readonly canApprove: () => boolean;
  readonly wasCursorPushed: () => boolean;
  /** Called before an approval counts. */
  readonly obstruction: (by: PressedBy) => Obstruction | null;
  /** Whether everything that decides was on the screen, to its end. */
  readonly wasReadToEnd: () => boolean;
  readonly words: () => CardWords['ui'];
  /** The card changed under the person's eyes: earlier input must not count for it. */
  onDisturbed(): void;
  onDecision(approvalId: string, decision: ApprovalDecision, how: PressedBy, by: Exclude<Decider, 'lost'>): void;
  onStop(): void;
  /** Input that did not count. */
  onRefused(approvalId: string, judgement: Pick<Judgement, 'reason' | 'isInjected'>): void;
  /** What is drawn, said to screen readers (`focus`), or laid out (`choice`) has changed. */
  onChange(what: 'look' | 'focus' | 'choice'): void;
}

interface Pressed {
  readonly id: ControlId;
  readonly by: PressedBy;
  readonly judgement: Judgement;
  /** The card had settled before the press. */
  readonly isSettled: boolean;
}

/** Every press comes with the guard's judgement; see `#release` for what counts. */
export class CardState {
  readonly #options: CardStateOptions;
  #entry: CardEntry | null = null;
  #scope: ApprovalScope = 'once';
  #minutes: number = DEFAULT_WINDOW_MINUTES;
  #pressed: Pressed | null = null;
  #focus: ControlId | null = null;
  /** Since when the card has been visible and undisturbed. */
  #settlingSince = 0;
  #isOpen = false;
  #notice: { readonly text: string; readonly until: number } | null = null;

  constructor(options: CardStateOptions) {
    this.#options = options;
  }

  get entry(): CardEntry | null {
    return this.#entry;
  }
  get scope(): ApprovalScope {
    return this.#scope;
  }
  get minutes(): number {
    return this.#minutes;
  }
  /** Whether the details are folded out. */
  get isOpen(): boolean {
    return this.#isOpen;
  }
  /** The control that has the keyboard; null where the keyboard is elsewhere. */
  get focus(): ControlId | null {
    return this.#focus;
  }
  get pressed(): ControlId | null {
    return this.#pressed?.id ?? null;
  }
  /** Replaces the countdown while it lasts. */
  get notice(): string | null {
    return this.#notice?.text ?? null;
  }
  get chosen(): ReadonlySet<ControlId> {
    return new Set<ControlId>([`scope:${this.#scope}`, `minutes:${this.#minutes}`]);
  }

  /** Milliseconds until the card expires. */
  get leftMs(): number {
    return this.#entry === null ? 0 : Date.parse(this.#entry.card.expiresAt) - this.#options.time();
  }

  get isApproveActive(): boolean {
    return (
      this.#entry !== null &&
      this.#options.canApprove() &&
      this.leftMs > 0 &&
      this.#isSettled &&
      this.#options.wasReadToEnd() &&
      !this.#options.wasCursorPushed()
    );
  }

  /** The card was visible, whole and unchanged for this long, and nothing was pressed meanwhile. */
  get #isSettled(): boolean {
    return this.#options.now() - this.#settlingSince >= CARD_SETTLES_MS;
  }

  /** Everything drawn that changes with time alone: drawn again only when this does. */
  get moment(): string {
    return `${Math.ceil(this.leftMs / 1000)} ${this.isApproveActive} ${this.#notice === null}`;
  }

  /** Takes the card to show; true for another card than before, which starts without a choice, press or notice of the last. */
  show(entry: CardEntry): boolean {
    const isOther = this.#entry?.card.approvalId !== entry.card.approvalId;
    this.#entry = entry;
    if (isOther) {
      this.#scope = entry.card.allowedScopes[0] ?? 'once';
      this.#minutes = DEFAULT_WINDOW_MINUTES;
      this.#pressed = null;
      this.#isOpen = false;
      this.#notice = null;
      if (this.#focus !== null) this.#focus = 'deny';
    }
    return isOther;
  }

  /** The card has just become visible. */
  beginSettling(): void {
    this.#settlingSince = this.#options.now();
  }

  /** A button or key went down, here or elsewhere: while the card settles it was meant for what was there before, and so may the next one be. */
  noteInput(): void {
    if (!this.#isSettled) this.beginSettling();
  }

  /** The layout has these controls now; the keyboard goes to Deny when its control is gone. */
  useControls(controls: readonly ControlId[]): void {
    if (this.#focus !== null && !controls.includes(this.#focus)) this.#focus = 'deny';
  }

  clear(): void {
    this.#entry = null;
    this.#pressed = null;
  }

  expireNotice(): void {
    if (this.#notice !== null && this.#options.now() > this.#notice.until) this.#notice = null;
  }

  /** Another program changed or covered the card: the person must look again before anything is approved. */
  disturb(notice: string): void {
    this.beginSettling();
    this.#pressed = null;
    this.#options.onDisturbed();
    this.#notify(notice);
  }

  // ---- the keyboard

  setFocus(focus: ControlId | null): void {
    if (this.#focus === focus) return;
    this.#focus = focus;
    this.#pressed = null;
    this.#options.onChange('focus');
  }

  /** Without any notice: the window that had the keyboard is going away. */
  dropFocus(): void {
    this.#focus = null;
  }

  /** Tab: the next control of the layout, or the previous one; from the last to the first. */
  moveFocus(controls: readonly ControlId[], isBackwards: boolean): void {
    const step = isBackwards ? controls.length - 1 : 1;
    const at = controls.findIndex((id) => id === this.#focus);
    this.setFocus(controls[(at + step) % controls.length] ?? 'deny');
  }

  /** Whether a key counts at all: a device's where the card can approve, else any real one. Refuses it otherwise. */
  acceptsKey(judgement: Judgement): boolean {
    const doesCount = this.#options.canApprove() ? judgement.isHardware : judgement.isRealInput;
    if (!doesCount) this.#refuse(judgement);
    return doesCount;
  }

  /** Space goes down on the focused control. */
  spaceDown(judgement: Judgement): void {
    if (this.#focus === null) return;
    this.#pressed = this.#begun(this.#focus, 'keyboard', judgement);
    this.#options.onChange('look');
  }

  spaceUp(judgement: Judgement): void {
    const pressed = this.#pressed;
    this.#pressed = null;
    if (pressed?.by === 'keyboard' && pressed.id === this.#focus) this.#release(pressed, judgement);
    this.#options.onChange('look');
  }

  /** Enter denies on Deny and never approves: people press it without looking. */
  enter(judgement: Judgement): void {
    if (this.#focus === 'deny') this.#decide({ decision: 'deny' }, 'keyboard', judgement.isHardware);
  }

  escape(judgement: Judgement): void {
    this.#decide({ decision: 'deny' }, 'keyboard', judgement.isHardware);
  }

  // ---- the mouse

  /** `id`: the control under the cursor. */
  mouseDown(id: ControlId | null, judgement: Judgement): void {
    const pressed = this.#begun(id ?? 'deny', 'mouse', judgement);
    this.#pressed = id === null ? null : pressed;
    this.#options.onChange('look');
  }

  mouseUp(id: ControlId | null, judgement: Judgement): void {
    const pressed = this.#pressed;
    this.#pressed = null;
    if (id !== null && pressed?.by === 'mouse' && pressed.id === id) this.#release(pressed, judgement);
    else if (id !== null && pressed === null && !judgement.isHardware) this.#refuse(judgement);
    this.#options.onChange('look');
  }

  // ---- what a press does

  #begun(id: ControlId, by: PressedBy, judgement: Judgement): Pressed {
    const isSettled = this.#isSettled;
    this.noteInput();
    return { id, by, judgement, isSettled };
  }

  /** A control was pressed and let go. What permits something needs a device both times; what prevents it, real input. */
  #release({ id, by, judgement: down, isSettled }: Pressed, up: Judgement): void {
    const unfit = down.isHardware ? up : down;
    if (id === 'deny' || id === 'deny-all' || id === 'stop') {
      if (!down.isRealInput || !up.isRealInput) this.#refuse(unfit);
      else if (id === 'stop') this.#options.onStop();
      else
        this.#decide(
          { decision: 'deny', ...(id === 'deny-all' ? { all: true } : {}) },
          by,
          down.isHardware && up.isHardware,
        );
    } else if (!down.isHardware || !up.isHardware) {
      this.#refuse(unfit);
    } else if (id === 'approve') {
      this.#approve(by, isSettled);
    } else {
      if (id === 'details') this.#isOpen = !this.#isOpen;
      else if (id.startsWith('minutes:')) this.#minutes = Number(id.slice('minutes:'.length));
      else this.#scope = id.slice('scope:'.length) as ApprovalScope;
      this.#options.onChange('choice');
    }
  }

  #approve(by: PressedBy, wasSettled: boolean): void {
    const words = this.#options.words();
    const obstruction = this.#options.obstruction(by);
    if (obstruction !== null) {
      this.disturb(obstruction.notice);
      if (this.#entry !== null)
        this.#options.onRefused(this.#entry.card.approvalId, { reason: obstruction.reason, isInjected: false });
      return;
    }
    if (!wasSettled || !this.isApproveActive)
      return this.#notify(this.#options.wasReadToEnd() ? words.tooSoon : words.readOn);
    this.#decide(
      { decision: 'approve', scope: this.#scope, ...(this.#scope === 'window' ? { minutes: this.#minutes } : {}) },
      by,
      true,
    );
  }

  #refuse(judgement: Judgement): void {
    if (this.#entry !== null) this.#options.onRefused(this.#entry.card.approvalId, judgement);
    // A press meant for something else must not be followed by a press that counts.
    const words = this.#options.words();
    if (judgement.isPushed) this.disturb(words.pushed);
    else if (judgement.isTouch && judgement.isRealInput) this.#notify(words.touch);
    else this.#notify(words.injected);
  }

  #decide(decision: ApprovalDecision, how: PressedBy, isPersons: boolean): void {
    if (this.#entry !== null)
      this.#options.onDecision(this.#entry.card.approvalId, decision, how, isPersons ? 'person' : 'unsure');
  }

  #notify(text: string): void {
    this.#notice = { text, until: this.#options.now() + NOTICE_MS };
    this.#options.onChange('look');
  }
}
