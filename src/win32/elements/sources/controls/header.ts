/** Column headers. Source: learn.microsoft.com/windows/win32/controls/header-control-reference */
import {
  HDI_TEXT,
  HDM_GETITEMCOUNT,
  HDM_GETITEMRECT,
  HDM_GETITEMW,
} from '../../../../../native-bindings/win32/constants.ts';
import { HDITEMW } from '../../../../../native-bindings/win32/structs.ts';
import type { Asker } from '../../../windows/ask.ts';
import type { RemoteMemory } from '../../tree/remote-memory.ts';
import { askRemote, askRemoteRect, clientToScreen, itemNode, remoteText, TEXT_AT, TEXT_UNITS } from './items.ts';
import type { ControlReader } from './control-reader.ts';

/** A column's title; null if the control did not answer. */
export function columnTitle(asker: Asker, memory: RemoteMemory, header: number, index: number): string | null {
  memory.write(0, HDITEMW.alloc({ mask: HDI_TEXT, pszText: memory.address + BigInt(TEXT_AT), cchTextMax: TEXT_UNITS }));
  memory.write(TEXT_AT, Buffer.alloc(2));
  const answer = askRemote(asker, memory, header, HDM_GETITEMW, index, 0);
  return answer === null || answer === 0 ? null : remoteText(memory);
}

export const readHeader: ControlReader = ({ info, node }, { asker, remote }) => {
  const count = asker.ask(info.hwnd, HDM_GETITEMCOUNT);
  const memory = count === null || count <= 0 ? null : remote.for(info.hwnd);
  if (memory === null) return;
  const toScreen = clientToScreen(info);
  for (let index = 0; index < count!; index++) {
    const title = columnTitle(asker, memory, info.hwnd, index);
    const rect = title === null ? null : askRemoteRect(asker, memory, info.hwnd, HDM_GETITEMRECT, index);
    if (title === null || rect === null) break;
    node.children.push(
      itemNode(node, {
        kind: 'header-item',
        identity: `column:${index}:${title}`,
        index,
        controlType: 'HeaderItem',
        name: title,
        rect: toScreen(rect),
      }),
    );
  }
};
