/** A modal dialog of the demo: Windows' own dialog class, with a text, perhaps a field, and one or two buttons. */
import * as m from '../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../native-bindings/win32/kernel32.ts';
import { RECT } from '../../native-bindings/win32/structs.ts';
import { DlgProc, user32 } from '../../native-bindings/win32/user32.ts';
import { DIALOG_FIELD } from './content.ts';

export interface DialogOptions {
  readonly owner: number;
  readonly title: string;
  readonly text: string;
  /** The label of a text field. */
  readonly field?: string;
  readonly accept: string;
  readonly cancel?: string;
  readonly font: number;
  /** Pixels for one at 96 DPI. */
  readonly scale: number;
}

const STYLE = m.WS_POPUP | m.WS_CAPTION | m.WS_SYSMENU | m.DS_MODALFRAME;
const CLIENT = { width: 340, height: 116, withField: 152 } as const;
const TEXT_UNITS = 512;

/**
 * A DLGTEMPLATE without controls: style, extended style, their count, place and size, then no menu, the standard class and
 * no title. Its packing is 2, so a buffer is written by hand.
 * Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-dlgtemplate
 */
function emptyTemplate(): Buffer {
  const template = Buffer.alloc(24);
  template.writeUInt32LE(STYLE >>> 0, 0);
  return template;
}

/** Shows the dialog and waits for its end; null for Cancel, Escape and its close button, else the field's text. */
export function askInDialog(options: DialogOptions): string | null {
  let typed = '';
  using procedure = DlgProc.register((dialog, message, wParam) => {
    switch (message) {
      case m.WM_INITDIALOG:
        build(dialog, options);
        // 1: Windows gives the focus to the first control.
        return 1;
      case m.WM_COMMAND: {
        const id = wParam & 0xffff;
        if (id !== m.IDOK && id !== m.IDCANCEL) return 0;
        if (id === m.IDOK && options.field !== undefined) typed = fieldText(dialog);
        user32.EndDialog(dialog, id);
        return 1;
      }
      default:
        return 0;
    }
  });
  const answer = user32.DialogBoxIndirectParamW(
    kernel32.GetModuleHandleW(null),
    emptyTemplate(),
    options.owner,
    procedure.address,
    0,
  );
  return answer === m.IDOK ? typed : null;
}

function fieldText(dialog: number): string {
  const text = Buffer.alloc(TEXT_UNITS * 2);
  const length = user32.GetWindowTextW(user32.GetDlgItem(dialog, DIALOG_FIELD), text, TEXT_UNITS);
  return text.toString('utf16le', 0, length * 2);
}

function build(dialog: number, { owner, title, text, field, accept, cancel, font, scale }: DialogOptions): void {
  const px = (size: number): number => Math.round(size * scale);
  const height = field === undefined ? CLIENT.height : CLIENT.withField;
  user32.SetWindowTextW(dialog, title);
  place(dialog, owner, px(CLIENT.width), px(height), scale);
  const add = (
    kind: 'label' | 'edit' | 'button',
    words: string,
    style: number,
    id: number,
    [x, y, width, tall]: readonly [number, number, number, number],
  ): void => {
    const hwnd = user32.CreateWindowExW(
      kind === 'edit' ? m.WS_EX_CLIENTEDGE : 0,
      kind === 'label' ? 'Static' : kind === 'edit' ? 'Edit' : 'Button',
      words,
      m.WS_CHILD | m.WS_VISIBLE | style,
      px(x),
      px(y),
      px(width),
      px(tall),
      dialog,
      id,
      0,
      null,
    );
    user32.SendMessageW(hwnd, m.WM_SETFONT, font, 1);
  };
  add('label', text, 0, 0, [16, 16, CLIENT.width - 32, 36]);
  if (field !== undefined) {
    add('label', field, 0, 0, [16, 59, 80, 18]);
    add('edit', '', m.WS_TABSTOP | m.ES_AUTOHSCROLL, DIALOG_FIELD, [100, 56, CLIENT.width - 116, 23]);
  }
  const row = height - 44;
  const right = CLIENT.width - 16 - 100;
  add('button', accept, m.WS_TABSTOP | m.BS_DEFPUSHBUTTON, m.IDOK, [
    cancel === undefined ? right : right - 108,
    row,
    100,
    28,
  ]);
  if (cancel !== undefined) add('button', cancel, m.WS_TABSTOP | m.BS_PUSHBUTTON, m.IDCANCEL, [right, row, 100, 28]);
}

/** In the middle of its owner. */
function place(dialog: number, owner: number, width: number, height: number, scale: number): void {
  const outer = RECT.alloc({ left: 0, top: 0, right: width, bottom: height });
  user32.AdjustWindowRectExForDpi(outer, STYLE >>> 0, false, 0, Math.round(scale * 96));
  const size = RECT.read(outer);
  const around = RECT.alloc();
  user32.GetWindowRect(owner, around);
  const { left, top, right, bottom } = RECT.read(around);
  const [wide, tall] = [size.right - size.left, size.bottom - size.top];
  const [x, y] = [left + Math.trunc((right - left - wide) / 2), top + Math.trunc((bottom - top - tall) / 2)];
  user32.SetWindowPos(dialog, 0, x, y, wide, tall, m.SWP_NOZORDER);
}
