/**
 * What another reading of a window need not ask: what cannot change, and what has not changed because the system reports
 * such changes and reported none. What a system does not report is asked each time.
 */
import { ES_MULTILINE } from '../../../../native-bindings/win32/constants.ts';
import type { ElementState } from '../../../contract/element/control-types.ts';
import { buttonKind } from '../../windows/classes.ts';
import type { KnownWindows, WindowEntry } from '../sources/child-windows.ts';
import { reportsContent } from './event-probe.ts';
import { windowViews, type BegunReading, type WindowView } from './window-views.ts';

/** States that a button's own messages report. */
const CHECKS: readonly ElementState[] = ['selected', 'checked', 'mixed'];

/** Whether something was reported of a window since it was read. */
export const isReported = ({ changed, reported }: WindowView, hwnd: number): boolean =>
  changed.has(hwnd) || reported.has(hwnd);

/** A window's style as it was last read. */
export const lastStyle = ({ styles }: WindowView, { info }: WindowEntry): number => styles.get(info.hwnd) ?? info.style;

/**
 * Only the system's own classes are known to report: a program's class that behaves like a button may answer what it
 * likes, and change it silently. (RealGetWindowClass says more only of classes with other names.)
 */
const isSystems = ({ info }: WindowEntry, className: string): boolean => info.className.toLowerCase() === className;

/**
 * Whether a change of the style would be reported as far as it matters. Whether a window is shown and enabled is
 * reported of every kind; of a text nothing else matters, and of a button which one is the default.
 */
export function isStyleReported(entry: WindowEntry): boolean {
  return (
    entry.kind === 'static' || (entry.kind === 'button' && isSystems(entry, 'button') && reportsContent('button-style'))
  );
}

/** Whether another text would be reported. */
export function isTextReported(entry: WindowEntry): boolean {
  if (entry.kind === 'static') return isSystems(entry, 'static') && reportsContent('static-text');
  return entry.kind === 'button' && isSystems(entry, 'button') && reportsContent('button-text');
}

/** Whether another state or value would be reported. A field of several lines can be given other text as a whole. */
export function isContentReported(entry: WindowEntry): boolean {
  const { kind, info } = entry;
  if (kind === 'edit')
    return (info.style & ES_MULTILINE) === 0 && isSystems(entry, 'edit') && reportsContent('edit-value');
  if (kind !== 'button') return false;
  const button = buttonKind(info.style);
  return (button === 'check' || button === 'radio') && isSystems(entry, 'button') && reportsContent('check');
}

/** The last reading with what was reported since, as the next one uses it. */
export function knownOf({ process }: BegunReading, root: number): KnownWindows {
  const view = windowViews.view(root);
  const last = view?.isWhole === true ? view : null;
  /** Its entry in the last reading, if nothing was reported of it. */
  const unreported = (hwnd: number): WindowEntry | undefined =>
    last === null || isReported(last, hwnd) ? undefined : last.observed.windows.entries.get(hwnd);
  return {
    order: last?.observed.windows.order ?? null,
    facts: (hwnd) => windowViews.facts(process, hwnd),
    keep: (hwnd, facts) => windowViews.keepFacts(process, hwnd, facts),
    rect: (hwnd) => (last?.isInPlace === true ? last.observed.windows.entries.get(hwnd)?.info.rect : undefined),
    style: (hwnd) => {
      const entry = unreported(hwnd);
      return entry !== undefined && isStyleReported(entry) ? lastStyle(last!, entry) : undefined;
    },
    text: (hwnd) => {
      const entry = unreported(hwnd);
      return entry !== undefined && isTextReported(entry) ? (last?.texts.get(hwnd) ?? entry.text) : undefined;
    },
    content: ({ info, kind, node }) => {
      const entry = unreported(info.hwnd);
      if (entry === undefined || entry.kind !== kind || !isContentReported(entry)) return false;
      // A field that hides its text now, or did then, is read as such.
      if (lastStyle(last!, entry) !== info.style || node.states.has('password')) return false;
      for (const state of CHECKS) if (entry.node.states.has(state)) node.states.add(state);
      node.value = entry.node.value;
      return true;
    },
  };
}
