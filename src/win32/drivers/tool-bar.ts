/** Tool bars, and the tips that name buttons which show an icon alone. Source: learn.microsoft.com/windows/win32/controls/bumper-toolbar-control-reference-messages */
import * as m from '../../../native-bindings/win32/constants.ts';
import { TBBUTTON, TBBUTTONINFOW, TTTOOLINFOW } from '../../../native-bindings/win32/structs.ts';
import type { ElementState } from '../../contract/element/control-types.ts';
import { type Asker } from '../windows/ask.ts';
import type { RemoteMemory } from '../elements/tree/remote-memory.ts';
import { withoutAccelerator } from '../../contract/element/element-words.ts';
import { parentOf, threadOf } from '../windows/window-info.ts';
import { change, choosing, notify } from '../exits/messages.ts';
import { delivered, failed, notApplicable, type Tried } from './driver.ts';
import type { Acted, Sign, Driver, ItemLocator, ControlReader } from './driver.ts';
import {
  readNow,
  askRemote,
  askRemoteRect,
  askItem,
  remoteText,
  clientToScreen,
  itemNode,
  TEXT_AT,
  TEXT_UNITS,
} from './items.ts';

/** A button by its index in the bar; null if it was not answered. */
function readButton(
  asker: Asker,
  memory: RemoteMemory,
  hwnd: number,
  index: number,
): ReturnType<typeof TBBUTTON.read> | null {
  const layout = memory.layoutOf(TBBUTTON);
  const back = askRemote(asker, memory, hwnd, m.TB_GETBUTTON, { wParam: index }) ? memory.read(0, layout.size) : null;
  return back === null ? null : layout.read(back);
}

/**
 * Whether a press anywhere on a button opens its menu (TBN_DROPDOWN) instead of sending a command; one with a separate
 * arrow does both. Source: learn.microsoft.com/windows/win32/controls/toolbar-control-and-button-styles
 */
function onlyDropsDown(asker: Asker, memory: RemoteMemory, hwnd: number, index: number, command: number): boolean {
  const button = readButton(asker, memory, hwnd, index);
  if (button === null || button.idCommand !== command) return false;
  if ((button.fsStyle & m.BTNS_WHOLEDROPDOWN) !== 0) return true;
  return (
    (button.fsStyle & m.BTNS_DROPDOWN) !== 0 &&
    ((asker.ask(hwnd, m.TB_GETEXTENDEDSTYLE) ?? 0) & m.TBSTYLE_EX_DRAWDDARROWS) === 0
  );
}

/** Below, `iString` is an index into the texts of the bar. */
const STRINGS_END = 0x1_0000n;

/**
 * A button's text, by its index: several buttons may have one id. Empty if there is none (it may show only an icon).
 * @param kept where the bar keeps it, in case it does not tell it
 */
function buttonText(asker: Asker, memory: RemoteMemory, hwnd: number, index: number, kept: bigint): string {
  const button = askItem({ asker, memory, hwnd }, [m.TB_GETBUTTONINFOW, index], TBBUTTONINFOW, (pszText, cbSize) => ({
    cbSize,
    dwMask: (m.TBIF_TEXT | m.TBIF_BYINDEX) >>> 0,
    pszText,
    cchText: TEXT_UNITS,
  }));
  const text = button?.text() ?? (kept < STRINGS_END ? null : button?.text(kept));
  return withoutAccelerator(text ?? '');
}

/** The tooltip control of a control; 0 if there is none in the same program. */
function toolTipsOf(asker: Asker, hwnd: number): number {
  const tips = asker.ask(hwnd, m.TB_GETTOOLTIPS);
  return tips !== null && tips !== 0 && threadOf(tips).process === threadOf(hwnd).process ? tips : 0;
}

/**
 * The first line of a tool's tip, which tells a person what it does; its program may generate it on request.
 * Source: learn.microsoft.com/windows/win32/controls/ttm-gettext
 */
function tipOf(asker: Asker, memory: RemoteMemory, tips: number, hwnd: number, id: bigint): string {
  const layout = memory.layoutOf(TTTOOLINFOW);
  memory.write(
    0,
    layout.alloc({
      // Up to lParam: every version of the control knows this size.
      cbSize: layout.at.lpReserved,
      hwnd,
      uId: id,
      lpszText: memory.address + BigInt(TEXT_AT),
    }),
  );
  memory.write(TEXT_AT, Buffer.alloc(2));
  return askRemote(asker, memory, tips, m.TTM_GETTEXTW, { wParam: TEXT_UNITS }) === null
    ? ''
    : withoutAccelerator(
        remoteText(memory)
          .split(/[\r\n]/, 1)[0]!
          .trim(),
      );
}

const readToolBar: ControlReader = ({ info, node }, { asker, remote }) => {
  const count = asker.ask(info.hwnd, m.TB_BUTTONCOUNT);
  if (count === null || count <= 0) return;
  const memory = remote.for(info.hwnd);
  if (memory === null) {
    [node.itemCount, node.unread] = [count, 'items'];
    return;
  }
  const toScreen = clientToScreen(info);
  let tips: number | undefined;
  const nameOf = (index: number, command: number, kept: bigint): string => {
    const text = buttonText(asker, memory, info.hwnd, index, kept);
    if (text !== '') return text;
    tips ??= toolTipsOf(asker, info.hwnd);
    return tips === 0 ? '' : tipOf(asker, memory, tips, info.hwnd, BigInt(command));
  };
  for (let index = 0; index < count; index++) {
    const button = readButton(asker, memory, info.hwnd, index);
    if (button === null) break;
    if ((button.fsStyle & m.BTNS_SEP) !== 0 || (button.fsState & m.TBSTATE_HIDDEN) !== 0) continue;
    const rect = askRemoteRect(asker, memory, info.hwnd, m.TB_GETITEMRECT, { wParam: index });
    if (rect === null) continue;
    const states: ElementState[] = [];
    if ((button.fsState & m.TBSTATE_ENABLED) === 0) states.push('disabled');
    if ((button.fsState & m.TBSTATE_CHECKED) !== 0) states.push('checked');
    if ((button.fsState & m.TBSTATE_INDETERMINATE) !== 0) states.push('mixed');
    const isCheck = (button.fsStyle & m.BTNS_CHECK) !== 0;
    const isSplit = (button.fsStyle & (m.BTNS_DROPDOWN | m.BTNS_WHOLEDROPDOWN)) === m.BTNS_DROPDOWN;
    node.children.push(
      itemNode(node, {
        kind: 'tool-button',
        identity: `command:${button.idCommand}:${index}`,
        index,
        handle: button.idCommand,
        controlType: isCheck ? 'CheckBox' : isSplit ? 'SplitButton' : 'Button',
        name: nameOf(index, button.idCommand, BigInt(button.iString)),
        rect: toScreen(rect),
        states,
        automationId: `Item ${button.idCommand}`,
      }),
    );
  }
};

/**
 * A tool bar button's click is its command; a check button changes its state first, as a click does. A button that
 * opens a menu has no command.
 */
function press({ info, node, asker, remote }: Acted, { index, handle }: ItemLocator): Tried {
  const memory = remote.for(info.hwnd);
  if (memory !== null && onlyDropsDown(asker, memory, info.hwnd, index, handle))
    return notApplicable('message', 'a button that opens a menu is pressed only by a click');
  if (node.controlType === 'CheckBox') {
    const state = asker.ask(info.hwnd, m.TB_GETSTATE, handle);
    if (state === null || state < 0) return failed('message', 'the tool bar did not answer');
    change(asker, info.hwnd, m.TB_CHECKBUTTON, handle, (state & m.TBSTATE_CHECKED) === 0 ? 1 : 0);
  }
  return notify(parentOf(info.hwnd), m.WM_COMMAND, handle & 0xffff, info.hwnd)
    ? delivered('message', 'WM_COMMAND of the button')
    : failed('message', 'the message could not be sent');
}

const pressed = ({ hwnd, handle }: ItemLocator): Sign => ({
  kind: 'toggle',
  read() {
    const state = readNow(hwnd, m.TB_GETSTATE, handle);
    return state === undefined ? undefined : (state & m.TBSTATE_CHECKED) === 0 ? 'off' : 'on';
  },
});

export const toolBar: Driver = {
  kinds: ['tool-bar'],
  item: 'tool-button',
  asks: [
    [m.TB_BUTTONCOUNT, m.TB_GETBUTTON, m.TB_GETBUTTONINFOW, m.TB_GETEXTENDEDSTYLE, m.TB_GETITEMRECT, m.TB_GETSTATE],
    m.TB_GETTOOLTIPS,
  ].flat(),
  changes: choosing(m.TB_CHECKBUTTON),
  read: readToolBar,
  choose: press,
  itemSign: (item, { controlType }) => (controlType === 'CheckBox' ? pressed(item) : null),
  // Its program may keep a button pressed that has not the style of a check button.
  itemHint: (item, { controlType }) => (controlType === 'CheckBox' ? null : pressed(item)),
};

export const toolTip: Driver = { kinds: ['tooltip'], asks: [m.TTM_GETTEXTW] };
