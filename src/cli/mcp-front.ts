/**
 * `uiahost mcp` before any call: answers what needs no host at once (some clients wait a second for a server), and passes
 * all else to the bridge, which connects to the host and starts it if there is none. Loads no other part of the command.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectoryOf } from '../client/locate.ts';
import { attempt } from '../contract/attempt.ts';
import answers from './mcp-answers.generated.json' with { type: 'json' };
import { textOf } from '../contract/json/strict-json.ts';
import type { BridgeOptions, McpBridge } from './mcp-bridge.ts';

/** How long calls continue after the input has ended: enough for a piped call, too short for a person to answer a client that has gone. */
const LASTING_LEFT_MS = 1500;
/** How long the others continue then. */
const SHORT_LEFT_MS = 10_000;

const PARSE_ERROR = -32700;

type Answer = Record<string, unknown>;
const ANSWERS = answers.answers as unknown as Readonly<Record<string, Answer>>;
const MORE = answers.more as unknown as Readonly<Record<string, Answer>>;
const CAPS = answers.caps as Readonly<Record<string, readonly string[]>>;

interface ClientMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: {
    readonly protocolVersion?: unknown;
    readonly cursor?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

/** The tools of these capabilities; null for an unknown one, which the host refuses. */
function toolsOf(caps: string | undefined): ReadonlySet<string> | null {
  const asked = (caps ?? '').split(',').map((cap) => cap.trim());
  const known = asked.filter((cap) => cap !== '');
  if (known.includes('all')) return new Set([...answers.always, ...Object.values(CAPS).flat()]);
  if (known.some((cap) => !Object.hasOwn(CAPS, cap))) return null;
  return new Set([...answers.always, ...['core', ...known].flatMap((cap) => CAPS[cap] ?? [])]);
}

/** What the host would answer; null for what only the host can answer. */
function localAnswer({ method, params }: ClientMessage, caps: string | undefined): Answer | null {
  if (typeof method !== 'string') return null;
  const { _meta: meta } = params ?? {};
  const revision = meta?.['io.modelcontextprotocol/protocolVersion'];
  if (revision !== undefined && revision !== answers.stateless) return null;
  if (method === 'ping' && revision === undefined) return {};
  const isStateless = revision !== undefined;
  if (!Object.hasOwn(isStateless ? MORE : ANSWERS, method) || params?.cursor !== undefined) return null;
  const shown = toolsOf(caps);
  if (shown === null) return null;
  const answer: Answer = { ...ANSWERS[method], ...(isStateless ? MORE[method] : {}) };
  if (method === 'tools/list')
    return { ...answer, tools: (answer['tools'] as Array<{ name: string }>).filter(({ name }) => shown.has(name)) };
  if (method !== 'initialize') return answer;
  const { protocolVersion } = params ?? {};
  return typeof protocolVersion === 'string' && answers.revisions.includes(protocolVersion)
    ? { ...answer, protocolVersion }
    : null;
}

const hasRoutines = ({ env }: BridgeOptions): boolean =>
  attempt(() => readdirSync(join(dataDirectoryOf(env), 'routines')).some((file) => file.endsWith('.yaml')), false);

/** Answers the first messages itself; from the first message that it cannot answer, the bridge answers. */
export class McpFront {
  readonly #options: BridgeOptions;
  #bridge: Promise<McpBridge> | undefined;
  /** The line of `initialize`, for the host to know the client by. */
  #introduction: string | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Handles one line from the client; resolves when its answer, if any, is written. */
  async accept(bytes: Uint8Array): Promise<void> {
    const line = textOf(bytes);
    if (line === null) {
      const error = { code: PARSE_ERROR, message: 'The line is not valid UTF-8; nothing was done.' };
      this.#options.write({ jsonrpc: '2.0', id: idOf(parsed(new TextDecoder().decode(bytes))), error });
      return;
    }
    if (line.trim() === '') return;
    const asked = parsed(line);
    const answer = asked === null ? null : this.#answer(asked);
    if (asked?.method === 'initialize' && answer !== null) this.#introduction = line;
    if (answer !== null) {
      this.#options.write({ jsonrpc: '2.0', id: asked!.id, result: answer });
      return;
    }
    // The host knows of the client by its introduction.
    if (this.#bridge === undefined && isIdle(asked)) return;
    const bridge = await (this.#bridge ??= this.#open());
    await bridge.accept(line, idOf(asked));
  }

  #answer(asked: ClientMessage): Answer | null {
    if (asked.id === undefined || asked.id === null) return null;
    // Once there is a connection, only the host knows the latest pictures.
    if (asked.method === 'resources/list' && this.#bridge !== undefined) return null;
    // Routines that are kept are tools too, and only the host knows which of them are agreed to.
    if (asked.method === 'tools/list' && hasRoutines(this.#options)) return null;
    return localAnswer(asked, this.#options.caps);
  }

  async #open(): Promise<McpBridge> {
    const { McpBridge } = await import('./mcp-bridge.ts');
    const { write } = this.#options;
    const introduction = this.#introduction;
    const bridge = new McpBridge({ ...this.#options, write });
    if (introduction !== undefined) await bridge.introduce(introduction);
    return bridge;
  }

  /** The client has gone: cancels its calls by closing their connections. `lasting`: only long calls. */
  async close(which: 'lasting' | 'all' = 'all'): Promise<void> {
    (await this.#bridge)?.close(which);
  }
}

const NEW_LINE = 0x0a;

/** The lines of a stream as they came, without their ends: whether they are text is known once they are whole. */
export async function* linesOf(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = [];
  for await (const chunk of input) {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let end = rest.indexOf(NEW_LINE); end >= 0; end = rest.indexOf(NEW_LINE)) {
      yield Buffer.concat([...begun, rest.subarray(0, end)]);
      begun = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) begun.push(rest);
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

function parsed(line: string): ClientMessage | null {
  const value = attempt<unknown, null>(() => JSON.parse(line), null);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

/**
 * The id of a line that is refused as a whole, where it is certain: a client waits for the answer to its id, and gives up on one
 * without it only when its time is over.
 */
function idOf(asked: ClientMessage | null): string | number | null {
  const id = asked?.id;
  if (typeof id === 'string') return id.includes('\ufffd') ? null : id;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}

/** A notification that says nothing before the first call. */
const isIdle = (asked: ClientMessage | null): boolean =>
  asked !== null && asked.id === undefined && String(asked.method).startsWith('notifications/');

/** Without a name each client gets its own session, so that two clients do not share a binding by accident. */
export const ownSession = (): string => `stdio-${randomBytes(6).toString('hex')}`;

/** Serves standard input until it ends. */
export async function serveStdio(options: Omit<BridgeOptions, 'write'>): Promise<void> {
  const front = new McpFront({
    ...options,
    write: (message) => void process.stdout.write(`${JSON.stringify(message)}\n`),
  });
  // The client has gone: nothing reads the output.
  process.stdout.on('error', () => process.exit(0));
  const running = new Set<Promise<void>>();
  for await (const line of linesOf(process.stdin)) {
    const one = front.accept(line).finally(() => running.delete(one));
    running.add(one);
  }
  // Piped calls are answered; calls of a client that has gone are cancelled.
  const timers = [
    setTimeout(() => void front.close('lasting'), LASTING_LEFT_MS),
    setTimeout(() => void front.close(), SHORT_LEFT_MS),
  ];
  await Promise.allSettled(running);
  for (const timer of timers) clearTimeout(timer);
}

export const SESSION = /^[A-Za-z0-9_-]{1,64}$/;

/** The options of a plain `uiahost mcp` command line; null for any other, which the whole command reads. */
export function plainOptions(args: readonly string[]): Omit<BridgeOptions, 'write' | 'env'> | null {
  const [command, ...rest] = args;
  if (command !== 'mcp') return null;
  const given: Record<string, string> = {};
  for (let at = 0; at < rest.length; at += 2) {
    const name = /^--(caps|server|session|host|token-file)$/.exec(rest[at]!)?.[1];
    const value = rest[at + 1];
    if (name === undefined || value === undefined || value.startsWith('-')) return null;
    given[name] = value;
  }
  const { session, host: url, 'token-file': tokenFile } = given;
  if ((session !== undefined && !SESSION.test(session)) || (tokenFile !== undefined && url === undefined)) return null;
  return {
    session: session ?? ownSession(),
    caps: given['caps'],
    server: given['server'],
    remote: url === undefined ? undefined : { url, tokenFile },
  };
}
