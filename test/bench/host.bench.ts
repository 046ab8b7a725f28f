/**
 * What a client of the running host waits for, compared with a C program that makes the same calls
 * (test/fixtures/uia-client.c).
 *
 *   npm run bench -- host [--json] [--write]
 *
 * Prints a table (or JSON); `--write` puts it into docs/measurements.md. Nothing is asserted: the targets are for
 * people to compare.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostCommand } from '../../scripts/lib/host.mjs';
import { fixture, startHost } from '../support/desktop.ts';
import { startFixture } from '../support/fixture.ts';
import { startProgram } from '../support/programs.ts';
import { startWitness } from '../support/witness.ts';
import { Connection } from './support/connection.ts';
import { memoryOf, residentMegabytes } from './support/memory.ts';
import { markCells, quantile, report, tableOf } from './support/measurements.ts';

const ROUNDS = 40;
/** Rounds for calls of a few milliseconds: forty of them would be shorter than one second of the machine's noise. */
const QUICK_ROUNDS = 200;
/** Warm-up rounds, not counted: a host in use is measured. */
const WARM_UP = 20;
const STARTS = 5;
/** Enough that memory kept per request shows; a token may make 6,000 requests a minute. */
const MORE = 800;
/** By then a process has released what its work left behind, and idle threads have ended. */
const AT_REST_MS = 20_000;

interface Row {
  readonly what: string;
  readonly unit: 'ms' | 'kB' | 'MB';
  readonly p50: number;
  readonly p95: number;
  /** Milliseconds between the action's start and end inside the host. */
  readonly inHost?: number | undefined;
  readonly peer?: number | undefined;
  /** Target for the median. */
  readonly mark?: number | undefined;
}

const median = (values: readonly number[]): number => quantile(values, 0.5);
const rows: Row[] = [];
function add(what: string, values: readonly number[], more: Partial<Row> = {}): void {
  rows.push({ what, unit: 'ms', p50: median(values), p95: quantile(values, 0.95), ...more });
}

/** The medians of the C program for the same window. */
async function peer(...args: (string | number)[]): Promise<number> {
  const program = startProgram(fixture('uia-client.exe'), args.map(String), { streams: 'piped' });
  let text = '';
  program.process.stdout?.setEncoding('utf8').on('data', (data: string) => {
    text += data;
  });
  await once(program.process, 'close');
  const answer = JSON.parse(text) as { ms?: number[]; error?: string };
  if (answer.ms === undefined) throw new Error(`uia-client ${args.join(' ')}: ${answer.error}`);
  return median(answer.ms);
}

/** Each round from the request to the parsed answer; `prepare` is not counted. */
async function measure(
  what: string,
  work: (round: number) => Promise<any>,
  more: Partial<Row> = {},
  {
    prepare = async () => {},
    rounds = ROUNDS,
  }: { prepare?: (round: number) => Promise<unknown>; rounds?: number } = {},
): Promise<any> {
  const times: number[] = [];
  const inside: number[] = [];
  let unconfirmed = 0;
  let last: any;
  for (let round = -WARM_UP; round < rounds; round += 1) {
    await prepare(round);
    const begun = performance.now();
    last = await work(round);
    const took = performance.now() - begun;
    if (round < 0) continue;
    times.push(took);
    if (typeof last?.durationMs === 'number') inside.push(last.durationMs);
    if (last?.outcome?.effect === 'unverified') unconfirmed += 1;
  }
  add(unconfirmed === 0 ? what : `${what} (${unconfirmed} of ${rounds} were not)`, times, {
    ...(inside.length > 0 ? { inHost: median(inside) } : {}),
    ...more,
  });
  return last;
}

/** Milliseconds from the start of the process to its first answer on /healthz, and those of a bare node.exe. */
async function startTimes(): Promise<void> {
  const bare: number[] = [];
  const answering: number[] = [];
  const windowsTree = process.env['UIAHOST_TEST_TREE'] ?? '';
  for (let round = 0; round < STARTS; round += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'uiahost-bench-'));
    try {
      const { program } = hostCommand({ dataDir: folder, windowsTree });
      let begun = performance.now();
      const node = startProgram(program, ['-e', '0']);
      await once(node.process, 'exit');
      bare.push(performance.now() - begun);

      const { args, env } = hostCommand({ dataDir: folder, windowsTree, env: { UIAHOST_PORT: '0' } });
      begun = performance.now();
      await using host = startProgram(program, args, { streams: 'piped', env });
      for (let url: string | undefined; ;) {
        try {
          url ??= (JSON.parse(readFileSync(join(folder, 'host.json'), 'utf8')) as { url: string }).url;
          if ((await fetch(new URL('/healthz', url))).ok) break;
        } catch {
          /* not yet */
        }
        if (performance.now() - begun > 30_000) throw new Error('the host did not answer');
        await sleep(2);
      }
      answering.push(performance.now() - begun);
      const ended = once(host.process, 'exit');
      host.process.stdin?.end();
      await ended;
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  add('node.exe by itself: started and ended', bare);
  add('host: from the start of its process to its first answer', answering);
  const own = answering.map((time) => time - median(bare));
  add('host answering, after node’s own start', own, { mark: 700 });
}

async function bareNodeMegabytes(): Promise<number> {
  const { program } = hostCommand({ dataDir: tmpdir(), windowsTree: process.env['UIAHOST_TEST_TREE'] ?? '' });
  await using node = startProgram(program, ['-e', 'setInterval(() => {}, 1000)']);
  await sleep(1500);
  return residentMegabytes(node.pid);
}

/** The whole window as PNG without its text, and how large that is. */
async function pictures(
  connection: Connection,
  name: string,
  hwnd: string,
  time: Partial<Row> = {},
  size: Partial<Row> = {},
): Promise<void> {
  const { width, height } = (await connection.act('get-window-rect')).value as { width: number; height: number };
  const region = { regionLogical: { x: 0, y: 0, w: width, h: height }, space: 'capture' };
  const last = await measure(`picture of ${name}, ${width}×${height}, PNG`, () => connection.act('zoom', region), {
    peer: await peer('picture', hwnd, ROUNDS, 'dc'),
    ...time,
  });
  const kilobytes = Buffer.from(last.value.base64, 'base64').length / 1024;
  rows.push({ what: 'size of that picture', unit: 'kB', p50: kilobytes, p95: kilobytes, ...size });
}

async function main(): Promise<void> {
  await startTimes();

  await using stack = new AsyncDisposableStack();
  const witness = stack.use(startWitness());
  const host = stack.use(await startHost());
  const connection = stack.use(new Connection(host));
  await connection.act('list-visible-windows');
  await sleep(AT_REST_MS);
  const fresh = memoryOf(host);
  await measure('GET /healthz', () => connection.ask('/healthz'), {}, { rounds: QUICK_ROUNDS });
  stack.use(startProgram('notepad.exe'));
  let notepad: string | undefined;
  for (let wait = 0; notepad === undefined && wait < 200; wait += 1, await sleep(50))
    notepad = (await witness.windows()).find(({ className }) => className === 'Notepad')?.hwnd;
  if (notepad === undefined) throw new Error('Notepad did not show its window');
  await sleep(1000);
  const begun = performance.now();
  await connection.act('list-visible-windows');
  add('list-visible-windows, once after a rest', [performance.now() - begun]);
  await measure(
    'list-visible-windows, Notepad alone',
    () => connection.act('list-visible-windows'),
    { mark: 5, peer: await peer('list', QUICK_ROUNDS) },
    { rounds: QUICK_ROUNDS },
  );

  const many = stack.use(await startFixture('controls', { args: ['--many', 300, '--no-message-log'] }));
  const controls = stack.use(await startFixture('controls', { args: ['--no-message-log'] }));
  await sleep(1000);
  await measure(
    'list-visible-windows, three programs',
    () => connection.act('list-visible-windows'),
    { mark: 5, peer: await peer('list', QUICK_ROUNDS) },
    { rounds: QUICK_ROUNDS },
  );

  await connection.act('bind-to-window', { hwnd: many.hwnd });
  await measure('snapshot, 300 controls', () => connection.act('snapshot'), {
    mark: 150,
    peer: await peer('messages', many.hwnd, ROUNDS),
  });
  await measure(
    'snapshot, 300 controls, nothing changed since',
    (() => {
      let since: string | undefined;
      return async () => {
        const done = await connection.act('snapshot', since === undefined ? {} : { since });
        since = done.value.observationId;
        return done;
      };
    })(),
  );

  await connection.act('bind-to-window', { hwnd: controls.hwnd });
  await pictures(connection, 'every common control', controls.hwnd);
  await measure('screenshot of it: picture and element text', () => connection.act('screenshot'));
  await measure('click-element by name, confirmed', () => connection.act('click-element', { name: 'Push me' }));
  await measure('type-into-element, 100 characters, confirmed', (round) =>
    connection.act('type-into-element', { name: 'Full name', text: textOf(round) }),
  );

  await connection.act('bind-to-window', { hwnd: notepad });
  await pictures(connection, 'Notepad', notepad, { mark: 25 }, { mark: 80 });
  await measure('screenshot of it: picture and element text', () => connection.act('screenshot'));
  const field = await witness.child(notepad, 'Edit');
  await measure(
    'virtual-keyboard, 100 characters, confirmed',
    (round) => connection.act('virtual-keyboard', { action: 'type', text: textOf(round) }),
    { mark: 30, peer: await peer('type', field, ROUNDS, 'post') },
    { prepare: () => connection.act('type-into-element', { role: 'textbox', text: '' }) },
  );

  const memory = (what: string, megabytes: number): void => {
    rows.push({ what, unit: 'MB', p50: megabytes, p95: megabytes });
  };
  if (process.platform !== 'win32') memory('memory of a bare node.exe', await bareNodeMegabytes());
  for (const [name, megabytes] of fresh) memory(`memory of the ${name} process, started and at rest`, megabytes);
  for (const [name, megabytes] of memoryOf(host, 'most'))
    memory(`most that the ${name} process took during all this`, megabytes);
  await sleep(AT_REST_MS);
  for (const [name, megabytes] of memoryOf(host))
    memory(`memory of the ${name} process, after all this, at rest`, megabytes);
  for (let round = 0; round < MORE; round += 1) await connection.act('list-visible-windows');
  await sleep(AT_REST_MS);
  for (const [name, megabytes] of memoryOf(host))
    memory(`memory of the ${name} process, after ${MORE} more requests, at rest`, megabytes);
}

const textOf = (round: number): string =>
  Array.from({ length: 100 }, (_, index) => String.fromCharCode(97 + ((index * 7 + round + 26) % 26))).join('');

const shown = (value: number | undefined, digits = 1): string => (value === undefined ? '' : value.toFixed(digits));
function table(): string {
  const lines = rows.map((row) => [
    row.what,
    `${shown(row.p50)} ${row.unit}`,
    row.p50 === row.p95 ? '' : `${shown(row.p95)} ${row.unit}`,
    row.inHost === undefined ? '' : `${shown(row.inHost)} ms`,
    row.peer === undefined ? '' : `${shown(row.peer)} ms`,
    ...markCells(row.p50, row.mark, row.unit),
  ]);
  return tableOf(['', 'p50', 'p95', 'in the host', 'the same in C', 'mark', ''], lines);
}

await main();
report('host.bench', rows, table(), ROUNDS);
