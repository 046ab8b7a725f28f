/** A program's own provider, which shows something else by the time of the press. */
import { expect, test } from 'vitest';
import type { CallContext } from '../../../../src/desktop/index.ts';
import type { Permit } from '../../../../src/contract/gate/exit.ts';
import { FocusMemory, findKeyTarget } from '../../../../src/win32/elements/finding/text-target.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { createPointerPort } from '../../../../src/win32/ports/input.ts';
import { Elements, only, refusal } from '../support/elements.ts';
import { everyExit } from '../support/permits.ts';
import { Fixture, newCall } from '../support/programs.ts';

const { exits } = everyExit();
const call = (permit?: Permit): CallContext => newCall({ deadlineMs: 60_000, ...(permit && { permit }) });
const LEFT = { button: 'left', count: 1, modifiers: [], delivery: 'background' } as const;

test('what is there now instead of what was judged gets nothing', async () => {
  await using fixture = await Fixture.start('provider', ['--small']);
  using focus = new FocusMemory();
  const elements = await Elements.bind(
    fixture.hwnd,
    { focus, keysTo: (bound) => findKeyTarget(bound, focus, 'test/default') },
    60_000,
  );
  const { port, record } = elements;
  const pointer = createPointerPort(elements.services, { held: new HeldInputs(), focus, trees: port });
  focus.follow(fixture.hwnd);
  const nodes = await elements.nodes({ budgetMs: 50_000 }, call());
  const { ref } = only(nodes, { id: 'btnOk' });
  const { x, y, height } = (await elements.context({ ref: only(nodes, { id: 'chkAgree' }).ref }, 'click', call()))
    .element!.rect;
  const at = { x: x + 20, y: y + Math.round(height / 2) };
  const point = await port.context(record, { kind: 'point', at }, call());
  const place = { window: record, element: point.element };
  await fixture.tell('name chkAgree Delete everything');
  await refusal(pointer.click(record, at, LEFT, call({ exits, target: place, start: place })), 'state_conflict');
  const again = await port.context(record, { kind: 'point', at }, call());
  expect(again.element?.name).toBe('Delete everything');
  const now = { window: record, element: again.element };
  await fixture.tell('cover');
  await refusal(pointer.click(record, at, LEFT, call({ exits, target: now, start: now })), 'state_conflict');
  const { element } = await elements.context({ ref }, 'click', call());
  await fixture.tell('name btnOk Delete');
  const named = { window: record, element, isNamed: true };
  await refusal(
    port.click(record, ref, { delivery: 'background' }, call({ exits, target: named, start: null })),
    'state_conflict',
  );
  expect((await elements.context({ ref }, 'click', call())).element?.name).toBe('Delete');
  await fixture.tell('remove btnOk');
  await refusal(elements.context({ ref }, 'click', call()), 'element_stale');
  const pressed = fixture.journal().filter(({ event }) => ['invoke', 'toggle'].includes(event));
  expect(pressed).toEqual([]);
  port[Symbol.dispose]();
});
