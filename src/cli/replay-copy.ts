// A session's replay page from a copied data directory: its audit and pictures, without a host.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseImage } from '../artifacts/image-format.ts';
import { verifyCopy } from '../audit/copy.ts';
import type { AuditEntry, AuditVerification } from '../audit/entry.ts';
import { readAuditLog } from '../audit/files.ts';
import { renderReplay, type ReplayPicture, type ReplaySession } from '../audit/replay.ts';
import type { AuditPlace } from '../audit/verify.ts';
import { FailedError } from './output.ts';
import { plainSession } from './replay.ts';

const PAGE = 1000;

async function entriesOf(directory: string, session: string): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: { entries: AuditEntry[]; next: number | null } = await readAuditLog(directory, { after, limit: PAGE });
    found.push(...page.entries.filter((entry) => entry.sessionId === session));
    after = page.next;
  }
  return found;
}

/** A computer-use session as the audit records it: goal and urls from its start, status and summary from its end. */
function sessionOf(session: string, entries: readonly AuditEntry[]): ReplaySession {
  const started = entries.find(({ action }) => action === 'session.started');
  if (started === undefined) return plainSession(session, entries);
  const ended = entries.findLast(({ action }) => action === 'session.ended');
  const { goal, urls } = started.details as { goal?: string; urls?: string[] };
  const { status, summary, actionsExecuted } = (ended?.details ?? {}) as {
    status?: string;
    summary?: string;
    actionsExecuted?: number;
  };
  return {
    sessionId: session,
    goal: goal ?? '',
    urls: urls ?? [],
    status: status ?? 'not ended in this audit',
    summary: summary ?? '',
    startedAt: started.time,
    endedAt: ended?.time ?? null,
    actionsExecuted: actionsExecuted ?? entries.filter((entry) => entry.outcome !== null).length,
  };
}

/** Pictures are named by their content hash; the page shows absent and changed pictures as missing. */
function picturesOf(data: string, hashes: ReadonlySet<string>): Map<string, ReplayPicture> {
  const folder = join(data, '.agent-runtime', 'spool', 'images');
  const found = new Map<string, ReplayPicture>();
  for (const name of namesIn(folder)) {
    const hash = name.split('.')[0] ?? '';
    if (!hashes.has(hash)) continue;
    const bytes = readFileSync(join(folder, name));
    const isSame = createHash('sha256').update(bytes).digest('hex') === hash;
    const facts = isSame ? parseImage(bytes) : null;
    if (facts !== null) found.set(hash, { mimeType: facts.mimeType, width: facts.width, height: facts.height, bytes });
  }
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Errors: FailedError if the audit has no entry of the session. */
export async function replayCopy(
  place: AuditPlace,
  data: string,
  session: string,
): Promise<{ html: string; entries: number; pictures: number }> {
  const entries = await entriesOf(place.directory, session);
  if (entries.length === 0)
    throw new FailedError(
      `The audit has no entries for session ${JSON.stringify(session)}.`,
      'Run `uiahost audit show --data DIR` to see which sessions it has.',
    );
  const pictures = picturesOf(data, new Set(entries.flatMap(({ artifacts }) => artifacts)));
  const { ok, records, head, firstBad, sealsCheckedFrom, completeFrom } = await verifyCopy(place);
  const verification: AuditVerification | null =
    ok === null
      ? null
      : {
          ok,
          records,
          head: { seq: completeFrom - 1 + records, hash: head },
          firstBad,
          ahead: 0,
          tornBytes: 0,
          sealsCheckedFrom,
          completeFrom,
        };
  return {
    html: renderReplay({
      session: sessionOf(session, entries),
      entries,
      events: [],
      cards: [],
      pictures,
      verification,
    }),
    entries: entries.length,
    pictures: pictures.size,
  };
}
