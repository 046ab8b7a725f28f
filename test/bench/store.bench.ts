/** Measures the store: round trips to its thread and to the disk. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, crc32 } from 'node:zlib';
import { createImageStore } from '../../src/artifacts/image-artifact-store.ts';
import { createAuditLog } from '../support/audit-log.ts';
import { openStore } from '../../src/store/client.ts';

/**
 * The cost of the disk: `node test/bench/store.bench.ts [folder]`, under Linux and under Wine alike. Every figure is a
 * round trip from the main thread to the store's thread, to the disk, and back. Prints one line of JSON for each
 * figure.
 */

const ROUNDS = 400;
const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'uiahost-bench-'));

async function measure(name: string, rounds: number, run: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < Math.min(20, rounds); round += 1) await run(round);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await run(round + 1000);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    Number((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(3));
  console.log(
    JSON.stringify({ name, platform: process.platform, rounds, p50ms: at(0.5), p95ms: at(0.95), maxms: at(1) }),
  );
}

/** A PNG of the size that the picture of a window has: 57 kB of pixels that do not compress, in a valid file. */
function windowPicture(): Buffer {
  const [width, height] = [190, 100];
  const rows = Buffer.concat(
    Array.from({ length: height }, () => Buffer.concat([Buffer.alloc(1), randomBytes(width * 3)])),
  );
  const chunk = (type: string, body: Buffer): Buffer => {
    const data = Buffer.concat([Buffer.from(type), body]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length);
    sum.writeUInt32BE(crc32(data));
    return Buffer.concat([length, data, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const at = (): string => new Date().toISOString();
const entry = (round: number) =>
  ({
    kind: 'outcome',
    actor: { tokenId: 'tok_1', surface: 'http' },
    sessionId: 'ses_1',
    actionId: `act_${round}`,
    action: 'typeIntoElement',
    decision: 'execute',
    riskLevel: 'high',
    riskTags: ['computer:input'],
    why: ['level full'],
    outcome: { effect: 'confirmed', delivery: 'uia-value' },
    text: { length: 12, hmac: 'e'.repeat(64) },
  }) as const;
const event = (round: number) => ({
  type: 'action',
  actionId: `act_${round}`,
  actionType: 'typeIntoElement',
  riskLevel: 'high',
  summary: 'Type into “Body”',
  timestamp: at(),
});

const opening = performance.now();
const store = await openStore({ file: join(folder, 'host.sqlite') });
const audit = createAuditLog({
  directory: join(folder, 'audit'),
  keyFile: join(folder, 'audit.key'),
  thread: store.thread,
});
await audit.open();
console.log(
  JSON.stringify({
    name: 'open store and audit (loose sources)',
    platform: process.platform,
    ms: Math.round(performance.now() - opening),
  }),
);

await measure('read without a flush', ROUNDS, () => store.meta.get('nothing'));
await measure('event append + flush', ROUNDS, (round) => store.events.append('ses_1', event(round)));
await measure('audit append + flush + checkpoint', ROUNDS, (round) => audit.append(entry(round)));
await measure('before a delivery: event, action, audit together', ROUNDS, (round) =>
  Promise.all([
    store.events.append('ses_1', event(round)),
    store.actions.create({
      actionId: `act_${round}_${randomUUID()}`,
      tokenId: 'tok_1',
      sessionId: 'ses_1',
      action: 'type-into-element',
      status: 'running',
      createdAt: at(),
    }),
    audit.append(entry(round)),
  ]),
);
await measure('100 events at once', 50, (round) =>
  Promise.all(Array.from({ length: 100 }, () => store.events.append('ses_1', event(round)))),
);
await measure('100 audit entries at once', 50, (round) =>
  Promise.all(Array.from({ length: 100 }, () => audit.append(entry(round)))),
);

const images = createImageStore({ dataDirectory: folder, ledger: store.artifacts });
await measure('picture of 57 kB: check, write, sync, record', 100, (round) =>
  images.put({ data: windowPicture(), mimeType: 'image/png', sessionId: 'ses_1', actionId: `act_${round}` }),
);

const { records } = await audit.verify();
await measure(`audit verify of ${records} records`, 5, () => audit.verify());
await measure('audit page of 100 in the middle', 50, () => audit.read({ after: Math.floor(records / 2), limit: 100 }));

await audit.close();
await store.close();
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
