/** The port of terminals on a real desktop: prompts, reading, and opening. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createPorts } from '../support/ports.ts';
import { Consoles, promptProgram } from '../support/consoles.ts';
import { refusal } from '../support/elements.ts';
import { newCall, Program } from '../support/programs.ts';
import type { Permit } from '../../../../src/contract/gate/exit.ts';
import { withPermit } from '../../../../src/win32/exits/leaving.ts';
import { until } from '../../../support/until.ts';
import { startProcess } from '../../../../src/win32/apps/open.ts';
import { parseEnvironment, readUserEnvironment } from '../../../../src/win32/apps/user-environment.ts';
import { splitArguments, splitCommandLine } from '../../../../src/win32/terminal/open.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost terminal-'));
const bin = path.join(folder, 'bin');
mkdirSync(bin);
const shim = (name: string, ...lines: readonly string[]): void =>
  writeFileSync(path.join(bin, name), ['@echo off', ...lines, ''].join('\r\n'));
shim('claude.cmd', 'echo CLAUDE [%*] in [%CD%]');
shim('gemini.cmd', 'exit 5');

const user = readUserEnvironment();
const consoles = new Consoles({
  environment: () =>
    parseEnvironment([...user].map(([name, value]) => `${name}=${name === 'PATH' ? `${bin};${value}` : value}`)),
});
afterAll(() => {
  consoles[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

const screenOf = async (hwnd: string): Promise<string> =>
  (await consoles.port.read(await consoles.bind(hwnd), { styles: false }, newCall())).screen;

describe('a question in a classic console', () => {
  it('[prompt.console] is read, answered by key events, and read again; the program’s journal shows the answer', async () => {
    const asking = await consoles.ask('yes-no');
    const { value, outcome } = await asking.respond({ responseType: 'yes' });
    expect(value).toBe(true);
    expect(await asking.answered('yes-no')).toBe('y');
    expect(outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'console',
      focusChanged: false,
      cursorMoved: false,
    });
    expect(outcome.details).toMatchObject({
      prompt: 'Proceed? (y/n)',
      screen: expect.stringContaining('Answer: [y]'),
      isOpen: true,
      untrusted: true,
    });
    expect(outcome.evidence).toEqual([
      { kind: 'screen', before: expect.not.stringContaining('Answer'), after: expect.stringContaining('Answer: [y]') },
    ]);
    // The whole screen is there once: what was above the question has not changed.
    const [rows] = outcome.evidence;
    expect(String(rows?.before).trimEnd()).toBe('Proceed? (y/n)');
    expect(String(rows?.after).split('\n').length).toBeLessThan(String(outcome.details?.['screen']).split('\n').length);
  });

  it('[prompt.yes-no] gets its own letters or words, one prompt after the other', async () => {
    const asking = await consoles.ask('oui-non', 'ja-nein', 'words', 'yes-no');
    for (const [step, responseType, answer, prompt] of [
      ['oui-non', 'yes', 'o', 'Continuer ? (o/n)'],
      ['ja-nein', 'yes', 'J', 'Fortfahren? [J/n]'],
      ['words', 'no', 'No', 'Overwrite a.txt? (Yes/No/All):'],
      ['yes-no', 'no', 'n', 'Proceed? (y/n)'],
    ] as const) {
      await until(() => asking.journal('asked').some((entry) => entry['step'] === step), step);
      await until(
        async () =>
          (await consoles.port.read(asking.record, { styles: false }, newCall())).screen.trimEnd().endsWith(prompt),
        prompt,
      );
      expect((await asking.respond({ responseType })).outcome).toMatchObject({
        effect: 'confirmed',
        details: { prompt },
      });
      expect(await asking.answered(step)).toBe(answer);
    }
  });

  it('[prompt.select] a menu is answered by arrows and Enter: as keys of the arrow block, each down and up once', async () => {
    const asking = await consoles.ask('menu', 'menu');
    const { outcome } = await asking.respond({ responseType: 'select', arrowCount: 2 });
    expect(await asking.answered('menu')).toBe('Gamma – größer');
    expect(outcome).toMatchObject({
      effect: 'confirmed',
      details: { screen: expect.stringContaining('Selected: [Gamma') },
    });
    const keys = asking.journal('key').map(({ vk, scan, state, repeat }) => ({ vk, scan, state, repeat }));
    const down = { vk: 0x28, scan: 0x50, state: 0x100, repeat: 1 };
    expect(keys).toEqual([down, down, { vk: 13, scan: 0x1c, state: 0, repeat: 1 }]);
    await until(() => asking.journal('asked').length === 2, 'the second menu');
    await asking.respond({ responseType: 'select', arrowDirection: 'up', arrowCount: 1 });
    await until(() => asking.journal('answer').some((entry) => entry['text'] === 'Delta'), 'the last option');
  });

  it('a letter that the program takes by itself is not followed by Enter, which would answer the next question', async () => {
    const asking = await consoles.ask('key', 'yes-no');
    const { outcome } = await asking.respond({ responseType: 'yes' });
    expect(await asking.answered('key')).toBe('Y');
    expect(outcome).toMatchObject({
      effect: 'confirmed',
      attempts: [{ reason: expect.stringContaining('without Enter') }],
    });
    await until(() => asking.journal('asked').length === 2, 'the next question');
    expect(asking.journal('answer').map((entry) => entry['step'])).toEqual(['key']);
    await asking.respond({ responseType: 'no' });
    expect(await asking.answered('yes-no')).toBe('n');
  });

  it('no and yes in a menu are its choices, by keys that the program reads one at a time', async () => {
    const asking = await consoles.ask('choice', 'choice');
    const { outcome } = await asking.respond({ responseType: 'no' });
    expect(await asking.answered('choice')).toBe('No');
    expect(outcome).toMatchObject({ effect: 'confirmed', attempts: [{ reason: expect.stringContaining('“No”') }] });
    await until(() => asking.journal('asked').length === 2, 'the second question');
    await asking.respond({ responseType: 'yes' });
    await until(() => asking.journal('answer').some((entry) => entry['text'] === 'Yes'), 'the second answer');
    const downs = asking.journal('keys').map(({ vk, count }) => [vk, count]);
    expect(downs).toEqual([
      [0x28, 1],
      [13, 1],
      [13, 1],
    ]);
  });

  it('a menu drawn with escape sequences is read and answered without them, whatever the console makes of them', async () => {
    const asking = await consoles.ask('ansi');
    const shown = async (): Promise<string> =>
      (await consoles.port.read(asking.record, { styles: false }, newCall())).screen;
    await until(async () => (await shown()).includes('Delta'), 'the menu');
    expect(await shown()).toContain('> Alpha\n  Beta\n  Gamma – größer\n  Delta');
    const { outcome } = await asking.respond({ responseType: 'select', arrowCount: 2 });
    expect(await asking.answered('ansi')).toBe('Gamma – größer');
    expect(JSON.stringify(outcome)).not.toContain('\\u001b');
    expect(await shown()).toContain('  Beta\n> Gamma – größer\n  Delta\nSelected: [Gamma – größer]');
  });

  it('[prompt.type] a text goes in unchanged, then Enter', async () => {
    const asking = await consoles.ask('text', 'text');
    const text = 'Ada ’‘ " ` $ ; %PATH% & <größer> Ω 漢字 😀';
    expect((await asking.respond({ responseType: 'type', text })).outcome).toMatchObject({
      effect: 'confirmed',
      details: { prompt: 'Your name:' },
    });
    expect(await asking.answered('text')).toBe(text);
    await until(() => asking.journal('asked').length === 2, 'the second question');
    const long = 'abcdefghij'.repeat(60);
    await asking.respond({ responseType: 'type', text: long });
    await until(() => asking.journal('answer').some((entry) => entry['text'] === long), 'the long text');
    await refusal(asking.respond({ responseType: 'type', text: 'a\u0003' }), 'invalid_argument');
  });

  it('escape and enter are keys; an unchanged screen is not confirmed', async () => {
    const asking = await consoles.ask('menu', 'secret', 'wait');
    await asking.respond({ responseType: 'escape' });
    expect(await asking.answered('menu')).toBeNull();
    await until(() => asking.journal('asked').length === 2, 'the password');
    const secret = await asking.respond({ responseType: 'type', text: 'hidden word' });
    expect(await asking.answered('secret')).toBe('hidden word');
    expect(JSON.stringify(secret.outcome)).not.toContain('hidden word');
    await until(() => asking.journal('asked').length === 3, 'the last step');
    const before = (await consoles.port.read(asking.record, { styles: false }, newCall())).screen;
    const { outcome } = await asking.respond({ responseType: 'enter' });
    await until(() => asking.journal('exit').length === 1, 'the end');
    // Either the shell's own prompt came, or nothing at all; only the former is evidence.
    expect(outcome.effect).toBe(outcome.evidence.length > 0 ? 'confirmed' : 'unverified');
    expect(before).toContain('Thank you.');
  });

  it('a window that is not a terminal is refused', async () => {
    await using notepad = new Program('notepad.exe');
    const { binding } = createPorts();
    const record = await until(() => binding.find({ pid: notepad.pid }, newCall()).catch(() => null), 'Notepad');
    const answer = { responseType: 'enter', arrowDirection: 'down', arrowCount: 0, text: '' } as const;
    expect(await refusal(consoles.port.respond(record, answer, newCall()), 'unsupported')).toMatchObject({
      delivery: 'not_delivered',
      message: expect.stringContaining('not a terminal'),
    });
    await refusal(consoles.port.read(record, { styles: false }, newCall()), 'unsupported');
  });
});

describe('reading a terminal', () => {
  it('[terminal.read] the screen, the scroll-back, the cursor, and the exit status once the command has ended', async () => {
    const asking = await consoles.ask('--exit', '7', 'fill', 'yes-no');
    const running = await consoles.port.read(asking.record, { styles: false }, newCall());
    const rows = running.screen.split('\n');
    expect(rows.at(-1)).toBe('Proceed? (y/n)');
    expect(running.cursor).toEqual({ x: 'Proceed? (y/n) '.length, y: rows.length - 1 });
    expect(running.exitStatus).toBeNull();
    // The rows in view and the rows above them are the whole text, each row once, in order.
    const shown = [...(running.scrollback ?? '').split('\n'), ...rows].filter((row) => row.startsWith('Line '));
    const first = Number(/\d+/.exec(shown[0] ?? '')?.[0]);
    expect(shown).toEqual(Array.from({ length: 201 - first }, (_, index) => `Line ${first + index} of the text`));
    expect(rows.length).toBeLessThan(shown.length);
    await asking.respond({ responseType: 'yes' });
    await until(() => asking.journal('exit').length === 1, 'the end');
    await until(
      async () => (await consoles.port.read(asking.record, { styles: false }, newCall())).exitStatus === 7,
      'the exit status',
    );
  });

  it('marks shown by colour alone: the ticks of a list', async () => {
    const asking = await consoles.ask('ticks');
    const { screen, styles } = await consoles.port.read(asking.record, { styles: true }, newCall());
    const rows = screen.split('\n');
    const tick = (name: string, style: string) => ({ row: rows.indexOf(`√ ${name}`), text: '√', style });
    expect(styles).toEqual([tick('Käse', 'green'), tick('Brot', 'bright black'), tick('豆腐', 'green')]);
    expect(await consoles.port.read(asking.record, { styles: false }, newCall())).not.toHaveProperty('styles');
    await asking.respond({ responseType: 'enter' });
  });

  it('[exit.permitted] an answer that is not the permitted one is refused for what it is, and not written', async () => {
    const asking = await consoles.ask('yes-no');
    const permit: Permit = {
      exits: [{ kind: 'console', text: 'yes', variant: 'type' }],
      target: { window: null, element: null },
      start: null,
    };
    const answer = { responseType: 'type', arrowDirection: 'down', arrowCount: 0, text: 'no' } as const;
    // Before: it brings a permit of its own.
    const call = newCall({ deadlineMs: 20_000 });
    await expect(withPermit(permit, () => consoles.port.respond(asking.record, answer, call))).rejects.toMatchObject({
      code: 'state_conflict',
      message: expect.stringContaining('not judged'),
      delivery: 'not_delivered',
    });
    expect(asking.journal('answer')).toEqual([]);
    await asking.respond({ responseType: 'no' });
  });

  it('a command that the host did not start has no exit status', async () => {
    const asking = await consoles.ask('yes-no');
    using other = new Consoles();
    expect(await other.port.read(await other.bind(asking.record.hwnd), { styles: false }, newCall())).toMatchObject({
      screen: expect.stringContaining('Proceed?'),
      exitStatus: null,
    });
    await asking.respond({ responseType: 'no' });
  });

  it('an answer that ends the last program closes the console, and the outcome reports it', async () => {
    const { value } = await consoles.open({ agent: 'custom', terminal: 'cmd', command: 'cmd.exe' });
    const record = await consoles.bind(value.hwnd);
    const type = () =>
      consoles.port.respond(
        record,
        { responseType: 'type', arrowDirection: 'down', arrowCount: 0, text: 'exit' },
        newCall({ deadlineMs: 20_000 }),
      );
    await until(
      async () => (await consoles.port.read(record, { styles: false }, newCall())).screen.trimEnd().endsWith('>'),
      'the shell',
    );
    expect((await type()).outcome).toMatchObject({ effect: 'confirmed', details: { isOpen: true } });
    await until(
      async () => (await consoles.port.read(record, { styles: false }, newCall())).exitStatus === 0,
      'the end of the inner shell',
    );
    expect((await type()).outcome).toMatchObject({
      effect: 'confirmed',
      evidence: [{ kind: 'window', before: record.hwnd, after: null }],
      details: { isOpen: false, screen: null },
    });
    await refusal(consoles.port.read(record, { styles: false }, newCall()), 'window_gone');
  });

  it('[binding.rechecked] a console whose first program has ended belongs to another program: the error suggests binding it again', async () => {
    const asking = await consoles.ask('text');
    // As Windows names such a window then: by a process that was not bound.
    const before = { ...asking.record, pid: process.pid };
    const gone = await refusal(consoles.port.read(before, { styles: false }, newCall()), 'window_gone');
    expect(gone).toMatchObject({
      delivery: 'not_delivered',
      message: expect.stringContaining('another runs in it'),
      hint: expect.stringContaining('Bind the console again'),
    });
    await refusal(consoles.binding.verify(before, newCall()), 'window_gone');
    expect((await consoles.port.read(await consoles.bind(before.hwnd), { styles: false }, newCall())).screen).toContain(
      'Your name:',
    );
  });

  it('a helper that is gone is started again', async () => {
    const asking = await consoles.ask('yes-no');
    const first = consoles.port.helperPid();
    expect(first).not.toBeNull();
    process.kill(first ?? 0, 'SIGKILL');
    await until(() => consoles.port.helperPid() !== first, 'its end');
    await asking.respond({ responseType: 'yes' });
    expect(await asking.answered('yes-no')).toBe('y');
    expect(consoles.port.helperPid()).not.toBe(first);
  });
});

describe('opening a terminal', () => {
  it('[terminal.arguments] an agent of PATH starts by its shim, in the folder, with the arguments; its window is found by process', async () => {
    const { value, outcome } = await consoles.open({
      agent: 'claude',
      terminal: 'cmd',
      command: '--print "two words" a;b',
      workingDirectory: folder,
    });
    expect(value.launched).toBe(true);
    expect(outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'win32',
      focusChanged: false,
      details: { terminal: 'cmd', program: path.join(bin, 'claude.cmd') },
    });
    // The line may be wider than the console, wherever it then breaks.
    const bare = (text: string): string => text.replaceAll(/\s/g, '');
    await until(
      async () => bare(await screenOf(value.hwnd)).includes(bare(`CLAUDE [--print "two words" "a;b"] in [${folder}]`)),
      'what the shim prints',
    );
    // A title says nothing: another one of the same name is another window.
    const second = await consoles.open({ agent: 'claude', terminal: 'cmd', workingDirectory: folder });
    expect(second.value.hwnd).not.toBe(value.hwnd);
    expect(second.value.title).toBe(value.title);
    await until(async () => (await screenOf(second.value.hwnd)).includes('CLAUDE []'), 'what the second prints');
  });

  it('a terminal that ends at once was not launched', async () => {
    const seen = await consoles.open({ agent: 'gemini', terminal: 'cmd' }).then(
      ({ value }) => value.launched,
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    );
    expect([false, 'launch_failed: cmd.exe exited immediately with code 5.']).toContain(seen);
  });

  it('[terminal.directory] a missing program is launch_failed and named; a missing folder is refused', async () => {
    expect(await refusal(consoles.open({ agent: 'codex', terminal: 'cmd' }), 'launch_failed')).toMatchObject({
      delivery: 'not_delivered',
      message: expect.stringContaining('codex'),
    });
    expect(await refusal(consoles.open({ agent: 'claude', terminal: 'wt' }), 'launch_failed')).toMatchObject({
      message: expect.stringContaining('Windows Terminal'),
    });
    expect(
      await refusal(consoles.open({ agent: 'custom', command: 'no-such-program --x' }), 'launch_failed'),
    ).toMatchObject({ message: expect.stringContaining('no-such-program') });
    await refusal(
      consoles.open({ agent: 'claude', workingDirectory: path.join(folder, 'nothere') }),
      'invalid_argument',
    );
    await refusal(
      consoles.open({ agent: 'claude', workingDirectory: path.join(bin, 'claude.cmd') }),
      'invalid_argument',
    );
    await refusal(consoles.open({ agent: 'claude', workingDirectory: 'bin' }), 'invalid_argument');
  });

  it('[terminal.unsafe-arguments] arguments that cmd would change are refused, and nothing starts', async () => {
    for (const command of ['%PATH%', 'a&calc', 'x^y', 'say!']) {
      expect(
        await refusal(consoles.open({ agent: 'claude', terminal: 'cmd', command }), 'invalid_argument'),
      ).toMatchObject({ delivery: 'not_delivered' });
    }
  });

  it('a program gets the variables of its form in addition to the user’s own, unchanged', async () => {
    const file = path.join(folder, 'variables.txt');
    const value = '$(calc) `x` % ’‘ 漢字 😀\u001f--flag';
    const script = path.join(folder, 'tell.cjs');
    writeFileSync(
      script,
      "require('node:fs').writeFileSync(process.argv[2], JSON.stringify([process.env.uiahostarguments, process.env.USERPROFILE]))",
    );
    newCall();
    using started = startProcess({
      executable: process.execPath,
      commandLine: `"${process.execPath}" "${script}" "${file}"`,
      directory: folder,
      isQuiet: true,
      variables: { uiahostArguments: value },
    });
    await until(() => started.exitCode !== null, 'its end', 20_000);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([value, user.get('USERPROFILE')]);
  });

  it('without Windows Terminal it is cmd', async () => {
    const { outcome } = await consoles.open({ agent: 'custom', command: `"${promptProgram}" yes-no` });
    expect(outcome.details).toMatchObject({ terminal: 'cmd', program: promptProgram });
  });
});

describe('[terminal.custom] a command is split as CommandLineToArgvW does', () => {
  // Source: learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
  it.each([
    [String.raw`"abc" d e`, ['abc', 'd', 'e']],
    [String.raw`a\\b d"e f"g h`, [String.raw`a\\b`, 'de fg', 'h']],
    [String.raw`a\\\"b c d`, [String.raw`a\"b`, 'c', 'd']],
    [String.raw`a\\\\"b c" d e`, [String.raw`a\\b c`, 'd', 'e']],
    ['  two   blanks\t tab ', ['two', 'blanks', 'tab']],
    ['"" end', ['', 'end']],
  ])('%j', (text, expected) => expect(splitArguments(text)).toEqual(expected));

  it('the program’s own name may hold backslashes before a quote, and an empty command is refused', () => {
    expect(splitCommandLine(String.raw`"C:\Program Files\x.exe" "C:\dir\\" b`)).toEqual([
      String.raw`C:\Program Files\x.exe`,
      'C:\\dir\\',
      'b',
    ]);
    expect(() => splitCommandLine('   ')).toThrow(/empty/);
  });
});
