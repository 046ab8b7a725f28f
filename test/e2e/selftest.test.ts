/** End to end: `uiahost selftest` on a host of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { SelftestReport } from '../../src/cli/selftest/drive.ts';
import { sharedDesktop } from '../support/desktop.ts';
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
  readonly status: number | null;
  readonly out: string;
  readonly errors: string;
}

/** The command line of a process; empty once it has ended. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Runs it to its end; `interruptAt`: sends Ctrl+C once its output has this, after `first`. */
async function selftest(args: readonly string[], interruptAt?: string, first: () => void = () => {}): Promise<Ended> {
  const child = spawn(process.execPath, [command, 'selftest', ...args], {
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
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, out, errors };
}
const demos = async () => (await scene.witness.windows()).filter(({ title }) => title === 'uiahost demo');
const waitingMs = async (): Promise<number> => (await client.operator('/v1/policy')).approvals.timeoutMs;

describe('uiahost selftest', () => {
  it('[selftest.steps] does every step, sees each effect, and leaves nothing', async () => {
    const notepad = await scene.notepad();
    const before = await waitingMs();
    const { status, out, errors } = await selftest(['--output', 'report.json']);
    expect({ status, errors }, out).toEqual({ status: 0, errors: '' });
    const text = readFileSync(join(folder, 'report.json'), 'utf8');
    const report = JSON.parse(text) as SelftestReport;
    expect(report).toMatchObject({ ok: true, ended: null });
    expect(report.steps.length).toBeGreaterThan(28);
    for (const { step, ok, seen } of report.steps) {
      expect([step, ok]).toEqual([step, true]);
      expect([step, seen]).not.toEqual([step, false]);
      expect(out).toContain(step);
    }
    expect(report.steps.filter(({ seen }) => seen === true).length).toBeGreaterThan(20);
    // Which ways the system offers, and which way a picture was taken.
    const ways = report.steps.flatMap(({ tried }) => tried);
    expect(ways).toEqual(expect.arrayContaining(['message: delivered', 'posted: delivered', 'input: delivered']));
    expect(report.steps.find(({ step }) => step === 'window, even covered')?.delivery).toBe('window-dc');
    expect(report.system).toMatchObject({
      windows: expect.stringMatching(/^10\.0\.\d+$/),
      monitors: [expect.objectContaining({ dpi: 96 })],
      session: 'console',
      node: expect.stringMatching(/^\d+\./),
    });
    expect(text).not.toContain('Notepad');
    expect(await scene.witness.text(notepad.hwnd, 'Edit')).toBe('');
    expect(await demos()).toEqual([]);
    expect(await waitingMs()).toBe(before);
  }, 130_000);

  it('Ctrl+C ends it with status 1, without a report or a window', async () => {
    const { status, errors } = await selftest(['--output', 'cancelled.json'], 'table of 200 rows');
    expect(status).toBe(1);
    expect(errors).toContain('Cancelled. The demo was closed.');
    expect(existsSync(join(folder, 'cancelled.json'))).toBe(false);
    expect(await demos()).toEqual([]);
  });

  it('[selftest.limit] ends as well while its second process does not answer', async () => {
    const witnesses = (): number[] =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name) && commandOf(name).includes('--witness'))
        .map(Number);
    const { status, errors } = await selftest(['--output', 'stuck.json'], 'text into a field', () => {
      for (const pid of witnesses()) process.kill(pid, 'SIGSTOP');
    });
    for (const pid of witnesses()) process.kill(pid, 'SIGKILL');
    expect(status).toBe(1);
    expect(errors).toContain('Cancelled.');
    await until(demos, (left) => left.length === 0);
  });

  it('[selftest.status] is status 1 where it ends early, and writes the report with the reason', async () => {
    await client.operator('/v1/stop', { method: 'POST' });
    const { status, out, errors } = await selftest(['--output', 'stopped.json']);
    await client.operator('/v1/resume', { method: 'POST' });
    expect(status).toBe(1);
    expect(`${out}${errors}`).toContain('stop');
    expect(await demos()).toEqual([]);
    // … and in the report, which is written wherever it ends
    const report = JSON.parse(readFileSync(join(folder, 'stopped.json'), 'utf8')) as SelftestReport;
    expect(report).toMatchObject({ ok: false, ended: expect.stringContaining('stop'), system: { session: 'console' } });
  });
});
