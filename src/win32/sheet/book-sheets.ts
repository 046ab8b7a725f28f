/** Operations on the sheets of a workbook. https://learn.microsoft.com/office/vba/api/excel.sheets */
import { MISSING, type Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { conflict, wrong, type At, type Op, type Plan, type State } from './book-op.ts';
import { ifGiven } from './excel-errors.ts';
import { isVisible, sheetOf, text, usedRange } from './find-range.ts';
import { readOnly } from './write-range.ts';

interface SheetFact {
  readonly name: string;
  readonly isVisible: boolean;
}

/** https://learn.microsoft.com/office/vba/api/excel.xlsheetvisibility */
const HIDDEN = 0;
const VISIBLE = -1;

/** What no sheet's name has: https://support.microsoft.com/office/3f1f7148-ee83-404d-8ef0-9ff99fbad1f9 */
const NO_NAME = /[\\/?*:[\]]|^'|'$/;

async function sheetsNow({ book }: At): Promise<SheetFact[]> {
  const sheets = await book.sheets();
  const count = Number(await sheets.get('Count'));
  const found: SheetFact[] = [];
  for (let index = 1; index <= count; index += 1) {
    using sheet = await sheets.object('Item', 'Worksheet', [index]);
    found.push({ name: text(await sheet.get('Name')), isVisible: isVisible(await sheet.get('Visible')) });
  }
  return found;
}

/** `sheet 1` with its name: what is compared, and what a card shows. */
const stateOf = (facts: readonly SheetFact[]): State =>
  Object.fromEntries(
    facts.map(({ name, isVisible: is }, at) => [`sheet ${at + 1}`, `${quoted(name)}${is ? '' : ', hidden'}`]),
  );

const isNamed =
  (name: string) =>
  (fact: SheetFact): boolean =>
    fact.name.toLowerCase() === name.toLowerCase();

/** Errors: invalid_argument for a name that no sheet can have, or that another one has. */
function newName(facts: readonly SheetFact[], name: string, own?: string): string {
  if (NO_NAME.test(name) || name.toLowerCase() === 'history')
    throw wrong(
      `${quoted(name)} cannot be the name of a sheet`,
      'Leave out \\ / ? * : [ ], and apostrophes at its ends.',
    );
  if (facts.some((fact) => fact.name !== own && isNamed(name)(fact)))
    throw wrong(`The workbook has a sheet ${quoted(name)} already`);
  return name;
}

/** Cells that are not empty, as far as the program counts them; null where the sheet has no cells. */
const filledOf = (at: At, sheet: Dispatch): Promise<number | null> =>
  ifGiven(async () => {
    using used = await usedRange(sheet);
    using counts = await (await at.book.application()).object('WorksheetFunction', 'WorksheetFunction');
    return Number(await counts.get('CountA', [used]));
  }, null);

/** An operation on the sheets: `work` gives the sheets as they would be. */
async function onSheets(
  at: At,
  work: (
    facts: SheetFact[],
    own: SheetFact | null,
  ) => Promise<Omit<Plan, 'now' | 'wanted' | 'sheet'> & { readonly to: readonly SheetFact[] }>,
): Promise<Plan> {
  if ((await ifGiven(async () => (await at.book.book()).get('ProtectStructure'), false)) === true)
    throw readOnly(
      'The structure of the workbook is protected',
      'A person can unprotect it (Review, Protect Workbook).',
    );
  const facts = await sheetsNow(at);
  const { sheet } = at.wish;
  if (sheet !== undefined) await aimed(at);
  const own = sheet === undefined ? null : (facts.find(isNamed(sheet)) ?? null);
  const { to, ...plan } = await work(facts, own);
  const wanted = stateOf(to);
  return {
    ...plan,
    sheet: own?.name ?? facts[0]!.name,
    now: async () => stateOf(await sheetsNow(at)),
    wanted: () => wanted,
  };
}

const aimed = async (at: At): Promise<Dispatch> => at.own(await sheetOf(at.book, at.wish.sheet));

/** Where it goes: before the sheet that is there now, or behind the last one. */
async function place(
  at: At,
  count: number,
  position: number,
): Promise<[before: Dispatch | typeof MISSING, after: Dispatch | typeof MISSING]> {
  const sheets = await at.book.sheets();
  const other = at.own(await sheets.object('Item', 'Worksheet', [Math.min(position, count)]));
  return position > count ? [MISSING, other] : [other, MISSING];
}

const inserted = (facts: readonly SheetFact[], fact: SheetFact, position: number): SheetFact[] =>
  facts.toSpliced(position - 1, 0, fact);

/** The sheet at a position, which was put there a moment ago. */
async function nameIt(at: At, position: number, name: string): Promise<void> {
  using made = await (await at.book.sheets()).object('Item', 'Worksheet', [position]);
  await at.set(made, 'Name', name);
}

const positionOf = (at: At, last: number): number => Math.min(Number(at.wish.to ?? last), last);

/** Errors: state_conflict, since a workbook keeps one sheet that is seen. */
function assertNotLast(facts: readonly SheetFact[], own: SheetFact): void {
  if (!own.isVisible || facts.filter((fact) => fact.isVisible).length > 1) return;
  throw conflict(`${quoted(own.name)} is the only sheet that is seen`, 'Show or add another sheet first.');
}

const visibility =
  (isShown: boolean): Op =>
  (at) =>
    onSheets(at, async (facts, own) => {
      if (!isShown) assertNotLast(facts, own!);
      return {
        what: `${isShown ? 'show' : 'hide'} the sheet ${quoted(own!.name)}`,
        to: facts.map((fact) => (fact === own ? { ...fact, isVisible: isShown } : fact)),
        act: async () => at.set(await aimed(at), 'Visible', isShown ? VISIBLE : HIDDEN),
      };
    });

export const SHEET_OPS: Readonly<Record<string, Op>> = {
  add_sheet: (at) =>
    onSheets(at, async (facts) => {
      const name = newName(facts, String(at.wish.name));
      const position = positionOf(at, facts.length + 1);
      return {
        what: `add the sheet ${quoted(name)}`,
        to: inserted(facts, { name, isVisible: true }, position),
        async act() {
          await at.run(await at.book.sheets(), 'Add', ...(await place(at, facts.length, position)));
          await nameIt(at, position, name);
        },
      };
    }),
  rename_sheet: (at) =>
    onSheets(at, async (facts, own) => {
      const name = newName(facts, String(at.wish.name), own!.name);
      return {
        what: `rename the sheet ${quoted(own!.name)} to ${quoted(name)}`,
        to: facts.map((fact) => (fact === own ? { ...fact, name } : fact)),
        act: async () => at.set(await aimed(at), 'Name', name),
      };
    }),
  move_sheet: (at) =>
    onSheets(at, async (facts, own) => {
      const position = positionOf(at, facts.length);
      const from = facts.indexOf(own!);
      // What is behind it moves up when it goes.
      const target = position - 1 > from ? position + 1 : position;
      return {
        what: `move the sheet ${quoted(own!.name)} to position ${position}`,
        to: inserted(facts.toSpliced(from, 1), own!, position),
        act: async () => at.run(await aimed(at), 'Move', ...(await place(at, facts.length, target))),
      };
    }),
  copy_sheet: (at) =>
    onSheets(at, async (facts, own) => {
      const name = newName(facts, String(at.wish.name));
      const position = positionOf(at, facts.length + 1);
      return {
        what: `copy the sheet ${quoted(own!.name)} as ${quoted(name)}`,
        to: inserted(facts, { ...own!, name }, position),
        async act() {
          // Without a place the program would make another workbook of it.
          await at.run(await aimed(at), 'Copy', ...(await place(at, facts.length, position)));
          await nameIt(at, position, name);
        },
      };
    }),
  hide_sheet: visibility(false),
  show_sheet: visibility(true),
  delete_sheet: (at) =>
    onSheets(at, async (facts, own) => {
      assertNotLast(facts, own!);
      const filled = await filledOf(at, await aimed(at));
      const what = `delete the sheet ${quoted(own!.name)}${filled === null ? '' : ` (cells that are not empty: ${filled})`}`;
      return {
        what,
        loses: `it would ${what}`,
        to: facts.filter((fact) => fact !== own),
        async act() {
          const sheet = await aimed(at);
          await quietly(at, () => at.run(sheet, 'Delete'));
        },
      };
    }),
};

/**
 * Without the program's own question, which would keep everything waiting and which the card has asked already. What was set
 * before is set again, whatever happens: https://learn.microsoft.com/office/vba/api/excel.application.displayalerts
 */
async function quietly(at: At, work: () => Promise<void>): Promise<void> {
  const application = await at.book.application();
  const before = await application.get('DisplayAlerts');
  if (before === true) await at.set(application, 'DisplayAlerts', false);
  try {
    await work();
  } finally {
    if (before === true) await at.set(application, 'DisplayAlerts', true);
  }
}
