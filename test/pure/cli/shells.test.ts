/** Completion as each shell does it: the shells run, with a real command and a host; PowerShell’s script by its rules. */
import { execFile, spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { promisify, stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureShells } from '../../../scripts/lib/shells.mjs';
import { cliBundle, runCli, serveCli, temporaryFolder } from '../../support/cli.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);
let shells: Awaited<ReturnType<typeof ensureShells>>;
beforeAll(async () => {
  shells = await ensureShells();
}, 300_000);

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
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${await cliBundle()}' "$@"\n`);
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

describe('[cli.completion-shells] Tab completes', { timeout: 180_000 }, () => {
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

describe('[cli.completion-powershell] PowerShell’s script', () => {
  it('has the arguments of Register-ArgumentCompleter, and closes all that it opens', async () => {
    const script = (await runCli(['completion', 'powershell'], temporaryFolder())).stdout;
    expect(script).toMatch(/^Register-ArgumentCompleter -Native -CommandName uiahost, uiahost\.cmd -ScriptBlock \{$/m);
    // The completer of a native command gets the word, the command’s syntax tree and the cursor.
    expect(script).toMatch(/^\s*param\(\$word, \$ast, \$position\)$/m);
    const open: string[] = [];
    const closing: Record<string, string> = { ')': '(', '}': '{', ']': '[' };
    for (const [sign] of script.replaceAll(/'[^']*'|#.*/g, '').matchAll(/[(){}[\]]/g)) {
      if (closing[sign] === undefined) open.push(sign);
      else expect(open.pop()).toBe(closing[sign]);
    }
    expect(open).toEqual([]);
    expect(script).not.toContain('"');
  });

  it('passes an empty word by a name, since Windows PowerShell passes no empty argument', async () => {
    const folder = temporaryFolder();
    const { stdout: script } = await runCli(['completion', 'powershell'], folder);
    const [, name = ''] = /if \(\$word -eq ''\) \{ \$words \+= '(\w+)' \}/.exec(script) ?? [];
    const { stdout } = await runCli(['__complete', 'click', '--button', name], folder);
    expect(stdout.trim().split('\n')).toEqual(['left', 'right', 'middle']);
  });
});
