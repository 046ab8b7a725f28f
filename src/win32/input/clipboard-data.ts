/** Reads, writes, saves and restores the clipboard. */
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { readMemory, text16 } from '../../../native-bindings/library.ts';
import {
  CF_BITMAP,
  CF_DSPBITMAP,
  CF_DSPENHMETAFILE,
  CF_DSPMETAFILEPICT,
  CF_ENHMETAFILE,
  CF_METAFILEPICT,
  CF_OWNERDISPLAY,
  CF_PALETTE,
  CF_UNICODETEXT,
} from '../../../native-bindings/win32/constants.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/index.ts';
import { fillClipboard, type ClipboardFormat } from '../exits/outside.ts';
import { waitUntil } from '../windows/waiting.ts';

/** How long another program may hold the clipboard before we give up. */
const HELD_MS = 1000;
/** Formats that are handles of drawing objects, not memory: they cannot be copied as bytes. */
const HANDLE_FORMATS = new Set<number>([
  CF_BITMAP,
  CF_METAFILEPICT,
  CF_PALETTE,
  CF_ENHMETAFILE,
  CF_OWNERDISPLAY,
  CF_DSPBITMAP,
  CF_DSPMETAFILEPICT,
  CF_DSPENHMETAFILE,
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
    if (!user32.IsClipboardFormatAvailable(CF_UNICODETEXT)) return '';
    const handle = user32.GetClipboardData(CF_UNICODETEXT);
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
      { format: CF_UNICODETEXT, bytes: Buffer.from(`${text}\0`, 'utf16le') },
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
const FIRST: readonly number[] = [CF_UNICODETEXT, 15, 8, 17];
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
