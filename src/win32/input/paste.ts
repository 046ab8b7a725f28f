/** The clipboard: read, written, saved and restored, and text pasted from it. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { parseChord } from '../../contract/keys/keys.ts';
import type { CallContext, Done } from '../../desktop/index.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { changeWithin } from '../exits/messages.ts';
import { Deadline, STALL_MS, pause, taken, waitForProgram, waitUntil, seenWithin } from '../windows/waiting.ts';
import type { Witness } from '../windows/witness.ts';
import { type EditState, arrivalOf, arrivedText, isTyped, readEditState } from '../evidence/edit-state.ts';
import { sendChordsForeground } from './keyboard-foreground.ts';
import { sendChord } from './chords-background.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { readMemory, text16 } from '../../../native-bindings/library.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { type ClipboardFormat, fillClipboard } from '../exits/outside.ts';

/** How long another program may hold the clipboard before we give up. */
const HELD_MS = 1000;
/** Formats that are handles of drawing objects, not memory: they cannot be copied as bytes. */
const HANDLE_FORMATS = new Set<number>([
  m.CF_BITMAP,
  m.CF_METAFILEPICT,
  m.CF_PALETTE,
  m.CF_ENHMETAFILE,
  m.CF_OWNERDISPLAY,
  m.CF_DSPBITMAP,
  m.CF_DSPMETAFILEPICT,
  m.CF_DSPENHMETAFILE,
]);
/** A larger clipboard is not saved for restoring. */
const MAX_SAVED = 32 * 1024 * 1024;

/**
 * Formats that ask clipboard managers and the history to ignore a content. Source:
 * learn.microsoft.com/windows/win32/dataxchg/clipboard-formats#cloud-clipboard-and-clipboard-history-formats
 */
const PRIVATE_FORMATS = [
  'ExcludeClipboardContentFromMonitorProcessing',
  'CanIncludeInClipboardHistory',
  'CanUploadToCloudClipboard',
];

/** Opens the clipboard, retrying while other programs hold it. Errors: state_conflict. */
async function withClipboard<T>(call: CallContext, use: () => T): Promise<T> {
  const isOpen = await waitUntil(() => (user32.OpenClipboard(0) ? true : null), {
    withinMs: Math.min(HELD_MS, call.deadlineMs),
    everyMs: 10,
    call,
  });
  if (isOpen === null)
    throw new UiaHostError(
      'state_conflict',
      'Another program has held the clipboard for a second; nothing was read or written.',
    );
  try {
    return use();
  } finally {
    user32.CloseClipboard();
  }
}

function bytesOf(handle: number): Buffer | null {
  const size = kernel32.GlobalSize(handle);
  if (size === 0 || size > MAX_SAVED) return null;
  const address = kernel32.GlobalLock(handle);
  if (address === 0n) return null;
  try {
    return readMemory(address, size);
  } finally {
    kernel32.GlobalUnlock(handle);
  }
}

/** Unicode text on the clipboard; empty if there is none. */
export async function readClipboardText(call: CallContext): Promise<string> {
  return withClipboard(call, () => {
    if (!user32.IsClipboardFormatAvailable(m.CF_UNICODETEXT)) return '';
    const handle = user32.GetClipboardData(m.CF_UNICODETEXT);
    const bytes = handle === 0 ? null : bytesOf(handle);
    if (bytes === null) return '';
    const text = bytes.toString('utf16le');
    const end = text.indexOf('\0');
    return end < 0 ? text : text.slice(0, end);
  });
}

/**
 * Replaces the clipboard's content with text. `isPassing`: kept out of histories and clouds. Errors: state_conflict.
 */
export async function writeClipboardText(text: string, isPassing: boolean, call: CallContext): Promise<void> {
  await withClipboard(call, () => {
    const hidden = isPassing ? PRIVATE_FORMATS.map((name) => user32.RegisterClipboardFormatW(name)) : [];
    const isSet = fillClipboard([
      { format: m.CF_UNICODETEXT, bytes: Buffer.from(`${text}\0`, 'utf16le') },
      ...hidden.map((format) => ({ format, bytes: Buffer.alloc(4) })),
    ]);
    if (!isSet)
      throw new UiaHostError('state_conflict', 'Windows did not accept the text; the clipboard is now empty.');
  });
}

export interface SavedClipboard {
  readonly contents: readonly ClipboardFormat[];
  /** Names of formats that are not restored. */
  readonly leftOut: readonly string[];
}

/**
 * Formats of embedded or linked documents: their owner renders them only on request, which takes an office program
 * seconds, and they are useless once its program has changed.
 * Source: learn.microsoft.com/windows/win32/com/registering-clipboard-formats, .../dataxchg/clipboard-operations#delayed-rendering
 */
const OLE_FORMATS: ReadonlySet<string> = new Set([
  'Embed Source',
  'Embedded Object',
  'Native',
  'OwnerLink',
  'ObjectLink',
  'Link Source',
  'Link Source Descriptor',
  'Object Descriptor',
  'DataObject',
  'Ole Private Data',
]);
/** The most valuable formats are saved first: the rest is left out if time runs out. */
const FIRST: readonly number[] = [m.CF_UNICODETEXT, 15, 8, 17];
/** Limit (ms) for an owner to render everything. */
const SAVE_MS = 1000;

function formatName(format: number): string {
  const memory = Buffer.alloc(512);
  const length = user32.GetClipboardFormatNameW(format, memory, 256);
  return length > 0 ? text16(memory, length) : `#${format}`;
}

const rank = (format: number): number => (FIRST.includes(format) ? FIRST.indexOf(format) : FIRST.length);

/** Everything on the clipboard that is plain memory and rendered in time, to be restored later. */
export async function saveClipboard(call: CallContext): Promise<SavedClipboard> {
  return withClipboard(call, () => {
    const formats: number[] = [];
    for (let format = user32.EnumClipboardFormats(0); format !== 0; format = user32.EnumClipboardFormats(format))
      if (!HANDLE_FORMATS.has(format)) formats.push(format);
    const contents = new Map<number, Buffer>();
    const leftOut: string[] = [];
    const end = performance.now() + SAVE_MS;
    for (const format of formats.toSorted((a, b) => rank(a) - rank(b))) {
      const name = formatName(format);
      const handle = OLE_FORMATS.has(name) || performance.now() > end ? 0 : user32.GetClipboardData(format);
      const bytes = handle === 0 ? null : bytesOf(handle);
      if (bytes === null) leftOut.push(name);
      else contents.set(format, bytes);
    }
    // In their original order, which expresses the program's preference.
    return {
      contents: formats.flatMap((format) => (contents.has(format) ? [{ format, bytes: contents.get(format)! }] : [])),
      leftOut,
    };
  });
}

/** Restores a saved content, unless another program changed the clipboard after `sequence`. True = restored. */
export async function restoreClipboard(saved: SavedClipboard, sequence: number, call: CallContext): Promise<boolean> {
  return withClipboard(call, () => {
    if (user32.GetClipboardSequenceNumber() !== sequence) return false;
    fillClipboard(saved.contents, true);
    return true;
  });
}

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
  if (changeWithin(target.hwnd, m.WM_PASTE, 0, 0, 2000) === null) return await taken(target.hwnd, 0, rest(), call);
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
    // A program that watches the clipboard may have put its own text there.
    if (user32.GetClipboardSequenceNumber() !== sequence && (await readClipboardText(call)) !== lines)
      throw new UiaHostError(
        'state_conflict',
        'Another program replaced the text on the clipboard before it was pasted; nothing was pasted.',
        { hint: 'Type it without viaClipboard.' },
      );
    const isEdit = target?.kind === 'edit' || target?.kind === 'rich-edit';
    if (target === null)
      await sendChordsForeground(record, { chords: [parseChord('ctrl+v')], repeat: 1 }, call, witness);
    else if (isEdit) {
      how = 'WM_PASTE';
      // A late program would paste the restored content.
      if (changeWithin(target.hwnd, m.WM_PASTE, 0, 0, 2000) === null) await taken(target.hwnd, 0, rest(), call);
    } else if (before?.own !== undefined && (await pastesItself(target, before, call, rest))) how = 'WM_PASTE';
    else
      await sendChord(
        { target, bound: Number(record?.hwnd ?? target.hwnd), executable: record?.app.executable ?? null },
        parseChord('ctrl+v'),
        deadline,
      );
    if (target === null) await pause(FETCH_MS, call, 'delivered');
    else if (!isEdit)
      await seenWithin(target.hwnd, FETCH_MS, () => null, deadline, {
        everyMs: FIELD_POLL_MS,
        reserveMs: RESTORE_RESERVE_MS,
      });
  } finally {
    isRestored = await restoreClipboard(saved, sequence, call).catch(() => false);
  }
  const after =
    target === null || before === null ? null : await arrivedText(target, before, text, deadline, { isKept: false });
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
