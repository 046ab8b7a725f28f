/**
 * What an administrator and a user wait for: the service until RUNNING, its host until it answers, and the memory of the
 * supervisor.
 *
 *   npm run bench -- service [--json] [--write]
 *
 * Prints a table (or JSON); `--write` puts it into docs/measurements.md. Nothing is asserted: the marks are to be looked at.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { windowsNode } from '../../scripts/lib/dependencies.mjs';
import { ServiceMachine, type ServiceStatus } from '../support/service-machine.ts';
import { startProgram } from '../support/programs.ts';
import { until } from '../support/until.ts';
import { markCells, quantile, report, tableOf } from './support/measurements.ts';

const ROUNDS = 5;
/** By then a process has released what its start left behind. */
const AT_REST_MS = 15_000;

interface Row {
  readonly what: string;
  readonly unit: 'ms' | 'MB';
  readonly value: number;
  readonly mark?: number;
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Private memory of the Linux process whose command line has these words, in MB: what no other process shares. */
function privateMegabytes(words: readonly string[]): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      if (!words.every((word) => command.includes(word))) continue;
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      const kilobytes = [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)].map(([, size]) => Number(size));
      return kilobytes.reduce((sum, size) => sum + size, 0) / 1024;
    } catch {
      // It ended meanwhile.
    }
  }
  throw new Error(`No process has ${words.join(' and ')} in its command line.`);
}

/** A record that the service writes; reading it takes no process. */
function recorded(machine: ServiceMachine): Pick<ServiceStatus, 'sessions' | 'events'> | null {
  try {
    return JSON.parse(readFileSync(machine.file('ProgramData/uiahost/service/status.json'), 'utf8')) as ServiceStatus;
  } catch {
    return null;
  }
}

const rows: Row[] = [];
await using machine = await ServiceMachine.start();
await machine.uiahost('service', 'install');
const running: number[] = [];
const answering: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  await machine.uiahost('service', 'stop');
  const starter = machine.run('sc.exe', ['start', 'uiahost']);
  // The service manager notes the request as the service's process starts.
  const process = await until(
    () => machine.processStart('service.mjs'),
    (at) => at !== null,
  );
  const host = await until(
    () => recorded(machine)?.sessions[0],
    (session) => session?.state === 'running',
  );
  const { events } = recorded(machine) ?? { events: [] };
  const at = (id: number): number => Date.parse(events.findLast((event) => event.id === id)?.time ?? '');
  running.push(at(10) - (process ?? 0));
  answering.push(at(20) - Date.parse(host?.since ?? ''));
  await starter;
}
rows.push({ what: 'service RUNNING, from the start of its process', unit: 'ms', value: median(running), mark: 1000 });
rows.push({ what: 'host answering, from its start', unit: 'ms', value: median(answering), mark: 2000 });
await using bare = startProgram(
  windowsNode(process.env['UIAHOST_TEST_TREE'] ?? ''),
  ['-e', 'setInterval(() => {}, 1000) // bare'],
  {
    desktop: machine.desktop,
  },
);
await sleep(AT_REST_MS);
const supervisor = privateMegabytes(['uiahost.exe', 'service.mjs', 'run']);
rows.push({
  what: 'supervisor beyond a bare node.exe, private memory at rest',
  unit: 'MB',
  value: supervisor - privateMegabytes(['node.exe', '// bare']),
});
await bare.kill();

const table = tableOf(
  ['what', 'median', 'mark', ''],
  rows.map(({ what, unit, value, mark }) => [what, `${value.toFixed(0)} ${unit}`, ...markCells(value, mark, unit)]),
);
report('service.bench', rows, table, ROUNDS);
