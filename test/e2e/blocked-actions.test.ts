/** End to end: programs that block an action do not hold up other callers. */
import { expect, it } from 'vitest';
import { controlId } from '../support/controls.ts';
import { Scene } from '../support/scene.ts';

it('four programs that keep a default action waiting delay no other call', async () => {
  await using scene = await Scene.open();
  const { client } = scene;
  const controls = await scene.fixture('controls');
  for (let at = 0; at < 5; at++) {
    const trap = await scene.fixture('accessible', {
      args: ['--hang-on', 'default_action', '--hang-ms', 60_000, '--x', 40 * at, '--y', 40 * at],
    });
    await client.bind({ hwnd: trap.hwnd });
    const answer = client.send('click-element', { name: 'Go', deadlineMs: 4000 });
    await trap.journal.waitFor({ event: 'hang' }, 20_000);
    const { status, body } = await answer;
    // It reports delivery, or that delivery is unknown; never that nothing was sent.
    if (status === 200) expect(body.outcome.effect).toBe('unverified');
    else expect(body).toMatchObject({ code: expect.stringMatching(/^(deadline_exceeded|window_hung)$/) as unknown });
  }
  const { restarts } = (await scene.host.request('/v1/status')).body.worker as { restarts: number };
  await client.bind({ hwnd: controls.hwnd });
  expect((await client.act('snapshot', {})).value).toMatchObject({ partial: false });
  expect((await client.act('click-element', { automationId: String(controlId('PUSH')) })).value).toBe(true);
  expect((await scene.host.request('/v1/status')).body.worker.restarts).toBe(restarts);
}, 120_000);
