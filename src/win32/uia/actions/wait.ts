/** Waiting for elements, windows and values: woken by events where they come, else by looking every 100 ms at most. */
import type { BindingRecord } from '../../../contract/binding.ts';
import type { ElementInfo, ElementQuery } from '../../../contract/element.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import type { CallContext, Done, WaitCondition } from '../../../desktop/index.ts';
import { Deadline, pause } from '../../waiting.ts';
import { elementInfo, locate } from '../locate.ts';
import type { ReadOptions } from '../observe.ts';
import { rankName } from '../query.ts';
import type { RefBook } from '../refs.ts';
import type { TreeNode } from '../tree.ts';
import { keptText, topWindowsOf } from '../window-info.ts';
import { WinEvents } from '../win-events.ts';

const POLL_MS = 100;
const PUMP_MS = 10;
const RESERVE_MS = 150;

export interface WaitFor {
  readonly query?: ElementQuery | undefined;
  readonly condition: WaitCondition;
  readonly value?: string | undefined;
  readonly windowTitle?: string | undefined;
}

/** What one look found: met, and what is to be reported. */
interface Look {
  readonly met: boolean;
  readonly element: ElementInfo | null;
  readonly now: unknown;
  readonly details?: Record<string, unknown>;
}

/** What counts as a change of an element. */
export const appearanceOf = (node: TreeNode): string => JSON.stringify([node.controlType, node.name, node.states.has('password') ? null : node.value, [...node.states].sort(), node.rect]);

/** Null while it is not there. Ambiguity is an error: nobody could say which one is meant. */
function find(refs: RefBook, record: BindingRecord, query: ElementQuery, read: ReadOptions): TreeNode | null {
  try {
    return locate(refs, record, query, 'look', read).node;
  } catch (error) {
    if (error instanceof UiaHostError && (error.code === 'target_not_found' || error.code === 'element_stale')) return null;
    throw error;
  }
}

function windowLook(record: BindingRecord, wait: WaitFor): Look {
  const title = wait.windowTitle!;
  const hwnd = topWindowsOf(record.pid).find((one) => rankName(title, [keptText(one)]) !== null);
  const isThere = hwnd !== undefined;
  return {
    met: wait.condition === 'goes' ? !isThere : isThere, element: null, now: isThere,
    ...(isThere ? { details: { window: { hwnd: String(hwnd), title: keptText(hwnd) } } } : {}),
  };
}

/** Makes the look that a condition asks for. `first` is how the element was when the wait began. */
function lookFor(refs: RefBook, record: BindingRecord, wait: WaitFor, read: ReadOptions): () => Look {
  if (wait.windowTitle !== undefined) return () => windowLook(record, wait);
  const query = wait.query!;
  const root = Number(record.hwnd);
  const info = (node: TreeNode): ElementInfo => elementInfo(refs, root, node);
  let first: string | null | undefined;
  return () => {
    const node = find(refs, record, query, read);
    switch (wait.condition) {
      case 'appears': return { met: node !== null, element: node === null ? null : info(node), now: node !== null };
      case 'goes': return { met: node === null, element: null, now: node !== null };
      case 'enabled': {
        const isEnabled = node !== null && !node.states.has('disabled');
        return { met: isEnabled, element: node === null ? null : info(node), now: isEnabled };
      }
      case 'value': {
        if (node?.states.has('password')) throw new UiaHostError('invalid_argument', 'The value of a password field is never read, so it cannot be waited for.');
        return { met: node !== null && node.value === wait.value, element: node === null ? null : info(node), now: node?.value ?? null };
      }
      case 'changes': {
        const now = node === null ? null : appearanceOf(node);
        const before = first;
        if (first === undefined) first = now;
        return { met: before !== undefined && before !== now, element: node === null ? null : info(node), now: before !== undefined && before !== now };
      }
    }
  };
}

/** Errors: deadline_exceeded; target_ambiguous, window_gone (unless the window's own going is waited for). */
export async function waitForElement(refs: RefBook, record: BindingRecord, wait: WaitFor, call: CallContext, read: ReadOptions): Promise<Done<ElementInfo | null>> {
  const deadline = new Deadline(call);
  const started = performance.now();
  using events = new WinEvents(record.pid);
  const look = lookFor(refs, record, wait, read);
  let by: 'first look' | 'events' | 'polling' = 'first look';
  let before: unknown;
  for (let isFirst = true; ; isFirst = false) {
    const seen = look();
    if (isFirst) before = seen.now;
    if (seen.met) {
      return {
        value: seen.element,
        outcome: {
          effect: 'none', delivery: 'none', evidence: [{ kind: wait.condition, before, after: seen.now }], attempts: [], focusChanged: false, cursorMoved: false,
          details: { by, waitedMs: Math.round(performance.now() - started), ...seen.details },
        },
      };
    }
    if (deadline.remaining(RESERVE_MS) <= 0) {
      throw new UiaHostError('deadline_exceeded', `Waited ${Math.round(performance.now() - started)} ms; “${describe(wait)}” was not met.`, { partialResult: { now: seen.now, element: seen.element } });
    }
    by = await nextOccasion(events, deadline, call);
  }
}

/** Returns when an event came, or after the time in which the next look is due. */
async function nextOccasion(events: WinEvents, deadline: Deadline, call: CallContext): Promise<'events' | 'polling'> {
  const until = performance.now() + Math.min(POLL_MS, deadline.remaining(RESERVE_MS));
  do {
    await pause(PUMP_MS, call);
    if (events.pump() > 0) return 'events';
  } while (performance.now() < until);
  return 'polling';
}

function describe(wait: WaitFor): string {
  const what = wait.windowTitle === undefined ? wait.query?.ref ?? wait.query?.name ?? wait.query?.automationId ?? wait.query?.role ?? 'element' : `window ${wait.windowTitle}`;
  return `${what} ${wait.condition}`;
}
