// Runs npm as the person at the terminal does.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isWindows } from './places.mjs';
import { run, which } from './processes.mjs';
import { SetupError } from './progress.mjs';

/** npm's own variables of a surrounding `npm start` must not leak into another npm run. */
const isNpmOwn = (name) =>
  /^npm_(lifecycle|package|command|execpath|node_execpath)/.test(name) ||
  /^npm_config_(local_prefix|prefix)$/.test(name) ||
  name === 'INIT_CWD';

/** @returns {[program: string, first: string[]]} */
function npmCommand() {
  // Node that runs npm, not ours: ours may be the one inside node_modules, which npm is about to replace
  const node =
    process.env.npm_node_execpath && existsSync(process.env.npm_node_execpath)
      ? process.env.npm_node_execpath
      : process.execPath;
  const outer = process.env.npm_execpath;
  if (outer && path.basename(outer) === 'npm-cli.js' && existsSync(outer)) return [node, [outer]];
  const beside = path.join(
    path.dirname(node),
    isWindows ? 'node_modules/npm/bin/npm-cli.js' : '../lib/node_modules/npm/bin/npm-cli.js',
  );
  if (existsSync(beside)) return [node, [beside]];
  if (!isWindows && which('npm')) return ['npm', []];
  throw new SetupError('npm was not found.', 'install Node.js with npm from https://nodejs.org');
}

/** Runs npm with these arguments in a folder. */
export async function npm(args, cwd, what) {
  const [command, first] = npmCommand();
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isNpmOwn(name)));
  await run(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    env,
    what,
    cure: 'check the connection to the npm registry and run the command again',
  });
}
