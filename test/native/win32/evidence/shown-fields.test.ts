/** Results that programs write into the text fields of their windows; the program's journal is the second witness. */
import { expect, test } from 'vitest';
import { WM_SETTEXT } from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { Outcome } from '../../../../src/contract/outcome.ts';
import { Elements } from '../support/elements.ts';
import { Fixture } from '../support/programs.ts';

const NAME = 201;
const PASSWORD = 205;
const NOTES = 207;
const SERIAL = 209;
const BUTTON = 102;

interface Pressed extends AsyncDisposable {
  press(): Promise<Outcome>;
  write(id: number, text: string): void;
}

/** Presses “Default action”, which shows nothing by itself. @param tick called every few milliseconds once it is pressed */
async function pressed(tick: (write: Pressed['write'], sinceMs: number) => void): Promise<Pressed> {
  const fixture = await Fixture.start('controls', []);
  const elements = await Elements.bind(fixture.hwnd);
  const write = (id: number, text: string): void => {
    const field = user32.GetDlgItem(fixture.hwnd, id);
    const units = Buffer.from(`${text}\0`, 'utf16le');
    user32.SendMessageTimeoutW(field, WM_SETTEXT, 0, units, 0, 1000, Buffer.alloc(8));
  };
  return {
    write,
    async press() {
      let since: number | null = null;
      const isPressed = (): boolean => fixture.journal().some(({ event, id }) => event === 'command' && id === BUTTON);
      const timer = setInterval(() => {
        if (since === null && isPressed()) since = performance.now();
        if (since !== null) tick(write, performance.now() - since);
      }, 15);
      try {
        return (await elements.click({ name: 'Default action' })).outcome;
      } finally {
        clearInterval(timer);
      }
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/** Only the first call with each number does something. */
function once(): (id: number, run: () => void) => void {
  const done = new Set<number>();
  return (id, run) => {
    if (done.has(id)) return;
    done.add(id);
    run();
  };
}

test('a result in a field that takes no typing confirms the press', async () => {
  const only = once();
  await using program = await pressed((write) => only(SERIAL, () => write(SERIAL, 'SN-0043')));
  expect(await program.press()).toMatchObject({
    effect: 'confirmed',
    evidence: [{ kind: 'text', before: 'SN-0042', after: 'SN-0043', element: expect.stringContaining('Edit') }],
    focusChanged: false,
  });
});

test('a result in a field that people type into confirms too; for a long text the evidence shows where it differs', async () => {
  const only = once();
  const page = 'line of text\r\n'.repeat(100);
  await using program = await pressed((write) => only(NOTES, () => write(NOTES, `${page}Saved.`)));
  program.write(NOTES, page);
  const { effect, evidence } = await program.press();
  expect([effect, evidence[0]?.kind]).toEqual(['confirmed', 'text']);
  expect(evidence[0]?.after).toContain('Saved.');
  expect(String(evidence[0]?.after).length).toBeLessThan(300);
});

test('a text that is too long to compare counts by its length', async () => {
  const only = once();
  const book = 'line of text\r\n'.repeat(3000);
  await using program = await pressed((write) => only(NOTES, () => write(NOTES, `${book}End`)));
  program.write(NOTES, book);
  expect(await program.press()).toMatchObject({
    effect: 'confirmed',
    evidence: [{ kind: 'text-length', before: book.length, after: book.length + 3 }],
  });
});

test('[outcome.confirmed] neither a field that keeps changing nor a clock’s first tick is evidence', async () => {
  let ticks = 0;
  await using busy = await pressed((write) => write(SERIAL, `${(ticks += 1)} of 9000`));
  expect(await busy.press()).toMatchObject({ effect: 'unverified', evidence: [] });
  expect(ticks).toBeGreaterThan(10);
  const seconds = once();
  await using clock = await pressed((write, since) => {
    const second = Math.floor(since / 1000);
    seconds(second, () => write(SERIAL, `0:0${second}`));
  });
  expect(await clock.press()).toMatchObject({ effect: 'unverified', evidence: [] });
});

test('next to a clock, the field that stays is the evidence', async () => {
  const only = once();
  let ticks = 0;
  await using program = await pressed((write) => {
    write(NAME, `${(ticks += 1)}`);
    only(SERIAL, () => write(SERIAL, 'done'));
  });
  expect(await program.press()).toMatchObject({
    effect: 'confirmed',
    evidence: [{ kind: 'text', before: 'SN-0042', after: 'done' }],
  });
});

test('a password field is never read', async () => {
  const only = once();
  await using program = await pressed((write) => only(PASSWORD, () => write(PASSWORD, 'another s3cret')));
  const outcome = await program.press();
  expect(outcome).toMatchObject({ effect: 'unverified', evidence: [] });
  expect(JSON.stringify(outcome)).not.toContain('s3cret');
});
