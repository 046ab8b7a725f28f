/** BSTR, VARIANT and SAFEARRAY values through the bindings. */
import { describe, expect, it } from 'vitest';
import { allocBstr, freeBstr, readBstr, takeBstr } from '../../../native-bindings/com/bstr.ts';
import { ComRef } from '../../../native-bindings/com/com-ref.ts';
import {
  createSafeArray,
  destroySafeArray,
  readSafeArray,
  safeArrayLength,
  takeSafeArray,
} from '../../../native-bindings/com/safe-array.ts';
import {
  clearInput,
  double,
  takeVariant,
  VARIANT_SIZE,
  writeVariant,
  type VariantInput,
} from '../../../native-bindings/com/variant.ts';
import { VT } from '../../../native-bindings/com/vt.ts';
import { oleaut32 } from '../../../native-bindings/win32/oleaut32.ts';
import { fakeObject } from './support/fake-object.ts';

const TEXTS = ['', 'text', '’ ‘ " ` $ ;', '漢字 😀 é', 'a\0b\0', '\ud83d alone', 'x'.repeat(100_000)];

it('BSTR keeps any text, NULs and lone surrogates too', () => {
  for (const text of TEXTS) {
    const address = allocBstr(text);
    expect(oleaut32.SysStringLen(address)).toBe(text.length);
    expect(readBstr(address) === text).toBe(true);
    expect(takeBstr(address) === text).toBe(true);
  }
  expect([readBstr(0n), takeBstr(0n)]).toEqual([null, null]);
  freeBstr(0n);
});

describe('VARIANT', () => {
  /** Through VariantCopy, so that Windows has understood it. */
  function roundTrip(value: VariantInput) {
    const input = Buffer.alloc(VARIANT_SIZE);
    const copy = Buffer.alloc(VARIANT_SIZE);
    writeVariant(input, value);
    expect(oleaut32.VariantCopy(copy, input)).toBe(0);
    clearInput(input);
    expect(input.readUInt16LE(0) === VT.BSTR).toBe(false);
    return takeVariant(copy);
  }

  it('carries values both ways', () => {
    for (const value of [
      undefined,
      null,
      true,
      false,
      0,
      -1,
      2147483647,
      -2147483648,
      1.5,
      -1e300,
      4294967296,
      2n ** 62n,
      -5n,
      '',
      'text',
    ]) {
      expect(roundTrip(value)).toBe(value);
    }
    for (const text of TEXTS) expect(roundTrip(text) === text).toBe(true);
    expect(roundTrip(double(3))).toBe(3);
  });

  it('is of the kind that Windows expects', () => {
    const kind = (value: VariantInput) => {
      const memory = Buffer.alloc(VARIANT_SIZE);
      writeVariant(memory, value);
      const vt = memory.readUInt16LE(0);
      clearInput(memory);
      return vt;
    };
    expect([kind(1), kind(1.5), kind(double(1)), kind(true), kind('x'), kind(1n), kind(null), kind(undefined)]).toEqual(
      [VT.I4, VT.R8, VT.R8, VT.BOOL, VT.BSTR, VT.I8, VT.NULL, VT.EMPTY],
    );
  });

  it('is read in the kinds that Windows converts it to', () => {
    for (const [kind, value] of [
      [VT.I2, 7],
      [VT.UI1, 7],
      [VT.UI4, 7],
      [VT.R4, 7],
      [VT.R8, 7],
      [VT.BSTR, '7'],
      [VT.I8, 7n],
    ] as const) {
      const input = Buffer.alloc(VARIANT_SIZE);
      const output = Buffer.alloc(VARIANT_SIZE);
      writeVariant(input, 7);
      expect(oleaut32.VariantChangeType(output, input, 0, kind)).toBe(0);
      expect(takeVariant(output)).toBe(value);
    }
  });

  it('gives an array away and clears unknown types', () => {
    const memory = Buffer.alloc(VARIANT_SIZE);
    memory.writeUInt16LE(VT.ARRAY | VT.R8, 0);
    memory.writeBigUInt64LE(createSafeArray(VT.R8, [1.5, -2]), 8);
    expect(takeVariant(memory)).toEqual([1.5, -2]);
    expect(memory.readUInt16LE(0)).toBe(VT.EMPTY);
    memory.writeUInt16LE(VT.CY, 0);
    expect(takeVariant(memory)).toEqual({ vt: VT.CY });
    expect(memory.readUInt16LE(0)).toBe(VT.EMPTY);
  });

  it('hands its object over', () => {
    using fake = fakeObject([], {});
    const memory = Buffer.alloc(VARIANT_SIZE);
    memory.writeUInt16LE(VT.UNKNOWN, 0);
    memory.writeBigUInt64LE(fake.pointer, 8);
    const taken = takeVariant(memory);
    expect(taken).toBeInstanceOf(ComRef);
    expect(fake.references()).toBe(1);
    (taken as ComRef)[Symbol.dispose]();
    expect(fake.references()).toBe(0);
  });
});

describe('SAFEARRAY', () => {
  it('is made, read, taken', () => {
    const numbers = createSafeArray(VT.I4, [42, -1, 2147483647]);
    expect(safeArrayLength(numbers)).toBe(3);
    expect(readSafeArray(numbers)).toEqual([42, -1, 2147483647]);
    expect(takeSafeArray(numbers)).toEqual([42, -1, 2147483647]);
    expect(takeSafeArray(createSafeArray(VT.R8, [0.25]))).toEqual([0.25]);
    expect(takeSafeArray(createSafeArray(VT.I4, []))).toEqual([]);
    expect(readSafeArray(0n)).toEqual([]);
    expect(safeArrayLength(0n)).toBe(0);
    destroySafeArray(0n);
  });

  it('holds strings and objects of its own', () => {
    const put = (array: bigint, index: number, address: bigint) =>
      oleaut32.SafeArrayPutElement(array, Int32Array.of(index), address);
    const strings = oleaut32.SafeArrayCreateVector(VT.BSTR, 0, 2);
    const text = allocBstr('漢字');
    expect(put(strings, 0, text)).toBe(0);
    freeBstr(text);
    expect(takeSafeArray(strings)).toEqual(['漢字', null]);

    using fake = fakeObject([], {});
    const objects = oleaut32.SafeArrayCreateVector(VT.UNKNOWN, 0, 1);
    expect(put(objects, 0, fake.pointer)).toBe(0);
    const [object] = takeSafeArray(objects) as ComRef[];
    expect(fake.references()).toBe(2);
    object![Symbol.dispose]();
    expect(fake.references()).toBe(1);
  });

  it('refuses and destroys an array of another type', () => {
    expect(() => takeSafeArray(oleaut32.SafeArrayCreateVector(VT.VARIANT, 0, 1))).toThrow(
      /VARIANT kind 12 cannot be read/,
    );
  });
});
