/** The sheet topic on Windows: cells of a spreadsheet window. */
import { UiaHostError } from '../../contract/errors.ts';
import type { SheetPort } from '../../desktop/index.ts';

const notYet = (): Promise<never> =>
  Promise.reject(
    new UiaHostError('unsupported', 'This window has no cells that can be reached; nothing was done.', {
      hint: 'Read a list or grid with read-table.',
    }),
  );

export function createSheetPort(): SheetPort {
  return { info: notYet, read: notYet, before: notYet, write: notYet, select: notYet };
}
