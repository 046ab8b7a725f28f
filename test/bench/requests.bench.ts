/**
 * What an action asks of the system: requests to Wine's server, by all programs, counted from the server's own log. They
 * do not depend on the machine's speed, and under Wine they are nearly all that an action costs.
 *
 *   npm run bench -- requests [--json] [--write]
 *
 * Prints a table (or JSON); `--write` puts it into docs/measurements.md. Nothing is asserted.
 */
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHost } from '../support/desktop.ts';
import { startFixture } from '../support/fixture.ts';
import { Connection } from './support/connection.ts';
import { quantile, report, tableOf } from './support/measurements.ts';

const SIZES = [50, 300, 3000] as const;
const TIMES = 5;
/** The log is written at once; the desktop is otherwise idle, but for a device that the server polls. */
const SETTLE_MS = 150;
const ALL = { maxTokens: 50_000, maxElements: 5000 } as const;
const CHECK = '1011';
const FIELD = '1009';

const log = process.argv.find((word) => word.startsWith('--log='))?.slice('--log='.length);
if (log === undefined) throw new Error('`npm run bench -- requests` gives this bench the log of a desktop of its own.');
const logFile: string = log;

/** Requests in the log from an offset on. A line is `thread: name( arguments )`, an answer `thread: name() = …`. */
function requestsFrom(offset: number): number {
  const text = readFileSync(logFile).subarray(offset).toString('latin1');
  let count = 0;
  for (const line of text.split('\n'))
    if (
      /^[0-9a-f]{4}: \w+\(/.test(line) &&
      !/^[0-9a-f]{4}: \w+\(\) =/.test(line) &&
      !line.includes('get_next_device_request')
    )
      count += 1;
  return count;
}

const counts = new Map<string, Map<number, number>>();

async function counted<T>(what: string, size: number, work: () => Promise<T>, times = TIMES): Promise<T> {
  const found: number[] = [];
  let done: T;
  for (let time = 0; ;) {
    await sleep(SETTLE_MS);
    const offset = statSync(logFile).size;
    done = await work();
    found.push(requestsFrom(offset));
    time += 1;
    if (time >= times) break;
  }
  const row = counts.get(what) ?? new Map<number, number>();
  counts.set(what, row.set(size, quantile(found, 0.5)));
  return done;
}

const refIn = (text: string, id: string): string => {
  const ref = / ref=(e\d+)/.exec(text.split('\n').find((line) => line.includes(` id="${id}"`)) ?? '')?.[1];
  if (ref === undefined) throw new Error(`no element ${id} in the snapshot`);
  return ref;
};

await using host = await startHost();
using connection = new Connection(host);
for (const size of SIZES) {
  await using window = await startFixture('controls', { args: ['--many', size, '--no-message-log'] });
  const act = (action: string, input: object = {}): Promise<any> => connection.act(action, input);
  await act('bind-to-window', { hwnd: window.hwnd });
  await counted('nothing (has-bound-window)', size, () => act('has-bound-window'));
  const first = await counted('first snapshot', size, () => act('snapshot', ALL), 1);
  const text = first.value.accessibilityText as string;
  const [check, field] = [refIn(text, CHECK), refIn(text, FIELD)];
  await act('snapshot');
  await counted('snapshot again', size, () => act('snapshot'));
  await act('click-element', { ref: check });
  await counted('click by ref, confirmed', size, () => act('click-element', { ref: check }));
  await counted('click by name, confirmed', size, () => act('click-element', { automationId: CHECK }));
  let turn = 0;
  const typed = (): string => `${(turn += 1)}`.padEnd(20, 'x');
  await act('type-into-element', { ref: field, text: typed() });
  await counted('type into an element, 20 characters', size, () =>
    act('type-into-element', { ref: field, text: typed() }),
  );
  await act('virtual-keyboard', { action: 'type', text: 'k' });
  await counted('type by keys, 100 characters', size, () =>
    act('virtual-keyboard', { action: 'type', text: 'k'.repeat(100) }),
  );
  await counted('move the window, confirmed', size, () =>
    act('manage-window', { action: 'move_resize', x: 20 + 4 * ((turn += 1) % 2), y: 20 }),
  );
  await counted('picture with text', size, () => act('screenshot'));
  await counted('list windows', size, () => act('list-visible-windows'));
}
const rows = [...counts].map(([what, bySize]) => ({ what, ...Object.fromEntries(bySize) }));
report(
  'requests.bench',
  rows,
  tableOf(
    ['', ...SIZES.map((size) => `${size} controls`)],
    [...counts].map(([what, bySize]) => [what, ...SIZES.map((size) => (bySize.get(size) ?? Number.NaN).toFixed(0))]),
  ),
  TIMES,
);
