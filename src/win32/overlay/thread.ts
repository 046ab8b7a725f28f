/** The thread that owns the overlay’s windows, and its hotkeys. */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { toUiaHostError } from '../../contract/errors.ts';
import { describeFault } from '../../contract/process/fault.ts';
import { becomePerMonitorAware } from '../windows/rects.ts';
import { Indicators } from './indicator.ts';
import { InputGuard, systemVouching } from './input-guard.ts';
import { MessagePump, type OverlayStage } from './message-pump.ts';
import type {
  FromOverlayThread,
  IndicatorCall,
  ToOverlayThread,
  CardClock,
  CardPixels,
  Decider,
  ServingWorkers,
  Vouching,
} from './protocol.ts';
import type { ApprovalCard, ApprovalDecision } from '../../contract/gate/approval.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { CardQueue } from './card-state.ts';
import { CardWindow } from './card-window.ts';

/** After this many lost windows all remaining cards are denied. */
const MAX_LOSSES = 5;

interface CardEvents {
  /** The first card came. */
  onFirst(): void;
  /** The last one is gone. */
  onLast(): void;
  /** Where the card will be shown, before it is; null once it is gone. */
  onPlace(place: Rect | null): void;
}

/** The cards of this host: a queue, the window that shows its first card, and the guard that watches while there is one. */
class Cards implements Disposable {
  readonly guard: InputGuard;
  readonly #stage: OverlayStage;
  readonly #queue = new CardQueue();
  readonly #events: CardEvents;
  #vouching: Vouching = systemVouching();
  #window: CardWindow | null = null;
  #losses = 0;
  #workers: ServingWorkers = { first: null, further: [] };

  constructor(stage: OverlayStage, events: CardEvents) {
    this.#stage = stage;
    this.#events = events;
    this.guard = new InputGuard(stage.fault);
    // Tried at the start: hindrances are known before a card depends on them, and the first card appears sooner.
    if (!this.guard.watch())
      this.#vouching = { canApprove: false, hindrances: [...this.#vouching.hindrances, 'no_input_hook'] };
    this.guard.rest();
    this.#window = this.#makeWindow();
  }

  get vouching(): Vouching {
    return this.#vouching;
  }

  get length(): number {
    return this.#queue.length;
  }

  show(card: ApprovalCard): void {
    this.#queue.add(card);
    if (this.#queue.length === 1) {
      this.guard.watch();
      this.#losses = 0;
      this.#events.onFirst();
    }
    this.#present();
  }

  setPixels(pixels: CardPixels): void {
    const entry = this.#queue.find(pixels.approvalId);
    if (entry === null) return;
    entry.pixels = pixels;
    if (entry === this.#queue.current) this.#window?.refresh();
  }

  setClock({ approvalId, expiresAt, totalMs }: CardClock): void {
    const entry = this.#queue.find(approvalId);
    if (entry === null) return;
    entry.card = { ...entry.card, expiresAt };
    entry.totalMs = totalMs;
  }

  /** The processes of which one gets the right to the foreground with an Approve. */
  setWorkers(workers: ServingWorkers): void {
    this.#workers = workers;
  }

  takeAway(approvalId: string): void {
    if (this.#queue.remove(approvalId)) this.#present();
  }

  /** A person asked for the keyboard. */
  takeFocus(): void {
    this.#window?.takeFocus();
  }

  [Symbol.dispose](): void {
    this.guard[Symbol.dispose]();
    this.#window?.[Symbol.dispose]();
    this.#window = null;
  }

  #makeWindow(): CardWindow {
    return new CardWindow({
      stage: this.#stage,
      guard: this.guard,
      vouching: () => this.#vouching,
      onDecision: (approvalId, decision, by, how) => this.#decided(approvalId, decision, by, how),
      onStop: () => this.#stage.tell({ kind: 'stop', how: 'card' }),
      onRefused: (approvalId, { reason, isInjected }) => {
        this.#stage.tell({ kind: 'refused', approvalId, reason, isInjected });
        // Windows may have removed a slow hook silently.
        if (!isInjected)
          this.#stage.pump.later(() => {
            if (this.#queue.length > 0) this.guard.watch();
          });
      },
      onLost: (what) => this.#lost(what),
      onPlace: (place) => this.#events.onPlace(place),
    });
  }

  #present(): void {
    const { current, position } = this.#queue;
    if (current === null) {
      this.guard.rest();
      this.#window?.rest();
      this.#events.onLast();
      return;
    }
    this.#window ??= this.#makeWindow();
    this.#window.present(current, position);
    this.#stage.tell({ kind: 'shown', approvalId: current.card.approvalId });
  }

  #decided(approvalId: string, decision: ApprovalDecision, by: Decider, how: string): void {
    const card = this.#queue.find(approvalId)?.card;
    const owner = decision.all === true ? (card?.owner ?? null) : null;
    if (owner === null ? !this.#queue.remove(approvalId) : !this.#queue.removeOwner(owner)) return;
    if (decision.decision === 'approve') this.#handOnForeground(card?.window?.pid);
    this.#stage.tell({ kind: 'decided', approvalId, decision, by, how });
    this.#present();
  }

  /**
   * The person's last input came to this process, so Windows lets it pass on the right to set the foreground window: an
   * action may need it, and no other process of the host can get it. It ends with the person's next input.
   * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-allowsetforegroundwindow
   */
  #handOnForeground(program: number | undefined): void {
    const { first, further } = this.#workers;
    const worker = further.find((each) => each.program === program)?.worker ?? first;
    if (worker === null) return;
    const isAllowed = user32.AllowSetForegroundWindow(worker);
    const what = isAllowed ? 'may set the foreground window' : 'was not allowed to set the foreground window';
    this.#stage.tell({ kind: 'log', level: 'info', message: `after Approve the desktop worker ${what}` });
  }

  /** Another program took the window over: its card is denied, and a new window shows the others. */
  #lost(what: string): void {
    this.#window?.[Symbol.dispose]();
    this.#window = null;
    this.#losses += 1;
    const { current } = this.#queue;
    if (current === null) {
      this.#window = this.#makeWindow();
      return;
    }
    this.#decided(current.card.approvalId, { decision: 'deny' }, 'lost', what);
    while (this.#losses >= MAX_LOSSES && this.#queue.current !== null) {
      this.#decided(this.#queue.current.card.approvalId, { decision: 'deny' }, 'lost', what);
    }
  }
}

/** Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-registerhotkey */
const CTRL_ALT_SHIFT_ONCE = m.MOD_CONTROL | m.MOD_ALT | m.MOD_SHIFT | m.MOD_NOREPEAT;
const STOP = 1;
const FOCUS = 2;

/** Time between attempts to register the combination while another program holds it. */
const RETRY_MS = 2000;

interface HotkeyOptions {
  readonly stage: OverlayStage;
  readonly guard: InputGuard;
  onStop(): void;
  onFocus(): void;
}

/**
 * Ctrl+Alt+Shift+Esc stops everything while the host runs; Ctrl+Alt+Shift+Space moves the keyboard to a card while there is
 * one. Both belong to the thread, so they need no window.
 */
class Hotkeys implements Disposable {
  readonly #options: HotkeyOptions;
  readonly #stopRetrying: () => void;
  #hasStop = false;
  #hasFocus = false;
  #isReported = false;

  constructor(options: HotkeyOptions) {
    this.#options = options;
    this.#tryStop();
    this.#stopRetrying = options.stage.pump.every(RETRY_MS, () => this.#tryStop());
  }

  /** Turns the focus hotkey on or off. */
  listenForFocus(isWanted: boolean): void {
    if (isWanted && !this.#hasFocus) this.#hasFocus = user32.RegisterHotKey(0, FOCUS, CTRL_ALT_SHIFT_ONCE, m.VK_SPACE);
    if (!isWanted && this.#hasFocus) {
      user32.UnregisterHotKey(0, FOCUS);
      this.#hasFocus = false;
    }
  }

  /**
   * WM_HOTKEY of the thread. While hooks are set, a device must have pressed the key. Without a card there are no hooks, and
   * only input that Windows marks as injected is ignored: one stop too many does less harm than one too few.
   */
  onThreadMessage(message: number, wParam: number): void {
    if (message !== m.WM_HOTKEY) return;
    const { guard } = this.#options;
    if (wParam === STOP && this.#hasStop) {
      if (guard.isWatching ? guard.didDevicePress(m.VK_ESCAPE) : guard.origin() !== 'injected') this.#options.onStop();
    } else if (wParam === FOCUS && this.#hasFocus && guard.isWatching && guard.didDevicePress(m.VK_SPACE, true)) {
      this.#options.onFocus();
    }
  }

  [Symbol.dispose](): void {
    this.#stopRetrying();
    this.listenForFocus(false);
    if (this.#hasStop) user32.UnregisterHotKey(0, STOP);
  }

  #tryStop(): void {
    if (this.#hasStop) return;
    this.#hasStop = user32.RegisterHotKey(0, STOP, CTRL_ALT_SHIFT_ONCE, m.VK_ESCAPE);
    if (this.#isReported && !this.#hasStop) return;
    this.#isReported = true;
    this.#options.stage.tell({ kind: 'stop-hotkey', isRegistered: this.#hasStop });
  }
}

/**
 * Runs the overlay's window thread. It never returns to its event loop: it waits for window messages in native code and
 * reads the host's messages from the port whenever it is woken. Ends with the message `exit`.
 */
export function runOverlayThread(port: MessagePort): void {
  const tell = (message: FromOverlayThread): void => port.postMessage(message);
  const fault = (error: unknown): void => tell({ kind: 'log', level: 'error', message: describeFault(error) });
  becomePerMonitorAware();
  using pump = new MessagePump(fault);
  const stage: OverlayStage = { pump, tell, fault };
  using indicators = new Indicators(stage);
  using cards = new Cards(stage, {
    onFirst: () => hotkeys.listenForFocus(true),
    onLast: () => hotkeys.listenForFocus(false),
    onPlace: (place) => indicators.keepClear(place),
  });
  using hotkeys = new Hotkeys({
    stage,
    guard: cards.guard,
    onStop: () => tell({ kind: 'stop', how: 'hotkey' }),
    onFocus: () => cards.takeFocus(),
  });

  const answerIndicator = ({ id, owner, record, change, message, notice }: IndicatorCall): void => {
    try {
      tell({ kind: 'indicator-answer', id, value: indicators.set(owner, record, change, message, notice) });
    } catch (error) {
      tell({ kind: 'indicator-answer', id, problem: toUiaHostError(error).toProblem() });
    }
  };
  const receive = (message: ToOverlayThread): void => {
    switch (message.kind) {
      case 'show':
        cards.show(message.card);
        break;
      case 'pixels':
        cards.setPixels(message);
        break;
      case 'clock':
        cards.setClock(message);
        break;
      case 'take-away':
        cards.takeAway(message.approvalId);
        break;
      case 'workers':
        cards.setWorkers(message);
        break;
      case 'indicator':
        answerIndicator(message);
        break;
      case 'icon':
        // The other thread's.
        break;
      case 'exit':
        pump.end();
        break;
    }
  };
  const readMail = (): void => {
    for (let mail = receiveMessageOnPort(port); mail !== undefined; mail = receiveMessageOnPort(port))
      receive(mail.message as ToOverlayThread);
  };

  tell({ kind: 'wake-handle', handle: pump.wakeHandle });
  tell({ kind: 'ready', vouching: cards.vouching });
  pump.run(readMail, (message, wParam) => hotkeys.onThreadMessage(message, wParam));
}
