/** The typed client's own package, installed in an empty folder: it runs and compiles there without any other package. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, buildTypes } from '../../scripts/build.mjs';
import { ensureWindowsTree } from '../../scripts/lib/dependencies.mjs';
import { makeClientPackage } from '../../scripts/lib/package/npm-package.mjs';
import { root } from '../../scripts/lib/places.mjs';
import { folderOf, proofKey } from '../support/cli.ts';
import { serve } from '../support/http-server.ts';
import { createStandInHost } from '../support/stand-in-host.ts';

const run = promisify(execFile);
const TIME = 300_000;
const place = mkdtempSync(join(tmpdir(), 'uiahost-client-package-'));
const own = join(place, 'node_modules/uiahost-client');

beforeAll(async () => {
  await build({ windowsTree: await ensureWindowsTree() });
  await buildTypes();
  const out = join(place, 'out');
  mkdirSync(out);
  const file = await makeClientPackage({ out });
  writeFileSync(join(place, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  const env = { ...process.env, npm_config_cache: join(place, 'cache') };
  await run('npm', ['install', '--no-audit', '--no-fund', '--offline', file], { cwd: place, env });
}, TIME);
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Ten lines, as a person writes them. */
const PROGRAM = `
import { ProblemError, UiaHostClient } from 'uiahost-client';
const host = await UiaHostClient.connect();
const { value: windows } = await host.actions.listVisibleWindows();
await host.actions.bindToWindow({ title: 'Notepad' });
const { value: clicked } = await host.actions.clickElement({ name: 'Save' });
const size = await host.executor().getDisplaySize();
console.log(JSON.stringify({ windows: windows.length, clicked, width: size.width }));
`;

describe('the typed client alone', () => {
  it('has no other package, no machine code and no limit to a system', () => {
    const installed = readdirSync(join(place, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(installed).toEqual(['uiahost-client']);
    const about = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect([about['os'], about['cpu'], about['dependencies'], about['optionalDependencies']]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    const files = readdirSync(own, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name).filter((name) => !/\.(?:mjs|d\.ts|json|md)$|^LICENSE$/.test(name))).toEqual(
      [],
    );
  });

  it('runs a program of ten lines against a host', { timeout: TIME }, async () => {
    const host = createStandInHost();
    host.answers.set('list-visible-windows', () => []);
    host.answers.set('get-display-size', () => ({ width: 1920 }));
    const { server } = await serve({ proofKey: proofKey() }, host);
    writeFileSync(join(place, 'program.mjs'), PROGRAM.replace('ProblemError, ', ''));
    const env = { ...process.env, UIAHOST_DATA_DIR: folderOf(server) };
    const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: place, env });
    expect(JSON.parse(stdout)).toMatchObject({ windows: 0, width: 1920 });
    expect(host.runs.map(({ action }) => action)).toEqual([
      'list-visible-windows',
      'bind-to-window',
      'click-element',
      'get-display-size',
    ]);
    const none = { ...process.env, UIAHOST_DATA_DIR: join(place, 'none') };
    const failed = run(process.execPath, ['program.mjs'], { cwd: place, env: none });
    await expect(failed).rejects.toMatchObject({ stderr: expect.stringContaining('No host runs') as string });
  });

  it(
    'compiles under strict and exactOptionalPropertyTypes, with its own declarations checked',
    {
      timeout: TIME,
    },
    async () => {
      writeFileSync(join(place, 'right.mts'), `${PROGRAM}\nexport { ProblemError };\n`);
      writeFileSync(join(place, 'wrong.mts'), PROGRAM.replace("name: 'Save'", "nmae: 'Save'"));
      const check = (file: string) =>
        run(
          process.execPath,
          [
            join(root, 'node_modules/typescript/bin/tsc'),
            ...'--strict --exactOptionalPropertyTypes --noEmit --pretty false --target esnext --module nodenext --skipLibCheck false --lib esnext,dom --types node --typeRoots'.split(
              ' ',
            ),
            join(root, 'node_modules/@types'),
            file,
          ],
          { cwd: place },
        ).then(
          () => '',
          ({ stdout }: { stdout: string }) => stdout,
        );
      expect(await check('right.mts')).toBe('');
      expect(await check('wrong.mts')).toContain('nmae');
    },
  );
});
