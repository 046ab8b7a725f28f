/** Text that goes along with a picture of the display. */
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../../src/host/face/caller.ts';
import { startTestHost, type TestHost } from '../running-host.ts';
import { NOTEPAD } from '../stand-in-desktop.ts';

const PAINT = 'c:\\windows\\system32\\mspaint.exe';
const PICTURES = [
  ['screenshot', { displayId: 1 }],
  ['resolve-prepare-capture', { preferredDisplayId: 1 }],
] as const;

/** Notepad is bound, and pictures of the display are granted. */
async function bound(session?: { urls: string[] }): Promise<{ t: TestHost; caller: Caller }> {
  const t = await startTestHost({ flags: ['displayCapture'] });
  const { capture } = t.scene.desktop;
  capture.display = async (_display, options, call) => ({
    ...(await capture.window(NOTEPAD, options, call)),
    displayId: 1,
  });
  const id =
    session === undefined
      ? 'default'
      : (await t.host.sessions.start(t.agent, { goal: 'look', ...session })).computerUseSessionId;
  const caller: Caller = { ...t.agent, session: id, limits: null };
  await t.host.runner.run(caller, 'bind-to-window', { title: 'Notepad' }).result;
  return { t, caller };
}

const textOf = async (t: TestHost, caller: Caller, action: string, input: object): Promise<string> =>
  ((await t.host.runner.run(caller, action, input).result).value as { accessibilityText: string }).accessibilityText;

/** Whatever a snapshot refuses, a picture of the display leaves out and reports. */
async function expectWithheld(t: TestHost, caller: Caller, code: string): Promise<void> {
  await expect(t.host.runner.run(caller, 'snapshot', {}).result).rejects.toMatchObject({ code });
  for (const [action, input] of PICTURES) {
    const text = await textOf(t, caller, action, input);
    expect(text).toContain(code);
    expect(text).not.toContain('[Window]');
  }
}

describe('the text that comes with a picture of the display', () => {
  test('is the bound window’s where a snapshot of it is allowed', async () => {
    const { t, caller } = await bound();
    await using _ = t;
    for (const [action, input] of PICTURES)
      expect(await textOf(t, caller, action, input)).toContain('[Window] "Untitled - Notepad"');
  });

  test('[token.apps] is refused with the whole picture to a token that is limited to other applications, and so is the binding', async () => {
    const { t, caller: free } = await bound();
    await using _ = t;
    const caller: Caller = { ...free, limits: { apps: [PAINT] } };
    for (const [action, input] of [...PICTURES, ['snapshot', {}], ['bind-to-window', { title: 'Notepad' }]] as const) {
      await expect(t.host.runner.run(caller, action, input).result).rejects.toMatchObject({ code: 'app_not_granted' });
    }
  });

  test('is left out in a session that does not name the application', async () => {
    const { t, caller } = await bound({ urls: [`app:${encodeURIComponent(PAINT)}`] });
    await using _ = t;
    await expectWithheld(t, caller, 'app_not_granted');
  });

  test('is left out where the application was denied after it was bound', async () => {
    const { t, caller } = await bound();
    await using _ = t;
    await t.host.policy.change({ deny: [NOTEPAD.app.bundleId] }, 'merge', undefined, 'operator');
    await expectWithheld(t, caller, 'blocked_by_policy');
  });

  test('is left out where the caller narrows the call to other applications', async () => {
    const { t, caller } = await bound();
    await using _ = t;
    expect(await textOf(t, caller, 'screenshot', { displayId: 1, allowedBundleIds: [PAINT] })).toContain(
      'app_not_granted',
    );
  });
});
