/** What is kept between two readings: how little the second one asks, and that it is never out of date. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  BM_SETSTYLE,
  BS_DEFPUSHBUTTON,
  EM_SETPASSWORDCHAR,
  SWP_NOACTIVATE,
  SWP_NOSIZE,
  SWP_NOZORDER,
  SW_HIDE,
  SW_SHOW,
  WM_CLOSE,
  WM_SETTEXT,
} from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { reportsWindows } from '../../../../src/win32/elements/view/event-probe.ts';
import { windowViews } from '../../../../src/win32/elements/view/window-views.ts';
import { sendWithin } from '../../../../src/win32/windows/ask.ts';
import { threadOf } from '../../../../src/win32/windows/handle.ts';
import type { TreeNode } from '../../../support/snapshot-tree.ts';
import { Elements, only } from '../support/elements.ts';
import { callsOf, countCalls } from '../support/native-calls.ts';
import { Fixture } from '../support/programs.ts';

const COUNT = 60;
const BUTTON = '1000';
const EDIT = '1001';

describe('a second reading', () => {
  let fixture: Fixture;
  let elements: Elements;
  const child = (id: string): number => user32.GetDlgItem(fixture.hwnd, Number(id));
  const node = async (id: string): Promise<TreeNode | undefined> =>
    (await elements.nodes()).find((one) => one.id === id);
  const send = (hwnd: number, message: number, wParam = 0, text: string | null = null): void => {
    sendWithin(hwnd, message, wParam, text === null ? 0 : Buffer.from(`${text}\0`, 'utf16le'), 1000);
  };

  beforeEach(async () => {
    fixture = await Fixture.start('controls', ['--many', String(COUNT)]);
    elements = await Elements.bind(fixture.hwnd);
    await elements.snapshot();
    expect(reportsWindows()).toBe(true);
    expect(windowViews.view(fixture.hwnd)).not.toBeNull();
  });
  afterEach(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  test('[cost.facts-once] what cannot change is not asked again', async () => {
    const counts = await countCalls(() => elements.snapshot());
    const fixed = ['GetClassNameW', 'GetAncestor', 'GetWindowLongPtrW', 'GetWindowThreadProcessId', 'GetWindowRect'];
    expect(callsOf(counts, 'EnumChildWindows', 'GetWindowInfo')).toBe(0);
    expect(callsOf(counts, ...fixed)).toBeLessThan(COUNT / 3);
    expect(callsOf(counts)).toBeLessThan(3 * COUNT);
  });

  test('[cost.never-stale] texts that change without a report are read again', async () => {
    send(child(BUTTON), WM_SETTEXT, 0, 'Renamed');
    send(child(EDIT), WM_SETTEXT, 0, 'Typed');
    expect((await node(BUTTON))?.name).toBe('Renamed');
    expect((await node(EDIT))?.value).toBe('Typed');
  });

  test('[cost.never-stale] a field that becomes a password field is not read', async () => {
    send(child(EDIT), WM_SETTEXT, 0, 'S3cret');
    send(child(EDIT), EM_SETPASSWORDCHAR, 42);
    const { accessibilityText } = await elements.snapshot();
    expect(accessibilityText).not.toContain('S3cret');
    expect((await node(EDIT))?.states).toContain('password');
  });

  test('[cost.never-stale] controls that move, go, come back or become the default one are read again', async () => {
    const { x, y } = (await node(BUTTON))!;
    user32.SetWindowPos(child(BUTTON), 0, 300, 200, 0, 0, SWP_NOSIZE | SWP_NOZORDER | SWP_NOACTIVATE);
    expect(await node(BUTTON)).not.toMatchObject({ x, y });
    user32.ShowWindow(child(BUTTON), SW_HIDE);
    expect(await node(BUTTON)).toBeUndefined();
    user32.ShowWindow(child(BUTTON), SW_SHOW);
    expect((await node(BUTTON))?.name).toBe('Item 0');
    send(child(BUTTON), BM_SETSTYLE, BS_DEFPUSHBUTTON);
    expect((await elements.context({ automationId: EDIT })).defaultButtonName).toBe('Item 0');
  });

  test('[cost.never-stale] a control that is destroyed is gone, and its facts with it', async () => {
    const gone = child(EDIT);
    send(gone, WM_CLOSE);
    expect(user32.IsWindow(gone)).toBe(false);
    expect(await node(EDIT)).toBeUndefined();
    only(await elements.nodes(), { id: BUTTON });
  });

  test('[cost.never-stale] another program under the same process number shares nothing', () => {
    const { process } = threadOf(fixture.hwnd);
    expect(windowViews.facts(process, child(BUTTON))).not.toBeNull();
    expect(windowViews.begin(process, 'started at another time')).not.toBeNull();
    expect(windowViews.facts(process, child(BUTTON))).toBeNull();
    expect(windowViews.view(fixture.hwnd)).toBeNull();
  });
});
