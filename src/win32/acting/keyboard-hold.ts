/** Keys that stay down: press, release, and hold for a time. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { chordText, parseChord, type Chord } from '../../contract/keys/keys.ts';
import type { Evidence, Outcome } from '../../contract/outcome.ts';
import type { CallContext, DeliveryMode, Done } from '../../desktop/index.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { effectsOf, isMenuChoice, modifiersOf, notConsoleKey, postKeyChange } from '../input/chords-background.ts';
import { assertMayInject, pressForeground } from '../input/keyboard-foreground.ts';
import { judgedWindow } from '../input/judged-window.ts';
import { LISTEN_MS } from '../windows/person.ts';
import { type KeyTarget, receiverAt } from '../elements/finding/text-target.ts';
import { rootOf } from '../windows/window-info.ts';
import { layoutOf, resolveAll } from '../windows/key-codes.ts';
import { consoleKeys } from '../terminal/console-keys.ts';
import { takesConsoleInput } from '../windows/classes.ts';
import { assertCarried } from '../windows/toolkit.ts';
import { pause } from '../windows/waiting.ts';
import { type Witness } from '../windows/witness.ts';
import { lostKeys } from './surface-keys.ts';
import { describeTarget, keyTargetOf, readBefore, realTarget, type InputTools, beginKeys } from './keyboard-target.ts';
import { windowDetails } from '../evidence/chord-effects.ts';
import { beginInput } from '../evidence/late-foreground.ts';

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

export async function releaseKeys(
  tools: InputTools,
  record: BindingRecord | null,
  keys: readonly string[],
  delivery: DeliveryMode,
  call: CallContext,
): Promise<Done<boolean>> {
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
