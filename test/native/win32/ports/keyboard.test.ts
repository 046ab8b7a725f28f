/** The port of the keyboard on a real desktop: text that is stopped, and real input. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { UiaHostError } from '../../../../src/contract/errors.ts';
import type { CallContext } from '../../../../src/desktop/index.ts';
import { createBindingPort } from '../../../../src/win32/ports/binding.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { personIdleMs } from '../../../../src/win32/windows/person.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { createKeyboardPort } from '../../../../src/win32/ports/input.ts';
import { createWin32Services } from '../../../../src/win32/ports/services.ts';
import { refusal } from '../support/elements.ts';
import { Fixture, newCall, type JournalEntry } from '../support/programs.ts';
import { until } from '../../../support/until.ts';

const services = createWin32Services();
const binding = createBindingPort(services);
const keyboard = createKeyboardPort(services, { held: new HeldInputs(), focus: new FocusMemory() });

let front: Fixture;
let back: Fixture;
let record: BindingRecord;
const bind = (fixture: Fixture): Promise<BindingRecord> => binding.find({ hwnd: String(fixture.hwnd) }, newCall());

beforeAll(async () => {
  back = await Fixture.start('sentinel', ['--x', '40', '--y', '40']);
  front = await Fixture.start('sentinel', ['--x', '500', '--y', '40', '--activate']);
  await until(() => user32.GetForegroundWindow() === front.hwnd, 'the foreground');
  record = await bind(back);
});
beforeEach(async () => {
  // A test that failed may have left the other in front.
  if (user32.GetForegroundWindow() !== front.hwnd) await front.tell('activate');
  await until(() => user32.GetForegroundWindow() === front.hwnd, 'the foreground');
  // New windows under the cursor count as input on Wine.
  await until(() => personIdleMs() > 1100, 'a second without a person');
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  await back[Symbol.asyncDispose]();
});

/** A call with something that happens at each look at its signal. */
function lookedAt(onLook: (seen: number, controller: AbortController) => void): CallContext {
  let seen = 0;
  const controller = new AbortController();
  const signal = new Proxy(controller.signal, {
    get(target, name) {
      if (name === 'aborted') onLook((seen += 1), controller);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return newCall({ signal });
}

/** A call that is looked at `looks` times before it is aborted, or in which `then` happens at that look. */
const stopsAfter = (looks: number, then?: () => void): CallContext =>
  lookedAt((seen, controller) => {
    if (seen === looks + 1) (then ?? (() => controller.abort()))();
  });

const textOf = (entries: readonly JournalEntry[]): string =>
  String.fromCharCode(...entries.filter(({ event }) => event === 'char').map((entry) => entry['code'] as number));

describe('typing that is stopped', () => {
  it('[typing.abort-count] is stopped between grapheme clusters, and the error says how many were typed', async () => {
    const family = '👩‍👩‍👧';
    const before = back.journal().length;
    const stopped = await refusal(
      keyboard.typeText(record, family.repeat(40), { viaClipboard: false, delivery: 'background' }, stopsAfter(20)),
      'cancelled',
    );
    expect(stopped.delivery).toBe('delivered');
    // The program has taken that many: nothing is on its way any more.
    const said = Number(/(\d+) characters were typed/.exec(stopped.message)?.[1]);
    expect(said).toBeGreaterThan(0);
    expect(said).toBeLessThan(20);
    expect(textOf(back.journal().slice(before))).toBe(family.repeat(said));
    expect(
      await refusal(
        keyboard.typeText(record, family, { viaClipboard: false, delivery: 'background' }, stopsAfter(0)),
        'cancelled',
      ),
    ).toMatchObject({ delivery: 'not_delivered' });
  });

  it('[typing.abort-count] real input too: unsent characters are not counted', async () => {
    const before = front.journal().length;
    const own = await bind(front);
    // The first twenty go out together; the look that stops it comes among the next ones.
    const stopped = await refusal(
      keyboard.typeText(own, 'é̂'.repeat(60), { viaClipboard: false, delivery: 'foreground' }, stopsAfter(33)),
      'cancelled',
    );
    const said = Number(/(\d+) characters were typed/.exec(stopped.message)?.[1]);
    expect(said).toBe(20);
    await until(() => textOf(front.journal().slice(before)).length >= 40, 'what was typed');
    expect(textOf(front.journal().slice(before))).toBe('é̂'.repeat(20));
  });
});

it('[foreground.recheck] real input: checks the foreground at least every 20 characters: the rest reaches no other program', async () => {
  const own = await bind(front);
  const [mine, theirs] = [front.journal().length, back.journal().length];
  const turn = (): void => {
    user32.SetForegroundWindow(back.hwnd);
  };
  const stopped = await refusal(
    keyboard.typeText(own, 'a'.repeat(100), { viaClipboard: false, delivery: 'foreground' }, stopsAfter(30, turn)),
    'state_conflict',
  );
  expect(stopped).toMatchObject({
    delivery: 'delivered',
    message: expect.stringMatching(/\b(20|40) were sent before/),
  });
  // Not all that was sent before the turn need arrive: Windows gives waiting input to the program that has the
  // foreground then.
  await front.tell('activate');
  await until(() => user32.GetForegroundWindow() === front.hwnd, 'the foreground');
  await back.tell('report');
  const leaked = textOf(back.journal().slice(theirs)).length;
  expect(leaked).toBeLessThanOrEqual(20);
  expect(textOf(front.journal().slice(mine)).length + leaked).toBeLessThanOrEqual(40);
});

const judgedFor = async (fixture: Fixture, more: Partial<BindingRecord> = {}): Promise<CallContext> => ({
  ...newCall(),
  permit: { exits: [], target: { window: { ...(await bind(fixture)), ...more }, element: null }, start: null },
});

it.each([
  ['background', true],
  ['foreground', true],
  ['foreground', false],
] as const)(
  '[page.own] keys that lead a browser to the page of the host: stop there: the rest is not sent (%s, bound: %s)',
  async (delivery, isBound) => {
    const bound = isBound ? await bind(front) : null;
    const before = front.journal().length;
    const arrived = (): string => textOf(front.journal().slice(before));
    const { signal } = lookedAt(() => {
      if (arrived().length >= 2) user32.SetWindowTextW(front.hwnd, 'uiahost page – Browser');
    });
    const letters = 'abcdefghijklmnopqrst';
    const call = isBound ? newCall({ signal }) : { ...(await judgedFor(front)), signal };
    const stopped = await refusal(keyboard.chords(bound, [...letters], 1, delivery, call), 'target_not_found');
    expect(stopped).toMatchObject({ delivery: 'delivered' });
    const sent = Number(/after (\d+) key combinations/.exec(stopped.message)?.[1]);
    expect(sent).toBeLessThan(letters.length);
    await until(() => arrived().length >= sent, 'what was sent');
    expect(arrived()).toBe(letters.slice(0, sent));
    await front.tell('title Sentinel');
  },
);

describe('real input without a binding', () => {
  const chars = (fixture: Fixture, from: number): string => textOf(fixture.journal().slice(from));

  it('[unbound.bound-in] goes to the window that was judged, and to no other that came to the front', async () => {
    const [mine, theirs] = [front.journal().length, back.journal().length];
    await keyboard.typeText(null, 'ab', { viaClipboard: false, delivery: 'foreground' }, await judgedFor(front));
    await keyboard.chords(null, ['c', 'd'], 1, 'foreground', await judgedFor(front));
    await until(() => chars(front, mine) === 'abcd', 'what was typed');
    const other = await judgedFor(back);
    const refused = [
      await refusal(
        keyboard.typeText(null, 'x', { viaClipboard: false, delivery: 'foreground' }, other),
        'state_conflict',
      ),
      await refusal(
        keyboard.typeText(null, 'x', { viaClipboard: true, delivery: 'foreground' }, other),
        'state_conflict',
      ),
      await refusal(keyboard.chords(null, ['x'], 1, 'foreground', other), 'state_conflict'),
      await refusal(keyboard.press(null, ['shift'], 'foreground', other), 'state_conflict'),
      await refusal(keyboard.hold(null, ['x'], 100, 'foreground', other), 'state_conflict'),
      // The same handle, and another process behind it.
      await refusal(
        keyboard.typeText(
          null,
          'x',
          { viaClipboard: false, delivery: 'foreground' },
          await judgedFor(front, { processCreated: '1' }),
        ),
        'window_gone',
      ),
      await refusal(
        keyboard.typeText(null, 'x', { viaClipboard: false, delivery: 'foreground' }, newCall()),
        'state_conflict',
      ),
    ];
    for (const error of refused) expect(error).toMatchObject({ delivery: 'not_delivered' });
    await front.tell('report');
    await back.tell('report');
    expect([chars(front, mine), chars(back, theirs)]).toEqual(['abcd', '']);
  });

  it('[unbound.bound-in] stops between two keys when another window comes to the front, and reports how many were sent', async () => {
    const theirs = back.journal().length;
    const call = {
      ...stopsAfter(3, () => {
        user32.SetForegroundWindow(back.hwnd);
      }),
      permit: (await judgedFor(front)).permit,
    };
    const stopped = await refusal(
      keyboard.chords(
        null,
        Array.from({ length: 40 }, () => 'z'),
        1,
        'foreground',
        call,
      ),
      'state_conflict',
    );
    const sent = Number(/\b(\d+) were sent before/.exec(stopped.message)?.[1]);
    expect(stopped.delivery).toBe('delivered');
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(40);
    await back.tell('report');
    expect(chars(back, theirs).length).toBeLessThanOrEqual(1);
  });

  it('[unbound.judged] the window in front is answered as a record, and the bare desktop as none', async () => {
    expect(await binding.front(null, newCall())).toEqual(await bind(front));
    // Only its own dialog takes the place of a bound window.
    expect(await binding.front(record, newCall())).toEqual(record);
  });
});

it('[gate.held-input] a key that is held is released in time when the deadline comes first, or when the call is stopped', async () => {
  const shifts = (from: number): unknown[] =>
    back
      .journal()
      .slice(from)
      .filter(({ event, vk }) => event === 'key' && (vk === 0x10 || vk === 0xa0))
      .map(({ kind }) => kind);
  let before = back.journal().length;
  expect(
    await refusal(
      keyboard.hold(record, ['shift'], 60_000, 'background', newCall({ deadlineMs: 600 })),
      'deadline_exceeded',
    ),
  ).toMatchObject({ delivery: 'delivered', message: expect.stringMatching(/of 60000 ms.*released/) });
  await until(() => shifts(before).length === 2, 'the release');
  expect(shifts(before)).toEqual(['down', 'up']);
  before = back.journal().length;
  const controller = new AbortController();
  const holding = refusal(
    keyboard.hold(record, ['shift'], 60_000, 'background', newCall({ deadlineMs: 90_000, signal: controller.signal })),
    'cancelled',
  );
  await until(() => shifts(before).length === 1, 'the press');
  controller.abort();
  await holding;
  await until(() => shifts(before).length === 2, 'the release');
});

describe('a key that is held by real input', () => {
  const keysOf = (fixture: Fixture, from: number): JournalEntry[] =>
    fixture
      .journal()
      .slice(from)
      .filter(({ event }) => event === 'key');
  type Held = { stopped: UiaHostError; mine: () => JournalEntry[]; theirs: JournalEntry[] };
  /** Wine compares the keyboard's state as a window comes to the front, and may do so late: that is input, which is yielded to first. */
  const held = async (keys: readonly string[], attempts = 4): Promise<Held> => {
    await until(() => personIdleMs() > 1100, 'a second without a person');
    const own = await bind(front);
    const [mine, theirs] = [front.journal().length, back.journal().length];
    const holding = keyboard.hold(own, keys, 60_000, 'foreground', newCall({ deadlineMs: 90_000 })).then(
      () => {
        throw new Error('it was held to the end');
      },
      (error: UiaHostError) => error,
    );
    await until(() => keysOf(front, mine).length >= (keys.includes('x') ? 4 : 1), 'the held key');
    user32.SetForegroundWindow(back.hwnd);
    const stopped = await holding;
    await back.tell('report');
    const got = keysOf(back, theirs);
    await front.tell('activate');
    await until(() => user32.GetForegroundWindow() === front.hwnd, 'the foreground');
    if (stopped.code === 'user_active' && attempts > 1) return held(keys, attempts - 1);
    expect(stopped.code).toBe('state_conflict');
    return { stopped, mine: () => keysOf(front, mine), theirs: got };
  };

  it('[foreground.recheck] is released when another window comes to the front, which gets no key', async () => {
    const { stopped, mine, theirs } = await held(['x']);
    expect(stopped).toMatchObject({
      delivery: 'delivered',
      message: expect.stringMatching(/\(\d+ down messages\) and have been released/),
    });
    expect(mine().filter(({ kind }) => kind === 'down').length).toBeGreaterThanOrEqual(4);
    // No more than the release of what was down, and what Windows still had to hand out when the window came to the front.
    expect(theirs.filter(({ kind }) => kind !== 'up').length).toBeLessThanOrEqual(1);
    expect(user32.GetAsyncKeyState(0x58) & 0x8000).toBe(0);
  });

  it('[foreground.recheck] a modifier as well, which is not resent', async () => {
    const { stopped, theirs } = await held(['shift']);
    expect(stopped).toMatchObject({ delivery: 'delivered' });
    expect(theirs.filter(({ kind }) => kind !== 'up')).toEqual([]);
    expect(user32.GetAsyncKeyState(0x10) & 0x8000).toBe(0);
  });
});

describe('key combinations in the background', () => {
  it('[keyboard.key-state] the last way sets the target’s key state while it takes the key, and puts it back', async () => {
    const [before, mine] = [back.journal().length, front.journal().length];
    const { outcome } = await keyboard.chords(record, ['ctrl+shift+f9'], 1, 'background', newCall());
    expect(outcome).toMatchObject({ delivery: 'attached', focusChanged: false, cursorMoved: false });
    const f9 = (): JournalEntry[] =>
      back
        .journal()
        .slice(before)
        .filter(({ event, vk }) => event === 'key' && vk === 0x78);
    await until(() => f9().length === 2, 'the key');
    expect(f9()[0]).toMatchObject({ kind: 'down', ctrl: true, shift: true, alt: false, origin: 'none' });
    // The next key of that thread, and ours, know nothing of it.
    await keyboard.chords(record, ['f8'], 1, 'background', newCall());
    const next = await until(
      () =>
        back
          .journal()
          .slice(before)
          .find(({ event, vk }) => event === 'key' && vk === 0x77),
      'the next key',
    );
    expect(next).toMatchObject({ ctrl: false, shift: false, alt: false });
    expect(user32.GetKeyState(0x11) & 0x8000).toBe(0);
    expect(
      front
        .journal()
        .slice(mine)
        .filter(({ event }) => event === 'key' || event === 'char'),
    ).toEqual([]);
  });

  it('keys with Alt arrive as system keys, with the context bit', async () => {
    const before = back.journal().length;
    await keyboard.chords(record, ['alt+x'], 1, 'background', newCall());
    const x = (): JournalEntry[] =>
      back
        .journal()
        .slice(before)
        .filter(({ event, vk }) => event === 'key' && vk === 0x58);
    await until(() => x().length === 2, 'the key');
    expect(x().map(({ kind, context, transition }) => [kind, context, transition])).toEqual([
      ['sysdown', true, false],
      ['sysup', true, true],
    ]);
  });

  it('a program that does nothing with it leaves the effect unverified', async () => {
    const { value, outcome } = await keyboard.chords(record, ['ctrl+shift+f7'], 1, 'background', newCall());
    expect(value).toBe(true);
    expect(outcome).toMatchObject({ effect: 'unverified', evidence: [] });
  });

  it('never for the window in the foreground: with no person at the keyboard, real keys go to its focus', async () => {
    const own = await bind(front);
    const mine = front.journal().length;
    const { outcome } = await keyboard.chords(own, ['ctrl+shift+f9'], 1, 'background', newCall());
    expect(outcome).toMatchObject({ delivery: 'input', focusChanged: false, cursorMoved: false });
    const f9 = (): JournalEntry[] =>
      front
        .journal()
        .slice(mine)
        .filter(({ event, vk }) => event === 'key' && vk === 0x78);
    await until(() => f9().length === 2, 'the key');
    expect(f9()[0]).toMatchObject({ kind: 'down', ctrl: true, shift: true, alt: false, origin: 'injected' });
    expect(user32.GetAsyncKeyState(0x11) & 0x8000).toBe(0);
  });
});
