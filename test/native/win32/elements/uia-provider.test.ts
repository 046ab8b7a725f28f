/** UI Automation of the system itself, reading a program's own provider across processes. */
import { describe, expect, test } from 'vitest';
import { comRefsAlive } from '../../../../native-bindings/com/com-ref.ts';
import { Elements, journaled, only } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';

const slow = newCall({ deadlineMs: 60_000 });

describe('a provider in another process', () => {
  test('[snapshot.sources] its whole tree with types, names, ids, states and rectangles; nothing is left behind', async () => {
    await using fixture = await Fixture.start('provider', ['--small']);
    const before = comRefsAlive();
    const elements = await Elements.bind(fixture.hwnd);
    const nodes = await elements.nodes({ budgetMs: 30_000 }, slow);
    expect(only(nodes, { id: 'btnOk' })).toMatchObject({ controlType: 'Button', name: 'OK' });
    expect(only(nodes, { id: 'btnOff' }).states).toContain('disabled');
    expect(only(nodes, { id: 'txtSecret' })).toMatchObject({ value: undefined });
    expect(only(nodes, { id: 'txtSecret' }).states).toContain('password');
    expect(only(nodes, { id: 'itRed' }).depth).toBe(only(nodes, { id: 'lstColours' }).depth + 1);
    const ok = fixture.journal().find((entry) => entry.event === 'element' && entry['id'] === 'btnOk')!['rect'] as [
      number,
      number,
      number,
      number,
    ];
    expect([only(nodes, { id: 'btnOk' }).width, only(nodes, { id: 'btnOk' }).height]).toEqual([
      ok[2] - ok[0],
      ok[3] - ok[1],
    ]);
    elements.port[Symbol.dispose]();
    expect(comRefsAlive()).toBe(before);
    expect(fixture.journal().filter((entry) => entry.event === 'password_read')).toEqual([]);
  });

  test('a provider that builds its tree on the first question is asked again within the budget', async () => {
    await using fixture = await Fixture.start('provider', ['--late', '300']);
    const elements = await Elements.bind(fixture.hwnd);
    const nodes = await elements.nodes({ budgetMs: 30_000 }, slow);
    expect(only(nodes, { id: 'buy' })).toMatchObject({ controlType: 'Button', name: 'Buy now' });
    expect(fixture.journal().filter((entry) => entry.event === 'get_object').length).toBeGreaterThan(1);
    elements.port[Symbol.dispose]();
  });

  test('a browser that builds its page for screen readers only is asked as they ask', async () => {
    await using fixture = await Fixture.start('provider', [
      '--late',
      '200',
      '--announced',
      '--class',
      'Chrome_WidgetWin_1',
    ]);
    const elements = await Elements.bind(fixture.hwnd);
    const nodes = await elements.nodes({ budgetMs: 30_000 }, slow);
    expect(only(nodes, { id: 'buy' })).toMatchObject({ controlType: 'Button', name: 'Buy now' });
    expect(fixture.journal().filter((entry) => entry.event === 'announced_object').length).toBe(1);
    await elements.nodes({ budgetMs: 30_000 }, slow);
    expect(fixture.journal().filter((entry) => entry.event === 'announced_object').length).toBe(1);
    elements.port[Symbol.dispose]();
  });

  test('its elements are clicked by the system’s means, at least by posted messages at their centre', async () => {
    await using fixture = await Fixture.start('provider', ['--small']);
    const elements = await Elements.bind(fixture.hwnd);
    const ref = (await elements.context({ name: 'OK' }, 'click', slow)).element!.ref;
    const done = await elements.port.click(elements.record, ref, { delivery: 'background' }, slow);
    expect(['uia-invoke', 'posted']).toContain(done.outcome.delivery);
    await journaled(fixture, 'invoke', { id: 'btnOk' });
    elements.port[Symbol.dispose]();
  });

  test('items whose ids last for one look keep their refs, and are clicked', async () => {
    await using fixture = await Fixture.start('provider', ['--small', '--passing']);
    const elements = await Elements.bind(fixture.hwnd);
    const refs = async (): Promise<unknown[]> =>
      (await elements.nodes({ budgetMs: 30_000 }, slow))
        .filter(({ controlType }) => controlType === 'ListItem')
        .map(({ name, ref }) => [name, ref]);
    const first = await refs();
    expect(first.map((pair) => (pair as string[])[0])).toEqual(['Red', 'Green', 'Blue']);
    expect(await refs()).toEqual(first);
    const { ref } = (await elements.context({ name: 'Green' }, 'click', slow)).element!;
    const done = await elements.port.click(elements.record, ref, { delivery: 'background' }, slow);
    expect(done.outcome.delivery).toBe('posted');
    await journaled(fixture, 'select', { id: 'itGreen' });
    elements.port[Symbol.dispose]();
  });
});
