/** The anchor in the database of a data directory that no host uses. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANCHOR_KEY, parseAnchor, type Anchor } from './anchor.ts';

const DATABASE = 'uiahost.sqlite';

export type StoredAnchor = { readonly anchor: Anchor | null } | { readonly unreadable: string };

/** Reads a copy, since opening a database may change it. Null if there is no database. */
export function readStoredAnchor(folder: string): StoredAnchor | null {
  if (!existsSync(join(folder, DATABASE))) return null;
  const copy = mkdtempSync(join(tmpdir(), 'uiahost-anchor-'));
  try {
    for (const name of [DATABASE, `${DATABASE}-wal`])
      if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(join(copy, DATABASE));
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
