/**
 * One host a user session: two would fight for one stop hotkey, one cursor and one foreground window. The place is a mutex in
 * the session's own namespace, so that users side by side, and services, each have theirs; Windows frees it when the process
 * that took it ends, however it ends. Who has it stands in a note in the user's temporary folder, which is only shown.
 * Source: learn.microsoft.com/windows/win32/termserv/kernel-object-namespaces
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { processCreated } from './process.ts';
import { ownSession } from './session.ts';

const NAME = 'Local\\uiahost.host';
/** Source: learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-waitforsingleobject */
const WAIT_OBJECT_0 = 0;
/** Whoever had it ended without letting go. */
const WAIT_ABANDONED = 0x80;

/** Another host has the session, whatever its data directory. */
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

/** Errors: SessionHeldError (lock_held), naming who has it as far as that can be told. */
export function takeSessionPlace(dataDirectory: string): { release(): void } {
  if (isTakenHere) throw held(readNote());
  const mutex = kernel32.CreateMutexW(null, false, NAME);
  if (mutex === 0) {
    // 5: it belongs to another user, or to a program with more rights. 6: something else has this name.
    throw held(readNote(), kernel32.GetLastError());
  }
  const taken = kernel32.WaitForSingleObject(mutex, 0);
  if (taken !== WAIT_OBJECT_0 && taken !== WAIT_ABANDONED) {
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

function held(note: Note | null, error = 0): SessionHeldError {
  const who =
    note === null
      ? `Another program of this user session holds the host’s name ${NAME}${error === 0 ? '' : ` (error ${error})`}: most likely a host of another user, or one that was started with more rights.`
      : `Process ${note.pid} has been the host of this user session since ${note.startedAt}, with the data directory ${note.dataDirectory}.`;
  return new SessionHeldError('lock_held', `${who} A session has one host.`, {
    hint:
      note === null
        ? 'End that program, or sign in as another user.'
        : `Use that host (UIAHOST_DATA_DIR=${note.dataDirectory}), or end it first.`,
  });
}

/** Any program of the user can write the note, so it is believed only where the process that it names is the one that it means. */
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
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const plain = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '').slice(0, 1024);

function writeNote(note: Note): void {
  try {
    writeFileSync(noteFile(), JSON.stringify(note), { mode: 0o600 });
  } catch {
    // Then a second host cannot say who has the place; it is held all the same.
  }
}
