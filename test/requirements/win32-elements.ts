/** What the Windows layer of elements has to do, beyond test/requirements/{observing,elements}.ts. Tests cite the ids. */
export const requirements = [
  {
    id: 'snapshot.items',
    text: 'List view, tree view, combo box, list box, tab, tool bar, status bar and header items are there with names, types, states and rectangles.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.states',
    text: 'States and values of controls are what the controls hold.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'snapshot.geometry',
    text: 'The centre of every enabled leaf that is neither off-screen nor covered hits that element.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'name.tool-tip',
    text: 'A tool bar button or another picture without a text of its own is named by the first line of its tool tip.',
    source: 'behaviour#snapshots',
  },
  { id: 'name.ordinal', text: 'The number of a resource is no name.', source: 'behaviour#snapshots' },
  {
    id: 'name.beside',
    text: 'A control that nothing names shows what it is next to, marked so that nobody takes it for a name.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'name.beside-query',
    text: 'What a control is next to, given as a whole, leads back to the control.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'label.still',
    text: 'A text that changes, a value or an amount names no field.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'tree.check',
    text: 'Tree items show whether they are checked, also by images of the program’s own in Windows’ order; an image beyond that order is said as it is.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'query.group',
    text: 'The name of a group leads to the only field in it that takes the text or has the items.',
    source: 'behaviour#elements',
  },
  {
    id: 'query.group-several',
    text: 'Several such fields in a group are all matches; without one the group itself is.',
    source: 'behaviour#elements',
  },
  { id: 'snapshot.combo', text: 'A closed combo box with many items is one line.', source: 'behaviour#snapshots' },
  { id: 'refs.owner', text: 'Refs belong to the session that got them.', source: 'behaviour#binding' },
  {
    id: 'query.items',
    text: 'An item outside of the view, or below a collapsed one, is found by its name.',
    source: 'behaviour#elements',
  },
  {
    id: 'context.dialog',
    text: 'The gate gets the title and texts of an element’s dialog and the button that Enter presses.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'context.question',
    text: 'A question counts wherever its text stands: static, field that nobody can write in, document, task dialog, drawn text.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'context.no-password',
    text: 'No value of a password field is among the texts that the gate gets.',
    source: 'behaviour#pictures',
  },
  {
    id: 'context.near',
    text: 'The gate gets the names around an element: its label, its group, texts near by.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'context.frame',
    text: 'An element’s own document is the page or the innermost frame with an address of its own; its address is known only where the page’s is.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'context.address',
    text: 'The address of a browser window is its Document’s value, with the address bar as second witness.',
    source: 'behaviour#sessions',
  },
  {
    id: 'context.address-unknown',
    text: 'Where the two disagree or one is missing, the address is unknown.',
    source: 'behaviour#sessions',
  },
  {
    id: 'point.same',
    text: 'A point is bound to the element and window that were judged there: read again just before the message or the real input, both ends of a drag; anything else there → state_conflict, and nothing is pressed.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'click.message',
    text: 'The control’s own message is followed by its notification to the parent, and leaves the focus where it is.',
    source: 'behaviour#elements',
  },
  {
    id: 'click.items',
    text: 'A click on an item of a standard control selects it and notifies the parent.',
    source: 'behaviour#elements',
  },
  {
    id: 'click.posted',
    text: 'The last rung of a click is mouse messages posted to the child at the clickable point.',
    source: 'behaviour#elements',
  },
  { id: 'element.cancelled', text: 'An aborted call on an element sends nothing more.', source: 'behaviour#keyboard' },
  {
    id: 'element.hung',
    text: 'A hung target gives a partial snapshot and refuses actions with window_hung, both within the deadline.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'outcome.attempts',
    text: 'Attempts list each way that was tried, its result and why.',
    source: 'behaviour#outcomes',
  },
  { id: 'outcome.refused', text: 'What the target refused is not tried another way.', source: 'behaviour#outcomes' },
  {
    id: 'into.secret',
    text: 'A typed secret and the content of a password field are in no evidence; only the length is looked at.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'into.kinds',
    text: 'Rich edits, combo boxes, sliders, spinners and scroll bars take text or numbers, and their parents are told.',
    source: 'behaviour#elements',
  },
  {
    id: 'select.item',
    text: 'An item is selected by name, path or index, confirmed by reading the selection back.',
    source: 'behaviour#elements',
  },
  { id: 'select.idempotent', text: 'Selecting what is selected sends nothing.', source: 'behaviour#elements' },
  {
    id: 'select.refusals',
    text: 'An unknown name or an index out of range selects nothing and names what there is.',
    source: 'behaviour#elements',
  },
  {
    id: 'select.menu',
    text: 'Menus are chosen from by path: by UI Automation, then in the live menu.',
    source: 'behaviour#elements',
  },
  {
    id: 'select.menu-unsupported',
    text: 'Where a menu cannot be read, choosing by path is unsupported.',
    source: 'behaviour#elements',
  },
  { id: 'select.menu-alone', text: 'A menu path needs no element.', source: 'behaviour#elements' },
  {
    id: 'select.menu-keys',
    text: 'Where a menu cannot be read, the hint says which keys choose the entry.',
    source: 'behaviour#elements',
  },
  {
    id: 'menu.open',
    text: 'An open menu is bound like a window: its entries are its elements as far as the system shows them; where it shows none, the snapshot says so and names the way out.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'menu.hint',
    text: 'A name that no element has leads to the ways that menus have, where the window has a menu.',
    source: 'behaviour#elements',
  },
  {
    id: 'scroll.element',
    text: 'Items and child windows are scrolled into view by ScrollItem, their control’s message or the panel’s scroll bars.',
    source: 'behaviour#elements',
  },
  { id: 'scroll.page', text: 'Without an element the window scrolls by one page.', source: 'behaviour#sessions' },
  {
    id: 'wait.condition',
    text: 'wait-for waits until an element appears, goes, changes, is enabled or has a value.',
    source: 'behaviour#elements',
  },
  {
    id: 'wait.source',
    text: 'The outcome of a wait says whether an event or polling noticed it.',
    source: 'behaviour#elements',
  },
  {
    id: 'locate.exact-first',
    text: 'An exact name wins wherever it is, in view or not; a longer name in view is not taken for it.',
    source: 'behaviour#elements',
  },
  {
    id: 'lists.search',
    text: 'An item of a list with thousands of rows is reached by name or index through what the control offers.',
    source: 'behaviour#elements',
  },
  { id: 'lists.view', text: 'A reading of a long list shows the part in view.', source: 'behaviour#elements' },
  {
    id: 'lists.slices',
    text: 'A search through a long list ends within the action’s deadline and lets other calls act meanwhile.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'lists.makes',
    text: 'An action by the name of an item that its list has not made has it made first; who only looks does not.',
    source: 'behaviour#elements',
  },
  {
    id: 'lists.whole',
    text: 'A list that was read in part is never spoken of as if it were whole: what may be in the rest is said to be unknown.',
    source: 'behaviour#errors',
  },
  { id: 'wait.whole', text: 'What may be in a part that was not read has not gone.', source: 'behaviour#errors' },
  { id: 'wait.window', text: 'wait-for waits for a window of the application by title.', source: 'behaviour#elements' },
  { id: 'wait.deadline', text: 'At its deadline a wait says how things stand.', source: 'behaviour#errors' },
  {
    id: 'wait.quiet',
    text: 'Waiting until the window is quiet ends when nothing changed for the given time.',
    source: 'behaviour#sessions',
  },
  {
    id: 'wait.quiet.picture',
    text: 'A picture that goes on moving is not quiet: the answer is false when the time is over.',
    source: 'behaviour#sessions',
  },
  {
    id: 'wait.quiet.elements',
    text: 'Elements that go on changing are not quiet, in a window without a picture too.',
    source: 'behaviour#sessions',
  },
  { id: 'wait.quiet.answer', text: 'A program that does not answer is not quiet.', source: 'behaviour#sessions' },
  {
    id: 'table.rows',
    text: 'read-table reads rows of a list view by their own index with columns, in view or not.',
    source: 'behaviour#elements',
  },
  {
    id: 'table.virtual',
    text: 'A virtual row is never answered with another row’s values.',
    source: 'behaviour#elements',
  },
  {
    id: 'table.tree',
    text: 'Trees are read with their depth, lists and combo boxes as one column.',
    source: 'behaviour#elements',
  },
  {
    id: 'table.columns',
    text: 'A table’s columns are read by a range; the deadline holds in each cell, and other calls act meanwhile.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'snapshot.failing',
    text: 'A provider that fails costs its own branch: the rest is read and acted on, and the element whose branch it is is marked.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'refs.inner-handles',
    text: 'Parts that give the handle of the window that they are in are told apart by their RuntimeIds.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'table.made',
    text: 'A list without a grid that makes its items when they are needed is counted whole, and the rows that are asked for are made.',
    source: 'behaviour#elements',
  },
  { id: 'table.grid', text: 'Grids are read by cell with their column headers.', source: 'behaviour#elements' },
  {
    id: 'table.realised',
    text: 'Virtual items of a grid are realised before they are read.',
    source: 'behaviour#elements',
  },
  { id: 'msaa.s-false', text: 'S_FALSE of a default action or value is failure.', source: 'behaviour#elements' },
  {
    id: 'uia.fallback',
    text: 'Without subtree caches, conditions and patterns the tree is walked and shows the same.',
    source: 'wine#what-works-what-does-not',
  },
  {
    id: 'uia.abilities',
    text: 'What UI Automation offers is probed at the start, never deduced from the system’s name.',
    source: 'wine#what-works-what-does-not',
  },
  {
    id: 'uia.merge',
    text: 'UI Automation, MSAA, windows and the controls’ messages make one tree.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'uia.password',
    text: 'A field that any source calls a password field has no value.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'uia.errors',
    text: 'Failures of UI Automation become target_disabled, element_stale, a refusal, or the next rung.',
    source: 'behaviour#elements',
  },
  { id: 'uia.leaks', text: 'Nothing that COM gave is held after an action.', source: 'architecture#rules' },
];
