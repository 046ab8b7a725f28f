/**
 * Which windows take keys from the system's input queue alone: those of XAML, WinUI and UWP. Posted keys are lost there.
 * Data; no Windows in here. Sources, since the reference does not say it: github.com/microsoft/microsoft-ui-xaml issues on
 * PostMessage, trycua/cua issues 1597 and 1607, microsoft/winappCli issues 655 and 666.
 */

/** Top-level windows that have nothing but such content. */
const FRAMES: ReadonlySet<string> = new Set([
  'ApplicationFrameWindow',
  'WinUIDesktopWin32WindowClass',
  'Windows.UI.Core.CoreWindow',
  'Xaml_WindowedPopupClass',
]);

/** Child windows that hold such content, also in a program of classic controls. */
const ISLANDS: ReadonlySet<string> = new Set([
  'Windows.UI.Core.CoreWindow',
  'Windows.UI.Input.InputSite.WindowClass',
  'Windows.UI.Composition.DesktopWindowContentBridge',
  'Microsoft.UI.Content.DesktopChildSiteBridge',
  'Microsoft.UI.Content.PopupWindowSiteBridge',
  'Xaml_WindowedPopupClass',
]);

export const isIsland = (className: string): boolean => ISLANDS.has(className);

/**
 * Whether keys posted to a window are lost.
 * @param target class of the part that keys would go to; null if it is the top-level window, or unknown
 * @param hasChild whether a visible child window has a class that is meant; asked only if nothing else decides
 */
export function losesPostedKeys(
  top: string,
  target: string | null,
  hasChild: (isMeant: (className: string) => boolean) => boolean,
): boolean {
  if (target !== null) return ISLANDS.has(target);
  return FRAMES.has(top) || hasChild(isIsland);
}
