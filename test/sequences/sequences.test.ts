/**
 * Property: no sequence of calls reaches a planted target on the desktop without a person's approval of a card for
 * exactly that call.
 */
import { expect, it } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { trySequences } from './try-sequences.ts';
import { wordsOf } from '../support/words.ts';

const SEED = 20_261_123;
const FEWEST = rounds({ whole: 20_000, quick: 2000 });
/** `npm run sequences` tries more, from its own seed. */
const [RUNS, FROM] = [
  Number(process.env['UIAHOST_SEQUENCES'] ?? FEWEST),
  Number(process.env['UIAHOST_SEQUENCES_SEED'] ?? SEED),
];

/** Everything that acts, and that a sequence can carry out here. */
const ACTING = wordsOf`
  key virtual-keyboard type hold-key write-clipboard click virtual-mouse move-mouse mouse-down mouse-up drag scroll
  mouse-wheel click-element type-into-element select-element scroll-element activate-window manage-window open-app
  open-terminal respond-to-prompt batch request_ui_action request-access bind-to-window unbind-from-window
`;

it('[gate.sequences] sequences of at most four calls reach nothing planted without a card about that very call, at any level and with any allowance for something harmless', async () => {
  const tried = await trySequences({ seed: FROM, runs: RUNS });
  expect(tried.failure, tried.failure ?? '').toBeNull();
  expect(tried.sequences).toBe(RUNS);
  expect(RUNS).toBeGreaterThanOrEqual(FEWEST);
  // The run covered what it claims: every way to act was carried out, each kind of target was reached after its card,
  // and allowances were used.
  expect(ACTING.filter((action) => (tried.done.get(action) ?? 0) === 0)).toEqual([]);
  for (const kind of ['destructive', 'financial', 'prompts', 'customCommand', 'password', 'readOnly'])
    expect([kind, (tried.answered.get(kind) ?? 0) > 0]).toEqual([kind, true]);
  expect(tried.covered).toBeGreaterThan(RUNS / 50);
}, 3_600_000);
