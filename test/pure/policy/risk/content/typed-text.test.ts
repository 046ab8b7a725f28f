/** Text is judged as it arrives: repeated, spelled by keys, and with what its field holds at that moment. */
import { describe, expect, it } from 'vitest';
import { METHODS } from '../../../../../src/actions/index.ts';
import type { ExecutorMethod } from '../../../../../src/contract/executor.ts';
import type { ActionTraits } from '../../../../../src/contract/gate/traits.ts';
import { passGate } from '../../../../../src/policy/gate/gate.ts';
import { typedText } from '../../../../../src/policy/risk/content/typed-text.ts';
import { context, element, subject, TERMINAL, testWorld, type TestWorld } from '../../world.ts';

const CARD = '4242424242424242';
const traitsOf = (method: ExecutorMethod, input: object): ActionTraits =>
  METHODS[method].traits(METHODS[method].input.parse(input) as never, { isBound: true });
const field = context(element('Edit', 'Number', { identity: 'rid:1' }));
const of = (method: ExecutorMethod, input: object) => subject(traitsOf(method, input), { action: method, input });
const world = (more: Parameters<typeof testWorld>[0] = {}): TestWorld => testWorld({ seen: field, ...more });

/** Ways to have the number of a card in a field. */
const WAYS: ReadonlyArray<readonly [way: string, method: ExecutorMethod, input: object, held: string]> = [
  ['typed', 'type', { text: CARD }, ''],
  ['repeated', 'virtualKeyboard', { action: 'type', text: '4242', repeat: 4 }, ''],
  ['repeated in the middle of text', 'virtualKeyboard', { action: 'type', text: '42', repeat: 8 }, ''],
  ['spelled by keys', 'key', { keySequence: [...CARD].join(' ') }, ''],
  ['keys repeated', 'key', { keySequence: '4 2', repeat: 8 }, ''],
  ['keys of the number pad', 'key', { keySequence: [...CARD].map((digit) => `numpad${digit}`).join(' ') }, ''],
  ['a combo repeated', 'virtualKeyboard', { action: 'combo', text: '4 2 4 2', repeat: 4 }, ''],
  ['groups with Tab between', 'key', { keySequence: Array.from({ length: 4 }, () => '4 2 4 2').join(' tab ') }, ''],
  ['its last digits', 'typeIntoElement', { name: 'x', text: '4242', mode: 'append' }, CARD.slice(0, 12)],
  ['its last digit', 'key', { keySequence: '2' }, CARD.slice(0, 15)],
  ['its first digits, before the others', 'type', { text: CARD.slice(0, 4) }, CARD.slice(4)],
];

describe('the number of a card', () => {
  it.each(WAYS)('%s', async (_way, method, input, held) => {
    const at = world({ seen: { ...field, held } });
    await passGate(of(method, input), at);
    expect(at.cards).toMatchObject([
      {
        riskTags: expect.arrayContaining(['financial']),
        flags: expect.arrayContaining(['content:card_number']),
      },
    ]);
    expect(JSON.stringify([at.cards[0]?.arguments, at.cards[0]?.summary])).not.toMatch(
      /4.{0,3}2.{0,3}4.{0,3}2.{0,3}4.{0,3}2/,
    );
  });

  it('another field, a text that replaces, and what the field shows already ask nothing', async () => {
    for (const [held, input] of [
      ['', { text: CARD.slice(8) }],
      [CARD.slice(0, 8), { text: CARD.slice(8), mode: 'replace' }],
      [CARD, { text: ' 12', mode: 'append' }],
    ] as const) {
      const at = world({ seen: { ...field, held } });
      await passGate(of('typeIntoElement', { name: 'Number', ...input }), at);
      expect(at.cards, JSON.stringify(input)).toEqual([]);
    }
  });
});

describe('other text', () => {
  it.each([
    ['key', { keySequence: 'r m space - r f space x' }, ''],
    ['type', { text: 'rf x\n' }, 'rm -'],
    ['key', { keySequence: 'x enter' }, 'rm -rf '],
  ] as const)('a command is read whole: %s %j', async (method, input, line) => {
    const rows = [`C:\\>${line}`];
    const at = testWorld({
      app: TERMINAL,
      seen: context(element('Document', 'Text', { identity: 'rid:1' }), {
        console: { rows, width: 80, cursor: { x: 4 + line.length, y: 0 }, isBehind: false },
      }),
    });
    await passGate(of(method, input), at);
    expect(at.records.at(-1)?.riskTags).toContain('destructive');
  });

  it('keys that type nothing are not text', () => {
    for (const keySequence of ['ctrl+a', 'f5', 'alt+4', 'ctrl+4 ctrl+2', 'left', 'shift'])
      expect(typedText(traitsOf('key', { keySequence, repeat: 16 }))).toBeNull();
    expect(typedText(traitsOf('key', { keySequence: 'shift+a b' }))).toBe('Ab');
    expect(
      typedText(traitsOf('virtualKeyboard', { action: 'type', text: 'x'.repeat(100_000), repeat: 100 }))!.length,
    ).toBeLessThanOrEqual(200_000);
  });
});
