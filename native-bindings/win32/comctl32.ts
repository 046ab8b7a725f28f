/** Common controls: comctl32.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const comctl32 = bindLibrary('comctl32.dll', {
  /** INITCOMMONCONTROLSEX: registers window classes. https://learn.microsoft.com/windows/win32/api/commctrl/nf-commctrl-initcommoncontrolsex */
  InitCommonControlsEx: fn('bool', ['ptr classes']),
});
