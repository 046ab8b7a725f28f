/** End to end: `uiahost selftest` on a host of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { selftest, type SelftestReport } from '../../src/cli/selftest/drive.ts';
import { UiaHostClient } from '../../src/client/client.ts';
import { fixture, sharedDesktop, windowsPath } from '../support/desktop.ts';
import { processesWith } from '../support/proc.ts';
import { sharedScene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const command = fileURLToPath(new URL('../../bin/uiahost.mjs', import.meta.url));
const { scene, client, folder } = await sharedScene(
  async (opened) => {
    // As npm start leaves it: where the demo opens.
    writeFileSync(join(opened.host.dataDir, 'desktop.json'), JSON.stringify(sharedDesktop().description));
    return { folder: opened.folder() };
  },
  { env: { UIAHOST_LEVEL: 'control' } },
);

/** Runs it to its end; `interruptAt`: sends Ctrl+C once its output has this, after `first`. */
async function run(words: readonly string[], interruptAt?: string, first: () => void = () => {}) {
  const child = spawn(process.execPath, [command, 'selftest', ...words], {
    cwd: folder,
    env: { ...process.env, UIAHOST_DATA_DIR: scene.host.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const had = interruptAt !== undefined && out.includes(interruptAt);
    out += text;
    if (interruptAt === undefined || had || !out.includes(interruptAt)) return;
    first();
    child.kill('SIGINT');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, out, errors };
}
const demos = async () => (await scene.witness.windows()).filter(({ title }) => title === 'uiahost demo');
const waitingMs = async (): Promise<number> => (await client.operator('/v1/policy')).approvals.timeoutMs;

/** What Wine shows of the demo and its own programs. It draws no window of another program (T35), and keeps no events (T65). */
const YES = 'T1 T3 T5 T6 T7 T14 T17 T24 T26 T28 T29 T30 T31 T32 T37 T39 T40 T42 T68'.split(' ');
const NO = ['T35', 'T65'];
/** And where stand-ins with plain controls answer for PowerShell and Edge; they do not come forward. */
const STAND_IN = 'T10 T11 T13 T15 T18 T19 T20 T38 T69 T73 T74'.split(' ');
const of = (report: SelftestReport, answer: string): string[] =>
  Object.keys(report.beliefs).filter((belief) => report.beliefs[belief] === answer);
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as SelftestReport;

describe('uiahost selftest', () => {
  it('[selftest.steps] does every step, sees each effect, and leaves nothing', async () => {
    const notepad = await scene.notepad();
    const before = await waitingMs();
    const { status, out, errors } = await run(['--output', 'report.json']);
    expect({ status, errors }, out).toEqual({ status: 0, errors: '' });
    const report = read('report.json');
    expect(report).toMatchObject({ ok: true, ended: null, doctor: expect.arrayContaining(['event_log_silent']) });
    for (const { section, step, ok } of report.steps) {
      expect([step, ok]).not.toEqual([step, false]);
      if ('AB'.includes(section)) expect(out).toContain(step);
    }
    expect(report.steps.filter(({ seen }) => seen === true).length).toBeGreaterThan(20);
    // Which ways the system offers.
    const ways = report.steps.flatMap(({ tried }) => tried);
    expect(ways).toEqual(expect.arrayContaining(['message: delivered', 'posted: delivered', 'input: delivered']));
    expect(report.system).toMatchObject({
      windows: expect.stringMatching(/^10\.0\.\d+$/),
      monitors: [expect.objectContaining({ dpi: 96 })],
      session: 'console',
      settings: expect.objectContaining({ 'code page': '1252' }),
    });
    // A machine that is busy has no time for two hundred changes.
    expect(report.beliefs['T72']).not.toBe('no');
    expect({ yes: of(report, 'yes').filter((belief) => belief !== 'T72'), no: of(report, 'no') }).toEqual({
      yes: YES,
      no: NO,
    });
    expect(out).toContain(`| yes | ${of(report, 'yes').join(', ')} |`);
    expect(readFileSync(join(folder, 'report.json'), 'utf8')).not.toContain(userInfo().username);
    expect(await scene.witness.text(notepad.hwnd, 'Edit')).toBe('');
    expect(await demos()).toEqual([]);
    expect(await waitingMs()).toBe(before);
  }, 280_000);

  it('uses windows of PowerShell and Edge, here their stand-ins, and ends them', async () => {
    const program = windowsPath(fixture('selftest-stand-in.exe'));
    const report = await selftest(await UiaHostClient.connect({ dataDirectory: scene.host.dataDir }), {
      env: { ...process.env, UIAHOST_DATA_DIR: scene.host.dataDir },
      version: '0',
      signal: AbortSignal.timeout(150_000),
      letters: 'CD',
      onStep: () => {},
      programs: { powershell: program, edge: program },
    });
    expect(report.steps.filter(({ ok }) => ok === false)).toEqual([]);
    expect({ yes: of(report, 'yes'), no: of(report, 'no') }).toEqual({ yes: STAND_IN, no: ['T25'] });
    expect((await scene.witness.windows()).filter(({ title }) => title.startsWith('uiahost selftest'))).toEqual([]);
  }, 160_000);

  it('[selftest.limit] Ctrl+C ends it without a report or a window, also while its second process does not answer', async () => {
    const witnesses = (): number[] => processesWith('--witness', 'cmdline');
    for (const stuck of [false, true]) {
      const stop = (): void => witnesses().forEach((pid) => process.kill(pid, 'SIGSTOP'));
      const { status, errors } = await run(
        ['--output', 'cancelled.json'],
        'text into a field',
        stuck ? stop : undefined,
      );
      for (const pid of stuck ? witnesses() : []) process.kill(pid, 'SIGKILL');
      expect(status).toBe(1);
      expect(errors).toContain('Cancelled. The demo was closed.');
      expect(existsSync(join(folder, 'cancelled.json'))).toBe(false);
      await until(demos, (left) => left.length === 0);
    }
  });

  it('[selftest.status] is status 1 where it ends early, and writes the report with the reason', async () => {
    await client.operator('/v1/stop', { method: 'POST' });
    const { status, out, errors } = await run(['--output', 'stopped.json']);
    await client.operator('/v1/resume', { method: 'POST' });
    expect(status).toBe(1);
    expect(`${out}${errors}`).toContain('stop');
    expect(await demos()).toEqual([]);
    const ended = expect.stringContaining('stop');
    expect(read('stopped.json')).toMatchObject({ ok: false, ended, system: { session: 'console' } });
  });
});
