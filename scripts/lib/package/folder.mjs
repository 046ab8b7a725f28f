// The folder of a package for Windows: Node, the bundles, the native parts, the documents, the licences.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { distFolder } from '../../build.mjs';
import { isWindows, packageJson, root } from '../places.mjs';

/**
 * @typedef {object} Parts where the machine code comes from
 * @property {string} windowsTree folder of ensureWindowsTree
 * @property {string} node node.exe
 * @property {string} natives folder with the native packages
 * @property {string[]} nativePackages their names
 */

/** Machine code of an architecture. */
export function partsFor(arch, windowsTree, arm64Tree) {
  const tree = arch === 'x64' ? windowsTree : arm64Tree;
  return {
    windowsTree,
    node: path.join(tree, `node_modules/node-win-${arch}/bin/node.exe`),
    natives: path.join(arch === 'x64' && !isWindows ? distFolder : tree, 'node_modules'),
    nativePackages: [`@koromix/koffi-win32-${arch}`, `@img/sharp-win32-${arch}`],
  };
}

/**
 * @param {string} folder
 * @param {Parts} parts
 */
export function writeFolder(folder, { windowsTree, node, natives, nativePackages }) {
  const { version, license, description, exports } = packageJson();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'dist'), { recursive: true });
  copyBundles(path.join(folder, 'dist'));
  for (const each of nativePackages)
    cpSync(path.join(natives, each), path.join(folder, 'dist/node_modules', each), { recursive: true });
  cpSync(node, path.join(folder, 'node.exe'));
  copyDocuments(folder, ['schemas', 'docs']);
  writeFileSync(path.join(folder, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(windowsTree));
  writeFileSync(path.join(folder, 'uiahost.cmd'), '@"%~dp0node.exe" "%~dp0dist\\cli.mjs" %*\r\n');
  const about = { name: 'uiahost', version, description, license, type: 'module', private: true, exports };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
}

/** The texts that every package has, and more by name. */
export function copyDocuments(folder, more = []) {
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', ...more])
    cpSync(path.join(root, file), path.join(folder, file), { recursive: true });
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

/** Parts for other systems, and the second opinion of the binding tests. */
const elsewhere = /linux|darwin|win32-(arm64|ia32)|ffi-rs|wasm32/;

/** Packages that the lock installs for running on Windows: place in node_modules, and what the lock says of it. */
export function runtimePackages() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).filter(([place, { dev }]) => place !== '' && !dev && !elsewhere.test(place));
}

/** The licence texts of everything that is contained, Node's own included. */
export function thirdPartyLicences(windowsTree) {
  const texts = [];
  for (const [place, { version, license }] of runtimePackages()) {
    const folder = [path.join(windowsTree, place), path.join(root, place)].find((each) => existsSync(each));
    if (folder === undefined) continue;
    const files = readdirSync(folder).filter(
      (file) => /^(licen[sc]e|copying|notice)/i.test(file) && statSync(path.join(folder, file)).isFile(),
    );
    const text = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n');
    texts.push(
      `${'='.repeat(80)}\n${place.replace(/^.*node_modules\//, '')} ${version} (${license ?? 'licence in its text'})\n\n${text || 'Its package contains no licence text; the name above is the one it declares.'}\n`,
    );
  }
  return texts.join('\n');
}
