/** Presses key combinations one after the other, each with its own evidence. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { parseChord, type Chord } from '../../contract/keys/keys.ts';
import type { CallContext, DeliveryMode, Done } from '../../desktop/index.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { effectsOf, isMenuChoice, isShortcut, sendChord, type ChordDone } from '../input/chords-background.ts';
import { watchConsole } from '../input/consoles.ts';
import { assertMayInject, ownAfter, sendChordsForeground } from '../input/keyboard-foreground.ts';
import { judgedWindow } from '../input/judged-window.ts';
import { RECEIVERS } from '../../contract/ways/receivers.ts';
import { takesConsoleInput } from '../windows/classes.ts';
import { toolkitOf } from '../windows/toolkit.ts';
import { isEnd, windowDetails } from '../evidence/chord-effects.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';
import { VK_RETURN, VK_TAB } from '../../../native-bindings/win32/constants.ts';
import { lostKeys } from './surface-keys.ts';
import {
  describeTarget,
  keyTargetOf,
  readBefore,
  realTarget,
  shownBefore,
  withDetails,
  type InputTools,
  beginKeys,
} from './keyboard-target.ts';

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
