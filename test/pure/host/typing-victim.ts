/** A host process that a test kills while a person is asked about typed text. */
import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { startTestHost } from './running-host.ts';

/** A host to be killed while a person is asked about typed text. Arguments: data directory; the action and its input as JSON. Says the card's id. */
const [root = '', action = '', input = '{}'] = process.argv.slice(2);
const { host, agent } = await startTestHost({ level: 'control' }, root);
await host.runner.run(agent, 'bind-to-window', { title: 'Notepad' }).result;
const run = host.runner.run(agent, action, JSON.parse(input), { idempotencyKey: `k-${process.pid}` });
const card = await run.pending;
// Events of the stream are stored a moment later.
await wait(200);
writeSync(1, `${card}\n`);
setInterval(() => {}, 60_000);
