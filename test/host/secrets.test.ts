import { describe, expect, test } from 'vitest';
import { element } from './stand-in-desktop.ts';
import { startTestHost, type TestHost } from './running-host.ts';

const SECRET = 'Zaunkönig-4711';
const NOTEPAD = 'C:\\Windows\\System32\\notepad.exe';

/** Level full with nothing on the list of what is always asked: only the secret itself makes the gate ask. */
async function withField(): Promise<TestHost> {
  const t = await startTestHost({ level: 'full', alwaysAsk: [] });
  t.scene.elements = [element('e1', 'Password', { controlType: 'Edit', states: ['password'] }), element('e2', 'Name', { controlType: 'Edit' })];
  await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
  return t;
}
const typing = (t: TestHost, more: object = {}) => t.host.runner.run(t.agent, 'type-into-element', { name: 'Password', secretRef: 'uiahost:bank', ...more });

describe('stored secrets', () => {
  test('[secret.bound] [secret.ask] typed into the password field of their application after a yes, and written down nowhere', async () => {
    await using t = await withField();
    expect(await t.host.secrets.set('bank', { app: NOTEPAD, secret: SECRET }, 'operator')).toEqual({ name: 'bank', secretRef: 'uiahost:bank', app: NOTEPAD.toLowerCase() });
    expect(await t.host.secrets.list()).toEqual([{ name: 'bank', secretRef: 'uiahost:bank', app: NOTEPAD.toLowerCase() }]);
    const run = typing(t);
    const card = await t.host.approvals.get((await run.pending)!);
    expect(card.summary).toContain('uiahost:bank');
    expect(card.summary).toContain('Password');
    expect(card.allowedScopes).toEqual(['once']);
    await t.decideNext('approve');
    const result = await run.result;
    expect(t.scene.delivered).toEqual([`type e1 ${SECRET.length}`]);
    const written = JSON.stringify([result, card, await t.auditEntries(), await t.host.runner.record(t.agent, run.actionId)]);
    expect(written).not.toContain(SECRET);
    expect((await t.auditEntries()).filter(({ kind }) => kind === 'secret').map(({ action, details }) => [action, details])).toEqual([
      ['secret.stored', { secretRef: 'uiahost:bank', app: NOTEPAD.toLowerCase() }],
    ]);
  });

  test('[secret.bound] one of another application, or none, is refused before anyone is asked', async () => {
    await using t = await withField();
    await expect(typing(t).result).rejects.toMatchObject({ code: 'not_found', delivery: 'not_delivered' });
    await t.host.secrets.set('bank', { app: 'C:\\Other\\other.exe', secret: SECRET }, 'operator');
    await expect(typing(t).result).rejects.toMatchObject({ code: 'blocked_by_policy', delivery: 'not_delivered' });
    expect((await t.host.approvals.list({ status: 'all' })).approvals).toEqual([]);
    expect(t.scene.delivered).toEqual([]);
  });

  test('[secret.bound] one that is given to another application while a person decides is not typed', async () => {
    await using t = await withField();
    await t.host.secrets.set('bank', { app: NOTEPAD, secret: SECRET }, 'operator');
    const run = typing(t);
    await run.pending;
    await t.host.secrets.set('bank', { app: 'C:\\Other\\other.exe', secret: SECRET }, 'operator');
    await t.decideNext('approve');
    await expect(run.result).rejects.toMatchObject({ code: 'blocked_by_policy' });
    expect(t.scene.delivered).toEqual([]);
  });

  test('[secret.ask] [secret.background] into password fields only, and never by keys', async () => {
    await using t = await withField();
    await t.host.secrets.set('bank', { app: NOTEPAD, secret: SECRET }, 'operator');
    await expect(typing(t, { name: 'Name' }).result).rejects.toMatchObject({ code: 'blocked_by_policy' });
    await expect(typing(t, { delivery: 'foreground' }).result).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(typing(t, { secretRef: 'MicrosoftAccount:user=x' }).result).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(typing(t, { text: 'both' }).result).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(t.scene.delivered).toEqual([]);
  });

  test('[secret.bound] an application is named whole', async () => {
    await using t = await withField();
    for (const app of ['notepad.exe', 'notepad', '*', '', 'C:', 'folder\\notepad.exe']) {
      await expect(t.host.secrets.set('bank', { app, secret: SECRET }, 'operator')).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    expect((await t.host.secrets.set('a', { app: 'Contoso.App_8wekyb3d8bbwe!App', secret: SECRET }, 'operator')).app).toBe('Contoso.App_8wekyb3d8bbwe!App');
    expect((await t.host.secrets.set('b', { app: '\\\\server\\share\\App.exe', secret: SECRET }, 'operator')).app).toBe('\\\\server\\share\\app.exe');
    expect(await t.host.secrets.remove('a', 'operator')).toMatchObject({ name: 'a' });
    await expect(t.host.secrets.remove('a', 'operator')).rejects.toMatchObject({ code: 'not_found' });
    expect((await t.host.secrets.list()).map(({ name }) => name)).toEqual(['b']);
  });
});
