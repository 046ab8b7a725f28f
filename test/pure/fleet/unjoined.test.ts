/** A machine that has not joined a fleet loads nothing of one. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'uiahost-unjoined-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Packages of the fleet that each entry reads at its start, or would read on first use of anything. */
async function natsIn(entry: string, canBeLazy: boolean): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outdir: join(folder, 'out'),
    write: false,
    metafile: true,
    logLevel: 'silent',
    external: ['@koromix/*', '@img/*'],
    loader: { '.html': 'text', '.css': 'text', '.svg': 'text' },
  });
  const outputs = Object.entries(metafile.outputs);
  const [first] = outputs.find(([, { entryPoint }]) => entryPoint === entry) ?? [''];
  const read = new Set([first]);
  for (const name of read)
    for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
      if (!canBeLazy || kind === 'import-statement') read.add(path);
  return [...read].flatMap((name) =>
    Object.keys(metafile.outputs[name]?.inputs ?? {}).filter((input) =>
      /@nats-io|tweetnacl|src\/fleet\/(bus|link)/.test(input),
    ),
  );
}

it.each(['host', 'service', 'worker', 'overlay', 'store', 'inspect'])(
  'the process %s contains nothing of it',
  async (name) => {
    expect(await natsIn(`src/entry/${name}.ts`, false)).toEqual([]);
  },
);

it.each(['src/cli/program.ts', 'src/client.ts'])('%s reads nothing of it before its first use', async (entry) => {
  expect(await natsIn(entry, true)).toEqual([]);
  expect(await natsIn(entry, false)).not.toEqual([]);
});

it('the command says that the machine has not joined, and has loaded no package of it', async () => {
  const hook = join(folder, 'hook.cjs');
  writeFileSync(
    hook,
    `process.on('exit', () => process.stderr.write('loaded ' + Object.keys(require.cache).filter((name) => /nats-io|tweetnacl/.test(name)).length));`,
  );
  const asked = promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--require', hook, join(root, 'src/cli/main.ts'), 'fleet', 'status'],
    {
      env: { ...process.env, UIAHOST_DATA_DIR: folder },
    },
  );
  await expect(asked).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/has not joined[^]*loaded 0/) as string,
  });
});
