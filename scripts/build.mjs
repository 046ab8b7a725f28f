// `npm run build`: one bundle for each process, in dist/. Loose files cost two seconds of start-up (docs/measurements.md).
// On Linux the native packages for Windows are put next to the bundles, as in an installation, so that Node for Windows
// finds them there and not the Linux ones of the checkout.
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePackages, ensureWindowsTree } from './lib/dependencies.mjs';
import { withLock } from './lib/lock.mjs';
import { cacheFolder, isWindows, packageJson, root } from './lib/places.mjs';
import { fail, say, SetupError, step } from './lib/progress.mjs';

/**
 * Each process, the library and the command; `target` is the oldest Node that runs it. `isPlain`: it exchanges only
 * plain data, so it starts without schemas (zod costs 400 kB of text and 15 MB of memory in each).
 */
const bundles = [
  { entry: 'src/entry/host.ts', file: 'host.mjs', target: 'node24' },
  { entry: 'src/entry/worker.ts', file: 'worker.mjs', target: 'node24', isPlain: true },
  { entry: 'src/entry/console.ts', file: 'console.mjs', target: 'node24', isPlain: true },
  { entry: 'src/entry/overlay.ts', file: 'overlay.mjs', target: 'node24', isPlain: true },
  { entry: 'src/entry/store.ts', file: 'store.mjs', target: 'node24', isPlain: true },
  { entry: 'src/entry/setup.ts', file: 'setup.mjs', target: 'node24' },
  // what the service manager starts: it supervises hosts, and runs as the system; a part of its own judges the policy
  { entry: 'src/entry/service.ts', file: 'service.mjs', target: 'node24' },
  // what the doctor asks of the machine itself
  { entry: 'src/entry/inspect.ts', file: 'inspect.mjs', target: 'node24' },
  // takes a fleet's jobs to the host; started only after `uiahost fleet join`
  { entry: 'src/entry/fleet.ts', file: 'fleet.mjs', target: 'node24' },
  { entry: 'src/entry/demo.ts', file: 'demo.mjs', target: 'node24', isPlain: true },
  { entry: 'src/index.ts', file: 'index.mjs', target: 'node24' },
  // what programs import to drive a running host, in the Node that they have
  { entry: 'src/client.ts', file: 'client.mjs', target: 'node20', isPlain: true },
  // the command runs in the machine's own Node, which may be older
  { entry: 'src/cli/main.ts', file: 'cli.mjs', target: 'node20' },
];

/** Names of the processes and threads of an installation: all but what programs import. */
export const processNames = bundles
  .filter(({ file }) => file !== 'index.mjs' && file !== 'client.mjs')
  .map(({ file }) => path.basename(file, '.mjs'));

/**
 * Parts of koffi and sharp that are machine code: not bundled, but found in node_modules next to or above the bundle.
 */
const nativePackages = ['@koromix/koffi-win32-x64', '@img/sharp-win32-x64'];

/** zod includes its messages in forty languages; we use one. */
const englishMessages = {
  name: 'english-messages',
  setup: ({ onLoad }) =>
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
      loader: 'js',
    })),
};

/** express looks up file types in a table of all registered ones, 2,500 entries; we need only these. */
const fewFileTypes = {
  name: 'few-file-types',
  setup: ({ onLoad }) =>
    onLoad({ filter: /mime-db[\\/]db\.json$/ }, ({ path: file }) => {
      const isOurs =
        /^(text\/(plain|html|css|javascript|event-stream|markdown)|application\/(json|problem\+json|octet-stream|javascript|x-www-form-urlencoded|zip|gzip)|image\/(png|jpeg|webp|svg\+xml|x-icon)|multipart\/form-data|font\/woff2)$/;
      return {
        contents: JSON.stringify(
          Object.fromEntries(
            Object.entries(JSON.parse(readFileSync(file, 'utf8'))).filter(([type]) => isOurs.test(type)),
          ),
        ),
        loader: 'json',
      };
    }),
};

/**
 * An import of node:http makes Node load everything that it exports, including a whole WebSocket client (40 ms, 3 MB).
 * `process.getBuiltinModule` avoids that.
 */
const plainHttp = {
  name: 'plain-http',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^(node:)?https?$/ }, ({ path: name }) => ({
      path: name.replace('node:', ''),
      namespace: 'plain-http',
    }));
    onLoad({ filter: /.*/, namespace: 'plain-http' }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${name}')`,
      loader: 'js',
    }));
  },
};

/** A regular expression of the NATS client has the letter of micro in it. */
const asciiDurations = {
  name: 'ascii-durations',
  setup: ({ onLoad }) =>
    onLoad({ filter: /@nats-io[\\/]jetstream[\\/]lib[\\/]jsclient\.js$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replaceAll('\u00b5', '\\u00b5'),
      loader: 'js',
    })),
};

/** What is compiled in. The waits of the product (src/contract/patience.ts) are never shortened in what ships. */
export const defines = { __VERSION__: JSON.stringify(packageJson().version), __PATIENCE__: '1' };

/** The inputs of the bundles. */
const sources = [
  'src',
  'native-bindings',
  'schemas',
  'package.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/runtime',
];

export const distFolder = path.join(root, 'dist');
const partsFolder = path.join(distFolder, 'parts');
/** Places in node_modules of the packages of which something is in the bundles. */
export const insideFile = path.join(distFolder, '.inside.json');
export const pageFolder = path.join(distFolder, 'page');

/**
 * Builds the bundles if the sources have changed since the last build.
 * @param {{ windowsTree: string }} options folder of ensureWindowsTree
 */
export async function build({ windowsTree }) {
  await withLock(
    path.join(cacheFolder(), `locks/build-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`),
    async () => {
      const stamp = path.join(distFolder, '.sources');
      const now = hashOf(
        sources.map((name) => path.join(root, name)),
        path.basename(windowsTree),
      );
      if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return;
      await step('build', async () => {
        rmSync(stamp, { force: true });
        const sizes = await bundle();
        if (!isWindows) copyNativePackages(windowsTree);
        writeFileSync(stamp, now);
        say(`build: ${sizes}`);
      });
    },
    () => say('build: waiting for another build to end'),
  );
}

/**
 * The library's types, for programs that import it; nothing needs them at run time, so only `npm run build` makes them.
 */
export async function buildTypes() {
  const folder = path.join(distFolder, 'types');
  const stamp = path.join(distFolder, '.types-sources');
  const now = hashOf(['src', 'tsconfig.json', 'scripts/lib/declarations.mjs'].map((name) => path.join(root, name)));
  if (existsSync(stamp) && existsSync(folder) && readFileSync(stamp, 'utf8') === now) return;
  await step('types of the library', async () => {
    rmSync(stamp, { force: true });
    const { writeDeclarations } = await import('./lib/declarations.mjs');
    rmSync(folder, { recursive: true, force: true });
    writeDeclarations(folder);
    writeDeclarations(folder, { entry: 'client' });
    writeFileSync(stamp, now);
  });
}

/** The page's files, which browsers run. @param {typeof import('esbuild').build} esbuild */
async function bundlePage(esbuild) {
  const { outputFiles, metafile } = await esbuild({
    absWorkingDir: root,
    entryPoints: { app: 'src/page/main.tsx' },
    metafile: true,
    outdir: 'dist/page',
    target: 'es2023',
    bundle: true,
    format: 'esm',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
    write: false,
  });
  const encoder = new TextEncoder();
  const copied = ['index.html', 'style.css'].map((name) => ({
    path: path.join(pageFolder, name),
    contents: encoder.encode(readFileSync(path.join(root, 'src/page', name), 'utf8')),
  }));
  return { files: [...outputFiles, ...copied], metafile };
}

async function bundle() {
  const { build: esbuild, stop } = await import('esbuild');
  const present = bundles.filter(({ entry }) => existsSync(path.join(root, entry)));
  try {
    const results = await Promise.all(
      present.map(({ entry, file, target }) =>
        esbuild({
          absWorkingDir: root,
          entryPoints: { [path.basename(file, '.mjs')]: entry },
          outdir: 'dist',
          outExtension: { '.js': '.mjs' },
          target,
          // Node 24 has `using`. Lowered, one in a loop throws the error of an earlier turn again after a turn that succeeded.
          ...(target === 'node24' ? { supported: { using: true } } : {}),
          // code that is loaded on first use (`import()`) is a separate file, which is not read earlier
          splitting: true,
          chunkNames: `parts/${path.basename(file, '.mjs')}-[name]-[hash]`,
          bundle: true,
          platform: 'node',
          format: 'esm',
          sourcemap: 'linked',
          legalComments: 'none',
          metafile: true,
          logLevel: 'silent',
          // a process keeps its source text in memory: without whitespace and unused languages it is a third smaller
          minifyWhitespace: true,
          minifySyntax: true,
          plugins: [englishMessages, fewFileTypes, asciiDurations, ...(target === 'node24' ? [plainHttp] : [])],
          write: false,
          external: ['@koromix/*', '@img/sharp-*'],
          alias: {
            debug: path.join(root, 'scripts/runtime/no-debug.cjs'),
            // its older form hides what it requires from the bundler
            'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
            'body-parser': path.join(root, 'scripts/runtime/no-body-parser.cjs'),
          },
          define: defines,
          loader: { '.html': 'text', '.css': 'text', '.svg': 'text' },
          // CommonJS packages need these
          banner: {
            js: [
              ...(file === 'cli.mjs' ? ['#!/usr/bin/env node'] : []),
              "import { createRequire as __createRequire } from 'node:module';",
              "import { fileURLToPath as __fileURLToPath } from 'node:url';",
              'const require = __createRequire(import.meta.url), __filename = __fileURLToPath(import.meta.url), __dirname = __fileURLToPath(new URL(".", import.meta.url));',
            ].join('\n'),
          },
        }),
      ),
    );
    for (const [index, { metafile }] of results.entries())
      if (present[index].isPlain) assertPlain(present[index].file, metafile);
    const outputs = results.flatMap(({ outputFiles }) => outputFiles);
    assertAscii(outputs);
    for (const [index, { outputFiles }] of results.entries())
      if (present[index].target === 'node24') assertDisposesItself(outputFiles);
    const page = await bundlePage(esbuild);
    mkdirSync(partsFolder, { recursive: true });
    writeFileSync(
      insideFile,
      `${JSON.stringify(packagesIn([...results, page].map(({ metafile }) => metafile)), null, 2)}\n`,
    );
    mkdirSync(pageFolder, { recursive: true });
    removeOldParts();
    // by rename: a running host may be starting a new worker from them
    for (const { path: file, contents } of [...outputs, ...page.files]) {
      writeFileSync(`${file}.new`, contents);
      renameSync(`${file}.new`, file);
    }
    return results
      .map(({ outputFiles }, index) => {
        const code = outputFiles.filter(({ path: file }) => file.endsWith('.mjs'));
        const bytes = code.reduce((sum, { contents }) => sum + contents.length, 0);
        return `${path.basename(present[index].file, '.mjs')} ${(bytes / 1024).toFixed(0)} kB`;
      })
      .join(', ');
  } catch (error) {
    if (!error.errors) throw error;
    throw new SetupError(
      `The build failed:\n${error.errors.map(({ text, location }) => `    ${location ? `${location.file}:${location.line}:${location.column}: ` : ''}${text}`).join('\n')}`,
    );
  } finally {
    await stop();
  }
}

/** @param {import('esbuild').Metafile[]} metafiles */
function packagesIn(metafiles) {
  const files = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([file]) => file),
    ),
  );
  const places = files.map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  return [...new Set(places.filter((place) => place !== undefined))].sort();
}

/** Fails the build if `using` was lowered: see `supported` above. */
function assertDisposesItself(outputFiles) {
  const lowered = outputFiles.find(({ path: file, text }) => file.endsWith('.mjs') && text.includes('__callDispose'));
  if (lowered)
    throw new SetupError(`${path.basename(lowered.path)} has a lowered \`using\`, which Node 24 has itself.`);
}

/** Fails the build if a schema got into what a plain process reads at its start, and names the importer. */
function assertPlain(file, { inputs, outputs }) {
  const read = new Set();
  const follow = (name) => {
    if (read.has(name)) return;
    read.add(name);
    for (const { path: next, kind, external } of outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) follow(next);
  };
  follow(`dist/${file}`);
  const guests = [...read]
    .flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}))
    .filter(
      (name) =>
        !name.startsWith('node_modules/') &&
        inputs[name]?.imports.some(({ path: each }) => each.startsWith('node_modules/zod/')),
    );
  if (guests.length > 0)
    throw new SetupError(
      `${file} has schemas in it: ${guests.join(', ')} imports zod.`,
      'import only types from there (import type), load it on first use (import()), or move what is needed into a file without schemas',
    );
}

/**
 * Fails the build if a bundle is not ASCII: V8 stores a text with one letter beyond Latin-1 in two bytes per character,
 * which is 1 to 2 MB in each process. esbuild escapes such letters in strings, but not in regular expressions and tagged templates.
 */
function assertAscii(outputs) {
  for (const { path: file, text } of outputs) {
    const at = file.endsWith('.mjs') ? text.search(/[^\0-\x7f]/) : -1;
    if (at < 0) continue;
    throw new SetupError(
      `${path.basename(file)} is not ASCII: …${text.slice(Math.max(0, at - 60), at + 20)}…`,
      'write the letter as \\uXXXX, or build the regular expression from a string',
    );
  }
}

/**
 * Parts have their hash in their name. A host that was started before this build may still load a part of the previous
 * one.
 */
function removeOldParts() {
  for (const name of readdirSync(partsFolder)) {
    const part = path.join(partsFolder, name);
    if (Date.now() - statSync(part).mtimeMs > 86_400_000) rmSync(part, { force: true });
  }
}

/** By rename, and only if they differ: a running host has them open. */
function copyNativePackages(windowsTree) {
  const target = path.join(distFolder, 'node_modules');
  for (const name of nativePackages) {
    const from = path.join(windowsTree, 'node_modules', name);
    const to = path.join(target, name);
    const version = (folder) =>
      existsSync(path.join(folder, 'package.json'))
        ? JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version
        : undefined;
    if (version(to) === version(from)) continue;
    rmSync(`${to}.new`, { recursive: true, force: true });
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(from, `${to}.new`, { recursive: true });
    rmSync(to, { recursive: true, force: true });
    renameSync(`${to}.new`, to);
  }
}

/** Hash of the names and contents of files and folders. */
function hashOf(places, ...more) {
  const hash = createHash('sha256').update(more.join('\0'));
  const add = (place) => {
    if (!existsSync(place)) return;
    if (statSync(place).isDirectory()) {
      for (const name of readdirSync(place).sort()) add(path.join(place, name));
    } else {
      hash
        .update(`${path.relative(root, place)}\0`)
        .update(readFileSync(place))
        .update('\0');
    }
  };
  for (const place of places) add(place);
  return hash.digest('hex');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const [, windowsTree] = await Promise.all([ensurePackages(), ensureWindowsTree()]);
    await build({ windowsTree });
    await buildTypes();
    say('dist/ is up to date');
  } catch (error) {
    fail(error);
  }
}
