/** The key and the certificate for HTTPS. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { UiaHostError } from '../../contract/errors.ts';
import type { ListenConfig } from '../home/config.ts';

/**
 * PEM texts of a key and its certificate. Errors: invalid_argument if a file cannot be read, or the two do not belong
 * together.
 */
export function readTlsFiles({ keyFile, certificateFile }: NonNullable<ListenConfig['tls']>): {
  readonly key: string;
  readonly cert: string;
} {
  const files = { key: read('UIAHOST_TLS_KEY', keyFile), cert: read('UIAHOST_TLS_CERT', certificateFile) };
  try {
    createSecureContext(files);
  } catch (error) {
    throw new UiaHostError(
      'invalid_argument',
      `The key in ${keyFile} and the certificate in ${certificateFile} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      {
        hint: 'Both must be PEM, without a passphrase, and belong together.',
        cause: error,
      },
    );
  }
  return files;
}

function read(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UiaHostError(
      'invalid_argument',
      `${name} names ${file}, which cannot be read (${String((error as NodeJS.ErrnoException).code)}).`,
    );
  }
  if (text.trim() === '') throw new UiaHostError('invalid_argument', `${name} names ${file}, which is empty.`);
  return text;
}
