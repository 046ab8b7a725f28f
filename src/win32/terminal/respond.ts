/** Answers to prompts, as keys. No Windows in here. */
import { UiaHostError } from '../../contract/errors.ts';
import { choiceIn } from '../../contract/terminal/console-prompt.ts';
import { answerTo, promptOf, yesNoOf, type ShownRows } from '../../contract/terminal/prompt.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { PromptAnswer } from '../../desktop/terminal.ts';
import { strokesOf, type KeyName, type Stroke } from './key-strokes.ts';

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

/** The keys for an answer, given what the terminal shows. Errors: invalid_argument. */
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
      const { text, from } = answerTo(prompt, answer.responseType);
      return {
        text,
        keys: ['enter'],
        isLetter: true,
        reason:
          from === 'prompt'
            ? `${quoted(text)} and Enter, as the prompt shows it`
            : `${quoted(text)} and Enter; the prompt does not show which letters to type`,
      };
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
