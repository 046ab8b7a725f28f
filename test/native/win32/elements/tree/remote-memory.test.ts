/** Memory in other processes, for structured control messages. */
import { existsSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { kernel32 } from '../../../../../native-bindings/win32/kernel32.ts';
import { RemoteMemory } from '../../../../../src/win32/elements/tree/remote-memory.ts';
import { topWindowsOf } from '../../../../../src/win32/windows/window-info.ts';
import { until } from '../../../../support/until.ts';
import { Fixture, Program } from '../../support/programs.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const OTHER_BITNESS = 'C:\\windows\\syswow64\\notepad.exe';

test('[snapshot.memory] is taken in a program of our bitness alone', async () => {
  await using fixture = await Fixture.start('controls');
  using ours = RemoteMemory.open(fixture.hwnd);
  expect(ours).not.toBeNull();

  if (existsSync(OTHER_BITNESS)) {
    await using other = new Program(OTHER_BITNESS);
    const hwnd = await until(() => topWindowsOf(other.pid)[0], 'its window');
    expect(RemoteMemory.open(hwnd)).toBeNull();
  }
  // As Windows describes a 32-bit program.
  const isOther = (_process: number, machine: Uint16Array): boolean => {
    machine[0] = 0x014c;
    return true;
  };
  vi.spyOn(kernel32, 'IsWow64Process2').mockImplementation(isOther as never);
  vi.spyOn(kernel32, 'IsWow64Process').mockImplementation(isOther as never);
  expect(RemoteMemory.open(fixture.hwnd)).toBeNull();
});
