// `uiahost mcp`: bridges stdio MCP clients to the running host.
import { z } from 'zod';
import { MAX_DEPTH, parseStrictJson } from '../contract/json/strict-json.ts';
import { Problem } from '../contract/problem.ts';
import { UiaHostClient } from '../client/client.ts';
import { ClientError, HostNotFoundError } from '../client/errors.ts';
import { eventsOf } from '../client/transport.ts';
import { FailedError } from './output.ts';
import { remoteClient, type RemoteHost } from './flags.ts';
import { settingNotes, startHost } from './start.ts';

export interface BridgeOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly session: string;
  readonly caps: string | undefined;
  /** What the client calls this server. */
  readonly server: string | undefined;
  /** The host of another machine; it is never started from here. */
  readonly remote?: RemoteHost | undefined;
  /** Writes one JSON-RPC message as a line. */
  write(message: unknown): void;
}

type RequestId = string | number;

const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({ _meta: z.looseObject({}).optional() }).optional(),
});
type Message = z.infer<typeof Message>;

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** The request parameter that the header Mcp-Name repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'resources/read': 'uri',
};
/** Requests that may take long: a tool call waits for a person, a subscription for events. */
const LASTING = new Set(['tools/call', 'subscriptions/listen']);
/** A host may have to start first. */
const INTRODUCTION_MS = 240_000;
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

/** Header values are ASCII; other text uses the protocol's base64 form. */
function headerValue(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

/**
 * MCP over standard input and output, for clients that start a program: it forwards each message to the running host's
 * endpoint and each answer back. It keeps only the calls in flight; the host decides what a call does and who may make it.
 */
export class McpBridge {
  readonly #options: BridgeOptions;
  readonly #underWay = new Map<RequestId, { readonly call: AbortController; readonly lasts: boolean }>();
  #starting: Promise<unknown> | undefined;
  /** Negotiated by `initialize`; revisions without it state theirs in each message. */
  #agreedVersion: string | undefined;
  #mark: string | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Handles one line from the client; resolves when its answer, if any, is written. `id`: of a line that is refused as a whole. */
  async accept(line: string, id: RequestId | null): Promise<void> {
    if (line.trim() === '') return;
    let raw: unknown;
    try {
      // As the host reads a body: what would be lost on the way is refused here.
      raw = parseStrictJson(line, { depth: MAX_DEPTH });
    } catch (error) {
      this.#fail(id, PARSE_ERROR, `The line is not valid JSON: ${(error as Error).message}`);
      return;
    }
    const message = Message.safeParse(raw).data ?? {};
    if (message.method === 'notifications/cancelled') {
      this.#cancel(message.params?.['requestId']);
      return;
    }
    await this.#forward(raw, message);
  }

  /** Sends the line of `initialize`, which the client has its answer to: the host knows the client by it. */
  async introduce(line: string): Promise<void> {
    const raw: unknown = JSON.parse(line);
    try {
      const response = await this.#send(raw, Message.parse(raw), AbortSignal.timeout(INTRODUCTION_MS));
      this.#mark = response.headers.get('mcp-session-id') ?? undefined;
      const version = (raw as { params?: { protocolVersion?: unknown } }).params?.protocolVersion;
      if (typeof version === 'string') this.#agreedVersion = version;
      await response.body?.cancel();
    } catch {
      // The call itself says what is wrong.
    }
  }

  /** The client has gone: cancels its calls by closing their connections. `lasting`: only long calls. */
  close(which: 'lasting' | 'all' = 'all'): void {
    for (const [id, { call, lasts }] of this.#underWay) {
      if (which === 'lasting' && !lasts) continue;
      call.abort();
      this.#underWay.delete(id);
    }
  }

  /** Closing the call's connection cancels it at the host. An answered call is no longer in the map. */
  #cancel(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#underWay.get(id)?.call.abort();
  }

  async #forward(raw: unknown, message: Message): Promise<void> {
    const abort = new AbortController();
    const { id } = message;
    if (id !== undefined) this.#underWay.set(id, { call: abort, lasts: LASTING.has(message.method ?? '') });
    try {
      await this.#answer(await this.#send(raw, message, abort.signal), message);
    } catch (error) {
      if (abort.signal.aborted || id === undefined) return;
      const hint = error instanceof ClientError || error instanceof FailedError ? ` ${error.hint ?? ''}` : '';
      this.#fail(id, SERVER_ERROR, `${error instanceof Error ? error.message : String(error)}${hint}`);
    } finally {
      if (id !== undefined && this.#underWay.get(id)?.call === abort) this.#underWay.delete(id);
    }
  }

  async #send(raw: unknown, message: Message, signal: AbortSignal): Promise<Response> {
    const { session, caps, server } = this.#options;
    const path = `/mcp?${new URLSearchParams({
      session,
      ...(caps === undefined ? {} : { caps }),
      ...(server === undefined ? {} : { server }),
    }).toString()}`;
    const connection = await this.#connect();
    return connection.request('POST', path, { body: raw, signal, headers: this.#headers(message) });
  }

  #headers(message: Message): Record<string, string> {
    const { _meta: meta } = message.params ?? {};
    const named = meta?.[VERSION_KEY];
    const headers: Record<string, string> = { accept: 'application/json, text/event-stream' };
    if (typeof named === 'string') {
      headers['mcp-protocol-version'] = headerValue(named);
      if (message.method !== undefined) headers['mcp-method'] = headerValue(message.method);
      const name = message.params?.[NAMED_BY[message.method ?? ''] ?? ''];
      if (typeof name === 'string') headers['mcp-name'] = headerValue(name);
    } else if (message.method !== 'initialize') {
      if (this.#agreedVersion !== undefined) headers['mcp-protocol-version'] = this.#agreedVersion;
      if (this.#mark !== undefined) headers['mcp-session-id'] = this.#mark;
    }
    return headers;
  }

  /** The host proves its identity for each message: it may have ended, and another program may have taken its port. */
  async #connect(): Promise<UiaHostClient> {
    const { remote, env } = this.#options;
    if (remote !== undefined) return remoteClient(remote, env);
    try {
      return await UiaHostClient.connect({ env: this.#options.env });
    } catch (error) {
      if (!(error instanceof HostNotFoundError)) throw error;
      this.#starting ??= startHost(this.#options.env, 'bridge')
        .then(({ wasRunning }) => {
          for (const note of settingNotes(this.#options.env, 'bridge', wasRunning))
            process.stderr.write(`uiahost mcp: ${note}\n`);
        })
        .finally(() => {
          this.#starting = undefined;
        });
      await this.#starting;
      return UiaHostClient.connect({ env: this.#options.env });
    }
  }

  async #answer(response: Response, message: Message): Promise<void> {
    if (message.method === 'initialize') this.#mark = response.headers.get('mcp-session-id') ?? undefined;
    const type = response.headers.get('content-type') ?? '';
    let isAnswered = message.id === undefined;
    if (type.startsWith('text/event-stream')) {
      for await (const { data } of eventsOf(response)) {
        isAnswered ||= (data as Message).id === message.id && (data as Message).method === undefined;
        this.#pass(data, message);
      }
    } else {
      const text = await response.text();
      if (type.startsWith('application/json') && text !== '') {
        const answer = JSON.parse(text) as { id?: RequestId | null };
        // To a body that the host could not read; the client waits for the answer to its own id.
        this.#pass(response.ok || message.id === undefined ? answer : { ...answer, id: message.id }, message);
        isAnswered = true;
      } else if (!response.ok && message.id !== undefined) {
        const problem = type.startsWith('application/problem+json')
          ? Problem.safeParse(JSON.parse(text)).data
          : undefined;
        this.#fail(
          message.id,
          SERVER_ERROR,
          problem === undefined ? `The host answered ${response.status}.` : `${problem.code}: ${problem.detail}`,
          problem,
        );
        isAnswered = true;
      }
    }
    if (!isAnswered)
      throw new Error(
        'The connection to the host ended before the answer arrived. Check the state before you repeat the call.',
      );
  }

  #pass(answer: unknown, asked: Message): void {
    if (asked.method === 'initialize') {
      const version = (answer as { result?: { protocolVersion?: unknown } }).result?.protocolVersion;
      if (typeof version === 'string') this.#agreedVersion = version;
    }
    this.#options.write(answer);
  }

  #fail(id: RequestId | null, code: number, text: string, data?: unknown): void {
    this.#options.write({
      jsonrpc: '2.0',
      id,
      error: { code, message: text, ...(data === undefined ? {} : { data }) },
    });
  }
}
