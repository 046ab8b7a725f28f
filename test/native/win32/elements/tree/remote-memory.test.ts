/** Memory in other processes, for structured control messages. */
import { afterEach, expect, test, vi } from 'vitest';
import { kernel32 } from '../../../../../native-bindings/win32/kernel32.ts';
import { RemoteMemory } from '../../../../../src/win32/elements/tree/remote-memory.ts';
import { LVITEMW } from '../../../../../native-bindings/win32/structs.ts';
import { Fixture } from '../../support/programs.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('structures have the layout of the program that gets them', async () => {
  await using fixture = await Fixture.start('controls');
  using ours = RemoteMemory.open(fixture.hwnd)!;
  expect(ours.layoutOf(LVITEMW).size).toBe(88);

  // As Windows describes a 32-bit program; its memory ends at 4 GB.
  const isOther = (_process: number, machine: Uint16Array): boolean => {
    machine[0] = 0x014c;
    return true;
  };
  vi.spyOn(kernel32, 'IsWow64Process2').mockImplementation(isOther as never);
  vi.spyOn(kernel32, 'IsWow64Process').mockImplementation(isOther as never);
  vi.spyOn(kernel32, 'VirtualAllocEx').mockReturnValueOnce(0x1_0000_0000n);
  expect(RemoteMemory.open(fixture.hwnd)).toBeNull();
  vi.spyOn(kernel32, 'VirtualAllocEx').mockReturnValueOnce(0x4000_0000n);
  using narrow = RemoteMemory.open(fixture.hwnd)!;
  expect(narrow.layoutOf(LVITEMW).size).toBe(60);
});
