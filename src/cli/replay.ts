// `uiahost audit replay` from a running host: collects a session and makes its page.
import type { AuditEntry, AuditVerification } from '../audit/entry.ts';
import { renderReplay, type ReplayPicture, type ReplaySession } from '../audit/replay.ts';
import type { ApprovalCard } from '../contract/gate/approval.ts';
import { ImageArtifact } from '../contract/artifact.ts';
import type { SessionView } from '../contract/gate/session.ts';
import type { UiaHostClient } from '../client/client.ts';
import { ProblemError } from '../client/errors.ts';
import { FailedError } from './output.ts';

const PAGE = 1000;
/** The stream of a running session does not end; after this long without an event, all past events have arrived. */
const QUIET_MS = 1000;
const PICTURE = /(?:\/v1\/artifacts\/|artifact:\/\/)([0-9a-f]{64})/g;

async function entriesOf(connection: UiaHostClient, session: string): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: { entries: AuditEntry[]; next: number | null } = await connection.json(
      'GET',
      `/v1/audit?after=${after}&limit=${PAGE}`,
      { scope: 'operator' },
    );
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

async function picturesOf(connection: UiaHostClient, hashes: Iterable<string>): Promise<Map<string, ReplayPicture>> {
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
export function plainSession(session: string, entries: readonly AuditEntry[]): ReplaySession {
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
export async function replayPage(
  connection: UiaHostClient,
  session: string,
): Promise<{ html: string; entries: number; pictures: number }> {
  const [view, entries, cards] = await Promise.all([
    viewOf(connection, session),
    entriesOf(connection, session),
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
  const [pictures, verified] = await Promise.all([
    picturesOf(connection, hashes),
    connection.json<{
      records: number;
      head: string;
      ok: boolean;
      firstBad: AuditVerification['firstBad'];
      sealsCheckedFrom: number | null;
      completeFrom?: number;
    }>('GET', '/v1/audit/verify', { scope: 'operator' }),
  ]);
  const verification: AuditVerification = {
    ok: verified.ok,
    records: verified.records,
    head: { seq: (verified.completeFrom ?? 1) - 1 + verified.records, hash: verified.head },
    firstBad: verified.firstBad,
    ahead: 0,
    tornBytes: 0,
    sealsCheckedFrom: verified.sealsCheckedFrom,
    completeFrom: verified.completeFrom ?? 1,
  };
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
    html: renderReplay({ session: told, entries, events, cards, pictures, verification }),
    entries: entries.length,
    pictures: pictures.size,
  };
}
