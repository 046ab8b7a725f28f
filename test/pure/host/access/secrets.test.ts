/** Stored secrets in the host: who may store, list and use them. */
import { describe, expect, test } from 'vitest';
import type { UiaHostError } from '../../../../src/contract/errors.ts';
import { element, NOTEPAD as WINDOW } from '../stand-in-desktop.ts';
import { startTestHost, type TestHost } from '../running-host.ts';
import { wordsOf } from '../../../support/words.ts';

const SECRET = 'Zaunkönig-4711';
const NOTEPAD = 'C:\\Windows\\System32\\notepad.exe';

/** Level full with an empty `alwaysAsk`: only the secret itself makes the gate ask. */
async function withField(policy: Parameters<typeof startTestHost>[0] = {}): Promise<TestHost> {
  const t = await startTestHost({ level: 'full', alwaysAsk: [], ...policy });
  t.scene.elements = [
    element('e1', 'Password', { controlType: 'Edit', states: ['password'] }),
    element('e2', 'Name', { controlType: 'Edit' }),
  ];
  await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
  return t;
}
const typing = (t: TestHost, more: object = {}) =>
  t.host.runner.run(t.agent, 'type-into-element', { name: 'Password', secretRef: 'uiahost:bank', ...more });

describe('stored secrets', () => {
  test('[secret.ask] typed into the password field of their application after an approval, and recorded nowhere', async () => {
    await using t = await withField();
    expect(await t.host.secrets.set('bank', { app: NOTEPAD, secret: SECRET }, 'operator')).toEqual({
      name: 'bank',
      secretRef: 'uiahost:bank',
      app: NOTEPAD.toLowerCase(),
    });
    expect(await t.host.secrets.list()).toEqual([
      { name: 'bank', secretRef: 'uiahost:bank', app: NOTEPAD.toLowerCase() },
    ]);
    const run = typing(t);
    const card = await t.host.approvals.get((await run.pending)!);
    expect(card.summary).toContain('uiahost:bank');
    expect(card.summary).toContain('Password');
    expect(card.allowedScopes).toEqual(['once']);
    await t.decideNext('approve');
    const result = await run.result;
    expect(t.scene.delivered).toEqual([`type e1 ${SECRET.length}`]);
    const written = JSON.stringify([
      result,
      card,
      await t.auditEntries(),
      await t.host.runner.record(t.agent, run.actionId),
    ]);
    expect(written).not.toContain(SECRET);
    expect(
      (await t.auditEntries()).filter(({ kind }) => kind === 'secret').map(({ action, details }) => [action, details]),
    ).toEqual([['secret.stored', { secretRef: 'uiahost:bank', app: NOTEPAD.toLowerCase() }]]);
  });

  test('[secret.bound] a secret of another application, or a missing secret, is refused before anyone is asked', async () => {
    await using t = await withField();
    await expect(typing(t).result).rejects.toMatchObject({ code: 'not_found', delivery: 'not_delivered' });
    await t.host.secrets.set('bank', { app: 'C:\\Other\\other.exe', secret: SECRET }, 'operator');
    await expect(typing(t).result).rejects.toMatchObject({ code: 'blocked_by_policy', delivery: 'not_delivered' });
    expect((await t.host.approvals.list({ status: 'all' })).approvals).toEqual([]);
    expect(t.scene.delivered).toEqual([]);
  });

  test('a secret that is bound to another application while a person decides is not typed', async () => {
    await using t = await withField();
    await t.host.secrets.set('bank', { app: NOTEPAD, secret: SECRET }, 'operator');
    const run = typing(t);
    await run.pending;
    await t.host.secrets.set('bank', { app: 'C:\\Other\\other.exe', secret: SECRET }, 'operator');
    await t.decideNext('approve');
    await expect(run.result).rejects.toMatchObject({ code: 'blocked_by_policy' });
    expect(t.scene.delivered).toEqual([]);
  });

  test('into password fields only, and never by keys', async () => {
    await using t = await withField();
    await t.host.secrets.set('bank', { app: NOTEPAD, secret: SECRET }, 'operator');
    await expect(typing(t, { name: 'Name' }).result).rejects.toMatchObject({ code: 'blocked_by_policy' });
    await expect(typing(t, { delivery: 'foreground' }).result).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(typing(t, { secretRef: 'MicrosoftAccount:user=x' }).result).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await expect(typing(t, { text: 'both' }).result).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(t.scene.delivered).toEqual([]);
  });

  test('an application is named whole', async () => {
    await using t = await withField();
    for (const app of ['notepad.exe', 'notepad', '*', '', 'C:', 'folder\\notepad.exe']) {
      await expect(t.host.secrets.set('bank', { app, secret: SECRET }, 'operator')).rejects.toMatchObject({
        code: 'invalid_argument',
      });
    }
    expect(
      (await t.host.secrets.set('a', { app: 'Contoso.App_8wekyb3d8bbwe!App', secret: SECRET }, 'operator')).app,
    ).toBe('Contoso.App_8wekyb3d8bbwe!App');
    expect((await t.host.secrets.set('b', { app: '\\\\server\\share\\App.exe', secret: SECRET }, 'operator')).app).toBe(
      '\\\\server\\share\\app.exe',
    );
    expect(await t.host.secrets.remove('a', 'operator')).toMatchObject({ name: 'a' });
    await expect(t.host.secrets.remove('a', 'operator')).rejects.toMatchObject({ code: 'not_found' });
    expect((await t.host.secrets.list()).map(({ name }) => name)).toEqual(['b']);
  });
});

const CHROME = 'c:\\program files\\google\\chrome\\application\\chrome.exe';
const BANK = 'https://bank.example';

/** A browser whose page is the agent’s choice. */
async function withPage(address: string | null): Promise<TestHost> {
  const t = await withField({ grants: [{ app: CHROME, tier: 'full' }] });
  t.scene.window = {
    ...WINDOW,
    hwnd: '5151',
    title: 'My Bank - Sign in',
    app: { bundleId: CHROME, displayName: 'Google Chrome', executable: CHROME },
  };
  t.scene.address = address;
  await t.host.runner.run(t.agent, 'bind-to-window', { title: 'My Bank' }).result;
  return t;
}
const refusalOf = (t: TestHost): Promise<UiaHostError> =>
  typing(t).result.then(
    () => {
      throw new Error('it was typed');
    },
    (error: UiaHostError) => error,
  );

describe('stored secrets of a browser', () => {
  test('[secret.origin] [card.page] go to pages of their origin alone, and the card says which page it is', async () => {
    await using t = await withPage(`${BANK}/login?next=%2F`);
    expect(
      await t.host.secrets.set(
        'bank',
        { app: CHROME, origin: 'https://BANK.example:443/', secret: SECRET },
        'operator',
      ),
    ).toEqual({ name: 'bank', secretRef: 'uiahost:bank', app: CHROME, origin: BANK });
    expect(await t.host.secrets.list()).toEqual([
      { name: 'bank', secretRef: 'uiahost:bank', app: CHROME, origin: BANK },
    ]);
    const run = typing(t);
    const card = await t.host.approvals.get((await run.pending)!);
    expect(card.page).toEqual({ origin: BANK, unicodeHost: null, address: `${BANK}/login?next=%2F`, frame: null });
    expect(card.summary).toBe(
      `Type the stored secret “uiahost:bank” into the field “Password” on ${BANK} in “Google Chrome”`,
    );
    await t.decideNext('approve');
    await run.result;
    expect(t.scene.delivered).toEqual([`type e1 ${SECRET.length}`]);
  });

  test('another or an unknown origin is refused before anyone is asked, whatever the title says', async () => {
    await using t = await withPage(null);
    await t.host.secrets.set('bank', { app: CHROME, origin: BANK, secret: SECRET }, 'operator');
    const others = [
      null,
      'https://bank.example.evil.example/',
      'https://evil.example/bank.example',
      'http://bank.example/',
      'https://bank.example:8443/',
      'https://bank.example@evil.example/',
      'https://www.bank.example/',
      'https://bаnk.example/',
      'https://bank.example./',
      'file:///C:/bank.example/login.html',
    ];
    for (const address of others) {
      t.scene.address = address;
      expect(await refusalOf(t), String(address)).toMatchObject({
        code: 'blocked_by_policy',
        delivery: 'not_delivered',
        message: expect.stringContaining(BANK),
      });
    }
    expect((await t.host.approvals.list({ status: 'all' })).approvals).toEqual([]);
    expect(t.scene.delivered).toEqual([]);
  });

  test('a frame in the page counts by its own origin', async () => {
    await using t = await withPage(`${BANK}/`);
    await t.host.secrets.set('bank', { app: CHROME, origin: BANK, secret: SECRET }, 'operator');
    for (const frame of [
      { kind: 'frame', address: 'https://ads.example/' },
      { kind: 'frame', address: null },
      { kind: 'none', address: null },
    ] as const) {
      t.scene.frame = frame;
      expect((await refusalOf(t)).code).toBe('blocked_by_policy');
    }
    t.scene.address = 'https://shop.example/';
    t.scene.frame = { kind: 'frame', address: `${BANK}/pay` };
    const run = typing(t);
    expect((await t.host.approvals.get((await run.pending)!)).page).toMatchObject({
      origin: 'https://shop.example',
      frame: { origin: BANK },
    });
    await t.decideNext('approve');
    await run.result;
    expect(t.scene.delivered).toEqual([`type e1 ${SECRET.length}`]);
  });

  test('a page that changes while a person decides, or after the yes, gets nothing', async () => {
    await using t = await withPage(`${BANK}/`);
    await t.host.secrets.set('bank', { app: CHROME, origin: BANK, secret: SECRET }, 'operator');
    const during = typing(t);
    await during.pending;
    t.scene.address = 'https://evil.example/';
    await t.decideNext('approve');
    await expect(during.result).rejects.toMatchObject({ code: 'blocked_by_policy' });

    t.scene.address = `${BANK}/`;
    t.afterGate = async () => {
      t.scene.address = 'https://evil.example/';
    };
    const after = typing(t);
    await after.pending;
    await t.decideNext('approve');
    await expect(after.result).rejects.toMatchObject({ code: 'blocked_by_policy', delivery: 'not_delivered' });
    expect(t.scene.delivered).toEqual([]);
  });

  test('[secret.origin-needed] a browser secret without an origin is not stored, and refused if it is there already', async () => {
    await using t = await withPage(`${BANK}/`);
    await expect(t.host.secrets.set('bank', { app: CHROME, secret: SECRET }, 'operator')).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.stringContaining('--origin'),
    });
    for (const origin of wordsOf`
      bank.example http://bank.example https://bank.example/login https://*.bank.example https://me@bank.example
      https://bank.example? file:///c:/ https:// * https://bank.example\@evil.example
    `) {
      await expect(
        t.host.secrets.set('bank', { app: CHROME, origin, secret: SECRET }, 'operator'),
        origin,
      ).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    expect(await t.host.secrets.list()).toEqual([]);
    t.vault.write('uiahost:bank', { app: CHROME, origin: null }, SECRET);
    expect(await refusalOf(t)).toMatchObject({
      code: 'blocked_by_policy',
      message: expect.stringContaining('no origin'),
      hint: expect.stringContaining('--origin'),
    });
    expect(t.scene.delivered).toEqual([]);
  });

  test('[secret.origin] an unknown program that shows pages is treated as a browser', async () => {
    await using t = await withPage('https://evil.example/');
    const app = 'c:\\tools\\new-browser.exe';
    t.scene.window = {
      ...WINDOW,
      hwnd: '6161',
      title: 'My Bank',
      app: { bundleId: app, displayName: 'New', executable: app },
    };
    await t.host.runner.run(t.agent, 'bind-to-window', { title: 'My Bank' }).result;
    await t.host.secrets.set('bank', { app, secret: SECRET }, 'operator');
    expect((await refusalOf(t)).code).toBe('blocked_by_policy');
    await t.host.secrets.set('bank', { app, origin: BANK, secret: SECRET }, 'operator');
    expect((await refusalOf(t)).code).toBe('blocked_by_policy');
    expect(t.scene.delivered).toEqual([]);
  });
});
