/**
 * Edits one cell of a grid or list view in place, and reads it back: by the cell's Value pattern, or by the control's own
 * label editing.
 */
import { ComError } from '../../../native-bindings/com/hresult.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Attempt } from '../../contract/outcome.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext, CellWrite, Done } from '../../desktop/index.ts';
import { requireEnabled, targetOf, type ActionTools, type ElementTarget } from '../elements/finding/element-target.ts';
import type { Tried } from '../elements/sources/ways.ts';
import { shownDifference } from '../elements/tree/text-difference.ts';
import { compareText, effectOfText } from '../elements/tree/text-equality.ts';
import { heldText } from '../evidence/held-text.ts';
import { startAftermath } from '../evidence/late-foreground.ts';
import { GridEditor, columnIndex, requireRow, type EditableCell } from './grid-editor.ts';
import { LabelCell } from './edit-label.ts';

/** Text in an outcome is for a quick check; the full text is in the cell. */
const EVIDENCE_LENGTH = 1000;

/** The cell by the Grid pattern; null if the element is not a grid, or its cells have no Value pattern. */
function gridCell(grid: GridEditor, { row, column }: CellWrite): Promise<EditableCell | null> {
  const { description } = grid.target;
  requireRow(row, grid.rows, description);
  return grid.cell(row, columnIndex(column, grid.titles(), grid.columns, description));
}

const quiet = async (read: () => Promise<string | null> | string | null): Promise<string | null> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ComError) return null;
    throw error;
  }
};

async function writeAndRead(
  target: ElementTarget,
  cell: EditableCell,
  { row, column, text, expect }: CellWrite,
): Promise<{ readonly step: Tried; readonly before: string | null; readonly after: string | null }> {
  const before = await quiet(cell.read);
  if (expect !== undefined && before !== expect)
    throw new UiaHostError(
      'state_conflict',
      `The cell in row ${row}, column ${quoted(String(column)).slice(1, -1)} of ${target.description} holds ${before === null ? 'what could not be read' : quoted(before)}, not ${quoted(expect)}. Nothing was changed.`,
      { hint: 'Read the table again; its rows may have moved.' },
    );
  const step = await cell.write(text);
  if (step.result !== 'delivered') return { step, before, after: null };
  const read = (): Promise<string | null> => quiet(cell.read);
  const isTaken = (now: string): boolean => compareText(text, now) !== 'mismatch';
  const after = await heldText(target.node.hwnd, read, isTaken, target.deadline);
  return { step, before, after };
}

/**
 * Errors: target_not_found (row, column), target_ambiguous (column name), target_readonly, state_conflict (`expect`), unsupported
 * where cells cannot be edited in place.
 */
export async function writeElementCell(
  tools: ActionTools,
  record: BindingRecord,
  ref: string,
  wanted: CellWrite,
  call: CallContext,
): Promise<Done<boolean>> {
  const aftermath = startAftermath(record, call);
  const target = await targetOf(tools, record, ref, call);
  requireEnabled(target);
  tools.pending.require(target.root, target.description);
  using grid = GridEditor.open(target);
  using label = LabelCell.open(target);
  const cell = (grid === null ? null : await gridCell(grid, wanted)) ?? label?.find(wanted) ?? null;
  if (cell === null)
    throw new UiaHostError(
      'unsupported',
      `${target.description} has no cells that can be edited in place. Nothing was changed.`,
      {
        hint: 'Name a grid or a list view. Programs often edit in a dialog or a field instead: take a snapshot and use type-into-element.',
      },
    );
  const { step, before, after } = await writeAndRead(target, cell, wanted);
  const { isUnfinished, ...attempt } = step;
  if (attempt.result !== 'delivered') throw notWritten(target, wanted, attempt);
  const readBack = after === null ? undefined : compareText(wanted.text, after);
  const isOpen = after === null || readBack === undefined || (isUnfinished === true && readBack === 'mismatch');
  const effect = isOpen ? 'unverified' : effectOfText(before, after, readBack);
  return {
    value: readBack !== 'mismatch',
    outcome: await aftermath.of(target.node, {
      effect,
      delivery: attempt.rung,
      evidence: after === null ? [] : [{ kind: 'value', ...shownDifference(before, after, EVIDENCE_LENGTH) }],
      attempts: [attempt],
      ...(readBack === undefined ? {} : { readBack }),
    }),
  };
}

function notWritten(
  { description }: ElementTarget,
  { row }: CellWrite,
  { result, rung, reason }: Attempt,
): UiaHostError {
  if (result === 'refused')
    return new UiaHostError(
      'target_readonly',
      `The cell in row ${row} of ${description} cannot be edited (${rung}: ${reason}). Nothing was overwritten.`,
    );
  return new UiaHostError(
    'unsupported',
    `The cell in row ${row} of ${description} could not be edited: ${rung}: ${reason}.`,
    {
      delivery: 'unknown',
    },
  );
}
