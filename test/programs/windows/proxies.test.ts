/**
 * Microsoft's own managed proxies (UIAutomationClientsideProviders of .NET Core 3.1) answer behind uia-com.dll: the record
 * that its managed mode is held to, and the cases of the standard controls, with nothing of ours in between.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import readline from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comparedWithRecord } from '../../native/win32/support/managed-tree.ts';
import { close, open, standardCases } from '../../native/win32/support/standard-cases.ts';

const folder = process.env['UIAHOST_DOTNET'];
let proxies: ChildProcess;

/** Starts the program that holds the proxies; it ends when its one client does. */
async function start(pipe: string): Promise<void> {
  if (folder === undefined)
    throw new Error('UIAHOST_DOTNET must name the folder of .NET: run this by node scripts/programs.mjs.');
  proxies = spawn(`${folder}\\dotnet.exe`, ['exec', `${folder}\\proxies.dll`, pipe], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' },
  });
  for await (const line of readline.createInterface({ input: proxies.stdout! })) if (line.trim() === 'ready') return;
  throw new Error('The proxies ended before they were ready.');
}
const end = (): boolean => proxies.kill();

describe('the record', () => {
  beforeAll(async () => {
    await start('uiahost-recorded');
    await open('Controls of Microsoft', { proxies: 'managed', bridge: 'uiahost-recorded' });
  });
  afterAll(async () => {
    await close();
    end();
  });

  test('is what Microsoft’s proxies show', () => {
    const { differences, count } = comparedWithRecord({ isWindowOnce: true });
    expect(count).toBeGreaterThan(140);
    expect(differences).toEqual([]);
  });
});

describe('managed, by Microsoft’s own binaries', () => {
  beforeAll(() => start('uiahost-cases'));
  afterAll(end);
  standardCases('managed', { bridge: 'uiahost-cases' });
});
