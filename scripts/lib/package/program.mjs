// uiahost.exe: Node for Windows as a single executable application (nodejs.org/api/single-executable-applications.html),
// with a name, an icon and a version of its own. It is not an interpreter of others' scripts: what it runs is inside.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { processNames } from '../../build.mjs';
import { packageJson, root } from '../places.mjs';
import { SetupError } from '../progress.mjs';
import { filesBelow } from './msi/files.mjs';

const exec = promisify(execFile);

/** The resource in which Node looks for the application, and the mark by which it knows that there is one. */
const RESOURCE = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:';
const RT_RCDATA = 10;
const ENGLISH = { lang: 1033, codepage: 1200 };

/**
 * @param {object} options
 * @param {string} options.node node.exe, as its vendor signed it; the signature is of other bytes and is left out
 * @param {string} options.maker a Node of the same version that runs on this machine
 * @param {string} options.folder the package's folder, whose `dist` the program runs
 */
export async function makeProgram({ node, maker, folder }) {
  const { NtExecutable, NtExecutableResource, Resource, Data } = await import('resedit');
  const program = NtExecutable.from(readFileSync(node), { ignoreCert: true });
  const resources = NtExecutableResource.from(program);
  resources.entries.push({
    type: RT_RCDATA,
    id: RESOURCE,
    lang: 0,
    codepage: 0,
    bin: await application(maker, node, folder),
  });
  const [info] = Resource.VersionInfo.fromEntries(resources.entries);
  if (info === undefined) throw new SetupError(`${node} has no version resource.`);
  const { version, description } = packageJson();
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  info.setFileVersion(major, minor, patch, 0, ENGLISH.lang);
  info.setProductVersion(major, minor, patch, 0, ENGLISH.lang);
  info.setStringValues(ENGLISH, {
    CompanyName: 'uiahost',
    ProductName: 'uiahost',
    FileDescription: 'uiahost',
    Comments: description,
    FileVersion: version,
    ProductVersion: version,
    InternalName: 'uiahost',
    OriginalFilename: 'uiahost.exe',
    LegalCopyright: 'Apache-2.0. Contains Node.js, copyright Node.js contributors, MIT license.',
  });
  info.outputToResourceEntries(resources.entries);
  for (const { id, lang } of Resource.IconGroupEntry.fromEntries(resources.entries))
    Resource.IconGroupEntry.replaceIconsForResource(
      resources.entries,
      id,
      lang,
      Data.IconFile.from(readFileSync(path.join(root, 'installer/uiahost.ico'))).icons.map(({ data }) => data),
    );
  resources.outputResource(program);
  const bytes = Buffer.from(program.generate());
  const at = bytes.indexOf(`${FUSE}0`);
  if (at < 0 || bytes.indexOf(`${FUSE}0`, at + 1) >= 0)
    throw new SetupError(`${node} cannot carry an application: it has not one mark ${FUSE}0.`);
  bytes[at + FUSE.length] = '1'.charCodeAt(0);
  writeFileSync(path.join(folder, 'uiahost.exe'), bytes);
}

/**
 * The application as Node reads it. It holds the path of its text as it is given: a bare name, so that every checkout makes
 * the same. `execArgvExtension: none`: NODE_OPTIONS is not read.
 */
async function application(maker, node, folder) {
  const work = mkdtempSync(path.join(os.tmpdir(), 'uiahost-sea-'));
  try {
    const config = {
      main: 'program.cjs',
      output: 'blob',
      assets: { files: 'files.json' },
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
      execArgvExtension: 'none',
    };
    copyFileSync(path.join(root, 'installer/program.cjs'), path.join(work, 'program.cjs'));
    writeFileSync(path.join(work, 'files.json'), JSON.stringify({ processes: processNames, hashes: hashesOf(folder) }));
    writeFileSync(path.join(work, 'sea.json'), JSON.stringify(config));
    const { stdout } = await exec(maker, ['--version']);
    if (!versionIn(node).includes(stdout.trim().slice(1)))
      throw new SetupError(`${node} is not ${stdout.trim()}, the version of ${maker}; both must be the same.`);
    await exec(maker, ['--experimental-sea-config', 'sea.json'], { cwd: work });
    const bytes = readFileSync(path.join(work, config.output));
    return new Uint8Array(bytes).buffer;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Hashes of what is loaded as JavaScript; machine code is for the rules of Windows, and a browser loads the page. */
function hashesOf(folder) {
  const dist = path.join(folder, 'dist');
  const names = filesBelow(dist).filter((name) => /\.(?:[cm]?js|json)$/.test(name) && !name.startsWith('page/'));
  const hash = (name) =>
    createHash('sha256')
      .update(readFileSync(path.join(dist, name)))
      .digest('base64');
  return Object.fromEntries(names.map((name) => [name, hash(name)]));
}

/** The version resource's texts of a program. */
function versionIn(file) {
  const bytes = readFileSync(file);
  const at = bytes.lastIndexOf(Buffer.from('ProductVersion', 'utf16le'));
  return at < 0 ? '' : bytes.toString('utf16le', at, at + 80);
}
