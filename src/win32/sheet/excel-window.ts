/** From a window to its object: EXCEL7 below the bound window, which serves the Window object of Excel's object model. */
import { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { OBJID_NATIVEOM, WM_GETOBJECT } from '../../../native-bindings/win32/constants.ts';
import { oleacc } from '../../../native-bindings/win32/oleacc.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { windowProcess } from '../windows/window-info.ts';
import { answersNow, askElsewhere } from '../windows/ask.ts';
import { goneError, isGone, lacksMember, onDesk, unsupported } from './excel-errors.ts';
import type { Turn } from './excel-program.ts';
import { OpenBook } from './open-book.ts';

/** Time (ms) that the window has for its answer once it has answered a ping. */
const OBJECT_MS = 2000;
const PING_MS = 1000;

/** The window that serves the object model: below the bound one, and of its process. 0 where there is none. */
export function paneOf(hwnd: number): number {
  const pane = onDesk(hwnd, 'EXCEL7');
  return pane !== 0 && windowProcess(pane) === windowProcess(hwnd) ? pane : 0;
}

export const noObjectModel = (record: BindingRecord, why: string): UiaHostError =>
  unsupported(
    `The window ${quoted(record.title)} has no object model of a workbook (${why})`,
    'Excel’s start screen and Protected View have none, and other programs neither. Open a workbook or enable editing. In grids of any program read-table reads the cells and write-cell writes one, by row and column, as text.',
  );

/**
 * The workbook of the bound window. Its Window object is compared with the bound window each time, before anything else is asked.
 * Errors: unsupported, target_not_found (it belongs to another window), window_hung, window_gone.
 */
export async function openBook(record: BindingRecord, pane: number, turn: Turn): Promise<OpenBook> {
  const hung = (): UiaHostError =>
    user32.IsWindow(pane)
      ? new UiaHostError('window_hung', `The window ${quoted(record.title)} does not respond; nothing was done.`)
      : goneError('not_delivered');
  // An answer that comes too late is an object there that no one releases: so first whether the window answers at all.
  if (!(await answersNow(pane, Math.min(PING_MS, turn.remaining())))) throw hung();
  const known = turn.known();
  // Another window may serve the object now.
  if (known?.pane === pane)
    try {
      await assertItsWindow(known.window, record);
      return known;
    } catch (error) {
      // It may have ended with what the window showed before.
      if (!isGone(error)) throw error;
    }
  const window = await askForWindow(record, pane, turn, hung);
  try {
    await assertItsWindow(window, record);
  } catch (error) {
    throw lacksMember(error) ? noObjectModel(record, 'what it gave is not a Window object') : error;
  }
  return turn.know(new OpenBook(pane, turn.keep(window), turn.keep));
}

async function askForWindow(
  record: BindingRecord,
  pane: number,
  turn: Turn,
  hung: () => UiaHostError,
): Promise<Dispatch> {
  const answer = await askElsewhere(pane, WM_GETOBJECT, OBJID_NATIVEOM, Math.min(OBJECT_MS, turn.remaining()));
  if (answer === null) throw hung();
  if (answer === 0n) throw noObjectModel(record, 'it gave none');
  // A negative answer is an error: https://learn.microsoft.com/windows/win32/winauto/wm-getobject
  if (answer < 0n) throw noObjectModel(record, 'it answered with an error');
  const out = Buffer.alloc(8);
  const unpacked = await turn.wait(
    oleacc.ObjectFromLresult.async(answer, Dispatch.iid, 0, out),
    'with its Window object',
  );
  const pointer = out.readBigUInt64LE(0);
  if (unpacked < 0 || pointer === 0n) throw noObjectModel(record, 'what it gave is not an object');
  return new Dispatch(pointer, turn.home, 'Window');
}

async function assertItsWindow(window: Dispatch, record: BindingRecord): Promise<void> {
  const hwnd = await window.get('Hwnd');
  if (typeof hwnd === 'number' && hwnd >>> 0 === Number(record.hwnd) >>> 0) return;
  if (typeof hwnd !== 'number') throw noObjectModel(record, 'what it gave is not a Window object');
  throw new UiaHostError(
    'target_not_found',
    `The object model behind ${quoted(record.title)} belongs to another window (${String(hwnd >>> 0)}); nothing was done.`,
    { hint: 'Bind the workbook’s own window; list-visible-windows shows them.' },
  );
}
