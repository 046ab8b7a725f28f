/** Requirements of keyboard and pointer input. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#keyboard, beyond the policy's list of key rules. */
export const input: readonly Requirement[] = [
  {
    id: 'keyboard.child',
    text: 'Keys for a bound window go to the child that was clicked or typed into last.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.child-moved',
    text: 'If the program has moved its focus since, keys go to the child that has it.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.child-only',
    text: 'Where no focus is known, keys go to the only text control.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.child-itself',
    text: 'A window without text controls gets the keys itself if it handles keys.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.child-ambiguous',
    text: 'Where several text controls could be meant, keys are target_ambiguous with candidates.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.cut',
    text: 'Where a key of a call leaves no place for the next one, the error tells how many were sent.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.minimised',
    text: 'Keys that need the focus of a minimised window are refused, and the hint restores it.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.child-within',
    text: 'Keys never go to a child outside the bound window.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.terminal',
    text: 'Windows Terminal gets text and keys through the console that it shows.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.terminal-unsure',
    text: 'Where it is not certain which console a terminal shows, nothing is sent.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.codes',
    text: 'Each key name means the virtual-key code that Windows documents for that key.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.bits',
    text: 'Key messages carry the scan code and the extended, previous and transition bits.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.alt',
    text: 'Keys held with Alt arrive as WM_SYSKEYDOWN and WM_SYSKEYUP.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.gentlest',
    text: 'For combinations first what needs no key state (EM_SETSEL, WM_COPY, WM_CUT, WM_PASTE, WM_UNDO, the accelerator’s command).',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.key-state',
    text: 'The last background rung sets the target’s key state while it takes the key, and restores it.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.keys-alone',
    text: 'A program that takes keys instead of characters gets real text as keys, and in the background the keys of combinations with Shift and Ctrl in its key state; where the key alone may have caused what is seen, nothing is confirmed.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.key-state-front',
    text: 'The key state is never set for the thread in the foreground.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.key-state-person',
    text: 'The key state is never set within a second of the person’s own input.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.console-keys',
    text: 'Keys for a console are written as its own key events with what is held, without a key state.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.in-front',
    text: 'A combination that needs the key state reaches a bound window in front as real keys, once keyboard and mouse have been idle for a second.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.judged',
    text: 'Keys go only to the part that was judged: if the program has moved its focus since, the error is state_conflict and nothing is sent.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'person.workers',
    text: 'Input that one worker sends is not taken for a person’s by another; a person’s input stays one.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.quiet',
    text: 'Input that shares the keyboard with the person waits for a quiet moment within its deadline, then fails with user_active.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.own-input',
    text: 'What the host itself posts does not count as the person’s input.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.remembered',
    text: 'Which part of a window had the focus is remembered for as long as the window lives.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.remembered-ends',
    text: 'The memory of the focus and its hooks end with the desktop.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.moved-focus',
    text: 'A focus that the program moves after a click wins over the clicked part.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.nowhere',
    text: 'Keys and text are refused if no part of the window is known to have the focus.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.nowhere-hint',
    text: 'The refusal of keys without a focus says what to try.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.target',
    text: 'The outcome of keys gives role and name of the element that they went to.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.behind',
    text: 'Enter presses the judged button, and Tab continues from the judged control, although a program in the background has no focus.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.asked-focus',
    text: 'A key that is an accelerator of the program reaches the clicked item even if the command queries the focus: that control has the focus meanwhile.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.accelerator',
    text: 'An accelerator’s command is sent only if the window’s menu has it enabled.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.accelerator-tables',
    text: 'Of several accelerator tables, the one that belongs to the window counts.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'foreground.evidence',
    text: 'Real input is checked for its effect in the same way as posted input.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'typing.windows',
    text: 'Typed text that changes the window’s title is reported with that, and not confirmed by it.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'typing.windows-closed',
    text: 'Typed text that closes a window is reported with that, and not confirmed by it.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'pointer.alt',
    text: 'A click with Alt reaches a window in the background by its key state.',
    source: 'behaviour#pointer',
  },
  {
    id: 'pointer.held',
    text: 'Modifiers are held for moves, buttons, drags and the wheel too, and released whatever happens.',
    source: 'behaviour#pointer',
  },
  {
    id: 'pointer.held-before',
    text: 'Pointer input in the background carries Ctrl and Shift that an earlier press holds.',
    source: 'behaviour#pointer',
  },
  {
    id: 'pointer.unsupported-modifier',
    text: 'A modifier that nothing can carry to a window in the background is refused with the reason.',
    source: 'behaviour#pointer',
  },
  {
    id: 'input.document',
    text: 'Clicking or typing into a document of several in one frame (MDI) brings it forward, as a real click does.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'input.document-next',
    text: 'After a click into another document of a frame, the next command is for it.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.document',
    text: 'Of several documents in one frame (MDI), keys go to the active one, even if another was clicked before the program itself switched.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'pointer.move',
    text: 'Moving the pointer over a part that takes no move messages is not an error.',
    source: 'behaviour#pointer',
  },
  {
    id: 'wheel.ignored',
    text: 'If a wheel message shows no effect, UI Automation’s Scroll is used instead.',
    source: 'behaviour#pointer',
  },
  {
    id: 'wheel.ignored-said',
    text: 'The outcome says which part Scroll moved instead of the wheel.',
    source: 'behaviour#pointer',
  },
  {
    id: 'outcome.windows',
    text: 'Every action reports a window that opens in the same form, with `modal`.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'outcome.window-closed',
    text: 'A bound window that closes is reported with its owner, which is the next to bind.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'keyboard.ignored',
    text: 'Where a program ignores a combination, the effect is unverified.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.background',
    text: 'Keys and text reach the bound window in the background, whatever is in front.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'pointer.named',
    text: 'The outcome of an action at a point names the element that is there, by ref, role and name.',
    source: 'behaviour#pointer',
  },
  { id: 'pointer.menu-bar', text: 'A point on the menu bar is refused.', source: 'behaviour#pointer' },
  {
    id: 'pointer.menu-bar-hint',
    text: 'The refusal of a point on the menu bar says how menus are chosen from.',
    source: 'behaviour#pointer',
  },
  {
    id: 'pointer.menu',
    text: 'A click at a point of an open, bound menu chooses the entry there.',
    source: 'behaviour#pointer',
  },
  {
    id: 'pointer.menu-covers',
    text: 'At a point that an open menu covers, nothing is sent to the window beneath.',
    source: 'behaviour#pointer',
  },
  {
    id: 'pointer.child.through',
    text: 'virtualMouse passes over a child window that is both layered and transparent, as Windows’ own mouse does, and over no other.',
    source: 'behaviour#pointer',
  },
  { id: 'pointer.child', text: 'virtualMouse goes to the deepest child under the point.', source: 'behaviour#pointer' },
  {
    id: 'pointer.child-coordinates',
    text: 'Mouse messages carry the coordinates of the child that they go to.',
    source: 'behaviour#pointer',
  },
  {
    id: 'pointer.child-buttons',
    text: 'Mouse messages carry the MK_ flags of the buttons and keys that are down.',
    source: 'behaviour#pointer',
  },
  {
    id: 'pointer.virtual',
    text: 'With a binding, mouseDown, mouseUp and a drag without from begin at the virtual position.',
    source: 'behaviour#pointer',
  },
  {
    id: 'pointer.cursor',
    text: 'Without a binding, mouseDown, mouseUp and a drag without from begin at the cursor.',
    source: 'behaviour#pointer',
  },
  { id: 'pointer.buttons', text: 'Buttons left, right, middle × counts 1–3 × modifiers.', source: 'behaviour#pointer' },
  { id: 'wheel.units', text: 'Wheel units are notches to the child under the point.', source: 'behaviour#pointer' },
  { id: 'wheel.direction', text: 'A positive delta of the wheel is up or right.', source: 'behaviour#pointer' },
  { id: 'wheel.scroll-direction', text: 'In scroll a positive dy is down.', source: 'behaviour#pointer' },
  { id: 'wheel.scroll-right', text: 'In scroll a positive dx is right.', source: 'behaviour#pointer' },
  { id: 'hold.limits', text: 'repeat is 1 to 100.', source: 'behaviour#keyboard' },
  { id: 'hold.duration', text: 'A hold lasts at most 100 seconds.', source: 'behaviour#keyboard' },
  { id: 'hold.seconds', text: 'duration of virtual-keyboard is in seconds.', source: 'behaviour#keyboard' },
  {
    id: 'hold.default',
    text: 'A hold of virtual-keyboard without a duration lasts 1 second.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'hold.deadline',
    text: 'Where no deadline is given, a hold extends the default one by its duration.',
    source: 'behaviour#keyboard',
  },
  { id: 'hold.resent', text: 'A held key is resent, since injected ones do not repeat.', source: 'behaviour#keyboard' },
  { id: 'hold.released', text: 'What is pressed goes up when it is released.', source: 'behaviour#keyboard' },
  { id: 'hold.unbound', text: 'What is held goes up when its window is unbound.', source: 'behaviour#keyboard' },
  {
    id: 'hold.stopped',
    text: 'What is held goes up when the action is cancelled or its deadline is over.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'hold.left-front',
    text: 'What is held with real input goes up when another window comes to the front or a person uses the machine.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'hold.worker-killed',
    text: 'What is held goes up when the worker that holds it is killed.',
    source: 'behaviour#keyboard',
  },
  { id: 'hold.session-ended', text: 'What a session holds goes up at its end.', source: 'behaviour#keyboard' },
  { id: 'hold.nothing', text: 'Releasing what is not held is fine.', source: 'behaviour#keyboard' },
  {
    id: 'typing.abort',
    text: 'Typing stops between grapheme clusters when it is aborted.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'typing.abort-count',
    text: 'The error of text that was stopped says how many characters were typed.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'foreground.input',
    text: 'Foreground delivery (asked for, or unbound): SendInput, virtual-desktop coordinates.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'foreground.recheck',
    text: 'The foreground is re-checked at least every 20 characters.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'foreground.yields',
    text: 'While a person uses the machine, real input waits for a pause within the deadline, then answers user_active.',
    source: 'behaviour#keyboard',
  },
  { id: 'typing.ways', text: 'type(text, {viaClipboard}) works both ways.', source: 'behaviour#keyboard' },
  { id: 'typing.newline', text: '\\r\\n is one Enter.', source: 'behaviour#keyboard' },
  {
    id: 'typing.keys',
    text: 'Line breaks, tabs and backspaces are sent as keys to every control except the system’s own edits.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'typing.in-place',
    text: 'Where the first character opens a field in a grid that draws itself, the rest of the text goes there.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'typing.one-stream',
    text: 'Text arrives whole in windows that look into their queue, also behind keys and over several lines.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'typing.taken',
    text: 'Text is never ahead of the program: what was counted has been taken, and nothing follows a stop or the answer.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'typing.tab-real',
    text: 'Tabs of a text are keys by real input too, but in an edit control.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'receivers.table',
    text: 'Each toolkit gets the input that it takes in the background, by the way that it takes it from.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'receivers.notes',
    text: 'A shortcut that a toolkit takes in front alone, and a letter that it gives to a field too, are named in the answer with the way that works.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'receivers.refused',
    text: 'Input that a toolkit takes only from the real devices is refused before anything is sent, with what works.',
    source: 'behaviour#pointer',
  },
  {
    id: 'receivers.halves',
    text: 'A text with a character that the toolkit loses when it is typed is refused before anything is sent, and the clipboard is named.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'receivers.front',
    text: 'Keys and text for a toolkit that drops them while another program is in front are refused then, and nothing is sent.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.session',
    text: 'What one session clicked takes the keys of that session alone.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.frame',
    text: 'A frame that keeps the focus while a part draws the text gets the keys, also after a click on that part.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keyboard.console',
    text: 'Keys and text for a console go through its input, with every character and the held keys.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'outcome.pointer',
    text: 'What a window shows of the pointer is not evidence of a press.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'outcome.focus',
    text: 'A caret, a border or a line that a window draws of its focus, and the look of a pressed part, are not evidence.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'outcome.ticking',
    text: 'A title, a label or a state that changes by itself is not evidence.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'outcome.typed',
    text: 'Typed text is confirmed by reading it back, and read again some time later.',
    source: 'behaviour#outcomes',
  },
  { id: 'typing.surrogates', text: 'Surrogate pairs stay whole.', source: 'behaviour#keyboard' },
  {
    id: 'clipboard.watched',
    text: 'A paste waits until no other program has the clipboard open.',
    source: 'behaviour#clipboard',
  },
  {
    id: 'clipboard.restored',
    text: 'The clipboard’s previous content is restored after typing by paste.',
    source: 'behaviour#clipboard',
  },
  {
    id: 'clipboard.changed',
    text: 'The clipboard is not restored if another program has changed it meanwhile.',
    source: 'behaviour#clipboard',
  },
  {
    id: 'clipboard.history',
    text: 'Text that is typed by paste is kept out of clipboard history.',
    source: 'behaviour#clipboard',
  },
  {
    id: 'clipboard.saved',
    text: 'Saving the clipboard makes no program render an embedded or linked document.',
    source: 'behaviour#clipboard',
  },
  {
    id: 'clipboard.left-out',
    text: 'Formats left out of a saved clipboard are reported.',
    source: 'behaviour#clipboard',
  },
  {
    id: 'clipboard.slow-owner',
    text: 'Saving the clipboard requests no further format from a slow owner.',
    source: 'behaviour#clipboard',
  },
  { id: 'clipboard.untrimmed', text: 'Clipboard text is read and written untrimmed.', source: 'behaviour#clipboard' },
  {
    id: 'clipboard.retried',
    text: 'While another program holds the clipboard, access is retried for at most a second.',
    source: 'behaviour#clipboard',
  },
  { id: 'clipboard.flags', text: 'Reading the clipboard needs the flag clipboardRead.', source: 'behaviour#clipboard' },
  {
    id: 'clipboard.write-flag',
    text: 'At level control, a card about writing the clipboard says if the flag clipboardWrite is missing.',
    source: 'behaviour#clipboard',
  },
  {
    id: 'clipboard.audit',
    text: 'Text of the clipboard is in the audit by length and keyed hash, never itself.',
    source: 'behaviour#clipboard',
  },
];
