/** The port of windows on a real desktop: the list, places and states. */
import { describe, expect, test, vi } from 'vitest';
import {
  DWMWA_CLOAKED,
  SW_HIDE,
  SWP_NOACTIVATE,
  SWP_NOMOVE,
  SWP_NOSIZE,
} from '../../../../native-bindings/win32/constants.ts';
import { dwmapi } from '../../../../native-bindings/win32/dwmapi.ts';
import { INPUT } from '../../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import { isElevated } from '../../../../src/contract/gate/orders.ts';
import { personIdleMs } from '../../../../src/win32/windows/person.ts';
import { withProcess } from '../../../../src/win32/system/process.ts';
import { cursorPosition } from '../../../../src/win32/windows/witness.ts';
import { refusal } from '../support/elements.ts';
import { createPorts } from '../support/ports.ts';
import { Fixture, newCall, hangs } from '../support/programs.ts';
import { Session } from '../support/session.ts';
import { until } from '../../../support/until.ts';

const { binding, capture, window } = createPorts();

async function bound(fixture: Fixture): Promise<BindingRecord> {
  return binding.find({ hwnd: String(fixture.hwnd) }, newCall());
}
const place = ['--x', '100', '--y', '80', '--width', '500', '--height', '350'];

/** Nothing was sent, so nothing was confirmed. */
const ALREADY = { effect: 'none', delivery: 'none' };

describe('the list', () => {
  test('has every visible window with its program, topmost first', async () => {
    await using below = await Fixture.start('sentinel', ['--title', 'Below']);
    await using above = await Fixture.start('sentinel', ['--title', 'Above', '--activate']);
    await using hidden = await Fixture.start('sentinel', ['--title', 'Hidden', '--hidden']);
    const rows = await window.listVisible(newCall());
    const titles = rows.map((row) => row.title);
    expect(titles.indexOf('Above')).toBeGreaterThanOrEqual(0);
    expect(titles.indexOf('Above')).toBeLessThan(titles.indexOf('Below'));
    expect(titles).not.toContain('Hidden');
    expect(rows.find((row) => row.title === 'Above')).toMatchObject({
      hwnd: String(above.hwnd),
      pid: above.pid,
      minimized: false,
      toolWindow: false,
      elevated: isElevated((await bound(above)).integrity),
      app: { executable: expect.stringMatching(/sentinel\.exe$/) as unknown },
    });
    expect(below.hwnd).not.toBe(hidden.hwnd);
  });

  test('marks minimised windows', async () => {
    await using fixture = await Fixture.start('sentinel');
    const record = await bound(fixture);
    await window.manage(record, 'minimize', {}, newCall());
    expect((await window.listVisible(newCall())).find((row) => row.hwnd === record.hwnd)).toMatchObject({
      minimized: true,
    });
  });

  test('marks windows that Windows found not to respond', async () => {
    await using fixture = await Fixture.start('sentinel');
    const row = async () => (await window.listVisible(newCall())).find(({ hwnd }) => hwnd === String(fixture.hwnd));
    expect(await row()).not.toHaveProperty('hung');
    await fixture.tell('hang 20000');
    await until(async () => (await row())?.hung === true, 'the mark', 15_000);
  }, 30_000);

  test('marks tool windows', async () => {
    await using fixture = await Fixture.start('sentinel');
    const isTool = async () =>
      (await window.listVisible(newCall())).find((row) => row.hwnd === String(fixture.hwnd))?.toolWindow;
    expect(await isTool()).toBe(false);
    user32.SetWindowLongW(fixture.hwnd, -20, user32.GetWindowLongW(fixture.hwnd, -20) | 0x80);
    expect(await isTool()).toBe(true);
  });

  test('leaves out a window that Windows has cloaked', async () => {
    await using fixture = await Fixture.start('sentinel');
    const isListed = async (): Promise<boolean> =>
      (await window.listVisible(newCall())).some((row) => row.hwnd === String(fixture.hwnd));
    expect(await isListed()).toBe(true);
    const ask = dwmapi.DwmGetWindowAttribute;
    const cloaked = vi.spyOn(dwmapi, 'DwmGetWindowAttribute').mockImplementation((hwnd, attribute, into, size) => {
      if (Number(hwnd) !== fixture.hwnd || attribute !== DWMWA_CLOAKED) return ask(hwnd, attribute, into, size);
      (into as Buffer).writeUInt32LE(1);
      return 0;
    });
    try {
      expect(await isListed()).toBe(false);
    } finally {
      cloaked.mockRestore();
    }
  });

  test('a program is held for the next listing, and released once it has ended', async () => {
    const first = await Fixture.start('sentinel', ['--title', 'Comes and goes']);
    const titles = async () => (await window.listVisible(newCall())).map((row) => row.title);
    expect(await titles()).toContain('Comes and goes');
    expect(await titles()).toContain('Comes and goes');
    const canBeOpened = (): boolean => withProcess(first.pid, () => true) === true;
    await first[Symbol.asyncDispose]();
    // Its id is not free yet: no other program can be mistaken for it.
    expect(canBeOpened()).toBe(true);
    expect(await titles()).not.toContain('Comes and goes');
    await until(() => !canBeOpened(), 'the end of the process');
  });

  test('is not held up by a hung window', async () => {
    await using fixture = await Fixture.start('sentinel', ['--title', 'Hung in the list']);
    await fixture.tell('hang 30000');
    expect((await window.listVisible(newCall())).map((row) => row.title)).toContain('Hung in the list');
    expect(await hangs(fixture.hwnd)).toBe(true);
  });
});

describe('places', () => {
  test('is the outer rectangle the program sees of itself', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const ready = fixture.journal().find((entry) => entry.event === 'ready') as unknown as {
      rect: [number, number, number, number];
    };
    const [left, top, right, bottom] = ready.rect;
    expect(await window.rect(await bound(fixture), newCall())).toEqual({
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
    });
  });

  test('is null once the window is gone', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    expect(await window.manage(record, 'close', {}, newCall())).toMatchObject({ value: true });
    expect(await window.rect(record, newCall())).toBeNull();
  });

  test('client and screen points correspond as the program’s own client area says', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    const ready = fixture.journal().find((entry) => entry.event === 'ready') as unknown as {
      client: [number, number, number, number];
    };
    const [left, top, right, bottom] = ready.client;
    for (const point of [
      { x: 0, y: 0 },
      { x: 17, y: 33 },
      { x: right - left - 1, y: bottom - top - 1 },
    ]) {
      const screen = await window.clientToScreen(record, point, newCall());
      expect(screen).toEqual({ x: left + point.x, y: top + point.y });
      expect(await window.screenToClient(record, screen, newCall())).toEqual(point);
    }
    for (const point of [
      { x: -1, y: 0 },
      { x: right - left, y: 0 },
      { x: 0, y: bottom - top },
      { x: Number.NaN, y: 0 },
    ]) {
      await expect(window.clientToScreen(record, point, newCall())).rejects.toMatchObject({
        code: 'invalid_argument',
        delivery: 'not_delivered',
      });
    }
    await expect(window.screenToClient(record, { x: left - 1, y: top }, newCall())).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  test('moves and resizes, and reports the rectangle obtained', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    const done = await window.manage(record, 'move_resize', { x: 210, y: 130, width: 420, height: 310 }, newCall());
    expect(done).toMatchObject({
      value: true,
      outcome: {
        effect: 'confirmed',
        focusChanged: false,
        cursorMoved: false,
        details: { rect: { x: 210, y: 130, width: 420, height: 310 }, clamped: false },
      },
    });
    expect(await window.rect(record, newCall())).toEqual({ x: 210, y: 130, width: 420, height: 310 });
    await window.manage(record, 'move_resize', { x: -40, y: 60 }, newCall());
    expect(await window.rect(record, newCall())).toEqual({ x: -40, y: 60, width: 420, height: 310 });
    await expect(window.manage(record, 'move_resize', { x: 1 }, newCall())).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  test('a size below the smallest is clamped, and the outcome reports it', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    const done = await window.manage(record, 'move_resize', { x: 10, y: 20, width: 1, height: 1 }, newCall());
    const rect = await window.rect(record, newCall());
    expect(rect?.width).toBeGreaterThan(1);
    expect(done).toMatchObject({ value: true, outcome: { details: { rect, clamped: true } } });
  });

  test('[manage.move-needs] a size alone keeps the place', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    const { x, y } = (await window.rect(record, newCall()))!;
    const done = await window.manage(record, 'move_resize', { width: 420, height: 310 }, newCall());
    expect(done).toMatchObject({ value: true, outcome: { details: { rect: { x, y, width: 420, height: 310 } } } });
  });

  test('a minimised window is not moved', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    await window.manage(record, 'minimize', {}, newCall());
    await expect(window.manage(record, 'move_resize', { x: 10, y: 20 }, newCall())).rejects.toMatchObject({
      code: 'state_conflict',
    });
  });

  test('[outcome.already] nothing of the window stays on the desktop, and its size is kept', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    expect(await window.manage(record, 'move_offscreen', {}, newCall())).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed' },
    });
    const rect = await window.rect(record, newCall());
    expect(rect).toMatchObject({ width: 500, height: 350 });
    expect((rect?.x ?? 0) + 500).toBeLessThanOrEqual(0);
    expect(await window.manage(record, 'move_offscreen', {}, newCall())).toMatchObject({
      value: true,
      outcome: ALREADY,
    });
    await binding.release(record, newCall());
  });

  test('get_rect answers rectangle and state and changes nothing', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const done = await window.manage(await bound(fixture), 'get_rect', {}, newCall());
    expect(done).toMatchObject({
      value: true,
      outcome: {
        effect: 'none',
        delivery: 'none',
        details: { rect: { x: 100, y: 80, width: 500, height: 350 }, state: 'normal' },
      },
    });
  });
});

describe('states', () => {
  test('[outcome.already] minimize, restore, maximize, restore: a second process sees each state before it is reported', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    const now = () => ({ minimized: user32.IsIconic(fixture.hwnd), maximized: user32.IsZoomed(fixture.hwnd) });
    for (const [action, state] of [
      ['minimize', { minimized: true, maximized: false }],
      ['restore', { minimized: false, maximized: false }],
      ['maximize', { minimized: false, maximized: true }],
      ['minimize', { minimized: true, maximized: false }],
    ] as const) {
      expect(await window.manage(record, action, {}, newCall())).toMatchObject({
        value: true,
        outcome: { effect: 'confirmed', evidence: [{ kind: 'window' }] },
      });
      expect(now()).toMatchObject(state);
      if (action !== 'restore')
        expect(await window.manage(record, action, {}, newCall())).toMatchObject({ value: true, outcome: ALREADY });
    }
    await window.manage(record, 'restore', {}, newCall());
    expect(await window.manage(record, 'restore', {}, newCall())).toMatchObject({ value: true, outcome: ALREADY });
    expect(now()).toEqual({ minimized: false, maximized: false });
    expect(await window.rect(record, newCall())).toEqual({ x: 100, y: 80, width: 500, height: 350 });
  });

  test('in the background, the outcome reports the foreground as the sentinel saw it', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    await using front = await Fixture.start('sentinel', ['--activate', '--title', 'Person']);
    await until(() => user32.GetForegroundWindow() === front.hwnd, 'the foreground');
    const record = await bound(fixture);
    for (const action of ['minimize', 'restore', 'move_offscreen', 'maximize'] as const) {
      await window.manage(await bound(front), 'focus', {}, newCall());
      const before = front.journal().length;
      const { value, outcome } = await window.manage(record, action, {}, newCall());
      const changes = front
        .journal()
        .slice(before)
        .filter((entry) => entry.event === 'foreground');
      expect({ action, value, changed: outcome.focusChanged }).toEqual({
        action,
        value: true,
        changed: changes.length > 0,
      });
      if (action === 'minimize') expect(outcome.focusChanged).toBe(false);
    }
    await binding.release(record, newCall());
  });

  test('a hung window that does not minimise is not said to be', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    await fixture.tell('hang 3000');
    expect(await window.manage(record, 'minimize', {}, newCall({ deadlineMs: 800 }))).toMatchObject({
      value: false,
      outcome: { effect: 'none', attempts: [{ result: 'failed' }] },
    });
  });

  test('closes and waits until the window is gone', async () => {
    await using fixture = await Fixture.start('sentinel');
    const record = await bound(fixture);
    expect(await window.manage(record, 'close', {}, newCall())).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', evidence: [{ kind: 'window', after: 'gone' }] },
    });
    expect(user32.IsWindow(fixture.hwnd)).toBe(false);
  });

  test('[manage.still-open] a question about unsaved changes is reported with its window', async () => {
    await using fixture = await Fixture.start('controls', ['--ask-save']);
    const record = await bound(fixture);
    const error = await window.manage(record, 'close', {}, newCall()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UiaHostError);
    expect(error).toMatchObject({ code: 'still_open', delivery: 'delivered' });
    const dialog = (error as UiaHostError).candidates?.[0];
    expect(user32.IsWindow(Number(dialog?.hwnd))).toBe(true);
    expect((await binding.find({ hwnd: dialog?.hwnd ?? '' }, newCall())).pid).toBe(fixture.pid);
    expect(await binding.isAlive(record, newCall())).toBe(true);
  });
});

test('[manage.win32] Win32 calls only: no input is made, no queue is shared, no key reaches anyone', async () => {
  // A call to one of these would fail here, and so would the action.
  const forbidden = [
    'SendInput',
    'AttachThreadInput',
    'SwitchToThisWindow',
    'AllowSetForegroundWindow',
    'LockSetForegroundWindow',
    'SetKeyboardState',
  ] as const;
  const real = forbidden.map((name) => [name, user32[name]] as const);
  const called: string[] = [];
  const posted: number[] = [];
  const post = user32.PostMessageW;
  const replace = (name: string, value: unknown): void => {
    Object.defineProperty(user32, name, { value, configurable: true, enumerable: true });
  };
  for (const [name] of real)
    replace(name, () => {
      called.push(name);
      return false;
    });
  replace('PostMessageW', (...args: Parameters<typeof post>) => {
    posted.push(args[1]);
    return post(...args);
  });
  try {
    await using other = await Fixture.start('sentinel', ['--activate']);
    await using fixture = await Fixture.start('controls', place);
    const record = await bound(fixture);
    for (const action of ['minimize', 'restore', 'maximize', 'restore', 'move_offscreen', 'get_rect', 'focus'] as const)
      expect(await window.manage(record, action, {}, newCall())).toMatchObject({ value: true });
    await window.manage(record, 'move_resize', { x: 30, y: 40, width: 480, height: 360 }, newCall());
    await other.tell('activate');
    await window.activate(record, null, newCall());
    await window.manage(record, 'close', {}, newCall());
    const isKey = ({ event }: { readonly event: string }): boolean => event === 'key' || event === 'char';
    expect([...other.journal(), ...fixture.journal()].filter(isKey)).toEqual([]);
  } finally {
    for (const [name, call] of real) replace(name, call);
    replace('PostMessageW', post);
  }
  expect(called).toEqual([]);
  expect([...new Set(posted)]).toEqual([0x0010]);
});

describe('the foreground', () => {
  test('is obtained and reported', async () => {
    await using front = await Fixture.start('sentinel', ['--activate', '--title', 'Person']);
    await using fixture = await Fixture.start('controls', []);
    await until(() => user32.GetForegroundWindow() === front.hwnd, 'the foreground');
    const record = await bound(fixture);
    const cursor = cursorPosition();
    const done = await window.activate(record, null, newCall());
    expect(done).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', focusChanged: true, cursorMoved: false },
    });
    expect(user32.GetForegroundWindow()).toBe(fixture.hwnd);
    expect(cursorPosition()).toEqual(cursor);
    expect(fixture.journal().filter((entry) => entry.event === 'custom_click')).toEqual([]);
    expect(await window.manage(record, 'focus', {}, newCall())).toMatchObject({
      value: true,
      outcome: { effect: 'none', focusChanged: false },
    });
    // A window that came up without the foreground covers it no longer.
    await using above = await Fixture.start('sentinel', ['--title', 'Raised']);
    const topOf = async (): Promise<string | undefined> =>
      (await window.listVisible(newCall())).find(({ hwnd }) => [record.hwnd, String(above.hwnd)].includes(hwnd))?.hwnd;
    user32.SetForegroundWindow(Number(record.hwnd));
    user32.SetWindowPos(above.hwnd, 0, 0, 0, 0, 0, SWP_NOACTIVATE | SWP_NOMOVE | SWP_NOSIZE);
    expect(await topOf()).toBe(String(above.hwnd));
    await window.manage(record, 'focus', {}, newCall());
    await until(topOf, (top) => top === record.hwnd, 3000);
  });

  const WRITING = { mode: 'replace', delivery: 'background', isSecret: false } as const;

  test('[binding.hidden] a bound window that its program hides is reported, and takes nothing until it is restored', async () => {
    await using fixture = await Fixture.start('controls');
    using session = await Session.bind(fixture.hwnd);
    const { record, elements } = session;
    const [button, field] = [await elements.ref({ name: 'Push me' }), await elements.ref({ automationId: '201' })];
    user32.ShowWindow(fixture.hwnd, SW_HIDE);
    expect(await binding.describe(record, newCall())).toMatchObject({ isHidden: true });
    expect((await elements.snapshot()).accessibilityText).toContain('This window is hidden');
    for (const send of [
      () => elements.port.click(record, button, { delivery: 'background' }, newCall()),
      () => elements.port.click(record, button, { delivery: 'foreground' }, newCall()),
      () => elements.port.typeInto(record, field, 'x', WRITING, newCall()),
      () => session.keys('space'),
      () => session.clickAt(fixture, 101),
      () => window.activate(record, null, newCall()),
    ])
      expect((await refusal(send(), 'state_conflict')).message).toContain('is hidden');
    await refusal(capture.window(record, { format: 'png', deny: [] }, newCall()), 'capture_blank');
    expect(await window.manage(record, 'restore', {}, newCall())).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', evidence: [{ before: 'hidden', after: 'normal' }] },
    });
    expect(user32.IsWindowVisible(fixture.hwnd)).toBe(true);
    expect(fixture.journal().filter(({ event }) => event === 'command')).toEqual([]);
  });

  test('a minimised window is restored to be seen', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    await window.manage(record, 'minimize', {}, newCall());
    expect(await window.activate(record, null, newCall())).toMatchObject({ value: true });
    expect(user32.IsIconic(fixture.hwnd)).toBe(false);
  });

  test('[activate.click] both coordinates given: the program itself sees the click there', async () => {
    await using fixture = await Fixture.start('controls', ['--x', '0', '--y', '0']);
    const record = await bound(fixture);
    const custom = user32.GetDlgItem(fixture.hwnd, 121);
    const rect = Buffer.alloc(16);
    user32.GetWindowRect(custom, rect);
    const client = await window.screenToClient(
      record,
      { x: rect.readInt32LE(0) + 8, y: rect.readInt32LE(4) + 8 },
      newCall(),
    );
    // A window that appears under the cursor counts as input on some systems.
    await until(() => personIdleMs() > 700, 'a quiet moment');
    const done = await window.activate(record, client, newCall());
    expect(done).toMatchObject({
      value: true,
      outcome: { delivery: 'input', cursorMoved: true, details: { clicked: true } },
    });
    await until(() => fixture.journal().some((entry) => entry.event === 'custom_click'), 'the click');
  });

  test('[activate.click] a point that another window covers is not clicked, and the value is false', async () => {
    await using fixture = await Fixture.start('controls', ['--x', '0', '--y', '0']);
    await using cover = await Fixture.start('sentinel', ['--x', '0', '--y', '0', '--topmost']);
    const record = await bound(fixture);
    await until(() => user32.IsWindowVisible(cover.hwnd) && personIdleMs() > 700, 'a quiet moment');
    expect(await window.activate(record, { x: 60, y: 40 }, newCall())).toMatchObject({
      value: false,
      outcome: { details: { clicked: false } },
    });
  });

  test('[activate.click] a person who uses the mouse is not disturbed', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    user32.SendInput(1, INPUT.alloc({ type: 0, mi: { dwFlags: 0x0800, mouseData: 120 } }), INPUT.size);
    const foreground = user32.GetForegroundWindow();
    await expect(window.activate(record, { x: 5, y: 5 }, newCall())).rejects.toMatchObject({
      code: 'user_active',
      delivery: 'not_delivered',
    });
    expect(user32.GetForegroundWindow()).toBe(foreground);
  });

  test('[activate.click] a point outside the client area is refused before anything happens', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    await using front = await Fixture.start('sentinel', ['--activate', '--title', 'Person']);
    await until(() => user32.GetForegroundWindow() === front.hwnd, 'the foreground');
    await expect(window.activate(await bound(fixture), { x: 5000, y: 5 }, newCall())).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(user32.GetForegroundWindow()).toBe(front.hwnd);
  });
});
