/** Whatever another program does to a card, this does not approve it; afterwards a person still decides. */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAttacker, type Attack, type Attacker } from '../support/attacker.ts';
import { activeApprove, approveByKeyboard, cardWindow, clickAt, type Spot } from '../support/card-window.ts';
import { Client } from '../support/client.ts';
import { controlId } from '../support/controls.ts';
import { sharedDesktop, xdotool } from '../support/desktop.ts';
import type { Fixture } from '../support/fixture.ts';
import { person } from '../support/hardware.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import type { SeenWindow } from '../support/witness.ts';

const NAME = 'Delete all files';
/** A card has two minutes; an older one is not attacked. */
const CARD_MS = 80_000;
/** The overlay looks at its window each 100 ms, so in this time at least once, also on a slow machine. */
const LOOK_MS = 250;

interface OpenCard {
  readonly actionId: string;
  readonly approvalId: string;
  readonly window: SeenWindow;
  readonly approve: Spot;
  readonly since: number;
}

let scene: Scene;
let client: Client;
let controls: Fixture;
let desk: Fixture;
let attacker: Attacker;
let card: OpenCard | undefined;
const rows: Array<{ group: string; what: string; answer: string; after: string }> = [];

const attacks: Attack[] = await (async () => {
  await using lister = startAttacker();
  return await lister.list();
})();
/** What every window must answer, or Windows ends no session: a person's sign-out, restart or update would wait for a card. */
const LETS_GO: Readonly<Record<string, (result: number) => boolean>> = {
  'send-end-session': (answer) => answer === 1,
  'end-session-all': (windows) => windows >= 1,
};
const groups = [...new Set(attacks.map(({ group }) => group))];

beforeAll(async () => {
  scene = await Scene.open();
  client = scene.client;
  controls = await scene.fixture('controls', { args: ['--x', 20, '--y', 20] });
  // Where a person works: what an attack types into nothing else lands here.
  desk = await scene.fixture('sentinel', {
    args: ['--x', 300, '--y', 560, '--width', 300, '--height', 160, '--activate'],
  });
  // Needs approval at every level by default, and the program itself sees the press.
  await controls.tell(`text ${controlId('PUSH')} ${NAME}`);
  await client.bind({ hwnd: controls.hwnd });
  // Keys to a surface that is not known are asked as commands; what is tried here is what they could do to a card.
  await client.policy({ alwaysAsk: ['destructive', 'financial'] });
  attacker = startAttacker();
});
afterAll(async () => {
  await attacker?.[Symbol.asyncDispose]();
  await scene?.[Symbol.asyncDispose]();
  const file = process.env['UIAHOST_ATTACK_REPORT'];
  if (file !== undefined) writeFileSync(file, report());
});

const pressed = (): unknown[] => controls.journal.events({ event: 'command', id: controlId('PUSH') });
const statusOf = async (approvalId: string): Promise<string> =>
  (await client.operator(`/v1/approvals/${approvalId}`)).status;

/** An attack that succeeds once has succeeded, whatever a second try shows. */
const ONCE = { retry: 0 };

/** The open card, or a new one: shown, pending, and with an active Approve. */
async function openCard(): Promise<OpenCard> {
  if (card !== undefined && performance.now() - card.since < CARD_MS && (await statusOf(card.approvalId)) === 'pending')
    return card;
  await closeCard();
  controls.journal.mark();
  const asked = await client.pending('click-element', { name: NAME, deadlineMs: 60_000 });
  // The cursor of an earlier test would be on the card.
  await person.moveMouse(600, 790);
  const window = await cardWindow(scene.witness);
  return (card = {
    actionId: asked.actionId,
    approvalId: asked.card.approvalId,
    window,
    approve: await activeApprove(window),
    since: performance.now(),
  });
}

async function closeCard(): Promise<void> {
  if (card !== undefined && (await statusOf(card.approvalId)) === 'pending')
    await client.decide(card.approvalId, 'deny');
  await client.liftAll();
  card = undefined;
}

/** Waits until the overlay's thread has taken everything that was posted before: it answers in order, some messages at a time. */
async function settled(rounds = 4): Promise<void> {
  for (let round = 0; round < rounds; round++) await client.act('status-indicator', { action: 'status' });
}

/**
 * The card is in place, on top at Approve, which is active: a person can use it. Its upper edge rises when its picture
 * comes.
 */
async function isUsable({ window }: OpenCard): Promise<void> {
  const right = window.x + window.width;
  const lower = window.y + window.height;
  const [now] = await until(
    async () => (await scene.witness.windows()).filter(({ hwnd }) => hwnd === window.hwnd),
    ([seen]) => seen?.x === window.x && seen.x + seen.width === right && seen.y + seen.height === lower,
  );
  const approve = await activeApprove(now!);
  await until(
    () => scene.witness.at(approve.x, approve.y),
    ({ root }) => root === window.hwnd,
  );
}

/** Nothing was approved, and a pending card can still be answered. Returns how the card ended, in words. */
async function refused(open: OpenCard): Promise<string> {
  const ended = new AbortController();
  const isOver = until(
    () => statusOf(open.approvalId),
    (status) => ended.signal.aborted || status !== 'pending',
    30_000,
  );
  // A card whose window is being destroyed is denied once the overlay checks it.
  const isWhole = isUsable(open)
    .then(() => sleep(LOOK_MS))
    .then(() => isUsable(open));
  await Promise.race([isWhole, isOver]).finally(() => ended.abort());
  await isOver;
  const status = await statusOf(open.approvalId);
  expect(['pending', 'denied']).toContain(status);
  if (status === 'denied') expect((await client.ended(open.actionId)).error?.code).toBe('approval_denied');
  // A denial stays a denial; a pending card may become denied at any time, and nothing else.
  expect(['denied', status]).toContain(await statusOf(open.approvalId));
  expect(pressed()).toEqual([]);
  return status;
}

/** The proof that all this could fail: a person's own input on the same card does approve, and the action runs. */
async function approvedBy(decide: (open: OpenCard) => Promise<void>): Promise<void> {
  const open = await openCard();
  const isDecided = (): Promise<boolean> =>
    until(
      () => statusOf(open.approvalId),
      (status) => status !== 'pending',
      10_000,
    ).then(
      () => true,
      () => false,
    );
  // A press while the card settles counts for nothing; a person presses again.
  for (let tries = 1; ; tries++) {
    await isUsable(open);
    await decide(open);
    if (await isDecided()) break;
    expect(tries).toBeLessThan(4);
  }
  // Its error says why it was not.
  expect(await client.ended(open.actionId)).toMatchObject({ result: { value: true } });
  expect(await statusOf(open.approvalId)).toBe('approved');
  await controls.journal.waitFor({ event: 'command', id: controlId('PUSH') });
  card = undefined;
}
const byMouse = (): Promise<void> => approvedBy(({ approve }) => clickAt(approve));
const byKeyboard = (): Promise<void> => approvedBy(({ window }) => approveByKeyboard(scene.witness, window));

describe.each(groups)('%s', ONCE, (group) => {
  test.for(attacks.filter((attack) => attack.group === group))('[overlay.robust] $what', async ({ name, what }) => {
    const open = await openCard();
    const { result, error, offered } = await attacker.run(name, open.window.hwnd, open.approve);
    expect(LETS_GO[name]?.(result) ?? true, `${what}: ${result}`).toBe(true);
    await settled(name.endsWith('-every') ? 150 : undefined);
    const after = await refused(open);
    await desk.tell('activate');
    rows.push({
      group,
      what,
      answer: offered ? `${result}${error === 0 ? '' : `, error ${error}`}` : 'not offered',
      after,
    });
  });

  test('[overlay.robust] [overlay.hardware] afterwards a person’s click approves', byMouse);
  test('[overlay.robust] [overlay.hardware] afterwards a person’s keys approve', byKeyboard);
});

describe('around a person’s own click', ONCE, () => {
  const told = (what: string, answer: string, after: string): void =>
    void rows.push({ group: 'around a person’s own click', what, answer, after });

  test('[overlay.click-checks] a window that covers a part of the card voids the click', async () => {
    const open = await openCard();
    await person.moveMouse(open.approve.x, open.approve.y);
    await xdotool(sharedDesktop(), 'mousedown', 1);
    await attacker.cover({ x: open.window.x, y: open.window.y, width: open.window.width, height: 60 }, 'opaque');
    await xdotool(sharedDesktop(), 'mouseup', 1);
    await settled();
    expect(await statusOf(open.approvalId)).toBe('pending');
    await attacker.uncover();
    told('an opaque window over the card’s title when the button goes up', 'click void', await refused(open));
    await byMouse();
  });

  test('[overlay.click-checks] so does a window that lets the click through', async () => {
    let open = await openCard();
    await person.moveMouse(open.approve.x, open.approve.y);
    await xdotool(sharedDesktop(), 'mousedown', 1);
    await attacker.cover(open.window, 'through');
    await xdotool(sharedDesktop(), 'mouseup', 1);
    await settled();
    expect(await statusOf(open.approvalId)).toBe('pending');
    for (let tries = 1; ; tries++) {
      await attacker.uncover();
      await isUsable(open);
      const begun = performance.now();
      await attacker.cover(open.window, 'through');
      await person.click();
      // On a busy machine the card may be on top again, and a person have seen it, before the click comes.
      if (performance.now() - begun < 400) break;
      expect(tries).toBeLessThan(10);
      await closeCard();
      open = await openCard();
      await person.moveMouse(open.approve.x, open.approve.y);
    }
    await settled();
    expect(await statusOf(open.approvalId)).toBe('pending');
    await attacker.uncover();
    told('a click-through window over the whole card', 'click void', await refused(open));
    await byMouse();
  });

  test('a card that is moved under the cursor', async () => {
    const open = await openCard();
    const [left = 0, top = 0] = desk.ready['client'] as number[];
    await person.moveMouse(left + 60, top + 60);
    await attacker.run('place-under-cursor', open.window.hwnd, open.approve);
    await person.click();
    await settled();
    expect(await statusOf(open.approvalId)).toBe('pending');
    told('SetWindowPos: Approve under the cursor, just before the click', 'click void', await refused(open));
    await byMouse();
  });

  test('[overlay.robust] a cursor that is moved onto Approve', async () => {
    const [left = 0, top = 0] = desk.ready['client'] as number[];
    let open = await openCard();
    for (let tries = 1; ; tries++) {
      await clickAt({ x: left + 60, y: top + 60 });
      await desk.journal.waitFor({ event: 'mouse', kind: 'up' });
      desk.journal.mark();
      const begun = performance.now();
      await attacker.run('cursor-there', open.window.hwnd, open.approve);
      await person.click();
      // A busy machine may take longer than a hand; then the person had time to see where the cursor is.
      if (performance.now() - begun < 400) break;
      expect(tries).toBeLessThan(10);
      await closeCard();
      open = await openCard();
    }
    await settled();
    expect(await statusOf(open.approvalId)).toBe('pending');
    told('SetCursorPos: onto Approve, just before the click', 'click void', await refused(open));
    await byMouse();
  });

  test('[overlay.robust] [overlay.hotkey] keys that a person types elsewhere, after a forged hotkey', async () => {
    const open = await openCard();
    const [left = 0, top = 0] = desk.ready['client'] as number[];
    await clickAt({ x: left + 60, y: top + 60 });
    await until(
      () => scene.witness.where(),
      ({ foreground }) => foreground === desk.hwnd,
    );
    desk.journal.mark();
    await person.press('space');
    await desk.journal.waitFor({ event: 'key', kind: 'down', vk: 0x20 });
    for (const name of ['thread-hotkey', 'post-hotkey', 'send-hotkey'])
      await attacker.run(name, open.window.hwnd, open.approve);
    await settled();
    expect((await scene.witness.where()).foreground).toBe(desk.hwnd);
    await person.press('Tab');
    await person.press('space');
    await desk.journal.waitFor(() => desk.journal.events({ event: 'key', kind: 'down', vk: 0x20 }).length === 2);
    await settled();
    expect(await statusOf(open.approvalId)).toBe('pending');
    told(
      'WM_HOTKEY to the overlay’s thread while a person types Space, Tab, Space elsewhere',
      'not focused',
      await refused(open),
    );
    await byKeyboard();
  });

  test('[overlay.robust] a forged card over the real one gets the click, and it counts for nothing afterwards', async () => {
    const open = await openCard();
    await attacker.forge(open.window.hwnd);
    await clickAt(open.approve);
    expect(await statusOf(open.approvalId)).toBe('pending');
    await attacker.uncover();
    await isUsable(open);
    // The click was real, though not for the card: messages cannot make it one.
    for (const name of ['post-click', 'send-click', 'notify-click'])
      await attacker.run(name, open.window.hwnd, open.approve);
    await settled();
    told('a window that looks like the card, then messages that repeat the click', 'click void', await refused(open));
    await byMouse();
  });
});

describe('the host itself, by every route', ONCE, () => {
  let other: Client;
  beforeAll(async () => {
    other = new Client(scene.host, 'other');
    await person.leave();
  });
  const told = (what: string, answer: string, after: string): void =>
    void rows.push({ group: 'the host itself', what, answer, after });
  /** Sends it while a card is open; returns the answer. */
  async function attempt(
    what: string,
    send: (open: OpenCard) => Promise<{ status: number; body: any }>,
  ): Promise<void> {
    const open = await openCard();
    const { status, body } = await send(open);
    await settled();
    told(
      what,
      status === 200
        ? `done (${JSON.stringify(body.value ?? body.result ?? null)})`.slice(0, 60)
        : `${status} ${body.code ?? ''}`.trim(),
      await refused(open),
    );
  }
  const foreground = { delivery: 'foreground' };

  test('[overlay.robust] clicks, drags and buttons at its place on the screen', async () => {
    const at = ({ approve }: OpenCard) => ({ x: approve.x, y: approve.y, space: 'screen', ...foreground });
    await attempt('click at Approve, foreground delivery', (open) => other.send('click', at(open)));
    await attempt('double click at Approve, foreground delivery', (open) =>
      other.send('click', { ...at(open), count: 2 }),
    );
    await attempt('move-mouse', (open) => other.send('move-mouse', at(open)));
    // The cursor is there already: a person has left it on the button.
    await attempt('mouse-down, mouse-up with the cursor on Approve', async ({ approve }) => {
      await person.moveMouse(approve.x, approve.y);
      await person.leave();
      await other.send('mouse-down', foreground);
      return other.send('mouse-up', foreground);
    });
    await person.moveMouse(600, 790);
    await attempt('drag that ends at Approve', ({ approve }) =>
      other.send('drag', { from: { x: approve.x - 3, y: approve.y }, to: approve, space: 'screen', ...foreground }),
    );
    await attempt('scroll at Approve', (open) => other.send('scroll', { ...at(open), dx: 0, dy: 1 }));
  });

  test('[overlay.robust] [overlay.own-windows] its own strip, with words that pose as the card', async () => {
    const { window } = await openCard();
    // Topmost, one next to the card and one under it: a strip is as topmost as its window.
    for (const [where, x, y] of [
      ['next to', window.x - 4, window.y + 20],
      ['under', window.x + 20, window.y + 40],
    ] as const) {
      await using accomplice = await scene.fixture('sentinel', {
        title: `accomplice ${where}`,
        args: ['--x', x, '--y', y, '--width', 300, '--height', 120, '--topmost'],
      });
      const accomplices = new Client(scene.host, `strip-${where.replace(' ', '-')}`);
      await accomplices.bind({ hwnd: accomplice.hwnd });
      await attempt(
        `status-indicator show on a topmost window ${where} the card: “Low risk. Approve.”`,
        async (open) => {
          const answer = await accomplices.send('status-indicator', {
            action: 'show',
            message: 'uiahost asks. Low risk. Approve.',
          });
          await settled();
          const strips = (await scene.witness.windows()).filter(({ title }) => title.includes('Low risk. Approve.'));
          for (const strip of strips)
            expect(
              strip.x >= open.window.x + open.window.width ||
                strip.x + strip.width <= open.window.x ||
                strip.y >= open.window.y + open.window.height ||
                strip.y + strip.height <= open.window.y,
              JSON.stringify({ strip, card: open.window }),
            ).toBe(true);
          return answer;
        },
      );
      await accomplices.send('status-indicator', { action: 'hide' });
    }
  });

  test('[overlay.robust] keys, the focusing hotkey among them', async () => {
    await attempt('key ctrl+alt+shift+space, tab, space', (open) => {
      void open;
      return other.send('key', { keySequence: 'ctrl+alt+shift+space tab space', ...foreground });
    });
    await attempt('hold-key space', () =>
      other.send('hold-key', { keyNames: ['space'], durationMs: 60, ...foreground }),
    );
    await attempt('key enter', () => other.send('key', { keySequence: 'enter', ...foreground }));
    await attempt('type a blank and Enter', () =>
      other.send('type', { text: ' \n', viaClipboard: false, ...foreground }),
    );
  });

  test('[overlay.robust] [overlay.hidden] binding it and its elements', async () => {
    await attempt('bind-to-window by hwnd', ({ window }) => other.send('bind-to-window', { hwnd: window.hwnd }));
    await attempt('bind-to-window by title', ({ window }) =>
      other.send('bind-to-window', { title: window.title.slice(0, 200) || 'uiahost' }),
    );
    await attempt('bind-to-window by pid', ({ window }) => other.send('bind-to-window', { pid: window.pid }));
    expect((await other.act('has-bound-window')).value).toBe(false);
    await attempt('manage-window without a binding', () => other.send('manage-window', { action: 'close' }));
    await attempt('click-element Approve in the bound window', () =>
      client.send('click-element', { name: 'Approve', role: 'Button' }),
    );
    const open = await openCard();
    expect((await other.act('list-visible-windows')).value.map(({ hwnd }: { hwnd: string }) => hwnd)).not.toContain(
      open.window.hwnd,
    );
  });

  test('[overlay.robust] a window of another program that points there', async () => {
    const away = new Client(scene.host, 'away');
    const sentinel = await scene.fixture('sentinel', {
      args: ['--x', 20, '--y', 20, '--width', 1200, '--height', 760],
    });
    await away.bind({ hwnd: sentinel.hwnd });
    const [left = 0, top = 0] = sentinel.ready['client'] as number[];
    await attempt('virtual-mouse click through the window behind the card', ({ approve }) =>
      away.send('virtual-mouse', { action: 'click', x: approve.x - left, y: approve.y - top, space: 'client' }),
    );
    await attempt('click through the window behind the card, foreground delivery', ({ approve }) =>
      away.send('click', { x: approve.x - left, y: approve.y - top, space: 'client', ...foreground }),
    );
    await attempt('virtual-mouse drag to Approve', ({ approve }) =>
      away.send('virtual-mouse', {
        action: 'drag',
        startX: 5,
        startY: 5,
        x: approve.x - left,
        y: approve.y - top,
        space: 'client',
      }),
    );
    await attempt('virtual-keyboard: Space, Enter', () =>
      away.send('virtual-keyboard', { action: 'combo', text: 'space', ...foreground }),
    );
    await sentinel[Symbol.asyncDispose]();
  });

  test('[overlay.robust] HTTP with the agent’s token, MCP, batch', async () => {
    const decide = ({ approvalId }: OpenCard, token: string) =>
      scene.host.request(`/v1/approvals/${approvalId}`, { body: { decision: 'approve' }, token });
    await attempt('the decision route with the agent’s token', (open) => decide(open, 'agent'));
    await attempt('the decision route without a token', (open) => decide(open, 'none'));
    await attempt('the decision route with another token', (open) =>
      decide(open, 'not-the-operators-token-but-as-long'),
    );
    await attempt('batch: click and keys', ({ approve }) =>
      other.send('batch', {
        steps: [
          { action: 'click', input: { x: approve.x, y: approve.y, space: 'screen', ...foreground } },
          { action: 'key', input: { keySequence: 'tab space', ...foreground } },
        ],
      }),
    );
    await attempt('MCP: click', async ({ approve }) => {
      const { status, body } = await scene.host.request('/mcp?caps=pointer', {
        headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'click', arguments: { x: approve.x, y: approve.y, space: 'screen', ...foreground } },
        },
      });
      // An answer is an event whose result is the tool's.
      const { result } = JSON.parse(/^data: (.*)$/m.exec(String(body))?.[1] ?? '{}') as {
        result?: { isError?: boolean };
      };
      expect(result, String(body)).toMatchObject({ content: expect.anything() });
      expect(String(body)).not.toContain('not_found');
      return { status, body: { value: result?.isError === true ? 'refused' : null } };
    });
  });

  test('[overlay.robust] [overlay.hardware] afterwards a person’s click and keys approve', async () => {
    await byMouse();
    await byKeyboard();
  });
});

function report(): string {
  const lines = rows.map(({ group, what, answer, after }) => `| ${group} | ${what} | ${answer} | ${after} |`);
  return `<!-- Written by test/e2e/overlay-attacks.test.ts where UIAHOST_ATTACK_REPORT names this file. -->
# Attacks on a card
Each row was tried on the overlay's card by another program of the same user, or by the host itself. *pending*: the card stayed, whole and usable, and a person's own click or keys approved it afterwards. *denied*: the window was taken away from the overlay, which counts as no. None was approved.

| by | attack | the system's answer | the card |
|---|---|---|---|
${lines.join('\n')}
`;
}
