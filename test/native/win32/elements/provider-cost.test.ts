/** What an action asks of a program's own provider, where the system has no search: counted by that program itself. */
import { describe, expect, test } from 'vitest';
import type { ElementContext } from '../../../../src/contract/element/element.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { Point } from '../../../../src/contract/element/geometry.ts';
import type { Permit } from '../../../../src/contract/gate/exit.ts';
import type { Win32ElementPort } from '../../../../src/win32/ports/element.ts';
import type { CallContext, TargetSpec } from '../../../../src/desktop/index.ts';
import { FocusMemory, findKeyTarget } from '../../../../src/win32/elements/finding/text-target.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { createKeyboardPort, createPointerPort } from '../../../../src/win32/ports/input.ts';
import { Elements, journaled, refusal } from '../support/elements.ts';
import { everyExit } from '../support/permits.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { until } from '../../../support/until.ts';

const { exits } = everyExit();
const SMALL = 4;
const LARGE = 100;
/** More than is read in this time (ms). */
const ENDLESS = 600;
/** An effect is looked at up to seven times, as far as looks are quick; one reading of the large window is 3,000. */
const LOOKS = 7 * 160;
const PART_MS = 6000;

/** Everything that acts on a window, and its elements as a snapshot showed them. */
async function known(fixture: Fixture, focus: FocusMemory, budgetMs = 50_000): Promise<Known> {
  const elements = await Elements.bind(
    fixture.hwnd,
    { focus, keysTo: (bound) => findKeyTarget(bound, focus, 'test/default') },
    60_000,
  );
  const parts = { held: new HeldInputs(), focus, trees: elements.port };
  focus.follow(fixture.hwnd);
  const nodes = await elements.nodes({ budgetMs }, call());
  return {
    elements,
    port: elements.port,
    record: elements.record,
    pointer: createPointerPort(elements.services, parts),
    keyboard: createKeyboardPort(elements.services, parts),
    refOf: (id) => nodes.find((node) => node.id === id)!.ref,
    inside: async (id) => {
      const ref = nodes.find((node) => node.id === id)!.ref;
      const { x, y, height } = (await elements.context({ ref }, 'click', call())).element!.rect;
      return { x: x + 20, y: y + Math.round(height / 2) };
    },
  };
}

interface Known {
  readonly elements: Elements;
  readonly port: Win32ElementPort;
  readonly record: BindingRecord;
  readonly pointer: ReturnType<typeof createPointerPort>;
  readonly keyboard: ReturnType<typeof createKeyboardPort>;
  refOf(id: string): string;
  /** A point of it, on the screen. */
  inside(id: string): Promise<Point>;
}

const call = (permit?: Permit): CallContext => newCall({ deadlineMs: 60_000, ...(permit && { permit }) });
const LEFT = { button: 'left', count: 1, modifiers: [], delivery: 'background' } as const;

/** Each action of a person, in a window whose elements are known by a snapshot; how many questions it took. */
async function questions(rows: number, budgetMs?: number): Promise<Map<string, number>> {
  await using fixture = await Fixture.start('provider', ['--small', '--many', String(rows)]);
  using focus = new FocusMemory();
  const { elements, port, record, pointer, keyboard, refOf, inside } = await known(fixture, focus, budgetMs);
  const of = (id: string, purpose: Extract<TargetSpec, { kind: 'element' }>['purpose']): Promise<ElementContext> =>
    elements.context({ ref: refOf(id) }, purpose, call());
  const at = await inside('chkAgree');
  const actions: Readonly<Record<string, () => Promise<unknown>>> = {
    'click at an element': async () => {
      await of('btnOk', 'click');
      return port.click(record, refOf('btnOk'), { delivery: 'background' }, call());
    },
    'click at a point': async () => {
      const { element } = await port.context(record, { kind: 'point', at }, call());
      expect(element?.automationId).toBe('chkAgree');
      const target = { window: record, element };
      return pointer.click(record, at, LEFT, call({ exits, target, start: target }));
    },
    'a key': async () => {
      const { element, keysTo } = await port.context(record, { kind: 'focus', chords: ['tab'] }, call());
      const target = { window: record, element, keysTo };
      return keyboard.chords(record, ['tab'], 1, 'background', call({ exits, target, start: null }));
    },
    'type into': async () => {
      await of('txtName', 'type');
      const text = { mode: 'replace', delivery: 'background', isSecret: false } as const;
      // Refused where the field has no way to take it.
      return port.typeInto(record, refOf('txtName'), 'Grace', text, call()).catch(() => {});
    },
    select: async () => {
      await of('itGreen', 'select');
      return port.select(record, refOf('itGreen'), null, call()).catch(() => {});
    },
    scroll: async () => {
      await of('itBlue', 'scroll');
      return port.scrollIntoView(record, refOf('itBlue'), call()).catch(() => {});
    },
  };
  const asked = new Map<string, number>();
  const told = (): number[] =>
    fixture
      .journal()
      .filter(({ event }) => event === 'questions')
      .map((entry) => Number(entry['count']));
  const count = async (): Promise<number> => {
    const before = told().length;
    await fixture.tell('questions');
    return (await until(() => told().slice(before), 'the number of questions'))[0]!;
  };
  for (const [name, act] of Object.entries(actions)) {
    await count();
    await act();
    asked.set(name, await count());
  }
  await journaled(fixture, 'invoke', { id: 'btnOk' });
  await journaled(fixture, 'toggle', { id: 'chkAgree' });
  port[Symbol.dispose]();
  return asked;
}

describe('a provider that cannot search', () => {
  test('actions on known elements, points and keys ask the same of a small and of a large window', async () => {
    const small = await questions(SMALL);
    const large = await questions(LARGE);
    const part = await questions(ENDLESS, PART_MS);
    for (const [action, count] of small) {
      expect(large.get(action), action).toBeLessThanOrEqual(count + LOOKS);
      // Who got a key is looked for during half a second, if the reading does not say it.
      if (action !== 'a key')
        expect(part.get(action), `${action}, where a part of the window was read`).toBeLessThanOrEqual(count + LOOKS);
    }
  });

  test('what is there now instead of what was judged gets nothing', async () => {
    await using fixture = await Fixture.start('provider', ['--small']);
    using focus = new FocusMemory();
    const { elements, port, record, pointer, refOf, inside } = await known(fixture, focus);
    const at = await inside('chkAgree');
    const point = await port.context(record, { kind: 'point', at }, call());
    const place = { window: record, element: point.element };
    await fixture.tell('name chkAgree Delete everything');
    await refusal(pointer.click(record, at, LEFT, call({ exits, target: place, start: place })), 'state_conflict');
    const again = await port.context(record, { kind: 'point', at }, call());
    expect(again.element?.name).toBe('Delete everything');
    const now = { window: record, element: again.element };
    await fixture.tell('cover');
    await refusal(pointer.click(record, at, LEFT, call({ exits, target: now, start: now })), 'state_conflict');
    const { element } = await elements.context({ ref: refOf('btnOk') }, 'click', call());
    await fixture.tell('name btnOk Delete');
    const named = { window: record, element, isNamed: true };
    await refusal(
      port.click(record, refOf('btnOk'), { delivery: 'background' }, call({ exits, target: named, start: null })),
      'state_conflict',
    );
    expect((await elements.context({ ref: refOf('btnOk') }, 'click', call())).element?.name).toBe('Delete');
    await fixture.tell('remove btnOk');
    await refusal(elements.context({ ref: refOf('btnOk') }, 'click', call()), 'element_stale');
    const pressed = fixture.journal().filter(({ event }) => ['invoke', 'toggle'].includes(event));
    expect(pressed).toEqual([]);
    port[Symbol.dispose]();
  });
});
