/** typeText: characters as messages, the clipboard, a console or real input, and what they changed: nothing else confirms that they arrived. */
import { describeElement } from '../../contract/element/element-words.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Evidence, Outcome, EffectSeen } from '../../contract/outcome.ts';
import type { CallContext, Done, KeyboardPort } from '../../desktop/index.ts';
import { windowDetails, windowDifferences } from '../evidence/chord-effects.ts';
import {
  arrivalOf,
  arrivedText,
  isTyped,
  readEditState,
  type Arrival,
  type EditState,
  brokenLimit,
  brokenStyle,
} from '../evidence/edit-state.ts';
import { effectsOf } from '../input/chords-background.ts';
import { typeWatched } from '../input/consoles.ts';
import { visit } from '../exits/messages.ts';
import { typeForeground, judgedWindow } from '../input/keyboard-foreground.ts';
import { keepProof, supersede } from '../evidence/kept-proof.ts';
import { pasteText } from '../input/paste.ts';
import { windowText, topWindowsOf, windowStyle } from '../windows/window-info.ts';
import { assertCarried, assertTyped, toolkitOf } from '../windows/toolkit.ts';
import { Deadline, seenWithin, pause, STALL_MS, taken } from '../windows/waiting.ts';
import { lostKeys } from './keyboard-target.ts';
import {
  describeTarget,
  keyTargetOf,
  readBefore,
  realTarget,
  shownBefore,
  withDetails,
  type InputTools,
  type StateBefore,
  beginKeys,
} from './keyboard-target.ts';
import { delivered } from '../drivers/driver.ts';
import { UiaHostError } from '../../contract/errors.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { shownDifference } from '../elements/tree/text-difference.ts';
import type { Witness } from '../windows/witness.ts';
import { Asker } from '../windows/ask.ts';
import { CHUNK_UNITS, sendText, stoppedAfter, typeBeginning, typedClusters } from '../input/send-text.ts';
import type { ShownEffects } from '../evidence/shown-effects.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';
import { replaceSelectedText } from '../drivers/edit.ts';

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
  const isReplaced = before !== null && isEdit && takesReplacement(target, text);
  const { typed, how } = isReplaced
    ? await typeReplacing(target, before, text, deadline)
    : { typed: await sendText(target, text, { asKeys: !isEdit, deadline }), how: null };
  const way = how === null ? 'posted' : 'message';
  const reason = `${typed} characters${how === null ? ', taken by' : ` by ${how} to`} the ${target.foundBy}`;
  const details = { characters: typed };
  if (before === null) {
    const evidence = shown === null ? [] : await shownTyping(text, shown, call);
    const isLost = BEYOND.test(text) && toolkitOf(target.hwnd) === 'custom';
    const said = `${reason}${evidence.length === 0 ? NOTHING_SEEN : ''}${isLost ? IN_HALVES : ''}`;
    const effect = evidence.some((each) => showsText(each, text)) ? 'confirmed' : 'unverified';
    return witness.outcome({ effect, delivery: way, attempts: [delivered(way, said)], evidence, details });
  }
  const after = await settle(target, before, text, deadline, typed);
  const done = judged(before, after, text);
  const rule = ruleOf(target, before, done.readBack, text, deadline);
  return witness.outcome({ ...done, delivery: way, attempts: [delivered(way, reason + rule)], details });
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
 * Types a text into an edit control, all but its beginning by replacing its selection: a hundred times faster than characters,
 * one undo step, and it notifies the parent by itself. Long texts are sent in parts, with an abort check in between.
 * Source: learn.microsoft.com/windows/win32/controls/em-replacesel
 */
async function typeReplacing(
  target: KeyTarget,
  before: EditState,
  text: string,
  deadline: Deadline,
): Promise<{ readonly typed: number; readonly how: string }> {
  const { call } = deadline;
  const putIn = (controls: string): void => void replaceSelection(target, controls, deadline);
  const begun = await typeBeginning(target, before, text, deadline, putIn);
  let { typed } = begun;
  const rest = [...typedClusters(begun.rest)];
  for (let at = 0; at < rest.length; at += CHUNK_UNITS) {
    await pause(0, call, 'delivered').catch(() => {
      throw stoppedAfter(typed, call.signal.reason);
    });
    const part = rest.slice(at, at + CHUNK_UNITS);
    if (replaceSelection(target, part.join(''), deadline) === null)
      throw new UiaHostError('window_hung', `The window stopped answering; at least ${typed} characters were typed.`, {
        delivery: 'unknown',
      });
    typed += part.length;
  }
  const ways = [...(begun.typed > 0 ? ['WM_CHAR'] : []), ...(rest.length === 0 ? [] : ['EM_REPLACESEL'])];
  return { typed, how: ways.join(' and ') };
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

/** How long an edit control may take to return its text. */
const EDIT_MS = 1000;
/** How long real characters may take to appear in the field, and their effect in a window or title. */
const TYPED_MS = 600;
const WINDOW_MS = 300;
/** Part of the deadline (ms) reserved for the answer. */
const TYPED_RESERVE_MS = 200;

/** Errors: as the way that the text takes; docs/behaviour.md#keyboard. */
export async function typeText(
  tools: InputTools,
  record: BindingRecord | null,
  text: string,
  options: Parameters<KeyboardPort['typeText']>[2],
  call: CallContext,
): Promise<Done<boolean>> {
  const isReal = options.delivery === 'foreground' || record === null;
  const { witness, deadline, followed } = await beginKeys(tools, record, options.delivery, call);
  const target = record === null ? null : isReal ? realTarget(record) : keyTargetOf(tools, record, call.owner);
  if (target !== null) {
    supersede(call, target.hwnd);
    if (!isReal) visit(target.hwnd);
  }
  // What arrives in the background is read back from the field itself.
  const looked = await readBefore(tools, record, target, call, { isWatched: isReal, isWhole: isReal });
  const whom = describeTarget(tools, record, target, call);
  if (target?.losesKeys === true && record !== null && !isReal) {
    const done = (await tools.trees?.typeIntoField(record, text, call)) ?? null;
    if (done === null) throw lostKeys();
    return { ...done, outcome: withDetails(done.outcome, whom) };
  }
  const outcome = await typeWatched(tools.consoles, record, text, call, async (rest) => {
    // A console has no paste key of its own: its programs get ^V.
    if (record !== null && !isReal && (await tools.consoles.type(record, text, rest)))
      return witness.outcome({
        effect: 'unverified',
        delivery: 'console',
        evidence: [],
        attempts: [delivered('console', `${[...text].length} characters into the console that the window shows`)],
      });
    if (options.viaClipboard)
      return (
        await pasteText(
          isReal || target === null ? { record: judgedWindow(record, rest), target: null } : { record, target },
          text,
          rest,
          witness,
        )
      ).outcome;
    if (target !== null) assertTyped(target.hwnd, text);
    if (isReal)
      return typedReally(await typeForeground(judgedWindow(record, rest), text, rest, witness), looked, text, deadline);
    assertCarried(target!.hwnd, 'characters');
    return typePosted(target!, text, rest, witness, await shownBefore(tools, record, target!, rest));
  });
  if (target !== null && outcome.readBack !== undefined && outcome.readBack !== 'mismatch')
    keepProof({
      by: call,
      hwnd: target.hwnd,
      element: describeElement({ name: whom.target?.name ?? '', controlType: whom.target?.role ?? 'Edit' }),
      read: (hwnd) => readEditState({ ...target, hwnd }, EDIT_MS)?.text,
    });
  const seen = looked === null ? outcome : await withWindows(outcome, looked, deadline);
  return followed(withDetails(seen, whom));
}

/** What real typing did to the focused field, and what else it changed. */
async function typedReally(
  outcome: Outcome,
  looked: StateBefore | null,
  text: string,
  deadline: Deadline,
): Promise<Outcome> {
  if (looked === null) return outcome;
  const { before, target, shown } = looked;
  if (before.edit === null) {
    const evidence = await effectsOf(before, target, deadline, { shown });
    return { ...outcome, evidence };
  }
  const { edit } = before;
  const now = await arrivedText(target, edit, text, deadline, { withinMs: TYPED_MS, isKept: false });
  if (now === null) return outcome;
  const evidence: Evidence[] = [{ kind: 'text-length', before: edit.text.length, after: now.text.length }];
  const readBack = arrivalOf(edit, now, text);
  return { ...outcome, evidence, readBack, ...(isTyped(edit, now, text) ? { effect: 'confirmed' as const } : {}) };
}

/**
 * Typed text can open or close a window and change a title, as keys can; an unconfirmed outcome waits briefly for that.
 * It shows that something came, not that the text did.
 */
async function withWindows(outcome: Outcome, { before }: StateBefore, deadline: Deadline): Promise<Outcome> {
  const see = (): Evidence[] =>
    windowDifferences(before, { windows: topWindowsOf(before.process), title: windowText(before.bound) });
  const shown = (): Evidence[] | null => {
    const seen = see();
    return seen.length > 0 ? seen : null;
  };
  const isOpen =
    outcome.effect === 'unverified' &&
    outcome.evidence.every(({ kind }) => kind !== 'window-opened' && kind !== 'window-closed');
  const evidence = isOpen
    ? ((await seenWithin(before.bound, WINDOW_MS, shown, deadline, { reserveMs: TYPED_RESERVE_MS })) ?? [])
    : see();
  const isNew = ({ kind }: Evidence): boolean => outcome.evidence.every((each) => each.kind !== kind);
  const added = evidence.filter(isNew);
  const details = windowDetails(evidence, before.bound, before.owner);
  return withDetails({ ...outcome, evidence: [...outcome.evidence, ...added] }, details);
}
