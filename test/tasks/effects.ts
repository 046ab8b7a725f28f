/**
 * What a task changed, as seen by witnesses other than the host: files, the registry, the program's journal, its
 * windows.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { windowsPath } from '../support/desktop.ts';
import type { Scene } from '../support/scene.ts';
import type { SeenWindow } from '../support/witness.ts';
import type { Running } from './programs.ts';
import { valuesOf, type Place, type Task, type Witness } from './task.ts';

/** Where tasks keep their own values; emptied before each. */
const KEY = String.raw`Software\uiahost-tasks`;

export interface Site extends Place {
  readonly scene: Scene;
  readonly folder: string;
  /** Restores shared registry values to their state before the task. */
  putBack(): Promise<void>;
}

type Values = Readonly<Record<string, string | number | null>>;
export interface Before {
  readonly files: Readonly<Record<string, string>>;
  readonly values: Values;
}

const full = (name: string): string => (name.includes('\\') ? name : `${KEY}\\${name}`);
const parentOf = (name: string): string => name.slice(0, name.lastIndexOf('\\'));
const brief = (what: unknown): string => {
  const text = JSON.stringify(what) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};
const isOf = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text === wanted : wanted.test(text);

/** Files by their path below the folder; bytes that are not UTF-8 are shown as such. */
function filesIn(folder: string, below = ''): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      files[`${name}/`] = '';
      Object.assign(files, filesIn(folder, name));
    } else files[name] = readFileSync(join(folder, name), 'utf8');
  }
  return files;
}

export async function prepare(scene: Scene, task: Task): Promise<Site> {
  const folder = scene.folder();
  for (const [name, text] of Object.entries(task.files ?? {})) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const path = (name?: string): string => windowsPath(name === undefined ? folder : join(folder, name));
  await scene.witness.forgetRegistry(KEY);
  const shared: Record<string, string | number | null> = {};
  for (const [name, data] of Object.entries(valuesOf(task, { path, key: KEY }))) {
    const whole = full(name);
    if (!whole.startsWith(`${KEY}\\`)) shared[whole] = (await scene.witness.registry(parentOf(whole)))[whole] ?? null;
    await put(scene, whole, data);
  }
  return {
    scene,
    folder,
    key: KEY,
    path,
    putBack: async () => {
      for (const [whole, data] of Object.entries(shared)) await put(scene, whole, data);
    },
  };
}

const put = (scene: Scene, whole: string, data: string | number | null): Promise<void> =>
  scene.witness.writeRegistry(parentOf(whole), whole.slice(parentOf(whole).length + 1), data);

export const before = async (site: Site): Promise<Before> => ({
  files: filesIn(site.folder),
  values: await site.scene.witness.registry(''),
});

function fileSays(site: Site, name: string, holds: string | RegExp | null): string | null {
  const path = join(site.folder, name);
  if (!existsSync(path))
    return holds === null ? null : `there is no file ${name}, but ${brief(Object.keys(filesIn(site.folder)))}`;
  if (holds === null) return `there still is ${name}`;
  const text = name.endsWith('/') ? '' : readFileSync(path, 'utf8');
  return isOf(text, holds) ? null : `${name} holds ${brief(text)}`;
}

async function windowOf(site: Site, running: Running, title: string | undefined): Promise<string | null> {
  if (title === undefined) return running.hwnd;
  return (await site.scene.witness.windows()).find((window) => window.title === title)?.hwnd ?? null;
}

/** Null if the witness agrees, else what it saw. */
export async function ask(site: Site, running: Running, witness: Witness): Promise<string | null> {
  const { witness: look } = site.scene;
  const titled = (windows: readonly SeenWindow[], title: string | RegExp): SeenWindow | undefined =>
    windows.find((window) => isOf(window.title, title));
  switch (witness.see) {
    case 'file':
      return fileSays(site, witness.name, witness.holds);
    case 'value': {
      const name = full(witness.name);
      const found = (await look.registry(parentOf(name)))[name] ?? null;
      return found === witness.holds ? null : `the registry holds ${brief(found)} as ${witness.name}`;
    }
    case 'window':
    case 'no window': {
      const windows = await look.windows();
      if ((titled(windows, witness.title) !== undefined) === (witness.see === 'window')) return null;
      return witness.see === 'window'
        ? `there is no window ${witness.title}, but ${brief(windows.map(({ title }) => title))}`
        : `the window ${witness.title} is there`;
    }
    case 'did': {
      const done = (running.journal?.events() ?? []).filter(({ event }) => event === 'did');
      return done.some(
        (event) =>
          event['what'] === witness.what && (witness.detail === undefined || event['detail'] === witness.detail),
      )
        ? null
        : `the program says it did ${brief(done.map(({ what, detail }) => `${what}: ${detail}`))}`;
    }
    case 'text': {
      const hwnd = await windowOf(site, running, witness.in);
      if (hwnd === null) return `there is no window ${witness.in}`;
      const text = await look.text(hwnd, witness.part);
      return isOf(text, witness.is) ? null : `another process reads ${brief(text)}`;
    }
    case 'answer': {
      const hwnd = await windowOf(site, running, witness.in);
      if (hwnd === null) return `there is no window ${witness.in}`;
      const answer = await look.ask(hwnd, witness.part, ...witness.ask);
      return answer === witness.is ? null : `another process is answered ${answer}`;
    }
    case 'ended':
      return (await running.hasEnded()) ? null : 'the program is still there';
  }
}

/** Differences from the task's expected end state, and other changes. */
export async function judge(
  site: Site,
  running: Running,
  task: Task,
  was: Before,
  keeps: readonly string[],
): Promise<string[]> {
  const { leaves } = task;
  const wrong: string[] = [];
  for (const [name, holds] of Object.entries(leaves.files ?? {}))
    wrong.push(...[fileSays(site, name, holds)].filter((said) => said !== null));
  const files = filesIn(site.folder);
  for (const name of new Set([...Object.keys(files), ...Object.keys(was.files)])) {
    if (leaves.files?.[name] === undefined && files[name] !== was.files[name])
      wrong.push(`${name} was not to be touched, and holds ${brief(files[name])}`);
  }
  const values = await site.scene.witness.registry('');
  const wanted = new Map(Object.entries(leaves.values ?? {}).map(([name, holds]) => [full(name), holds]));
  for (const [name, holds] of wanted)
    if ((values[name] ?? null) !== holds)
      wrong.push(`the registry holds ${brief(values[name] ?? null)} as ${name}, not ${brief(holds)}`);
  for (const name of new Set([...Object.keys(values), ...Object.keys(was.values)])) {
    // a key without values is not a value
    if (wanted.has(name) || name.endsWith('\\') || keeps.some((key) => name.startsWith(`${key}\\`))) continue;
    if (values[name] !== was.values[name])
      wrong.push(`the registry has another ${name}: ${brief(values[name] ?? null)}`);
  }
  if (leaves.did !== undefined) {
    const done = (running.journal?.events({ event: 'did' }) ?? [])
      .filter(({ what }) => what !== 'page')
      .map(({ what, detail }) => (detail === null ? what : `${what}: ${detail}`));
    if (JSON.stringify(done) !== JSON.stringify(leaves.did)) wrong.push(`the program says it did ${brief(done)}`);
  }
  for (const witness of leaves.seen ?? [])
    wrong.push(...[await ask(site, running, witness)].filter((said) => said !== null));
  return wrong;
}
