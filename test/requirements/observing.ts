/** Requirements of snapshots and pictures. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#snapshots, beyond the Windows layer's own lists. */
export const observing: readonly Requirement[] = [
  {
    id: 'snapshot.format',
    text: 'One line per element, two spaces per level, the window first: [ControlType] "name" (x,y WxH) ref=eN, then value, id and states where they apply.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.escaping',
    text: 'Names, values and ids are escaped as JSON strings: a window cannot forge a line.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'part.root',
    text: 'With name, role, automationId or ref, a snapshot shows that element and what is in it, by the lines of the whole one.',
    source: 'behaviour#a-part-of-a-window',
  },
  {
    id: 'part.depth',
    text: 'depth limits the levels below the root; what is deeper is counted at the end of its line.',
    source: 'behaviour#a-part-of-a-window',
  },
  {
    id: 'part.expand',
    text: 'A snapshot with the ref of a line that counts items or elements shows them.',
    source: 'behaviour#a-part-of-a-window',
  },
  {
    id: 'part.since',
    text: 'A difference since the observation of a part is that of the part.',
    source: 'behaviour#a-part-of-a-window',
  },
  {
    id: 'part.cost',
    text: 'Where the provider can search, a part costs its own elements and find what fits, however large the window is.',
    source: 'behaviour#a-part-of-a-window',
  },
  {
    id: 'describe.sources',
    text: 'describe-element shows an element as UI Automation, MSAA, its window and its control’s messages show it, never a field’s text.',
    source: 'behaviour#a-part-of-a-window',
  },
  {
    id: 'describe.text',
    text: 'With attributes, describe-element says font, size, colour and weight at the selection or caret, and where that is, by the text pattern and the messages of edit controls; null where a source does not say it, nothing for password fields.',
    source: 'behaviour#a-part-of-a-window',
  },
  {
    id: 'part.text',
    text: 'With attributes, the lines of find and snapshots say font, size, colour, weight, selection and caret line of texts where a source does, and without it nothing is asked for them.',
    source: 'behaviour#a-part-of-a-window',
  },
  {
    id: 'find.fits',
    text: 'find lists the elements that fit all of name (part or pattern), role, value and state, within or near an element.',
    source: 'behaviour#a-part-of-a-window',
  },
  {
    id: 'find.refs',
    text: 'The refs that find answers are those of snapshots, and can be acted on.',
    source: 'behaviour#a-part-of-a-window',
  },
  {
    id: 'find.labels',
    text: 'find knows fields by the labels next to them.',
    source: 'behaviour#a-part-of-a-window',
  },
  {
    id: 'snapshot.password',
    text: 'Values of password fields are never read, printed, logged or stored.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.own-text',
    text: 'A text control of a program’s own is a Document with its text as value.',
    source: 'behaviour#snapshots',
  },
  { id: 'snapshot.kept', text: 'Interesting control types are kept in a snapshot.', source: 'behaviour#snapshots' },
  {
    id: 'snapshot.dropped',
    text: 'Nodes without name, value, pattern or interesting descendant are dropped from a snapshot.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.budget',
    text: 'maxTokens (default 4,000, at 4 bytes each) and maxElements cut a snapshot in a stable order.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.more',
    text: 'The last line of a snapshot that was cut is “… N more”.',
    source: 'behaviour#snapshots',
  },
  { id: 'snapshot.cursor', text: 'A cursor continues the same observation.', source: 'behaviour#snapshots' },
  { id: 'snapshot.codePoint', text: 'No code point is split.', source: 'behaviour#snapshots' },
  {
    id: 'snapshot.since',
    text: 'since gives the lines of a snapshot that changed, prefixed +, ~ and -.',
    source: 'behaviour#snapshots',
  },
  { id: 'snapshot.unchanged', text: 'since gives an empty text where nothing changed.', source: 'behaviour#snapshots' },
  {
    id: 'snapshot.few-calls',
    text: 'As few cross-process calls as the system offers: a subtree cache where there is one.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'cost.ended',
    text: 'What was kept of the windows of a program is forgotten after it has ended.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'cost.facts-once',
    text: 'What cannot change in a window is asked once, as long as no window in it comes or goes.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'cost.by-ref',
    text: 'An action on a ref reads its element, the windows around it and the texts next to it, however large the window is.',
    source: 'behaviour#elements',
  },
  {
    id: 'cost.live-element',
    text: 'An action on a ref of UI Automation asks that element, its ancestors and their children, and traverses nothing; what else is in view is searched for at most once in five seconds.',
    source: 'behaviour#elements',
  },
  {
    id: 'cost.growth',
    text: 'Where a provider can search, a click by ref, by name, by automationId or at a point, typing and keys ask the same of a small and of a large window.',
    source: 'behaviour#elements',
  },
  {
    id: 'cost.foreign',
    text: 'Where the system cannot search, a click at a known element or at a point, a key, typing, a choice and scrolling ask a program’s own provider the same in a small and in a large window.',
    source: 'behaviour#elements',
  },
  {
    id: 'cost.by-keys',
    text: 'Text that a field keeps is typed by keys at the cost of that field and what is around it; other keys read the names of all that they can press.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'cost.rows',
    text: 'A choice in a long list asks for the rows that it needs, however many there are.',
    source: 'behaviour#elements',
  },
  {
    id: 'cost.whole-window',
    text: 'An action on the window as a whole reads what the window asks, not its controls.',
    source: 'behaviour#elements',
  },
  {
    id: 'cost.by-place',
    text: 'Labels and covered elements are found by place: the work grows with the window, not with its square.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'cost.never-stale',
    text: 'What is kept between readings never shows an old text, place, state or field, and never a password.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.partial',
    text: 'A time budget; after it, what was read is returned with partial: true.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.asked-again',
    text: 'Providers that build their tree on the first query are queried again within the budget.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.boundaries',
    text: 'What a call for the whole tree leaves out behind another provider is read from there and joined.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.boundaries-unread',
    text: 'A boundary that could not be read in time is marked, and the snapshot is partial.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.no-content',
    text: 'A window whose content no source shows says so in its snapshot, and where an element is not found, with what helps for its toolkit.',
    source: 'behaviour#time-and-partial-readings',
  },
  {
    id: 'snapshot.left-out',
    text: 'Child windows that UI Automation leaves out of a window’s tree are asked by their handles; where one cannot be asked, it is marked and the snapshot is partial.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'capture.left-out',
    text: 'Pictures mask password fields in child windows that a search leaves out.',
    source: 'behaviour#pictures',
  },
  {
    id: 'snapshot.woken',
    text: 'A browser’s window without a page is asked for it as a screen reader asks.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.page-missing',
    text: 'A page that is not built after the wait is marked, and the snapshot says how to get it.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.page-known',
    text: 'Once a program has shown a page, no reading waits for another one of it.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'capture.password-boundaries',
    text: 'Pictures mask password fields behind another provider, and paint over what cannot be read there.',
    source: 'behaviour#pictures',
  },
  {
    id: 'capture.see-through',
    text: 'A picture of a window through parts of which a person sees what is behind is marked.',
    source: 'behaviour#pictures',
  },
  {
    id: 'capture.hollow',
    text: 'A picture that shows a window’s frame around a black inside says that its content may be missing.',
    source: 'behaviour#pictures',
  },
  {
    id: 'wait.listens',
    text: 'Between events, wait-for looks at the elements of a window once a second at most.',
    source: 'behaviour#elements',
  },
  {
    id: 'snapshot.sources',
    text: 'Sources are merged: UI Automation, MSAA, the messages of the standard controls (list view, tree view, list box, combo box, tab, tool bar, status bar).',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.own-messages',
    text: 'A standard control that the system’s own proxy shows is read and operated by its own messages, on every system; where its program’s memory may not be used, UI Automation remains.',
    source: 'behaviour#snapshots',
  },
  { id: 'snapshot.node-source', text: 'Each node knows its source.', source: 'behaviour#snapshots' },
  {
    id: 'snapshot.memory',
    text: 'Items of controls are read with memory in the target, in the layout of its program, 32-bit or 64-bit.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.memory-forbidden',
    text: 'Where policy forbids memory in the target, items that need it are counted instead of read.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.untrusted',
    text: 'Other programs’ text comes in fields marked as untrusted.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'refs.never',
    text: 'A ref is never given to another element in a host’s life.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'refs.place',
    text: 'An item is its place and its name: where another item took its place, its ref is element_stale.',
    source: 'behaviour#snapshots',
  },
  { id: 'refs.stable', text: 'A ref stays with its element as long as that lives.', source: 'behaviour#snapshots' },
  { id: 'refs.resolved', text: 'A ref is resolved again before acting.', source: 'behaviour#snapshots' },
  {
    id: 'refs.gone',
    text: 'A ref whose element is gone is element_stale, with a hint to look again.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'observations.eight',
    text: 'The last eight observations of a binding stay valid.',
    source: 'behaviour#snapshots',
  },
  { id: 'capture.display', text: 'Bound and a displayId given: the display.', source: 'behaviour#pictures' },
  {
    id: 'capture.text',
    text: 'screenshot and resolvePrepareCapture carry accessibilityText when a window is bound.',
    source: 'behaviour#pictures',
  },
  {
    id: 'prepare.preferred',
    text: 'resolvePrepareCapture uses preferredDisplayId if it is given.',
    source: 'behaviour#pictures',
  },
  {
    id: 'prepare.auto',
    text: 'autoResolve of resolvePrepareCapture takes the display with most of the bound or allowed windows.',
    source: 'behaviour#pictures',
  },
  { id: 'prepare.hidden', text: 'doHide is accepted and hides nothing.', source: 'behaviour#pictures' },
  {
    id: 'prepare.hidden-list',
    text: 'resolvePrepareCapture answers an empty hidden list.',
    source: 'behaviour#pictures',
  },
  { id: 'prepare.activated', text: 'resolvePrepareCapture never answers activated.', source: 'behaviour#pictures' },
  { id: 'prepare.error', text: 'A failed capture fills captureError.', source: 'behaviour#pictures' },
  {
    id: 'prepare.error-geometry',
    text: 'resolvePrepareCapture answers the geometry even if the capture failed.',
    source: 'behaviour#pictures',
  },
  { id: 'prepare.nothing', text: 'prepareForAction hides nothing.', source: 'behaviour#pictures' },
  {
    id: 'preview.nothing',
    text: 'previewHideSet answers an empty list, since nothing is ever hidden.',
    source: 'behaviour#pictures',
  },
  {
    id: 'prepare.verifies',
    text: 'prepareForAction rejects with the cause if the window cannot be acted on.',
    source: 'behaviour#pictures',
  },
  { id: 'capabilities.filtering', text: 'screenshotFiltering is native.', source: 'behaviour#pictures' },
  {
    id: 'capture.listed',
    text: 'Without the flag displayCapture a picture of a display with allowedBundleIds is taken without asking, and shows only windows of applications that are listed and granted; everything else is painted over. A list never grants.',
    source: 'behaviour#pictures',
  },
  {
    id: 'capture.listed-flag',
    text: 'With the flag displayCapture, a list that is not empty limits a picture of a display to the applications in it.',
    source: 'behaviour#pictures',
  },
  {
    id: 'capture.listed-session',
    text: 'A picture of a display that is limited to granted applications shows none outside the token’s applications or the session’s urls, and no browser whose pages are limited.',
    source: 'behaviour#pictures',
  },
];
