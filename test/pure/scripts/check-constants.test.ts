/** The check that Windows’ constants are declared in native-bindings only. */
import { describe, expect, it } from 'vitest';
import { declaredConstants } from '../../../scripts/check-constants.ts';
import { phrasesOf } from '../../support/words.ts';

describe('Windows’ constants in src', () => {
  it('are found in every kind of declaration', () => {
    expect(
      declaredConstants(
        [
          'const WM_CLOSE = 0x0010;',
          'export const GWL_STYLE: number = -16;',
          'const MESSAGES = { WM_NULL: 0, other: 1 };',
          'enum Keys { VK_TAB = 9 }',
          'class Frame { static readonly WS_CHILD = 0x4000_0000; }',
          'const SRCCOPY = (0xcc_0020 | 0x4000_0000) >>> 0;',
          'function inner() { const SYNCHRONIZE = 0x10_0000 as const; }',
        ].join('\n'),
      ).map((found) => found.split(' =')[0]),
    ).toEqual(phrasesOf`
      1: WM_CLOSE | 2: GWL_STYLE | 3: WM_NULL | 4: VK_TAB | 5: WS_CHILD | 6: SRCCOPY | 7: SYNCHRONIZE
    `);
  });

  it('are found by their family before the list has them', () => {
    expect(declaredConstants('const WM_OF_TOMORROW = 0x7fff;')).toEqual(['1: WM_OF_TOMORROW = 0x7fff']);
  });

  it('leave the project its own numbers and what is made of names', () => {
    expect(
      declaredConstants(
        [
          "import { WS_CHILD, WS_VISIBLE } from '../../native-bindings/win32/constants.ts';",
          'const WS_SHOWN = WS_CHILD | WS_VISIBLE;',
          'const PING_MS = 300;',
          'const TOKEN_LENGTH = 32;',
          'const KEY_BYTES = 32;',
          'const DEFAULT_PORT = 7423;',
          'const MOST_LINES = 50;',
        ].join('\n'),
      ),
    ).toEqual([]);
  });
});
