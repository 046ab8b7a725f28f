/** Tool bars. Source: learn.microsoft.com/windows/win32/controls/bumper-toolbar-control-reference-messages */
import {
  BTNS_CHECK,
  BTNS_DROPDOWN,
  BTNS_SEP,
  BTNS_WHOLEDROPDOWN,
  TBSTATE_CHECKED,
  TBSTATE_ENABLED,
  TBSTATE_HIDDEN,
  TBSTATE_INDETERMINATE,
  TBSTYLE_EX_DRAWDDARROWS,
  TB_BUTTONCOUNT,
  TB_GETBUTTON,
  TB_GETBUTTONTEXTW,
  TB_GETEXTENDEDSTYLE,
  TB_GETITEMRECT,
  TB_GETTOOLTIPS,
  TTM_GETTEXTW,
} from '../../../../../native-bindings/win32/constants.ts';
import { TBBUTTON, TTTOOLINFOW } from '../../../../../native-bindings/win32/structs.ts';
import type { ElementState } from '../../../../contract/element/control-types.ts';
import { type Asker } from '../../../windows/ask.ts';
import { threadOf } from '../../../windows/window-info.ts';
import type { RemoteMemory } from '../../tree/remote-memory.ts';
import { withoutAccelerator } from '../../tree/text.ts';
import {
  askRemote,
  askRemoteRect,
  clientToScreen,
  itemNode,
  remoteText,
  TEXT_AT,
  TEXT_UNITS,
  type ControlReader,
} from './items.ts';

/** A button by its index in the bar; null if it was not answered. */
function readButton(
  asker: Asker,
  memory: RemoteMemory,
  hwnd: number,
  index: number,
): ReturnType<typeof TBBUTTON.read> | null {
  const layout = memory.layoutOf(TBBUTTON);
  const back = askRemote(asker, memory, hwnd, TB_GETBUTTON, { wParam: index }) ? memory.read(0, layout.size) : null;
  return back === null ? null : layout.read(back);
}

/**
 * Whether a press anywhere on a button opens its menu (TBN_DROPDOWN) instead of sending a command; one with a separate
 * arrow does both. Source: learn.microsoft.com/windows/win32/controls/toolbar-control-and-button-styles
 */
export function onlyDropsDown(
  asker: Asker,
  memory: RemoteMemory,
  hwnd: number,
  index: number,
  command: number,
): boolean {
  const button = readButton(asker, memory, hwnd, index);
  if (button === null || button.idCommand !== command) return false;
  if ((button.fsStyle & BTNS_WHOLEDROPDOWN) !== 0) return true;
  return (
    (button.fsStyle & BTNS_DROPDOWN) !== 0 &&
    ((asker.ask(hwnd, TB_GETEXTENDEDSTYLE) ?? 0) & TBSTYLE_EX_DRAWDDARROWS) === 0
  );
}

/** A button's text; empty if there is none (it may show only an icon). */
function buttonText(asker: Asker, memory: RemoteMemory, hwnd: number, command: number): string {
  // Without a buffer the result is the length: a longer text would be written past the end.
  const length = asker.ask(hwnd, TB_GETBUTTONTEXTW, command, null);
  if (length === null || length <= 0 || length >= TEXT_UNITS) return '';
  memory.write(TEXT_AT, Buffer.alloc(2));
  const got = askRemote(asker, memory, hwnd, TB_GETBUTTONTEXTW, { wParam: command, offset: TEXT_AT });
  return got === null || got < 0 ? '' : withoutAccelerator(remoteText(memory));
}

/** The tooltip control that describes buttons without text; 0 if there is none in the same program. */
function toolTipsOf(asker: Asker, hwnd: number): number {
  const tips = asker.ask(hwnd, TB_GETTOOLTIPS);
  return tips !== null && tips !== 0 && threadOf(tips).process === threadOf(hwnd).process ? tips : 0;
}

/**
 * The first line of a button's tooltip, which tells a person what it does; its program may generate it on request.
 * Source: learn.microsoft.com/windows/win32/controls/ttm-gettext
 */
function toolTip(asker: Asker, memory: RemoteMemory, tips: number, hwnd: number, command: number): string {
  const layout = memory.layoutOf(TTTOOLINFOW);
  memory.write(
    0,
    layout.alloc({
      // Up to lParam: every version of the control knows this size.
      cbSize: layout.at.lpReserved,
      hwnd,
      uId: BigInt(command),
      lpszText: memory.address + BigInt(TEXT_AT),
    }),
  );
  memory.write(TEXT_AT, Buffer.alloc(2));
  return askRemote(asker, memory, tips, TTM_GETTEXTW, { wParam: TEXT_UNITS }) === null
    ? ''
    : withoutAccelerator(
        remoteText(memory)
          .split(/[\r\n]/, 1)[0]!
          .trim(),
      );
}

export const readToolBar: ControlReader = ({ info, node }, { asker, remote }) => {
  const count = asker.ask(info.hwnd, TB_BUTTONCOUNT);
  if (count === null || count <= 0) return;
  const memory = remote.for(info.hwnd);
  if (memory === null) {
    node.itemCount = count;
    return;
  }
  const toScreen = clientToScreen(info);
  let tips: number | undefined;
  const nameOf = (command: number): string => {
    const text = buttonText(asker, memory, info.hwnd, command);
    if (text !== '') return text;
    tips ??= toolTipsOf(asker, info.hwnd);
    return tips === 0 ? '' : toolTip(asker, memory, tips, info.hwnd, command);
  };
  for (let index = 0; index < count; index++) {
    const button = readButton(asker, memory, info.hwnd, index);
    if (button === null) break;
    if ((button.fsStyle & BTNS_SEP) !== 0 || (button.fsState & TBSTATE_HIDDEN) !== 0) continue;
    const rect = askRemoteRect(asker, memory, info.hwnd, TB_GETITEMRECT, { wParam: index });
    if (rect === null) continue;
    const states: ElementState[] = [];
    if ((button.fsState & TBSTATE_ENABLED) === 0) states.push('disabled');
    if ((button.fsState & TBSTATE_CHECKED) !== 0) states.push('checked');
    if ((button.fsState & TBSTATE_INDETERMINATE) !== 0) states.push('mixed');
    const isCheck = (button.fsStyle & BTNS_CHECK) !== 0;
    const isSplit = (button.fsStyle & (BTNS_DROPDOWN | BTNS_WHOLEDROPDOWN)) === BTNS_DROPDOWN;
    node.children.push(
      itemNode(node, {
        kind: 'tool-button',
        identity: `command:${button.idCommand}:${index}`,
        index,
        handle: button.idCommand,
        controlType: isCheck ? 'CheckBox' : isSplit ? 'SplitButton' : 'Button',
        name: nameOf(button.idCommand),
        rect: toScreen(rect),
        states,
        automationId: `Item ${button.idCommand}`,
      }),
    );
  }
};
