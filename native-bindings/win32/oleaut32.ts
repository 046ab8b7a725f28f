/** BSTR, VARIANT, SAFEARRAY: oleaut32.dll. Lifetimes are in `com/`; use that. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const oleaut32 = bindLibrary('oleaut32.dll', {
  /**
   * A BSTR of the given number of UTF-16 units; 0n = no memory.
   * https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-sysallocstringlen
   */
  SysAllocStringLen: fn('ptr', ['str16 text', 'uint32 length']),
  /** Frees it. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-sysfreestring */
  SysFreeString: fn('void', ['ptr text']),
  /** Its length in UTF-16 units. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-sysstringlen */
  SysStringLen: fn('uint32', ['ptr text']),
  /** Frees what it contains. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-variantclear */
  VariantClear: fn('hresult', ['ptr value']),
  /** A copy of its own. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-variantcopy */
  VariantCopy: fn('hresult', ['ptr into', 'ptr from']),
  /** Converts it. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-variantchangetype */
  VariantChangeType: fn('hresult', ['ptr into', 'ptr from', 'uint16 flags', 'uint16 kind']),
  /** An array of one dimension. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-safearraycreatevector */
  SafeArrayCreateVector: fn('ptr', ['uint16 kind', 'int32 lower', 'uint32 count']),
  /** An array of several dimensions, by their SAFEARRAYBOUNDs. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-safearraycreate */
  SafeArrayCreate: fn('ptr', ['uint16 kind', 'uint32 dimensions', 'ptr bounds']),
  /** Frees it and its elements. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-safearraydestroy */
  SafeArrayDestroy: fn('hresult', ['ptr array']),
  /** Number of dimensions. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-safearraygetdim */
  SafeArrayGetDim: fn('uint32', ['ptr array']),
  /** uint16: kind of its elements. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-safearraygetvartype */
  SafeArrayGetVartype: fn('hresult', ['ptr array', 'ptr kind']),
  /** int32: first index. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-safearraygetlbound */
  SafeArrayGetLBound: fn('hresult', ['ptr array', 'uint32 dimension', 'ptr bound']),
  /** int32: last index. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-safearraygetubound */
  SafeArrayGetUBound: fn('hresult', ['ptr array', 'uint32 dimension', 'ptr bound']),
  /** Address of its elements, locked (uint64). https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-safearrayaccessdata */
  SafeArrayAccessData: fn('hresult', ['ptr array', 'ptr data']),
  /** Unlocks it. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-safearrayunaccessdata */
  SafeArrayUnaccessData: fn('hresult', ['ptr array']),
  /** Copies an element in. https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-safearrayputelement */
  SafeArrayPutElement: fn('hresult', ['ptr array', 'ptr indices', 'ptr element']),
});
