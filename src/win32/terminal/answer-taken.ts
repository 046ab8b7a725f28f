/** What a program made of an answer so far: whether it waits for Enter, and which choice is marked. */
import { choiceIn } from '../../contract/terminal/console-prompt.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext } from '../../desktop/call.ts';
import { Deadline, waitUntil } from '../windows/waiting.ts';
import type { ConsoleScreen } from './console-protocol.ts';
import type { AnswerPlan } from './respond.ts';
import { isLetterPending, isSameScreen } from './screen-change.ts';

/** How long (ms) a program may take to show what it made of a letter. */
const LETTER_MS = 400;
/** How long (ms) a menu may take to show that its mark has moved. */
const MARK_MS = 1500;
/** A screen unchanged for this long (ms) is drawn. */
const STILL_MS = 120;
/** How often (ms) the screen is read. */
const POLL_MS = 40;

/**
 * Whether a letter that was typed waits for Enter. Programs that take a letter alone have gone on to their next question,
 * which Enter would answer.
 */
export async function takesEnter(
  before: ConsoleScreen,
  look: () => Promise<ConsoleScreen | null>,
  call: CallContext,
): Promise<boolean> {
  let last: ConsoleScreen | null = before;
  let since = performance.now();
  await waitUntil(
    async () => {
      const now = await look();
      if (now === null || last === null || !isSameScreen(last, now)) since = performance.now();
      last = now;
      const isStill = performance.now() - since >= STILL_MS;
      return now === null || (isStill && !isSameScreen(before, now)) ? true : null;
    },
    { withinMs: new Deadline(call).share(LETTER_MS), everyMs: POLL_MS, call, delivery: 'delivered' },
  );
  return last !== null && isLetterPending(before, last);
}

/** Errors: state_conflict if the mark of the menu is not on this choice after the arrows. */
export async function assertMarked(
  { text, answer }: NonNullable<AnswerPlan['choice']>,
  look: () => Promise<ConsoleScreen | null>,
  call: CallContext,
): Promise<void> {
  const isThere = await waitUntil(
    async () => {
      const choice = choiceIn((await look())?.rows ?? [], answer);
      return choice?.steps === 0 && choice.text === text ? true : null;
    },
    {
      withinMs: new Deadline(call).share(MARK_MS, call.deadlineMs / 2),
      everyMs: POLL_MS,
      call,
      delivery: 'delivered',
    },
  );
  if (isThere !== null) return;
  throw new UiaHostError(
    'state_conflict',
    `The arrows did not move the mark of the menu to ${quoted(text)}. Enter was not pressed.`,
    {
      delivery: 'delivered',
      hint: 'Read the terminal, then answer with select and the number of arrows, or with escape.',
    },
  );
}
