/** End to end: cards on the overlay, answered by real mouse and keyboard input. */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startAttacker } from '../support/attacker.ts';
import { runCli } from '../support/cli.ts';
import { Client } from '../support/client.ts';
import { sharedDesktop } from '../support/desktop.ts';
import type { Fixture } from '../support/fixture.ts';
import { person } from '../support/hardware.ts';
import { decode } from '../support/pixels.ts';
import { endWindowsProcess } from '../support/processes.ts';
import { startProgram } from '../support/programs.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { ShownCard } from '../support/shown-card.ts';

const push = { name: 'Push me' };
/** In the window that has the keyboard: the X server sends keys there too when Wine has lost count of its focus. */
const AWAY = { x: 60, y: 620 };
const FOCUS = 'ctrl+alt+shift+space';
const STOP = 'ctrl+alt+shift+Escape';
const FOCUS_WORDS = 'Ctrl+Alt+Shift+Space moves the keyboard here';
const STOP_WORDS = 'Ctrl+Alt+Shift+Esc stops everything';

let scene: Scene;
let controls: Fixture;
/** Has the keyboard, as some program always has on a person's desktop. */
let sentinel: Fixture;
let client: Client;

beforeAll(async () => {
  scene = await Scene.open({ env: { UIAHOST_LEVEL: undefined } });
  client = scene.client;
  controls = await scene.fixture('controls', { args: ['--x', 20, '--y', 20] });
  sentinel = await scene.fixture('sentinel', { title: 'Keeps the focus', args: ['--x', 20, '--y', 560, '--activate'] });
  await client.bind({ hwnd: controls.hwnd });
});
afterAll(() => scene?.[Symbol.asyncDispose]());
afterEach(async () => {
  for (const { approvalId } of (await client.operator('/v1/approvals?status=pending')).approvals)
    await client.decide(approvalId, 'deny');
  await ShownCard.isGone(scene.witness);
  await client.liftAll();
});

async function runProgram(name: string, args: readonly string[]): Promise<void> {
  await using program = startProgram(name, args);
  const [status] = (await once(program.process, 'exit')) as [number | null];
  expect(status, name).toBe(0);
}
const commands = (): unknown[] => controls.journal.events({ event: 'command', codeName: 'BN_CLICKED' });
const card = async (approvalId: string): Promise<any> => client.operator(`/v1/approvals/${approvalId}`);
const settled = (approvalId: string) =>
  until(
    () => card(approvalId),
    ({ status }) => status !== 'pending',
    15_000,
  );
async function asked(input: object = push): Promise<{ actionId: string; approvalId: string; shown: ShownCard }> {
  controls.journal.mark();
  // The waiting time is for a cursor that rests where a button will appear, which is not tested here.
  await person.moveMouse(AWAY.x, AWAY.y);
  const {
    actionId,
    card: { approvalId },
  } = await client.pending('click-element', input);
  return { actionId, approvalId, shown: await ShownCard.appears(scene.witness, 'Push me') };
}

describe('a card by the mouse', () => {
  it('[overlay.hardware] a click of a device approves: the action runs, decided by the overlay', async () => {
    const { actionId, approvalId, shown } = await asked();
    await (await shown.settles()).click('approve');
    expect(await client.ended(actionId)).toMatchObject({
      status: 'succeeded',
      result: { value: true, decision: { approvalId } },
    });
    expect(await card(approvalId)).toMatchObject({ status: 'approved', decidedBy: 'overlay' });
    expect(commands()).toHaveLength(1);
    await ShownCard.isGone(scene.witness);
  });

  it('an Approve passes the right to the foreground on to the desktop worker, before the action runs', async () => {
    const said = (): number =>
      readFileSync(join(scene.host.dataDir, 'logs', 'host.log'), 'utf8').split(
        'after Approve the desktop worker may set',
      ).length;
    const before = said();
    const { actionId, shown } = await asked({ ...push, delivery: 'foreground' });
    await (await shown.settles()).click('approve');
    const { result } = await client.ended(actionId);
    expect(result?.outcome).toMatchObject({ delivery: 'input', focusChanged: expect.any(Boolean) as boolean });
    expect(said()).toBe(before + 1);
    expect(commands()).toHaveLength(1);
    await ShownCard.isGone(scene.witness);
  });

  it('[overlay.hardware] a click on Deny denies', async () => {
    const { actionId, approvalId, shown } = await asked();
    await shown.click('deny');
    expect(await client.ended(actionId)).toMatchObject({
      status: 'failed',
      error: { code: 'approval_denied', delivery: 'not_delivered' },
    });
    expect(await card(approvalId)).toMatchObject({ status: 'denied', decidedBy: 'overlay' });
    expect(commands()).toEqual([]);
  });

  it('[asks.deny-all] a click on Deny all denies every card of the agent, and its requests are refused until that is lifted', async () => {
    const mine = new Client(scene.host, 'flood');
    await mine.bind({ hwnd: controls.hwnd });
    const foreign = new Client(scene.host, 'quiet');
    await foreign.bind({ hwnd: controls.hwnd });
    const first = await mine.pending('click-element', push);
    const second = await mine.pending('click-element', { ...push, deadlineMs: 9000 });
    const other = await foreign.pending('click-element', push);
    const shown = await ShownCard.appears(scene.witness, '(1/3)');
    expect(await shown.text()).toContain('session flood');
    // A click that a program posts there does nothing; injected input may deny, as on Deny.
    {
      await using attacker = startAttacker();
      await attacker.run('post-click', shown.window.hwnd, shown.place('deny-all'));
    }
    await until(
      () => shown.text(),
      (text) => text.includes('session flood'),
    );
    expect(await card(first.card.approvalId)).toMatchObject({ status: 'pending' });
    await shown.click('deny-all');
    for (const { actionId } of [first, second])
      expect((await client.ended(actionId)).error?.code).toBe('approval_denied');
    expect((await mine.refused('approval_denied', 'click-element', push)).hint).toContain('uiahost approvals lift');
    const next = await ShownCard.appears(scene.witness, 'session quiet');
    expect(await next.text()).not.toMatch(/\(\d\/\d\)/);
    await next.click('deny');
    expect((await client.ended(other.actionId)).error?.code).toBe('approval_denied');
    expect(commands()).toEqual([]);
  });

  it('[asks.seen] a card behind another agent’s has its whole time once it is seen', async () => {
    await client.policy({ approvals: { timeoutMs: 8000 } });
    try {
      const flood = new Client(scene.host, 'turns-one');
      const quiet = new Client(scene.host, 'turns-two');
      for (const each of [flood, quiet]) await each.bind({ hwnd: controls.hwnd });
      const one = await flood.pending('click-element', push);
      const two = await flood.pending('click-element', { ...push, deadlineMs: 9000 });
      const mine = await quiet.pending('click-element', push);
      await ShownCard.appears(scene.witness, 'session turns-one');
      expect(
        await until(
          () => card(one.card.approvalId),
          ({ status }) => status !== 'pending',
          30_000,
        ),
      ).toMatchObject({ status: 'expired' });
      // The other agent comes before the second card of the first.
      await ShownCard.appears(scene.witness, 'session turns-two');
      const now = await card(mine.card.approvalId);
      expect(now.status).toBe('pending');
      expect(Date.parse(now.expiresAt) - Date.parse(now.createdAt)).toBeGreaterThan(9000);
      await client.decide(mine.card.approvalId, 'deny');
      await client.decide(two.card.approvalId, 'deny');
    } finally {
      await client.policy({ approvals: { timeoutMs: 120_000 } });
    }
  });

  it('Approve counts only after the card has been visible for a moment', async () => {
    const waiting = await asked();
    const { x, y } = waiting.shown.place('approve');
    await client.decide(waiting.approvalId, 'deny');
    await ShownCard.isGone(scene.witness);
    // The cursor waits where Approve will be, and clicks as soon as the next card is there.
    await person.moveMouse(x, y);
    const {
      card: { approvalId },
    } = await client.pending('click-element', push);
    const shown = await ShownCard.appears(scene.witness, 'Push me');
    const isActive = shown.isActive();
    await person.click();
    const wasActive = await isActive;
    const { status } = await card(approvalId);
    // On a machine that is too busy to be quick the card may have settled; never is it approved before.
    expect(status === 'approved' ? wasActive : true).toBe(true);
    if (status !== 'pending') return;
    await (await shown.settles()).click('approve');
    expect(await settled(approvalId)).toMatchObject({ status: 'approved' });
  });

  it('[overlay.hardware] a choice of scope is a person’s as well, and holds', async () => {
    const { actionId, approvalId, shown } = await asked();
    await shown.settles();
    await shown.click('window');
    // The row of minutes makes the card taller: its buttons stay above its lower edge.
    const [window] = await until(
      () => ShownCard.all(scene.witness),
      (all) => all.length === 1,
    );
    shown.window = window!;
    await (await shown.settles()).click('approve');
    await client.ended(actionId);
    expect((await client.act('click-element', push)).decision).toMatchObject({ result: 'execute', approvalId });
    const later = await client.pending('type-into-element', { name: 'Full name', text: 'x' });
    await client.decide(later.card.approvalId, 'deny');
  });
});

describe('a card by the keyboard', () => {
  let other: Client;
  beforeAll(async () => {
    // A separate session: what was allowed for the window above does not apply here.
    other = new Client(scene.host, 'keyboard');
    await other.bind({ hwnd: controls.hwnd });
  });
  const askedThere = async (): Promise<{ actionId: string; approvalId: string; shown: ShownCard }> => {
    await person.moveMouse(AWAY.x, AWAY.y);
    const {
      actionId,
      card: { approvalId },
    } = await other.pending('click-element', push);
    return { actionId, approvalId, shown: await ShownCard.appears(scene.witness, 'Push me') };
  };

  it('[overlay.enter] [overlay.hotkey] it takes no focus by itself; the hotkey focuses Deny; Approve is Tab, then Space; Enter never approves', async () => {
    await sentinel.tell('activate');
    await until(
      () => scene.witness.where(),
      ({ foreground }) => foreground === sentinel.hwnd,
    );
    await sentinel.tell('reset');
    sentinel.journal.mark();
    const { actionId, approvalId, shown } = await askedThere();
    await shown.settles();
    await sentinel.tell('report');
    expect(await sentinel.journal.waitFor({ event: 'report' })).toMatchObject({
      focusLosses: 0,
      activationLosses: 0,
      isForeground: true,
    });
    // Without the hotkey the keys are the other program's.
    await person.press('Tab', 'space');
    expect(await card(approvalId)).toMatchObject({ status: 'pending' });

    await person.press(FOCUS);
    await until(
      () => scene.witness.where(),
      ({ foreground }) => foreground === shown.window.hwnd,
    );
    await until(
      () => shown.text(),
      (text) => text.includes('The keyboard is here, on Deny'),
    );
    await person.press('Tab');
    await until(
      () => shown.text(),
      (text) => text.includes('The keyboard is here, on Approve'),
    );
    await person.press('Return');
    await sleep(300);
    expect(await card(approvalId)).toMatchObject({ status: 'pending' });
    await person.press('space');
    expect(await client.ended(actionId)).toMatchObject({ status: 'succeeded' });
    expect(await card(approvalId)).toMatchObject({ status: 'approved', decidedBy: 'overlay' });
    await until(
      () => scene.witness.where(),
      ({ foreground }) => foreground === sentinel.hwnd,
    );
  });

  it('[overlay.hotkey] Space right after the hotkey is Deny', async () => {
    const { approvalId, shown } = await askedThere();
    await shown.settles();
    await person.press(FOCUS);
    await until(
      () => shown.text(),
      (text) => text.includes('The keyboard is here, on Deny'),
    );
    await person.press('space');
    expect(await settled(approvalId)).toMatchObject({ status: 'denied', decidedBy: 'overlay' });
  });
});

describe('what the card is', () => {
  let other: Client;
  beforeAll(async () => {
    other = new Client(scene.host, 'described');
    await other.bind({ hwnd: controls.hwnd });
  });

  it('[overlay.not-invoked] its text states what, where, why, how risky, in whose words, and nothing in it can be pressed', async () => {
    const {
      card: { approvalId },
    } = await other.pending('type-into-element', { name: 'Full name', text: 'Ada Lovelace' });
    const shown = await ShownCard.appears(scene.witness, 'Full name');
    const text = await shown.text();
    expect(text).toMatch(/^uiahost asks: The agent “agent” wants to replace the text of the field “Full name:?”/);
    for (const part of [
      'controls.exe',
      controls.title,
      'Full name',
      'Risk: high risk',
      'All reasons',
      '"text": "Ada Lovelace"',
      'session described',
      'computer:input',
      FOCUS_WORDS,
      STOP_WORDS,
    ])
      expect(text).toContain(part);
    // No button, no child window of any kind: there is nothing to invoke.
    expect(await scene.witness.child(shown.window.hwnd, 'Button')).toBe('0');
    expect((await scene.witness.at(shown.place('approve').x, shown.place('approve').y)).hwnd).toBe(shown.window.hwnd);
    await client.decide(approvalId, 'deny');
  });

  it('it is dark where the person has set applications to be dark', async () => {
    const key = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize';
    const ground = async (): Promise<{ r: number; g: number; b: number }> => {
      const {
        card: { approvalId },
      } = await other.pending('click-element', push);
      const {
        window: { x, y },
      } = await (await ShownCard.appears(scene.witness, 'Push me')).settles();
      const colour = (await decode((await sharedDesktop().picture()).toString('base64'))).at(x + 8, y + 12);
      await client.decide(approvalId, 'deny');
      await ShownCard.isGone(scene.witness);
      return colour;
    };
    expect(await ground()).toEqual({ r: 0xff, g: 0xff, b: 0xff });
    await runProgram('reg.exe', ['add', key, '/v', 'AppsUseLightTheme', '/t', 'REG_DWORD', '/d', '0', '/f']);
    try {
      expect(await ground()).toEqual({ r: 0x20, g: 0x21, b: 0x26 });
    } finally {
      await runProgram('reg.exe', ['delete', key, '/v', 'AppsUseLightTheme', '/f']);
    }
  });

  it('[overlay.hidden] it is not listed, not bound, and painted over in pictures', async () => {
    const {
      card: { approvalId },
    } = await other.pending('click-element', push);
    const shown = await ShownCard.appears(scene.witness, 'Push me');
    const { hwnd, pid, x, y, width, height } = shown.window;
    const listed = (await client.act('list-visible-windows')).value as Array<{ hwnd: string; pid: number }>;
    expect(listed.some((window) => window.hwnd === hwnd || window.pid === pid)).toBe(false);
    for (const query of [{ hwnd }, { pid }, { title: 'uiahost asks' }])
      await client.refused('target_not_found', 'bind-to-window', query);

    await client.policy({ level: 'full', flags: ['displayCapture'] });
    const [display] = (await client.act('list-displays')).value;
    const { value } = await client.act('screenshot', { displayId: display.displayId, allowedBundleIds: [] });
    await client.policy({ level: 'control', flags: [] });
    const picture = await decode(value.base64);
    const scale = picture.width / display.width;
    const inside = [
      Math.ceil((x + 4) * scale),
      Math.ceil((y + 4) * scale),
      Math.floor((width - 8) * scale),
      Math.floor((height - 8) * scale),
    ] as const;
    expect(picture.coloursIn(...inside)).toBe(1);
    // The same place as the person sees it, where it is a card with text.
    expect(
      (await decode((await sharedDesktop().picture()).toString('base64'))).coloursIn(
        x + 4,
        y + 4,
        width - 8,
        height - 8,
      ),
    ).toBeGreaterThan(20);
    await client.decide(approvalId, 'deny');
  });

  it('several cards wait in a queue, and the card shows its position', async () => {
    const sessions = ['one', 'two', 'three'].map((name) => new Client(scene.host, name));
    const waiting = [];
    for (const session of sessions) {
      await session.bind({ hwnd: controls.hwnd });
      waiting.push(await session.pending('click-element', push));
    }
    const first = await ShownCard.appears(scene.witness, '(1/3)');
    expect(await first.text()).toContain('session one');
    await first.click('deny');
    const second = await ShownCard.appears(scene.witness, '(1/2)');
    expect(await second.text()).toContain('session two');
    // If it is decided elsewhere, a waiting card disappears too.
    await client.decide(waiting[2]!.card.approvalId, 'deny');
    await until(
      () => second.text(),
      (text) => text.includes('session two') && !/\(\d\/\d\)/.test(text),
    );
    await second.click('deny');
    await ShownCard.isGone(scene.witness);
    for (const { actionId } of waiting) expect((await client.ended(actionId)).error?.code).toBe('approval_denied');
  });

  it('[approval.withdrawn] a request that is cancelled, and the deadline, take the card away', async () => {
    const cancelled = await other.pending('click-element', push);
    await ShownCard.appears(scene.witness, 'Push me');
    await scene.host.request(`/v1/actions/${cancelled.actionId}`, { method: 'DELETE' });
    await ShownCard.isGone(scene.witness);
    expect(await card(cancelled.card.approvalId)).toMatchObject({ status: 'cancelled' });

    await client.policy({ approvals: { timeoutMs: 3000 } });
    const expiring = await other.pending('click-element', push);
    await ShownCard.appears(scene.witness, 'Push me');
    await ShownCard.isGone(scene.witness);
    expect(await settled(expiring.card.approvalId)).toMatchObject({ status: 'expired' });
    await client.policy({ approvals: { timeoutMs: 120_000 } });
  });

  it('[decides.surfaces] the policy says where cards are shown; where none can be answered, the request is denied', async () => {
    await client.policy({ approvals: { surfaces: ['api'] } });
    const { card: onApi } = await other.pending('click-element', push);
    await sleep(500);
    expect(await ShownCard.all(scene.witness)).toEqual([]);
    await client.decide(onApi.approvalId, 'deny');

    await client.policy({ approvals: { surfaces: ['overlay'] } });
    const { card: onOverlay } = await other.pending('click-element', push);
    const shown = await ShownCard.appears(scene.witness, 'Push me');
    await shown.click('deny');
    expect(await settled(onOverlay.approvalId)).toMatchObject({ status: 'denied', decidedBy: 'overlay' });
    await client.policy({ approvals: { surfaces: ['overlay', 'api'] } });
  });

  it('[overlay.robust] an overlay that is killed denies its cards and comes back', async () => {
    const {
      actionId,
      card: { approvalId },
    } = await other.pending('click-element', push);
    const shown = await ShownCard.appears(scene.witness, 'Push me');
    const before = shown.window.pid;
    await endWindowsProcess(before);
    expect(await settled(approvalId)).toMatchObject({ status: 'denied', decidedBy: 'overlay lost' });
    expect((await client.ended(actionId)).error).toMatchObject({
      code: 'approval_denied',
      detail: expect.stringMatching(/^The card was lost/),
    });
    const next = await until(
      async () => {
        const {
          card: { approvalId: id },
        } = await other.pending('click-element', push);
        const [window] = await until(
          () => ShownCard.all(scene.witness),
          (all) => all.length > 0,
          3000,
        ).catch(() => []);
        await client.decide(id, 'deny').catch(() => {});
        return window;
      },
      (window) => window !== undefined,
      20_000,
    );
    expect(next!.pid).not.toBe(before);
    const listed = (await client.act('list-visible-windows')).value as Array<{ pid: number }>;
    expect(listed.some(({ pid }) => pid === next!.pid)).toBe(false);
  });
});

describe('the emergency stop', () => {
  const isStopped = async (): Promise<boolean> => (await scene.host.request('/v1/status')).body.stopped;
  const resume = async (): Promise<void> => {
    await client.operator('/v1/resume', { method: 'POST' });
  };

  it.each([
    ['the hotkey, with no card to be seen', async () => person.press(STOP)],
    [
      'the operator’s API',
      async () => {
        await client.operator('/v1/stop', { method: 'POST' });
      },
    ],
    [
      'the command line',
      async () => {
        expect(await runCli(['stop'], scene.host.dataDir)).toMatchObject({ status: 0 });
      },
    ],
  ] as const)('[stop.ways] %s', async (_way, press) => {
    expect(await isStopped()).toBe(false);
    await press();
    await until(isStopped, (stopped) => stopped, 10_000);
    await client.refused('stopped', 'click-element', push);
    await resume();
  });

  it('[stop.ways] a card’s Stop button and, with a card there, the hotkey', async () => {
    const session = new Client(scene.host, 'stopping');
    for (const press of [(shown: ShownCard) => shown.click('stop'), () => person.press(STOP)]) {
      await session.bind({ hwnd: controls.hwnd });
      const { actionId } = await session.pending('click-element', push);
      const shown = await ShownCard.appears(scene.witness, 'Push me');
      await press(shown);
      await until(isStopped, (stopped) => stopped, 10_000);
      expect((await client.ended(actionId)).error?.code).toMatch(/stopped|cancelled/);
      await ShownCard.isGone(scene.witness);
      await resume();
    }
  });

  it('[stop.ways] no action sends the hotkey, whatever is granted', async () => {
    await client.policy({ level: 'full', flags: ['systemKeyCombos'] });
    for (const [name, input] of [
      ['key', { keySequence: 'ctrl+alt+shift+esc' }],
      ['hold-key', { keyNames: ['ctrl', 'alt', 'shift', 'esc'], durationMs: 50 }],
      ['virtual-keyboard', { action: 'combo', text: 'ctrl+alt+shift+escape' }],
    ] as const)
      await client.refused('key_blocked', name, input);
    expect(await isStopped()).toBe(false);
    await client.policy({ level: 'control', flags: [] });
  });
});

describe('the icon in the notification area', () => {
  const WM_APP = 0x8000;
  const WM_CONTEXTMENU = 0x007b;
  const menu = async () => (await scene.witness.windows()).find(({ className }) => className === '#32768');
  const icon = () => until(() => scene.witness.named('uiahost-icon-'), 'the icon');
  /** As the shell asks for it. */
  const open = async () => {
    await person.moveMouse(AWAY.x, AWAY.y);
    await scene.witness.post(await icon(), WM_APP + 1, (400 << 16) | 600, WM_CONTEXTMENU);
    return until(menu, 'the menu');
  };
  const choose = async (item: 0 | 1 | 2) => {
    const { x, y, width, height } = await open();
    await person.moveMouse(x + width / 2, y + (height * (item + 0.5)) / 3);
    await person.click();
    await until(async () => (await menu()) === undefined, 'the end of the menu');
  };
  const isStopped = async (): Promise<boolean> => (await scene.host.request('/v1/status')).body.stopped;
  const sessions = async (): Promise<Array<{ owner: string; isPaused: boolean }>> =>
    (await client.operator('/v1/sessions')).sessions;

  it('[icon.hidden] an agent cannot list or bind it or its menu, nor choose there', async () => {
    const { hwnd, pid } = await open();
    const listed = (await client.act('list-visible-windows')).value as Array<{ hwnd: string; pid: number }>;
    expect(listed.filter((window) => window.pid === pid)).toEqual([]);
    for (const query of [{ hwnd }, { hwnd: await icon() }, { pid }])
      await client.refused('target_not_found', 'bind-to-window', query);
    await client.bind({ hwnd: controls.hwnd });
    await client.policy({ level: 'full', alwaysAsk: [] });
    for (const keySequence of ['down', 'down', 'down', 'enter']) await client.send('key', { keySequence });
    await client.policy({ level: 'control' });
    expect(await isStopped()).toBe(false);
    expect((await sessions()).filter(({ isPaused }) => isPaused)).toEqual([]);
    // A click elsewhere closes it.
    if ((await menu()) !== undefined) await person.click();
    await until(async () => (await menu()) === undefined, 'the end of the menu');
  });

  it('[icon.menu] a person pauses all agents there, and stops everything', async () => {
    await client.bind({ hwnd: controls.hwnd });
    await choose(1);
    await until(sessions, (all) => all.length > 0 && all.every(({ isPaused }) => isPaused), 10_000);
    await client.refused('user_active', 'click-element', push);
    for (const { owner } of await sessions())
      await client.operator('/v1/sessions/pause', { body: { owner, paused: false } });
    await choose(2);
    await until(isStopped, (stopped) => stopped, 10_000);
    await client.operator('/v1/resume', { method: 'POST' });
  });

  it('[icon.menu] opens the page, which can only look', async () => {
    const folder = scene.folder();
    const browser = join(folder, 'browser');
    writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${folder}/link.new; mv ${folder}/link.new ${folder}/link\n`, {
      mode: 0o755,
    });
    // The program that Wine starts for an address.
    await scene.witness.writeRegistry('Software\\Wine\\WineBrowser', 'Browsers', browser);
    await choose(0);
    const link = await until(
      () => existsSync(join(folder, 'link')) && readFileSync(join(folder, 'link'), 'utf8'),
      'the link',
    );
    const code = new URLSearchParams(new URL(link).hash.slice(1)).get('code');
    const redeem = () => scene.host.request('/v1/page/session', { body: { code }, token: 'none' });
    expect(await redeem()).toMatchObject({ status: 201, body: { scope: 'viewer' } });
    expect((await redeem()).status).toBe(401);
  });

  it('comes back with its overlay', async () => {
    const before = await icon();
    const { pid } = await open();
    await endWindowsProcess(pid);
    await until(async () => {
      const now = await scene.witness.named('uiahost-icon-');
      return now !== null && now !== before;
    }, 'the icon of the next overlay');
  });
});
