/** What Windows gives and the caller has to free: memory, tokens, access lists made from text. */
import { addressOf } from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import { SDDL_REVISION_1, TokenUser } from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { sidAt } from './descriptor.ts';

/** Works with memory that Windows gave, and frees it. */
export function freed<T>(
  memory: bigint,
  work: (memory: bigint) => T,
  free: (memory: bigint) => unknown = (given) => kernel32.LocalFree(given),
): T {
  try {
    return work(memory);
  } finally {
    free(memory);
  }
}

/** Works with the security descriptor that this text describes. Errors: what `failed` makes where Windows makes none. */
export function withDescriptor<T>(sddl: string, failed: () => Error, work: (descriptor: bigint) => T): T {
  const descriptor = Buffer.alloc(8);
  if (!advapi32.ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, SDDL_REVISION_1, descriptor, null))
    throw failed();
  return freed(descriptor.readBigUInt64LE(0), work);
}

/** An open token, closed when it goes out of scope. */
export class Token implements Disposable {
  readonly handle: number;

  /** `memory`: where a call of Windows put it. */
  constructor(memory: Buffer) {
    this.handle = Number(memory.readBigUInt64LE(0));
  }

  /** A process’s token, its own by default; null if it may not be opened. */
  static of(access: number, process: number = kernel32.GetCurrentProcess()): Token | null {
    const token = Buffer.alloc(8);
    return advapi32.OpenProcessToken(process, access, token) ? new Token(token) : null;
  }

  [Symbol.dispose](): void {
    kernel32.CloseHandle(this.handle);
  }
}

/** A token of a member of 1,000 groups, Windows' limit, fits several times. */
const MOST_BYTES = 256 * 1024;

export function tokenInformation(token: Token, kind: number): Buffer | null {
  const data = Buffer.alloc(MOST_BYTES);
  return advapi32.GetTokenInformation(token.handle, kind, data, data.length, Buffer.alloc(4)) ? data : null;
}

/** The SID that an address within the same memory leads to. */
export const sidIn = (data: Buffer, at: number): string =>
  sidAt(data, Number(data.readBigUInt64LE(at) - addressOf(data)));

/** SID of a token's user; null if it cannot be read. */
export function userOfToken(token: Token): string | null {
  const user = tokenInformation(token, TokenUser);
  return user === null ? null : sidIn(user, 0);
}
