/** An answered request is not kept in memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { exposedCollector } from '../../support/collector.ts';
import { serve } from '../../support/http-server.ts';
import type { StandInHost } from '../../support/stand-in-host.ts';

const CALLS = 60;

/** The signals that runs were given, while they are referenced. */
function signalsOf(host: StandInHost): () => Promise<number> {
  const collect = exposedCollector();
  const signals: Array<WeakRef<AbortSignal>> = [];
  const { run } = host.runner;
  host.runner.run = (caller, action, input, options = {}) => {
    if (options.signal !== undefined) signals.push(new WeakRef(options.signal));
    const started = run(caller, action, input, options);
    host.runs.length = 0;
    return started;
  };
  return async () => {
    expect(signals.length).toBe(CALLS);
    // A weak reference keeps its object for the turn that it was looked at in.
    for (let round = 0; round < 5; round += 1) {
      collect();
      await sleep(20);
    }
    return signals.filter((each) => each.deref() !== undefined).length;
  };
}

it('a request that was answered is forgotten, although it could have been cancelled when the server closes', async () => {
  const { call, host } = await serve();
  const held = signalsOf(host);
  for (let round = 0; round < CALLS; round += 1)
    await (await call('POST', '/v1/actions/click-element', { body: { name: 'OK' } })).text();
  expect(await held()).toBeLessThan(CALLS / 4);
});
