/**
 * Cells of a spreadsheet window over HTTP, compared with a C program that makes the same calls in the same run
 * (test/fixtures/workbook-client.c). Memory: excel-memory.bench.ts.
 *
 *   npm run bench -- excel
 *
 * Marks: 10,000 mixed cells read ≤ 40 ms, written and read back ≤ 90 ms; one cell read ≤ 15 ms; ≤ 1.5 × C where the calls rule.
 */
import { once } from 'node:events';
import { fixture, startHost } from '../support/desktop.ts';
import { startFixture } from '../support/fixture.ts';
import { startProgram } from '../support/programs.ts';
import { Connection } from './support/connection.ts';
import { quantile } from './support/measurements.ts';

const ROUNDS = 30;
const WARM_UP = 5;
const ROWS = 500;
const COLUMNS = 20;
const RANGE = { sheet: 'Data', range: 'A1:T500' };

const median = (values: readonly number[]): number => quantile(values, 0.5);

async function peer(hwnd: string, what: string): Promise<number> {
  const program = startProgram(fixture('workbook-client.exe'), [hwnd, what, String(ROUNDS)], { streams: 'piped' });
  let text = '';
  program.process.stdout?.setEncoding('utf8').on('data', (data: string) => {
    text += data;
  });
  await once(program.process, 'close');
  return median((JSON.parse(text) as { ms: number[] }).ms);
}

const mixed = (r: number, c: number): unknown =>
  [r * 1000 + c, `text ${r} of ${c}: äöü`, r % 2 === 0, (r - c) / 7, { error: '#N/A' }][(r * 7 + c) % 5];
const VALUES = Array.from({ length: ROWS }, (_r, r) => Array.from({ length: COLUMNS }, (_c, c) => mixed(r, c)));

async function measure(
  what: string,
  mark: number,
  work: () => Promise<unknown>,
  ofC: () => Promise<number>,
): Promise<void> {
  const times: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const begun = performance.now();
    await work();
    if (round >= 0) times.push(performance.now() - begun);
  }
  const c = await ofC();
  const p50 = median(times);
  console.log(
    `${what.padEnd(44)}${p50.toFixed(1).padStart(8)} ms${quantile(times, 0.95).toFixed(1).padStart(8)} ms   mark ${String(mark).padStart(3)} ms   C ${c.toFixed(1)} ms, × ${(p50 / c).toFixed(2)}`,
  );
}

await using host = await startHost({ env: { UIAHOST_LEVEL: 'full' } });
// Overwriting counts as destructive: no person is there to agree to it.
await host.request('/v1/policy', {
  method: 'PATCH',
  token: 'operator',
  body: { alwaysAsk: [], limits: { actionsPerMinute: 100_000 } },
});
await using book = await startFixture('workbook');
using connection = new Connection(host);
const act = (name: string, input: object): Promise<unknown> => connection.act(name, input);
await act('bind-to-window', { hwnd: book.hwnd });
console.log(`${''.padEnd(44)}     p50        p95`);
await measure(
  'one cell read',
  15,
  () => act('read-range', { sheet: 'Data', range: 'A1' }),
  () => peer(book.hwnd, 'cell'),
);
await measure(
  '10,000 mixed cells written and read back',
  90,
  () => act('write-range', { ...RANGE, values: VALUES, overwrite: true }),
  () => peer(book.hwnd, 'write'),
);
await measure(
  '10,000 mixed cells read',
  40,
  () => act('read-range', { ...RANGE, maxCells: 10_000 }),
  () => peer(book.hwnd, 'read'),
);
