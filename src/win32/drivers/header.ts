/** Column headers. Source: learn.microsoft.com/windows/win32/controls/header-control-reference */
import { HDITEMW } from '../../../native-bindings/win32/structs.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import type { RemoteMemory } from '../elements/tree/remote-memory.ts';
import type { Asker } from '../windows/ask.ts';
import type { ControlReader, Driver } from './driver.ts';
import { itemNode, askItem, askRemoteRect, clientToScreen, TEXT_UNITS } from './items.ts';

/** A column's title, and whether its program draws it or keeps it to itself; null if the control did not answer. */
export function columnTitle(
  asker: Asker,
  memory: RemoteMemory,
  header: number,
  index: number,
): { readonly title: string; readonly isDrawn: boolean } | null {
  const item = askItem({ asker, memory, hwnd: header }, [m.HDM_GETITEMW, index], HDITEMW, (pszText) => ({
    mask: m.HDI_TEXT | m.HDI_FORMAT,
    pszText,
    cchTextMax: TEXT_UNITS,
  }));
  if (item === null) return null;
  const title = item.text(item.fields.pszText);
  return { title: title ?? '', isDrawn: title === null || (item.fields.fmt & m.HDF_OWNERDRAW) !== 0 };
}

const readHeader: ControlReader = ({ info, node }, { asker, remote }) => {
  const count = asker.ask(info.hwnd, m.HDM_GETITEMCOUNT);
  if (count === null || count <= 0) return;
  const memory = remote.for(info.hwnd);
  if (memory === null) {
    [node.itemCount, node.unread] = [count, 'items'];
    return;
  }
  const toScreen = clientToScreen(info);
  for (let index = 0; index < count!; index++) {
    const column = columnTitle(asker, memory, info.hwnd, index);
    const rect = column === null ? null : askRemoteRect(asker, memory, info.hwnd, m.HDM_GETITEMRECT, { wParam: index });
    if (column === null || rect === null) break;
    const { title, isDrawn } = column;
    node.children.push(
      itemNode(node, {
        kind: 'header-item',
        identity: `column:${index}:${title}`,
        index,
        controlType: 'HeaderItem',
        name: title,
        rect: toScreen(rect),
        unread: isDrawn && title === '' ? 'text' : null,
      }),
    );
  }
};

/** How many columns a header has; 1 where that is not known. */
export const columnsOf = (asker: Asker, header: number): number =>
  Math.max(1, asker.ask(header, m.HDM_GETITEMCOUNT) ?? 1);

export const header: Driver = {
  kinds: ['header'],
  item: 'header-item',
  asks: [m.HDM_GETITEMCOUNT, m.HDM_GETITEMRECT, m.HDM_GETITEMW],
  read: readHeader,
};
