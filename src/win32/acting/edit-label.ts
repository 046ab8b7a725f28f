/**
 * Edits one cell of a grid or list view in place, and reads it back; the label of a row as F2 does. Source:
 * learn.microsoft.com/windows/win32/controls/lvm-editlabel
 */
import { LVS_EDITLABELS } from '../../../native-bindings/win32/constants.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext, CellWrite, Done } from '../../desktop/index.ts';
import { type ActionTools, type ElementTarget, requireEnabled, targetOf } from '../elements/finding/element-target.ts';
import { RemoteBlocks } from '../elements/tree/remote-memory.ts';
import { type Tried, refused } from '../drivers/ways.ts';
import { editLabel } from '../drivers/list-view/index.ts';
import { cellText, columnCount, columnTitles, isReport, rowCount } from '../drivers/list-view/rows.ts';
import { withTemporaryFocus } from '../input/temporary-focus.ts';
import { Asker } from '../windows/ask.ts';
import { type WindowInfo } from '../windows/window-info.ts';
import { type EditableCell, openGrid, editableCell, columnIndex, requireRow } from './grid-editor.ts';
import { ComError } from '../../../native-bindings/com/hresult.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Attempt } from '../../contract/outcome.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { compareText, effectOfText, shownDifference } from '../elements/tree/text-difference.ts';
import { heldText } from '../evidence/edit-state.ts';
import { startAftermath } from '../evidence/late-foreground.ts';
import { receiverAt } from '../elements/finding/text-target.ts';

const LABEL_MS = 5000;
/** Editing ends with a key that the field is sent, so a few messages are processed. */
const MESSAGES = 3;

/** The label of a row of a list view, read through memory in its program. Errors: target_not_found, target_ambiguous, target_readonly, unsupported. */
function labelCell(
  { description, deadline, root }: ElementTarget,
  info: WindowInfo,
  blocks: RemoteBlocks,
  { row, column }: CellWrite,
): EditableCell {
  const { hwnd, style } = info;
  const memory = blocks.for(hwnd);
  if (memory === null)
    throw new UiaHostError(
      'unsupported',
      `${description} can only be read through the memory of its program, which the policy or Windows forbids. Nothing was changed.`,
    );
  const asker = (): Asker => new Asker(deadline.share(LABEL_MS));
  const first = asker();
  requireRow(row, rowCount(first, hwnd), description);
  const count = columnCount(first, info);
  const columns = isReport(style) ? Array.from({ length: count }, (_, at) => at) : [];
  const titles = columnTitles(first, memory, info, columns);
  if (columnIndex(column, titles, count, description) !== 0)
    throw new UiaHostError(
      'unsupported',
      `Only the first column of ${description} can be edited in place. Nothing was changed.`,
      { hint: 'Programs usually change the other columns in a dialog, which opening the row shows.' },
    );
  if ((style & LVS_EDITLABELS) === 0)
    throw new UiaHostError(
      'target_readonly',
      `The rows of ${description} cannot be edited in place. Nothing was overwritten.`,
    );
  return {
    read: () => cellText(asker(), memory, hwnd, row, 0),
    /** The list view needs the focus of its program: Windows opens no field without it. */
    async write(text) {
      let step: Tried = refused('message', 'the list opened no field for it');
      const edit = (): void => {
        step = editLabel(asker(), hwnd, row, text);
      };
      await withTemporaryFocus(receiverAt(hwnd, 'system focus'), root, edit, MESSAGES, deadline);
      return step;
    },
  };
}

/** Text in an outcome is for a quick check; the full text is in the cell. */
const EVIDENCE_LENGTH = 1000;

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
  const after = await heldText(target.node.hwnd, read, isTaken, target.deadline, { isKept: false });
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
  using grid = openGrid(target);
  using blocks = new RemoteBlocks(tools.read.remoteControlMemory);
  let cell: EditableCell | null = null;
  if (grid !== null) {
    requireRow(wanted.row, grid.rows, target.description);
    const column = columnIndex(wanted.column, grid.titles, grid.columns, target.description);
    cell = await editableCell(target, grid.cells, wanted.row, column);
  }
  const { node, located } = target;
  const entry = node.locator.kind === 'window' ? located.observed.windows.entries.get(node.hwnd) : undefined;
  if (entry?.kind === 'list-view') cell ??= labelCell(target, entry.info, blocks, wanted);
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
  return aftermath.of(target.node, {
    effect,
    delivery: attempt.rung,
    evidence: after === null ? [] : [{ kind: 'value', ...shownDifference(before, after, EVIDENCE_LENGTH) }],
    attempts: [attempt],
    ...(readBack === undefined ? {} : { readBack }),
  });
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
