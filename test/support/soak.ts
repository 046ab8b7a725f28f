/** Many mixed actions against one host, and what grows meanwhile: memory, handles, threads, files on disk, time. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Done } from './client.ts';
import { windowsPath, type TestHost } from './desktop.ts';

/** The processes of a host with one name, or the server of its Windows. */
export interface ProcessFigures {
  readonly name: string;
  readonly megabytes: number;
  readonly threads: number;
  /** Open files; of Wine's server those are the handles and windows' queues of all programs. */
  readonly files: number;
}

const environmentOf = (pid: string): string[] => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');

/** The host's processes by the name of their bundle, and Wine's server. Linux only: elsewhere the list is empty. */
export function processFigures(host: TestHost): ProcessFigures[] {
  if (process.platform === 'win32') return [];
  const mark = `UIAHOST_DATA_DIR=${windowsPath(host.dataDir)}`;
  const prefix = environmentOf(String(host.pid)).find((variable) => variable.startsWith('WINEPREFIX=')) ?? mark;
  const found = new Map<string, ProcessFigures>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const environment = environmentOf(pid);
      const bundle = environment.includes(mark) ? /(\w+)\.mjs/.exec(command)?.[1] : undefined;
      const isServer = /wineserver/.test(command.split('\0')[0] ?? '') && environment.includes(prefix);
      const name = bundle ?? (isServer ? 'wineserver' : undefined);
      if (name === undefined) continue;
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const figure = (key: string): number => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      // A host has several workers.
      const others = found.get(name) ?? { megabytes: 0, threads: 0, files: 0 };
      found.set(name, {
        name,
        megabytes: others.megabytes + figure('VmRSS') / 1024,
        threads: others.threads + figure('Threads'),
        files: others.files + readdirSync(`/proc/${pid}/fd`).length,
      });
    } catch {
      /* ended meanwhile */
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

export interface DiskFigures {
  /** Pages of the database that are used, with what is still in its log. */
  readonly database: number;
  readonly log: number;
  readonly audit: number;
  /** Bytes of each table and index. */
  readonly tables: ReadonlyMap<string, number>;
}

/** Bytes of the database, of its write-ahead log and of the audit. The host keeps using them: copies are read. */
export function diskFigures({ dataDir }: TestHost): DiskFigures {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-soak-'));
  try {
    const file = join(folder, 'copy.sqlite');
    copyFileSync(join(dataDir, 'uiahost.sqlite'), file);
    const log = join(dataDir, 'uiahost.sqlite-wal');
    if (existsSync(log)) copyFileSync(log, `${file}-wal`);
    const logBytes = existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0;
    const copy = new DatabaseSync(file);
    const numberOf = (pragma: string): number =>
      Number(Object.values(copy.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] ?? 0);
    const database = (numberOf('page_count') - numberOf('freelist_count')) * numberOf('page_size');
    const tables = copy.prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name').all();
    copy.close();
    const audit = join(dataDir, 'audit');
    return {
      database,
      log: logBytes,
      audit: readdirSync(audit).reduce((sum, name) => sum + statSync(join(audit, name)).size, 0),
      tables: new Map(tables.map(({ name, bytes }) => [String(name), Number(bytes)])),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Step = (client: Client, round: number) => Promise<Done>;

/** Kinds of action, taken in turn. The bound window is that of controls.exe with many controls. */
export const STEPS: ReadonlyArray<readonly [string, Step]> = [
  ['list-visible-windows', (client) => client.act('list-visible-windows')],
  ['snapshot', (client) => client.act('snapshot')],
  ['click-element', (client) => client.act('click-element', { automationId: '1000' })],
  ['type-into-element', (client, round) => client.act('type-into-element', { automationId: '1001', text: `${round}` })],
  ['has-bound-window', (client) => client.act('has-bound-window')],
  ['zoom', (client) => client.act('zoom', { regionLogical: { x: 0, y: 0, w: 200, h: 100 }, space: 'capture' })],
  ['get-window-rect', (client) => client.act('get-window-rect')],
  [
    'manage-window',
    (client, round) => client.act('manage-window', { action: 'move_resize', x: 10 + (round % 7), y: 10 }),
  ],
  ['virtual-mouse', (client) => client.act('virtual-mouse', { action: 'click', space: 'client', x: 3, y: 3 })],
  ['wait-for', (client) => client.act('wait-for', { automationId: '1000' })],
  ['virtual-keyboard', (client) => client.act('virtual-keyboard', { action: 'type', text: 'a' })],
  ['screenshot', (client) => client.act('screenshot')],
  ['list-displays', (client) => client.act('list-displays')],
  ['get-binding-status', (client) => client.act('get-binding-status')],
];

/** Milliseconds of each action, by its kind. */
export type Times = Map<string, number[]>;

/** @param from number of the first one, so that two runs continue in the same order */
export async function runSteps(client: Client, from: number, count: number, times: Times): Promise<void> {
  for (let round = from; round < from + count; round += 1) {
    const [name, step] = STEPS[round % STEPS.length]!;
    const begun = performance.now();
    await step(client, round);
    const took = performance.now() - begun;
    times.set(name, [...(times.get(name) ?? []), took]);
    // A token may make 6,000 requests a minute.
    if (took < 50) await sleep(50 - took);
  }
}
