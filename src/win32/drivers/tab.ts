/** Tab controls. Source: learn.microsoft.com/windows/win32/controls/tab-control-reference */
import { TCITEMW } from '../../../native-bindings/win32/structs.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { withoutAccelerator } from '../../contract/element/element-words.ts';
import { choosing, notify } from '../exits/messages.ts';
import type { ControlReader, Driver, Acted, ItemLocator } from './driver.ts';
import { itemNode, askItem, askRemoteRect, clientToScreen, TEXT_UNITS, readNow } from './items.ts';
import { delivered, failed, notApplicable, type Tried } from './driver.ts';

const readTab: ControlReader = ({ info, node }, { asker, remote }) => {
  const count = asker.ask(info.hwnd, m.TCM_GETITEMCOUNT);
  if (count === null || count <= 0) return;
  const memory = remote.for(info.hwnd);
  if (memory === null) {
    [node.itemCount, node.unread] = [count, 'items'];
    return;
  }
  const selected = asker.ask(info.hwnd, m.TCM_GETCURSEL);
  const toScreen = clientToScreen(info);
  for (let index = 0; index < count; index++) {
    const fields = (pszText: bigint) => ({ mask: m.TCIF_TEXT, pszText, cchTextMax: TEXT_UNITS });
    const item = askItem({ asker, memory, hwnd: info.hwnd }, [m.TCM_GETITEMW, index], TCITEMW, fields);
    if (item === null) break;
    const read = item.text(item.fields.pszText);
    const text = withoutAccelerator(read ?? '');
    const rect = askRemoteRect(asker, memory, info.hwnd, m.TCM_GETITEMRECT, { wParam: index });
    if (rect === null) break;
    node.children.push(
      itemNode(node, {
        kind: 'tab-item',
        identity: `tab:${index}:${text}`,
        index,
        controlType: 'TabItem',
        name: text,
        rect: toScreen(rect),
        states: index === selected ? ['selected'] : [],
        // An icon alone has no text; what its program draws is unknown.
        unread: text === '' && (read === null || (info.style & m.TCS_OWNERDRAWFIXED) !== 0) ? 'text' : null,
      }),
    );
  }
};

/**
 * Windows notifies for a tab that gets the focus, not for one selected by TCM_SETCURSEL; with button-style tabs the
 * focus does not select.
 */
function select({ info }: Acted, { hwnd, index }: ItemLocator): Tried {
  if ((info.style & m.TCS_BUTTONS) !== 0)
    return notApplicable('message', 'button-style tabs are selected only by a click');
  return notify(hwnd, m.TCM_SETCURFOCUS, index, 0)
    ? delivered('message', 'TCM_SETCURFOCUS, which notifies by itself')
    : failed('message', 'the message could not be sent');
}

export const tab: Driver = {
  kinds: ['tab'],
  item: 'tab-item',
  asks: [m.TCM_GETCURSEL, m.TCM_GETITEMCOUNT, m.TCM_GETITEMRECT, m.TCM_GETITEMW],
  changes: choosing(m.TCM_SETCURFOCUS),
  read: readTab,
  questions: [['selection', m.TCM_GETCURSEL]],
  choose: select,
  itemSign: ({ hwnd, index }) => ({
    kind: 'selection',
    read: () => readNow(hwnd, m.TCM_GETCURSEL),
    isMeant: (value) => value === index,
  }),
};
