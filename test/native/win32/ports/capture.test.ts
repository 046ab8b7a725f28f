/** The port of pictures on a real desktop, checked by the colours that a fixture draws. */
import { describe, expect, test, vi } from 'vitest';
import { GWL_EXSTYLE, LWA_ALPHA, WS_EX_LAYERED } from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { Rect } from '../../../../src/contract/element/geometry.ts';
import type { CaptureOptions, Picture } from '../../../../src/desktop/index.ts';
import { isCovered } from '../../../../src/win32/imaging/window-shot.ts';
import { findsNone, type PasswordFinder } from '../../../../src/win32/imaging/password-memory.ts';
import { createPorts } from '../support/ports.ts';
import { Pixels } from '../support/pixels.ts';
import { Fixture, newCall, hangs } from '../support/programs.ts';
import { until } from '../../../support/until.ts';
import { callsOf, countCalls } from '../support/native-calls.ts';
import { wordsOf } from '../../../support/words.ts';

const WDA_MONITOR = 1;

const { binding, capture, services, window } = createPorts();
const png: CaptureOptions = { format: 'png', deny: [] };

/** Control ids of controls.exe (test/fixtures/controls.ids.json). */
const PASSWORD = 205;
const CUSTOM = 121;
const RED = 0xdc1e1e;
const BLUE = 0x1e3cdc;
const MASK = 0x808080;

function childRect(parent: number, id: number): Rect {
  const memory = Buffer.alloc(16);
  user32.GetWindowRect(user32.GetDlgItem(parent, id), memory);
  const [x, y, right, bottom] = [0, 4, 8, 12].map((at) => memory.readInt32LE(at)) as [number, number, number, number];
  return { x, y, width: right - x, height: bottom - y };
}

async function bound(fixture: Fixture): Promise<BindingRecord> {
  return binding.find({ hwnd: String(fixture.hwnd) }, newCall());
}

/**
 * The custom control of the fixture is a red square next to a blue one: content that a picture must show where it is.
 */
function showsContent(pixels: Pixels, fixture: Fixture): boolean {
  const rect = childRect(fixture.hwnd, CUSTOM);
  const y = rect.y + Math.floor(rect.height / 2);
  return (
    pixels.atScreen(rect.x + Math.floor(rect.width / 4), y) === RED &&
    pixels.atScreen(rect.x + Math.floor((rect.width * 3) / 4), y) === BLUE
  );
}

async function painted(fixture: Fixture, record: BindingRecord): Promise<void> {
  await until(
    async () => showsContent(await Pixels.of(await capture.window(record, png, newCall())), fixture),
    'the first painting',
  );
}

describe('a window', () => {
  test('[capture.window] is captured alone, with its place and the method used', async () => {
    await using fixture = await Fixture.start('controls', ['--x', '10', '--y', '20']);
    const record = await bound(fixture);
    await painted(fixture, record);
    const rect = await window.rect(record, newCall());
    const picture = await capture.window(record, png, newCall());
    expect(picture.mimeType).toBe('image/png');
    expect(['print-window', 'window-dc', 'screen-crop']).toContain(picture.method);
    expect(picture.geometry).toMatchObject({
      originX: rect?.x,
      originY: rect?.y,
      displayWidth: rect?.width,
      displayHeight: rect?.height,
    });
    expect(picture.displayId).toBeUndefined();
    const pixels = await Pixels.of(picture);
    expect([pixels.width, pixels.height]).toEqual([picture.geometry.imageWidth, picture.geometry.imageHeight]);
    expect(showsContent(pixels, fixture)).toBe(true);
  });

  test('PrintWindow is not tried first once it showed nothing of two programs and something of none', async () => {
    const calls: number[] = [];
    for (const x of [10, 40, 70]) {
      await using fixture = await Fixture.start('controls', ['--x', String(x), '--y', '20']);
      const record = await bound(fixture);
      await painted(fixture, record);
      await using other = await Fixture.start('controls', ['--x', String(x), '--y', '60']);
      const otherRecord = await bound(other);
      const counts = await countCalls(async () => {
        const picture = await capture.window(otherRecord, png, newCall());
        if (picture.method === 'print-window') calls.push(-1);
      });
      calls.push(callsOf(counts, 'PrintWindow'));
    }
    if (!calls.includes(-1)) expect(calls.slice(1)).toEqual([0, 0]);
  });

  test('shows its own content where another window covers it, and stays below', async () => {
    await using fixture = await Fixture.start('controls', ['--x', '0', '--y', '0']);
    const record = await bound(fixture);
    await painted(fixture, record);
    await using cover = await Fixture.start('sentinel', wordsOf`--x 0 --y 0 --width 1270 --height 780 --topmost`);
    await until(() => isCovered(fixture.hwnd, childRect(fixture.hwnd, CUSTOM)), 'the cover');
    const foreground = user32.GetForegroundWindow();
    const picture = await capture.window(record, png, newCall());
    expect(showsContent(await Pixels.of(picture), fixture)).toBe(true);
    expect(picture.method).not.toBe('screen-crop');
    expect(user32.GetForegroundWindow()).toBe(foreground);
    const order = (await window.listVisible(newCall())).map((row) => row.hwnd);
    expect(order.indexOf(String(cover.hwnd))).toBeLessThan(order.indexOf(record.hwnd));
  });

  test('whether a window is covered is seen: only visible windows that overlap count', async () => {
    await using fixture = await Fixture.start('sentinel', wordsOf`--x 100 --y 100 --width 300 --height 200`);
    await using beside = await Fixture.start('sentinel', wordsOf`--x 600 --y 100 --width 300 --height 200 --topmost`);
    const frame = { x: 100, y: 100, width: 300, height: 200 };
    expect(isCovered(fixture.hwnd, frame)).toBe(false);
    const record = await bound(beside);
    await window.manage(record, 'move_resize', { x: 350, y: 150 }, newCall());
    expect(isCovered(fixture.hwnd, frame)).toBe(true);
    await window.manage(record, 'minimize', {}, newCall());
    expect(isCovered(fixture.hwnd, frame)).toBe(false);
    await beside.tell('quit');
    await fixture.tell('quit');
    await until(() => !user32.IsWindow(fixture.hwnd), 'the end');
    expect(isCovered(fixture.hwnd, frame)).toBe(true);
  });

  test('[capture.blank] a minimised window is capture_blank with that cause, and stays minimised', async () => {
    await using fixture = await Fixture.start('controls');
    const record = await bound(fixture);
    await window.manage(record, 'minimize', {}, newCall());
    await expect(capture.window(record, png, newCall())).rejects.toMatchObject({
      code: 'capture_blank',
      message: expect.stringContaining('minimised') as unknown,
    });
    expect(user32.IsIconic(fixture.hwnd)).toBe(true);
  });

  test('a window that its program keeps out of pictures is capture_blank with that cause', async () => {
    await using fixture = await Fixture.start('controls');
    const record = await bound(fixture);
    const affinity = vi.spyOn(user32, 'GetWindowDisplayAffinity').mockImplementation((_hwnd, into) => {
      (into as Buffer).writeUInt32LE(WDA_MONITOR, 0);
      return true;
    });
    try {
      await expect(capture.window(record, png, newCall())).rejects.toMatchObject({
        code: 'capture_blank',
        message: expect.stringContaining('excludes the window from screen captures') as unknown,
      });
    } finally {
      affinity.mockRestore();
    }
  });

  test('a window that really has a single colour still has a picture', async () => {
    await using fixture = await Fixture.start('sentinel', wordsOf`--x 50 --y 50 --width 300 --height 200`);
    const picture = await capture.window(await bound(fixture), png, newCall());
    expect(picture.geometry).toMatchObject({ imageWidth: 300, imageHeight: 200 });
  });

  test('a frame around a black inside is a picture that says that its content may be missing', async () => {
    await using fixture = await Fixture.start('picker', ['--hollow']);
    const record = await bound(fixture);
    expect(await capture.window(record, png, newCall())).toMatchObject({ contentMayBeMissing: true });
    await using whole = await Fixture.start('controls', ['--many', '3']);
    expect(await capture.window(await bound(whole), png, newCall())).not.toHaveProperty('contentMayBeMissing');
  });

  test('a window with a transparent colour or a shape is marked, one with an alpha of its own is not', async () => {
    await using fixture = await Fixture.start('sentinel');
    const record = await bound(fixture);
    const style = user32.GetWindowLongW(fixture.hwnd, GWL_EXSTYLE);
    expect(await capture.window(record, png, newCall())).not.toHaveProperty('seenThrough');
    user32.SetWindowLongW(fixture.hwnd, GWL_EXSTYLE, style | WS_EX_LAYERED);
    user32.SetLayeredWindowAttributes(fixture.hwnd, 0, 128, LWA_ALPHA);
    expect(await capture.window(record, png, newCall())).not.toHaveProperty('seenThrough');
    const LWA_COLORKEY = 1;
    user32.SetLayeredWindowAttributes(fixture.hwnd, 0xff_00_ff, 0, LWA_COLORKEY);
    expect(await capture.window(record, png, newCall())).toMatchObject({ seenThrough: true });
  });

  test('a window that is gone is window_gone', async () => {
    await using fixture = await Fixture.start('sentinel');
    const record = await bound(fixture);
    await fixture.tell('quit');
    await until(() => !user32.IsWindow(fixture.hwnd), 'the end');
    await expect(capture.window(record, png, newCall())).rejects.toMatchObject({ code: 'window_gone' });
  });

  test('a hung window is pictured without waiting for it', async () => {
    await using fixture = await Fixture.start('controls', ['--x', '0', '--y', '0']);
    const record = await bound(fixture);
    await painted(fixture, record);
    await fixture.tell('hang 30000');
    const picture = await capture.window(record, png, newCall());
    expect(showsContent(await Pixels.of(picture), fixture)).toBe(true);
    expect(await hangs(fixture.hwnd)).toBe(true);
  });

  test('[capture.password] a password field is painted over, its neighbours are not', async () => {
    await using fixture = await Fixture.start('controls', ['--x', '0', '--y', '0']);
    const record = await bound(fixture);
    await painted(fixture, record);
    const pixels = await Pixels.of(await capture.window(record, png, newCall()));
    expect([...pixels.coloursIn(childRect(fixture.hwnd, PASSWORD))]).toEqual([MASK]);
    expect(pixels.coloursIn(childRect(fixture.hwnd, 201)).size).toBeGreaterThan(1);
    expect(showsContent(pixels, fixture)).toBe(true);
  });

  test('[capture.password] fields that UI Automation found are painted over too', async () => {
    await using fixture = await Fixture.start('controls', ['--x', '0', '--y', '0']);
    const record = await bound(fixture);
    await painted(fixture, record);
    let findPasswords: PasswordFinder = findsNone;
    const other = createPorts((...args) => findPasswords(...args));
    const field = childRect(fixture.hwnd, 201);
    findPasswords = async (hwnd) => ({ rects: hwnd === fixture.hwnd ? [field] : [], known: 'all' });
    const picture = await other.capture.window(record, png, newCall());
    expect([...(await Pixels.of(picture)).coloursIn(field)]).toEqual([MASK]);
    expect(picture.masksMayBeIncomplete).toBeUndefined();
  });

  test('[capture.password.unanswered] [capture.password.partial] a window whose provider does not report its password fields is not captured; a partial report is marked in the outcome', async () => {
    await using fixture = await Fixture.start('controls', ['--x', '0', '--y', '0', '--topmost']);
    const record = await bound(fixture);
    await painted(fixture, record);
    let findPasswords: PasswordFinder = findsNone;
    const other = createPorts((...args) => findPasswords(...args));
    const field = childRect(fixture.hwnd, 201);
    findPasswords = async () => ({ rects: [], known: 'unanswered' });
    await expect(other.capture.window(record, png, newCall())).rejects.toMatchObject({
      code: 'capture_failed',
      retryable: true,
      message: expect.stringContaining('password') as unknown,
    });
    findPasswords = async (hwnd) =>
      hwnd === fixture.hwnd ? { rects: [], known: 'unanswered' } : { rects: [], known: 'all' };
    const inside = childRect(fixture.hwnd, CUSTOM);
    const display = async (): Promise<Picture> => other.capture.display(undefined, png, newCall());
    const hidden = await display();
    expect([...(await Pixels.of(hidden)).coloursIn(inside)]).toEqual([MASK]);
    expect(hidden.masksMayBeIncomplete).toBeUndefined();
    findPasswords = async (hwnd) =>
      hwnd === fixture.hwnd ? { rects: [field], known: 'partly' } : { rects: [], known: 'all' };
    await until(async () => (await Pixels.of(await display())).coloursIn(inside).has(RED), 'the fixture on the screen');
    for (const picture of [await other.capture.window(record, png, newCall()), await display()]) {
      expect(picture.masksMayBeIncomplete).toBe(true);
      expect([...(await Pixels.of(picture)).coloursIn(field)]).toEqual([MASK]);
    }
  });

  test('PNG, JPEG and WebP have the right format', async () => {
    await using fixture = await Fixture.start('sentinel');
    const record = await bound(fixture);
    for (const [format, magic] of [
      ['png', '89504e47'],
      ['jpeg', 'ffd8ff'],
      ['webp', '52494646'],
    ] as const) {
      const picture = await capture.window(record, { ...png, format }, newCall());
      expect(picture.mimeType).toBe(`image/${format}`);
      expect(Buffer.from(picture.bytes).toString('hex').startsWith(magic)).toBe(true);
    }
  });

  test('a region has native resolution and its own place; outside is invalid_argument', async () => {
    await using fixture = await Fixture.start('controls', ['--x', '0', '--y', '0']);
    const record = await bound(fixture);
    await painted(fixture, record);
    const rect = childRect(fixture.hwnd, CUSTOM);
    const frame = (await window.rect(record, newCall())) ?? rect;
    const region = { x: rect.x - frame.x, y: rect.y - frame.y, width: rect.width, height: rect.height };
    const picture = await capture.region({ record }, region, png, newCall());
    expect(picture.geometry).toEqual({
      imageWidth: rect.width,
      imageHeight: rect.height,
      displayWidth: rect.width,
      displayHeight: rect.height,
      originX: rect.x,
      originY: rect.y,
    });
    expect(showsContent(await Pixels.of(picture), fixture)).toBe(true);
    const password = childRect(fixture.hwnd, PASSWORD);
    const secret = await capture.region(
      { record },
      { x: password.x - frame.x, y: password.y - frame.y, width: password.width, height: password.height },
      png,
      newCall(),
    );
    expect([...(await Pixels.of(secret)).coloursIn(password)]).toEqual([MASK]);
    for (const wrong of [
      { x: 5000, y: 0, width: 10, height: 10 },
      { x: 0, y: 0, width: 0, height: 5 },
      { x: Number.NaN, y: 0, width: 5, height: 5 },
    ]) {
      await expect(capture.region({ record }, wrong, png, newCall())).rejects.toMatchObject({
        code: 'invalid_argument',
      });
    }
  });

  test('the host’s own window is never pictured', async () => {
    await using fixture = await Fixture.start('sentinel');
    const record = await bound(fixture);
    const own = createPorts();
    own.services.setOwnProcesses([fixture.pid]);
    await expect(own.capture.window(record, png, newCall())).rejects.toMatchObject({ code: 'capture_failed' });
  });

  test('[capture.deny] a deny-listed program shows nothing even when it is bound', async () => {
    await using fixture = await Fixture.start('controls', ['--x', '0', '--y', '0']);
    const record = await bound(fixture);
    const pixels = await Pixels.of(await capture.window(record, { ...png, deny: ['CONTROLS.EXE'] }, newCall()));
    expect([...pixels.coloursIn((await window.rect(record, newCall())) as Rect)]).toEqual([MASK]);
  });
});

describe('a display', () => {
  const place = ['--x', '100', '--y', '100', '--width', '400', '--height', '300', '--topmost'];
  const inside: Rect = { x: 130, y: 150, width: 340, height: 220 };

  test('[capture.display-id] the primary display by default; an unknown display is invalid_argument', async () => {
    const picture = await capture.display(undefined, png, newCall());
    expect(picture).toMatchObject({
      method: 'display',
      geometry: { originX: 0, originY: 0, displayWidth: 1280, displayHeight: 800 },
    });
    const again = await capture.display(picture.displayId, png, newCall());
    expect(again.displayId).toBe(picture.displayId);
    await expect(capture.display(-5, png, newCall())).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('[capture.password] password fields of every window are painted over', async () => {
    await using fixture = await Fixture.start('controls', ['--x', '0', '--y', '0', '--topmost']);
    await until(
      async () => showsContent(await Pixels.of(await capture.display(undefined, png, newCall())), fixture),
      'the fixture on the screen',
    );
    const pixels = await Pixels.of(await capture.display(undefined, png, newCall()));
    expect([...pixels.coloursIn(childRect(fixture.hwnd, PASSWORD))]).toEqual([MASK]);
  });

  test('[capture.deny] own and deny-listed windows are painted over, others are not', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    await bound(fixture);
    const colours = async (ports: ReturnType<typeof createPorts>, deny: string[]) =>
      (await Pixels.of(await ports.capture.display(undefined, { ...png, deny }, newCall()))).coloursIn(inside);
    expect([...(await colours(createPorts(), []))]).not.toEqual([MASK]);
    const own = createPorts();
    own.services.setOwnProcesses([fixture.pid]);
    expect([...(await colours(own, []))]).toEqual([MASK]);
    for (const entry of ['sentinel.exe', 'SENTINEL.EXE', services.describeWindow(fixture.hwnd)?.app.bundleId ?? '']) {
      expect([...(await colours(createPorts(), [entry]))]).toEqual([MASK]);
    }
  });

  test('[capture.deny] an entry spelled in another way paints the program over as well, and hides its title', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const { title = '', app } = services.describeWindow(fixture.hwnd) ?? {};
    const path = app?.executable ?? '';
    expect(await binding.find({ title, pid: fixture.pid }, newCall())).toMatchObject({ hwnd: String(fixture.hwnd) });
    const at = path.lastIndexOf('\\');
    const [folder, name] = [path.slice(0, at), path.slice(at + 1)];
    const parent = folder.slice(folder.lastIndexOf('\\') + 1);
    for (const entry of [
      `\\\\?\\${path}`,
      `${folder}\\..\\${parent}\\.\\${name}`,
      `${path}. .`,
      path.replaceAll('\\', '/').toUpperCase(),
      `${folder}\\SENTIN~1.EXE`,
      'sentinel',
    ]) {
      const pixels = await Pixels.of(await capture.display(undefined, { ...png, deny: [entry] }, newCall()));
      expect([entry, ...pixels.coloursIn(inside)]).toEqual([entry, MASK]);
      await expect(binding.find({ title, pid: fixture.pid, deny: [entry] }, newCall())).rejects.toMatchObject({
        code: 'target_not_found',
      });
    }
    const pixels = await Pixels.of(
      await capture.display(undefined, { ...png, deny: [`${folder}\\other.exe`, `${folder}\\x\\${name}`] }, newCall()),
    );
    expect([...pixels.coloursIn(inside)]).not.toEqual([MASK]);
  });

  test('[capture.deny] windows above a deny-listed window are shown, the rest of it is not', async () => {
    await using denied = await Fixture.start('sentinel', wordsOf`--x 100 --y 100 --width 600 --height 400 --topmost`);
    await using above = await Fixture.start('controls', wordsOf`--x 300 --y 200 --width 200 --height 150 --topmost`);
    await until(() => isCovered(denied.hwnd, { x: 300, y: 200, width: 200, height: 150 }), 'the window above');
    expect(above.hwnd).not.toBe(denied.hwnd);
    await until(async () => {
      const pixels = await Pixels.of(await capture.display(undefined, { ...png, deny: ['sentinel.exe'] }, newCall()));
      const shown = pixels.coloursIn({ x: 330, y: 230, width: 140, height: 90 });
      expect([...pixels.coloursIn({ x: 120, y: 130, width: 150, height: 340 })]).toEqual([MASK]);
      expect([...pixels.coloursIn({ x: 510, y: 130, width: 170, height: 340 })]).toEqual([MASK]);
      return shown.size > 1 || !shown.has(MASK);
    }, 'the picture of the window above');
  });

  test('a window that is slow uses up its own time and no other’s', async () => {
    await using first = await Fixture.start('sentinel', wordsOf`--x 700 --y 60 --width 200 --height 160`);
    await using second = await Fixture.start('sentinel', wordsOf`--x 920 --y 60 --width 200 --height 160 --topmost`);
    let findPasswords: PasswordFinder = findsNone;
    const other = createPorts((...args) => findPasswords(...args));
    const asked = new Map<number, number[]>();
    findPasswords = async (hwnd, { askMs }) => {
      if (hwnd === 0) return { rects: [], known: 'unanswered' };
      asked.set(hwnd, [...(asked.get(hwnd) ?? []), askMs]);
      if (hwnd !== second.hwnd) return { rects: [], known: askMs > 0 ? 'all' : 'unanswered' };
      await new Promise((resolve) => {
        setTimeout(resolve, askMs);
      });
      return { rects: [], known: 'unanswered' };
    };
    const picture = await other.capture.display(undefined, png, newCall());
    expect(Math.min(...[...asked.values()].flat())).toBeGreaterThan(100);
    expect(picture.masksMayBeIncomplete).toBeUndefined();
    // Once it was slow it comes last, and all others have had their time.
    await other.capture.display(undefined, png, newCall());
    expect([...asked.keys()]).toContain(first.hwnd);
    expect(asked.get(first.hwnd)!.every((askMs) => askMs > 100)).toBe(true);
  });

  test('a region of a display', async () => {
    const picture = await capture.region(
      { displayId: undefined },
      { x: 1200, y: 700, width: 300, height: 300 },
      png,
      newCall(),
    );
    expect(picture.geometry).toEqual({
      imageWidth: 80,
      imageHeight: 100,
      displayWidth: 80,
      displayHeight: 100,
      originX: 1200,
      originY: 700,
    });
  });
});
