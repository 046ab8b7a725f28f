/** The safety document’s examples run against the package, word for word. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import type { createArtifactPipeline, createImageArtifactStore, securityPolicy } from '../../../src/index.ts';
import { picture } from '../artifacts/pictures.ts';

const document = readFileSync(new URL('../../../schemas/seeds/computer-use-safety.md', import.meta.url), 'utf8');
const examples = [...document.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
// Below the checkout, so that the packages of the library are found from there.
const folder = mkdtempSync(fileURLToPath(new URL('../../../node_modules/.examples-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs an example word for word; the bundler only learns the package's name. Returns its variables. */
async function run<T>(code: string, names: readonly string[]): Promise<T> {
  const outfile = join(folder, `example-${names.join('-')}.mjs`);
  await build({
    stdin: { contents: `${code}\nexport { ${names.join(', ')} };\n`, loader: 'ts', resolveDir: folder },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'silent',
    alias: { '@ku0/agent-runtime': fileURLToPath(new URL('../../../src/index.ts', import.meta.url)) },
    packages: 'external',
    define: { __VERSION__: '"0.0.0"' },
  });
  return (await import(pathToFileURL(outfile).href)) as T;
}

describe('[exports.examples] the safety document’s examples, word for word', () => {
  test('there are two', () => expect(examples).toHaveLength(2));

  test('the policy builder', async () => {
    const { policy } = await run<{ policy: ReturnType<ReturnType<typeof securityPolicy>['build']> }>(
      examples[0] ?? '',
      ['policy'],
    );
    expect(policy).toMatchObject({ computer: 'observe', level: 'observe', alwaysAsk: [] });
  });

  test('an image store of an own policy', async () => {
    const { pipeline, imageStore } = await run<{
      pipeline: ReturnType<typeof createArtifactPipeline>;
      imageStore: ReturnType<typeof createImageArtifactStore>;
    }>(examples[1] ?? '', ['pipeline', 'imageStore']);
    const emitted: string[] = [];
    pipeline.subscribe(({ kind }) => void emitted.push(kind));
    expect(imageStore.root.replaceAll('\\', '/')).toMatch(/\.agent-runtime\/spool\/images$/);
    imageStore.configure({ keep: false });
    expect(await imageStore.put({ data: await picture('image/png'), mimeType: 'image/png' })).toMatchObject({
      status: 'not_kept',
      artifact: { width: 40, height: 30 },
    });
    expect(await imageStore.put({ data: await picture('image/jpeg'), mimeType: 'image/jpeg' })).toMatchObject({
      status: 'quarantined',
      quarantined: { reason: 'type_not_allowed' },
    });
    expect(await imageStore.put({ data: Buffer.alloc(2 * 1024 * 1024 + 1), mimeType: 'image/png' })).toMatchObject({
      status: 'quarantined',
      quarantined: { reason: 'too_large' },
    });
  });
});
