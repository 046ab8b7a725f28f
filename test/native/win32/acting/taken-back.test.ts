/** A program that takes a choice or a position back when it hears of it: never confirmed, and the program has the last word. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Elements } from '../support/elements.ts';
import { Fixture } from '../support/programs.ts';

const COMBO = '101';
const BAR = '113';

let fixture: Fixture;
let elements: Elements;

beforeAll(async () => {
  fixture = await Fixture.start('unread', ['--topmost']);
  elements = await Elements.bind(fixture.hwnd);
});
afterAll(() => fixture[Symbol.asyncDispose]());

async function held(id: string): Promise<unknown> {
  await fixture.tell('show');
  return fixture
    .journal()
    .filter((entry) => entry.event === 'holds' && entry['id'] === Number(id))
    .at(-1)?.['text'];
}

it('[outcome.taken-back] a choice when the list closes, a position while the thumb is followed', async () => {
  expect((await elements.select({ automationId: COMBO }, { index: 2 })).outcome.effect).toBe('confirmed');
  expect((await elements.type({ automationId: BAR }, '40')).outcome.effect).toBe('confirmed');
  expect([await held(COMBO), await held(BAR)]).toEqual(['2', '40']);
  await fixture.tell('take-back on');
  const chosen = await elements.select({ automationId: COMBO }, { index: 1 }).catch((error: unknown) => error);
  const placed = await elements.type({ automationId: BAR }, '60').catch((error: unknown) => error);
  expect([await held(COMBO), await held(BAR)]).toEqual(['0', '0']);
  for (const done of [chosen, placed]) expect(done).not.toMatchObject({ outcome: { effect: 'confirmed' } });
});
