/** The binding topic on Windows: finds the window to bind and verifies it later. */
import { GA_ROOT, GW_OWNER } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { BindingPort, BindingQuery, CallContext } from '../../desktop/index.ts';
import { isDenied, isOutside } from '../../contract/gate/app-match.ts';
import { nearest } from '../../contract/json/near.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { assertReachable, type Win32Services } from './services.ts';
import { throwIfAborted } from '../windows/waiting.ts';
import { type WindowDescription, visibleWindows } from '../windows/describe.ts';
import { windowText, parseHwnd, windowProcess } from '../windows/window-info.ts';
import { bestMatches, isHidden, isSameWindow, recordOf } from '../windows/record.ts';
import { requireOnDesktop } from '../windows/place.ts';
import { outerRect } from '../windows/rects.ts';

/** The window that the query names by its handle, even on another virtual desktop. */
function byHandle(services: Win32Services, hwnd: number, text: string): WindowDescription {
  const window = services.describeWindow(hwnd);
  if (window === null) throw new UiaHostError('target_not_found', `There is no window ${text}.`);
  if (window.isOwn)
    throw new UiaHostError('target_not_found', `The window ${text} belongs to the host itself and cannot be bound.`);
  const root = user32.GetAncestor(hwnd, GA_ROOT);
  if (root !== hwnd) {
    throw new UiaHostError(
      'target_not_found',
      `The window ${text} is a child of the window ${root}; only top-level windows can be bound.`,
      {
        hint: `Bind ${root} and name the part as an element.`,
      },
    );
  }
  if (!window.isVisible)
    throw new UiaHostError(
      'target_not_found',
      `The window ${text} is hidden; only windows that a person can see can be bound.`,
    );
  return window;
}

function startsTheHost(title: string): UiaHostError {
  return new UiaHostError(
    'target_not_found',
    `The window ${quoted(title)} belongs to the terminal or program that the host was started from, and cannot be bound: keys there could end the host.`,
    {
      hint: 'Start another terminal (open-terminal) and bind that.',
    },
  );
}

function describeQuery(query: BindingQuery): string {
  const parts = [
    query.hwnd === undefined ? null : `hwnd ${query.hwnd}`,
    query.title === undefined ? null : `title ${quoted(query.title)}`,
    query.pid === undefined ? null : `process ${query.pid}`,
  ];
  return parts.filter((part) => part !== null).join(' and ');
}

/** docs/behaviour.md#binding. Only reads windows: none is restored, raised or focused. */
export function createBindingPort(services: Win32Services): BindingPort {
  const find = (query: BindingQuery): BindingRecord => {
    if (query.hwnd === undefined && query.title === undefined && query.pid === undefined) {
      throw new UiaHostError('invalid_argument', 'Give at least one of hwnd, title and pid.');
    }
    const hwnd = query.hwnd === undefined ? null : parseHwnd(query.hwnd);
    if (query.hwnd !== undefined && hwnd === null)
      throw new UiaHostError('target_not_found', `There is no window ${query.hwnd}.`);
    const deny = query.deny ?? [];
    const all = hwnd === null ? visibleWindows(services) : [byHandle(services, hwnd, query.hwnd ?? '')];
    // A search by title must not reveal titles of windows that may not be seen.
    const windows = all.filter(
      (window) =>
        (query.title === undefined || !isDenied(window.app, deny)) &&
        (hwnd !== null || !isOutside(window.app, query.only)),
    );
    const matches = bestMatches(windows, { hwnd, title: query.title, pid: query.pid });
    const [match] = matches;
    if (match === undefined) {
      const titles = windows.map(({ title }) => title);
      throw new UiaHostError(
        'target_not_found',
        hwnd === null
          ? `No visible window has ${describeQuery(query)}.`
          : `The window ${query.hwnd} exists, but does not have ${describeQuery({ title: query.title, pid: query.pid })}.`,
        {
          // By handle it may be out of sight.
          suggestions: hwnd === null ? nearest(query.title ?? '', titles) : [],
          hint: 'Look again with list-visible-windows; a program that is not running has to be started first.',
        },
      );
    }
    if (matches.length > 1) {
      throw new UiaHostError('target_ambiguous', `${matches.length} windows have ${describeQuery(query)}.`, {
        candidates: matches.map((window) => ({
          hwnd: String(window.hwnd),
          title: isDenied(window.app, deny) ? '' : window.title,
          role: window.className,
        })),
      });
    }
    if (services.isStarterWindow(match.hwnd)) throw startsTheHost(match.title);
    return recordOf(match);
  };

  /** A window that input may go to. */
  const reachable = (hwnd: number): BindingRecord | null => {
    if (hwnd === user32.GetDesktopWindow() || hwnd === user32.GetShellWindow()) return null;
    const window = services.describeWindow(hwnd);
    return window === null || window.isOwn || services.isStarterWindow(hwnd) ? null : recordOf(window);
  };

  return {
    async find(query: BindingQuery, call: CallContext) {
      throwIfAborted(call);
      return find(query);
    },

    async at(point, call) {
      throwIfAborted(call);
      requireOnDesktop(point);
      const hit = user32.WindowFromPoint({ x: Math.floor(point.x), y: Math.floor(point.y) });
      return hit === 0 ? null : reachable(user32.GetAncestor(hit, GA_ROOT));
    },

    async front(bound, call) {
      throwIfAborted(call);
      const hwnd = user32.GetForegroundWindow();
      if (bound === null) return hwnd === 0 ? null : reachable(hwnd);
      const isOwnDialog =
        hwnd !== 0 &&
        hwnd !== Number(bound.hwnd) &&
        windowProcess(hwnd) === bound.pid &&
        user32.GetAncestor(user32.GetWindow(hwnd, GW_OWNER), GA_ROOT) === Number(bound.hwnd);
      return isOwnDialog ? reachable(hwnd) : bound;
    },

    async verify(record, call) {
      // A tab with the starting console may have been moved into a window that was bound before.
      if (services.isStarterWindow(Number(record.hwnd))) throw startsTheHost(record.title);
      return assertReachable(services, record, call);
    },

    isAlive: async (record) =>
      user32.IsWindow(Number(record.hwnd)) && windowProcess(Number(record.hwnd)) === record.pid,

    async describe(record) {
      const hwnd = Number(record.hwnd);
      if (!user32.IsWindow(hwnd) || !isSameWindow(record)) return null;
      const rect = outerRect(hwnd);
      return rect === null ? null : { title: windowText(hwnd), rect, isHidden: isHidden(hwnd) };
    },

    release: (record, call) => services.release(call.owner, record),
  };
}
