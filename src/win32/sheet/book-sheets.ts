/** Operations on the sheets of a workbook. https://learn.microsoft.com/office/vba/api/excel.sheets */
import { MISSING, type Dispatch, type DispatchInput } from '../../../native-bindings/com/dispatch.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { At, Op, Plan, State } from './book-op.ts';
import { ifGiven, isSet, readOnly, wrong } from './excel-errors.ts';
import { isVisible, itemsOf, nameOf, sheetOf } from './find-range.ts';

interface SheetFact {
  readonly name: string;
  readonly isVisible: boolean;
}

/** The sheets as they are, the sheet that is meant, the new name, if any, and where it goes. */
interface Sheets {
  readonly at: At;
  readonly facts: readonly SheetFact[];
  readonly sheet: Dispatch;
  readonly own: SheetFact;
  readonly name: string;
  readonly position: number;
}

/** https://learn.microsoft.com/office/vba/api/excel.xlsheetvisibility */
const HIDDEN = 0;
const VISIBLE = -1;

/** What no sheet's name has: https://support.microsoft.com/office/3f1f7148-ee83-404d-8ef0-9ff99fbad1f9 */
const NO_NAME = /[\\/?*:[\]]|^'|'$|^history$/i;

async function sheetsNow(at: At): Promise<SheetFact[]> {
  const found: SheetFact[] = [];
  for (const sheet of await itemsOf(await at.book.sheets()))
    found.push({ name: await nameOf(sheet), isVisible: isVisible(await sheet.get('Visible')) });
  return found;
}

/** `sheet 1` with its name: what is compared, and what a card shows. */
const stateOf = (facts: readonly SheetFact[]): State =>
  Object.fromEntries(
    facts.map(({ name, isVisible: is }, at) => [`sheet ${at + 1}`, `${quoted(name)}${is ? '' : ', hidden'}`]),
  );

type Work = Pick<Plan, 'act' | 'loses'> & { readonly to: readonly SheetFact[]; readonly what?: string };

/** An operation on the sheets: `work` gives the sheets as they would be. */
const onSheets =
  (verb: string, work: (sheets: Sheets) => Work | Promise<Work>): Op =>
  async (at) => {
    if (await isSet(await at.book.book(), 'ProtectStructure'))
      throw readOnly('The structure of the workbook is protected', 'A person can unprotect it (Review).');
    const facts = await sheetsNow(at);
    const sheet = await sheetOf(at.book, at.wish.sheet);
    const sheetName = await nameOf(sheet);
    const own = facts.find(({ name }) => name === sheetName)!;
    const name = String(at.wish.name ?? '');
    // The program would see it too late.
    if (NO_NAME.test(name)) throw wrong(`${quoted(name)} cannot be the name of a sheet`, 'Leave out \\ / ? * : [ ].');
    if (facts.some((each) => (each !== own || verb !== 'rename') && each.name.toLowerCase() === name.toLowerCase()))
      throw wrong(`The workbook has a sheet ${quoted(name)} already`);
    const last = facts.length + (verb === 'move' ? 0 : 1);
    const position = Math.min(Number(at.wish.to ?? last), last);
    const { to, what, ...plan } = await work({ at, facts, sheet, own, name, position });
    return {
      ...plan,
      what: `${verb} the sheet ${what ?? quoted(sheetName)}`,
      sheet: sheetName,
      now: async () => stateOf(await sheetsNow(at)),
      wanted: stateOf(to),
    };
  };

/** Where it goes: before the sheet that is there now, or behind the last one. Without a place the program would make a workbook of a copy. */
async function placeOf({ at, facts }: Sheets, position: number): Promise<DispatchInput[]> {
  const index = Math.min(position, facts.length);
  const other = await (await at.book.sheets()).object('Item', 'Worksheet', [index]);
  return position > facts.length ? [MISSING, other] : [other, MISSING];
}

const replaced = ({ facts, own }: Sheets, change: Partial<SheetFact>): SheetFact[] =>
  facts.map((fact) => (fact === own ? { ...fact, ...change } : fact));

/** Cells that are not empty, as far as the program counts them. */
const filledIn = (at: At, sheet: Dispatch): Promise<string> =>
  ifGiven(async () => {
    const used = await sheet.object('UsedRange', 'Range');
    const counts = await (await at.book.application()).object('WorksheetFunction');
    return ` (cells that are not empty: ${Number(await counts.get('CountA', [used]))})`;
  }, '');

/** A new sheet with its name. */
const addition = (verb: 'add' | 'copy'): Op =>
  onSheets(verb, (sheets) => {
    const { at, facts, sheet, own, name, position } = sheets;
    const isCopy = verb === 'copy';
    return {
      what: isCopy ? `${quoted(own.name)} as ${quoted(name)}` : quoted(name),
      to: facts.toSpliced(position - 1, 0, { name, isVisible: !isCopy || own.isVisible }),
      async act() {
        const all = await at.book.sheets();
        await at.run(isCopy ? sheet : all, isCopy ? 'Copy' : 'Add', ...(await placeOf(sheets, position)));
        await at.set(await all.object('Item', 'Worksheet', [position]), 'Name', name);
      },
    };
  });

const visibility = (verb: 'hide' | 'show', value: number): Op =>
  onSheets(verb, (sheets) => ({
    to: replaced(sheets, { isVisible: isVisible(value) }),
    act: () => sheets.at.set(sheets.sheet, 'Visible', value),
  }));

export const SHEET_OPS: Readonly<Record<string, Op>> = {
  add_sheet: addition('add'),
  copy_sheet: addition('copy'),
  hide_sheet: visibility('hide', HIDDEN),
  show_sheet: visibility('show', VISIBLE),
  rename_sheet: onSheets('rename', (sheets) => ({
    what: `${quoted(sheets.own.name)} to ${quoted(sheets.name)}`,
    to: replaced(sheets, { name: sheets.name }),
    act: () => sheets.at.set(sheets.sheet, 'Name', sheets.name),
  })),
  move_sheet: onSheets('move', (sheets) => {
    const { at, facts, sheet, own, position } = sheets;
    const from = facts.indexOf(own);
    return {
      what: `${quoted(own.name)} to position ${position}`,
      to: facts.toSpliced(from, 1).toSpliced(position - 1, 0, own),
      // What is behind it moves up when it goes.
      act: async () => at.run(sheet, 'Move', ...(await placeOf(sheets, position - 1 > from ? position + 1 : position))),
    };
  }),
  delete_sheet: onSheets('delete', async ({ at, facts, sheet, own }) => {
    const what = `${quoted(own.name)}${await filledIn(at, sheet)}`;
    return {
      what,
      loses: `it would delete the sheet ${what}`,
      to: facts.filter((fact) => fact !== own),
      async act() {
        // The card has asked what the program would ask, and keep everything waiting: https://learn.microsoft.com/office/vba/api/excel.application.displayalerts
        const application = await at.book.application();
        const before = (await application.get('DisplayAlerts')) === true;
        if (before) await at.set(application, 'DisplayAlerts', false);
        try {
          await at.run(sheet, 'Delete');
        } finally {
          if (before) await at.set(application, 'DisplayAlerts', true);
        }
      },
    };
  }),
};
