/** A real HTTP server with a stand-in host, closed after the test. */
import { afterEach } from 'vitest';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../src/http/server.ts';
import { AGENT_TOKEN, createStandInHost, OPERATOR_TOKEN, type StandInHost } from './stand-in-host.ts';

export interface Served {
  readonly host: StandInHost;
  readonly server: HttpServer;
  readonly url: string;
  /** A request as the agent; `token: null` sends none. */
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
}

interface CallOptions {
  readonly body?: unknown;
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

const opened: HttpServer[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

/** A real server on a free loopback port with a stand-in host; closed after the test. */
export async function serve(
  options: Partial<HttpServerOptions> = {},
  host: StandInHost = createStandInHost(),
): Promise<Served> {
  const server = await createHttpServer({ host, address: '127.0.0.1', port: 0, ...options });
  opened.push(server);
  return {
    host,
    server,
    url: server.url,
    call(method, path, { body, token = AGENT_TOKEN, headers = {}, signal } = {}) {
      const all: Record<string, string> = {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      };
      if (body !== undefined && all['content-type'] === undefined) all['content-type'] = 'application/json';
      return fetch(`${server.url}${path}`, {
        method,
        headers: all,
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    },
  };
}

export { AGENT_TOKEN, OPERATOR_TOKEN };

/** The body of an answer that must be a problem with this code. */
export async function problemOf(
  response: Response,
): Promise<Record<string, unknown> & { code: string; detail: string; status: number }> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/problem+json'))
    throw new Error(`not a problem: ${response.status} ${type} ${await response.text()}`);
  const problem = (await response.json()) as Record<string, unknown> & { code: string; detail: string; status: number };
  if (problem.status !== response.status)
    throw new Error(`the problem says ${problem.status}, the answer ${response.status}`);
  return problem;
}
