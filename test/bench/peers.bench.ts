/**
 * The host next to other programs for agents that are freely licensed and load here: what they can do at all, how long
 * it takes, and what comes of it. They are installed from npm into the cache folder and are no part of the product.
 *
 *   npm run bench -- peers [--json] [--write]
 *
 * Prints a table (or JSON); `--write` puts it into docs/measurements.md. Nothing is asserted.
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { windowsNode } from '../../scripts/lib/dependencies.mjs';
import { startHost, windowsPath } from '../support/desktop.ts';
import { startFixture } from '../support/fixture.ts';
import { startProgram } from '../support/programs.ts';
import { installPeers, PEERS, type Peer } from './peers/packages.ts';
import { Connection } from './support/connection.ts';
import { quantile, report, tableOf } from './support/measurements.ts';

const ROUNDS = 3;
const REPEATS = 5;
/** A peer that hangs is ended, and what it was doing counts as failed. */
const MOST_MS = 30_000;
const WARM_UP = 2;
const HOST = 'uiahost over HTTP';
const SCRIPT = fileURLToPath(new URL('./peers/peer.mjs', import.meta.url));
const THINGS = [
  'list windows',
  'elements of the window',
  'picture of the display',
  'picture of the window',
  'move the window',
] as const;

interface Cell {
  readonly ms: number[];
  note: string;
}

/** What a peer reports of a thing. */
interface Found extends Cell {
  /** Base64 of a PNG. */
  readonly picture?: string;
}

/** A picture whose inside has one colour shows nothing of the window. */
async function isBlank(picture: string): Promise<boolean> {
  const image = sharp(Buffer.from(picture, 'base64'));
  const { width, height } = await image.metadata();
  const inside = { left: Math.round(width / 4), top: Math.round(height / 4), width: width >> 1, height: height >> 1 };
  const { channels } = await sharp(await image.extract(inside).png().toBuffer()).stats();
  return channels.slice(0, 3).every(({ stdev }) => stdev < 1);
}
/** By program and thing. */
const cells = new Map<string, Map<string, Cell>>();

function add(program: string, what: string, ms: readonly number[], note: string): void {
  const things = cells.get(program) ?? new Map<string, Cell>();
  cells.set(program, things);
  const cell = things.get(what) ?? { ms: [], note };
  things.set(what, cell);
  cell.ms.push(...ms);
  cell.note = note;
}

async function usePeer({ name }: Peer, folder: string, hwnd: string, pid: number): Promise<void> {
  const node = windowsNode(process.env['UIAHOST_TEST_TREE']!);
  const words = [windowsPath(SCRIPT), windowsPath(folder), name, hwnd, pid, REPEATS].map(String);
  await using program = startProgram(node, words, { streams: 'piped' });
  let text = '';
  program.process.stdout?.setEncoding('utf8').on('data', (data: string) => {
    text += data;
  });
  const timer = setTimeout(() => void program.kill(), MOST_MS);
  await once(program.process, 'close');
  clearTimeout(timer);
  const found = new Map<string, Found>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const { what, ...rest } = JSON.parse(line) as Found & { what: string };
    found.set(what, rest);
  }
  for (const [what, { ms, note, picture }] of found)
    add(name, what, ms, picture !== undefined && (await isBlank(picture)) ? `${note}, blank` : note);
}

type Act = (action: string, input?: object) => Promise<any>;

async function useHost(act: Act, displayId: number): Promise<void> {
  const kilobytes = (base64: string): string => `PNG, ${Math.round((base64.length * 0.75) / 1000)} kB`;
  const region = (w: number, h: number): object => ({ regionLogical: { x: 0, y: 0, w, h }, space: 'capture' });
  let at = 0;
  const things: Readonly<Record<(typeof THINGS)[number], () => Promise<string>>> = {
    'list windows': async () => `${(await act('list-visible-windows')).value.length} windows`,
    'elements of the window': async () => {
      const { value } = await act('snapshot', { maxTokens: 50_000, maxElements: 5000 });
      return `${(value.accessibilityText as string).split('\n').length} elements`;
    },
    'picture of the display': async () =>
      kilobytes((await act('zoom', { ...region(1280, 800), displayId })).value.base64),
    'picture of the window': async () => kilobytes((await act('zoom', region(1000, 700))).value.base64),
    'move the window': async () => {
      await act('manage-window', { action: 'move_resize', x: 10 + (at++ & 1), y: 10 });
      return 'confirmed';
    },
  };
  for (const what of THINGS)
    for (let round = -WARM_UP; round < REPEATS; round += 1) {
      const begun = performance.now();
      const note = await things[what]();
      if (round >= 0) add(HOST, what, [performance.now() - begun], note);
    }
}

async function main(): Promise<void> {
  const folder = await installPeers();
  await using stack = new AsyncDisposableStack();
  const host = stack.use(await startHost());
  // Otherwise each picture of a display would ask a person.
  await host.request('/v1/policy', { method: 'PATCH', token: 'operator', body: { flags: ['displayCapture'] } });
  const connection = stack.use(new Connection(host));
  const window = stack.use(
    await startFixture('controls', { args: ['--many', 300, '--x', 10, '--y', 10, '--no-message-log'] }),
  );
  await sleep(1000);
  const act: Act = (action, input = {}) => connection.act(action, input);
  await act('bind-to-window', { hwnd: window.hwnd });
  await act('manage-window', { action: 'move_resize', x: 10, y: 10, width: 1000, height: 700 });
  const { pid } = (await act('get-binding-status')).value as { pid: number };
  const displayId = (await act('list-displays')).value[0].displayId as number;
  for (let round = 0; round < ROUNDS; round += 1) {
    await useHost(act, displayId);
    for (const peer of PEERS) await usePeer(peer, folder, window.hwnd, pid);
  }
}

await main();

function cellOf(program: string, what: string): string {
  const loading = cells.get(program)?.get('loading');
  if (loading?.ms.length === 0) return loading.note;
  const cell = cells.get(program)?.get(what);
  if (cell === undefined) return 'cannot';
  if (cell.ms.length === 0) return cell.note;
  return `${quantile(cell.ms, 0.5).toFixed(1)} ms, ${cell.note}`;
}
const programs = [HOST, ...PEERS.map(({ name }) => name)];
const titles = [HOST, ...PEERS.map(({ name, version, licence }) => `${name} ${version} (${licence})`)];
report(
  'peers.bench',
  programs.map((program) => ({ program, things: Object.fromEntries(cells.get(program) ?? []) })),
  tableOf(
    ['', ...THINGS],
    programs.map((program, index) => [titles[index]!, ...THINGS.map((what) => cellOf(program, what))]),
  ),
  ROUNDS,
);
