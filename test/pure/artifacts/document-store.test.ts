/** The store of JSON documents: keeping, serving by hash, retention and quota. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDocumentStore } from '../../../src/artifacts/document-store.ts';
import { DocumentArtifact } from '../../../src/contract/artifact.ts';
import { scratch } from '../store/scratch.ts';

const folder = (data: string): string => join(data, '.agent-runtime', 'spool', 'documents');
const names = (data: string): string[] => (existsSync(folder(data)) ? readdirSync(folder(data)).sort() : []);
const cells = (text: string): string => JSON.stringify({ actionId: 'act_1', range: 'A1', values: [[text]] });

describe('documents', () => {
  test('[artifact.document] are kept whole by their hash, and read by another host on the same data', async () => {
    const dataDirectory = scratch();
    const kept = await createDocumentStore({ dataDirectory }).put(cells('Löwe 🦁'));
    expect(DocumentArtifact.parse(kept)).toEqual(kept);
    const bytes = readFileSync(join(folder(dataDirectory), `${kept!.contentHash}.json`));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(kept!.contentHash);
    const read = await createDocumentStore({ dataDirectory }).read(kept!.contentHash);
    expect(read!.artifact).toEqual(kept);
    expect(Buffer.from(read!.bytes).toString('utf8')).toBe(cells('Löwe 🦁'));
    expect(names(dataDirectory)).toEqual([`${kept!.contentHash}.json`]);
  });

  test('[artifact.document] changed bytes, an unknown hash and a path are not served', async () => {
    const dataDirectory = scratch();
    const store = createDocumentStore({ dataDirectory });
    const kept = await store.put(cells('a'));
    writeFileSync(join(dataDirectory, 'secret.json'), '{}');
    expect(await store.read('0'.repeat(64))).toBeNull();
    expect(await store.read('../../../secret')).toBeNull();
    writeFileSync(join(folder(dataDirectory), `${kept!.contentHash}.json`), '{"values":[["b"]]}');
    expect(await store.read(kept!.contentHash)).toBeNull();
  });

  test('[artifact.document] are deleted at the end of their retention, the oldest first beyond the quota', async () => {
    const dataDirectory = scratch();
    const size = Buffer.byteLength(cells('1'));
    const store = createDocumentStore({ dataDirectory, policy: { quotaBytes: size * 2, retentionMs: 3_600_000 } });
    const hashes: string[] = [];
    for (const [age, text] of [
      [300, '1'],
      [200, '2'],
      [100, '3'],
    ] as const) {
      const { contentHash } = (await store.put(cells(text)))!;
      hashes.push(contentHash);
      const at = new Date(Date.now() - age * 1000);
      utimesSync(join(folder(dataDirectory), `${contentHash}.json`), at, at);
    }
    expect(await store.read(hashes[0]!)).toBeNull();
    expect(await store.read(hashes[2]!)).not.toBeNull();
    expect(names(dataDirectory)).toHaveLength(2);
    expect(await store.put(cells('x'.repeat(size * 2)))).toBeNull();
    expect(await store.sweep(new Date(Date.now() + 3_550_000))).toMatchObject({ deleted: 2 });
    expect(names(dataDirectory)).toEqual([]);
  });

  test('[artifact.document] where keeping is switched off, nothing is written', async () => {
    const dataDirectory = scratch();
    const store = createDocumentStore({ dataDirectory, policy: { keep: false } });
    expect(await store.put(cells('a'))).toBeNull();
    expect(names(dataDirectory)).toEqual([]);
    store.configure({ keep: true });
    expect(await store.put(cells('a'))).not.toBeNull();
  });
});
