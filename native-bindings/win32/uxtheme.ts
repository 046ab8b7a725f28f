/** Visual styles: uxtheme.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const uxtheme = bindLibrary('uxtheme.dll', {
  /** Whether this process's windows have visual styles. https://learn.microsoft.com/windows/win32/api/uxtheme/nf-uxtheme-isappthemed */
  IsAppThemed: fn('bool', []),
});
