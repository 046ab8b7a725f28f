/** Integrity levels of processes, and which of them are above the host's (UIPI). */
import { addressOf } from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import {
  ERROR_ACCESS_DENIED,
  SECURITY_MANDATORY_HIGH_RID,
  SECURITY_MANDATORY_LOW_RID,
  SECURITY_MANDATORY_MEDIUM_RID,
  SECURITY_MANDATORY_SYSTEM_RID,
  TOKEN_QUERY,
  TokenIntegrityLevel,
} from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import type { Integrity } from '../../contract/element/binding.ts';

/** Integrity of a token as Windows orders it: the last part of its mandatory label's SID. */
export interface IntegrityLevel {
  readonly level: Integrity;
  /** 0x1000 low, 0x2000 medium, 0x3000 high, 0x4000 system; null if it may not be read. */
  readonly rank: number | null;
  /** Windows denied access: the process has more rights than the host. */
  readonly isRefused: boolean;
}

/** Source: learn.microsoft.com/windows/win32/secauthz/mandatory-integrity-control, winnt.h SECURITY_MANDATORY_*_RID */
export function integrityOfRank(rank: number): Integrity {
  if (rank < SECURITY_MANDATORY_LOW_RID) return 'untrusted';
  if (rank < SECURITY_MANDATORY_MEDIUM_RID) return 'low';
  if (rank < SECURITY_MANDATORY_HIGH_RID) return 'medium';
  if (rank < SECURITY_MANDATORY_SYSTEM_RID) return 'high';
  return 'system';
}

/** Integrity of a process by its handle (PROCESS_QUERY_LIMITED_INFORMATION). Source: learn.microsoft.com/windows/win32/api/winnt/ns-winnt-token_mandatory_label */
export function integrityOf(process: number): IntegrityLevel {
  const token = Buffer.alloc(8);
  if (!advapi32.OpenProcessToken(process, TOKEN_QUERY, token)) {
    return { level: 'unknown', rank: null, isRefused: kernel32.GetLastError() === ERROR_ACCESS_DENIED };
  }
  const handle = Number(token.readBigUInt64LE(0));
  try {
    const label = Buffer.alloc(128);
    const needed = Buffer.alloc(4);
    if (!advapi32.GetTokenInformation(handle, TokenIntegrityLevel, label, label.length, needed))
      return { level: 'unknown', rank: null, isRefused: false };
    // TOKEN_MANDATORY_LABEL begins with a pointer to its SID, which is in the same memory: revision, count, authority, parts.
    const sid = Number(label.readBigUInt64LE(0) - addressOf(label));
    const parts = label.readUInt8(sid + 1);
    const rank = label.readUInt32LE(sid + 8 + (parts - 1) * 4);
    return { level: integrityOfRank(rank), rank, isRefused: false };
  } finally {
    kernel32.CloseHandle(handle);
  }
}

let own: IntegrityLevel | undefined;

/** Integrity of this process; it does not change while a process lives. */
export function ownIntegrity(): IntegrityLevel {
  return (own ??= integrityOf(kernel32.GetCurrentProcess()));
}

/**
 * Whether Windows drops our input to a process of this integrity (UIPI): it is higher than ours, or may not
 * even be read. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-postmessagew (UIPI)
 */
export function isAboveUs(level: IntegrityLevel, ours: IntegrityLevel = ownIntegrity()): boolean {
  if (level.rank === null || ours.rank === null) return level.isRefused;
  return level.rank > ours.rank;
}
