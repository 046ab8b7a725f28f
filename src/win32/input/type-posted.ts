/** Types text into a background window by messages, and reads it back: nothing else confirms that it arrived. */
import { UiaHostError } from '../../contract/errors.ts';
import type { Attempt, EffectSeen, Evidence, Outcome } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { windowStyle } from '../windows/window-info.ts';
import { shownDifference } from '../elements/tree/text-difference.ts';
import { Deadline, pause, STALL_MS, taken } from '../windows/waiting.ts';
import type { Witness } from '../windows/witness.ts';
import { Asker } from '../windows/ask.ts';
import {
  type Arrival,
  type EditState,
  arrivalOf,
  arrivedText,
  brokenLimit,
  brokenStyle,
  isTyped,
  readEditState,
} from '../evidence/edit-state.ts';
import { CHUNK_UNITS, sendText, stoppedAfter, typeBeginning, typedClusters } from './send-text.ts';
import type { ShownEffects } from '../evidence/shown-effects.ts';
import { toolkitOf } from '../windows/toolkit.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';
import { replaceSelectedText } from '../drivers/edit.ts';
import { delivered } from '../drivers/ways.ts';

/** How long (ms) a window that draws itself may take to begin to show a text. */
const SHOWS_MS = 50;
/** How much of a text an outcome shows. */
const SHOWN = 200;
/** How long an edit control may take to return its text. */
const READ_MS = 2000;

/**
 * Types by characters, which programs accept in the background like typed ones. Abort is checked between grapheme
 * clusters; a text that the control gives is read back. `shown`: what a custom window shows of it.
 * Source: learn.microsoft.com/windows/win32/inputdev/wm-char
 */
export async function typePosted(
  target: KeyTarget,
  text: string,
  call: CallContext,
  witness: Witness,
  shown: ShownEffects | null = null,
): Promise<Outcome> {
  const deadline = new Deadline(call);
  const isEdit = target.kind === 'edit' || target.kind === 'rich-edit';
  if (isEdit && (windowStyle(target.hwnd) & m.ES_READONLY) !== 0) {
    throw new UiaHostError('target_readonly', 'The text field that has the focus is read-only; nothing was typed.');
  }
  const before = readEditState(target, deadline.share(READ_MS));
  if (before !== null && isEdit && takesReplacement(target, text)) {
    const putIn = (controls: string): void => void replaceSelection(target, controls, deadline);
    const begun = await typeBeginning(target, before, text, deadline, putIn);
    return typeByReplacement(target, before, { text, ...begun }, deadline, witness);
  }
  const typed = await sendText(target, text, { asKeys: !isEdit, deadline });
  const attempts: Attempt[] = [
    { rung: 'posted', result: 'delivered', reason: `${typed} characters, taken by the ${target.foundBy}` },
  ];
  if (before === null) {
    const evidence = shown === null ? [] : await shownTyping(text, shown, call);
    if (evidence.length === 0) attempts[0]!.reason += NOTHING_SEEN;
    if (BEYOND.test(text) && toolkitOf(target.hwnd) === 'custom') attempts[0]!.reason += IN_HALVES;
    return witness.outcome({
      effect: evidence.some((each) => showsText(each, text)) ? 'confirmed' : 'unverified',
      delivery: 'posted',
      attempts,
      evidence,
      details: { characters: typed },
    });
  }
  const after = await settle(target, before, text, deadline, typed);
  const done = judged(before, after, text);
  attempts[0]!.reason += ruleOf(target, before, done.readBack, text, deadline);
  return witness.outcome({
    ...done,
    delivery: 'posted',
    attempts,
    details: { characters: typed },
  });
}

/** A program of keys alone (a game, a viewer of another machine) lets characters pass. */
const NOTHING_SEEN =
  '; the text itself was not seen: look at a screenshot before typing it again. A program that takes keys instead of characters gets them by combo, or with delivery: "foreground"';

const BEYOND = /[\u{10000}-\u{10FFFF}]/u;
/** WM_CHAR brings such a character in two halves, and not every toolkit puts them together. */
const IN_HALVES =
  '; some programs lose characters beyond U+FFFF: where they are missing, use the action type with viaClipboard: true';

/** The actual text against the expected one; an unreadable text is not a mismatch. */
function judged(
  before: EditState,
  after: EditState | null,
  text: string,
): { effect: EffectSeen; evidence: Evidence[]; readBack?: Arrival } {
  const readBack = after === null ? null : arrivalOf(before, after, text);
  return {
    effect: after !== null && isTyped(before, after, text) ? 'confirmed' : 'unverified',
    evidence: [{ kind: 'text', ...shownDifference(before.text, after?.text ?? null, SHOWN) }],
    ...(readBack === null ? {} : { readBack }),
  };
}

/** What a custom window shows of typed text; a value that does not contain the text is not evidence of it. */
async function shownTyping(text: string, shown: ShownEffects, call: CallContext): Promise<readonly Evidence[]> {
  await pause(SHOWS_MS, call, 'delivered');
  const evidence = await shown.since('text');
  return evidence.filter((each) => each.kind !== 'value' || showsText(each, text));
}

/** Whether the field gives the text once more than before. A picture, a title or a caret only shows that something came. */
const showsText = ({ kind, before, after }: Evidence, text: string): boolean =>
  kind === 'value' && text !== '' && timesIn(after, text) > timesIn(before, text);

const timesIn = (value: unknown, text: string): number => String(value ?? '').split(text).length;

/**
 * Styles by which an edit control changes or refuses single characters: upper and lower case, digits, OEM. In a rich
 * edit these bits mean something else.
 */
const FILTERING = m.ES_UPPERCASE | m.ES_LOWERCASE | m.ES_OEMCONVERT | m.ES_NUMBER;

/**
 * Whether replacing the selection has the same result as typing: a control without a filter, and no Enter in a single
 * line.
 */
function takesReplacement({ hwnd, kind }: KeyTarget, text: string): boolean {
  const style = windowStyle(hwnd);
  return (
    (kind !== 'edit' || (style & FILTERING) === 0) &&
    !text.includes('\b') &&
    ((style & m.ES_MULTILINE) !== 0 || !/[\r\n\t]/.test(text))
  );
}

/** Null if the control did not answer. */
const replaceSelection = ({ hwnd }: KeyTarget, text: string, deadline: Deadline): unknown =>
  replaceSelectedText(new Asker(Math.min(5000, deadline.remaining())), hwnd, text.replaceAll(/\r\n|\r|\n/g, '\r\n'));

/**
 * Types the rest of a text into an edit control by replacing its selection: a hundred times faster than characters, one undo step, and it
 * notifies the parent by itself. Long texts are sent in parts, with an abort check in between.
 * Source: learn.microsoft.com/windows/win32/controls/em-replacesel
 */
async function typeByReplacement(
  target: KeyTarget,
  before: EditState,
  { text, typed: begun, rest }: { readonly text: string; readonly typed: number; readonly rest: string },
  deadline: Deadline,
  witness: Witness,
): Promise<Outcome> {
  const { call } = deadline;
  let typed = begun;
  let part = '';
  const flush = (): void => {
    if (part === '') return;
    if (replaceSelection(target, part, deadline) === null) {
      throw new UiaHostError('window_hung', `The window stopped answering; at least ${typed} characters were typed.`, {
        delivery: 'unknown',
      });
    }
    part = '';
  };
  let inPart = 0;
  for (const cluster of typedClusters(rest)) {
    if (call.signal.aborted) throw stoppedAfter(typed, call.signal.reason);
    part += cluster === '\r' ? '\r\n' : cluster;
    inPart += 1;
    if (inPart >= CHUNK_UNITS) {
      flush();
      typed += inPart;
      inPart = 0;
      await pause(0, call, 'delivered').catch(() => {
        throw stoppedAfter(typed, call.signal.reason);
      });
    }
  }
  flush();
  typed += inPart;
  const after = await settle(target, before, text, deadline, typed);
  const done = judged(before, after, text);
  const rule = ruleOf(target, before, done.readBack, text, deadline);
  return witness.outcome({
    ...done,
    delivery: 'message',
    attempts: [delivered('message', `${typed} characters by ${waysOf(begun, rest)} to the ${target.foundBy}${rule}`)],
    details: { characters: typed },
  });
}

/** The field's own rule by which the text did not arrive whole, where the control tells it. */
function ruleOf(
  { hwnd, kind }: KeyTarget,
  before: EditState,
  readBack: Arrival | undefined,
  text: string,
  deadline: Deadline,
): string {
  if (readBack !== 'mismatch' || (kind !== 'edit' && kind !== 'rich-edit')) return '';
  const length = before.text.length - (before.end - before.start) + text.length;
  const rule = brokenStyle(hwnd, text) ?? brokenLimit(hwnd, length, new Asker(deadline.share(READ_MS)));
  return rule === null ? '' : `; the field takes ${rule}`;
}

const waysOf = (typed: number, rest: string): string =>
  [...(typed > 0 ? ['WM_CHAR'] : []), ...(rest === '' ? [] : ['EM_REPLACESEL'])].join(' and ');

/** The field once it has taken the text and its program has heard of it; null if it cannot be read. Errors: window_hung. */
async function settle(
  target: KeyTarget,
  before: EditState,
  text: string,
  deadline: Deadline,
  typed: number,
): Promise<EditState | null> {
  const { call } = deadline;
  if (!(await taken(target.hwnd, 0, Math.max(1, deadline.share(STALL_MS)), call))) {
    if (call.signal.aborted) throw stoppedAfter(typed, call.signal.reason);
    throw new UiaHostError('window_hung', `The window stopped answering; ${typed} characters were posted to it.`, {
      delivery: 'unknown',
    });
  }
  return arrivedText(target, before, text, deadline).catch((error: unknown) => {
    throw call.signal.aborted ? stoppedAfter(typed, call.signal.reason) : error;
  });
}
