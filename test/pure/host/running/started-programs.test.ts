/** A console or a denied program that an action made its program start: the next action asks a person. */
import { expect, test } from 'vitest';
import type { Done } from '../../../../src/desktop/index.ts';
import { startTestHost } from '../running-host.ts';
import { element, outcomeOf } from '../stand-in-desktop.ts';

const SHELL = {
  bundleId: 'c:\\windows\\system32\\cmd.exe',
  displayName: 'cmd',
  executable: 'C:\\Windows\\System32\\cmd.exe',
};
const HELPER = { bundleId: 'c:\\app\\helper.exe', displayName: 'Helper', executable: 'C:\\App\\helper.exe' };

const done = (started: ReadonlyArray<typeof SHELL>): Done<boolean> => ({
  value: true,
  outcome: { ...outcomeOf('unverified', 'posted'), ...(started.length === 0 ? {} : { details: { started } }) },
});

async function scene(started: ReadonlyArray<typeof SHELL>) {
  const t = await startTestHost({ level: 'full' });
  t.scene.under = element('e5', 'Next');
  t.scene.desktop.pointer.click = async () => done(started);
  return Object.assign(t, { click: () => t.host.runner.run(t.agent, 'click', { x: 5, y: 5, space: 'screen' }).result });
}

test('[gate.started] after an action that made its program start a console, the next one asks, until a person has agreed', async () => {
  await using t = await scene([SHELL]);
  expect(await t.click()).toMatchObject({ decision: { result: 'execute' } });
  const [denied] = await Promise.allSettled([t.click(), t.decideNext('deny')]);
  expect(denied).toMatchObject({ status: 'rejected', reason: { code: 'approval_denied' } });
  t.scene.desktop.pointer.click = async () => done([]);
  const [approved] = await Promise.allSettled([t.click(), t.decideNext('approve')]);
  expect(approved).toMatchObject({ status: 'fulfilled' });
  expect(await t.click()).toMatchObject({ decision: { result: 'execute' } });
});

test.each([[[HELPER]], [[]]])('[gate.started] after %j nothing is asked', async (started) => {
  await using t = await scene(started);
  await t.click();
  expect(await t.click()).toMatchObject({ decision: { result: 'execute' } });
});
