/** Typing into a text control that a program draws itself. */
import { describe, expect, it } from 'vitest';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { createKeyboardPort } from '../../../../src/win32/ports/input.ts';
import type { Done } from '../../../../src/desktop/index.ts';
import { collecting, Elements, only, refusal } from '../support/elements.ts';
import { Fixture, newCall, type JournalEntry } from '../support/programs.ts';
import { until } from '../../../support/until.ts';

const VIEW = { automationId: '350' };
const { isNative } = collecting;

/** What the editor holds, by its own account. */
async function held(fixture: Fixture): Promise<JournalEntry> {
  const before = fixture.journal().filter(({ event }) => event === 'dumped').length;
  await fixture.tell('dump');
  await until(() => fixture.journal().filter(({ event }) => event === 'dumped').length > before, 'the dump');
  return fixture.journal().findLast(({ event }) => event === 'text')!;
}

const viewOf = async (elements: Elements): Promise<number> =>
  Number((await elements.context(VIEW)).element!.identity.replace('hwnd:', ''));

function keyboardOn(view: number, elements: Elements, hwnd: number): ReturnType<typeof createKeyboardPort> {
  const focus = new FocusMemory();
  focus.remember(hwnd, view, 'test/default');
  return createKeyboardPort(elements.services, { held: new HeldInputs(), focus });
}

/** Types into the editor as the next keys after a click into it would. */
async function keys(elements: Elements, hwnd: number, text: string): Promise<Done<boolean>> {
  return keyboardOn(await viewOf(elements), elements, hwnd).typeText(
    elements.record,
    text,
    { viaClipboard: false, delivery: 'background' },
    newCall(),
  );
}

describe('a text control of a program’s own', () => {
  it('is a document with its text in a snapshot', async () => {
    await using fixture = await Fixture.start('editor', ['--lines', '3']);
    const elements = await Elements.bind(fixture.hwnd);
    expect(only(await elements.nodes(), { id: '350' })).toMatchObject({
      controlType: 'Document',
      value: 'line 0\r\nline 1\r\nline 2\r\n',
    });
  });

  it.each([
    ['crlf', '\r\n'],
    ['lf', '\n'],
    ['cr', '\r'],
  ])('Enter, Tab and Backspace arrive as keys: lines end as the editor’s mode (%s) says', async (mode, end) => {
    await using fixture = await Fixture.start('editor', ['--ends', mode]);
    const elements = await Elements.bind(fixture.hwnd);
    const text = 'int a;\nint\tb;;\b\n’ 🦊\r\n';
    const wanted = ['int a;', 'int\tb;', '’ 🦊', ''].join(end);
    const { outcome } = await keys(elements, fixture.hwnd, text);
    expect((await held(fixture))['text']).toBe(wanted);
    // Whether a CR ends the lines of an empty text is unknown.
    if (mode === 'cr') expect(outcome).toMatchObject({ effect: 'unverified', readBack: 'mismatch' });
    else expect(outcome).toMatchObject({ effect: 'confirmed', readBack: expect.stringMatching(/verified|normalised/) });
  });

  it('a tab arrives after a key that the editor took for itself', async () => {
    await using fixture = await Fixture.start('editor', ['--lines', '2']);
    const elements = await Elements.bind(fixture.hwnd);
    expect((await keys(elements, fixture.hwnd, '\b')).outcome.effect).toBe('unverified');
    expect((await keys(elements, fixture.hwnd, 'fresh\tcontent\n')).outcome).toMatchObject({ effect: 'confirmed' });
    expect((await held(fixture))['text']).toBe('fresh\tcontent\r\nline 0\r\nline 1\r\n');
  });

  it.each([
    ['crlf', '\r\n'],
    ['lf', '\n'],
    ['cr', '\r'],
  ])('is typed into: in the place of what it holds, behind it, and emptied (%s)', async (mode, end) => {
    await using fixture = await Fixture.start('editor', ['--lines', '3', '--ends', mode]);
    const elements = await Elements.bind(fixture.hwnd);
    const before = ['line 0', 'line 1', 'line 2', ''].join(end);
    expect(await elements.type(VIEW, 'END\n', { mode: 'append' })).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', delivery: 'posted' },
    });
    expect((await held(fixture))['text']).toBe(`${before}END${end}`);
    expect(await elements.type(VIEW, 'ünd\tso\nweiter 🦊')).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed' },
    });
    expect((await held(fixture))['text']).toBe(`ünd\tso${end}weiter 🦊`);
    expect(await elements.type(VIEW, '!', { mode: 'append' })).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', readBack: 'verified' },
    });
    expect(await elements.type(VIEW, '')).toMatchObject({ value: true, outcome: { effect: 'confirmed' } });
    expect((await held(fixture))['text']).toBe('');
  });

  it('text appended to a large file goes to its end, and the evidence shows it', async () => {
    await using fixture = await Fixture.start('editor', ['--lines', '9000']);
    const elements = await Elements.bind(fixture.hwnd);
    const { value, outcome } = await elements.type(VIEW, 'END', { mode: 'append' });
    expect(value).toBe(true);
    expect(outcome.evidence[0]).toMatchObject({
      kind: 'value',
      before: expect.stringMatching(/^….*line 8999\r\n$/s),
      after: expect.stringMatching(/^….*line 8999\r\nEND$/s),
    });
    expect((await held(fixture))['text']).toMatch(/line 8999\r\nEND$/);
  });

  it('[outcome.confirmed] a key’s effect shows in its text and its caret', async () => {
    await using fixture = await Fixture.start('editor', ['--lines', '3']);
    const elements = await Elements.bind(fixture.hwnd);
    const press = async (chord: string): Promise<Done<boolean>> =>
      keyboardOn(await viewOf(elements), elements, fixture.hwnd).chords(
        elements.record,
        [chord],
        1,
        'background',
        newCall(),
      );
    expect((await press('delete')).outcome).toMatchObject({
      effect: 'confirmed',
      evidence: expect.arrayContaining([{ kind: 'text-length', before: 24, after: 23 }]),
    });
    expect((await press('right')).outcome).toMatchObject({
      effect: 'confirmed',
      evidence: expect.arrayContaining([{ kind: 'selection', before: [0, 0], after: [1, 1] }]),
    });
    expect((await press('enter')).outcome).toMatchObject({
      effect: 'confirmed',
      evidence: expect.arrayContaining([{ kind: 'text-length', before: 23, after: 25 }]),
    });
    expect((await press('insert')).outcome.effect).toBe('unverified');
  });

  it('a text is pasted into it, with the line ends of its mode', async () => {
    await using fixture = await Fixture.start('editor', ['--lines', '2', '--ends', 'lf', '--indent']);
    const elements = await Elements.bind(fixture.hwnd);
    const keyboard = keyboardOn(await viewOf(elements), elements, fixture.hwnd);
    const { outcome } = await keyboard.typeText(
      elements.record,
      'if (a)\r\n  b();\r\n  c();\r\n',
      { viaClipboard: true, delivery: 'background' },
      newCall(),
    );
    expect(outcome).toMatchObject({ effect: 'confirmed', delivery: 'clipboard', attempts: [{ reason: 'WM_PASTE' }] });
    expect((await held(fixture))['text']).toBe('if (a)\n  b();\n  c();\nline 0\nline 1\n');
  });

  it('text that is put in keeps only its own indents; typed text also gets the program’s, which can be seen', async () => {
    await using fixture = await Fixture.start('editor', ['--indent', '--ends', 'lf']);
    const elements = await Elements.bind(fixture.hwnd);
    const text = 'if (ä)\n  b();\n\n\tc();\n  d();\n';
    expect(await elements.type(VIEW, text)).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', readBack: 'verified' },
    });
    expect((await held(fixture))['text']).toBe(text);
    await elements.type(VIEW, '');
    expect((await keys(elements, fixture.hwnd, '  a\n  b')).outcome).toMatchObject({
      effect: 'unverified',
      readBack: 'mismatch',
      evidence: [{ kind: 'text', before: '', after: '  a\n    b' }],
    });
  });

  it('a control that takes nothing keeps its selection', async () => {
    await using fixture = await Fixture.start('editor', ['--lines', '3', '--locked']);
    await fixture.tell('caret 3');
    const focused: number[] = [];
    const bound = await Elements.bind(fixture.hwnd, {
      focus: {
        find: () => null,
        reportedFocus: () => 0,
        remember: (_bound, child) => {
          focused.push(child);
          return () => {
            focused.splice(focused.indexOf(child), 1);
          };
        },
      },
    });
    expect(await bound.type(VIEW, 'not taken')).toMatchObject({
      value: false,
      outcome: { effect: 'none', readBack: 'mismatch' },
    });
    expect(await held(fixture)).toMatchObject({ text: 'line 0\r\nline 1\r\nline 2\r\n', start: 3, end: 3 });
    // Keys go where the caller last acted.
    expect(focused).toHaveLength(1);
  });

  it('nothing is sent where its caret cannot be placed, and the error names what works', async () => {
    await using fixture = await Fixture.start('editor', ['--lines', '3', '--mute']);
    const elements = await Elements.bind(fixture.hwnd);
    for (const mode of ['append', 'replace'] as const) {
      const error = await refusal(elements.type(VIEW, 'END', { mode }), 'unsupported');
      // a proxy asks the program first, which answers that it did nothing
      expect(error).toMatchObject({
        delivery: isNative ? 'unknown' : 'not_delivered',
        message: expect.stringContaining('caret'),
        hint: expect.stringContaining('virtual-keyboard'),
      });
      expect(error.message).not.toContain('position');
    }
    expect(await held(fixture)).toMatchObject({ text: 'line 0\r\nline 1\r\nline 2\r\n', start: 0, end: 0 });
  });

  it('a CR alone is not a line end where the other lines end differently', async () => {
    await using fixture = await Fixture.start('editor', ['--lines', '2']);
    const elements = await Elements.bind(fixture.hwnd);
    // A program that writes another line's end than its file has.
    const CR = 122;
    const WM_COMMAND = 0x0111;
    const { user32 } = await import('../../../../native-bindings/win32/user32.ts');
    user32.SendMessageW(fixture.hwnd, WM_COMMAND, CR, 0);
    expect(await elements.type(VIEW, '// x\n', { mode: 'append' })).toMatchObject({
      value: false,
      outcome: { effect: 'unverified', readBack: 'mismatch' },
    });
    expect((await held(fixture))['text']).toBe('line 0\r\nline 1\r\n// x\r');
  });
});
