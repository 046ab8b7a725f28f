// The client of a running host: typed methods for every action and route, over HTTP.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ACTIONS,
  READS,
  ROUTES,
  type ActionResult,
  type Actions,
  type ApprovalCard,
  type BindToWindowInput,
  type PendingAction,
  type Routes,
} from './api.generated.ts';
import {
  type ActionOptions,
  type CallOptions,
  type RouteRow,
  type Scope,
  type StartOptions,
  type StreamedEvent,
  type StreamOptions,
} from './calls.ts';
import { ConnectionError, errorOf, ProblemError, TimeoutError } from './errors.ts';
import { WindowHandle, type HandleOptions } from './handles.ts';
import { createExecutor, type ClientExecutor, type ExecutorOptions } from './executor.ts';
import { dataDirectoryOf, findHost, findToken } from './locate.ts';
import { send, streamOf } from './transport.ts';

export interface ClientOptions {
  /** The host's address, such as http://127.0.0.1:7423. */
  readonly url: string | URL;
  /** An agent token, which acts and observes; an operator token may do everything. Or a function that gives each. */
  readonly token: string | ((scope: Scope) => string);
  /** For approvals, stop, policy and audit, where `token` is an agent's. */
  readonly operatorToken?: string | undefined;
  /** The session of actions that name none: each has its own bound window. Default: one of this program's own. */
  readonly session?: string | undefined;
  /** Time for each call. Default: unlimited, since a call may wait for a person. */
  readonly timeoutMs?: number | undefined;
}

export interface ConnectOptions extends Omit<ClientOptions, 'url' | 'token' | 'operatorToken'> {
  /** Default: `UIAHOST_DATA_DIR`, else the user's own. */
  readonly dataDirectory?: string | undefined;
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface RequestOptions extends CallOptions {
  readonly body?: unknown;
  /** Which token is sent; default agent. */
  readonly scope?: Scope | 'none' | undefined;
  readonly session?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

interface StreamFrom extends StreamOptions {
  readonly scope: Scope;
}

/** Two programs that named no session and shared one would act on each other's window. */
const OWN_SESSION = `client-${randomUUID().slice(0, 8)}`;

/** How often `waitForAction` looks. */
const LOOK_EVERY_MS = 250;

/* oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the methods are made below, from the same table. */
export interface UiaHostClient extends Routes {}
/* oxlint-disable-next-line typescript/no-unsafe-declaration-merging */
export class UiaHostClient {
  readonly url: URL;
  readonly session: string;
  /** Every action: `client.actions.clickElement({ name: 'Save' })`. */
  readonly actions: Actions;
  readonly #tokenOf: (scope: Scope) => string;
  readonly #timeoutMs: number | undefined;
  #windows = 0;

  constructor({ url, token, operatorToken, session = OWN_SESSION, timeoutMs }: ClientOptions) {
    this.url = new URL(url);
    this.session = session;
    this.#timeoutMs = timeoutMs;
    this.#tokenOf =
      typeof token === 'function' ? token : (scope) => (scope === 'operator' ? (operatorToken ?? token) : token);
    this.actions = this.#actions();
  }

  /**
   * A client of this machine's running host, found as the command line finds it: by host.json in the data directory.
   * The host proves that it owns the directory before any token is sent. Errors: HostNotFoundError.
   */
  static async connect(options: ConnectOptions = {}): Promise<UiaHostClient> {
    const { env = process.env, dataDirectory = dataDirectoryOf(env), session, timeoutMs } = options;
    const { url } = await findHost(dataDirectory);
    // Read where it is needed: a caller that can read only the agent's token may do all that an agent may.
    const token = (scope: Scope): string => findToken(dataDirectory, scope, env).token;
    return new UiaHostClient({ url, token, session, timeoutMs });
  }

  /** The response with any status. Errors: ConnectionError, TimeoutError, the signal's reason. */
  request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    return this.#send(method, path, { ...options, timeoutMs: options.timeoutMs ?? this.#timeoutMs });
  }

  #send(method: string, path: string, options: RequestOptions): Promise<Response> {
    const { body, scope = 'agent', session, headers = {}, signal, timeoutMs } = options;
    return send({
      method,
      url: new URL(path, this.url),
      headers: {
        ...(scope === 'none' ? {} : { authorization: `Bearer ${this.#tokenOf(scope)}` }),
        ...(session === undefined ? {} : { 'uiahost-session': session }),
        ...headers,
      },
      body,
      signal,
      timeoutMs,
    });
  }

  /** The response body, unchanged. Errors: those of `request`, ProblemError. */
  async text(method: string, path: string, options: RequestOptions = {}): Promise<string> {
    const response = await this.request(method, path, options);
    const text = await response.text();
    if (response.ok) return text;
    throw errorOf(response, text);
  }

  async json<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    return JSON.parse(await this.text(method, path, options)) as T;
  }

  /** An event stream by its path. Errors: those of `request`, ProblemError. */
  stream(path: string, options: StreamFrom): AsyncGenerator<StreamedEvent, void, undefined> {
    return streamOf((lastEventId) => this.#open(path, options, lastEventId), options);
  }

  async #open(path: string, { scope, signal }: StreamFrom, lastEventId: string | undefined): Promise<Response> {
    const headers = {
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    const response = await this.#send('GET', path, { scope, signal, headers });
    if (!response.ok) throw errorOf(response, await response.text());
    return response;
  }

  /**
   * Waits for an action that a call with `wait: false` left pending. Its result, as the call would have answered.
   * Errors: ProblemError with the action's own refusal; those of `request`.
   */
  async waitForAction(
    actionId: string,
    options: CallOptions & { readonly lookEveryMs?: number } = {},
  ): Promise<ActionResult> {
    const { signal, timeoutMs = Infinity, lookEveryMs = LOOK_EVERY_MS } = options;
    const started = performance.now();
    for (;;) {
      const { status, result, error } = await this.getAction(actionId, { signal });
      if (result !== undefined) return result;
      if (error !== undefined) throw new ProblemError(error);
      if (performance.now() - started >= timeoutMs)
        throw new TimeoutError(`The action is still ${status} after ${timeoutMs} ms; it continues.`);
      await pause(lookEveryMs, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted());
    }
  }

  /** Cards as they arrive and are decided, the waiting ones first. For the operator; ends with the signal. */
  async *approvals(options: StreamOptions = {}): AsyncGenerator<ApprovalCard, void, undefined> {
    const from = { ...options, scope: 'operator' } as const;
    // Opened before the list is read, so that no card falls between the two.
    let opened: Response | undefined = await this.#open('/v1/events', from, options.lastEventId);
    const events = streamOf(async (lastEventId) => {
      const response = opened ?? (await this.#open('/v1/events', from, lastEventId));
      opened = undefined;
      return response;
    }, options);
    const { approvals } = await this.listApprovals({ signal: options.signal });
    const seen = new Set<string>();
    const isNew = ({ approvalId, status }: ApprovalCard): boolean => {
      const isFirst = !seen.has(approvalId + status);
      seen.add(approvalId + status);
      return isFirst;
    };
    for (const card of approvals) if (isNew(card)) yield card;
    for await (const { type, data } of events) {
      const { card } = data as { card?: ApprovalCard };
      if (type.startsWith('approval.') && card !== undefined && isNew(card)) yield card;
    }
  }

  /**
   * Runs an action by its name in kebab-case, for callers that learn names at run time. An action that acts gets a key of
   * its own where the caller gives none; an error without an answer from the host has it.
   */
  async run(
    name: string,
    input?: unknown,
    options: ActionOptions | StartOptions = {},
  ): Promise<ActionResult | PendingAction> {
    const { session = this.session, observe, wait = true, signal, timeoutMs } = options;
    const idempotencyKey = options.idempotencyKey ?? (READS.has(name) ? undefined : randomUUID());
    const query = new URLSearchParams({
      ...(observe === undefined ? {} : { observe }),
      ...(wait ? {} : { wait: '0' }),
    });
    const path = `/v1/actions/${encodeURIComponent(name)}${query.size > 0 ? `?${query.toString()}` : ''}`;
    const sent = {
      body: input ?? {},
      session,
      signal,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
    };
    return this.json<ActionResult | PendingAction>('POST', path, sent).catch((error: unknown) => {
      if (error instanceof ConnectionError || error instanceof TimeoutError) error.idempotencyKey = idempotencyKey;
      throw error;
    });
  }

  /**
   * A window by its title, or by `hwnd` or `pid`, in a session of its own: `host.window('Notepad').element('Find what').value()`.
   * Nothing is sent before it is used.
   */
  window(query: string | BindToWindowInput, options: HandleOptions = {}): WindowHandle {
    const session = `${this.session.slice(0, 56)}-w${(this.#windows += 1)}`;
    const own = new UiaHostClient({ url: this.url, token: this.#tokenOf, session, timeoutMs: this.#timeoutMs });
    return new WindowHandle(own.actions, typeof query === 'string' ? { title: query } : query, options);
  }

  /** The given interface: `const executor: ComputerExecutor = client.executor()`. */
  executor(options: ExecutorOptions = {}): ClientExecutor {
    return createExecutor(this, options);
  }

  #actions(): Actions {
    const methods = Object.entries(ACTIONS).map(([method, name]) => [
      method,
      (input?: unknown, options?: ActionOptions) => this.run(name, input, options),
    ]);
    return Object.fromEntries(methods) as Actions;
  }

  /** @internal Calls a row of the table with the arguments of its method. */
  callRoute(row: RouteRow, given: readonly unknown[]): unknown {
    const rest = [...given];
    const path = row.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift())));
    const body = row.hasBody === true ? rest.shift() : undefined;
    const options = (rest.shift() ?? {}) as CallOptions & StreamOptions & Record<string, unknown>;
    const query = new URLSearchParams(
      (row.query ?? []).flatMap((name): Array<[string, string]> =>
        options[name] === undefined ? [] : [[name, String(options[name])]],
      ),
    );
    const place = query.size > 0 ? `${path}?${query.toString()}` : path;
    if (row.answers === 'events')
      return this.stream(place, { ...options, scope: row.scope === 'operator' ? 'operator' : 'agent' });
    const headers = Object.entries(row.headers ?? {}).flatMap(([name, header]) => {
      const value = options[name] ?? (name === 'session' ? this.session : undefined);
      return value === undefined ? [] : [[header, String(value)] as const];
    });
    const { signal, timeoutMs } = options;
    // An agent may abort a session by the route that takes decisions; a signed one needs no right.
    const decides = typeof (body as { decision?: unknown } | null | undefined)?.decision === 'string';
    const sent = {
      body,
      scope: decides ? ('operator' as const) : row.scope,
      signal,
      headers: Object.fromEntries(headers),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    };
    return row.answers === 'bytes' ? this.#bytes(place, sent) : this.json(row.method, place, sent);
  }

  async #bytes(path: string, options: RequestOptions): Promise<Uint8Array> {
    const response = await this.request('GET', path, options);
    if (!response.ok) throw errorOf(response, await response.text());
    return new Uint8Array(await response.arrayBuffer());
  }
}

for (const [name, row] of Object.entries(ROUTES))
  Object.defineProperty(UiaHostClient.prototype, name, {
    value(this: UiaHostClient, ...given: unknown[]) {
      return this.callRoute(row, given);
    },
    writable: true,
    configurable: true,
  });
