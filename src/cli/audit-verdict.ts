// What the audit commands share: reasons of damage in words, and reading a key.
import { readKey } from '../audit/key.ts';
import { UnansweredError } from './output.ts';

export const REASONS: Readonly<Record<string, string>> = {
  hash: 'the record was changed',
  gap: 'records are missing before it',
  order: 'records are out of order',
  truncated: 'records are missing at the end',
  key: 'the record or the checkpoint was not made with this key',
};

/** The key in a file; null if it has none. Errors: UnansweredError if the file cannot be read. */
export function readKeyFile(file: string): ReturnType<typeof readKey> {
  try {
    return readKey(file);
  } catch (error) {
    throw new UnansweredError(error);
  }
}
