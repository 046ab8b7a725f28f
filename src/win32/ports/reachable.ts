/** Whether input can reach a bound window now: it still exists, is not ours or above us, and its program answers. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext } from '../../desktop/index.ts';
import { answersSoon } from '../windows/ask.ts';
import { liveProcess, liveWindow } from '../windows/record.ts';
import { Deadline, throwIfAborted } from '../windows/waiting.ts';
import type { Win32Services } from './services.ts';

/**
 * A busy window gets this long (ms) to answer, if the deadline allows; Windows itself calls it hung after five seconds.
 */
const PATIENCE_MS = 2000;

/** Errors: window_gone, window_hung, target_elevated, target_not_found for a window of the host's own. */
export async function assertReachable(
  services: Win32Services,
  record: BindingRecord,
  call: CallContext,
): Promise<void> {
  throwIfAborted(call);
  const hwnd = liveWindow(record);
  if (services.isOwnWindow(hwnd))
    throw new UiaHostError('target_not_found', 'The bound window belongs to the host itself.');
  if (liveProcess(record).isElevated) {
    throw new UiaHostError(
      'target_elevated',
      `The window ${quoted(record.title)} runs with ${record.integrity} integrity, above the host: Windows would silently drop the input.`,
    );
  }
  // Half of the deadline at most, so that the answer comes within it.
  const patience = Math.min(PATIENCE_MS, new Deadline(call).remaining() / 2);
  if (await answersSoon(hwnd, patience)) return;
  liveWindow(record);
  throw new UiaHostError(
    'window_hung',
    `The window ${quoted(record.title)} did not respond for ${Math.round(patience)} ms.`,
  );
}
