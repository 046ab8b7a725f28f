/** Single values read from an address of this process. A wrong address ends the process at once. */
import koffi from 'koffi';

/** A pointer or other 64-bit value as a number; addresses of programs fit in 47 bits. */
export const peek64 = (address: bigint | number): number => Number(koffi.decode.uint64(address));
/** A 32-bit value. */
export const peek32 = (address: bigint | number): number => koffi.decode.uint32(address);
/** A run of UTF-16 units. */
export const peekText = (address: bigint | number, units: number): string =>
  units === 0 ? '' : koffi.decode.string16(address, units);
/** A run of `int32`, `double` or addresses. */
export function peekInt32s(address: bigint | number, count: number): number[] {
  return Array.from(koffi.decode(address, 'int32', count) as ArrayLike<number>);
}
export function peekDoubles(address: bigint | number, count: number): number[] {
  return Array.from(koffi.decode(address, 'double', count) as ArrayLike<number>);
}
export function peekPointers(address: bigint | number, count: number): bigint[] {
  return Array.from(koffi.decode(address, 'uint64', count) as ArrayLike<number | bigint>, BigInt);
}
export function peekInt16s(address: bigint | number, count: number): number[] {
  return Array.from(koffi.decode(address, 'int16', count) as ArrayLike<number>);
}
