/** The store: its thread, its schema, its repositories, recovery and retention. */
import { DatabaseSync } from 'node:sqlite';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStore, type Store } from '../../../src/store/client.ts';
import type { TokenRecord } from '../../../src/store/records.ts';
import { action, AT, card, later, session } from './samples.ts';
import { scratch } from './scratch.ts';
import { threadEntry } from '../../support/bundled.ts';
import { until } from '../../support/until.ts';

let file: string;
let store: Store;

beforeEach(async () => {
  file = join(scratch(), 'data', 'host.sqlite');
  store = await openStore({ file, threadEntry: threadEntry() });
});
afterEach(() => store.close());

const code = (expected: string) => expect.objectContaining({ name: 'UiaHostError', code: expected });
const reopen = async (): Promise<Store> => {
  await store.close();
  store = await openStore({ file, threadEntry: threadEntry() });
  return store;
};

describe('the thread', () => {
  test('keeps WAL with full sync, and what was written is read by another connection once the host has ended', async () => {
    await store.meta.set('greeting', 'hello');
    await store.close();
    const other = new DatabaseSync(file, { readOnly: true });
    expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(other.prepare('SELECT value FROM meta WHERE key = ?').get('greeting')).toEqual({ value: 'hello' });
    other.close();
  });

  test('while the host runs no other program gets a lock on the file that an action would wait for', async () => {
    const other = new DatabaseSync(file, { timeout: 0 });
    expect(() => other.exec('BEGIN IMMEDIATE')).toThrow('locked');
    other.close();
    await store.meta.set('greeting', 'hello');
    expect(await store.meta.get('greeting')).toBe('hello');
  });

  test('a file that another program has open is shared with it', async () => {
    await store.meta.set('greeting', 'hello');
    await store.close();
    const other = new DatabaseSync(file);
    expect(other.prepare('SELECT value FROM meta WHERE key = ?').get('greeting')).toEqual({ value: 'hello' });
    store = await openStore({ file, threadEntry: threadEntry() });
    expect(await store.meta.get('greeting')).toBe('hello');
    await store.meta.set('greeting', 'hello again');
    expect(other.prepare('SELECT value FROM meta WHERE key = ?').get('greeting')).toEqual({ value: 'hello again' });
    other.close();
  });

  test('requests that arrive together share a flush: 500 writes take far less than 500 flushes', async () => {
    const alone = async (): Promise<number> => {
      const start = performance.now();
      for (let index = 0; index < 50; index += 1) await store.events.append('alone', { type: 'tick', index });
      return (performance.now() - start) / 50;
    };
    const together = async (): Promise<number> => {
      const start = performance.now();
      await Promise.all(
        Array.from({ length: 500 }, (_, index) => store.events.append('together', { type: 'tick', index })),
      );
      return (performance.now() - start) / 500;
    };
    await alone();
    expect(await together()).toBeLessThan((await alone()) / 2);
  });

  test('the main loop turns while the thread flushes', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    for (let index = 0; index < 100; index += 1)
      await store.events.append('s', { type: 'tick', text: 'x'.repeat(2000) });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  test('answers come in the order of the calls, and a reader sees what was written before', async () => {
    const order: number[] = [];
    await Promise.all([
      store.meta.set('a', '1').then(() => order.push(1)),
      store.meta.get('a').then((value) => order.push(Number(value) + 1)),
      store.meta.set('a', '2').then(() => order.push(3)),
    ]);
    expect(order).toEqual([1, 2, 3]);
  });

  test('a request that fails undoes itself alone', async () => {
    const results = await Promise.allSettled([
      store.sessions.create(session('ses_1')),
      store.sessions.create(session('ses_1')),
      store.sessions.create(session('ses_2')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'state_conflict' } });
    expect((await store.sessions.list({})).sessions.map(({ sessionId }) => sessionId)).toEqual(['ses_2', 'ses_1']);
  });

  test('calls of one turn go in one message', async () => {
    const posted: unknown[] = [];
    const { postMessage } = Worker.prototype;
    using spy = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, message: unknown) {
      posted.push(message);
      return postMessage.call(this, message);
    });
    const events = [1, 2].map((index) => store.events.append('s', { type: 'tick', index }));
    await store.meta.set('a', '1');
    await Promise.all(events);
    expect(spy).toHaveBeenCalledTimes(1);
    expect(posted[0]).toMatchObject([{ method: 'events.append' }, { method: 'events.append' }, { method: 'meta.set' }]);
  });

  test('close finishes calls that were sent; later calls reject and state that acknowledged writes are on disk', async () => {
    const sent = store.events.append('s', { type: 'last' });
    await store.close();
    await store.close();
    expect(await sent).toEqual({ id: 's:1', sequence: 1 });
    await expect(store.meta.get('a')).rejects.toThrow(/not running.*acknowledged/s);
    expect(readdirSync(join(file, '..')).filter((name) => name.endsWith('-wal'))).toEqual([]);
  });

  /** What a busy host writes: each round waits for its answer, so that each is a commit. */
  const write = async (rounds: number): Promise<void> => {
    const row = 'x'.repeat(2000);
    for (let round = 0; round < rounds; round++)
      await Promise.all(Array.from({ length: 20 }, () => store.events.append('s', { type: 'row', row })));
  };
  const sizeOf = (name: string): number => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  const MB = 1024 * 1024;

  test('the write-ahead log stays within its bound while the host is busy, and is cut when it is quiet', async () => {
    let most = 0;
    for (let round = 0; round < 30; round++) {
      await write(10);
      most = Math.max(most, sizeOf(`${file}-wal`));
    }
    expect(sizeOf(file) + most).toBeGreaterThan(8 * MB);
    expect(most).toBeLessThan(5 * MB);
    await until(() => sizeOf(`${file}-wal`) < MB / 2, 'the log to be cut');
    expect((await store.events.read({ streamId: 's', after: null, limit: 1 })).lastSequence).toBe(6000);
  });

  test('space that retention frees returns to the disk', async () => {
    await write(60);
    await until(() => sizeOf(file) > 2 * MB, 'the rows in the file');
    await store.retain({ now: later(1), eventsPerStream: 10 });
    await until(() => sizeOf(file) < 2 * MB && sizeOf(`${file}-wal`) < MB / 2, 'the smaller file');
    expect((await store.events.read({ streamId: 's', after: null, limit: 20 })).events).toHaveLength(10);
  });

  test('a file of an older host gives its space back too', async () => {
    await store.close();
    const old = new DatabaseSync(file);
    old.exec('PRAGMA auto_vacuum = NONE; VACUUM');
    expect(old.prepare('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 0 });
    old.close();
    await reopen();
    await store.close();
    const now = new DatabaseSync(file, { readOnly: true });
    expect(now.prepare('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 2 });
    now.close();
    await reopen();
  });

  test('a call that is not plain data rejects by itself', async () => {
    await expect(store.events.append('s', { type: 'x', run: () => undefined })).rejects.toThrow();
    expect(await store.events.append('s', { type: 'x' })).toEqual({ id: 's:1', sequence: 1 });
  });

  test('`await using` closes', async () => {
    const other = join(scratch(), 'other.sqlite');
    {
      await using opened = await openStore({ file: other, threadEntry: threadEntry() });
      await opened.flush();
    }
    expect(readdirSync(join(other, '..'))).toEqual(['other.sqlite']);
  });

  test('the thread starts from the sources as well', async () => {
    await using other = await openStore({ file: join(scratch(), 'other.sqlite') });
    expect(await other.events.append('s', { type: 'x' })).toEqual({ id: 's:1', sequence: 1 });
  });
});

describe('opening', () => {
  test('refuses a newer schema and leaves it unchanged', async () => {
    await store.close();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    await expect(openStore({ file, threadEntry: threadEntry() })).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('newer host'),
      hint: expect.stringContaining('newer host'),
    });
    const after = new DatabaseSync(file);
    expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
    after.close();
  });

  test('refuses a file that is not a database and leaves it unchanged', async () => {
    const other = join(scratch(), 'no.sqlite');
    writeFileSync(other, 'not a database at all, but long enough to be taken for one '.repeat(40));
    await expect(openStore({ file: other, threadEntry: threadEntry() })).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('cannot be used'),
    });
    expect(readFileSync(other, 'utf8')).toMatch(/^not a database/);
  });

  test('reports that the thread cannot start', async () => {
    await expect(openStore({ file, threadEntry: join(scratch(), 'nothing.ts') })).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('could not start'),
    });
  });
});

describe('[store.recovery] actions that a killed host left open', () => {
  test('sessions end failed with their streams, cards and actions end, requests end', async () => {
    await store.sessions.create(session('ses_1'));
    await store.events.append('ses_1', { type: 'session.started', computerUseSessionId: 'ses_1', timestamp: AT });
    await store.sessions.create(session('ses_2'));
    await store.sessions.end('ses_2', { status: 'completed', summary: 'done', endedAt: later(5) });
    await store.approvals.create(card('apr_1', { actionId: 'act_1' }), 'tok_1');
    await store.actions.create(action('act_1', { status: 'pending', approvalId: 'apr_1' }));
    await store.actions.create(action('act_2'));
    await store.actions.update('act_2', { status: 'running', delivery: 'delivering', updatedAt: AT });
    await store.actions.create(action('act_3'));
    // Decided, but the host was killed before the action had its end.
    for (const [id, status, decidedBy] of [
      ['6', 'approved', 'overlay'],
      ['7', 'denied', 'overlay'],
      ['8', 'expired', 'deadline'],
    ] as const) {
      await store.approvals.create(card(`apr_${id}`, { actionId: `act_${id}` }), 'tok_1');
      await store.approvals.resolve(`apr_${id}`, { status, decidedBy, decidedAt: AT });
      await store.actions.create(action(`act_${id}`, { status: 'pending', approvalId: `apr_${id}` }));
    }
    for (const [key, actionId] of [
      ['k2', 'act_2'],
      ['k3', 'act_3'],
      ['k4', 'act_4'],
      ['k5', 'cus_5'],
    ] as const)
      await store.idempotency.begin({ tokenId: 'tok_1', key, bodyHash: 'h', actionId, at: AT });

    const { recovery } = await reopen();
    expect(recovery).toEqual({
      failedSessions: ['ses_1'],
      cancelledApprovals: ['apr_1'],
      failedActions: ['act_1', 'act_2', 'act_3', 'act_6', 'act_7', 'act_8'],
      interruptedRequests: 4,
    });
    expect(await store.sessions.get('ses_1')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('host ended'),
    });
    expect(await store.sessions.get('ses_2')).toMatchObject({ status: 'completed' });
    expect((await store.approvals.get('apr_1'))?.card).toMatchObject({
      status: 'cancelled',
      decidedBy: 'host restart',
    });
    // The first was not decided; the second was approved, and not acted on.
    for (const actionId of ['act_1', 'act_6'])
      expect(await store.actions.get(actionId)).toMatchObject({
        status: 'cancelled',
        error: { code: 'cancelled', delivery: 'not_delivered', retryable: false },
      });
    expect(await store.actions.get('act_7')).toMatchObject({
      status: 'failed',
      error: {
        code: 'approval_denied',
        delivery: 'not_delivered',
        detail: expect.stringContaining('A person said no'),
      },
    });
    expect(await store.actions.get('act_8')).toMatchObject({ status: 'failed', error: { code: 'approval_expired' } });
    expect(await store.actions.get('act_2')).toMatchObject({
      status: 'failed',
      error: { code: 'worker_restarted', delivery: 'unknown' },
    });
    expect(await store.actions.get('act_3')).toMatchObject({
      status: 'cancelled',
      delivery: 'done',
      error: { code: 'cancelled', delivery: 'not_delivered', retryable: false },
    });
    const again = (key: string) =>
      store.idempotency.begin({ tokenId: 'tok_1', key, bodyHash: 'h', actionId: 'act_9', at: AT });
    for (const [key, actionId, delivery] of [
      ['k2', 'act_2', 'unknown'],
      ['k3', 'act_3', 'not_delivered'],
      // Its record was never written.
      ['k4', 'act_4', 'not_delivered'],
    ] as const)
      expect(await again(key)).toMatchObject({
        kind: 'replay',
        actionId,
        response: { error: { actionId, delivery, retryable: false } },
      });
    expect(await again('k5')).toEqual({ kind: 'interrupted', actionId: 'cus_5' });
    const { events } = await store.events.read({ streamId: 'ses_1', after: null });
    expect(events.map(({ event }) => event.type)).toEqual(['session.started', 'approval_resolved', 'session.ended']);
    expect(events[1]?.event).toMatchObject({ actionId: 'act_1', decision: 'deny' });
    expect(events[2]?.event).toMatchObject({ status: 'failed' });
  });

  test('a stream that already had its session.ended stays unchanged', async () => {
    await store.sessions.create(session('ses_1'));
    await store.events.append('ses_1', { type: 'session.ended', status: 'aborted', summary: '', timestamp: AT });
    expect((await reopen()).recovery.failedSessions).toEqual(['ses_1']);
    expect((await store.events.read({ streamId: 'ses_1', after: null })).events).toHaveLength(1);
  });

  test('after a clean end there is nothing to recover', async () => {
    await store.sessions.create(session('ses_1'));
    await store.sessions.end('ses_1', { status: 'aborted', summary: 'stop', endedAt: AT });
    expect((await reopen()).recovery).toEqual({
      failedSessions: [],
      cancelledApprovals: [],
      failedActions: [],
      interruptedRequests: 0,
    });
  });
});

describe('sessions', () => {
  test('are created running and keep every field', async () => {
    expect(await store.sessions.create(session('ses_1'))).toEqual({
      ...session('ses_1'),
      status: 'running',
      summary: '',
      lastUrl: null,
      actionsExecuted: 0,
      denialsInRow: 0,
      evidence: {},
      endedAt: null,
      error: null,
    });
  });

  test('count to their limit and not past it, also when counted at once', async () => {
    await store.sessions.create(session('ses_1', { maxActions: 3 }));
    const counts = await Promise.all(
      Array.from({ length: 6 }, (_, index) => store.sessions.countAction('ses_1', `app:${index}`)),
    );
    expect(counts.map(({ counted }) => counted)).toEqual([true, true, true, false, false, false]);
    expect(await store.sessions.get('ses_1')).toMatchObject({ actionsExecuted: 3, lastUrl: 'app:2' });
  });

  test('end once: the first end counts, and nothing is counted or changed after it, apart from evidence', async () => {
    await store.sessions.create(session('ses_1'));
    expect(await store.sessions.update('ses_1', { denialsInRow: 2, summary: 'half' })).toMatchObject({
      denialsInRow: 2,
      summary: 'half',
    });
    expect(
      await store.sessions.end('ses_1', {
        status: 'completed',
        summary: 'whole',
        endedAt: AT,
        evidence: { denials: 2 },
      }),
    ).toMatchObject({ ended: true });
    expect(await store.sessions.end('ses_1', { status: 'aborted', summary: 'late', endedAt: later(9) })).toMatchObject({
      ended: false,
      session: { status: 'completed', summary: 'whole', endedAt: AT },
    });
    expect(await store.sessions.countAction('ses_1')).toMatchObject({ counted: false });
    expect(
      await store.sessions.update('ses_1', { summary: 'other', evidence: { audit: { from: 1, to: 2 } } }),
    ).toMatchObject({ summary: 'whole', evidence: { audit: { from: 1, to: 2 } } });
  });

  test('are listed newest first, by token, in pages', async () => {
    for (const id of ['ses_1', 'ses_2', 'ses_3'])
      await store.sessions.create(session(id, { tokenId: id === 'ses_2' ? 'tok_2' : 'tok_1' }));
    const ids = async (query: Parameters<Store['sessions']['list']>[0]): Promise<string[]> =>
      (await store.sessions.list(query)).sessions.map(({ sessionId }) => sessionId);
    expect(await ids({ tokenId: 'tok_1' })).toEqual(['ses_3', 'ses_1']);
    const first = await store.sessions.list({ limit: 2 });
    expect(first.sessions).toHaveLength(2);
    const second = await store.sessions.list({ limit: 2, cursor: first.nextCursor });
    expect(second).toMatchObject({ sessions: [{ sessionId: 'ses_1' }], nextCursor: null });
    await expect(store.sessions.list({ limit: 0 })).rejects.toEqual(code('invalid_argument'));
    await expect(store.sessions.list({ cursor: "1' OR 1=1" })).rejects.toEqual(code('invalid_argument'));
  });

  test('that are not there: null, or session_not_found', async () => {
    expect(await store.sessions.get('ses_9')).toBeNull();
    await expect(store.sessions.update('ses_9', {})).rejects.toEqual(code('session_not_found'));
    await expect(store.sessions.countAction('ses_9')).rejects.toEqual(code('session_not_found'));
    await expect(store.sessions.end('ses_9', { status: 'failed', summary: '', endedAt: AT })).rejects.toEqual(
      code('session_not_found'),
    );
  });
});

describe('events', () => {
  test('[stream.ids] have ids of stream and sequence, counted for each stream', async () => {
    const ids = await Promise.all([
      store.events.append('ses_1', { type: 'a' }),
      store.events.append('ses_2', { type: 'b' }),
      store.events.append('ses_1', { type: 'c' }),
    ]);
    expect(ids.map(({ id }) => id)).toEqual(['ses_1:1', 'ses_2:1', 'ses_1:2']);
  });

  test('[stream.replay] are replayed after an id, in pages, byte for byte', async () => {
    const sent = Array.from({ length: 5 }, (_, index) => ({
      type: 'action',
      summary: `‘${index}’ "\\ 😀`,
      timestamp: AT,
    }));
    for (const event of sent) await store.events.append('ses_1', event);
    const page = await store.events.read({ streamId: 'ses_1', after: 'ses_1:2', limit: 2 });
    expect(page).toMatchObject({
      hasGap: false,
      hasMore: true,
      lastSequence: 5,
      events: [
        { id: 'ses_1:3', sequence: 3 },
        { id: 'ses_1:4', sequence: 4 },
      ],
    });
    expect(page.events.map(({ event }) => JSON.stringify(event))).toEqual(
      sent.slice(2, 4).map((event) => JSON.stringify(event)),
    );
    expect(await store.events.read({ streamId: 'ses_1', after: 'ses_1:5' })).toMatchObject({
      events: [],
      hasGap: false,
      hasMore: false,
    });
  });

  test.each(['ses_1:9', 'ses_2:1', 'ses_1', 'ses_1:-1', 'ses_1:01', 'ses_1:1e3', 'ses_1:x', '', ':1', 'ses_1:1 '])(
    'an id that does not show what the reader has is a gap: %j',
    async (after) => {
      await store.events.append('ses_1', { type: 'a' });
      await store.events.append('ses_1', { type: 'b' });
      expect(await store.events.read({ streamId: 'ses_1', after })).toMatchObject({
        hasGap: true,
        events: [{ sequence: 1 }, { sequence: 2 }],
      });
    },
  );

  test('events that retention took leave a gap', async () => {
    for (let index = 0; index < 10; index += 1) await store.events.append('host', { type: 'tick', index });
    await store.retain({ now: AT, eventsPerStream: 4 });
    expect(await store.events.read({ streamId: 'host', after: 'host:3' })).toMatchObject({
      hasGap: true,
      events: [{ sequence: 7 }, {}, {}, { sequence: 10 }],
    });
    expect(await store.events.read({ streamId: 'host', after: 'host:6' })).toMatchObject({ hasGap: false });
    expect(await store.events.read({ streamId: 'host', after: null })).toMatchObject({ hasGap: true });
    expect(await store.events.append('host', { type: 'tick' })).toEqual({ id: 'host:11', sequence: 11 });
  });

  test('[stream.ended-once] nothing follows session.ended in the session’s own stream; the host’s stream continues', async () => {
    await store.sessions.create(session('ses_1'));
    const ended = { type: 'session.ended', status: 'completed', summary: '', timestamp: AT };
    await store.events.append('ses_1', ended);
    await expect(store.events.append('ses_1', ended)).rejects.toEqual(code('session_ended'));
    await expect(store.events.append('ses_1', { type: 'error' })).rejects.toEqual(code('session_ended'));
    await store.events.append('host', ended);
    expect(await store.events.append('host', ended)).toEqual({ id: 'host:2', sequence: 2 });
  });
});

describe('approvals', () => {
  test.each([
    ['approved', 'approved'],
    ['approved', 'denied'],
    ['approved', 'expired'],
    ['denied', 'denied'],
    ['denied', 'approved'],
    ['expired', 'denied'],
    ['expired', 'approved'],
    ['void', 'approved'],
    ['cancelled', 'denied'],
  ] as const)('%s stays after %s', async (first, second) => {
    await store.approvals.create(card('apr_1'), 'tok_1');
    expect(
      await store.approvals.resolve('apr_1', { status: first, decidedBy: 'operator', decidedAt: AT, scope: 'once' }),
    ).toMatchObject({ card: { status: first, decidedBy: 'operator' }, decidedAt: AT, scope: 'once' });
    expect(
      await store.approvals.resolve('apr_1', { status: second, decidedBy: 'overlay', decidedAt: later(1) }),
    ).toMatchObject({ card: { status: first, decidedBy: 'operator' } });
  });

  test('exactly one of several decisions at the same moment decides', async () => {
    await store.approvals.create(card('apr_1'), 'tok_1');
    const results = await Promise.all(
      (['approved', 'denied', 'approved', 'denied'] as const).map((status) =>
        store.approvals.resolve('apr_1', { status, decidedBy: 'x', decidedAt: AT }),
      ),
    );
    expect(results.map(({ card: { status } }) => status)).toEqual(Array.from({ length: 4 }, () => 'approved'));
  });

  test('are listed newest first, pending or all, in pages, and found by action', async () => {
    for (const id of ['apr_1', 'apr_2', 'apr_3'])
      await store.approvals.create(card(id, { sessionId: id === 'apr_3' ? 'ses_2' : 'ses_1' }), 'tok_1');
    await store.approvals.resolve('apr_2', { status: 'denied', decidedBy: null, decidedAt: AT });
    const ids = async (query: Parameters<Store['approvals']['list']>[0]): Promise<string[]> =>
      (await store.approvals.list(query)).approvals.map(({ card: { approvalId } }) => approvalId);
    expect(await ids({ status: 'pending' })).toEqual(['apr_3', 'apr_1']);
    const first = await store.approvals.list({ status: 'all', limit: 2 });
    expect(await ids({ status: 'all', limit: 2, cursor: first.nextCursor })).toEqual(['apr_1']);
    expect((await store.approvals.findByAction('act_apr_3')).map(({ card: found }) => found)).toEqual([
      card('apr_3', { sessionId: 'ses_2' }),
    ]);
    expect(await store.approvals.get('apr_9')).toBeNull();
    await expect(
      store.approvals.resolve('apr_9', { status: 'denied', decidedBy: null, decidedAt: AT }),
    ).rejects.toEqual(code('approval_not_found'));
    await expect(store.approvals.create(card('apr_1'), 'tok_1')).rejects.toEqual(code('state_conflict'));
  });
});

describe('actions', () => {
  test('go from pending over running to an end, which stays', async () => {
    await store.actions.create(action('act_1', { status: 'pending' }));
    expect(
      await store.actions.update('act_1', { status: 'running', updatedAt: later(1), approvalId: 'apr_1' }),
    ).toEqual({ changed: true });
    expect(await store.actions.get('act_1')).toMatchObject({ status: 'running', approvalId: 'apr_1' });
    expect(
      await store.actions.update('act_1', { status: 'succeeded', updatedAt: later(2), result: { value: true } }),
    ).toEqual({ changed: true });
    expect(await store.actions.update('act_1', { status: 'cancelled', updatedAt: later(3) })).toEqual({
      changed: false,
    });
    expect(await store.actions.get('act_1')).toEqual({
      ...action('act_1'),
      status: 'succeeded',
      delivery: 'done',
      approvalId: 'apr_1',
      result: { value: true },
      error: null,
      updatedAt: later(2),
    });
    expect(await store.actions.get('act_9')).toBeNull();
    await expect(store.actions.update('act_9', { status: 'failed', updatedAt: AT })).rejects.toEqual(
      code('action_not_found'),
    );
  });

  test('finished actions go after 24 hours, unfinished actions never', async () => {
    await store.actions.create(action('act_done'));
    await store.actions.create(action('act_open'));
    await store.actions.update('act_done', { status: 'succeeded', updatedAt: AT, result: null });
    const day = 24 * 3_600_000;
    await store.retain({ now: later(day) });
    expect(await store.actions.get('act_done')).not.toBeNull();
    await store.retain({ now: later(day + 1) });
    expect(await store.actions.get('act_done')).toBeNull();
    expect(await store.actions.get('act_open')).not.toBeNull();
  });
});

describe('[session.idempotency] idempotency keys', () => {
  const request = (changes: object = {}) => ({
    tokenId: 'tok_1',
    key: 'k',
    bodyHash: 'h',
    actionId: 'act_1',
    at: AT,
    ...changes,
  });

  test('exactly one of several calls at once runs; the answer is kept; another body is refused; another token is another key', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map((index) => store.idempotency.begin(request({ actionId: `act_${index}` }))),
    );
    expect(answers).toEqual([
      { kind: 'new' },
      { kind: 'running', actionId: 'act_1' },
      { kind: 'running', actionId: 'act_1' },
    ]);
    expect(await store.idempotency.begin(request({ bodyHash: 'other' }))).toEqual({ kind: 'mismatch' });
    await store.idempotency.finish('tok_1', 'k', { status: 200, body: { value: true } });
    await store.idempotency.finish('tok_1', 'k', { status: 500 });
    expect(await store.idempotency.begin(request())).toEqual({
      kind: 'replay',
      actionId: 'act_1',
      response: { status: 200, body: { value: true } },
    });
    expect(await store.idempotency.begin(request({ tokenId: 'tok_2', bodyHash: 'other' }))).toEqual({ kind: 'new' });
  });

  test('an abandoned request can be sent again; a finished request cannot be abandoned', async () => {
    await store.idempotency.begin(request());
    await store.idempotency.abandon('tok_1', 'k');
    expect(await store.idempotency.begin(request({ bodyHash: 'other' }))).toEqual({ kind: 'new' });
    await store.idempotency.finish('tok_1', 'k', null);
    await store.idempotency.abandon('tok_1', 'k');
    expect(await store.idempotency.begin(request({ bodyHash: 'other' }))).toMatchObject({ kind: 'replay' });
  });

  test('answers go with their time', async () => {
    await store.idempotency.begin(request());
    await store.idempotency.finish('tok_1', 'k', 1);
    await store.retain({ now: later(25 * 3_600_000) });
    expect(await store.idempotency.begin(request())).toMatchObject({ kind: 'new' });
  });
});

describe('tokens', () => {
  const token = (changes: Partial<TokenRecord> = {}): TokenRecord => ({
    tokenId: 'tok_1',
    name: 'claude',
    scope: 'agent',
    hash: 'a'.repeat(64),
    limits: { apps: ['notepad.exe'], level: 'observe' },
    createdAt: AT,
    expiresAt: later(1000),
    revokedAt: null,
    ...changes,
  });

  test('are listed, and revoked once', async () => {
    await store.tokens.add(token());
    await store.tokens.add(
      token({
        tokenId: 'tok_2',
        name: 'operator',
        scope: 'operator',
        hash: 'b'.repeat(64),
        limits: { apps: null, level: null },
        expiresAt: null,
      }),
    );
    const listed = await store.tokens.list();
    expect(listed[0]).toEqual(token());
    expect(listed.map(({ name }) => name)).toEqual(['claude', 'operator']);
    await store.tokens.revoke('tok_1', later(5));
    expect(await store.tokens.revoke('tok_1', later(9))).toMatchObject({ revokedAt: later(5) });
    expect((await (await reopen()).tokens.list())[0]).toMatchObject({ revokedAt: later(5) });
    await expect(store.tokens.revoke('tok_9', AT)).rejects.toEqual(code('not_found'));
  });

  test('[token.hash-only] the token itself is refused in the place of its hash, and reaches no file', async () => {
    await expect(store.tokens.add(token({ hash: 'uia_SECRET-secret-SECRET' }))).rejects.toEqual(
      code('invalid_argument'),
    );
    await store.flush();
    for (const name of readdirSync(join(file, '..')))
      expect(readFileSync(join(file, '..', name)).includes('SECRET-secret')).toBe(false);
  });

  test('name and hash are there once', async () => {
    await store.tokens.add(token());
    await expect(store.tokens.add(token({ tokenId: 'tok_2', hash: 'b'.repeat(64) }))).rejects.toEqual(
      code('state_conflict'),
    );
    await expect(store.tokens.add(token({ tokenId: 'tok_2', name: 'other' }))).rejects.toEqual(code('state_conflict'));
  });
});

test('retention: ended sessions go with their events, streams and approvals; running and newer sessions stay', async () => {
  const month = 30 * 24 * 3_600_000;
  for (const id of ['ses_old', 'ses_new', 'ses_run']) {
    await store.sessions.create(session(id));
    await store.events.append(id, { type: 'session.started' });
    await store.approvals.create(card(`apr_${id}`, { sessionId: id }), 'tok_1');
  }
  await store.approvals.resolve('apr_ses_old', { status: 'denied', decidedBy: null, decidedAt: AT });
  await store.approvals.resolve('apr_ses_new', { status: 'denied', decidedBy: null, decidedAt: AT });
  await store.sessions.end('ses_old', { status: 'completed', summary: '', endedAt: AT });
  await store.sessions.end('ses_new', { status: 'completed', summary: '', endedAt: later(5000) });
  await store.retain({ now: later(month + 1) });
  expect((await store.sessions.list({})).sessions.map(({ sessionId }) => sessionId)).toEqual(['ses_run', 'ses_new']);
  expect(await store.events.read({ streamId: 'ses_old', after: null })).toMatchObject({ events: [], lastSequence: 0 });
  expect(await store.approvals.get('apr_ses_old')).toBeNull();
  expect(await store.approvals.get('apr_ses_run')).not.toBeNull();
});

test('meta keeps, replaces and forgets values over a restart', async () => {
  await store.meta.set('stopped', 'yes');
  expect(await (await reopen()).meta.get('stopped')).toBe('yes');
  await store.meta.set('stopped', null);
  expect(await store.meta.get('stopped')).toBeNull();
});
