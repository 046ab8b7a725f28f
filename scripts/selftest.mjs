// `npm run selftest [-- --any] [FILE]`: the selftest's report of this machine, beginning with a clone: packages, build, host,
// `uiahost doctor`, `uiahost selftest`. The report is written wherever it ends, with what ended it. The exit status is the
// selftest's; with --any it is 0 if there is a report, for machines without a desktop to drive.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePackages } from './lib/dependencies.mjs';
import { callerFolder, packageJson, root } from './lib/places.mjs';
import { end, ended } from './lib/processes.mjs';
import { say, SetupError } from './lib/progress.mjs';

/** The first start sets up what is missing: downloads, and a build. */
const readyWithin = 20 * 60_000;
const every = 200;

const { values, positionals } = parseArgs({ options: { any: { type: 'boolean' } }, allowPositionals: true });
const report = path.resolve(callerFolder(), positionals[0] ?? 'uiahost-selftest.json');
const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-selftest-'));
const env = { ...process.env, UIAHOST_DATA_DIR: path.join(folder, 'data'), UIAHOST_PORT: '0', UIAHOST_LEVEL: 'full' };
const began = Date.now();
let stage = 'npm ci';
let problem = '';
rmSync(report, { force: true });
mkdirSync(path.dirname(report), { recursive: true });
try {
  await ensurePackages();
  stage = 'node scripts/start.mjs';
  const host = await startedHost();
  try {
    // what it finds is for the reader of the output
    await uiahost('doctor');
    stage = 'uiahost selftest';
    const status = await uiahost('selftest', '--output', report);
    if (status !== 0) problem = `ended with status ${status}`;
  } finally {
    await host.stop();
  }
} catch (error) {
  problem = error instanceof SetupError ? error.message : (error?.stack ?? String(error));
} finally {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // a host that still ends holds its files; the report matters more
  }
}
if (!existsSync(report)) writeFileSync(report, `${JSON.stringify(reportOfFailure(), null, 2)}\n`);
const text = readFileSync(report, 'utf8');
process.stdout.write(`\n${text}`);
const { GITHUB_STEP_SUMMARY: summary } = process.env;
if (summary) appendFileSync(summary, `\`\`\`json\n${text}\`\`\`\n`);
if (problem !== '') process.stderr.write(`\n${stage}: ${problem}\n`);
process.exitCode = problem === '' || values.any ? 0 : 1;

/** In the form of the selftest's own, for machines on which it did not begin. */
function reportOfFailure() {
  return {
    uiahost: packageJson().version,
    date: new Date(began).toISOString(),
    system: null,
    machine: `${process.platform} ${os.release()} ${process.arch}, Node ${process.versions.node}`,
    steps: [],
    ended: `${stage}: ${problem}`.replaceAll(os.homedir(), '~'),
    ms: Date.now() - began,
    ok: false,
  };
}

/** `npm start` until its host answers. Errors: SetupError with what it printed. */
async function startedHost() {
  const ready = path.join(folder, 'ready.json');
  const args = [path.join(root, 'scripts/start.mjs'), '--no-demo', '--ready-file', ready];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (printed) => {
      output += printed;
      process.stdout.write(printed);
    });
  const limit = performance.now() + readyWithin;
  while (!existsSync(ready) && child.exitCode === null && performance.now() < limit)
    await new Promise((done) => setTimeout(done, every));
  if (existsSync(ready)) return { stop: () => end(child, 30_000) };
  await end(child, 0);
  throw new SetupError(`the host did not get ready (status ${child.exitCode}).\n${output.trim().slice(-4000)}`);
}

async function uiahost(...words) {
  say(`uiahost ${words.join(' ')} …`);
  const child = spawn(process.execPath, [path.join(root, 'bin/uiahost.mjs'), ...words], { env, stdio: 'inherit' });
  await ended(child);
  return child.exitCode;
}
