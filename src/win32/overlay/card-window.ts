import { DEFAULT_WINDOW_MINUTES } from '../../contract/approval-times.ts';
import { PAINTSTRUCT } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { ApprovalDecision, ApprovalScope } from '../../contract/approval.ts';
import type { Point } from '../../contract/geometry.ts';
import { CardSheet } from './card-sheet.ts';
import { accessibleText, cardText, coverText, type CardText } from './card-text.ts';
import type { CardEntry } from './card-queue.ts';
import { GuardedWindow } from './guarded-window.ts';
import type { InputGuard } from './input-guard.ts';
import type { Judgement } from './input-judgement.ts';
import type { Control, ControlId } from './layout.ts';
import type { Vouching } from './protocol.ts';
import type { OverlayStage } from './stage.ts';
import { coveredBy } from './window-checks.ts';

const WM_SETFOCUS = 0x0007;
const WM_KILLFOCUS = 0x0008;
const WM_PAINT = 0x000f;
const WM_SETTINGCHANGE = 0x001a;
const WM_DISPLAYCHANGE = 0x007e;
const WM_KEYDOWN = 0x0100;
const WM_KEYUP = 0x0101;
const WM_LBUTTONDOWN = 0x0201;
const WM_LBUTTONUP = 0x0202;
const WM_MOUSEWHEEL = 0x020a;
const WM_DPICHANGED = 0x02e0;

const VK_TAB = 0x09;
const VK_RETURN = 0x0d;
const VK_SHIFT = 0x10;
const VK_ESCAPE = 0x1b;
const VK_SPACE = 0x20;
const VK_PRIOR = 0x21;
const VK_NEXT = 0x22;
const VK_UP = 0x26;
const VK_DOWN = 0x28;
/** The keys that mean something here. */
const KEYS = new Set([VK_TAB, VK_RETURN, VK_ESCAPE, VK_SPACE, VK_PRIOR, VK_NEXT, VK_UP, VK_DOWN]);
const KEY_WAS_DOWN = 0x4000_0000;

/** Source: learn.microsoft.com/windows/win32/winauto/event-constants */
const EVENT_SYSTEM_ALERT = 0x0002;
const EVENT_OBJECT_NAMECHANGE = 0x800c;

/** So long the card has stood there, whole and unchanged, before an Approve counts: nobody approves what just came under the cursor. */
const SETTLE_MS = 700;
/** Another program may change the window at any moment; what it did is undone in this time. */
const LOOK_MS = 100;
const NOTICE_MS = 6000;
const SCROLL_LINE = 24;
const WHEEL_NOTCH = 120;

export interface CardWindowOptions {
  readonly stage: OverlayStage;
  readonly guard: InputGuard;
  readonly vouching: () => Vouching;
  onDecision(approvalId: string, decision: ApprovalDecision, how: 'mouse' | 'keyboard'): void;
  onStop(): void;
  /** Input that did not count. */
  onRefused(approvalId: string, judgement: Pick<Judgement, 'reason' | 'isInjected'>): void;
  /** The window cannot be trusted any more: what it shows is denied. */
  onLost(what: string): void;
}

interface Pressed {
  readonly id: ControlId;
  readonly by: 'mouse' | 'keyboard';
  readonly judgement: Judgement;
}

/** The window in which one card after another is shown and decided. Every press is judged by the guard; see `#release`. */
export class CardWindow implements Disposable {
  readonly #options: CardWindowOptions;
  readonly #window: GuardedWindow;
  readonly #stopLooking: () => void;
  readonly #sheet = new CardSheet();
  #entry: CardEntry | null = null;
  #position = '';
  #text: CardText | null = null;
  #scope: ApprovalScope = 'once';
  #minutes: number = DEFAULT_WINDOW_MINUTES;
  #pressed: Pressed | null = null;
  #focus: ControlId | null = null;
  #isTakingFocus = false;
  #before = 0;
  /** Since when the card has stood there undisturbed. */
  #calmSince = 0;
  #notice: { readonly text: string; readonly until: number } | null = null;
  #drawn = '';

  constructor(options: CardWindowOptions) {
    this.#options = options;
    this.#window = new GuardedWindow({
      stage: options.stage,
      rect: { x: 0, y: 0, width: 10, height: 10 },
      onMessage: (message, wParam, lParam) => this.#onMessage(message, wParam, lParam),
      onTampered: (what) => this.#disturb(`Another program interfered: ${what}.`),
      onLost: (what) => options.stage.pump.later(() => options.onLost(what)),
    });
    this.#stopLooking = options.stage.pump.every(LOOK_MS, () => this.#look());
  }

  /** Shows a card; the same one again with another position only changes that. */
  present(entry: CardEntry, position: string): void {
    const isOther = this.#entry?.card.approvalId !== entry.card.approvalId;
    const isElsewhere = this.#position !== position;
    this.#entry = entry;
    this.#position = position;
    if (isOther) {
      this.#text = cardText(entry.card);
      this.#sheet.begin();
      this.#scope = entry.card.allowedScopes[0] ?? 'once';
      this.#minutes = DEFAULT_WINDOW_MINUTES;
      this.#pressed = null;
      this.#notice = null;
      if (this.#focus !== null) this.#focus = 'deny';
    }
    this.#arrange();
    if (isOther) {
      this.#calmSince = performance.now();
      this.#tell();
      user32.NotifyWinEvent(EVENT_SYSTEM_ALERT, this.#window.hwnd, 0, 0);
    } else if (isElsewhere) {
      this.#tell();
    }
  }

  /** The picture of the card that is shown has come. */
  refresh(): void {
    this.#arrange();
  }

  /** Gives the keyboard to the card, on Deny. The caller has made sure that a person asked for it. */
  takeFocus(): void {
    if (this.#entry === null) return;
    const foreground = user32.GetForegroundWindow();
    if (foreground !== this.#window.hwnd) this.#before = foreground;
    this.#isTakingFocus = true;
    try {
      user32.SetForegroundWindow(this.#window.hwnd);
      user32.SetFocus(this.#window.hwnd);
    } finally {
      this.#isTakingFocus = false;
    }
    this.#setFocus('deny');
  }

  /** Nothing is left to show. The keyboard goes back to where it was. */
  rest(): void {
    this.#entry = null;
    this.#pressed = null;
    this.#giveFocusBack();
    this.#window.hide();
  }

  [Symbol.dispose](): void {
    this.#stopLooking();
    this.#giveFocusBack();
    this.#window[Symbol.dispose]();
    this.#sheet[Symbol.dispose]();
  }

  // ---- what is shown

  #arrange(): void {
    const { card, pixels } = this.#entry ?? {};
    if (card === undefined || this.#text === null) return;
    const place = this.#sheet.arrange(card.window === null ? 0 : Number(BigInt(card.window.hwnd)), {
      text: this.#text,
      position: this.#position,
      scopes: card.allowedScopes,
      chosenScope: this.#scope,
      covers: coverText(card, this.#scope, this.#minutes),
      onlyDeny: this.#onlyDeny(),
      picture: pixels ?? null,
      canDenyAll: card.owner !== null,
    });
    if (this.#focus !== null && !this.#sheet.controls.some(({ id }) => id === this.#focus)) this.#focus = 'deny';
    this.#window.show(place);
    this.#invalidate();
  }

  #onlyDeny(): string | null {
    const { canApprove, hindrances } = this.#options.vouching();
    if (canApprove && this.#options.guard.isWatching) return null;
    const why = hindrances.includes('server_edition')
      ? 'a Server edition of Windows does not vouch for the origin of input'
      : 'this system does not tell a person’s input from a program’s';
    return `Only a no can be given here: ${why}. An operator can approve by the API, where the policy allows it.`;
  }

  #tell(): void {
    const { card } = this.#entry ?? {};
    if (card === undefined || this.#text === null) return;
    const focused = this.#sheet.controls.find(({ id }) => id === this.#focus);
    this.#window.setText(
      accessibleText(
        this.#text,
        this.#position,
        Math.ceil(this.#leftMs() / 1000),
        focused?.label ?? null,
        card.allowedScopes.length > 1 ? coverText(card, this.#scope, this.#minutes) : '',
      ),
    );
    user32.NotifyWinEvent(EVENT_OBJECT_NAMECHANGE, this.#window.hwnd, 0, 0);
  }

  #leftMs(): number {
    return this.#entry === null ? 0 : Date.parse(this.#entry.card.expiresAt) - Date.now();
  }

  get #isApproveActive(): boolean {
    return (
      this.#entry !== null &&
      this.#onlyDeny() === null &&
      this.#leftMs() > 0 &&
      performance.now() - this.#calmSince >= SETTLE_MS &&
      !this.#options.guard.wasCursorPushed
    );
  }

  /** Everything on the card that changes by itself; drawn again only when it does. */
  #moment(): string {
    return `${Math.ceil(this.#leftMs() / 1000)} ${this.#isApproveActive} ${this.#notice === null}`;
  }

  #invalidate(): void {
    user32.InvalidateRect(this.#window.hwnd, null, false);
  }

  #paint(): void {
    const paint = PAINTSTRUCT.alloc();
    const dc = user32.BeginPaint(this.#window.hwnd, paint);
    try {
      const { card, pixels } = this.#entry ?? {};
      if (dc === 0 || card === undefined) return;
      this.#drawn = this.#moment();
      this.#sheet.draw({
        pixels: pixels ?? null,
        riskLevel: card.riskLevel,
        focus: this.#focus,
        pressed: this.#pressed?.id ?? null,
        chosen: new Set<ControlId>([`scope:${this.#scope}`, `minutes:${this.#minutes}`]),
        isApproveActive: this.#isApproveActive,
        leftMs: this.#leftMs(),
        totalMs: this.#entry?.totalMs ?? Date.parse(card.expiresAt) - Date.parse(card.createdAt),
        notice: this.#notice?.text ?? null,
      });
      this.#sheet.copyTo(dc);
    } finally {
      user32.EndPaint(this.#window.hwnd, paint);
    }
  }

  // ---- what other programs do

  #look(): void {
    if (this.#entry === null) return;
    this.#window.check();
    const cover = coveredBy(this.#window.hwnd, this.#window.rect);
    if (cover !== null) {
      this.#disturb('Another window lay above this card. Look again.');
      this.#window.raise();
    }
    if (this.#notice !== null && performance.now() > this.#notice.until) this.#notice = null;
    if (this.#moment() !== this.#drawn) this.#invalidate();
    else this.#showAgain();
  }

  /** What stands there is put there again: another program can draw into any window by its device context. */
  #showAgain(): void {
    const dc = user32.GetDC(this.#window.hwnd);
    if (dc === 0) return;
    try {
      this.#sheet.copyTo(dc);
    } finally {
      user32.ReleaseDC(this.#window.hwnd, dc);
    }
  }

  #disturb(notice: string): void {
    this.#calmSince = performance.now();
    this.#pressed = null;
    this.#options.guard.forget();
    this.#say(notice);
  }

  #say(text: string): void {
    this.#notice = { text, until: performance.now() + NOTICE_MS };
    this.#invalidate();
  }

  // ---- what the person does

  #onMessage(message: number, wParam: number, lParam: number): number | undefined {
    switch (message) {
      case WM_PAINT:
        this.#paint();
        return 0;
      case WM_LBUTTONDOWN:
      case WM_LBUTTONUP:
        this.#onButton(message === WM_LBUTTONDOWN ? 'mouse-down' : 'mouse-up', {
          x: (lParam << 16) >> 16,
          y: lParam >> 16,
        });
        return 0;
      case WM_KEYDOWN:
        this.#onKeyDown(wParam, lParam);
        return 0;
      case WM_KEYUP:
        this.#onKeyUp(wParam);
        return 0;
      case WM_MOUSEWHEEL:
        this.#scrollBy(
          -Math.round(((((wParam >> 16) << 16) >> 16) / WHEEL_NOTCH) * 3 * SCROLL_LINE * this.#sheet.scale),
        );
        return 0;
      case WM_SETFOCUS:
        // Another program may put the keyboard here; then no key counts.
        if (!this.#isTakingFocus) this.#setFocus(null);
        return 0;
      case WM_KILLFOCUS:
        this.#setFocus(null);
        return 0;
      case WM_DPICHANGED:
      case WM_DISPLAYCHANGE:
      case WM_SETTINGCHANGE:
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
    const judgement = this.#options.guard.judgeMouse(kind, { x: rect.x + point.x, y: rect.y + point.y });
    const control = this.#sheet.controlAt(point);
    if (kind === 'mouse-down') {
      this.#pressed = control === null ? null : { id: control.id, by: 'mouse', judgement };
    } else {
      const pressed = this.#pressed;
      this.#pressed = null;
      if (control !== null && pressed !== null && pressed.by === 'mouse' && pressed.id === control.id)
        this.#release(control, pressed, judgement);
      else if (control !== null && pressed === null && !judgement.isHardware) this.#refuse(judgement);
    }
    this.#invalidate();
  }

  #onKeyDown(key: number, lParam: number): void {
    if (this.#focus === null || !KEYS.has(key)) return;
    const judgement = this.#options.guard.judgeKey('key-down', key);
    if (this.#onlyDeny() === null ? !judgement.isHardware : !judgement.isRealInput) return this.#refuse(judgement);
    const isRepeat = (lParam & KEY_WAS_DOWN) !== 0;
    switch (key) {
      case VK_TAB: {
        const { controls } = this.#sheet;
        const step = user32.GetKeyState(VK_SHIFT) < 0 ? controls.length - 1 : 1;
        const at = controls.findIndex(({ id }) => id === this.#focus);
        return this.#setFocus(controls[(at + step) % controls.length]?.id ?? 'deny');
      }
      case VK_SPACE:
        if (!isRepeat) this.#pressed = { id: this.#focus, by: 'keyboard', judgement };
        return this.#invalidate();
      case VK_RETURN:
        // Enter never approves: it is pressed without looking.
        if (this.#focus === 'deny' && !isRepeat) this.#decide({ decision: 'deny' }, 'keyboard');
        return;
      case VK_ESCAPE:
        if (!isRepeat) this.#decide({ decision: 'deny' }, 'keyboard');
        return;
      case VK_UP:
        return this.#scrollBy(-Math.round(SCROLL_LINE * this.#sheet.scale));
      case VK_DOWN:
        return this.#scrollBy(Math.round(SCROLL_LINE * this.#sheet.scale));
      case VK_PRIOR:
        return this.#scrollBy(-this.#sheet.page);
      case VK_NEXT:
        return this.#scrollBy(this.#sheet.page);
      default:
    }
  }

  #onKeyUp(key: number): void {
    if (key !== VK_SPACE) return;
    const judgement = this.#options.guard.judgeKey('key-up', key);
    const pressed = this.#pressed;
    this.#pressed = null;
    const control = this.#sheet.controls.find(({ id }) => id === this.#focus);
    if (control !== undefined && pressed?.by === 'keyboard' && pressed.id === control.id)
      this.#release(control, pressed, judgement);
    this.#invalidate();
  }

  /** A control was pressed and let go. What lets something happen needs a device both times; what prevents it, real input. */
  #release(control: Control, pressed: Pressed, released: Judgement): void {
    const { id } = control;
    const isReal = pressed.judgement.isRealInput && released.isRealInput;
    const isHardware = pressed.judgement.isHardware && released.isHardware;
    const unfit = pressed.judgement.isHardware ? released : pressed.judgement;
    if (id === 'deny' || id === 'deny-all' || id === 'stop') {
      if (!isReal) return this.#refuse(unfit);
      if (id !== 'stop') this.#decide({ decision: 'deny', ...(id === 'deny-all' ? { all: true } : {}) }, pressed.by);
      else this.#options.onStop();
      return;
    }
    if (!isHardware) return this.#refuse(unfit);
    if (id === 'approve') return this.#approve(pressed.by);
    if (id.startsWith('minutes:')) {
      this.#minutes = Number(id.slice('minutes:'.length));
    } else {
      this.#scope = id.slice('scope:'.length) as ApprovalScope;
    }
    this.#arrange();
    this.#tell();
  }

  #approve(by: 'mouse' | 'keyboard'): void {
    const problem = this.#window.problem();
    if (problem !== null) return this.#void(`Another program interfered: ${problem}.`, problem);
    if (coveredBy(this.#window.hwnd, this.#window.rect) !== null)
      return this.#void('Another window lay above this card. Look again.', 'a window lay above the card');
    if (!this.#isApproveActive) return this.#say('Too soon: read first, then approve.');
    this.#decide(
      { decision: 'approve', scope: this.#scope, ...(this.#scope === 'window' ? { minutes: this.#minutes } : {}) },
      by,
    );
  }

  /** The card could not be seen as it is, so a yes to it is none. */
  #void(notice: string, reason: string): void {
    this.#disturb(notice);
    if (this.#entry !== null) this.#options.onRefused(this.#entry.card.approvalId, { reason, isInjected: false });
  }

  #refuse(judgement: Judgement): void {
    if (this.#entry !== null) this.#options.onRefused(this.#entry.card.approvalId, judgement);
    // A press meant for something else is not followed by one that counts at once.
    if (judgement.isPushed) this.#disturb('A program moved your cursor. Look, then click again.');
    else if (judgement.isTouch && judgement.isRealInput)
      this.#say('Touch and pen can only deny or stop. Approve with the mouse or the keyboard.');
    else this.#say('That was a program’s input, not yours: it does not count.');
  }

  #decide(decision: ApprovalDecision, by: 'mouse' | 'keyboard'): void {
    const { card } = this.#entry ?? {};
    if (card === undefined) return;
    this.#options.stage.pump.later(() => this.#options.onDecision(card.approvalId, decision, by));
  }

  #scrollBy(pixels: number): void {
    this.#sheet.scrollBy(pixels);
    this.#invalidate();
  }

  #setFocus(focus: ControlId | null): void {
    if (this.#focus === focus) return;
    this.#focus = focus;
    this.#pressed = null;
    this.#tell();
    this.#invalidate();
  }

  #giveFocusBack(): void {
    if (this.#focus !== null && this.#before !== 0 && user32.GetForegroundWindow() === this.#window.hwnd)
      user32.SetForegroundWindow(this.#before);
    this.#focus = null;
    this.#before = 0;
  }
}
