/**
 * Who is there. A seat writes a signed value at each interval; its reader decides by the server's time stamps. No time to
 * live decides it: after a server was away it declared living hosts gone. Nothing is called gone before the server is known
 * to have been there for three intervals.
 */
import { z } from 'zod';
import { isOver, openAs, type Trust } from './signed.ts';
import type { Stored } from './reading.ts';

export const PRESENCE_MS = 15_000;
const INTERVALS = 3;
/** How far a seat's clock and the server's may be apart: a value that is stored later was sent again by a stranger. */
const REPLAY_MS = 5 * 60_000;

const presenceSchema = z.object({
  v: z.literal(1),
  /** Its own interval. */
  everyMs: z.int().min(100).max(600_000),
  ledger: z.string().max(64),
  pools: z.array(z.string()).max(20),
  /** Version of uiahost; null if no host answers. */
  version: z.string().max(64).nullable(),
  level: z.string().max(20).nullable(),
  finding: z.string().max(100).nullable(),
  /** Why it takes no job. */
  takesNoJob: z.string().max(100).nullable(),
  job: z.string().max(128).nullable(),
  policyVersion: z.int().nonnegative(),
  /** Its clock, in ms of the epoch. */
  clock: z.int(),
  /** Since when it has had this connection, by the server's time; null in the first value of a connection. */
  since: z.int().nullable(),
});
export type Presence = z.infer<typeof presenceSchema>;

/** `at`: when the server stored it. `isEnded`: the seat's card was revoked since, or has expired. */
export function presenceOf(
  { text, at }: Pick<Stored, 'text' | 'at'>,
  seat: string,
  trust: Trust,
): (Presence & { readonly isEnded: boolean }) | null {
  const opened = openAs(presenceSchema, text, { kind: 'presence', target: seat, id: seat }, trust, at);
  return opened === null ? null : { ...opened.body, isEnded: isOver(opened.by, trust, Date.now()) };
}

export interface SeatView {
  readonly seat: string;
  readonly state: 'present' | 'late' | 'gone' | 'ended';
  /** Since its last value, by the server's clock. */
  readonly silentMs: number;
  readonly presence: NonNullable<ReturnType<typeof presenceOf>>;
}

/**
 * @param aheadMs the server's clock, of the reader's
 * @param since when the reader's connection was made, in its own time
 * @param now in its own time
 */
export function seatsOf(
  values: readonly Pick<Stored, 'subject' | 'text' | 'at'>[],
  { aheadMs, since, now, trust }: { aheadMs: number; since: number; now: number; trust: Trust },
): SeatView[] {
  const serverNow = now + aheadMs;
  const seats = values.flatMap(({ subject, text, at }) => {
    const seat = subject.split('.').at(-1) ?? '';
    const presence = presenceOf({ text, at }, seat, trust);
    if (presence === null) return [];
    const told = presence.takesNoJob === 'clock' ? at : Math.min(at, presence.clock + REPLAY_MS);
    return [{ seat, presence, silentMs: Math.max(0, serverNow - told) }];
  });
  const isSilent = ({ presence, silentMs }: (typeof seats)[number]): boolean => silentMs > INTERVALS * presence.everyMs;
  // the server has been there since the reader connected, or since a seat that is present did
  const upMs = Math.max(
    now - since,
    ...seats.flatMap((seat) =>
      isSilent(seat) || seat.presence.since === null ? [] : [serverNow - seat.presence.since],
    ),
  );
  return seats.map((seat) => {
    const isGone = isSilent(seat) && upMs > INTERVALS * seat.presence.everyMs;
    const isLate = seat.silentMs > 1.5 * seat.presence.everyMs;
    if (seat.presence.isEnded) return { ...seat, state: 'ended' };
    return { ...seat, state: isGone ? 'gone' : isLate ? 'late' : 'present' };
  });
}
