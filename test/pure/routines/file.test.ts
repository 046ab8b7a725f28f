/** The file of a routine: what it takes, what its inputs make of it, and what it refuses with the names that exist. */
import { describe, expect, it, test } from 'vitest';
import { buildCatalog } from '../../../src/host/face/catalog.ts';
import {
  endOf,
  inputSchemaOf,
  queryOf,
  readRoutine,
  sentenceOf,
  stepsOf,
  valuesOf,
  wantedOf,
} from '../../../src/routines/file.ts';

const catalog = buildCatalog();
const ORDER = `
routine: 1
name: place-order
description: Enters an order.
inputs:
  customer: { type: text, description: Who buys. }
  pieces: { type: number, default: 2 }
  express: { type: yes-no, default: no }
  password: { type: secret, default: shop }
  lines: { type: rows, default: x }
steps:
  - do: type-into-element
    with: { name: Customer, text: "\${customer}, \${pieces}" }
    check: [{ element: { name: Order }, value: "\${pieces}" }]
  - do: type-into-element
    with: { name: Password, secretRef: "\${password}" }
  - if: { input: express, is: true }
    do: click-element
    with: { name: Express, count: 2 }
  - for each: lines
    steps:
      - do: select-element
        with: { name: Items, item: "\${lines.Item no}" }
      - if: { text: Sure? }
        steps:
          - { do: key, with: { keySequence: enter } }
expect: [{ text: "Placed for \${customer}" }]
`;
const LINES = [{ 'Item no': 'a1' }, { 'Item no': 'b2' }];
const given = { customer: 'Ada', lines: LINES };
const read = (text = ORDER) => readRoutine(text, catalog);
const stepsFor = (more: object = {}) => {
  const { routine } = read();
  return stepsOf(routine, valuesOf(routine, { ...given, ...more }), catalog);
};

describe('[routine.file] a routine', () => {
  it('becomes steps: inputs in their places, rows one after the other, parts left out by an input', () => {
    expect(stepsFor().map((step) => [step.at, sentenceOf(step)])).toEqual([
      ['1', 'Type "Ada, 2" into "Customer"'],
      ['2', 'Type the secret "uiahost:shop" into "Password"'],
      ['4[1].1', 'Choose "a1" in "Items"'],
      ['4[1].2.1', 'Press "enter"'],
      ['4[2].1', 'Choose "b2" in "Items"'],
      ['4[2].2.1', 'Press "enter"'],
    ]);
    const [first, , third] = stepsFor({ express: 'yes', pieces: '7' });
    expect(first).toMatchObject({ check: [{ value: 7 }], path: ['steps', 0] });
    expect([third?.at, sentenceOf(third!), queryOf(third!)]).toEqual([
      '3',
      'Double-click "Express"',
      { name: 'Express' },
    ]);
    expect(stepsFor()[3]).toMatchObject({ when: [{ text: 'Sure?' }], path: ['steps', 3, 'steps', 1, 'steps', 0] });
    const { routine } = read();
    expect(endOf(routine, valuesOf(routine, given)).map(wantedOf)).toEqual(['text "Placed for Ada"']);
  });

  it('gives a tool its inputs as a schema', () => {
    expect(inputSchemaOf(read().routine)).toEqual({
      type: 'object',
      properties: {
        customer: { type: 'string', description: 'Who buys.' },
        pieces: { type: 'number', default: 2 },
        express: { type: 'boolean', default: false },
        password: { type: 'string', description: 'Name of a stored secret.', default: 'shop' },
        lines: { type: 'array', items: { type: 'object' }, default: 'x' },
      },
      required: ['customer'],
      additionalProperties: false,
    });
  });

  test.each([
    ['routine: 1', 'routine: 2', 'routine: expected 1'],
    ['name: place-order', 'name: Place Order', 'a name has small letters'],
    ['description: Enters', 'descripton: Enters', 'did you mean description?'],
    ['do: click-element', 'do: clik-element', 'did you mean click-element?'],
    ['do: click-element', 'do: batch', 'there is no action "batch" for routines'],
    ['name: Express,', 'nam: Express,', 'unknown key "nam"; did you mean name?'],
    ['name: Express,', 'ref: e12,', 'ref is of one session'],
    ['text: "${customer}, ${pieces}"', 'text: "${custmer}"', 'Unknown input "custmer"; did you mean customer?'],
    ['text: "${customer}, ${pieces}"', 'text: "${password}"', 'text cannot be a secret'],
    ['for each: lines', 'for each: line', 'Unknown input "line"; did you mean lines?'],
    ['input: express', 'input: expres', 'did you mean express?'],
    ['customer: {', 'table: {', 'has a flag of this name'],
    ['[{ text: "Placed', '[{ txt: "Placed', 'unknown key "txt"; did you mean text?'],
    ['steps:', 'steps: *a\nmore:', 'alias'],
    ['routine: 1', 'routine: [1', 'not YAML'],
  ])('says what is wrong: %s → %s', (from, to, message) => {
    expect(ORDER).toContain(from);
    expect(() => read(ORDER.replace(from, to))).toThrow(message);
  });

  test.each([
    [{}, 'The routine needs: customer, lines'],
    [{ ...given, custmer: 'x' }, 'Unknown input "custmer"; did you mean customer?'],
    [{ ...given, pieces: 'two' }, 'pieces: expected a number'],
    [{ ...given, express: 'maybe' }, 'express: expected yes or no'],
    [{ ...given, password: 'hunter2 !' }, 'never the secret itself'],
    [{ ...given, customer: {} }, 'customer: expected a text'],
    [{ ...given, lines: 'a.csv' }, 'lines: expected rows'],
  ])('[routine.inputs] refuses the inputs %j', (inputs, message) => {
    const { routine } = read(ORDER.replace(', default: x }', ' }'));
    expect(() => valuesOf(routine, inputs)).toThrow(message);
  });

  it('[routine.inputs] refuses what an action does not take, before anything is sent', () => {
    expect(() => stepsFor({ lines: [{ Item: 'a' }] })).toThrow('Unknown column of lines "Item no"; did you mean Item?');
    expect(() => stepsFor({ lines: [{ 'Item no': '' }] })).toThrow(
      'Step 4[1].1, select-element: item: expected a text of at least 1 character',
    );
  });
});
