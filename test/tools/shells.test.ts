/**
 * Completion as each shell does it: the shells run, with a real command and a host. PowerShell cannot run here:
 * its grammar parses the script and the line that was typed, and the real command gets what the script passes on.
 */
import { execFile, spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { promisify, stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureShells } from '../../scripts/lib/shells.mjs';
import { cliBundle, runCli, serveCli, temporaryFolder } from '../support/cli.ts';
import { powerShellGrammar, type PowerShellGrammar } from '../support/powershell.ts';
import { until } from '../support/until.ts';
import { phrasesOf } from '../support/words.ts';

const run = promisify(execFile);
let shells: Awaited<ReturnType<typeof ensureShells>>;
beforeAll(async () => {
  shells = await ensureShells();
});

interface Place {
  readonly folder: string;
  readonly env: Record<string, string>;
  /** The id of a card that waits. */
  readonly card: string;
}

/** A folder with the command `uiahost` and each shell’s script, and a host with a card that waits. */
async function place(): Promise<Place> {
  const served = await serveCli();
  served.host.asks.add('click-element');
  await served.call('POST', '/v1/actions/click-element?wait=0', { body: { name: 'OK' } });
  const [card = ''] = served.host.cards.keys();
  const folder = temporaryFolder();
  const command = join(folder, 'uiahost');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${cliBundle()}' "$@"\n`);
  chmodSync(command, 0o755);
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(folder, `script.${shell}`), (await runCli(['completion', shell], folder)).stdout);
  const env = {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    TERM: 'xterm',
    LC_ALL: 'C.UTF-8',
    UIAHOST_DATA_DIR: served.dataDirectory,
  };
  return { folder, env, card };
}

/** What a terminal shows after keys were typed into an interactive shell; each is typed once `seen` is there. */
async function typed(
  shell: string,
  { folder, env }: Place,
  steps: ReadonlyArray<{ readonly keys: string; readonly seen: RegExp }>,
): Promise<string> {
  const child = spawn('script', ['-qfec', shell, '/dev/null'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += stripVTControlCharacters(text)));
  const closed = readAll(child.stdout);
  try {
    for (const { keys, seen } of steps) {
      child.stdin.write(keys);
      await until(
        () => shown,
        (text) => seen.test(text),
        30_000,
      );
    }
  } finally {
    child.kill('SIGKILL');
  }
  await closed;
  return shown;
}

describe('Tab completes', () => {
  it('in bash', async () => {
    const here = await place();
    await typed('bash --norc --noprofile -i', here, [
      { keys: "PS1='$ '; source script.bash; echo ready-$((1+1))\n", seen: /ready-2/ },
      { keys: 'uiahost approv\t', seen: /uiahost approvals / },
      { keys: 'approve \t', seen: new RegExp(`approvals approve ${here.card}`) },
      { keys: '\u0015uiahost call click-\t', seen: /call click-element / },
      { keys: '\u0015uiahost click-element --del\t', seen: /click-element --delivery / },
      { keys: '\t\t', seen: /background +foreground/ },
    ]);
  });

  it('in zsh', async () => {
    const here = await place();
    writeFileSync(join(here.folder, 'setup.zsh'), `${shells.zshSetup}PS1='$ '\n`);
    await typed(`${shells.zsh} -f -i`, here, [
      { keys: 'source setup.zsh\nsource script.zsh\necho ready-$((1+1))\n', seen: /ready-2/ },
      { keys: 'uiahost approv\t', seen: /iahost approvals/ },
      { keys: '\u0015uiahost approvals approve \t', seen: new RegExp(`approve ${here.card}`) },
      { keys: '\u0015uiahost call click-\t', seen: /call click-element/ },
      { keys: '\u0015uiahost click-element --delivery \t\t', seen: /background +foreground/ },
    ]);
  });

  it('in fish', async () => {
    const here = await place();
    const complete = async (line: string): Promise<string[]> => {
      const { stdout } = await run(
        shells.fish,
        ['--no-config', '-c', 'source script.fish; complete -C $argv[1]', '--', line],
        { cwd: here.folder, env: here.env },
      );
      return stdout.trim().split('\n');
    };
    expect(await complete('uiahost approv')).toEqual(['approvals']);
    expect(await complete('uiahost approvals approve ')).toContain(here.card);
    expect(await complete('uiahost call click-')).toEqual(['click-element']);
    expect(await complete('uiahost click-element --del')).toEqual(['--delivery']);
    expect((await complete('uiahost click-element --delivery ')).sort()).toEqual(['background', 'foreground']);
  });
});

describe('PowerShell’s script', () => {
  let script: string;
  let grammar: PowerShellGrammar;
  beforeAll(async () => {
    grammar = await powerShellGrammar();
    ({ stdout: script } = await runCli(['completion', 'powershell'], temporaryFolder()));
  });

  it('is PowerShell, and has the arguments of Register-ArgumentCompleter', () => {
    expect(grammar.isValid(script)).toBe(true);
    // the grammar finds what is wrong
    for (const broken of [
      script.replace('})', ')'),
      script.trimEnd().slice(0, -1),
      script.replace("'__empty'", "'__empty"),
    ])
      expect(grammar.isValid(broken)).toBe(false);
    const [register] = grammar.commands(script);
    expect(register?.slice(0, -1).map(({ text }) => text)).toEqual(phrasesOf`
      Register-ArgumentCompleter | -Native | -CommandName | 'uiahost', 'uiahost.cmd' | -ScriptBlock
    `);
    // The completer of a native command gets the word, the command’s syntax tree and the cursor.
    expect(script).toMatch(/^\s*param\(\$word, \$ast, \$position\)$/m);
  });

  /** What the script passes to `uiahost __complete` for what was typed, the cursor being at the end. */
  function wordsFor(line: string): string[] {
    const place = String.raw`\$ast\.CommandElements \| Where-Object \{ \$_\.Extent\.StartOffset -lt \$position \}`;
    expect(script).toMatch(
      new RegExp(
        String.raw`\$words = @\(${place} \| Select-Object -Skip 1 \| ForEach-Object \{ \$_\.ToString\(\) \}\)`,
      ),
    );
    const [, plain = '', other = ''] =
      /\{ if \(\$_ -match '(\^\S+\$)'\) \{ \$_ \} else \{ '(\w+)' \} \}/.exec(script) ?? [];
    const [, empty = ''] = /if \(\$word -eq ''\) \{ \$words \+= '(\w+)' \}/.exec(script) ?? [];
    const [elements = []] = grammar.commands(line);
    const words = elements
      .filter(({ start }) => start < line.length)
      .slice(1)
      .map(({ text }) => (new RegExp(plain, 'i').test(text) ? text : other));
    return line.endsWith(' ') ? [...words, empty] : words;
  }

  it.each([
    ['uiahost approv', ['approvals']],
    ['uiahost call click-', ['click-element']],
    ['uiahost click-element --del', ['--delivery']],
    ['uiahost click-element --delivery ', ['background', 'foreground']],
    ['uiahost completion z', ['zsh']],
    [`uiahost type-into-element --text "two words" --del`, ['--delivery']],
  ])('completes %s', async (line, expected) => {
    const { stdout } = await runCli(['__complete', ...wordsFor(line)], temporaryFolder());
    expect(stdout.trim().split('\n')).toEqual(expected);
  });

  it('completes ids of cards that wait', async () => {
    const { folder, env, card } = await place();
    const { stdout } = await run(join(folder, 'uiahost'), ['__complete', ...wordsFor('uiahost approvals approve ')], {
      env,
    });
    expect(stdout.trim().split('\n')).toEqual([card]);
  });

  it.each([
    ["'a&calc'", "'%PATH%'"],
    ['"a|b"', '"^"'],
    ['$(calc)', "'`&'"],
    ["'a\"b'", "'('"],
  ])('passes no sign of %s and %s, which cmd.exe would take as its own', (one, two) => {
    const words = wordsFor(`uiahost type-into-element --text ${one} --name ${two} --del`);
    expect(words).toEqual(['type-into-element', '--text', '__other', '--name', '__other', '--del']);
  });

  it('gets no line where nothing fits: PowerShell refuses an empty candidate', async () => {
    const { stdout, status } = await runCli(['__complete', 'nothing-like-this'], temporaryFolder());
    expect([stdout, status]).toEqual(['', 0]);
  });
});
