/** Kept answers: what they say of windows and inputs can be read again by this process alone. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Problem } from '../../contract/errors.ts';
import type { ActionResult } from '../../contract/outcome.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Stands in a kept answer beside what everybody may read of it. */
interface Sealed {
  readonly sealed: string;
}

export type KeptResult = ActionResult & Sealed;
export type KeptProblem = Problem & Sealed;

/** True, false and numbers; everything else may be what a window showed or what was typed. */
const isPlain = (value: unknown): boolean => value === null || typeof value === 'boolean' || typeof value === 'number';

/** What an action did, without a text of a window or of an input. */
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

const OUTLINE =
  'What was said about it beyond this could be read by the host that answered first alone, and that one has ended.';

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
 * Answers are kept for a day so that they can be asked for again, and they hold clipboards, screens and fields. Whole they lie
 * on disk only under a key that is in this process's memory and nowhere else: when the host ends, nobody can read them any more,
 * and what is left is what was done.
 */
export class AnswerSeal {
  readonly #key = randomBytes(32);

  result(result: ActionResult): KeptResult {
    return { ...outlineOf(result), sealed: this.close(result) };
  }

  problem(problem: Problem): KeptProblem {
    return { ...outlineOfProblem(problem), sealed: this.close(problem) };
  }

  /** The whole, or what is left of it. */
  open<T extends ActionResult | Problem>(kept: T | (T & Sealed)): { readonly answer: T; readonly isWhole: boolean } {
    if (!('sealed' in kept)) return { answer: kept, isWhole: true };
    const { sealed, ...outline } = kept;
    const whole = this.read(sealed) as T | undefined;
    return whole === undefined ? { answer: outline as unknown as T, isWhole: false } : { answer: whole, isWhole: true };
  }

  close(value: unknown): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
  }

  /** Undefined for what another process wrote. */
  read(sealed: string): unknown {
    const bytes = Buffer.from(sealed, 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return JSON.parse(
        Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8'),
      );
    } catch {
      return undefined;
    }
  }
}
