/** The thread that owns the overlay’s windows. */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { toUiaHostError } from '../../contract/errors.ts';
import { describeFault } from '../../contract/process/fault.ts';
import { becomePerMonitorAware } from '../windows/dpi.ts';
import { Cards } from './cards.ts';
import { Hotkeys } from './hotkeys.ts';
import { createIndicators } from './indicator.ts';
import { MessagePump } from './message-pump.ts';
import type { FromOverlayThread, IndicatorCall, ToOverlayThread } from './protocol.ts';
import type { OverlayStage } from './stage.ts';

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
  using indicators = createIndicators(stage);
  using cards = new Cards(
    stage,
    () => hotkeys.listenForFocus(true),
    () => hotkeys.listenForFocus(false),
  );
  using hotkeys = new Hotkeys({
    stage,
    guard: cards.guard,
    onStop: () => tell({ kind: 'stop', how: 'hotkey' }),
    onFocus: () => cards.takeFocus(),
  });

  const answerIndicator = ({ id, owner, record, change, message }: IndicatorCall): void => {
    try {
      tell({ kind: 'indicator-answer', id, value: indicators.set(owner, record, change, message) });
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
