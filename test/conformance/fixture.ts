/** What the conformance suite's fixtures share: media, and questions to the client. */
import { inputRequired, type InputRequest, type ServerContext } from '@modelcontextprotocol/server';

/** The smallest picture, in base64. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** The smallest sound, in base64: a WAV header with one silent sample. */
export const SILENCE = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.from([38, 0, 0, 0]),
  Buffer.from('WAVEfmt '),
  Buffer.from([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x80, 0x3e, 0, 0, 2, 0, 16, 0]),
  Buffer.from('data'),
  Buffer.from([2, 0, 0, 0, 0, 0]),
]).toString('base64');

/** What the fixtures of one request may use. */
export interface Fixtures {
  readonly context: ServerContext;
  /** Seals what a tool must find again in the client's next round. */
  seal(state: string): Promise<string>;
}

/** A question of a form with these properties, all of them required. */
export const form = (
  message: string,
  properties: Record<string, { type: 'string' } | { type: 'boolean' }>,
): InputRequest =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required: Object.keys(properties) } });
