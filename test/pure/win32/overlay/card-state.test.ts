/** Each promise of the card as a test of its rules, without a window. */
import { describe, expect, it } from 'vitest';
import type { ApprovalCard } from '../../../../src/contract/gate/approval.ts';
import { type CardEntry, CardState, type Obstruction } from '../../../../src/win32/overlay/card-state.ts';
import { ENGLISH } from '../../../../src/contract/gate/card-words.ts';
import { CARD_SETTLES_MS } from '../../../../src/contract/patience.ts';
import { judgeInput, type Judgement } from '../../../../src/win32/overlay/input-judgement.ts';
import type { ControlId } from '../../../../src/win32/overlay/layout.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const entry = (approvalId = 'apr_1', allowedScopes: ApprovalCard['allowedScopes'] = ['once', 'window']): CardEntry => ({
  card: {
    approvalId,
    actionId: 'act_1',
    action: 'clickElement',
    sessionId: 'default',
    owner: 'agent/default',
    status: 'pending',
    summary: 'Click element Button “Send”',
    why: [],
    proposerReason: null,
    app: null,
    window: null,
    page: null,
    element: null,
    arguments: {},
    riskLevel: 'high',
    riskTags: [],
    flags: [],
    pictureUrl: null,
    digest: 'd',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-01T00:02:00.000Z',
    allowedScopes,
    decidedBy: null,
  },
  pixels: null,
  totalMs: null,
});

const seen = { isInjected: false, isPushed: false, isTouch: false };
const DEVICE = judgeInput({ origin: 'hardware', isTouch: false }, seen);
const INJECTED = judgeInput({ origin: 'injected', isTouch: false }, { ...seen, isInjected: true });
const POSTED = judgeInput({ origin: 'none', isTouch: false }, undefined);
const TOUCH = judgeInput({ origin: 'hardware', isTouch: true }, seen);
const PUSHED = judgeInput({ origin: 'hardware', isTouch: false }, { ...seen, isPushed: true });
const CONTROLS: readonly ControlId[] = ['deny', 'approve', 'scope:once', 'scope:window', 'deny-all', 'stop'];

/** A shown card and everything that it reports, in order. */
function shown(of: CardEntry = entry()) {
  const world = { now: 0, isRead: true, canApprove: true, wasPushed: false, obstruction: null as Obstruction | null };
  const log: unknown[] = [];
  const changes: string[] = [];
  const state = new CardState({
    now: () => world.now,
    time: () => START + world.now,
    canApprove: () => world.canApprove,
    wasCursorPushed: () => world.wasPushed,
    obstruction: () => world.obstruction,
    wasReadToEnd: () => world.isRead,
    words: () => ENGLISH.ui,
    onDisturbed: () => log.push('earlier input forgotten'),
    onDecision: (approvalId, decision, by) => log.push({ approvalId, ...decision, by }),
    onStop: () => log.push('stop'),
    onRefused: (approvalId, { reason, isInjected }) => log.push({ refused: approvalId, reason, isInjected }),
    onChange: (what) => changes.push(what),
  });
  state.show(of);
  state.beginSettling();
  world.now = CARD_SETTLES_MS;
  const click = (id: ControlId, down: Judgement = DEVICE, up: Judgement = down): void => {
    state.mouseDown(id, down);
    state.mouseUp(id, up);
  };
  const space = (down: Judgement = DEVICE, up: Judgement = down): void => {
    if (state.acceptsKey(down)) state.spaceDown(down);
    state.spaceUp(up);
  };
  return { world, state, log, changes, click, space };
}

const approved = (by: 'mouse' | 'keyboard') => ({ approvalId: 'apr_1', decision: 'approve', scope: 'once', by });
const denied = (by: 'mouse' | 'keyboard') => ({ approvalId: 'apr_1', decision: 'deny', by });

describe('when Approve counts', () => {
  it('not before the card has been visible for 700 ms', () => {
    const { world, state, log, click } = shown();
    world.now = CARD_SETTLES_MS - 1;
    expect(state.isApproveActive).toBe(false);
    click('approve');
    expect(log).toEqual([]);
    expect(state.notice).toMatch(/^Too soon/);
    world.now = 2 * CARD_SETTLES_MS - 1;
    expect(state.isApproveActive).toBe(true);
    click('approve');
    expect(log).toEqual([approved('mouse')]);
  });

  it('not before everything that decides was on the screen, to its end', () => {
    const { world, state, log, click, space } = shown();
    world.isRead = false;
    world.now += 60_000;
    expect(state.isApproveActive).toBe(false);
    click('approve');
    state.setFocus('approve');
    space();
    expect([log, state.notice]).toEqual([[], ENGLISH.ui.readOn]);
    // A no needs no reading.
    world.isRead = true;
    click('approve');
    expect(log).toEqual([approved('mouse')]);
  });

  it('details fold out and in by a person’s press, and fold in for another card', () => {
    const { state, changes, click } = shown();
    click('details', INJECTED);
    expect(state.isOpen).toBe(false);
    click('details');
    expect([state.isOpen, changes.includes('choice')]).toEqual([true, true]);
    click('details');
    expect(state.isOpen).toBe(false);
    click('details');
    state.show(entry('apr_2'));
    expect(state.isOpen).toBe(false);
  });

  it('[overlay.pause] clicks that began before the card never approve it: each press starts the wait again, until a pause', () => {
    for (const every of [50, 250, CARD_SETTLES_MS - 1]) {
      const { world, state, log, click } = shown();
      world.now = 0;
      state.beginSettling();
      for (let press = 0; press < 40; press += 1) {
        world.now += every;
        click('approve');
        expect(state.isApproveActive).toBe(false);
      }
      expect(log).toEqual([]);
      world.now += CARD_SETTLES_MS;
      click('approve');
      expect(log).toEqual([approved('mouse')]);
    }
  });

  it('[overlay.pause] so does any press elsewhere, and one on the card’s text; once settled, the card stays settled', () => {
    const { world, state, log, click } = shown();
    for (const press of [
      () => state.noteInput(),
      () => state.mouseDown(null, DEVICE),
      () => click('scope:window'),
      () => {
        state.setFocus('approve');
        state.spaceDown(DEVICE);
        state.spaceUp(DEVICE);
      },
    ]) {
      world.now += 1000;
      state.beginSettling();
      world.now += CARD_SETTLES_MS - 1;
      press();
      world.now += CARD_SETTLES_MS - 1;
      expect(state.isApproveActive).toBe(false);
      world.now += 1;
      expect(state.isApproveActive).toBe(true);
      press();
      expect(state.isApproveActive).toBe(true);
    }
    expect(log.filter((entry) => (entry as { by?: string }).by === 'mouse')).toEqual([]);
  });

  it('[overlay.pause] a button that goes down too early approves nothing, however late it comes up', () => {
    const { world, state, log } = shown();
    world.now = 100;
    state.beginSettling();
    world.now += CARD_SETTLES_MS - 1;
    state.mouseDown('approve', DEVICE);
    world.now += 10 * CARD_SETTLES_MS;
    state.mouseUp('approve', DEVICE);
    expect(log).toEqual([]);
    expect(state.notice).toMatch(/^Too soon/);
  });

  it('a disturbance starts the 700 ms again, and no earlier press or input counts after it', () => {
    const { world, state, log } = shown();
    state.mouseDown('approve', DEVICE);
    state.disturb('Another program interfered: the window was moved.');
    state.mouseUp('approve', DEVICE);
    expect(log).toEqual(['earlier input forgotten']);
    expect([state.isApproveActive, state.notice]).toEqual([false, expect.stringContaining('was moved')]);
    world.now += CARD_SETTLES_MS;
    expect(state.isApproveActive).toBe(true);
  });

  it('another card starts the wait again; the same card at another place of the queue does not', () => {
    const { world, state } = shown();
    expect(state.show(entry())).toBe(false);
    expect(state.isApproveActive).toBe(true);
    expect(state.show(entry('apr_2'))).toBe(true);
    state.beginSettling();
    expect(state.isApproveActive).toBe(false);
    world.now += CARD_SETTLES_MS;
    expect(state.isApproveActive).toBe(true);
  });

  it('not after the card has expired, nor while a program has just moved the cursor', () => {
    const { world, state, log, click } = shown();
    world.wasPushed = true;
    expect(state.isApproveActive).toBe(false);
    click('approve');
    world.wasPushed = false;
    world.now = 120_000;
    expect([state.leftMs, state.isApproveActive]).toEqual([0, false]);
    click('approve');
    expect(log).toEqual([]);
  });

  it('[overlay.robust] a card that was changed or covered at the click is not approved, and says why', () => {
    const { world, state, log, click } = shown();
    world.obstruction = {
      notice: 'Another window covered this card. Look again.',
      reason: 'a window covered the card',
    };
    click('approve');
    expect(log).toEqual([
      'earlier input forgotten',
      { refused: 'apr_1', reason: 'a window covered the card', isInjected: false },
    ]);
    expect(state.notice).toBe('Another window covered this card. Look again.');
    world.obstruction = null;
    // It settles again before the next one counts.
    click('approve');
    expect(log).toHaveLength(2);
    // What prevents something needs no clear view.
    world.obstruction = { notice: 'x', reason: 'x' };
    click('deny');
    expect(log.at(-1)).toEqual(denied('mouse'));
  });
});

describe('conditions of a press', () => {
  it.each([
    ['injected', INJECTED],
    ['posted', POSTED],
    ['touched', TOUCH],
    ['under a cursor that a program moved', PUSHED],
  ])(
    '[overlay.hardware] to approve or to choose a scope, %s input does not count, in either half of the press',
    (_name, unfit) => {
      for (const [down, up] of [
        [unfit, unfit],
        [unfit, DEVICE],
        [DEVICE, unfit],
      ] as const)
        for (const id of ['approve', 'scope:window', 'minutes:60'] as const) {
          const { state, log, click } = shown();
          click(id, down, up);
          expect(log).toContainEqual({ refused: 'apr_1', reason: unfit.reason, isInjected: unfit.isInjected });
          expect(log.filter((line) => typeof line === 'object' && line !== null && 'decision' in line)).toEqual([]);
          expect([state.scope, state.minutes]).toEqual(['once', 10]);
          expect(state.notice).not.toBeNull();
        }
    },
  );

  it('[overlay.hardware] to deny or to stop, real input is enough: injected and touched, but not posted', () => {
    for (const real of [DEVICE, INJECTED, TOUCH]) {
      const { log, click } = shown();
      click('deny', real);
      click('deny-all', real);
      click('stop', real);
      expect(log).toEqual([denied('mouse'), { ...denied('mouse'), all: true }, 'stop']);
    }
    for (const [down, up] of [
      [POSTED, POSTED],
      [POSTED, DEVICE],
      [DEVICE, POSTED],
    ] as const)
      for (const id of ['deny', 'deny-all', 'stop'] as const) {
        const { log, click } = shown();
        click(id, down, up);
        expect(log).toEqual([{ refused: 'apr_1', reason: POSTED.reason, isInjected: false }]);
      }
  });

  it('a press begins and ends on the same control, by the same device', () => {
    const { state, log } = shown();
    state.mouseDown('deny', DEVICE);
    state.mouseUp('approve', DEVICE);
    state.mouseDown('approve', DEVICE);
    state.mouseUp(null, DEVICE);
    state.mouseDown(null, DEVICE);
    state.mouseUp('approve', DEVICE);
    // Pressed by the mouse, let go by Space, and the other way round.
    state.setFocus('approve');
    state.mouseDown('approve', DEVICE);
    state.spaceUp(DEVICE);
    state.spaceDown(DEVICE);
    state.mouseUp('approve', DEVICE);
    // Space goes down on one control and up on another.
    state.spaceDown(DEVICE);
    state.moveFocus(CONTROLS, true);
    state.spaceUp(DEVICE);
    expect(log).toEqual([]);
  });

  it('a button-up that a program made alone is refused; a device’s own is only ignored', () => {
    const { state, log } = shown();
    state.mouseUp('approve', DEVICE);
    expect([log, state.notice]).toEqual([[], null]);
    state.mouseUp('approve', POSTED);
    expect(log).toEqual([{ refused: 'apr_1', reason: POSTED.reason, isInjected: false }]);
  });

  it('says why input did not count, for six seconds; a moved cursor makes the card settle again', () => {
    const { world, state, log, click } = shown();
    click('approve', INJECTED);
    expect(state.notice).toBe('That was a program’s input, not yours: it does not count.');
    expect(state.isApproveActive).toBe(true);
    click('approve', TOUCH);
    expect(state.notice).toMatch(/^Touch and pen can only deny or stop/);
    click('approve', PUSHED);
    expect(state.notice).toMatch(/^A program moved your cursor/);
    expect(log).toContain('earlier input forgotten');
    expect(state.isApproveActive).toBe(false);
    world.now += 6000;
    state.expireNotice();
    expect(state.notice).not.toBeNull();
    world.now += 1;
    state.expireNotice();
    expect(state.notice).toBeNull();
  });

  it('reports nothing about a card that is gone', () => {
    const { state, log, click } = shown();
    state.clear();
    for (const id of ['deny', 'approve'] as const) click(id, DEVICE);
    click('approve', POSTED);
    state.escape(DEVICE);
    expect(log).toEqual([]);
    expect(state.leftMs).toBe(0);
  });
});

describe('the keyboard', () => {
  it('Tab goes from Deny to Approve and around, Shift+Tab back; Space presses what is focused', () => {
    const { state, log, space } = shown();
    state.setFocus('deny');
    state.moveFocus(CONTROLS, false);
    expect(state.focus).toBe('approve');
    space();
    expect(log).toEqual([approved('keyboard')]);
    state.moveFocus(CONTROLS, true);
    state.moveFocus(CONTROLS, true);
    expect(state.focus).toBe('stop');
    state.moveFocus(CONTROLS, false);
    expect(state.focus).toBe('deny');
  });

  it('Enter never approves: it denies on Deny and does nothing elsewhere; Esc denies everywhere', () => {
    for (const id of CONTROLS) {
      const { state, log } = shown();
      state.setFocus(id);
      state.enter(DEVICE);
      expect(log, id).toEqual(id === 'deny' ? [denied('keyboard')] : []);
      log.length = 0;
      state.escape(DEVICE);
      expect(log, id).toEqual([denied('keyboard')]);
    }
  });

  it('without the keyboard, Enter and Space do nothing', () => {
    const { state, log, space } = shown();
    state.enter(DEVICE);
    space();
    expect(log).toEqual([]);
  });

  it('another card puts the keyboard on Deny, and so does a control that is gone', () => {
    const { state } = shown();
    state.setFocus('approve');
    state.show(entry('apr_2'));
    expect(state.focus).toBe('deny');
    state.setFocus('minutes:10');
    state.useControls(CONTROLS);
    expect(state.focus).toBe('deny');
    // A card that does not have the keyboard does not get it.
    state.setFocus(null);
    state.show(entry('apr_3'));
    state.useControls(CONTROLS);
    expect(state.focus).toBeNull();
  });

  it('a change of the focus ends a press and is announced to screen readers', () => {
    const { state, log, changes } = shown();
    state.setFocus('approve');
    state.spaceDown(DEVICE);
    state.setFocus(null);
    state.setFocus('approve');
    state.spaceUp(DEVICE);
    expect(log).toEqual([]);
    expect(changes.filter((what) => what === 'focus')).toHaveLength(3);
  });

  it('[overlay.hardware] keys of a program count for nothing where the card can approve; elsewhere any real key can deny', () => {
    const { world, state, log } = shown();
    expect([DEVICE, INJECTED, POSTED].map((key) => state.acceptsKey(key))).toEqual([true, false, false]);
    expect(log).toHaveLength(2);
    world.canApprove = false;
    expect([DEVICE, INJECTED, POSTED].map((key) => state.acceptsKey(key))).toEqual([true, true, false]);
    expect(state.isApproveActive).toBe(false);
  });
});

describe('coverage of an approval', () => {
  it('the scope and minutes chosen on the card; minutes for a window alone', () => {
    const { state, log, changes, click } = shown();
    click('approve');
    click('scope:window');
    click('approve');
    click('minutes:60');
    expect(state.chosen).toEqual(new Set(['scope:window', 'minutes:60']));
    click('approve');
    click('scope:once');
    click('approve');
    const window = { approvalId: 'apr_1', decision: 'approve', scope: 'window', by: 'mouse' };
    expect(log).toEqual([approved('mouse'), { ...window, minutes: 10 }, { ...window, minutes: 60 }, approved('mouse')]);
    expect(changes.filter((what) => what === 'choice')).toHaveLength(3);
  });

  it('each card starts with its narrowest scope and ten minutes, whatever the last one had', () => {
    const { state, click } = shown();
    click('scope:window');
    click('minutes:60');
    click('approve', POSTED);
    state.mouseDown('approve', DEVICE);
    state.show(entry('apr_2', ['once', 'session']));
    expect([state.scope, state.minutes, state.pressed, state.notice]).toEqual(['once', 10, null, null]);
    state.show(entry('apr_3', ['plan']));
    expect(state.scope).toBe('plan');
  });
});

it('redrawing: the countdown each second, Approve when it becomes active, and the end of a notice', () => {
  const { world, state } = shown();
  world.now = 0;
  const first = state.moment;
  world.now = CARD_SETTLES_MS - 1;
  expect(state.moment).toBe(first);
  world.now = CARD_SETTLES_MS;
  const active = state.moment;
  expect(active).not.toBe(first);
  world.now = 1000;
  expect(state.moment).not.toBe(active);
  const before = state.moment;
  state.mouseUp('approve', POSTED);
  expect(state.moment).not.toBe(before);
});
