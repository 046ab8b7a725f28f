/**
 * How the generated classes make calls: parameters in, HRESULT checked, results out. `com/vtable.ts` makes the call
 * itself, and pads it like every call.
 *
 * Memory for parameters comes from a frame. Frames are reused, since fresh memory would cost five times the call; a
 * call made while another waits (from a callback) gets the next frame. A call on another thread has its own frame.
 */
import type { PointValue } from '../library.ts';
import { addressOf, readString16 } from '../library.ts';
import { allocBstr, freeBstr, takeBstr } from '../com/bstr.ts';
import { ComRef, releasePointer, type ComType } from '../com/com-ref.ts';
import { check } from '../com/hresult.ts';
import { createSafeArray, destroySafeArray, takeSafeArray, type ArrayValue } from '../com/safe-array.ts';
import { clearInput, takeVariant, writeVariant, type VariantInput, type VariantValue } from '../com/variant.ts';
import { VT } from '../com/vt.ts';
import type { MethodType } from '../com/vtable.ts';
import { ole32 } from '../win32/ole32.ts';

/** 32 bytes at a fixed address: enough for a VARIANT, a RECT, or any scalar. */
export class Cell {
  readonly memory = Buffer.alloc(32);
  readonly address = process.platform === 'win32' ? addressOf(this.memory) : 0n;
  readonly words = new BigUint64Array(this.memory.buffer, this.memory.byteOffset, 4);
  zero(): void {
    const w = this.words;
    w[0] = 0n;
    w[1] = 0n;
    w[2] = 0n;
    w[3] = 0n;
  }
}

type Release = () => void;

/** The memory of one call's parameters. */
export class Frame {
  readonly #cells: Cell[] = [];
  #used = 0;
  #releases: Release[] = [];

  /** Zeroed memory for a result. */
  cell(): Cell {
    const cell = (this.#cells[this.#used] ??= new Cell());
    this.#used++;
    cell.zero();
    return cell;
  }

  /** A string for the duration of the call. */
  bstr(text: string | null): bigint | null {
    if (text === null) return null;
    const address = allocBstr(text);
    this.#releases.push(() => {
      freeBstr(address);
    });
    return address;
  }

  /** A VARIANT by value: the address of a copy. */
  variant(value: VariantInput): bigint {
    const cell = this.cell();
    writeVariant(cell.memory, value);
    if (typeof value === 'string')
      this.#releases.push(() => {
        clearInput(cell.memory);
      });
    return cell.address;
  }

  /** A SAFEARRAY of int32 for the duration of the call. */
  int32s(values: readonly number[]): bigint {
    const array = createSafeArray(VT.I4, values);
    this.#releases.push(() => {
      destroySafeArray(array);
    });
    return array;
  }

  /** An object that must not be released while a call on another thread uses it. */
  hold(ref: ComRef | null): bigint | null {
    if (ref === null) return null;
    ref.addRef();
    const { pointer } = ref;
    this.#releases.push(() => {
      releasePointer(pointer);
    });
    return pointer;
  }

  /** Frees the parameters; the memory stays for the next call. */
  free(): void {
    this.#used = 0;
    if (this.#releases.length === 0) return;
    const releases = this.#releases;
    this.#releases = [];
    for (const release of releases) release();
  }
}

const frames: Frame[] = [];
let depth = 0;

/** A frame for a call on this thread, until `leave`. */
export function enter(): Frame {
  const frame = (frames[depth] ??= new Frame());
  depth++;
  return frame;
}

export function leave(frame: Frame): void {
  depth--;
  frame.free();
}

/** The address of a passed object, or null. */
export const ref = (value: ComRef | null): bigint | null => (value === null ? null : value.pointer);

/** A call on another thread. The object, and what the frame holds, stay until it ends. */
// oxlint-disable-next-line max-params -- generated code calls it
export function later<T>(
  frame: Frame,
  self: ComRef,
  { slot, type, name }: { readonly slot: number; readonly type: MethodType; readonly name: string },
  args: unknown[],
  result: (hresult: number) => T,
): Promise<T> {
  return self
    .method(slot, type)
    .async(frame.hold(self), ...args)
    .then((hresult) => result(check(hresult as number, name)))
    .finally(() => {
      frame.free();
    });
}

// ---- results

export const int32Out = (cell: Cell): number => cell.memory.readInt32LE(0);
export const uint32Out = (cell: Cell): number => cell.memory.readUInt32LE(0);
export const boolOut = (cell: Cell): boolean => cell.memory.readInt32LE(0) !== 0;
export const doubleOut = (cell: Cell): number => cell.memory.readDoubleLE(0);
export const handleOut = (cell: Cell): number => Number(cell.memory.readBigInt64LE(0));
export const pointOut = (cell: Cell): PointValue => ({ x: cell.memory.readInt32LE(0), y: cell.memory.readInt32LE(4) });
export interface RectValue {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}
export const rectOut = (cell: Cell): RectValue => ({
  left: cell.memory.readInt32LE(0),
  top: cell.memory.readInt32LE(4),
  right: cell.memory.readInt32LE(8),
  bottom: cell.memory.readInt32LE(12),
});
/** A string that we now own; null if there is none. */
export const bstrOut = (cell: Cell): string | null => takeBstr(cell.words[0]!);
export const variantOut = (cell: Cell): VariantValue => takeVariant(cell.memory);
export const arrayOut = (cell: Cell): ArrayValue => takeSafeArray(cell.words[0]!);
/** A string from the task allocator. */
export function taskstringOut(cell: Cell): string | null {
  const address = cell.words[0]!;
  if (address === 0n) return null;
  const text = readString16(address);
  ole32.CoTaskMemFree(address);
  return text;
}
/** An object that we now own; null if there is none. */
export function refOut<T extends ComRef>(cell: Cell, type: ComType<T>): T | null {
  const pointer = cell.words[0]!;
  return pointer === 0n ? null : new type(pointer);
}
