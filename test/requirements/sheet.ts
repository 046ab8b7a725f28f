/** Spreadsheets and grids. */
export const requirements = [
  {
    id: 'sheet.address',
    text: 'Cells are addressed as Excel writes them: cells, ranges, whole rows and columns, sheets in front, within 1,048,576 × 16,384; names are left to the workbook, everything else is refused.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.address-form',
    text: 'An address that is written otherwise is refused with the form that is right.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.in-book',
    text: 'Only cells of the bound workbook are reached: a name that leads to another one is refused, and so is a formula with more names than are judged; a hidden sheet is named as such on the card and in answers.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.next-range',
    text: 'A range that is too large for one answer is read in parts that reach every cell once.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.values',
    text: 'Values that no range or cell can hold are refused before anything is written.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.formula',
    text: 'Formulas are judged as a program reads them: what sends or loads data outside counts as external_submit; DDE, CALL, REGISTER, EXEC and SQL.REQUEST are always blocked, in any disguise, and quoted texts are not judged.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.literal',
    text: 'A written text stays this text, whatever it looks like; only one that a program would read otherwise gets an apostrophe.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.risk',
    text: 'Writing over cells that are not empty, or more than 1,000 cells, is destructive and high; any formula is high; one that sends or loads data is external_submit; anything else that is written is medium.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.blocked',
    text: 'A formula that can start programs is blocked at every level, alone and in a plan, before a person is asked.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.card',
    text: 'The card of a write shows each cell before and after: cells that are overwritten first, then formulas; what is recorded has none of it.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.untrusted',
    text: 'An order to an agent in the cells that a write covers blocks it.',
    source: 'behaviour#untrusted-text',
  },
  {
    id: 'sheet.table',
    text: 'For models and people a range is a table with its addresses, formulas next to their values, within a budget that leaves out whole rows and says which range has them.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.faces',
    text: 'The actions on cells are on every face: HTTP, MCP under the capability sheet, the command line, and the extras of the library’s executor.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.info',
    text: 'workbook-info reports the workbook, its sheets with their used ranges, the selection, the calculation mode and the separators.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.read',
    text: 'read-range gives texts, numbers, booleans, dates, errors by name and formulas by address, of a range, a name, the selection or the used range; what is displayed only if asked for.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.write',
    text: 'write-range writes every kind of value in the background, reads it back, reports what was there before, and neither saves nor changes a setting of the program.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.before',
    text: 'What a write replaces is in its answer up to 200 cells, and always at beforeUrl, after a failure in the middle too.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.hidden',
    text: 'Hidden and filtered cells are read like others, and each value of a write goes into its own cell, hidden or not.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.table-range',
    text: 'A table and its columns are ranges by their names, whichever sheet has them.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.calls',
    text: 'Every call to the object model is English, begins at the bound window’s object after a comparison of its handle, and is repeated only for the four codes of a busy program; their number does not grow with the number of cells.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.errors',
    text: 'Answers of the object model are reported by one table: busy, gone, refused, unknown.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.overwrite',
    text: 'Cells that are not empty are overwritten only with overwrite or with the digest of what was read; a digest that is out of date is state_conflict.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.merged',
    text: 'Merged areas are named in what is read and written; a cell that one of them covers counts as differing.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.differing',
    text: 'Cells that did not take what was written are reported, and the effect is then not confirmed.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.select',
    text: 'select-range selects cells in the background, on another sheet too.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.references',
    text: 'Objects of the spreadsheet program are released after an action, whatever its end; those that a window always has, half a second after the last one, so that the next need not ask for them.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.hung',
    text: 'A spreadsheet program that hangs is window_hung within the deadline.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.values-kept',
    text: 'What is written is what is read back, cell by cell.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.unsupported',
    text: 'A window without a workbook’s object model is unsupported; the hint names read-table.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.lies',
    text: 'A program that claims Excel’s window class and answers with something else is refused: unsupported, or target_not_found for another window’s object.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.busy',
    text: 'A busy program is asked again until the deadline; then it is state_conflict, which can be tried again and names the dialog or the edited cell.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.delivery',
    text: 'Where the deadline passes after a write began, delivery is unknown and the hint says to read the range again.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.gone',
    text: 'A spreadsheet program that ends in the middle is window_gone.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.readonly',
    text: 'A protected sheet, a workbook that is open for reading only, and Protected View are target_readonly.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.invalid',
    text: 'An unknown sheet, a wrong address and a formula that the program refuses are invalid_argument, with the program’s words quoted.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.dates',
    text: 'Dates are written and read as days without a time zone.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.formula2',
    text: 'Formulas are written by Formula2 where the program has it, else by Formula.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.two-agents',
    text: 'Two agents on two workbooks of one process each reach their own.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.macros',
    text: 'The workbook’s macros run as for a person; the answer of a write says that they may have, and which cells they changed.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.person',
    text: 'What a person types meanwhile is not overwritten.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.batch',
    text: 'A batch that is approved as a plan fills several ranges with one card.',
    source: 'behaviour#spreadsheets-and-grids',
  },
  {
    id: 'sheet.approval',
    text: 'Cells that change while a person decides void the approval.',
    source: 'behaviour#spreadsheets-and-grids',
  },
];
