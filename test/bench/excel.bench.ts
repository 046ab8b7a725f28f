/**
 * Cells of a spreadsheet window over HTTP, compared with a C program that makes the same calls in the same run
 * (test/fixtures/workbook-client.c).
 *
 *   npm run bench -- excel
 *
 * Marks: 10,000 mixed cells read ≤ 40 ms, written and read back ≤ 90 ms; one cell read ≤ 15 ms; ≤ 1.5 × C where the calls rule.
 * Each round is followed by one of C: on a busy machine the ratios of such pairs, their median, say more than the times. The quickest
 * round is the nearest to a quiet machine.
 */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fixture, startHost } from '../support/desktop.ts';
import { startFixture } from '../support/fixture.ts';
import { startProgram } from '../support/programs.ts';
import { Connection } from './support/connection.ts';
import { quantile } from './support/measurements.ts';

const ROUNDS = 30;
/** As in the host’s bench: V8 compiles what is used often during the first rounds. The first of all is printed too. */
const WARM_UP = 20;
const ROWS = 500;
const COLUMNS = 20;
/** Before each call (ms): the host releases objects after its answer, which must not be in the other side's time. */
const PAUSE_MS = 30;
/** By then the host has given up the window's objects, which it keeps for a caller that comes back soon. C never keeps them. */
const LONG_PAUSE_MS = 700;
const RANGE = { sheet: 'Data', range: 'A1:T500' };

const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The C program: one round for each question, in milliseconds. */
function startPeer(hwnd: string): { round(what: string): Promise<number>; end(): void } {
  const program = startProgram(fixture('workbook-client.exe'), [hwnd], { streams: 'piped' });
  const lines = createInterface({ input: program.process.stdout! })[Symbol.asyncIterator]();
  return {
    async round(what) {
      program.process.stdin!.write(`${what}\n`);
      return Number((await lines.next()).value);
    },
    end: () => program.process.stdin!.end(),
  };
}

const mixed = (r: number, c: number): unknown =>
  [r * 1000 + c, `text ${r} of ${c}: äöü`, r % 2 === 0, (r - c) / 7, { error: '#N/A' }][(r * 7 + c) % 5];
const VALUES = Array.from({ length: ROWS }, (_r, r) => Array.from({ length: COLUMNS }, (_c, c) => mixed(r, c)));

async function measure(
  what: string,
  mark: number,
  work: () => Promise<unknown>,
  ofC: string,
  pauseMs = PAUSE_MS,
): Promise<void> {
  const times: number[] = [];
  const ofPeer: number[] = [];
  let first = Number.NaN;
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    await sleep(pauseMs);
    const begun = performance.now();
    await work();
    const time = performance.now() - begun;
    await sleep(PAUSE_MS);
    const c = await peer.round(ofC);
    if (round === -WARM_UP) first = time;
    if (round < 0) continue;
    times.push(time);
    ofPeer.push(c);
  }
  const ratio = median(times.map((time, at) => time / ofPeer[at]!));
  const ms = (value: number): string => value.toFixed(1).padStart(8);
  console.log(
    `${what.padEnd(44)}${ms(median(times))}${ms(Math.min(...times))}${String(mark).padStart(8)}   C${ms(median(ofPeer))}${ms(Math.min(...ofPeer))}   × ${ratio.toFixed(2)}, quickest × ${(Math.min(...times) / Math.min(...ofPeer)).toFixed(2)}; first ${ms(first).trim()}`,
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
const peer = startPeer(book.hwnd);
console.log(`${'ms'.padEnd(44)}     p50    best    mark    C  p50    best`);
const oneCell = (): Promise<unknown> => act('read-range', { sheet: 'Data', range: 'A1' });
await measure('one cell read', 15, oneCell, 'cell');
await measure('one cell read, the first for a while', 15, oneCell, 'cell', LONG_PAUSE_MS);
await measure(
  '10,000 mixed cells written and read back',
  90,
  () => act('write-range', { ...RANGE, values: VALUES, overwrite: true }),
  'write',
);
await measure('10,000 mixed cells read', 40, () => act('read-range', { ...RANGE, maxCells: 10_000 }), 'read');
peer.end();
