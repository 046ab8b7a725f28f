/** Requests with an idempotency key: each is carried out once and gets the same answer each time. */
import { toUiaHostError, UiaHostError, type Problem } from '../../contract/errors.ts';
import type { Store } from '../../store/client.ts';
import type { AnswerSeal } from '../access/sealed.ts';

export interface KeyedRequest {
  readonly tokenId: string;
  readonly key: string;
  /** Keyed hash of the request. */
  readonly bodyHash: string;
  /** Identifies the request while it runs. */
  readonly id: string;
}

/** Answers may contain what windows showed, so they are sealed on disk. */
type Kept = { readonly sealed: string };
type Answered<T> = { readonly answer: T } | { readonly error: Problem };

/** For requests whose answer contains more than an action's result. */
export class AnsweredOnce {
  readonly #store: Pick<Store, 'idempotency'>;
  readonly #seal: AnswerSeal;
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(store: Pick<Store, 'idempotency'>, seal: AnswerSeal) {
    this.#store = store;
    this.#seal = seal;
  }

  /**
   * Errors: idempotency_mismatch; state_conflict if the first request was interrupted and its effect is unknown; those
   * of `work`.
   */
  async answer<T>(request: KeyedRequest, work: () => Promise<T>): Promise<T> {
    const { tokenId, key, bodyHash, id } = request;
    const before = await this.#store.idempotency.begin({
      tokenId,
      key,
      bodyHash,
      actionId: id,
      at: new Date().toISOString(),
    });
    switch (before.kind) {
      case 'mismatch':
        throw new UiaHostError(
          'idempotency_mismatch',
          `The Idempotency-Key ${key} was used before with a different body.`,
        );
      case 'interrupted':
        throw new UiaHostError(
          'state_conflict',
          'The first request with this key was interrupted; it may have been delivered.',
          { delivery: 'unknown' },
        );
      case 'replay':
        return given(answerIn<T>(before.response as Kept | { error: Problem }, this.#seal));
      case 'running': {
        const first = this.#underWay.get(before.actionId);
        if (first === undefined)
          throw new UiaHostError('state_conflict', 'The first request with this key is still running.');
        return first as Promise<T>;
      }
      default: {
        const working = this.#carryOut(request, work);
        this.#underWay.set(id, working);
        return working.finally(() => this.#underWay.delete(id));
      }
    }
  }

  async #carryOut<T>({ tokenId, key }: KeyedRequest, work: () => Promise<T>): Promise<T> {
    // Answered even if the answer cannot be stored: a repeated request is then refused, not carried out again.
    const keep = (answered: Answered<T>): Promise<void> =>
      this.#store.idempotency
        .finish(tokenId, key, { sealed: this.#seal.close(answered) } satisfies Kept)
        .catch(() => {});
    try {
      const answer = await work();
      await keep({ answer });
      return answer;
    } catch (thrown) {
      const error = toUiaHostError(thrown);
      await keep({ error: error.toProblem() });
      throw error;
    }
  }
}

/** Not sealed: its host was killed, and the next one wrote how it ended. */
const answerIn = <T>(response: Kept | { readonly error: Problem }, seal: AnswerSeal): Answered<T> | undefined =>
  'error' in response ? response : (seal.read(response.sealed) as Answered<T> | undefined);

function given<T>(kept: Answered<T> | undefined): T {
  if (kept === undefined) {
    throw new UiaHostError(
      'state_conflict',
      'The first request with this key was answered by a host that has ended; its answer is no longer available.',
      { delivery: 'unknown', hint: 'Look at the window again.' },
    );
  }
  if ('answer' in kept) return kept.answer;
  throw UiaHostError.fromProblem(kept.error);
}
