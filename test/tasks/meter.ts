/** Calls the host as an agent does, and counts calls, bytes of text in both directions, and seconds. */
import type { Answer, TestHost } from '../support/desktop.ts';

export interface Figures {
  readonly calls: number;
  /** Bodies of requests and answers without the pictures in them. */
  readonly bytes: number;
  readonly seconds: number;
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** The text of an answer: a model does not read a picture by its Base64. */
function textOf(body: unknown): string {
  return typeof body === 'string'
    ? body
    : JSON.stringify(body, (key, value: unknown) => (key === 'base64' && typeof value === 'string' ? '' : value));
}

export class Meter {
  readonly #host: TestHost;
  readonly #session: string;
  #calls = 0;
  #bytes = 0;
  #milliseconds = 0;

  /** @param session each session has its own bindings */
  constructor(host: TestHost, session: string) {
    this.#host = host;
    this.#session = session;
  }

  async call(action: string, input: object, isCounted = true): Promise<Answer> {
    const from = performance.now();
    const answer = await this.#host.call(action, input, { headers: { 'uiahost-session': this.#session } });
    if (!isCounted) return answer;
    this.#milliseconds += performance.now() - from;
    this.#calls += 1;
    this.#bytes += bytesOf(JSON.stringify(input)) + bytesOf(textOf(answer.body));
    return answer;
  }

  figures(): Figures {
    return { calls: this.#calls, bytes: this.#bytes, seconds: this.#milliseconds / 1000 };
  }
}
