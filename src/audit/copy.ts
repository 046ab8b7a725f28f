/** Verifies an audit in a copied folder, on any system and without a host. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditVerdict } from '../contract/gate/views.ts';
import { ANCHOR_KEY, parseAnchor, type Anchor } from './anchor.ts';
import { startOfLog } from './cut.ts';
import { checkpointPath } from './checkpoint.ts';
import { listLogFiles } from './files.ts';
import { readKey } from './key.ts';
import { verifyAuditLog, verifyWithoutKey, type AuditPlace } from './verify.ts';

export interface CopyVerdict extends Omit<AuditVerdict, 'ok'> {
  /** True: intact. False: damaged. Null: no fault found, but not everything could be checked. */
  readonly ok: boolean | null;
  /** What could not be checked, as text. */
  readonly unchecked: readonly string[];
}

export interface AuditCopy extends AuditPlace {
  /** What the database next to it could not answer, as text. */
  readonly unanchored?: string | null;
}

const DATABASE = 'uiahost.sqlite';

type StoredAnchor = { readonly anchor: Anchor | null } | { readonly unreadable: string };

/** The anchor in the database of a data directory that no host uses. Reads a copy, since opening a database may change it. Null if there is no database. */
function readStoredAnchor(folder: string): StoredAnchor | null {
  if (!existsSync(join(folder, DATABASE))) return null;
  const copy = mkdtempSync(join(tmpdir(), 'uiahost-anchor-'));
  try {
    for (const name of [DATABASE, `${DATABASE}-wal`])
      if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
    const sqlite = process.getBuiltinModule('node:sqlite') as typeof import('node:sqlite') | undefined;
    if (sqlite === undefined) return { unreadable: `that needs Node 22.13 or newer, not ${process.versions.node}` };
    const database = new sqlite.DatabaseSync(join(copy, DATABASE));
    try {
      const row = database.prepare('SELECT value FROM meta WHERE key = ?').get(ANCHOR_KEY) as
        | { value: string }
        | undefined;
      return { anchor: parseAnchor(row?.value ?? null) };
    } finally {
      database.close();
    }
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/**
 * Finds the audit in a data directory, or in a folder that is only its `audit`; null if there is none.
 * @param keyFile the key's file if it is elsewhere
 */
export function findCopy(folder: string, keyFile?: string): AuditCopy | null {
  const hasLog = (directory: string): boolean =>
    listLogFiles(directory).files.length > 0 || existsSync(checkpointPath(directory));
  const kept = readStoredAnchor(folder);
  const anchor = kept !== null && 'anchor' in kept ? kept.anchor : null;
  const unanchored =
    kept !== null && 'unreadable' in kept
      ? `whether the log was deleted and begun again: its database cannot be read (${kept.unreadable})`
      : null;
  // A folder whose log is gone is still an audit if its database knows of one.
  const directory =
    [join(folder, 'audit'), folder].find(hasLog) ?? (anchor === null ? undefined : join(folder, 'audit'));
  return directory === undefined
    ? null
    : { directory, keyFile: keyFile ?? join(folder, 'audit.key'), anchor, unanchored };
}

const MISSING =
  'whether the records were written by the host: anyone who can write the files can rebuild the whole chain';
const EARLIER =
  'whether the records were written by the host: the key is of a part of the log that was deleted since; export the key again after that';
const CUT = 'whether records at the end were cut off together with the checkpoint';

/** Verifies the copy; only reads. Errors: those of the file system. */
export async function verifyCopy({
  directory,
  keyFile,
  anchor = null,
  unanchored = null,
}: AuditCopy): Promise<CopyVerdict> {
  const key = readKey(keyFile);
  const isEarlier = key !== null && key.segment < startOfLog(directory, listLogFiles(directory).files).segment;
  const isKeyed = key !== null && !isEarlier;
  const { records, head, firstBad, sealsCheckedFrom, completeFrom } = isKeyed
    ? await verifyAuditLog({ directory, keyFile, anchor })
    : await verifyWithoutKey(directory, anchor);
  const unchecked = [
    ...(isKeyed ? [] : [isEarlier ? EARLIER : MISSING, CUT]),
    ...(unanchored === null ? [] : [unanchored]),
  ];
  const ok = firstBad !== null ? false : unchecked.length > 0 ? null : true;
  return { ok, records, head: head?.hash ?? '', firstBad, sealsCheckedFrom, completeFrom, unchecked };
}
