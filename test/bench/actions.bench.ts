/**
 * What a client waits for: each action on windows of 50, 300 and 3,000 controls, by the public HTTP.
 *
 *   npm run bench -- actions [--against COMMIT] [--json]
 *
 * With `--against`, another commit of this repository is built too, and a host of each gets such windows in
 * turns. Prints medians in ms, and the ratio of the two. Nothing is asserted. Ends within five minutes of a quiet machine.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { startHost as startHostProcess } from '../../scripts/lib/host.mjs';
import { sharedDesktop, startHost } from '../support/desktop.ts';
import { startFixture } from '../support/fixture.ts';
import { Connection } from './support/connection.ts';
import { quantile, report, tableOf } from './support/measurements.ts';

const SIZES = [50, 300, 3000] as const;
/** A session has one host: each commit's gets the session in turn. */
const TURNS = 2;
const ROUNDS = 4;
const WARM_UP = 1;
/** On a slow machine there is one turn (ms). */
const LIMIT_MS = 240_000;
const ALL = { maxTokens: 50_000, maxElements: 5000 } as const;
/** A row in the middle of what is in view: a button, a field, a check box; and a list. */
const [BUTTON, FIELD, CHECK, LIST] = ['1008', '1009', '1011', '230'] as const;

type Host = AsyncDisposable & { readonly url: string; readonly agentToken: string };
const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const other = option('other');

/** A host of another checkout, started by that checkout's own scripts. */
async function startOther(checkout: string): Promise<Host> {
  const scripts = (await import(pathToFileURL(join(checkout, 'scripts/lib/host.mjs')).href)) as {
    startHost: typeof startHostProcess;
  };
  const dataDir = mkdtempSync(join(tmpdir(), 'uiahost-bench-'));
  const running = await scripts.startHost({
    dataDir,
    windowsTree: process.env['UIAHOST_TEST_TREE']!,
    desktop: sharedDesktop(),
    env: { UIAHOST_PORT: '0', UIAHOST_LEVEL: 'full', UIAHOST_NPM_START: '1' },
  });
  return {
    url: running.url,
    agentToken: readFileSync(running.agentTokenFile, 'utf8').trim(),
    async [Symbol.asyncDispose]() {
      await running.stop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Who → what, by size → milliseconds. */
const samples = new Map<string, Map<string, number[]>>();

async function timed<T>(who: string, what: string, isCounted: boolean, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const done = await work();
  if (!isCounted) return done;
  const mine = samples.get(who) ?? new Map<string, number[]>();
  samples.set(who, mine.set(what, [...(mine.get(what) ?? []), performance.now() - begun]));
  return done;
}

/** The ref of an element in a snapshot's text, and a point inside it. */
function placed(text: string, id: string): { readonly ref: string; readonly x: number; readonly y: number } {
  const line = text.split('\n').find((each) => each.includes(` id="${id}"`)) ?? '';
  const [, x, y, , height, ref] = / \((-?\d+),(-?\d+) (\d+)x(\d+)\) ref=(e\d+)/.exec(line)!;
  return { ref: ref!, x: Number(x) + 10, y: Number(y) + Math.round(Number(height) / 2) };
}

type Act = (what: string, action: string, input?: object) => Promise<any>;
/** Every action once, on a window that is bound and known; what it shows then. */
async function use(act: Act, shown: string, round: number): Promise<string> {
  const { ref: check, x, y } = placed(shown, CHECK);
  await act('click by ref', 'click-element', { ref: placed(shown, BUTTON).ref });
  await act('click by name', 'click-element', { automationId: BUTTON });
  await act('click at a point', 'click', { x, y });
  await act('check', 'click-element', { ref: check });
  await act('set a value', 'type-into-element', { ref: placed(shown, FIELD).ref, text: `value ${round}` });
  await act('type 100 characters', 'virtual-keyboard', { action: 'type', text: 'k'.repeat(100) });
  return textOf(await act('read', 'snapshot', ALL));
}

const textOf = ({ value }: { value: { accessibilityText: string } }): string => value.accessibilityText;

const hosts: Record<string, () => Promise<Host>> = {
  here: () => startHost(),
  ...(other === undefined ? {} : { there: () => startOther(other) }),
};

/** One host, alone in the session, with a window of controls and one of lists. */
async function measure(who: string, size: number): Promise<void> {
  await using host = await hosts[who]!();
  using connection = new Connection(host);
  let round = 0;
  const act: Act = (what, action, input = {}) =>
    timed(who, `${what}, ${size}`, round >= 0, () => connection.act(action, input));
  const bound = async (hwnd: string): Promise<string> => {
    await connection.act('bind-to-window', { hwnd });
    return textOf(await connection.act('snapshot', ALL));
  };
  await using window = await startFixture('controls', { args: ['--many', size, '--no-message-log'] });
  let shown = await bound(window.hwnd);
  for (round = -WARM_UP; round < ROUNDS; round += 1) shown = await use(act, shown, round);
  await using lists = await startFixture('controls', { args: ['--rows', size, '--no-message-log'] });
  const { ref } = placed(await bound(lists.hwnd), LIST);
  for (round = -WARM_UP; round < ROUNDS; round += 1)
    await act('choose', 'select-element', { ref, index: (round + WARM_UP) % 10 });
}

let turns = 0;
for (; turns < TURNS && performance.now() < LIMIT_MS / TURNS; turns += 1)
  for (const size of SIZES) for (const who of Object.keys(hosts)) await measure(who, size);
const at = (who: string, what: string): number => quantile(samples.get(who)?.get(what) ?? [], 0.5);
const names = [...new Set([...samples.get('here')!.keys()].map((what) => what.replace(/, \d+$/, '')))];
const cells = (name: string): string[] =>
  SIZES.flatMap((size) => {
    const [here, there] = [at('here', `${name}, ${size}`), at('there', `${name}, ${size}`)];
    return other === undefined ? [here.toFixed(1)] : [here.toFixed(1), there.toFixed(1), (here / there).toFixed(2)];
  });
report(
  'actions.bench',
  [...samples].flatMap(([who, rows]) => [...rows.keys()].map((what) => ({ who, what, p50: at(who, what) }))),
  tableOf(
    ['ms, p50', ...SIZES.flatMap((size) => (other === undefined ? [`${size}`] : [`${size}`, 'there', 'ratio']))],
    names.map((name) => [name, ...cells(name)]),
  ),
  turns * ROUNDS,
);
