/** End to end: keys and text into a window in the background. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { controlId } from '../support/controls.ts';
import { person } from '../support/hardware.ts';
import type { Fixture } from '../support/fixture.ts';
import { Scene, type NotepadWindow } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { wordsOf } from '../support/words.ts';

let scene: Scene;
let notepad: NotepadWindow;
let sentinel: Fixture;
let client: Client;

beforeAll(async () => {
  scene = await Scene.open();
  client = scene.client;
  notepad = await scene.notepad();
  // a person works in front the whole time
  sentinel = await scene.fixture('sentinel', { args: ['--activate'] });
  await client.bind({ hwnd: notepad.hwnd });
});
afterAll(() => scene?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await client.bind({ hwnd: notepad.hwnd });
  if ((await scene.witness.where()).foreground !== sentinel.hwnd) await sentinel.tell('activate');
  await sentinel.tell('reset');
});

const keys = (action: string, text: string, more: object = {}): ReturnType<Client['act']> =>
  client.act('virtual-keyboard', { action, text, ...more });
const setText = async (text: string): Promise<void> => {
  await client.act('type-into-element', { role: 'textbox', text });
};
async function report(): Promise<any> {
  const before = sentinel.journal.events({ event: 'report' }).length;
  await sentinel.tell('report');
  await sentinel.journal.waitFor(() => sentinel.journal.events({ event: 'report' }).length > before);
  return sentinel.journal.events({ event: 'report' }).at(-1);
}

describe('into the bound window while another window is in front', () => {
  it('[method.virtualKeyboard] [text.unicode] types any text, and no other program sees a key', async () => {
    const text = 'Grüße – ’x’ "y" 狐 🦊👩‍👩‍👧 é\r\n\tnext\nlast';
    const done = await keys('type', text);
    expect(done).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', readBack: 'verified', focusChanged: false, cursorMoved: false },
    });
    expect(await notepad.text()).toBe('Grüße – ’x’ "y" 狐 🦊👩‍👩‍👧 é\r\n\tnext\r\nlast');
    const end = (await notepad.text()).length;
    expect(await scene.witness.selection(notepad.hwnd, 'Edit')).toEqual({ from: end, to: end });
    expect(await report()).toMatchObject({
      keys: 0,
      chars: 0,
      focusLosses: 0,
      foregroundChanges: 0,
      cursorMoves: 0,
      isForeground: true,
    });
  });

  it('Ctrl+A and then text replaces all', async () => {
    await setText('old text');
    const all = await keys('combo', 'ctrl+a');
    expect(all.outcome.effect).toBe('confirmed');
    expect(await scene.witness.selection(notepad.hwnd, 'Edit')).toEqual({ from: 0, to: 'old text'.length });
    await keys('type', 'all of it');
    expect(await notepad.text()).toBe('all of it');
    expect(await report()).toMatchObject({ keys: 0, chars: 0, focusLosses: 0, foregroundChanges: 0 });
  });

  it('text that replaces the same text shows nothing, whichever way it takes', async () => {
    await client.policy({ flags: ['clipboardWrite'] });
    for (const type of [
      () => keys('type', 'same'),
      () => client.act('type', { text: 'same', viaClipboard: true }),
      async () => (await client.act('activate-window'), keys('type', 'same', { delivery: 'foreground' })),
    ]) {
      await setText('same');
      await keys('combo', 'ctrl+a');
      const { outcome } = await type();
      expect(await notepad.text()).toBe('same');
      expect(outcome).toMatchObject({ effect: 'unverified', readBack: 'verified' });
    }
    await client.policy({ flags: [] });
  });

  it('[method.key] chords joined by + and separated by blanks, case-insensitive, with aliases', async () => {
    await setText('one two');
    expect((await client.act('key', { keySequence: 'End' })).value).toBeNull();
    await client.act('key', { keySequence: 'backspace', repeat: 3 });
    expect(await notepad.text()).toBe('one ');
    await client.act('key', { keySequence: 'HOME Del Return' });
    expect(await notepad.text()).toBe('\r\nne ');
  });

  it('character keys type that character, whatever virtual key has its code', async () => {
    await setText('');
    await client.act('key', { keySequence: 'p . shift+q 7 plus shift+7 ?' });
    expect(await notepad.text()).toBe('p.Q7+&?');
  });

  it('[method.type] type into the window by messages and by the clipboard, whose content comes back', async () => {
    await client.policy({ flags: ['clipboardWrite', 'clipboardRead'] });
    await setText('');
    await client.act('write-clipboard', { text: '  kept, untrimmed \r\n' });
    await client.act('type', { text: 'typed ' });
    await client.act('type', { text: 'and pasted 🦊', viaClipboard: true });
    expect(await notepad.text()).toBe('typed and pasted 🦊');
    expect((await client.act('read-clipboard')).value).toBe('  kept, untrimmed \r\n');
    await client.policy({ flags: [] });
  });

  it('[method.holdKey] a held key is resent until its time is over', async () => {
    await setText('');
    await keys('hold', 'x', { duration: 1 });
    const length = (await notepad.text()).length;
    expect(length).toBeGreaterThan(5);
    await sleep(150);
    expect((await notepad.text()).length).toBe(length);
    await setText('');
    await client.act('hold-key', { keyNames: ['y'], durationMs: 1200 });
    expect(await notepad.text()).toMatch(/^y{3,}$/);
    for (const input of [{ duration: 101 }, { duration: 0 }, { repeat: 101 }, { repeat: 0 }])
      await client.refused('invalid_argument', 'virtual-keyboard', { action: 'hold', text: 'x', ...input });
  });

  it('pressed keys are released by release and by unbinding; releasing a key that is not held is fine', async () => {
    await using controls = await scene.fixture('controls');
    await client.bind({ hwnd: controls.hwnd });
    await controls.tell(`focus ${controlId('EDIT_NAME')}`);
    const shift = (kind: string): any =>
      controls.journal.events({ event: 'key', kind }).find(({ vk }) => vk === 16 || vk === 160);
    await keys('press', 'shift');
    await until(
      () => shift('down'),
      (seen) => seen !== undefined,
    );
    await keys('release', 'shift');
    await until(
      () => shift('up'),
      (seen) => seen !== undefined,
    );
    expect((await keys('release', 'shift')).value).toBe(true);
    controls.journal.mark();
    await keys('press', 'shift');
    await client.act('unbind-from-window');
    await until(
      () => shift('up'),
      (seen) => seen !== undefined,
    );
  });

  it('[gate.held-input] a hold that is cut off by its caller, or by the emergency stop, is still released', async () => {
    await using controls = await scene.fixture('controls');
    await client.bind({ hwnd: controls.hwnd });
    await controls.tell(`focus ${controlId('EDIT_NAME')}`);
    const seen = (kind: string): number =>
      controls.journal.events({ event: 'key', kind }).filter(({ vk }) => vk === 16 || vk === 160).length;
    for (const cut of [
      (leaving: AbortController) => leaving.abort(),
      () => client.operator('/v1/stop', { method: 'POST' }),
    ]) {
      controls.journal.mark();
      const leaving = new AbortController();
      const held = fetch(new URL('/v1/actions/hold-key', scene.host.url), {
        method: 'POST',
        signal: leaving.signal,
        body: JSON.stringify({ keyNames: ['shift'], durationMs: 60_000, deadlineMs: 90_000 }),
        headers: { authorization: `Bearer ${scene.host.agentToken}`, 'content-type': 'application/json' },
      }).catch(() => undefined);
      await until(
        () => seen('down'),
        (count) => count > 0,
        10_000,
      );
      await cut(leaving);
      await held;
      await until(
        () => seen('up'),
        (count) => count > 0,
        10_000,
      );
    }
    await client.operator('/v1/resume', { method: 'POST' });
  });

  it('down and up carry scan code, extended, previous and transition bits', async () => {
    await using controls = await scene.fixture('controls');
    await client.bind({ hwnd: controls.hwnd });
    await controls.tell(`focus ${controlId('EDIT_NAME')}`);
    controls.journal.mark();
    await client.act('key', { keySequence: 'insert' });
    const [down, up] = await until(
      () => controls.journal.events(({ event, vk }) => event === 'key' && vk === 0x2d),
      (seen) => seen.length >= 2,
    );
    expect(down).toMatchObject({
      kind: 'down',
      scan: 0x52,
      extended: true,
      previous: false,
      transition: false,
      context: false,
    });
    expect(up).toMatchObject({ kind: 'up', scan: 0x52, extended: true, previous: true, transition: true });
  });

  it('an accelerator’s command reaches the window without any key', async () => {
    await setText('');
    const done = await client.act('key', { keySequence: 'f5' });
    expect(done.outcome).toMatchObject({ delivery: 'message', effect: 'confirmed' });
    // Notepad writes time and date
    expect(await notepad.text()).toMatch(/\d+:\d\d/);
    expect(await report()).toMatchObject({ keys: 0, chars: 0, foregroundChanges: 0 });
  });

  it('where several fields could be meant and none has the focus, target_ambiguous lists them', async () => {
    await using controls = await scene.fixture('controls');
    await client.bind({ hwnd: controls.hwnd });
    const { candidates } = await client.refused('target_ambiguous', 'virtual-keyboard', {
      action: 'type',
      text: 'where to?',
    });
    expect(candidates!.length).toBeGreaterThan(2);
    // the field that was used last is the target
    await client.act('click-element', { automationId: String(controlId('EDIT_NAME')) });
    await keys('type', '!');
    expect((await controls.dump()).get(controlId('EDIT_NAME'))!['text']).toContain('!');
  });

  it('keys after a key that opened a modal dialog, or that took its own control away, are not sent, and what was sent is reported', async () => {
    await using controls = await scene.fixture('controls');
    const keys = { keySequence: 'space', repeat: 3 };
    const pressed = (id: number): number =>
      controls.journal.events({ event: 'command', id, codeName: 'BN_CLICKED' }).length;
    await client.bind({ hwnd: controls.hwnd });
    await client.policy({ alwaysAsk: [] });

    await controls.tell(`focus ${controlId('VANISH')}`);
    const ambiguous = await client.refused('target_ambiguous', 'key', keys);
    expect(ambiguous).toMatchObject({ delivery: 'delivered', detail: expect.stringContaining('After 1 key') });
    expect(pressed(controlId('VANISH'))).toBe(1);

    await controls.tell(`focus ${controlId('DIALOG')}`);
    const disabled = await client.refused('target_disabled', 'key', { keySequence: 'space space' });
    expect(disabled).toMatchObject({ delivery: 'delivered', detail: expect.stringContaining('After 1 key') });
    const [dialog] = disabled.candidates!;
    await client.bind({ hwnd: dialog!.hwnd! });
    await client.act('click-element', { name: 'Cancel' });
    await controls.journal.waitFor({ event: 'dialog_closed' });
    expect(pressed(controlId('DIALOG'))).toBe(1);
    await client.policy({ alwaysAsk: ['prompts', 'customCommand', 'password', 'financial', 'destructive'] });
  });

  it('a key that needs the focus is refused in a minimised window, and works once it is restored', async () => {
    await using places = await scene.fixture('places');
    await client.bind({ hwnd: places.hwnd });
    await client.act('click-element', { name: 'Target' });
    await client.act('manage-window', { action: 'minimize' });
    const refused = await client.refused('state_conflict', 'key', { keySequence: 'tab' });
    expect(refused).toMatchObject({ delivery: 'not_delivered', hint: expect.stringContaining('manage-window') });
    await client.act('manage-window', { action: 'restore' });
    await client.act('key', { keySequence: 'tab' });
    // No field was clicked in this one: its state comes before a choice among the fields.
    await using controls = await scene.fixture('controls');
    await client.bind({ hwnd: controls.hwnd });
    await client.act('manage-window', { action: 'minimize' });
    expect(await client.refused('target_ambiguous', 'key', { keySequence: 'tab' })).toMatchObject({
      detail: expect.stringContaining('minimised'),
      hint: expect.stringContaining('manage-window'),
    });
  });
});

describe('a combination that needs the key state', () => {
  it('[keyboard.key-state] is seen by the program alone, unverified where it does nothing, and never within a second of a person’s input', async () => {
    await using controls = await scene.fixture('controls');
    await client.bind({ hwnd: controls.hwnd });
    await client.act('click-element', { automationId: String(controlId('EDIT_NAME')) });
    await sentinel.tell('activate');
    await sentinel.tell('reset');
    await person.leave();
    controls.journal.mark();
    const done = await keys('combo', 'ctrl+shift+f9');
    expect(done.outcome).toMatchObject({
      delivery: 'attached',
      effect: 'unverified',
      evidence: [],
      focusChanged: false,
      cursorMoved: false,
    });
    expect(await controls.journal.waitFor({ event: 'key', kind: 'down', vk: 0x78 })).toMatchObject({
      ctrl: true,
      shift: true,
      alt: false,
    });
    await keys('combo', 'f8');
    expect(await controls.journal.waitFor({ event: 'key', kind: 'down', vk: 0x77 })).toMatchObject({
      ctrl: false,
      shift: false,
    });
    expect(await report()).toMatchObject({ keys: 0, chars: 0, focusLosses: 0, foregroundChanges: 0 });
    controls.journal.mark();
    const over = new AbortController();
    const moving = (async () => {
      for (let x = 700; !over.signal.aborted; x += 1) await person.moveMouse(x, 420);
    })();
    const combo = { action: 'combo', text: 'ctrl+shift+f9', deadlineMs: 5000 };
    expect((await client.refused('user_active', 'virtual-keyboard', combo)).delivery).toBe('not_delivered');
    over.abort();
    await moving;
    expect(controls.journal.events({ event: 'key' })).toEqual([]);
  });

  it('waits for a quiet moment where the deadline has one', async () => {
    await using controls = await scene.fixture('controls');
    await client.bind({ hwnd: controls.hwnd });
    await client.act('click-element', { automationId: String(controlId('EDIT_NAME')) });
    await sentinel.tell('activate');
    await person.moveMouse(720, 430);
    const moved = performance.now();
    const done = await keys('combo', 'ctrl+shift+f9');
    expect(done.outcome).toMatchObject({ delivery: 'attached' });
    expect(performance.now() - moved).toBeGreaterThan(900);
    expect(await controls.journal.waitFor({ event: 'key', kind: 'down', vk: 0x78 })).toMatchObject({
      ctrl: true,
      shift: true,
    });
  });
});

it('[binding.parallel] several at once: on one window actions run in order, on different windows side by side', async () => {
  const other = await scene.notepad();
  const [left, right, beside] = [
    new Client(scene.host, 'left'),
    new Client(scene.host, 'right'),
    new Client(scene.host, 'beside'),
  ];
  await left.bind({ hwnd: notepad.hwnd });
  await right.bind({ hwnd: notepad.hwnd });
  await beside.bind({ hwnd: other.hwnd });
  await setText('');
  const hold = (who: Client, key: string): ReturnType<Client['act']> =>
    who.act('hold-key', { keyNames: [key], durationMs: 1000 });
  const over = new AbortController();
  // How often both windows got letters within the same moment: one after the other, that is at a border at most.
  let together = 0;
  const watching = (async () => {
    for (let before = [0, 0]; !over.signal.aborted;) {
      const now = [(await notepad.text()).length, (await other.text()).length];
      if (now[0]! > before[0]! && now[1]! > before[1]!) together += 1;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  })();
  const begun = performance.now();
  await Promise.all([hold(left, 'a'), hold(right, 'b'), hold(beside, 'c')]);
  const tookMs = performance.now() - begun;
  over.abort();
  await watching;
  expect(await notepad.text()).toMatch(/^(a+b+|b+a+)$/);
  expect(await other.text()).toMatch(/^c+$/);
  expect(tookMs).toBeGreaterThan(2000);
  expect(together).toBeGreaterThanOrEqual(2);
  await other.program.kill();
});

describe('keys that are refused', () => {
  it('[keys.unknown] an unknown key is invalid_argument with close names', async () => {
    const problem = await client.refused('invalid_argument', 'virtual-keyboard', { action: 'combo', text: 'crtl+s' });
    expect(problem.suggestions).toContain('ctrl');
    expect((await client.refused('invalid_argument', 'key', { keySequence: 'entr' })).suggestions).toContain('enter');
  });

  it('[keys.blocked] system combinations are key_blocked by every route, and nothing is sent', async () => {
    await setText('untouched');
    for (const text of wordsOf`
      alt+f4 Alt+F4 win win+r super+r alt+tab ctrl+esc CTRL+ALT+DELETE ctrl+shift+escape alt+space printscreen
    `) {
      await client.refused('key_blocked', 'virtual-keyboard', { action: 'combo', text });
    }
    await client.refused('key_blocked', 'key', { keySequence: 'ctrl+a alt+f4' });
    await client.refused('key_blocked', 'hold-key', { keyNames: ['alt', 'f4'], durationMs: 50 });
    await client.refused('key_blocked', 'virtual-keyboard', { action: 'press', text: 'alt+f4' });
    await client.refused('key_blocked', 'batch', { steps: [{ action: 'key', input: { keySequence: 'alt+f4' } }] });
    await client.act('unbind-from-window');
    await client.refused('key_blocked', 'key', { keySequence: 'win+r' });
    await client.bind({ hwnd: notepad.hwnd });
    expect(await notepad.text()).toBe('untouched');
  });

  it('[keys.stop] the stop hotkey is refused whatever is granted', async () => {
    await client.policy({ flags: ['systemKeyCombos'] });
    await client.refused('key_blocked', 'key', { keySequence: 'ctrl+alt+shift+esc' });
    await client.policy({ flags: [] });
  });
});

describe('into the foreground', () => {
  it('[method.activateWindow] asked for, keys are real input, once the window is in front', async () => {
    await setText('');
    await person.leave();
    const refusal = await client.refused('state_conflict', 'virtual-keyboard', {
      action: 'type',
      text: 'elsewhere',
      delivery: 'foreground',
    });
    expect(refusal.delivery).toBe('not_delivered');
    expect(await report()).toMatchObject({ keys: 0, chars: 0 });
    expect(await client.act('activate-window')).toMatchObject({
      value: true,
      outcome: { focusChanged: true, cursorMoved: false },
    });
    expect((await scene.witness.where()).foreground).toBe(notepad.hwnd);
    await person.leave();
    const done = await keys('type', 'really', { delivery: 'foreground' });
    expect(done.outcome).toMatchObject({ delivery: 'input' });
    await until(
      () => notepad.text(),
      (text) => text === 'really',
    );
  });

  it('[exit.keys] [exit.keyboard] a text that may press a button is asked about, by itself and after a key that opens a menu, in whatever session', async () => {
    const labels = await scene.fixture('labels', { args: ['--every', '0'] });
    const real = { delivery: 'foreground' } as const;
    let sessions = 0;
    const isAsked = async (name: string, input: object): Promise<void> => {
      const own = new Client(scene.host, `asked-${++sessions}`);
      await own.bind({ hwnd: labels.hwnd });
      const { actionId, card } = await own.pending(name, input);
      expect(card.riskTags, `${name} ${JSON.stringify(input)}`).toContain('destructive');
      await own.decide(card.approvalId, 'deny');
      await own.ended(actionId);
    };
    await client.bind({ hwnd: labels.hwnd });
    await client.act('activate-window');
    await client.act('click-element', { name: 'Reason' });
    for (const [name, input] of [
      ['type-into-element', { name: 'Reason', text: 'x\n', ...real }],
      ['type', { text: 'x\n', ...real }],
      ['virtual-keyboard', { action: 'type', text: 'x\n', ...real }],
      ['key', { keySequence: 'enter', ...real }],
    ] as const)
      await isAsked(name, input);
    const texts = [
      ['type', { text: 'd', ...real }],
      ['virtual-keyboard', { action: 'type', text: 'd', ...real }],
      ['key', { keySequence: 'd', ...real }],
    ] as const;
    await person.leave();
    await client.act('key', { keySequence: 'alt', ...real });
    for (const [name, input] of texts) await isAsked(name, input);
    await person.leave();
    await client.act('key', { keySequence: 'escape', ...real });
    for (const [name, input] of texts) await client.act(name, input);
    await labels.tell('label Save');
    expect(labels.journal.events({ event: 'press' })).toEqual([]);
    await sentinel.tell('activate');
  });

  it('[foreground.yields] a person who uses the machine goes first: user_active', async () => {
    await setText('');
    const call = { isOver: false };
    const refused = client
      .refused('user_active', 'virtual-keyboard', {
        action: 'type',
        text: 'over them',
        delivery: 'foreground',
        deadlineMs: 1500,
      })
      .finally(() => {
        call.isOver = true;
      });
    for (let step = 0; !call.isOver; step += 1) await person.moveMouse(640 + (step % 20), 400);
    expect((await refused).delivery).toBe('not_delivered');
    expect(await notepad.text()).toBe('');
  });

  it('[foreground.yields] real input waits for a pause of a person who has just moved the mouse', async () => {
    await setText('');
    await client.act('activate-window');
    await person.moveMouse(641, 401);
    await client.act('virtual-keyboard', { action: 'type', text: 'after them', delivery: 'foreground' });
    await until(
      () => notepad.text(),
      (text) => text === 'after them',
    );
  });

  it('[foreground.yields] a held key is released when a person begins to use the machine', async () => {
    await setText('');
    await client.act('activate-window');
    await person.leave();
    const length = async (): Promise<number> => (await notepad.text()).length;
    let isOver = false;
    const held = client
      .refused('user_active', 'virtual-keyboard', {
        action: 'hold',
        text: 'x',
        duration: 60,
        deadlineMs: 90_000,
        delivery: 'foreground',
      })
      .finally(() => {
        isOver = true;
      });
    await until(length, (letters) => letters >= 3, 15_000);
    // A hand on the mouse never moves it only once.
    await until(
      async () => {
        for (const x of [640, 660]) await person.moveMouse(x, 400);
      },
      () => isOver,
      30_000,
    );
    expect(await held).toMatchObject({
      delivery: 'delivered',
      detail: expect.stringMatching(/down messages\) and have been released/),
    });
    const letters = await length();
    await person.leave();
    expect(await length()).toBe(letters);
  });
});
