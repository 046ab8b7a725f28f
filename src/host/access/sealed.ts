/** Seals stored answers: only this process can read what they contain of windows and inputs. */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { Seal } from '../../base/seal.ts';
import type { Problem } from '../../contract/errors.ts';
import type { ActionResult } from '../../contract/outcome.ts';

/** From this length on an answer is packed in half the time, and takes a fifth more: its caller waits for it. */
const LARGE_CHARACTERS = 32 * 1024;
/** What most answers contain, so that short ones become shorter as well. */
const WORDS =
  '{"code":"","title":"","detail":"","hint":"","partialResult":{"candidates":[' +
  '"accessibilityText":"[Window] [Button] [Edit] [Text] [CheckBox] [ListItem] ref=e id= value= untrusted":true,' +
  '"partial":false,"imageWidth":,"imageHeight":,"artifact":"artifact://","observationId":"obs_' +
  '"hwnd":"","pid":,"title":"","className":"","bundleId":"C:\\\\windows\\\\system32\\\\","displayName":"","executable":"' +
  '"details":{"target":{"role":"Button","name":"","automationId":"","x":,"y":,"width":,"height":,"displayId":,"scaleFactor":';
const wordsOf = (outline: object): Buffer => Buffer.from(WORDS + JSON.stringify(outline));

/** The sealed answer, and the outline that any reader may see. */
interface Sealed {
  readonly sealed: string;
}

export type KeptResult = ActionResult & Sealed;
export type KeptProblem = Problem & Sealed;

/** True, false and numbers; anything else may be a window's content or typed text. */
const isPlain = (value: unknown): boolean => value === null || typeof value === 'boolean' || typeof value === 'number';

/** What an action did, without any text of a window or an input. */
function outlineOf({ value, outcome, ...rest }: ActionResult): ActionResult {
  const { details: _details, ...kept } = outcome;
  return {
    ...rest,
    value: isPlain(value) ? value : null,
    outcome: {
      ...kept,
      evidence: outcome.evidence.map(({ kind, before, after }) => ({
        kind,
        before: isPlain(before) ? before : null,
        after: isPlain(after) ? after : null,
      })),
      attempts: outcome.attempts.map(({ rung, result }) => ({ rung, result, reason: '' })),
    },
  };
}

const OUTLINE = 'The details could be read only by the host that answered first, and that host has ended.';

function outlineOfProblem({ type, title, status, code, retryable, delivery, actionId }: Problem): Problem {
  return {
    type,
    title,
    status,
    code,
    retryable,
    delivery,
    detail: `${title}. ${OUTLINE}`,
    hint: '',
    ...(actionId === undefined ? {} : { actionId }),
  };
}

/**
 * Answers are kept for a day, for repeated requests, and contain clipboards, screens and fields. On disk they are
 * encrypted with a key that exists only in this process's memory: once the host has ended, only the outline of what was
 * done is readable.
 */
export class AnswerSeal {
  readonly #seal = new Seal();

  /** And the length of its JSON. */
  result(result: ActionResult): { readonly kept: KeptResult; readonly textLength: number } {
    const outline = outlineOf(result);
    const text = JSON.stringify(result);
    return { kept: { ...outline, sealed: this.#closeText(text, outline) }, textLength: text.length };
  }

  problem(problem: Problem): KeptProblem {
    const outline = outlineOfProblem(problem);
    return { ...outline, sealed: this.close(problem, outline) };
  }

  /** The whole answer, or its outline. */
  open<T extends ActionResult | Problem>(kept: T | (T & Sealed)): { readonly answer: T; readonly isWhole: boolean } {
    if (!('sealed' in kept)) return { answer: kept, isWhole: true };
    const { sealed, ...outline } = kept;
    const whole = this.read(sealed, outline) as T | undefined;
    return whole === undefined ? { answer: outline as unknown as T, isWhole: false } : { answer: whole, isWhole: true };
  }

  /** @param outline what is kept with it in the clear, and therefore takes no place in it */
  close(value: unknown, outline: object = {}): string {
    return this.#closeText(JSON.stringify(value), outline);
  }

  #closeText(text: string, outline: object): string {
    // Texts of windows take a fifth of their size.
    const packed = deflateRawSync(text, {
      dictionary: wordsOf(outline),
      level: text.length < LARGE_CHARACTERS ? constants.Z_DEFAULT_COMPRESSION : constants.Z_BEST_SPEED,
    });
    return this.#seal.close(packed).toString('base64');
  }

  /** Undefined for an answer that another process wrote. */
  read(sealed: string, outline: object = {}): unknown {
    const packed = this.#seal.open(Buffer.from(sealed, 'base64'));
    if (packed === null) return undefined;
    return JSON.parse(inflateRawSync(packed, { dictionary: wordsOf(outline) }).toString('utf8'));
  }
}
