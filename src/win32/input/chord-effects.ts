import type { Evidence } from '../../contract/outcome.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { keptText, topWindowsOf } from '../uia/window-info.ts';
import { threadOf } from '../uia/ask.ts';
import { readEditState, type EditState } from './edit-state.ts';
import type { KeyTarget } from './text-target.ts';

/** What a key combination may change and what can be seen from outside. */
export interface SeenState {
  readonly edit: EditState | null;
  readonly windows: readonly number[];
  readonly title: string;
  readonly clipboard: number;
}

export function look(target: KeyTarget, bound: number): SeenState {
  return {
    edit: readEditState(target, 300),
    windows: topWindowsOf(threadOf(bound).process),
    title: keptText(bound),
    clipboard: user32.GetClipboardSequenceNumber(),
  };
}

/** Differences between two looks, as evidence; empty when nothing changed. */
export function differences(before: SeenState, after: SeenState): Evidence[] {
  const evidence: Evidence[] = [];
  if (before.edit !== null && after.edit !== null) {
    if (before.edit.text !== after.edit.text) evidence.push({ kind: 'text-length', before: before.edit.text.length, after: after.edit.text.length });
    if (before.edit.start !== after.edit.start || before.edit.end !== after.edit.end) {
      evidence.push({ kind: 'selection', before: [before.edit.start, before.edit.end], after: [after.edit.start, after.edit.end] });
    }
  }
  const opened = after.windows.filter((hwnd) => !before.windows.includes(hwnd));
  const closed = before.windows.filter((hwnd) => !after.windows.includes(hwnd));
  if (opened.length > 0) evidence.push({ kind: 'window-opened', before: null, after: opened.map((hwnd) => ({ hwnd: String(hwnd), title: keptText(hwnd) })) });
  if (closed.length > 0) evidence.push({ kind: 'window-closed', before: closed.map(String), after: null });
  if (before.title !== after.title) evidence.push({ kind: 'title', before: before.title, after: after.title });
  if (before.clipboard !== after.clipboard) evidence.push({ kind: 'clipboard-sequence', before: before.clipboard, after: after.clipboard });
  return evidence;
}
