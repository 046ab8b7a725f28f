/** Waits for elements, windows and values: woken by events, with slow looks for what is not reported. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { ElementQuery } from '../../contract/element/element.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext, Done, SeenElement, WaitCondition } from '../../desktop/index.ts';
import { Deadline, pause } from '../windows/waiting.ts';
import { ambiguous, elementInfo, locateRef, lookFor } from '../elements/finding/locate.ts';
import { type ReadOptions, readWindow } from '../elements/reading/observe.ts';
import { bestOf, isNamed } from '../elements/finding/query.ts';
import type { RefBook } from '../elements/finding/refs.ts';
import { shownName } from '../elements/tree/labels.ts';
import { type TreeNode, walk } from '../elements/tree/tree.ts';
import { applicationWindows } from '../windows/popups.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { threadOf, windowText } from '../windows/window-info.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { WinEvents, takeEvents } from '../windows/window-journal.ts';
import { onlyLooked } from '../windows/witness.ts';
import { cutBitmap, uniformColour, type Bitmap } from '../imaging/bitmap.ts';
import { grabWindow } from '../imaging/gdi.ts';
import { pictureChange } from '../imaging/picture-change.ts';
import { answers } from '../windows/ask.ts';

/** Between two looks that cost little: at the titles of windows, and where no events come. */
const POLL_MS = 100;
/** Between two looks at a whole tree while events are reported: programs feel each of them. */
const NET_MS = 1000;
const PUMP_MS = 10;
/** Part of the deadline (ms) reserved for reporting that the condition was not met. */
const CONDITION_RESERVE_MS = 150;
/** Reserved for the answer after the last look of a wait. */
const ANSWER_MS = 50;
const NOT_ANSWERED = 'the window did not answer completely in time';

interface WaitFor {
  readonly query?: ElementQuery | undefined;
  /** Part of a name will do. */
  readonly part?: boolean | undefined;
  readonly condition: WaitCondition;
  readonly value?: string | undefined;
  readonly windowTitle?: string | undefined;
  readonly hwnd?: string | undefined;
}

const isForWindow = ({ windowTitle, hwnd }: WaitFor): boolean => windowTitle !== undefined || hwnd !== undefined;

/** The result of one look: whether the condition is met, and what to report. */
interface Look {
  readonly met: boolean;
  readonly element: SeenElement | null;
  readonly now: unknown;
  readonly details?: Record<string, unknown>;
  /** What could not be read in time. */
  readonly unread?: string;
  /** A name that only contains the wanted one. */
  readonly near?: string;
}

const valueOf = ({ states, value }: TreeNode): string | null => (states.has('password') ? null : value);

/** The properties of an element whose change counts. */
const appearanceOf = (node: TreeNode): string =>
  JSON.stringify([node.controlType, node.name, valueOf(node), [...node.states].sort(), node.rect]);

/** State of the awaited element. */
interface Sight {
  readonly node: TreeNode | null;
  /** The window that it is in. */
  readonly root: number;
  /** Null if the whole window was read, or enough of it; else what was not read. */
  readonly unread: string | null;
  /** Something did not answer in time: missing parts of the element may exist nevertheless. */
  readonly isCut: boolean;
  /** An element whose name only contains the wanted one. */
  readonly near?: TreeNode | null;
}

/** What a look needs. */
interface Looking {
  readonly refs: RefBook;
  readonly record: BindingRecord;
  readonly call: CallContext;
  /** Options of this look. */
  read(): ReadOptions;
}

/** Ambiguity is an error: it is unclear which one is meant. */
async function find({ refs, record, call, read }: Looking, { query = {}, part }: WaitFor): Promise<Sight> {
  const options = read();
  if (query.ref !== undefined) {
    try {
      const { node, observed } = locateRef(refs, record, query.ref, options, 'tree');
      return { node, root: Number(observed.record.hwnd), unread: null, isCut: observed.partial };
    } catch (error) {
      if (!(error instanceof UiaHostError)) throw error;
      if (error.code === 'element_stale') return { node: null, root: 0, unread: null, isCut: false };
      if (error.code === 'window_hung') return { node: null, root: 0, unread: NOT_ANSWERED, isCut: true };
      throw error;
    }
  }
  const looked = await lookFor({
    record,
    query,
    purpose: 'look',
    options,
    searchMs: options.budgetMs,
    call,
  });
  const { unread, observed } = looked;
  // Another element's name may only contain it: “Foo” is not there where “Food” is.
  const { name } = query;
  const found = name === undefined || part ? looked.found : looked.found.filter((node) => isNamed(node, name));
  const [near = null] = found.length === 0 ? looked.found : [];
  if (found.length > 1 && unread === null) throw ambiguous(refs, query, observed, found);
  const node = unread !== null && found.length > 1 ? null : (found[0] ?? null);
  return { node, root: Number(observed.record.hwnd), unread, isCut: observed.partial, near };
}

/** Looks at a window of the program; once seen it is followed by its handle, since titles move on. */
function windowLooks(record: BindingRecord, { windowTitle, hwnd, condition }: WaitFor): () => Look {
  let known = hwnd === undefined ? undefined : Number(hwnd);
  const isForeign = (open: readonly number[]): boolean =>
    hwnd !== undefined && user32.IsWindow(known!) && !open.includes(known!) && threadOf(known!).process !== record.pid;
  return () => {
    const open = applicationWindows(Number(record.hwnd));
    if (known === undefined && windowTitle !== undefined) [known] = bestOf(open, windowText, windowTitle);
    if (isForeign(open))
      throw new UiaHostError(
        'invalid_argument',
        `Window ${hwnd!} does not belong to the bound program; nothing was waited for.`,
      );
    const isThere = known !== undefined && open.includes(known);
    const window = (each: number): object => ({ hwnd: String(each), title: windowText(each) });
    return {
      met: condition === 'goes' ? !isThere : isThere,
      element: null,
      now: isThere,
      details: isThere ? { window: window(known!) } : { open: open.map(window) },
    };
  };
}

/** Creates the look for a condition. `first` is the element's state when the wait began. */
function lookAt(looking: Looking, wait: WaitFor): () => Promise<Look> {
  const { refs, record } = looking;
  if (isForWindow(wait)) {
    const look = windowLooks(record, wait);
    return async () => look();
  }
  let first: string | null | undefined;
  return async () => {
    const { node, root, unread, isCut, near = null } = await find(looking, wait);
    const element = node === null ? null : { ...elementInfo(refs, root, node), value: valueOf(node) };
    const rest = { ...(unread === null ? {} : { unread }), ...(near === null ? {} : { near: shownName(near) }) };
    // An element with a similar name exists; whether the wanted one does is unknown.
    const isKnown = unread === null;
    switch (wait.condition) {
      case 'appears':
        return { met: node !== null, element, now: node !== null ? true : isKnown ? false : null, ...rest };
      case 'goes':
        return {
          met: node === null && isKnown,
          element: null,
          now: node !== null ? true : isKnown ? false : null,
          ...rest,
        };
      case 'enabled': {
        const isEnabled = node !== null && !node.states.has('disabled');
        return { met: isEnabled && isKnown, element, now: isEnabled, ...rest };
      }
      case 'value': {
        if (node?.states.has('password'))
          throw new UiaHostError(
            'invalid_argument',
            'The value of a password field is never read, so it cannot be waited for.',
          );
        return {
          met: node !== null && isKnown && node.value === wait.value,
          element,
          now: node?.value ?? null,
          ...(isCut && node?.value === null ? { unread: NOT_ANSWERED } : rest),
        };
      }
      case 'changes': {
        if (!isKnown || isCut) return { met: false, element, now: null, unread: unread ?? NOT_ANSWERED };
        const now = node === null ? null : appearanceOf(node);
        const before = first;
        if (first === undefined) first = now;
        return { met: before !== undefined && before !== now, element, now: before !== undefined && before !== now };
      }
    }
  };
}

/** Errors: deadline_exceeded; target_ambiguous, window_gone (unless the wait is for the window to close). */
export async function waitForElement(
  refs: RefBook,
  record: BindingRecord,
  wait: WaitFor,
  call: CallContext,
  read: ReadOptions,
): Promise<Done<SeenElement | null>> {
  const deadline = new Deadline(call);
  const started = performance.now();
  using events = eventCount(record.pid);
  // No look may outlast the wait: the answer is then the last look's.
  const look = lookAt({ refs, record, call, read: () => untilDeadline(read, deadline) }, wait);
  let known: Look | null = null;
  let by: 'first look' | 'events' | 'polling' = 'first look';
  let before: unknown;
  for (let isFirst = true; ; isFirst = false) {
    const since = performance.now();
    const seen = await look();
    const tookMs = performance.now() - since;
    if (seen.unread === undefined || known === null) known = seen;
    if (isFirst) before = seen.now;
    if (seen.met) {
      return {
        value: seen.element,
        outcome: onlyLooked({
          evidence: [{ kind: wait.condition, before, after: seen.now }],
          details: { by, waitedMs: Math.round(performance.now() - started), ...seen.details },
        }),
      };
    }
    if (deadline.remaining(CONDITION_RESERVE_MS) <= 0) {
      throw new UiaHostError(
        'deadline_exceeded',
        `Waited ${Math.round(performance.now() - started)} ms; ${quoted(describe(wait))} was not met.${seen.unread === undefined ? '' : ` Still unknown at the end: ${seen.unread}.`}`,
        {
          ...(seen.near === undefined
            ? {}
            : { hint: `There is ${quoted(seen.near)}: give its whole name, or part: true.` }),
          partialResult: { now: known.now, element: known.element },
        },
      );
    }
    const everyMs = !isForWindow(wait) && events.isListening ? NET_MS : POLL_MS;
    by = await nextOccasion(events, deadline, { tookMs, everyMs });
  }
}

/** The options of a look, ending with the wait. */
const untilDeadline = (read: ReadOptions, deadline: Deadline): ReadOptions => ({
  ...read,
  budgetMs: Math.max(1, Math.min(read.budgetMs, deadline.remaining(ANSWER_MS))),
});

/** An expensive look is not repeated immediately: other calls need a turn, and so does the program. */
const REST_SHARE = 2;

/**
 * Returns on an event, or when it is time for the next look.
 * @param pace duration of the last look, and the time until the next one if no event comes
 */
async function nextOccasion(
  events: ReturnType<typeof eventCount>,
  deadline: Deadline,
  { tookMs, everyMs }: { readonly tookMs: number; readonly everyMs: number },
): Promise<'events' | 'polling'> {
  const now = performance.now();
  const left = deadline.remaining(CONDITION_RESERVE_MS);
  const rested = now + Math.min(left, tookMs < POLL_MS ? 0 : tookMs * REST_SHARE);
  const until = Math.max(rested, now + Math.min(everyMs, left));
  let hasEvent = false;
  do {
    await pause(PUMP_MS, deadline.call);
    hasEvent = events.pump() > 0 || hasEvent;
    if (hasEvent && performance.now() >= rested) return 'events';
  } while (performance.now() < until);
  return hasEvent ? 'events' : 'polling';
}

function describe(wait: WaitFor): string {
  const what = isForWindow(wait)
    ? `window ${wait.windowTitle ?? wait.hwnd}`
    : (wait.query?.ref ??
      wait.query?.path ??
      wait.query?.name ??
      wait.query?.automationId ??
      wait.query?.role ??
      'element');
  return `${what} ${wait.condition}`;
}

/** Counts events of a process until it is disposed of. They are delivered while `pump` runs on this thread. */
function eventCount(process: number): Disposable & { readonly isListening: boolean; pump(): number } {
  let count = 0;
  const events = new WinEvents(() => {
    count++;
  });
  events.hook(process, m.EVENT_SYSTEM_FOREGROUND, m.EVENT_SYSTEM_DIALOGEND);
  events.hook(process, m.EVENT_OBJECT_CREATE, m.EVENT_OBJECT_VALUECHANGE);
  return {
    /** Whether the system accepted a hook. */
    isListening: events.processes.length > 0,
    /** Delivers queued events; returns how many came since the last call. */
    pump() {
      takeEvents(Number.POSITIVE_INFINITY);
      const counted = count;
      count = 0;
      return counted;
    },
    [Symbol.dispose]: () => events[Symbol.dispose](),
  };
}

/** How often (ms) the window is read. */
const QUIET_POLL_MS = 100;
/** Part of the deadline (ms) reserved for the answer after the last reading. */
const QUIET_RESERVE_MS = 150;
/** A tree that takes longer to read is left out: two readings must fit in the time, and the picture shows most. */
const ELEMENTS_MS = 1500;
/** An idle thread answers well within this time. */
const IDLE_ANSWER_MS = 250;
/**
 * Carets and text cursors blink while their window has the focus: a bar or an underline of at most this size, pixels.
 */
const CARET = { thickness: 4, length: 64 } as const;

/** A program that has not begun yet is quiet too. */
const NOTHING_YET = 'Nothing changed during the wait. What comes later is not known: name what you expect to wait-for.';

export interface QuietOptions {
  /** How long nothing may change. */
  readonly quietMs: number;
  /** Maximum time until the answer. */
  readonly mostMs: number;
}

/**
 * What a window shows, compared with the reading before; `answer`: the program did not answer. Pixels stay in here.
 * Errors: window_gone.
 */
function lastLook(record: BindingRecord, read: ReadOptions) {
  const hwnd = Number(record.hwnd);
  let elements: string | null = null;
  let picture: Bitmap | null = null;
  const compared = new Set<'elements' | 'picture'>();
  const isOtherPicture = (): boolean => {
    const then = picture;
    const now = grabShown(hwnd);
    if (now === null || then === null || then.width !== now.width || then.height !== now.height) {
      picture = now === null ? null : cutBitmap(now);
      return then !== null;
    }
    compared.add('picture');
    const change = pictureChange(then, now);
    // In place: a copy at each reading would be megabytes for the garbage collector.
    if (change !== null) then.pixels.set(now.pixels.subarray(0, then.pixels.length));
    return (
      change !== null &&
      (Math.min(change.width, change.height) > CARET.thickness || Math.max(change.width, change.height) > CARET.length)
    );
  };
  /** A tree too large for the time does not count as changed, and is not compared. */
  const hasOtherElements = (leftMs: number): boolean => {
    const then = elements;
    const budgetMs = Math.max(1, Math.min(read.budgetMs, ELEMENTS_MS, leftMs));
    const { root, partial } = readWindow(record, { ...read, budgetMs });
    elements = partial
      ? null
      : walk(root)
          .map((node) => `${node.identity} ${appearanceOf(node)}`)
          .join('\n');
    if (then === null || elements === null) return false;
    compared.add('elements');
    return then !== elements;
  };
  return {
    /** What two readings were compared by. */
    compared,
    async next(leftMs: number): Promise<'elements' | 'picture' | 'answer' | null> {
      if (!(await answers(hwnd, Math.min(leftMs, IDLE_ANSWER_MS))) && user32.IsWindow(hwnd)) return 'answer';
      const isRedrawn = isOtherPicture();
      const isOther = hasOtherElements(leftMs);
      return isRedrawn ? 'picture' : isOther ? 'elements' : null;
    },
  };
}

/**
 * The picture of the window itself, null if it has none. DirectX content is black in its device context: then the
 * program is asked to print.
 */
function grabShown(hwnd: number): Bitmap | null {
  if (user32.IsIconic(hwnd)) return null;
  const kept = grabWindow(hwnd, 'dc');
  return kept !== null && uniformColour(kept) === null ? kept : grabWindow(hwnd, 'print');
}

/**
 * True once nothing changed for `quietMs`; false after `mostMs`, or if the call's deadline comes first. A change that
 * appears and disappears between two readings is missed. Errors: window_gone.
 */
export async function waitUntilQuiet(
  record: BindingRecord,
  { quietMs, mostMs }: QuietOptions,
  call: CallContext,
  read: ReadOptions,
): Promise<Done<boolean>> {
  const started = performance.now();
  const end = started + Math.min(mostMs, new Deadline(call).remaining(QUIET_RESERVE_MS));
  const leftMs = (): number => Math.max(1, end - performance.now());
  const window = lastLook(record, read);
  let lastChange = await window.next(leftMs());
  let since = performance.now();
  let isQuiet = false;
  let lookMs = since - started;
  // A reading cut short proves nothing.
  while (!isQuiet && leftMs() > QUIET_POLL_MS + lookMs) {
    await pause(QUIET_POLL_MS, call);
    const lookedAt = performance.now();
    const change = await window.next(leftMs());
    lookMs = performance.now() - lookedAt;
    if (change === null) {
      isQuiet = lookedAt - since >= quietMs;
    } else {
      lastChange = change;
      since = performance.now();
    }
  }
  if (!isQuiet) await pause(end - performance.now(), call);
  return {
    value: isQuiet,
    outcome: onlyLooked({
      details: {
        waitedMs: Math.round(performance.now() - started),
        quietMs,
        compared: [...window.compared].sort(),
        lastChange,
        ...(isQuiet && lastChange === null ? { note: NOTHING_YET } : {}),
      },
    }),
  };
}
