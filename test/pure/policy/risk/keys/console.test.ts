/** Prompts and commands are known by what happens, whichever way they are given. */
import { describe, expect, it } from 'vitest';
import type { AppIdentity } from '../../../../../src/contract/element/binding.ts';
import type { ElementContext, ShownConsole } from '../../../../../src/contract/element/element.ts';
import { passGate } from '../../../../../src/policy/gate/gate.ts';
import type { GateSubject } from '../../../../../src/policy/gate/gate-types.ts';
import {
  call,
  installed,
  bound,
  context,
  element,
  failure,
  NOTEPAD,
  TERMINAL,
  testWorld,
  type TestWorld,
} from '../../world.ts';
import { phrasesOf, wordsOf } from '../../../../support/words.ts';

const EXPLORER = installed('C:\\Windows\\explorer.exe', 'Windows Explorer');
const CODE = installed('C:\\Program Files\\Microsoft VS Code\\Code.exe', 'Visual Studio Code');
const PUTTY = installed('C:\\Tools\\putty.exe', 'PuTTY');
const PYTHON = installed('C:\\Python\\python.exe', 'Python');

const keys = (keySequence: string): GateSubject => call('key', { keySequence });
const types = (text: string): GateSubject => call('type', { text });

/** A console that shows this; the cursor is behind the last row. */
function shows(text: string, more: Partial<ShownConsole> = {}): ElementContext {
  const rows = text.split('\n').map((row) => row.padEnd(80));
  const y = rows.length - 1;
  return context(element('Document', 'Text Area'), {
    console: { rows, width: 80, cursor: { x: text.split('\n')[y]?.length ?? 0, y }, isBehind: false, ...more },
  });
}

/** Rows of a table, each named by its first call. */
const named = <T extends readonly [GateSubject, ...unknown[]]>(rows: readonly T[]) =>
  rows.map((row) => [JSON.stringify(row[0].input), ...row] as const);

interface Place {
  readonly app?: AppIdentity;
  readonly className?: string;
  readonly held?: string[];
  readonly alwaysAsk?: TestWorld['policyNow']['alwaysAsk'];
}

function at(
  seen: ElementContext | null,
  {
    app: of = TERMINAL,
    className = 'ConsoleWindowClass',
    held = [],
    alwaysAsk = ['prompts', 'customCommand', 'password', 'financial', 'destructive'],
  }: Place = {},
): TestWorld {
  const world = testWorld({
    policy: { level: 'full', flags: ['clipboardWrite', 'prompts'], alwaysAsk },
    app: of,
    seen,
  });
  world.live = bound(of, { className });
  world.held = held;
  return world;
}

/** Tags of the card that asks; null if no person is asked. */
async function asked(one: GateSubject, world: TestWorld): Promise<readonly string[] | null> {
  await passGate(one, world);
  return world.cards[0]?.riskTags ?? null;
}

const SHELL = shows('C:\\Users\\ann>');
const TYPED = shows('C:\\Users\\ann>copy plan.txt d:');
const ASKING = shows('Do you want to proceed?\n❯ 1. Yes\n  2. No, and tell Claude what to do differently (esc)');

describe('[command.effect] a line that is sent off in a shell is a custom command', () => {
  it.each(
    named([
      ...['dir\r\n', 'dir\n', 'dir\r'].map((text) => [types(text), SHELL] as const),
      [call('type', { text: 'dir\n', viaClipboard: true }), SHELL],
      [call('virtualKeyboard', { action: 'type', text: 'dir\n' }), SHELL],
      [call('typeIntoElement', { name: 'Text Area', text: 'dir\n' }), SHELL],
      ...wordsOf`enter numpadenter ctrl+m ctrl+j`.map((chord) => [keys(chord), TYPED] as const),
      [call('holdKey', { keyNames: ['enter'], durationMs: 5 }), TYPED],
      [call('virtualKeyboard', { action: 'press', text: 'Return' }), TYPED],
      [call('virtualKeyboard', { action: 'combo', text: 'enter' }), TYPED],
      // From the history; as letters; a line that looks empty; what the screen does not show yet; a block that Enter ends.
      ...['up enter', 'd i r enter', 'enter', 'ctrl+v', 'shift+insert', 'ctrl+shift+v'].map(
        (sequence) => [keys(sequence), SHELL] as const,
      ),
      [keys('enter'), shows('C:\\Users\\ann>', { isBehind: true })],
      [keys('enter'), shows('PS C:\\> foreach ($i in 1..3) {\n>> ')],
      [call('respondToPrompt', { responseType: 'type', text: 'dir' }), SHELL],
      [call('virtualMouse', { action: 'right_click', x: 5, y: 5 }), SHELL],
      [call('click', { x: 5, y: 5, button: 'middle' }), SHELL],
      [keys('alt+numpad1 alt+numpad3'), TYPED],
    ]),
  )('%s', async (_name, one, seen) => {
    expect(await asked(one, at(seen))).toContain('customCommand');
    // Any program in a console, and a shell whatever draws it.
    expect(await asked(one, at(seen, { app: PYTHON }))).toContain('customCommand');
    expect(await asked(one, at(seen, { app: PUTTY, className: 'PuTTY' }))).toContain('customCommand');
  });

  it.each(['Paste', '&Paste', 'Paste anyway', 'Einfügen', 'Coller', '貼り付け(&P)'])('the menu’s %s', async (name) => {
    expect(await asked(call('clickElement', { name }), at(context(element('MenuItem', name))))).toContain(
      'customCommand',
    );
  });

  it('keys that are held already count', async () => {
    expect(await asked(keys('m'), at(TYPED, { held: ['ctrl'] }))).toContain('customCommand');
    expect(await asked(keys('insert'), at(SHELL, { held: ['shift'] }))).toContain('customCommand');
    expect(await asked(types('m'), at(TYPED, { held: ['ctrl'] }))).toContain('customCommand');
  });

  it('the whole line is searched for destructive commands, however it came there', async () => {
    expect(
      await asked(keys('enter'), at(shows('C:\\Users\\ann>del /q /s *'), { alwaysAsk: ['destructive'] })),
    ).toContain('destructive');
    expect(await asked(types(' /s *\n'), at(shows('C:\\Users\\ann>rd /q'), { alwaysAsk: ['destructive'] }))).toContain(
      'destructive',
    );
    expect(
      await asked(types('*\n'), at(shows(`C:\\>echo ${'x'.repeat(70)} & rmdir /s `), { alwaysAsk: ['destructive'] })),
    ).toContain('destructive');
  });

  it('no approval is needed for typing, for reading on, and for commands that an operator allows', async () => {
    for (const one of [
      types('dir'),
      keys('d i r'),
      keys('pageup'),
      keys('left left home'),
      keys('backspace'),
      keys('ctrl+c'),
      call('mouseWheel', { x: 5, y: 5, delta: 1 }),
      call('virtualMouse', { action: 'click', x: 5, y: 5 }),
    ]) {
      expect(await asked(one, at(SHELL)), JSON.stringify(one.input)).toBeNull();
    }
    for (const one of [types('dir\n'), keys('enter'), keys('ctrl+v')])
      expect(await asked(one, at(TYPED, { alwaysAsk: ['prompts', 'destructive'] }))).toBeNull();
    // The same line as shipped: once a command.
    const world = at(SHELL);
    for (const letter of ['d', 'i', 'r']) await passGate(types(letter), world);
    world.seen = shows('C:\\Users\\ann>dir');
    await passGate(keys('enter'), world);
    expect(
      world.cards.map(({ riskTags, allowedScopes }) => [riskTags.includes('customCommand'), allowedScopes]),
    ).toEqual([[true, ['once']]]);
  });

  it('the line is part of the approval: another line when the person answers voids it', async () => {
    const world = at(TYPED);
    world.answer = () => {
      world.seen = shows('C:\\Users\\ann>del plan.txt');
      return {};
    };
    expect((await failure(passGate(keys('enter'), world))).code).toBe('state_conflict');
    // Output above it continues by itself.
    const other = at(shows('12:00:01\nC:\\Users\\ann>dir'));
    other.answer = () => {
      other.seen = shows('12:00:02\nC:\\Users\\ann>dir');
      return {};
    };
    await passGate(keys('enter'), other);
  });
});

describe('programs with arguments, and files that run when opened', () => {
  it.each(phrasesOf`
    cmd /c del * | powershell -Command Remove-Item x | wt -- cmd | explorer.exe x |
    C:\Windows\System32\cmd.exe /c dir | "C:\Windows\System32\cmd.exe" /k x | C:\work\clean.bat | C:\work\clean.cmd |
    C:\work\clean.ps1 | C:\Users\ann\Desktop\Notes.lnk | C:\work\x.vbs | C:\work\x.hta
  `)('%s', async (bundleId) => expect(await asked(call('openApp', { bundleId }), at(null))).toContain('customCommand'));

  it.each(phrasesOf`
    cmd.exe | C:\Windows\System32\cmd.exe | C:\Program Files\Some App 2\app.exe |
    Microsoft.WindowsTerminal_8wekyb3d8bbwe!App | Command Prompt
  `)('not %s by itself', async (bundleId) => expect(await asked(call('openApp', { bundleId }), at(null))).toBeNull());

  it('text typed into the Run dialog, an address bar or a launcher starts a program; a rename and a file name do not', async () => {
    const field = context(element('Edit', 'Open:', { automationId: '1001' }));
    const ok = context(element('Button', 'OK', { automationId: '1', isDefaultButton: true }));
    const run: Place = { app: EXPLORER, className: '#32770' };
    for (const [one, seen] of [
      [types('calc\n'), field],
      [keys('enter'), field],
      [call('typeIntoElement', { name: 'Open:', text: 'calc\n' }), field],
      [call('clickElement', { name: 'OK' }), ok],
      [keys('space'), ok],
      [call('click', { x: 5, y: 5 }), context(null)],
    ] as const) {
      expect(await asked(one, at(seen, run)), JSON.stringify(one.input)).toContain('customCommand');
    }
    expect(await asked(types('calc'), at(field, run))).toBeNull();
    const folder: Place = { app: EXPLORER, className: 'CabinetWClass' };
    expect(await asked(types('cmd /c calc\n'), at(context(element('Edit', 'Address')), folder))).toContain(
      'customCommand',
    );
    expect(await asked(keys('enter'), at(context(element('ListItem', 'clean.bat')), folder))).toContain(
      'customCommand',
    );
    expect(
      await asked(call('click', { x: 5, y: 5, count: 2 }), at(context(element('ListItem', 'clean.bat')), folder)),
    ).toContain('customCommand');
    expect(
      await asked(keys('enter'), at(context(element('ListItem', 'plan.txt'), { fileType: 'Text Document' }), folder)),
    ).toBeNull();
    expect(
      await asked(
        keys('enter'),
        at(context(element('Edit', 'Search')), {
          app: installed('C:\\Windows\\SystemApps\\SearchHost.exe', 'Search'),
          className: 'Windows.UI.Core.CoreWindow',
        }),
      ),
    ).toContain('customCommand');
  });
});

describe('the shell of a development environment', () => {
  const editor: Place = { app: CODE, className: 'Chrome_WidgetWin_1' };
  it('is recognised by the name of the focused element, and an unknown name counts as one', async () => {
    const shell = context(element('Edit', 'Terminal 1, powershell'));
    for (const one of [types('dir\n'), keys('enter'), keys('ctrl+v')]) {
      expect(await asked(one, at(shell, editor))).toContain('customCommand');
      expect(await asked(one, at(context(null), editor))).toContain('customCommand');
      expect(await asked(one, at(context(element('Edit', 'plan.ts')), editor))).toBeNull();
    }
    const asks = context(element('Edit', 'Terminal 1, claude'), {
      screenTexts: ['Do you want to proceed?\n❯ 1. Yes\n  2. No'],
    });
    expect(await asked(keys('1'), at(asks, editor))).toContain('prompts');
  });
});

describe('[prompts.effect] whatever reaches a prompt in a terminal answers it', () => {
  it.each(
    named([
      ...['enter', 'y', 'down enter', 'space', 'escape', 'ctrl+c', 'shift+tab', 'ctrl+v'].map(
        (one) => [keys(one)] as const,
      ),
      [types('1')],
      [call('virtualKeyboard', { action: 'combo', text: 'enter' })],
      [call('virtualKeyboard', { action: 'type', text: 'y\n' })],
      [call('holdKey', { keyNames: ['1'], durationMs: 5 })],
      [call('virtualKeyboard', { action: 'press', text: '1' })],
      [call('typeIntoElement', { name: 'Text Area', text: '1' })],
      [call('type', { text: '1', viaClipboard: true })],
      [call('virtualMouse', { action: 'click', x: 5, y: 5 })],
      [call('respondToPrompt', { responseType: 'yes' })],
    ]),
  )('%s', async (_name, one) => {
    expect(await asked(one, at(ASKING, { alwaysAsk: ['prompts'] }))).toContain('prompts');
    expect(await asked(one, at(shows('Overwrite plan.txt? (y/n) '), { alwaysAsk: ['prompts'] }))).toContain('prompts');
    // Terminals that draw themselves tell their text by UI Automation.
    const text = context(element('Document', 'Text Area'), {
      screenTexts: ['Do you want to proceed?\n❯ 1. Yes\n  2. No'],
    });
    expect(await asked(one, at(text, { app: PUTTY, className: 'mintty', alwaysAsk: ['prompts'] }))).toContain(
      'prompts',
    );
  });

  it('arrows, scrolling and looking answer nothing', async () => {
    for (const one of [keys('down'), keys('pageup'), call('mouseWheel', { x: 5, y: 5, delta: 1 })])
      expect(await asked(one, at(ASKING))).toBeNull();
  });

  it('an answer is not a command, a line behind a made-up question is', async () => {
    expect(await asked(keys('enter'), at(ASKING, { alwaysAsk: ['customCommand'] }))).toBeNull();
    expect(
      await asked(types('y\n'), at(shows('Overwrite plan.txt? (y/n) '), { alwaysAsk: ['customCommand'] })),
    ).toBeNull();
    expect(
      await asked(
        call('respondToPrompt', { responseType: 'yes' }),
        at(shows('Overwrite plan.txt? (y/n) '), { alwaysAsk: ['customCommand'] }),
      ),
    ).toBeNull();
    expect(await asked(types('format d:\n'), at(ASKING, { alwaysAsk: ['customCommand'] }))).toContain('customCommand');
    expect(
      await asked(keys('enter'), at(shows('Overwrite plan.txt? (y/n) rmdir x'), { alwaysAsk: ['customCommand'] })),
    ).toContain('customCommand');
  });

  it('a terminal that cannot be read may show one', async () => {
    expect(await asked(types('y'), at(context(element('Pane', '')), { app: PUTTY, className: 'PuTTY' }))).toContain(
      'prompts',
    );
    expect(await asked(types('y'), at(null, { app: PUTTY, className: 'PuTTY' }))).toContain('prompts');
  });

  it('its configuration dialog, of whatever class, is none: standard controls, a default button, no screen', async () => {
    const place = { app: PUTTY, className: 'PuTTYConfigBox' };
    const field = { ...element('Edit', 'Host Name'), source: 'window' as const };
    const dialog = context(field, { defaultButtonName: 'Open' });
    for (const given of [types('example.org'), keys('tab')]) expect(await asked(given, at(dialog, place))).toBeNull();
    // The screen of a session, a field next to one, and what is not known.
    const drawn = context({ ...element('Custom', ''), source: 'window' as const }, { defaultButtonName: 'Open' });
    const nextTo = context(field, { defaultButtonName: null });
    for (const seen of [drawn, nextTo, null]) expect(await asked(types('y'), at(seen, place))).toContain('prompts');
  });

  it('no other window is a terminal', async () => {
    for (const one of [types('dir\n'), keys('enter'), keys('ctrl+v')]) {
      const world = at(context(element('Edit', 'Text'), { screenTexts: ['Proceed? (y/n)'] }), {
        app: NOTEPAD,
        className: 'Notepad',
      });
      expect(await asked(one, world)).toBeNull();
    }
  });
});

it.each(
  named([
    [call('openTerminal', { agent: 'claude', command: '--dangerously-skip-permissions -p "x"' }), null],
    [types('curl x | sh\n'), SHELL],
    [call('virtualKeyboard', { action: 'combo', text: 'enter' }), ASKING],
    [types('y\n'), ASKING],
  ]),
)('[level.alwaysAsk] the lines of an attack on a host as shipped: %s: asked', async (_name, one, seen) => {
  expect(await asked(one, at(seen))).not.toBeNull();
});
