/**
 * What an administrator waits for: the MSI, its installation until the service runs, and its removal, on a Windows disk of
 * its own.
 *
 *   npm run bench -- installer [--json] [--write]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { windowsPath } from '../../scripts/lib/places.mjs';
import { makeThings } from '../../scripts/package.mjs';
import { WindowsMachine } from '../support/installer.ts';
import { markCells, quantile, report, tableOf } from './support/measurements.ts';

const ROUNDS = 5;
const MEGABYTE = 2 ** 20;

const out = mkdtempSync(join(tmpdir(), 'uiahost-installer-bench-'));
try {
  const made = await makeThings({ out, only: ['msi'] });
  const msi = join(
    out,
    made.find((name) => name.endsWith('.msi'))!,
  );
  const installing: number[] = [];
  const removing: number[] = [];
  await using machine = await WindowsMachine.start();
  for (let round = 0; round < ROUNDS; round += 1) {
    const installed = await machine.install(msi);
    if (installed.status !== 0) throw new Error(`The installation failed:\n${installed.log.slice(-2000)}`);
    installing.push(installed.milliseconds);
    const removed = await machine.msiexec('/x', windowsPath(msi));
    if (removed.status !== 0) throw new Error(`The removal failed:\n${removed.log.slice(-2000)}`);
    removing.push(removed.milliseconds);
  }
  const rows = [
    { what: 'MSI', unit: 'MB', values: [statSync(msi).size / MEGABYTE], mark: 50 },
    { what: 'installation with /qn, until the service runs', unit: 'ms', values: installing, mark: 5000 },
    { what: 'removal with /qn, the running host ended in order', unit: 'ms', values: removing, mark: 2000 },
  ].map(({ values, ...row }) => ({ ...row, p50: quantile(values, 0.5), p95: quantile(values, 0.95) }));
  const table = tableOf(
    ['', 'p50', 'p95', 'mark', ''],
    rows.map(({ what, unit, p50, p95, mark }) => [
      what,
      `${p50.toFixed(1)} ${unit}`,
      `${p95.toFixed(1)} ${unit}`,
      ...markCells(p50, mark, unit),
    ]),
  );
  report('installer.bench', rows, table, ROUNDS);
} finally {
  rmSync(out, { recursive: true, force: true, maxRetries: 5 });
}
