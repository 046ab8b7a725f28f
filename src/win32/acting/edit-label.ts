/**
 * Edits the label of a list view's row, as F2 does: the first column only. Source:
 * learn.microsoft.com/windows/win32/controls/lvm-editlabel
 */
import {
  LVM_EDITLABELW,
  LVM_GETEDITCONTROL,
  LVM_GETHEADER,
  LVM_GETITEMCOUNT,
  LVS_EDITLABELS,
  WM_SETTEXT,
} from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CellWrite } from '../../desktop/index.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';
import { RemoteBlocks } from '../elements/tree/remote-memory.ts';
import { delivered, refused, unfinished, type Tried } from '../elements/sources/ways.ts';
import { columnTitle } from '../elements/sources/controls/simple-controls.ts';
import { cellText, columnCount, isReport } from '../elements/sources/controls/list-view.ts';
import { withTemporaryFocus } from '../input/temporary-focus.ts';
import { change, endLabel } from '../exits/messages.ts';
import { setFocus } from '../exits/windows.ts';
import { Asker } from '../windows/ask.ts';
import { threadOf, type WindowInfo } from '../windows/window-info.ts';
import { columnIndex, requireRow, type EditableCell } from './grid-editor.ts';

const LABEL_MS = 5000;
/** Editing ends with a key that the field is sent, so a few messages are processed. */
const MESSAGES = 3;

/** The labels of a list view; disposable, since they are read through memory in its program. */
export class LabelCell implements Disposable {
  readonly #target: ElementTarget;
  readonly #info: WindowInfo;
  readonly #blocks: RemoteBlocks;

  private constructor(target: ElementTarget, info: WindowInfo) {
    this.#target = target;
    this.#info = info;
    this.#blocks = new RemoteBlocks(target.tools.read.remoteControlMemory);
  }

  /** Null: not a list view. */
  static open(target: ElementTarget): LabelCell | null {
    const { node, located } = target;
    const entry = node.locator.kind === 'window' ? located.observed.windows.entries.get(node.hwnd) : undefined;
    return entry?.kind === 'list-view' ? new LabelCell(target, entry.info) : null;
  }

  #asker(): Asker {
    return new Asker(this.#target.deadline.share(LABEL_MS));
  }

  /** Errors: target_not_found, target_ambiguous, target_readonly, unsupported. */
  find({ row, column }: CellWrite): EditableCell {
    const { description } = this.#target;
    const { hwnd, style } = this.#info;
    const memory = this.#blocks.for(hwnd);
    if (memory === null)
      throw new UiaHostError(
        'unsupported',
        `${description} can only be read through the memory of its program, which the policy or Windows forbids. Nothing was changed.`,
      );
    const asker = this.#asker();
    requireRow(row, asker.ask(hwnd, LVM_GETITEMCOUNT) ?? 0, description);
    const count = columnCount(asker, this.#info);
    const header = isReport(style) ? (asker.ask(hwnd, LVM_GETHEADER) ?? 0) : 0;
    const titles = Array.from(
      { length: header === 0 ? 0 : count },
      (_, at) => columnTitle(asker, memory, header, at)?.title ?? '',
    );
    if (columnIndex(column, titles, count, description) !== 0)
      throw new UiaHostError(
        'unsupported',
        `Only the first column of ${description} can be edited in place. Nothing was changed.`,
        { hint: 'Programs usually change the other columns in a dialog, which opening the row shows.' },
      );
    if ((style & LVS_EDITLABELS) === 0)
      throw new UiaHostError(
        'target_readonly',
        `The rows of ${description} cannot be edited in place. Nothing was overwritten.`,
      );
    return {
      read: () => cellText(this.#asker(), memory, hwnd, row, 0),
      write: (text) => this.#write(row, text),
    };
  }

  /** The list view needs the focus of its program: Windows opens no field without it. */
  async #write(row: number, text: string): Promise<Tried> {
    const { root, deadline } = this.#target;
    const { hwnd } = this.#info;
    const focus = { hwnd, thread: threadOf(hwnd).thread, kind: 'list-view', foundBy: 'system focus' } as const;
    let step: Tried = refused('message', 'the list opened no field for it');
    await withTemporaryFocus(
      focus,
      root,
      () => {
        step = this.#edit(row, text);
      },
      MESSAGES,
      deadline,
    );
    return step;
  }

  /** Opens the field, sets its text and ends it. The program may ask something in a dialog meanwhile. */
  #edit(row: number, text: string): Tried {
    const { hwnd } = this.#info;
    const asker = this.#asker();
    const field = change(asker, hwnd, LVM_EDITLABELW, row);
    if (field === null) return unfinished('message', 'LVM_EDITLABEL');
    if (field === 0) return refused('message', 'the program opened no field for it (LVM_EDITLABEL)');
    change(asker, field, WM_SETTEXT, 0, Buffer.from(`${text}\0`, 'utf16le'));
    endLabel(asker, field);
    // Leaving the field ends it as well.
    if (!asker.isPartial && asker.ask(hwnd, LVM_GETEDITCONTROL) === field) setFocus(hwnd, true);
    const isOpen = user32.IsWindow(field) && asker.ask(hwnd, LVM_GETEDITCONTROL) === field;
    return asker.isPartial || isOpen
      ? unfinished('message', 'LVM_EDITLABEL and WM_SETTEXT')
      : delivered('message', 'LVM_EDITLABEL, WM_SETTEXT and Enter');
  }

  [Symbol.dispose](): void {
    this.#blocks[Symbol.dispose]();
  }
}
