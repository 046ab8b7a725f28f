/** The keyboard topic on Windows: messages to the bound window, or real input to the foreground where that is asked for. */
import type { BindingRecord } from '../contract/binding.ts';
import { UiaHostError } from '../contract/errors.ts';
import { parseChord, type Chord } from '../contract/keys.ts';
import type { Evidence, Outcome } from '../contract/outcome.ts';
import type { CallContext, DeliveryMode, Done, KeyboardPort } from '../desktop/index.ts';
import { user32 } from '../../native-bindings/win32/user32.ts';
import { look } from './input/chord-effects.ts';
import { effectsOf, modifiersOf, postKeyChange, resolveAll, sendChord } from './input/chords-background.ts';
import { ConsoleSight, typedInSight } from './input/console-sight.ts';
import { assertMayInject, sendChordsForeground, typeForeground, pressForeground } from './input/keyboard-foreground.ts';
import { followFocus, type FocusFollower } from './input/late-foreground.ts';
import type { HeldInputs } from './input/held-input.ts';
import { pasteText } from './input/paste.ts';
import { ShownEffects, type TreeReader } from './input/shown-effects.ts';
import { LISTEN_MS } from './input/person.ts';
import { findKeyTarget, type FocusMemory, type KeyTarget } from './input/text-target.ts';
import { typePosted } from './input/type-posted.ts';
import type { Win32Services } from './services.ts';
import { Deadline, pause } from './waiting.ts';
import { startWitness, type Witness } from './witness.ts';

export interface InputOptions {
  readonly held: HeldInputs;
  readonly focus: FocusMemory;
  /** What programs show of themselves by UI Automation or MSAA; without it their pictures are looked at alone. */
  readonly trees?: TreeReader;
}

/** A held key is resent as a keyboard would: after half a second, then thirty times a second. */
const REPEAT_DELAY_MS = 500;
const REPEAT_EVERY_MS = 33;
/** As often as this a repetition by real input comes later, so that a person can be told from it. BEHAVIOUR section 6: at least every 20. */
const LISTEN_EVERY = 20;
/** Kept back from the deadline for releasing and the answer. */
const RESERVE_MS = 200;

export function createKeyboardPort(services: Win32Services, { held, focus, trees }: InputOptions): KeyboardPort {
  services.onRelease((owner) => {
    held.releaseAll(owner);
    focus.forget(owner);
  });

  const targetOf = (record: BindingRecord, call: CallContext): KeyTarget => findKeyTarget(Number(record.hwnd), call.owner, focus);

  const shownBefore = (record: BindingRecord, target: KeyTarget, call: CallContext): Promise<ShownEffects | null> => ShownEffects.before(trees ?? null, record, target, null, call);

  const lookAt = async (record: BindingRecord, call: CallContext): Promise<{ target: KeyTarget; bound: number; shown: ShownEffects | null }> => {
    const target = targetOf(record, call);
    return { target, bound: Number(record.hwnd), shown: await shownBefore(record, target, call) };
  };

  /** Presses keys and registers how they go up again. */
  const down = (record: BindingRecord | null, chord: Chord, delivery: DeliveryMode, call: CallContext): { target: KeyTarget | null; chord: Chord } => {
    if (delivery === 'foreground' || record === null) {
      pressForeground(record, chord, 'down');
      for (const key of chord) held.add({ owner: call.owner, input: key.name, hwnd: null }, () => pressForeground(null, [key], 'up'));
      return { target: null, chord };
    }
    const target = targetOf(record, call);
    const alt = modifiersOf(chord).alt;
    const keys = resolveAll(chord, target);
    postKeyChange(target, keys, 'down', alt);
    for (const key of keys) {
      held.add({ owner: call.owner, input: key.key.name, hwnd: String(target.hwnd) }, () => {
        if (user32.IsWindow(target.hwnd)) postKeyChange(target, [key], 'up', alt);
      });
    }
    return { target, chord };
  };

  const up = (owner: string, chord: Chord): number => {
    let released = 0;
    for (const entry of held.of(owner).filter((each) => chord.some((key) => key.name === each.input))) {
      released += held.release(entry);
    }
    return released;
  };

  const outcomeOf = (delivery: DeliveryMode, effect: Outcome['effect'], reason: string, witness: ReturnType<typeof startWitness>, details?: Record<string, unknown>, evidence: readonly Evidence[] = []): Outcome => {
    const rung = delivery === 'foreground' ? 'input' : 'posted';
    return witness.outcome({ effect, delivery: rung, evidence, attempts: [{ rung, result: 'delivered', reason }], ...(details === undefined ? {} : { details }) });
  };

  return {
    async typeText(record, text, options, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const deadline = new Deadline(call);
      const followed = follower(record, options.delivery, witness, call, deadline);
      const outcome = await typedInSight(services, record, text, call, async (rest) => {
        if (options.viaClipboard) return (await pasteText(record, text, options.delivery, rest, witness, record === null ? null : targetOf(record, rest))).outcome;
        if (options.delivery === 'foreground' || record === null) return typeForeground(record, text, rest, witness);
        const target = targetOf(record, rest);
        return typePosted(target, text, rest, witness, await shownBefore(record, target, rest));
      });
      return { value: true, outcome: await followed(outcome) };
    },

    async chords(record, chords, repeat, delivery, call): Promise<Done<boolean>> {
      const parsed = chords.map(parseChord);
      const witness = startWitness();
      const deadline = new Deadline(call);
      if (delivery === 'foreground' || record === null) return { value: true, outcome: await sendChordsForeground(record, parsed, repeat, call, witness) };
      const followed = followFocus(record, witness, call, deadline);
      const parts = [];
      const sight = await ConsoleSight.open(services, record, call);
      for (let round = 0; round < repeat; round += 1) {
        for (const chord of parsed) {
          await sight?.beforeKey();
          if (call.signal.aborted) throw stopped(parts.length, call.signal.reason);
          const target = targetOf(record, call);
          // Of several a picture does not tell which of them did it.
          const shown = parsed.length * repeat === 1 ? await shownBefore(record, target, call) : null;
          parts.push(await sendChord(target, Number(record.hwnd), record.app.executable, chord, call, deadline, { sight, shown }, (keys, layout) => services.consolePress(record, keys, layout, call)));
        }
      }
      const last = parts.at(-1)!;
      const isSeen = parts.every((part) => part.evidence.length > 0);
      return {
        value: true,
        outcome: await followed(witness.outcome({
          effect: isSeen ? 'confirmed' : 'unverified',
          delivery: last.delivery,
          attempts: parts.flatMap((part) => part.attempts).slice(0, 50),
          evidence: parts.flatMap((part) => part.evidence).slice(0, 50),
        })),
      };
    },

    async press(record, keys, delivery, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const followed = follower(record, delivery, witness, call, new Deadline(call));
      const chord = parseChord(keys.join('+'));
      down(record, chord, delivery, call);
      return { value: true, outcome: await followed(outcomeOf(delivery, 'unverified', 'pressed and kept down', witness, { held: held.of(call.owner).map((each) => each.input) })) };
    },

    async release(record, keys, delivery, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const followed = follower(record, delivery, witness, call, new Deadline(call));
      const released = up(call.owner, parseChord(keys.join('+')));
      return { value: true, outcome: await followed(outcomeOf(delivery, released > 0 ? 'unverified' : 'none', released > 0 ? 'released' : 'nothing of it was held', witness)) };
    },

    async hold(record, keys, durationMs, delivery, call): Promise<Done<boolean>> {
      const deadline = new Deadline(call);
      const witness = startWitness();
      const followed = follower(record, delivery, witness, call, deadline);
      const chord = parseChord(keys.join('+'));
      const looked = delivery === 'foreground' || record === null ? null : await lookAt(record, call);
      const before = looked === null ? null : look(looked.target, looked.bound);
      const { target } = down(record, chord, delivery, call);
      const rest = chord.filter((key) => key.modifier === null);
      const resend = (): void => {
        if (rest.length === 0) return;
        if (target === null) pressForeground(null, rest, 'repeat');
        else postKeyChange(target, resolveAll(rest, target), 'repeat', modifiersOf(chord).alt);
      };
      let sent = 1;
      // A deadline that comes first lets go in time, instead of having the worker replaced with keys down.
      const heldMs = Math.min(durationMs, Math.round(deadline.remaining(RESERVE_MS)));
      try {
        const end = performance.now() + heldMs;
        await pause(Math.min(REPEAT_DELAY_MS, heldMs), call, 'delivered');
        while (performance.now() < end) {
          // Another window may have come to the front, and with it the person: what is down goes up before it gets any of it.
          if (target === null) assertMayInject(record, sent, ` The keys were down until now (${sent} down messages) and are released.`);
          resend();
          sent += 1;
          const isListening = target === null && sent % LISTEN_EVERY === 0;
          await pause(Math.min(isListening ? LISTEN_MS : REPEAT_EVERY_MS, Math.max(0, end - performance.now())), call, 'delivered');
        }
      } finally {
        up(call.owner, chord);
      }
      if (heldMs < durationMs) {
        throw new UiaHostError('deadline_exceeded', `The keys were held ${heldMs} of ${durationMs} ms, as long as the deadline allowed, and are released.`, {
          delivery: 'delivered', hint: 'Give a deadlineMs that is longer than the time to hold.',
        });
      }
      const evidence = looked === null || before === null ? [] : await effectsOf(before, looked.target, looked.bound, call, deadline, looked);
      const outcome = outcomeOf(delivery, evidence.length > 0 ? 'confirmed' : 'unverified', `held ${durationMs} ms, ${sent} down messages, then released`, witness, undefined, evidence);
      return { value: true, outcome: await followed(outcome) };
    },

    async releaseAll(): Promise<void> {
      held.releaseAll();
    },
  };
}

/** Real input goes to the foreground as it is: nothing has to be waited for. */
function follower(record: BindingRecord | null, delivery: DeliveryMode, witness: Witness, call: CallContext, deadline: Deadline): FocusFollower {
  return record === null || delivery === 'foreground' ? async (outcome) => outcome : followFocus(record, witness, call, deadline);
}

function stopped(sent: number, reason: unknown): UiaHostError {
  const code = reason instanceof UiaHostError ? reason.code : 'cancelled';
  return new UiaHostError(code, `Stopped after ${sent} key combinations.`, { delivery: sent > 0 ? 'delivered' : 'not_delivered' });
}
