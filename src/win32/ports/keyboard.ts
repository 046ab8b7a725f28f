/** The keyboard topic on Windows: messages to the bound window, or real input to the foreground if requested. */
import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { parseChord, type Chord } from '../../contract/keys.ts';
import type { Evidence, Outcome } from '../../contract/outcome.ts';
import type { CallContext, DeliveryMode, Done, KeyboardPort } from '../../desktop/index.ts';
import { GWL_STYLE } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { look, windowDifferences, type SeenState } from '../evidence/chord-effects.ts';
import {
  effectsOf,
  isFrameCommand,
  modifiersOf,
  postKeyChange,
  resolveAll,
  sendChord,
  type ChordDone,
} from '../input/chords-background.ts';
import { arrivalOf, readEditState } from '../evidence/edit-state.ts';
import { ConsoleSight, typedInSight } from '../input/console-sight.ts';
import {
  assertMayInject,
  sendChordsForeground,
  typeForeground,
  pressForeground,
} from '../input/keyboard-foreground.ts';
import { followFocus, type FocusFollower } from '../evidence/late-foreground.ts';
import { assertSameFocus, judgedWindow } from '../input/judged-window.ts';
import type { HeldInputs } from '../input/held-input.ts';
import { pasteText } from '../input/paste.ts';
import { ShownEffects, type TreeReader } from '../evidence/shown-effects.ts';
import { LISTEN_MS } from '../windows/person.ts';
import { findKeyTarget, kindOfWindow, type FocusMemory, type KeyTarget } from '../elements/focus/text-target.ts';
import { typePosted } from '../input/type-posted.ts';
import type { Win32Services } from './services.ts';
import type { ScrollerFinder } from '../acting/scroll-at.ts';
import { noConsole, type BoundConsole } from '../terminal/bound-console.ts';
import { ignoresPostedKeys } from '../windows/terminal-kinds.ts';
import { threadOf } from '../windows/ask.ts';
import { controlTypeOf } from '../windows/classes.ts';
import { windowDetails } from '../evidence/window-changes.ts';
import { focusOf, keptText, rootOf, topWindowsOf } from '../windows/window-info.ts';
import { Deadline, pause } from '../windows/waiting.ts';
import { STALL_MS, waitForProgram } from '../windows/program-time.ts';
import { startWitness, type Witness } from '../windows/witness.ts';

export interface InputOptions {
  readonly held: HeldInputs;
  readonly focus: FocusMemory;
  /** Reads what programs expose through UI Automation or MSAA; without it only their pictures are compared. */
  readonly trees?: TreeReader & ScrollerFinder;
  /** The consoles behind bound windows; without it keys are only posted to windows. */
  readonly consoles?: BoundConsole;
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
/** How long an edit control may take to return its text. */
const EDIT_MS = 1000;
/** How long real characters may take to appear in the field, and their effect in a window or title. */
const TYPED_MS = 600;
const WINDOW_MS = 300;

/** The state before input. */
interface Looked {
  readonly target: KeyTarget;
  readonly shown: ShownEffects | null;
  readonly before: SeenState;
}

export function createKeyboardPort(
  services: Win32Services,
  { held, focus, trees, consoles = noConsole }: InputOptions,
): KeyboardPort {
  services.onRelease((owner) => {
    held.releaseAll(owner);
  });

  const targetOf = (record: BindingRecord, chord: Chord | null = null): KeyTarget => {
    const bound = Number(record.hwnd);
    return findKeyTarget(bound, focus, chord !== null && isFrameCommand(chord, bound, record.app.executable));
  };

  const shownBefore = (record: BindingRecord, target: KeyTarget, call: CallContext): Promise<ShownEffects | null> =>
    ShownEffects.before(trees ?? null, record, target, null, call);

  /** Records the state before input; null if no window is bound, since others are not read. */
  const lookAt = async (
    record: BindingRecord | null,
    target: KeyTarget | null,
    call: CallContext,
    isWatched: boolean,
  ): Promise<Looked | null> => {
    if (record === null || target === null) return null;
    const shown = isWatched ? await shownBefore(record, target, call) : null;
    return { target, shown, before: look(target, Number(record.hwnd)) };
  };

  /** Names the element that received the keys. */
  const toWhom = (
    record: BindingRecord | null,
    target: KeyTarget | null,
    call: CallContext,
  ): Record<string, unknown> => {
    if (record === null || target === null) return {};
    const named = trees?.keyTarget(record, target.hwnd, call) ?? {
      role: controlTypeOf(target.kind, user32.GetWindowLongW(target.hwnd, GWL_STYLE) >>> 0, false),
      name: keptText(target.hwnd),
    };
    return { target: { ...named, foundBy: target.foundBy } };
  };

  /** Presses keys and registers how to release them. */
  const down = (
    record: BindingRecord | null,
    chord: Chord,
    delivery: DeliveryMode,
    call: CallContext,
  ): { target: KeyTarget | null; chord: Chord } => {
    if (delivery === 'foreground' || record === null) {
      pressForeground(judgedWindow(record, call), chord, 'down');
      for (const key of chord)
        held.add({ owner: call.owner, input: key.name, hwnd: null }, () => pressForeground(null, [key], 'up'));
      return { target: null, chord };
    }
    const target = targetOf(record, chord);
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

  const outcomeOf = (
    delivery: DeliveryMode,
    effect: Outcome['effect'],
    reason: string,
    witness: ReturnType<typeof startWitness>,
    details?: Record<string, unknown>,
    evidence: readonly Evidence[] = [],
  ): Outcome => {
    const rung = delivery === 'foreground' ? 'input' : 'posted';
    return witness.outcome({
      effect,
      delivery: rung,
      evidence,
      attempts: [{ rung, result: 'delivered', reason }],
      ...(details === undefined ? {} : { details }),
    });
  };

  return {
    async typeText(record, text, options, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const deadline = new Deadline(call);
      const isReal = options.delivery === 'foreground' || record === null;
      const followed = follower(record, options.delivery, witness, call, deadline);
      const target = record === null ? null : isReal ? realTarget(record) : targetOf(record);
      assertSameFocus(record, isReal, focus, call);
      const looked = await lookAt(record, target, call, isReal);
      const whom = toWhom(record, target, call);
      const outcome = await typedInSight(consoles, record, text, call, async (rest) => {
        if (options.viaClipboard)
          return (
            await pasteText(
              isReal ? judgedWindow(record, rest) : record,
              text,
              isReal ? 'foreground' : options.delivery,
              rest,
              witness,
              isReal ? null : target,
            )
          ).outcome;
        if (isReal)
          return typedReally(
            await typeForeground(judgedWindow(record, rest), text, rest, witness),
            looked,
            text,
            deadline,
            rest,
          );
        if (await consoles.type(record, text, rest)) {
          return witness.outcome({
            effect: 'unverified',
            delivery: 'console',
            evidence: [],
            attempts: [
              {
                rung: 'console',
                result: 'delivered',
                reason: `${[...text].length} characters into the console that the terminal shows`,
              },
            ],
          });
        }
        return typePosted(target!, text, rest, witness, await shownBefore(record, target!, rest));
      });
      const seen = looked === null ? outcome : await withWindows(outcome, looked, call, deadline);
      return { value: true, outcome: withDetails(await followed(seen), whom) };
    },

    async chords(record, chords, repeat, delivery, call): Promise<Done<boolean>> {
      const parsed = chords.map(parseChord);
      const witness = startWitness();
      const deadline = new Deadline(call);
      assertSameFocus(record, record === null || delivery === 'foreground', focus, call);
      if (record === null)
        return {
          value: true,
          outcome: await sendChordsForeground(judgedWindow(null, call), parsed, repeat, call, witness),
        };
      const isReal = delivery === 'foreground';
      const followed = follower(record, delivery, witness, call, deadline);
      const parts: ChordDone[] = [];
      let whom: { hwnd: number; details: Record<string, unknown> } = { hwnd: 0, details: {} };
      // A picture cannot show which of several keys caused a change.
      const isWatched = parsed.length * repeat === 1;
      const aim = isReal ? judgedWindow(record, call) : record;
      if (isReal) assertMayInject(aim, 0);
      const sight = await ConsoleSight.open(consoles, record, call);
      for (let round = 0; round < repeat; round += 1) {
        for (const chord of parsed) {
          await sight?.beforeKey();
          if (call.signal.aborted) throw stopped(parts.length, call.signal.reason);
          // If the window closed, the remaining keys have no target; what was sent is still reported.
          if (parts.length > 0 && !user32.IsWindow(Number(record.hwnd))) throw goneAfter(parts.length);
          const target = isReal ? realTarget(record) : targetOf(record, chord);
          if (whom.hwnd !== target.hwnd) whom = { hwnd: target.hwnd, details: toWhom(record, target, call) };
          if (isReal) {
            const looked = await lookAt(record, target, call, isWatched);
            if (parts.length > 0) assertMayInject(aim, parts.length);
            const { attempts } = await sendChordsForeground(aim, [chord], 1, call, witness);
            const evidence = await effectsOf(looked!.before, target, call, deadline, { sight, shown: looked!.shown });
            parts.push({
              delivery: 'input',
              attempts,
              evidence,
              details: windowDetails(evidence, Number(record.hwnd), looked!.before.owner),
            });
            continue;
          }
          const shown = isWatched ? await shownBefore(record, target, call) : null;
          parts.push(
            await sendChord(
              target,
              Number(record.hwnd),
              record.app.executable,
              chord,
              call,
              deadline,
              { sight, shown },
              {
                press: (keys, layout) => consoles.press(record, keys, layout, call),
                isOnlyWay: ignoresPostedKeys(record),
              },
            ),
          );
        }
      }
      const last = parts.at(-1)!;
      const isSeen = parts.every((part) => part.evidence.length > 0);
      return {
        value: true,
        outcome: withDetails(
          await followed(
            witness.outcome({
              effect: isSeen ? 'confirmed' : 'unverified',
              delivery: last.delivery,
              attempts: parts.flatMap((part) => part.attempts).slice(0, 50),
              evidence: parts.flatMap((part) => part.evidence).slice(0, 50),
            }),
          ),
          { ...whom.details, ...Object.assign({}, ...parts.map(({ details }) => details)) },
        ),
      };
    },

    async press(record, keys, delivery, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const followed = follower(record, delivery, witness, call, new Deadline(call));
      const chord = parseChord(keys.join('+'));
      assertSameFocus(record, record === null || delivery === 'foreground', focus, call);
      const { target } = down(record, chord, delivery, call);
      const details = {
        held: held.of(call.owner).map((each) => each.input),
        ...toWhom(record, target ?? (record === null ? null : realTarget(record)), call),
      };
      return {
        value: true,
        outcome: await followed(outcomeOf(delivery, 'unverified', 'pressed and held', witness, details)),
      };
    },

    async release(record, keys, delivery, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const followed = follower(record, delivery, witness, call, new Deadline(call));
      const chord = parseChord(keys.join('+'));
      // They are released where they were pressed, which may not be the part that has the focus now.
      const entry = held.of(call.owner).find(({ input }) => chord.some(({ name }) => name === input));
      const whom = entry === undefined ? {} : toWhom(record, heldTarget(record, entry.hwnd), call);
      const released = up(call.owner, chord);
      const details = { held: held.of(call.owner).map(({ input }) => input), ...whom };
      return {
        value: true,
        outcome: await followed(
          outcomeOf(
            delivery,
            released > 0 ? 'unverified' : 'none',
            released > 0 ? 'released' : 'none of it was held',
            witness,
            details,
          ),
        ),
      };
    },

    async hold(record, keys, durationMs, delivery, call): Promise<Done<boolean>> {
      const deadline = new Deadline(call);
      const witness = startWitness();
      const followed = follower(record, delivery, witness, call, deadline);
      const chord = parseChord(keys.join('+'));
      const aim = record === null ? null : delivery === 'foreground' ? realTarget(record) : targetOf(record, chord);
      assertSameFocus(record, record === null || delivery === 'foreground', focus, call);
      const looked = await lookAt(record, aim, call, true);
      const whom = toWhom(record, aim, call);
      const { target } = down(record, chord, delivery, call);
      const rest = chord.filter((key) => key.modifier === null);
      const resend = (): void => {
        if (rest.length === 0) return;
        if (target === null) pressForeground(null, rest, 'repeat');
        else postKeyChange(target, resolveAll(rest, target), 'repeat', modifiersOf(chord).alt);
      };
      let sent = 1;
      // If the deadline comes first, the keys are released in time, rather than the worker being replaced with keys
      // down.
      const heldMs = Math.min(durationMs, Math.round(deadline.remaining(RELEASE_RESERVE_MS)));
      try {
        const end = performance.now() + heldMs;
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
          resend();
          sent += 1;
          const isListening = target === null && sent % LISTEN_EVERY === 0;
          await pause(
            Math.min(isListening ? LISTEN_MS : REPEAT_EVERY_MS, Math.max(0, end - performance.now())),
            call,
            'delivered',
          );
        }
      } finally {
        up(call.owner, chord);
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
      const evidence = looked === null ? [] : await effectsOf(looked.before, looked.target, call, deadline, looked);
      const details =
        looked === null ? {} : { ...whom, ...windowDetails(evidence, looked.before.bound, looked.before.owner) };
      const outcome = outcomeOf(
        delivery,
        evidence.length > 0 ? 'confirmed' : 'unverified',
        `held ${durationMs} ms, ${sent} down messages, then released`,
        witness,
        details,
        evidence,
      );
      return { value: true, outcome: await followed(outcome) };
    },

    async releaseAll(): Promise<void> {
      held.releaseAll();
    },
  };
}

/** Real input goes to the current foreground: there is no program to wait for. */
function follower(
  record: BindingRecord | null,
  delivery: DeliveryMode,
  witness: Witness,
  call: CallContext,
  deadline: Deadline,
): FocusFollower {
  return record === null || delivery === 'foreground'
    ? async (outcome) => outcome
    : followFocus(record, witness, call, deadline);
}

/** The window that received a held key; null if it is gone or not part of the bound window. */
function heldTarget(record: BindingRecord | null, hwnd: string | null): KeyTarget | null {
  if (record === null || hwnd === null) return record === null ? null : realTarget(record);
  const child = Number(hwnd);
  if (!user32.IsWindow(child) || rootOf(child) !== Number(record.hwnd)) return null;
  return { hwnd: child, thread: threadOf(child).thread, kind: kindOfWindow(child), foundBy: 'last focus' };
}

/** The focused window of the program in front: real keys go there. */
function realTarget(record: BindingRecord): KeyTarget {
  const bound = Number(record.hwnd);
  const { thread } = threadOf(user32.GetForegroundWindow());
  const focused = focusOf(thread);
  const hwnd = focused !== 0 && threadOf(focused).process === threadOf(bound).process ? focused : bound;
  return {
    hwnd,
    thread: threadOf(hwnd).thread,
    kind: kindOfWindow(hwnd),
    foundBy: hwnd === focused ? 'system focus' : 'window itself',
  };
}

const withDetails = (outcome: Outcome, details: Record<string, unknown>): Outcome =>
  Object.keys(details).length === 0 ? outcome : { ...outcome, details: { ...outcome.details, ...details } };

/** What real typing did to the focused field, and what else it changed. */
async function typedReally(
  outcome: Outcome,
  looked: Looked | null,
  text: string,
  deadline: Deadline,
  call: CallContext,
): Promise<Outcome> {
  if (looked === null) return outcome;
  const { before, target, shown } = looked;
  if (before.edit === null) {
    const evidence = await effectsOf(before, target, call, deadline, { shown });
    return evidence.length === 0 ? outcome : { ...outcome, effect: 'confirmed', evidence };
  }
  const { edit } = before;
  const arrivals = await waitForProgram(
    () => {
      const now = readEditState(target, EDIT_MS);
      const arrival = now === null ? null : arrivalOf(edit, now, text);
      return now === null || arrival === null || arrival === 'mismatch' ? null : { now, readBack: arrival };
    },
    {
      hwnd: target.hwnd,
      withinMs: TYPED_MS,
      atMostMs: deadline.share(STALL_MS, RELEASE_RESERVE_MS),
      everyMs: 15,
      call,
      delivery: 'delivered',
    },
  );
  const now = arrivals?.now ?? readEditState(target, EDIT_MS);
  if (now === null) return outcome;
  const evidence: Evidence[] = [{ kind: 'text-length', before: edit.text.length, after: now.text.length }];
  return arrivals === null
    ? { ...outcome, evidence, readBack: 'mismatch' }
    : { ...outcome, effect: 'confirmed', evidence, readBack: arrivals.readBack };
}

/**
 * Typed text can open or close a window and change a title, as keys can; an unconfirmed outcome waits briefly for that.
 */
async function withWindows(
  outcome: Outcome,
  { before }: Looked,
  call: CallContext,
  deadline: Deadline,
): Promise<Outcome> {
  const see = (): Evidence[] =>
    windowDifferences(before, { windows: topWindowsOf(before.process), title: keptText(before.bound) });
  const isOpen =
    outcome.effect === 'unverified' &&
    outcome.evidence.every(({ kind }) => kind !== 'window-opened' && kind !== 'window-closed');
  const evidence = isOpen
    ? ((await waitForProgram(
        () => {
          const seen = see();
          return seen.length > 0 ? seen : null;
        },
        {
          hwnd: before.bound,
          withinMs: WINDOW_MS,
          atMostMs: deadline.share(STALL_MS, RELEASE_RESERVE_MS),
          everyMs: 20,
          call,
          delivery: 'delivered',
        },
      )) ?? [])
    : see();
  const isNew = ({ kind }: Evidence): boolean => outcome.evidence.every((each) => each.kind !== kind);
  const added = evidence.filter(isNew);
  const details = windowDetails(evidence, before.bound, before.owner);
  return withDetails(
    {
      ...outcome,
      effect:
        added.length > 0 && outcome.effect === 'unverified' && outcome.readBack !== 'mismatch'
          ? 'confirmed'
          : outcome.effect,
      evidence: [...outcome.evidence, ...added],
    },
    details,
  );
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
