/** The thread that owns the overlay’s windows, and its hotkeys. */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { toUiaHostError } from '../../contract/errors.ts';
import { describeFault } from '../../contract/process/fault.ts';
import { becomePerMonitorAware } from '../windows/rects.ts';
import { Cards } from './cards.ts';
import { Indicators } from './indicator.ts';
import type { InputGuard } from './input-guard.ts';
import { MessagePump, type OverlayStage } from './message-pump.ts';
import type { FromOverlayThread, IndicatorCall, ToOverlayThread } from './protocol.ts';

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
