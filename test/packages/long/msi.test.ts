/** A life of the MSI on one Windows machine, by Wine's msiexec: refused, undone, installed, repaired, upgraded, removed. */
import { createServer, type AddressInfo } from 'node:net';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { windowsPath } from '../../../scripts/lib/places.mjs';
import { WindowsMachine, type Inventory } from '../../support/installer.ts';
import { makeVersions, versions, type MsiVersions, type Version } from '../../support/msi-versions.ts';

const TOKEN = 'planted-token-0123456789-0123456789-0123456789';
/** Stand for data of a user's host. */
const USER_DATA = 'C:\\users\\Public\\uiahost-data';

let built: MsiVersions;
let machine: WindowsMachine;
let before: Inventory;
const logs: string[] = [];

const install = async (which: Version, ...words: string[]): ReturnType<WindowsMachine['install']> => {
  const done = await machine.install(built.msi(which), ...words);
  logs.push(done.log);
  return done;
};
const settings = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    [...(await machine.registry('HKLM\\SOFTWARE\\uiahost')).matchAll(/^\s+(\w+)\s+REG_SZ\s+(.*)$/gm)].map(
      ([, name, value]) => [name!, value!.trim()],
    ),
  );
const installedVersions = async (): Promise<string[]> =>
  [
    ...(await machine.registry('HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall')).matchAll(
      /DisplayVersion\s+REG_SZ\s+(\S+)/g,
    ),
  ].map(([, version]) => version!);
const policy = (): unknown => JSON.parse(readFileSync(machine.file('C:\\ProgramData\\uiahost\\policy.json'), 'utf8'));

beforeAll(async () => {
  built = await makeVersions('first', 'second', 'broken');
  machine = await WindowsMachine.start();
  before = await machine.inventory();
});
afterAll(async () => {
  await machine?.[Symbol.asyncDispose]();
  built?.[Symbol.dispose]();
});

describe('an installation that cannot be', () => {
  it.each([
    ['LEVEL=Control'],
    ['STARTSERVICE=yes'],
    ['ADDTOPATH=2'],
    ['INSTALLDIR=uiahost'],
    ['INSTALLDIR=C:\\'],
    ['INSTALLDIR=\\\\server\\share'],
    ['REMOVEDATA=all'],
  ])('[package.msi.values] is refused for %s by a message that names it', async (given) => {
    const at = given.indexOf('=');
    const { status, log } = await install('first', given);
    expect(status).not.toBe(0);
    expect(log).toContain(`REFUSAL = ${given.slice(0, at)} is "${given.slice(at + 1)}"`);
    expect(await machine.inventory()).toEqual(before);
  });

  it('is refused in German where the person’s Windows is German', async () => {
    const { status, log } = await install('first', 'LEVEL=Control', 'GERMAN=1');
    expect(status).not.toBe(0);
    expect(log).toContain('REFUSAL = LEVEL ist "Control". Erlaubt sind disabled, observe, control und full.');
    expect(log).toMatch(/Es wurde nichts ge.{1,2}ndert\./);
  });

  it('[package.msi.undone] leaves nothing behind where the service does not start', async () => {
    const { status, log } = await install('broken');
    expect(status).not.toBe(0);
    expect(log).toMatch(/Action ended .*: StartServices\. Return value 0/);
    // Wine's rollback runs no program of the package: UndoPolicy's part is tested in pure/policy/file/machine-file.test.ts.
    rmSync(machine.file('C:\\ProgramData\\uiahost'), { recursive: true, force: true });
    expect(await machine.inventory()).toEqual(before);
  });

  it.each([
    ['is not valid', '{ "level": "observe", "denny": [] }'],
    ['is not there', null],
  ])('[package.msi.undone] leaves nothing behind where the policy file %s', async (_what, text) => {
    const file = join(built.out, 'given.json');
    rmSync(file, { force: true });
    if (text !== null) writeFileSync(file, text);
    const { status, log } = await install('first', 'STARTSERVICE=0', `POLICYFILE=${windowsPath(file)}`);
    expect(status).not.toBe(0);
    expect(log).toMatch(/Action ended .*: ApplyPOLICYFILE\. Return value 0/);
    expect(await machine.inventory()).toEqual(before);
  });

  it.each(['abc', '0', '65536', '7423x'])('is undone for PORT=%s', async (port) => {
    const { status, log } = await install('first', 'STARTSERVICE=0', `PORT=${port}`);
    expect(status).not.toBe(0);
    expect(log).toMatch(/Action ended .*: CheckPORT\. Return value 0/);
    expect(await machine.inventory()).toEqual(before);
  });

  it('takes a port beyond the integers that conditions compare', async () => {
    const { status } = await install('first', 'STARTSERVICE=0', 'PORT=65535');
    expect(status).toBe(0);
    expect(await machine.registry('HKLM\\SOFTWARE\\uiahost')).toContain('65535');
    expect((await machine.msiexec('/x', windowsPath(built.msi('first')), 'REMOVEDATA=1')).status).toBe(0);
    expect(await machine.inventory()).toEqual(before);
  });

  it('[package.msi.undone] leaves nothing behind where another program has the port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const { status, log } = await install('first', 'STARTSERVICE=0', `PORT=${port}`);
      expect(status).not.toBe(0);
      expect(log).toMatch(/Action ended .*: CheckPORT\. Return value 0/);
      expect(await machine.inventory()).toEqual(before);
    } finally {
      server.close();
    }
  });
});

describe('an installation', () => {
  it('[package.msi.policy] takes the policy from the given file', async () => {
    const file = join(built.out, 'policy.json');
    const text = '// ours\n{ "level": "observe", "deny": ["cmd.exe"] }\n';
    writeFileSync(file, text);
    const { status, log } = await install(
      'first',
      'STARTSERVICE=0',
      'PORT=7501',
      'ADDTOPATH=0',
      'INSTALLDIR=C:\\Tools\\uiahost',
      `POLICYFILE=${windowsPath(file)}`,
    );
    expect(status, log.slice(-3000)).toBe(0);
    expect(readFileSync(machine.file('C:\\ProgramData\\uiahost\\policy.json'), 'utf8')).toBe(text);
    expect(existsSync(machine.file('C:\\Tools\\uiahost\\uiahost.exe'))).toBe(true);
    expect((await machine.inventory()).path).toBe(before.path);
    writeFileSync(join(machine.folder(USER_DATA), 'agent.token'), TOKEN);
  });

  it('[package.msi.values] the same version in another folder is refused', async () => {
    const { status, log } = await install('first', 'INSTALLDIR=C:\\Elsewhere');
    expect(status).not.toBe(0);
    expect(log).toContain(
      'REFUSAL = INSTALLDIR is "C:\\Elsewhere", but this version of uiahost is installed in C:\\Tools\\uiahost\\',
    );
    expect(machine.has('C:\\Elsewhere')).toBe(false);
  });

  it('[package.msi.upgrade] is repaired with its settings', async () => {
    const was = await settings();
    for (const file of ['README.md', 'dist\\cli.mjs']) rmSync(machine.file(`C:\\Tools\\uiahost\\${file}`));
    writeFileSync(machine.file('C:\\Tools\\uiahost\\LICENSE'), 'damaged');
    const { status, log } = await install('first', 'REINSTALL=ALL', 'REINSTALLMODE=amus');
    expect(status, log.slice(-3000)).toBe(0);
    for (const file of ['README.md', 'dist\\cli.mjs']) expect(machine.has(`C:\\Tools\\uiahost\\${file}`)).toBe(true);
    expect(readFileSync(machine.file('C:\\Tools\\uiahost\\LICENSE'), 'utf8')).toContain('Apache License');
    expect(await settings()).toEqual(was);
    expect(policy).toThrow();
  });

  it('[package.msi.upgrade] is upgraded: [package.msi.remembers] settings, policy and users’ data stay', async () => {
    const was = await settings();
    const { status, log } = await install('second');
    expect(status, log.slice(-3000)).toBe(0);
    expect(await settings()).toEqual({ ...was, Version: versions.second });
    expect(was).toMatchObject({ Port: '7501', StartService: '0', AddToPath: '0', InstallDir: 'C:\\Tools\\uiahost\\' });
    expect(await installedVersions()).toEqual([versions.second]);
    expect(readFileSync(machine.file('C:\\Tools\\uiahost\\README.md'), 'utf8')).toBe('The second version.\n');
    expect(machine.has('C:\\Tools\\uiahost\\docs\\new.md')).toBe(true);
    expect(machine.has('C:\\Tools\\uiahost\\docs\\glossary.md')).toBe(false);
    expect(readFileSync(machine.file('C:\\ProgramData\\uiahost\\policy.json'), 'utf8')).toContain('// ours');
    expect(readFileSync(machine.file(`${USER_DATA}\\agent.token`), 'utf8')).toBe(TOKEN);
    expect(await machine.serviceState()).toBe('STOPPED');
  });

  it('[package.msi.upgrade] is not downgraded', async () => {
    const was = await machine.inventory();
    const { status, log } = await install('first');
    expect(status).not.toBe(0);
    expect(log).toContain('REFUSAL = A newer version of uiahost is installed.');
    expect(await installedVersions()).toEqual([versions.second]);
    expect(await machine.inventory()).toEqual(was);
  });

  it('[package.msi.remembers] takes a new value at a repair', async () => {
    const { status } = await install('second', 'REINSTALL=ALL', 'REINSTALLMODE=amus', 'PORT=7502', 'LEVEL=disabled');
    expect(status).toBe(0);
    expect(await settings()).toMatchObject({ Port: '7502', Level: 'disabled', AddToPath: '0' });
    expect(policy()).toEqual({ level: 'disabled', deny: ['cmd.exe'] });
  });

  it('[package.msi.removes] is removed with the machine’s data, and users’ data stay', async () => {
    const { status, log } = await machine.msiexec('/x', windowsPath(built.msi('second')), 'REMOVEDATA=1');
    logs.push(log);
    expect(status, log.slice(-3000)).toBe(0);
    expect(machine.has('C:\\ProgramData\\uiahost')).toBe(false);
    expect(machine.has('C:\\Tools\\uiahost')).toBe(false);
    expect(readFileSync(machine.file(`${USER_DATA}\\agent.token`), 'utf8')).toBe(TOKEN);
    expect(await machine.inventory()).toEqual(before);
  });

  it('[package.msi.secrets] put no token into a log or the registry', async () => {
    const registry = await machine.registry('HKLM\\SOFTWARE');
    expect(logs.length).toBeGreaterThan(10);
    for (const text of [...logs, registry]) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toMatch(/\b(agent|operator)[._]token\b\s*[=:]/i);
    }
  });
});
