/** What keys are compared with before the first of them is sent. */
import { expect, it } from 'vitest';
import type { PermittedPlace } from '../../../../src/contract/gate/exit.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import type { CallContext } from '../../../../src/desktop/index.ts';
import { assertSameFocus } from '../../../../src/win32/input/keyboard-foreground.ts';
import { bound, CHROME, element } from '../../policy/world.ts';

const target: PermittedPlace = {
  window: bound(CHROME),
  element: element('Edit', 'Search'),
  address: 'https://ok.example/a',
};
const call = { permit: { exits: [], target, start: null } } as unknown as CallContext;
type Tools = Parameters<typeof assertSameFocus>[2];

it.each([true, false])(
  '[press.compared] keys for a page are refused where the browser shows another one, and asked of the judged window (real: %s)',
  (isReal) => {
    const asked: unknown[] = [];
    const fakeTrees = (page: string | null): Tools =>
      ({
        focus: {},
        trees: { pageInstead: (...given: unknown[]) => (asked.push(given.slice(0, 2)), page) },
      }) as unknown as Tools;
    assertSameFocus(target.window, isReal, fakeTrees(null), call);
    expect(asked).toEqual([[target.window, target]]);
    try {
      assertSameFocus(null, isReal, fakeTrees('the page is now “https://other.example/”'), call);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(UiaHostError);
      expect(error).toMatchObject({ code: 'state_conflict' });
    }
  },
);
