/** Clicking and typing as a person does: only when the caller asked for it, and yielding to a person at the machine. */
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { Point } from '../../../contract/geometry.ts';
import { parseKeySequence } from '../../../contract/keys.ts';
import type { Attempt } from '../../../contract/outcome.ts';
import { typeForeground, sendChordsForeground } from '../../input/keyboard-foreground.ts';
import { assertMayPoint, assertNobodyActive, buttonEvent, moveEvent, sendMouseEvents } from '../../input/mouse-foreground.ts';
import { takeForeground } from '../../windows/activate.ts';
import type { Witness } from '../../witness.ts';
import { Asker } from '../ask.ts';
import { clickPoint } from '../tree.ts';
import { delivered, failed, notApplicable } from './rungs.ts';
import type { ActionTarget } from './target.ts';
import type { TypeTarget } from './value-rungs.ts';

const FOREGROUND_MS = 1000;
const EM_SETSEL = 0x00b1;
const MESSAGE_MS = 1000;
const AT_END = 0x7fff_ffff;

/** Whether a click at the point reaches the element's window or one inside of it. */
function isUnderPoint({ node }: ActionTarget, at: Point): boolean {
  const hit = user32.WindowFromPoint(at);
  return node.letsClicksThrough || hit === node.hwnd || user32.IsChild(node.hwnd, hit);
}

/** Errors: user_active, state_conflict where another window lies over the point. */
export async function realClick(target: ActionTarget): Promise<Attempt> {
  const at = clickPoint(target.node);
  if (at === null) return notApplicable('input', 'no part of it is in view');
  assertNobodyActive();
  if (!await takeForeground(target.root, target.deadline.share(FOREGROUND_MS), target.call)) {
    return failed('input', 'Windows did not give the window the foreground');
  }
  assertMayPoint(target.record, at);
  if (!isUnderPoint(target, at)) return failed('input', 'another part of the window lies over its centre');
  sendMouseEvents([moveEvent(at), buttonEvent('left', 'down'), buttonEvent('left', 'up')]);
  return delivered('input', 'SendInput at its centre');
}

/** Clicks into the field, selects what is to be replaced, and types. Errors: as `realClick`, and cancelled. */
export async function realType(target: TypeTarget, witness: Witness): Promise<Attempt> {
  const clicked = await realClick(target);
  if (clicked.result !== 'delivered') return clicked;
  const { field, mode, record, call, text } = target;
  const asker = new Asker(target.deadline.share(MESSAGE_MS));
  if (field.isEdit) asker.ask(field.info.hwnd, EM_SETSEL, mode === 'append' ? AT_END : 0, mode === 'append' ? AT_END : -1);
  else await sendChordsForeground(record, parseKeySequence(mode === 'append' ? 'ctrl+end' : 'ctrl+a'), 1, call, witness);
  await typeForeground(record, text, call, witness);
  return delivered('input', 'a click into it, and SendInput');
}
