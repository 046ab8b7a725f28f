/** End to end: finding elements, clicking them, and typing into them. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client, Done } from '../support/client.ts';
import { controlId } from '../support/controls.ts';
import type { Fixture } from '../support/fixture.ts';
import { person } from '../support/hardware.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;
let controls: Fixture;
let client: Client;

beforeAll(async () => {
  scene = await Scene.open();
  client = scene.client;
});
afterAll(() => scene?.[Symbol.asyncDispose]());
// each test has its own window, so that none depends on another's changes
beforeEach(async () => {
  controls = await scene.fixture('controls');
  await client.bind({ hwnd: controls.hwnd });
});
afterEach(() => controls[Symbol.asyncDispose]());

/** What the program itself reports about one of its controls. */
const state = async (key: string): Promise<any> => (await controls.dump()).get(controlId(key));
const clicked = (key: string): Promise<unknown> =>
  controls.journal.waitFor({ event: 'command', id: controlId(key), codeName: 'BN_CLICKED' }, 2000);

describe('finding an element', () => {
  it('[method.clickElement] [click.ladder] [outcome.confirmed] [outcome.fields] [action.outcome] by its name: the program sees a click and reacts to it', async () => {
    const done = await client.act('click-element', { name: 'Push me' });
    await clicked('PUSH');
    expect(await state('COUNTER')).toMatchObject({ class: 'Static' });
    expect(await scene.witness.text(String((await state('COUNTER')).hwnd))).toBe('Clicks: 1');
    expect(done).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', focusChanged: false, cursorMoved: false },
    });
    expect(Object.keys(done.outcome)).toEqual(
      expect.arrayContaining(['effect', 'delivery', 'evidence', 'attempts', 'focusChanged', 'cursorMoved']),
    );
    expect(done.outcome.attempts.at(-1)).toMatchObject({ rung: done.outcome.delivery, result: 'delivered' });
  });

  it('[query.role] by automation id, by ref, by control type and by a role of the proposal tool', async () => {
    await client.act('click-element', { automationId: String(controlId('DEFAULT_PUSH')) });
    await clicked('DEFAULT_PUSH');
    controls.journal.mark();
    const { ref } = await client.element({ id: String(controlId('DEFAULT_PUSH')) });
    await client.act('click-element', { ref });
    await clicked('DEFAULT_PUSH');
    for (const role of ['Button', 'button']) {
      controls.journal.mark();
      await client.act('click-element', { role, name: 'Owner drawn' });
      await clicked('OWNER_DRAWN');
    }
    await client.refused('target_not_found', 'click-element', { role: 'CheckBox', name: 'Owner drawn' });
    await client.refused('target_not_found', 'click-element', { automationId: '10' });
    expect(
      (await client.refused('invalid_argument', 'click-element', { role: 'knob', name: 'Owner drawn' })).detail,
    ).toContain('knob');
  });

  it('[query.ranking] by exact name before other case, prefix and part; accelerator marks and … do not count', async () => {
    for (const [name, key] of [
      ['Disable myself', 'ONCE'],
      ['pUSH mE', 'PUSH'],
      ['Default', 'DEFAULT_PUSH'],
      ['rawn', 'OWNER_DRAWN'],
    ] as const) {
      controls.journal.mark();
      await client.act('click-element', { name, role: 'button' });
      await clicked(key);
    }
    // “Disabled” is exact for one and the beginning of another
    await client.refused('target_disabled', 'click-element', { name: 'Disabled' });
  });

  it('two that fit equally well are target_ambiguous, with candidates to choose from', async () => {
    const { candidates } = await client.refused('target_ambiguous', 'click-element', { name: 'Duplicate' });
    expect(candidates).toHaveLength(2);
    expect(candidates).toEqual(
      expect.arrayContaining([expect.objectContaining({ role: 'Button', name: 'Duplicate', automationId: '110' })]),
    );
    expect(controls.journal.events({ event: 'command' })).toEqual([]);
    await client.act('click-element', { ref: candidates!.find(({ automationId }) => automationId === '110')!.ref! });
    await clicked('DUPLICATE_2');
  });

  it('[input.strict] a query that names nothing is refused', async () => {
    await client.refused('invalid_argument', 'click-element', {});
    await client.refused('invalid_argument', 'click-element', { ref: 'seven' });
    await client.refused('invalid_argument', 'click-element', { nmae: 'Push me' });
  });
});

describe('clicking', () => {
  it('[click.ladder] check boxes, radio buttons, tabs, list and tree items, combo items, tool bar buttons each do what a click does', async () => {
    const cases: Array<[object, (done: Done) => Promise<unknown>]> = [
      [{ name: 'Check me' }, async () => expect(await state('CHECK')).toMatchObject({ check: 1 })],
      [{ name: 'Check me' }, async () => expect(await state('CHECK')).toMatchObject({ check: 0 })],
      [
        { name: 'Red' },
        async () =>
          expect([await state('RADIO_A'), await state('RADIO_B')]).toMatchObject([{ check: 1 }, { check: 0 }]),
      ],
      [
        { name: 'Advanced', role: 'TabItem' },
        async () => {
          await controls.journal.waitFor({ event: 'notify', id: controlId('TAB'), codeName: 'TCN_SELCHANGE' });
          expect(await state('TAB_PAGE_2')).toMatchObject({ visible: true });
        },
      ],
      [
        { name: 'Music', role: 'ListItem' },
        async () => expect(await state('LIST_ICONS')).toMatchObject({ selected: 2, selectedCount: 1 }),
      ],
      [
        { name: 'Entry 3' },
        async () => {
          await controls.journal.waitFor({ event: 'command', id: controlId('LISTBOX'), codeName: 'LBN_SELCHANGE' });
          expect(await state('LISTBOX')).toMatchObject({ selectedText: 'Entry 3' });
        },
      ],
      [
        { name: 'Denmark' },
        async () => {
          await controls.journal.waitFor({ event: 'command', id: controlId('COMBO_LIST'), codeName: 'CBN_SELCHANGE' });
          expect(await state('COMBO_LIST')).toMatchObject({ selectedText: 'Denmark' });
        },
      ],
      [
        { name: 'Apple', role: 'TreeItem' },
        async () => expect(await state('TREE')).toMatchObject({ item: 'Apple', selected: true }),
      ],
      [
        { name: 'New', role: 'Button' },
        async () => controls.journal.waitFor({ event: 'command', id: controlId('TB_NEW') }),
      ],
      [{ name: 'Deep inside' }, () => clicked('NEST_BUTTON')],
    ];
    for (const [query, check] of cases) {
      controls.journal.mark();
      const done = await client.act('click-element', query).catch((error: Error) => {
        throw new Error(`${JSON.stringify(query)}: ${error.message}`);
      });
      expect(done.value, JSON.stringify(query)).toBe(true);
      await check(done);
    }
  });

  it('[element.disabled] a disabled element is target_disabled, and the program sees nothing', async () => {
    for (const query of [
      { automationId: String(controlId('DISABLED')) },
      { name: 'Disabled check' },
      { name: 'Unavailable' },
    ]) {
      expect(await client.refused('target_disabled', 'click-element', query)).toMatchObject({
        delivery: 'not_delivered',
      });
    }
    await client.refused('target_disabled', 'type-into-element', {
      automationId: String(controlId('DISABLED_EDIT')),
      text: 'x',
    });
    expect(controls.journal.events({ event: 'command' })).toEqual([]);
    expect(await state('DISABLED_EDIT')).toMatchObject({ text: 'cannot change' });
  });

  it('[element.offscreen] an element out of view is scrolled into view, or is target_offscreen', async () => {
    await client.act('click-element', { name: 'Below the fold' });
    await clicked('PANEL_BOTTOM');
    expect(await state('PANEL_SCROLL')).not.toMatchObject({ position: 0 });
    await client.refused('target_offscreen', 'click-element', { name: 'Wholly outside' });
    expect(controls.journal.events({ event: 'command', id: controlId('LARGE_OUTSIDE') })).toEqual([]);
  });

  it('[click.modal] a click that opens a modal dialog answers with pending_modal and its window, which can be answered', async () => {
    const done = await client.act('click-element', { name: 'Open dialog', deadlineMs: 5000 });
    const dialog = await controls.journal.waitFor({ event: 'dialog_open' });
    expect(done).toMatchObject({
      value: true,
      outcome: {
        effect: 'pending_modal',
        details: { newWindow: { hwnd: String(dialog['hwnd']), title: 'Rename item', modal: true } },
      },
    });
    expect((await client.refused('target_disabled', 'click-element', { name: 'Push me' })).candidates).toEqual([
      expect.objectContaining({ hwnd: String(dialog['hwnd']) }),
    ]);
    await client.bind({ hwnd: String(dialog['hwnd']) });
    const text = await client.act('type-into-element', { name: 'New name', text: 'Grace' });
    expect(text.outcome).toMatchObject({ effect: 'confirmed', readBack: 'verified' });
    await client.act('click-element', { name: 'OK' });
    expect(await controls.journal.waitFor({ event: 'dialog_closed' })).toMatchObject({ answer: 1 });
    await client.bind({ hwnd: controls.hwnd });
    expect((await client.act('click-element', { name: 'Push me' })).outcome.effect).toBe('confirmed');
  });

  it('[element.stale] [refs.gone] [risk.name] an element that is gone cannot be clicked; a button that destroys itself was clicked once', async () => {
    const { ref } = await client.element({ id: String(controlId('VANISH')) });
    // “Destroy myself” is a destructive word, which asks at every level
    const { actionId, card } = await client.pending('click-element', { ref });
    expect(card).toMatchObject({ riskLevel: 'critical', riskTags: expect.arrayContaining(['destructive']) });
    await client.decide(card.approvalId, 'approve');
    expect(await client.ended(actionId)).toMatchObject({ status: 'succeeded', result: { value: true } });
    await clicked('VANISH');
    await client.refused('element_stale', 'click-element', { ref });
    await client.refused('target_not_found', 'click-element', { name: 'Destroy myself' });
    expect(controls.journal.events({ event: 'command', id: controlId('VANISH') })).toHaveLength(1);
  });

  it('[click.ladder] a drawn control without any interface gets mouse messages at its place', async () => {
    const done = await client.act('click-element', { automationId: String(controlId('CUSTOM')) });
    expect(done.outcome).toMatchObject({ delivery: 'posted', cursorMoved: false });
    const click = await controls.journal.waitFor({ event: 'custom_click' });
    expect(click).toMatchObject({ id: controlId('CUSTOM') });
    expect(controls.journal.events({ event: 'mouse', kind: 'down' })[0]).toMatchObject({
      origin: 'none',
      button: 'left',
    });
    expect(done.outcome).toMatchObject({
      effect: 'confirmed',
      evidence: [{ kind: 'picture', before: null, after: { space: 'screen' } }],
    });
    await controls.tell(`drawn ${controlId('CUSTOM')} nothing`);
    const inVain = await client.act('click-element', { automationId: String(controlId('CUSTOM')) });
    expect(inVain.outcome).toMatchObject({ effect: 'unverified', evidence: [] });
  });

  it('[click.background] real input only when the caller asks for it', async () => {
    expect(controls.journal.events({ event: 'mouse', origin: 'injected' })).toEqual([]);
    await person.leave();
    const done = await client.act('click-element', { name: 'Push me', delivery: 'foreground' });
    expect(done.outcome).toMatchObject({ delivery: 'input', cursorMoved: true });
    expect(await controls.journal.waitFor({ event: 'mouse', kind: 'down', id: controlId('PUSH') })).toMatchObject({
      origin: 'injected',
    });
    await clicked('PUSH');
  });
});

describe('typing into an element', () => {
  const hard = '’ ‘ " ` $ ; \' \\ %PATH% ${x} 🦊 👩‍👩‍👧 漢字 é ñ שלום';

  it('[method.typeIntoElement] [query.label] [into.mode] [into.read-back] by its label: replaces, appends, reads back', async () => {
    const done = await client.act('type-into-element', { name: 'Full name', text: 'Grace' });
    expect(done).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', readBack: 'verified', focusChanged: false },
    });
    expect(await state('EDIT_NAME')).toMatchObject({ text: 'Grace' });
    expect(
      controls.journal.events({ event: 'command', id: controlId('EDIT_NAME'), codeName: 'EN_CHANGE' }).length,
    ).toBeGreaterThan(0);
    await client.act('type-into-element', { name: 'full name', text: ' Hopper', mode: 'append' });
    expect(await state('EDIT_NAME')).toMatchObject({ text: 'Grace Hopper' });
    await client.act('type-into-element', { name: 'boxes of apples', text: '' });
    expect(await state('EDIT_RIGHT')).toMatchObject({ text: '' });
  });

  it('[text.unicode] [into.ladder] any text goes through unchanged, into every kind of field, and the parent is notified', async () => {
    for (const key of ['EDIT_NAME', 'SCRIPT_EDIT', 'RICH_EDIT', 'COMBO_EDIT'] as const) {
      controls.journal.mark();
      const done = await client.act('type-into-element', { automationId: String(controlId(key)), text: hard });
      expect(done.outcome, key).toMatchObject({ effect: 'confirmed', readBack: 'verified' });
      expect(await state(key), key).toMatchObject({ text: hard });
      expect(
        controls.journal.events(
          ({ event, id, codeName }) =>
            event === 'command' && id === controlId(key) && String(codeName).endsWith('CHANGE'),
        ).length,
        key,
      ).toBeGreaterThan(0);
    }
  });

  it('[text.unicode] lines arrive as lines, \\n and \\r\\n alike', async () => {
    await client.act('type-into-element', { name: 'Notes', text: 'one\r\ntwo\nthree' });
    expect(await state('MULTILINE')).toMatchObject({ text: 'one\r\ntwo\r\nthree' });
  });

  it('[into.readonly] a read-only field is target_readonly, and keeps its text', async () => {
    await client.refused('target_readonly', 'type-into-element', { name: 'Serial', text: 'SN-6666' });
    expect(await state('READONLY')).toMatchObject({ text: 'SN-0042' });
  });

  it('[into.read-back] a text that the control changes is reported: normalised with both values, or mismatch', async () => {
    const upper = await client.act('type-into-element', {
      automationId: String(controlId('UPPERCASE')),
      text: 'quiet',
    });
    expect(upper.outcome).toMatchObject({ readBack: 'normalised' });
    expect(JSON.stringify(upper.outcome.evidence)).toContain('QUIET');
    const limited = await client.act('type-into-element', {
      automationId: String(controlId('LIMITED')),
      text: 'too long for it',
    });
    expect(limited).toMatchObject({ outcome: { readBack: 'mismatch' } });
    expect(limited.outcome.effect).not.toBe('confirmed');
    expect(await state('LIMITED')).toMatchObject({ text: 'too l' });
  });

  it('a slider takes a number', async () => {
    const done = await client.act('type-into-element', { automationId: String(controlId('TRACK')), text: '70' });
    expect(done.outcome.effect).toBe('confirmed');
    expect(await state('TRACK')).toMatchObject({ position: 70 });
    expect(controls.journal.events({ event: 'scroll', id: controlId('TRACK') }).length).toBeGreaterThan(0);
  });

  it('[level.alwaysAsk] [snapshot.password] a password field asks at level full, and its typed text is recorded nowhere', async () => {
    const secret = 'hunter2-Korrekt';
    const { actionId, card } = await client.pending('type-into-element', { name: 'Password', text: secret });
    expect(card).toMatchObject({
      status: 'pending',
      riskTags: expect.arrayContaining(['password']),
      element: { role: 'Edit', automationId: String(controlId('PASSWORD')) },
    });
    await client.decide(card.approvalId, 'approve');
    const record = await client.ended(actionId);
    expect(record).toMatchObject({ status: 'succeeded', result: { value: true } });
    expect(await scene.witness.text(String((await state('PASSWORD')).hwnd))).toBe(secret);
    const said = JSON.stringify([
      card,
      record,
      await client.operator('/v1/audit?limit=1000'),
      await client.operator('/v1/approvals?status=all'),
    ]);
    expect(said).not.toContain(secret);
    expect((await client.look({ maxTokens: 40_000 })).text).not.toContain(secret);
  });

  it('[text.no-script] a window called ’; notepad; ‘ starts nothing', async () => {
    await using trap = await scene.fixture('controls', { title: '’; notepad; ‘ & $(notepad) `notepad` "' });
    const before = (await scene.witness.windows()).length;
    await client.bind({ title: trap.title });
    await client.act('snapshot');
    await client.act('screenshot');
    await client.act('click-element', { name: 'Push me' });
    await client.act('type-into-element', { name: 'Full name', text: trap.title });
    expect((await trap.dump()).get(controlId('EDIT_NAME'))).toMatchObject({ text: trap.title });
    expect((await scene.witness.windows()).length).toBe(before);
  });
});

it('[click.background] in the background: with another program in front nothing is disturbed, or the outcome reports it', async () => {
  await using sentinel = await scene.fixture('sentinel', { args: ['--activate'] });
  const disturbed = async (): Promise<any> => {
    const count = sentinel.journal.events({ event: 'report' }).length;
    await sentinel.tell('report');
    await sentinel.journal.waitFor(() => sentinel.journal.events({ event: 'report' }).length > count);
    const report = sentinel.journal.events({ event: 'report' }).at(-1)!;
    await sentinel.tell('reset');
    return report;
  };
  await disturbed();
  const actions: Array<[string, object]> = [
    ['snapshot', {}],
    ['screenshot', {}],
    ['click-element', { name: 'Push me' }],
    ['click-element', { name: 'Check me' }],
    ['click-element', { name: 'Green' }],
    ['click-element', { name: 'General', role: 'TabItem' }],
    ['click-element', { name: 'Entry 1' }],
    ['type-into-element', { name: 'Full name', text: 'unseen' }],
    ['type-into-element', { name: 'Notes', text: 'a\r\nb' }],
    ['click-element', { automationId: String(controlId('CUSTOM')) }],
  ];
  for (const [name, input] of actions) {
    const { outcome } = await client.act(name, input);
    const { foregroundChanges, cursorMoves, keys, chars, isForeground } = await disturbed();
    const what = `${name} ${JSON.stringify(input)}`;
    expect({ what, focusChanged: foregroundChanges > 0, cursorMoved: cursorMoves > 0 }).toEqual({
      what,
      focusChanged: outcome.focusChanged,
      cursorMoved: outcome.cursorMoved,
    });
    expect({ what, keys, chars }).toEqual({ what, keys: 0, chars: 0 });
    if (outcome.delivery !== 'posted')
      expect({ what, isForeground, cursorMoves }).toEqual({ what, isForeground: true, cursorMoves: 0 });
    if (!isForeground) {
      await sentinel.tell('activate');
      await disturbed();
    }
  }
});
