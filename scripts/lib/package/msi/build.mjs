// Makes the MSI of a package's folder: wixl writes what product.wxs says, msibuild the rest of the tables.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../places.mjs';
import { SetupError } from '../../progress.mjs';
import { filesBelow, filesSource, guidOf } from './files.mjs';
import { readTables, writeTables } from './read.mjs';
import { finishedTables, UPGRADE_CODE } from './tables.mjs';

const exec = promisify(execFile);

/** The service's command line behind node.exe. */
const serviceArguments = '"[INSTALLDIR]dist\\service.mjs" run';

/**
 * @param {object} options
 * @param {Record<string, string>} options.tools paths by name (../tools.mjs)
 * @param {string} options.stage folder that is installed
 * @param {string} options.version
 * @param {'x64' | 'arm64'} options.arch
 * @param {string} options.helpLink
 * @param {string} options.out file
 */
export async function buildMsi({ tools, stage, version, arch, helpLink, out }) {
  const work = mkdtempSync(path.join(os.tmpdir(), 'uiahost-msi-'));
  try {
    const files = path.join(work, 'files.wxs');
    const msi = path.join(work, 'uiahost.msi');
    writeFileSync(
      files,
      filesSource(stage, (file) => file === 'node.exe'),
    );
    const variables = {
      VERSION: msiVersion(version),
      PRODUCTCODE: guidOf(`product ${version} ${arch}`),
      UPGRADECODE: UPGRADE_CODE,
      STAGE: stage,
      HELPLINK: helpLink,
      SERVICEARGUMENTS: serviceArguments,
    };
    const defined = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
    const share = path.join(path.dirname(tools.wixl), '../share');
    const { stderr } = await exec(
      tools.wixl,
      ['-a', 'x64', ...defined, '-o', msi, path.join(root, 'installer/product.wxs'), files],
      { env: { ...process.env, XDG_DATA_DIRS: share } },
    );
    // wixl only warns of an element or attribute that it does not know, and leaves it out
    if (stderr.trim() !== '') throw new SetupError(`wixl: ${stderr.trim()}`);
    const made = await readTables(tools, msi);
    await writeTables(tools, msi, { ...finishedTables(made), ...withVersions(made, stage) });
    if (arch === 'arm64')
      await exec(tools.msibuild, [
        msi,
        '-s',
        'Installation Database',
        'uiahost',
        'Arm64;1033',
        `{${randomUUID().toUpperCase()}}`,
      ]);
    copyFileSync(msi, out);
    return { size: statSync(out).size };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
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
