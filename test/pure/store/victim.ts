/** A process that works on a store and an audit until a test kills it. */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createAuditLog } from '../../support/audit-log.ts';
import { openStore } from '../../../src/store/client.ts';

/**
 * A process to be killed: works on a store and an audit log as a host does, and says on standard output, one line each,
 * what was acknowledged. Arguments: data directory, entry of the thread, a name for this life.
 */
const [directory = '', threadEntry = '', life = ''] = process.argv.slice(2);

const say = (...words: (string | number)[]): void => {
  let rest = Buffer.from(`${words.join(' ')}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // a reader that is slow leaves the pipe full for a moment
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
};

const store = await openStore({ file: join(directory, 'host.sqlite'), threadEntry });
const audit = createAuditLog({
  directory: join(directory, 'audit'),
  keyFile: join(directory, 'audit.key'),
  thread: store.thread,
  maxFileBytes: 40_000,
  segmentRecords: 20,
});
const opened = await audit.open();
if (opened.damage !== null) say('damage', opened.damage.seq, opened.damage.reason);
say('ready');

const at = (): string => new Date().toISOString();
const pad = (index: number): string => 'x'.repeat((index * 97) % 3000);

async function act(index: number): Promise<void> {
  const actionId = `act_${life}_${index}`;
  const sessionId = `ses_${life}_${index % 5}`;
  if (index < 5) {
    await store.sessions.create({
      sessionId,
      tokenId: 't',
      goal: 'g',
      urls: [],
      hints: {},
      maxActions: 200,
      maxDurationMs: 1000,
      startedAt: at(),
    });
    say('session', sessionId);
    return;
  }
  await Promise.all([
    store.events
      .append(sessionId, { type: 'action', actionId, summary: pad(index), timestamp: at() })
      .then(({ id }) => say('event', id, actionId)),
    store.actions
      .create({ actionId, tokenId: 't', sessionId, action: 'click', status: 'running', createdAt: at() })
      .then(() => say('action', actionId, 'running')),
    audit
      .append({
        kind: 'request',
        actor: { tokenId: 't', surface: 'http' },
        sessionId,
        actionId,
        details: { pad: pad(index) },
      })
      .then(({ seq, hash }) => say('audit', seq, hash)),
  ]);
  if (index % 3 === 0) return;
  await Promise.all([
    store.actions
      .update(actionId, { status: 'succeeded', updatedAt: at(), result: { value: true } })
      .then(() => say('action', actionId, 'succeeded')),
    audit
      .append({ kind: 'outcome', actor: { tokenId: 't', surface: 'http' }, sessionId, actionId })
      .then(({ seq, hash }) => say('audit', seq, hash)),
  ]);
}

for (let index = 0; ;) {
  // Now one alone, now several at once, so that flushes of every size are hit.
  const burst = 1 + (index % 7);
  await Promise.all(Array.from({ length: burst }, (_, offset) => act(index + offset)));
  index += burst;
}
