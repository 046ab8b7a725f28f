/**
 * The multithreaded apartment. In a single-threaded one UI Automation delivers no events and removing a handler hangs,
 * and calls that run on another thread (`…Async`) need an apartment there: the multithreaded one serves every thread of
 * the process as long as one thread holds it.
 */
import { CLSCTX_ALL, CLSCTX_INPROC_SERVER, COINIT_MULTITHREADED } from '../win32/constants.ts';
import { ole32 } from '../win32/ole32.ts';
import { check, ComError, HRESULT } from './hresult.ts';
import { ComRef, type ComType } from './com-ref.ts';

/** Puts this thread in the multithreaded apartment until disposed of. Throws if it is in a single-threaded one. */
export function enterMta(): Disposable {
  const hr = ole32.CoInitializeEx(null, COINIT_MULTITHREADED);
  if (hr === HRESULT.RPC_E_CHANGED_MODE)
    throw new ComError(hr, 'CoInitializeEx (this thread is in a single-threaded apartment already)');
  check(hr, 'CoInitializeEx');
  let inside = true;
  return {
    [Symbol.dispose]() {
      if (inside) {
        inside = false;
        ole32.CoUninitialize();
      }
    },
  };
}

/** Creates an object of a registered class. `anywhere` allows a server in another process. */
export function createInstance<T extends ComRef>(clsid: Buffer, type: ComType<T>, anywhere = false): T {
  const out = new BigUint64Array(1);
  check(
    ole32.CoCreateInstance(clsid, null, anywhere ? CLSCTX_ALL : CLSCTX_INPROC_SERVER, type.iid, out),
    `CoCreateInstance(${type.interfaceName})`,
  );
  return new type(out[0]!);
}
