/** Types text into a window by pasting it from the clipboard. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { parseChord } from '../../contract/keys/keys.ts';
import type { CallContext, Done } from '../../desktop/index.ts';
import { WM_PASTE } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { changeWithin } from '../exits/messages.ts';
import { Deadline, pause, STALL_MS, taken, waitForProgram, waitUntil } from '../windows/waiting.ts';
import type { Witness } from '../windows/witness.ts';
import { restoreClipboard, saveClipboard, writeClipboardText } from './clipboard-data.ts';
import { arrivalOf, isTyped, readEditState, type EditState } from '../evidence/edit-state.ts';
import { heldText } from '../evidence/held-text.ts';
import { sendChordsForeground } from './keyboard-foreground.ts';
import { sendChord } from './chords-background.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';

/** A program that pastes on a key press fetches the content a little later. */
const FETCH_MS = 250;
/** How often (ms) the field is checked for the pasted text. */
const FIELD_POLL_MS = 25;
/** A control that knows the message has pasted when it answers, or pastes immediately after. */
const TAKES_MS = 50;
/** Programs that watch the clipboard open it when it changes, most within this time (ms), and nothing can paste meanwhile. */
const WATCHERS_MS = 30;
/** How long (ms) to wait for a watcher. */
const LETS_GO_MS = 1000;
/** Part of the deadline (ms) reserved for restoring the clipboard and answering. */
const RESTORE_RESERVE_MS = 500;

/**
 * Custom text controls often accept the edit control's message: faster than keys, and no key state is needed. False if
 * it had no effect.
 */
async function pastesItself(
  target: KeyTarget,
  before: EditState,
  call: CallContext,
  rest: () => number,
): Promise<boolean> {
  if (changeWithin(target.hwnd, WM_PASTE, 0, 0, 2000) === null) return await taken(target.hwnd, 0, rest(), call);
  return (
    (await waitForProgram(
      () => {
        const now = readEditState(target, 500);
        return now === null || now.text === before.text ? null : true;
      },
      { hwnd: target.hwnd, withinMs: TAKES_MS, atMostMs: rest(), everyMs: 10, call, delivery: 'delivered' },
    )) ?? false
  );
}

/** Waits until no program has the clipboard open. */
async function untilLetGo(withinMs: number, call: CallContext): Promise<void> {
  let closedSince: number | null = null;
  await waitUntil(
    () => {
      const now = performance.now();
      closedSince = user32.GetOpenClipboardWindow() === 0 ? (closedSince ?? now) : null;
      return closedSince !== null && now - closedSince >= WATCHERS_MS ? true : null;
    },
    { withinMs, everyMs: 10, call },
  );
}

/** Where a text is pasted. */
export interface PasteAim {
  readonly record: BindingRecord | null;
  /** The part that gets it in the background; null: real keys, to the focus of `record`. */
  readonly target: KeyTarget | null;
}

/**
 * Types by pasting: the clipboard's content is saved, replaced, pasted from and restored unless another program changed
 * it meanwhile. The pasted text is kept out of the clipboard's history.
 */
export async function pasteText(
  { record, target }: PasteAim,
  text: string,
  call: CallContext,
  witness: Witness,
): Promise<Done<boolean>> {
  const deadline = new Deadline(call);
  const rest = (): number => deadline.share(STALL_MS, RESTORE_RESERVE_MS);
  const lines = text.replaceAll(/\r\n|\r|\n/g, '\r\n');
  const saved = await saveClipboard(call);
  const before = target === null ? null : readEditState(target, 500);
  await writeClipboardText(lines, true, call);
  const sequence = user32.GetClipboardSequenceNumber();
  let how = 'Ctrl+V';
  let isRestored = false;
  try {
    await untilLetGo(deadline.share(LETS_GO_MS, RESTORE_RESERVE_MS), call);
    const isEdit = target?.kind === 'edit' || target?.kind === 'rich-edit';
    if (target === null)
      await sendChordsForeground(record, { chords: [parseChord('ctrl+v')], repeat: 1 }, call, witness);
    else if (isEdit) {
      how = 'WM_PASTE';
      // A late program would paste the restored content.
      if (changeWithin(target.hwnd, WM_PASTE, 0, 0, 2000) === null) await taken(target.hwnd, 0, rest(), call);
    } else if (before?.own !== undefined && (await pastesItself(target, before, call, rest))) how = 'WM_PASTE';
    else
      await sendChord(
        { target, bound: Number(record?.hwnd ?? target.hwnd), executable: record?.app.executable ?? null },
        parseChord('ctrl+v'),
        deadline,
      );
    if (target === null) await pause(FETCH_MS, call, 'delivered');
    else if (!isEdit)
      await waitForProgram(() => null, {
        hwnd: target.hwnd,
        withinMs: FETCH_MS,
        atMostMs: rest(),
        everyMs: FIELD_POLL_MS,
        call,
        delivery: 'delivered',
      });
  } finally {
    isRestored = await restoreClipboard(saved, sequence, call).catch(() => false);
  }
  const after =
    target === null || before === null
      ? null
      : await heldText(
          target.hwnd,
          () => readEditState(target, 500),
          (now) => arrivalOf(before, now, text) !== 'mismatch',
          deadline,
        );
  const readBack = before === null ? null : after === null ? 'mismatch' : arrivalOf(before, after, text);
  return {
    value: true,
    outcome: witness.outcome({
      effect: before !== null && after !== null && isTyped(before, after, text) ? 'confirmed' : 'unverified',
      delivery: 'clipboard',
      attempts: [{ rung: 'clipboard', result: 'delivered', reason: how }],
      evidence:
        after === null ? [] : [{ kind: 'text-length', before: before?.text.length ?? null, after: after.text.length }],
      ...(readBack === null ? {} : { readBack }),
      details: {
        clipboardRestored: isRestored,
        ...(saved.leftOut.length === 0 ? {} : { clipboardLeftOut: saved.leftOut }),
      },
    }),
  };
}
