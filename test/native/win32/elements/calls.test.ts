/** What each action asks, by size of its window: counted, not timed, so that no mending buys truth with time unseen. */
import { expect, test } from 'vitest';
import type { Permit } from '../../../../src/contract/gate/exit.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { outerRect } from '../../../../src/win32/windows/rects.ts';
import { only } from '../support/elements.ts';
import { callsOf, countCalls } from '../support/native-calls.ts';
import { everyExit } from '../support/permits.ts';
import { Session } from '../support/session.ts';
import { Fixture, newCall } from '../support/programs.ts';

const SIZES = [50, 300, 3000] as const;
/** The third row of the pattern that the fixture repeats: a button, a field, a text, a check box. */
const [BUTTON, FIELD, CHECK] = ['1008', '1009', '1011'] as const;
const { exits } = everyExit();

/**
 * The most native calls and messages of each action. A look is repeated until something shows, so that a busy machine makes
 * fewer of them. Reading, and whatever reads the whole window, grows with its size: the most for each control.
 */
const CEILINGS: Readonly<Record<string, { readonly calls: number; readonly messages: number; readonly each?: true }>> =
  {
    'click by ref': { calls: 1300, messages: 62 },
    'check by ref': { calls: 380, messages: 30 },
    'type into by ref': { calls: 420, messages: 36 },
    type: { calls: 1300, messages: 32 },
    'check by id': { calls: 6.5, messages: 1, each: true },
    'click at a point': { calls: 6, messages: 0.1, each: true },
    read: { calls: 2.2, messages: 0.27, each: true },
  };
/** What an action whose cost follows the window may ask besides. */
const BESIDES = { calls: 300, messages: 45 } as const;

interface Asked {
  readonly calls: number;
  readonly messages: number;
}

async function asked(size: number): Promise<Map<string, Asked>> {
  await using fixture = await Fixture.start('controls', ['--many', String(size), '--no-message-log']);
  using session = await Session.bind(fixture.hwnd);
  const { elements, record, pointer } = session;
  const { port } = elements;
  const nodes = await elements.nodes();
  const refOf = (id: string): string => only(nodes, { id }).ref;
  const [button, field, check] = [refOf(BUTTON), refOf(FIELD), refOf(CHECK)];
  const place = outerRect(user32.GetDlgItem(fixture.hwnd, Number(CHECK)))!;
  const at = { x: place.x + 10, y: place.y + Math.round(place.height / 2) };
  let turn = 0;
  const click = async (query: { ref: string } | { automationId: string }): Promise<unknown> => {
    const { element } = await elements.context(query);
    return port.click(record, element!.ref, { delivery: 'background' }, newCall());
  };
  const actions: Readonly<Record<string, () => Promise<unknown>>> = {
    'click by ref': () => click({ ref: button }),
    'check by ref': () => click({ ref: check }),
    'check by id': () => click({ automationId: CHECK }),
    'click at a point': async () => {
      const { element } = await port.context(record, { kind: 'point', at }, newCall());
      const target = { window: record, element };
      const permit: Permit = { exits, target, start: target };
      const wanted = { button: 'left', count: 1, modifiers: [], delivery: 'background' } as const;
      return pointer.click(record, at, wanted, newCall({ permit }));
    },
    'type into by ref': async () => {
      await elements.context({ ref: field }, 'type');
      const wanted = { mode: 'replace', delivery: 'background', isSecret: false } as const;
      return port.typeInto(record, field, `text ${(turn += 1)}`, wanted, newCall());
    },
    type: () => session.type('x'),
    read: () => elements.snapshot(),
  };
  const counts = new Map<string, Asked>();
  for (const [name, act] of Object.entries(actions)) {
    await act();
    await elements.snapshot();
    const by = await countCalls(act);
    const messages = callsOf(by, 'SendMessageTimeoutW', 'PostMessageW');
    counts.set(name, { calls: callsOf(by), messages });
  }
  return counts;
}

test.each(SIZES)('an action in a window of %d controls asks no more than this', async (size) => {
  for (const [name, { calls, messages }] of await asked(size)) {
    const most = CEILINGS[name]!;
    const [times, besides] = most.each === true ? [size, BESIDES] : [1, { calls: 0, messages: 0 }];
    expect(calls, `${name}: calls`).toBeLessThanOrEqual(most.calls * times + besides.calls);
    expect(messages, `${name}: messages`).toBeLessThanOrEqual(most.messages * times + besides.messages);
  }
});
