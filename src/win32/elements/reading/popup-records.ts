/** The popups of a bound window that its session may see, as windows that can be read and acted on. */
import { isDenied, isOutside } from '../../../contract/gate/app-match.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import type { VisibleApplications } from '../../../desktop/call.ts';
import { describeWindow } from '../../windows/describe.ts';
import { popupsOf } from '../../windows/popups.ts';
import { recordOf } from '../../windows/record.ts';

/** Which popups are shown. */
export interface PopupRules {
  /** The host's own windows, and those of the program that started it, are never shown. */
  isForbidden(hwnd: number): boolean;
  /** Null: only popups of the bound application itself. */
  readonly applications: VisibleApplications | null;
}

/** At most this many are read: menus three levels deep over a dialog are five. */
const MOST_POPUPS = 8;

/**
 * A dialog of another program (a file picker) is shown unless the policy denies that program or the token is limited to
 * others; one with higher rights could not be acted on.
 */
export function popupRecords(bound: BindingRecord, rules: PopupRules | undefined): BindingRecord[] {
  if (rules === undefined) return [];
  const found: BindingRecord[] = [];
  for (const hwnd of popupsOf(Number(bound.hwnd))) {
    if (found.length >= MOST_POPUPS) break;
    if (rules.isForbidden(hwnd)) continue;
    const window = describeWindow(hwnd, () => false);
    if (window === null || window.process.isElevated) continue;
    const isOwnApplication =
      window.process.pid === bound.pid || (bound.app.bundleId !== '' && window.app.bundleId === bound.app.bundleId);
    const { applications } = rules;
    if (
      !isOwnApplication &&
      (applications === null ||
        window.app.bundleId === '' ||
        isDenied(window.app, applications.deny) ||
        isOutside(window.app, applications.only))
    )
      continue;
    found.push(recordOf(window));
  }
  return found;
}
