/** Evidence of typing from the state of edit and rich edit controls. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { kernel32 } from '../../../../native-bindings/win32/kernel32.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { createBindingPort } from '../../../../src/win32/ports/binding.ts';
import { placeInText, readEditState } from '../../../../src/win32/evidence/edit-state.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { pasteText } from '../../../../src/win32/input/paste.ts';
import { FocusMemory, type KeyTarget } from '../../../../src/win32/elements/finding/text-target.ts';
import { kindOfWindow } from '../../../../src/win32/windows/window-info.ts';
import { typePosted } from '../../../../src/win32/acting/keyboard-type.ts';
import { createKeyboardPort } from '../../../../src/win32/ports/input.ts';
import { createWin32Services } from '../../../../src/win32/ports/services.ts';
import { startWitness } from '../../../../src/win32/windows/witness.ts';
import { Fixture, newCall } from '../support/programs.ts';

const EM_SETSEL = 0x00b1;
const WM_GETTEXT = 0x000d;
const WM_SETTEXT = 0x000c;
const ES_MULTILINE = 0x0004;
const ES_WANTRETURN = 0x1000;
const RICH_EDIT = 213;

/** Class, the library that brings it, and how many characters a line's end is in its positions. */
const CLASSES = [
  ['Edit', 'user32.dll', 2],
  ['RichEdit', 'riched32.dll', 2],
  ['RichEdit20W', 'riched20.dll', 1],
  ['RICHEDIT50W', 'msftedit.dll', 1],
] as const;

const LINES = ['one', 'two', 'three', '', 'five'];
const TEXT = LINES.join('\r\n');

const made: number[] = [];
/** Characters are sent from another thread: this one takes them as a program's loop does. */
const message = Buffer.alloc(64);
const loop = setInterval(() => user32.PeekMessageW(message, 0, 0, 0, 0), 2);
afterAll(() => clearInterval(loop));
beforeAll(() => {
  for (const [, library] of CLASSES) expect(kernel32.LoadLibraryExW(library, 0, 0)).not.toBe(0);
});
afterEach(() => {
  for (const hwnd of made.splice(0)) user32.DestroyWindow(hwnd);
});

/** A field of this thread, which answers for itself as in any program. */
function field(className: string): KeyTarget {
  const hwnd = user32.CreateWindowExW(0, className, '', ES_MULTILINE | ES_WANTRETURN, 0, 0, 300, 200, 0, 0, 0, null);
  expect(hwnd).not.toBe(0);
  made.push(hwnd);
  user32.SendMessageW(hwnd, WM_SETTEXT, 0, Buffer.from(`${TEXT}\0`, 'utf16le'));
  return { hwnd, thread: kernel32.GetCurrentThreadId(), kind: kindOfWindow(hwnd), foundBy: 'only text control' };
}

function textOf(hwnd: number): string {
  const memory = Buffer.alloc(2048);
  const units = user32.SendMessageW(hwnd, WM_GETTEXT, 1024, memory);
  return memory.toString('utf16le', 0, Number(units) * 2);
}

/** A number of characters into a line. */
type Spot = readonly [line: number, column: number];
/** In the field's own counting. */
const position = ([line, column]: Spot, lineEnd: number): number =>
  LINES.slice(0, line).reduce((sum, { length }) => sum + length + lineEnd, 0) + column;
/** The same in its text. */
const place = (spot: Spot): number => position(spot, 2);

describe.each(CLASSES)('%s with more than one line', (className, _library, lineEnd) => {
  it('reports where the selection is in its text', () => {
    const target = field(className);
    for (const [from, to] of [
      [
        [0, 0],
        [0, 0],
      ],
      [
        [0, 3],
        [0, 3],
      ],
      [
        [1, 0],
        [1, 3],
      ],
      [
        [2, 2],
        [4, 1],
      ],
      [
        [4, 4],
        [4, 4],
      ],
    ] as const) {
      user32.SendMessageW(target.hwnd, EM_SETSEL, position(from, lineEnd), position(to, lineEnd));
      expect(readEditState(target, 1000)).toEqual({ text: TEXT, start: place(from), end: place(to) });
    }
  });

  it.each([
    ['in the middle', [2, 2], [2, 2], 'X'],
    ['at the end', [4, 4], [4, 4], ' more'],
    ['over lines', [1, 1], [4, 2], 'new\nlines'],
    ['at the start', [0, 0], [0, 0], 'a\r\nb'],
  ] as const)('text typed or pasted %s is found again', async (_where, from, to, typed) => {
    const wanted = TEXT.slice(0, place(from)) + typed.replaceAll(/\r?\n/g, '\r\n') + TEXT.slice(place(to));
    const selected = (): KeyTarget => {
      const target = field(className);
      user32.SendMessageW(target.hwnd, EM_SETSEL, position(from, lineEnd), position(to, lineEnd));
      return target;
    };
    const target = selected();
    expect(await typePosted(target, typed, newCall(), startWitness())).toMatchObject({
      effect: 'confirmed',
      readBack: 'verified',
    });
    expect(textOf(target.hwnd)).toBe(wanted);
    const other = selected();
    const { outcome } = await pasteText({ record: null, target: other }, typed, newCall(), startWitness());
    expect(textOf(other.hwnd)).toBe(wanted);
    expect(outcome).toMatchObject({ effect: 'confirmed', readBack: 'verified' });
  });
});

it('bits that filter an edit’s characters mean other things in a rich edit: its text goes in one step', async () => {
  const ES_DISABLENOSCROLL_NOOLEDRAGDROP = 0x2008;
  const ES_UPPERCASE = 0x0008;
  const deliveryTo = async (className: string, style: number): Promise<unknown> => {
    const hwnd = user32.CreateWindowExW(
      0,
      className,
      '',
      ES_MULTILINE | ES_WANTRETURN | style,
      0,
      0,
      300,
      200,
      0,
      0,
      0,
      null,
    );
    made.push(hwnd);
    const target: KeyTarget = {
      hwnd,
      thread: kernel32.GetCurrentThreadId(),
      kind: kindOfWindow(hwnd),
      foundBy: 'only text control',
    };
    return (await typePosted(target, 'some text', newCall(), startWitness())).delivery;
  };
  for (const className of ['RichEdit20W', 'RICHEDIT50W'])
    expect(await deliveryTo(className, ES_DISABLENOSCROLL_NOOLEDRAGDROP), className).toBe('message');
  expect(await deliveryTo('Edit', ES_UPPERCASE)).toBe('posted');
});

it('a place past the end of a text is its end', () => {
  expect([0, 1, 2, 3, 4, 99].map((position) => placeInText('a\r\nb', position))).toEqual([0, 1, 3, 4, 4, 4]);
});

it('a rich edit of another program, as well', async () => {
  await using controls = await Fixture.start('controls');
  const services = createWin32Services();
  const focus = new FocusMemory();
  const keyboard = createKeyboardPort(services, { held: new HeldInputs(), focus });
  const record = await createBindingPort(services).find({ hwnd: String(controls.hwnd) }, newCall());
  const rich = user32.GetDlgItem(controls.hwnd, RICH_EDIT);
  focus.remember(controls.hwnd, rich, 'test/default');
  const type = async (text: string) =>
    (await keyboard.typeText(record, text, { viaClipboard: false, delivery: 'background' }, newCall())).outcome;
  user32.SendMessageW(rich, EM_SETSEL, 0, -1);
  expect(await type('first\nsecond\nthird')).toMatchObject({ effect: 'confirmed', readBack: 'verified' });
  expect(await type(' end')).toMatchObject({ effect: 'confirmed', readBack: 'verified' });
  // After "sec", counted as the control counts.
  user32.SendMessageW(rich, EM_SETSEL, 9, 9);
  expect(await type('X')).toMatchObject({
    effect: 'confirmed',
    readBack: 'verified',
    evidence: [{ after: 'first\r\nsecXond\r\nthird end' }],
  });
});
