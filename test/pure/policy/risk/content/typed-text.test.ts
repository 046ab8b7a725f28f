/** Text is judged as it arrives: repeated, spelled by keys, and behind what was typed into the same field before. */
import { describe, expect, it } from 'vitest';
import { METHODS } from '../../../../../src/actions/index.ts';
import type { ExecutorMethod } from '../../../../../src/contract/executor.ts';
import type { ActionTraits } from '../../../../../src/contract/gate/traits.ts';
import { passGate as pass } from '../../../../../src/policy/gate/gate.ts';
import { approvePlan } from '../../../../../src/policy/gate/plans.ts';
import { fieldOf, TypedLately, typedText } from '../../../../../src/policy/risk/content/typed-text.ts';
import { context, element, subject, TERMINAL, testWorld, type TestWorld } from '../../world.ts';

/** A call that succeeds. */
const passGate: typeof pass = async (subject, world) => {
  const passed = await pass(subject, world);
  passed.succeeded();
  return passed;
};

const CARD = '4242424242424242';
const traitsOf = (method: ExecutorMethod, input: object): ActionTraits =>
  METHODS[method].traits(METHODS[method].input.parse(input) as never, { isBound: true });
const field = context(element('Edit', 'Number', { identity: 'rid:1' }));
const of = (method: ExecutorMethod, input: object) => subject(traitsOf(method, input), { action: method, input });
const world = (more: Parameters<typeof testWorld>[0] = {}): TestWorld => testWorld({ seen: field, ...more });

/** Ways to have the number of a card in a field. */
const WAYS: ReadonlyArray<readonly [string, ReadonlyArray<readonly [ExecutorMethod, object]>]> = [
  ['typed', [['type', { text: CARD }]]],
  ['repeated', [['virtualKeyboard', { action: 'type', text: '4242', repeat: 4 }]]],
  ['repeated in the middle of text', [['virtualKeyboard', { action: 'type', text: '42', repeat: 8 }]]],
  ['spelled by keys', [['key', { keySequence: [...CARD].join(' ') }]]],
  ['keys repeated', [['key', { keySequence: '4 2', repeat: 8 }]]],
  ['keys of the number pad', [['key', { keySequence: [...CARD].map((digit) => `numpad${digit}`).join(' ') }]]],
  ['a combo repeated', [['virtualKeyboard', { action: 'combo', text: '4 2 4 2', repeat: 4 }]]],
  [
    'groups with Tab between',
    [
      [
        'key',
        {
          keySequence: `${[...'4242'].join(' ')} tab ${[...'4242'].join(' ')} tab ${[...'4242'].join(' ')} tab ${[...'4242'].join(' ')}`,
        },
      ],
    ],
  ],
  [
    'in two calls',
    [
      ['type', { text: CARD.slice(0, 9) }],
      ['type', { text: CARD.slice(9) }],
    ],
  ],
  [
    'in four calls of three kinds',
    [
      ['type', { text: '4242' }],
      ['virtualKeyboard', { action: 'type', text: '42', repeat: 2 }],
      ['key', { keySequence: '4 2 4 2' }],
      ['typeIntoElement', { name: 'Number', text: '4242', mode: 'append' }],
    ],
  ],
  ['digit by digit', [...CARD].map((digit) => ['key', { keySequence: digit }] as const)],
  [
    'replaced, then added to',
    [
      ['typeIntoElement', { name: 'Number', text: '42424242' }],
      ['type', { text: '42424242' }],
    ],
  ],
];

describe('the number of a card', () => {
  it.each(WAYS)('%s is asked for before its last digit arrives', async (_way, calls) => {
    const at = world();
    for (const [method, input] of calls.slice(0, -1)) await passGate(of(method, input), at);
    expect(at.cards).toEqual([]);
    const [method, input] = calls.at(-1)!;
    await passGate(of(method, input), at);
    expect(at.cards).toHaveLength(1);
    expect(at.cards[0]).toMatchObject({
      riskTags: expect.arrayContaining(['financial']),
      flags: expect.arrayContaining(['content:card_number']),
    });
    if (calls.length === 1)
      expect(JSON.stringify([at.cards[0]?.arguments, at.cards[0]?.summary])).not.toMatch(
        /4.{0,3}2.{0,3}4.{0,3}2.{0,3}4.{0,3}2/,
      );
  });

  it('another field, another window, a text that replaces and a new line begin again', async () => {
    const first = CARD.slice(0, 8);
    const rest = CARD.slice(8);
    const others: Array<(at: TestWorld) => Promise<unknown>> = [
      async (at) => {
        at.seen = context(element('Edit', 'Amount', { identity: 'rid:2' }));
        return passGate(of('type', { text: rest }), at);
      },
      async (at) => {
        at.live = { ...at.live!, hwnd: '99' };
        return passGate(of('type', { text: rest }), at);
      },
      async (at) => passGate(of('typeIntoElement', { name: 'Number', text: rest }), at),
      async (at) => {
        await passGate(of('type', { text: '\n' }), at);
        return passGate(of('type', { text: rest }), at);
      },
    ];
    for (const next of others) {
      const at = world();
      await passGate(of('type', { text: first }), at);
      await next(at);
      expect(at.cards).toEqual([]);
    }
  });

  it('is asked for once, not again with every character that follows', async () => {
    const at = world();
    await passGate(of('type', { text: CARD }), at);
    await passGate(of('type', { text: ' 12' }), at);
    await passGate(of('key', { keySequence: '/' }), at);
    expect(at.cards).toHaveLength(1);
  });

  it('the steps of a plan are judged one after the other, and run as shown', async () => {
    const at = world();
    const steps = ['42', '4242', '42424', '24242'].map((text) => of('type', { text }));
    await approvePlan({ planId: 'plan_1', actionId: 'act_1', proposerReason: null, steps }, at);
    expect(at.cards[0]).toMatchObject({ action: 'batch', riskTags: expect.arrayContaining(['financial']) });
    for (const step of steps) await passGate({ ...step, planStep: { planId: 'plan_1' } }, at);
    expect(at.cards).toHaveLength(1);
  });
});

describe('other text', () => {
  it('a command is read whole, however it is typed', async () => {
    const ways: ReadonlyArray<ReadonlyArray<readonly [ExecutorMethod, object]>> = [
      [['key', { keySequence: 'r m space - r f space x' }]],
      [
        ['type', { text: 'rm -' }],
        ['type', { text: 'rf x' }],
      ],
      [
        ['type', { text: 'r' }],
        ['key', { keySequence: 'm space' }],
        ['type', { text: '-rf x' }],
      ],
    ];
    for (const calls of ways) {
      const at = testWorld({
        app: TERMINAL,
        seen: context(element('Document', 'Text', { identity: 'rid:1' }), {
          console: { rows: ['C:\\>'], width: 80, cursor: { x: 4, y: 0 }, isBehind: false },
        }),
      });
      for (const [method, input] of calls) await passGate(of(method, input), at);
      expect(
        at.cards.map(({ riskTags }) => riskTags.includes('destructive')),
        JSON.stringify(calls),
      ).toEqual([true]);
    }
  });

  it('keys that type nothing are not text', () => {
    for (const keySequence of ['ctrl+a', 'f5', 'alt+4', 'ctrl+4 ctrl+2', 'left', 'shift'])
      expect(typedText(traitsOf('key', { keySequence, repeat: 16 }))).toBeNull();
    expect(typedText(traitsOf('key', { keySequence: 'shift+a b' }))).toBe('Ab');
    expect(
      typedText(traitsOf('virtualKeyboard', { action: 'type', text: 'x'.repeat(100_000), repeat: 100 }))!.length,
    ).toBeLessThanOrEqual(200_000);
  });

  it('only short texts of few fields are kept, briefly, and never a password', async () => {
    let now = 0;
    const typed = new TypedLately(() => now);
    typed.add('a', 'x'.repeat(9999), false)();
    expect(typed.before('a').map((text) => text.length)).toEqual([256]);
    for (let at = 0; at < 300; at++) typed.add(`f${at}`, 'y', false)();
    expect(typed.before('a')).toEqual(['']);
    now = 3_600_000;
    expect(typed.before('f299')).toEqual(['']);
    const at = world({ seen: context(element('Edit', 'Password', { identity: 'rid:1', states: ['password'] })) });
    await passGate(of('type', { text: 'hunter2' }), at);
    expect(at.typed.before(fieldOf(at.live, at.seen, 'other'))).toEqual(['']);
    const passed = await pass(of('type', { text: 'Ada' }), Object.assign(at, { seen: field }));
    expect(at.typed.before(fieldOf(at.live, at.seen, 'other'))).toEqual(['', 'Ada']);
    passed.succeeded();
    expect(at.typed.before(fieldOf(at.live, at.seen, 'other'))).toEqual(['Ada']);
  });
});
