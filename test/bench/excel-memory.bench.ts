/**
 * Memory of the desktop worker's part over 20,000 reads of cells: `npm run bench -- excel-memory`. A program for Windows' Node.
 * Flat is what is wanted: what is kept for each call shows as a straight line. JavaScript's own memory is measured after a collection;
 * what the process has in addition is native, and what the collector has not released.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { comRefsAlive } from '../../native-bindings/com/com-ref.ts';
import type { CallContext } from '../../src/desktop/index.ts';
import { createBindingPort } from '../../src/win32/ports/binding.ts';
import { createWin32Services } from '../../src/win32/ports/services.ts';
import { createSheetPort } from '../../src/win32/ports/sheet.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What V8 holds for young objects, used or not (bytes). */
const young = (): number => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.space_size;

const CALLS = 20_000;
const STEP = 2_500;
const STARTS_WITHIN_MS = 10_000;
const call = (): CallContext => ({
  owner: 'bench/default',
  deadlineMs: 30_000,
  signal: new AbortController().signal,
  remoteControlMemory: true,
});

const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-bench-'));
const ready = path.join(folder, 'ready.json');
const book = spawn(path.join(process.env['UIAHOST_FIXTURES'] ?? '', 'workbook.exe'), ['--ready', ready], {
  stdio: 'ignore',
});
try {
  const until = performance.now() + STARTS_WITHIN_MS;
  while (!existsSync(ready)) {
    if (performance.now() > until) throw new Error('workbook.exe did not start');
    await sleep(20);
  }
  const { hwnd } = JSON.parse(readFileSync(ready, 'utf8')) as { hwnd: number };
  const record = await createBindingPort(createWin32Services()).find({ hwnd: String(hwnd) }, call());
  using sheet = createSheetPort();
  const wanted = { sheet: undefined, range: 'A1:C6', what: 'both', text: false, dates: 'iso', maxCells: 100 } as const;
  for (let done = 0; done <= CALLS; done += 1) {
    if (done % STEP === 0) {
      collect();
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
      const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1).padStart(6);
      console.log(
        `${String(done).padStart(6)} reads of 18 cells: ${megabytes(rss)} MB; JavaScript ${megabytes(heapUsed)} of ${megabytes(heapTotal)} MB, of it young ${megabytes(young())} MB; its buffers ${megabytes(external)} MB; ${comRefsAlive()} references`,
      );
    }
    await sheet.read(record, wanted, call());
  }
} finally {
  book.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
