/** The store of JSON documents: keeping, serving by hash, retention and quota. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDocumentStore, type DocumentStoreOptions } from '../../../src/artifacts/document-store.ts';
import { Seal } from '../../../src/base/seal.ts';
import { DocumentArtifact } from '../../../src/contract/artifact.ts';
import { taintBelow } from '../../support/taint.ts';
import { scratch } from '../store/scratch.ts';

const folder = (data: string): string => join(data, '.agent-runtime', 'spool', 'documents');
const names = (data: string): string[] => (existsSync(folder(data)) ? readdirSync(folder(data)).sort() : []);
const open = (dataDirectory: string, policy: DocumentStoreOptions['policy'] = {}) =>
  createDocumentStore({ dataDirectory, policy, seal: new Seal() });
const cells = (text: string): string => JSON.stringify({ actionId: 'act_1', range: 'A1', values: [[text]] });

describe('documents', () => {
  test('[records.sealed-contents] are served whole by their hash, and on the disk no one can read them', async () => {
    const dataDirectory = scratch();
    const store = open(dataDirectory);
    const kept = await store.put(cells('Löwe 🦁'));
    expect(DocumentArtifact.parse(kept)).toEqual(kept);
    expect(createHash('sha256').update(cells('Löwe 🦁')).digest('hex')).toBe(kept!.contentHash);
    const read = await store.read(kept!.contentHash);
    expect(read!.artifact).toEqual(kept);
    expect(Buffer.from(read!.bytes).toString('utf8')).toBe(cells('Löwe 🦁'));
    const [name = '', ...more] = names(dataDirectory);
    expect([name.includes(kept!.contentHash), more]).toEqual([false, []]);
    expect(taintBelow(dataDirectory, ['Löwe 🦁', 'values'])).toEqual([]);
  });

  test('[records.sealed-contents] end with their host: the next one cannot read them and deletes them', async () => {
    const dataDirectory = scratch();
    const kept = await open(dataDirectory).put(cells('a'));
    const next = open(dataDirectory);
    expect(await next.read(kept!.contentHash)).toBeNull();
    expect(await next.sweep()).toMatchObject({ deleted: 1 });
    const own = await next.put(cells('b'));
    await next.sweep();
    expect(await next.read(own!.contentHash)).not.toBeNull();
  });

  test('that an earlier version wrote are plain, and are read until their retention ends', async () => {
    const dataDirectory = scratch();
    const store = open(dataDirectory);
    await store.put(cells('b'));
    const contentHash = createHash('sha256').update(cells('a')).digest('hex');
    writeFileSync(join(folder(dataDirectory), `${contentHash}.json`), cells('a'));
    await store.sweep();
    expect(Buffer.from((await store.read(contentHash))!.bytes).toString('utf8')).toBe(cells('a'));
    expect(await store.sweep(new Date(Date.now() + 25 * 3_600_000))).toMatchObject({ deleted: 2 });
  });

  test('changed bytes, an unknown hash and a path are not served', async () => {
    const dataDirectory = scratch();
    const store = open(dataDirectory);
    const kept = await store.put(cells('a'));
    writeFileSync(join(dataDirectory, 'secret.json'), '{}');
    expect(await store.read('0'.repeat(64))).toBeNull();
    expect(await store.read('../../../secret')).toBeNull();
    const [name = ''] = names(dataDirectory);
    writeFileSync(join(folder(dataDirectory), name), '{"values":[["b"]]}');
    expect(await store.read(kept!.contentHash)).toBeNull();
    writeFileSync(join(folder(dataDirectory), `${kept!.contentHash}.json`), '{"values":[["b"]]}');
    expect(await store.read(kept!.contentHash)).toBeNull();
  });

  test('are deleted at the end of their retention, the oldest first beyond the quota', async () => {
    const dataDirectory = scratch();
    // With its seal.
    const size = Buffer.byteLength(cells('1'.repeat(1000))) + 28;
    const store = open(dataDirectory, { quotaBytes: size * 2, retentionMs: 3_600_000 });
    const hashes: string[] = [];
    for (const [age, text] of [
      [300, '1'],
      [200, '2'],
      [100, '3'],
    ] as const) {
      const before = names(dataDirectory);
      const { contentHash } = (await store.put(cells(text.repeat(1000))))!;
      hashes.push(contentHash);
      const at = new Date(Date.now() - age * 1000);
      for (const name of names(dataDirectory).filter((each) => !before.includes(each)))
        utimesSync(join(folder(dataDirectory), name), at, at);
    }
    expect(await store.read(hashes[0]!)).toBeNull();
    expect(await store.read(hashes[2]!)).not.toBeNull();
    expect(names(dataDirectory)).toHaveLength(2);
    expect(await store.put(cells('x'.repeat(size * 2)))).toBeNull();
    expect(await store.sweep(new Date(Date.now() + 3_550_000))).toMatchObject({ deleted: 2 });
    expect(names(dataDirectory)).toEqual([]);
  });

  test('where keeping is switched off, nothing is written', async () => {
    const dataDirectory = scratch();
    const store = open(dataDirectory, { keep: false });
    expect(await store.put(cells('a'))).toBeNull();
    expect(names(dataDirectory)).toEqual([]);
    store.configure({ keep: true });
    expect(await store.put(cells('a'))).not.toBeNull();
  });
});
