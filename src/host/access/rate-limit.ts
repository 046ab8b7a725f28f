/** How many actions a token may run in a minute. */
import { UiaHostError } from '../../contract/errors.ts';

/** Counts the actions of one token in the last minute, by the second: no timer, bounded memory. */
export class RateLimit {
  readonly #counts = new Map<string, { second: number; perSecond: number[] }>();

  /** Counts one action. Errors: rate_limited, with the seconds to wait. */
  take(tokenId: string, perMinute: number, now: number = Date.now()): void {
    const second = Math.floor(now / 1000);
    let count = this.#counts.get(tokenId);
    if (count === undefined) {
      count = { second, perSecond: Array.from({ length: 60 }, () => 0) };
      this.#counts.set(tokenId, count);
    }
    for (let passed = Math.min(60, second - count.second); passed > 0; passed -= 1)
      count.perSecond[(second - passed + 1) % 60] = 0;
    count.second = second;
    const total = count.perSecond.reduce((sum, each) => sum + each, 0);
    if (total >= perMinute) {
      const wait = Math.max(
        1,
        60 - [...Array(60).keys()].findLast((age) => (count.perSecond[(second - age + 60) % 60] ?? 0) > 0)!,
      );
      throw new UiaHostError(
        'rate_limited',
        `The policy allows ${perMinute} actions a minute, and this token has used them.`,
        {
          hint: `Wait ${wait} s.`,
          retryAfterSeconds: wait,
        },
      );
    }
    const slot = second % 60;
    count.perSecond[slot] = (count.perSecond[slot] ?? 0) + 1;
  }
}
