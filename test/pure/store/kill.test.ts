/** A store that is killed fifty times has all that it acknowledged. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAuditLog } from '../../support/audit-log.ts';
import { openStore } from '../../../src/store/client.ts';
import { luck } from '../luck.ts';
import { counting, rounds } from '../../support/rounds.ts';
import { threadEntry } from '../../support/bundled.ts';
import { liveAndDie } from './lives.ts';
import { scratch } from './scratch.ts';

const LIVES = rounds({ whole: 50, quick: 5 });

test(`[store.acknowledged][store.recovery]a host killed ${LIVES} times loses nothing that was acknowledged`, async () => {
  const directory = scratch();
  const audit = createAuditLog({ directory: join(directory, 'audit'), keyFile: join(directory, 'audit.key') });
  const acknowledged = new Map<number, string>();
  const random = luck();
  let acts = 0;

  for (const life of counting(LIVES)) {
    const seen = await liveAndDie(directory, String(life), 6 + Math.floor(random() * 100), random() * 5);
    expect(seen.damage).toEqual([]);
    for (const [seq, hash] of seen.audit) acknowledged.set(seq, hash);

    // As it lies there after the kill, before anyone opens it.
    const verdict = await audit.verify();
    expect(verdict).toMatchObject({ ok: true, firstBad: null });
    expect(verdict.records).toBeGreaterThanOrEqual(Math.max(0, ...seen.audit.keys()));

    await using store = await openStore({ file: join(directory, 'host.sqlite'), threadEntry: threadEntry() });
    expect(store.recovery.failedSessions).toEqual(expect.arrayContaining(seen.sessions));
    for (const sessionId of seen.sessions) {
      expect(await store.sessions.get(sessionId)).toMatchObject({ status: 'failed' });
      const { events } = await store.events.read({ streamId: sessionId, after: null });
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
      expect(events.at(-1)?.event).toMatchObject({ type: 'session.ended', status: 'failed' });
      for (const { id, event } of events) seen.events.delete(event.actionId === seen.events.get(id) ? id : '');
    }
    expect([...seen.events]).toEqual([]);
    for (const [actionId, status] of seen.actions) {
      const kept = await store.actions.get(actionId);
      // An action that was running may have succeeded without our hearing of it; otherwise it has failed now.
      expect(status === 'succeeded' ? ['succeeded'] : ['succeeded', 'failed', 'cancelled']).toContain(kept?.status);
      acts += 1;
    }
  }

  const all = new Map<number, string>();
  for (let after: number | null = 0; after !== null;) {
    const page = await audit.read({ after, limit: 1000 });
    for (const { seq, hash } of page.entries) all.set(seq, hash);
    after = page.next;
  }
  expect([...acknowledged].filter(([seq, hash]) => all.get(seq) !== hash)).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(LIVES);
  expect(acts).toBeGreaterThan(LIVES);
});
