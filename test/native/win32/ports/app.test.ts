/** The port of applications on a real desktop. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { knownFolder } from '../../../../src/win32/apps/folders.ts';
import { isForeignPath } from '../../../../src/win32/system/trust.ts';
import { isConsoleProgram } from '../../../../src/win32/apps/programs.ts';
import { hostBundleId } from '../../../../src/win32/system/process.ts';
import { makeShellLink } from '../../../pure/win32/shell-link-bytes.ts';
import { createPorts } from '../support/ports.ts';
import { Fixture, newCall, Program } from '../support/programs.ts';
import { until } from '../../../support/until.ts';
import { wordsOf } from '../../../support/words.ts';

const { app, binding, system, window } = createPorts();
const fixtures = process.env['UIAHOST_FIXTURES'] ?? '';
const sentinel = path.win32.join(fixtures, 'sentinel.exe');

/** Removes what a test put into the registry or the Start menu. */
function undo(work: () => void): Disposable {
  return { [Symbol.dispose]: work };
}

const UNINSTALL = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall';

/** An entry of “installed apps” as an installer writes it. */
function installEntry(hive: 'HKLM' | 'HKCU', view: 32 | 64, name: string, values: Record<string, string>): Disposable {
  const key = `${hive}\\${UNINSTALL}\\${name}`;
  for (const [value, text] of Object.entries(values)) {
    execFileSync('reg.exe', ['add', key, '/v', value, '/t', 'REG_SZ', '/d', text, '/f', `/reg:${view}`], {
      stdio: 'ignore',
    });
  }
  return undo(() => {
    execFileSync('reg.exe', ['delete', key, '/f', `/reg:${view}`], { stdio: 'ignore' });
  });
}

function startMenuLink(name: string, bytes: Buffer): Disposable {
  const folder = path.win32.join(knownFolder('programs') ?? '', 'uiahost tests');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.win32.join(folder, `${name}.lnk`), bytes);
  return undo(() => {
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Ends a program that openApp started, which is not our child. */
async function endWindow(hwnd: string): Promise<void> {
  const { pid } = await binding.find({ hwnd }, newCall());
  execFileSync('taskkill.exe', ['/F', '/PID', String(pid)], { stdio: 'ignore' });
  await until(() => !user32.IsWindow(Number(hwnd)), 'the end of the window');
}

describe('identity', () => {
  test('[app.host-bundle-id] [app.identity] the host’s own: path and FileDescription', async () => {
    const own = await app.host(newCall());
    expect(own.executable?.toLowerCase()).toBe(process.execPath.toLowerCase());
    expect(own.bundleId).toBe(process.execPath.toLowerCase());
    expect(own.displayName).toBe('Node.js JavaScript Runtime');
    expect(hostBundleId()).toBe(own.bundleId);
    expect(await system.capabilities(newCall())).toMatchObject({ hostBundleId: own.bundleId });
  });

  test('a program without a description has its file’s name', async () => {
    expect(await app.resolve(sentinel, newCall())).toEqual({
      bundleId: sentinel.toLowerCase(),
      displayName: 'sentinel.exe',
      executable: sentinel,
    });
  });

  test('a packaged app in its frame is the process behind its CoreWindow, not the frame’s', async () => {
    // Built of the classes that Windows gives such windows; the app is a program of its own.
    const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-packaged-'));
    const program = path.join(folder, 'TheApp.exe');
    copyFileSync(path.win32.join(fixtures, 'provider.exe'), program);
    using cleaned = new DisposableStack();
    cleaned.use(
      undo(() => {
        rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
      }),
    );
    await using frame = await Fixture.start('provider', ['--small', '--class', 'ApplicationFrameWindow']);
    const frameOnly = await binding.find({ hwnd: String(frame.hwnd) }, newCall());
    expect(frameOnly.app.bundleId).toMatch(/\\provider\.exe$/);
    {
      await using core = await Fixture.start('provider', ['--small', '--class', 'Windows.UI.Core.CoreWindow'], program);
      expect(core.pid).not.toBe(frame.pid);
      user32.SetParent(core.hwnd, frame.hwnd);
      const bound = await binding.find({ hwnd: String(frame.hwnd) }, newCall());
      expect(bound).toMatchObject({
        pid: frame.pid,
        app: { bundleId: program.toLowerCase(), executable: program, displayName: 'TheApp.exe' },
      });
      expect((await app.running(newCall())).filter(({ bundleId }) => bundleId === program.toLowerCase())).toHaveLength(
        1,
      );
      // Back on its own, so that ending the frame does not end it in the middle of a call.
      user32.SetParent(core.hwnd, 0);
    }
    expect((await binding.find({ hwnd: String(frame.hwnd) }, newCall())).app.bundleId).toBe(frameOnly.app.bundleId);
  });

  test('[app.identity] names that mean no program are null', async () => {
    for (const name of [
      '',
      '   ',
      'no such program',
      `${fixtures}\\missing.exe`,
      `${fixtures}\\..`,
      'C:\\windows\\win.ini',
      '..\\notepad.exe',
      'C:notepad.exe',
      'Nobody.Made.This_8wekyb3d8bbwe!App',
    ]) {
      expect({ name, app: await app.resolve(name, newCall()) }).toEqual({ name, app: null });
    }
  });

  test('[app.identity] a bare file name means a program of Windows or an installed program, never a file on the search path', async () => {
    expect((await app.resolve('NOTEPAD.EXE', newCall()))?.bundleId).toMatch(/^c:\\windows\\(system32\\)?notepad\.exe$/);
    expect(await app.resolve('sentinel.exe', newCall())).toBeNull();
    using taken = new DisposableStack();
    taken.use(installEntry('HKCU', 64, 'uiahost-test-bare', { DisplayName: 'Bare name', DisplayIcon: sentinel }));
    expect((await app.resolve('sentinel.exe', newCall()))?.executable).toBe(sentinel);
  });
});

describe('the installed list', () => {
  test('[app.installed] uninstall keys of both views and hives', async () => {
    using taken = new DisposableStack();
    taken.use(
      installEntry('HKLM', 64, 'uiahost-test-a', { DisplayName: 'Machine 64', DisplayIcon: `"${sentinel}",0` }),
    );
    taken.use(
      installEntry('HKLM', 32, 'uiahost-test-b', {
        DisplayName: 'Machine 32',
        DisplayIcon: path.win32.join(fixtures, 'controls.exe'),
      }),
    );
    taken.use(
      installEntry('HKCU', 64, 'uiahost-test-c', {
        DisplayName: 'User 64',
        DisplayIcon: path.win32.join(fixtures, 'tell.exe'),
      }),
    );
    taken.use(
      installEntry('HKCU', 64, 'uiahost-test-d', {
        DisplayName: 'Without program',
        DisplayIcon: `${fixtures}\\missing.exe`,
      }),
    );
    const listed = await app.installed({ icons: false }, newCall());
    const names = listed.map((each) => each.displayName);
    expect(names).toEqual(expect.arrayContaining(['Machine 64', 'Machine 32', 'User 64']));
    expect(names).not.toContain('Without program');
    expect(listed.find((each) => each.displayName === 'Machine 64')).toEqual({
      bundleId: sentinel.toLowerCase(),
      displayName: 'Machine 64',
      path: sentinel,
    });
  });

  test('Start menu links, merged with the uninstall list by executable', async () => {
    using taken = new DisposableStack();
    taken.use(
      installEntry('HKCU', 64, 'uiahost-test-m', { DisplayName: 'Sentinel 1.2.3 (x64)', DisplayIcon: sentinel }),
    );
    taken.use(startMenuLink('Sentinel', makeShellLink({ target: sentinel })));
    taken.use(startMenuLink('Broken', Buffer.from('no link')));
    const rows = (await app.installed({ icons: false }, newCall())).filter(
      (each) => each.bundleId === sentinel.toLowerCase(),
    );
    expect(rows).toEqual([{ bundleId: sentinel.toLowerCase(), displayName: 'Sentinel', path: sentinel }]);
  });

  test('[app.installed] icons come when they are asked for, and only then', async () => {
    using taken = new DisposableStack();
    taken.use(startMenuLink('Editor', makeShellLink({ target: 'C:\\windows\\notepad.exe' })));
    const plain = await app.installed({ icons: false }, newCall());
    expect(plain.map(({ displayName }) => displayName)).toContain('Editor');
    expect(plain.filter((each) => 'iconDataUrl' in each)).toEqual([]);
    const row = (await app.installed({ icons: true }, newCall())).find((each) => each.displayName === 'Editor');
    expect(row?.iconDataUrl).toMatch(/^data:image\/png;base64,/);
  });
});

describe('paths of other machines and of devices', () => {
  /** No such machine and no such file: an access would fail. */
  const remote = [
    '\\\\no-such-machine.invalid\\share\\Tool.exe',
    '//no-such-machine.invalid/share/Tool.exe',
    '\\\\?\\UNC\\no-such-machine.invalid\\share\\Tool.exe',
  ];

  test('[paths.foreign] an icon from another machine is refused', async () => {
    for (const file of [...remote, '\\\\.\\pipe\\x', 'NUL', 'C:\\windows\\con'])
      await expect(app.icon(file, newCall())).rejects.toMatchObject({ code: 'blocked_by_policy' });
  });

  test('the meaning of such a name follows from its text: neither the file nor its description is read', async () => {
    for (const file of remote) {
      expect(await app.isForeign(file, newCall())).toBe(true);
      expect(await app.resolve(file, newCall())).toEqual({
        bundleId: '\\\\no-such-machine.invalid\\share\\tool.exe',
        displayName: 'Tool.exe',
        executable: '\\\\no-such-machine.invalid\\share\\Tool.exe',
      });
    }
    expect(await app.resolve('\\\\no-such-machine.invalid\\share\\Tool.lnk', newCall())).toBeNull();
    expect(await app.resolve('\\\\.\\C:\\nul.exe', newCall())).toBeNull();
    for (const file of [sentinel, 'C:\\windows\\notepad.exe', 'notepad.exe', `\\\\?\\${sentinel}`])
      expect([file, await app.isForeign(file, newCall())]).toEqual([file, false]);
  });

  test('a link to a program of another machine is listed by its own name', async () => {
    using link = startMenuLink(
      'uiahost-remote',
      makeShellLink({ target: '\\\\no-such-machine.invalid\\share\\Tool.exe' }),
    );
    expect(link).toBeDefined();
    expect(await app.resolve('uiahost-remote', newCall())).toMatchObject({
      displayName: 'uiahost-remote',
      executable: '\\\\no-such-machine.invalid\\share\\Tool.exe',
    });
    const row = (await app.installed({ icons: true }, newCall())).find(
      ({ displayName }) => displayName === 'uiahost-remote',
    );
    expect(row).toEqual({
      bundleId: '\\\\no-such-machine.invalid\\share\\tool.exe',
      displayName: 'uiahost-remote',
      path: '\\\\no-such-machine.invalid\\share\\Tool.exe',
    });
  });

  test('a drive that is mapped to another machine counts as that machine', () => {
    const types = (root: string): number => ({ 'N:\\': 4, 'C:\\': 3 })[root] ?? 1;
    for (const file of ['N:\\tool.exe', 'n:/tool.exe', '\\\\?\\N:\\tool.exe', ' N:tool.exe'])
      expect([file, isForeignPath(file, types)]).toEqual([file, true]);
    for (const file of ['C:\\tool.exe', 'X:\\tool.exe', 'tool.exe'])
      expect([file, isForeignPath(file, types)]).toEqual([file, false]);
  });
});

describe('icons', () => {
  test('48 pixels, with transparent and opaque parts', async () => {
    const url = await app.icon('C:\\windows\\notepad.exe', newCall());
    const { data, info } = await sharp(Buffer.from(url?.split(',')[1] ?? '', 'base64'))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 48, height: 48, channels: 4 });
    const alphas = new Set([...data].filter((_, index) => index % 4 === 3));
    expect(alphas.has(0)).toBe(true);
    expect(alphas.has(255)).toBe(true);
    expect(new Set([...data].filter((_, index) => index % 4 !== 3)).size).toBeGreaterThan(8);
  });

  test('a program without an icon has none, and a missing file neither', async () => {
    expect(await app.icon(sentinel, newCall())).toBeUndefined();
    expect(await app.icon(`${fixtures}\\missing.exe`, newCall())).toBeUndefined();
  });
});

describe('what runs', () => {
  test('one row for each application, whatever the number of its windows', async () => {
    await using one = await Fixture.start('sentinel');
    await using other = await Fixture.start('sentinel');
    const rows = (await app.running(newCall())).filter((row) => row.bundleId === sentinel.toLowerCase());
    expect(rows).toHaveLength(1);
    expect([one.pid, other.pid]).toContain(rows[0]?.pid);
    expect(rows[0]?.displayName).toBe('sentinel.exe');
  });

  test('the application in the foreground, and null on an empty desktop', async () => {
    {
      await using front = await Fixture.start('sentinel', ['--activate']);
      await until(() => user32.GetForegroundWindow() === front.hwnd, 'the foreground');
      expect(await app.frontmost(newCall())).toMatchObject({ bundleId: sentinel.toLowerCase() });
    }
    expect(await app.frontmost(newCall())).toBeNull();
  });

  test('the application at a point, through its children; null next to it; outside is invalid_argument', async () => {
    await using fixture = await Fixture.start('controls', wordsOf`--x 0 --y 0 --width 600 --height 400 --topmost`);
    const hit = await app.underPoint({ x: 80, y: 120 }, newCall());
    expect(hit?.bundleId).toBe(path.win32.join(fixtures, 'controls.exe').toLowerCase());
    expect(await app.underPoint({ x: 900, y: 700 }, newCall())).toBeNull();
    for (const at of [
      { x: -1, y: 5 },
      { x: 5, y: 800 },
      { x: Number.NaN, y: 0 },
    ])
      await expect(app.underPoint(at, newCall())).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(fixture.hwnd).toBeGreaterThan(0);
  });
});

describe('opening', () => {
  const plainly = { accessibility: false };

  test('a path: the window is there when the call ends, where the program put it', async () => {
    let usual: unknown;
    {
      await using plain = new Program(sentinel);
      const row = await until(
        async () => (await window.listVisible(newCall())).find((each) => each.pid === plain.pid),
        'the program',
      );
      usual = await window.rect(await binding.find({ hwnd: row.hwnd }, newCall()), newCall());
    }
    const done = await app.open(sentinel, plainly, newCall());
    expect(done).toMatchObject({
      value: null,
      outcome: { effect: 'confirmed', delivery: 'win32', details: { bundleId: sentinel.toLowerCase() } },
    });
    const hwnd = String(done.outcome.details?.['hwnd']);
    expect(await window.rect(await binding.find({ hwnd }, newCall()), newCall())).toEqual(usual);
    await endWindow(hwnd);
  });

  test('the exact display name of the installed list, also in other case; two of a name are ambiguous', async () => {
    using taken = new DisposableStack();
    taken.use(
      installEntry('HKCU', 64, 'uiahost-test-open', { DisplayName: 'Watchful ’ Program', DisplayIcon: sentinel }),
    );
    for (const name of ['Watchful ’ Program', 'watchful ’ program']) {
      const done = await app.open(name, plainly, newCall());
      await endWindow(String(done.outcome.details?.['hwnd']));
    }
    taken.use(
      installEntry('HKCU', 64, 'uiahost-test-twin', {
        DisplayName: 'Watchful ’ Program',
        DisplayIcon: path.win32.join(fixtures, 'controls.exe'),
      }),
    );
    await expect(app.open('Watchful ’ Program', plainly, newCall())).rejects.toMatchObject({
      code: 'target_ambiguous',
    });
    await expect(app.open('Watchful', plainly, newCall())).rejects.toMatchObject({ code: 'launch_failed' });
  });

  test('a console program: its console is its window', async () => {
    const cmd = 'C:\\windows\\system32\\cmd.exe';
    expect(isConsoleProgram(cmd)).toBe(true);
    expect(isConsoleProgram(sentinel)).toBe(false);
    const done = await app.open(cmd, plainly, newCall());
    expect(done.outcome.effect).toBe('confirmed');
    await endWindow(String(done.outcome.details?.['hwnd']));
  });

  test('[app.accessibility] a program made with Chromium gets its switch; any other is refused before it starts', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-chromium-'));
    using cleanUp = new DisposableStack();
    cleanUp.use(undo(() => rmSync(folder, { recursive: true, force: true })));
    const program = path.win32.join(folder, 'browser.exe');
    copyFileSync(path.win32.join(fixtures, 'startup.exe'), program);
    await expect(app.open(program, { accessibility: true }, newCall())).rejects.toMatchObject({
      code: 'unsupported',
      delivery: 'not_delivered',
    });
    mkdirSync(path.win32.join(folder, '152.0.1'));
    writeFileSync(path.win32.join(folder, '152.0.1', 'icudtl.dat'), '');
    const done = await app.open(program, { accessibility: true }, newCall());
    expect(done.outcome.details).toMatchObject({ accessibility: true });
    // The program writes a file with the name that is its only argument.
    await until(() => existsSync(path.win32.join(folder, '--force-renderer-accessibility')), 'the switch');
    await endWindow(String(done.outcome.details?.['hwnd']));
  });

  test('[app.open-handed] a program that only starts another one: the other’s window is reported, under its own identity, and not the console that ends', async () => {
    const starter = path.win32.join(fixtures, 'starter.exe');
    const { outcome } = await app.open(starter, plainly, newCall({ deadlineMs: 20_000 }));
    expect(outcome).toMatchObject({
      effect: 'confirmed',
      details: { title: 'started', bundleId: sentinel.toLowerCase(), startedBundleId: starter.toLowerCase() },
    });
    await endWindow(String(outcome.details?.['hwnd']));
  });

  test('[app.open-handed] a program that hands over to another process of its name and ends: the other’s new window is reported', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-handed-'));
    using taken = new DisposableStack();
    taken.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
    mkdirSync(path.join(folder, 'packaged'));
    const launcher = path.join(folder, 'handover.exe');
    const target = path.join(folder, 'packaged', 'Handover.exe');
    // without its argument it ends immediately, as a launcher that has handed over
    copyFileSync(path.win32.join(fixtures, 'startup.exe'), launcher);
    copyFileSync(sentinel, target);
    const opening = app.open(launcher, plainly, newCall({ deadlineMs: 20_000 }));
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
    await using handed = new Program(target, ['--title', 'handed over']);
    const hwnd = String((await opening).outcome.details?.['hwnd']);
    const { title, pid } = await binding.find({ hwnd }, newCall());
    expect({ title, pid }).toEqual({ title: 'handed over', pid: handed.pid });
  });

  test('unknown names and programs that show no window', async () => {
    await expect(app.open('no such program', plainly, newCall())).rejects.toMatchObject({
      code: 'launch_failed',
      delivery: 'not_delivered',
    });
    await expect(app.open('C:\\windows\\win.ini', plainly, newCall())).rejects.toMatchObject({
      code: 'launch_failed',
      delivery: 'not_delivered',
    });
    await expect(
      app.open('C:\\windows\\system32\\rundll32.exe', plainly, newCall({ deadlineMs: 3000 })),
    ).rejects.toMatchObject({ code: 'launch_failed', delivery: 'delivered' });
  });

  test('a file that is not a program, whatever its name', async () => {
    const file = path.win32.join(process.env['TEMP'] ?? 'C:\\', 'uiahost-not-a-program.exe');
    writeFileSync(file, 'this is text');
    using taken = new DisposableStack();
    taken.use(
      undo(() => {
        rmSync(file, { force: true });
      }),
    );
    await expect(app.open(file, plainly, newCall())).rejects.toMatchObject({
      code: 'launch_failed',
      delivery: 'not_delivered',
    });
  });
});
