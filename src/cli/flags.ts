// What commands share: their context, commands that ask one route, flags from an input schema, and input from flags.
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { MAX_DEPTH, parseStrictJson, textOf } from '../contract/json/strict-json.ts';
import type { CatalogEntry } from '../host/face/host.ts';
import { UiaHostClient } from '../client/client.ts';
import { AnsweredError, printable, UsageError, type Output } from './output.ts';
import type { Scope } from '../client/calls.ts';
import { isLoopback } from '../contract/process/host-file.ts';
import { readSetting } from '../contract/process/settings.ts';
import { attempt } from '../contract/attempt.ts';

/** Passed to every command. */
export interface CliContext {
  readonly output: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  connect(): Promise<UiaHostClient>;
}

/** `remote`: the host that the command line names, once it is read. */
export function createContext(
  output: Output,
  env: NodeJS.ProcessEnv,
  version: string,
  remote: () => RemoteHost | undefined,
): CliContext {
  let connection: Promise<UiaHostClient> | undefined;
  const connect = async (): Promise<UiaHostClient> => {
    const other = remote();
    return other === undefined ? UiaHostClient.connect({ env }) : remoteClient(other, env);
  };
  return { output, env, version, connect: () => (connection ??= connect()) };
}

/** Global options, which every command accepts. */
interface GlobalOptions {
  readonly json: boolean;
  readonly session: string | undefined;
  /** The host that is asked, where it is not this machine's. */
  readonly remote: RemoteHost | undefined;
}

/** The session of commands that name none: a program over HTTP that names none has `default`, and another window. */
export const CLI_SESSION = 'cli';

export function globalsOf(command: Command): GlobalOptions {
  const { json, session, host, tokenFile } = command.optsWithGlobals<{
    json?: boolean;
    session?: string;
    host?: string;
    tokenFile?: string;
  }>();
  return { json: json === true, session, remote: host === undefined ? undefined : { url: host, tokenFile } };
}

/** What a command that asks a route was given. */
export interface RouteCall<Flags> {
  readonly host: UiaHostClient;
  readonly words: readonly [string, string?];
  readonly flags: Flags;
  readonly session: string | undefined;
}

interface RouteCommand<Flags, Answer> {
  /** Name and arguments, as Commander reads them. */
  readonly usage: string;
  readonly about: string;
  /** Calls the method that the client has for the route. */
  ask(asked: RouteCall<Flags>): Promise<Answer>;
  /** The answer as a person reads it. With `--json` it is printed as it came. */
  show(answer: Answer, asked: RouteCall<Flags>): string | Promise<string>;
}

/** Adds a command that asks one route of the host. */
export function addRouteCommand<Flags, Answer>(
  parent: Command,
  context: CliContext,
  { usage, about, ask, show }: RouteCommand<Flags, Answer>,
): Command {
  return parent
    .command(usage)
    .description(about)
    .action(async (...given: unknown[]) => {
      const command = given.pop() as Command;
      const flags = given.pop() as Flags;
      const { json, session } = globalsOf(command);
      const asked = { host: await context.connect(), words: given as unknown as [string, string?], flags, session };
      const answer = await ask(asked);
      context.output.out(json ? JSON.stringify(answer) : await show(answer, asked));
    });
}

/** What a command says: `value` with `--json`, else `text`, and a note to a person. `status`: its exit status, if not 0. */
export interface Answer {
  readonly value: unknown;
  readonly text: string;
  readonly note?: string | undefined;
  readonly status?: number | undefined;
}

/** How a command was called. */
export interface Call extends CliContext {
  readonly isJson: boolean;
  readonly session: string | undefined;
  /** Every word after the command's name that is not one of its own options. */
  readonly words: readonly string[];
}

export function print({ output, isJson }: Call, { value, text, note }: Answer): void {
  output.out(isJson ? JSON.stringify(value) : text);
  if (note !== undefined && !isJson) output.err(note);
}

/**
 * Adds commands of these words, each with its work, which gets its words, its flags and the call; null where it has printed itself.
 * As in the library, nothing ties the types of words and flags to the command's.
 */
export const adding =
  (parent: Command, context: CliContext) =>
  (words: string, work: (...given: never[]) => Promise<Answer | null>): Command =>
    parent.command(words).action(async (...given: unknown[]) => {
      const command = given.pop() as Command;
      const { json: isJson, session } = globalsOf(command);
      const call: Call = { ...context, isJson, session, words: command.args };
      const answer = await work(...([...given, call] as never[]));
      if (answer === null) return;
      print(call, answer);
      if (answer.status !== undefined) throw new AnsweredError(answer.status);
    });
export type Add = ReturnType<typeof adding>;

/** How often it is looked whether a card waits for a person (milliseconds). */
const NOTICE_AFTER_MS = 2000;

/** The call's answer. Names on standard error the card of its session that a person has to answer first, if there is one. */
export async function awaited<Answer>(context: CliContext, session: string, call: Promise<Answer>): Promise<Answer> {
  const look = async (): Promise<void> => {
    const { approvals } = await (await context.connect()).listApprovals({ status: 'pending' });
    const card = approvals.find(({ owner, sessionId }) => sessionId === session || owner?.endsWith(`/${session}`));
    if (card === undefined) return;
    clearInterval(notice);
    context.output.err(
      printable(`Waiting for a person’s answer to ${card.approvalId}: ${card.summary} Ctrl+C cancels.`),
    );
  };
  const notice = setInterval(() => void look().catch(() => {}), NOTICE_AFTER_MS);
  return call.finally(() => clearInterval(notice));
}

interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
  readonly description?: string;
}

/** A flag that sets one field of an action's input. */
export interface Flag {
  readonly field: string;
  readonly option: Option;
}

const kebab = (camel: string): string =>
  camel.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');

function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Expected a number.');
  return value;
}

/** A whole number as such, anything else as text. */
const parseNumberOrText = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);

export function parseJson(text: string): unknown {
  try {
    return parseStrictJson(text, { depth: MAX_DEPTH });
  } catch (error) {
    throw new InvalidArgumentError(`Expected JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parseBoolean(text: string): boolean {
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw new InvalidArgumentError('Expected true or false.');
}

const repeated =
  (parse: (text: string) => unknown) =>
  (text: string, before: unknown[] | undefined): unknown[] => [...(before ?? []), parse(text)];

function optionOf(name: string, schema: FieldSchema): Option {
  const flag = `--${kebab(name)}`;
  const meaning = schema.description ?? '';
  const texts = schema.enum?.filter((value): value is string => typeof value === 'string') ?? [];
  if (texts.length > 0 && texts.length === schema.enum?.length)
    return new Option(`${flag} <choice>`, meaning).choices(texts);
  const kinds = schema.anyOf?.map(({ type }) => type).sort();
  if (kinds?.join() === 'integer,string')
    return new Option(`${flag} <number or text>`, meaning).argParser(parseNumberOrText);
  switch (schema.type) {
    case 'string':
      return new Option(`${flag} <text>`, meaning);
    case 'integer':
    case 'number':
      return new Option(`${flag} <number>`, meaning).argParser(parseNumber);
    // Without a value the flag means true; `--flag false` means false.
    case 'boolean':
      return new Option(`${flag} [true|false]`, meaning).preset('true').argParser(parseBoolean);
    case 'array': {
      const { items = {} } = schema;
      if (items.type === 'string')
        return new Option(`${flag} <text>`, `${meaning} Repeatable.`.trim()).argParser(repeated((text) => text));
      if (items.type === 'integer' || items.type === 'number')
        return new Option(`${flag} <number>`, `${meaning} Repeatable.`.trim()).argParser(repeated(parseNumber));
      return new Option(`${flag} <json>`, `${meaning} A JSON list.`.trim()).argParser(parseJson);
    }
    default:
      return new Option(`${flag} <json>`, `${meaning} JSON.`.trim()).argParser(parseJson);
  }
}

/** An action's flags, derived from its input schema. */
export function flagsOf(entry: CatalogEntry): Flag[] {
  const properties = (entry.inputSchema['properties'] ?? {}) as Record<string, FieldSchema>;
  const required = new Set((entry.inputSchema['required'] as string[] | undefined) ?? []);
  return Object.entries(properties).map(([field, schema]) => {
    const option = optionOf(field, schema);
    // A required list may be empty: leaving out its flag means an empty list.
    if (required.has(field) && schema.type === 'array' && !option.flags.endsWith('<json>')) option.default([]);
    else if (required.has(field)) option.makeOptionMandatory();
    return { field, option };
  });
}

/** The action's input, built from the flags given. */
export function inputOf(flags: readonly Flag[], values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = flags
    .map(({ field, option }) => [field, values[option.attributeName()]] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** The text of a file that was named. Errors: UsageError with its name, after that of a flag. */
export function textIn(file: string, flag = ''): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new UsageError(`${flag}${file} cannot be read (${String((error as NodeJS.ErrnoException).code)}).`);
  }
  return utf8(bytes, `${flag}${file}`);
}

/** The text on standard input. Errors: UsageError. */
export const givenText = async (): Promise<string> => utf8(await buffer(process.stdin), 'Standard input');

function utf8(bytes: Uint8Array, what: string): string {
  const text = textOf(bytes);
  if (text === null) throw new UsageError(`${what} is not UTF-8, so nothing was done.`);
  return text;
}

/** Reads a flag that is a whole number. */
export function whole(from = 0, to = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= from && value <= to) return value;
    throw new InvalidArgumentError(
      `Expected a whole number${to < Number.MAX_SAFE_INTEGER ? `, ${from} to ${to}` : ''}.`,
    );
  };
}

export interface RemoteHost {
  readonly url: string;
  /** The file that `uiahost token make` wrote, or one with the token alone. */
  readonly tokenFile?: string | undefined;
}

/** One word: a token of any form that a host may have. */
const TOKEN = /^[\x21-\x7e]{16,512}$/;

/**
 * A client of that host. Its certificate proves the host; the tokens of this machine's own host are never sent to it.
 * Errors: UsageError for an address without TLS beyond loopback, and where no token is given.
 */
export function remoteClient({ url, tokenFile }: RemoteHost, env: NodeJS.ProcessEnv): UiaHostClient {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol) || address.username !== '')
    throw new UsageError('--host: expected the address of a host, such as https://pc17.example.com:7423.');
  if (address.protocol === 'http:' && !isLoopback(address.hostname.replace(/^\[|\]$/g, '')))
    throw new UsageError('--host: a host of another machine needs https: the token would be readable on the way.');
  const fromFile = tokenFile === undefined ? undefined : tokenIn(tokenFile);
  const token = (scope: Scope): string => {
    const variable = scope === 'agent' ? 'UIAHOST_AGENT_TOKEN' : 'UIAHOST_OPERATOR_TOKEN';
    const found = fromFile ?? readSetting(env, variable);
    if (found !== undefined) return found;
    throw new UsageError(
      `--host needs a token of that host: --token-file with the file that \`uiahost token make\` wrote, or ${variable}.`,
    );
  };
  return new UiaHostClient({ url: address.origin, token });
}

/** Errors: UsageError naming the file, never its content. */
export function tokenIn(file: string, flag = '--token-file'): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`${flag}: ${file} cannot be read (${String((error as NodeJS.ErrnoException).code)}).`);
  }
  const token = text.startsWith('{') ? tokenOf(text) : text;
  if (typeof token === 'string' && TOKEN.test(token)) return token;
  throw new UsageError(`${flag}: ${file} has no token. Expected what \`uiahost token make\` wrote.`);
}

function tokenOf(text: string): unknown {
  return attempt(() => (JSON.parse(text) as { token?: unknown }).token, undefined);
}
