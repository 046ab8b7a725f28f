/** `uiahost secret` as a process, over a stand-in host. */
import { describe, expect, it } from 'vitest';
import { cliBundle, serveCli, type CliServed } from '../../support/cli.ts';
import { onTerminal, runOnTerminal, type TerminalResult } from '../../support/terminal.ts';

const SECRET = 'Zaunkönig ’; "4711" ‘';
const APP = 'C:\\Program Files\\Bank\\bank.exe';

async function typed(
  served: CliServed,
  args: readonly string[],
  answers: ReadonlyArray<readonly [string, string]>,
): Promise<TerminalResult> {
  return runOnTerminal(
    [process.execPath, cliBundle(), ...args],
    { HOME: served.dataDirectory, UIAHOST_DATA_DIR: served.dataDirectory },
    answers,
  );
}
const SET = ['secret', 'set', 'bank', '--app', APP];

describe('uiahost secret', () => {
  onTerminal('asks twice on the terminal, shows nothing of it, and stores it for the application', async () => {
    const served = await serveCli();
    const { status, shown } = await typed(served, SET, [
      ['uiahost:bank', `wrong\u0015${SECRET}x\u007f\r`],
      ['Repeat:', `${SECRET}\r`],
    ]);
    expect({ status, shown }).toMatchObject({ status: 0, shown: expect.stringContaining('Stored uiahost:bank') });
    expect(shown).not.toContain('4711');
    expect(shown).not.toContain('wrong');
    expect([...served.host.storedSecrets.values()]).toEqual([
      { view: { name: 'bank', secretRef: 'uiahost:bank', app: APP }, secret: SECRET },
    ]);
  });

  onTerminal('[secret.origin] takes the origin that a browser’s secret is for, and shows it', async () => {
    const served = await serveCli();
    const { status, shown } = await typed(
      served,
      [...SET, '--origin', 'https://bank.example'],
      [
        ['https://bank.example', `${SECRET}\r`],
        ['Repeat:', `${SECRET}\r`],
      ],
    );
    expect({ status, shown }).toMatchObject({ status: 0, shown: expect.stringContaining('on https://bank.example.') });
    expect([...served.host.storedSecrets.values()].map(({ view }) => view)).toEqual([
      { name: 'bank', secretRef: 'uiahost:bank', app: APP, origin: 'https://bank.example' },
    ]);
    expect((await served.cli(['secret', 'list'])).stdout).toContain('https://bank.example');
  });

  onTerminal('two different answers, an empty answer, and Ctrl+C store nothing', async () => {
    const served = await serveCli();
    expect(
      await typed(served, SET, [
        ['uiahost:bank', 'one\r'],
        ['Repeat:', 'two\r'],
      ]),
    ).toMatchObject({ status: 1, shown: expect.stringContaining('two entries differ') });
    expect(await typed(served, SET, [['uiahost:bank', '\r']])).toMatchObject({
      status: 1,
      shown: expect.stringContaining('empty'),
    });
    expect(await typed(served, SET, [['uiahost:bank', 'half\u0003']])).toMatchObject({
      status: 1,
      shown: expect.stringContaining('cancelled'),
    });
    expect(served.host.storedSecrets.size).toBe(0);
  });

  it('refuses a pipe, an argument and a variable, with the reason', async () => {
    const { cli, host } = await serveCli();
    const piped = await cli(SET, { input: `${SECRET}\n${SECRET}\n`, env: { UIAHOST_SECRET: SECRET } });
    expect(piped).toMatchObject({ status: 2, stderr: expect.stringContaining('terminal') });
    expect((await cli([...SET, SECRET])).status).toBe(2);
    expect((await cli([...SET, '--secret', SECRET])).status).toBe(2);
    expect((await cli(['secret', 'set', 'bank'])).status).toBe(2);
    expect((await cli(['secret', 'set', 'a b', '--app', APP])).status).toBe(2);
    expect(host.storedSecrets.size).toBe(0);
    const help = await cli(['secret', 'set', '--help']);
    expect(help).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/never taken from an argument, a variable or a\s+pipe/),
    });
  });

  it('lists and removes, and never shows a secret', async () => {
    const { cli, host } = await serveCli();
    await host.secrets.set('bank', { app: APP, secret: SECRET }, 'operator');
    const listed = await cli(['secret', 'list']);
    expect(listed.stdout).toContain('uiahost:bank');
    expect(listed.stdout).toContain(APP);
    expect(JSON.parse((await cli(['secret', 'list', '--json'])).stdout)).toEqual({
      secrets: [{ name: 'bank', secretRef: 'uiahost:bank', app: APP }],
    });
    expect(listed.stdout).not.toContain('4711');
    expect(await cli(['secret', 'remove', 'uiahost:bank'])).toMatchObject({
      status: 0,
      stdout: 'Removed uiahost:bank.\n',
    });
    expect(host.storedSecrets.size).toBe(0);
    expect(await cli(['secret', 'remove', 'bank'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('not_found'),
    });
  });
});
