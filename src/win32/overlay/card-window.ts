/** The card's window: its messages, its drawing, and what other programs do to it. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { PAINTSTRUCT } from '../../../native-bindings/win32/structs.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { ApprovalCard, ApprovalDecision } from '../../contract/gate/approval.ts';
import { ENGLISH, wordsFor, type CardWords } from '../../contract/gate/card-words.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import { CardSheet } from './card-sheet.ts';
import { CardState, type Obstruction, type PressedBy, type CardEntry } from './card-state.ts';
import { accessibleText, cardText, coverText, denyOnlyText, type CardText } from '../../contract/gate/card-text.ts';
import { coveredBy, GuardedWindow } from './guarded-window.ts';
import type { InputGuard } from './input-guard.ts';
import type { Judgement } from './input-judgement.ts';
import type { ControlId } from './layout.ts';
import { notePointer, pointerProblem } from './own-window.ts';
import type { Decider, Vouching } from './protocol.ts';
import type { OverlayStage } from './message-pump.ts';

/** The keys that mean something here. */
const KEYS = new Set([m.VK_TAB, m.VK_RETURN, m.VK_ESCAPE, m.VK_SPACE, m.VK_PRIOR, m.VK_NEXT, m.VK_UP, m.VK_DOWN]);
const KEY_WAS_DOWN = 0x4000_0000;

/** Another program may change the window at any moment; its changes are undone within this time. */
const LOOK_MS = 100;
const SCROLL_LINE = 24;

export interface CardWindowOptions {
  readonly stage: OverlayStage;
  readonly guard: InputGuard;
  readonly vouching: () => Vouching;
  onDecision(approvalId: string, decision: ApprovalDecision, by: Decider, how: PressedBy): void;
  onStop(): void;
  /** Input that did not count. */
  onRefused(approvalId: string, judgement: Pick<Judgement, 'reason' | 'isInjected'>): void;
  /** The window can no longer be trusted: what it shows is denied. */
  onLost(what: string): void;
  /** Where the card will be, before it is shown there; null once it is gone. */
  onPlace(place: Rect | null): void;
}

/** The window in which one card after another is shown and decided: its events and its drawing. What a press does is `CardState`'s. */
export class CardWindow implements Disposable {
  readonly #options: CardWindowOptions;
  readonly #window: GuardedWindow;
  readonly #stopLooking: () => void;
  readonly #sheet = new CardSheet();
  readonly #state: CardState;
  #position = '';
  #text: CardText | null = null;
  #words: CardWords = ENGLISH;
  #isTakingFocus = false;
  /** Where a button went down or up last, screen pixels. */
  #lastPress: Point = { x: 0, y: 0 };
  /** The window that had the keyboard before the card. */
  #before = 0;
  /** `CardState.moment` of what was drawn last. */
  #drawn = '';

  constructor(options: CardWindowOptions) {
    this.#options = options;
    this.#state = new CardState({
      now: () => performance.now(),
      time: () => Date.now(),
      canApprove: () => this.#onlyDeny() === null,
      wasCursorPushed: () => options.guard.wasCursorPushed,
      obstruction: (by) => this.#obstruction(by),
      wasReadToEnd: () => this.#sheet.isEndSeen,
      words: () => this.#words.ui,
      onDisturbed: () => options.guard.forget(),
      onDecision: (approvalId, decision, how, by) =>
        options.stage.pump.later(() => options.onDecision(approvalId, decision, by, how)),
      onStop: () => options.onStop(),
      onRefused: (approvalId, judgement) => options.onRefused(approvalId, judgement),
      onChange: (what) => this.#onChange(what),
    });
    options.guard.onPress = () => this.#state.noteInput();
    this.#window = new GuardedWindow({
      stage: options.stage,
      rect: { x: 0, y: 0, width: 10, height: 10 },
      onMessage: (message, wParam, lParam) => this.#onMessage(message, wParam, lParam),
      onTampered: () => this.#state.disturb(this.#words.ui.interfered),
      onLost: (what) => options.stage.pump.later(() => options.onLost(what)),
    });
    this.#stopLooking = options.stage.pump.every(LOOK_MS, () => this.#look());
  }

  /** Shows a card; the same one again with another position only changes that. */
  present(entry: CardEntry, position: string): void {
    const isOther = this.#state.show(entry);
    const isElsewhere = this.#position !== position;
    this.#position = position;
    if (isOther) {
      this.#words = wordsFor(kernel32.GetUserDefaultUILanguage());
      this.#text = cardText(entry.card, this.#words);
      this.#sheet.begin();
    }
    this.#arrange();
    if (isOther) {
      this.#state.beginSettling();
      this.#announce();
      user32.NotifyWinEvent(m.EVENT_SYSTEM_ALERT, this.#window.hwnd, 0, 0);
    } else if (isElsewhere) {
      this.#announce();
    }
  }

  /** The picture of the card that is shown has come. */
  refresh(): void {
    this.#sheet.lookAgain();
    this.#arrange();
  }

  /** Gives the keyboard to the card, on Deny. The caller has made sure that a person asked for it. */
  takeFocus(): void {
    if (this.#state.entry === null) return;
    const foreground = user32.GetForegroundWindow();
    if (foreground !== this.#window.hwnd) this.#before = foreground;
    this.#isTakingFocus = true;
    try {
      user32.SetForegroundWindow(this.#window.hwnd);
      user32.SetFocus(this.#window.hwnd);
    } finally {
      this.#isTakingFocus = false;
    }
    this.#state.setFocus('deny');
  }

  /** Nothing is left to show. The keyboard goes back to where it was. */
  rest(): void {
    this.#state.clear();
    this.#giveFocusBack();
    this.#window.hide();
    this.#options.onPlace(null);
  }

  [Symbol.dispose](): void {
    this.#stopLooking();
    this.#giveFocusBack();
    this.#window[Symbol.dispose]();
    this.#sheet[Symbol.dispose]();
  }

  // ---- what is shown

  #arrange(): void {
    const { card, pixels } = this.#state.entry ?? {};
    if (card === undefined || this.#text === null) return;
    const place = this.#sheet.arrange(card.window === null ? 0 : Number(BigInt(card.window.hwnd)), {
      text: this.#text,
      words: this.#words,
      isOpen: this.#state.isOpen,
      position: this.#position,
      scopes: card.allowedScopes,
      chosenScope: this.#state.scope,
      covers: this.#covers(card),
      onlyDeny: this.#onlyDeny(),
      picture: pixels ?? null,
      canDenyAll: card.owner !== null,
    });
    this.#state.useControls(this.#controls());
    this.#options.onPlace(place);
    this.#window.show(place);
    this.#invalidate();
  }

  #covers(card: ApprovalCard): string {
    return coverText(card, this.#words, this.#state.scope, this.#state.minutes);
  }

  #controls(): ControlId[] {
    return this.#sheet.controls.map(({ id }) => id);
  }

  #onlyDeny(): string | null {
    const { vouching, guard } = this.#options;
    return denyOnlyText(vouching(), guard.isWatching, this.#words);
  }

  /** Gives screen readers the card's words. */
  #announce(): void {
    const { card } = this.#state.entry ?? {};
    if (card === undefined || this.#text === null) return;
    const focused = this.#sheet.controls.find(({ id }) => id === this.#state.focus);
    this.#window.setText(
      accessibleText(this.#text, this.#words, {
        position: this.#position,
        secondsLeft: Math.ceil(this.#state.leftMs / 1000),
        focus: focused?.label ?? null,
        covers: this.#covers(card),
      }),
    );
    user32.NotifyWinEvent(m.EVENT_OBJECT_NAMECHANGE, this.#window.hwnd, 0, 0);
  }

  #onChange(what: 'look' | 'focus' | 'choice'): void {
    if (what === 'choice') this.#arrange();
    if (what !== 'look') this.#announce();
    this.#invalidate();
  }

  #invalidate(): void {
    user32.InvalidateRect(this.#window.hwnd, null, false);
  }

  #paint(): void {
    const paint = PAINTSTRUCT.alloc();
    const dc = user32.BeginPaint(this.#window.hwnd, paint);
    try {
      const state = this.#state;
      const { card, pixels, totalMs } = state.entry ?? {};
      if (dc === 0 || card === undefined) return;
      this.#drawn = state.moment;
      this.#sheet.draw({
        words: this.#words,
        pixels: pixels ?? null,
        riskLevel: card.riskLevel,
        focus: state.focus,
        pressed: state.pressed,
        chosen: state.chosen,
        isApproveActive: state.isApproveActive,
        leftMs: state.leftMs,
        totalMs: totalMs ?? Date.parse(card.expiresAt) - Date.parse(card.createdAt),
        notice: state.notice,
      });
      this.#sheet.copyTo(dc);
    } finally {
      user32.EndPaint(this.#window.hwnd, paint);
    }
  }

  // ---- what other programs do

  #look(): void {
    if (this.#state.entry === null) return;
    this.#window.check();
    const cover = this.#cover();
    if (cover !== null) {
      this.#state.disturb(cover.notice);
      this.#window.raise();
    }
    this.#state.expireNotice();
    if (this.#state.moment !== this.#drawn) this.#invalidate();
    else this.#showAgain();
  }

  /** A program whose window covers the card, which one: a person can close it, where it comes back again and again. */
  #cover(): Obstruction | null {
    const program = coveredBy(this.#window.hwnd, this.#window.rect);
    if (program === null) return null;
    const { covered } = this.#words.ui;
    return program === ''
      ? { notice: covered, reason: 'a window covered the card' }
      : { notice: `${covered} (${program})`, reason: `a window of ${program} covered the card` };
  }

  #obstruction(by: PressedBy): Obstruction | null {
    const problem = this.#window.problem();
    const { ui } = this.#words;
    if (problem !== null) return { notice: ui.interfered, reason: problem };
    const cover = this.#cover();
    if (cover !== null) return cover;
    const pointer = by === 'mouse' ? pointerProblem(this.#lastPress) : null;
    return pointer === null ? null : { notice: ui.pointer, reason: pointer };
  }

  /** Copies what was drawn to the screen again: another program can draw into any window by its device context. */
  #showAgain(): void {
    const dc = user32.GetDC(this.#window.hwnd);
    if (dc === 0) return;
    try {
      this.#sheet.copyTo(dc);
    } finally {
      user32.ReleaseDC(this.#window.hwnd, dc);
    }
  }

  // ---- what the person does

  #onMessage(message: number, wParam: number, lParam: number): number | undefined {
    switch (message) {
      case m.WM_PAINT:
        this.#paint();
        return 0;
      case m.WM_LBUTTONDOWN:
      case m.WM_LBUTTONUP:
        this.#onButton(message === m.WM_LBUTTONDOWN ? 'mouse-down' : 'mouse-up', {
          x: (lParam << 16) >> 16,
          y: lParam >> 16,
        });
        return 0;
      case m.WM_MOUSEMOVE:
        notePointer(user32.GetForegroundWindow() === this.#window.hwnd);
        return 0;
      case m.WM_KEYDOWN:
        this.#onKeyDown(wParam, lParam);
        return 0;
      case m.WM_KEYUP:
        if (wParam === m.VK_SPACE) this.#state.spaceUp(this.#options.guard.judgeKey('key-up', m.VK_SPACE));
        return 0;
      case m.WM_MOUSEWHEEL:
        this.#scrollBy(
          -Math.round(((((wParam >> 16) << 16) >> 16) / m.WHEEL_DELTA) * 3 * SCROLL_LINE * this.#sheet.scale),
        );
        return 0;
      case m.WM_SETFOCUS:
        // Another program may put the keyboard here; then no key counts.
        if (!this.#isTakingFocus) this.#state.setFocus(null);
        return 0;
      case m.WM_KILLFOCUS:
        this.#state.setFocus(null);
        return 0;
      case m.WM_DPICHANGED:
      case m.WM_DISPLAYCHANGE:
      case m.WM_SETTINGCHANGE:
        this.#options.stage.pump.later(() => {
          this.#sheet.useCurrentTheme();
          this.#arrange();
        });
        return 0;
      default:
        return undefined;
    }
  }

  #onButton(kind: 'mouse-down' | 'mouse-up', point: Point): void {
    const { rect } = this.#window;
    this.#lastPress = { x: rect.x + point.x, y: rect.y + point.y };
    const judgement = this.#options.guard.judgeMouse(kind, this.#lastPress);
    const control = this.#sheet.controlAt(point)?.id ?? null;
    if (kind === 'mouse-down') this.#state.mouseDown(control, judgement);
    else this.#state.mouseUp(control, judgement);
  }

  #onKeyDown(key: number, lParam: number): void {
    if (this.#state.focus === null || !KEYS.has(key)) return;
    const judgement = this.#options.guard.judgeKey('key-down', key);
    if (!this.#state.acceptsKey(judgement)) return;
    const isRepeat = (lParam & KEY_WAS_DOWN) !== 0;
    switch (key) {
      case m.VK_TAB:
        return this.#state.moveFocus(this.#controls(), user32.GetKeyState(m.VK_SHIFT) < 0);
      case m.VK_SPACE:
        if (!isRepeat) this.#state.spaceDown(judgement);
        return;
      case m.VK_RETURN:
        if (!isRepeat) this.#state.enter(judgement);
        return;
      case m.VK_ESCAPE:
        if (!isRepeat) this.#state.escape(judgement);
        return;
      case m.VK_UP:
        return this.#scrollBy(-Math.round(SCROLL_LINE * this.#sheet.scale));
      case m.VK_DOWN:
        return this.#scrollBy(Math.round(SCROLL_LINE * this.#sheet.scale));
      case m.VK_PRIOR:
        return this.#scrollBy(-this.#sheet.page);
      case m.VK_NEXT:
        return this.#scrollBy(this.#sheet.page);
      default:
    }
  }

  #scrollBy(pixels: number): void {
    this.#sheet.scrollBy(pixels);
    this.#invalidate();
  }

  #giveFocusBack(): void {
    if (this.#state.focus !== null && this.#before !== 0 && user32.GetForegroundWindow() === this.#window.hwnd)
      user32.SetForegroundWindow(this.#before);
    this.#state.dropFocus();
    this.#before = 0;
  }
}
