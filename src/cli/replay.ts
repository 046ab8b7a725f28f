// What a session recorded, for its page: from a running host, or from a copied data directory without one.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseImage } from '../artifacts/image-format.ts';
import { verifyCopy } from '../audit/copy.ts';
import type { AuditEntry, AuditPage } from '../audit/entry.ts';
import { readAuditLog } from '../audit/files.ts';
import type { AuditPlace } from '../audit/verify.ts';
import { ImageArtifact } from '../contract/artifact.ts';
import { attempt } from '../contract/attempt.ts';
import type { ApprovalCard } from '../contract/gate/approval.ts';
import type { UiaHostClient } from '../client/client.ts';
import type { ReportPicture, SessionRecord } from '../routines/report.ts';
import { FailedError } from './output.ts';

const PAGE = 1000;
/** The stream of a running session does not end; after this long without an event, all past events have arrived. */
const QUIET_MS = 1000;
const PICTURE = /(?:\/v1\/artifacts\/|artifact:\/\/)([0-9a-f]{64})/g;
const OPERATOR = { scope: 'operator' } as const;

/** Errors: FailedError if there is none. */
async function entriesOf(session: string, pageAfter: (seq: number) => Promise<AuditPage>): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: AuditPage = await pageAfter(after);
    found.push(...page.entries.filter((entry) => entry.sessionId === session));
    after = page.next;
  }
  if (found.length > 0) return found;
  throw new FailedError(
    `The audit has no entries for session ${JSON.stringify(session)}.`,
    'Run `uiahost audit show` (with `--data DIR` for a copy) to see which sessions it has.',
  );
}

/** What the audit of a running host has of a session. Errors: FailedError if it has nothing. */
export const auditOf = (client: UiaHostClient, session: string): Promise<AuditEntry[]> =>
  entriesOf(session, (seq) => client.json('GET', `/v1/audit?after=${seq}&limit=${PAGE}`, OPERATOR));

async function cardsOf(client: UiaHostClient, session: string): Promise<ApprovalCard[]> {
  const found: ApprovalCard[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { approvals: ApprovalCard[]; nextCursor: string | null } = await client.json(
      'GET',
      `/v1/approvals?status=all${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      OPERATOR,
    );
    found.push(...page.approvals.filter((card) => card.sessionId === session));
    cursor = page.nextCursor;
  }
  return found;
}

async function eventsOf(client: UiaHostClient, session: string): Promise<SessionRecord['events']> {
  const stop = new AbortController();
  const found: Array<SessionRecord['events'][number]> = [];
  const quiet = setTimeout(() => stop.abort(), QUIET_MS);
  try {
    const path = `/v1/computer-use/sessions/${session}/stream`;
    const from = { ...OPERATOR, lastEventId: `${session}:0`, signal: stop.signal };
    for await (const { id = '', data } of client.stream(path, from)) {
      found.push({ id, event: data as Record<string, unknown> });
      quiet.refresh();
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(quiet);
  }
  return found;
}

async function storedPictures(client: UiaHostClient, hashes: Iterable<string>): Promise<Map<string, ReportPicture>> {
  const found = new Map<string, ReportPicture>();
  for (const hash of hashes) {
    const response = await client.request('GET', `/v1/artifacts/${hash}`, OPERATOR);
    // The page shows a picture past its retention as missing.
    if (!response.ok) continue;
    const { mimeType, width, height } = ImageArtifact.parse(await response.json());
    const content = await client.request('GET', `/v1/artifacts/${hash}/content`, OPERATOR);
    if (content.ok) found.set(hash, { mimeType, width, height, bytes: new Uint8Array(await content.arrayBuffer()) });
  }
  return found;
}

/** Collects a session from its host. Errors: FailedError if the host has no record of it. */
export async function sessionOfHost(client: UiaHostClient, session: string): Promise<SessionRecord> {
  const [entries, cards] = await Promise.all([auditOf(client, session), cardsOf(client, session)]);
  // A plain session has no stream.
  const hasStream = entries.some(({ action }) => action === 'session.started');
  const events = hasStream ? await eventsOf(client, session) : [];
  const hashes = [...JSON.stringify([entries, events, cards]).matchAll(PICTURE)].map((match) => match[1] ?? '');
  const [pictures, verification] = await Promise.all([storedPictures(client, new Set(hashes)), client.verifyAudit()]);
  return { session, entries, events, cards, pictures, verification };
}

/** Pictures are named by their content hash; the page shows absent and changed pictures as missing. */
function picturesOf(data: string, hashes: ReadonlySet<string>): Map<string, ReportPicture> {
  const folder = join(data, '.agent-runtime', 'spool', 'images');
  const found = new Map<string, ReportPicture>();
  for (const name of attempt(() => readdirSync(folder), [])) {
    const hash = name.split('.')[0] ?? '';
    if (!hashes.has(hash)) continue;
    const bytes = readFileSync(join(folder, name));
    const isSame = createHash('sha256').update(bytes).digest('hex') === hash;
    const facts = isSame ? parseImage(bytes) : null;
    if (facts !== null) found.set(hash, { ...facts, bytes });
  }
  return found;
}

/** Errors: FailedError if the audit has no entry of the session. */
export async function sessionOfCopy(place: AuditPlace, data: string, session: string): Promise<SessionRecord> {
  const entries = await entriesOf(session, (after) => readAuditLog(place.directory, { after, limit: PAGE }));
  const pictures = picturesOf(data, new Set(entries.flatMap(({ artifacts }) => artifacts)));
  const verdict = await verifyCopy(place);
  return { session, entries, events: [], cards: [], pictures, verification: verdict.ok === null ? null : verdict };
}
