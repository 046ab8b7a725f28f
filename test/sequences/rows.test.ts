/**
 * Attacks that always run: each reaches a planted target without the gate, and with the gate nothing without a card
 * about it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ElementContext } from '../../src/contract/element/element.ts';
import { exitsOf } from '../../src/contract/ways/exits.ts';
import type { GatePassed, GateSubject, GateWorld } from '../../src/policy/gate/gate-types.ts';
import { Bench } from './bench.ts';
import { ROWS } from './rows.ts';
import { wrongIn } from './try-sequences.ts';

const NOTHING = { element: null, chosen: null };
const NOWHERE = { window: null, element: null };

/** Finds the target and allows everything. */
async function openGate({ traits }: GateSubject, world: GateWorld): Promise<GatePassed> {
  const app = traits.target.kind === 'none' ? null : await world.appOf(traits.target);
  const binding = await world.binding();
  const { chosen: _chosen, ...context } =
    traits.target.kind === 'element' ? ((await world.context(traits.target, binding)) ?? NOTHING) : NOTHING;
  // Whatever the ways declare may leave; nothing was judged, so delivery has nothing to compare.
  const exits = traits.target.kind === 'element' ? exitsOf(traits, context as ElementContext) : null;
  return {
    decision: { result: 'execute', riskLevel: 'low', riskTags: [], approvalId: null },
    context,
    app,
    binding,
    permit: exits === null ? undefined : { exits, target: NOWHERE, start: null },
    digest: '',
    approvalId: null,
    succeeded() {},
  } as unknown as GatePassed;
}

describe('attacks by calls that are allowed', () => {
  let guarded: Bench;
  let open: Bench;
  beforeAll(async () => {
    [guarded, open] = await Promise.all([Bench.open(), Bench.open(openGate)]);
  });
  afterAll(async () => {
    await guarded[Symbol.asyncDispose]();
    await open[Symbol.asyncDispose]();
  });

  it.each(ROWS.map((row) => [row.name, row] as const))(
    '[gate.sequences] %s: nothing planted is reached without a card about it',
    async (_name, row) => {
      const unguarded = await open.run(row);
      expect(unguarded.reached.map(({ kind }) => kind)).toContain(row.reaches);
      const outcome = await guarded.run(row);
      const wrong = wrongIn(row, outcome);
      expect(wrong, wrong ?? '').toBeNull();
    },
  );
});
