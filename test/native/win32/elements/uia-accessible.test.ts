/** MSAA across processes: a program that serves its own IAccessible, with its journal as the second witness. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { comRefsAlive } from '../../../../native-bindings/com/com-ref.ts';
import { Elements, journaled, only, refusal } from '../support/elements.ts';
import { Fixture, newCall, hangs } from '../support/programs.ts';

let fixture: Fixture;
let elements: Elements;
let refsBefore = 0;

beforeEach(async () => {
  fixture = await Fixture.start('accessible');
  refsBefore = comRefsAlive();
  // Without UI Automation, so that this is what is left of it on every system.
  elements = await Elements.bind(fixture.hwnd, { automation: () => null });
});
afterEach(async () => {
  expect(comRefsAlive()).toBe(refsBefore);
  expect(fixture.journal().filter((entry) => entry.event === 'password_read')).toEqual([]);
  await fixture[Symbol.asyncDispose]();
});

describe('an IAccessible of its own', () => {
  test('[snapshot.sources] roles, names, values, states and nested objects', async () => {
    const nodes = await elements.nodes();
    expect(only(nodes, { name: 'Go' })).toMatchObject({ controlType: 'Button', depth: 1, states: [] });
    expect(only(nodes, { name: 'City' })).toMatchObject({ controlType: 'Edit', value: 'Vienna' });
    expect(only(nodes, { name: 'Subscribe' })).toMatchObject({ controlType: 'CheckBox', states: [] });
    expect(only(nodes, { name: 'Pear' })).toMatchObject({ controlType: 'ListItem', states: ['selected'] });
    expect(only(nodes, { name: 'More about us' })).toMatchObject({
      controlType: 'Hyperlink',
      value: 'https://example.test/about',
    });
    expect(only(nodes, { name: 'Serial' })).toMatchObject({ value: 'SN-0042', states: ['readonly'] });
    expect(only(nodes, { name: 'Off' }).states).toEqual(['disabled']);
    expect(only(nodes, { name: 'Street' })).toMatchObject({ depth: 2, value: 'Ring 1' });
    const go = only(nodes, { name: 'Go' });
    expect([go.width, go.height]).toEqual([100, 24]);
  });

  test('[snapshot.password] a protected value is never asked for', async () => {
    const { accessibilityText } = await elements.snapshot();
    expect(only(await elements.nodes(), { name: 'PIN' })).toMatchObject({ value: undefined, states: ['password'] });
    expect(accessibilityText).not.toContain('Geheim');
  });

  test('[click.ladder] the default action, at any depth', async () => {
    expect((await elements.click({ name: 'Go' })).outcome).toMatchObject({
      delivery: 'msaa',
      attempts: [{ rung: 'msaa', result: 'delivered' }],
      focusChanged: false,
    });
    expect((await elements.click({ name: 'Subscribe' })).outcome).toMatchObject({
      delivery: 'msaa',
      effect: 'confirmed',
      evidence: [{ kind: 'state', before: '', after: 'checked' }],
    });
    expect((await elements.click({ name: 'Apple' })).outcome).toMatchObject({
      delivery: 'msaa',
      effect: 'confirmed',
      evidence: [{ kind: 'selection', before: false, after: true }],
    });
    await journaled(fixture, 'select', { name: 'Apple' });
    await elements.click({ name: 'Deliver' });
    expect(only(await elements.nodes(), { name: 'Subscribe' }).states).toEqual(['checked']);
    for (const name of ['Go', 'Subscribe', 'Deliver']) await journaled(fixture, 'default_action', { name });
  });

  test('[element.disabled] an unavailable element is refused', async () => {
    await refusal(elements.click({ name: 'Off' }), 'target_disabled');
    expect(fixture.journal().filter((entry) => entry.event === 'default_action')).toEqual([]);
  });

  test('[into.ladder] the value is set and read back', async () => {
    expect((await elements.type({ name: 'City' }, 'Zürich ’ 漢字')).outcome).toMatchObject({
      delivery: 'msaa',
      effect: 'confirmed',
      readBack: 'verified',
      evidence: [{ before: 'Vienna', after: 'Zürich ’ 漢字' }],
    });
    expect((await elements.type({ name: 'Street' }, ' b', { mode: 'append' })).outcome).toMatchObject({
      evidence: [{ after: 'Ring 1 b' }],
    });
  });

  test('[into.readonly] read-only is checked first, since put_accValue would overwrite it', async () => {
    await refusal(elements.type({ name: 'Serial' }, 'x'), 'target_readonly');
    expect(only(await elements.nodes(), { name: 'Serial' }).value).toBe('SN-0042');
  });

  test('S_FALSE is failure: nothing was done', async () => {
    const error = await refusal(elements.type({ name: 'Stubborn' }, 'new'), 'unsupported');
    expect(error.message).toContain('S_FALSE');
    expect(only(await elements.nodes(), { name: 'Stubborn' }).value).toBe('unchanged');
  });

  test('refs stay with their elements', async () => {
    const before = await elements.nodes();
    expect((await elements.nodes()).map((node) => node.ref)).toEqual(before.map((node) => node.ref));
  });

  test('a hung server is not waited for', async () => {
    const ref = await elements.ref({ name: 'Go' });
    await fixture.tell('hang 30000');
    const data = await elements.snapshot({ budgetMs: 2000 });
    expect(data.partial).toBe(true);
    await refusal(
      elements.port.click(elements.record, ref, { delivery: 'background' }, newCall({ deadlineMs: 2000 })),
      'window_hung',
    );
    expect(await hangs(fixture.hwnd)).toBe(true);
  });
});
