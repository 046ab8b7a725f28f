/** selectElement: an item of a control by name or index, the item itself, or a menu entry by its path. */
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../contract/binding.ts';
import type { ControlType } from '../../../contract/element.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import type { CallContext, Done } from '../../../desktop/index.ts';
import { startWitness } from '../../witness.ts';
import { refOf } from '../locate.ts';
import { readWindow, type ReadOptions } from '../observe.ts';
import type { RefBook } from '../refs.ts';
import { pathTo } from '../tree.ts';
import { chooseItem, pathParts } from './choose-item.ts';
import { clickElement } from './click.ts';
import { controlMessage, isItemSelected, signOfItem } from './control-message.ts';
import { menuCommand } from './menu-path.ts';
import { climb, type Rung } from './rungs.ts';
import { requireEnabled, targetOf, type ActionTarget } from './target.ts';
import { Watch } from './watch.ts';

const WM_COMMAND = 0x0111;
const MENUS: ReadonlySet<ControlType> = new Set(['Window', 'MenuBar', 'Menu', 'MenuItem']);

const RUNGS: ReadonlyArray<Rung<ActionTarget>> = [controlMessage];

async function selectMenu(target: ActionTarget, path: readonly string[]): Promise<Done<boolean>> {
  const witness = startWitness();
  const command = menuCommand(target.root, path);
  const watch = new Watch(target, null);
  const sent = user32.SendNotifyMessageW(target.root, WM_COMMAND, command & 0xffff, 0);
  if (!sent) throw new UiaHostError('window_gone', `The window “${target.record.title}” took no command.`);
  const seen = await watch.settle();
  return {
    value: true,
    outcome: witness.outcome({
      effect: seen.effect, delivery: 'message', evidence: seen.evidence, attempts: [{ rung: 'message', result: 'delivered', reason: 'WM_COMMAND of the menu entry' }],
      ...(seen.details === undefined ? {} : { details: seen.details }),
    }),
  };
}

/** Selects an item by its control's way and reads the selection back. Selected already: nothing is sent. */
async function selectItem(target: ActionTarget): Promise<Done<boolean>> {
  const witness = startWitness();
  const { locator } = target.node;
  const sign = locator.kind === 'item' ? signOfItem(target, locator) : null;
  const isSelected = (): boolean => locator.kind === 'item' && sign !== null && isItemSelected(locator, sign.read());
  if (isSelected()) {
    return { value: true, outcome: witness.outcome({ effect: 'confirmed', delivery: 'none', evidence: [{ kind: 'selection', before: true, after: true }] }) };
  }
  const watch = new Watch(target, sign);
  const climbed = await climb(RUNGS, target);
  if (climbed.delivered === null) {
    throw new UiaHostError('unsupported', `No way of selecting ${target.description} worked: ${climbed.attempts.map(({ rung, reason }) => `${rung}: ${reason}`).join('; ')}.`);
  }
  const seen = await watch.settle();
  return {
    value: true,
    outcome: witness.outcome({
      effect: seen.effect, delivery: climbed.delivered.rung, evidence: seen.evidence, attempts: climbed.attempts,
      ...(seen.details === undefined ? {} : { details: seen.details }),
    }),
  };
}

/** Errors: target_not_found, target_ambiguous, target_disabled, element_stale, unsupported. */
export async function selectElement(
  refs: RefBook, record: BindingRecord, ref: string, item: { name?: string | undefined; index?: number | undefined } | null, call: CallContext, read: ReadOptions,
): Promise<Done<boolean>> {
  const target = targetOf(refs, record, ref, call, read);
  requireEnabled(target);
  if (item === null) return target.node.locator.kind === 'item' ? selectItem(target) : clickElement(refs, record, ref, { delivery: 'background' }, call, read);
  const path = item.name === undefined ? [] : pathParts(item.name);
  if (MENUS.has(target.node.controlType) && path.length > 0) {
    return selectMenu(target, target.node.controlType === 'MenuItem' ? [target.node.name, ...path] : path);
  }
  const observed = readWindow(record, { ...read, only: target.node.hwnd, allItems: true });
  const container = pathTo(observed.root, target.node.identity).at(-1);
  if (container === undefined) throw new UiaHostError('element_stale', `${target.description} is gone.`);
  const node = chooseItem(container, item, target.description);
  const chosen: ActionTarget = { ...target, node, located: { node, observed }, ref: refOf(refs, target.root, node), description: `${node.controlType} “${node.name}”` };
  requireEnabled(chosen);
  return selectItem(chosen);
}
