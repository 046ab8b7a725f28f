/** The waits of the product (src/contract/patience.ts) in a test build and in what ships. */
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { defines } from '../../../scripts/build.mjs';

/** The waits as a build compiles them in, by name. */
function waits(define: Record<string, string>): Record<string, number> {
  const { outputFiles } = buildSync({
    entryPoints: ['src/contract/patience.ts'],
    define,
    bundle: true,
    format: 'esm',
    minifySyntax: true,
    write: false,
  });
  const text = outputFiles[0]!.text;
  expect(text).not.toMatch(/process|import|require|__PATIENCE__/);
  return Object.fromEntries(
    [...text.matchAll(/(\w+_MS) = (\d+)/g)].map(([, name = '', value]) => [name, Number(value)]),
  );
}

const WHOLE = { CARD_SETTLES_MS: 700, CHANGE_STAYS_MS: 1100, HOVER_SETTLES_MS: 400, QUIET_MS: 500, TEXT_STAYS_MS: 400 };

describe('the waits that tests pay', () => {
  it('are whole in what ships, whatever the environment says', () => expect(waits(defines)).toEqual(WHOLE));

  it('are shorter in a test build, but for the card’s and a change’s', () => {
    expect(waits({ __PATIENCE__: '0.5' })).toEqual({
      CARD_SETTLES_MS: 700,
      CHANGE_STAYS_MS: 1100,
      HOVER_SETTLES_MS: 200,
      QUIET_MS: 250,
      TEXT_STAYS_MS: 200,
    });
  });
});
