/** Answers to prompts: as keys, and what the program made of them so far. No Windows in here. */
import { UiaHostError } from '../../contract/errors.ts';
import { choiceIn } from '../../contract/terminal/console-prompt.ts';
import { answerTo, promptOf, yesNoOf, type ShownRows } from '../../contract/terminal/prompt.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext } from '../../desktop/call.ts';
import type { PromptAnswer } from '../../desktop/terminal.ts';
import { Deadline, waitUntil } from '../windows/waiting.ts';
import type { ConsoleScreen } from './console-protocol.ts';
import { strokesOf } from './console-keys.ts';
import type { KeyName, Stroke } from './console-protocol.ts';
import { isLetterPending, isSameScreen } from './screen-change.ts';

export interface AnswerPlan {
  /** Text typed before the keys; may be empty. */
  readonly text: string;
  readonly keys: readonly KeyName[];
  /** For people: what was sent, and why these letters. */
  readonly reason: string;
  /** The text answers yes or no: some programs take it without Enter. */
  readonly isLetter?: boolean;
  /** The choice of a menu that must be marked before Enter is pressed. */
  readonly choice?: { readonly text: string; readonly answer: 'yes' | 'no' };
}

const MAX_ARROWS = 50;

/** The keys for an answer, given what the terminal shows. Errors: invalid_argument; state_conflict if yes or no would be a guess. */
export function planAnswer(answer: PromptAnswer, shown: ShownRows): AnswerPlan {
  switch (answer.responseType) {
    case 'yes':
    case 'no': {
      const prompt = promptOf(shown);
      const choice = yesNoOf(prompt) === null ? choiceIn(shown.rows, answer.responseType) : null;
      if (choice !== null) {
        const arrows = Array.from({ length: Math.abs(choice.steps) }, (): KeyName =>
          choice.steps > 0 ? 'down' : 'up',
        );
        const way = arrows.length === 0 ? '' : `${arrows.length} × ${arrows[0]} and `;
        return {
          text: '',
          keys: [...arrows, 'enter'],
          reason: `${way}Enter, on the choice ${quoted(choice.text)}`,
          choice: { text: choice.text, answer: answer.responseType },
        };
      }
      const text = answerTo(shown, answer.responseType);
      if (text === null)
        throw new UiaHostError(
          'state_conflict',
          `The prompt ${quoted(prompt)} does not show how ${answer.responseType} is written; nothing was sent.`,
          { hint: 'Answer with `type` and the text that it asks for, with `select` and arrows, or with `escape`.' },
        );
      return { text, keys: ['enter'], isLetter: true, reason: `${quoted(text)} and Enter, as the prompt shows it` };
    }
    case 'enter':
      return { text: '', keys: ['enter'], reason: 'Enter' };
    case 'escape':
      return { text: '', keys: ['escape'], reason: 'Escape' };
    case 'select': {
      if (!Number.isInteger(answer.arrowCount) || answer.arrowCount < 0 || answer.arrowCount > MAX_ARROWS)
        throw new UiaHostError('invalid_argument', `\`arrowCount\` must be 0 to ${MAX_ARROWS}; nothing was sent.`);
      const arrows = Array.from({ length: answer.arrowCount }, (): KeyName => answer.arrowDirection);
      return {
        text: '',
        keys: [...arrows, 'enter'],
        reason: `${answer.arrowCount} × ${answer.arrowDirection} and Enter`,
      };
    }
    case 'type': {
      if (answer.text === '') throw new UiaHostError('invalid_argument', 'The text is empty; nothing was typed.');
      return { text: answer.text, keys: ['enter'], reason: `${[...answer.text].length} characters and Enter` };
    }
  }
}

/** The plan as strokes for a console. Errors: invalid_argument for control characters. */
export function strokesOfPlan(plan: AnswerPlan): { readonly text: Stroke[]; readonly keys: Stroke[] } {
  return { text: strokesOf(plan.text), keys: plan.keys.map((key) => ({ key })) };
}

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
