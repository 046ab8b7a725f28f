/** The picture store: keeping, refusing, counting references, and its quota. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createImageArtifactStore, createImageStore } from '../../../src/artifacts/image-artifact-store.ts';
import { createMemoryLedger, type ArtifactLedger } from '../../../src/artifacts/ledger.ts';
import { createArtifactPipeline, createArtifactRegistry } from '../../../src/artifacts/pipeline.ts';
import type { ImageArtifactPolicy, ImageArtifactStore, Quarantined } from '../../../src/artifacts/types.ts';
import { ImageArtifact } from '../../../src/contract/artifact.ts';
import { openStore, type Store } from '../../../src/store/client.ts';
import { threadEntry } from '../../support/bundled.ts';
import { scratch } from '../store/scratch.ts';
import { noise, picture } from './pictures.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let data: string;
let store: Store;
let quarantined: Quarantined[];

beforeEach(async () => {
  data = scratch();
  store = await openStore({ file: join(data, 'host.sqlite'), threadEntry: threadEntry() });
  quarantined = [];
});
afterEach(() => store.close());

const images = (
  policy: Partial<ImageArtifactPolicy> = {},
  ledger: ArtifactLedger = store.artifacts,
): ImageArtifactStore =>
  createImageStore({ dataDirectory: data, ledger, policy, onQuarantine: (entry) => quarantined.push(entry) });
const folder = (): string => join(data, '.agent-runtime', 'spool', 'images');
const names = (): string[] => readdirSync(folder()).sort();

describe('keeping', () => {
  test.each([
    ['image/png', 'png'],
    ['image/jpeg', 'jpg'],
    ['image/webp', 'webp'],
  ] as const)('[artifact.file][artifact.record] %s', async (mimeType, extension) => {
    const bytes = await picture(mimeType, 40, 30);
    const contentHash = sha256(bytes);
    const artifact = {
      uri: `artifact://${contentHash}`,
      mimeType,
      byteSize: bytes.length,
      contentHash,
      width: 40,
      height: 30,
      sourceTool: 'screenshot',
      toolOutputSpoolId: 'out_1',
    };
    const stored = await images().put({
      data: bytes,
      mimeType,
      sessionId: 'ses_1',
      actionId: 'act_1',
      sourceTool: 'screenshot',
      toolOutputSpoolId: 'out_1',
    });
    expect(stored).toEqual({
      status: 'kept',
      artifact,
      reference: { contentHash, sessionId: 'ses_1', actionId: 'act_1' },
    });
    expect(ImageArtifact.parse(artifact)).toEqual(artifact);
    expect(names()).toEqual([`${contentHash}.${extension}`]);
    expect(readFileSync(join(folder(), `${contentHash}.${extension}`))).toEqual(bytes);
    expect(await images().read(contentHash)).toEqual({ artifact, bytes });
    expect(await store.artifacts.get(contentHash)).toMatchObject({ artifact, references: 1 });
  });

  test('[artifact.file] takes strict base64 as well as bytes', async () => {
    const bytes = await picture('image/png');
    expect(await images().put({ data: bytes.toString('base64'), mimeType: 'image/png' })).toMatchObject({
      status: 'kept',
      artifact: { contentHash: sha256(bytes) },
    });
  });

  test('a file is there whole or not at all, and nothing temporary stays', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => picture('image/png', 200, 200, index)));
    const seen = new Set<string>();
    mkdirSync(folder(), { recursive: true });
    const timer = setInterval(() => {
      for (const name of names()) {
        if (!name.startsWith('.tmp-') && sha256(readFileSync(join(folder(), name))) !== name.slice(0, 64))
          seen.add(name);
      }
    }, 0);
    const target = images();
    await Promise.all(all.map((bytes) => target.put({ data: bytes, mimeType: 'image/png' })));
    clearInterval(timer);
    expect([...seen]).toEqual([]);
    expect(names()).toEqual(all.map((bytes) => `${sha256(bytes)}.png`).sort());
  });

  test('nothing is written while keeping is switched off, but the record is still made', async () => {
    const target = images({ keep: false });
    const bytes = await picture('image/png');
    expect(await target.put({ data: bytes, mimeType: 'image/png' })).toEqual({
      status: 'not_kept',
      artifact: expect.objectContaining({ contentHash: sha256(bytes), width: 40 }),
    });
    expect(await target.get(sha256(bytes))).toBeNull();
    expect(() => names()).toThrow();
    target.configure({ keep: true });
    expect(await target.put({ data: bytes, mimeType: 'image/png' })).toMatchObject({ status: 'kept' });
    expect(names()).toHaveLength(1);
  });
});

describe('[artifact.strict]refusing answers, is reported, and leaves nothing', () => {
  const refused = async (
    target: ImageArtifactStore,
    image: Parameters<ImageArtifactStore['put']>[0],
    reason: string,
  ): Promise<void> => {
    expect(await target.put(image)).toMatchObject({ status: 'quarantined', quarantined: { reason } });
    expect(quarantined).toMatchObject([{ reason, sourceTool: image.sourceTool ?? null, at: expect.any(String) }]);
    expect(() => names()).toThrow();
    expect(await store.artifacts.usage(null)).toEqual({ totalBytes: 0, sessionBytes: 0 });
  };

  const png = () => picture('image/png', 40, 30);
  const pngOnly: Partial<ImageArtifactPolicy> = { allowedMimeTypes: ['image/png'] };
  test.each([
    ['data that is not strict base64', {}, async () => `${(await png()).toString('base64')}\n`, 'png', 'not_base64'],
    ['a type that is not its bytes’', {}, () => picture('image/jpeg'), 'png', 'type_mismatch'],
    ['a type that is none of ours', {}, png, 'svg+xml', 'type_not_allowed'],
    ['a type that the policy leaves out', pngOnly, () => picture('image/webp'), 'webp', 'type_not_allowed'],
    ['a broken picture', {}, async () => (await png()).subarray(0, -3), 'png', 'malformed'],
    ['too many pixels', { maxPixels: 1199 }, png, 'png', 'too_many_pixels'],
  ] as const)('%s', async (_what, policy, data, type, reason) =>
    refused(images(policy), { data: await data(), mimeType: `image/${type}`, sourceTool: 't' }, reason),
  );
  test('more bytes than allowed, as bytes and as base64', async () => {
    const bytes = await picture('image/png');
    for (const data of [bytes, bytes.toString('base64')]) {
      quarantined = [];
      await refused(images({ maxBytes: bytes.length - 1 }), { data, mimeType: 'image/png' }, 'too_large');
    }
    expect(await images({ maxBytes: bytes.length }).put({ data: bytes, mimeType: 'image/png' })).toMatchObject({
      status: 'kept',
    });
  });
  test('[artifact.file] 5 MiB and one byte by default', async () => {
    const limit = 5 * 1024 * 1024;
    const large = await noise('image/png', 1340);
    expect(large.length).toBeGreaterThan(limit);
    await refused(images(), { data: large, mimeType: 'image/png' }, 'too_large');
    const fitting = await noise('image/png', 1300);
    expect(fitting.length).toBeLessThan(limit);
    expect(await images().put({ data: fitting, mimeType: 'image/png' })).toMatchObject({ status: 'kept' });
  });

  test('a disk that does not take it', async () => {
    mkdirSync(join(data, '.agent-runtime'));
    writeFileSync(join(data, '.agent-runtime', 'spool'), 'a file where the folder should be');
    await refused(images(), { data: await picture('image/png'), mimeType: 'image/png' }, 'write_failed');
  });

  test('records that cannot be written, a handler that throws, listeners that throw', async () => {
    const bytes = await picture('image/png');
    const broken: ArtifactLedger = { ...createMemoryLedger(), add: () => Promise.reject(new Error('disk full')) };
    expect(await images({}, broken).put({ data: bytes, mimeType: 'image/png' })).toMatchObject({
      status: 'quarantined',
      quarantined: { reason: 'record_failed' },
    });
    expect(names()).toEqual([]);
    const pipeline = createArtifactPipeline({ registry: createArtifactRegistry() });
    pipeline.subscribe(() => {
      throw new Error('listener');
    });
    const target = createImageArtifactStore({
      pipeline,
      root: folder(),
      onQuarantine: () => {
        throw new Error('handler');
      },
    });
    expect(await target.put({ data: bytes, mimeType: 'image/png' })).toMatchObject({
      status: 'quarantined',
      quarantined: { reason: 'emission_failed', message: 'listener' },
    });
    expect(names()).toEqual([]);
    expect(pipeline.quarantine).toMatchObject([{ kind: 'ImageArtifact', reason: 'listener' }]);
  });
});

describe('equal pictures', () => {
  test('[artifact.references] are one file, which goes with its last reference', async () => {
    const target = images();
    const bytes = await picture('image/png');
    const put = (sessionId: string, actionId: string) =>
      target.put({ data: bytes, mimeType: 'image/png', sessionId, actionId });
    const all = await Promise.all([
      put('ses_1', 'act_1'),
      put('ses_1', 'act_2'),
      put('ses_2', 'act_3'),
      put('ses_1', 'act_1'),
    ]);
    expect(all.map(({ status }) => status)).toEqual(['kept', 'kept', 'kept', 'kept']);
    expect(names()).toHaveLength(1);
    const contentHash = sha256(bytes);
    const release = (sessionId: string, actionId: string) => target.release({ contentHash, sessionId, actionId });
    for (const _ of [1, 2]) expect(await release('ses_1', 'act_1')).toEqual({ references: 2 });
    expect(await release('ses_1', 'act_2')).toEqual({ references: 1 });
    expect(names()).toHaveLength(1);
    expect(await release('ses_2', 'act_3')).toEqual({ references: 0 });
    expect(names()).toEqual([]);
    expect(await target.get(contentHash)).toBeNull();
  });

  test('refusing one copy leaves the other', async () => {
    const bytes = await picture('image/png');
    let refuses = false;
    const registry = createArtifactRegistry();
    registry.register('ImageArtifact', () => (refuses ? 'not this one' : null));
    const target = createImageArtifactStore({
      pipeline: createArtifactPipeline({ registry }),
      ledger: store.artifacts,
      root: folder(),
    });
    await target.put({ data: bytes, mimeType: 'image/png', sessionId: 'ses_1', actionId: 'act_1' });
    refuses = true;
    const answers = await Promise.all(
      [2, 3, 4].map((index) =>
        target.put({ data: bytes, mimeType: 'image/png', sessionId: 'ses_1', actionId: `act_${index}` }),
      ),
    );
    expect(answers).toMatchObject(
      Array.from({ length: 3 }, () => ({
        status: 'quarantined',
        quarantined: { reason: 'refused_by_registry', message: 'not this one' },
      })),
    );
    expect(await target.read(sha256(bytes))).toMatchObject({ bytes });
    expect(await store.artifacts.get(sha256(bytes))).toMatchObject({ references: 1 });
  });

  test('giving back while the same picture comes again never loses it', async () => {
    const target = images();
    const bytes = await picture('image/png');
    const contentHash = sha256(bytes);
    await target.put({ data: bytes, mimeType: 'image/png', sessionId: 's', actionId: 'act_0' });
    for (let round = 0; round < 30; round += 1) {
      await Promise.all([
        target.release({ contentHash, sessionId: 's', actionId: `act_${round}` }),
        target.put({ data: bytes, mimeType: 'image/png', sessionId: 's', actionId: `act_${round + 1}` }),
      ]);
      expect(await target.read(contentHash)).not.toBeNull();
    }
    expect(await store.artifacts.get(contentHash)).toMatchObject({ references: 1 });
  });

  test('a file that is gone or changed is written again when the picture comes again', async () => {
    const target = images();
    const bytes = await picture('image/png');
    const path = join(folder(), `${sha256(bytes)}.png`);
    await target.put({ data: bytes, mimeType: 'image/png', actionId: 'a' });
    const asLong = () => writeFileSync(path, Buffer.alloc(bytes.length, 'x'));
    for (const harm of [() => rmSync(path), () => writeFileSync(path, 'x'), asLong]) {
      // Once more unchanged: the file is then known to be whole.
      await target.put({ data: bytes, mimeType: 'image/png', actionId: 'b' });
      harm();
      expect(await target.read(sha256(bytes))).toBeNull();
      await target.put({ data: bytes, mimeType: 'image/png', actionId: 'a' });
      expect(await target.read(sha256(bytes))).toMatchObject({ bytes });
    }
    const changed = { reason: 'malformed', contentHash: sha256(bytes) };
    expect(quarantined).toMatchObject([changed, changed]);
  });
});

describe('quotas and age', () => {
  const series = async (
    target: ImageArtifactStore,
    sessionId: string,
    from: number,
    count: number,
  ): Promise<string[]> => {
    const hashes: string[] = [];
    for (let index = from; index < from + count; index += 1) {
      const bytes = await picture('image/png', 60, 60, index);
      await target.put({ data: bytes, mimeType: 'image/png', sessionId, actionId: `act_${index}` });
      hashes.push(sha256(bytes));
      // Times in the records have milliseconds; the order of age must not be a coin's.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return hashes;
  };
  const kept = async (target: ImageArtifactStore, hashes: readonly string[]): Promise<boolean[]> =>
    Promise.all(hashes.map(async (hash) => (await target.get(hash)) !== null));

  test('a session over its quota loses its own oldest pictures; other sessions keep theirs', async () => {
    const size = (await picture('image/png', 60, 60)).length;
    const target = images({ sessionQuotaBytes: size * 3 + 10 });
    const others = await series(target, 'ses_2', 100, 3);
    const own = await series(target, 'ses_1', 1, 5);
    expect(await kept(target, own)).toEqual([false, false, true, true, true]);
    expect(await kept(target, others)).toEqual([true, true, true]);
    expect(names()).toHaveLength(6);
    expect((await store.artifacts.usage('ses_1')).sessionBytes).toBeLessThanOrEqual(size * 3 + 10);
  });

  test('a picture that another session holds too stays for it', async () => {
    const size = (await picture('image/png', 60, 60)).length;
    const target = images({ sessionQuotaBytes: size + 10 });
    const shared = await series(target, 'ses_2', 1, 1);
    await series(target, 'ses_1', 1, 2);
    expect(await kept(target, shared)).toEqual([true]);
    expect(await store.artifacts.get(shared[0] ?? '')).toMatchObject({ references: 1 });
  });

  test('pictures shared with another session count for this session too', async () => {
    const size = (await picture('image/png', 60, 60)).length;
    const target = images({ sessionQuotaBytes: size * 3 + 10 });
    await series(target, 'ses_2', 1, 2);
    await series(target, 'ses_1', 3, 1);
    await series(target, 'ses_1', 1, 2);
    await series(target, 'ses_1', 4, 2);
    expect((await store.artifacts.usage('ses_1')).sessionBytes).toBeLessThanOrEqual(size * 3 + 10);
  });

  test('the newest picture stays even if the clock was set back', async () => {
    const size = (await picture('image/png', 60, 60)).length;
    const target = images({ sessionQuotaBytes: size * 2 + 10 });
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-02') });
    const first = await series(target, 'ses_1', 1, 2);
    vi.setSystemTime(new Date('2026-05-01'));
    const second = await series(target, 'ses_1', 3, 1);
    vi.useRealTimers();
    expect(await kept(target, second)).toEqual([true]);
    expect((await kept(target, first)).filter(Boolean)).toHaveLength(1);
  });

  test('[artifact.record] a picture is recorded by one call, whatever is kept already', async () => {
    const calls: string[] = [];
    const counted = new Proxy(store.artifacts as ArtifactLedger, {
      get: (ledger, name: keyof ArtifactLedger) => {
        if (name in ledger) calls.push(name);
        return ledger[name];
      },
    });
    const target = images({}, counted);
    await series(target, 'ses_1', 1, 1);
    calls.length = 0;
    await series(target, 'ses_1', 2, 2);
    await series(target, 'ses_1', 1, 1);
    expect(calls).toEqual(['add', 'add', 'add']);
  });

  test('in all: the oldest go, whosever they are', async () => {
    const size = (await picture('image/png', 60, 60)).length;
    const target = images({ totalQuotaBytes: size * 3 + 10 });
    const first = await series(target, 'ses_1', 1, 3);
    const second = await series(target, 'ses_2', 4, 2);
    expect(await kept(target, [...first, ...second])).toEqual([false, false, true, true, true]);
    expect(names()).toHaveLength(3);
  });

  test('a picture larger than the quota is refused and displaces no other', async () => {
    const target = images({ sessionQuotaBytes: 2000 });
    const small = await series(target, 'ses_1', 1, 1);
    expect(
      await target.put({ data: await noise('image/png', 40), mimeType: 'image/png', sessionId: 'ses_1' }),
    ).toMatchObject({ status: 'quarantined', quarantined: { reason: 'quota' } });
    expect(await kept(target, small)).toEqual([true]);
  });

  test('sweep deletes old pictures, leftovers of a killed process, and records without a file', async () => {
    const target = images({ retentionMs: 1000 });
    const [old = '', lost = ''] = await series(target, 'ses_1', 1, 2);
    writeFileSync(join(folder(), '.tmp-1-x'), 'half a picture');
    writeFileSync(join(folder(), `${'0'.repeat(64)}.png`), 'a picture without a record');
    writeFileSync(join(folder(), 'notes.txt'), 'not ours');
    rmSync(join(folder(), `${lost}.png`));
    expect(await target.sweep()).toMatchObject({ expired: 0, orphans: 2, missing: 1 });
    expect(await kept(target, [old, lost])).toEqual([true, false]);
    expect(await target.sweep(new Date(Date.now() + 5000))).toMatchObject({ expired: 1, orphans: 0, missing: 0 });
    expect(names()).toEqual(['notes.txt']);
  });
});

describe('[artifact.lookup]', () => {
  test.each([
    '',
    '..',
    '../../host.sqlite',
    '..\\..\\host.sqlite',
    `${'a'.repeat(64)}/..`,
    'A'.repeat(64),
    `${'a'.repeat(63)}.`,
    '%2e%2e%2f',
    `${'a'.repeat(64)}\0`,
    'C:\\x',
    'x'.repeat(70_000),
    '__proto__',
  ])('nothing is found by %j', async (id) => {
    const target = images();
    await target.put({ data: await picture('image/png'), mimeType: 'image/png' });
    expect(await target.get(id)).toBeNull();
    expect(await target.read(id)).toBeNull();
    const single = createImageArtifactStore({
      pipeline: createArtifactPipeline({ registry: createArtifactRegistry() }),
      root: folder(),
    });
    expect(await single.get(id)).toBeNull();
    expect(await single.read(id)).toBeNull();
  });

  test('records outlive the process', async () => {
    const bytes = await picture('image/png');
    await images().put({ data: bytes, mimeType: 'image/png' });
    await store.close();
    store = await openStore({ file: join(data, 'host.sqlite'), threadEntry: threadEntry() });
    expect(await images().read(sha256(bytes))).toMatchObject({ bytes, artifact: { width: 40 } });
  });
});

describe('as the safety document shows', () => {
  test('the store of the example keeps PNG up to its size below the working directory', async () => {
    const folderBefore = vi.spyOn(process, 'cwd').mockReturnValue(data);
    try {
      const pipeline = createArtifactPipeline({ registry: createArtifactRegistry() });
      const imageStore = createImageArtifactStore({
        pipeline,
        policy: { maxBytes: 2 * 1024 * 1024, allowedMimeTypes: ['image/png'] },
      });

      const emitted: unknown[] = [];
      pipeline.subscribe(({ record }) => void emitted.push(record));
      const bytes = await picture('image/png');
      expect(await imageStore.put({ data: bytes.toString('base64'), mimeType: 'image/png' })).toMatchObject({
        status: 'kept',
      });
      expect(await imageStore.put({ data: await picture('image/webp'), mimeType: 'image/webp' })).toMatchObject({
        status: 'quarantined',
      });
      expect(await imageStore.put({ data: await noise('image/png', 900), mimeType: 'image/png' })).toMatchObject({
        status: 'quarantined',
        quarantined: { reason: 'too_large' },
      });
      expect(names()).toEqual([`${sha256(bytes)}.png`]);
      expect(emitted).toEqual([await imageStore.get(sha256(bytes))]);
      // A later process finds what is in the folder, without any database.
      const later = createImageArtifactStore({
        pipeline: createArtifactPipeline({ registry: createArtifactRegistry() }),
      });
      expect(await later.get(sha256(bytes))).toEqual(await imageStore.get(sha256(bytes)));
      expect(await later.sweep()).toMatchObject({ orphans: 0 });
      expect(await later.read(sha256(bytes))).toMatchObject({ bytes });
    } finally {
      folderBefore.mockRestore();
    }
  });

  test('the registry knows its kinds and names what is wrong', () => {
    const registry = createArtifactRegistry();
    expect(registry.kinds).toEqual(['ImageArtifact']);
    expect(registry.check('ImageArtifact', { uri: 'artifact://x' })).toMatch(/uri/);
    expect(registry.check('Video', {})).toBe('no kind of artifact is called Video');
    registry.register('Video', () => null);
    expect(registry.check('Video', {})).toBeNull();
  });
});
