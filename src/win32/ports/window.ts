/** The window topic on Windows: lists windows and activates, moves, resizes, minimises and closes them. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isElevated } from '../../contract/gate/orders.ts';
import { rectContains } from '../../contract/element/coordinates.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext, Done, VisibleWindow, WindowAction, WindowPort } from '../../desktop/index.ts';
import { followFocus } from '../evidence/late-foreground.ts';
import { personIdleMs, YIELD_MS } from '../windows/person.ts';
import type { Win32Services } from './services.ts';
import { Deadline, throwIfAborted } from '../windows/waiting.ts';
import { takeForeground } from '../input/activate.ts';
import {
  closeWindow,
  moveOffscreen,
  moveResize,
  requireNormal,
  show,
  showState,
  type Managed,
} from '../acting/manage.ts';
import { clickForeground } from '../input/mouse-foreground.ts';
import { visibleWindows } from '../windows/describe.ts';
import { ownerOf } from '../windows/window-info.ts';
import { bringBack, MovedWindows } from '../acting/moved-away.ts';
import { isOffscreen, waitUntilSettled } from '../windows/place.ts';
import { isSameWindow, liveWindow, windowGone } from '../windows/record.ts';
import { clientArea, outerRect, toClient, toScreen } from '../windows/rects.ts';
import { startWitness, type Witness } from '../windows/witness.ts';
import { delivered, refused } from '../drivers/ways.ts';

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
  const isOwned = ownerOf(hwnd) !== 0;
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
  const click = clickForeground(hwnd, at);
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
