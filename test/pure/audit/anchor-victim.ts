/** A process that writes to audit and store until a test kills it. */
import { join } from 'node:path';
import { writeSync } from 'node:fs';
import { ANCHOR_KEY } from '../../../src/audit/anchor.ts';
import { createAuditLog } from '../../support/audit-log.ts';
import { openStore } from '../../../src/store/client.ts';

/** Writes audit entries and rows of the store, some together and some with pauses, until it is killed. Argument: data directory. Says what opening found. */
const [data = ''] = process.argv.slice(2);
const store = await openStore({ file: join(data, 'uiahost.sqlite') });
const log = createAuditLog({
  directory: join(data, 'audit'),
  keyFile: join(data, 'audit.key'),
  maxFileBytes: 4096,
  segmentRecords: 7,
  thread: store.thread,
  anchor: () => store.meta.get(ANCHOR_KEY),
});
const { damage } = await log.open();
writeSync(1, `${JSON.stringify({ damage, verdict: await log.verify() })}\n`);
for (let index = 0; ; index += 1) {
  await Promise.all([
    log.append({ kind: 'request', actor: { tokenId: null, surface: 'host' }, details: { index } }),
    ...(index % 3 === 0 ? [store.meta.set('n', String(index))] : []),
  ]);
  if (index % 50 === 49)
    await new Promise((resolve) => {
      setTimeout(resolve, 300);
    });
}
