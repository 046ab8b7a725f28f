/** Processes whose handle is held: their creation time, and that they have ended. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { HeldProcesses, processCreated } from '../../../../src/win32/system/process.ts';

test('[binding.rechecked] a held process has its creation time while it lives, and none afterwards', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid!;
  const processes = new HeldProcesses();
  const created = processCreated(pid);
  expect(created).toMatch(/^\d{15,}$/);
  expect(processes.created(pid)).toBe(created);
  expect(processes.created(pid)).toBe(created);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(processes.created(pid)).toBeNull();
  // Its handle was closed: the process can no longer be opened, or has ended.
  expect(processes.created(pid)).toBeNull();
  expect(new HeldProcesses().created(0xffff_fff0)).toBeNull();
});
