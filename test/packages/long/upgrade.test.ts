/** Upgrades of an installation that is in use, and upgrades that a power failure interrupts, by Wine's msiexec. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyCopy, findCopy } from '../../../src/audit/copy.ts';
import { windowsPath } from '../../../scripts/lib/places.mjs';
import { WindowsMachine, type Inventory } from '../../support/installer.ts';
import { makeVersions, versions, type MsiVersions } from '../../support/msi-versions.ts';
import { until } from '../../support/until.ts';

/** What the administrator gives, also when the installer is run again. */
const GIVEN = ['PORT=7521', 'LEVEL=full'];

let built: MsiVersions;
/** A disk on which the first version is installed, with a user's data; the machine is off. */
let installed: string;
/** What the second version looks like where nothing went wrong. */
let expected: Inventory;
const disks = mkdtempSync(join(tmpdir(), 'uiahost-disks-'));

async function copyOf(disk: string, name: string): Promise<WindowsMachine> {
  const copy = join(disks, name);
  cpSync(disk, copy, { recursive: true, verbatimSymlinks: true });
  return WindowsMachine.start(copy);
}

const installedVersions = async (machine: WindowsMachine): Promise<string[]> =>
  [
    ...(await machine.registry('HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall')).matchAll(
      /DisplayVersion\s+REG_SZ\s+(\S+)/g,
    ),
  ].map(([, version]) => version!);

beforeAll(async () => {
  built = await makeVersions('first', 'second', 'candidate', 'rebuilt');
  installed = join(disks, 'installed');
  await using machine = await WindowsMachine.start(installed);
  // what the user of this machine allows
  writeFileSync(
    join(machine.folder(machine.userPath('AppData\\Local\\uiahost')), 'policy.json'),
    JSON.stringify({ level: 'full', grants: [{ app: 'C:\\windows\\system32\\notepad.exe', tier: 'full' }] }),
  );
  await machine.run('reg.exe', 'add', 'HKLM\\SOFTWARE\\Policies\\uiahost', '/v', 'Level', '/d', 'full');
  const { status, log } = await machine.install(built.msi('first'), ...GIVEN);
  expect(status, log.slice(-3000)).toBe(0);
  await machine.host();
}, 600_000);
afterAll(() => {
  built?.[Symbol.dispose]();
  rmSync(disks, { recursive: true, force: true, maxRetries: 5 });
});

it('[package.upgrade.load] an upgrade of an installation in use: a running action ends in order or reports unknown delivery, and the audit is one chain', async () => {
  await using machine = await copyOf(installed, 'load');
  const before = await machine.host();
  machine.desktop.run('notepad.exe');
  await until(
    () => before.act('bind-to-window', { title: 'Notepad' }),
    ({ status }) => status === 200,
  );
  const held = before
    .act('hold-key', { keyNames: ['shift'], durationMs: 60_000, deadlineMs: 90_000 })
    .then((answer) => ({ ...answer, error: null }))
    .catch((error: Error) => ({ status: 0, body: {} as Record<string, any>, error }));
  await until(
    () => auditText(before.data),
    (text) => text.includes('holdKey'),
  );

  const { status, log } = await machine.install(built.msi('second'));
  expect(status, log.slice(-3000)).toBe(0);
  // cancelled by the stop of the service, which released the key; or the connection ended with the host
  const { status: answered, body, error } = await held;
  if (error === null) {
    expect([answered, body['code']]).toEqual([409, 'cancelled']);
    expect(['delivered', 'unknown']).toContain(body['delivery']);
  } else expect(error.message).toContain('fetch failed');

  const after = await machine.host();
  expect(await installedVersions(machine)).toEqual([versions.second]);
  expect((await after.act('list-visible-windows', {})).status).toBe(200);
  const kept = join(disks, 'data');
  cpSync(after.data, kept, { recursive: true });
  expect(await verifyCopy(findCopy(kept)!)).toMatchObject({ ok: true, firstBad: null, unchecked: [] });
  // one file of records, in which the old version's host ended in order and the new one's continues
  const records = auditText(kept)
    .split('\n')
    .filter((line) => line.includes('"seq"'))
    .map((line) => JSON.parse(line) as { seq: number; action: string; previous: string; hash: string });
  const actions = records.map(({ action }) => action);
  expect(actions.lastIndexOf('host.ended')).toBeGreaterThan(actions.indexOf('holdKey'));
  expect(actions.lastIndexOf('host.started')).toBeGreaterThan(actions.lastIndexOf('host.ended'));
  expect(actions.slice(actions.lastIndexOf('host.started'))).toContain('listVisibleWindows');
  expected = await machine.inventory();
}, 300_000);

it('[package.msi.upgrade] a repair of an installation in use ends the running host in order, and starts it again', async () => {
  await using machine = await copyOf(installed, 'repair');
  await machine.host();
  writeFileSync(machine.file('C:\\Program Files\\uiahost\\README.md'), 'damaged');
  const { status, log } = await machine.install(built.msi('first'), 'REINSTALL=ALL', 'REINSTALLMODE=amus');
  expect(status, log.slice(-3000)).toBe(0);
  expect(readFileSync(machine.file('C:\\Program Files\\uiahost\\README.md'), 'utf8')).toContain('# uiahost');
  const host = await machine.host();
  expect((await host.act('list-visible-windows', {})).status).toBe(200);
  const actions = auditText(host.data).match(/"action":"host\.\w+"/g)!;
  expect(actions.slice(-2)).toEqual(['"action":"host.ended"', '"action":"host.started"']);
}, 300_000);

describe('an installation in use', () => {
  it('[package.msi.undone] a change that fails keeps the installation, whose service starts', async () => {
    await using machine = await copyOf(installed, 'reconfigured');
    await machine.host();
    const { status, log } = await machine.install(built.msi('first'), 'REINSTALL=ALL', 'POLICYFILE=C:\\nope.json');
    expect(status).not.toBe(0);
    expect(log).toMatch(/Action ended .*: ApplyPOLICYFILE\. Return value 0/);
    // Windows undoes what was done, and StartAgain starts the service; Wine undoes nothing where REINSTALL is given.
    expect(log).toMatch(/Action ended .*: StartAgain\. Return value 1/);
    if ((await machine.serviceState()) !== 'RUNNING') await machine.run('net.exe', 'start', 'uiahost');
    expect((await (await machine.host()).act('list-visible-windows', {})).status).toBe(200);
  }, 300_000);

  it.each(['candidate', 'rebuilt'] as const)(
    'is replaced by another package of its version: %s',
    async (which) => {
      await using machine = await copyOf(installed, `same-version-${which}`);
      const { data } = await machine.host();
      const token = readFileSync(join(data, 'agent.token'), 'utf8');
      const { status, log } = await machine.install(built.msi(which));
      expect(status, log.slice(-3000)).toBe(0);
      expect(readFileSync(join((await machine.host()).data, 'agent.token'), 'utf8')).toBe(token);
      const kept = join(disks, `${which}-data`);
      cpSync(data, kept, { recursive: true });
      expect(await verifyCopy(findCopy(kept)!)).toMatchObject({ firstBad: null });
      expect(await installedVersions(machine)).toEqual([versions.first]);
      expect(await machine.serviceState()).toBe('RUNNING');
      expect(readFileSync(machine.file('C:\\Program Files\\uiahost\\README.md'), 'utf8')).toContain('second');
    },
    300_000,
  );
});

/** The log has the removal of the old version, with actions of the same names, inside that of the new one. */
const OLD_GOES = 'Action start .*: RemoveExistingProducts[^]*';
const OLD_GONE = 'Action ended .*: RemoveExistingProducts[^]*';

it.each([
  ['before the old version goes', 'Action start .*: RemoveExistingProducts', true],
  ['while the old version goes', `${OLD_GOES}Action start .*: RemoveFiles`, true],
  ['while files are written', `${OLD_GONE}Action start .*: InstallFiles`, true],
  ['before the service starts', `${OLD_GONE}Action start .*: StartServices`, true],
  ['at the end', `${OLD_GONE}Action start .*: InstallFinalize`, true],
  ['while files are written, the registry being lost', `${OLD_GONE}Action start .*: InstallFiles`, false],
  ['at the end, the registry being lost', `${OLD_GONE}Action start .*: InstallFinalize`, false],
])(
  '[package.upgrade.power] an upgrade that a power failure interrupts: %s: the next run of the installer completes it, and nothing of users is lost',
  async (when, step, isRegistryKept) => {
    const name = when.replaceAll(/\W+/g, '-');
    let data: string;
    {
      const machine = await copyOf(installed, name);
      ({ data } = await machine.host());
      const run = machine.beginMsiexec('/i', windowsPath(built.msi('second')), ...GIVEN);
      await until(run.log, (log) => new RegExp(`${step}\\.`).test(log), 60_000);
      await machine.powerOff({ isRegistryKept });
    }
    const token = readFileSync(join(data, 'agent.token'), 'utf8');
    await using machine = await WindowsMachine.start(join(disks, name));
    // What is there now works, or does not run at all. Windows, unlike Wine, undoes a part before it installs anything.
    if ((await machine.serviceState()) === 'RUNNING') expect((await machine.host()).data).toBe(data);
    const { status, log } = await machine.install(built.msi('second'), ...GIVEN);
    expect(status, log.slice(-3000)).toBe(0);
    expect(await machine.inventory()).toEqual(expected);
    const host = await machine.host();
    expect((await host.act('list-visible-windows', {})).status).toBe(200);
    expect(readFileSync(join(data, 'agent.token'), 'utf8')).toBe(token);
    const kept = join(disks, `${name}-data`);
    cpSync(host.data, kept, { recursive: true });
    expect(await verifyCopy(findCopy(kept)!)).toMatchObject({ firstBad: null });
  },
  300_000,
);

/** All records of the audit, as they are in its files. */
const auditText = (data: string): string => {
  const folder = join(data, 'audit');
  if (!existsSync(folder)) return '';
  return readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
};
