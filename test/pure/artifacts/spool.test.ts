/** The spool: large outputs are kept, cut and read in parts. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createImageStore } from '../../../src/artifacts/image-artifact-store.ts';
import { createMemoryLedger } from '../../../src/artifacts/ledger.ts';
import { createToolOutputSpool, type ToolOutputSpool } from '../../../src/artifacts/spool.ts';
import { Seal } from '../../../src/base/seal.ts';
import type { ImageArtifactPolicy, ImageArtifactStore } from '../../../src/artifacts/types.ts';
import type { ToolContent } from '../../../src/contract/artifact.ts';
import { taintBelow } from '../../support/taint.ts';
import { scratch } from '../store/scratch.ts';
import { noise, picture } from './pictures.ts';

interface Place {
  data: string;
  images: ImageArtifactStore;
  spool: ToolOutputSpool;
  failures: string[];
}

function place(
  policy: Partial<ImageArtifactPolicy> = {},
  { data = scratch(), ...options }: { quotaBytes?: number; seal?: Seal; data?: string } = {},
): Place {
  const failures: string[] = [];
  const images = createImageStore({ dataDirectory: data, ledger: createMemoryLedger(), policy });
  return {
    data,
    images,
    failures,
    spool: createToolOutputSpool({
      dataDirectory: data,
      images,
      onFailure: ({ message }) => failures.push(message),
      ...options,
    }),
  };
}

const texts = (content: readonly ToolContent[]): string[] =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
const size = (content: readonly ToolContent[]): number => Buffer.byteLength(texts(content).join(''));
const KIB64 = 64 * 1024;

describe('[spool.large-outputs] tool outputs', () => {
  test('up to 64 KiB are sent unchanged; one byte more is spooled', async () => {
    const { data, spool } = place();
    const fits: ToolContent[] = [{ type: 'text', text: 'x'.repeat(KIB64) }];
    expect(await spool.spool(fits, { tool: 'read-table' })).toEqual({ content: fits, spoolId: null });
    expect(readdirSync(data)).toEqual([]);
    const { spoolId } = await spool.spool([{ type: 'text', text: 'x'.repeat(KIB64 + 1) }], { tool: 'read-table' });
    expect(spoolId).toMatch(/^out_[0-9a-f]{32}$/);
  });

  test('that spill are whole in the file, cut in the answer, and a line says how much and where', async () => {
    const { data, spool } = place();
    const content: ToolContent[] = [
      { type: 'text', text: 'a'.repeat(40_000) },
      { type: 'text', text: 'b'.repeat(40_000) },
      { type: 'text', text: 'c'.repeat(10) },
    ];
    const { content: answer, spoolId } = await spool.spool(content, {
      tool: 'read-table',
      sessionId: 'ses_1',
      actionId: 'act_1',
    });
    expect(answer.slice(0, 2)).toEqual([content[0], { type: 'text', text: 'b'.repeat(KIB64 - 40_000) }]);
    expect(texts(answer).at(-1)).toBe(
      `[cut: ${80_010 - KIB64} of 80010 bytes of text are left out here; the whole output is in .agent-runtime/spool/${spoolId}.json of the data directory]`,
    );
    expect(answer).toHaveLength(3);
    const file = JSON.parse(readFileSync(join(data, '.agent-runtime', 'spool', `${spoolId}.json`), 'utf8')) as unknown;
    expect(file).toEqual({
      spoolId,
      tool: 'read-table',
      sessionId: 'ses_1',
      actionId: 'act_1',
      createdAt: expect.any(String),
      content,
    });
    expect(await spool.read(spoolId ?? '')).toEqual(file);
  });

  test('are never cut inside a character', async () => {
    const { spool } = place();
    for (const [unit, shift] of [
      ['😀', 0],
      ['😀', 1],
      ['é', 1],
      ['字', 2],
      ['字', 1],
    ] as const) {
      const text = 'x'.repeat(shift) + unit.repeat(40_000);
      const { content } = await spool.spool([{ type: 'text', text }], { tool: 't' });
      const [cut = ''] = texts(content);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut).not.toContain('\ufffd');
      expect(Buffer.byteLength(cut)).toBeGreaterThan(KIB64 - 4);
      expect(size(content)).toBeLessThan(KIB64 + 300);
    }
  });

  test('that cannot be written go out whole, and the failure is reported', async () => {
    const { data, spool, failures } = place();
    mkdirSync(join(data, '.agent-runtime'));
    writeFileSync(join(data, '.agent-runtime', 'spool'), 'a file where the folder should be');
    const content: ToolContent[] = [{ type: 'text', text: 'x'.repeat(100_000) }];
    expect(await spool.spool(content, { tool: 't' })).toEqual({ content, spoolId: null });
    expect(failures).toHaveLength(1);
  });

  test.each([
    '',
    '..',
    '../host',
    'out_',
    `out_${'a'.repeat(31)}`,
    `out_${'a'.repeat(32)}/../x`,
    `OUT_${'a'.repeat(32)}`,
  ])('nothing is read by %j', async (id) => expect(await place().spool.read(id)).toBeNull());

  test('are deleted by age and beyond the quota', async () => {
    const { data, spool } = place({}, { quotaBytes: 250_000 });
    for (let index = 0; index < 3; index += 1) {
      await spool.spool([{ type: 'text', text: 'x'.repeat(100_000) }], { tool: 't' });
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    const count = (): number =>
      readdirSync(join(data, '.agent-runtime', 'spool')).filter((name) => name.endsWith('.json')).length;
    expect(await spool.sweep()).toMatchObject({ deleted: 1 });
    expect(count()).toBe(2);
    expect(await spool.sweep(new Date(Date.now() + 8 * 24 * 3_600_000))).toMatchObject({ deleted: 2 });
    expect(count()).toBe(0);
  });
});

describe('[spool.images] pictures in an output that spills', () => {
  test('become files of their own and references, in the answer and in the file', async () => {
    const { spool, images } = place();
    const bytes = await picture('image/png');
    const { content, spoolId } = await spool.spool(
      [
        { type: 'text', text: 'before' },
        { type: 'image', data: bytes.toString('base64'), mimeType: 'image/png' },
        { type: 'text', text: 'x'.repeat(70_000) },
      ],
      { tool: 'batch' },
    );
    const [, reference] = content;
    expect(reference).toEqual({
      type: 'resource',
      uri: expect.stringMatching(/^artifact:\/\/[0-9a-f]{64}$/),
      mimeType: 'image/png',
    });
    expect((await spool.read(spoolId ?? ''))?.content[1]).toEqual(reference);
    const contentHash = reference?.type === 'resource' ? reference.uri.slice('artifact://'.length) : '';
    expect(await images.read(contentHash)).toMatchObject({
      bytes,
      artifact: { sourceTool: 'batch', toolOutputSpoolId: spoolId },
    });
  });

  test('count against the threshold, unless they are the answer itself', async () => {
    const { spool } = place();
    const shot: ToolContent = {
      type: 'image',
      data: (await noise('image/png', 200)).toString('base64'),
      mimeType: 'image/png',
    };
    expect((await spool.spool([shot], { tool: 'batch' })).content).toMatchObject([{ type: 'resource' }]);
    expect(await spool.spool([shot], { tool: 'screenshot', keepImages: true })).toEqual({
      content: [shot],
      spoolId: null,
    });
    const both = await spool.spool([shot, { type: 'text', text: 'x'.repeat(70_000) }], {
      tool: 'screenshot',
      keepImages: true,
    });
    expect(both.content[0]).toEqual(shot);
    expect((await spool.read(both.spoolId ?? ''))?.content[0]).toMatchObject({ type: 'resource' });
  });

  test('that cannot be kept are reported as missing, and the rest continues', async () => {
    const long: ToolContent = { type: 'text', text: 'x'.repeat(70_000) };
    const bad = await place().spool.spool([{ type: 'image', data: 'no base64', mimeType: 'image/png' }, long], {
      tool: 't',
    });
    expect(texts(bad.content)[0]).toMatch(/^\[picture not kept: /);
    const off = await place({ keep: false }).spool.spool(
      [{ type: 'image', data: (await picture('image/png')).toString('base64'), mimeType: 'image/png' }, long],
      { tool: 't' },
    );
    expect(texts(off.content)[0]).toBe('[picture: keeping pictures is switched off]');
  });

  test('[records.sealed-contents] sealed outputs cannot be read on the disk, and last as their key does', async () => {
    const { data, spool } = place({}, { seal: new Seal(Buffer.from('key of the data directory')) });
    const text = `Diagnosis F32 ${'x'.repeat(70 * 1024)}`;
    const { spoolId, content } = await spool.spool([{ type: 'text', text }], { tool: 't' });
    expect((await spool.read(spoolId ?? ''))?.content).toEqual([{ type: 'text', text }]);
    expect(taintBelow(data, ['Diagnosis F32'])).toEqual([]);
    expect(JSON.stringify(content)).toContain('kept for a day');
    const restarted = place({}, { data, seal: new Seal(Buffer.from('key of the data directory')) }).spool;
    await restarted.sweep();
    expect((await restarted.read(spoolId ?? ''))?.content).toEqual([{ type: 'text', text }]);
    const next = place({}, { data, seal: new Seal() }).spool;
    expect(await next.read(spoolId ?? '')).toBeNull();
    expect(await next.sweep()).toMatchObject({ deleted: 1 });
    // An output of an earlier version is plain, and stays until its retention ends.
    const plain = await place({}, { data }).spool.spool([{ type: 'text', text }], { tool: 't' });
    await next.sweep();
    expect((await next.read(plain.spoolId ?? ''))?.content).toEqual([{ type: 'text', text }]);
    expect(await next.sweep(new Date(Date.now() + 25 * 3_600_000))).toMatchObject({ deleted: 1 });
  });
});
