/** Status bars and rebars. */
import { REBARBANDINFOW } from '../../../native-bindings/win32/structs.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { withoutAccelerator } from '../../contract/element/element-words.ts';
import type { RemoteMemory } from '../elements/tree/remote-memory.ts';
import type { Asker } from '../windows/ask.ts';
import type { ControlReader, Driver } from './driver.ts';
import {
  itemNode,
  askRemote,
  askRemoteRect,
  askItem,
  clientToScreen,
  remoteText,
  TEXT_AT,
  TEXT_UNITS,
} from './items.ts';

// Status bars. Source: learn.microsoft.com/windows/win32/controls/status-bar-reference

/** A part's text; it is not known where the program draws or keeps it. Null if the bar did not answer. */
function partText(
  asker: Asker,
  memory: RemoteMemory,
  hwnd: number,
  index: number,
): { readonly text: string; readonly isKnown: boolean } | null {
  const length = asker.ask(hwnd, m.SB_GETTEXTLENGTHW, index);
  if (length === null) return null;
  // The low word is the length, the high word the drawing style; a longer text would be written past the end.
  const units = length & 0xffff;
  if (((length >>> 16) & m.SBT_OWNERDRAW) !== 0 || units >= TEXT_UNITS) return { text: '', isKnown: false };
  memory.write(TEXT_AT, Buffer.alloc(2));
  if (askRemote(asker, memory, hwnd, m.SB_GETTEXTW, { wParam: index, offset: TEXT_AT }) === null) return null;
  const text = remoteText(memory);
  return { text, isKnown: text !== '' || units === 0 };
}

const readStatusBar: ControlReader = ({ info, node }, { asker, remote }) => {
  const count = asker.ask(info.hwnd, m.SB_GETPARTS);
  const isSimple = asker.ask(info.hwnd, m.SB_ISSIMPLE);
  const memory = count === null || count <= 0 || isSimple === 1 ? null : remote.for(info.hwnd);
  if (memory === null) {
    // The whole bar is one text, or its parts must not be read: the first part is the window's text.
    const text = asker.text(info.hwnd);
    if (text === null) node.unread = 'value';
    else if (text !== '') node.value = text;
    if (count !== null && count > 1 && isSimple !== 1) [node.itemCount, node.unread] = [count, 'items'];
    return;
  }
  node.name = '';
  const toScreen = clientToScreen(info);
  for (let index = 0; index < count!; index++) {
    const part = partText(asker, memory, info.hwnd, index);
    const rect = part === null ? null : askRemoteRect(asker, memory, info.hwnd, m.SB_GETRECT, { wParam: index });
    if (part === null) break;
    if (rect === null) continue;
    node.children.push(
      itemNode(node, {
        kind: 'status-part',
        identity: `part:${index}`,
        index,
        controlType: 'Text',
        name: part.text,
        rect: toScreen(rect),
        unread: part.isKnown ? null : 'text',
      }),
    );
  }
};

// Rebars: a band's text names the control inside it. Source:
// learn.microsoft.com/windows/win32/controls/rebar-control-reference

const readRebar: ControlReader = ({ info }, { asker, remote, windows }) => {
  const count = asker.ask(info.hwnd, m.RB_GETBANDCOUNT);
  const memory = count === null || count <= 0 ? null : remote.for(info.hwnd);
  if (memory === null) return;
  const fields = (lpText: bigint, cbSize: number) => ({
    cbSize,
    fMask: m.RBBIM_TEXT | m.RBBIM_CHILD,
    lpText,
    cch: TEXT_UNITS,
  });
  for (let index = 0; index < count!; index++) {
    const band = askItem({ asker, memory, hwnd: info.hwnd }, [m.RB_GETBANDINFOW, index], REBARBANDINFOW, fields);
    if (band?.isTold !== true) return;
    const text = withoutAccelerator(band.text(band.fields.lpText) ?? '');
    const child = windows.entries.get(band.fields.hwndChild)?.node;
    if (text === '' || child === undefined || child.name !== '') continue;
    child.label = text;
    child.name = text;
  }
};

export const bars: readonly Driver[] = [
  {
    kinds: ['status-bar'],
    item: 'status-part',
    asks: [m.SB_GETPARTS, m.SB_GETRECT, m.SB_GETTEXTLENGTHW, m.SB_GETTEXTW, m.SB_ISSIMPLE],
    read: readStatusBar,
  },
  { kinds: ['rebar'], asks: [m.RB_GETBANDCOUNT, m.RB_GETBANDINFOW], read: readRebar },
];
