/** Processes by their Windows ids, and a host that is expected not to start. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { hostCommand } from '../../scripts/lib/host.mjs';
import { sharedDesktop } from './desktop.ts';
import { startProgram } from './programs.ts';

/** Kills a process by its Windows id. Errors: it could not be ended. */
export async function endWindowsProcess(pid: number): Promise<void> {
  await using taskkill = startProgram('taskkill.exe', ['/f', '/pid', String(pid)]);
  const [status] = (await once(taskkill.process, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`taskkill ended with ${status}: is process ${pid} gone already?`);
}

/** Starts a host on a data directory that another host uses, and waits for its end. */
export async function runSecondHost(dataDir: string): Promise<{ status: number | null; output: string }> {
  const { program, args, env } = hostCommand({
    dataDir,
    windowsTree: process.env['UIAHOST_TEST_TREE'] ?? '',
    env: { UIAHOST_PORT: '0' },
  });
  const stdio = ['pipe', 'pipe', 'pipe'] as const;
  const child: ChildProcess =
    process.platform === 'win32'
      ? spawn(program, args, { env: { ...process.env, ...env }, stdio: [...stdio] })
      : sharedDesktop().run(program, args, { env, stdio: [...stdio] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  const [status] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  return { status, output };
}

/** Ends a process and its descendants, if it still runs. */
export async function endWindowsTree(pid: number): Promise<void> {
  await using taskkill = startProgram('taskkill.exe', ['/f', '/t', '/pid', String(pid)]);
  await once(taskkill.process, 'exit');
}
