/**
 * The keys that seal the log. Each segment has its own: the next is derived from the one before and from the record that the
 * segment ended with, and the one before is erased. So the present key seals nothing of an earlier segment, and an earlier key
 * fits the later ones only while every record between them is unchanged.
 */
import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { writeDurablySync, ifThere } from '../base/durable-file.ts';
import type { AuditReceipt } from './entry.ts';

const KEY_BYTES = 32;
/** Two slots, each within one sector on a separate page, as in the checkpoint: the slot not being written is always intact. */
const SLOT_BYTES = 512;
const SLOT_DISTANCE = 4096;

export interface SegmentKey {
  readonly segment: number;
  /** A KeyObject, since making one from raw bytes for each record takes 20 µs. */
  readonly key: KeyObject;
}

export const newKey = (segment: number): SegmentKey => ({ segment, key: createSecretKey(randomBytes(KEY_BYTES)) });

/** Identifies the key without revealing it. */
export const keyIdOf = (key: KeyObject): string =>
  createHmac('sha256', key).update('key id').digest('hex').slice(0, 16);

/** The key of the segment that follows the record `end`. */
export function nextKey({ segment, key }: SegmentKey, { seq, hash }: AuditReceipt): SegmentKey {
  const next = createHmac('sha256', key)
    .update(`segment ${segment + 1} after ${seq}:${hash}`)
    .digest();
  return { segment: segment + 1, key: createSecretKey(next) };
}

/** The key derived from `from` for a segment that begins after `end`; null if it cannot be derived. */
export function keyReached(from: SegmentKey, segment: number, end: AuditReceipt): SegmentKey | null {
  if (segment === from.segment) return from;
  return segment === from.segment + 1 ? nextKey(from, end) : null;
}

/** `<key> <segment> <id of the key>`; older hosts wrote only the key, which means segment 0. */
const LINE = /^([0-9a-f]{64})(?: ([0-9]{1,9}) ([0-9a-f]{16}))?\n[\n\0 ]*$/;

export const renderKey = ({ segment, key }: SegmentKey): string =>
  `${key.export().toString('hex')} ${segment} ${keyIdOf(key)}\n`;

function parseKey(text: string): SegmentKey | null {
  const [, hex, segment = '0', id] = LINE.exec(text) ?? [];
  if (hex === undefined) return null;
  const key = createSecretKey(hex, 'hex');
  return id === undefined || id === keyIdOf(key) ? { segment: Number(segment), key } : null;
}

const slotOffset = (segment: number): number => (segment % 2) * SLOT_DISTANCE;

function renderSlot(content: string): Buffer {
  const slot = Buffer.alloc(SLOT_BYTES, ' ');
  slot.write(content);
  slot[SLOT_BYTES - 1] = 0x0a;
  return slot;
}

function parseFile(content: string): SegmentKey | null {
  if (content.length <= SLOT_BYTES) return parseKey(content);
  const slots = [0, SLOT_DISTANCE].map((offset) => parseKey(content.slice(offset, offset + SLOT_BYTES)));
  const found = slots.filter((slot, index) => slot !== null && slot.segment % 2 === index) as SegmentKey[];
  // The earlier of two: a move was interrupted, and the later one can be derived.
  return found.sort((a, b) => a.segment - b.segment)[0] ?? null;
}

/** As much of the file as a key file has: the file may be anyone's. */
function beginningOf(keyFile: string): string {
  const file = openSync(keyFile, 'r');
  try {
    const bytes = Buffer.alloc(SLOT_DISTANCE + SLOT_BYTES);
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

/** The earliest remaining key; null if there is no such file, or no key in it. */
export function readKey(keyFile: string): SegmentKey | null {
  for (let attempt = 0; ; attempt += 1) {
    const content = ifThere(() => beginningOf(keyFile));
    if (content === null) return null;
    // A host may move its key between the reads of the two slots; reading again finds it.
    const key = parseFile(content);
    if (key !== null || attempt === 4) return key;
  }
}

/**
 * Writes a new key file, readable only by the user: by its mode on Linux; on Windows by the access list inherited from the data
 * directory, which the host sets.
 */
export function writeKey(keyFile: string, key: SegmentKey): void {
  const image = Buffer.alloc(SLOT_DISTANCE + SLOT_BYTES, ' ');
  for (const offset of [0, SLOT_DISTANCE]) renderSlot('').copy(image, offset);
  renderSlot(renderKey(key)).copy(image, slotOffset(key.segment));
  writeDurablySync(keyFile, image);
}

/** Writes `next` to the key file, then erases the previous key. Also completes an interrupted move. */
export function moveKey(keyFile: string, next: SegmentKey): void {
  const fd = openSync(keyFile, 'r+');
  try {
    const put = (segment: number, content: string): void => {
      writeSync(fd, renderSlot(content), 0, SLOT_BYTES, slotOffset(segment));
      fsyncSync(fd);
    };
    put(next.segment, renderKey(next));
    put(next.segment + 1, '');
  } finally {
    closeSync(fd);
  }
}
