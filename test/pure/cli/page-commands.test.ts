/** `uiahost open` and `uiahost inspect`: who gets a link, and to what. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { cliBundle, serveCli, type CliServed } from '../../support/cli.ts';
import { onTerminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';

/** The one link in a text: what it opens, and what it asks the page for. */
async function opened({ call }: CliServed, text: string) {
  const link = /http:\S+/.exec(text)?.[0] ?? '';
  const place = new URLSearchParams(new URL(link).hash.slice(1));
  const code = place.get('code');
  const redeem = () => call('POST', '/v1/page/session', { token: null, body: { code } });
  const { scope } = (await (await redeem()).json()) as { scope: string };
  expect((await redeem()).status).toBe(401);
  return { scope, view: place.get('view'), hwnd: place.get('hwnd') };
}

/** A folder of programs in which a browser can be started, or not. */
function programs({ dataDirectory }: CliServed, hasBrowser: boolean) {
  const folder = join(dataDirectory, hasBrowser ? 'browser' : 'none');
  const shown = join(folder, 'shown');
  mkdirSync(folder);
  const script = `#!/bin/sh\nprintf %s "$1" > ${shown}.new\n/bin/mv ${shown}.new ${shown}\n`;
  if (hasBrowser) writeFileSync(join(folder, 'xdg-open'), script, { mode: 0o755 });
  return { env: { PATH: folder }, shown };
}

it('a program that has it printed gets a page that can only look', async () => {
  const served = await serveCli();
  const { status, stdout, stderr } = await served.cli(['open', '--print']);
  expect([status, stderr]).toEqual([0, expect.stringContaining('can only look')]);
  expect(await opened(served, stdout)).toMatchObject({ scope: 'viewer' });
  const { env } = programs(served, false);
  const refused = await served.cli(['open'], { env });
  expect([refused.status, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).not.toContain('code=');
  writeFileSync(join(env.PATH, 'xdg-open'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  const look = await served.cli(['open', '--viewer'], { env });
  expect(await opened(served, look.stdout)).toMatchObject({ scope: 'viewer' });
});

onTerminal('a person at a terminal gets a link to the whole page', async () => {
  const served = await serveCli();
  const command = `'${process.execPath}' '${cliBundle()}' open --print`;
  const env = { ...process.env, UIAHOST_DATA_DIR: served.dataDirectory };
  const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], { env });
  expect(await opened(served, stdout)).toMatchObject({ scope: 'operator' });
});

onTerminal('the browser is given the link, which is printed nowhere', async () => {
  const served = await serveCli();
  const { env, shown } = programs(served, true);
  const { status, stdout, stderr } = await served.cli(['inspect', '--hwnd', '0x10'], { env });
  expect([status, stdout.includes('code='), stderr]).toEqual([0, false, '']);
  await until(() => existsSync(shown), 'the browser');
  expect(await opened(served, readFileSync(shown, 'utf8'))).toEqual({
    scope: 'operator',
    view: 'inspector',
    hwnd: '0x10',
  });
});
