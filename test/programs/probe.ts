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
  readonly arrived: (told: readonly Told[], before: string) => boolean;
}

const of = (told: readonly Told[], event: string): readonly Told[] => told.filter((each) => each.event === event);
/** Within a cell of a console. */
const near = (told: Told | undefined, x: number): boolean => Math.abs(Number(told?.['x']) - x) <= 8;
const textOf = (told: readonly Told[]): string => String(of(told, 'text').at(-1)?.['text'] ?? '');
/** All of it came, in one piece and once. */
const came = (told: readonly Told[], before: string, text: string): boolean =>
  textOf(told).includes(text) && textOf(told).length === before.length + text.length;
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
  characters: { ...keys('type', CHARACTERS), arrived: (told, before) => came(told, before, CHARACTERS) },
  breaks: { ...keys('type', LINES), arrived: (told, before) => came(told, before, LINES) },
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

/** A menu that Alt does not open, and the letter of an entry in it. */
const MENU_AT: Partial<Readonly<Record<Toolkit, { readonly by: object; readonly probe: Probe }>>> = {
  chromium: {
    by: { x: 100, y: 70, space: 'client', button: 'right' },
    probe: { ...PROBES.letters, input: { action: 'combo', text: 'a' } },
  },
};
/** The shortcut of the entry “New”, in the probes that have one. */
const SHORTCUT: Probe = { ...keys('combo', 'ctrl+g'), arrived: (told) => of(told, 'chosen').length > 0 };
const HAVE_SHORTCUT: readonly Toolkit[] = ['qt', 'fltk', 'javafx', 'swt', 'wx', 'winforms', 'vcl', 'fmx'];

const REALLY = { delivery: 'foreground' };
/** Where another action has the real input. */
const REAL: Partial<Readonly<Record<Input, Probe>>> = {
  wheel: { ...PROBES.wheel, action: 'scroll', input: { x: 150, y: 190, dx: 0, dy: -1, space: 'client' } },
};
const NOT_TRIED = 'not tried';
/** What real input does not do in the probe either, and why. */
const NOT_IN_FRONT: Partial<Readonly<Record<Toolkit, Partial<Readonly<Record<Input, string>>>>>> = {
  awt: { letters: 'the entry is chosen, and the letter typed too' },
  tk: { characters: 'under Wine another letter follows é' },
  fmx: {
    characters: 'under Wine its field reports “Out of memory.”',
    breaks: 'the same',
    alt: 'its menu does not open',
  },
};
/** What a window does not take from a person's keyboard either. */
const NOT_BEHIND: Readonly<Record<string, Partial<Readonly<Record<Input, string>>>>> = {
  vcl: { breaks: 'its form takes Tab for itself; the memo is tried for it' },
};
const INPUTS_IN_ORDER = Object.keys(PROBES) as Input[];

/** The program and its arguments before the file that it reports to. */
export type Started = readonly [program: string, args: readonly string[]];

interface Seen {
  readonly behind: ReadonlyMap<Input, string>;
  /** What was refused, by the way that the refusal names. */
  readonly front: ReadonlyMap<Input, string>;
}

async function probe(scene: Scene, toolkit: Toolkit, [program, args]: Started, name: string): Promise<Seen> {
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
  await using opened = await open(scene, program, `probe ${name}`, [...args, `Z:${file.replaceAll('/', '\\')}`]);
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
  const attempt = async (input: Input, more: object): Promise<string> => {
    const usual = (input === 'letters' ? MENU_AT[toolkit]?.probe : undefined) ?? PROBES[input];
    const { action, input: body, arrived } = more === REALLY ? (REAL[input] ?? usual) : usual;
    const before = all();
    const { status, body: answer } = await client.send(action, patiently({ ...body, ...more }));
    const since = (): Told[] => all().slice(before.length);
    const isThere = await until(since, (told) => arrived(told, textOf(before)), 3000).then(
      () => true,
      () => false,
    );
    const how = status === 200 ? 'lost' : `${String(answer.code)}, ${String(answer.delivery)}`;
    return isThere ? 'arrived' : `${how}: ${JSON.stringify(since())}`;
  };
  if (HAVE_SHORTCUT.includes(toolkit)) {
    await client.send(SHORTCUT.action, patiently(SHORTCUT.input));
    const isThere = await until(all, (told) => SHORTCUT.arrived(told, ''), 3000).then(
      () => true,
      () => false,
    );
    expect.soft(isThere, `${toolkit} shortcut`).toBe(RECEIVERS[toolkit].notes?.shortcut === undefined);
  }
  for (const input of INPUTS_IN_ORDER) {
    const menuAt = MENU_AT[toolkit]?.by;
    if (input === 'letters' && (menuAt !== undefined || results.get('alt') !== 'arrived') && !isRefused) {
      const shut = all().length;
      let isOpen = false;
      // The first click may only end the mode that a posted Alt left.
      for (let tries = 0; tries < 2 && !isOpen; tries += 1) {
        await client.send('click', patiently(menuAt ?? { x: 15, y: 10, space: 'client' }));
        isOpen = await until(() => of(all().slice(shut), 'menu').length > 0, 'its menu', 2000).then(
          () => true,
          () => false,
        );
      }
      if (!isOpen) {
        results.set(input, `${NOT_TRIED}: no menu opened`);
        continue;
      }
    }
    const result = await attempt(input, {});
    results.set(input, result);
    if (input === 'letters' && result !== 'arrived') await keysOf('escape escape');
  }
  const front = new Map<Input, string>();
  const needing = INPUTS_IN_ORDER.filter((input) => results.get(input)?.startsWith('unsupported') === true);
  if (needing.length > 0) {
    await client.act('manage-window', patiently({ action: 'focus' }));
    for (const input of needing) {
      if (input === 'characters') await client.act('click', { ...intoEditor, ...REALLY });
      front.set(input, await attempt(input, REALLY));
    }
  }
  return { behind: results, front };
}

/** What is refused never arrived, and arrives by the way that the refusal names; of the rest what the table calls proven did. */
export async function judge(toolkit: Toolkit, started: Started, name: string = toolkit): Promise<void> {
  await using scene = await Scene.open();
  await scene.client.policy({ level: 'full', alwaysAsk: [] });
  const { behind, front } = await probe(scene, toolkit, started, name);
  const shown = (results: ReadonlyMap<Input, string>): string =>
    [...results].map((each) => each.join(': ')).join('\n  ');
  process.stdout.write(`${name}: ${shown(behind)}\n  in front: ${shown(front)}\n`);
  for (const [input, result] of behind) {
    const { by } = cellOf(toolkit, input);
    // A pointer that is not carried is a picture alone.
    if (by === 'real' || by === 'front')
      expect
        .soft(result, `${toolkit} ${input}`)
        .toBe(input === 'hover' ? 'lost: []' : 'unsupported, not_delivered: []');
    else if (result.startsWith(NOT_TRIED))
      expect.soft(RECEIVERS[toolkit].seen, `${toolkit} ${input}`).not.toContain(input);
    else if (NOT_BEHIND[name]?.[input] !== undefined) expect.soft(result, `${name} ${input}`).toMatch(/^lost/);
    else if (by === 'lost') expect.soft(result, `${toolkit} ${input}`).toMatch(/^lost/);
    else if (RECEIVERS[toolkit].seen.includes(input)) expect.soft(result, `${toolkit} ${input}`).toBe('arrived');
  }
  for (const [input, result] of front)
    if (NOT_IN_FRONT[toolkit]?.[input] === undefined)
      expect.soft(result, `${toolkit} ${input} in front`).toBe('arrived');
}
