/** Answers to prompts, as keys. No Windows in here. */
import { UiaHostError } from '../../contract/errors.ts';
import { answerTo } from '../../contract/prompt.ts';
import { quoted } from '../../contract/quoted.ts';
import type { PromptAnswer } from '../../desktop/terminal.ts';
import { strokesOf, type KeyName, type Stroke } from './key-strokes.ts';

export interface AnswerPlan {
  /** Text typed before the keys; may be empty. */
  readonly text: string;
  readonly keys: readonly KeyName[];
  /** For people: what was sent, and why these letters. */
  readonly reason: string;
}

const MAX_ARROWS = 50;

/** The keys for an answer, given the prompt. Errors: invalid_argument. */
export function planAnswer(answer: PromptAnswer, prompt: string): AnswerPlan {
  switch (answer.responseType) {
    case 'yes':
    case 'no': {
      const { text, from } = answerTo(prompt, answer.responseType);
      return {
        text,
        keys: ['enter'],
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

/** The plan as strokes for a console. */
export function strokesOfPlan(plan: AnswerPlan): Stroke[] {
  return [...strokesOf(plan.text), ...plan.keys.map((key) => ({ key }))];
}
