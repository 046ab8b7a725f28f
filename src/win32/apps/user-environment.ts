/** The environment variables that the user's programs start with. */
import { readMemory } from '../../../native-bindings/library.ts';
import { TOKEN_DUPLICATE, TOKEN_QUERY } from '../../../native-bindings/win32/constants.ts';
import { userenv } from '../../../native-bindings/win32/userenv.ts';
import { Token } from '../system/given.ts';

/** Largest block that Windows allows for a process; limits the read. */
const MAX_UNITS = 32_767 * 4;
const PIECE_BYTES = 1024;

/** Variables by upper-case name, since Windows ignores case. */
export type Environment = ReadonlyMap<string, string>;

/**
 * The environment that the user's programs start with, instead of the host's, which may contain secrets.
 * Null if the system cannot create one: programs then inherit the host's. Source: learn.microsoft.com/windows/win32/api/userenv/nf-userenv-createenvironmentblock
 */
export function userEnvironment(): EnvironmentBlock | null {
  using token = Token.of(TOKEN_QUERY | TOKEN_DUPLICATE);
  return token === null ? null : blockOf(token.handle);
}

interface EnvironmentBlock extends Disposable {
  readonly block: bigint;
}

function blockOf(token: number): EnvironmentBlock | null {
  const memory = Buffer.alloc(8);
  if (!userenv.has('CreateEnvironmentBlock') || !userenv.CreateEnvironmentBlock(memory, token, false)) return null;
  const block = memory.readBigUInt64LE(0);
  return { block, [Symbol.dispose]: () => void userenv.DestroyEnvironmentBlock(block) };
}

/** `NAME=value` strings as a map. Entries for a drive's directory (`=C:=…`) are not variables. */
export function parseEnvironment(entries: readonly string[]): Environment {
  const variables = new Map<string, string>();
  for (const entry of entries) {
    const equals = entry.indexOf('=', 1);
    if (equals > 0 && !entry.startsWith('='))
      variables.set(entry.slice(0, equals).toUpperCase(), entry.slice(equals + 1));
  }
  return variables;
}

/** The strings of a block, up to the empty one. Read in small pieces: memory behind the block may not be readable. */
function blockEntries(address: bigint): string[] {
  let text = '';
  let at = address;
  for (let units = 0; units < MAX_UNITS && !text.includes('\0\0');) {
    // Up to the end of a page: the next page may not be mapped.
    const bytes = Math.min(PIECE_BYTES, 4096 - Number(at & 4095n));
    text += readMemory(at, bytes).toString('utf16le');
    at += BigInt(bytes);
    units += bytes / 2;
  }
  const end = text.indexOf('\0\0');
  return text.slice(0, Math.max(0, end)).split('\0');
}

/** The `NAME=value` strings that a user's programs start with, by a token of theirs; null if the system cannot create them. */
export function environmentOf(token: number): string[] | null {
  using environment = blockOf(token);
  return environment === null ? null : blockEntries(environment.block);
}

const nameOf = (entry: string): string => entry.slice(0, entry.indexOf('=', 1)).toUpperCase();

/** A block of these strings, sorted by name as Windows requires. */
export function toBlock(entries: readonly string[]): Buffer {
  const sorted = [...entries].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return Buffer.from(`${sorted.join('\0')}\0\0`, 'utf16le');
}

const entriesOf = (environment: ReturnType<typeof userEnvironment>): string[] =>
  environment === null
    ? Object.entries(process.env).map(([name, value]) => `${name}=${value ?? ''}`)
    : blockEntries(environment.block);

/**
 * A block with variables in addition to the user's.
 * Source: learn.microsoft.com/windows/win32/procthread/changing-environment-variables
 */
export function environmentBlock(added: Readonly<Record<string, string>>): Buffer {
  using environment = userEnvironment();
  const names = new Set(Object.keys(added).map((name) => name.toUpperCase()));
  return toBlock([
    ...entriesOf(environment).filter((entry) => entry !== '' && !names.has(nameOf(entry))),
    ...Object.entries(added).map(([name, value]) => `${name}=${value}`),
  ]);
}

/** The variables that the user's programs start with; this process's if the system cannot create a block. */
export function readUserEnvironment(): Environment {
  using environment = userEnvironment();
  return parseEnvironment(entriesOf(environment));
}
