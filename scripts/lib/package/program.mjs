// uiahost.exe: Node for Windows as a single executable application (nodejs.org/api/single-executable-applications.html),
// with a name, an icon and a version of its own. It is not an interpreter of others' scripts: what it runs is inside.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageJson, root } from '../places.mjs';
import { SetupError } from '../progress.mjs';

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
 * @param {string} options.out
 */
export async function makeProgram({ node, maker, out }) {
  const { NtExecutable, NtExecutableResource, Resource, Data } = await import('resedit');
  const program = NtExecutable.from(readFileSync(node), { ignoreCert: true });
  const resources = NtExecutableResource.from(program);
  resources.entries.push({ type: RT_RCDATA, id: RESOURCE, lang: 0, codepage: 0, bin: await application(maker, node) });
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
  writeFileSync(out, bytes);
}

/** The application as Node reads it. `execArgvExtension: none`: NODE_OPTIONS is not read. */
async function application(maker, node) {
  const work = mkdtempSync(path.join(os.tmpdir(), 'uiahost-sea-'));
  try {
    const config = {
      main: path.join(root, 'installer/program.cjs'),
      output: path.join(work, 'blob'),
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
      execArgvExtension: 'none',
    };
    writeFileSync(path.join(work, 'sea.json'), JSON.stringify(config));
    const { stdout } = await exec(maker, ['--version']);
    if (!versionIn(node).includes(stdout.trim().slice(1)))
      throw new SetupError(`${node} is not ${stdout.trim()}, the version of ${maker}; both must be the same.`);
    await exec(maker, ['--experimental-sea-config', path.join(work, 'sea.json')]);
    const bytes = readFileSync(config.output);
    return new Uint8Array(bytes).buffer;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The version resource's texts of a program. */
function versionIn(file) {
  const bytes = readFileSync(file);
  const at = bytes.lastIndexOf(Buffer.from('ProductVersion', 'utf16le'));
  return at < 0 ? '' : bytes.toString('utf16le', at, at + 80);
}
