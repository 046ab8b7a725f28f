/**
 * One host per user session: two would compete for one stop hotkey, one cursor and one foreground window. The lock is a mutex
 * in the session's namespace, so that each signed-in user and each service has its own; Windows releases it when the process
 * that took it ends, in whatever way. A note in the user's temporary folder names the owner, for messages only.
 * Source: learn.microsoft.com/windows/win32/termserv/kernel-object-namespaces
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { processCreated } from './process.ts';
import { ownSession } from './session.ts';

const NAME = 'Local\\uiahost.host';

/** Another host serves this session, with whatever data directory. */
export class SessionHeldError extends UiaHostError {}

interface Note {
  readonly pid: number;
  readonly processCreated: string;
  readonly dataDirectory: string;
  readonly startedAt: string;
}

const noteFile = (): string => join(tmpdir(), `uiahost-session-${ownSession()}.json`);

/** A thread may take a mutex twice, and two hosts of one process share the thread. */
let isTakenHere = false;

/** Errors: SessionHeldError (lock_held), which names the owner if it is known. */
export function takeSessionLock(dataDirectory: string): { release(): void } {
  if (isTakenHere) throw held(readNote());
  const mutex = kernel32.CreateMutexW(null, false, NAME);
  if (mutex === 0) {
    // 5: it belongs to another user, or to a program with more rights. 6: an object of another kind has this name.
    throw held(readNote(), kernel32.GetLastError());
  }
  const taken = kernel32.WaitForSingleObject(mutex, 0);
  // WAIT_ABANDONED: its owner ended without releasing it.
  if (taken !== m.WAIT_OBJECT_0 && taken !== m.WAIT_ABANDONED) {
    kernel32.CloseHandle(mutex);
    throw held(readNote());
  }
  isTakenHere = true;
  writeNote({
    pid: process.pid,
    processCreated: processCreated(process.pid) ?? '',
    dataDirectory,
    startedAt: new Date().toISOString(),
  });
  return {
    release() {
      if (!isTakenHere) return;
      isTakenHere = false;
      rmSync(noteFile(), { force: true });
      kernel32.ReleaseMutex(mutex);
      kernel32.CloseHandle(mutex);
    },
  };
}

/** Who holds the lock of this session, in a sentence; null if no host does. Takes nothing. */
export function sessionHolder(): string | null {
  const mutex = kernel32.OpenMutexW(m.SYNCHRONIZE, false, NAME);
  const error = mutex === 0 ? kernel32.GetLastError() : 0;
  if (error === m.ERROR_FILE_NOT_FOUND) return null;
  if (mutex !== 0) kernel32.CloseHandle(mutex);
  return held(readNote(), error).message;
}

function held(note: Note | null, error = 0): SessionHeldError {
  const who =
    note === null
      ? `Another program in this user session holds the mutex ${NAME}${error === 0 ? '' : ` (Windows error ${error})`}: most likely a host of another user, or one with more rights.`
      : `Process ${note.pid} has been the host of this user session since ${note.startedAt}, with the data directory ${note.dataDirectory}.`;
  return new SessionHeldError('lock_held', `${who} Each session has one host.`, {
    hint:
      note === null
        ? 'End that program, or sign in as another user.'
        : `Use that host (UIAHOST_DATA_DIR=${note.dataDirectory}), or stop it first.`,
  });
}

/** Any of the user's programs can write the note, so it counts only if the process that it names has that creation time. */
function readNote(): Note | null {
  try {
    const {
      pid,
      processCreated: created,
      dataDirectory,
      startedAt,
    } = JSON.parse(readFileSync(noteFile(), 'utf8')) as Partial<Note>;
    if (
      typeof pid !== 'number' ||
      typeof dataDirectory !== 'string' ||
      typeof startedAt !== 'string' ||
      created === undefined
    )
      return null;
    return processCreated(pid) === created
      ? { pid, processCreated: created, dataDirectory: plain(dataDirectory), startedAt: plain(startedAt) }
      : null;
  } catch {
    return null;
  }
}

/** Without control characters, and no longer than a path. */
// oxlint-disable-next-line no-control-regex -- these are removed
const plain = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '').slice(0, 1024);

function writeNote(note: Note): void {
  try {
    writeFileSync(noteFile(), JSON.stringify(note), { mode: 0o600 });
  } catch {
    // Then a second host cannot name the owner; the mutex is held nevertheless.
  }
}
