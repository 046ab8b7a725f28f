/** Keys that stay down: press, release, and hold for a time. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { chordText, parseChord, type Chord } from '../../contract/keys/keys.ts';
import type { Evidence, Outcome } from '../../contract/outcome.ts';
import type { CallContext, DeliveryMode, Done } from '../../desktop/index.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import {
  effectsOf,
  isMenuChoice,
  modifiersOf,
  notConsoleKey,
  postKeyChange,
  isShortcut,
  sendChord,
  type ChordDone,
} from '../input/chords-background.ts';
import { assertMayInject, pressForeground, ownAfter, sendChordsForeground } from '../input/keyboard-foreground.ts';
import { judgedWindow } from '../input/keyboard-foreground.ts';
import { LISTEN_MS } from '../windows/person.ts';
import { type KeyTarget, receiverAt } from '../elements/finding/text-target.ts';
import { rootOf } from '../windows/window-info.ts';
import { layoutOf, resolveAll } from '../windows/key-codes.ts';
import { consoleKeys } from '../terminal/console-keys.ts';
import { takesConsoleInput } from '../windows/classes.ts';
import { assertCarried, toolkitOf } from '../windows/toolkit.ts';
import { pause } from '../windows/waiting.ts';
import type { Witness } from '../windows/witness.ts';
import {
  lostKeys,
  describeTarget,
  keyTargetOf,
  readBefore,
  realTarget,
  type InputTools,
  beginKeys,
  shownBefore,
  withDetails,
} from './keyboard-target.ts';
import { windowDetails, isEnd } from '../evidence/chord-effects.ts';
import { beginInput } from '../evidence/late-foreground.ts';
import { watchConsole } from '../input/consoles.ts';
import { RECEIVERS } from '../../contract/ways/receivers.ts';
import { VK_RETURN, VK_TAB } from '../../../native-bindings/win32/constants.ts';

export async function pressChords(
  tools: InputTools,
  record: BindingRecord | null,
  { chords, repeat }: { readonly chords: readonly string[]; readonly repeat: number },
  delivery: DeliveryMode,
  call: CallContext,
): Promise<Done<boolean>> {
  const parsed = chords.map(parseChord);
  const { witness, deadline, followed } = await beginKeys(tools, record, delivery, call);
  if (record === null)
    return {
      value: true,
      outcome: await sendChordsForeground(
        judgedWindow(null, call),
        { chords: parsed, repeat, isOwnWindow: tools.isOwnWindow },
        call,
        witness,
      ),
    };
  const isReal = delivery === 'foreground';
  const parts: ChordDone[] = [];
  let whom: { hwnd: number; details: Record<string, unknown> } = { hwnd: 0, details: {} };
  // A picture cannot show which of several keys caused a change.
  const isWatched = parsed.length * repeat === 1;
  const aim = isReal ? judgedWindow(record, call) : record;
  if (isReal) assertMayInject(aim, 0);
  const sight = await watchConsole(tools.consoles, record, call);
  for (let round = 0; round < repeat; round += 1) {
    for (const [place, chord] of parsed.entries()) {
      const isLast = round === repeat - 1 && place === parsed.length - 1;
      await sight?.beforeKey();
      if (call.signal.aborted) throw stopped(parts.length, call.signal.reason);
      // If the window closed, the remaining keys have no target; what was sent is still reported.
      if (parts.length > 0 && !user32.IsWindow(Number(record.hwnd))) throw goneAfter(parts.length);
      if (tools.isOwnWindow(Number(record.hwnd))) throw ownAfter(parts.length);
      const target = isReal ? realTarget(record) : nextTarget(tools, record, call, chord, parts.length);
      if (whom.hwnd !== target.hwnd) whom = { hwnd: target.hwnd, details: describeTarget(tools, record, target, call) };
      if (isReal) {
        const looked = await readBefore(tools, record, target, call, { isWatched, isChoice: isMenuChoice(chord) });
        if (parts.length > 0) assertMayInject(aim, parts.length);
        const { attempts } = await sendChordsForeground(aim, { chords: [chord], repeat: 1 }, call, witness);
        const evidence = await effectsOf(looked!.before, target, deadline, { sight, shown: looked!.shown, isLast });
        const details = windowDetails(evidence, Number(record.hwnd), looked!.before.owner);
        parts.push(noted({ delivery: 'input', attempts, evidence, details }, chord, target));
        continue;
      }
      if (target.losesKeys === true) throw lostKeys(parts.length);
      const shown = isWatched ? await shownBefore(tools, record, target, call) : null;
      const done = await sendChord(
        { target, bound: Number(record.hwnd), executable: record.app.executable },
        chord,
        deadline,
        { sight, shown, isLast },
        {
          press: (keys, layout) => tools.consoles.press(record, keys, layout, call),
          isOnlyWay: takesConsoleInput(record),
        },
      );
      parts.push(noted(done, chord, target));
    }
  }
  const last = parts.at(-1)!;
  const isSeen = parts.every((part) => part.evidence.length > 0 && part.isDoubtful !== true);
  const outcome = witness.outcome({
    effect: isSeen ? 'confirmed' : 'unverified',
    delivery: last.delivery,
    attempts: parts.flatMap((part) => part.attempts).slice(0, 50),
    evidence: parts.flatMap((part) => part.evidence).slice(0, 50),
  });
  return followed(
    withDetails(outcome, { ...whom.details, ...Object.assign({}, ...parts.map(({ details }) => details)) }),
  );
}

/** Keys that end an editor or an open list, whether or not its program takes what is in it. */
const ENDS: ReadonlySet<number | null> = new Set([VK_RETURN, VK_TAB]);
const JUST_ENDED = '; what was edited or open is gone, as where the program refuses it: read what was to change';

/** With what the table of receivers adds to such keys. */
function noted(part: ChordDone, chord: Chord, { hwnd }: KeyTarget): ChordDone {
  const { notes } = RECEIVERS[toolkitOf(hwnd)];
  if (chord.some(({ vk }) => ENDS.has(vk)) && part.evidence.length > 0 && part.evidence.every(isEnd)) {
    const attempts = part.attempts.map((each) => ({ ...each, reason: each.reason + JUST_ENDED }));
    return { ...part, attempts, isDoubtful: true };
  }
  const isLetter = chord.length === 1 && chord[0]!.character !== null;
  const isUnseen = part.evidence.length === 0 && isShortcut(chord);
  const note = part.delivery === 'input' ? isLetter && notes?.letter : isUnseen && notes?.shortcut;
  if (!note) return part;
  const [last, ...others] = part.attempts.toReversed();
  return { ...part, attempts: [...others.toReversed(), { ...last!, reason: `${last!.reason}; ${note}` }] };
}

/** Where an earlier key of the call left no place for the next one, the error tells what was sent. */
function nextTarget(
  tools: InputTools,
  record: BindingRecord,
  call: CallContext,
  chord: Chord,
  sent: number,
): ReturnType<typeof keyTargetOf> {
  try {
    return keyTargetOf(tools, record, call.owner, chord);
  } catch (error) {
    if (sent === 0 || !(error instanceof UiaHostError)) throw error;
    const why =
      error.code === 'target_disabled'
        ? 'the bound window is disabled'
        : 'no part of the bound window takes the next one';
    throw new UiaHostError(error.code, `After ${sent} key combinations ${why}; the rest was not sent.`, {
      delivery: 'delivered',
      hint: error.hint,
      candidates: error.candidates,
    });
  }
}

function goneAfter(sent: number): UiaHostError {
  return new UiaHostError(
    'window_gone',
    `The bound window closed after ${sent} key combinations; the rest was not sent.`,
    { delivery: 'delivered', hint: 'Bind the window that is there now (list-visible-windows).' },
  );
}

function stopped(sent: number, reason: unknown): UiaHostError {
  const code = reason instanceof UiaHostError ? reason.code : 'cancelled';
  return new UiaHostError(code, `Stopped after ${sent} key combinations.`, {
    delivery: sent > 0 ? 'delivered' : 'not_delivered',
  });
}

/** A held key repeats as on a keyboard: after half a second, then thirty times a second. */
const REPEAT_DELAY_MS = 500;
const REPEAT_EVERY_MS = 33;
/**
 * One in this many repetitions of real input is delayed, so that a person's input can be noticed.
 * docs/behaviour.md#keyboard: at least every 20.
 */
const LISTEN_EVERY = 20;
/** Part of the deadline (ms) reserved for releasing the keys and answering. */
const RELEASE_RESERVE_MS = 200;

/** Presses keys and registers how to release them. */
function holdDown(
  tools: InputTools,
  record: BindingRecord | null,
  chord: Chord,
  delivery: DeliveryMode,
  call: CallContext,
): { target: KeyTarget | null; chord: Chord } {
  if (delivery === 'foreground' || record === null) {
    pressForeground(judgedWindow(record, call), chord, 'down');
    for (const key of chord)
      tools.held.add({ owner: call.owner, input: key.name, hwnd: null }, () => pressForeground(null, [key], 'up'));
    return { target: null, chord };
  }
  const target = keyTargetOf(tools, record, call.owner, chord);
  if (target.losesKeys === true) throw lostKeys();
  const held = chord.filter(({ modifier }) => modifier !== null);
  if (takesConsoleInput(record) && held.length > 0) throw notHeldInConsole(held.map(({ name }) => name).join('+'));
  const alt = modifiersOf(chord).alt;
  if (alt) assertCarried(target.hwnd, 'alt');
  const keys = resolveAll(chord, target);
  postKeyChange(target, keys, 'down', alt);
  for (const key of keys) {
    tools.held.add({ owner: call.owner, input: key.key.name, hwnd: String(target.hwnd) }, () => {
      if (user32.IsWindow(target.hwnd)) postKeyChange(target, [key], 'up', alt);
    });
  }
  return { target, chord };
}

function notHeldInConsole(names: string): UiaHostError {
  return new UiaHostError(
    'unsupported',
    `A console takes the held keys from each key event, so ${names} cannot stay down for later ones; nothing was sent.`,
    { hint: `Press the whole combination at once, such as ${names}+b with key, or hold it with hold-key.` },
  );
}

/** Presses a chord once as key events of the console behind the window; null where keys go to the window. Errors: unsupported. */
function consolePress(
  { consoles }: InputTools,
  record: BindingRecord | null,
  target: KeyTarget | null,
  chord: Chord,
  call: CallContext,
): (() => Promise<void>) | null {
  if (record === null || target === null || target.losesKeys === true || !takesConsoleInput(record)) return null;
  const keys = consoleKeys(resolveAll(chord, target));
  if (keys === null) throw notConsoleKey(chordText(chord));
  return async () => {
    if ((await consoles.press(record, keys, layoutOf(target.thread), call)) === null)
      throw notConsoleKey(chordText(chord));
  };
}

function releaseHeld({ held }: InputTools, owner: string, chord: Chord): number {
  let released = 0;
  for (const entry of held.of(owner).filter((each) => chord.some((key) => key.name === each.input))) {
    released += held.release(entry);
  }
  return released;
}

function outcomeOf(
  witness: Witness,
  delivery: DeliveryMode,
  reason: string,
  seen: { effect: Outcome['effect']; details: Record<string, unknown>; evidence?: readonly Evidence[] },
  by?: 'console',
): Outcome {
  const way = by ?? (delivery === 'foreground' ? 'input' : 'posted');
  return witness.outcome({
    evidence: [],
    ...seen,
    delivery: way,
    attempts: [{ rung: way, result: 'delivered', reason }],
  });
}

export async function pressKeys(
  tools: InputTools,
  record: BindingRecord | null,
  keys: readonly string[],
  delivery: DeliveryMode,
  call: CallContext,
): Promise<Done<boolean>> {
  const chord = parseChord(keys.join('+'));
  const { witness, followed } = await beginKeys(tools, record, delivery, call);
  const { target } = holdDown(tools, record, chord, delivery, call);
  const details = {
    held: tools.held.of(call.owner).map((each) => each.input),
    ...describeTarget(tools, record, target ?? (record === null ? null : realTarget(record)), call),
  };
  return followed(outcomeOf(witness, delivery, 'pressed and held', { effect: 'unverified', details }));
}

export async function releaseKeys(...asked: Parameters<typeof pressKeys>): Promise<Done<boolean>> {
  const [tools, record, keys, delivery, call] = asked;
  const { witness, followed } = beginInput(record, delivery, call);
  const chord = parseChord(keys.join('+'));
  // They are released where they were pressed, which may not be the part that has the focus now.
  const entry = tools.held.of(call.owner).find(({ input }) => chord.some(({ name }) => name === input));
  const whom = entry === undefined ? {} : describeTarget(tools, record, heldTarget(record, entry.hwnd), call);
  const released = releaseHeld(tools, call.owner, chord);
  const details = { held: tools.held.of(call.owner).map(({ input }) => input), ...whom };
  const [reason, effect] =
    released > 0 ? (['released', 'unverified'] as const) : (['none of it was held', 'none'] as const);
  return followed(outcomeOf(witness, delivery, reason, { effect, details }));
}

export async function holdKeys(
  tools: InputTools,
  record: BindingRecord | null,
  { keys, durationMs }: { readonly keys: readonly string[]; readonly durationMs: number },
  delivery: DeliveryMode,
  call: CallContext,
): Promise<Done<boolean>> {
  const chord = parseChord(keys.join('+'));
  const { witness, deadline, followed } = await beginKeys(tools, record, delivery, call);
  const aim =
    record === null
      ? null
      : delivery === 'foreground'
        ? realTarget(record)
        : keyTargetOf(tools, record, call.owner, chord);
  const looked = await readBefore(tools, record, aim, call, { isWatched: true, isChoice: isMenuChoice(chord) });
  const whom = describeTarget(tools, record, aim, call);
  const press = delivery === 'foreground' ? null : consolePress(tools, record, aim, chord, call);
  const target = press === null ? holdDown(tools, record, chord, delivery, call).target : aim;
  await press?.();
  const rest = chord.filter((key) => key.modifier === null);
  const resend = async (): Promise<void> => {
    if (rest.length === 0) return;
    if (press !== null) return press();
    if (target === null) pressForeground(null, rest, 'repeat');
    else postKeyChange(target, resolveAll(rest, target), 'repeat', modifiersOf(chord).alt);
  };
  let sent = 1;
  // If the deadline comes first, the keys are released in time, rather than the worker being replaced with keys
  // down.
  const heldMs = Math.min(durationMs, Math.round(deadline.remaining(RELEASE_RESERVE_MS)));
  try {
    // A timer may fire a moment early: a key that is held for less than the delay never repeats.
    const end = heldMs <= REPEAT_DELAY_MS ? 0 : performance.now() + heldMs;
    await pause(Math.min(REPEAT_DELAY_MS, heldMs), call, 'delivered');
    while (performance.now() < end) {
      // Another window, and with it the person, may have come to the front: held keys are released before it gets
      // any input.
      if (target === null)
        assertMayInject(
          judgedWindow(record, call),
          sent,
          ` The keys were held until now (${sent} down messages) and have been released.`,
        );
      if (target !== null && rest.length === 0 && !user32.IsWindow(target.hwnd))
        throw new UiaHostError('window_gone', 'The window closed while the keys were held; they have been released.', {
          delivery: 'delivered',
        });
      await resend();
      sent += 1;
      const isListening = target === null && sent % LISTEN_EVERY === 0;
      await pause(
        Math.min(isListening ? LISTEN_MS : REPEAT_EVERY_MS, Math.max(0, end - performance.now())),
        call,
        'delivered',
      );
    }
  } finally {
    releaseHeld(tools, call.owner, chord);
  }
  if (heldMs < durationMs) {
    throw new UiaHostError(
      'deadline_exceeded',
      `The keys were held ${heldMs} of ${durationMs} ms, as long as the deadline allowed, and have been released.`,
      {
        delivery: 'delivered',
        hint: 'Give a deadlineMs longer than durationMs.',
      },
    );
  }
  const evidence =
    looked === null ? [] : await effectsOf(looked.before, looked.target, deadline, { ...looked, isLate: true });
  const details =
    looked === null ? {} : { ...whom, ...windowDetails(evidence, looked.before.bound, looked.before.owner) };
  const did =
    press === null
      ? `held ${durationMs} ms, ${sent} down messages, then released`
      : `${sent} presses in ${durationMs} ms as key events of the console`;
  const effect = evidence.length > 0 ? 'confirmed' : 'unverified';
  const by = press === null ? undefined : 'console';
  return followed(outcomeOf(witness, delivery, did, { effect, details, evidence }, by));
}

/** The window that received a held key; null if it is gone or not part of the bound window. */
function heldTarget(record: BindingRecord | null, hwnd: string | null): KeyTarget | null {
  if (record === null || hwnd === null) return record === null ? null : realTarget(record);
  const child = Number(hwnd);
  if (!user32.IsWindow(child) || rootOf(child) !== Number(record.hwnd)) return null;
  return receiverAt(child, 'last focus');
}
