/** What became of each of many actions when their host is killed at any moment. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { luck } from '../../luck.ts';
import { counting, rounds } from '../../../support/rounds.ts';
import { scratch } from '../../store/scratch.ts';
import { startBoundHost } from '../running-host.ts';

const JOBS = 20;

/** Kills a host after a number of lines and milliseconds; what it said. */
async function killed(root: string, lines: number, ms: number): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../queue-victim.ts', import.meta.url)), root, String(JOBS)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const said: string[] = [];
  const reader = createInterface({ input: child.stdout });
  const closed = new Promise((resolve) => reader.once('close', resolve));
  await new Promise<void>((resolve) => {
    reader.on('line', (line) => {
      said.push(line);
      if (said.length >= lines || line === 'all') resolve();
    });
  });
  await wait(ms);
  child.kill('SIGKILL');
  await closed;
  return said;
}

interface Told {
  readonly code?: string;
  readonly delivery?: string;
  readonly retryable?: boolean;
  readonly actionId?: string;
  readonly value?: unknown;
}

test('[outcome.queued] each of twenty queued actions of a killed host is answered as it ended, under its key and for good', async () => {
  const random = luck();
  // From the moment when all are queued to the moment when all have ended.
  for (const round of counting(rounds({ whole: 50, quick: 4 }))) {
    const root = scratch();
    const said = await killed(root, JOBS + Math.floor(random() * 3.2 * JOBS), random() * 6);
    const numbersOf = (word: string): Set<string> =>
      new Set(said.flatMap((line) => (line.startsWith(`${word} `) ? [line.split(' ')[1] ?? ''] : [])));
    const firstId = (text: string): string =>
      said.find((line) => line.startsWith(`first ${text} `))?.split(' ')[2] ?? '';
    const [begun, answered] = [numbersOf('begun'), numbersOf('answered')];
    expect([...numbersOf('failed')]).toEqual([]);
    rmSync(join(root, 'host.lock'), { force: true });
    await using t = await startBoundHost({ level: 'full' }, root);
    const unknown: string[] = [];
    for (const again of [1, 2]) {
      for (let job = 0; job < JOBS; job += 1) {
        const text = String(job);
        const input = { name: 'Save draft', text, deadlineMs: 120_000 };
        const told: Told = await t.host.runner
          .run(t.agent, 'type-into-element', input, { idempotencyKey: `key-${text}` })
          .result.catch((error: unknown) => error as Told);
        const about = { round, again, job, begun: begun.has(text), answered: answered.has(text) };
        // A host that was killed before it wrote anything of an action has never seen it: then it runs now.
        if (told.actionId !== firstId(text)) {
          expect({ ...about, value: told.value }).toMatchObject({ begun: false, answered: false, value: true });
          continue;
        }
        if (told.value === true) expect(about.begun).toBe(true);
        else if (told.delivery === 'unknown') {
          expect({ ...about, retryable: told.retryable }).toMatchObject({ answered: false, retryable: false });
          unknown.push(text);
        } else expect({ ...about, ...told }).toMatchObject({ begun: false, delivery: 'not_delivered' });
        const record = await t.host.runner.record(t.agent, told.actionId ?? '').catch(() => null);
        if (record !== null) expect(record.delivery).toBe('done');
      }
    }
    // Only the one in delivery is unknown.
    expect(new Set(unknown).size).toBeLessThanOrEqual(1);
  }
});
