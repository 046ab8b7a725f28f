/** Rebars: a band's text names the control inside it. Source: learn.microsoft.com/windows/win32/controls/rebar-control-reference */
import {
  RBBIM_CHILD,
  RBBIM_TEXT,
  RB_GETBANDCOUNT,
  RB_GETBANDINFOW,
} from '../../../../../native-bindings/win32/constants.ts';
import { REBARBANDINFOW } from '../../../../../native-bindings/win32/structs.ts';
import { withoutAccelerator } from '../../tree/text.ts';
import { askRemote, remoteText, TEXT_AT, TEXT_UNITS } from './items.ts';
import type { ControlReader } from './control-reader.ts';

export const readRebar: ControlReader = ({ info }, { asker, remote, windows }) => {
  const count = asker.ask(info.hwnd, RB_GETBANDCOUNT);
  const memory = count === null || count <= 0 ? null : remote.for(info.hwnd);
  if (memory === null) return;
  for (let index = 0; index < count!; index++) {
    memory.write(
      0,
      REBARBANDINFOW.alloc({
        cbSize: REBARBANDINFOW.size,
        fMask: RBBIM_TEXT | RBBIM_CHILD,
        lpText: memory.address + BigInt(TEXT_AT),
        cch: TEXT_UNITS,
      }),
    );
    memory.write(TEXT_AT, Buffer.alloc(2));
    if (!askRemote(asker, memory, info.hwnd, RB_GETBANDINFOW, index, 0)) return;
    const back = memory.read(0, REBARBANDINFOW.size);
    if (back === null) return;
    const text = withoutAccelerator(remoteText(memory));
    const child = windows.entries.get(REBARBANDINFOW.read(back).hwndChild)?.node;
    if (text === '' || child === undefined || child.name !== '') continue;
    child.label = text;
    child.name = text;
  }
};
