/** Windows that an action opened or closed, in one form for evidence and details whatever the action. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Evidence } from '../../contract/outcome.ts';
import { noteOpened } from '../windows/popups.ts';
import { windowText } from '../windows/window-info.ts';

/** A new window, to be bound next. A type rather than an interface, since it becomes plain data in details. */
export type NewWindow = {
  readonly hwnd: string;
  readonly title: string;
  /** The bound window cannot be used until it is answered. */
  readonly modal: boolean;
};

/** Remembers that it came with the action. @param bound the window that was acted on; it was enabled before */
export const newWindow = (
  hwnd: number,
  bound: number,
  isModal = user32.IsWindow(bound) && !user32.IsWindowEnabled(bound),
): NewWindow => {
  noteOpened(hwnd, bound, isModal);
  return { hwnd: String(hwnd), title: windowText(hwnd), modal: isModal };
};

export const openedEvidence = (opened: readonly number[], bound: number): Evidence => ({
  kind: 'window-opened',
  before: null,
  after: opened.map((hwnd) => newWindow(hwnd, bound)),
});

/**
 * The window to continue with once the bound one has closed: its owner. Null while the bound one exists, or if it had
 * none.
 */
export function ownerAfterClosing(bound: number, owner: number): { hwnd: string; title: string } | null {
  return user32.IsWindow(bound) || owner === 0 || !user32.IsWindow(owner)
    ? null
    : { hwnd: String(owner), title: windowText(owner) };
}

/** What an outcome's details say about windows that appeared or disappeared. */
export function windowDetails(
  evidence: readonly Evidence[],
  bound: number,
  owner: number,
): { newWindow?: NewWindow; owner?: { hwnd: string; title: string } } {
  const opened = evidence.find(({ kind }) => kind === 'window-opened')?.after as readonly NewWindow[] | undefined;
  const next = ownerAfterClosing(bound, owner);
  return { ...(opened?.[0] === undefined ? {} : { newWindow: opened[0] }), ...(next === null ? {} : { owner: next }) };
}
