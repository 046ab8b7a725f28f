/** Spreadsheets and grids. */
export const requirements = [
  {
    id: 'sheet.address',
    text: 'Cells are addressed as Excel writes them: cells, ranges, whole rows and columns, sheets in front, within 1,048,576 × 16,384; names are left to the workbook, everything else is refused.',
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
];
