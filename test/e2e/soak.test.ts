/** End to end: nothing grows with the number of actions. `npm run soak` runs 20,000 of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { quantile } from '../bench/support/measurements.ts';
import { diskFigures, processFigures, runSteps, STEPS, type Times } from '../support/soak.ts';
import { sharedScene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const ACTIONS = Number(process.env['UIAHOST_SOAK_ACTIONS'] ?? 12 * STEPS.length);
/** By then caches are filled and code is compiled; its share of the whole is small in a long run. */
const WARM_UP = Math.min(1400, Math.ceil(ACTIONS / 2));
const REST_MS = ACTIONS > 1000 ? 20_000 : 3000;
/** A line for this many actions: a run without output for long is mistaken for a hang. */
const REPORT_EVERY = 500;
/** No assertion: only ends a run that hangs. */
const MOST_MS_EACH = 5000;

/** Beyond this a process has kept something of each action: it is small next to what 20,000 of them would keep. */
const MORE_MEGABYTES = 30;
const MORE_FILES = 12;
const MORE_THREADS = 6;
const MOST_BYTES_AN_ACTION = 3000;
const MOST_LOG_BYTES = 512 * 1024;

const { scene, client } = await sharedScene(async (opened) => {
  const many = await opened.fixture('controls', { args: ['--many', '50', '--x', '10', '--y', '10'] });
  await opened.client.bind({ hwnd: many.hwnd });
  await opened.client.policy({ alwaysAsk: [] });
  return {};
});

it(
  `${ACTIONS} mixed actions leave processes and files as large as they were`,
  { retry: 0, timeout: 120_000 + (ACTIONS + WARM_UP) * MOST_MS_EACH },
  async () => {
    const [first, last]: [Times, Times] = [new Map(), new Map()];
    await runSteps(client, 0, WARM_UP, new Map());
    await sleep(REST_MS);
    const before = processFigures(scene.host);
    const diskBefore = diskFigures(scene.host);
    const fifth = Math.ceil(ACTIONS / 5);
    for (let done = 0; done < ACTIONS;) {
      // The last fifth is compared with the first.
      if (done % fifth === 0) last.clear();
      const count = Math.min(REPORT_EVERY, fifth - (done % fifth), ACTIONS - done);
      await runSteps(client, WARM_UP + done, count, done < fifth ? first : last);
      done += count;
      process.stdout.write(`  ${done} of ${ACTIONS} actions\n`);
    }
    await sleep(REST_MS);
    const after = processFigures(scene.host);
    const disk = await until(
      () => diskFigures(scene.host),
      ({ log }) => log < MOST_LOG_BYTES,
    );

    const events = (of: typeof disk): number => of.tables.get('events') ?? 0;
    const bytes = {
      database: (disk.database - events(disk) - diskBefore.database + events(diskBefore)) / ACTIONS,
      // Retention keeps the newest 10,000 of the host's own events.
      events: (events(disk) - events(diskBefore)) / ACTIONS,
      audit: (disk.audit - diskBefore.audit) / ACTIONS,
    };
    const tables = [...disk.tables].map(([name, now]) => [
      name,
      Math.round((now - (diskBefore.tables.get(name) ?? 0)) / ACTIONS),
    ]);
    // Times are shown, not asserted: they depend on the machine.
    process.stdout.write(
      `${JSON.stringify({ before, after, bytes, tables, log: disk.log })}\n${[...first]
        .map(([name, times]) => {
          const [then, now] = [quantile(times, 0.5), quantile(last.get(name) ?? [], 0.5)];
          return `  ${name.padEnd(24)} p50 ${then.toFixed(1)} ms first, ${now.toFixed(1)} ms last\n`;
        })
        .join('')}`,
    );
    const more = after.flatMap((now) => {
      const then = before.find(({ name }) => name === now.name);
      return then === undefined
        ? []
        : [
            {
              name: now.name,
              megabytes: now.megabytes - then.megabytes > MORE_MEGABYTES,
              files: now.files - then.files > MORE_FILES,
              threads: now.threads - then.threads > MORE_THREADS,
            },
          ];
    });
    expect(more).toEqual(more.map(({ name }) => ({ name, megabytes: false, files: false, threads: false })));
    if (process.platform !== 'win32') expect(more.map(({ name }) => name)).toContain('worker');
    expect(bytes.database + bytes.audit).toBeLessThan(MOST_BYTES_AN_ACTION);
  },
);
