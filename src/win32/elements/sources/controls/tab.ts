/** Tab controls. Source: learn.microsoft.com/windows/win32/controls/tab-control-reference */
import {
  TCIF_TEXT,
  TCM_GETCURSEL,
  TCM_GETITEMCOUNT,
  TCM_GETITEMRECT,
  TCM_GETITEMW,
} from '../../../../../native-bindings/win32/constants.ts';
import { TCITEMW } from '../../../../../native-bindings/win32/structs.ts';
import { askRemote, askRemoteRect, clientToScreen, itemNode, remoteText, TEXT_AT, TEXT_UNITS } from './items.ts';
import type { ControlReader } from './control-reader.ts';
import { withoutAccelerator } from '../../tree/text.ts';

export const readTab: ControlReader = ({ info, node }, { asker, remote }) => {
  const count = asker.ask(info.hwnd, TCM_GETITEMCOUNT);
  if (count === null || count <= 0) return;
  const memory = remote.for(info.hwnd);
  if (memory === null) {
    node.itemCount = count;
    return;
  }
  const selected = asker.ask(info.hwnd, TCM_GETCURSEL);
  const toScreen = clientToScreen(info);
  for (let index = 0; index < count; index++) {
    memory.write(
      0,
      TCITEMW.alloc({ mask: TCIF_TEXT, pszText: memory.address + BigInt(TEXT_AT), cchTextMax: TEXT_UNITS }),
    );
    memory.write(TEXT_AT, Buffer.alloc(2));
    if (!askRemote(asker, memory, info.hwnd, TCM_GETITEMW, index, 0)) break;
    const text = withoutAccelerator(remoteText(memory));
    const rect = askRemoteRect(asker, memory, info.hwnd, TCM_GETITEMRECT, index);
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
      }),
    );
  }
};
