/** Version resources of files: version.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const version = bindLibrary('version.dll', {
  /** Bytes of its version resource; 0 = none. https://learn.microsoft.com/windows/win32/api/winver/nf-winver-getfileversioninfosizew */
  GetFileVersionInfoSizeW: fn('uint32', ['str16 file', 'ptr handle']),
  /** Reads the version resource. https://learn.microsoft.com/windows/win32/api/winver/nf-winver-getfileversioninfow */
  GetFileVersionInfoW: fn('bool', ['str16 file', 'uint32 handle', 'uint32 size', 'ptr data']),
  /** Address (uint64) and length (uint32) of one value, such as FileDescription. https://learn.microsoft.com/windows/win32/api/winver/nf-winver-verqueryvaluew */
  VerQueryValueW: fn('bool', ['ptr data', 'str16 path', 'ptr value', 'ptr length']),
});
