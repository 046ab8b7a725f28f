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
  TBIF_BYINDEX,
  TBIF_TEXT,
  TB_GETBUTTONINFOW,
  TB_GETEXTENDEDSTYLE,
  TB_GETITEMRECT,
  TB_GETTOOLTIPS,
} from '../../../../../native-bindings/win32/constants.ts';
import { TBBUTTON, TBBUTTONINFOW } from '../../../../../native-bindings/win32/structs.ts';
import type { ElementState } from '../../../../contract/element/control-types.ts';
import { type Asker } from '../../../windows/ask.ts';
import type { Rect } from '../../../../contract/element/geometry.ts';
import type { RemoteMemory } from '../../tree/remote-memory.ts';
import { withoutAccelerator } from '../../../../contract/element/element-words.ts';
import { ToolTips } from './tool-tips.ts';
import {
  askRemote,
  askRemoteRect,
  askText,
  answeredText,
  clientToScreen,
  itemNode,
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

/** Below, `iString` is an index into the texts of the bar. */
const STRINGS_END = 0x1_0000n;

/**
 * A button's text, by its index: several buttons may have one id. Empty if there is none (it may show only an icon).
 * @param kept where the bar keeps it, in case it does not tell it
 */
function buttonText(asker: Asker, memory: RemoteMemory, hwnd: number, index: number, kept: bigint): string {
  const layout = memory.layoutOf(TBBUTTONINFOW);
  memory.write(
    0,
    layout.alloc({
      cbSize: layout.size,
      dwMask: (TBIF_TEXT | TBIF_BYINDEX) >>> 0,
      pszText: memory.address + BigInt(TEXT_AT),
      cchText: TEXT_UNITS,
    }),
  );
  askText(asker, memory, hwnd, TB_GETBUTTONINFOW, { wParam: index });
  const text = answeredText(memory, 0) ?? (kept < STRINGS_END ? null : answeredText(memory, kept));
  return withoutAccelerator(text ?? '');
}

export const readToolBar: ControlReader = ({ info, node }, { asker, remote }) => {
  const count = asker.ask(info.hwnd, TB_BUTTONCOUNT);
  if (count === null || count <= 0) return;
  const memory = remote.for(info.hwnd);
  if (memory === null) {
    [node.itemCount, node.unread] = [count, 'items'];
    return;
  }
  const toScreen = clientToScreen(info);
  const tips = new ToolTips(asker, memory, info.hwnd, TB_GETTOOLTIPS);
  const nameOf = (index: number, command: number, kept: bigint, rect: Rect): string => {
    const text = buttonText(asker, memory, info.hwnd, index, kept);
    return text === '' ? tips.of(BigInt(command), rect) : text;
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
        name: nameOf(index, button.idCommand, BigInt(button.iString), rect),
        rect: toScreen(rect),
        states,
        automationId: `Item ${button.idCommand}`,
      }),
    );
  }
};
