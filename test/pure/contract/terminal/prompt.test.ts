/** What a console’s prompt asks for, and which answers it takes. */
import { describe, expect, it } from 'vitest';
import { answerTo, promptOf, yesNoOf } from '../../../../src/contract/terminal/prompt.ts';

const bothOf = (...rows: string[]): unknown[] =>
  (['yes', 'no'] as const).map((answer) =>
    answerTo({ rows: [...rows, ''], width: Infinity, cursor: { x: 0, y: rows.length } }, answer),
  );

describe('[prompt.yes-no] the prompt’s own letters', () => {
  it.each([
    ['Proceed? (y/n) ', 'y', 'n'],
    ['Continuer ? (o/n) ', 'o', 'n'],
    ['Fortfahren? [J/n]', 'J', 'n'],
    ['¿Continuar? [S/N]: ', 'S', 'N'],
    ['Doorgaan? <j/n>', 'j', 'n'],
    ['Kontynuować? [T/n]', 'T', 'n'],
    ['Продолжить? [Д/н]', 'Д', 'н'],
    ['Devam edilsin mi? [E/h]', 'E', 'h'],
    ['Folytatja? (i/n)', 'i', 'n'],
    ['続行しますか? (はい/いいえ)', 'はい', 'いいえ'],
    ['是否继续 (是/否)?', '是', '否'],
    ['C:\\dir\\*.*, Are you sure (Y/N)?', 'Y', 'N'],
    ['Overwrite C:\\a\\b.txt? (Yes/No/All): ', 'Yes', 'No'],
    ['Are you sure you want to continue connecting (yes/no/[fingerprint])? ', 'yes', 'no'],
    ['Überschreiben (Ja/Nein/Alle)? ', 'Ja', 'Nein'],
    ['Remplacer (Oui/Non/Tous) : ', 'Oui', 'Non'],
    ['Confirma? (sim / não) ', 'sim', 'não'],
    ['Really? Yes/No', 'Yes', 'No'],
    ['Go on [y|N]', 'y', 'N'],
    ['[Y] Yes  [A] Yes to All  [N] No  [L] No to All  [S] Suspend  [?] Help (default is "Y"):', 'Y', 'N'],
    ['[J] Ja  [A] Ja, alle  [N] Nein  [K] Nein, keine  [?] Hilfe', 'J', 'N'],
    ['Delete \\share\\j/n/x? (n/y)', 'y', 'n'],
    ['Go on [Y,N]?', 'Y', 'N'],
    ['Install? (Y)es/(N)o: ', 'Y', 'N'],
    ['Ok to proceed? (y) ', 'y', 'n'],
    ['Weiter? (j)', 'j', 'n'],
    ['Type yes or no:', 'yes', 'no'],
    ['Schreiben Sie ja oder nein:', 'ja', 'nein'],
    ['1) No 2) Yes Choice:', '2', '1'],
  ])('%j', (prompt, yes, no) => {
    expect(yesNoOf(prompt)).toEqual({ yes, no });
    expect(bothOf(prompt)).toEqual([yes, no]);
  });

  it.each([
    'Proceed? ',
    'Choose (a/b)',
    'Path C:/Users/x',
    'Enter a number [1-5]:',
    'input/output error',
    '',
    'Abort/Retry/Fail?',
    'read/write',
    '[R]etry [S]kip [Q]uit:',
    "Type 'erase' to go on:",
    'There is no copy. Overwrite?',
  ])('shows none: %j, and nothing is guessed', (prompt) => {
    expect(yesNoOf(prompt)).toBeNull();
    expect(bothOf(prompt)).toEqual([null, null]);
  });

  it.each([
    ['a word in quotes above', ["Only 'yes' will be accepted to approve.", 'Enter a value:'], 'yes', null],
    ['a word in capitals', ['Remove all? (type YES to confirm)'], 'YES', null],
    ['a pair above', ['Overwrite a.txt? (y/n)', '>'], 'y', 'n'],
    ['choices, a row each', ['What now?', '  1) No', '  2) Yes', 'Choice:'], '2', '1'],
    ['an answered pair above', ['Overwrite a.txt? (y/n) y', 'Enter a value:'], null, null],
    ['a pair of other output', ['Overwrite a.txt? (y/n)', '', 'Enter a value:'], null, null],
  ])('%s', (_what, rows, yes, no) => expect(bothOf(...rows)).toEqual([yes, no]));

  it('the pair nearest to the cursor counts', () => {
    expect(yesNoOf('You said (y/n) before. Weiter? (j/n) ')).toEqual({ yes: 'j', no: 'n' });
  });
});

describe('the text that waits for an answer', () => {
  const rows = (...texts: string[]): string[] => texts.map((text) => text.padEnd(20));

  it('is the cursor’s row up to the cursor', () => {
    expect(promptOf({ rows: rows('Hello', 'Sure? (y/n) xyz', ''), width: 20, cursor: { x: 11, y: 1 } })).toBe(
      'Sure? (y/n)',
    );
  });

  it('is the last row with a text where the cursor is below it', () => {
    expect(promptOf({ rows: rows('Choose:', '> A', '  B', '', ''), width: 20, cursor: { x: 0, y: 4 } })).toBe('B');
  });

  it('takes along the rows that ran over into it, and no more', () => {
    expect(
      promptOf({
        rows: rows('other text', 'Delete the file name', 'd report.txt? (y/n) '),
        width: 20,
        cursor: { x: 19, y: 2 },
      }),
    ).toBe('Delete the file named report.txt? (y/n)');
  });

  it('is empty on an empty screen, and the last row when the cursor is below all rows', () => {
    expect(promptOf({ rows: rows('', ''), width: 20, cursor: { x: 0, y: 0 } })).toBe('');
    expect(promptOf({ rows: rows('a', 'b'), width: 20, cursor: { x: 3, y: 9 } })).toBe('b');
    expect(promptOf({ rows: [], width: 20, cursor: { x: 0, y: 0 } })).toBe('');
  });
});
