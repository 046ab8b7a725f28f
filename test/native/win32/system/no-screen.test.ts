/** What works without a screen: a desktop that is never shown stands in for a session that is locked or disconnected. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diagnose } from '../../../../src/host/home/doctor.ts';
import type { SessionFacts } from '../../../../src/contract/process/doctor.ts';

const NAME = 'uiahost-no-screen';
const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-no-screen-'));
const answer = path.join(folder, 'answer.json');
const probe = fileURLToPath(new URL('../support/no-screen-probe.ts', import.meta.url));
const hidden = path.join(process.env['UIAHOST_FIXTURES'] ?? '', 'hidden.exe');
let found: Record<string, unknown>;

beforeAll(async () => {
  const child = spawn(hidden, [NAME, process.execPath, probe, answer], { stdio: 'ignore' });
  const status = await new Promise((resolve) => {
    child.once('exit', resolve);
  });
  found = { status, ...(JSON.parse(readFileSync(answer, 'utf8')) as object) };
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test('[session.no-screen] windows are found, read and acted on, and cells are read', () => {
  expect(found).toMatchObject({
    status: 0,
    list: true,
    snapshot: true,
    click: 'confirmed',
    type: 'confirmed',
    select: 'confirmed',
    table: true,
    cells: true,
  });
  expect(found['keys']).toMatch(/confirmed|unverified/);
});

/** Wine gives the hidden desktop input; Windows does not. The program's journal tells which. */
test('[session.no-screen] real input is refused, or claimed only where the program had it', () => {
  const done = found['real input'];
  if (typeof done !== 'string') expect(done).toMatchObject({ code: expect.stringMatching(/^\w+$/) as unknown });
  else if (found['real presses'] === 0) expect(done).toBe('unverified');
  else expect(done).toBe('confirmed');
});

test('[session.no-screen] the doctor names it as a limit, and what continues', () => {
  const facts = found['facts'] as SessionFacts;
  expect(facts.inputDesktop).toBe(NAME);
  expect(diagnose(facts).filter(({ code }) => code === 'other_desktop')).toEqual([
    expect.objectContaining({ severity: 'limits', message: expect.stringContaining('continue in the background') }),
  ]);
});
