// Makes the MSI of a package's folder: wixl writes what product.wxs says, msibuild the rest of the tables.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../places.mjs';
import { SetupError } from '../../progress.mjs';
import { filesBelow, filesSource, guidOf } from './files.mjs';
import { readSummary, readTables, writeTables } from './read.mjs';
import { finishedTables, UPGRADE_CODE } from './tables.mjs';
import { validationTable } from './validation.mjs';

const exec = promisify(execFile);

/** The service's command line behind the program. */
const serviceArguments = '"[INSTALLDIR]dist\\service.mjs" run';

/**
 * @param {object} options
 * @param {Record<string, string>} options.tools paths by name (../tools.mjs)
 * @param {string} options.stage folder that is installed
 * @param {string} options.version
 * @param {string} [options.helpLink]
 * @param {string} options.out file
 */
export async function buildMsi({ tools, stage, version, helpLink, out }) {
  const work = mkdtempSync(path.join(os.tmpdir(), 'uiahost-msi-'));
  try {
    // the cabinet has the files' times
    for (const file of filesBelow(stage)) utimesSync(path.join(stage, file), date, date);
    const files = path.join(work, 'files.wxs');
    const msi = path.join(work, 'uiahost.msi');
    writeFileSync(
      files,
      filesSource(stage, (file) => file === 'uiahost.exe'),
    );
    const variables = {
      VERSION: msiVersion(version),
      // replaced below
      PRODUCTCODE: guidOf('product'),
      UPGRADECODE: UPGRADE_CODE,
      STAGE: stage,
      ICON: path.join(root, 'installer/uiahost.ico'),
      SERVICEARGUMENTS: serviceArguments,
    };
    const defined = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
    const share = path.join(path.dirname(tools.wixl), '../share');
    const { stderr } = await exec(
      tools.wixl,
      ['-a', 'x64', ...defined, '-o', msi, path.join(root, 'installer/product.wxs'), files],
      { env: { ...process.env, XDG_DATA_DIRS: share, TZ: 'UTC' } },
    );
    // wixl only warns of an element or attribute that it does not know, and leaves it out
    if (stderr.trim() !== '') throw new SetupError(`wixl: ${stderr.trim()}`);
    const made = await readTables(tools, msi);
    await writeTables(tools, msi, { ...finishedTables(made, helpLink), ...withVersions(made, stage) });
    await writeTables(tools, msi, { _Validation: validationTable(await readTables(tools, msi)) });
    const content = await contentOf(tools, msi, stage);
    // a build of other content is another product, so that it replaces one of the same version
    await writeTables(tools, msi, {
      Property: withProductCode(await readTables(tools, msi), guidOf(`product ${content}`)),
    });
    const code = `{${guidOf(`package ${content}`)}}`;
    await writeTables(tools, msi, { _SummaryInformation: summary(await readSummary(tools, msi), code) });
    copyFileSync(msi, out);
    return { size: statSync(out).size };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The time of all that has one, so that the same sources give the same bytes. */
const date = new Date('2000-01-01T00:00:00Z');
/** Properties of the summary: learn.microsoft.com/windows/win32/msi/summary-information-stream-property-set */
const TEMPLATE = '7';
const REVISION = '9';
const TIMES = ['12', '13'];

/** @param {import('./read.mjs').Table} made */
function summary(made, code) {
  const values = { [TEMPLATE]: 'x64;1033', [REVISION]: code };
  for (const time of TIMES) values[time] = '2000/01/01 00:00:00';
  const rows = made.rows.map((row) => ({ ...row, Value: values[row.PropertyId] ?? row.Value }));
  return { ...made, rows };
}

/** @param {Record<string, import('./read.mjs').Table>} made */
function withProductCode({ Property }, code) {
  const table = /** @type {import('./read.mjs').Table} */ (Property);
  const rows = table.rows.map((row) => (row.Property === 'ProductCode' ? { ...row, Value: `{${code}}` } : row));
  return { ...table, rows };
}

/**
 * A hash of what is in it, for its codes: the same sources give the same file. Two files that differ never share one.
 * @param {Record<string, string>} tools
 */
async function contentOf(tools, msi, stage) {
  const hash = createHash('sha256').update(JSON.stringify(Object.entries(await readTables(tools, msi)).sort()));
  for (const file of filesBelow(stage)) hash.update(`\0${file}\0`).update(readFileSync(path.join(stage, file)));
  return hash.digest('hex');
}

/** Windows Installer compares three numbers; what follows them in a version is not part of the order. */
const msiVersion = (version) => /^\d+\.\d+\.\d+/.exec(version)?.[0] ?? '0.0.0';

/**
 * File versions, by which Windows decides what replaces what; a file has a version or a hash, not both.
 * @param {Record<string, import('./read.mjs').Table>} made
 * @param {string} stage
 */
function withVersions(made, stage) {
  const { File, MsiFileHash } = /** @type {any} */ (made);
  const names = filesBelow(stage);
  const versioned = new Set();
  const rows = File.rows.map((row) => {
    const long = row.FileName.split('|').pop();
    const file = names.find((each) => path.basename(each) === long && /\.(exe|dll|node)$/.test(each));
    const version = file && fileVersion(readFileSync(path.join(stage, file)));
    if (!version) return row;
    versioned.add(row.File);
    return { ...row, Version: version, Language: '1033' };
  });
  const hashes = MsiFileHash.rows.filter(({ File_ }) => !versioned.has(File_));
  return { File: { ...File, rows }, MsiFileHash: { ...MsiFileHash, rows: hashes } };
}

/** The version of a program's resources: VS_FIXEDFILEINFO (learn.microsoft.com/windows/win32/api/verrsrc). */
function fileVersion(bytes) {
  const signature = Buffer.from([0xbd, 0x04, 0xef, 0xfe]);
  const at = bytes.readUInt16LE(0) === 0x5a4d ? bytes.indexOf(signature) : -1;
  if (at < 0) return undefined;
  return [10, 8, 14, 12].map((offset) => bytes.readUInt16LE(at + offset)).join('.');
}
