/** Visual styles: uxtheme.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const uxtheme = bindLibrary('uxtheme.dll', {
  /** Which part of the visual style a window uses; empty strings = none. https://learn.microsoft.com/windows/win32/api/uxtheme/nf-uxtheme-setwindowtheme */
  SetWindowTheme: fn('hresult', ['hwnd window', 'str16 application', 'str16 classes']),
  /** Whether this process's windows have visual styles. https://learn.microsoft.com/windows/win32/api/uxtheme/nf-uxtheme-isappthemed */
  IsAppThemed: fn('bool', []),
});
