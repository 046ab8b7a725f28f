/**
 * Whether an action costs what it touches: the same actions on windows of 50, 300 and 3,000 controls, in turn, so that
 * all of them meet the same machine; next to a C program that makes the same calls (test/fixtures/uia-client.c).
 *
 *   npm run bench -- cost [--json] [--write]
 *
 * Prints a table (or JSON); `--write` puts it into docs/measurements.md. Nothing is asserted.
 */
import { once } from 'node:events';
import { fixture, startHost } from '../support/desktop.ts';
import { startFixture } from '../support/fixture.ts';
import { startProgram } from '../support/programs.ts';
import { Connection } from './support/connection.ts';
import { quantile, report, tableOf } from './support/measurements.ts';

const ROUNDS = 6;
const WARM_UP = 2;
const SIZES = [50, 300, 3000] as const;
const ALL = { maxTokens: 50_000, maxElements: 5000 } as const;
/** A check box and a field in the middle of what is in view. */
const CHECK = '1011';
const FIELD = '1009';
/** The long lists, by their ids. */
const LISTS = { 'list box': '230', 'list view': '240', 'virtual list view': '242' } as const;

/** Growth: a figure against another of the same run, and the most that it may be. */
const GROWTH: ReadonlyArray<readonly [growth: string, what: string, of: string, most: number]> = [
  ['click by ref, 3000 ÷ 50', 'click by ref, confirmed, 3000 controls', 'click by ref, confirmed, 50 controls', 1.3],
  [
    'typing, 3000 ÷ 50',
    'type into an element, 20 characters, 3000 controls',
    'type into an element, 20 characters, 50 controls',
    1.3,
  ],
  ['click by name ÷ C, 300', 'click by name, confirmed, 300 controls', 'the same reading in C, 300 controls', 1.2],
  // Reading 50 controls costs hardly more than any action.
  ...SIZES.filter((size) => size > 50).flatMap((size) => {
    const [first, again] = [`first snapshot, ${size} controls`, `snapshot again, one value changed, ${size} controls`];
    return [
      [`first snapshot ÷ C, ${size}`, first, `the same reading in C, ${size} controls`, 1.2] as const,
      [`snapshot again ÷ first, ${size}`, again, first, 0.3] as const,
    ];
  }),
];

const median = (values: readonly number[]): number => quantile(values, 0.5);
const samples = new Map<string, number[]>();

async function timed<T>(what: string, work: () => Promise<T>, isCounted = true): Promise<T> {
  const begun = performance.now();
  const done = await work();
  if (isCounted) samples.set(what, [...(samples.get(what) ?? []), performance.now() - begun]);
  return done;
}

/** Milliseconds that the C program takes for one reading. */
async function peer(what: string, ...args: (string | number)[]): Promise<void> {
  const program = startProgram(fixture('uia-client.exe'), args.map(String), { streams: 'piped' });
  let text = '';
  program.process.stdout?.setEncoding('utf8').on('data', (data: string) => {
    text += data;
  });
  await once(program.process, 'close');
  const { ms } = JSON.parse(text) as { ms?: number[] };
  if (ms !== undefined) samples.set(what, [...(samples.get(what) ?? []), ...ms]);
}

const refIn = (text: string, id: string): string => {
  const line = text.split('\n').find((each) => each.includes(` id="${id}"`));
  const ref = line === undefined ? undefined : / ref=(e\d+)/.exec(line)?.[1];
  if (ref === undefined) throw new Error(`no element ${id} in the snapshot`);
  return ref;
};

type Act = (what: string, action: string, input?: object) => Promise<any>;

/** One window: read for the first time, read again, and acted on. */
async function useWindow(act: Act, round: number): Promise<void> {
  const first = await act('first snapshot', 'snapshot', ALL);
  const text = first.value.accessibilityText as string;
  const again = await act('snapshot again, nothing changed', 'snapshot', { since: first.value.observationId });
  const ref = refIn(text, CHECK);
  // The first click moves the focus, which is waited for.
  await act('first click by ref, confirmed', 'click-element', { ref });
  await act('click by ref, confirmed', 'click-element', { ref });
  await act('click by name, confirmed', 'click-element', { automationId: CHECK });
  const content = `${round}`.padEnd(20, 'x');
  await act('type into an element, 20 characters', 'type-into-element', { ref: refIn(text, FIELD), text: content });
  await act('snapshot again, one value changed', 'snapshot', { since: again.value.observationId });
  await act('type by keys, 100 characters', 'virtual-keyboard', { action: 'type', text: 'k'.repeat(100) });
  const where = (await act('get-window-rect', 'get-window-rect')).value as { x: number; y: number };
  const there = { action: 'move_resize', x: where.x + (round % 2 === 0 ? 4 : -4), y: where.y };
  await act('move the window, confirmed', 'manage-window', there);
  await act('picture with text', 'screenshot');
}

/** Lists of 10,000 rows: what is chosen in view, far away and by its index, and rows that are read. */
async function useLists(act: Act): Promise<void> {
  const { value } = await act('snapshot of the lists', 'snapshot', ALL);
  for (const [list, id] of Object.entries(LISTS)) {
    const ref = refIn(value.accessibilityText as string, id);
    await act(`${list} of 10,000: select in view`, 'select-element', { ref, item: 'Row 9998' });
    // The owner of the virtual list answers no search: every row would be read.
    if (id !== LISTS['virtual list view'])
      await act(`${list} of 10,000: select far away`, 'select-element', { ref, item: 'Row 1000' });
    await act(`${list} of 10,000: select by index`, 'select-element', { ref, index: 5003 });
    for (const [what, from] of [
      ['first', 0],
      ['middle', 5000],
      ['last', 9900],
    ] as const)
      await act(`${list} of 10,000: read the ${what} 100 rows`, 'read-table', { ref, from, count: 100 });
  }
}

async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const host = stack.use(await startHost());
  const connection = stack.use(new Connection(host));
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const isCounted = round >= 0;
    for (const size of SIZES) {
      await using window = await startFixture('controls', { args: ['--many', size, '--no-message-log'] });
      const name = (what: string): string => `${what}, ${size} controls`;
      await connection.act('bind-to-window', { hwnd: window.hwnd });
      await useWindow(
        (what, action, input = {}) => timed(name(what), () => connection.act(action, input), isCounted),
        round,
      );
      if (isCounted) await peer(name('the same reading in C'), 'messages', window.hwnd, 1);
    }
    await using lists = await startFixture('controls', {
      args: ['--rows', 10_000, '--width', 560, '--height', 560, '--no-message-log'],
    });
    await connection.act('bind-to-window', { hwnd: lists.hwnd });
    await useLists((what, action, input = {}) => timed(what, () => connection.act(action, input), isCounted));
    await timed('list windows', () => connection.act('list-visible-windows'), isCounted);
  }
}

const at = (what: string): number => median(samples.get(what) ?? [Number.NaN]);

/** Medians in milliseconds: a row for each name, a column for each of the others; empty where nothing was measured. */
const matrix = (
  head: string,
  columns: readonly string[],
  names: Iterable<string>,
  whatOf: (name: string, column: string) => string,
): string =>
  tableOf(
    [head, ...columns],
    [...names].map((name) => [
      name,
      ...columns.map((column) => {
        const what = whatOf(name, column);
        return samples.has(what) ? at(what).toFixed(1) : '';
      }),
    ]),
  );

await main();
const named = (pattern: RegExp): Set<string> =>
  new Set([...samples.keys()].flatMap((what) => pattern.exec(what)?.[1] ?? []));
report(
  'cost.bench',
  [...samples].map(([what, values]) => ({ what, p50: median(values), p95: quantile(values, 0.95) })),
  [
    matrix(
      'ms, p50',
      SIZES.map((size) => `${size} controls`),
      named(/^(.*), \d+ controls$/),
      (name, column) => `${name}, ${column}`,
    ),
    matrix(
      '10,000 rows: ms, p50',
      Object.keys(LISTS),
      named(/ of 10,000: (.*)$/),
      (name, list) => `${list} of 10,000: ${name}`,
    ),
    tableOf(
      ['growth', 'times', 'at most'],
      GROWTH.map(([growth, what, of, most]) => [growth, (at(what) / at(of)).toFixed(2), most.toFixed(1)]),
    ),
  ].join('\n\n'),
  ROUNDS,
);
