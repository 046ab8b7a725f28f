// `uiahost audit replay`: the page of a session, collected from a running host, or from a copied data directory without one.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseImage } from '../artifacts/image-format.ts';
import { verifyCopy } from '../audit/copy.ts';
import type { AuditEntry, AuditPage } from '../audit/entry.ts';
import { readAuditLog } from '../audit/files.ts';
import { renderReplay, type ReplayPicture, type ReplaySession } from '../audit/replay.ts';
import type { AuditPlace } from '../audit/verify.ts';
import type { ApprovalCard } from '../contract/gate/approval.ts';
import { ImageArtifact } from '../contract/artifact.ts';
import type { SessionView } from '../contract/gate/session.ts';
import type { UiaHostClient } from '../client/client.ts';
import { ProblemError } from '../client/errors.ts';
import { FailedError } from './output.ts';
import { attempt } from '../contract/attempt.ts';

const PAGE = 1000;
/** The stream of a running session does not end; after this long without an event, all past events have arrived. */
const QUIET_MS = 1000;
const PICTURE = /(?:\/v1\/artifacts\/|artifact:\/\/)([0-9a-f]{64})/g;

interface ReplayedPage {
  readonly html: string;
  readonly entries: number;
  readonly pictures: number;
}

async function entriesOf(session: string, pageAfter: (seq: number) => Promise<AuditPage>): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: AuditPage = await pageAfter(after);
    found.push(...page.entries.filter((entry) => entry.sessionId === session));
    after = page.next;
  }
  return found;
}

async function cardsOf(connection: UiaHostClient, session: string): Promise<ApprovalCard[]> {
  const found: ApprovalCard[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { approvals: ApprovalCard[]; nextCursor: string | null } = await connection.json(
      'GET',
      `/v1/approvals?status=all${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      { scope: 'operator' },
    );
    found.push(...page.approvals.filter((card) => card.sessionId === session));
    cursor = page.nextCursor;
  }
  return found;
}

async function eventsOf(
  connection: UiaHostClient,
  session: string,
): Promise<Array<{ id: string; event: Record<string, unknown> }>> {
  const stop = new AbortController();
  const found: Array<{ id: string; event: Record<string, unknown> }> = [];
  let quiet = setTimeout(() => stop.abort(), QUIET_MS);
  try {
    const events = connection.stream(`/v1/computer-use/sessions/${session}/stream`, {
      scope: 'operator',
      lastEventId: `${session}:0`,
      signal: stop.signal,
    });
    for await (const { id = '', data } of events) {
      found.push({ id, event: data as Record<string, unknown> });
      clearTimeout(quiet);
      quiet = setTimeout(() => stop.abort(), QUIET_MS);
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(quiet);
  }
  return found;
}

async function viewOf(connection: UiaHostClient, session: string): Promise<SessionView | null> {
  try {
    return await connection.json<SessionView>('GET', `/v1/computer-use/sessions/${encodeURIComponent(session)}`, {
      scope: 'operator',
    });
  } catch (error) {
    if (error instanceof ProblemError && error.problem.code === 'session_not_found') return null;
    throw error;
  }
}

async function storedPictures(
  connection: UiaHostClient,
  hashes: Iterable<string>,
): Promise<Map<string, ReplayPicture>> {
  const found = new Map<string, ReplayPicture>();
  for (const hash of hashes) {
    const response = await connection.request('GET', `/v1/artifacts/${hash}`, { scope: 'operator' });
    // The page shows a picture past its retention as missing.
    if (!response.ok) continue;
    const record = ImageArtifact.parse(await response.json());
    const content = await connection.request('GET', `/v1/artifacts/${hash}/content`, { scope: 'operator' });
    if (content.ok)
      found.set(hash, {
        mimeType: record.mimeType,
        width: record.width,
        height: record.height,
        bytes: new Uint8Array(await content.arrayBuffer()),
      });
  }
  return found;
}

/** A plain session name has no goal or end: it is not a computer-use session. */
function plainSession(session: string, entries: readonly AuditEntry[]): ReplaySession {
  return {
    sessionId: session,
    goal: `Session ${session}`,
    urls: [],
    status: 'not a computer-use session',
    summary: '',
    startedAt: entries[0]?.time ?? '',
    endedAt: entries.at(-1)?.time ?? null,
    actionsExecuted: entries.filter((entry) => entry.outcome !== null).length,
  };
}

/** Collects a session from the host and makes its page. Errors: FailedError if the host has no record of it. */
export async function replayPage(connection: UiaHostClient, session: string): Promise<ReplayedPage> {
  const [view, entries, cards] = await Promise.all([
    viewOf(connection, session),
    entriesOf(session, (seq) => connection.json('GET', `/v1/audit?after=${seq}&limit=${PAGE}`, { scope: 'operator' })),
    cardsOf(connection, session),
  ]);
  if (view === null && entries.length === 0)
    throw new FailedError(
      `There is no record of session ${JSON.stringify(session)}.`,
      'Run `uiahost audit show` to see the sessions of the latest entries.',
    );
  const events = view === null ? [] : await eventsOf(connection, session);
  const hashes = new Set(
    [...JSON.stringify([entries, events, cards]).matchAll(PICTURE)].map((match) => match[1] ?? ''),
  );
  const [pictures, verified] = await Promise.all([storedPictures(connection, hashes), connection.verifyAudit()]);
  const endedAt =
    view === null || view.status === 'running'
      ? null
      : new Date(Date.parse(view.startedAt) + view.durationMs).toISOString();
  const told: ReplaySession =
    view === null
      ? plainSession(session, entries)
      : {
          sessionId: session,
          goal: view.goal,
          urls: view.urls,
          status: view.status,
          summary: view.summary,
          startedAt: view.startedAt,
          endedAt,
          actionsExecuted: view.actionsExecuted,
        };
  return {
    html: renderReplay({ session: told, entries, events, cards, pictures, verification: verified }),
    entries: entries.length,
    pictures: pictures.size,
  };
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
  return attempt(() => readdirSync(folder), []);
}

/** Errors: FailedError if the audit has no entry of the session. */
export async function replayCopy(place: AuditPlace, data: string, session: string): Promise<ReplayedPage> {
  const entries = await entriesOf(session, (after) => readAuditLog(place.directory, { after, limit: PAGE }));
  if (entries.length === 0)
    throw new FailedError(
      `The audit has no entries for session ${JSON.stringify(session)}.`,
      'Run `uiahost audit show --data DIR` to see which sessions it has.',
    );
  const pictures = picturesOf(data, new Set(entries.flatMap(({ artifacts }) => artifacts)));
  const verdict = await verifyCopy(place);
  return {
    html: renderReplay({
      session: sessionOf(session, entries),
      entries,
      events: [],
      cards: [],
      pictures,
      verification: verdict.ok === null ? null : verdict,
    }),
    entries: entries.length,
    pictures: pictures.size,
  };
}
