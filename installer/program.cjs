// What uiahost.exe runs: it is Node's single executable application with this text inside (scripts/lib/package/program.mjs).
// It runs the bundles of its own installation and nothing else. The first word may be the full path of one, as our own
// processes are started; any other words are those of the command line.
const { dirname, join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');

const folder = join(dirname(process.execPath), 'dist');
const bundles = ['cli', 'console', 'demo', 'host', 'inspect', 'overlay', 'service', 'setup', 'worker'];
const given = process.argv[2] ?? '';
const isSame = (name) => join(folder, `${name}.mjs`).toLowerCase() === resolve(given).toLowerCase();
const named = given === '' ? undefined : bundles.find(isSame);
// as Node would give them to that file
process.argv.splice(1, named === undefined ? 1 : 2, join(folder, `${named ?? 'cli'}.mjs`));

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
