/** What typed text and keys changed on a console's screen, from its contents before and after. No Windows in here. */
import { indexOfCell } from './screen-cells.ts';
import type { ConsoleScreen, KeyName, Stroke } from './console-protocol.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { choiceIn } from '../../contract/terminal/console-prompt.ts';
import { answerTo, promptOf, yesNoOf, type ShownRows } from '../../contract/terminal/prompt.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext } from '../../desktop/call.ts';
import type { PromptAnswer } from '../../desktop/terminal.ts';
import { Deadline, waitUntil } from '../windows/waiting.ts';
import { strokesOf } from './console-keys.ts';

/** What programs show for hidden characters. Not `?`, which replaces a lost one. */
const MASK = new RegExp('^(?:\\*+|•+|●+|·+)$');
/** A single character may not be a mask. */
const LEAST_MASKED = 2;
/** Characters of clocks, counters, bars and spinners. */
const SELF_CHANGING = new RegExp('[\\d\\s:.,%/\\\\|=█▓▒░⠁-⣿-]', 'u');

type Shown = Pick<ConsoleScreen, 'rows' | 'width' | 'cursor'>;

const beforeCursor = (screen: Shown): string => {
  const row = screen.rows[screen.cursor.y] ?? '';
  return row.slice(0, indexOfCell(row, screen.width, screen.cursor.x));
};

/**
 * The row that now has the line of the earlier cursor: the same row, or one higher up after scrolling. Null if it is gone:
 * the text before the cursor, and after scrolling the rows above it, must be unchanged.
 */
function rowNow(before: Shown, after: Shown): number | null {
  const prefix = beforeCursor(before);
  const { y } = before.cursor;
  if (after.rows[y]?.startsWith(prefix) === true && !hasScrolled(before, after)) return y;
  for (let row = y - 1; row >= 0; row -= 1) {
    const up = y - row;
    if (row === 0 && prefix.trim() === '') return null;
    if (
      after.rows[row]?.startsWith(prefix) === true &&
      before.rows.slice(up, y).every((each, index) => after.rows[index] === each)
    )
      return row;
  }
  return null;
}

/** Whether the rows above the cursor have moved up: the first rows now show earlier rows from further down. */
function hasScrolled(before: Shown, after: Shown): boolean {
  const above = before.rows.slice(0, before.cursor.y);
  if (above.every((row, index) => after.rows[index] === row)) return false;
  return above.some(
    (_row, up) =>
      up > 0 &&
      above.slice(up).some((row) => row.trim() !== '') &&
      above.slice(up).every((row, index) => after.rows[index] === row),
  );
}

export interface TextSeen {
  /** Number of typed characters that the screen shows where they were typed. */
  readonly shown: number;
  /** `mask`: as repeated signs, as password prompts show them. */
  readonly as: 'text' | 'mask';
}

/**
 * Whether the typed text appears where the cursor was: its first line there, each further line at the end of a lower row, in
 * order. Null if it does not, if nothing changed, and for texts that show nothing (only Enter) or that a program may show
 * differently (tabs).
 */
export function textSeen(before: Shown, after: Shown, text: string): TextSeen | null {
  const [first = '', ...further] = text.split(/\r\n|\r|\n/);
  const letters = [first, ...further].join('');
  if (letters.trim() === '' || letters.includes('\t')) return null;
  const row = rowNow(before, after);
  if (row === null) return null;
  const start = beforeCursor(before).length;
  const from = (after.rows[row] ?? '').slice(start);
  const isMoved = after.cursor.y !== row || after.cursor.x !== before.cursor.x;
  if (!isMoved && from === (before.rows[before.cursor.y] ?? '').slice(start)) return null;
  const onward = [from, ...after.rows.slice(row + 1)].join('');
  const lastRow = row + Math.floor((before.cursor.x + first.length) / Math.max(1, after.width));
  if (onward.startsWith(first))
    return holdInOrder(after.rows.slice(lastRow + 1), further) ? { shown: letters.length, as: 'text' } : null;
  const masked = onward.slice(0, first.length);
  const isMask =
    further.join('') === '' &&
    first.length >= LEAST_MASKED &&
    MASK.test(masked) &&
    onward.charAt(first.length) !== masked.charAt(0);
  return isMask ? { shown: first.length, as: 'mask' } : null;
}

/** Whether each line is at the end of a row, in order. */
function holdInOrder(rows: readonly string[], lines: readonly string[]): boolean {
  let at = 0;
  for (const line of lines.map((each) => each.trimEnd()).filter((each) => each !== '')) {
    const found = rows.findIndex((row, index) => index >= at && row.trimEnd().endsWith(line));
    if (found < 0) return false;
    at = found + 1;
  }
  return true;
}

/**
 * Whether a letter that was typed at a prompt stays in its line, shown or hidden: the line is still there, with the cursor
 * in it. Otherwise the program took the letter as an answer.
 */
export function isLetterPending(before: Shown, after: Shown): boolean {
  if (isSameScreen(before, after)) return true;
  const row = rowNow(before, after);
  return row !== null && after.cursor.y === row && after.cursor.x >= before.cursor.x;
}

/** Number of different rows; the cursor does not count. */
export function rowsChanged(before: Shown, after: Shown): number {
  const rows = Math.max(before.rows.length, after.rows.length);
  return Array.from({ length: rows }, (_, row) => before.rows[row] === after.rows[row]).filter((isSame) => !isSame)
    .length;
}

/** The rows that `others` does not have as often. */
function rowsWithout(rows: readonly string[], others: readonly string[]): string {
  const left = Map.groupBy(others, (row) => row);
  return rows.filter((row) => row.trim() !== '' && left.get(row)?.pop() === undefined).join('\n');
}

/**
 * The rows that disappeared from a screen, and the new ones. Rows that moved up or scrolled out above them are neither.
 */
export function rowDifference(before: string, after: string): { before: string; after: string } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const added = rowsWithout(now, old);
  const scrolled = added === '' || now[0]?.trim() === '' ? 0 : Math.max(0, old.indexOf(now[0]!));
  return { before: rowsWithout(old.slice(scrolled), now), after: added };
}

export const isSameScreen = (one: Shown, other: Shown): boolean =>
  one.cursor.x === other.cursor.x && one.cursor.y === other.cursor.y && rowsChanged(one, other) === 0;

/**
 * Whether a key may have caused this change. If the cursor stays and only digits or characters of bars and spinners change,
 * it is a clock or a counter.
 */
export function keySeen(before: Shown, after: Shown): boolean {
  if (isSameScreen(before, after)) return false;
  if (before.cursor.x !== after.cursor.x || before.cursor.y !== after.cursor.y) return true;
  return after.rows.some((row, index) => {
    const then = before.rows[index] ?? '';
    for (let at = 0; at < Math.max(row.length, then.length); at += 1) {
      const [old, now] = [then[at] ?? ' ', row[at] ?? ' '];
      if (old !== now && !(SELF_CHANGING.test(old) && SELF_CHANGING.test(now))) return true;
    }
    return false;
  });
}

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
