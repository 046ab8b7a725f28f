/** The tips of a control's parts, which name parts that show an icon alone. */
import { TTM_ENUMTOOLSW, TTM_GETTEXTW, TTM_GETTOOLCOUNT } from '../../../../../native-bindings/win32/constants.ts';
import { TTTOOLINFOW } from '../../../../../native-bindings/win32/structs.ts';
import { rectCentre, rectContains } from '../../../../contract/element/coordinates.ts';
import type { Rect } from '../../../../contract/element/geometry.ts';
import type { Asker } from '../../../windows/ask.ts';
import { readRect } from '../../../windows/rects.ts';
import { kindOfWindow, threadOf, topLevelWindows } from '../../../windows/window-info.ts';
import type { RemoteMemory } from '../../tree/remote-memory.ts';
import { withoutAccelerator } from '../../../../contract/element/element-words.ts';
import { askRemote, remoteText, TEXT_AT, TEXT_UNITS } from './items.ts';

/** The tooltip control of a control; 0 if there is none in the same program. */
function toolTipsOf(asker: Asker, hwnd: number, message: number): number {
  const tips = asker.ask(hwnd, message);
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
  return askRemote(asker, memory, tips, TTM_GETTEXTW, { wParam: TEXT_UNITS }) === null
    ? ''
    : withoutAccelerator(
        remoteText(memory)
          .split(/[\r\n]/, 1)[0]!
          .trim(),
      );
}

/** Most tools of one tooltip window that are looked through. */
const MOST_TOOLS = 200;

/** A part of a window that another tooltip window describes. */
interface OwnTip {
  readonly tips: number;
  readonly id: bigint;
  readonly rect: Rect;
}

/**
 * The parts of a control that its program describes by a tooltip window of its own.
 * Source: learn.microsoft.com/windows/win32/controls/ttm-enumtools
 */
function ownTips(asker: Asker, memory: RemoteMemory, hwnd: number, known: number): OwnTip[] {
  const layout = memory.layoutOf(TTTOOLINFOW);
  const { thread } = threadOf(hwnd);
  const windows = topLevelWindows().filter(
    (tips) => tips !== known && threadOf(tips).thread === thread && kindOfWindow(tips) === 'tooltip',
  );
  return windows.flatMap((tips) => {
    const found: OwnTip[] = [];
    const count = Math.min(MOST_TOOLS, asker.ask(tips, TTM_GETTOOLCOUNT) ?? 0);
    for (let index = 0; index < count; index++) {
      memory.write(0, layout.alloc({ cbSize: layout.at.lpReserved, lpszText: memory.address + BigInt(TEXT_AT) }));
      const back = askRemote(asker, memory, tips, TTM_ENUMTOOLSW, { wParam: index })
        ? memory.read(0, layout.size)
        : null;
      if (back === null) break;
      const tool = layout.read(back);
      if (tool.hwnd === hwnd)
        found.push({
          tips,
          id: BigInt(tool.uId),
          rect: readRect(back, layout.at.rect),
        });
    }
    return found;
  });
}

/** The tips of one control, asked for with the first part that needs one. */
export class ToolTips {
  readonly #asker: Asker;
  readonly #memory: RemoteMemory;
  readonly #hwnd: number;
  readonly #message: number;
  #tips: number | undefined;
  #others: OwnTip[] | undefined;

  /** @param message how the control is asked for its tooltip control */
  constructor(asker: Asker, memory: RemoteMemory, hwnd: number, message: number) {
    this.#asker = asker;
    this.#memory = memory;
    this.#hwnd = hwnd;
    this.#message = message;
  }

  /** The tip of a part, by its number in the control's own tooltip control, else by its place (client pixels); '' if there is none. */
  of(id: bigint, rect: Rect): string {
    this.#tips ??= toolTipsOf(this.#asker, this.#hwnd, this.#message);
    const tip = this.#tips === 0 ? '' : tipOf(this.#asker, this.#memory, this.#tips, this.#hwnd, id);
    if (tip !== '') return tip;
    this.#others ??= ownTips(this.#asker, this.#memory, this.#hwnd, this.#tips);
    const own = this.#others.find((other) => rectContains(other.rect, rectCentre(rect)));
    return own === undefined ? '' : tipOf(this.#asker, this.#memory, own.tips, this.#hwnd, own.id);
  }
}
