/** Clicks and types with real input: only when the caller asks for it, and yielding to a person at the machine. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { parseKeySequence } from '../../contract/keys/keys.ts';
import type { MouseButton } from '../../desktop/index.ts';
import type { Attempt } from '../../contract/outcome.ts';
import { typeForeground, sendChordsForeground } from '../input/keyboard-foreground.ts';
import { sendMouseEvents } from '../exits/input.ts';
import { assertMayPoint, moveEvent, clickEvents } from '../input/mouse-foreground.ts';
import { takeForeground } from '../input/activate.ts';
import { quietMoment, YIELD_MS } from '../windows/person.ts';
import { waitUntil } from '../windows/waiting.ts';
import type { Witness } from '../windows/witness.ts';
import { selectText, customSelection } from '../drivers/edit.ts';
import { Asker } from '../windows/ask.ts';
import { clickPoint } from '../elements/tree/tree.ts';
import { delivered, failed, notApplicable } from '../drivers/ways.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';
import type { TypeTarget } from './value-ways.ts';

const FOREGROUND_MS = 1000;
const MESSAGE_MS = 1000;

/** Whether a click at the point reaches the element's window or one inside it. */
function isUnderPoint({ node }: ElementTarget, at: Point): boolean {
  const hit = user32.WindowFromPoint(at);
  return node.letsClicksThrough || hit === node.hwnd || user32.IsChild(node.hwnd, hit);
}

/** Errors: user_active, state_conflict if another window covers the point. */
export async function realClick(target: ElementTarget, button: MouseButton = 'left', count = 1): Promise<Attempt> {
  const at = clickPoint(target.node);
  if (at === null) return notApplicable('input', 'no part of it is in view');
  await quietMoment(YIELD_MS, target.deadline);
  if (!(await takeForeground(target.root, target.deadline.share(FOREGROUND_MS), target.call))) {
    return failed('input', 'Windows did not give the window the foreground');
  }
  assertMayPoint(target.record, at);
  if (!isUnderPoint(target, at)) return failed('input', 'another part of the window covers its centre');
  sendMouseEvents([moveEvent(at), ...clickEvents(button, count)]);
  return delivered('input', 'SendInput at its centre');
}

/**
 * Waits until Ctrl+End has been processed; a field that cannot report it is assumed to have done so. Source:
 * learn.microsoft.com/windows/win32/controls/em-getsel
 */
async function caretAtEnd({ field, deadline, call }: TypeTarget): Promise<void> {
  const asker = new Asker(deadline.share(MESSAGE_MS));
  const length = field.length() ?? field.read()?.length ?? null;
  if (length === null) return;
  await waitUntil(
    () => {
      const selection = customSelection(field.info.hwnd, asker);
      return selection === null || (selection.start === length && selection.end === length) ? true : null;
    },
    { withinMs: deadline.share(MESSAGE_MS), everyMs: 10, call, delivery: 'delivered' },
  );
}

/** Clicks into the field, selects the text to replace, and types. Errors: as `realClick`, and cancelled. */
export async function realType(target: TypeTarget, witness: Witness): Promise<Attempt> {
  const clicked = await realClick(target);
  if (clicked.result !== 'delivered') return clicked;
  const { field, mode, record, call, text } = target;
  // Real input is processed in order: once the keys have arrived, the click has too, and cannot move the caret any
  // more.
  await sendChordsForeground(
    record,
    { chords: parseKeySequence(field.isEdit || mode === 'append' ? 'ctrl+end' : 'ctrl+a'), repeat: 1 },
    call,
    witness,
  );
  if (field.isEdit) {
    await caretAtEnd(target);
    if (mode === 'replace') selectText(new Asker(target.deadline.share(MESSAGE_MS)), field.info.hwnd, 0, -1);
  }
  await typeForeground(record, text, call, witness);
  return delivered('input', 'a click into it, and SendInput');
}
