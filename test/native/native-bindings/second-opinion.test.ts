/** The same calls through node-ffi-rs, an independent library: the answers must agree. */
import { close, DataType, load, open } from 'node-ffi-rs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { gdi32 } from '../../../native-bindings/win32/gdi32.ts';
import { RECT, SYSTEM_INFO } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { text16 } from '../../../native-bindings/library.ts';

const LIBRARIES = ['user32', 'kernel32', 'gdi32'] as const;
type Library = (typeof LIBRARIES)[number];

function ask(
  library: Library,
  funcName: string,
  retType: number,
  paramsType: number[],
  paramsValue: unknown[],
): unknown {
  return load({ library, funcName, retType, paramsType, paramsValue } as never);
}

describe('a second opinion', () => {
  beforeAll(() => {
    for (const library of LIBRARIES) open({ library, path: `${library}.dll` });
  });
  afterAll(() => {
    for (const library of LIBRARIES) close(library);
  });
  const { I32, I64, U8Array } = DataType;

  it('agrees on numbers', () => {
    for (const index of [0, 1, 19, 76, 77, 78, 79, 80]) {
      expect(user32.GetSystemMetrics(index)).toBe(ask('user32', 'GetSystemMetrics', I32, [I32], [index]));
    }
    for (const index of [5, 15, 18])
      expect(user32.GetSysColor(index)).toBe((ask('user32', 'GetSysColor', I32, [I32], [index]) as number) >>> 0);
    expect(user32.GetDoubleClickTime()).toBe(ask('user32', 'GetDoubleClickTime', I32, [], []));
    expect(user32.GetDpiForSystem()).toBe(ask('user32', 'GetDpiForSystem', I32, [], []));
    expect(kernel32.GetCurrentProcessId()).toBe(ask('kernel32', 'GetCurrentProcessId', I32, [], []));
    expect(kernel32.GetCurrentThreadId()).toBe(ask('kernel32', 'GetCurrentThreadId', I32, [], []));
    for (const key of [0x41, 0x70, 0x0d])
      expect(user32.MapVirtualKeyW(key, 0)).toBe(ask('user32', 'MapVirtualKeyW', I32, [I32, I32], [key, 0]));
    expect(kernel32.WTSGetActiveConsoleSessionId()).toBe(
      (ask('kernel32', 'WTSGetActiveConsoleSessionId', I32, [], []) as number) >>> 0,
    );
  });

  it('agrees on handles', () => {
    expect(user32.GetDesktopWindow()).toBe(ask('user32', 'GetDesktopWindow', I64, [], []));
    expect(user32.GetForegroundWindow()).toBe(ask('user32', 'GetForegroundWindow', I64, [], []));
    expect(user32.GetKeyboardLayout(0)).toBe(ask('user32', 'GetKeyboardLayout', I64, [I32], [0]));
    expect(user32.GetWindow(user32.GetDesktopWindow(), 5)).toBe(
      ask('user32', 'GetWindow', I64, [I64, I32], [user32.GetDesktopWindow(), 5]),
    );
    expect(gdi32.GetStockObject(0)).toBe(ask('gdi32', 'GetStockObject', I64, [I32], [0]));
    expect(kernel32.GetCurrentProcess()).toBe(ask('kernel32', 'GetCurrentProcess', I64, [], []));
  });

  it('agrees on what is written into memory', () => {
    const both = (
      length: number,
      ours: (memory: Buffer) => unknown,
      theirs: (memory: Buffer) => unknown,
    ): [Buffer, Buffer] => {
      const memory: [Buffer, Buffer] = [Buffer.alloc(length), Buffer.alloc(length)];
      expect(Number(ours(memory[0]))).toBe(theirs(memory[1]));
      expect(memory[0].equals(memory[1])).toBe(true);
      return memory;
    };
    const desktop = user32.GetDesktopWindow();
    const [rect] = both(
      RECT.size,
      (m) => user32.GetWindowRect(desktop, m),
      (m) => ask('user32', 'GetWindowRect', I32, [I64, U8Array], [desktop, m]),
    );
    expect(RECT.read(rect).right).toBeGreaterThan(0);
    const [name] = both(
      64,
      (m) => user32.GetClassNameW(desktop, m, 32),
      (m) => ask('user32', 'GetClassNameW', I32, [I64, U8Array, I32], [desktop, m, 32]),
    );
    expect(text16(name)).toBe('#32769');
    const info = [SYSTEM_INFO.alloc(), SYSTEM_INFO.alloc()] as const;
    kernel32.GetNativeSystemInfo(info[0]);
    ask('kernel32', 'GetNativeSystemInfo', DataType.Void, [U8Array], [info[1]]);
    expect(SYSTEM_INFO.read(info[0])).toEqual(SYSTEM_INFO.read(info[1]));
    both(
      4,
      (m) => kernel32.ProcessIdToSessionId(process.pid, m),
      (m) => ask('kernel32', 'ProcessIdToSessionId', I32, [I32, U8Array], [process.pid, m]),
    );
  });
});
