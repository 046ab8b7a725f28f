/** What the levels, the shipped list and the presets promise, each over all actions and kinds of application. */
import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../../src/actions/index.ts';
import type { AppIdentity } from '../../../../src/contract/element/binding.ts';
import type { ElementContext } from '../../../../src/contract/element/element.ts';
import {
  defaultPolicy,
  presetPolicy,
  SHIPPED_ALWAYS_ASK,
  type Policy,
} from '../../../../src/contract/gate/permissions.ts';
import { mergePatch, withPreset } from '../../../../src/policy/file/policy-file.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import type { GateSubject } from '../../../../src/policy/gate/gate-types.ts';
import {
  bound,
  CALCULATOR,
  call,
  CHROME,
  context,
  element,
  failureOf,
  MAIL,
  NOTEPAD,
  TERMINAL,
  testWorld,
  tierAsked,
  TRADER,
  type TestWorld,
  type WorldOptions,
} from '../world.ts';
import { wordsOf } from '../../../support/words.ts';

const EVERY = ACTIONS.map(({ method }) => method);

describe('[level.monotonic] whatever control executes or asks, full executes or asks', () => {
  const APPS: readonly AppIdentity[] = [NOTEPAD, CALCULATOR, CHROME, TRADER, TERMINAL, MAIL];
  const GRANTS: ReadonlyArray<Policy['grants']> = [
    [],
    APPS.map(({ bundleId }) => ({ app: bundleId, tier: 'read' })),
    APPS.map(({ bundleId }) => ({ app: bundleId, tier: 'click' })),
  ];
  it.each(EVERY)('%s, in every kind of application, whatever is granted and always asked', async (method) => {
    const one = call(method);
    for (const app of APPS)
      for (const grants of GRANTS)
        for (const alwaysAsk of [[], [...SHIPPED_ALWAYS_ASK]] as const) {
          const outcome = async (level: 'control' | 'full'): Promise<string> => {
            const world = testWorld({ app, policy: { ...defaultPolicy(level), grants, alwaysAsk: [...alwaysAsk] } });
            return passGate(one, world).then(
              () => (world.cards.length > 0 ? 'asked' : 'executed'),
              (error: unknown) => (error as { code: string }).code,
            );
          };
          const [control, full] = [await outcome('control'), await outcome('full')];
          if (control === 'asked' || control === 'executed')
            expect(['asked', 'executed'], `${app.displayName} ${JSON.stringify(grants)}`).toContain(full);
          if (control === 'executed') expect(full).toBe('executed');
        }
  });
});

describe('[level.sending] sending out asks once the session was given something to read', () => {
  /** They tell positions, names and states, and no text of a document, mail, page or console. */
  const NO_TEXT = new Set(
    ACTIONS.filter(({ topic }) => ['binding', 'display', 'hosting', 'app', 'indicator'].includes(topic))
      .map(({ method }) => method)
      .concat(wordsOf`getWindowRect getCursorPosition prepareForAction previewHideSet batch`),
  );
  const reading = ACTIONS.filter(({ effect, method }) => effect === 'observe' && !NO_TEXT.has(method)).map(
    ({ method }) => method,
  );
  const SEND = context(element('Button', 'Send'));
  const EXPORT = context(element('Button', 'Export data'));
  const ready = (options: WorldOptions = {}): TestWorld =>
    testWorld({
      app: MAIL,
      seen: SEND,
      ...options,
      policy: { ...defaultPolicy('full'), flags: ['clipboardRead', 'displayCapture'], ...options.policy },
    });
  const asksToSend = async (world: TestWorld, seen = SEND): Promise<boolean> => {
    world.seen = seen;
    const before = world.cards.length;
    await passGate(call('clickElement', { name: 'x' }), world);
    return world.cards.length > before;
  };

  it('at full nothing is asked before anything was read', async () => expect(await asksToSend(ready())).toBe(false));

  it.each(reading)('after %s', async (method) => {
    for (const seen of [SEND, EXPORT]) {
      const world = ready();
      world.seen = context(element('Document', 'Mail'));
      await passGate(call(method), world);
      expect(await asksToSend(world, seen)).toBe(true);
    }
  });

  it('calls that give no text change nothing', async () => {
    for (const method of ['getWindowRect', 'listDisplays', 'getCursorPosition']) {
      const world = ready();
      await passGate(call(method), world);
      expect(await asksToSend(world), method).toBe(false);
    }
  });

  it('the policy can grant it for an application; power, developer and an emptied list do not ask', async () => {
    const policies: ReadonlyArray<Partial<Policy>> = [
      { grants: [{ app: MAIL.bundleId, tier: 'full' }] },
      { alwaysAsk: [] },
      presetPolicy('power'),
      presetPolicy('developer'),
    ];
    for (const policy of policies) {
      const world = ready({ policy });
      await passGate(call('snapshot'), world);
      expect(await asksToSend(world), JSON.stringify(policy)).toBe(false);
    }
  });

  it('a list of the operator’s own asks for what it names, read or not', async () => {
    expect(await asksToSend(ready({ policy: { alwaysAsk: ['external_submit'] } }))).toBe(true);
  });
});

describe('[level.sending] what comes to a page, a chat or a mail leaves, by whatever gesture', () => {
  const page = { address: 'https://a.example/', document: { kind: 'page', address: 'https://a.example/' } } as const;
  const RECEIVERS: ReadonlyArray<readonly [string, AppIdentity, ElementContext]> = [
    ['a page', CHROME, context(element('Edit', 'Comment'), page)],
    [
      'an address bar',
      CHROME,
      context(element('Edit', 'Address'), { ...page, document: { kind: 'none', address: null } }),
    ],
    ['a page in another program', NOTEPAD, context(element('Document', 'Editor'), page)],
    ['a mail', MAIL, context(element('Document', 'Body'))],
    ['a chat that draws itself', MAIL, context(element('Pane', ''))],
  ];
  const TYPING = ['words', 'two\nlines'].flatMap((text) => [
    call('type', { text }),
    call('type', { text, viaClipboard: true }),
    call('typeIntoElement', { name: 'x', text }),
    call('typeIntoElement', { name: 'x', text, mode: 'append', delivery: 'foreground' }),
    call('virtualKeyboard', { action: 'type', text }),
  ]);
  const FILLING = [
    ...TYPING,
    call('key', { keySequence: 'w o r d s' }),
    call('selectElement', { name: 'x', item: 'I' }),
  ];
  const SENDING = [
    call('key', { keySequence: 'ctrl+v' }),
    call('virtualKeyboard', { action: 'combo', text: 'shift+insert' }),
    call('drag', { from: { x: 1, y: 1 }, to: { x: 9, y: 9 }, space: 'screen' }),
    call('virtualMouse', { action: 'up', x: 9, y: 9 }),
  ];
  const card = async (one: GateSubject, app: AppIdentity, seen: ElementContext, hasRead = true, more = {}) => {
    const policy = { ...defaultPolicy('full'), flags: ['clipboardWrite' as const], ...more };
    const world = testWorld({ app, seen, policy });
    const salaries = { app: CALCULATOR, seen: context(element('ListItem', 'salaries.xlsx')) };
    world.elsewhere = (target) => (target.kind === 'point' && target.at.x === 1 ? salaries : null);
    if (hasRead) world.left.noteRead();
    await passGate(one, world);
    return world.cards.at(-1);
  };

  it.each(RECEIVERS)('%s', async (_, app, seen) => {
    const click = call('clickElement', { name: 'x' });
    const rows: Array<readonly [GateSubject, ElementContext]> = [...FILLING, ...SENDING].map((one) => [one, seen]);
    rows.push([click, { ...seen, element: element('MenuItem', 'Paste') }]);
    if (seen.address !== null) rows.push([click, { ...seen, element: element('ListItem', 'a suggestion') }]);
    for (const [one, place] of rows) {
      const name = JSON.stringify(one.input);
      const asked = await card(one, app, place);
      expect(asked?.riskTags, name).toContain('external_submit');
      for (const other of [await card(one, app, place, false), await card(one, app, place, true, { alwaysAsk: [] })])
        expect(other?.flags ?? [], name).not.toContain('approval_required:external_submit');
      // Text and choices once for the window; what is dropped, pasted or sent off each time.
      const isFilling = FILLING.includes(one) && !name.includes('\\n');
      if (isFilling || SENDING.includes(one)) expect(asked?.allowedScopes.includes('window'), name).toBe(isFilling);
    }
  });

  it('moving, pressing and what goes to fields elsewhere do not', async () => {
    expect(await card(call('key', { keySequence: 'down' }), MAIL, context(element('Document', 'x')))).toBeUndefined();
    for (const one of [...FILLING, ...SENDING.slice(0, 2)])
      expect(await card(one, NOTEPAD, context(element('Edit', 'Name'))), JSON.stringify(one.input)).toBeUndefined();
  });
});

it('[level.presets-named] a preset by name: sets level and alwaysAsk as the safety document says', () => {
  const patched = (preset: string): unknown => mergePatch(defaultPolicy(), withPreset({ preset }));
  for (const preset of ['power', 'developer']) expect(patched(preset)).toMatchObject({ level: 'full', alwaysAsk: [] });
  expect(patched('balanced')).toMatchObject({ level: 'control', alwaysAsk: [...SHIPPED_ALWAYS_ASK] });
  expect(patched('safe')).toMatchObject({ level: 'disabled' });
  expect(failureOf(() => patched('fast')).code).toBe('invalid_argument');
});

describe('[popups.grant] a popup of another application needs that application’s own grant', () => {
  const other = (app: AppIdentity) => ({ ...context(element('Button', 'Open')), dialogTitle: 'Open', otherApp: app });
  it('is asked at full for a restricted kind, and refused where it is denied', async () => {
    const click = call('clickElement', { name: 'Open' });
    expect(await tierAsked(testWorld({ seen: other(CHROME) }), (world) => passGate(click, world))).toBe(true);
    expect(await tierAsked(testWorld({ seen: other(CALCULATOR) }), (world) => passGate(click, world))).toBe(false);
    const denied = testWorld({ seen: other(CHROME), policy: { deny: ['chrome.exe'] } });
    await expect(passGate(click, denied)).rejects.toMatchObject({ code: 'blocked_by_policy' });
  });
});

describe('[exit.thrown-away] what is thrown away or ended is destructive', () => {
  it.each(['Recycle Bin', 'Papierkorb', 'Corbeille', 'Papelera de reciclaje', 'Корзина', 'ごみ箱', '回收站'])(
    'a drag to “%s”, by every way of dragging',
    async (name) => {
      for (const one of [
        call('dragElement', { name: 'plan', toName: name }),
        call('dragElement', { name: 'plan', toName: name, delivery: 'foreground' }),
        call('drag', { from: { x: 1, y: 1 }, to: { x: 9, y: 9 }, space: 'screen' }),
        call('virtualMouse', { action: 'drag', startX: 1, startY: 1, x: 9, y: 9 }),
      ]) {
        const world = testWorld({ seen: context(element('ListItem', name)) });
        await passGate(one, world);
        expect(world.cards[0]?.riskTags, JSON.stringify(one.input)).toContain('destructive');
      }
    },
  );

  it('closing a terminal in which something runs', async () => {
    const screen = (line: string) => ({ rows: [line], width: 80, cursor: { x: line.length, y: 0 }, isBehind: false });
    const tags = async (line: string | null, one: GateSubject, seen = element('Button', 'Close')): Promise<unknown> => {
      const world = testWorld({ app: TERMINAL, seen: context(seen, line === null ? {} : { console: screen(line) }) });
      world.live = bound(TERMINAL, { className: 'ConsoleWindowClass' });
      await passGate(one, world);
      return world.cards.at(-1)?.riskTags ?? [];
    };
    for (const one of [call('manageWindow', { action: 'close' }), call('clickElement', { name: 'Close' })]) {
      expect(await tags('building 3 of 40', one)).toContain('destructive');
      expect(await tags(null, one)).toContain('destructive');
      expect(await tags('C:\\work>', one)).not.toContain('destructive');
    }
  });
});
