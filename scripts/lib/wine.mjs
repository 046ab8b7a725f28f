// Wine 10, an X server and fonts: the machine's own if they are new enough, else from Debian packages in the cache.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureDebianTree } from './debian.mjs';
import { cacheFolder, windowsPath } from './places.mjs';
import { which } from './processes.mjs';
import { SetupError } from './progress.mjs';
import { stripFolder } from './strip-pe.mjs';

/** UI Automation's client interfaces came with Wine 9 and 10; Debian 12's own is 8. */
const oldestWine = 10;

const winePackages = [
  'wine64',
  'libwine',
  'libz-mingw-w64',
  'libunwind8',
  'liblzma5',
  'libgnutls30t64',
  'libgmp10',
  'libnettle8t64',
  'libhogweed6t64',
  'libidn2-0',
  'libunistring5',
  'libp11-kit0',
  'libtasn1-6',
  'libffi8',
  'libxi6',
  'libxcursor1',
  'libxrandr2',
  'libxinerama1',
];
const displayPackages = [
  'xvfb',
  'xkb-data',
  'x11-xkb-utils',
  'libxkbfile1',
  'libpixman-1-0',
  'libxfont2',
  'libfontenc1',
  'libgl1',
  'libglx0',
  'libglvnd0',
  'libaudit1',
  'libcap-ng0',
  'libsystemd0',
  'libselinux1',
  'libpcre2-8-0',
  'libcap2',
  'xcompmgr',
  'libxdamage1',
];
const sharedPackages = [
  // fonts-wine has the caption buttons; WenQuanYi Micro Hei draws Chinese, Japanese and Korean in 1.5 MB
  'fonts-wine',
  'fonts-dejavu-core',
  'fonts-wqy-microhei',
  'fontconfig-config',
  'libfontconfig1',
  'libfreetype6',
  'libexpat1',
  'libpng16-16t64',
  'libbrotli1',
  'zlib1g',
  'libbz2-1.0',
  'libx11-6',
  'libxcb1',
  'libxau6',
  'libxdmcp6',
  'libbsd0',
  'libmd0',
  'libxext6',
  'libxrender1',
  'libxfixes3',
  'libxcomposite1',
];

/**
 * @typedef {object} WineRuntime
 * @property {string} version for people, for instance "10.0 (Debian, in the cache)"
 * @property {string} key changes when a prefix must be made again
 * @property {string} wine the loader: `wine PROGRAM ARGS` keeps its pid
 * @property {string} wineserver
 * @property {{ command: string, args: string[], cwd?: string }} xvfb
 * @property {string} xcompmgr
 * @property {Record<string, string>} env variables that every program of the runtime needs
 */

/**
 * Prepares the runtime (15 to 20 seconds the first time) and returns where its parts are.
 * @returns {Promise<WineRuntime>}
 */
export async function ensureWine() {
  if (os.arch() !== 'x64')
    throw new SetupError(
      `Wine runs the x64 build of Node here, and this machine is ${os.arch()}.`,
      'use an x64 Linux machine, or Windows',
    );
  windowsPath(cacheFolder()); // fails here rather than in a Wine that finds nothing
  const isPrivate = process.env.UIAHOST_PRIVATE_WINE === '1';
  const wine = isPrivate ? undefined : systemWine();
  const display = isPrivate ? undefined : systemDisplay();
  const tree = wine && display ? undefined : await ensureDebianTree(treeDefinition(!wine, !display));
  const base = {
    // every glibc has C.UTF-8; without it non-ASCII names are lost on the way into Wine
    LC_ALL: 'C.UTF-8',
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    // no .NET and HTML engines that request a download; no menu entries on the person's own desktop
    WINEDLLOVERRIDES: 'mscoree=d;mshtml=d;winemenubuilder.exe=d',
  };
  if (tree) base.FONTCONFIG_FILE = path.join(tree, 'fonts.conf');
  return {
    ...(wine ?? treeWine(tree)),
    ...(display ?? treeDisplay(tree)),
    env: {
      ...base,
      ...(wine || !tree ? {} : { PATH: `${path.join(tree, 'usr/lib/wine')}:${process.env.PATH ?? '/usr/bin:/bin'}` }),
    },
  };
}

/** The machine's own Wine if it is new enough. */
function systemWine() {
  for (const name of ['wine64', '/usr/lib/wine/wine64', 'wine']) {
    const wine = name.startsWith('/') ? (existsSync(name) ? name : undefined) : which(name);
    if (!wine) continue;
    try {
      const version = execFileSync(wine, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
        .trim()
        .replace(/^wine-/, '');
      const beside = path.dirname(realpathSync(wine));
      const wineserver = [
        path.join(beside, 'wineserver64'),
        path.join(beside, 'wineserver'),
        which('wineserver'),
        '/usr/lib/wine/wineserver64',
      ].find((file) => file && existsSync(file));
      if (Number.parseInt(version, 10) >= oldestWine && wineserver)
        return { version, key: `system-${version.replace(/[^\w.]+/g, '-')}`, wine, wineserver };
    } catch {
      // a Wine that cannot report its version is not usable
    }
  }
  return undefined;
}

function systemDisplay() {
  const xvfb = which('Xvfb');
  const xcompmgr = which('xcompmgr');
  return xvfb && xcompmgr ? { xvfb: { command: xvfb, args: [] }, xcompmgr } : undefined;
}

const treeWine = (tree) => ({
  version: `${readFileSync(path.join(tree, 'packages.txt'), 'utf8').match(/^wine64_([\d.]+)/m)?.[1] ?? 'unknown'} (Debian packages in the cache)`,
  key: path.basename(tree),
  wine: path.join(tree, 'usr/lib/wine/wine64'),
  wineserver: path.join(tree, 'usr/lib/wine/wineserver64'),
});

const treeDisplay = (tree) => ({
  xvfb: {
    command: path.join(tree, 'usr/bin/Xvfb'),
    args: ['-xkbdir', path.join(tree, 'usr/share/X11/xkb')],
    cwd: tree,
  },
  xcompmgr: path.join(tree, 'usr/bin/xcompmgr'),
});

function treeDefinition(hasWine, hasDisplay) {
  return {
    name: 'wine',
    packages: [...sharedPackages, ...(hasWine ? winePackages : []), ...(hasDisplay ? displayPackages : [])],
    programs: [
      ...(hasWine ? ['usr/lib/wine/wine64', 'usr/lib/wine/wineserver64'] : []),
      ...(hasDisplay ? ['usr/bin/Xvfb', 'usr/bin/xkbcomp', 'usr/bin/xcompmgr'] : []),
    ],
    // 32-bit Windows programs run in few tests; their part is half of Wine's size (ensureNarrowWine)
    leaveOut: [
      './usr/lib/x86_64-linux-gnu/wine/i386-windows',
      './usr/i686-w64-mingw32',
      './usr/x86_64-w64-mingw32ucrt',
      './usr/lib/x86_64-linux-gnu/perl*',
      './usr/share/gcc',
      './usr/share/gdb',
    ],
    finish: finishTree,
    revision: 1,
  };
}

/** As libwine's installation script does: a mark in its header makes zlib1.dll one of Wine's own. */
function addZlib(file, folder) {
  const zlib = readFileSync(file);
  zlib.write('Wine builtin DLL'.padEnd(32, '\0'), 64, 'latin1');
  writeFileSync(path.join(folder, 'zlib1.dll'), zlib);
}

/**
 * Wine's 32-bit half, for the tests that run 32-bit programs (100 MB from the mirror): its DLLs alone, since the 64-bit
 * Wine runs them itself. A machine with its own Wine has them there, or not at all.
 * @returns {Promise<string | undefined>} a folder for WINEDLLPATH; undefined: nothing to add
 */
export async function ensureNarrowWine() {
  const { key } = await ensureWine();
  if (!key.startsWith('wine-')) return undefined;
  const inside = 'usr/lib/i386-linux-gnu/wine';
  const tree = await ensureDebianTree({
    name: 'wine32',
    packages: ['libwine', 'libz-mingw-w64'],
    leaveOut: [`./${inside}/i386-unix`, './usr/share', './usr/x86_64-w64-mingw32*'],
    architecture: 'i386',
    finish: async (folder) => {
      const narrow = path.join(folder, inside, 'i386-windows');
      addZlib(path.join(folder, 'usr/i686-w64-mingw32/lib/zlib1.dll'), narrow);
      stripFolder(narrow);
      // the half of a DLL that belongs to Linux is looked for next to its Windows half
      symlinkSync(
        path.join(cacheFolder(), key, 'usr/lib/x86_64-linux-gnu/wine/x86_64-unix'),
        path.join(folder, inside, 'x86_64-unix'),
      );
    },
    revision: 1,
  });
  return path.join(tree, inside);
}

async function finishTree(tree) {
  const place = tree.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  writeFileSync(
    path.join(tree, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>${place}/usr/share/fonts</dir><cachedir>${place}/fontcache</cachedir></fontconfig>
`,
  );
  const xvfb = path.join(tree, 'usr/bin/Xvfb');
  if (existsSync(xvfb)) {
    // the folder of xkbcomp is compiled in; relative to the working directory it is found in the tree
    const bytes = readFileSync(xvfb);
    const at = bytes.indexOf('\0/usr/bin\0', 0, 'latin1');
    if (at < 0) throw new Error('Xvfb does not name the folder of xkbcomp as expected');
    bytes.write('\0usr/bin\0\0', at, 'latin1');
    writeFileSync(`${xvfb}.new`, bytes, { mode: 0o755 });
    renameSync(`${xvfb}.new`, xvfb);
  }
  const wineFolder = path.join(tree, 'usr/lib/x86_64-linux-gnu/wine/x86_64-windows');
  if (!existsSync(wineFolder)) return;
  addZlib(path.join(tree, 'usr/x86_64-w64-mingw32/lib/zlib1.dll'), wineFolder);
  stripFolder(wineFolder);
  // Debian's `wineserver` is a script that starts the machine's server, not this one
  const wineserver = path.join(tree, 'usr/lib/wine/wineserver');
  rmSync(wineserver, { force: true });
  symlinkSync('wineserver64', wineserver);
  rmSync(path.join(tree, 'usr/x86_64-w64-mingw32'), { recursive: true });
  // the server looks for its tables in share/wine/wine relative to itself, which is compiled in, before the machine's
  // folders
  symlinkSync('.', path.join(tree, 'usr/share/wine/wine'));
}
