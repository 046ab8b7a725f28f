/** A host process that a test kills in the middle of a delivery. */
import { writeSync } from 'node:fs';
import { startTestHost } from './running-host.ts';

/**
 * A host to be killed in the middle of a delivery, with a desktop that is none. Arguments: data directory; the action and its
 * input as JSON; the element whose click never ends; how many cards are to be approved before. Says on standard output,
 * one line each, the id of the action and that the click has begun.
 */
const [root = '', action = '', input = '{}', endless = '', cards = '0'] = process.argv.slice(2);
const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};

const { host, scene, agent, decideNext } = await startTestHost({ level: 'control' }, root);
await host.runner.run(agent, 'bind-to-window', { title: 'Notepad' }).result;
const { click } = scene.desktop.element;
scene.desktop.element.click = (record, ref, options, call) => {
  if (ref !== endless) return click(record, ref, options, call);
  say('delivering');
  return new Promise(() => {});
};
const run = host.runner.run(agent, action, JSON.parse(input), { idempotencyKey: 'k' });
say(run.actionId);
for (let card = 0; card < Number(cards); card += 1) await decideNext('approve');
// Nothing else keeps a process alive that waits for a promise.
setInterval(() => {}, 60_000);
