/**
 * What others may prepare on a machine, or try on an installed one: programs in front on the PATH, variables, a folder made first, a
 * repair with a user's values. Wine keeps no rights of other accounts: the rights that decide are compared in
 * test/pure/scripts/msi-check.test.ts, test/pure/service and test/native/win32/system/trust.test.ts.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findHost } from '../../../src/client/locate.ts';
import { ensureTestTools } from '../../../scripts/lib/test-tools.mjs';
import { windowsPath } from '../../../scripts/lib/places.mjs';
import { WindowsMachine, type Installation, type InstalledHost } from '../../support/installer.ts';
import { until } from '../../support/until.ts';
import { makeVersions, type MsiVersions } from '../../support/msi-versions.ts';

const ENVIRONMENT = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment';
/** Names that a careless program starts without a path. */
const NAMES = ['node', 'cmd', 'reg', 'sc', 'net', 'taskkill', 'powershell', 'whoami', 'msiexec', 'icacls', 'uiahost'];
const OPTIONS = '--require C:/planted/planted.cjs';
const planted = fileURLToPath(new URL('../../fixtures/planted.c', import.meta.url));

let built: MsiVersions;
let machine: WindowsMachine;
/** The first version, as a user runs it who is not an administrator. */
let restricted: string;
const logs: string[] = [];

const install = async (msi: string, ...words: string[]): Promise<Installation> => {
  const done = await machine.install(msi, ...words);
  logs.push(done.log);
  return done;
};
const setVariables = async (variables: Record<string, string>): Promise<void> => {
  for (const [name, value] of Object.entries(variables))
    await machine.run('reg.exe', 'add', ENVIRONMENT, '/v', name, '/t', 'REG_SZ', '/d', value, '/f');
};
const stopService = async (): Promise<void> => {
  await machine.run('net.exe', 'stop', 'uiahost');
  await until(
    () => machine.serviceState(),
    (state) => state === 'STOPPED',
  );
};
/** What ran although it must not. */
const ran = (): string =>
  machine.has('C:\\planted\\ran.txt') ? readFileSync(machine.file('C:\\planted\\ran.txt'), 'utf16le') : '';

beforeAll(async () => {
  built = await makeVersions('first', 'second');
  // Windows sets this property for a user who is not an administrator; Wine knows no other accounts.
  restricted = await built.changed('first', 'user', ({ Property }) => {
    Property!.rows.push({ Property: 'RestrictedUserControl', Value: '1' });
  });
  machine = await WindowsMachine.start();
}, 600_000);
afterAll(async () => {
  await machine?.[Symbol.asyncDispose]();
  built?.[Symbol.dispose]();
});

it('[package.msi.folder] a folder that was made first is refused where it is not under Program Files, and its contents stay', async () => {
  const before = await machine.inventory();
  const folder = machine.folder('C:\\Tools\\uiahost');
  writeFileSync(join(folder, 'dbghelp.dll'), 'planted');
  for (const given of ['C:\\Tools\\uiahost', 'C:\\Tools\\uiahost\\', 'c:\\tools\\UIAHOST']) {
    const { status, log } = await install(built.msi('first'), `INSTALLDIR=${given}`);
    expect(status).not.toBe(0);
    expect(log).toContain(`REFUSAL = INSTALLDIR is "${given.replace(/\\?$/, '')}`);
    expect(log).toContain('a folder that exists');
  }
  expect(readdirSync(folder)).toEqual(['dbghelp.dll']);
  expect(await machine.inventory()).toEqual(before);
});

it('too little space is a message that names the folder, and nothing is changed', async () => {
  const before = await machine.inventory();
  // Wine does not compare what is needed with what is free; this says what Windows then says.
  const msi = await built.changed('first', 'full', ({ CustomAction, InstallExecuteSequence }) => {
    CustomAction!.rows.push({ Action: 'DiskIsFull', Type: '51', Source: 'OutOfDiskSpace', Target: '1' });
    InstallExecuteSequence!.rows.push({ Action: 'DiskIsFull', Condition: '', Sequence: '1001' });
  });
  const { status, log } = await install(msi);
  expect(status).not.toBe(0);
  expect(log).toMatch(
    /REFUSAL = INSTALLDIR is "C:\\Program Files\\uiahost\\". Its drive, or the drive of Windows, has too little/,
  );
  expect(await machine.inventory()).toEqual(before);
});

describe('an installed uiahost', () => {
  let host: InstalledHost;

  it('runs no program in front on the PATH, and none of an unquoted path', async () => {
    const { compiler } = await ensureTestTools();
    const folder = machine.folder('C:\\planted');
    execFileSync(compiler, ['-municode', '-mwindows', '-O1', '-o', join(folder, 'node.exe'), planted]);
    for (const name of NAMES.slice(1)) cpSync(join(folder, 'node.exe'), join(folder, `${name}.exe`));
    for (const unquoted of ['C:\\Program.exe', 'C:\\Program Files\\uiahost.exe'])
      cpSync(join(folder, 'node.exe'), machine.file(unquoted));
    const script =
      "require('node:fs').appendFileSync('C:\\\\planted\\\\ran.txt', Buffer.from(process.argv.join(' '), 'utf16le'));";
    writeFileSync(join(folder, 'planted.cjs'), script);
    // it works: a check that nothing ran would else prove nothing
    await machine.run(join(folder, 'reg.exe'));
    expect(ran()).toMatch(/reg\.exe$/);
    writeFileSync(machine.file('C:\\planted\\ran.txt'), '');
    const path = /PATH\s+REG_\w+\s+(.*)/i.exec(await machine.registry(ENVIRONMENT))?.[1] ?? '';
    await setVariables({
      PATH: `C:\\planted;${path}`,
      UIAHOST_LEVEL: 'full',
      UIAHOST_AGENT_TOKEN: 'planted-token-0123456789-0123456789-0123',
    });

    const { status, log } = await install(restricted, 'PORT=7531');
    expect(status, log.slice(-3000)).toBe(0);
    host = await machine.host();
    expect(host.url).toBe('http://127.0.0.1:7531');
    expect(ran()).toBe('');
    // the token of a hostile environment opens nothing
    const answer = await fetch(`${host.url}/v1/status`, {
      headers: { authorization: 'Bearer planted-token-0123456789-0123456789-0123' },
    });
    expect(answer.status).toBe(401);
  });

  it('loads no code that the environment of machine or user names', async () => {
    const key = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\uiahost';
    expect(await machine.registry(key)).toMatch(/Environment\s+REG_MULTI_SZ\s+\S*NODE_OPTIONS=\\0/);
    const options = { NODE_OPTIONS: OPTIONS, NODE_PATH: 'C:\\planted' };
    await setVariables(options);
    await machine.run('reg.exe', 'add', 'HKCU\\Environment', '/v', 'NODE_OPTIONS', '/d', OPTIONS, '/f');
    await stopService();
    expect(existsSync(join(host.data, 'host.json'))).toBe(false);
    await machine.run('net.exe', 'start', 'uiahost');
    host = await machine.host();
    expect(ran()).toBe('');
    // the steps of an installation are the administrator's, with the environment of the machine
    for (const name of Object.keys(options)) await machine.run('reg.exe', 'delete', ENVIRONMENT, '/v', name, '/f');
  });

  it('[locate.squatter] [service.sessions] gives no token to a program that takes its port first', async () => {
    const file = join(host.data, 'host.json');
    const found = readFileSync(file, 'utf8');
    await stopService();
    const asked: string[] = [];
    const squatter = createServer((request, response) => {
      asked.push(JSON.stringify(request.rawHeaders));
      response.setHeader('content-type', 'application/json').end('{ "status": "ok", "version": "0.1.0" }');
    });
    squatter.listen(7531, '127.0.0.1');
    await once(squatter, 'listening');
    try {
      // a port that another program uses is an error: no host comes, and none at another address
      await machine.run('net.exe', 'start', 'uiahost');
      await expect(machine.host(8000)).rejects.toThrow('did not come');
      // what every client asks first: a host proves itself, and the squatter cannot
      writeFileSync(file, found);
      await expect(findHost(host.data)).rejects.toThrow(/no token was sent/);
      rmSync(file, { force: true });
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.join('').toLowerCase()).not.toContain('authorization');
    } finally {
      squatter.close();
      squatter.closeAllConnections();
    }
    // the next start has the port again
    await stopService();
    await machine.run('net.exe', 'start', 'uiahost');
    host = await machine.host();
    expect(host.url).toBe('http://127.0.0.1:7531');
  });

  it('[package.msi.secrets] keeps its tokens out of logs, registry, command lines and the service’s files', async () => {
    const secrets = ['agent.token', 'operator.token', 'host.key', 'audit.key']
      .map((name) => join(host.data, name))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file).toString('latin1').trim());
    expect(secrets.length).toBeGreaterThanOrEqual(3);
    const lines = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
        } catch {
          return '';
        }
      });
    const service = machine.file('C:\\ProgramData\\uiahost');
    const files = readdirSync(service, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    expect(files.length).toBeGreaterThan(1);
    const registry = [await machine.registry('HKLM'), await machine.registry('HKCU'), await machine.registry('HKU')];
    expect(registry.join('').length).toBeGreaterThan(100_000);
    for (const text of [...logs, ...lines, ...files, ...registry])
      for (const secret of secrets) expect(text.includes(secret)).toBe(false);
  });

  it('[package.msi.user-repair] a repair by a user takes no value from that user', async () => {
    const was = await machine.inventory();
    const policy = (): string => readFileSync(machine.file('C:\\ProgramData\\uiahost\\policy.json'), 'utf8');
    const text = policy();
    const file = join(built.out, 'users.json');
    writeFileSync(file, '{ "level": "full" }');
    for (const given of [
      `POLICYFILE=${windowsPath(file)}`,
      'LEVEL=full',
      'PORT=7532',
      'STARTSERVICE=0',
      'ADDTOPATH=0',
      'REMOVEDATA=1',
    ]) {
      const { status, log } = await install(restricted, 'REINSTALL=ALL', 'REINSTALLMODE=amus', given);
      const at = given.indexOf('=');
      expect(status, given).not.toBe(0);
      expect(log).toContain(`REFUSAL = ${given.slice(0, at)} is "${given.slice(at + 1)}". Only an administrator`);
      expect(policy()).toBe(text);
    }
    expect(await machine.inventory()).toEqual(was);
    // without values it is a repair, which runs no code of the user's environment
    await machine.run('reg.exe', 'add', 'HKCU\\Environment', '/v', 'NODE_OPTIONS', '/d', OPTIONS, '/f');
    writeFileSync(machine.file('C:\\Program Files\\uiahost\\LICENSE'), 'damaged');
    // Windows waits for the service that it stops, and Wine does not: such a repair has no step that could
    await stopService();
    const { status, log } = await install(restricted, 'REINSTALL=ALL', 'REINSTALLMODE=amus');
    expect(status, log.slice(-3000)).toBe(0);
    expect(readFileSync(machine.file('C:\\Program Files\\uiahost\\LICENSE'), 'utf8')).toContain('Apache License');
    expect(policy()).toBe(text);
    host = await machine.host();
    expect(host.url).toBe('http://127.0.0.1:7531');
    expect(ran()).toBe('');
    await machine.run('reg.exe', 'delete', 'HKCU\\Environment', '/v', 'NODE_OPTIONS', '/f');
  });

  it('[package.msi.upgrade] a second installation elsewhere replaces the first, and leaves nothing of it', async () => {
    mkdirSync(machine.file('C:\\Elsewhere'));
    const { status, log } = await install(built.msi('second'), 'INSTALLDIR=C:\\Elsewhere\\uiahost');
    expect(status, log.slice(-3000)).toBe(0);
    const { services } = await machine.inventory();
    expect(services).toContain('"C:\\Elsewhere\\uiahost\\uiahost.exe" "C:\\Elsewhere\\uiahost\\dist\\service.mjs" run');
    expect(services).not.toContain('Program Files');
    expect(machine.has('C:\\Program Files\\uiahost')).toBe(false);
    await machine.host();
    expect(ran()).toBe('');
  });
});
