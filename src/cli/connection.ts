// The command line's connection to the running host.
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { Problem } from '../contract/problem.ts';
import type { Scope } from '../host/face/caller.ts';
import { dataDirectoryOf, findHost, findToken } from '../host/client/locate.ts';
import type { HostFile } from '../contract/host-file.ts';

/** The host answered with a problem (RFC 9457). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  /** The response body, unchanged. */
  readonly text: string;

  constructor(problem: Problem, text: string) {
    super(problem.detail);
    this.problem = problem;
    this.text = text;
  }
}

export interface CallOptions {
  readonly body?: unknown;
  readonly scope?: Scope;
  readonly session?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** A connection to the running host, after it has proven its identity. */
export class Connection {
  readonly host: HostFile;
  readonly #dataDirectory: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(host: HostFile, dataDirectory: string, env: NodeJS.ProcessEnv) {
    this.host = host;
    this.#dataDirectory = dataDirectory;
    this.#env = env;
  }

  /** Errors: HostNotFoundError. */
  static async open(env: NodeJS.ProcessEnv = process.env): Promise<Connection> {
    const dataDirectory = dataDirectoryOf(env);
    return new Connection(await findHost(dataDirectory), dataDirectory, env);
  }

  /**
   * The raw response with any status, without a time limit: a person may have to decide several times, and closing the
   * connection would cancel the action. Node's `fetch` gives up after five minutes.
   */
  async request(
    method: string,
    path: string,
    { body, scope = 'agent', session, headers = {}, signal }: CallOptions = {},
  ): Promise<Response> {
    const url = new URL(path, this.host.url);
    const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const options = {
      method,
      headers: {
        authorization: `Bearer ${findToken(this.#dataDirectory, scope, this.#env).token}`,
        ...(content === undefined ? {} : { 'content-type': 'application/json', 'content-length': content.length }),
        ...(session === undefined ? {} : { 'uiahost-session': session }),
        ...headers,
      },
      ...(signal === undefined ? {} : { signal }),
    };
    return new Promise((resolve, reject) => {
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      send(url, options, (answer) => resolve(toResponse(answer)))
        .on('error', reject)
        .end(content);
    });
  }

  /** The response body, unchanged. Errors: ProblemError. */
  async text(method: string, path: string, options: CallOptions = {}): Promise<string> {
    const response = await this.request(method, path, options);
    const text = await response.text();
    if (response.ok) return text;
    throw toProblemError(response, text);
  }

  async json<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
    return JSON.parse(await this.text(method, path, options)) as T;
  }
}

function toResponse(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 500;
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  // These have no body, and Response does not accept one for them.
  const isEmpty = status === 204 || status === 304;
  if (isEmpty) answer.resume();
  return new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>), { status, headers });
}

export function toProblemError(response: Response, text: string): Error {
  try {
    const parsed = Problem.safeParse(JSON.parse(text));
    if (parsed.success) return new ProblemError(parsed.data, text);
  } catch {
    // Not JSON: handled below.
  }
  return new Error(`The host answered ${response.status} without a reason.`);
}
