/** Measures the gate: its own time for each action, over a world that answers immediately. */
import { performance } from 'node:perf_hooks';
import { passGate, type GateSubject } from '../../src/policy/gate/gate.ts';
import {
  bound,
  CHROME,
  context,
  element,
  NOTEPAD,
  subject,
  testWorld,
  traits,
  type TestWorld,
} from '../pure/policy/world.ts';

/**
 * The gate's own time per action, with a world that answers immediately, so that neither the desktop nor the disk
 * counts. Names and texts differ in each round, so that nothing is cached; `warm` repeats them.
 */
const ROUNDS = 3000;

interface Case {
  readonly name: string;
  world(round: number): Partial<Pick<TestWorld, 'seen' | 'app' | 'live'>>;
  readonly of: (round: number) => GateSubject;
  readonly policy?: Parameters<typeof testWorld>[0];
}

const dialog = (round: number): string[] =>
  Array.from(
    { length: 12 },
    (_, index) => `Item ${round}-${index} will be moved to another folder, and its settings stay as they are.`,
  );

const cases: readonly Case[] = [
  { name: 'look', world: () => ({}), of: () => subject(traits.look()) },
  {
    name: 'click, plain, warm',
    world: () => ({ seen: context(element('Button', 'Save')) }),
    of: () => subject(traits.click('Save')),
  },
  {
    name: 'click, plain',
    world: (round) => ({ seen: context(element('Button', `Save ${round}`)) }),
    of: (round) => subject(traits.click(`Save ${round}`)),
  },
  {
    name: 'click OK in a dialog of 12 texts',
    world: (round) => ({
      seen: context(element('Button', 'OK'), {
        dialogTitle: `Move ${round}`,
        dialogTexts: dialog(round),
        nearbyTexts: [`Group ${round}`],
        defaultButtonName: 'OK',
      }),
    }),
    of: () => subject(traits.click('OK')),
  },
  {
    name: 'click on a page, browser granted, asked',
    policy: { app: CHROME, policy: { level: 'control', grants: [{ app: 'chrome.exe', tier: 'full' }] } },
    world: (round) => ({
      app: CHROME,
      live: bound(CHROME),
      seen: context(element('Button', `Pay ${round}`), {
        address: `https://shop.example.com/checkout/${round}`,
        nearbyTexts: dialog(round),
      }),
    }),
    of: (round) => subject(traits.click(`Pay ${round}`)),
  },
  {
    name: 'type 100 characters',
    world: (round) => ({ seen: context(element('Edit', `Field ${round}`)) }),
    of: (round) => subject(traits.type(`${round} ${'The quick brown fox jumps. '.repeat(4)}`.slice(0, 100))),
  },
  {
    name: 'type 10,000 characters',
    world: () => ({ seen: context(element('Edit', 'Field')) }),
    of: (round) => subject(traits.type(`${round} ${'The quick brown fox jumps. '.repeat(400)}`.slice(0, 10_000))),
  },
  {
    name: 'keys ctrl+a delete',
    world: () => ({ seen: context(element('Edit', 'Text')) }),
    of: () => subject(traits.keys(['ctrl+a', 'delete'])),
  },
  {
    name: '100 grants and 100 denied',
    policy: {
      policy: {
        grants: Array.from({ length: 100 }, (_, index) => ({
          app: `C:\\Apps\\app${index}.exe`,
          tier: 'full' as const,
        })),
        deny: Array.from({ length: 100 }, (_, index) => `denied${index}.exe`),
      },
    },
    world: () => ({}),
    of: () => subject(traits.click('Save')),
  },
];

const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(3).padStart(8);

console.log(`gate's own time, ms an action, ${ROUNDS} rounds each\n${'case'.padEnd(44)}     p50      p95`);
for (const one of cases) {
  const world = testWorld({ app: NOTEPAD, ...one.policy });
  const times: number[] = [];
  for (let round = -200; round < ROUNDS; round++) {
    Object.assign(world, one.world(round));
    const action = one.of(round);
    world.records.length = 0;
    world.cards.length = 0;
    const begun = performance.now();
    await passGate(action, world);
    if (round >= 0) times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  console.log(`${one.name.padEnd(44)}${at(times, 0.5)} ${at(times, 0.95)}`);
}
