/** End to end: `uiahost selftest --excel`, on a stand-in that opens as a new workbook and asks before it closes unsaved. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ExcelReport } from '../../src/cli/selftest/excel.ts';
import { fixture, windowsPath } from '../support/desktop.ts';
import { sharedScene } from '../support/scene.ts';

const command = fileURLToPath(new URL('../../bin/uiahost.mjs', import.meta.url));
const { scene, folder } = await sharedScene(async (opened) => ({ folder: opened.folder() }), {
  env: { UIAHOST_LEVEL: 'control' },
});
/** Under this name it opens a new workbook: a program that the host starts gets no switches. */
const file = join(folder, 'new-workbook.exe');
copyFileSync(fixture('workbook.exe'), file);
const program = windowsPath(file);

/** `isCut`: ends it, as a session does, at its first line. */
async function selftest(args: readonly string[], isCut = false) {
  const child = spawn(process.execPath, [command, 'selftest', ...args], {
    cwd: folder,
    env: { ...process.env, UIAHOST_DATA_DIR: scene.host.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  if (isCut) child.stdout.once('data', () => child.kill('SIGTERM'));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, out, errors };
}
const books = async () => (await scene.witness.windows()).filter(({ className }) => className === 'XLMAIN');

describe('uiahost selftest --excel', () => {
  it('walks the list in a new workbook, closes it unsaved, and writes a report', async () => {
    const { status, out, errors } = await selftest(['--excel', program, '--yes', '--output', 'excel.json']);
    expect(existsSync(join(folder, 'excel.json')), `${out}${errors}`).toBe(true);
    const report = JSON.parse(readFileSync(join(folder, 'excel.json'), 'utf8')) as ExcelReport;
    // The stand-in has no SEQUENCE, as an older Excel.
    expect(
      report.steps.filter(({ ok }) => ok === false),
      out,
    ).toEqual([]);
    expect({ status, errors }, out).toEqual({ status: 0, errors: '' });
    expect(report).toMatchObject({ ok: true, closed: true });
    expect(report.steps.filter(({ ok }) => ok === true).length).toBeGreaterThanOrEqual(10);
    expect(report.steps.filter(({ ok }) => ok === null).length).toBeGreaterThanOrEqual(5);
    expect(out).toContain('the workbook was closed without saving');
    expect(await books()).toEqual([]);
  }, 180_000);

  it('without a terminal and without --yes nothing is opened', async () => {
    const { status, errors } = await selftest(['--excel', program, '--output', 'none.json']);
    expect(status).not.toBe(0);
    expect(errors).toContain('--yes');
    expect(existsSync(join(folder, 'none.json'))).toBe(false);
    expect(await books()).toEqual([]);
  });

  it('leaves a report, and closes the workbook, where it is cut', async () => {
    const words = ['--excel', program, '--yes', '--output', 'cut.json'];
    const { status } = await selftest(words, true);
    const report = JSON.parse(readFileSync(join(folder, 'cut.json'), 'utf8')) as ExcelReport;
    expect([status, report.ok, report.closed]).toEqual([1, false, true]);
    expect(report.steps.length).toBeGreaterThan(0);
    expect(await books()).toEqual([]);
  }, 180_000);

  it('a program that is not there is an error', async () => {
    const { status, errors } = await selftest(['--excel', 'no-such-program.exe', '--yes', '--output', 'none.json']);
    expect([status, existsSync(join(folder, 'none.json'))]).toEqual([1, true]);
    expect(errors).toMatch(/could not be started.*no-such-program/s);
  });
});
