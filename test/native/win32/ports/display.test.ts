/** The port of displays on a real desktop. */
import { expect, test } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import {
  becomePerMonitorAware,
  isPerMonitorAware,
  toMessagePoint,
  outerRect,
  toClient,
  visibleFrame,
} from '../../../../src/win32/windows/rects.ts';
import { createPorts } from '../support/ports.ts';
import { Fixture, newCall } from '../support/programs.ts';

const SWP_NOZORDER = 0x4;
const { binding, display, window } = createPorts();

test('this process sees physical pixels', () => expect(isPerMonitorAware()).toBe(true));

test('where the process may not choose, as with a compatibility setting of node.exe, its thread does', () => {
  const DPI_AWARENESS_CONTEXT_UNAWARE = -1;
  // The process has chosen already, so that Windows refuses a second choice.
  user32.SetThreadDpiAwarenessContext(DPI_AWARENESS_CONTEXT_UNAWARE);
  expect(isPerMonitorAware()).toBe(false);
  becomePerMonitorAware();
  expect(isPerMonitorAware()).toBe(true);
});

test('the frame of a maximised window ends at its monitor, though its borders go beyond', async () => {
  const [SM_CXSCREEN, SM_CYSCREEN, SW_MAXIMIZE, BORDER] = [0, 1, 3, 8];
  const [width, height] = [user32.GetSystemMetrics(SM_CXSCREEN), user32.GetSystemMetrics(SM_CYSCREEN)];
  await using fixture = await Fixture.start('controls', ['--many', '1']);
  user32.ShowWindow(fixture.hwnd, SW_MAXIMIZE);
  // As Windows places one.
  user32.SetWindowPos(fixture.hwnd, 0, -BORDER, -BORDER, width + 2 * BORDER, height + 2 * BORDER, SWP_NOZORDER);
  expect(user32.IsZoomed(fixture.hwnd)).toBe(true);
  const outer = outerRect(fixture.hwnd)!;
  expect([outer.x, outer.y]).toEqual([-BORDER, -BORDER]);
  expect(outer.x + outer.width).toBeGreaterThan(width);
  expect(outer.y + outer.height).toBeGreaterThan(height);
  expect(visibleFrame(fixture.hwnd)).toEqual({ x: 0, y: 0, width, height });
});

test('[display.geometry] matches what Windows reports', async () => {
  const displays = await display.list(newCall());
  const [SM_CXSCREEN, SM_CYSCREEN, SM_CMONITORS] = [0, 1, 80];
  expect(displays).toHaveLength(user32.GetSystemMetrics(SM_CMONITORS));
  const primary = displays.filter((each) => each.isPrimary);
  expect(primary).toHaveLength(1);
  expect(primary[0]).toMatchObject({
    width: user32.GetSystemMetrics(SM_CXSCREEN),
    height: user32.GetSystemMetrics(SM_CYSCREEN),
    originX: 0,
    originY: 0,
    scaleFactor: user32.GetDpiForSystem() / 96,
  });
  expect(primary[0]?.label).not.toBe('');
});

test('[display.stable-id] asked again, the ids are the same', async () => {
  const ids = async () => (await display.list(newCall())).map((each) => each.displayId);
  const first = await ids();
  expect(await ids()).toEqual(first);
  for (const id of first) expect(Number.isInteger(id) && id > 0).toBe(true);
});

test('every window of an application counts, minimised and off-screen windows too', async () => {
  await using fixture = await Fixture.start('sentinel');
  const record = await binding.find({ hwnd: String(fixture.hwnd) }, newCall());
  const [primary] = await display.list(newCall());
  const where = async () => display.ofApplications([record.app.bundleId.toUpperCase(), 'c:\\no\\such.exe'], newCall());
  const expected = [
    { bundleId: record.app.bundleId.toUpperCase(), displayIds: [primary?.displayId] },
    { bundleId: 'c:\\no\\such.exe', displayIds: [] },
  ];
  expect(await where()).toEqual(expected);
  await window.manage(record, 'move_offscreen', {}, newCall());
  expect(await where()).toEqual(expected);
  await binding.release(record, newCall());
  await window.manage(record, 'minimize', {}, newCall());
  expect(await where()).toEqual(expected);
});

test('a message point of a program that is aware of DPI is its client point', async () => {
  await using fixture = await Fixture.start('sentinel', ['--x', '77', '--y', '55']);
  for (const point of [
    { x: 100, y: 100 },
    { x: 300, y: 250 },
  ])
    expect(toMessagePoint(fixture.hwnd, point)).toEqual(toClient(fixture.hwnd, point));
});
