/**
 * Edits one cell of a grid or list view in place, and reads it back: by the cell's Value pattern, or by the control's own
 * label editing.
 */
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import { ComError, HRESULT } from '../../../native-bindings/com/hresult.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Attempt, EffectSeen } from '../../contract/outcome.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext, CellWrite, Done } from '../../desktop/index.ts';
import {
  elementOf,
  requireEnabled,
  targetOf,
  type ActionTools,
  type ElementTarget,
} from '../elements/finding/element-target.ts';
import { GridCells, gridSize, columnHeaders } from '../elements/sources/grid-patterns.ts';
import { attemptAfter, attemptOf, isReadOnly, setValue } from '../elements/sources/patterns.ts';
import { delivered, failed, unfinished, type Step } from '../elements/sources/rungs.ts';
import { shownDifference } from '../elements/tree/text-difference.ts';
import { compareText } from '../elements/tree/text-equality.ts';
import { startAftermath } from '../evidence/aftermath.ts';
import { ANSWER_RESERVE_MS, pause } from '../windows/waiting.ts';
import { columnIndex, requireRow, type EditableCell } from './cell-place.ts';
import { LabelCell } from './edit-label.ts';

const READ_BACK_MS = 300;
const POLL_MS = 10;
/** Text in an outcome is for a quick check; the full text is in the cell. */
const EVIDENCE_LENGTH = 1000;

async function setCell(target: ElementTarget, cell: IUIAutomationElement, text: string): Promise<Step> {
  const { tools, root, description, deadline, call } = target;
  try {
    const started = setValue(cell, text);
    if (started === null) return failed('uia-value', 'the cell is gone');
    const ended = await tools.pending.run(
      root,
      `SetValue of a cell of ${description}`,
      started,
      () => false,
      deadline,
      call,
    );
    if (ended.kind === 'failed') return attemptAfter('uia-value', 'SetValue', ended.error, description);
    if (ended.kind === 'pending') return unfinished('uia-value', 'SetValue', ' yet');
    return ended.hresult === HRESULT.S_FALSE
      ? failed('uia-value', 'SetValue did nothing (S_FALSE)')
      : delivered('uia-value', 'SetValue');
  } catch (error) {
    return attemptOf('uia-value', error, description);
  }
}

/** The cell by the Grid pattern; null if the element is not a grid, or its cells have no Value pattern. */
async function gridCell(
  target: ElementTarget,
  element: IUIAutomationElement,
  grid: GridCells,
  { row, column }: CellWrite,
): Promise<EditableCell | null> {
  const { description } = target;
  const size = gridSize(element);
  if (size === null) return null;
  requireRow(row, size.rows, description);
  const at = columnIndex(column, columnHeaders(element), size.columns, description);
  using cell = await grid.item(row, at);
  if (cell === null)
    throw new UiaHostError(
      'target_not_found',
      `${description} has no cell in row ${row}, column ${at}. Nothing was changed.`,
    );
  if (grid.isPassword(cell))
    throw new UiaHostError(
      'unsupported',
      `The cell in row ${row}, column ${at} of ${description} hides what it holds. Nothing was changed.`,
      {
        hint: 'Use type-into-element on the cell, with its ref.',
      },
    );
  const readOnly = isReadOnly(cell);
  if (readOnly === null) return null;
  if (readOnly)
    throw new UiaHostError(
      'target_readonly',
      `The cell in row ${row}, column ${at} of ${description} is read-only. Nothing was overwritten.`,
    );
  return {
    read: () => grid.text(row, at),
    write: async (text) => {
      // The item is fetched again: a grid may replace its cells whenever one changes.
      using live = await grid.item(row, at);
      return live === null ? failed('uia-value', 'the cell is gone') : setCell(target, live, text);
    },
  };
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
  call: CallContext,
): Promise<{ readonly step: Step; readonly before: string | null; readonly after: string | null }> {
  const before = await quiet(cell.read);
  if (expect !== undefined && before !== expect)
    throw new UiaHostError(
      'state_conflict',
      `The cell in row ${row}, column ${quoted(String(column)).slice(1, -1)} of ${target.description} holds ${before === null ? 'what could not be read' : quoted(before)}, not ${quoted(expect)}. Nothing was changed.`,
      { hint: 'Read the table again; its rows may have moved.' },
    );
  const step = await cell.write(text);
  if (step.result !== 'delivered') return { step, before, after: null };
  const end = performance.now() + target.deadline.share(READ_BACK_MS, ANSWER_RESERVE_MS);
  let after = await quiet(cell.read);
  while ((after === null || compareText(text, after) === 'mismatch') && performance.now() < end) {
    await pause(POLL_MS, call, 'unknown');
    after = await quiet(cell.read);
  }
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
  using element = elementOf(target);
  const { automation } = tools.read;
  const isGrid = element !== null && automation !== null && target.node.capabilities.has('grid');
  using grid = isGrid ? GridCells.open(element, automation) : null;
  using label = LabelCell.open(target);
  const cell = (grid === null ? null : await gridCell(target, element!, grid, wanted)) ?? label?.find(wanted) ?? null;
  if (cell === null)
    throw new UiaHostError(
      'unsupported',
      `${target.description} has no cells that can be edited in place. Nothing was changed.`,
      {
        hint: 'Name a grid or a list view. Programs often edit in a dialog or a field instead: take a snapshot and use type-into-element.',
      },
    );
  const { step, before, after } = await writeAndRead(target, cell, wanted, call);
  const { isUnfinished, ...attempt } = step;
  if (attempt.result !== 'delivered') throw notWritten(target, wanted, attempt);
  const readBack = after === null ? undefined : compareText(wanted.text, after);
  const effect: EffectSeen =
    readBack === undefined || (isUnfinished === true && readBack === 'mismatch')
      ? 'unverified'
      : readBack !== 'mismatch'
        ? 'confirmed'
        : after === before
          ? 'none'
          : 'unverified';
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
