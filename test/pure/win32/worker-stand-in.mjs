// A desktop worker without a desktop, for tests of the worker’s client.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/**
 * A desktop worker without a desktop. `STAND_IN_LIVES` is a file with one letter for each start: `r` is ready at once, `n` never,
 * `g` once the file `STAND_IN_GO` is there, `s` at once, and is silent then. It answers each call with its init and everything
 * that was sent to it, and tells the state that a call brings as its first argument `{tell}`.
 */
const { STAND_IN_LIVES: lives, STAND_IN_GO: go } = process.env;
const plan = readFileSync(lives, 'utf8');
appendFileSync(`${lives}.starts`, 'x');
const life = plan[readFileSync(`${lives}.starts`, 'utf8').length - 1];

const sent = [];
let init;
const ready = () => process.send({ kind: 'ready', pid: process.pid });
process.on('message', (message) => {
  if (message.kind === 'init') {
    init = message;
    if (life === 'r' || life === 's') ready();
    if (life === 'g') {
      const looking = setInterval(() => {
        if (!existsSync(go)) return;
        clearInterval(looking);
        ready();
      }, 10);
    }
  }
  if (message.kind === 'exit') process.exit(0);
  if (message.kind !== 'call') return;
  sent.push(`${message.topic}.${message.method}`);
  if (life === 's') return;
  if (message.args[0]?.tell) process.send({ kind: 'state', ...message.args[0].tell });
  process.send({ kind: 'answer', id: message.id, value: { init, sent, threads: process.env.UV_THREADPOOL_SIZE } });
});
process.on('disconnect', () => process.exit(0));
