/** A picture is stored before its answer leaves, also where the answer does not name it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { startTestHost } from '../running-host.ts';
import { NOTEPAD } from '../stand-in-desktop.ts';

test.each(['screenshot', 'zoom'])('[artifact.file] %s answers once its picture is stored', async (action) => {
  await using host = await startTestHost();
  const { capture } = host.scene.desktop;
  capture.region = async (_target, _region, options, call) => capture.window(NOTEPAD, options, call);
  const run = async (name: string, input: object): Promise<unknown> =>
    host.host.runner.run(host.agent, name, input).result;
  await run('bind-to-window', { title: 'Notepad' });
  let isStored = false;
  const store = host.images.put.bind(host.images);
  const put = vi.spyOn(host.images, 'put').mockImplementation(async (picture) => {
    await sleep(200);
    isStored = true;
    return store(picture);
  });
  const region = { regionLogical: { x: 0, y: 0, w: 9, h: 9 }, space: 'capture' };
  await run(action, action === 'zoom' ? region : {});
  expect(isStored).toBe(true);

  put.mockRejectedValue(new Error('the stream cannot be written'));
  await expect(run(action, action === 'zoom' ? region : {})).rejects.toMatchObject({ code: 'internal' });
});
