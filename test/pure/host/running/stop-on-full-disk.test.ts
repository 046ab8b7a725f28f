/** The emergency stop where nothing can be written. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EmergencyStop } from '../../../../src/host/approvals/emergency-stop.ts';
import { startBoundHost, startTestHost } from '../running-host.ts';

test('[stop.full-disk] is on, answers, and holds for the next host, where neither audit nor database can be written', async () => {
  const root = mkdtempSync(join(tmpdir(), 'uiahost-'));
  try {
    {
      await using t = await startBoundHost({ level: 'full' }, root);
      for (const each of ['stop', 'session', 'approval', 'sessions.end', 'sessions.update', 'actions.update'])
        t.unwritable.add(each);
      expect(await t.host.stop('operator')).toMatchObject({ stopped: true, recorded: false });
      expect(t.faults.join()).toContain('audit of the emergency stop');
      await expect(t.host.runner.run(t.agent, 'snapshot', {}).result).rejects.toMatchObject({ code: 'stopped' });
      t.unwritable.clear();
    }
    await using next = await startTestHost({ level: 'full' }, root);
    expect((await next.host.status(next.agent)).stopped).toBe(true);
    await expect(next.host.runner.run(next.agent, 'snapshot', {}).result).rejects.toMatchObject({ code: 'stopped' });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('[stop.full-disk] counts as kept where the registry has taken it and only the disk refuses', async () => {
  let kept: string | null = null;
  const meta = { get: async () => null, set: async () => {} } as unknown as Parameters<typeof EmergencyStop.open>[1];
  const memory = {
    readStop: () => kept,
    writeStop(by: string | null): void {
      kept = by;
      throw new Error('RegFlushKey: the disk is full.');
    },
    watch: () => () => {},
  };
  await (await EmergencyStop.open(memory, meta)).press('operator');
  expect((await EmergencyStop.open(memory, meta)).by).toBe('operator');
});
