// Programs from Debian packages, unpacked into the cache: no root, nothing installed, no package of the machine
// changed. apt downloads and verifies them with a private state; the programs then run with the loader and the
// libraries unpacked with them, whatever the machine has.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { complete, isComplete } from './cache.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder, shellWord } from './places.mjs';
import { launch, run, which } from './processes.mjs';
import { say, SetupError, step } from './progress.mjs';

/** Debian 13: the first with Wine 10 and with the UI Automation headers of mingw-w64 12. */
const suite = 'trixie';
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const libraries = 'usr/lib/x86_64-linux-gnu';
const loader = 'usr/lib64/ld-linux-x86-64.so.2';

/**
 * A folder with the unpacked packages, made once; its name contains the hash of its definition.
 * @param {object} definition
 * @param {string} definition.name
 * @param {readonly string[]} definition.packages
 * @param {readonly string[]} [definition.programs] paths in the tree that must find the tree's libraries; a path that
 * ends with a slash means all programs of that folder
 * @param {readonly string[]} [definition.leaveOut] tar patterns of files that are not unpacked
 * @param {(folder: string) => Promise<void>} [definition.finish] changes the unpacked files
 * @param {'amd64' | 'i386'} [definition.architecture] of the packages; those of another one than this machine's have no
 * programs to run, and get no loader and libraries
 * @param {number} definition.revision of `finish` and of this file's changes to a tree: a new number makes new trees
 * @returns {Promise<string>}
 */
export async function ensureDebianTree({
  name,
  packages,
  programs = [],
  leaveOut = [],
  finish,
  architecture = 'amd64',
  revision,
}) {
  const wanted =
    architecture === 'amd64' ? ['patchelf', 'libc6', 'libgcc-s1', 'libstdc++6', ...packages] : [...packages];
  const key = createHash('sha256')
    .update(JSON.stringify([suite, wanted, programs, leaveOut, revision]))
    .digest('hex')
    .slice(0, 12);
  const folder = path.join(cacheFolder(), `${name}-${key}`);
  if (isComplete(folder)) return folder;
  await withLock(
    path.join(cacheFolder(), `locks/${name}-${key}`),
    async () => {
      if (isComplete(folder)) return;
      rmSync(folder, { recursive: true, force: true });
      const work = path.join(folder, '.apt');
      const packed = path.join(work, 'debs');
      mkdirSync(packed, { recursive: true });
      await step(`${name}: ${wanted.length} Debian packages downloaded`, () =>
        download(wanted, work, packed, architecture),
      );
      await step(`${name}: unpacked`, async () => {
        await unpack(packed, folder, leaveOut);
        for (const program of programs.flatMap((place) => (place.endsWith('/') ? programsIn(folder, place) : [place])))
          await useOwnLibraries(folder, program);
        await finish?.(folder);
      });
      writeFileSync(path.join(folder, 'packages.txt'), readdirSync(packed).sort().join('\n') + '\n');
      rmSync(work, { recursive: true });
      complete(folder);
    },
    () => say(`${name}: waiting for another set-up`),
  );
  return folder;
}

async function download(packages, work, target, architecture) {
  for (const program of ['apt-get', 'dpkg-deb', 'tar']) {
    if (!which(program)) {
      throw new SetupError(
        `The runtime is unpacked from Debian packages, which needs ${program}; this machine does not have it.`,
        'use a Debian or Ubuntu machine, or install Wine 10 or newer, Xvfb and xcompmgr with your own package manager',
      );
    }
  }
  if (!existsSync(keyring))
    throw new SetupError(
      `Debian's signing keys are missing (${keyring}).`,
      'install the package debian-archive-keyring',
    );
  for (const part of ['lists/partial', 'cache/archives/partial', 'sources'])
    mkdirSync(path.join(work, part), { recursive: true });
  writeFileSync(path.join(work, 'status'), '');
  writeFileSync(
    path.join(work, 'sources/debian.sources'),
    `Types: deb\nURIs: ${debianMirror()}\nSuites: ${suite}\nComponents: main\nArchitectures: ${architecture}\nSigned-By: ${keyring}\n`,
  );
  // the machine's network settings (proxies, credentials) are kept; its hooks, sources and pins are not
  const acquire = await run('apt-config', ['dump', 'Acquire']);
  writeFileSync(
    path.join(work, 'apt.conf'),
    `${acquire}
Dir::Etc::Main "/dev/null";
Dir::Etc::Parts "/dev/null";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "${work}/sources";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Dir::State "${work}";
Dir::State::Lists "${work}/lists";
Dir::State::status "${work}/status";
Dir::Cache "${work}/cache";
Dir::Cache::archives "${work}/cache/archives";
Acquire::Languages "none";
Acquire::Retries "3";
APT::Architecture "${architecture}";
APT::Architectures { "${architecture}"; };
APT::Sandbox::User "";
Debug::NoLocking "true";
`,
  );
  const env = { ...process.env, APT_CONFIG: path.join(work, 'apt.conf'), LC_ALL: 'C.UTF-8' };
  const cure = 'check the connection to the Debian mirror, or name another one in UIAHOST_DEBIAN_MIRROR';
  await run('apt-get', ['-q', 'update'], { env, cure, what: 'apt-get update (in the cache)' });
  await run('apt-get', ['-q', 'download', ...packages], { env, cwd: target, cure, what: 'apt-get download' });
}

/** The mirror that this machine's apt uses for Debian itself, so that a local or internal mirror is used here too. */
export function debianMirror(etc = '/etc/apt') {
  if (process.env.UIAHOST_DEBIAN_MIRROR) return process.env.UIAHOST_DEBIAN_MIRROR;
  const files = [path.join(etc, 'sources.list')];
  const parts = path.join(etc, 'sources.list.d');
  if (existsSync(parts))
    files.push(
      ...readdirSync(parts)
        .filter((file) => /\.(list|sources)$/.test(file))
        .map((file) => path.join(parts, file)),
    );
  for (const file of files.filter(existsSync)) {
    const text = readFileSync(file, 'utf8').replace(/^\s*#.*\n?/gm, '');
    const sources = file.endsWith('.sources')
      ? text.split(/\n\s*\n/).map((stanza) => {
          const field = (name) => new RegExp(`^${name}:\\s*(.*)$`, 'mi').exec(stanza)?.[1].trim().split(/\s+/) ?? [];
          return { uri: field('URIs')[0], suites: field('Suites'), components: field('Components') };
        })
      : [...text.matchAll(/^deb\s+(?:\[[^\]]*\]\s*)?(\S+)\s+(\S+)\s+(.*)$/gm)].map((match) => ({
          uri: match[1],
          suites: [match[2]],
          components: match[3].split(/\s+/),
        }));
    const found = sources.find(
      ({ uri, suites, components }) =>
        uri &&
        components.includes('main') &&
        suites.some((name) => /^(bookworm|trixie|forky|sid|stable|testing|unstable)$/.test(name)),
    );
    if (found) return found.uri;
  }
  throw new SetupError(
    'The Wine runtime is made from Debian’s packages, but this machine’s apt sources name no Debian mirror.',
    'name a mirror in UIAHOST_DEBIAN_MIRROR',
  );
}

const documents = [
  './usr/share/doc',
  './usr/share/man',
  './usr/share/locale',
  './usr/share/lintian',
  './usr/share/bug',
  './usr/share/info',
  './var',
  './etc',
];

/** Unpacks all packages, the largest first so that the others do not wait for it at the end. */
async function unpack(packed, folder, leaveOut) {
  const size = (file) => statSync(path.join(packed, file)).size;
  const queue = readdirSync(packed)
    .filter((file) => file.endsWith('.deb'))
    .sort((a, b) => size(b) - size(a));
  const exclude = [...documents, ...leaveOut].map((pattern) => `--exclude=${pattern}`);
  const worker = async () => {
    for (let file = queue.shift(); file; file = queue.shift())
      await unpackOne(path.join(packed, file), folder, exclude);
  };
  await Promise.all(Array.from({ length: Math.max(2, os.availableParallelism()) }, worker));
}

function unpackOne(file, folder, exclude) {
  return /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      const data = launch('dpkg-deb', ['--fsys-tarfile', file], { stdio: ['ignore', 'pipe', 'inherit'] });
      const tar = launch('tar', ['-x', '-C', folder, '--no-same-owner', ...exclude], {
        stdio: [data.stdout, 'inherit', 'inherit'],
      });
      // the pipe belongs to tar now; our copy would keep dpkg-deb from seeing its end
      data.stdout.destroy();
      const bad = (what) => (code) => {
        if (code !== 0)
          reject(
            new SetupError(
              `${what} could not unpack ${path.basename(file)} (status ${code}).`,
              'check the free space of the cache folder',
            ),
          );
      };
      data.on('error', reject).on('exit', bad('dpkg-deb'));
      tar.on('error', reject).on('exit', (code) => (code === 0 ? resolve() : bad('tar')(code)));
    })
  );
}

/** Programs in a folder of the tree, and in folders below it, that name a loader. */
function programsIn(folder, place) {
  return readdirSync(path.join(folder, place), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(place, entry.name);
    if (entry.isDirectory()) return programsIn(folder, `${name}/`);
    // not patchelf itself: it cannot change what is running
    return entry.isFile() && entry.name !== 'patchelf' && namesLoader(path.join(folder, name)) ? [name] : [];
  });
}

/** Whether this is a Linux program that needs a loader, by the ELF header and its program headers (man 5 elf). */
function namesLoader(file) {
  const bytes = readFileSync(file);
  if (bytes.length < 64 || bytes.toString('latin1', 0, 4) !== '\x7fELF' || bytes[4] !== 2) return false;
  const at = Number(bytes.readBigUInt64LE(32));
  const size = bytes.readUInt16LE(54);
  const interpreter = 3;
  return Array.from({ length: bytes.readUInt16LE(56) }, (_, index) => bytes.readUInt32LE(at + size * index)).includes(
    interpreter,
  );
}

/**
 * Makes a program use the loader and the libraries of its tree: by patchelf, itself run with that loader. A program
 * linked to a fixed address (the compiler proper) does not survive that and gets a script that calls the loader.
 */
async function useOwnLibraries(folder, program) {
  const at = (part) => path.join(folder, part);
  const isFixed = readFileSync(at(program)).readUInt16LE(16) === 2;
  if (isFixed) {
    renameSync(at(program), at(`${program}.real`));
    writeFileSync(
      at(program),
      `#!/bin/sh\nexec ${shellWord(at(loader))} --library-path ${shellWord(at(libraries))} --argv0 "$0" ${shellWord(at(`${program}.real`))} "$@"\n`,
      { mode: 0o755 },
    );
    return;
  }
  await run(
    at(loader),
    [
      '--library-path',
      at(libraries),
      at('usr/bin/patchelf'),
      '--set-interpreter',
      at(loader),
      '--force-rpath',
      '--set-rpath',
      at(libraries),
      at(program),
    ],
    { what: `patchelf ${program}` },
  );
}
