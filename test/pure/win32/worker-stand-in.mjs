// A desktop worker without a desktop, for tests of the worker’s client.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/**
 * A desktop worker without a desktop. `STAND_IN_LIVES` is a file with one letter for each start: `r` is ready at once, `n` never,
 * `g` once the file `STAND_IN_GO` is there, `s` at once, and is silent then. It answers each call with its init and everything
 * that was sent to it. An argument of a call can make it do more: `{tell}` reports a state, `{input}` reports own input,
 * `{waitMs}` answers later, `{blocksMs}` takes no message for that long.
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
  if (life === 's') return;
  if (message.kind === 'ping') process.send({ kind: 'answer', id: message.id });
  if (message.kind === 'input-elsewhere') sent.push(`input ${message.own.from}`);
  if (message.kind !== 'call') return;
  process.send({ kind: 'begun', id: message.id });
  sent.push(`${message.topic}.${message.method}`);
  const asked =
    message.args.find((each) => ['tell', 'input', 'waitMs', 'blocksMs'].some((key) => each?.[key] !== undefined)) ?? {};
  if (asked.tell) process.send({ kind: 'state', ...asked.tell });
  if (asked.input) process.send({ kind: 'own-input', own: asked.input });
  if (asked.blocksMs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, asked.blocksMs);
  const value = { init, sent, threads: process.env.UV_THREADPOOL_SIZE, pid: process.pid };
  setTimeout(() => process.send({ kind: 'answer', id: message.id, value }), asked.waitMs ?? 0);
});
process.on('disconnect', () => process.exit(0));
