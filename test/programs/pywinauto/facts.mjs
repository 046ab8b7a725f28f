// What pywinauto's unit tests assert of its MFC samples on Windows, as questions by uiahost's own actions: for
// `node scripts/programs.mjs pywinauto --from FOLDER`. No text of pywinauto is here; each fact names the test that asserts it.

/**
 * @typedef {import('../../../scripts/lib/pywinauto.mjs').Sample} Sample
 * @typedef {object} Fact
 * @property {string} by the test of pywinauto
 * @property {string} asks
 * @property {unknown} expected
 * @property {(w: Sample) => Promise<unknown>} ask
 * @property {string} [differs] why uiahost answers something else here: a known difference
 */

const LIST = { role: 'List' };
const TAB = { role: 'Tab' };
const TREE = { role: 'Tree' };

/** Facts of one test: rows of question, expectation, asking and, where it differs, the reason. */
const of = (by, ...rows) => rows.map(([asks, expected, ask, differs]) => ({ by, asks, expected, ask, differs }));

const colours = [
  ['Yellow', 255, 255, 0, 40, 240, 120, 'Neutral'],
  ['Red', 255, 0, 0, 0, 240, 120, 'Warm'],
  ['Green', 0, 255, 0, 80, 240, 120, 'Cool'],
  ['Magenta', 255, 0, 255, 200, 240, 120, 'Warm'],
  ['Cyan', 0, 255, 255, 120, 240, 120, 'Cool'],
  ['Blue', 0, 0, 255, 160, 240, 120, 'Cool'],
  ['Gray', 192, 192, 192, 160, 0, 181, 'Neutral'],
].map((row) => row.map(String));
const columns = ['Color', 'Red', 'Green', 'Blue', 'Hue', 'Sat', 'Lum', 'Type'];
const widths = [150, 50, 50, 50, 100, 50, 50, 150];

const table = async (w) => (await w.call('read-table', LIST)).value;
const selectedRows = async (w) => (await table(w)).rows.filter(({ selected }) => selected).map(({ cells }) => cells[0]);
const view = (w, place) => w.does('click-element', { path: `ToolBar#59392 > CheckBox[${place}]` });
const rowAt = async (w, name) => w.one('ListItem', name);
/** A click next to the text of a row, on the mark of its state. */
const tick = async (w, name) => {
  const { x, y, height } = await rowAt(w, name);
  return w.does('click', { x: x - 9, y: y + Math.round(height / 2), space: 'image' });
};
const isTicked = async (w, name) => (await rowAt(w, name)).states.includes('checked');
const withCtrl = async (w, ...names) => {
  for (const name of names) {
    const { x, y, width, height } = await rowAt(w, name);
    await w.does('click', {
      x: x + Math.round(width / 4),
      y: y + Math.round(height / 2),
      modifiers: name === names[0] ? [] : ['ctrl'],
    });
  }
  return selectedRows(w);
};
const inside = (container, part) => ({ x: part.x - container.x, y: part.y - container.y, width: part.width });

const rowList = {
  program: 'RowList.exe',
  facts: [
    ...of('test_common_controls.ListViewTestCases32.testFriendlyClass', [
      'the list is a list',
      'List',
      async (w) => (await w.one('List')).role,
    ]),
    ...of('test_common_controls.ListViewTestCases32.testColumnCount', [
      'columns',
      8,
      async (w) => (await table(w)).columns.length,
    ]),
    ...of('test_common_controls.ListViewTestCases32.testItemCount', [
      'rows',
      7,
      async (w) => (await table(w)).totalRows,
    ]),
    ...of('test_common_controls.ListViewTestCases32.testItemText', [
      'row 1',
      'Red',
      async (w) => (await table(w)).rows[1].cells[0],
    ]),
    ...of(
      'test_common_controls.ListViewTestCases32.testGetItem',
      ...colours.map((row, at) => [`cells of row ${at}`, row, async (w) => (await table(w)).rows[at].cells]),
    ),
    ...of(
      'test_common_controls.ListViewTestCases32.testTexts',
      ...colours.map(([first, ...others]) => [
        `texts of ${first} in the snapshot`,
        others.join(' | '),
        async (w) => (await rowAt(w, first)).value,
      ]),
    ),
    ...of(
      'test_common_controls.ListViewTestCases32.testGetItemText',
      ...colours.map(([first]) => [
        `find ${first}`,
        1,
        async (w) => (await w.call('find', { role: 'ListItem', name: first })).value.total,
      ]),
      [
        'a row that is not there',
        'target_not_found',
        (w) => w.does('select-element', { ...LIST, item: 'No such row' }),
      ],
    ),
    ...of(
      'test_common_controls.ListViewTestCases32.testGetColumnTexts',
      ...[0, 1, 2, 3].map((at) => [`column ${at}`, columns[at], async (w) => (await table(w)).columns[at]]),
    ),
    ...of('test_common_controls.HeaderTestCases.testFriendlyClass', [
      'the header is a header',
      'Header',
      async (w) => (await w.one('Header')).role,
    ]),
    ...of('test_common_controls.HeaderTestCases.testItemCount', [
      'items of the header',
      8,
      async (w) => (await w.all('HeaderItem')).length,
    ]),
    ...of(
      'test_common_controls.HeaderTestCases.testTexts',
      ...columns.map((name, at) => [`header ${at}`, name, async (w) => (await w.all('HeaderItem'))[at].name]),
    ),
    ...of(
      'test_common_controls.HeaderTestCases.testClientRects',
      ...widths.map((width, at) => [
        `place of header ${at}`,
        { x: widths.slice(0, at).reduce((sum, each) => sum + each, 0), y: 0, width },
        async (w) => inside(await w.one('Header'), (await w.all('HeaderItem'))[at]),
      ]),
    ),
    ...of(
      'test_common_controls.ListViewTestCases32.test_cells_rectangles',
      ['the distance of rows', 17, async (w) => (await rowAt(w, 'Red')).y - (await rowAt(w, 'Yellow')).y],
      [
        'row 1 begins below the header and row 0',
        34,
        async (w) => (await rowAt(w, 'Red')).y - (await w.one('Header')).y,
      ],
    ),
    ...of(
      'test_common_controls.ListViewTestCases32.testIsSelected',
      ['nothing is selected', [], selectedRows],
      ['row 1 can be selected', 'confirmed', (w) => w.does('select-element', { ...LIST, index: 1 })],
      ['and is', ['Red'], selectedRows],
    ),
    ...of(
      'test_common_controls.ListViewTestCases32.testSelect',
      ['three rows at once', ['Red', 'Magenta', 'Cyan'], (w) => withCtrl(w, 'Red', 'Magenta', 'Cyan')],
      ['row 23', 'target_not_found', (w) => w.does('select-element', { ...LIST, index: 23 })],
    ),
    ...of('test_common_controls.ListViewTestCases32.testSelectText', [
      'three rows by name',
      ['Yellow', 'Green', 'Gray'],
      (w) => withCtrl(w, 'Green', 'Yellow', 'Gray'),
    ]),
    ...of('test_common_controls.ListViewTestCases32.testGetSelectionCount', [
      'two rows',
      ['Red', 'Gray'],
      (w) => withCtrl(w, 'Red', 'Gray'),
    ]),
    ...of('test_common_controls.ListViewTestCases32.testDeselect', [
      'one of two rows is taken back',
      ['Red'],
      async (w) => {
        await withCtrl(w, 'Red', 'Cyan');
        const { x, y } = await rowAt(w, 'Cyan');
        await w.does('click', { x: x + 20, y: y + 8, modifiers: ['ctrl'] });
        return selectedRows(w);
      },
    ]),
    ...of(
      'test_common_controls.ListViewTestCases32.testItemClick',
      [
        'a click selects Green',
        ['Green'],
        async (w) => (await w.does('click-element', { name: 'Green', role: 'ListItem' }), selectedRows(w)),
      ],
      [
        'and Magenta in its place',
        ['Magenta'],
        async (w) => (await w.does('click-element', { name: 'Magenta', role: 'ListItem' }), selectedRows(w)),
      ],
      ['Green is not the focused row', false, async (w) => (await rowAt(w, 'Green')).states.includes('focused')],
    ),
    ...of(
      'test_common_controls.ListViewTestCases32.testItemClickInput',
      ...['Green', 'Magenta', 'Green'].map((name) => [
        `a real click selects ${name} alone`,
        [name],
        async (w) => {
          await w.does('click-element', { name, role: 'ListItem', delivery: 'foreground' });
          return selectedRows(w);
        },
      ]),
    ),
    ...of(
      'test_common_controls.ListViewTestCases32.testItemCheck',
      ['a click on its mark ticks Yellow', true, async (w) => (await tick(w, 'Yellow'), isTicked(w, 'Yellow'))],
      ['and takes it back', false, async (w) => (await tick(w, 'Yellow'), isTicked(w, 'Yellow'))],
    ),
    ...of('test_hwndwrapper.HwndWrapperMenuTests.testMenuItems', [
      'the list has no menu',
      0,
      async (w) => (await w.all('MenuItem')).length,
    ]),
    ...of(
      'test_hwndwrapper.HwndWrapperMenuTests.testMenuSelect',
      ['the tool bar is shown', 1, async (w) => (await w.all('ToolBar')).length],
      ['View, Toolbar hides it', 0, async (w) => (await w.menu('v', 't'), (await w.all('ToolBar')).length)],
      ['and shows it', 1, async (w) => (await w.menu('v', 't'), (await w.all('ToolBar')).length)],
    ),
    ...of(
      'test_hwndwrapper.HwndWrapperMenuTests.testClose',
      ['Help, About opens its dialog', 'About RowList', async (w) => (await w.menu('h', 'a'), w.dialog())],
      ['which closes', 'confirmed', (w) => w.does('manage-window', { action: 'close' })],
      ['and the window is still there', true, (w) => w.back()],
    ),
    ...of(
      'test_hwndwrapper.HwndWrapperMenuTests.testCloseClick_bug',
      ['the dialog again', 'About RowList', async (w) => (await w.menu('h', 'a'), w.dialog())],
      ['its OK closes it', 'confirmed', (w) => w.does('click-element', { automationId: '1' })],
      ['the window is still there', true, (w) => w.back()],
    ),
    ...of(
      'test_hwndwrapper.HwndWrapperMenuTests.testCloseAltF4',
      ['the dialog again', 'About RowList', async (w) => (await w.menu('h', 'a'), w.dialog())],
      [
        'alt+f4 closes it',
        'confirmed',
        (w) => w.does('virtual-keyboard', { action: 'combo', text: 'alt+f4' }),
        'alt+f4 is one of the keys that uiahost does not send; manage-window close is the way',
      ],
      ['the window is still there', true, async (w) => (await w.does('manage-window', { action: 'close' }), w.back())],
    ),
    ...of('test_common_controls.ListViewTestCases32.setUp', [
      'a button of the tool bar switches to icons',
      [true, false],
      async (w) => {
        await view(w, 1);
        const bar = (await w.all('CheckBox')).filter(({ id }) => id.startsWith('Item '));
        return [bar[0], bar[4]].map(({ states }) => states.includes('checked'));
      },
    ]),
  ],
};

const tabs = ['CTreeCtrl', 'CAnimateCtrl', 'CToolBarCtrl', 'CDateTimeCtrl', 'CMonthCalCtrl'];
const selectedTab = async (w) => (await w.all('TabItem')).findIndex(({ states }) => states.includes('selected'));
const toTab = (w, item) => w.does('select-element', { ...TAB, item });
const item = async (w, name) => w.one('TreeItem', name);
const isExpanded = async (w, name) => (await item(w, name)).states.includes('expanded');
const checkOf = async (w, role, name) =>
  (await w.one(role, name)).states.some((state) => state === 'checked' || state === 'selected');
const below = async (w, name) => {
  const all = await w.tree();
  const at = all.findIndex((node) => node.role === 'TreeItem' && node.name === name);
  const after = all.slice(at + 1);
  const end = after.findIndex(({ depth }) => depth <= all[at].depth);
  return after.slice(0, end).map((node) => node.name);
};
const bars = async (w, which) => {
  const all = await w.tree();
  const starts = all.flatMap(({ role }, at) => (role === 'ToolBar' ? [at] : []));
  const bar = all[starts[which]];
  const buttons = all.slice(starts[which] + 1);
  const end = buttons.findIndex(({ depth }) => depth <= bar.depth);
  return { bar, buttons: end < 0 ? buttons : buttons.slice(0, end) };
};
const today = () => new Date();
const two = (number) => String(number).padStart(2, '0');
const DATE = { automationId: '101' };
const CALENDAR = { role: 'Calendar' };

const tree = {
  program: 'CmnCtrl1.exe',
  facts: [
    ...of('test_common_controls.TabControlTestCases.testFriendlyClass', [
      'the tab control is one',
      'Tab',
      async (w) => (await w.one('Tab')).role,
    ]),
    ...of('test_common_controls.TabControlTestCases.testTabCount', [
      'tabs',
      5,
      async (w) => (await w.all('TabItem')).length,
    ]),
    ...of(
      'test_common_controls.TabControlTestCases.testTexts',
      ...tabs.map((name, at) => [`tab ${at}`, name, async (w) => (await w.all('TabItem'))[at].name]),
    ),
    ...of('test_common_controls.TabControlTestCases.testRowCount', [
      'all tabs are in one row',
      1,
      async (w) => new Set((await w.all('TabItem')).map(({ y }) => y)).size,
    ]),
    ...of(
      'test_common_controls.TabControlTestCases.testGetTabRect',
      ...tabs.map((_, at) => [
        `tab ${at} begins where the one before ends`,
        2,
        async (w) => {
          const all = await w.all('TabItem');
          return at === 0 ? all[0].x - (await w.one('Tab')).x : all[at].x - all[at - 1].x - all[at - 1].width + 2;
        },
      ]),
    ),
    ...of(
      'test_common_controls.TreeViewAdditionalTestCases.testPrintItems',
      [
        'Birds, opened',
        ['Eagle', 'Hummingbird', 'Pigeon'],
        async (w) => (await w.does('click-element', { name: 'Birds', role: 'TreeItem', count: 2 }), below(w, 'Birds')),
      ],
      [
        'Dogs, opened',
        ['Dalmatian', 'German Shepherd', 'Great Dane'],
        async (w) => (await w.does('click-element', { name: 'Dogs', role: 'TreeItem', count: 2 }), below(w, 'Dogs')),
      ],
      [
        'Fish, opened',
        ['Salmon', 'Snapper', 'Sole'],
        async (w) => (
          await w.does('click-element', { name: 'Fish', role: 'TreeItem', count: 2 }),
          (await below(w, 'Fish')).slice(0, 3)
        ),
      ],
      [
        'the first level',
        ['Birds', 'Dogs', 'Fish'],
        async (w) => {
          const all = await w.all('TreeItem');
          return all.filter(({ depth }) => depth === all[0].depth).map(({ name }) => name);
        },
      ],
    ),
    ...of(
      'test_common_controls.TreeViewAdditionalTestCases.testIsSelected',
      ['an item by its path', 'confirmed', (w) => w.does('select-element', { ...TREE, item: 'Birds > Eagle' })],
      ['is selected', true, async (w) => (await item(w, 'Eagle')).states.includes('selected')],
    ),
    ...of(
      'test_common_controls.TreeViewAdditionalTestCases.test_expand_collapse',
      ['Birds is expanded', true, (w) => isExpanded(w, 'Birds')],
      [
        'collapsed again',
        false,
        async (w) => (
          await w.does('click-element', { name: 'Birds', role: 'TreeItem', count: 2 }),
          isExpanded(w, 'Birds')
        ),
      ],
    ),
    ...of(
      'test_common_controls.TreeViewAdditionalTestCases.test_expand_collapse_buttons',
      ...['TVS_HASBUTTONS', 'TVS_HASLINES', 'TVS_LINESATROOT'].map((name) => [
        `${name} is turned on`,
        true,
        async (w) => (await w.does('click-element', { name, delivery: 'foreground' }), checkOf(w, 'CheckBox', name)),
      ]),
      [
        'a real double click opens Birds',
        true,
        async (w) => (
          await w.does('click-element', { name: 'Birds', role: 'TreeItem', count: 2, delivery: 'foreground' }),
          isExpanded(w, 'Birds')
        ),
      ],
    ),
    ...of(
      'test_win32controls.CheckBoxTests.testCheckUncheckByClick',
      [
        'TVS_HASLINES off',
        false,
        async (w) => (await w.does('click-element', { name: 'TVS_HASLINES' }), checkOf(w, 'CheckBox', 'TVS_HASLINES')),
      ],
      [
        'and on',
        true,
        async (w) => (await w.does('click-element', { name: 'TVS_HASLINES' }), checkOf(w, 'CheckBox', 'TVS_HASLINES')),
      ],
    ),
    ...of(
      'test_win32controls.CheckBoxTests.testCheckUncheckByClickInput',
      [
        'TVS_HASLINES off by a real click',
        false,
        async (w) => (
          await w.does('click-element', { name: 'TVS_HASLINES', delivery: 'foreground' }),
          checkOf(w, 'CheckBox', 'TVS_HASLINES')
        ),
      ],
      [
        'and on',
        true,
        async (w) => (
          await w.does('click-element', { name: 'TVS_HASLINES', delivery: 'foreground' }),
          checkOf(w, 'CheckBox', 'TVS_HASLINES')
        ),
      ],
    ),
    ...of(
      'test_common_controls.TreeViewAdditionalTestCases.testCheckBoxes',
      ['TVS_CHECKBOXES on', 'confirmed', (w) => w.does('click-element', { name: 'TVS_CHECKBOXES' })],
      [
        'a click on its box ticks Birds',
        true,
        async (w) => {
          const { x, y } = await item(w, 'Birds');
          await w.does('click', { x: x - 38, y: y + 8 });
          return (await item(w, 'Birds')).states.includes('checked');
        },
      ],
      [
        'another takes it back',
        false,
        async (w) => {
          const { x, y } = await item(w, 'Birds');
          await w.does('click', { x: x - 38, y: y + 8 });
          return (await item(w, 'Birds')).states.includes('checked');
        },
      ],
    ),
    ...of('test_common_controls.TreeViewAdditionalTestCases.testIncorrectAreas', [
      'an item that is not there',
      'target_not_found',
      (w) => w.does('select-element', { ...TREE, item: 'Bread' }),
    ]),
    ...of(
      'test_common_controls.TabControlTestCases.testSelect',
      ['tab 0 is selected', 0, selectedTab],
      ['tab 1 by index', 1, async (w) => (await w.does('select-element', { ...TAB, index: 1 }), selectedTab(w))],
      ['tab 2 by name', 2, async (w) => (await toTab(w, 'CToolBarCtrl'), selectedTab(w))],
      ['tab 99', 'target_not_found', (w) => w.does('select-element', { ...TAB, index: 99 })],
    ),
    ...of(
      'test_common_controls.ToolTipsTestCases.test_texts',
      ...['New', 'Open', 'Save', 'Cut', 'Copy', 'Paste', 'Print', 'About', 'Help'].map((name, at) => [
        `button ${at} by its tip`,
        name,
        async (w) => (await bars(w, 0)).buttons[at].name,
      ]),
    ),
    ...of('test_common_controls.ToolTipsTestCases.test_tool_count', [
      'buttons with a tip',
      9,
      async (w) => (await bars(w, 0)).buttons.filter(({ name }) => name !== '').length,
    ]),
    ...of('test_common_controls.ToolbarTestCases.testFriendlyClass', [
      'tool bars',
      2,
      async (w) => (await w.all('ToolBar')).length,
    ]),
    ...of('test_common_controls.ToolbarTestCases.testButtonCount', [
      'buttons of the second',
      12,
      async (w) => (await bars(w, 1)).buttons.length,
    ]),
    ...of('test_common_controls.ToolbarTestCases.testGetToolTipsControl', [
      'the second has a Pencil and an Ellipse',
      true,
      async (w) => {
        const names = (await bars(w, 1)).buttons.map(({ name }) => name);
        return names.includes('Pencil') && names.includes('Ellipse');
      },
    ]),
    ...of(
      'test_common_controls.ToolbarTestCases.testGetButtonRect',
      [
        'a button of the first is 36 to 40 wide',
        true,
        async (w) => {
          const { width } = (await bars(w, 0)).buttons[0];
          return width >= 36 && width <= 40;
        },
      ],
      [
        'and 36 to 38 high',
        true,
        async (w) => {
          const { height } = (await bars(w, 0)).buttons[0];
          return height >= 36 && height <= 38;
        },
      ],
      [
        'a button of the second is 64 to 70 wide',
        true,
        async (w) => {
          const { width } = (await bars(w, 1)).buttons[0];
          return width >= 64 && width <= 70;
        },
      ],
      [
        'and 36 to 38 high',
        true,
        async (w) => {
          const { height } = (await bars(w, 1)).buttons[0];
          return height >= 36 && height <= 38;
        },
      ],
    ),
    ...of(
      'test_common_controls.ToolbarTestCases.testIsCheckable',
      ['Erase can be ticked', 'CheckBox', async (w) => (await w.one(null, 'Erase')).role],
      ['New cannot', 'Button', async (w) => (await w.one(null, 'New')).role],
    ),
    ...of(
      'test_common_controls.ToolbarTestCases.testCheckButton',
      [
        'Erase is ticked',
        true,
        async (w) => (await w.does('click-element', { name: 'Erase' }), checkOf(w, 'CheckBox', 'Erase')),
      ],
      [
        'Pencil takes its place',
        [true, false],
        async (w) => (
          await w.does('click-element', { name: 'Pencil' }),
          [await checkOf(w, 'CheckBox', 'Pencil'), await checkOf(w, 'CheckBox', 'Erase')]
        ),
      ],
    ),
    ...of(
      'test_common_controls.ToolbarTestCases.testPressButton',
      ['a button that is not there', 'target_not_found', (w) => w.does('click-element', { name: 'No such button' })],
      [
        'Open can be pressed',
        true,
        async (w) => ['confirmed', 'unverified'].includes(await w.does('click-element', { name: 'Open' })),
      ],
    ),
    ...of('test_win32controls.UnicodeEditTestCases.setUp', [
      'the page with an edit',
      'confirmed',
      (w) => toTab(w, 'CAnimateCtrl'),
    ]),
    ...of(
      'test_win32controls.UnicodeEditTestCases.testSetEditTextWithUnicode',
      [
        'digits',
        '579',
        async (w) => (
          await w.does('type-into-element', { automationId: '104', text: '579' }),
          (await w.id('104')).value
        ),
      ],
      [
        'other letters',
        '\u0421\u043f\u0430\u0441\u0438\u0431\u043e!',
        async (w) => (
          await w.does('type-into-element', {
            automationId: '104',
            text: '\u0421\u043f\u0430\u0441\u0438\u0431\u043e!',
          }),
          (await w.id('104')).value
        ),
      ],
    ),
    ...of('test_win32controls.ButtonTestCases.setUp', [
      'the page with dates',
      'confirmed',
      (w) => toTab(w, 'CDateTimeCtrl'),
    ]),
    ...of('test_win32controls.ButtonTestCases.testFriendlyClass', [
      'radio buttons',
      3,
      async (w) => (await w.all('RadioButton')).length,
    ]),
    ...of('test_win32controls.ButtonTestCases.testGetCheckState_unchecked', [
      'the first is not chosen',
      false,
      (w) => checkOf(w, 'RadioButton', 'DTS_TIMEFORMAT'),
    ]),
    ...of(
      'test_win32controls.ButtonTestCases.testClick',
      ...['DTS_TIMEFORMAT', 'DTS_LONGDATEFORMAT'].map((name) => [
        `${name} is chosen`,
        true,
        async (w) => (await w.does('click-element', { name }), checkOf(w, 'RadioButton', name)),
      ]),
    ),
    ...of('test_win32controls.ButtonTestCases.testIsSelected', [
      'and the first is not any more',
      false,
      (w) => checkOf(w, 'RadioButton', 'DTS_TIMEFORMAT'),
    ]),
    ...of('test_win32controls.ButtonTestCases.testCheckUncheck', [
      'the short date again',
      true,
      async (w) => (
        await w.does('click-element', { name: 'DTS_SHORTDATEFORMAT' }),
        checkOf(w, 'RadioButton', 'DTS_SHORTDATEFORMAT')
      ),
    ]),
    ...of('test_common_controls.DatetimeTestCases.testGetTime', [
      'the picker has the date of today',
      true,
      async (w) =>
        (await w.id('101')).value === `${today().getMonth() + 1}/${today().getDate()}/${today().getFullYear()}`,
    ]),
    ...of(
      'test_common_controls.DatetimeTestCases.testSetTime',
      ['another date', 'confirmed', (w) => w.does('type-into-element', { ...DATE, text: '2025-09-19' })],
      ['is shown', '9/19/2025', async (w) => (await w.id('101')).value],
    ),
    ...of('test_calendar.CalendarWrapperTests.setUp', [
      'the page with a calendar',
      'confirmed',
      (w) => toTab(w, 'CMonthCalCtrl'),
    ]),
    ...of('test_calendar.CalendarWrapperTests.test_can_get_current_date_from_calendar', [
      'the date of today',
      true,
      async (w) =>
        (await w.one('Calendar')).value ===
        `${today().getFullYear()}-${two(today().getMonth() + 1)}-${two(today().getDate())}`,
    ]),
    ...of(
      'test_calendar.CalendarWrapperTests.test_can_set_current_date_in_calendar',
      ['another date', 'confirmed', (w) => w.does('type-into-element', { ...CALENDAR, text: '2016-04-03' })],
      ['is chosen', '2016-04-03', async (w) => (await w.one('Calendar')).value],
    ),
    ...of('test_calendar.CalendarWrapperTests.test_should_throw_runtime_error_when_try_to_set_invalid_date', [
      'a date that no calendar has',
      'invalid_argument',
      (w) => w.does('type-into-element', { ...CALENDAR, text: '-2016-04-03' }),
    ]),
    ...of('test_hwndwrapper.ControlStateTests.test_VerifyEnabled', [
      'a disabled field takes no text',
      'target_disabled',
      (w) => w.does('type-into-element', { automationId: '1015', text: '2' }),
    ]),
    ...of('test_hwndwrapper.ControlStateTests.test_VerifyVisible', [
      'a field of another page is not there',
      'target_not_found',
      async (w) => (await toTab(w, 'CDateTimeCtrl'), w.does('type-into-element', { automationId: '1015', text: '2' })),
    ]),
  ],
};

const drag = {
  program: 'CmnCtrl1.exe',
  facts: of(
    'test_common_controls.TreeViewAdditionalTestCases.testStartDraggingAndDrop',
    [
      'Birds is opened',
      true,
      async (w) => (
        await w.does('click-element', { name: 'Birds', role: 'TreeItem', count: 2 }),
        isExpanded(w, 'Birds')
      ),
    ],
    [
      'Pigeon is dragged to Eagle',
      true,
      async (w) =>
        ['confirmed', 'unverified'].includes(
          await w.does('drag-element', { name: 'Pigeon', toName: 'Eagle', delivery: 'foreground' }),
        ),
    ],
    [
      'Birds has two children',
      ['Eagle', 'Hummingbird'],
      async (w) => (await below(w, 'Birds')).filter((name) => name !== 'Pigeon'),
    ],
    [
      'Pigeon is below Eagle',
      'confirmed',
      (w) => w.does('select-element', { ...TREE, item: 'Birds > Eagle > Pigeon' }),
    ],
  ),
};

const SLIDER = { role: 'Slider' };
const ALIGNMENT = { role: 'ComboBox', name: 'Alignment' };
const ORIENTATION = { role: 'ComboBox', name: 'Orientation' };
const valueOf = async (w, role, name) => (await w.one(role, name)).value;
const chosen = async (w, name) => (await w.tree()).find((node) => node.role === 'ComboBox' && node.name === name).value;

const sliders = {
  program: 'CmnCtrl2.exe',
  facts: [
    ...of('test_common_controls.TrackbarWrapperTestCases.setUp', [
      'tab 1',
      'confirmed',
      (w) => w.does('select-element', { ...TAB, index: 1 }),
    ]),
    ...of('test_common_controls.TrackbarWrapperTestCases.test_friendly_class', [
      'the track bar is a slider',
      'Slider',
      async (w) => (await w.one('Slider')).role,
    ]),
    ...of(
      'test_common_controls.TrackbarWrapperTestCases.test_set_correct_position',
      ['to 23', 'confirmed', (w) => w.does('type-into-element', { ...SLIDER, text: '23' })],
      ['is 23', '23', (w) => valueOf(w, 'Slider')],
    ),
    ...of('test_common_controls.TrackbarWrapperTestCases.test_set_position_more_than_max_range', [
      '110',
      'invalid_argument',
      (w) => w.does('type-into-element', { ...SLIDER, text: '110' }),
    ]),
    ...of('test_common_controls.TrackbarWrapperTestCases.test_set_position_less_than_min_range', [
      '-10',
      'invalid_argument',
      (w) => w.does('type-into-element', { ...SLIDER, text: '-10' }),
    ]),
    ...of('test_common_controls.TrackbarWrapperTestCases.test_get_range_max', [
      'a refused position changed nothing',
      '23',
      (w) => valueOf(w, 'Slider'),
    ]),
    ...of('test_win32controls.ComboBoxTestCases.setUp', [
      'the page with combo boxes',
      'confirmed',
      (w) => toTab(w, 'CSpinButtonCtrl'),
    ]),
    ...of('test_win32controls.ComboBoxTestCases.testGetProperties', [
      'the alignment is a combo box',
      'ComboBox',
      async (w) => (await w.one('ComboBox', 'Alignment')).role,
    ]),
    ...of('test_win32controls.ComboBoxTestCases.testItemCount', [
      'its items',
      ['Unattached', 'Left (UDS_ALIGNLEFT)', 'Right (UDS_ALIGNRIGHT)'],
      async (w) => {
        const all = await w.tree();
        const at = all.findIndex((node) => node.role === 'ComboBox' && node.name === 'Alignment');
        return all.slice(at + 1, at + 4).map(({ name }) => name);
      },
    ]),
    ...of(
      'test_win32controls.ComboBoxTestCases.testSelectedIndex',
      ['item 1', 'confirmed', (w) => w.does('select-element', { ...ALIGNMENT, index: 1 })],
      ['is chosen', 'Left (UDS_ALIGNLEFT)', (w) => chosen(w, 'Alignment')],
    ),
    ...of('test_win32controls.ComboBoxTestCases.testSelect_toohigh', [
      'item 211',
      'target_not_found',
      (w) => w.does('select-element', { ...ALIGNMENT, index: 211 }),
    ]),
    ...of('test_win32controls.ComboBoxTestCases.testSelect_negative', [
      'item -1',
      'invalid_argument',
      (w) => w.does('select-element', { ...ALIGNMENT, index: -1 }),
    ]),
    ...of(
      'test_win32controls.ComboBoxTestCases.testSelect_string',
      ['item 0', 'confirmed', (w) => w.does('select-element', { ...ALIGNMENT, index: 0 })],
      ['is chosen', 'Unattached', (w) => chosen(w, 'Alignment')],
      ['an item by name', 'confirmed', (w) => w.does('select-element', { ...ALIGNMENT, item: 'Left (UDS_ALIGNLEFT)' })],
      ['is chosen', 'Left (UDS_ALIGNLEFT)', (w) => chosen(w, 'Alignment')],
      [
        'a name with a typing error',
        'target_not_found',
        (w) => w.does('select-element', { ...ALIGNMENT, item: 'Right (UDS_ALIGNRIGT)' }),
      ],
      ['chose nothing', 'Left (UDS_ALIGNLEFT)', (w) => chosen(w, 'Alignment')],
    ),
    ...of(
      'test_win32controls.ComboBoxTestCases.testSelect_simpleCombo',
      [
        'item 1 of the other',
        'Horizontal (UDS_HORZ)',
        async (w) => (await w.does('select-element', { ...ORIENTATION, index: 1 }), chosen(w, 'Orientation')),
      ],
      [
        'item 0',
        'Vertical',
        async (w) => (await w.does('select-element', { ...ORIENTATION, index: 0 }), chosen(w, 'Orientation')),
      ],
    ),
    ...of(
      'test_common_controls.UpDownTestCases.testSetValue',
      ['the spin control to 23', 'confirmed', (w) => w.does('type-into-element', { role: 'Spinner', text: '23' })],
      ['is 23', '23', (w) => valueOf(w, 'Spinner')],
    ),
  ],
};

const NOTE = { automationId: '1031' };
const note = async (w) => (await w.id('1031')).value;
const keys = (w, action, text) => w.does('virtual-keyboard', { action, text });
/** Keys to the note, which has the focus, while its window is minimised. */
const keyed = async (w, ...steps) => {
  await w.does('type-into-element', { ...NOTE, text: 'x' });
  await w.does('focus-element', NOTE);
  await keys(w, 'combo', 'ctrl+a');
  await keys(w, 'combo', 'delete');
  for (const [action, text] of steps) await keys(w, action, text);
  return note(w);
};

const buttons = {
  program: 'CmnCtrl3.exe',
  facts: [
    ...of('test_hwndwrapper.HwndWrapperTests.setUp', [
      'the page with a command link',
      'confirmed',
      (w) => toTab(w, 'CButton (Command Link)'),
    ]),
    ...of('test_hwndwrapper.HwndWrapperTests.testFriendlyClassName', [
      'the command link is a button',
      'Button',
      async (w) => (await w.id('1037')).role,
    ]),
    ...of('test_hwndwrapper.HwndWrapperTests.testControlID', [
      'its id',
      'Command button here',
      async (w) => (await w.id('1037')).name,
    ]),
    ...of('test_hwndwrapper.HwndWrapperTests.testWindowText', [
      'a button by its text',
      '1032',
      async (w) => (await w.one('Button', 'Set')).id,
    ]),
    ...of('test_hwndwrapper.HwndWrapperTests.testIsEnabled', [
      'it is enabled',
      false,
      async (w) => (await w.id('1037')).states.includes('disabled'),
    ]),
    ...of('test_hwndwrapper.HwndWrapperTests.testIsVisible', [
      'and shown',
      false,
      async (w) => (await w.id('1037')).states.includes('offscreen'),
    ]),
    ...of('test_hwndwrapper.HwndWrapperTests.testRectangle', [
      'the window is about 506 wide',
      true,
      async (w) => Math.abs((await w.one('Window')).width - 506) <= 5,
    ]),
    ...of('test_hwndwrapper.HwndWrapperTests.testTexts', [
      'the title',
      'Common Controls Sample',
      async (w) => (await w.one('Window')).name,
    ]),
    ...of('test_hwndwrapper.HwndWrapperMouseTests.testClick', ['the note', 'and the note goes here ...', note]),
    ...of('test_hwndwrapper.HwndWrapperTests.testMinimize', [
      'the window can be minimised',
      'confirmed',
      (w) => w.does('manage-window', { action: 'minimize' }),
    ]),
    ...of('test_hwndwrapper.HwndWrapperTests.test_send_chars', [
      'characters to the note of a minimised window',
      'Hello World',
      (w) => keyed(w, ['type', 'Hello World']),
    ]),
    ...of('test_hwndwrapper.HwndWrapperTests.test_send_keystrokes_multikey_characters', [
      'characters that need keys together',
      'Hawaii#%@$',
      (w) => keyed(w, ['type', 'Hawaii#%@$']),
    ]),
    ...of('test_hwndwrapper.HwndWrapperTests.test_send_keystrokes_virtual_keys_left_del_back', [
      'left, delete and backspace',
      'Hello World',
      (w) =>
        keyed(
          w,
          ['type', 'Hello123'],
          ['combo', 'left'],
          ['combo', 'left'],
          ['combo', 'delete'],
          ['combo', 'delete'],
          ['combo', 'backspace'],
          ['type', ' World'],
        ),
    ]),
    ...of('test_hwndwrapper.HwndWrapperTests.test_send_keystrokes_virtual_keys_ctrl', [
      'copy and paste by keys',
      'twotwo',
      (w) =>
        keyed(w, ['type', 'two'], ['combo', 'ctrl+a'], ['combo', 'ctrl+c'], ['combo', 'right'], ['combo', 'ctrl+v']),
    ]),
    ...of('test_hwndwrapper.HwndWrapperTests.testRestore', [
      'the window is restored',
      'confirmed',
      (w) => w.does('manage-window', { action: 'restore' }),
    ]),
    ...of('test_hwndwrapper.HwndWrapperTests.testMaximize', [
      'and maximised',
      true,
      async (w) => ['confirmed', 'unverified'].includes(await w.does('manage-window', { action: 'maximize' })),
    ]),
    ...of(
      'test_win32controls.ButtonOwnerdrawTestCases.test_NeedsImageProp',
      [
        'a button of the page is pressed',
        true,
        async (w) =>
          ['confirmed', 'unverified'].includes(await w.does('click-element', { name: 'Set', role: 'Button' })),
      ],
      ['and wrote the note to the command link', true, async (w) => (await w.id('1037')) !== undefined],
    ),
  ],
};

const rebar = {
  program: 'RebarTest.exe',
  facts: [
    ...of('test_common_controls.RebarTestCases.testBandCount', [
      'two bands',
      2,
      async (w) => (await w.tree()).filter(({ id }) => id === '59392' || id === '59398').length,
    ]),
    ...of(
      'test_common_controls.RebarTestCases.testGetBand',
      [
        'the text of band 1',
        'Tools band:',
        async (w) => (await w.id('59392')).name,
        "MFC's feature pack: the band's child has a name of its own, which goes before the band's text",
      ],
      [
        'the text of band 0',
        'Menus band:',
        async (w) => (await w.id('59398')).name,
        "MFC's feature pack: the band's child has a name of its own, which goes before the band's text",
      ],
    ),
    ...of('test_common_controls.RebarTestCases.testAfxToolBarButtons', [
      'buttons of the tool bar',
      11,
      async (w) => (await w.all('Button')).length,
      "MFC's feature pack draws its tool bars; Wine's UI Automation shows nothing of them (docs/wine.md)",
    ]),
    ...of('test_common_controls.RebarTestCases.testMenuBarClickInput', [
      'Help, About by a click at its place',
      'About RebarTest',
      async (w) => {
        const bar = await w.id('59398');
        await w.does('click', { x: bar.x + 100, y: bar.y + 10, delivery: 'foreground' });
        await w.does('click', { x: bar.x + 100, y: bar.y + 32, delivery: 'foreground' });
        return w.dialog();
      },
      'the menu bar draws itself: where its entries are is not known',
    ]),
  ],
};

const menus = {
  program: 'CtrlTest.exe',
  facts: of('test_hwndwrapper.SendKeystrokesAltComboTests.test_send_keystrokes_alt_combo', [
    'alt+s, c opens a dialog',
    'Using C++ Derived Class',
    async (w) => (await w.menu('s', 'c'), w.dialog()),
  ]),
};

const drawn = {
  program: 'BCDialogMenu.exe',
  facts: of(
    'test_menuwrapper.OwnerDrawnMenuTests.testCorrectText',
    ['alt+f opens the drawn menu', 1, async (w) => (await w.menu('f'), (await w.all('Menu')).length)],
    [
      'its first entry',
      'New',
      async (w) => (await w.all('MenuItem'))[0]?.name ?? 'none',
      'the menu of another process is read by UI Automation, which Wine leaves out; its keys work',
    ],
    [
      'escape closes it',
      0,
      async (w) => (
        await w.does('virtual-keyboard', { action: 'combo', text: 'escape' }),
        (await w.all('Menu')).length
      ),
    ],
  ),
};

export default [rowList, tree, drag, sliders, buttons, rebar, menus, drawn];
