// Tools for the tests only: the mingw-w64 compiler with the UI Automation headers of version 12, which builds the
// Windows test programs, and xdotool, whose input arrives like that of a real keyboard and mouse. The machine's own are
// used if they are new enough; otherwise they are unpacked into the cache, for root as for any other user.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureDebianTree } from './debian.mjs';
import { shellWord } from './places.mjs';
import { which } from './processes.mjs';

const compilerName = 'x86_64-w64-mingw32-gcc';

const definition = {
  name: 'test-tools',
  packages: [
    'gcc-mingw-w64-x86-64-win32',
    'gcc-mingw-w64-x86-64-win32-runtime',
    'gcc-mingw-w64-base',
    'binutils-mingw-w64-x86-64',
    'mingw-w64-x86-64-dev',
    'mingw-w64-common',
    'libgmp10',
    'libisl23',
    'libmpc3',
    'libmpfr6',
    'zlib1g',
    'libzstd1',
    'xdotool',
    'libxdo3',
    'libx11-6',
    'libxcb1',
    'libxau6',
    'libxdmcp6',
    'libbsd0',
    'libmd0',
    'libxext6',
    'libxtst6',
    'libxi6',
    'libxinerama1',
    'libxkbcommon0',
  ],
  programs: ['usr/bin/', 'usr/x86_64-w64-mingw32/bin/', 'usr/lib/gcc/x86_64-w64-mingw32/'],
  // parts of the compiler for other languages, and libraries of Windows editions that nothing here links
  leaveOut: [
    '*/lto1',
    '*-lto-dump-win32',
    '*-gcov-*',
    '*/libstdc++*',
    '*/libgfortran*',
    '*/libgomp*',
    '*/libonecore*',
    '*/libwindowscore*',
    '*/libnanosrv*',
    '*/libmincore*',
    '*/libmsvcp*',
    './usr/share/gcc',
    './usr/share/gdb',
  ],
  revision: 1,
  finish: (tree) => nameCompiler(tree, compilerName),
};

/**
 * Debian creates this name when the package is installed, for one of two threading models. The compiler prefers the
 * machine's own linker if there is one, and an older linker cannot load this compiler's plug-in.
 */
async function nameCompiler(tree, name) {
  const file = path.join(tree, 'usr/bin', name);
  writeFileSync(file, `#!/bin/sh\nexec ${shellWord(`${file}-win32`)} -fno-use-linker-plugin "$@"\n`, { mode: 0o755 });
}

/**
 * @returns {Promise<{ compiler: string, headers: string, xdotool: string }>} headers: the folder of the Windows headers
 */
export async function ensureTestTools() {
  const compiler = systemCompiler();
  const xdotool = which('xdotool');
  if (compiler && xdotool) return { ...compiler, xdotool };
  const tree = await ensureDebianTree(definition);
  return {
    ...(compiler ?? {
      compiler: path.join(tree, 'usr/bin', compilerName),
      headers: path.join(tree, 'usr/share/mingw-w64/include'),
    }),
    xdotool: xdotool ?? path.join(tree, 'usr/bin/xdotool'),
  };
}

/**
 * The compiler of 32-bit programs: the machine's, else its own packages in the cache.
 * @returns {Promise<string>}
 */
export async function ensureNarrowCompiler() {
  const name = 'i686-w64-mingw32-gcc';
  const own = which(name);
  if (own) return own;
  const tree = await ensureDebianTree({
    ...definition,
    name: 'test-tools32',
    packages: [
      'gcc-mingw-w64-i686-win32',
      'gcc-mingw-w64-i686-win32-runtime',
      'gcc-mingw-w64-base',
      'binutils-mingw-w64-i686',
      'mingw-w64-i686-dev',
      ...definition.packages.filter((each) => /^(mingw-w64-common|lib(gmp|isl|mpc|mpfr|zstd)|zlib)/.test(each)),
    ],
    programs: ['usr/bin/', 'usr/i686-w64-mingw32/bin/', 'usr/lib/gcc/i686-w64-mingw32/'],
    finish: (tree) => nameCompiler(tree, name),
  });
  return path.join(tree, 'usr/bin', name);
}

/** The machine's compiler, if its headers have UI Automation's interfaces (mingw-w64 12, Debian 13 and newer). */
function systemCompiler() {
  const compiler = which(compilerName);
  if (!compiler) return undefined;
  try {
    const answer = execFileSync(compiler, ['-E', '-M', '-include', 'uiautomationclient.h', '-x', 'c', '/dev/null'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const header = answer.split(/[\s\\]+/).find((file) => file.endsWith('/uiautomationclient.h'));
    const version = execFileSync(compiler, ['-E', '-dM', '-include', '_mingw.h', '-x', 'c', '/dev/null'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const isNew = Number(/__MINGW64_VERSION_MAJOR (\d+)/.exec(version)?.[1]) >= 12;
    return isNew && header && existsSync(header) ? { compiler, headers: path.dirname(header) } : undefined;
  } catch {
    return undefined;
  }
}
