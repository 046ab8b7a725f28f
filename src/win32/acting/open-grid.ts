/** The one grid of a window whose cells UI Automation shows: a spreadsheet without an object model, a data grid. */
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/index.ts';
import { elementOf, targetOf, type ActionTools, type ElementTarget } from '../elements/finding/element-target.ts';
import { refOf } from '../elements/finding/locate.ts';
import { readWindow } from '../elements/reading/observe.ts';
import { GridCells, gridSize } from '../elements/sources/grid-patterns.ts';
import { walk } from '../elements/tree/tree.ts';

/** Valid while it is used. */
export interface OpenGrid {
  readonly target: ElementTarget;
  readonly element: IUIAutomationElement;
  readonly cells: GridCells;
  readonly rows: number;
  readonly columns: number;
  readonly name: string;
}

/** Uses the window's only grid in view; null if it has none. Errors: target_ambiguous with the grids. */
export async function useGrid<T>(
  tools: ActionTools,
  record: BindingRecord,
  call: CallContext,
  use: (grid: OpenGrid) => Promise<T>,
): Promise<T | null> {
  const { automation } = tools.read;
  if (automation === null) return null;
  const { root } = readWindow(record, tools.read);
  const grids = walk(root).filter(({ capabilities, states }) => capabilities.has('grid') && !states.has('offscreen'));
  const [node, ...others] = grids;
  if (node === undefined) return null;
  const hwnd = Number(record.hwnd);
  if (others.length > 0)
    throw new UiaHostError('target_ambiguous', `The window shows ${grids.length} grids; nothing was done.`, {
      hint: 'Use read-table and write-cell with the ref of one of them.',
      candidates: grids.slice(0, 10).map((grid) => ({
        ref: refOf(tools.refs, hwnd, grid),
        role: grid.controlType,
        name: grid.name,
        automationId: grid.automationId,
      })),
    });
  const target = await targetOf(tools, record, refOf(tools.refs, hwnd, node), call);
  using element = elementOf(target);
  const size = element === null ? null : gridSize(element);
  using cells = element === null || size === null ? null : GridCells.open(element, automation);
  if (element === null || size === null || cells === null) return null;
  return await use({ target, element, cells, ...size, name: node.name === '' ? node.controlType : node.name });
}
