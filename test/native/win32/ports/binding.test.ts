/** The port of bindings on a real desktop: finding a window, and noticing that it is a different one. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { GA_ROOTOWNER } from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import { createBindingPort } from '../../../../src/win32/ports/binding.ts';
import { createWin32Services } from '../../../../src/win32/ports/services.ts';
import { processCreated } from '../../../../src/win32/system/process.ts';
import { starterProcesses } from '../../../../src/win32/windows/starter.ts';
import { cursorPosition } from '../../../../src/win32/windows/witness.ts';
import { createPorts } from '../support/ports.ts';
import { Fixture, newCall, Program, hangs } from '../support/programs.ts';
import { until } from '../../../support/until.ts';
import { wordsOf } from '../../../support/words.ts';

/** Index of a window's owner among its words. */
const GWLP_HWNDPARENT = -8;

const { services, binding, window } = createPorts();
const code = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  );

async function bindFixture(fixture: Fixture): Promise<BindingRecord> {
  return binding.find({ hwnd: String(fixture.hwnd) }, newCall());
}

describe('finding the window', () => {
  test('[binding.criteria] each criterion alone finds the window', async () => {
    await using fixture = await Fixture.start('sentinel', ['--title', 'Only one of these']);
    for (const query of [{ hwnd: String(fixture.hwnd) }, { title: 'Only one of these' }, { pid: fixture.pid }]) {
      expect(await binding.find(query, newCall())).toMatchObject({
        hwnd: String(fixture.hwnd),
        pid: fixture.pid,
        title: 'Only one of these',
      });
    }
  });

  test('[binding.starter] a window of the program that started the host is refused by every criterion, with the reason', async () => {
    await using fixture = await Fixture.start('sentinel', ['--title', 'It started the host']);
    const guarded = createBindingPort(
      createWin32Services({ starters: [{ pid: fixture.pid, created: processCreated(fixture.pid)! }] }),
    );
    for (const query of [{ hwnd: String(fixture.hwnd) }, { title: 'It started the host' }, { pid: fixture.pid }]) {
      await expect(guarded.find(query, newCall())).rejects.toMatchObject({
        code: 'target_not_found',
        message: expect.stringContaining('the host was started from'),
      });
    }
    // Another process with its pid is another one.
    const later = createBindingPort(createWin32Services({ starters: [{ pid: fixture.pid, created: '1' }] }));
    expect(await later.find({ hwnd: String(fixture.hwnd) }, newCall())).toMatchObject({ pid: fixture.pid });
    expect(starterProcesses().map(({ pid }) => pid)).toContain(process.ppid);
  });

  test('a terminal’s windows are refused where they show the console of what started the host, and only there', async () => {
    await using terminal = await Fixture.start('terminals');
    const windowOf = async (title: string): Promise<string> => (await binding.find({ title }, newCall())).hwnd;
    const [first, menu, second] = [
      String(terminal.hwnd),
      await until(() => windowOf('Menu of the first').catch(() => null), 'the popup'),
      await windowOf('Second terminal'),
    ];
    const codes = async (starters: readonly number[]): Promise<unknown[]> => {
      const guarded = createBindingPort(
        createWin32Services({ starters: starters.map((pid) => ({ pid, created: processCreated(pid)! })) }),
      );
      return Promise.all([first, menu, second].map((hwnd) => code(guarded.find({ hwnd }, newCall()))));
    };
    const no = 'target_not_found';
    // Where the console is not known to be among its windows, the program that started the host is refused as a whole.
    expect(await codes([terminal.pid])).toEqual([no, no, no]);
    await using shell = await Fixture.start('terminals', ['--console-of', String(terminal.hwnd)]);
    await until(() => user32.GetAncestor(shell.hwnd, GA_ROOTOWNER) === terminal.hwnd || null, 'the owner');
    expect(await codes([shell.pid, terminal.pid])).toEqual([no, no, 'no error']);
    // A terminal that took the console over is not above the host.
    expect(await codes([shell.pid])).toEqual([no, no, 'no error']);
    const guarded = createBindingPort(
      createWin32Services({ starters: [{ pid: shell.pid, created: processCreated(shell.pid)! }] }),
    );
    const bound = await guarded.find({ hwnd: second }, newCall());
    await guarded.verify(bound, newCall());
    // The tab is torn off and shown by the other window, which was bound meanwhile.
    user32.SetWindowLongPtrW(shell.hwnd, GWLP_HWNDPARENT, Number(second));
    expect(await codes([shell.pid, terminal.pid])).toEqual(['no error', 'no error', no]);
    expect(await code(guarded.verify(bound, newCall()))).toBe(no);
  });

  test('[binding.criteria] a single criterion that does not match is target_not_found', async () => {
    await using fixture = await Fixture.start('sentinel', ['--title', 'Criteria']);
    const hwnd = String(fixture.hwnd);
    expect(await code(binding.find({ hwnd, title: 'Other' }, newCall()))).toBe('target_not_found');
    expect(await code(binding.find({ hwnd, pid: fixture.pid + 4 }, newCall()))).toBe('target_not_found');
    expect(await code(binding.find({ title: 'Criteria', pid: process.pid }, newCall()))).toBe('target_not_found');
    expect(await code(binding.find({}, newCall()))).toBe('invalid_argument');
  });

  test('[binding.hwnd-wire] decimal and 0x… name the same window; nonsense names none', async () => {
    await using fixture = await Fixture.start('sentinel');
    const record = await binding.find({ hwnd: `0x${fixture.hwnd.toString(16)}` }, newCall());
    expect(record.hwnd).toBe(String(fixture.hwnd));
    for (const hwnd of ['0', '1', '99999999999999999999', '0xffffffffffffffff'])
      expect(await code(binding.find({ hwnd }, newCall()))).toBe('target_not_found');
  });

  test('[binding.title-rank] exact beats ignoring case beats a part', async () => {
    await using exact = await Fixture.start('sentinel', ['--title', 'Rank']);
    await using folded = await Fixture.start('sentinel', ['--title', 'RANK']);
    await using part = await Fixture.start('sentinel', ['--title', 'My rank and more']);
    expect((await binding.find({ title: 'Rank' }, newCall())).hwnd).toBe(String(exact.hwnd));
    expect((await binding.find({ title: 'RANK' }, newCall())).hwnd).toBe(String(folded.hwnd));
    expect((await binding.find({ title: 'rank and' }, newCall())).hwnd).toBe(String(part.hwnd));
  });

  test('two windows in the best rank are refused with both as candidates', async () => {
    await using one = await Fixture.start('sentinel', ['--title', 'Twin']);
    await using other = await Fixture.start('sentinel', ['--title', 'Twin']);
    const error = await binding.find({ title: 'Twin' }, newCall()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'target_ambiguous' });
    const handles = (error as { candidates: Array<{ hwnd: string }> }).candidates.map((candidate) =>
      Number(candidate.hwnd),
    );
    expect(handles.sort()).toEqual([one.hwnd, other.hwnd].sort());
    expect((await binding.find({ title: 'Twin', pid: other.pid }, newCall())).hwnd).toBe(String(other.hwnd));
  });

  test('the record says which process it is, and since when', async () => {
    await using fixture = await Fixture.start('sentinel');
    const record = await bindFixture(fixture);
    const created = Number(BigInt(record.processCreated) / 10_000n - 11_644_473_600_000n);
    expect(Math.abs(Date.now() - created)).toBeLessThan(60_000);
    expect(record.app.executable?.toLowerCase()).toBe(record.app.bundleId);
    expect(record.app.bundleId.endsWith('\\sentinel.exe')).toBe(true);
    expect(record).toMatchObject({ hwnd: String(fixture.hwnd), pid: fixture.pid });
    expect(record.className).not.toBe('');
    expect(record.threadId).toBeGreaterThan(0);
    expect(record.integrity).not.toBe('unknown');
  });

  test('[binding.own] a window of the host is neither listed nor bound', async () => {
    await using fixture = await Fixture.start('sentinel', ['--title', 'Mine']);
    const record = await bindFixture(fixture);
    const own = createPorts();
    own.services.setOwnProcesses([fixture.pid]);
    expect((await own.window.listVisible(newCall())).map((row) => row.hwnd)).not.toContain(record.hwnd);
    for (const query of [{ title: 'Mine' }, { hwnd: record.hwnd }, { pid: fixture.pid }]) {
      expect(await code(own.binding.find(query, newCall()))).toBe('target_not_found');
    }
    expect(await code(own.binding.verify(record, newCall()))).toBe('target_not_found');
  });

  test('[binding.quiet] binding and verifying change neither foreground, state, order nor cursor', async () => {
    await using fixture = await Fixture.start('sentinel', ['--title', 'Quiet']);
    await using front = await Fixture.start('sentinel', ['--title', 'In front', '--activate']);
    await until(() => user32.GetForegroundWindow() === front.hwnd, 'the foreground');
    await window.manage(await bindFixture(fixture), 'minimize', {}, newCall());
    const look = async () => ({
      foreground: user32.GetForegroundWindow(),
      cursor: cursorPosition(),
      iconic: user32.IsIconic(fixture.hwnd),
      order: (await window.listVisible(newCall())).map((row) => row.hwnd),
    });
    const before = await look();
    const record = await binding.find({ title: 'Quiet' }, newCall());
    await binding.verify(record, newCall());
    await binding.release(record, newCall());
    expect(await look()).toEqual(before);
    expect(before.iconic).toBe(true);
  });
});

describe('checking it again', () => {
  test('a window that closed is window_gone and not alive', async () => {
    await using fixture = await Fixture.start('sentinel');
    const record = await bindFixture(fixture);
    expect(await binding.isAlive(record, newCall())).toBe(true);
    await binding.verify(record, newCall());
    await fixture.tell('quit');
    await until(() => !user32.IsWindow(fixture.hwnd), 'the end of the window');
    expect(await binding.isAlive(record, newCall())).toBe(false);
    expect(await code(binding.verify(record, newCall()))).toBe('window_gone');
    expect(await binding.describe(record, newCall())).toBeNull();
    expect(await window.rect(record, newCall())).toBeNull();
  });

  test('a window whose process was killed is window_gone', async () => {
    await using notepad = new Program('notepad.exe');
    const row = await until(
      async () => (await window.listVisible(newCall())).find((each) => each.pid === notepad.pid),
      'Notepad',
    );
    const record = await binding.find({ hwnd: row.hwnd }, newCall());
    execFileSync('taskkill.exe', ['/F', '/PID', String(notepad.pid)], { stdio: 'ignore' });
    await until(() => !user32.IsWindow(Number(row.hwnd)), 'the end of the window');
    expect(await code(binding.verify(record, newCall()))).toBe('window_gone');
  });

  test('[binding.reused] a handle that names another process, thread or class is window_gone', async () => {
    await using fixture = await Fixture.start('sentinel');
    const record = await bindFixture(fixture);
    const others: BindingRecord[] = [
      { ...record, processCreated: String(BigInt(record.processCreated) - 1n) },
      { ...record, pid: record.pid + 4 },
      { ...record, threadId: record.threadId + 4 },
      { ...record, className: 'Other' },
    ];
    for (const other of others) expect(await code(binding.verify(other, newCall()))).toBe('window_gone');
    expect(await code(binding.verify(record, newCall()))).toBe('no error');
  });

  test('[binding.hung] a hung window is reported within the deadline, and other calls answer meanwhile', async () => {
    await using fixture = await Fixture.start('sentinel', ['--title', 'Hangs']);
    await using other = await Fixture.start('sentinel', ['--title', 'Answers']);
    const record = await bindFixture(fixture);
    const otherRecord = await bindFixture(other);
    await fixture.tell('hang 30000');
    await until(() => hangs(fixture.hwnd), 'the hang');
    const verdict = code(binding.verify(record, newCall({ deadlineMs: 1000 })));
    await binding.verify(otherRecord, newCall());
    expect((await window.listVisible(newCall())).map((row) => row.title)).toContain('Hangs');
    expect(await binding.describe(record, newCall())).toMatchObject({ title: 'Hangs' });
    expect(await verdict).toBe('window_hung');
    expect(await hangs(fixture.hwnd)).toBe(true);
  });

  test('[binding.hung] a window that is only busy for a moment passes', async () => {
    await using fixture = await Fixture.start('sentinel');
    const record = await bindFixture(fixture);
    await fixture.tell('hang 300');
    expect(await code(binding.verify(record, newCall()))).toBe('no error');
  });

  test('title and rectangle are current', async () => {
    await using fixture = await Fixture.start(
      'sentinel',
      wordsOf`--title Before --x 40 --y 50 --width 320 --height 240`,
    );
    const record = await bindFixture(fixture);
    await fixture.tell('title After ’; 😀');
    expect(await binding.describe(record, newCall())).toEqual({
      title: 'After ’; 😀',
      rect: { x: 40, y: 50, width: 320, height: 240 },
      isHidden: false,
    });
  });

  test('a call that was aborted does nothing', async () => {
    const controller = new AbortController();
    controller.abort();
    expect(await code(binding.find({ pid: 4 }, newCall({ signal: controller.signal })))).toBe('cancelled');
  });
});

test('[binding.release] a window that was moved off the desktop comes back when its binding ends, unless a person brought it back before', async () => {
  await using fixture = await Fixture.start('sentinel', wordsOf`--x 120 --y 90 --width 400 --height 300`);
  const record = await bindFixture(fixture);
  await window.manage(record, 'move_offscreen', {}, newCall());
  await binding.release(record, newCall());
  await until(async () => (await window.rect(record, newCall()))?.x === 120, 'the window');
  expect(await window.rect(record, newCall())).toEqual({ x: 120, y: 90, width: 400, height: 300 });

  await window.manage(record, 'move_offscreen', {}, newCall());
  await window.manage(record, 'move_resize', { x: 200, y: 150 }, newCall({ owner: 'somebody/else' }));
  await services.releaseAll();
  expect(await window.rect(record, newCall())).toEqual({ x: 200, y: 150, width: 400, height: 300 });
});
