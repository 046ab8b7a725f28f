// Tables of an MSI in the text form that Windows Installer exports and imports (.idt), by msiinfo and msibuild.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/**
 * @typedef {object} Table
 * @property {string[]} columns
 * @property {string[]} types `s72`, `L255`, `i4` …; a capital letter where the column may be empty
 * @property {string[]} keys
 * @property {Array<Record<string, string>>} rows
 */

/**
 * Every table by name but those of the file itself; a missing table has no rows.
 * @param {Record<string, string>} tools
 * @param {string} msi
 * @returns {Promise<Record<string, Table>>}
 */
export async function readTables(tools, msi) {
  const { stdout } = await exec(tools.msiinfo, ['tables', msi]);
  const names = stdout
    .split(/\r?\n/)
    .filter((name) => name !== '' && (!name.startsWith('_') || name === '_Validation'));
  const tables = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readTable(tools, msi, name)])),
  );
  return new Proxy(tables, { get: (all, name) => all[String(name)] ?? { columns: [], types: [], keys: [], rows: [] } });
}

/** What the file's properties show: a table to these tools, a stream in the file. */
export const readSummary = (tools, msi) => readTable(tools, msi, '_SummaryInformation');

async function readTable(tools, msi, name) {
  // msiinfo leaves the pictures and programs of a table, such as Icon, in a folder of its name where it runs.
  const work = mkdtempSync(path.join(os.tmpdir(), 'uiahost-msi-'));
  const { stdout } = await exec(tools.msiinfo, ['export', path.resolve(msi), name], {
    cwd: work,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  }).finally(() => rmSync(work, { recursive: true, force: true }));
  const [columns, types, [, ...keys], ...lines] = stdout
    .replaceAll('\r', '')
    .split('\n')
    .map((line) => line.split('\t'));
  const rows = lines
    .filter((values) => values.length > 1 || values[0] !== '')
    .map((values) => Object.fromEntries(columns.map((column, index) => [column, values[index] ?? ''])));
  return { columns, types, keys, rows };
}

/**
 * Writes tables over those of the same name.
 * @param {Record<string, string>} tools
 * @param {string} msi
 * @param {Record<string, Table>} tables
 */
export async function writeTables(tools, msi, tables) {
  const work = mkdtempSync(path.join(os.tmpdir(), 'uiahost-idt-'));
  try {
    const files = Object.entries(tables).map(([name, { columns, types, keys, rows }]) => {
      const file = path.join(work, `${name}.idt`);
      const lines = [columns, types, [name, ...keys], ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
      writeFileSync(file, lines.map((line) => `${line.join('\t')}\r\n`).join(''), 'utf8');
      return file;
    });
    await exec(tools.msibuild, [msi, ...files.flatMap((file) => ['-i', file])]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
