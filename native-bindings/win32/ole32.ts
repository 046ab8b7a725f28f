/** COM: ole32.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const ole32 = bindLibrary('ole32.dll', {
  /** Puts this thread in an apartment (0 = multithreaded). https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-coinitializeex */
  CoInitializeEx: fn('hresult', ['ptr reserved', 'uint32 model']),
  /** Leaves it. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-couninitialize */
  CoUninitialize: fn('void', []),
  /** Keeps the multithreaded apartment alive for every thread (uint64). https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-coincrementmtausage */
  CoIncrementMTAUsage: fn('hresult', ['ptr cookie']),
  /** Releases it. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-codecrementmtausage */
  CoDecrementMTAUsage: fn('hresult', ['ptr cookie']),
  /** Two int32. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-cogetapartmenttype */
  CoGetApartmentType: fn('hresult', ['ptr kind', 'ptr qualifier']),
  /** Makes an object (uint64). https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-cocreateinstance */
  CoCreateInstance: fn('hresult', ['ptr clsid', 'ptr outer', 'uint32 context', 'ptr iid', 'ptr object']),
  /** Memory that COM frees. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-cotaskmemalloc */
  CoTaskMemAlloc: fn('ptr', ['uintptr bytes']),
  /** Frees it. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-cotaskmemfree */
  CoTaskMemFree: fn('void', ['ptr memory']),
  /** Lets another thread cancel this thread's calls. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-coenablecallcancellation */
  CoEnableCallCancellation: fn('hresult', ['ptr reserved']),
  /** No more. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-codisablecallcancellation */
  CoDisableCallCancellation: fn('hresult', ['ptr reserved']),
  /** Cancels the call that a thread waits in. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-cocancelcall */
  CoCancelCall: fn('hresult', ['uint32 thread', 'uint32 seconds']),
  /** Security of this process's calls, once. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-coinitializesecurity */
  CoInitializeSecurity: fn('hresult', [
    'ptr descriptor',
    'int32 count',
    'ptr services',
    'ptr reserved',
    'uint32 authentication',
    'uint32 impersonation',
    'ptr list',
    'uint32 capabilities',
    'ptr reserved3',
  ]),
  /** Class of a program id. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-clsidfromprogid */
  CLSIDFromProgID: fn('hresult', ['str16 name', 'ptr clsid']),
  /** Text of a GUID. https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-stringfromguid2 */
  StringFromGUID2: fn('int32', ['ptr guid', 'ptr text', 'int32 capacity']),
  /**
   * Frees what a PROPVARIANT contains.
   * https://learn.microsoft.com/windows/win32/api/combaseapi/nf-combaseapi-propvariantclear
   */
  PropVariantClear: fn('hresult', ['ptr value']),
});
