// Reads request bodies, limited in size, UTF-8, strict JSON; describes headers that several routes read.
import type { IncomingMessage } from 'node:http';
import { badInput, UiaHostError } from '../contract/errors.ts';
import { parseStrictJson, StrictJsonError, textOf } from '../contract/json/strict-json.ts';

/** Largest accepted body: exactly 1 MiB passes. */
const MAX_BODY_BYTES = 1024 * 1024;
/** How much is still read and discarded after a refusal, so that the client can read the answer before the connection ends. */
const MAX_DISCARDED_BYTES = 4 * MAX_BODY_BYTES;

/** Deepest nesting of objects and lists in a body; no valid input comes near it. */
export const MOST_DEPTH = 64;

function tooLarge(): UiaHostError {
  return new UiaHostError('payload_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
}

/** Reads at most MAX_BODY_BYTES. Errors: payload_too_large; cancelled if the client disconnects. */
function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_BODY_BYTES) settle(() => reject(tooLarge()));
    };
    const onEnd = (): void => settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    const onGone = (cause?: Error): void =>
      settle(() =>
        reject(new UiaHostError('cancelled', 'The connection ended before the body was complete.', { cause })),
      );
    const settle = (act: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      act();
    };
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) reject(tooLarge());
    else if (request.destroyed) onGone();
    else request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** Discards the rest of a refused body up to a limit, then cuts the connection. */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED_BYTES) request.destroy();
  });
  request.on('error', () => {});
  request.resume();
}

function assertJson(request: IncomingMessage, mediaTypes: readonly string[]): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new UiaHostError('unsupported_media_type', `Content-Encoding ${encoding.slice(0, 40)} is not supported.`, {
      hint: 'Send the body uncompressed, without Content-Encoding.',
    });
  }
  const given = request.headers['content-type'];
  const [type = '', ...parameters] = (given ?? '').split(';').map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every(
    (parameter) => !parameter.startsWith('charset=') || /^charset="?utf-?8"?$/.test(parameter),
  );
  if (mediaTypes.includes(type) && isUtf8) return;
  const got = given === undefined ? 'no Content-Type' : `Content-Type ${JSON.stringify(given.slice(0, 80))}`;
  throw new UiaHostError('unsupported_media_type', `Expected ${mediaTypes.join(' or ')} in UTF-8, got ${got}.`);
}

/** Errors: invalid_argument with line and column. */
export function parseBody(text: string): unknown {
  try {
    return parseStrictJson(text, { depth: MOST_DEPTH });
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const { line, column } = error.place;
    throw badInput(`The body is not valid JSON: ${error.message} at line ${line}, column ${column}.`);
  }
}

/** The JSON body of a request; undefined if there is none. */
export async function readJsonBody(
  request: IncomingMessage,
  mediaTypes: readonly string[] = ['application/json'],
): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  assertJson(request, mediaTypes);
  const text = textOf(bytes);
  if (text === null) throw badInput('The body is not valid UTF-8.');
  return parseBody(text);
}

export const SESSION_HEADER = {
  'Uiahost-Session':
    'Session name ([A-Za-z0-9_-]{1,64}) or a computerUseSessionId, also as `?session=`; `default` when absent.',
};
export const IDEMPOTENCY_HEADER = {
  'Idempotency-Key':
    'Repeating a key with the same body returns the first answer; another body is idempotency_mismatch.',
};

/** Errors: invalid_argument for a key that is empty, too long or not printable. */
export function idempotencyKey(given: string | undefined): string | undefined {
  if (given === undefined || /^[\x21-\x7e]{1,255}$/.test(given)) return given;
  throw badInput('Idempotency-Key: expected 1 to 255 printable ASCII characters without spaces.');
}
