/** End to end: the lines of the pages, typed by a reader in the folder of a running `node scripts/start.mjs`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { cacheFolder } from '../../scripts/lib/places.mjs';
import { linuxNodes } from '../support/nodes.ts';
import { commandLines, pages, textOf } from '../support/pages.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Lines that are only parsed (test/pure/scripts/pages.test.ts), and why. */
const PARSED: ReadonlyArray<readonly [line: RegExp, why: string]> = [
  [/[|…[<]| NAME$|NAME\.mjs|^node bin\/uiahost\.mjs$/, 'a form that names what may be written'],
  [
    /^uiahost (?:click-element|session start|spool|token make(?: --policy)?|audit export(?:-key)?|data export)$/,
    'a name',
  ],
  [/SESSION|APPROVAL_ID| ID$|--token-file|--name Save$/, 'names what only the reader has'],
  [/--name "Place order"$/, 'first-session.test.ts answers its card'],
  [
    /budget|workbook-info|-(?:workbook|cells|range) |write-cell|Orders --count|--excel$/,
    'needs Excel: sheet-faces.test.ts',
  ],
  [/^uiahost data export FILE\.zip$/, 'packs the Windows disk of start.mjs too: data.test.ts'],
  [/^uiahost (?:service|autostart) |--left|--user/, 'needs Windows: service.test.ts'],
  [/^uiahost (?:run|routine|record) /, 'runs a routine: routines.test.ts'],
  [/^uiahost fleet/, 'needs the server of a fleet: test/fleet'],
  [/^uiahost selftest$|scripts\/selftest/, 'takes longer: selftest.test.ts'],
  [/scripts\/(?:start|smoke)\.mjs$/, 'each reader here begins with the first, and the second types it'],
  [/scripts\/generate\.mjs/, 'test/tools/oldest-node.test.ts'],
  [/oxfmt|ceilings-check/, 'changes the sources'],
  [/^node examples\//, 'needs a key of a vendor: examples.test.ts'],
  [
    /scripts\/(?:bench|check|clients|conformance|delivery-matrix|fleet\S*|fuzz|package\S*|pictures)\.mjs/,
    'takes longer',
  ],
  [/scripts\/(?:programs|sequences|sheets|soak|tasks|test)\.mjs/, 'takes minutes or hours'],
];

/** What a reader writes in place of a word in capitals, by the word before it, and of a day that is over. */
const FILLED: ReadonlyArray<readonly [form: RegExp, line: string]> = [
  [/(preset) NAME/, '$1 balanced'],
  [/(level) LEVEL/, '$1 control'],
  [/(allow) APP TIER/, '$1 notepad.exe click'],
  [/(mcp-config) NAME/, '$1 claude'],
  [/(check) FILE/, '$1 policy.json'],
  [/(export-key|--key) (?:FILE|KEY)/, '$1 audit.key'],
  [/--since \S+ --until \S+/, '--since 24h --until 2099-01-01'],
  [/(--data) (?:DIR|COPY)/, '$1 data'],
  [/(--after) (?:N-1|N)/, '$1 1'],
  [/(--limit) M/, '$1 5'],
];

/** They last until they are ended. */
const LASTING = /wine\.mjs|approvals watch/;
/** The status of a check that is not complete: without a key that the reader kept, or on a Node without SQLite. */
const INCOMPLETE = /audit verify --(?:bundle FILE|data)/;
/** What ends the host and deletes what it kept, after everything else. */
const LAST = ['uiahost stop-host', 'uiahost data remove', 'uiahost data remove --yes'];
const PATIENCE_MS = 20_000;

const written = new Set(
  pages
    .flatMap((page) => commandLines(textOf(page), /^(?:node [^-]|uiahost (?!proof 1)|npm run )/))
    .map((line) => line.replace(/\s+[#(].*| {3,}.*/, '')),
);
const lines = [
  ...[...written].filter((line) => !LAST.includes(line) && !PARSED.some(([form]) => form.test(line))),
  ...LAST,
];

/** A folder with the checkout's command and scripts, an installed `uiahost` and a browser; its variables. */
function readersFolder(folder: string, node: string): Record<string, string> {
  for (const name of ['bin', 'scripts']) symlinkSync(join(root, name), join(folder, name));
  writeFileSync(join(folder, 'policy.json'), '{ "level": "control" }\n');
  const programs = { uiahost: `exec node '${join(root, 'bin/uiahost.mjs')}' "$@"`, 'xdg-open': 'exit 0' };
  for (const [name, does] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
  return {
    PATH: [folder, dirname(node), process.env['PATH']].join(delimiter),
    HOME: folder,
    EDITOR: 'true',
    UIAHOST_CACHE: cacheFolder(),
    UIAHOST_DATA_DIR: join(folder, 'data'),
    UIAHOST_PORT: '0',
  };
}

/** What a line that a reader types ends with other than it should; undefined if it does as it should. */
async function faultOf(line: string, folder: string, env: Record<string, string>): Promise<string | undefined> {
  const typed = FILLED.reduce((whole, [form, words]) => whole.replace(form, words), line);
  const isLasting = LASTING.test(line);
  const child = spawn('bash', ['-c', typed], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  let isCut = false;
  const timer = setTimeout(() => (isCut = child.kill()), isLasting ? 2000 : PATIENCE_MS);
  const [status] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  if (isLasting ? isCut : status === 0 || (status === 2 && INCOMPLETE.test(line))) return undefined;
  return `${line}: ${isCut ? 'does not end' : `status ${String(status)}: ${isLasting ? '' : (await printed).join('')}`}`;
}

it('every line that is only parsed is one of a page', () => {
  const unused = PARSED.filter(([form]) => ![...written].some((line) => form.test(line)));
  expect(unused).toEqual([]);
  expect(LAST.filter((line) => !written.has(line))).toEqual([]);
  expect(lines.length).toBeGreaterThan(60);
});

it.concurrent.each(linuxNodes)('each line ends well on Node $version', { timeout: 240_000 }, async ({ program }) => {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-reader-'));
  const env = readersFolder(folder, await program());
  const ready = join(folder, 'ready.json');
  const started = spawn('node', ['scripts/start.mjs', '--ready-file', ready], { cwd: folder, env, stdio: 'ignore' });
  const ended = once(started, 'exit');
  try {
    await until(
      () => existsSync(ready) || started.exitCode !== null,
      (isOver) => isOver,
      60_000,
    );
    const faults: string[] = [];
    for (const line of lines) {
      const fault = await faultOf(line, folder, env);
      if (fault !== undefined) faults.push(fault);
    }
    expect(faults).toEqual([]);
  } finally {
    started.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
