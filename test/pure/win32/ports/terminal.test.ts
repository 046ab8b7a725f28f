/** Opening terminals and answering prompts, planned without Windows. */
import { describe, expect, it } from 'vitest';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { UiaHostError } from '../../../../src/contract/errors.ts';
import { parseEnvironment } from '../../../../src/win32/apps/user-environment.ts';
import {
  chooseLaunch,
  type Choice,
  findProgram,
  type ChoiceFacts,
  type Wanted,
  joinArguments,
  launchIn,
} from '../../../../src/win32/terminal/choose.ts';
import { chunksOf, strokesOf } from '../../../../src/win32/terminal/console-keys.ts';
import { terminalKind } from '../../../../src/win32/windows/classes.ts';
import { allowsScripts } from '../../../../src/win32/terminal/open.ts';
import { planAnswer } from '../../../../src/win32/terminal/screen-change.ts';

const SYSTEM = String.raw`C:\Windows\System32`;
const NPM = String.raw`C:\Users\Ada Byron\AppData\Roaming\npm`;
const APPS = String.raw`C:\Users\Ada Byron\AppData\Local\Microsoft\WindowsApps`;
const HOME = String.raw`C:\Users\Ada Byron`;
const CMD = String.raw`C:\Windows\System32\cmd.exe`;
const POWERSHELL = String.raw`C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe`;

/** A machine of which only this is known. */
function machine(files: readonly string[], environment: Record<string, string> = {}): ChoiceFacts {
  const known = new Set([CMD, ...files].map((file) => file.toLowerCase()));
  return {
    environment: parseEnvironment(
      Object.entries({
        Path: `${SYSTEM};"${NPM}";${APPS};.;tools;`,
        PATHEXT: '.COM;.EXE;.BAT;.CMD;.VBS;.JS',
        ...environment,
      }).map(([name, value]) => `${name}=${value}`),
    ),
    isFile: (path) => known.has(path.toLowerCase()),
    systemFolder: SYSTEM,
    runsScripts: true,
    splitCommand: (text) => text.split(' '),
    splitArguments: (text) => (text === '' ? [] : text.split(' ')),
  };
}

/** A terminal that shows nothing. */
const EMPTY = { rows: [], width: 80, cursor: { x: 0, y: 0 } };

const wanted = (overrides: Partial<Wanted> = {}): Wanted => ({
  agent: 'claude',
  command: undefined,
  terminal: undefined,
  directory: HOME,
  ...overrides,
});

function problem(work: () => unknown): Pick<UiaHostError, 'code' | 'message' | 'delivery'> {
  try {
    work();
  } catch (error) {
    return error as UiaHostError;
  }
  throw new Error('expected an error');
}

describe('where a program is', () => {
  it('a bare name is looked up on PATH with PATHEXT in their order, never in the current folder', () => {
    const facts = machine([`${NPM}\\claude.cmd`, `${APPS}\\claude.exe`, `${HOME}\\claude.exe`]);
    expect(findProgram('claude', HOME, facts)).toBe(`${NPM}\\claude.cmd`);
    expect(findProgram('claude.exe', HOME, facts)).toBe(`${APPS}\\claude.exe`);
    expect(findProgram('codex', HOME, facts)).toBeNull();
  });

  it('within a folder the extension that comes first in PATHEXT counts; a file that only opens as a document does not', () => {
    expect(findProgram('gemini', HOME, machine([`${NPM}\\gemini.cmd`, `${NPM}\\gemini.exe`]))).toBe(
      `${NPM}\\gemini.exe`,
    );
    expect(findProgram('gemini', HOME, machine([`${NPM}\\gemini.js`, `${NPM}\\gemini`]))).toBeNull();
    expect(
      findProgram('gemini', HOME, machine([`${NPM}\\gemini.cmd`, `${NPM}\\gemini.exe`], { PATHEXT: '.CMD;.EXE' })),
    ).toBe(`${NPM}\\gemini.cmd`);
  });

  it('relative folders of PATH are passed over, and a name with folders is taken from the working directory', () => {
    expect(findProgram('x', HOME, machine([String.raw`tools\x.exe`, `${HOME}\\tools\\x.exe`]))).toBeNull();
    expect(findProgram(String.raw`.\tools\x`, HOME, machine([`${HOME}\\tools\\x.exe`]))).toBe(`${HOME}\\tools\\x.exe`);
  });

  it('a block of variables is read without case, and entries of drives are none', () => {
    const environment = parseEnvironment([String.raw`=C:=C:\work`, 'Path=a;b', 'EMPTY=', 'WITH=a=b']);
    expect([...environment]).toEqual([
      ['PATH', 'a;b'],
      ['EMPTY', ''],
      ['WITH', 'a=b'],
    ]);
  });
});

describe('which terminal', () => {
  it('wt where it is installed, else cmd', () => {
    expect(chooseLaunch(wanted(), machine([`${NPM}\\claude.cmd`, `${APPS}\\wt.exe`]))).toMatchObject({
      terminal: 'wt',
      terminalPath: `${APPS}\\wt.exe`,
    });
    expect(chooseLaunch(wanted(), machine([`${NPM}\\claude.cmd`]))).toMatchObject({
      terminal: 'cmd',
      terminalPath: CMD,
      program: `${NPM}\\claude.cmd`,
      args: [],
    });
  });

  it('a missing terminal or agent is launch_failed naming it', () => {
    expect(problem(() => chooseLaunch(wanted({ terminal: 'wt' }), machine([`${NPM}\\claude.cmd`])))).toMatchObject({
      code: 'launch_failed',
      message: expect.stringContaining('wt.exe'),
      delivery: 'not_delivered',
    });
    expect(problem(() => chooseLaunch(wanted({ terminal: 'powershell' }), machine([])))).toMatchObject({
      code: 'launch_failed',
      message: expect.stringContaining('powershell.exe'),
    });
    expect(problem(() => chooseLaunch(wanted({ agent: 'gemini' }), machine([])))).toMatchObject({
      code: 'launch_failed',
      message: expect.stringContaining('gemini'),
    });
    expect(
      problem(() => chooseLaunch(wanted({ agent: 'custom', command: 'nothere.exe a' }), machine([]))),
    ).toMatchObject({ code: 'launch_failed', message: expect.stringContaining('nothere.exe') });
  });

  it('[terminal.arguments] command with a named agent is further arguments', () => {
    expect(chooseLaunch(wanted({ command: '--resume last' }), machine([`${NPM}\\claude.cmd`]))).toMatchObject({
      program: `${NPM}\\claude.cmd`,
      args: ['--resume', 'last'],
    });
  });

  it('[terminal.powershell] PowerShell takes the script next to the others, else the program; a custom program starts as well', () => {
    const inPowershell = wanted({ terminal: 'powershell' });
    expect(chooseLaunch(inPowershell, machine([POWERSHELL, `${NPM}\\claude.cmd`, `${NPM}\\claude.ps1`]))).toMatchObject(
      { program: `${NPM}\\claude.ps1` },
    );
    expect(chooseLaunch(inPowershell, machine([POWERSHELL, `${NPM}\\claude.cmd`]))).toMatchObject({
      program: `${NPM}\\claude.cmd`,
    });
    expect(
      chooseLaunch(
        wanted({ terminal: 'powershell', agent: 'custom', command: String.raw`C:\tools\top.exe -n 5` }),
        machine([POWERSHELL, String.raw`C:\tools\top.exe`]),
      ),
    ).toMatchObject({ program: String.raw`C:\tools\top.exe`, args: ['-n', '5'] });
  });

  it('[terminal.powershell] where its execution policy runs no scripts, it takes the program, and a script alone is refused', () => {
    const restricted = (files: readonly string[]): ChoiceFacts => ({ ...machine(files), runsScripts: false });
    const inPowershell = wanted({ terminal: 'powershell' });
    expect(
      chooseLaunch(inPowershell, restricted([POWERSHELL, `${NPM}\\claude.cmd`, `${NPM}\\claude.ps1`])),
    ).toMatchObject({ program: `${NPM}\\claude.cmd` });
    expect(problem(() => chooseLaunch(inPowershell, restricted([POWERSHELL, `${NPM}\\claude.ps1`])))).toMatchObject({
      code: 'launch_failed',
      message: expect.stringContaining('execution policy'),
      delivery: 'not_delivered',
    });
    const none = { isEnabled: null, policy: null };
    expect(allowsScripts([none, none, none, none])).toBe(false);
    expect(allowsScripts([none, none, { isEnabled: null, policy: 'RemoteSigned' }, none])).toBe(true);
    expect(allowsScripts([{ isEnabled: false, policy: null }, none, { isEnabled: null, policy: 'Bypass' }, none])).toBe(
      false,
    );
    expect(
      allowsScripts([{ isEnabled: true, policy: 'AllSigned' }, none, { isEnabled: null, policy: 'Bypass' }, none]),
    ).toBe(false);
    expect(
      allowsScripts([
        none,
        none,
        { isEnabled: null, policy: 'Undefined' },
        { isEnabled: null, policy: 'Unrestricted' },
      ]),
    ).toBe(true);
  });
});

describe('the fixed forms', () => {
  const program = `${NPM}\\claude.cmd`;
  const input = (terminal: Choice['terminal'], args: readonly string[], overrides: Partial<Choice> = {}): Choice => ({
    terminal,
    terminalPath: CMD,
    cmdPath: CMD,
    program,
    args,
    directory: HOME,
    ...overrides,
  });

  it('cmd: /d /s /k and the whole in one more pair of quotes, which /s takes off', () => {
    expect(launchIn(input('cmd', ['--print', 'two words', 'a;b', 'C:\\dir with blank\\']))).toEqual({
      executable: CMD,
      commandLine: String.raw`"C:\Windows\System32\cmd.exe" /d /s /k ""C:\Users\Ada Byron\AppData\Roaming\npm\claude.cmd" --print "two words" "a;b" "C:\dir with blank\\""`,
    });
  });

  it('powershell: -NoExit -File, and nothing that it would read as its own', () => {
    const script = `${NPM}\\claude.ps1`;
    expect(
      launchIn(input('powershell', ['$env:PATH; rm x', '%a%'], { terminalPath: POWERSHELL, program: script }))
        .commandLine,
    ).toBe(
      String.raw`"C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe" -NoExit -File "C:\Users\Ada Byron\AppData\Roaming\npm\claude.ps1" "$env:PATH; rm x" "%a%"`,
    );
  });

  it('powershell: the same command for every program, which comes as data with its arguments', () => {
    const start = (args: readonly string[], file: string) =>
      launchIn(input('powershell', args, { terminalPath: POWERSHELL, program: file }));
    const plain = start([], String.raw`C:\tools\top.exe`);
    const evil = start(
      ['$(calc); `whoami`', "'; & calc; '", '%PATH%', '$env:PATH', '--%'],
      String.raw`C:\$x; calc '\top.exe`,
    );
    expect(evil.commandLine).toBe(plain.commandLine);
    expect(plain.commandLine).toMatch(
      /^"C:\\Windows\\System32\\WindowsPowerShell\\v1\.0\\powershell\.exe" -NoExit -Command "[^"]*& \$program @arguments"$/,
    );
    expect(evil.variables).toEqual({
      uiahostProgram: String.raw`C:\$x; calc '\top.exe`,
      uiahostArguments: ['$(calc); `whoami`', "'; & calc; '", '%PATH%', '$env:PATH', '--%'].join('\u001f'),
    });
    // cmd reads a shim's arguments once more.
    expect(problem(() => start(['a&calc'], `${NPM}\\claude.cmd`))).toMatchObject({ code: 'invalid_argument' });
    for (const arg of ['say "hi"', '', 'a b\\', 'a\u001fb'])
      expect(problem(() => start([arg], String.raw`C:\tools\top.exe`))).toMatchObject({
        code: 'invalid_argument',
        delivery: 'not_delivered',
      });
  });

  it('wt: a window of its own, the folder, and every semicolon escaped', () => {
    const wt = `${APPS}\\wt.exe`;
    expect(
      launchIn(
        input('wt', ['a;b', 'c d'], {
          terminalPath: wt,
          program: String.raw`C:\npm\claude.cmd`,
          directory: String.raw`C:\a;b`,
        }),
      ).commandLine,
    ).toBe(
      String.raw`"C:\Users\Ada Byron\AppData\Local\Microsoft\WindowsApps\wt.exe" -w new -d "C:\a\;b" -- C:\Windows\System32\cmd.exe /d /k C:\npm\claude.cmd "a\;b" "c d"`,
    );
  });

  it.each(['a%PATH%', 'a!b', 'a^b', 'a&calc', 'a|b', 'a<b', 'a>b', 'say "hi"', 'a\r\nb', 'a\0b'])(
    '[terminal.unsafe-arguments] cmd and wt refuse an argument that cmd would change: %j',
    (arg) => {
      for (const terminal of ['cmd', 'wt'] as const) {
        expect(
          problem(() => launchIn(input(terminal, [arg], { program: String.raw`C:\npm\claude.cmd` }))),
        ).toMatchObject({
          code: 'invalid_argument',
          message: expect.stringContaining('Argument 1'),
          delivery: 'not_delivered',
        });
      }
    },
  );

  it('[terminal.unsafe-arguments] the path of the program and the folder are checked as well', () => {
    expect(problem(() => launchIn(input('cmd', [], { program: String.raw`C:\R&D\claude.cmd` })))).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('path of the program'),
    });
    expect(problem(() => launchIn(input('cmd', [], { directory: String.raw`C:\100%` })))).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('working directory'),
    });
    expect(problem(() => launchIn(input('cmd', [], { directory: String.raw`\\server\share` })))).toMatchObject({
      code: 'invalid_argument',
    });
    expect(problem(() => launchIn(input('powershell', ['a "b"'], { program: String.raw`C:\x.ps1` })))).toMatchObject({
      code: 'invalid_argument',
    });
    expect(problem(() => launchIn(input('powershell', [''], { program: String.raw`C:\x.ps1` })))).toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('[terminal.unsafe-arguments] arguments that wt would join differently are refused', () => {
    for (const [overrides, args] of [
      [{ program: String.raw`C:\Program Files (x86)\x.exe` }, []],
      [{}, ['two words']],
      [{}, ['(a)']],
      [{ program: String.raw`C:\x.exe` }, ['']],
      [{ program: String.raw`C:\x.exe` }, ['a b\\']],
    ] as const)
      expect(problem(() => launchIn(input('wt', args, overrides)))).toMatchObject({ code: 'invalid_argument' });
  });

  it('arguments are quoted by the rules of Windows programs', () => {
    expect(
      joinArguments(['plain', '', 'two words', 'quo"te', 'back\\slash', 'end\\', 'blank end\\', 'a\\"b', '漢字']),
    ).toBe(String.raw`plain "" "two words" "quo\"te" back\slash end\ "blank end\\" "a\\\"b" "漢字"`);
  });
});

describe('typed text', () => {
  it('line ends are one Enter each, tabs are Tab, other control characters are refused', () => {
    expect(strokesOf('a\r\nb\tc\n')).toEqual([
      { unit: 97 },
      { key: 'enter' },
      { unit: 98 },
      { key: 'tab' },
      { unit: 99 },
      { key: 'enter' },
    ]);
    for (const text of ['\u0003', 'a\u001b[A', '\u007f', '\u009b'])
      expect(problem(() => strokesOf(text))).toMatchObject({ code: 'invalid_argument', delivery: 'not_delivered' });
  });

  it('a long text is written in parts that split no surrogate pair', () => {
    const strokes = strokesOf(`${'a'.repeat(99)}😀${'b'.repeat(150)}`);
    const chunks = [...chunksOf(strokes)];
    expect(chunks.map((chunk) => chunk.length)).toEqual([101, 100, 50]);
    expect(chunks.flat()).toEqual(strokes);
  });

  it('[prompt.select] [prompt.type] select is arrows, 0 to 50, then Enter; type is the text, never empty, then Enter', () => {
    const answer = { responseType: 'select', arrowDirection: 'down', arrowCount: 2, text: '' } as const;
    expect(planAnswer(answer, EMPTY)).toMatchObject({ text: '', keys: ['down', 'down', 'enter'] });
    expect(planAnswer({ ...answer, arrowDirection: 'up', arrowCount: 0 }, EMPTY)).toMatchObject({ keys: ['enter'] });
    for (const arrowCount of [-1, 51, 1.5])
      expect(problem(() => planAnswer({ ...answer, arrowCount }, EMPTY))).toMatchObject({ code: 'invalid_argument' });
    expect(planAnswer({ ...answer, responseType: 'type', text: 'Ada' }, EMPTY)).toMatchObject({
      text: 'Ada',
      keys: ['enter'],
    });
    expect(problem(() => planAnswer({ ...answer, responseType: 'type', text: '' }, EMPTY))).toMatchObject({
      code: 'invalid_argument',
    });
    expect(planAnswer({ ...answer, responseType: 'enter' }, EMPTY)).toMatchObject({ text: '', keys: ['enter'] });
    expect(planAnswer({ ...answer, responseType: 'escape' }, EMPTY)).toMatchObject({ text: '', keys: ['escape'] });
  });

  it('yes and no in a menu move its mark to the choice; letters that the prompt shows come first', () => {
    const plan = (responseType: 'yes' | 'no', ...rows: readonly string[]): unknown =>
      planAnswer(
        { responseType, arrowDirection: 'down', arrowCount: 1, text: '' },
        { rows, width: 80, cursor: { x: rows.at(-1)?.length ?? 0, y: rows.length - 1 } },
      );
    const agent = [
      '│ Do you want to proceed?                                │',
      '│ ❯ 1. Yes                                               │',
      '│   2. Yes, and don’t ask again for del commands in a    │',
      '│      folder whose name is long                         │',
      '│   3. No, and tell the agent what to do                 │',
      '╰────────────────────────────────────────────────────────╯',
    ];
    expect(plan('yes', ...agent)).toMatchObject({
      text: '',
      keys: ['enter'],
      choice: { text: '1. Yes', answer: 'yes' },
    });
    expect(plan('no', ...agent)).toMatchObject({
      keys: ['down', 'down', 'enter'],
      choice: { text: '3. No, and tell the agent what to do', answer: 'no' },
    });
    expect(plan('yes', 'Delete all?', '  Ja', '> Nein')).toMatchObject({
      keys: ['up', 'enter'],
      choice: { text: 'Ja' },
    });
    expect(plan('no', 'Delete all?', '> Ja', '  Nein')).toMatchObject({
      keys: ['down', 'enter'],
      choice: { text: 'Nein' },
    });
    // an earlier menu is still on the screen
    const earlier = ['Delete all?', '  Yes', '> No', 'Chosen: [No]', 'Delete all?', '> Yes', '  No'];
    expect(plan('no', ...earlier)).toMatchObject({ keys: ['down', 'enter'], choice: { text: 'No' } });
    expect(plan('yes', ...earlier)).toMatchObject({ keys: ['enter'], choice: { text: 'Yes' } });
    // no mark, or two marks: anything would be a guess
    for (const rows of ['Delete all?\n  Yes\n  No', '> Yes\n> No'])
      expect(problem(() => plan('no', ...rows.split('\n')))).toMatchObject({ code: 'state_conflict' });
    expect(plan('no', '> quoted line', 'Answer: yes or no?')).toMatchObject({ text: 'no', keys: ['enter'] });
    expect(plan('no', '> Yes', '  No', 'Your answer [J/n]: ')).toMatchObject({ text: 'n', isLetter: true });
  });

  it('a console is spoken to by its own functions, Windows Terminal and others by text and keys, other windows not at all', () => {
    const record = (className: string, executable = 'C:\\x.exe') =>
      ({ className, title: 't', app: { bundleId: executable, displayName: 'x', executable } }) as BindingRecord;
    expect(terminalKind(record('ConsoleWindowClass'))).toBe('console');
    expect(terminalKind(record('WineConsoleClass'))).toBe('console');
    expect(terminalKind(record('CASCADIA_HOSTING_WINDOW_CLASS'))).toBe('other');
    expect(terminalKind(record('Window Class', String.raw`C:\Program Files\Alacritty\alacritty.exe`))).toBe('other');
    expect(problem(() => terminalKind(record('Notepad')))).toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('not a terminal'),
    });
  });
});
