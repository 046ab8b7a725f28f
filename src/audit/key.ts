import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeDurablySync } from '../base/durable-file.ts';

const KEY_BYTES = 32;

/** As a KeyObject, since making one of raw bytes for each record takes 20 µs. */
export const newKey = (): KeyObject => createSecretKey(randomBytes(KEY_BYTES));

/** The log's key; null when there is no such file, or no key in it. */
export function readKey(keyFile: string): KeyObject | null {
  let content: string;
  try {
    content = readFileSync(keyFile, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return /^[0-9a-f]{64}\n$/.test(content) ? createSecretKey(content.trim(), 'hex') : null;
}

/**
 * Writes the key, readable by the user only: by its mode on Linux; on Windows by the list that it inherits from the data
 * directory, which the host sets.
 */
export function writeKey(keyFile: string, key: KeyObject): void {
  writeDurablySync(keyFile, `${key.export().toString('hex')}\n`);
}
