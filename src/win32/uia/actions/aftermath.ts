/** What a delivery may do to the foreground, a moment after its effect. */
import type { DeliveryRung } from '../../../contract/outcome.ts';
import { answers } from '../../windows/ping.ts';
import { pause } from '../../waiting.ts';
import type { ActionTarget } from './target.ts';

const LATER_MS = 200;
const PING_MS = 250;

/**
 * Waits until a foreground that the program takes is seen, so that the outcome can say so. A mouse message may activate its
 * window; a program that shows another page gives it the focus, which on Wine brings the whole window to the front. Both
 * happen after the selection or the click itself.
 */
export async function awaitForeground(target: ActionTarget, rung: DeliveryRung): Promise<void> {
  const { locator } = target.node;
  const showsPage = locator.kind === 'item' && locator.item === 'tab-item';
  if (rung !== 'posted' && !showsPage) return;
  await pause(target.deadline.share(LATER_MS), target.call, 'unknown');
  // A thread that answers has taken what the window system told it meanwhile.
  await answers(target.root, target.deadline.share(PING_MS));
}
