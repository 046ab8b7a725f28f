/** Values, states and items of the standard controls, read by their own messages; of custom controls, their text. */
import type { ControlKind } from '../../../windows/classes.ts';
import type { WindowEntry } from '../child-windows.ts';
import { readButton } from './button.ts';
import { readComboBox } from './combo-box.ts';
import type { ControlReader, ReadContext } from './control-reader.ts';
import { readEdit } from './edit.ts';
import { readHeader } from './header.ts';
import { readLink } from './link.ts';
import { readListBox } from './list-box.ts';
import { readListView } from './list-view.ts';
import { readCalendar, readDateTime, readHotKey, readIpAddress } from './pickers.ts';
import { readCustomEditor } from './custom-text.ts';
import { readProgressBar, readScrollBar, readTrackBar, readUpDown } from './ranges.ts';
import { readRebar } from './rebar.ts';
import { readStatusBar } from './status-bar.ts';
import { readTab } from './tab.ts';
import { readToolBar } from './tool-bar.ts';
import { readTreeView } from './tree-view.ts';

const READERS: Partial<Record<ControlKind, ControlReader>> = {
  button: readButton,
  edit: readEdit,
  'rich-edit': readEdit,
  'combo-box': readComboBox,
  'list-box': readListBox,
  'list-view': readListView,
  'tree-view': readTreeView,
  tab: readTab,
  'tool-bar': readToolBar,
  'status-bar': readStatusBar,
  'track-bar': readTrackBar,
  'progress-bar': readProgressBar,
  'up-down': readUpDown,
  'scroll-bar': readScrollBar,
  header: readHeader,
  'date-time': readDateTime,
  calendar: readCalendar,
  'ip-address': readIpAddress,
  'hot-key': readHotKey,
  link: readLink,
  rebar: readRebar,
  other: readCustomEditor,
};

/** Reads one control if its thread answers: some Windows functions would wait for it. */
export function readControl(entry: WindowEntry, context: ReadContext): void {
  const read = READERS[entry.kind];
  if (read !== undefined && context.asker.answers(entry.info.hwnd)) read(entry, context);
}
