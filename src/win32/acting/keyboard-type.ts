/** typeText: characters, the clipboard, a console or real input, and what they changed. */
import { describeElement } from '../../contract/element/element-words.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Evidence, Outcome } from '../../contract/outcome.ts';
import type { CallContext, Done, KeyboardPort } from '../../desktop/index.ts';
import { windowDetails, windowDifferences } from '../evidence/chord-effects.ts';
import { arrivalOf, arrivedText, isTyped, readEditState } from '../evidence/edit-state.ts';
import { effectsOf } from '../input/chords-background.ts';
import { typeWatched } from '../input/consoles.ts';
import { visit } from '../exits/messages.ts';
import { typeForeground } from '../input/keyboard-foreground.ts';
import { judgedWindow } from '../input/judged-window.ts';
import { keepProof, supersede } from '../evidence/kept-proof.ts';
import { pasteText } from '../input/paste.ts';
import { typePosted } from '../input/type-posted.ts';
import { windowText, topWindowsOf } from '../windows/window-info.ts';
import { assertCarried, assertTyped } from '../windows/toolkit.ts';
import { Deadline, seenWithin } from '../windows/waiting.ts';
import { lostKeys } from './surface-keys.ts';
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
import { delivered } from '../drivers/ways.ts';

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
