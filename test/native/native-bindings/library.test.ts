/** Native calls: arguments, results, missing functions and callbacks. */
import path from 'node:path';
import koffi from 'koffi';
import { describe, expect, it } from 'vitest';
import {
  addressOf,
  bindLibrary,
  callback,
  fn,
  MissingFunction,
  nativeCall,
  readMemory,
  readString16,
  text16,
} from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { POINT, RECT } from '../../../native-bindings/win32/structs.ts';
import { EnumWindowsProc, user32 } from '../../../native-bindings/win32/user32.ts';

describe('calls', () => {
  it('keep the last error of the call before', () => {
    kernel32.SetLastError(0);
    expect(kernel32.CloseHandle(0x7ff4)).toBe(false);
    expect(kernel32.GetLastError()).toBe(6);
    expect(user32.IsWindow(0)).toBe(false);
  });

  it('return booleans, signed handles, numbers and addresses', () => {
    expect(user32.IsWindow(user32.GetDesktopWindow())).toBe(true);
    expect(kernel32.GetCurrentProcess()).toBe(-1);
    expect(kernel32.CreateFileW('C:\\no\\such\\file', 0x80000000, 0, null, 3, 0, 0)).toBe(-1);
    expect(typeof kernel32.GetTickCount64()).toBe('bigint');
    const memory = kernel32.GlobalAlloc(2, 64);
    const address = kernel32.GlobalLock(memory);
    expect(typeof address).toBe('bigint');
    expect(address).not.toBe(0n);
    expect(kernel32.GlobalSize(memory)).toBe(64);
    kernel32.GlobalFree(memory);
    expect(kernel32.GlobalLock(0)).toBe(0n);
  });

  it('fill memory of ours', () => {
    const rect = RECT.alloc();
    expect(user32.GetWindowRect(user32.GetDesktopWindow(), rect)).toBe(true);
    expect(RECT.read(rect)).toMatchObject({ left: 0, top: 0 });
    expect(RECT.read(rect).right).toBeGreaterThan(100);
    const owner = new Uint32Array(1);
    expect(user32.GetWindowThreadProcessId(user32.GetDesktopWindow(), owner)).toBeGreaterThan(0);
    expect(owner[0]).toBeGreaterThan(0);
  });

  it('pass points by value and strings as UTF-16', () => {
    expect(user32.WindowFromPoint({ x: 3, y: 3 })).toBeGreaterThan(0);
    expect(user32.WindowFromPoint({ x: -30_000, y: -30_000 })).toBe(0);
    const name = 'uiahost ’ 漢字 😀';
    const format = user32.RegisterClipboardFormatW(name);
    const text = Buffer.alloc(200);
    expect(text16(text, user32.GetClipboardFormatNameW(format, text, 100))).toBe(name);
  });

  it('run on another thread and answer later', async () => {
    const className = Buffer.alloc(64);
    const length = await user32.GetClassNameW.async(user32.GetDesktopWindow(), className, 32);
    expect(text16(className, length)).toBe('#32769');
    expect(await user32.IsWindow.async(0)).toBe(false);
    const started = Date.now();
    const waiting = kernel32.Sleep.async(300);
    expect(Date.now() - started).toBeLessThan(250);
    await waiting;
    expect(Date.now() - started).toBeGreaterThanOrEqual(280);
  });

  it('have a stack of a megabyte on another thread too, as a thread of Windows has', async () => {
    const library = koffi.load(path.join(process.env['UIAHOST_FIXTURES'] ?? '', 'deep-stack.dll'));
    const use = nativeCall('int32', ['uint32'], (result, args) => library.func('__stdcall', 'UseStack', result, args));
    const [bytes, pages] = [400 * 1024, 100];
    expect(use(bytes)).toBe(pages);
    expect(await use.async(bytes)).toBe(pages);
    expect(await Promise.all(Array.from({ length: 24 }, () => use.async(bytes)))).toEqual(Array(24).fill(pages));
  });

  it('run on another thread with eight parameters, whose call needs no padding', async () => {
    const HKEY_LOCAL_MACHINE = -2_147_483_646;
    const name = Buffer.alloc(512);
    const capacity = new Uint32Array([256]);
    const status = await advapi32.RegEnumKeyExW.async(HKEY_LOCAL_MACHINE, 0, name, capacity, null, null, null, null);
    expect(status).toBe(0);
    expect(text16(name)).not.toBe('');
  });

  it('survive the functions that Wine sends straight to its dispatcher', () => {
    for (let i = 0; i < 1000; i++) {
      user32.GetForegroundWindow();
      user32.GetKeyState(1);
      user32.GetAncestor(0, 2);
      user32.SendInput(0, null, 40);
    }
    expect(user32.GetAncestor(user32.GetDesktopWindow(), 1)).toBe(0);
  });
});

describe('absence', () => {
  it('is asked for, and named when it is called nevertheless', () => {
    const library = bindLibrary('user32.dll', { GetDesktopWindow: fn('hwnd', []), NoSuchFunction: fn('bool', []) });
    expect([library.has('GetDesktopWindow'), library.has('NoSuchFunction')]).toEqual([true, false]);
    expect(() => library.NoSuchFunction()).toThrow(MissingFunction);
    expect(() => library.NoSuchFunction()).toThrow(/user32\.dll of this Windows has no NoSuchFunction/);
  });

  it('covers a whole library', () => {
    const library = bindLibrary('no-such-library.dll', { Anything: fn('bool', []) });
    expect(library.has('Anything')).toBe(false);
    expect(() => library.Anything()).toThrow(MissingFunction);
  });
});

describe('callbacks', () => {
  it('that live as long as a call get our values', () => {
    const all: number[] = [];
    expect(
      user32.EnumWindows((window, data) => {
        all.push(window, data);
        return true;
      }, 7),
    ).toBe(true);
    expect(all.length).toBeGreaterThan(1);
    expect(all.filter((_, i) => i % 2 === 1).every((data) => data === 7)).toBe(true);
    let seen = 0;
    user32.EnumWindows(() => {
      seen++;
      return false;
    }, 0);
    expect(seen).toBe(1);
    const monitors: { left: number; right: number }[] = [];
    user32.EnumDisplayMonitors(
      0,
      null,
      (_monitor, _dc, rect) => {
        monitors.push(RECT.readAt(rect));
        return true;
      },
      0,
    );
    expect(monitors.length).toBeGreaterThan(0);
    expect(monitors[0]!.right).toBeGreaterThan(monitors[0]!.left);
  });

  it('that are registered are called until they are disposed of', () => {
    let seen = 0;
    {
      using registered = EnumWindowsProc.register(() => {
        seen++;
        return false;
      });
      user32.EnumWindows(registered.address, 0);
      user32.EnumWindows(registered.address, 0);
      registered[Symbol.dispose]();
    }
    expect(seen).toBe(2);
  });

  it('can be declared for anything', () => {
    const proc = callback('int32', ['ptr text', 'intptr data']);
    const library = bindLibrary('kernel32.dll', {
      EnumResourceTypesW: fn('bool', ['handle module', proc, 'intptr data']),
    });
    expect(library.EnumResourceTypesW(0, () => 1, 0)).toBeTypeOf('boolean');
  });
});

it('memory can be read in place', () => {
  const point = POINT.alloc({ x: -5, y: 9 });
  expect(POINT.readAt(addressOf(point))).toEqual({ x: -5, y: 9 });
  expect(readMemory(addressOf(point), 8).equals(point)).toBe(true);
  const text = Buffer.from('abc\0def\0', 'utf16le');
  expect(readString16(addressOf(text))).toBe('abc');
  expect(readString16(addressOf(text), 7)).toBe('abc\0def');
  expect(text16(text)).toBe('abc');
});
