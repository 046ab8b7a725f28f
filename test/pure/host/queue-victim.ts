/** A host process that a test kills while actions wait for their turn. */
import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { startTestHost } from './running-host.ts';
import { outcomeOf } from './stand-in-desktop.ts';

/**
 * Starts many actions on one window, each with a key of its own. Arguments: data directory, their number. Says on standard
 * output, one line each: `first N ID`, `begun N` and `delivered N` for a delivery, `answered N`.
 */
const [root = '', count = '20'] = process.argv.slice(2);
const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};

const { host, scene, agent } = await startTestHost({ level: 'full' }, root);
await host.runner.run(agent, 'bind-to-window', { title: 'Notepad' }).result;
scene.desktop.element.typeInto = async (_record, _ref, text) => {
  say(`begun ${text}`);
  await wait(4);
  say(`delivered ${text}`);
  return { value: true, outcome: outcomeOf('confirmed', 'message') };
};
const runs = Array.from({ length: Number(count) }, (_, index) => {
  const text = String(index);
  const input = { name: 'Save draft', text, deadlineMs: 120_000 };
  const run = host.runner.run(agent, 'type-into-element', input, { idempotencyKey: `key-${text}` });
  say(`first ${text} ${run.actionId}`);
  return run.result.then(
    () => say(`answered ${text}`),
    (error: unknown) => say(`failed ${text} ${String(error)}`),
  );
});
await Promise.all(runs);
say('all');
setInterval(() => {}, 60_000);
