import { controlId } from '../../support/controls.ts';
import { EM_SETSEL } from '../messages.ts';
import { CONFIRMED, LOOKS, MODAL, refused, UNVERIFIED, type Row } from '../row.ts';

const id = (key: string): { automationId: string } => ({ automationId: String(controlId(key)) });
/** The drawn control shows where it was clicked (panels.c). */
const MARK = 0xffffff;
const at = (key: string): { id: string } => ({ id: String(controlId(key)) });
const clicked = (key: string) => ({ see: 'journal', event: { event: 'command', id: controlId(key), codeName: 'BN_CLICKED' } }) as const;
const notified = (key: string, codeName: string) => ({ see: 'journal', event: { event: 'notify', id: controlId(key), codeName } }) as const;
const commanded = (key: string, codeName: string) => ({ see: 'journal', event: { event: 'command', id: controlId(key), codeName } }) as const;
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
  { what: 'a push button by its name', action: 'click-element', input: { name: 'Push me' }, expect: CONFIRMED, seen: [clicked('PUSH')] },
  { what: 'a button that shows nothing, by its AutomationId', action: 'click-element', input: id('DEFAULT_PUSH'), expect: UNVERIFIED, seen: [clicked('DEFAULT_PUSH')] },
  { what: 'a check box', action: 'click-element', input: { name: 'Check me' }, expect: CONFIRMED, seen: [clicked('CHECK'), held('CHECK', { check: 1 })] },
  { what: 'a check box with three states', action: 'click-element', input: { name: 'Three states' }, expect: CONFIRMED, seen: [clicked('CHECK3'), held('CHECK3', { check: 0 })] },
  { what: 'a radio button', action: 'click-element', input: { name: 'Red', role: 'RadioButton' }, expect: CONFIRMED, seen: [clicked('RADIO_A'), held('RADIO_A', { check: 1 }), held('RADIO_B', { check: 0 })] },
  { what: 'a button that disables itself', action: 'click-element', input: { name: 'Disable myself' }, expect: CONFIRMED, seen: [clicked('ONCE'), held('ONCE', { enabled: false })] },
  { what: 'a button that shows another one later', action: 'click-element', input: { name: 'Show later' }, expect: CONFIRMED, seen: [clicked('SHOW_LATER'), { see: 'journal', event: { event: 'late_shown' } }] },
  { what: 'a button four windows deep', action: 'click-element', input: { name: 'Deep inside' }, expect: CONFIRMED, seen: [clicked('NEST_BUTTON')] },
  { what: 'a button that must be scrolled into view', action: 'click-element', input: { name: 'Below the fold' }, expect: CONFIRMED, seen: [clicked('PANEL_BOTTOM')] },
  { what: 'a button that opens a dialog', action: 'click-element', input: { name: 'Open dialog' }, expect: MODAL, seen: [{ see: 'journal', event: { event: 'dialog_open' } }, { see: 'window', title: 'Rename item' }] },
  { what: 'a button that opens a message box', action: 'click-element', input: { name: 'Show message' }, expect: MODAL, seen: [clicked('MESSAGE_BOX'), { see: 'window', title: 'About the fixture' }] },
  { what: 'a tab', action: 'click-element', input: { name: 'Advanced', role: 'TabItem' }, expect: CONFIRMED, seen: [notified('TAB', 'TCN_SELCHANGE'), held('TAB_PAGE_2', { visible: true })] },
  { what: 'an item of an icon view', action: 'click-element', input: { name: 'Music', role: 'ListItem' }, expect: CONFIRMED, seen: [held('LIST_ICONS', { selected: 2, selectedCount: 1 })] },
  { what: 'a row of a list view', action: 'click-element', input: { name: 'Row 3', role: 'ListItem' }, expect: CONFIRMED, seen: [held('LIST_REPORT', { selected: 3 })] },
  { what: 'an entry of a list box', action: 'click-element', input: { name: 'Entry 3' }, expect: CONFIRMED, seen: [commanded('LISTBOX', 'LBN_SELCHANGE'), held('LISTBOX', { selectedText: 'Entry 3' })] },
  { what: 'an entry of a combo box', action: 'click-element', input: { name: 'Denmark' }, expect: CONFIRMED, seen: [commanded('COMBO_LIST', 'CBN_SELCHANGE'), held('COMBO_LIST', { selectedText: 'Denmark' })] },
  { what: 'an item of a tree', action: 'click-element', input: { name: 'Apple', role: 'TreeItem' }, expect: CONFIRMED, seen: [held('TREE', { item: 'Apple', selected: true })] },
  { what: 'a check button of a tool bar', action: 'click-element', input: { name: 'Bold' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'command', id: controlId('TB_BOLD') } }] },
  { what: 'a command button of a tool bar', action: 'click-element', input: { name: 'New', role: 'Button' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'command', id: controlId('TB_NEW') } }] },
  { what: 'a drawn control without any interface', action: 'click-element', input: id('CUSTOM'), expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'custom_click', id: controlId('CUSTOM') } }, { see: 'pixel', where: { at: at('CUSTOM') }, colour: MARK }] },
  { what: 'a disabled button', action: 'click-element', input: id('DISABLED'), expect: refused('target_disabled'), seen: [silence] },
  { what: 'a disabled check box', action: 'click-element', input: { name: 'Disabled check' }, expect: refused('target_disabled'), seen: [silence, held('DISABLED_CHECK', { check: 1 })] },
  { what: 'a disabled tool bar button', action: 'click-element', input: { name: 'Unavailable' }, expect: refused('target_disabled'), seen: [silence] },
  { what: 'one of two buttons with the same name', action: 'click-element', input: { name: 'Duplicate' }, expect: refused('target_ambiguous'), seen: [silence] },
  { what: 'a button outside of the window', action: 'click-element', input: { name: 'Wholly outside' }, expect: refused('target_offscreen'), seen: [silence] },
  { what: 'an element that is not there', action: 'click-element', input: { name: 'No such thing' }, expect: refused('target_not_found'), seen: [silence] },
  { what: 'a ref that nobody gave', action: 'click-element', input: { ref: 'e999999999' }, expect: refused('element_stale'), seen: [silence] },

  { what: 'a field by the label beside it', action: 'type-into-element', input: { name: 'Full name', text: 'Grace' }, expect: CONFIRMED, seen: [commanded('EDIT_NAME', 'EN_CHANGE'), held('EDIT_NAME', { text: 'Grace' })] },
  { what: 'a field, at the end of what it holds', action: 'type-into-element', given: [text('EDIT_NAME', 'Grace')], input: { ...id('EDIT_NAME'), text: ' Hopper', mode: 'append' }, expect: CONFIRMED, seen: [held('EDIT_NAME', { text: 'Grace Hopper' })] },
  { what: 'a field with several lines', action: 'type-into-element', input: { name: 'Notes', text: 'one\r\ntwo\nthree' }, expect: CONFIRMED, seen: [held('MULTILINE', { text: 'one\r\ntwo\r\nthree' })] },
  { what: 'any script', action: 'type-into-element', input: { ...id('SCRIPT_EDIT'), text: HARD }, expect: CONFIRMED, seen: [held('SCRIPT_EDIT', { text: HARD })] },
  { what: 'a rich edit', action: 'type-into-element', input: { ...id('RICH_EDIT'), text: HARD }, expect: CONFIRMED, seen: [held('RICH_EDIT', { text: HARD })] },
  { what: 'the field of a combo box', action: 'type-into-element', input: { ...id('COMBO_EDIT'), text: 'Huge' }, expect: CONFIRMED, seen: [held('COMBO_EDIT', { text: 'Huge' })] },
  { what: 'a field of a band', action: 'type-into-element', input: { ...id('REBAR_EDIT'), text: 'elsewhere' }, expect: CONFIRMED, seen: [held('REBAR_EDIT', { text: 'elsewhere' })] },
  { what: 'a field for numbers', action: 'type-into-element', input: { ...id('NUMBER'), text: '12' }, expect: CONFIRMED, seen: [held('NUMBER', { text: '12' })] },
  { what: 'a field that makes capitals of it', action: 'type-into-element', input: { ...id('UPPERCASE'), text: 'quiet' }, expect: CONFIRMED, seen: [held('UPPERCASE', { text: 'QUIET' })] },
  { what: 'a field that takes five characters', action: 'type-into-element', input: { ...id('LIMITED'), text: 'too long for it' }, expect: UNVERIFIED, seen: [held('LIMITED', { text: 'too l' })] },
  { what: 'a slider', action: 'type-into-element', input: { ...id('TRACK'), text: '70' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'scroll', id: controlId('TRACK') } }, held('TRACK', { position: 70 })] },
  { what: 'a read-only field', action: 'type-into-element', input: { name: 'Serial', text: 'SN-6666' }, expect: refused('target_readonly'), seen: [silence, held('READONLY', { text: 'SN-0042' })] },
  { what: 'a disabled field', action: 'type-into-element', input: { ...id('DISABLED_EDIT'), text: 'x' }, expect: refused('target_disabled'), seen: [silence, held('DISABLED_EDIT', { text: 'cannot change' })] },

  { what: 'a combo box’s item by its name', action: 'select-element', input: { name: 'Country', item: 'Estonia' }, expect: CONFIRMED, seen: [commanded('COMBO_LIST', 'CBN_SELCHANGE'), held('COMBO_LIST', { selectedText: 'Estonia' })] },
  { what: 'a list box’s item by its index', action: 'select-element', input: { ...id('LISTBOX'), index: 41 }, expect: CONFIRMED, seen: [held('LISTBOX', { selectedText: 'Entry 41' })] },
  { what: 'an item of a list box for several', action: 'select-element', input: { ...id('LISTBOX_MULTI'), item: 'Epsilon' }, expect: CONFIRMED, seen: [held('LISTBOX_MULTI', { selectedCount: 1 })] },
  { what: 'a row of a list view that is out of view', action: 'select-element', input: { ...id('LIST_REPORT'), item: 'Row 150' }, expect: CONFIRMED, seen: [held('LIST_REPORT', { selected: 150, selectedCount: 1 })] },
  { what: 'a row of a virtual list', action: 'select-element', input: { ...id('LIST_VIRTUAL'), index: 700 }, expect: CONFIRMED, seen: [held('LIST_VIRTUAL', { selected: 700 })] },
  { what: 'an item of a tree by its path', action: 'select-element', input: { ...id('TREE'), item: 'Vegetables > Leek' }, expect: CONFIRMED, seen: [held('TREE', { item: 'Leek', selected: true })] },
  { what: 'a tab by its name', action: 'select-element', input: { ...id('TAB'), item: 'Über' }, expect: CONFIRMED, seen: [notified('TAB', 'TCN_SELCHANGE'), held('TAB_PAGE_3', { visible: true })] },
  { what: 'an item that is not there', action: 'select-element', input: { ...id('LISTBOX'), item: 'Entry 99' }, expect: refused('target_not_found'), seen: [silence] },
  { what: 'a menu entry by its path, which Wine does not show to other programs', action: 'select-element', input: { role: 'Window', item: 'File > New' }, expect: refused('unsupported'), seen: [silence] },

  { what: 'a button in a panel that scrolls', action: 'scroll-element', given: [{ act: 'scroll-element', input: { name: 'Panel top' } }], input: { name: 'Below the fold' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'scroll' } }] },
  { what: 'the rows of a list view', action: 'read-table', input: { ...id('LIST_REPORT'), from: 198, count: 2 }, expect: LOOKS, seen: [silence, { see: 'value', holds: { columns: ['Name', 'Size', 'Date'], totalRows: 200, rows: [{ index: 198, cells: ['Row 198', '1386 KB', '2024-07-03'] }, { index: 199, cells: ['Row 199', '1393 KB', '2024-08-04'] }] } }] },
  { what: 'the rows of a virtual list', action: 'read-table', input: { ...id('LIST_VIRTUAL'), from: 999, count: 1 }, expect: LOOKS, seen: [silence, { see: 'value', holds: { totalRows: 1000, rows: [{ cells: ['Virtual 999', '998001'] }] } }] },
  { what: 'a button that is enabled', action: 'wait-for', input: { name: 'Push me', condition: 'enabled' }, expect: LOOKS, seen: [silence, { see: 'value', holds: { met: true } }] },

  // by coordinates
  { what: 'a button by client coordinates', action: 'virtual-mouse', input: { action: 'click' }, aims: { point: { at: at('PUSH') }, space: 'client' }, expect: CONFIRMED, seen: [clicked('PUSH')] },
  { what: 'a check box by client coordinates', action: 'virtual-mouse', input: { action: 'click' }, aims: { point: { at: at('CHECK') }, space: 'client' }, expect: CONFIRMED, seen: [clicked('CHECK'), held('CHECK', { check: 0 })] },
  { what: 'a tab by client coordinates', action: 'virtual-mouse', input: { action: 'click' }, aims: { point: { at: { name: 'Advanced', controlType: 'TabItem' } }, space: 'client' }, expect: CONFIRMED, seen: [notified('TAB', 'TCN_SELCHANGE')] },
  { what: 'a drawn control by image coordinates', action: 'click', aims: { point: { at: at('CUSTOM'), dx: 20 }, space: 'image' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'custom_click', half: 'blue' } }, { see: 'pixel', where: { at: at('CUSTOM'), dx: 20 }, colour: MARK }] },
  { what: 'a button four windows deep by screen coordinates', action: 'click', aims: { point: { at: at('NEST_BUTTON') }, space: 'screen' }, expect: CONFIRMED, seen: [clicked('NEST_BUTTON')] },
  { what: 'a word by a double click', action: 'virtual-mouse', given: [text('EDIT_NAME', 'Ada')], input: { action: 'double_click' }, aims: { point: { at: at('EDIT_NAME'), dx: -60 }, space: 'client' }, expect: CONFIRMED, seen: [{ see: 'selection', part: `#${controlId('EDIT_NAME')}`, from: 0, to: 3 }] },
  { what: 'the window’s menu by a right click', action: 'virtual-mouse', input: { action: 'right_click' }, aims: { point: { at: at('STATIC_TEXT') }, space: 'client' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'context_menu' } }, { see: 'window', className: '#32768' }] },
  { what: 'text by dragging over it', action: 'drag', given: [text('EDIT_NAME', 'Ada Lovelace')], aims: { from: { at: at('EDIT_NAME'), dx: 50 }, to: { at: at('EDIT_NAME'), dx: -90 }, space: 'image' }, expect: CONFIRMED, seen: [{ see: 'selection', part: `#${controlId('EDIT_NAME')}`, from: 0, to: 12 }] },
  { what: 'a panel by the wheel', action: 'mouse-wheel', given: [{ act: 'scroll-element', input: { name: 'Panel top' } }], input: { delta: -1 }, aims: { point: { at: at('PANEL_SCROLL') }, space: 'client' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'wheel', id: controlId('PANEL_SCROLL') } }] },
  { what: 'a list box by the wheel', action: 'scroll', given: [{ act: 'select-element', input: { ...id('LISTBOX'), index: 0 } }], input: { dx: 0, dy: 2 }, aims: { point: { at: at('LISTBOX') }, space: 'image' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'wheel', id: controlId('LISTBOX') } }] },
  { what: 'the virtual pointer over a button', action: 'move-mouse', aims: { point: { at: at('PUSH') }, space: 'image' }, expect: UNVERIFIED, seen: [{ see: 'journal', event: { event: 'mouse', kind: 'move', id: controlId('PUSH') } }] },
  { what: 'the button goes down in a field', action: 'mouse-down', given: [text('EDIT_NAME', 'Ada'), { ask: [EM_SETSEL, 0, 0], part: `#${controlId('EDIT_NAME')}` }, { act: 'move-mouse', input: {}, on: { at: at('EDIT_NAME'), dx: 40 } }], expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'mouse', kind: 'down', id: controlId('EDIT_NAME') } }, { see: 'selection', part: `#${controlId('EDIT_NAME')}`, from: 3, to: 3 }] },
  { what: 'the button goes up again', action: 'mouse-up', given: [{ act: 'mouse-up', input: {} }, { act: 'move-mouse', input: {}, on: { at: at('CHECK') } }, { act: 'mouse-down', input: {} }], expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'mouse', kind: 'up', id: controlId('CHECK') } }, clicked('CHECK')] },
  { what: 'a disabled button by coordinates', action: 'virtual-mouse', input: { action: 'click' }, aims: { point: { at: at('DISABLED') }, space: 'client' }, expect: refused('target_disabled'), seen: [silence] },
  { what: 'a scroll bar by coordinates', action: 'virtual-mouse', input: { action: 'click' }, aims: { point: { at: at('LISTBOX'), dx: 62 }, space: 'client' }, expect: refused('unsupported'), seen: [silence] },
  { what: 'a point outside of the window', action: 'virtual-mouse', input: { action: 'click', x: 5000, y: 5 }, expect: refused('invalid_argument'), seen: [silence] },

  // by keys
  { what: 'text into the field that was clicked last', action: 'virtual-keyboard', given: [text('EDIT_NAME', ''), used('EDIT_NAME')], input: { action: 'type', text: `${HARD}!` }, expect: CONFIRMED, seen: [held('EDIT_NAME', { text: `${HARD}!` })] },
  { what: 'text by the clipboard', action: 'type', given: [text('EDIT_NAME', ''), used('EDIT_NAME')], input: { text: 'pasted 🦊', viaClipboard: true }, expect: CONFIRMED, seen: [held('EDIT_NAME', { text: 'pasted 🦊' })] },
  { what: 'everything in a field by Ctrl+A', action: 'key', given: [text('EDIT_NAME', 'Ada'), used('EDIT_NAME')], input: { keySequence: 'ctrl+a' }, expect: CONFIRMED, seen: [{ see: 'selection', part: `#${controlId('EDIT_NAME')}`, from: 0, to: 3 }] },
  { what: 'keys that move and delete', action: 'key', given: [text('EDIT_NAME', 'Ada'), used('EDIT_NAME')], input: { keySequence: 'home delete' }, expect: CONFIRMED, seen: [held('EDIT_NAME', { text: 'da' })] },
  { what: 'an accelerator that the program makes while it runs', action: 'key', given: [used('EDIT_NAME')], input: { keySequence: 'f12' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'command', id: controlId('MENU_SAVE_AS'), from: 'accelerator' } }] },
  { what: 'a combination that needs the key state', action: 'key', given: [used('EDIT_NAME')], input: { keySequence: 'ctrl+n' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'command', id: controlId('MENU_NEW') } }] },
  { what: 'the blank on a button', action: 'key', given: [used('CHECK')], input: { keySequence: 'space' }, expect: CONFIRMED, seen: [clicked('CHECK')] },
  { what: 'a key that is held', action: 'hold-key', given: [text('EDIT_NAME', ''), used('EDIT_NAME')], input: { keyNames: ['x'], durationMs: 1200 }, expect: CONFIRMED, seen: [{ see: 'text', part: `#${controlId('EDIT_NAME')}`, is: /^x{3,}$/ }] },
  { what: 'a system combination', action: 'key', input: { keySequence: 'alt+f4' }, expect: refused('key_blocked'), seen: [silence] },
  { what: 'an unknown key', action: 'key', input: { keySequence: 'ctrl+entr' }, expect: refused('invalid_argument'), seen: [silence] },

  // real input, in the foreground
  { what: 'the window to the front', action: 'activate-window', expect: CONFIRMED, seen: [{ see: 'foreground' }] },
  { what: 'a button', action: 'click-element', input: { name: 'Push me', delivery: 'foreground' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'mouse', kind: 'down', id: controlId('PUSH'), origin: 'injected' } }, clicked('PUSH')] },
  { what: 'a field', action: 'type-into-element', input: { ...id('EDIT_NAME'), text: 'in front', delivery: 'foreground' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'char', id: controlId('EDIT_NAME') } }, held('EDIT_NAME', { text: 'in front' })] },
  { what: 'a drawn control', action: 'click', given: [inFront], input: { delivery: 'foreground' }, aims: { point: { at: at('CUSTOM'), dx: -20 }, space: 'screen' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'custom_click', half: 'red' } }, { see: 'cursor', where: { at: at('CUSTOM'), dx: -20 } }] },
  { what: 'the cursor', action: 'move-mouse', given: [inFront], input: { delivery: 'foreground' }, aims: { point: { at: at('PUSH') }, space: 'image' }, expect: CONFIRMED, seen: [{ see: 'cursor', where: { at: at('PUSH') } }] },
  { what: 'the wheel', action: 'scroll', given: [inFront], input: { dx: 0, dy: 1, delivery: 'foreground' }, aims: { point: { at: at('LISTBOX') }, space: 'image' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'wheel', id: controlId('LISTBOX'), origin: 'injected' } }] },
  { what: 'a combination', action: 'key', given: [inFront, text('EDIT_NAME', 'Ada'), focus('EDIT_NAME')], input: { keySequence: 'ctrl+n', delivery: 'foreground' }, expect: CONFIRMED, seen: [{ see: 'journal', event: { event: 'command', id: controlId('MENU_NEW') } }] },
];
