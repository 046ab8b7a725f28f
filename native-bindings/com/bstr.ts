/** BSTR: a length-prefixed UTF-16 string that belongs to OLE Automation's allocator. */
import { oleaut32 } from '../win32/oleaut32.ts';
import { peek32, peekText } from './memory.ts';

/** A new BSTR, to be freed by `freeBstr` or by its receiver. Embedded NULs are kept. */
export function allocBstr(text: string): bigint {
  const address = oleaut32.SysAllocStringLen(text, text.length);
  if (address === 0n) throw new Error(`Windows has no memory for a string of ${text.length} characters.`);
  return address;
}

/** Reads a BSTR without freeing it. A null BSTR is null; an empty one is ''. */
export function readBstr(address: bigint | number): string | null {
  const at = Number(address);
  return at === 0 ? null : peekText(at, peek32(at - 4) >>> 1);
}

/** Reads a BSTR that we own, and frees it. */
export function takeBstr(address: bigint): string | null {
  if (address === 0n) return null;
  const text = peekText(address, peek32(address - 4n) >>> 1);
  oleaut32.SysFreeString(address);
  return text;
}

export function freeBstr(address: bigint): void {
  if (address !== 0n) oleaut32.SysFreeString(address);
}
