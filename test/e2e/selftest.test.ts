/** End to end: `uiahost selftest` on a host of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { selftest, type SelftestReport } from '../../src/cli/selftest/drive.ts';
import { CALCULATOR, sections, SETTINGS } from '../../src/cli/selftest/sections.ts';
import { UiaHostClient } from '../../src/client/client.ts';
import { activeApprove, approveByKeyboard, cardWindow, clickAt } from '../support/card-window.ts';
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

interface Ended {
  readonly signal: NodeJS.Signals;
  /** In its output. */
  readonly at: string;
  /** Done before. */
  readonly first?: (() => void) | undefined;
}
interface Given extends Partial<Ended> {
  readonly dataDirectory?: string;
  /** Does what it is asked for, and answers; without it no person is there. */
  readonly person?: (question: string) => Promise<string>;
}

/** Runs it to its end, or ends it by a signal. */
async function run(words: readonly string[], given: Given = {}) {
  const { signal, at, first, person: by, dataDirectory = scene.host.dataDir } = given;
  const child = spawn(process.execPath, [command, 'selftest', ...words], {
    cwd: folder,
    env: { ...process.env, UIAHOST_DATA_DIR: dataDirectory },
    stdio: [by === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const had = at !== undefined && out.includes(at);
    out += text;
    if (at === undefined || had || !out.includes(at)) return;
    first?.();
    child.kill(signal);
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
    if (text.includes('leaves it out.')) void by?.(text).then((answer) => child.stdin!.write(`${answer}\n`));
  });
  const [status] = (await once(child, signal === 'SIGKILL' ? 'exit' : 'close')) as [number | null];
  return { status, out, errors };
}
/** Processes of this desktop with this argument. */
function ours(word: string): number[] {
  const here = new Set(processesWith(`WINEPREFIX=${sharedDesktop().prefix}`));
  return processesWith(word, 'cmdline').filter((pid) => here.has(pid));
}
const demos = async () => (await scene.witness.windows()).filter(({ title }) => title === 'uiahost demo');
const waitingMs = async (): Promise<number> => (await client.operator('/v1/policy')).approvals.timeoutMs;

/** What Wine shows of the demo and its own programs. It draws no window of another program (T35), and keeps no events (T65). */
const YES = 'T1 T3 T5 T6 T7 T14 T17 T24 T26 T28 T29 T30 T31 T32 T37 T39 T40 T42 T68'.split(' ');
const NO = ['T35', 'T65'];
/** And where stand-ins answer for PowerShell, Edge, Windows Terminal and others; they do not come forward. */
const STAND_IN = 'T4 T5 T6 T7 T9 T10 T11 T13 T15 T18 T19 T20 T24 T38 T42 T43 T44 T69 T73 T74'.split(' ');
/** And where the X server's mouse and keyboard are a person's. */
const PERSON = ['T27', 'T47', 'T66'];
/** What they need is not here. */
const NOT_HERE = {
  T2: 'The account and its profile are usual ones.',
  T48: 'This is another kind of session.',
  T51: 'No person was there.',
  T52: 'No person was there.',
};
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

  it('uses windows of other programs, here their stand-ins, and ends them', async () => {
    const [program, terminal] = [
      fixture('selftest-stand-in.exe'),
      join(sharedDesktop().prefix, 'drive_c/windows/wt.exe'),
    ];
    copyFileSync(program, terminal);
    try {
      const report = await selftest(() => UiaHostClient.connect({ dataDirectory: scene.host.dataDir }), {
        env: { ...process.env, UIAHOST_DATA_DIR: scene.host.dataDir, WT_SESSION: 'here' },
        version: '0',
        signal: AbortSignal.timeout(150_000),
        letters: 'CDEG',
        onStep: () => {},
        programs: Object.fromEntries(
          ['powershell', 'edge', CALCULATOR, SETTINGS].map((name) => [name, windowsPath(program)]),
        ),
      });
      expect(report.steps.filter(({ ok }) => ok === false)).toEqual([]);
      expect({ yes: of(report, 'yes').filter((belief) => belief !== 'T72'), no: of(report, 'no') }).toEqual({
        yes: STAND_IN,
        no: ['T25'],
      });
      const left = (await scene.witness.windows()).filter(({ title }) =>
        /^(?:uiahost selftest|Terminal|Keys)/.test(title),
      );
      expect(left).toEqual([]);
    } finally {
      rmSync(terminal);
    }
  }, 160_000);

  it('lets a person approve by mouse and by keyboard; here nothing is remote or locked, and without a person nothing is tried', async () => {
    const by = async (question: string): Promise<string> => {
      if (!question.includes('Press Approve')) return 's';
      const card = await cardWindow(scene.witness);
      const spot = await activeApprove(card);
      await (question.includes('by mouse') ? clickAt(spot) : approveByKeyboard(scene.witness, card));
      return '';
    };
    for (const [person, yes] of [
      [by, PERSON],
      [undefined, []],
    ] as const) {
      const { status, out, errors } = await run(['--output', 'person.json', '--sections', 'F'], person && { person });
      expect(status, out + errors).toBe(0);
      const report = read('person.json');
      expect({ yes: of(report, 'yes'), no: of(report, 'no') }).toEqual({ yes, no: [] });
      for (const [belief, why] of Object.entries(NOT_HERE).slice(1))
        expect(report.steps.find(({ beliefs }) => beliefs.split(' ').includes(belief))).toMatchObject({
          ok: null,
          error: why,
        });
      expect(
        (await client.operator('/v1/approvals')).approvals.filter(
          ({ status: each }: { status: string }) => each === 'pending',
        ),
      ).toEqual([]);
    }
  });

  it('has a step for each belief that it names, which runs here, or on a stand-in, or says what is not here', () => {
    const named = sections([]).flatMap(({ steps }) => steps.flatMap(({ beliefs }) => beliefs.split(' ')));
    const shown = [...YES, ...NO, ...STAND_IN, ...PERSON, 'T16', 'T25', 'T72', ...Object.keys(NOT_HERE)];
    expect([...new Set(shown)].sort()).toEqual([...new Set(named)].filter((belief) => belief !== '').sort());
    expect(new Set(named).size).toBeGreaterThan(40);
  });

  it('[selftest.limit] a signal ends it with a report and without a window, also while its second process does not answer', async () => {
    const witnesses = (): number[] => ours('--witness');
    for (const [signal, isStuck] of [
      ['SIGINT', false],
      ['SIGINT', true],
      ['SIGTERM', false],
    ] as const) {
      const stop = (): void => witnesses().forEach((pid) => process.kill(pid, 'SIGSTOP'));
      const words = ['--output', 'cancelled.json', '--sections', 'B'];
      const { status, errors } = await run(words, {
        signal,
        at: 'text into a field',
        first: isStuck ? stop : undefined,
      });
      for (const pid of isStuck ? witnesses() : []) process.kill(pid, 'SIGKILL');
      expect(status).toBe(1);
      expect(errors).toContain('Cancelled.');
      const { steps, ...report } = read('cancelled.json');
      expect(report).toMatchObject({
        ok: false,
        ended: 'Cancelled. The demo was closed.',
        system: { session: 'console' },
      });
      expect(steps.some(({ step, ok }) => step === 'text into a field' && ok === true)).toBe(true);
      await until(demos, (left) => left.length === 0);
      rmSync(join(folder, 'cancelled.json'));
    }
  });

  it('leaves a report where it is killed, finds no host, or the host lets nothing be driven', async () => {
    const { status } = await run(['--output', 'killed.json'], { signal: 'SIGKILL', at: 'text into a field' });
    expect(status).toBe(null);
    expect(read('killed.json')).toMatchObject({ ok: false, ended: 'It was ended before its last step.' });
    expect(read('killed.json').steps.length).toBeGreaterThan(3);
    for (const pid of ours('--another')) process.kill(pid, 'SIGKILL');
    await until(demos, (left) => left.length === 0);

    const none = await run(['--output', 'none.json'], { dataDirectory: join(folder, 'nothing') });
    expect(none).toMatchObject({ status: 1, errors: expect.stringContaining('uiahost start') });
    expect(read('none.json')).toMatchObject({
      ok: false,
      ended: expect.stringContaining('host'),
      system: null,
      steps: [],
    });

    await client.policy({ level: 'observe' });
    const low = await run(['--output', 'low.json']);
    await client.policy({ level: 'control' });
    expect(low).toMatchObject({ status: 1, errors: expect.stringContaining('uiahost policy level control') });
    expect(read('low.json')).toMatchObject({ ok: false, ended: expect.stringContaining('level observe'), steps: [] });
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
