// `npm run selftest [-- --any] [FILE]`: the selftest's report of this machine, beginning with a clone: packages, build, host,
// `uiahost doctor`, `uiahost selftest`. The report is written wherever it ends, with what ended it. The exit status is the
// selftest's; with --any it is 0 if there is a report, for machines without a desktop to drive.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePackages } from './lib/dependencies.mjs';
import { startWhole } from './lib/host.mjs';
import { callerFolder, packageJson, root } from './lib/places.mjs';
import { ended } from './lib/processes.mjs';
import { say, SetupError } from './lib/progress.mjs';

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
  const host = await startWhole(folder, env);
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
// the selftest has printed its table; the file is for an issue
if (!existsSync(report)) {
  writeFileSync(report, `${JSON.stringify(reportOfFailure(), null, 2)}\n`);
  process.stdout.write(`\nReport: ${report}\n`);
}
const { GITHUB_STEP_SUMMARY: summary } = process.env;
if (summary) appendFileSync(summary, `\`\`\`json\n${readFileSync(report, 'utf8')}\`\`\`\n`);
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
    beliefs: stage === 'uiahost selftest' ? {} : { T1: 'no' },
    ended: `${stage}: ${problem}`.replaceAll(os.homedir(), '~'),
    ms: Date.now() - began,
    ok: false,
  };
}

async function uiahost(...words) {
  say(`uiahost ${words.join(' ')} …`);
  const child = spawn(process.execPath, [path.join(root, 'bin/uiahost.mjs'), ...words], { env, stdio: 'inherit' });
  await ended(child);
  return child.exitCode;
}
