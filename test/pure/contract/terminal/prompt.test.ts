/** What a console’s prompt asks for, and which answers it takes. */
import { describe, expect, it } from 'vitest';
import { answerTo, promptOf, yesNoOf } from '../../../../src/contract/terminal/prompt.ts';

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
  ])('%j', (prompt, yes, no) => {
    expect(yesNoOf(prompt)).toEqual({ yes, no });
    expect(answerTo(prompt, 'yes')).toEqual({ text: yes, from: 'prompt' });
    expect(answerTo(prompt, 'no')).toEqual({ text: no, from: 'prompt' });
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
  ])('shows none: %j, so y and n', (prompt) => {
    expect(yesNoOf(prompt)).toBeNull();
    expect(answerTo(prompt, 'yes')).toEqual({ text: 'y', from: 'default' });
    expect(answerTo(prompt, 'no')).toEqual({ text: 'n', from: 'default' });
  });

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
