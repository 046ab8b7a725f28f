/** Status bars. Source: learn.microsoft.com/windows/win32/controls/status-bar-reference */
import {
  SB_GETPARTS,
  SB_GETRECT,
  SB_GETTEXTLENGTHW,
  SB_GETTEXTW,
  SB_ISSIMPLE,
} from '../../../../../native-bindings/win32/constants.ts';
import { askRemote, askRemoteRect, clientToScreen, itemNode, remoteText, TEXT_AT, TEXT_UNITS } from './items.ts';
import type { ControlReader } from './control-reader.ts';

export const readStatusBar: ControlReader = ({ info, node }, { asker, remote }) => {
  const count = asker.ask(info.hwnd, SB_GETPARTS);
  const isSimple = asker.ask(info.hwnd, SB_ISSIMPLE);
  const memory = count === null || count <= 0 || isSimple === 1 ? null : remote.for(info.hwnd);
  if (memory === null) {
    // The whole bar is one text, or its parts must not be read: the first part is the window's text.
    const text = asker.text(info.hwnd);
    if (text !== null && text !== '') node.value = text;
    return;
  }
  node.name = '';
  const toScreen = clientToScreen(info);
  for (let index = 0; index < count!; index++) {
    const length = asker.ask(info.hwnd, SB_GETTEXTLENGTHW, index);
    if (length === null) break;
    // The low word is the length, the high word the drawing style; a longer text would be written past the end.
    const units = length & 0xffff;
    memory.write(TEXT_AT, Buffer.alloc(2));
    if (units >= TEXT_UNITS || askRemote(asker, memory, info.hwnd, SB_GETTEXTW, index, TEXT_AT) === null) break;
    const text = remoteText(memory, units + 1).slice(0, units);
    const rect = askRemoteRect(asker, memory, info.hwnd, SB_GETRECT, index);
    if (rect === null) continue;
    node.children.push(
      itemNode(node, {
        kind: 'status-part',
        identity: `part:${index}`,
        index,
        controlType: 'Text',
        name: text,
        rect: toScreen(rect),
      }),
    );
  }
};
