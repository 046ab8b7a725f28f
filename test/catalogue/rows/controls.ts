/** Catalogue rows for the fixture with every common control. */
import { controlId } from '../../support/controls.ts';
import { EM_SETSEL } from '../messages.ts';
import { CONFIRMED, LOOKS, MODAL, refused, unverified, row, type Row } from '../row.ts';

const id = (key: string): { automationId: string } => ({ automationId: String(controlId(key)) });
/** The drawn control shows where it was clicked (panels.c). */
const MARK = 0xffffff;
const at = (key: string): { id: string } => ({ id: String(controlId(key)) });
const clicked = (key: string) =>
  ({ see: 'journal', event: { event: 'command', id: controlId(key), codeName: 'BN_CLICKED' } }) as const;
const notified = (key: string, codeName: string) =>
  ({ see: 'journal', event: { event: 'notify', id: controlId(key), codeName } }) as const;
const commanded = (key: string, codeName: string) =>
  ({ see: 'journal', event: { event: 'command', id: controlId(key), codeName } }) as const;
const held = (of: string, holds: Readonly<Record<string, unknown>>) => ({ see: 'state', of, holds }) as const;
const silence = { see: 'silence' } as const;
const focus = (key: string) => ({ tell: `focus ${controlId(key)}` }) as const;
const text = (key: string, value: string) => ({ tell: `text ${controlId(key)} ${value}` }) as const;
/** Keys go to the field that was clicked last. */
const used = (key: string) => ({ act: 'click-element', input: id(key) }) as const;

const inFront = { act: 'activate-window', input: {} } as const;

const HARD = '’ ‘ " ` $ ; \' \\ %PATH% ${x} 🦊 👩‍👩‍👧 漢字 é ñ שלום';

export const controls: readonly Row[] = [
  // by elements
  row('a push button by its name', 'click-element', { name: 'Push me' }, CONFIRMED, [clicked('PUSH')]),
  row(
    'a button that shows nothing, by its AutomationId',
    'click-element',
    id('DEFAULT_PUSH'),
    unverified('nothing that the program shows changes'),
    [clicked('DEFAULT_PUSH')],
  ),
  row('a check box', 'click-element', { name: 'Check me' }, CONFIRMED, [clicked('CHECK'), held('CHECK', { check: 1 })]),
  row('a check box with three states', 'click-element', { name: 'Three states' }, CONFIRMED, [
    clicked('CHECK3'),
    held('CHECK3', { check: 0 }),
  ]),
  row('a radio button', 'click-element', { name: 'Red', role: 'RadioButton' }, CONFIRMED, [
    clicked('RADIO_A'),
    held('RADIO_A', { check: 1 }),
    held('RADIO_B', { check: 0 }),
  ]),
  row('a button that disables itself', 'click-element', { name: 'Disable myself' }, CONFIRMED, [
    clicked('ONCE'),
    held('ONCE', { enabled: false }),
  ]),
  row('a button that shows another one later', 'click-element', { name: 'Show later' }, CONFIRMED, [
    clicked('SHOW_LATER'),
    { see: 'journal', event: { event: 'late_shown' } },
  ]),
  row('a button four windows deep', 'click-element', { name: 'Deep inside' }, CONFIRMED, [clicked('NEST_BUTTON')]),
  row('a button that must be scrolled into view', 'click-element', { name: 'Below the fold' }, CONFIRMED, [
    clicked('PANEL_BOTTOM'),
  ]),
  row('a button that opens a dialog', 'click-element', { name: 'Open dialog' }, MODAL, [
    { see: 'journal', event: { event: 'dialog_open' } },
    { see: 'window', title: 'Rename item' },
  ]),
  row('a button that opens a message box', 'click-element', { name: 'Show message' }, MODAL, [
    clicked('MESSAGE_BOX'),
    { see: 'window', title: 'About the fixture' },
  ]),
  row('a tab', 'click-element', { name: 'Advanced', role: 'TabItem' }, CONFIRMED, [
    notified('TAB', 'TCN_SELCHANGE'),
    held('TAB_PAGE_2', { visible: true }),
  ]),
  row('an item of an icon view', 'click-element', { name: 'Music', role: 'ListItem' }, CONFIRMED, [
    held('LIST_ICONS', { selected: 2, selectedCount: 1 }),
  ]),
  row('a row of a list view', 'click-element', { name: 'Row 3', role: 'ListItem' }, CONFIRMED, [
    held('LIST_REPORT', { selected: 3 }),
  ]),
  row('an entry of a list box', 'click-element', { name: 'Entry 3' }, CONFIRMED, [
    commanded('LISTBOX', 'LBN_SELCHANGE'),
    held('LISTBOX', { selectedText: 'Entry 3' }),
  ]),
  row('an entry of a combo box', 'click-element', { name: 'Denmark' }, CONFIRMED, [
    commanded('COMBO_LIST', 'CBN_SELCHANGE'),
    held('COMBO_LIST', { selectedText: 'Denmark' }),
  ]),
  row('an item of a tree', 'click-element', { name: 'Apple', role: 'TreeItem' }, CONFIRMED, [
    held('TREE', { item: 'Apple', selected: true }),
  ]),
  row('a check button of a tool bar', 'click-element', { name: 'Bold' }, CONFIRMED, [
    { see: 'journal', event: { event: 'command', id: controlId('TB_BOLD') } },
  ]),
  row('a command button of a tool bar', 'click-element', { name: 'New', role: 'Button' }, CONFIRMED, [
    { see: 'journal', event: { event: 'command', id: controlId('TB_NEW') } },
  ]),
  row('a drawn control without any interface', 'click-element', id('CUSTOM'), CONFIRMED, [
    { see: 'journal', event: { event: 'custom_click', id: controlId('CUSTOM') } },
    { see: 'pixel', where: { at: at('CUSTOM') }, colour: MARK },
  ]),
  row('a disabled button', 'click-element', id('DISABLED'), refused('target_disabled'), [silence]),
  row('a disabled check box', 'click-element', { name: 'Disabled check' }, refused('target_disabled'), [
    silence,
    held('DISABLED_CHECK', { check: 1 }),
  ]),
  row('a disabled tool bar button', 'click-element', { name: 'Unavailable' }, refused('target_disabled'), [silence]),
  row('one of two buttons with the same name', 'click-element', { name: 'Duplicate' }, refused('target_ambiguous'), [
    silence,
  ]),
  row('a button outside of the window', 'click-element', { name: 'Wholly outside' }, refused('target_offscreen'), [
    silence,
  ]),
  row('an element that is not there', 'click-element', { name: 'No such thing' }, refused('target_not_found'), [
    silence,
  ]),
  row('a ref that was never given', 'click-element', { ref: 'e999999999' }, refused('element_stale'), [silence]),

  row('a field by the label next to it', 'type-into-element', { name: 'Full name', text: 'Grace' }, CONFIRMED, [
    commanded('EDIT_NAME', 'EN_CHANGE'),
    held('EDIT_NAME', { text: 'Grace' }),
  ]),
  row(
    'a field, at the end of what it holds',
    'type-into-element',
    { ...id('EDIT_NAME'), text: ' Hopper', mode: 'append' },
    CONFIRMED,
    [held('EDIT_NAME', { text: 'Grace Hopper' })],
    { given: [text('EDIT_NAME', 'Grace')] },
  ),
  row('a field with several lines', 'type-into-element', { name: 'Notes', text: 'one\r\ntwo\nthree' }, CONFIRMED, [
    held('MULTILINE', { text: 'one\r\ntwo\r\nthree' }),
  ]),
  row('any script', 'type-into-element', { ...id('SCRIPT_EDIT'), text: HARD }, CONFIRMED, [
    held('SCRIPT_EDIT', { text: HARD }),
  ]),
  row('a rich edit', 'type-into-element', { ...id('RICH_EDIT'), text: HARD }, CONFIRMED, [
    held('RICH_EDIT', { text: HARD }),
  ]),
  row('the field of a combo box', 'type-into-element', { ...id('COMBO_EDIT'), text: 'Huge' }, CONFIRMED, [
    held('COMBO_EDIT', { text: 'Huge' }),
  ]),
  row('a field of a band', 'type-into-element', { ...id('REBAR_EDIT'), text: 'elsewhere' }, CONFIRMED, [
    held('REBAR_EDIT', { text: 'elsewhere' }),
  ]),
  row('a field for numbers', 'type-into-element', { ...id('NUMBER'), text: '12' }, CONFIRMED, [
    held('NUMBER', { text: '12' }),
  ]),
  row('a field that changes text to capitals', 'type-into-element', { ...id('UPPERCASE'), text: 'quiet' }, CONFIRMED, [
    held('UPPERCASE', { text: 'QUIET' }),
  ]),
  row(
    'a field limited to five characters',
    'type-into-element',
    { ...id('LIMITED'), text: 'too long for it' },
    unverified('the field took a part of the text: the answer is false and says what it holds'),
    [held('LIMITED', { text: 'too l' })],
  ),
  row('a slider', 'type-into-element', { ...id('TRACK'), text: '70' }, CONFIRMED, [
    { see: 'journal', event: { event: 'scroll', id: controlId('TRACK') } },
    held('TRACK', { position: 70 }),
  ]),
  row('a read-only field', 'type-into-element', { name: 'Serial', text: 'SN-6666' }, refused('target_readonly'), [
    silence,
    held('READONLY', { text: 'SN-0042' }),
  ]),
  row('a disabled field', 'type-into-element', { ...id('DISABLED_EDIT'), text: 'x' }, refused('target_disabled'), [
    silence,
    held('DISABLED_EDIT', { text: 'cannot change' }),
  ]),

  row('a combo box’s item by its name', 'select-element', { name: 'Country', item: 'Estonia' }, CONFIRMED, [
    commanded('COMBO_LIST', 'CBN_SELCHANGE'),
    held('COMBO_LIST', { selectedText: 'Estonia' }),
  ]),
  row('a list box’s item by its index', 'select-element', { ...id('LISTBOX'), index: 41 }, CONFIRMED, [
    held('LISTBOX', { selectedText: 'Entry 41' }),
  ]),
  row(
    'an item of a list box with multiple selection',
    'select-element',
    { ...id('LISTBOX_MULTI'), item: 'Epsilon' },
    CONFIRMED,
    [held('LISTBOX_MULTI', { selectedCount: 1 })],
  ),
  row(
    'a row of a list view that is out of view',
    'select-element',
    { ...id('LIST_REPORT'), item: 'Row 150' },
    CONFIRMED,
    [held('LIST_REPORT', { selected: 150, selectedCount: 1 })],
  ),
  row('a row of a virtual list', 'select-element', { ...id('LIST_VIRTUAL'), index: 700 }, CONFIRMED, [
    held('LIST_VIRTUAL', { selected: 700 }),
  ]),
  row('an item of a tree by its path', 'select-element', { ...id('TREE'), item: 'Vegetables > Leek' }, CONFIRMED, [
    held('TREE', { item: 'Leek', selected: true }),
  ]),
  row('a tab by its name', 'select-element', { ...id('TAB'), item: 'Über' }, CONFIRMED, [
    notified('TAB', 'TCN_SELCHANGE'),
    held('TAB_PAGE_3', { visible: true }),
  ]),
  row(
    'an item that is not there',
    'select-element',
    { ...id('LISTBOX'), item: 'Entry 99' },
    refused('target_not_found'),
    [silence],
  ),
  row(
    'a menu entry by its path, which Wine does not show to other programs',
    'select-element',
    { role: 'Window', item: 'File > New' },
    refused('unsupported'),
    [silence],
  ),

  row(
    'a button in a panel that scrolls',
    'scroll-element',
    { name: 'Below the fold' },
    CONFIRMED,
    [{ see: 'journal', event: { event: 'scroll' } }],
    { given: [{ act: 'scroll-element', input: { name: 'Panel top' } }] },
  ),
  row('the rows of a list view', 'read-table', { ...id('LIST_REPORT'), from: 198, count: 2 }, LOOKS, [
    silence,
    {
      see: 'value',
      holds: {
        columns: ['Name', 'Size', 'Date'],
        totalRows: 200,
        rows: [
          { index: 198, cells: ['Row 198', '1386 KB', '2024-07-03'] },
          { index: 199, cells: ['Row 199', '1393 KB', '2024-08-04'] },
        ],
      },
    },
  ]),
  row('the rows of a virtual list', 'read-table', { ...id('LIST_VIRTUAL'), from: 999, count: 1 }, LOOKS, [
    silence,
    { see: 'value', holds: { totalRows: 1000, rows: [{ cells: ['Virtual 999', '998001'] }] } },
  ]),
  row('a button that is enabled', 'wait-for', { name: 'Push me', condition: 'enabled' }, LOOKS, [
    silence,
    { see: 'value', holds: { met: true } },
  ]),

  // by coordinates
  row('a button by client coordinates', 'virtual-mouse', { action: 'click' }, CONFIRMED, [clicked('PUSH')], {
    aims: { point: { at: at('PUSH') }, space: 'client' },
  }),
  row(
    'a check box by client coordinates',
    'virtual-mouse',
    { action: 'click' },
    CONFIRMED,
    [clicked('CHECK'), held('CHECK', { check: 0 })],
    { aims: { point: { at: at('CHECK') }, space: 'client' } },
  ),
  row(
    'a tab by client coordinates',
    'virtual-mouse',
    { action: 'click' },
    CONFIRMED,
    [notified('TAB', 'TCN_SELCHANGE')],
    { aims: { point: { at: { name: 'Advanced', controlType: 'TabItem' } }, space: 'client' } },
  ),
  row(
    'a drawn control by image coordinates',
    'click',
    {},
    CONFIRMED,
    [
      { see: 'journal', event: { event: 'custom_click', half: 'blue' } },
      { see: 'pixel', where: { at: at('CUSTOM'), dx: 20 }, colour: MARK },
    ],
    { aims: { point: { at: at('CUSTOM'), dx: 20 }, space: 'image' } },
  ),
  row('a button four windows deep by screen coordinates', 'click', {}, CONFIRMED, [clicked('NEST_BUTTON')], {
    aims: { point: { at: at('NEST_BUTTON') }, space: 'screen' },
  }),
  row(
    'a word by a double click',
    'virtual-mouse',
    { action: 'double_click' },
    CONFIRMED,
    [{ see: 'selection', part: `#${controlId('EDIT_NAME')}`, from: 0, to: 3 }],
    { given: [text('EDIT_NAME', 'Ada')], aims: { point: { at: at('EDIT_NAME'), dx: -60 }, space: 'client' } },
  ),
  row(
    'the window’s menu by a right click',
    'virtual-mouse',
    { action: 'right_click' },
    CONFIRMED,
    [
      { see: 'journal', event: { event: 'context_menu' } },
      { see: 'window', className: '#32768' },
    ],
    { aims: { point: { at: at('STATIC_TEXT') }, space: 'client' } },
  ),
  row(
    'text by dragging over it',
    'drag',
    {},
    CONFIRMED,
    [{ see: 'selection', part: `#${controlId('EDIT_NAME')}`, from: 0, to: 12 }],
    {
      given: [text('EDIT_NAME', 'Ada Lovelace')],
      aims: { from: { at: at('EDIT_NAME'), dx: 50 }, to: { at: at('EDIT_NAME'), dx: -90 }, space: 'image' },
    },
  ),
  row(
    'a panel by the wheel',
    'mouse-wheel',
    { delta: -1 },
    CONFIRMED,
    [{ see: 'journal', event: { event: 'wheel', id: controlId('PANEL_SCROLL') } }],
    {
      given: [{ act: 'scroll-element', input: { name: 'Panel top' } }],
      aims: { point: { at: at('PANEL_SCROLL') }, space: 'client' },
    },
  ),
  row(
    'a list box by the wheel',
    'scroll',
    { dx: 0, dy: 2 },
    CONFIRMED,
    [{ see: 'journal', event: { event: 'wheel', id: controlId('LISTBOX') } }],
    {
      given: [{ act: 'select-element', input: { ...id('LISTBOX'), index: 0 } }],
      aims: { point: { at: at('LISTBOX') }, space: 'image' },
    },
  ),
  row(
    'the virtual pointer over a button',
    'move-mouse',
    {},
    unverified('what a pointer lights up is no evidence, and this program lights up nothing'),
    [{ see: 'journal', event: { event: 'mouse', kind: 'move', id: controlId('PUSH') } }],
    { aims: { point: { at: at('PUSH') }, space: 'image' } },
  ),
  row(
    'the button goes down in a field',
    'mouse-down',
    {},
    CONFIRMED,
    [
      { see: 'journal', event: { event: 'mouse', kind: 'down', id: controlId('EDIT_NAME') } },
      { see: 'selection', part: `#${controlId('EDIT_NAME')}`, from: 3, to: 3 },
    ],
    {
      given: [
        text('EDIT_NAME', 'Ada'),
        { ask: [EM_SETSEL, 0, 0], part: `#${controlId('EDIT_NAME')}` },
        { act: 'move-mouse', input: {}, on: { at: at('EDIT_NAME'), dx: 40 } },
      ],
    },
  ),
  row(
    'the button goes up again',
    'mouse-up',
    {},
    CONFIRMED,
    [{ see: 'journal', event: { event: 'mouse', kind: 'up', id: controlId('CHECK') } }, clicked('CHECK')],
    {
      given: [
        { act: 'mouse-up', input: {} },
        { act: 'move-mouse', input: {}, on: { at: at('CHECK') } },
        { act: 'mouse-down', input: {} },
      ],
    },
  ),
  row('a disabled button by coordinates', 'virtual-mouse', { action: 'click' }, refused('target_disabled'), [silence], {
    aims: { point: { at: at('DISABLED') }, space: 'client' },
  }),
  row('a scroll bar by coordinates', 'virtual-mouse', { action: 'click' }, refused('unsupported'), [silence], {
    aims: { point: { at: at('LISTBOX'), dx: 62 }, space: 'client' },
  }),
  row(
    'a point outside of the window',
    'virtual-mouse',
    { action: 'click', x: 5000, y: 5 },
    refused('invalid_argument'),
    [silence],
  ),

  // by keys
  row(
    'text into the field that was clicked last',
    'virtual-keyboard',
    { action: 'type', text: `${HARD}!` },
    CONFIRMED,
    [held('EDIT_NAME', { text: `${HARD}!` })],
    { given: [text('EDIT_NAME', ''), used('EDIT_NAME')] },
  ),
  row(
    'text by the clipboard',
    'type',
    { text: 'pasted 🦊', viaClipboard: true },
    CONFIRMED,
    [held('EDIT_NAME', { text: 'pasted 🦊' })],
    { given: [text('EDIT_NAME', ''), used('EDIT_NAME')] },
  ),
  row(
    'everything in a field by Ctrl+A',
    'key',
    { keySequence: 'ctrl+a' },
    CONFIRMED,
    [{ see: 'selection', part: `#${controlId('EDIT_NAME')}`, from: 0, to: 3 }],
    { given: [text('EDIT_NAME', 'Ada'), used('EDIT_NAME')] },
  ),
  row(
    'keys that move and delete',
    'key',
    { keySequence: 'home delete' },
    CONFIRMED,
    [held('EDIT_NAME', { text: 'da' })],
    { given: [text('EDIT_NAME', 'Ada'), used('EDIT_NAME')] },
  ),
  row(
    'an accelerator that the program makes while it runs',
    'key',
    { keySequence: 'f12' },
    CONFIRMED,
    [{ see: 'journal', event: { event: 'command', id: controlId('MENU_SAVE_AS'), from: 'accelerator' } }],
    { given: [used('EDIT_NAME')] },
  ),
  row(
    'a combination that needs the key state',
    'key',
    { keySequence: 'ctrl+n' },
    CONFIRMED,
    [{ see: 'journal', event: { event: 'command', id: controlId('MENU_NEW') } }],
    { given: [used('EDIT_NAME')] },
  ),
  row('the blank on a button', 'key', { keySequence: 'space' }, CONFIRMED, [clicked('CHECK')], {
    given: [used('CHECK')],
  }),
  row(
    'a key that is held',
    'hold-key',
    { keyNames: ['x'], durationMs: 1200 },
    CONFIRMED,
    [{ see: 'text', part: `#${controlId('EDIT_NAME')}`, is: /^x{3,}$/ }],
    { given: [text('EDIT_NAME', ''), used('EDIT_NAME')] },
  ),
  row('a system combination', 'key', { keySequence: 'alt+f4' }, refused('key_blocked'), [silence]),
  row('an unknown key', 'key', { keySequence: 'ctrl+entr' }, refused('invalid_argument'), [silence]),

  // real input, in the foreground
  row('the window to the front', 'activate-window', {}, CONFIRMED, [{ see: 'foreground' }]),
  row('a button', 'click-element', { name: 'Push me', delivery: 'foreground' }, CONFIRMED, [
    { see: 'journal', event: { event: 'mouse', kind: 'down', id: controlId('PUSH'), origin: 'injected' } },
    clicked('PUSH'),
  ]),
  row('a field', 'type-into-element', { ...id('EDIT_NAME'), text: 'in front', delivery: 'foreground' }, CONFIRMED, [
    { see: 'journal', event: { event: 'char', id: controlId('EDIT_NAME') } },
    held('EDIT_NAME', { text: 'in front' }),
  ]),
  row(
    'a drawn control',
    'click',
    { delivery: 'foreground' },
    unverified('it only writes its own journal'),
    [
      { see: 'journal', event: { event: 'custom_click', half: 'red' } },
      { see: 'cursor', where: { at: at('CUSTOM'), dx: -20 } },
    ],
    { given: [inFront], aims: { point: { at: at('CUSTOM'), dx: -20 }, space: 'screen' } },
  ),
  row(
    'the cursor',
    'move-mouse',
    { delivery: 'foreground' },
    CONFIRMED,
    [{ see: 'cursor', where: { at: at('PUSH') } }],
    { given: [inFront], aims: { point: { at: at('PUSH') }, space: 'image' } },
  ),
  row(
    'the wheel',
    'scroll',
    { dx: 0, dy: 1, delivery: 'foreground' },
    CONFIRMED,
    [{ see: 'journal', event: { event: 'wheel', id: controlId('LISTBOX'), origin: 'injected' } }],
    { given: [inFront], aims: { point: { at: at('LISTBOX') }, space: 'image' } },
  ),
  row(
    'a combination',
    'key',
    { keySequence: 'ctrl+n', delivery: 'foreground' },
    CONFIRMED,
    [{ see: 'journal', event: { event: 'command', id: controlId('MENU_NEW') } }],
    { given: [inFront, text('EDIT_NAME', 'Ada'), focus('EDIT_NAME')] },
  ),
];
