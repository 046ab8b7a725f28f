// What uiahost.exe runs: it is Node's single executable application with this text inside, and beside it the names of our
// processes and the hash of each file of JavaScript that they load (scripts/lib/package/program.mjs). It runs these and
// nothing else, wherever it is copied. The first word may be the full path of a process's bundle, as our own processes are
// started; any other words are those of the command line.
const { createHash } = require('node:crypto');
const { readdirSync, readFileSync } = require('node:fs');
const { registerHooks } = require('node:module');
const { dirname, join, relative, resolve } = require('node:path');
const { getAsset } = require('node:sea');
const { fileURLToPath, pathToFileURL } = require('node:url');
const vm = require('node:vm');

const folder = join(dirname(process.execPath), 'dist');
/** `hashes`: by path below dist, with slashes. */
const { processes, hashes } = JSON.parse(getAsset('files', 'utf8'));
const given = process.argv[2] ?? '';
const isSame = (name) => join(folder, `${name}.mjs`).toLowerCase() === resolve(given).toLowerCase();
const named = given === '' ? undefined : processes.find(isSame);
// as Node would give them to that file
process.argv.splice(1, named === undefined ? 1 : 2, join(folder, `${named ?? 'cli'}.mjs`));

function check(file, text) {
  const name = relative(folder, file).replaceAll('\\', '/');
  if (hashes[name] === createHash('sha256').update(text).digest('base64')) return;
  process.stderr.write(
    `uiahost could not start. ${file} is not a file of this installation, or was changed. Repair the installation.\n`,
  );
  process.exit(1);
}

// all that is there, because threads load files without our hook; and again what is loaded, because it may have changed
for (const name of readdirSync(folder, { recursive: true }))
  if (/\.(?:[cm]?js|json)$/i.test(name) && !/^page[\\/]/.test(name))
    check(join(folder, name), readFileSync(join(folder, name)));
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (url.startsWith('file:') && loaded.format !== 'addon') check(fileURLToPath(url), loaded.source ?? '');
    return loaded;
  },
});

// `import` inside a single executable application knows only Node's own modules; this one is Node's usual loader, of
// which Node warns that it is experimental
const { emitWarning } = process;
process.emitWarning = () => {};
const load = new vm.Script('(url) => import(url)', {
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}).runInThisContext();
const loading = load(pathToFileURL(process.argv[1]).href);
process.emitWarning = emitWarning;
loading.catch((error) => {
  process.stderr.write(`uiahost could not start. ${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
});
