/** The window topic on Windows: lists windows and activates, moves, resizes, minimises and closes them, with what is seen of the result. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isElevated } from '../../contract/gate/orders.ts';
import { rectContains, sameRect } from '../../contract/element/coordinates.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext, Done, VisibleWindow, WindowAction, WindowPort } from '../../desktop/index.ts';
import { followFocus } from '../evidence/late-foreground.ts';
import { personIdleMs, YIELD_MS } from '../windows/person.ts';
import type { Win32Services } from './services.ts';
import { Deadline, throwIfAborted, waitUntil } from '../windows/waiting.ts';
import { takeForeground, clickForeground } from '../input/mouse-foreground.ts';
import { visibleWindows } from '../windows/describe.ts';
import { ownerOf, topWindowsOf, windowText, windowProcess } from '../windows/window-info.ts';
import { bringBack, MovedWindows } from '../acting/moved-away.ts';
import { isOffscreen, waitUntilSettled, settledRect, virtualDesktop } from '../windows/place.ts';
import { isHidden, isSameWindow, liveWindow, windowGone } from '../windows/record.ts';
import { clientArea, outerRect, toClient, toScreen } from '../windows/rects.ts';
import { startWitness, type Witness } from '../windows/witness.ts';
import { delivered, refused, failed, notApplicable } from '../drivers/driver.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import type { Attempt, EffectSeen, Evidence } from '../../contract/outcome.ts';
import { leaveVisited, postChange } from '../exits/messages.ts';
import { requestPlace, requestShow } from '../exits/windows.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';

/** Time limit for the window to react; programs take some tens of milliseconds. */
const SETTLE_MS = 1500;
/** Gap between the virtual desktop and a window moved off it, wide enough for its shadow. */
const OFFSCREEN_GAP = 64;

/** What was done to a window, and the evidence for it. */
interface Managed {
  readonly done: boolean;
  readonly effect: EffectSeen;
  readonly evidence: readonly Evidence[];
  readonly attempts: readonly Attempt[];
  readonly details?: Record<string, unknown>;
}

type ShowState = 'hidden' | 'minimized' | 'maximized' | 'normal';

function showState(hwnd: number): ShowState {
  if (isHidden(hwnd)) return 'hidden';
  if (user32.IsIconic(hwnd)) return 'minimized';
  return user32.IsZoomed(hwnd) ? 'maximized' : 'normal';
}

/** Nothing was sent. */
const already = (state: string): Attempt => notApplicable('win32', `the window was already ${state}`);

/** The calls that lead to a state, tried in order, and whether it is reached, from the state before. */
interface Show {
  readonly commands: Readonly<Record<string, number>>;
  isReached(state: ShowState, before: ShowState): boolean;
}
const SHOWS: Readonly<Record<'minimize' | 'maximize' | 'restore', Show>> = {
  // Without activating the next window.
  minimize: { commands: { SW_SHOWMINNOACTIVE: m.SW_SHOWMINNOACTIVE }, isReached: (state) => state === 'minimized' },
  // Windows cannot maximise without activating: the outcome reports the change of focus.
  maximize: { commands: { SW_SHOWMAXIMIZED: m.SW_SHOWMAXIMIZED }, isReached: (state) => state === 'maximized' },
  // From hidden, minimised or maximised to normal; without activating first.
  restore: {
    commands: { SW_SHOWNOACTIVATE: m.SW_SHOWNOACTIVATE, SW_RESTORE: m.SW_RESTORE },
    isReached: (state, before) => state === 'normal' || (before !== 'maximized' && state !== before),
  },
};

async function show(hwnd: number, action: keyof typeof SHOWS, call: CallContext): Promise<Managed> {
  const before = showState(hwnd);
  const rectBefore = outerRect(hwnd);
  const deadline = new Deadline(call);
  const attempts: Attempt[] = [];
  const commands = Object.entries(SHOWS[action].commands);
  const isReached = (): boolean => SHOWS[action].isReached(showState(hwnd), before);
  for (const [name, command] of commands) {
    if (isReached()) break;
    requestShow(hwnd, command);
    const reached = await waitUntil(() => (isReached() ? true : null), {
      withinMs: deadline.share(SETTLE_MS / commands.length),
      everyMs: 10,
      call,
      delivery: 'unknown',
    });
    attempts.push(reached === null ? failed('win32', `${name} had no effect in time`) : delivered('win32', name));
  }
  if (attempts.length > 0) await waitUntilSettled(hwnd, call);
  const done = isReached();
  const after = showState(hwnd);
  return {
    done,
    effect: done && attempts.length > 0 ? 'confirmed' : 'none',
    evidence: [{ kind: 'window', before, after }],
    attempts: attempts.length > 0 ? attempts : [already(before)],
    details: { state: after, rect: outerRect(hwnd), rectBefore },
  };
}

function requireNormal(hwnd: number, what: string): Rect {
  const state = showState(hwnd);
  const rect = outerRect(hwnd);
  if (rect === null) throw new UiaHostError('window_gone', 'The window closed before it could be moved.');
  if (state !== 'normal')
    throw new UiaHostError(
      'state_conflict',
      `The window is ${state}, but ${what} needs it in its normal state. It was not moved.`,
      { hint: 'Use manage-window restore first.' },
    );
  return rect;
}

function moved(before: Rect, wanted: Rect, after: Rect, done: boolean): Managed {
  const isExact = sameRect(after, wanted);
  const isUnchanged = sameRect(after, before);
  return {
    done,
    effect: isUnchanged ? 'none' : done ? 'confirmed' : 'unverified',
    evidence: [{ kind: 'rect', before, after }],
    attempts: [
      done
        ? delivered('win32', isExact ? 'SetWindowPos' : 'SetWindowPos; the program chose another size')
        : failed(
            'win32',
            isUnchanged ? 'SetWindowPos changed nothing' : 'SetWindowPos; the program chose another place',
          ),
    ],
    details: { rect: after, requested: wanted, clamped: !isExact },
  };
}

/** Moves, and resizes if sizes are given. Programs may clamp sizes: the details have the resulting rectangle. */
async function moveResize(
  hwnd: number,
  place: { x: number; y: number; width?: number | undefined; height?: number | undefined },
  call: CallContext,
): Promise<Managed> {
  const before = requireNormal(hwnd, 'move_resize');
  const wanted: Rect = {
    x: place.x,
    y: place.y,
    width: place.width ?? before.width,
    height: place.height ?? before.height,
  };
  requestPlace(hwnd, place);
  const after = await settledRect(hwnd, wanted, new Deadline(call).share(SETTLE_MS), call);
  if (after === null)
    throw new UiaHostError('window_gone', 'The window closed while it was moved.', { delivery: 'delivered' });
  return moved(before, wanted, after, after.x === wanted.x && after.y === wanted.y);
}

/** Moves the window off the virtual desktop, with its size and state unchanged. */
async function moveOffscreen(hwnd: number, call: CallContext): Promise<Managed & { readonly from: Rect }> {
  const before = requireNormal(hwnd, 'move_offscreen');
  const desktop = virtualDesktop();
  const wanted: Rect = { ...before, x: desktop.x - before.width - OFFSCREEN_GAP };
  if (isOffscreen(before))
    return { ...moved(before, before, before, true), attempts: [already('off the desktop')], from: before };
  requestPlace(hwnd, { x: wanted.x, y: wanted.y });
  const after = await settledRect(hwnd, wanted, new Deadline(call).share(SETTLE_MS), call);
  if (after === null)
    throw new UiaHostError('window_gone', 'The window closed while it was moved.', { delivery: 'delivered' });
  return { ...moved(before, wanted, after, isOffscreen(after)), from: before };
}

type CloseResult =
  | { readonly kind: 'gone' }
  /** A window that opened in response, such as “save changes?”. */
  | { readonly kind: 'dialog'; readonly hwnd: number; readonly title: string }
  /** Still exists but is no longer visible: many programs go to the notification area instead. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'open' };

/**
 * Posts WM_CLOSE, as the close button does, and waits for the result. A dialog that was open before is reported as well
 * if it keeps the window disabled.
 * Source: learn.microsoft.com/windows/win32/winmsg/wm-close
 */
async function closeWindow(hwnd: number, withinMs: number, call: CallContext): Promise<CloseResult> {
  const pid = windowProcess(hwnd);
  const before = new Set(topWindowsOf(pid));
  leaveVisited();
  if (!postChange(hwnd, m.WM_CLOSE, 0, 0)) {
    if (kernel32.GetLastError() === m.ERROR_ACCESS_DENIED) {
      throw new UiaHostError(
        'target_elevated',
        'Windows refused the message: the window runs with more rights than the host.',
      );
    }
    if (!user32.IsWindow(hwnd)) return { kind: 'gone' };
  }
  const seen = await waitUntil<CloseResult>(
    () => {
      if (!user32.IsWindow(hwnd)) return { kind: 'gone' };
      // A closing window is disabled or hidden for a moment, so only a new window of its process counts here.
      for (const other of topWindowsOf(pid)) {
        if (other !== hwnd && !before.has(other) && user32.IsWindowEnabled(other))
          return { kind: 'dialog', hwnd: other, title: windowText(other) };
      }
      return null;
    },
    { withinMs, everyMs: 15, call, delivery: 'delivered' },
  );
  if (seen !== null) return seen;
  const popup = user32.GetWindow(hwnd, m.GW_ENABLEDPOPUP);
  if (popup !== 0 && popup !== hwnd && user32.IsWindowVisible(popup))
    return { kind: 'dialog', hwnd: popup, title: windowText(popup) };
  if (!user32.IsWindow(hwnd)) return { kind: 'gone' };
  return { kind: user32.IsWindowVisible(hwnd) ? 'open' : 'hidden' };
}

/** How long Windows gets to change the foreground. */
const FOREGROUND_MS = 500;
/** How long a window gets to close or to show a dialog; saving settings takes some programs a second or two. */
const CLOSE_MS = 3000;

function outside(point: Point, area: Rect, what: string): UiaHostError {
  return new UiaHostError(
    'invalid_argument',
    `The ${what} point ${point.x},${point.y} is outside the client area of ${area.width}×${area.height}. Nothing was sent.`,
  );
}

/** What Windows answers about a window, unless that is gone. Errors: window_gone. */
function present<T>(record: BindingRecord, answered: T | null): T {
  if (answered === null) throw windowGone(record);
  return answered;
}

function liveClientArea(record: BindingRecord): { hwnd: number; area: Rect } {
  const hwnd = liveWindow(record);
  return { hwnd, area: present(record, clientArea(hwnd)) };
}

const NOT_GIVEN = 'Windows did not change the foreground: it gives it only to programs that received the last input';

/** Brings the window to the foreground. The value says whether Windows allowed it. */
async function focus(hwnd: number, witness: Witness, call: CallContext): Promise<Done<boolean>> {
  const obtained = await takeForeground(hwnd, new Deadline(call).share(FOREGROUND_MS), call);
  await waitUntilSettled(hwnd, call);
  return {
    value: obtained,
    outcome: witness.outcome({
      effect: obtained && witness.foregroundBefore !== hwnd ? 'confirmed' : 'none',
      delivery: 'win32',
      evidence: [
        { kind: 'foreground', before: String(witness.foregroundBefore), after: String(user32.GetForegroundWindow()) },
      ],
      attempts: [obtained ? delivered('win32', 'SetForegroundWindow') : refused('win32', NOT_GIVEN)],
    }),
  };
}

/**
 * Posts WM_CLOSE and waits. A window with an owner that hides itself has closed for a person: programs keep dialogs
 * and show them again. Errors: still_open, with the dialog that it shows.
 */
async function close(record: BindingRecord, hwnd: number, witness: Witness, call: CallContext): Promise<Done<boolean>> {
  const deadline = new Deadline(call);
  const followed = followFocus(record, witness, deadline);
  const isOwned = ownerOf(hwnd) !== 0 && !isHidden(hwnd);
  const result = await closeWindow(hwnd, deadline.share(CLOSE_MS, 500), call);
  await waitUntilSettled(hwnd, call);
  if (result.kind === 'gone' || (result.kind === 'hidden' && isOwned)) {
    return followed(
      witness.outcome({
        effect: 'confirmed',
        delivery: 'posted',
        evidence: [{ kind: 'window', before: 'open', after: result.kind }],
        attempts: [delivered('posted', 'WM_CLOSE')],
      }),
    );
  }
  const seen = witness.seen();
  if (result.kind === 'dialog') {
    const dialog = String(result.hwnd);
    throw new UiaHostError(
      'still_open',
      `${quoted(record.title)} is still open and shows ${quoted(result.title)} (window ${dialog}). The binding is kept.`,
      {
        delivery: 'delivered',
        hint: `Bind the window ${dialog} and answer it, then close again.`,
        candidates: [{ hwnd: dialog, title: result.title }],
        partialResult: { hwnd: dialog, title: result.title, ...seen },
      },
    );
  }
  throw new UiaHostError(
    'still_open',
    result.kind === 'hidden'
      ? `${quoted(record.title)} hid itself instead of closing, as programs with an icon in the notification area do.`
      : `${quoted(record.title)} received the close message and stayed open; if it is asking something, the question is inside its own window.`,
    {
      delivery: 'delivered',
      hint:
        result.kind === 'hidden'
          ? 'Nothing is left to do if it was only to go: it is not shown any more. Its program continues and can show it again.'
          : 'Take a snapshot and answer what it asks, or wait until it is no longer busy.',
      partialResult: seen,
    },
  );
}

function answer(managed: Managed, witness: Witness): Done<boolean> {
  const delivery = managed.attempts.every(({ result }) => result === 'not_applicable') ? 'none' : 'win32';
  return { value: managed.done, outcome: witness.outcome({ ...managed, delivery }) };
}

/** Brings the window to the foreground and clicks a point in its client area. Errors: user_active, invalid_argument. */
async function activate(record: BindingRecord, clientPoint: Point | null, call: CallContext): Promise<Done<boolean>> {
  throwIfAborted(call);
  const hwnd = liveWindow(record);
  const requireInside = (point: Point): void => {
    const area = clientArea(hwnd);
    if (area === null || !rectContains({ ...area, x: 0, y: 0 }, point))
      throw outside(point, area ?? { x: 0, y: 0, width: 0, height: 0 }, 'client');
  };
  // A minimised window has no client area until it is restored.
  if (clientPoint !== null && !user32.IsIconic(hwnd)) requireInside(clientPoint);
  if (clientPoint !== null && personIdleMs() < YIELD_MS) {
    throw new UiaHostError(
      'user_active',
      'A person is using keyboard or mouse, and a real click yields to them. Nothing was changed.',
    );
  }
  const witness = startWitness();
  const focused = await focus(hwnd, witness, call);
  if (!focused.value || clientPoint === null) return focused;
  requireInside(clientPoint);
  const at = present(record, toScreen(hwnd, clientPoint));
  const click = await clickForeground(hwnd, at, new Deadline(call).share(FOREGROUND_MS), call);
  await waitUntilSettled(hwnd, call);
  return {
    value: click.result === 'delivered',
    outcome: witness.outcome({
      effect: focused.outcome.effect === 'confirmed' ? 'confirmed' : 'unverified',
      delivery: click.result === 'delivered' ? 'input' : 'win32',
      evidence: focused.outcome.evidence,
      attempts: [...focused.outcome.attempts, click],
      details: { clicked: click.result === 'delivered', at },
    }),
  };
}

/**
 * docs/behaviour.md#binding: the list, rectangles, states and positions of windows. `moved`: those parked off the
 * desktop.
 */
export function createWindowPort(services: Win32Services, moved: MovedWindows = new MovedWindows()): WindowPort {
  /** So that the worker's shutdown also reaches an owner whose only state is a window to move back. */
  const movers = services.ownerState(() => ({}));
  for (const { owner } of moved.list()) movers.get(owner);
  services.onRelease((owner, record) => {
    for (const each of moved.take(owner, record)) bringBack(each);
  });

  /** Recorded before the move: if the worker is killed in between, the window has been moved nevertheless. */
  const moveAway = async (record: BindingRecord, hwnd: number, call: CallContext): Promise<Managed> => {
    const from = requireNormal(hwnd, 'move_offscreen');
    const isFirst = !isOffscreen(from) && !moved.has(call.owner, record);
    if (isFirst) {
      movers.get(call.owner);
      moved.add(call.owner, record, from);
    }
    const managed = await moveOffscreen(hwnd, call);
    if (isFirst && !managed.done) moved.take(call.owner, record);
    return managed;
  };

  const manage = async (
    record: BindingRecord,
    action: WindowAction,
    place: Parameters<WindowPort['manage']>[2],
    call: CallContext,
  ): Promise<Done<boolean>> => {
    throwIfAborted(call);
    const hwnd = liveWindow(record);
    const witness = startWitness();
    switch (action) {
      case 'minimize':
      case 'maximize':
      case 'restore':
        return answer(await show(hwnd, action, call), witness);
      case 'close':
        return close(record, hwnd, witness, call);
      case 'focus':
        return focus(hwnd, witness, call);
      case 'move_offscreen':
        return answer(await moveAway(record, hwnd, call), witness);
      case 'move_resize': {
        const { width, height } = place;
        // Without a place the window stays where it is.
        const { x, y } = place.x === undefined ? (outerRect(hwnd) ?? place) : place;
        if (x === undefined || y === undefined)
          throw new UiaHostError('invalid_argument', '`move_resize` needs x and y, or width and height.');
        return answer(await moveResize(hwnd, { x, y, width, height }, call), witness);
      }
      case 'get_rect': {
        const rect = present(record, outerRect(hwnd));
        return {
          value: true,
          outcome: witness.outcome({ effect: 'none', delivery: 'none', details: { rect, state: showState(hwnd) } }),
        };
      }
    }
  };

  return {
    async listVisible(call) {
      throwIfAborted(call);
      return visibleWindows(services).map((window): VisibleWindow => ({
        hwnd: String(window.hwnd),
        pid: window.process.pid,
        title: window.title,
        app: window.app,
        className: window.className,
        minimized: window.isMinimized,
        toolWindow: window.isToolWindow,
        elevated: window.process.isElevated || isElevated(window.process.integrity),
        ...(user32.IsHungAppWindow(window.hwnd) ? { hung: true } : {}),
      }));
    },

    async rect(record) {
      const hwnd = Number(record.hwnd);
      return isSameWindow(record) ? outerRect(hwnd) : null;
    },

    manage,

    async clientToScreen(record, point) {
      const { hwnd, area } = liveClientArea(record);
      if (!rectContains({ ...area, x: 0, y: 0 }, point)) throw outside(point, area, 'client');
      return present(record, toScreen(hwnd, point));
    },

    async screenToClient(record, point) {
      const { hwnd, area } = liveClientArea(record);
      if (!rectContains(area, point)) throw outside(point, area, 'screen');
      return present(record, toClient(hwnd, point));
    },

    activate,
  };
}
