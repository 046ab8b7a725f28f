/** What pictures remember of password fields: a quiet window is not searched again, and no change is missed. */
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  EM_SETPASSWORDCHAR,
  SWP_NOACTIVATE,
  SWP_NOSIZE,
  SWP_NOZORDER,
} from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { Rect } from '../../../../src/contract/element/geometry.ts';
import type { CaptureOptions, Picture } from '../../../../src/desktop/index.ts';
import { findsNone, type PasswordFinder } from '../../../../src/win32/imaging/password-memory.ts';
import { createElementPort } from '../../../../src/win32/ports/element.ts';
import { createWin32Services } from '../../../../src/win32/ports/services.ts';
import { sendWithin } from '../support/send.ts';
import { outerRect } from '../../../../src/win32/windows/rects.ts';
import { until } from '../../../support/until.ts';
import { createPorts } from '../support/ports.ts';
import { callsOf, countCalls } from '../support/native-calls.ts';
import { Pixels } from '../support/pixels.ts';
import { Fixture, newCall } from '../support/programs.ts';

const png: CaptureOptions = { format: 'png', deny: [] };
/** Control ids of controls.exe (test/fixtures/controls.ids.json). */
const PASSWORD = 205;
const NAME = 201;
const MASK = 0x808080;
const MANY = 200;
/** Within this time (ms) events that nothing waits for are taken. */
const EVENTS_TAKEN_MS = 1200;

describe('the password fields of a window that was captured before', () => {
  let fixture: Fixture;
  let record: BindingRecord;
  let searches: number[];
  let find: PasswordFinder;
  let ports: ReturnType<typeof createPorts>;

  const child = (id: number, of = fixture.hwnd): number => user32.GetDlgItem(of, id);
  const placeOf = (hwnd: number): Rect => outerRect(hwnd)!;
  const window = async (): Promise<Picture> => ports.capture.window(record, png, newCall());
  const display = async (): Promise<Picture> => ports.capture.display(undefined, png, newCall());
  const colours = async (picture: Picture, rect: Rect): Promise<number[]> => [
    ...(await Pixels.of(picture)).coloursIn(rect),
  ];
  const move = (hwnd: number, x: number, y: number): void => {
    user32.SetWindowPos(hwnd, 0, x, y, 0, 0, SWP_NOSIZE | SWP_NOZORDER | SWP_NOACTIVATE);
  };

  beforeEach(async () => {
    fixture = await Fixture.start('controls', ['--x', '0', '--y', '0', '--topmost']);
    searches = [];
    find = findsNone;
    ports = createPorts((hwnd, time, call) => {
      searches.push(hwnd);
      return find(hwnd, time, call);
    });
    record = await ports.binding.find({ hwnd: String(fixture.hwnd) }, newCall());
    await until(async () => (await colours(await window(), placeOf(child(NAME)))).length > 1, 'the first painting');
    searches.length = 0;
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  test('are not searched for, and its windows are not read again', async () => {
    await window();
    const counts = await countCalls(window);
    expect(searches).toEqual([]);
    expect(callsOf(counts, 'EnumChildWindows', 'GetClassNameW')).toBeLessThan(4);
    expect(await colours(await window(), placeOf(child(PASSWORD)))).toEqual([MASK]);
  });

  test('a large window that opens elsewhere is not asked for again with each window that is known', async () => {
    const known: Fixture[] = [];
    try {
      for (let more = 0; more < 3; more++) known.push(await Fixture.start('controls', ['--x', '500']));
      const records: BindingRecord[] = [];
      for (const { hwnd } of known) records.push(await ports.binding.find({ hwnd: String(hwnd) }, newCall()));
      for (const each of records) await ports.capture.window(each, png, newCall());
      searches.length = 0;
      const opening = await countCalls(async () => {
        known.push(await Fixture.start('controls', ['--x', '500', '--many', `${MANY}`]));
        await setTimeout(EVENTS_TAKEN_MS);
      });
      expect(callsOf(opening, 'IsChild', 'GetAncestor')).toBeLessThan(MANY / 4);
      const pictures = await countCalls(async () => {
        for (const each of records) await ports.capture.window(each, png, newCall());
      });
      expect(callsOf(pictures, 'IsChild', 'GetAncestor')).toBeLessThan(2 * MANY);
      expect(searches).toEqual([]);
    } finally {
      for (const each of known) await each[Symbol.asyncDispose]();
    }
  });

  test('a field that appears is masked', async () => {
    await fixture.tell(`show ${PASSWORD} 0`);
    expect(await colours(await window(), placeOf(child(PASSWORD)))).not.toEqual([MASK]);
    await fixture.tell(`show ${PASSWORD} 1`);
    expect(await colours(await window(), placeOf(child(PASSWORD)))).toEqual([MASK]);
    expect(searches.length).toBeGreaterThan(0);
  });

  test('a field that appears while the window is searched is masked', async () => {
    await fixture.tell(`show ${PASSWORD} 0`);
    await until(() => !user32.IsWindowVisible(child(PASSWORD)), 'the hidden field');
    let shows = 1;
    find = async (hwnd, time, call) => {
      if (shows-- > 0) await fixture.tell(`show ${PASSWORD} 1`);
      return findsNone(hwnd, time, call);
    };
    const picture = await window();
    expect(await colours(picture, placeOf(child(PASSWORD)))).toEqual([MASK]);
    expect(picture.masksMayBeIncomplete).toBeUndefined();
  });

  test('a window that changes at every look says that its masks may be incomplete', async () => {
    let visible = 0;
    await fixture.tell(`show ${PASSWORD} 0`);
    find = async (hwnd, time, call) => {
      await fixture.tell(`show ${NAME} ${visible}`);
      visible = 1 - visible;
      return findsNone(hwnd, time, call);
    };
    expect((await window()).masksMayBeIncomplete).toBe(true);
  });

  test('a field that moves is masked where it is now', async () => {
    const before = placeOf(child(PASSWORD));
    move(child(PASSWORD), 400, 300);
    await until(() => placeOf(child(PASSWORD)).x !== before.x, 'the move');
    expect(await colours(await window(), placeOf(child(PASSWORD)))).toEqual([MASK]);
  });

  test('a field that becomes a password field is masked', async () => {
    expect(await colours(await window(), placeOf(child(NAME)))).not.toEqual([MASK]);
    sendWithin(child(NAME), EM_SETPASSWORDCHAR, 42, 0, 1000);
    expect(await colours(await window(), placeOf(child(NAME)))).toEqual([MASK]);
    expect(await colours(await display(), placeOf(child(NAME)))).toEqual([MASK]);
    expect(searches.filter((hwnd) => hwnd === fixture.hwnd)).toEqual([]);
  });

  test('another program’s field that is moved into the window is masked', async () => {
    await using other = await Fixture.start('controls', ['--x', '600', '--y', '400']);
    const field = child(PASSWORD, other.hwnd);
    await window();
    user32.SetParent(field, fixture.hwnd);
    move(field, 420, 320);
    await until(() => user32.IsChild(fixture.hwnd, field), 'the field in the window');
    try {
      expect(await colours(await window(), placeOf(field))).toEqual([MASK]);
      expect(await colours(await display(), placeOf(field))).toEqual([MASK]);
    } finally {
      user32.SetParent(field, other.hwnd);
    }
  });

  test('a window that opens above is masked in a picture of the display', async () => {
    await display();
    await using other = await Fixture.start('controls', ['--x', '40', '--y', '40', '--topmost']);
    const place = placeOf(child(PASSWORD, other.hwnd));
    expect(await colours(await display(), place)).toEqual([MASK]);
  });

  test('a program that answers UI Automation itself is searched for each picture', async () => {
    await using provider = await Fixture.start('provider', ['--small']);
    const bound = await ports.binding.find({ hwnd: String(provider.hwnd) }, newCall());
    for (let round = 0; round < 3; round++) await ports.capture.window(bound, png, newCall());
    expect(searches.filter((hwnd) => hwnd === provider.hwnd)).toHaveLength(3);
  });
});

test('the first picture of a window whose elements were read: a part that has begun to serve elements is searched', async () => {
  await using provider = await Fixture.start('provider', ['--small']);
  using element = createElementPort(createWin32Services());
  const ports = createPorts(element.passwordRects);
  const record = await ports.binding.find({ hwnd: String(provider.hwnd) }, newCall());
  const automation = element.automation();
  if (automation === null || automation.abilities.patterns) return;
  const asked = vi.spyOn(automation, 'fromWindow');
  await ports.capture.window(record, png, newCall());
  expect(asked).toHaveBeenCalled();
});
