/** A window of one toolkit in the background: every kind of input against docs/receivers.md. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { cellOf, RECEIVERS, toolkitOfClass, type Input, type Toolkit } from '../../src/contract/ways/receivers.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { open, patiently } from './toolkit.ts';

type Told = Readonly<Record<string, unknown>> & { readonly event: string };

/** One input, and what it looks like in the program's own words. */
interface Probe {
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly arrived: (told: readonly Told[]) => boolean;
}

const of = (told: readonly Told[], event: string): readonly Told[] => told.filter((each) => each.event === event);
/** Within a cell of a console. */
const near = (told: Told | undefined, x: number): boolean => Math.abs(Number(told?.['x']) - x) <= 8;
const ends = (told: readonly Told[], text: string): boolean => of(told, 'text').at(-1)?.['text'] === text;
const isKey = (told: readonly Told[], key: string, held: readonly string[]): boolean =>
  of(told, 'key').some((each) => each['key'] === key && JSON.stringify(each['held']) === JSON.stringify(held));
const keys = (action: 'combo' | 'type', text: string): Pick<Probe, 'action' | 'input'> => ({
  action: 'virtual-keyboard',
  input: { action, text },
});
const CHARACTERS = 'aB7é狐';
const LINES = 'one\ntwo\tx\nend';

/** In this order, after a click into the editor: a click elsewhere may move the focus, and an open menu takes the keys. */
const PROBES: Readonly<Record<Input, Probe>> = {
  characters: { ...keys('type', CHARACTERS), arrived: (told) => ends(told, CHARACTERS) },
  breaks: { ...keys('type', LINES), arrived: (told) => ends(told, CHARACTERS + LINES) },
  keys: { ...keys('combo', 'f5 right'), arrived: (told) => isKey(told, 'f5', []) && isKey(told, 'right', []) },
  chords: {
    ...keys('combo', 'ctrl+k shift+right'),
    arrived: (told) => isKey(told, 'k', ['ctrl']) && isKey(told, 'right', ['shift']),
  },
  alt: { ...keys('combo', 'alt+f'), arrived: (told) => of(told, 'menu').length > 0 && of(told, 'text').length === 0 },
  letters: { ...keys('combo', 'n'), arrived: (told) => of(told, 'chosen').length > 0 && of(told, 'text').length === 0 },
  hover: {
    action: 'virtual-mouse',
    input: { action: 'move', x: 180, y: 190, space: 'client' },
    arrived: (told) => of(told, 'hover').some((each) => near(each, 180)),
  },
  wheel: {
    action: 'mouse-wheel',
    input: { x: 150, y: 190, delta: 1, space: 'client' },
    arrived: (told) => of(told, 'wheel').length > 0,
  },
  click: {
    action: 'click',
    input: { x: 150, y: 190, space: 'client' },
    arrived: (told) => near(of(told, 'press')[0], 150) && near(of(told, 'release')[0], 150),
  },
  drag: {
    action: 'drag',
    input: { from: { x: 100, y: 190 }, to: { x: 220, y: 210 }, space: 'client' },
    arrived: (told) =>
      near(of(told, 'press')[0], 100) &&
      of(told, 'drag').length > 0 &&
      of(told, 'release').some((each) => near(each, 220) && each['selected'] !== false),
  },
};

/** The program and its arguments before the file that it reports to. */
export type Started = readonly [program: string, args: readonly string[]];

async function probe(scene: Scene, toolkit: Toolkit, [program, args]: Started): Promise<ReadonlyMap<Input, string>> {
  const { client } = scene;
  const file = join(scene.folder(), 'told.jsonl');
  const all = (): Told[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Told)
      : [];
  const results = new Map<Input, string>();
  await using opened = await open(scene, program, `probe ${toolkit}`, [...args, `Z:${file.replaceAll('/', '\\')}`]);
  expect(toolkitOfClass(opened.window.className) ?? 'custom').toBe(toolkit === 'scintilla' ? 'custom' : toolkit);
  await until(all, (told) => told.some(({ event }) => event === 'ready'), 30_000);
  await client.bind({ hwnd: opened.window.hwnd });
  const isRefused = cellOf(toolkit, 'click').by === 'real';
  const intoEditor = patiently({ x: 100, y: 70, space: 'client' });
  if (isRefused) {
    await client.act('manage-window', { action: 'focus' });
    await client.act('click', { ...intoEditor, delivery: 'foreground' });
  }
  await scene.fixture('sentinel', { args: ['--x', '700', '--y', '420', '--activate'] });
  if (!isRefused) await client.act('click', intoEditor);
  const keysOf = async (text: string): Promise<unknown> =>
    client.send('virtual-keyboard', patiently({ action: 'combo', text }));
  for (const [input, { action, input: body, arrived }] of Object.entries(PROBES) as [Input, Probe][]) {
    const isShut = input === 'letters' && results.get('alt') !== 'arrived';
    if (isShut && isRefused) continue;
    if (isShut) await client.send('click', patiently({ x: 15, y: 10, space: 'client' }));
    const from = all().length;
    const { status, body: answer } = await client.send(action, patiently(body));
    const isThere = await until(() => all().slice(from), arrived, 3000).then(
      () => true,
      () => false,
    );
    const told = JSON.stringify(all().slice(from));
    if (isThere) results.set(input, 'arrived');
    else {
      const how = status === 200 ? 'lost' : `${String(answer.code)}, ${String(answer.delivery)}`;
      results.set(input, `${how}: ${told}`);
    }
    if (input === 'letters' && !isThere) await keysOf('escape escape');
  }
  return results;
}

/** What is refused never arrived; of the rest what the table calls proven did. */
export async function judge(toolkit: Toolkit, started: Started): Promise<void> {
  await using scene = await Scene.open();
  await scene.client.policy({ level: 'full', alwaysAsk: [] });
  const results = await probe(scene, toolkit, started);
  process.stdout.write(`${toolkit}: ${[...results].map((each) => each.join(': ')).join('\n  ')}\n`);
  for (const [input, result] of results) {
    const { by } = cellOf(toolkit, input);
    // A pointer that is not carried is a picture alone.
    if (by === 'real' || by === 'front')
      expect
        .soft(result, `${toolkit} ${input}`)
        .toBe(input === 'hover' ? 'lost: []' : 'unsupported, not_delivered: []');
    else if (by === 'lost') expect.soft(result, `${toolkit} ${input}`).toMatch(/^lost/);
    else if (RECEIVERS[toolkit].seen.includes(input)) expect.soft(result, `${toolkit} ${input}`).toBe('arrived');
  }
}
