/**
 * Milliseconds of a snapshot, of the context that the gate reads, and of a click and a text with their read-back. A program
 * for Windows' Node: `npm run bench -- snapshot`. Prints p50 and p95. Marks: a snapshot of 300 controls ≤ 150 ms.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBindingPort } from '../../src/win32/ports/binding.ts';
import { createElementPort } from '../../src/win32/ports/element.ts';
import { createWin32Services } from '../../src/win32/ports/services.ts';
import type { CallContext } from '../../src/desktop/index.ts';

const ROUNDS = 30;
const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-bench-'));
const call = (): CallContext => ({
  owner: 'bench/default',
  deadlineMs: 30_000,
  signal: new AbortController().signal,
  remoteControlMemory: true,
});

async function start(name: string, args: readonly string[]): Promise<{ child: ChildProcess; hwnd: number }> {
  const file = path.join(process.env['UIAHOST_FIXTURES'] ?? '', `${name}.exe`);
  if (!existsSync(file)) throw new Error(`${file} is not there; npm run bench builds it.`);
  const ready = path.join(folder, `${name}-${args.join('')}.json`);
  const child = spawn(file, [...args, '--ready', ready], { stdio: 'ignore' });
  for (let wait = 0; !existsSync(ready); wait++) {
    if (wait > 500) throw new Error(`${name} did not start`);
    await sleep(20);
  }
  return { child, hwnd: (JSON.parse(readFileSync(ready, 'utf8')) as { hwnd: number }).hwnd };
}

async function measure(name: string, work: (round: number) => Promise<unknown>, rounds = ROUNDS): Promise<void> {
  await work(0);
  const times: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const begun = performance.now();
    await work(round);
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1).padStart(9);
  console.log(`${name.padEnd(52)}${at(0.5)} ms${at(0.95)} ms`);
}

const services = createWin32Services();
const binding = createBindingPort(services);
const element = createElementPort(services);
const started: ChildProcess[] = [];
console.log(`${''.padEnd(52)}      p50         p95`);
try {
  for (const [name, args] of [
    ['Notepad-like: one field', ['--many', '2']],
    ['300 controls', ['--many', '300']],
    ['every common control', []],
  ] as const) {
    const { child, hwnd } = await start('controls', args);
    started.push(child);
    const record = await binding.find({ hwnd: String(hwnd) }, call());
    await measure(`snapshot, ${name}`, (round) =>
      element.snapshot(
        record,
        {
          observationId: `obs_${hwnd}_${round}`,
          maxTokens: 4000,
          maxElements: 1000,
          budgetMs: 20_000,
          remoteControlMemory: true,
        },
        call(),
      ),
    );
    child.kill();
  }
  const { child, hwnd } = await start('controls', ['--late-ms', '20']);
  started.push(child);
  const record = await binding.find({ hwnd: String(hwnd) }, call());
  const refOf = async (automationId: string): Promise<string> =>
    (await element.context(record, { kind: 'element', query: { automationId }, purpose: 'click' }, call())).element!
      .ref;
  await measure('context of an element by its id', () => refOf('201'));
  const [check, field, table] = [await refOf('103'), await refOf('201'), await refOf('242')];
  await measure('click on a check box, confirmed', () =>
    element.click(record, check, { delivery: 'background' }, call()),
  );
  await measure('100 characters into a field, read back', (round) =>
    element.typeInto(
      record,
      field,
      `${round} ${'x'.repeat(98)}`.slice(0, 100),
      { mode: 'replace', delivery: 'background', isSecret: false },
      call(),
    ),
  );
  await measure(
    'table of 1,000 virtual rows, two columns',
    () => element.readTable(record, table, { from: 0, count: 1000 }, call()),
    5,
  );
} finally {
  for (const child of started) child.kill();
  element[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
process.exit(0);
