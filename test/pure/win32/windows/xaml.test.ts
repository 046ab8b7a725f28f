/** Which windows lose posted keys: data, as other projects report it. */
import { expect, it } from 'vitest';
import { isIsland, losesPostedKeys } from '../../../../src/win32/windows/classes.ts';

const BRIDGE = 'Microsoft.UI.Content.DesktopChildSiteBridge';

it.each([
  [
    'a UWP program',
    'ApplicationFrameWindow',
    null,
    ['ApplicationFrameInputSinkWindow', 'Windows.UI.Core.CoreWindow'],
    true,
  ],
  ['its own window', 'Windows.UI.Core.CoreWindow', null, [], true],
  ['a WinUI 3 program', 'WinUIDesktopWin32WindowClass', null, [BRIDGE, 'Windows.UI.Input.InputSite.WindowClass'], true],
  ['a flyout', 'Xaml_WindowedPopupClass', null, [], true],
  ['an island in a classic program, as the only content', 'MainWindow', null, [BRIDGE], true],
  ['a control next to an island', 'Notepad', 'RichEditD2DPT', [BRIDGE, 'RichEditD2DPT'], false],
  [
    'the island that has the focus',
    'Notepad',
    'Windows.UI.Input.InputSite.WindowClass',
    [BRIDGE, 'RichEditD2DPT'],
    true,
  ],
  ['a classic program', 'Notepad', null, ['Edit'], false],
  ['a browser', 'Chrome_WidgetWin_1', null, ['Chrome_RenderWidgetHostHWND', 'Intermediate D3D Window'], false],
  ['a window of WPF', 'HwndWrapper[App;;1]', null, [], false],
] as const)('%s', (_what, top, target, children, loses) => {
  expect(losesPostedKeys(top, target, (isMeant) => children.some(isMeant))).toBe(loses);
});

it('a classic control is not an island', () => {
  for (const name of ['Edit', 'RichEditD2DPT', 'ApplicationFrameWindow', '']) expect(isIsland(name)).toBe(false);
});
