/** End to end: clicks, drags and scrolling by messages, and what the target saw of them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { controlId } from '../support/controls.ts';
import type { Fixture } from '../support/fixture.ts';
import { person } from '../support/hardware.ts';
import type { JournalEvent } from '../support/journal.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const MK_LBUTTON = 1;
const MK_SHIFT = 4;
const MK_CONTROL = 8;

let scene: Scene;
let controls: Fixture;
/** A window without children that records every message. */
let plain: Fixture;
let client: Client;

beforeAll(async () => {
  scene = await Scene.open();
  client = scene.client;
  controls = await scene.fixture('controls');
  plain = await scene.fixture('sentinel', {
    args: ['--x', 40, '--y', 30, '--width', 400, '--height', 300, '--topmost'],
  });
});
afterAll(() => scene?.[Symbol.asyncDispose]());
beforeEach(() => {
  controls.journal.mark();
  plain.journal.mark();
});

const mouse = (fixture: Fixture): JournalEvent[] => fixture.journal.events({ event: 'mouse' });
const buttons = (fixture: Fixture, count: number): Promise<JournalEvent[]> =>
  until(
    () => mouse(fixture).filter(({ kind }) => kind !== 'move'),
    (events) => events.length >= count,
    2000,
  );
const kinds = (events: JournalEvent[]): string[] => events.map(({ kind, button }) => `${kind} ${button}`);

/** Place of a control of controls.exe, in client pixels, and as a picture of the window shows it. */
async function place(
  key: string,
): Promise<{ client: { x: number; y: number }; image: { x: number; y: number }; screen: { x: number; y: number } }> {
  const [left = 0, top = 0] = controls.ready['rect'] as number[];
  const [clientLeft = 0, clientTop = 0] = controls.ready['client'] as number[];
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = (await controls.dump()).get(controlId(key))!['rect'] as number[];
  const screen = { x: Math.floor((x1 + x2) / 2), y: Math.floor((y1 + y2) / 2) };
  return {
    screen,
    image: { x: screen.x - left, y: screen.y - top },
    client: { x: screen.x - clientLeft, y: screen.y - clientTop },
  };
}

describe('a click in a window that draws itself', () => {
  const drawn = async (shows: string): Promise<any> => {
    await controls.tell(`drawn ${controlId('CUSTOM')} ${shows}`);
    const { client: at } = await place('CUSTOM');
    const { outcome } = await client.act('virtual-mouse', { action: 'click', space: 'client', ...at });
    await controls.journal.waitFor({ event: 'custom_click' });
    return outcome;
  };
  beforeAll(() => client.bind({ hwnd: controls.hwnd }));

  it('[outcome.confirmed] is confirmed by a lasting change of its picture within the rectangle alone', async () => {
    const {
      screen: { x, y },
    } = await place('CUSTOM');
    const { effect, evidence } = await drawn('mark');
    expect(effect).toBe('confirmed');
    // the mark reaches four pixels to each side
    expect(evidence).toEqual([
      {
        kind: 'picture',
        before: null,
        after: { changed: { x: x - 4, y: y - 4, width: 8, height: 8 }, space: 'screen' },
      },
    ]);
    // the same mark again is nothing new
    const { client: at } = await place('CUSTOM');
    expect(await client.act('virtual-mouse', { action: 'click', space: 'client', ...at })).toMatchObject({
      outcome: { effect: 'unverified', evidence: [] },
    });
  });

  it.each([
    ['nothing', 'a click that does nothing'],
    ['hover', 'what shows that the pointer is there'],
    ['frame', 'the focus'],
    ['restless', 'what moves by itself'],
    ['clock', 'a clock that ticks'],
  ])('[outcome.confirmed] does not take for an effect: %s, %s', async (shows) => {
    for (let time = 0; time < 3; time += 1)
      expect(await drawn(shows)).toMatchObject({ effect: 'unverified', evidence: [] });
  });
});

describe('a program’s own reports about its elements', () => {
  // approvals are tested elsewhere
  beforeAll(() => client.policy({ alwaysAsk: [] }));
  afterAll(() => client.policy({ alwaysAsk: ['prompts', 'customCommand', 'password', 'financial', 'destructive'] }));

  it('[outcome.confirmed] confirm a click and characters by changes of their element, and nothing where none are reported', async () => {
    const accessible = await scene.fixture('accessible', { args: ['--x', 500, '--y', 500] });
    await client.bind({ hwnd: accessible.hwnd });
    const click = (x: number, y: number): Promise<any> =>
      client.act('virtual-mouse', { action: 'click', space: 'client', x, y });
    // A tree that takes long to be read, as on a busy machine, is looked at after the picture.
    const shows = (evidence: Record<string, unknown>): unknown =>
      expect.toSatisfy(
        ([seen]: Array<Record<string, unknown>>) =>
          seen?.['kind'] === 'picture' || Object.entries(evidence).every(([key, value]) => seen?.[key] === value),
        `a picture or ${JSON.stringify(evidence)}`,
      );
    expect(await click(60, 54)).toMatchObject({
      outcome: { effect: 'confirmed', evidence: shows({ kind: 'state', before: '', after: 'checked' }) },
    });
    expect(
      await accessible.journal.waitFor({ event: 'default_action', name: 'Subscribe', how: 'mouse' }),
    ).toBeDefined();
    expect(await click(200, 52)).toMatchObject({
      outcome: { effect: 'confirmed', evidence: shows({ kind: 'state', before: '', after: 'selected' }) },
    });
    // a button that shows nothing
    expect(await click(60, 22)).toMatchObject({ outcome: { effect: 'unverified', evidence: [] } });
    expect(await accessible.journal.waitFor({ event: 'default_action', name: 'Go', how: 'mouse' })).toBeDefined();
    expect(await click(200, 22)).toMatchObject({
      outcome: { effect: 'confirmed', evidence: shows({ kind: 'focus' }) },
    });
    expect(await client.act('virtual-keyboard', { action: 'type', text: '!?' })).toMatchObject({
      outcome: { effect: 'confirmed', evidence: shows({ kind: 'value', before: 'Vienna', after: 'Vienna!?' }) },
    });
    // characters that the field does not accept, and a field that no interface can read
    for (const y of [102, 114]) {
      await click(y === 102 ? 200 : 60, y);
      expect(await client.act('virtual-keyboard', { action: 'type', text: '9' })).toMatchObject({
        outcome: { effect: 'unverified', evidence: [] },
      });
    }
    expect(await accessible.journal.waitFor({ event: 'put_value', name: 'PIN', how: 'keyboard' })).toBeDefined();
    expect(accessible.journal.events({ event: 'password_read' })).toEqual([]);
  });
});

describe('messages to the bound window', () => {
  it('[method.virtualMouse] virtual-mouse clicks the deepest child under a client point, with its own coordinates, and names it', async () => {
    await client.bind({ hwnd: controls.hwnd });
    const custom = await place('CUSTOM');
    const before = await scene.witness.where();
    const done = await client.act('virtual-mouse', {
      action: 'click',
      space: 'client',
      x: custom.client.x - 20,
      y: custom.client.y,
    });
    expect(done).toMatchObject({
      value: true,
      outcome: {
        delivery: 'posted',
        cursorMoved: false,
        details: { target: { ref: expect.stringMatching(/^e/), role: 'Custom' } },
      },
    });
    expect(await controls.journal.waitFor({ event: 'custom_click' })).toMatchObject({
      id: controlId('CUSTOM'),
      half: 'red',
    });
    const [down] = await buttons(controls, 2);
    expect(down).toMatchObject({
      id: controlId('CUSTOM'),
      origin: 'none',
      mk: MK_LBUTTON,
      screenX: custom.screen.x - 20,
      screenY: custom.screen.y,
    });
    const after = await scene.witness.where();
    expect({ x: after.x, y: after.y }).toEqual({ x: before.x, y: before.y });

    controls.journal.mark();
    const inner = await place('NEST_BUTTON');
    const pressed = await client.act('virtual-mouse', { action: 'click', space: 'client', ...inner.client });
    expect(pressed.outcome.details?.['target']).toMatchObject({
      role: 'Button',
      name: (await client.element({ id: String(controlId('NEST_BUTTON')) })).name,
    });
    await controls.journal.waitFor({ event: 'command', id: controlId('NEST_BUTTON'), codeName: 'BN_CLICKED' });
  });

  it('[method.click] [space.default] click takes points of the latest picture, or of the picture it names', async () => {
    await client.bind({ hwnd: controls.hwnd });
    const custom = await place('CUSTOM');
    const { value } = await client.act('screenshot');
    await client.act('click', { x: custom.image.x + 20, y: custom.image.y });
    expect(await controls.journal.waitFor({ event: 'custom_click' })).toMatchObject({ half: 'blue' });
    controls.journal.mark();
    await client.look();
    await client.act('click', { x: custom.image.x - 20, y: custom.image.y, observationId: value.observationId });
    expect(await controls.journal.waitFor({ event: 'custom_click' })).toMatchObject({ half: 'red' });
    controls.journal.mark();
    await client.act('click', { ...custom.screen, space: 'screen' });
    await controls.journal.waitFor({ event: 'custom_click' });
    await client
      .refused('element_stale', 'click', { x: 5, y: 5, observationId: 'obs_neverGiven' })
      .catch(() => client.refused('invalid_argument', 'click', { x: 5, y: 5, observationId: 'obs_neverGiven' }));
  });

  it('buttons, counts and modifiers; a double click is the system’s own message', async () => {
    await client.bind({ hwnd: plain.hwnd });
    for (const [input, expected, mk] of [
      [{}, ['down left', 'up left'], MK_LBUTTON],
      [{ button: 'right' }, ['down right', 'up right'], 2],
      [{ button: 'middle' }, ['down middle', 'up middle'], 16],
      [{ modifiers: ['ctrl', 'shift'] }, ['down left', 'up left'], MK_LBUTTON | MK_CONTROL | MK_SHIFT],
    ] as const) {
      plain.journal.mark();
      await client.act('click', { x: 120, y: 90, space: 'client', ...input });
      const events = await buttons(plain, expected.length);
      expect(kinds(events), JSON.stringify(input)).toEqual(expected);
      expect(events[0], JSON.stringify(input)).toMatchObject({ x: 120, y: 90, mk });
    }
    plain.journal.mark();
    await client.act('virtual-mouse', { action: 'double_click', space: 'client', x: 60, y: 60 });
    expect((await buttons(plain, 4)).map(({ kind }) => kind)).toContain('down');
    expect(mouse(plain).filter(({ kind }) => kind !== 'move').length).toBe(4);
    plain.journal.mark();
    await client.act('virtual-mouse', { action: 'right_click', space: 'client', x: 60, y: 60 });
    expect(kinds(await buttons(plain, 2))).toEqual(['down right', 'up right']);
    await client.refused('invalid_argument', 'click', { x: 60, y: 60, space: 'client', count: 4 });
  });

  it('[pointer.held] keys are held for moves, buttons, drags and the wheel, in the messages', async () => {
    await client.bind({ hwnd: plain.hwnd });
    const point = { x: 60, y: 60, space: 'client' };
    const modifiers = ['Control_L', 'shift'];
    const mk = MK_CONTROL | MK_SHIFT;
    const wheel = (): JournalEvent[] => plain.journal.events({ event: 'wheel' });
    for (const [action, input, ...seen] of [
      ['move-mouse', point, { kind: 'move', mk }],
      ['mouse-down', {}, { kind: 'move', mk }, { kind: 'down', mk: mk | MK_LBUTTON }],
      ['mouse-up', {}, { kind: 'up', mk }],
      [
        'drag',
        { from: { x: 50, y: 60 }, to: { x: 150, y: 100 }, space: 'client' },
        { kind: 'down', mk: mk | MK_LBUTTON },
        { kind: 'move', mk: mk | MK_LBUTTON },
        { kind: 'up', mk },
      ],
    ] as const) {
      plain.journal.mark();
      await client.act(action, { ...input, modifiers });
      const last = seen.at(-1)!.kind;
      await until(
        () => mouse(plain),
        (events) => events.some(({ kind }) => kind === last),
        2000,
      );
      for (const event of seen) expect(mouse(plain), action).toContainEqual(expect.objectContaining(event));
    }
    plain.journal.mark();
    await client.act('scroll', { ...point, dx: 0, dy: 1, modifiers: ['ctrl'] });
    expect(await until(wheel, (events) => events.length > 0, 2000)).toMatchObject([{ delta: -120, mk: MK_CONTROL }]);
    // Without a button their release would open a menu.
    for (const key of ['alt', 'win']) {
      const refused = await client.refused(key === 'win' ? 'key_blocked' : 'unsupported', 'scroll', {
        ...point,
        dx: 0,
        dy: 1,
        modifiers: [key],
      });
      expect(refused.delivery).toBe('not_delivered');
    }
    await client.refused('invalid_argument', 'move-mouse', { ...point, modifiers: ['a'] });
  });

  it('[pointer.held-before] a key that an earlier press holds goes with the pointer, until it is released', async () => {
    await client.bind({ hwnd: plain.hwnd });
    const point = { x: 60, y: 60, space: 'client' };
    const click = async (): Promise<JournalEvent> => {
      plain.journal.mark();
      await client.act('virtual-mouse', { action: 'click', ...point });
      return (await buttons(plain, 2))[0]!;
    };
    await client.act('virtual-keyboard', { action: 'press', text: 'ctrl' });
    expect(await click()).toMatchObject({ kind: 'down', mk: MK_LBUTTON | MK_CONTROL });
    plain.journal.mark();
    await client.act('mouse-wheel', { ...point, delta: 1 });
    const wheel = (): JournalEvent[] => plain.journal.events({ event: 'wheel' });
    expect(await until(wheel, (events) => events.length > 0, 2000)).toMatchObject([{ mk: MK_CONTROL }]);
    await client.act('virtual-keyboard', { action: 'release', text: 'ctrl' });
    expect(await click()).toMatchObject({ kind: 'down', mk: MK_LBUTTON });
  });

  it('[method.drag] [method.moveMouse] [method.mouseDown] [method.mouseUp] [pointer.virtual] a drag, and its parts from the virtual position', async () => {
    await client.bind({ hwnd: plain.hwnd });
    await client.act('drag', { from: { x: 50, y: 60 }, to: { x: 150, y: 100 }, space: 'client' });
    const whole = await until(
      () => mouse(plain),
      (events) => events.some(({ kind }) => kind === 'up'),
      2000,
    );
    expect(whole.find(({ kind }) => kind === 'down')).toMatchObject({ x: 50, y: 60 });
    expect(whole.find(({ kind }) => kind === 'up')).toMatchObject({ x: 150, y: 100 });
    expect(whole.filter(({ kind, mk }) => kind === 'move' && (mk & MK_LBUTTON) !== 0).length).toBeGreaterThan(0);

    plain.journal.mark();
    await client.act('move-mouse', { x: 70, y: 70, space: 'client' });
    await client.act('mouse-down');
    await client.act('move-mouse', { x: 90, y: 80, space: 'client' });
    await client.act('mouse-up');
    const parts = await until(
      () => mouse(plain),
      (events) => events.some(({ kind }) => kind === 'up'),
      2000,
    );
    expect(parts.find(({ kind }) => kind === 'down')).toMatchObject({ x: 70, y: 70 });
    expect(parts.find(({ kind }) => kind === 'up')).toMatchObject({ x: 90, y: 80 });
    plain.journal.mark();
    await client.act('drag', { to: { x: 30, y: 40 }, space: 'client' });
    const onwards = await until(
      () => mouse(plain),
      (events) => events.some(({ kind }) => kind === 'up'),
      2000,
    );
    expect(onwards.find(({ kind }) => kind === 'down')).toMatchObject({ x: 90, y: 80 });
  });

  it('[method.mouseWheel] [method.scroll] the wheel turns in notches: delta up and right, dy down and dx right', async () => {
    await client.bind({ hwnd: plain.hwnd });
    const wheel = async (name: string, input: object): Promise<unknown[]> => {
      plain.journal.mark();
      await client.act(name, { x: 100, y: 80, space: 'client', ...input });
      return (
        await until(
          () => plain.journal.events({ event: 'wheel' }),
          (events) => events.length > 0,
          2000,
        )
      ).map(({ axis, delta }) => [axis, delta]);
    };
    const sum = (events: unknown[]): unknown => [
      (events[0] as [string, number])[0],
      (events as Array<[string, number]>).reduce((total, [, delta]) => total + delta, 0),
    ];
    expect(sum(await wheel('mouse-wheel', { delta: 1 }))).toEqual(['v', 120]);
    expect(sum(await wheel('mouse-wheel', { delta: -2 }))).toEqual(['v', -240]);
    expect(sum(await wheel('mouse-wheel', { delta: 1, horizontal: true }))).toEqual(['h', 120]);
    expect(sum(await wheel('scroll', { dx: 0, dy: 2 }))).toEqual(['v', -240]);
    expect(sum(await wheel('scroll', { dx: 1, dy: 0 }))).toEqual(['h', 120]);
    await client.bind({ hwnd: controls.hwnd });
    const panel = await place('PANEL_SCROLL');
    await client.act('mouse-wheel', { ...panel.client, space: 'client', delta: -1 });
    await until(
      async () => (await controls.dump()).get(controlId('PANEL_SCROLL'))!['position'] as number,
      (position) => position > 0,
      2000,
    );
  });

  it('a point outside is invalid_argument, and nothing is sent', async () => {
    await client.bind({ hwnd: plain.hwnd });
    await client.refused('invalid_argument', 'virtual-mouse', { action: 'click', space: 'client', x: 390, y: 295 });
    await client.refused('invalid_argument', 'click', { x: -3, y: 5, space: 'client' });
    await client.refused('invalid_argument', 'click', { x: 5000, y: 5, space: 'screen' });
    await client.refused('invalid_argument', 'virtual-mouse', { action: 'drag', x: 5, y: 5, startX: 4 });
    expect(mouse(plain)).toEqual([]);
  });

  it('a point on the menu bar is refused, and the hint says how menus are chosen', async () => {
    const notepad = await scene.notepad();
    await client.bind({ hwnd: notepad.hwnd });
    const {
      value: { originX, originY },
    } = await client.act('screenshot');
    const { x, y } = await scene.witness.area(notepad.hwnd);
    for (const [action, input] of [
      ['click', {}],
      ['virtual-mouse', { action: 'click' }],
    ] as const) {
      const refused = await client.refused('invalid_argument', action, {
        ...input,
        x: x + 12 - originX,
        y: y - 8 - originY,
      });
      expect(refused).toMatchObject({
        delivery: 'not_delivered',
        detail: expect.stringContaining('menu bar'),
        hint: expect.stringMatching(/select-element.*alt\+letter/),
      });
    }
  });
});

describe('real input', () => {
  it('[method.getCursorPosition] [method.moveMouse] unbound, the cursor itself moves and clicks', async () => {
    await client.act('unbind-from-window');
    await person.leave();
    const [left = 0, top = 0] = plain.ready['client'] as number[];
    const target = { x: left + 100, y: top + 80 };
    const moved = await client.act('move-mouse', { ...target, space: 'screen' });
    expect(moved.outcome).toMatchObject({ delivery: 'input', cursorMoved: true });
    expect(await scene.witness.where()).toMatchObject(target);
    expect((await client.act('get-cursor-position')).value).toEqual(target);
    const under = (await client.act('app-under-point', { ...target, space: 'screen' })).value;
    expect(under).toMatchObject({ bundleId: expect.stringContaining('sentinel.exe') });
    await client.act('click', { ...target, space: 'screen' });
    expect((await buttons(plain, 2))[0]).toMatchObject({ x: 100, y: 80, origin: 'injected' });
    await client.refused('invalid_argument', 'move-mouse', { x: 99_999, y: 1, space: 'screen' });
  });

  it('a real drag drops only in the window that was judged', async () => {
    const away = await scene.fixture('sentinel', {
      args: ['--x', 700, '--y', 300, '--width', 300, '--height', 200, '--topmost'],
    });
    await client.bind({ hwnd: plain.hwnd });
    await person.leave();
    const [left = 0, top = 0] = plain.ready['client'] as number[];
    const from = { x: left + 60, y: top + 60 };
    away.journal.mark();
    expect(
      (
        await client.refused('state_conflict', 'drag', {
          from,
          to: { x: 800, y: 400 },
          space: 'screen',
          delivery: 'foreground',
        })
      ).delivery,
    ).toBe('not_delivered');
    expect([...mouse(plain), ...mouse(away)].filter(({ kind }) => kind !== 'move')).toEqual([]);
    await client.act('drag', { from, to: { x: left + 160, y: top + 100 }, space: 'screen', delivery: 'foreground' });
    expect(kinds(await buttons(plain, 2))).toEqual(['down left', 'up left']);
  });

  it('[element.disabled] a real press at a disabled control is refused: it would go to what is behind', async () => {
    await using front = await scene.fixture('controls', {
      args: ['--many', '3', '--topmost', '--x', '20', '--y', '20', '--width', '400', '--height', '300'],
    });
    await front.tell('enable 1000 0');
    await client.bind({ hwnd: front.hwnd });
    await person.leave();
    const { x, y, width, height } = await client.element({ id: '1000' });
    const at = { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
    const real = { delivery: 'foreground' };
    front.journal.mark();
    await client.refused('target_disabled', 'click', { ...at, ...real });
    await client.refused('target_disabled', 'click', { ...at, ...real, button: 'right' });
    await client.refused('target_disabled', 'drag', { from: at, to: { x: at.x + 3, y: at.y }, ...real });
    expect(mouse(front).filter(({ kind }) => kind !== 'move')).toEqual([]);
    await front.tell('enable 1000 1');
    await client.act('click', { ...at, ...real });
    expect(kinds(await buttons(front, 2))).toEqual(['down left', 'up left']);
  });

  it('[pointer.held] real keys are down for the wheel and a drag, and up afterwards', async () => {
    await client.bind({ hwnd: plain.hwnd });
    await person.leave();
    const [left = 0, top = 0] = plain.ready['client'] as number[];
    const at = { x: left + 60, y: top + 60 };
    const real = { space: 'screen', delivery: 'foreground', modifiers: ['ctrl'] };
    await client.act('scroll', { ...at, dx: 0, dy: 1, ...real });
    const wheel = (): JournalEvent[] => plain.journal.events({ event: 'wheel' });
    expect(await until(wheel, (events) => events.length > 0, 2000)).toMatchObject([{ mk: MK_CONTROL }]);
    await client.act('drag', { from: at, to: { x: left + 160, y: top + 100 }, ...real });
    const [down, up] = await buttons(plain, 2);
    expect(down).toMatchObject({ kind: 'down', mk: MK_LBUTTON | MK_CONTROL });
    expect(up).toMatchObject({ kind: 'up' });
    plain.journal.mark();
    await client.act('click', { ...at, space: 'screen', delivery: 'foreground' });
    expect((await buttons(plain, 2)).map(({ ctrl, asyncCtrl }) => [ctrl, asyncCtrl])).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  it('unbound, a pressed button is released by unbinding, though no window is bound', async () => {
    await client.act('unbind-from-window');
    await person.leave();
    const [left = 0, top = 0] = plain.ready['client'] as number[];
    await client.act('move-mouse', { x: left + 90, y: top + 60, space: 'screen' });
    await client.act('mouse-down');
    const pressed = await buttons(plain, 1);
    expect(kinds(pressed)).toEqual(['down left']);
    expect(pressed[0]).toMatchObject({ x: 90, y: 60 });
    await client.act('unbind-from-window');
    expect(kinds(await buttons(plain, 2))).toEqual(['down left', 'up left']);
  });
});

it('[element.window-disabled] behind a modal dialog: no point and no key reaches the window that it disables, and the dialog is named', async () => {
  await client.bind({ hwnd: controls.hwnd });
  const [button, drawn] = [await place('PUSH'), await place('CUSTOM')];
  await client.act('click-element', { name: 'Open dialog', deadlineMs: 5000 });
  const dialog = String((await controls.journal.waitFor({ event: 'dialog_open' }))['hwnd']);
  controls.journal.mark();
  for (const at of [button.client, drawn.client]) {
    const point = { ...at, space: 'client' };
    for (const [name, input] of [
      ['click', point],
      ['click', { ...point, button: 'right' }],
      ['click', { ...point, count: 2 }],
      ['drag', { from: at, to: { x: at.x + 20, y: at.y }, space: 'client' }],
      ['scroll', { ...point, dx: 0, dy: 2 }],
      ['mouse-wheel', { ...point, delta: 1 }],
      ['virtual-mouse', { action: 'click', ...point }],
      ['key', { keySequence: 'tab' }],
      ['key', { keySequence: 'down' }],
      ['hold-key', { keyNames: ['a'], durationMs: 100 }],
      ['type', { text: 'x' }],
      ['virtual-keyboard', { action: 'type', text: 'x' }],
    ] as const) {
      const refused = await client.refused('target_disabled', name, input);
      expect(refused, name).toMatchObject({ delivery: 'not_delivered', candidates: [{ hwnd: dialog }] });
    }
    const delivery = 'foreground';
    for (const [name, input] of [
      ['click', { ...point, delivery }],
      ['click', { ...point, button: 'right', delivery }],
      ['move-mouse', { ...point, delivery }],
      ['drag', { from: at, to: { x: at.x + 20, y: at.y }, space: 'client', delivery }],
      ['scroll', { ...point, dx: 0, dy: 2, delivery }],
    ] as const) {
      const refused = await client.refused('target_disabled', name, input);
      expect(refused, `${name} in front`).toMatchObject({
        delivery: 'not_delivered',
        candidates: [{ hwnd: dialog }],
      });
    }
  }
  expect(controls.journal.events({ event: 'custom_click' })).toEqual([]);
  expect(controls.journal.events({ event: 'command' })).toEqual([]);
  await client.bind({ hwnd: dialog });
  const { x, y, width, height } = await client.element({ name: 'Cancel' });
  await client.act('click', { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) });
  await controls.journal.waitFor({ event: 'dialog_closed' });
});
