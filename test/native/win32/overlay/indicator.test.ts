/** The status strip on a real window. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MSG } from '../../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { Rect } from '../../../../src/contract/element/geometry.ts';
import { ENGLISH } from '../../../../src/contract/gate/card-words.ts';
import { grabScreen } from '../../../../src/win32/imaging/gdi.ts';
import { Indicators } from '../../../../src/win32/overlay/indicator.ts';
import { DEFAULT_MESSAGE, stripText } from '../../../../src/win32/overlay/indicator.ts';
import {
  topLevelWindows,
  classNameOf,
  windowExtendedStyle,
  windowText,
  windowProcess,
} from '../../../../src/win32/windows/window-info.ts';
import { outerRect } from '../../../../src/win32/windows/rects.ts';
import { createPorts } from '../support/ports.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { until } from '../../../support/until.ts';
import { wordsOf } from '../../../support/words.ts';

const { binding, window } = createPorts();
const place = ['--x', '100', '--y', '80', '--width', '500', '--height', '350'];
const faults: unknown[] = [];

/** This thread as the overlay's: it pumps whenever a test waits. */
const ticks = new Set<() => void>();
const stage = {
  pump: {
    every: (_milliseconds: number, work: () => void) => {
      ticks.add(work);
      return () => {
        ticks.delete(work);
      };
    },
  },
  fault: (error: unknown) => {
    faults.push(error);
  },
};
const message = MSG.alloc();
function pump(): void {
  while (user32.PeekMessageW(message, 0, 0, 0, 1)) user32.DispatchMessageW(message);
}
/** Waits as `until` does, with messages let in between, and the clock too unless only events are wanted. */
const seen = <T>(look: () => T | null | false, what: string, options: { withTicks?: boolean } = {}): Promise<T> =>
  until(() => {
    pump();
    if (options.withTicks !== false) for (const tick of ticks) tick();
    return look();
  }, what);

let indicators: Indicators;
beforeAll(() => {
  indicators = new Indicators(stage);
});
afterEach(() => {
  for (const owner of ['one', 'two']) indicators.release(owner);
  pump();
  expect(faults).toEqual([]);
});
afterAll(() => indicators[Symbol.dispose]());

async function bound(fixture: Fixture): Promise<BindingRecord> {
  return binding.find({ hwnd: String(fixture.hwnd) }, newCall());
}

/** Windows of this process that are on the screen with this message, marked as the agent’s. */
function strips(text: string): number[] {
  const shown = text === DEFAULT_MESSAGE ? text : stripText(text, ENGLISH);
  return topLevelWindows().filter(
    (hwnd) => windowProcess(hwnd) === process.pid && user32.IsWindowVisible(hwnd) && windowText(hwnd) === shown,
  );
}

/** The strip's rectangle once it is at the lower edge of its window. */
function onLowerEdge(strip: number, target: number): Rect | false {
  const [at, of] = [outerRect(strip), outerRect(target)];
  return (
    at !== null && of !== null && at.x === of.x && at.width === of.width && at.y + at.height === of.y + of.height && at
  );
}

/** Whether one window is above another in the order of windows. */
function isAbove(one: number, other: number): boolean {
  const order = topLevelWindows();
  return order.indexOf(one) >= 0 && order.indexOf(one) < order.indexOf(other);
}

describe('statusIndicator', () => {
  test('[indicator.strip] [indicator.truth] [indicator.hide] show draws, status reports, hide removes, and show works again', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    expect(indicators.set('one', record, 'status', undefined)).toEqual({ active: false });
    for (let round = 1; round <= 2; round++) {
      expect(indicators.set('one', record, 'show', 'Filling in\u0007 the form')).toEqual({
        active: true,
        message: 'Filling in the form',
      });
      const [strip] = strips('Filling in the form');
      expect(onLowerEdge(strip!, fixture.hwnd)).toMatchObject({ x: 100, width: 500 });
      expect(indicators.set('one', record, 'status', undefined)).toEqual({
        active: true,
        message: 'Filling in the form',
      });
      expect(indicators.set('one', record, 'hide', undefined)).toEqual({ active: false });
      expect(user32.IsWindow(strip!)).toBe(false);
      expect(indicators.set('one', record, 'status', undefined)).toEqual({ active: false });
    }
    expect(indicators.set('one', record, 'show', undefined)).toEqual({ active: true, message: DEFAULT_MESSAGE });
  });

  test('[indicator.strip] is drawn: its colours and its text are on the screen', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    indicators.set('one', record, 'show', 'Reading the table of contents');
    const [strip] = strips('Reading the table of contents');
    const at = outerRect(strip!)!;
    const coloursIn = (rect: Rect): number => new Set(grabScreen(rect)?.pixels).size;
    const mark = { x: at.x + 1, y: at.y + 2, width: 2, height: at.height - 4 };
    const text = { x: at.x + 8, y: at.y, width: at.width - 16, height: at.height };
    // The mark is of one colour, the text on its background of several; neither is what the sentinel shows.
    await seen(() => coloursIn(mark) === 1 && coloursIn(text) > 4, 'the strip’s drawing');
    const drawn = grabScreen(mark)!.pixels[0];
    indicators.set('one', record, 'hide', undefined);
    await seen(() => grabScreen(mark)!.pixels[0] !== drawn, 'the window’s own look, back again');
  });

  test('the host’s own notice comes first, outside the agent’s quotation', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    expect(indicators.set('one', record, 'show', 'at work', 'Not protected. ').message).toBe('Not protected. at work');
    const shown = topLevelWindows().filter((hwnd) => windowText(hwnd) === 'Not protected. The agent says: “at work”');
    expect(shown).toHaveLength(1);
  });

  test('[indicator.message] another message replaces the first, in more lines where it is long', async () => {
    await using fixture = await Fixture.start('sentinel', [...place.slice(0, 4), '--width', '260', '--height', '350']);
    const record = await bound(fixture);
    indicators.set('one', record, 'show', 'Short');
    const [strip] = strips('Short');
    const low = outerRect(strip!)!.height;
    const long =
      'A message with so many words that they cannot stand in one line of a window that is as narrow as this one';
    expect(indicators.set('one', record, 'show', long)).toEqual({ active: true, message: long });
    expect(strips(long)).toEqual([strip]);
    expect(outerRect(strip!)!.height).toBeGreaterThan(low * 1.5);
  });

  test('[indicator.strip] takes no focus, no click, and no key: a person works through it', async () => {
    await using other = await Fixture.start('sentinel', wordsOf`--activate --x 700 --y 80 --width 300 --height 200`);
    await using fixture = await Fixture.start('sentinel', place);
    await seen(() => user32.GetForegroundWindow() === other.hwnd, 'the foreground');
    const record = await bound(fixture);
    indicators.set('one', record, 'show', 'Look through me');
    const [strip] = strips('Look through me');
    pump();
    expect(user32.GetForegroundWindow()).toBe(other.hwnd);
    // TRANSPARENT | TOOLWINDOW | LAYERED | NOACTIVATE, and not topmost
    expect(windowExtendedStyle(strip!) & 0x0808_00a8).toBe(0x0808_00a0);
    const at = outerRect(strip!)!;
    expect(user32.WindowFromPoint({ x: at.x + at.width / 2, y: at.y + at.height / 2 })).not.toBe(strip);
    expect(user32.SendMessageW(strip!, 0x0084, 0, 0n)).toBe(-1); // WM_NCHITTEST: HTTRANSPARENT
    expect(user32.SendMessageW(strip!, 0x0021, 0, 0n)).toBe(4); // WM_MOUSEACTIVATE: no activation
    user32.SendMessageW(strip!, 0x0010, 0, 0n); // WM_CLOSE
    expect(strips('Look through me')).toEqual([strip]);
  });

  test('follows its window by its events alone', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    indicators.set('one', record, 'show', 'Follow');
    const [strip] = strips('Follow');
    await window.manage(record, 'move_resize', { x: 240, y: 150, width: 420, height: 300 }, newCall());
    await seen(() => onLowerEdge(strip!, fixture.hwnd), 'the strip at the new place', { withTicks: false });
    expect(outerRect(strip!)).toMatchObject({ x: 240, width: 420 });
  });

  test('[indicator.truth] goes with a window that is minimised, and comes back with it', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    indicators.set('one', record, 'show', 'Up and down');
    const [strip] = strips('Up and down');
    await window.manage(record, 'minimize', {}, newCall());
    await seen(() => !user32.IsWindowVisible(strip!), 'the strip gone');
    expect(indicators.set('one', record, 'status', undefined)).toEqual({ active: false, message: 'Up and down' });
    await window.manage(record, 'restore', {}, newCall());
    await seen(() => user32.IsWindowVisible(strip!) && onLowerEdge(strip!, fixture.hwnd), 'the strip back');
    expect(indicators.set('one', record, 'status', undefined)).toEqual({ active: true, message: 'Up and down' });
  });

  test('is right above its window: any cover of the window covers it too', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    indicators.set('one', record, 'show', 'Beneath others');
    const [strip] = strips('Beneath others');
    await seen(() => isAbove(strip!, fixture.hwnd), 'the strip above its window');
    await using cover = await Fixture.start('sentinel', [...place, '--activate']);
    await seen(() => isAbove(cover.hwnd, strip!) && isAbove(strip!, fixture.hwnd), 'the strip between the two');
    user32.SetWindowPos(fixture.hwnd, 0, 0, 0, 0, 0, 0x13); // to the top, inactive
    await seen(() => isAbove(strip!, fixture.hwnd) && isAbove(fixture.hwnd, cover.hwnd), 'the strip above both');
  });

  test('is topmost where its window is, and no longer than that', async () => {
    await using fixture = await Fixture.start('sentinel', [...place, '--topmost']);
    const record = await bound(fixture);
    indicators.set('one', record, 'show', 'On top');
    const [strip] = strips('On top');
    expect(windowExtendedStyle(strip!) & 8).toBe(8);
    expect(isAbove(strip!, fixture.hwnd)).toBe(true);
    user32.SetWindowPos(fixture.hwnd, -2, 0, 0, 0, 0, 0x13);
    await seen(() => (windowExtendedStyle(strip!) & 8) === 0 && isAbove(strip!, fixture.hwnd), 'an ordinary strip');
  });

  test('[indicator.strip] [indicator.truth] is gone with its window', async () => {
    const fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    indicators.set('one', record, 'show', 'Until the end');
    const [strip] = strips('Until the end');
    await fixture[Symbol.asyncDispose]();
    await seen(() => !user32.IsWindow(strip!), 'the strip’s end');
    expect(indicators.set('one', record, 'status', undefined)).toEqual({ active: false });
    expect(() => indicators.set('one', record, 'show', 'Too late')).toThrow(
      expect.objectContaining({ code: 'window_gone' }) as Error,
    );
  });

  test('[indicator.strip] one strip for each binding, and none after it ends', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    await using next = await Fixture.start('sentinel', wordsOf`--x 650 --y 80 --width 400 --height 300`);
    const [record, other] = [await bound(fixture), await bound(next)];
    indicators.set('one', record, 'show', 'First of two');
    indicators.set('two', record, 'show', 'Second of two');
    await seen(() => strips('First of two').length === 1 && strips('Second of two').length === 1, 'both strips');
    // Bound to another window: the strip is not on the other.
    expect(indicators.set('one', other, 'status', undefined)).toEqual({ active: false });
    expect(strips('First of two')).toEqual([]);
    expect(indicators.set('one', other, 'show', 'First of two')).toMatchObject({ active: true });
    expect(outerRect(strips('First of two')[0]!)).toMatchObject({ x: 650, width: 400 });
    indicators.release('two');
    expect(strips('Second of two')).toEqual([]);
    expect(() => indicators.set('two', null, 'show', 'Nowhere')).toThrow(
      expect.objectContaining({ code: 'not_bound' }) as Error,
    );
    expect(indicators.set('two', null, 'status', undefined)).toEqual({ active: false });
  });

  test('[overlay.own-windows] is hidden while it would lie where a card is, and comes back after it', async () => {
    await using fixture = await Fixture.start('sentinel', [...place, '--topmost']);
    const record = await bound(fixture);
    indicators.set('one', record, 'show', 'LOW RISK');
    const [strip] = strips('LOW RISK');
    const at = outerRect(strip!)!;
    const card = { x: at.x + 40, y: at.y - 200, width: 300, height: 202 };
    indicators.keepClear(card);
    expect(user32.IsWindowVisible(strip!)).toBe(false);
    for (const tick of ticks) tick();
    expect(indicators.set('one', record, 'show', 'LOW RISK again')).toMatchObject({ active: false });
    expect(user32.IsWindowVisible(strip!)).toBe(false);
    // Next to the card it stays.
    indicators.keepClear({ ...card, height: 200 });
    expect(user32.IsWindowVisible(strip!)).toBe(true);
    indicators.keepClear(card);
    indicators.keepClear(null);
    expect(user32.IsWindowVisible(strip!)).toBe(true);
  });

  test('never reaches beyond its window, however small that is', async () => {
    for (const [width, height] of [
      [500, 350],
      [130, 60],
      [40, 12],
      [1, 1],
    ] as const) {
      await using fixture = await Fixture.start('sentinel', place);
      const record = await bound(fixture);
      user32.SetWindowLongW(fixture.hwnd, -16, 0x9000_0000 | 0); // WS_POPUP | WS_VISIBLE: without a least size
      user32.SetWindowPos(fixture.hwnd, 0, 300, 200, width, height, 0x16);
      const of = outerRect(fixture.hwnd)!;
      indicators.set('one', record, 'show', 'UIAHOST ASKS FOR APPROVAL: take a picture of this window');
      const [strip] = strips('UIAHOST ASKS FOR APPROVAL: take a picture of this window');
      const at = outerRect(strip!)!;
      expect([at.x >= of.x, at.y >= of.y], JSON.stringify({ at, of })).toEqual([true, true]);
      expect(at.x + at.width).toBeLessThanOrEqual(of.x + of.width);
      expect(at.y + at.height).toBeLessThanOrEqual(of.y + of.height);
      indicators.release('one');
    }
  });

  test('[indicator.strip] leaves no window behind, not even a hidden one', async () => {
    await using fixture = await Fixture.start('sentinel', place);
    const record = await bound(fixture);
    const own = (): number[] =>
      topLevelWindows().filter(
        (hwnd) => windowProcess(hwnd) === process.pid && classNameOf(hwnd).startsWith('uiahost-strip'),
      );
    for (let round = 0; round < 20; round++) {
      indicators.set('one', record, 'show', `Again ${round}`);
      pump();
      expect(own()).toHaveLength(1);
      indicators.set('one', record, 'hide', undefined);
    }
    expect(own()).toEqual([]);
  });
});
