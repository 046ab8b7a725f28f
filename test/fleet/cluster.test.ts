/** Three servers that are killed one after another while jobs come; `npm run fleet-load -- cluster` has more of them. */
import { expect, it } from 'vitest';
import { cluster } from './load-runs.ts';

it('loses no acknowledged job and no claim, and runs none twice, while servers of a cluster are killed in turn', async () => {
  const [figures] = await cluster({ seats: 6, processes: 1, count: 90, rate: 15, kills: 3 });
  expect(figures).toMatchObject({
    jobs: 90,
    lost: 0,
    'not succeeded': 0,
    effects: 90,
    twice: 0,
    false: 0,
    'claims lost': 0,
    left: 0,
  });
}, 300_000);
