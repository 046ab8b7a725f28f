/** What a process is: its creation time, application, integrity. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import type { AppIdentity, Integrity } from '../../contract/element/binding.ts';
import { identify } from './identity.ts';
import { PROCESSENTRY32W, MIB_TCPROW_OWNER_PID } from '../../../native-bindings/win32/structs.ts';
import { ownUserSid } from './acl.ts';
import { sidIn, Token, tokenInformation, userOfToken } from './given.ts';
import { iphlpapi } from '../../../native-bindings/win32/iphlpapi.ts';

// Integrity levels of processes, and which of them are above the host's (UIPI).

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
  if (rank < m.SECURITY_MANDATORY_LOW_RID) return 'untrusted';
  if (rank < m.SECURITY_MANDATORY_MEDIUM_RID) return 'low';
  if (rank < m.SECURITY_MANDATORY_HIGH_RID) return 'medium';
  if (rank < m.SECURITY_MANDATORY_SYSTEM_RID) return 'high';
  return 'system';
}

/** Integrity of a process by its handle (PROCESS_QUERY_LIMITED_INFORMATION). Source: learn.microsoft.com/windows/win32/api/winnt/ns-winnt-token_mandatory_label */
function integrityOf(process: number): IntegrityLevel {
  using token = Token.of(m.TOKEN_QUERY, process);
  if (token === null)
    return { level: 'unknown', rank: null, isRefused: kernel32.GetLastError() === m.ERROR_ACCESS_DENIED };
  const label = tokenInformation(token, m.TokenIntegrityLevel);
  if (label === null) return { level: 'unknown', rank: null, isRefused: false };
  // TOKEN_MANDATORY_LABEL begins with a pointer to its SID, whose last part is the rank.
  const rank = Number(sidIn(label, 0)?.split('-').at(-1));
  return { level: integrityOfRank(rank), rank, isRefused: false };
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

/** Whether a process runs as this user and with no lower integrity: it may do all that this process may. */
export function isOurEqual(process: number): boolean {
  using token = Token.of(m.TOKEN_QUERY, process);
  const rank = integrityOf(process).rank ?? 0;
  return token !== null && userOfToken(token) === ownUserSid() && rank >= (ownIntegrity().rank ?? 0);
}

/** What a process is; none of it changes while it lives. */
export interface ProcessFacts {
  readonly pid: number;
  /** 100 ns ticks since 1601, decimal; "0" if unknown. With the pid it identifies a process permanently. */
  readonly created: string;
  readonly app: AppIdentity;
  readonly integrity: Integrity;
  /** Windows drops our input to its windows. */
  readonly isElevated: boolean;
}

const known = new Map<number, ProcessFacts>();
/** Ended processes are removed from the table at this size; a desktop has some dozens with windows. */
const SWEEP_AT = 512;

const times = { created: Buffer.alloc(8), ended: Buffer.alloc(8), kernel: Buffer.alloc(8), user: Buffer.alloc(8) };

/**
 * Runs `work` with a handle of the process, and closes it; null if it may not be opened. Its rights are enough to identify
 * the process, and granted for processes of higher integrity too.
 */
export function withProcess<T>(pid: number, work: (handle: number) => T): T | null {
  const handle = kernel32.OpenProcess(m.PROCESS_QUERY_LIMITED_INFORMATION, false, pid);
  if (handle === 0) return null;
  try {
    return work(handle);
  } finally {
    kernel32.CloseHandle(handle);
  }
}

/** Creation time in 100 ns ticks since 1601. Source: learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-getprocesstimes */
function creationTime(handle: number): string {
  return kernel32.GetProcessTimes(handle, times.created, times.ended, times.kernel, times.user)
    ? times.created.readBigUInt64LE(0).toString()
    : '0';
}

/** Whether a process has ended; Windows keeps one, and can open it by its id, while any program has a handle of it. */
function hasEnded(handle: number): boolean {
  return (
    kernel32.GetProcessTimes(handle, times.created, times.ended, times.kernel, times.user) &&
    times.ended.readBigUInt64LE(0) !== 0n
  );
}

/** Creation time of a process by id; null if it does not exist, has ended, or may not be opened. */
export function processCreated(pid: number): string | null {
  return withProcess(pid, (handle) => (hasEnded(handle) ? null : creationTime(handle)));
}

/** Full path of the program, as Windows spells it. Source: learn.microsoft.com/windows/win32/api/winbase/nf-winbase-queryfullprocessimagenamew */
export function executableOf(handle: number): string | null {
  for (const capacity of [1024, 32_768]) {
    const path = Buffer.allocUnsafe(capacity * 2);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(capacity, 0);
    if (kernel32.QueryFullProcessImageNameW(handle, 0, path, length))
      return path.toString('utf16le', 0, length.readUInt32LE(0) * 2);
  }
  return null;
}

/** A process that could not be opened; called right after the failure. */
const closedProcess = (pid: number): ProcessFacts => ({
  pid,
  created: '0',
  app: { bundleId: '', displayName: '', executable: null },
  integrity: 'unknown',
  isElevated: kernel32.GetLastError() === m.ERROR_ACCESS_DENIED,
});

function factsBehind(handle: number, pid: number): ProcessFacts {
  const created = creationTime(handle);
  const cached = known.get(pid);
  if (cached?.created === created) return cached;
  const integrity = integrityOf(handle);
  const facts: ProcessFacts = {
    pid,
    created,
    app: identify(handle, executableOf(handle)),
    integrity: integrity.level,
    isElevated: isAboveUs(integrity),
  };
  if (known.size >= SWEEP_AT)
    for (const other of known.values()) if (processCreated(other.pid) !== other.created) known.delete(other.pid);
  known.set(pid, facts);
  return facts;
}

/**
 * What a process is. The creation time is read each time, so that a reused pid is never mistaken for the old process.
 */
export function processFacts(pid: number): ProcessFacts {
  return withProcess(pid, (handle) => factsBehind(handle, pid)) ?? closedProcess(pid);
}

/**
 * Process facts for repeated queries. A handle of each process is held, and meanwhile Windows does not reuse its pid, so
 * cached facts stay valid. Source: learn.microsoft.com/windows/win32/procthread/process-handles-and-identifiers
 */
export class HeldProcesses {
  readonly #held = new Map<number, { readonly handle: number; readonly facts: ProcessFacts }>();
  /** Exit codes, by pid and creation time. */
  readonly #ended = new Map<string, number>();

  facts(pid: number): ProcessFacts {
    const held = this.#held.get(pid);
    if (held !== undefined) return held.facts;
    const handle = kernel32.OpenProcess(m.PROCESS_QUERY_LIMITED_INFORMATION, false, pid);
    if (handle === 0) return closedProcess(pid);
    const facts = factsBehind(handle, pid);
    this.#held.set(pid, { handle, facts });
    return facts;
  }

  /** Creation time of a process; null once it has ended, or if it may not be opened. Only that is asked again. */
  created(pid: number): string | null {
    if (!this.#held.has(pid)) this.#sweep();
    const { created } = this.facts(pid);
    const held = this.#held.get(pid);
    if (held !== undefined && !hasEnded(held.handle)) return created;
    if (held !== undefined) this.#close(pid, held.handle);
    return null;
  }

  /** How a process ended that was held until then; null where that is not known, or it runs. */
  exitCode(pid: number, created: string): number | null {
    this.created(pid);
    return this.#ended.get(`${pid} ${created}`) ?? null;
  }

  /** Releases ended processes, whose pids are then free; releases all if there are very many. */
  #sweep(): void {
    for (const [pid, { handle }] of this.#held)
      if (this.#held.size >= SWEEP_AT || hasEnded(handle)) this.#close(pid, handle);
  }

  #close(pid: number, handle: number): void {
    const created = this.#held.get(pid)?.facts.created ?? '0';
    const code = Buffer.alloc(4);
    if (this.#ended.size >= SWEEP_AT) this.#ended.clear();
    if (hasEnded(handle) && kernel32.GetExitCodeProcess(handle, code))
      this.#ended.set(`${pid} ${created}`, code.readUInt32LE(0));
    this.#held.delete(pid);
    kernel32.CloseHandle(handle);
  }

  /** Closes the handles of all other processes: an ended process stays in memory while a handle of it is open. */
  keepOnly(pids: ReadonlySet<number>): void {
    for (const [pid, { handle }] of this.#held) {
      if (!pids.has(pid)) this.#close(pid, handle);
    }
  }
}

/** Parent of every process. Source: learn.microsoft.com/windows/win32/api/tlhelp32/nf-tlhelp32-createtoolhelp32snapshot */
export function parentProcesses(): Map<number, number> {
  const parents = new Map<number, number>();
  const snapshot = kernel32.CreateToolhelp32Snapshot(m.TH32CS_SNAPPROCESS, 0);
  if (snapshot === m.INVALID_HANDLE_VALUE) return parents;
  try {
    const entry = PROCESSENTRY32W.alloc({ dwSize: PROCESSENTRY32W.size });
    for (let more = kernel32.Process32FirstW(snapshot, entry); more; more = kernel32.Process32NextW(snapshot, entry)) {
      parents.set(
        entry.readUInt32LE(PROCESSENTRY32W.at.th32ProcessID),
        entry.readUInt32LE(PROCESSENTRY32W.at.th32ParentProcessID),
      );
    }
  } finally {
    kernel32.CloseHandle(snapshot);
  }
  return parents;
}

/** Adds the descendants of the processes in `family`. Called repeatedly, it also follows through parents that have ended. */
export function growFamily(family: Set<number>, parents: ReadonlyMap<number, number> = parentProcesses()): void {
  for (let grown = true; grown;) {
    grown = false;
    for (const [pid, parent] of parents) {
      if (pid !== parent && family.has(parent) && !family.has(pid)) {
        family.add(pid);
        grown = true;
      }
    }
  }
}

/** Milliseconds from 1601, where Windows' file times begin, to 1970. */
const EPOCH_MS = 11_644_473_600_000;

/** Programs that a process started since a moment (of `Date.now`), itself or by others that it started. */
export class StartedPrograms {
  readonly #known = new Set<number>();

  /** Each process is reported once, and only while it runs. */
  since(pid: number, beginMs: number): AppIdentity[] {
    const family = new Set([pid]);
    growFamily(family);
    return [...family].flatMap((each) => {
      if (each === pid || this.#known.has(each)) return [];
      if (this.#known.size >= SWEEP_AT) this.#known.clear();
      this.#known.add(each);
      const created = Number(BigInt(processCreated(each) ?? 0) / 10_000n) - EPOCH_MS;
      return created < beginMs ? [] : [processFacts(each).app];
    });
  }
}

/** Identity of the program that the host runs as: AppUserModelID if it is packaged, else the lower-case path (docs/behaviour.md#identities). */
export function hostBundleId(): string {
  return processFacts(process.pid).app.bundleId;
}

/** The table grows between two calls; so often it is asked again. */
const TRIES = 4;

/**
 * Process that listens on the port; null if none does, or the system cannot say.
 * Source: learn.microsoft.com/windows/win32/api/iphlpapi/nf-iphlpapi-getextendedtcptable
 */
export function listenerOf(port: number): number | null {
  if (!iphlpapi.has('GetExtendedTcpTable')) return null;
  const size = Buffer.alloc(4);
  let table = Buffer.alloc(4096);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    size.writeUInt32LE(table.length);
    const result = iphlpapi.GetExtendedTcpTable(table, size, false, m.AF_INET, m.TCP_TABLE_OWNER_PID_LISTENER, 0);
    if (result === m.ERROR_SUCCESS) return pidIn(table, port);
    if (result !== m.ERROR_INSUFFICIENT_BUFFER) return null;
    table = Buffer.alloc(size.readUInt32LE(0) + 4096);
  }
  return null;
}

/** Count, then rows; a port is in network order in the lower half of its field. */
function pidIn(table: Buffer, port: number): number | null {
  const { size, at } = MIB_TCPROW_OWNER_PID;
  for (let row = 0; row < table.readUInt32LE(0); row += 1) {
    const from = 4 + row * size;
    if (table.readUInt16BE(from + at.dwLocalPort) === port) return table.readUInt32LE(from + at.dwOwningPid);
  }
  return null;
}
