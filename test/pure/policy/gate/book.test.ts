// The gate judges operations on a workbook by what they would lose or reach, as the workbook itself showed a moment before.
import { describe, expect, it } from 'vitest';
import { editCells, editWorkbook, formatCells } from '../../../../src/actions/book.ts';
import { shiftFormula } from '../../../../src/contract/cells/formula.ts';
import { defaultPolicy } from '../../../../src/contract/gate/permissions.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import { fits, Progress, type SentCells } from '../../../../src/win32/exits/fits.ts';
import { subject, testWorld, type TestWorld } from '../world.ts';

const call = { op: 'delete', sheet: 'Data', range: '2:3' } as const;
const traits = editCells.traits(editCells.input.parse(call), { isBound: true });
const wish = subject(traits, { action: 'editCells', input: call });
const changes = [{ cell: 'A2', before: 'Mia', after: 'empty' }];
const CELLS = {
  sheet: 'Data',
  range: '2:3',
  values: [],
  texts: [],
  formulas: {},
  filled: 0,
  digest: `A1.${'0'.repeat(32)}`,
};
const LOSES = 'it would delete the rows 2:3';
const world = (book: object, level: 'control' | 'full' = 'control'): TestWorld => {
  const made = testWorld({ policy: defaultPolicy(level) });
  const found = { what: 'delete the rows 2:3 of “Data”', loses: null, reaches: null, formulas: [], changes, more: 0 };
  made.cellsNow = { ...CELLS, book: { ...found, ...book } };
  return made;
};

describe('[book.risk] what an operation on a workbook risks', () => {
  it.each([
    ['nothing is lost', {}, 'medium', []],
    ['something is lost for good', { loses: LOSES }, 'critical', ['destructive']],
    ['it reaches outside', { reaches: 'it fetches from the connection “Sales”' }, 'high', ['external_submit']],
    ['a formula that it puts', { formulas: ['=A1*2'] }, 'high', []],
    ['a formula that leads out', { formulas: ['=WEBSERVICE(A1)'] }, 'high', ['external_submit']],
  ])('%s', async (_title, book, level, tags) => {
    const made = world(book);
    await passGate(wish, made);
    const [card] = made.cards;
    expect([card!.riskLevel, card!.riskTags.filter((tag) => tag !== 'computer:input')]).toEqual([level, tags]);
    expect(card!.summary).toMatch(/^Delete the rows 2:3 of “Data” in/);
    expect(card!.cells).toEqual([{ sheet: 'Data', range: '2:3', changes, more: 0 }]);
    const isLost = level === 'critical';
    expect(card!.why.some(({ text }) => text.includes('Excel cannot undo it'))).toBe(isLost);
    if (isLost) expect(card!.allowedScopes).toEqual(['once']);
  });

  it('a formula that starts programs is blocked at every level, before a person is asked', async () => {
    for (const level of ['control', 'full'] as const) {
      const made = world({ formulas: ["=cmd|'/c calc'!A0"] }, level);
      await expect(passGate(wish, made)).rejects.toMatchObject({ code: 'blocked_by_policy' });
      expect(made.cards).toEqual([]);
    }
  });
});

it.each([
  [editWorkbook, { op: 'add_sheet', name: 'x' }, true],
  [editWorkbook, { op: 'add_sheet', name: 'x', sheet: 'Data' }, false],
  [editWorkbook, { op: 'delete_sheet' }, false],
  [editWorkbook, { op: 'delete_sheet', sheet: 'Data', force: true }, false],
  [editCells, { op: 'sort', range: 'A1:B2', by: ['B', '-A'] }, true],
  [editCells, { op: 'sort', range: 'A1:B2' }, false],
  [editCells, { op: 'merge', range: 'A1:B2', header: true }, false],
  [editCells, { op: 'calculate', range: 'A1' }, false],
  [formatCells, { range: 'A1', bold: true }, true],
  [formatCells, { range: 'A1' }, false],
  [formatCells, { range: 'A1', fill: 'red' }, false],
])('[book.fields] each operation takes its own fields: %# %j', (action, input, isRight) =>
  expect(action.input.safeParse(input).success).toBe(isRight),
);

it('[book.permit] a permit for one operation lets out no other one, no greater loss, and no write', () => {
  const exit = { kind: 'cells', aim: { ...traits.cells!, sheet: 'Data' }, loses: null } as const;
  const permit = { exits: [exit], target: { window: null, element: null }, start: null };
  const isLet = (cells: SentCells): boolean => fits(exit, { cells }, permit, new Progress());
  const own = { sheet: 'Data', range: '', write: null, op: 'delete', loses: null };
  const others = [
    { ...own, op: 'delete_sheet' },
    { ...own, sheet: 'Other' },
    { ...own, loses: LOSES },
    { sheet: 'Data', range: 'A1', write: null },
  ];
  expect([own, ...others].map(isLet)).toEqual([true, false, false, false, false]);
  expect(isLet({ sheet: 'Data', range: 'A1', write: { values: [[1]], isFormula: false } })).toBe(false);
});

it.each([
  ['=A1*$B$2+B$3', 2, 1, '=B3*$B$2+C$3'],
  [`="A1"&'Q1 A1'!A1&Orders[A1]&LOG10(A1)`, 1, 0, `="A1"&'Q1 A1'!A2&Orders[A1]&LOG10(A2)`],
])('a formula moves: %s', (formula, rows, columns, moved) => expect(shiftFormula(formula, rows, columns)).toBe(moved));
