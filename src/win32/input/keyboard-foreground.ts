/** Types and presses keys as real input to the foreground window. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { abortReason, UiaHostError } from '../../contract/errors.ts';
import type { Chord } from '../../contract/keys/keys.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext } from '../../desktop/index.ts';
import { VK_BACK, VK_RETURN, VK_TAB } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { shownDialog } from '../elements/finding/element-target.ts';
import { focusOf, kindOfWindow, threadOf } from '../windows/window-info.ts';
import { pause } from '../windows/waiting.ts';
import { isSameWindow } from '../windows/record.ts';
import type { Witness } from '../windows/witness.ts';
import { sendKeyEvents, type KeyEvent } from '../exits/input.ts';
import { eventsOf, resolveAll, type ResolvedKey } from '../windows/key-codes.ts';
import { personIdleMs, YIELD_MS } from '../windows/person.ts';
import { typedClusters } from './send-text.ts';
import type { TreeReader } from '../evidence/shown-effects.ts';
import type { FocusMemory } from '../elements/finding/focus-memory.ts';

/** Errors: state_conflict if neither the gate nor a binding names one. */
export function judgedWindow(
  record: BindingRecord | null,
  call: CallContext,
  end: 'target' | 'start' = 'target',
): BindingRecord {
  const window = call.permit?.[end]?.window ?? record;
  if (window !== null) return window;
  throw new UiaHostError('state_conflict', 'No window was judged for this input; nothing was sent.', {
    hint: 'Bind the intended window first.',
  });
}

/**
 * Makes sure that the first key goes to the judged part: a program may move its focus, and a browser show another page.
 * Later keys of a call were judged by everything they could reach.
 * Errors: state_conflict; nothing was sent.
 */
export function assertSameFocus(
  record: BindingRecord | null,
  isReal: boolean,
  { focus, trees }: { readonly focus: FocusMemory; readonly trees?: TreeReader },
  call: CallContext,
): void {
  const judged = call.permit?.target;
  const window = judged?.window ?? record;
  if (judged === undefined || window === null) return;
  const page = trees?.pageInstead(window, judged, call) ?? null;
  if (page !== null)
    throw new UiaHostError('state_conflict', `In this window ${page}, not what was judged; nothing was sent.`, {
      hint: 'Take a new snapshot, and decide again by what it shows.',
    });
  if (judged.keysTo === undefined) return;
  const bound = Number(window.hwnd);
  const [then, now] = isReal
    ? [judged.keysTo.real, focus.reportedFocus(bound)]
    : [judged.keysTo.posted, focus.find(bound, call.owner)?.hwnd ?? 0];
  if (String(now) === then) return;
  throw new UiaHostError(
    'state_conflict',
    'The program moved its focus to another part after the action was judged; nothing was sent.',
    { hint: 'Take a new snapshot, then send the keys again.' },
  );
}

/** docs/behaviour.md#keyboard: the foreground is checked again at least every 20 characters. */
const CHECK_EVERY = 20;
/** How long (ms) a chord is down, as in a quick hand: programs that ask for the keys of the moment see it. */
const HELD_MS = 30;
const ENTER = { vk: VK_RETURN, scan: 0x1c, extended: false };
/** Keys in a text. An edit control takes all but Enter as characters; what draws itself drops those without a key. */
const KEYS: Readonly<Record<string, typeof ENTER>> = {
  '\r': ENTER,
  '\t': { vk: VK_TAB, scan: 0x0f, extended: false },
  '\b': { vk: VK_BACK, scan: 0x0e, extended: false },
};

/**
 * Makes sure that real input reaches the judged window. `soFar`: what the error says about input already sent.
 * Errors: user_active while a person types or moves the mouse; target_disabled behind a modal dialog; state_conflict if another window is in the foreground,
 * or the handle has been reused.
 */
export function assertMayInject(
  record: BindingRecord | null,
  sent: number,
  soFar = sent > 0 ? ` ${sent} were sent before.` : '',
): void {
  const delivery = sent > 0 ? 'delivered' : 'not_delivered';
  // A window that closes changes the focus, which the system may report as input.
  if (record !== null && !isSameWindow(record))
    throw new UiaHostError('window_gone', `The judged window (${quoted(record.title)}) is gone.${soFar}`, { delivery });
  if (personIdleMs() < YIELD_MS)
    throw new UiaHostError('user_active', `A person is using keyboard or mouse; real input yields to them.${soFar}`, {
      delivery,
    });
  if (record === null) return;
  // Its dialogs are separate windows: their questions were not judged.
  const hwnd = Number(record.hwnd);
  const dialog = shownDialog(hwnd);
  if (dialog !== null)
    throw new UiaHostError(
      'target_disabled',
      `The judged window (${quoted(record.title)}) is disabled while the dialog ${quoted(dialog.title)} (${dialog.hwnd}) is open, so real input would reach that.${soFar}`,
      {
        delivery,
        hint: `Bind the dialog ${dialog.hwnd} and answer it first.`,
        candidates: [{ hwnd: dialog.hwnd, title: dialog.title }],
      },
    );
  if (user32.GetForegroundWindow() === hwnd) return;
  throw new UiaHostError(
    'state_conflict',
    `The judged window (${quoted(record.title)}) is not in the foreground, so real input would reach another window.${soFar}`,
    {
      delivery,
      hint: 'Check which window is in front. Call activate-window first, or deliver in the background.',
    },
  );
}

const resolveForeground = (chord: Chord): ResolvedKey[] => resolveAll(chord, threadOf(user32.GetForegroundWindow()));

/** Events that press keys, to be sent with the events that they are held for. Errors: user_active. */
export function heldForeground(chord: Chord): KeyEvent[] {
  assertMayInject(null, 0);
  return eventsOf(resolveForeground(chord), 'down', false);
}

/** Presses (or repeats, or releases) keys as real input. A caller that repeats has called `assertMayInject` before. */
export function pressForeground(record: BindingRecord | null, chord: Chord, change: 'down' | 'repeat' | 'up'): void {
  if (change === 'down') assertMayInject(record, 0);
  sendKeyEvents(eventsOf(resolveForeground(chord), change === 'up' ? 'up' : 'down', false));
}

interface Pressed {
  readonly chords: readonly Chord[];
  readonly repeat: number;
  /** For keys that an agent chose. */
  isOwnWindow?(hwnd: number): boolean;
}

/** Chords as real input; each goes down and up in one call. */
export async function sendChordsForeground(
  record: BindingRecord | null,
  { chords, repeat, isOwnWindow }: Pressed,
  call: CallContext,
  witness: Witness,
): Promise<Outcome> {
  let sent = 0;
  for (let round = 0; round < repeat; round += 1) {
    for (const chord of chords) {
      if (call.signal.aborted) throw stoppedAfter(`${sent} key combinations were sent`, sent, call);
      assertMayInject(record, sent);
      if (isOwnWindow?.(Number(record?.hwnd)) === true) throw ownAfter(sent);
      const keys = resolveForeground(chord);
      const stopped = (): never => {
        throw stoppedAfter(`${sent} key combinations were sent`, sent, call);
      };
      sendKeyEvents(eventsOf(keys, 'down', true));
      sent += 1;
      try {
        await pause(HELD_MS, call, 'delivered').catch(stopped);
      } finally {
        sendKeyEvents(eventsOf(keys, 'up', true));
      }
      await pause(5, call, 'delivered').catch(stopped);
    }
  }
  return witness.outcome({
    effect: 'unverified',
    delivery: 'input',
    attempts: [{ rung: 'input', result: 'delivered', reason: `${sent} combinations` }],
  });
}

/** Keys lead a browser to the page of the host, and go no further there. */
export const ownAfter = (sent: number): UiaHostError =>
  new UiaHostError(
    'target_not_found',
    `The window showed the host’s page after ${sent} key combinations; the rest was not sent.`,
    { delivery: sent > 0 ? 'delivered' : 'not_delivered', hint: 'Bind another window.' },
  );

/** Why it stopped, and how much had been sent by then. */
function stoppedAfter(what: string, sent: number, call: CallContext): UiaHostError {
  const code = abortReason(call.signal).code;
  return new UiaHostError(code, `Stopped: ${what}.`, { delivery: sent > 0 ? 'delivered' : 'not_delivered' });
}

/** Text as real input by Unicode key events; Enter is sent as the real key, since programs check for it. */
export async function typeForeground(
  record: BindingRecord | null,
  text: string,
  call: CallContext,
  witness: Witness,
): Promise<Outcome> {
  let typed = 0;
  let waiting = 0;
  let events: KeyEvent[] = [];
  assertMayInject(record, 0);
  const flush = (): void => {
    sendKeyEvents(events);
    events = [];
    typed += waiting;
    waiting = 0;
  };
  const stopped = (): UiaHostError => stoppedAfter(`${typed} characters were typed`, typed, call);
  const kind = kindOfWindow(focusOf(threadOf(user32.GetForegroundWindow()).thread));
  const isEdit = kind === 'edit' || kind === 'rich-edit';
  for (const cluster of typedClusters(text)) {
    // What was not sent yet is dropped.
    if (call.signal.aborted) throw stopped();
    const key = cluster === '\r' || !isEdit ? KEYS[cluster] : undefined;
    if (key !== undefined) events.push({ ...key, up: false }, { ...key, up: true });
    else
      for (let unit = 0; unit < cluster.length; unit += 1)
        events.push({ unit: cluster.charCodeAt(unit), up: false }, { unit: cluster.charCodeAt(unit), up: true });
    waiting += 1;
    if (waiting === CHECK_EVERY) {
      flush();
      await pause(2, call, 'delivered').catch(() => {
        throw stopped();
      });
      assertMayInject(record, typed);
    }
  }
  flush();
  return witness.outcome({
    effect: 'unverified',
    delivery: 'input',
    attempts: [{ rung: 'input', result: 'delivered', reason: `${typed} characters` }],
    details: { characters: typed },
  });
}
