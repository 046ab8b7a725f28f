/** The files of one host, its secrets among them, and the lock that keeps another host out. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { writeDurablySync } from '../../base/durable-file.ts';
import { badInput, UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { HostFile } from '../../contract/process/host-file.ts';

/** Secrets of a data directory. */
export const SECRET_FILES = ['agent.token', 'operator.token', 'host.key', 'audit.key'] as const;

/** Free space of the disk that a folder is on, or will be; null if the system does not say. */
export function freeBytesIn(folder: string): number | null {
  for (let place = folder; ; place = dirname(place)) {
    try {
      const { bavail, bsize } = statfsSync(place);
      return bavail * bsize;
    } catch {
      if (dirname(place) === place) return null;
    }
  }
}

/** The directory that contains everything of one host. */
export interface DataDirectory {
  readonly root: string;
  readonly database: string;
  readonly audit: string;
  readonly auditKey: string;
  readonly agentToken: string;
  readonly operatorToken: string;
  readonly policy: string;
  readonly hostFile: string;
  readonly proofKey: string;
  readonly heldInput: string;
  readonly movedWindows: string;
  readonly log: string;
}

/**
 * Names the files and creates the folders. `secure` is called with the directory before anything is written into it;
 * its errors end the start.
 */
export function openDataDirectory(root: string, secure: (folder: string) => void = () => {}): DataDirectory {
  try {
    mkdirSync(root, { recursive: true });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown cause';
    throw badInput(`The data directory ${quoted(root)} cannot be made (${code}).`, {
      hint: 'Set UIAHOST_DATA_DIR to a folder on a drive that exists and that this user can write to.',
      cause,
    });
  }
  secure(root);
  for (const folder of [join(root, 'audit'), join(root, '.agent-runtime', 'spool', 'images'), join(root, 'logs')]) {
    mkdirSync(folder, { recursive: true });
  }
  return {
    root,
    database: join(root, 'uiahost.sqlite'),
    audit: join(root, 'audit'),
    auditKey: join(root, 'audit.key'),
    agentToken: join(root, 'agent.token'),
    operatorToken: join(root, 'operator.token'),
    policy: join(root, 'policy.json'),
    hostFile: join(root, 'host.json'),
    proofKey: join(root, 'host.key'),
    heldInput: join(root, 'held-input.json'),
    movedWindows: join(root, 'moved-windows.json'),
    log: join(root, 'logs', 'host.log'),
  };
}

interface LockFile {
  readonly pid: number;
  /** When that process was created: reveals a reused pid. */
  readonly processCreated: string;
  readonly startedAt: string;
}

interface ProcessProbe {
  /** Creation time of a running process as text; null if there is no such process. */
  createdAt(pid: number): string | null;
}

/**
 * Takes the lock. A lock left by a dead process, or by a process whose pid has been reused, is recovered.
 * Errors: lock_held, naming its holder.
 */
export function takeLock(path: string, probe: ProcessProbe): { release(): void } {
  const mine: LockFile = {
    pid: process.pid,
    processCreated: probe.createdAt(process.pid) ?? '',
    startedAt: new Date().toISOString(),
  };
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, JSON.stringify(mine));
      fsyncSync(file);
      closeSync(file);
      return { release: () => releaseLock(path, mine) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readLock(path);
    if (holder !== null && holder.pid !== process.pid) {
      const created = probe.createdAt(holder.pid);
      if (created !== null && (holder.processCreated === '' || created === holder.processCreated)) {
        throw new UiaHostError('lock_held', `Process ${holder.pid} has been the host here since ${holder.startedAt}.`);
      }
    }
    rmSync(path, { force: true });
  }
  throw new UiaHostError('lock_held', `The lock ${path} keeps reappearing; another host is starting at the same time.`);
}

function readLock(path: string): LockFile | null {
  try {
    const found = JSON.parse(readFileSync(path, 'utf8')) as Partial<LockFile>;
    return typeof found.pid === 'number'
      ? { pid: found.pid, processCreated: String(found.processCreated ?? ''), startedAt: String(found.startedAt ?? '') }
      : null;
  } catch {
    return null;
  }
}

function releaseLock(path: string, mine: LockFile): void {
  const holder = readLock(path);
  if (holder?.pid === mine.pid && holder.processCreated === mine.processCreated) rmSync(path, { force: true });
}

/** Writes host.json by rename, so that a reader never sees a partial file. */
export function writeHostFile(path: string, file: HostFile): void {
  writeDurablySync(path, `${JSON.stringify(file, null, 2)}\n`);
}

/**
 * Who may read and change a secret's file. On Windows: owner and access control list; elsewhere mode 0600, which `open`
 * sets.
 */
export interface SecretGuard {
  /** Narrows a new file to its owner. */
  restrict(path: string): void;
  /** Why an existing file is not this user's own secret; null if it is. */
  whyNot(path: string): string | null;
}

/**
 * Reads a secret from its file, or creates it (256 bits, base64url), readable only by the user. Two processes that
 * start at the same time get the same secret: the file is created exclusively. A file older than `notBefore` is replaced.
 * Errors: permission_denied for a file that another user owns, can read or can change.
 */
export function readOrCreateSecret(path: string, guard: SecretGuard, notBefore?: string): string {
  try {
    if (notBefore !== undefined && statSync(path).mtimeMs < Date.parse(notBefore)) rmSync(path);
    return readSecret(path, guard);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readSecret(path, guard);
    throw error;
  }
  try {
    guard.restrict(path);
    const secret = randomBytes(32).toString('base64url');
    writeSync(file, `${secret}\n`);
    fsyncSync(file);
    return secret;
  } finally {
    closeSync(file);
  }
}

function readSecret(path: string, guard: SecretGuard): string {
  const secret = readFileSync(path, 'utf8').trim();
  if (!/^[A-Za-z0-9._~+/=-]{32,512}$/.test(secret))
    throw new Error(
      `${path} does not contain a usable secret (32 to 512 characters); delete it and start again to get a new one`,
    );
  const why = guard.whyNot(path);
  if (why !== null) {
    throw new UiaHostError('permission_denied', `A secret of the host is not safe: ${why}. The host did not start.`, {
      hint: 'Delete that file and start again to get a new one, and give the new one to the clients that have the old one.',
    });
  }
  return secret;
}
