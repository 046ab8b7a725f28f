/** What needs no Windows. */
import { describe, expect, it } from 'vitest';
import { guid, guidText } from '../../../native-bindings/com/guid.ts';
import { check, ComError, HRESULT, hresultName } from '../../../native-bindings/com/hresult.ts';
import { takeVariant, VARIANT_SIZE, writeVariant } from '../../../native-bindings/com/variant.ts';
import { VT } from '../../../native-bindings/com/vt.ts';
import { at, bytes, chars, layout } from '../../../native-bindings/layout.ts';
import { bindLibrary, fn } from '../../../native-bindings/library.ts';
import {
  INPUT,
  KEYBDINPUT,
  MONITORINFOEXW,
  MOUSEINPUT,
  RECT,
  STARTUPINFOW,
} from '../../../native-bindings/win32/structs.ts';

describe('GUID', () => {
  it('has its first three groups little-endian', () => {
    const bytesOfIt = guid('30cbe57d-d9d0-452a-ab13-7ac5ac4825ee');
    expect(bytesOfIt.toString('hex')).toBe('7de5cb30d0d92a45ab137ac5ac4825ee');
    expect(guidText(bytesOfIt)).toBe('30cbe57d-d9d0-452a-ab13-7ac5ac4825ee');
    expect(guid('{30CBE57D-D9D0-452A-AB13-7AC5AC4825EE}').equals(bytesOfIt)).toBe(true);
  });
  it('refuses malformed text', () => {
    for (const text of ['', '30cbe57d', '30cbe57d-d9d0-452a-ab13-7ac5ac4825eg'])
      expect(() => guid(text)).toThrow(/is not a GUID/);
  });
});

describe('HRESULT', () => {
  it('has a name, signed or not', () => {
    expect([hresultName(-2147467263), hresultName(0x80004001), hresultName(0), hresultName(0x8007001f)]).toEqual([
      'E_NOTIMPL',
      'E_NOTIMPL',
      'S_OK',
      '0x8007001f',
    ]);
  });
  it('has one meaning for each code', () => {
    expect(new Set(Object.values(HRESULT)).size).toBe(Object.keys(HRESULT).length);
    expect(Object.entries(HRESULT).filter(([name, value]) => !name.startsWith('S_') && value >= 0)).toEqual([]);
  });
  it('throws for failure and not for S_FALSE', () => {
    expect([check(0, 'x'), check(1, 'x')]).toEqual([0, 1]);
    expect(() => check(HRESULT.E_FAIL, 'IThing.Do')).toThrow(ComError);
    expect(() => check(HRESULT.E_FAIL, 'IThing.Do')).toThrow('IThing.Do failed: E_FAIL.');
  });
});

describe('layouts', () => {
  it('follow the rules of C', () => {
    const s = layout('S', { a: 'uint8', b: 'uint32', c: 'uint16', d: 'ptr', e: 'uint8' });
    expect([s.size, s.align, s.at]).toEqual([32, 8, { a: 0, b: 4, c: 8, d: 16, e: 24 }]);
    expect([RECT.size, MOUSEINPUT.size, KEYBDINPUT.size, INPUT.size, STARTUPINFOW.size, MONITORINFOEXW.size]).toEqual([
      16, 32, 24, 40, 104, 104,
    ]);
  });

  it('read what they write', () => {
    const s = layout('S', {
      flag: 'bool',
      text: chars(4),
      raw: bytes(2),
      big: 'uint64',
      address: 'ptr',
      handle: 'handle',
      rect: RECT,
      real: 'double',
      x: at(0, 'int32'),
    });
    const memory = s.alloc({
      flag: true,
      text: 'abcdef',
      raw: Buffer.from([1, 2]),
      big: 5,
      address: 7n,
      handle: -1,
      rect: { top: -3 },
      real: 0.5,
    });
    expect(s.read(memory)).toEqual({
      flag: true,
      text: 'abc',
      raw: Buffer.from([1, 2]),
      big: 5n,
      address: 7n,
      handle: -1,
      rect: { left: 0, top: -3, right: 0, bottom: 0 },
      x: 1,
      real: 0.5,
    });
    s.write(memory, { x: 0 });
    expect(s.read(memory).flag).toBe(false);
    expect(s.read(memory).handle).toBe(-1);
  });

  it('lie in a row', () => {
    const memory = RECT.alloc({ left: 1 }, 2);
    RECT.write(memory, { left: 9 }, RECT.size);
    expect([memory.length, RECT.read(memory).left, RECT.read(memory, RECT.size).left]).toEqual([32, 1, 9]);
  });
});

describe('VARIANT', () => {
  it('has kind and value where Windows looks', () => {
    const memory = Buffer.alloc(VARIANT_SIZE);
    writeVariant(memory, -2);
    expect(memory.toString('hex')).toBe('0300000000000000feffffff000000000000000000000000');
    expect(takeVariant(memory)).toBe(-2);
    memory.fill(0);
    writeVariant(memory, true);
    expect([memory.readUInt16LE(0), memory.readInt16LE(8)]).toEqual([VT.BOOL, -1]);
  });
  it('is read at any place of an array', () => {
    const memory = Buffer.alloc(VARIANT_SIZE * 2);
    memory.writeUInt16LE(VT.R8, VARIANT_SIZE);
    memory.writeDoubleLE(2.5, VARIANT_SIZE + 8);
    expect([takeVariant(memory), takeVariant(memory, VARIANT_SIZE)]).toEqual([undefined, 2.5]);
  });
});

describe('a system that lacks something', () => {
  it('can import every file, and is asked before a call', async () => {
    const { user32 } = await import('../../../native-bindings/win32/user32.ts');
    const { IUIAutomation } = await import('../../../native-bindings/uia/automation.generated.ts');
    expect(guidText(IUIAutomation.iid)).toBe('30cbe57d-d9d0-452a-ab13-7ac5ac4825ee');
    expect(user32.has('GetForegroundWindow')).toBe(process.platform === 'win32');
  });

  it('says which function is missing, and that nothing was called', () => {
    const library = bindLibrary('no-such.dll', { Sleep: fn('void', ['uint32 milliseconds']) });
    expect(library.has('Sleep')).toBe(false);
    expect(() => library.Sleep(1)).toThrow(
      process.platform === 'win32'
        ? "no-such.dll of this Windows has no Sleep. Nothing was called. Ask has('Sleep') first, or update Windows."
        : `Sleep of no-such.dll exists on Windows only; this is ${process.platform}. Nothing was called.`,
    );
  });
});
