/** Matching windows and displays, without Windows. */
import { describe, expect, test } from 'vitest';
import { type ProcessFacts, integrityOfRank, isAboveUs } from '../../../../src/win32/system/process.ts';
import { displaysUnder, stableNumber, toDisplays, type MonitorFacts } from '../../../../src/win32/windows/monitors.ts';
import { toAbsolute } from '../../../../src/win32/exits/input.ts';
import { bestMatches, titleRank, type Matchable } from '../../../../src/win32/windows/record.ts';
import { parseHwnd } from '../../../../src/win32/windows/window-info.ts';

const named = (hwnd: number, title: string, pid = 8): Matchable => ({ hwnd, title, process: { pid } as ProcessFacts });

describe('matching', () => {
  test('[binding.title-rank] exact, ignoring case, part', () => {
    expect(['Notes', 'NOTES', 'My notes', 'Other'].map((title) => titleRank(title, 'Notes'))).toEqual([0, 1, 2, null]);
  });

  test('[binding.criteria] all criteria, best rank alone, in the given order', () => {
    const windows = [named(1, 'a report'), named(2, 'Report'), named(3, 'report', 9), named(4, 'Report', 9)];
    const best = (query: Parameters<typeof bestMatches>[1]) => bestMatches(windows, query).map((window) => window.hwnd);
    expect(best({ hwnd: null, title: 'Report' })).toEqual([2, 4]);
    expect(best({ hwnd: null, title: 'Report', pid: 9 })).toEqual([4]);
    expect(best({ hwnd: null, title: 'rEPORT' })).toEqual([2, 3, 4]);
    expect(best({ hwnd: null, title: 'epor', pid: 8 })).toEqual([1, 2]);
    expect(best({ hwnd: 3, pid: 8 })).toEqual([]);
    expect(best({ hwnd: null, pid: 9 })).toEqual([3, 4]);
  });

  test('[binding.hwnd-wire] handles have 32 bits and may come sign-extended', () => {
    expect(parseHwnd('65794')).toBe(65_794);
    expect(parseHwnd('0x10102')).toBe(65_794);
    expect(parseHwnd('0xffffffff80010102')).toBe(0x8001_0102);
    for (const text of ['0', '0x0', '', '-1', '4294967296', 'abc', '0x1ffffffff']) expect(parseHwnd(text)).toBeNull();
  });
});

const monitor = (overrides: Partial<MonitorFacts>): MonitorFacts => ({
  rect: { x: 0, y: 0, width: 1920, height: 1080 },
  isPrimary: false,
  dpi: 96,
  device: '\\\\.\\DISPLAY1',
  path: '',
  description: 'Generic PnP Monitor',
  ...overrides,
});
const dell = monitor({
  isPrimary: true,
  path: '\\\\?\\DISPLAY#DELA0EC#5&1&UID4353#{e6f07b5f}',
  device: '\\\\.\\DISPLAY1',
});
const left = monitor({
  rect: { x: -2560, y: -180, width: 2560, height: 1440 },
  dpi: 144,
  path: '\\\\?\\DISPLAY#GSM5B08#5&1&UID4354#{e6f07b5f}',
  device: '\\\\.\\DISPLAY2',
});

describe('displays', () => {
  test('[display.stable-id] an id follows the monitor, not its number or place in the list', () => {
    const ids = (monitors: MonitorFacts[]) =>
      Object.fromEntries(toDisplays(monitors, new Map()).map((display) => [display.monitor.path, display.displayId]));
    const before = ids([dell, left]);
    expect(
      ids([
        { ...left, device: '\\\\.\\DISPLAY1' },
        { ...dell, device: '\\\\.\\DISPLAY2' },
      ]),
    ).toEqual(before);
    expect(ids([dell])[dell.path]).toBe(before[dell.path]);
    expect(
      ids([{ ...dell, path: dell.path.toUpperCase(), rect: { ...dell.rect, x: 400 } }])[dell.path.toUpperCase()],
    ).toBe(before[dell.path]);
  });

  test('[display.stable-id] indistinguishable monitors still get different ids', () => {
    const twins = toDisplays([monitor({}), monitor({}), monitor({})], new Map()).map((display) => display.displayId);
    expect(new Set(twins).size).toBe(3);
    for (const id of twins) expect(id > 0 && id <= 0x7fff_ffff).toBe(true);
    expect(stableNumber('')).toBeGreaterThan(0);
  });

  test('[display.geometry] a second monitor to the left at 150 %', () => {
    const [, second] = toDisplays([dell, left], new Map([[left.path.toLowerCase(), 'LG ULTRAGEAR']]));
    expect(second).toMatchObject({
      originX: -2560,
      originY: -180,
      width: 2560,
      height: 1440,
      scaleFactor: 1.5,
      label: 'LG ULTRAGEAR',
      isPrimary: false,
    });
  });

  test('[display.geometry] exactly one is primary, whatever Windows reports', () => {
    const primaries = (monitors: MonitorFacts[]) => toDisplays(monitors, new Map()).map((display) => display.isPrimary);
    expect(primaries([left, dell])).toEqual([false, true]);
    expect(primaries([{ ...left, isPrimary: true }, dell])).toEqual([true, false]);
    expect(primaries([left, { ...dell, isPrimary: false }])).toEqual([false, true]);
    expect(primaries([left])).toEqual([true]);
    expect(primaries([])).toEqual([]);
  });

  test('a window that spans two displays is on both', () => {
    const displays = toDisplays([dell, left], new Map());
    const under = (x: number, width: number) =>
      displaysUnder({ x, y: 100, width, height: 100 }, displays).map((display) => display.monitor.device);
    expect(under(100, 300)).toEqual(['\\\\.\\DISPLAY1']);
    expect(under(-100, 300)).toEqual(['\\\\.\\DISPLAY1', '\\\\.\\DISPLAY2']);
    expect(under(-100, 100)).toEqual(['\\\\.\\DISPLAY2']);
    expect(under(9000, 100)).toEqual([]);
  });
});

test('[activate.click] SendInput’s 65,536 steps lead to the very pixel on any desktop', () => {
  for (const desktop of [
    { x: 0, y: 0, width: 1280, height: 800 },
    { x: -2560, y: -180, width: 4480, height: 1440 },
    { x: 0, y: 0, width: 7680, height: 2160 },
  ]) {
    for (let x = desktop.x; x < desktop.x + desktop.width; x += 13) {
      const step = toAbsolute({ x, y: desktop.y + desktop.height - 1 }, desktop);
      expect(Math.floor((step.x * desktop.width) / 65_536) + desktop.x).toBe(x);
      expect(Math.floor((step.y * desktop.height) / 65_536) + desktop.y).toBe(desktop.y + desktop.height - 1);
    }
  }
});

describe('integrity', () => {
  test('levels as Windows numbers them', () => {
    expect([0, 0x1000, 0x2000, 0x2100, 0x3000, 0x4000].map(integrityOfRank)).toEqual(
      'untrusted low medium medium high system'.split(' '),
    );
  });

  test('[binding.elevated] above us: a higher rank, or a rank that Windows does not report', () => {
    const level = (rank: number | null, isRefused = false) => ({
      level: rank === null ? ('unknown' as const) : integrityOfRank(rank),
      rank,
      isRefused,
    });
    const medium = level(0x2000);
    expect(isAboveUs(level(0x3000), medium)).toBe(true);
    expect(isAboveUs(level(0x2100), medium)).toBe(true);
    expect(isAboveUs(level(0x2000), medium)).toBe(false);
    expect(isAboveUs(level(0x1000), medium)).toBe(false);
    expect(isAboveUs(level(null, true), medium)).toBe(true);
    expect(isAboveUs(level(null, false), medium)).toBe(false);
    expect(isAboveUs(level(0x3000), level(0x3000))).toBe(false);
  });
});
