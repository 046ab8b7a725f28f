import { readMemory } from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { userenv } from '../../../native-bindings/win32/userenv.ts';

const TOKEN_QUERY = 0x0008;
const TOKEN_DUPLICATE = 0x0002;
/** Windows allows no larger block for one process; also the bound of what is read. */
const MOST_UNITS = 32_767 * 4;
const PIECE_BYTES = 1024;

/** Variables by upper-case name; their names are compared without case on Windows. */
export type Environment = ReadonlyMap<string, string>;

/**
 * The environment that the user's own programs start with: not the host's, which may hold what is nobody's business.
 * Null where the system does not make one; then programs inherit. Source: learn.microsoft.com/windows/win32/api/userenv/nf-userenv-createenvironmentblock
 */
export function userEnvironment(): (Disposable & { readonly block: bigint }) | null {
  const token = Buffer.alloc(8);
  if (
    !userenv.has('CreateEnvironmentBlock') ||
    !advapi32.OpenProcessToken(kernel32.GetCurrentProcess(), TOKEN_QUERY | TOKEN_DUPLICATE, token)
  )
    return null;
  const handle = Number(token.readBigUInt64LE(0));
  try {
    const block = Buffer.alloc(8);
    if (!userenv.CreateEnvironmentBlock(block, handle, false)) return null;
    const address = block.readBigUInt64LE(0);
    return {
      block: address,
      [Symbol.dispose]() {
        userenv.DestroyEnvironmentBlock(address);
      },
    };
  } finally {
    kernel32.CloseHandle(handle);
  }
}

/** `NAME=value` strings as a map. Entries of a drive's directory (`=C:=…`) are no variables. */
export function parseEnvironment(entries: readonly string[]): Environment {
  const variables = new Map<string, string>();
  for (const entry of entries) {
    const equals = entry.indexOf('=', 1);
    if (equals > 0 && !entry.startsWith('='))
      variables.set(entry.slice(0, equals).toUpperCase(), entry.slice(equals + 1));
  }
  return variables;
}

/** The strings of a block, up to the empty one. In small pieces: what lies behind the block's end may not be readable. */
function blockEntries(address: bigint): string[] {
  let text = '';
  let at = address;
  for (let units = 0; units < MOST_UNITS && !text.includes('\0\0');) {
    // Up to the end of a page: the block ends in a page that is there, the next one need not be.
    const bytes = Math.min(PIECE_BYTES, 4096 - Number(at & 4095n));
    text += readMemory(at, bytes).toString('utf16le');
    at += BigInt(bytes);
    units += bytes / 2;
  }
  const end = text.indexOf('\0\0');
  return text.slice(0, Math.max(0, end)).split('\0');
}

const entriesOf = (environment: ReturnType<typeof userEnvironment>): string[] =>
  environment === null
    ? Object.entries(process.env).map(([name, value]) => `${name}=${value ?? ''}`)
    : blockEntries(environment.block);

/**
 * The block of a program that gets variables of its own beside the user's, sorted by name as Windows wants it.
 * Source: learn.microsoft.com/windows/win32/procthread/changing-environment-variables
 */
export function environmentBlock(added: Readonly<Record<string, string>>): Buffer {
  using environment = userEnvironment();
  const names = new Set(Object.keys(added).map((name) => name.toUpperCase()));
  const nameOf = (entry: string): string => entry.slice(0, entry.indexOf('=', 1)).toUpperCase();
  const entries = [
    ...entriesOf(environment).filter((entry) => entry !== '' && !names.has(nameOf(entry))),
    ...Object.entries(added).map(([name, value]) => `${name}=${value}`),
  ];
  entries.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return Buffer.from(`${entries.join('\0')}\0\0`, 'utf16le');
}

/** The variables that the user's own programs start with; those of this process where the system makes no block. */
export function readUserEnvironment(): Environment {
  using environment = userEnvironment();
  return parseEnvironment(entriesOf(environment));
}
