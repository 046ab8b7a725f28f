/** COM: ole32.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const ole32 = bindLibrary('ole32.dll', {
  /** Puts this thread in an apartment (0 = multithreaded). https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-coinitializeex */
  CoInitializeEx: fn('hresult', ['ptr reserved', 'uint32 model']),
  /** Leaves it. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-couninitialize */
  CoUninitialize: fn('void', []),
  /** Keeps the multithreaded apartment alive for every thread (uint64). https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-coincrementmtausage */
  CoIncrementMTAUsage: fn('hresult', ['ptr cookie']),
  /** Two int32. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-cogetapartmenttype */
  CoGetApartmentType: fn('hresult', ['ptr kind', 'ptr qualifier']),
  /** Makes an object (uint64). https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-cocreateinstance */
  CoCreateInstance: fn('hresult', ['ptr clsid', 'ptr outer', 'uint32 context', 'ptr iid', 'ptr object']),
  /** Memory that COM frees. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-cotaskmemalloc */
  CoTaskMemAlloc: fn('ptr', ['uintptr bytes']),
  /** Frees it. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-cotaskmemfree */
  CoTaskMemFree: fn('void', ['ptr memory']),
});
