/**
 * List views: what is done to their rows, and what shows it. Source:
 * learn.microsoft.com/windows/win32/controls/list-view-control-reference
 */
import * as m from '../../../../native-bindings/win32/constants.ts';
import { LVITEMW } from '../../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { along, change, choosing, endLabel, writing } from '../../exits/messages.ts';
import { setFocus } from '../../exits/windows.ts';
import { type Asker, wakeLoop } from '../../windows/ask.ts';
import type { Acted, Driver, ItemLocator } from '../driver.ts';
import { aloneOrOf, markUnder, readNow, stateImage } from '../items.ts';
import { delivered, failed, notApplicable, refused, type Tried, unfinished } from '../driver.ts';
import { listViewItems, readListView, selectedRows } from './rows.ts';

/** Up to this many selected rows are deselected one by one. */
const FEW = 20;

function select({ info, asker, remote }: Acted, { index }: ItemLocator): Tried {
  const memory = remote.for(info.hwnd);
  if (memory === null)
    return notApplicable('message', 'the memory of its program cannot be used (by the policy, or Windows refused it)');
  const set = (row: number, state: number, mask: number): number | null => {
    memory.write(0, memory.layoutOf(LVITEMW).alloc({ state, stateMask: mask }));
    const answer = change(
      asker,
      info.hwnd,
      m.LVM_SETITEMSTATE,
      row < 0 ? BigInt.asUintN(64, BigInt(row)) : row,
      memory.address,
    );
    if (answer === null) memory.abandon();
    return answer;
  };
  // A few rows are deselected one by one: “all rows” makes the list view iterate over its whole content.
  const count = asker.ask(info.hwnd, m.LVM_GETSELECTEDCOUNT);
  if (count === null || count > FEW) set(-1, 0, m.LVIS_SELECTED);
  else if (count > 0) for (const row of selectedRows(asker, info.hwnd, -1, FEW)) set(row, 0, m.LVIS_SELECTED);
  const isSet = set(index, m.LVIS_SELECTED | m.LVIS_FOCUSED, m.LVIS_SELECTED | m.LVIS_FOCUSED);
  wakeLoop(info.hwnd);
  // A program that asks something when it is notified returns after the answer.
  if (isSet === null) return unfinished('message', 'LVM_SETITEMSTATE');
  // Windows answers 0 for a control that its program ended when it was notified.
  if (!user32.IsWindow(info.hwnd)) return delivered('message', 'LVM_SETITEMSTATE, after which the list view was gone');
  return isSet === 0
    ? failed('message', 'the list view did not accept the selection')
    : delivered('message', 'LVM_SETITEMSTATE, which notifies by itself');
}

/** Opens the field, sets its text and ends it. The program may ask something in a dialog meanwhile. */
export function editLabel(asker: Asker, hwnd: number, row: number, text: string): Tried {
  const field = change(asker, hwnd, m.LVM_EDITLABELW, row);
  if (field === null) return unfinished('message', 'LVM_EDITLABEL');
  if (field === 0) return refused('message', 'the program opened no field for it (LVM_EDITLABEL)');
  change(asker, field, m.WM_SETTEXT, 0, Buffer.from(`${text}\0`, 'utf16le'));
  endLabel(asker, field);
  // Leaving the field ends it as well.
  if (!asker.isPartial && asker.ask(hwnd, m.LVM_GETEDITCONTROL) === field) setFocus(hwnd, true);
  const isOpen = user32.IsWindow(field) && asker.ask(hwnd, m.LVM_GETEDITCONTROL) === field;
  return asker.isPartial || isOpen
    ? unfinished('message', 'LVM_EDITLABEL and WM_SETTEXT')
    : delivered('message', 'LVM_EDITLABEL, WM_SETTEXT and Enter');
}

/** "Start with the first row": the message's int -1 as a 64-bit word. */
const FROM_START = 0xffff_ffff_ffff_ffffn;

export const listView: Driver = {
  kinds: ['list-view'],
  item: 'list-view-row',
  asks: [
    [
      m.LVM_FINDITEMW,
      m.LVM_GETCOLUMNWIDTH,
      m.LVM_GETCOUNTPERPAGE,
      m.LVM_GETEDITCONTROL,
      m.LVM_GETEXTENDEDLISTVIEWSTYLE,
    ],
    [
      m.LVM_GETHEADER,
      m.LVM_GETIMAGELIST,
      m.LVM_GETITEMCOUNT,
      m.LVM_GETITEMRECT,
      m.LVM_GETITEMSTATE,
      m.LVM_GETITEMTEXTW,
    ],
    [
      m.LVM_GETNEXTITEM,
      m.LVM_GETSELECTEDCOUNT,
      m.LVM_GETTOPINDEX,
      m.LVM_HITTEST,
      m.LVM_MAPIDTOINDEX,
      m.LVM_MAPINDEXTOID,
    ],
  ].flat(),
  changes: [...along(m.LVM_ENSUREVISIBLE), ...choosing(m.LVM_SETITEMSTATE), ...writing(m.LVM_EDITLABELW)],
  read: readListView,
  items: listViewItems,
  questions: [
    ['selection', m.LVM_GETNEXTITEM, FROM_START, m.LVNI_SELECTED],
    ['focused-item', m.LVM_GETNEXTITEM, FROM_START, m.LVNI_FOCUSED],
    ['selected-count', m.LVM_GETSELECTEDCOUNT],
    ['scroll-position', m.LVM_GETTOPINDEX],
  ],
  choose: select,
  reveal: (asker, { hwnd, index }) => change(asker, hwnd, m.LVM_ENSUREVISIBLE, index, 0),
  itemSign: ({ hwnd, index }) => ({
    kind: 'selection',
    read: () =>
      ((readNow(hwnd, m.LVM_GETITEMSTATE, index, m.LVIS_SELECTED) ?? 0) & m.LVIS_SELECTED) !== 0 &&
      aloneOrOf(readNow(hwnd, m.LVM_GETSELECTEDCOUNT)),
    isMeant: (value) => value === true,
  }),
  markAt: (place) =>
    markUnder(place, {
      hitTest: m.LVM_HITTEST,
      getState: m.LVM_GETITEMSTATE,
      images: [m.LVM_GETIMAGELIST, m.LVSIL_STATE],
      onMark: m.LVHT_ONITEMSTATEICON,
      mask: m.LVIS_STATEIMAGEMASK,
      isItem: (row) => row >= 0,
      word: stateImage,
    }),
};
