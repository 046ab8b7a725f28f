/** The runtime itself: desktops side by side, programs on them, and nothing left behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { attachDesktop } from '../../scripts/lib/desktop.mjs';
import { programsOf, sharedDesktop, startDesktop, xdotool } from '../support/desktop.ts';

async function goneWithin(prefix: string, milliseconds: number): Promise<string[]> {
  for (const until = performance.now() + milliseconds; performance.now() < until && programsOf(prefix).length > 0;)
    await new Promise((done) => setTimeout(done, 50));
  return programsOf(prefix);
}

describe('a desktop', () => {
  it('runs programs under their own pid, with their output and exit status', async () => {
    const child = sharedDesktop().run('cmd.exe', ['/c', 'echo out & exit 7'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const text: string[] = [];
    child.stdout!.setEncoding('utf8').on('data', (data: string) => text.push(data));
    expect(readFileSync(`/proc/${child.pid}/environ`, 'latin1')).toContain(`WINEPREFIX=${sharedDesktop().prefix}`);
    const [status] = await once(child, 'close');
    expect(status).toBe(7);
    expect(text.join('').trim()).toBe('out');
  });

  it('keeps its programs on the processor that it names, or on all of them if told to', async () => {
    const allowed = (pid: number | 'self' | undefined): string =>
      /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]!;
    const last = Number(/\d+$/.exec(allowed('self'))![0]);
    const own = attachDesktop({ ...sharedDesktop().description, processor: last });
    for (const [desktop, expected] of [
      [own, String(last)],
      [own.onAllProcessors(), allowed('self')],
    ] as const) {
      const child = desktop.run('cmd.exe', ['/c', 'ping -n 3 127.0.0.1'], { stdio: ['ignore', 'pipe', 'ignore'] });
      await once(child.stdout!, 'data');
      expect(allowed(child.pid)).toBe(expected);
      await once(child, 'close');
    }
  });

  it('keeps the variables of the caller to itself', async () => {
    process.env['UIAHOST_TEST_SECRET'] = 'x';
    const child = sharedDesktop().run('cmd.exe', ['/c', 'set'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { GIVEN: 'yes' },
    });
    const text: string[] = [];
    child.stdout!.setEncoding('utf8').on('data', (data: string) => text.push(data));
    await once(child, 'close');
    expect(text.join('')).toMatch(/^GIVEN=yes\r?$/m);
    expect(text.join('')).not.toContain('UIAHOST_TEST_SECRET');
  });

  it('has its own screen, disk and programs, and leaves nothing when it is stopped', { timeout: 90_000 }, async () => {
    const [one, two] = await Promise.all([startDesktop({ width: 640, height: 480 }), startDesktop()]);
    expect(new Set([one.display, two.display, sharedDesktop().display]).size).toBe(3);
    expect(one.prefix).not.toBe(two.prefix);

    one.run('notepad.exe');
    expect(await one.waitForWindow()).toBe(true);
    expect(await two.waitForWindow(300)).toBe(false);
    expect(await sharp(await one.picture()).metadata()).toMatchObject({ width: 640, height: 480 });
    expect((await sharp(await one.picture()).stats()).channels.some(({ stdev }) => stdev > 10)).toBe(true);
    expect(await xdotool(one, 'search', '--onlyvisible', '--name', 'Notepad')).toMatch(/^\d+$/m);

    await one.stop();
    expect(programsOf(one.prefix)).toEqual([]);
    expect(existsSync(one.prefix)).toBe(false);
    expect(existsSync(`/tmp/.X11-unix/X${one.display.slice(1)}`)).toBe(false);
    expect(programsOf(two.prefix).length).toBeGreaterThan(0);
    await two.stop();
    expect(programsOf(two.prefix)).toEqual([]);
  });

  it('is gone soon after its starter was killed', { timeout: 60_000 }, async () => {
    const starter = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `
      const { startDesktop } = await import(${JSON.stringify(new URL('../../scripts/lib/desktop.mjs', import.meta.url).href)});
      const desktop = await startDesktop();
      // a process that another program started, and so is not the starter's child
      desktop.run('cmd.exe', ['/c', 'start /wait notepad.exe']);
      await desktop.waitForWindow();
      console.log(JSON.stringify(desktop.description));
    `,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(starter.stdout.setEncoding('utf8'), 'data')) as [string];
    const { prefix, pids } = JSON.parse(line.slice(line.indexOf('{'))) as { prefix: string; pids: { xvfb: number } };
    expect(programsOf(prefix).length).toBeGreaterThan(3);
    starter.kill('SIGKILL');
    expect(await goneWithin(prefix, 5000)).toEqual([]);
    expect(existsSync(join('/proc', String(pids.xvfb), 'exe'))).toBe(false);
  });
});
