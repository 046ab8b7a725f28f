/** Rows of events: the streams of sessions, in the order of their sequence numbers. */
import type { DatabaseSync } from 'node:sqlite';
import { UiaHostError } from '../../contract/errors.ts';
import type { EventPage, StoredEvent, StreamEvent } from '../records.ts';
import { count, fromJson, pageSize, prepare, toJson } from './rows.ts';

const DEFAULT_PAGE = 500;
const MAX_EVENT_PAGE = 5000;

/** The sequence in an event id of this stream; null for any other id. */
function parseEventId(streamId: string, id: string): number | null {
  const prefix = `${streamId}:`;
  if (!id.startsWith(prefix)) return null;
  const digits = id.slice(prefix.length);
  return /^(0|[1-9][0-9]{0,14})$/.test(digits) ? Number(digits) : null;
}

export function eventRepository(db: DatabaseSync) {
  // Only the stream of a session itself ends with session.ended; the host's own stream contains the ends of many
  // sessions.
  const advance = prepare(
    db,
    `INSERT INTO streams (stream_id, last_sequence, is_closed)
    VALUES (?1, 1, ?2 AND EXISTS (SELECT 1 FROM sessions WHERE session_id = ?1))
    ON CONFLICT (stream_id) DO UPDATE SET last_sequence = last_sequence + 1, is_closed = excluded.is_closed WHERE is_closed = 0
    RETURNING last_sequence`,
  );
  const insert = prepare(db, 'INSERT INTO events (stream_id, sequence, event) VALUES (?, ?, ?)');
  const stream = prepare(db, 'SELECT last_sequence, is_closed FROM streams WHERE stream_id = ?');
  const select = prepare(
    db,
    'SELECT sequence, event FROM events WHERE stream_id = ? AND sequence > ? ORDER BY sequence LIMIT ?',
  );

  return {
    /** Assigns the stream's next sequence to the event. After session.ended: session_ended. */
    append(streamId: string, event: StreamEvent): { id: string; sequence: number } {
      const row = advance.get(streamId, event.type === 'session.ended' ? 1 : 0);
      if (row === null)
        throw new UiaHostError(
          'session_ended',
          'The stream of this session has ended; no event can follow session.ended.',
        );
      const sequence = count(row.last_sequence);
      insert.run(streamId, sequence, toJson(event));
      return { id: `${streamId}:${sequence}`, sequence };
    },
    /** Events after the id `after` (null: from the start), oldest first, at most `limit` (default 500, at most 5,000). */
    read({ streamId, after, limit }: { streamId: string; after: string | null; limit?: number }): EventPage {
      const size = pageSize(limit, DEFAULT_PAGE, MAX_EVENT_PAGE);
      const state = stream.get(streamId);
      const lastSequence = count(state?.last_sequence ?? 0);
      const asked = after === null ? 0 : parseEventId(streamId, after);
      // An id of another stream or of the future does not show what the reader has: everything that is left is sent, as
      // a gap.
      const isForeign = asked === null || asked > lastSequence;
      const from = isForeign ? 0 : asked;
      const rows = select.all(streamId, from, size + 1);
      const events: StoredEvent[] = rows.slice(0, size).map((row) => ({
        id: `${streamId}:${row.sequence}`,
        sequence: count(row.sequence),
        event: fromJson<StreamEvent>(row.event),
      }));
      const first = events[0]?.sequence ?? lastSequence + 1;
      return {
        events,
        hasGap: isForeign || first > from + 1,
        hasMore: rows.length > size,
        lastSequence,
        isClosed: state !== null && count(state.is_closed) === 1,
      };
    },
  };
}
