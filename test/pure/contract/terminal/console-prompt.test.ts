/** Screens as the programs draw them: which of them ask, and which line Enter would send off. */
import { describe, expect, it } from 'vitest';
import { lineOf, shownPrompt } from '../../../../src/contract/terminal/console-prompt.ts';
import type { ShownConsole } from '../../../../src/contract/element/element.ts';

/** The cursor is behind the last row that has a text, or where `cursor` puts it. */
function screen(text: string, more: Partial<ShownConsole> = {}): ShownConsole {
  const rows = text.split('\n').map((row) => row.padEnd(80));
  const filled = rows.findLastIndex((row) => row.trim() !== '');
  const y = Math.max(0, filled);
  return { rows, width: 80, cursor: { x: text.split('\n')[y]?.length ?? 0, y }, isBehind: false, ...more };
}

const CLAUDE = `● I'll remove the folder.

╭──────────────────────────────────────────────────────────────────────────────╮
│ Bash command                                                                 │
│                                                                              │
│   rm -rf build                                                               │
│                                                                              │
│ Do you want to proceed?                                                      │
│ ❯ 1. Yes                                                                     │
│   2. Yes, and don't ask again for rm commands in C:\\work                     │
│   3. No, and tell Claude what to do differently (esc)                        │
╰──────────────────────────────────────────────────────────────────────────────╯
`;

describe('a terminal that asks', () => {
  it.each([
    ['Claude Code, a command', CLAUDE],
    [
      'Claude Code, the folder',
      ' Do you trust the files in this folder?\n\n ❯ 1. Yes, proceed\n   2. No, exit\n\n Enter to confirm · Esc to exit',
    ],
    [
      'Codex',
      "Would you like to run the following command?\n\n  $ del notes.txt\n\n› 1. Yes, proceed (y)\n  2. Yes, and don't ask again for these files (a)\n  3. No, and tell Codex what to do differently (esc)\n\n  Press enter to confirm or esc to cancel",
    ],
    ['Codex, in a row', 'Allow command?\n▌ Yes   Always   No, provide feedback'],
    [
      'Gemini CLI',
      '│ Apply this change?                  │\n│ ● 1. Yes, allow once                │\n│   2. Yes, allow always              │\n│   3. No (esc)                       │',
    ],
    ['allow and deny', '? Allow this tool\n  > 1) Allow\n    2) Deny'],
    ['German', 'Soll der Befehl laufen?\n❯ Ja\n  Nein'],
    ['a list of letters', 'Overwrite plan.txt? (y/n) '],
    ['its answer typed', 'Overwrite plan.txt? (y/n) y'],
    ['cmd', 'Terminate batch job (Y/N)? '],
    ['choice', 'Continue [Y,N]?'],
    ['PowerShell', '[Y] Yes  [A] Yes to All  [N] No  [L] No to All  [S] Suspend  [?] Help (default is "Y"): '],
    ['conda', 'Proceed ([y]/n)? '],
    ['npm', 'Need to install the following packages:\ncreate-app@1.0.0\nOk to proceed? (y) '],
    ['aider', 'Add files to the chat? (Y)es/(N)o [Yes]: '],
    ['ssh', 'Are you sure you want to continue connecting (yes/no/[fingerprint])? '],
  ])('%s', (_name, text) => {
    expect(shownPrompt(screen(text))).not.toBeNull();
    // A terminal whose cursor is unknown.
    expect(shownPrompt({ rows: text.split('\n'), width: 0, cursor: null })).not.toBeNull();
  });

  it.each([
    ['cmd', 'Microsoft Windows [Version 10.0.19045]\n\nC:\\Users\\ann>'],
    ['a command typed', 'C:\\Users\\ann>dir /b'],
    ['a listing', 'C:\\work>dir /b\nno-answer.txt\nyes.txt\nno.txt\nallow.log\nrun.bat\nC:\\work>'],
    ['a sentence', 'No errors were found. Yes, really.\n$ '],
    ['a task list', '1. Build the page\n2. Run the tests\n3. Write the letter\nC:\\>'],
    ['an empty screen', ''],
  ])('%s does not', (_name, text) => expect(shownPrompt(screen(text))).toBeNull());

  it('a prompt that was answered long ago does not count', () => {
    expect(
      shownPrompt(screen(`${CLAUDE}${Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n')}\nC:\\>`)),
    ).toBeNull();
  });

  it('a list of letters is answered once a letter follows it', () => {
    expect([
      shownPrompt(screen('Delete? (y/n) '))?.isUnanswered,
      shownPrompt(screen('Delete? [Y/n]: '))?.isUnanswered,
      shownPrompt(screen('Delete? (y/n) format c:'))?.isUnanswered,
    ]).toEqual([true, true, false]);
  });
});

it('the line that Enter sends off is the whole line at the cursor, even if it wraps or the cursor is inside it', () => {
  const long = `C:\\>echo ${'x'.repeat(153)} end`;
  const rows = [long.slice(0, 80), long.slice(80, 160), long.slice(160)].map((row) => row.padEnd(80));
  for (const cursor of [
    { x: 7, y: 2 },
    { x: 10, y: 0 },
    { x: 0, y: 1 },
  ])
    expect(lineOf({ rows, width: 80, cursor, isBehind: false })).toBe(long);
  expect(lineOf(screen('C:\\>dir', { cursor: { x: 4, y: 0 } }))).toBe('C:\\>dir');
  expect(lineOf(screen('C:\\>dir', { cursor: { x: 4, y: 99 } }))).toBeNull();
});
