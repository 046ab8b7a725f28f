/**
 * Tasks in programs that draw themselves: lists that no interface can read, tool bars without text, a tree with its own
 * check marks.
 */
import {
  clickAt,
  step,
  answers,
  bind,
  bindNew,
  click,
  clickA,
  did,
  file,
  fill,
  look,
  pick,
  press,
  shows,
  type Task,
  window,
} from '../task.ts';

const CB_GETCURSEL = 0x0147;
const TCM_GETCURSEL = 0x130b;
const TVM_GETCOUNT = 0x1105;

const shelf: readonly Task[] = [
  {
    program: 'shelf',
    goal: 'Order three crates of pears from lists that only keys can operate and only the line below them shows; a person approves the order',
    steps: () => [
      bind('Shelf'),
      look('Chosen: no fruit, Handful'),
      {
        ...step('click-element', {}, shows('#102', 'Chosen: Apples, Handful')),
        ref: { line: { controlType: 'ListItem', y: 59 } },
      },
      press('end up up', shows('#102', 'Chosen: Pears, Handful')),
      clickAt({ line: { controlType: 'Custom' }, down: 10 }, shows('#102', 'Chosen: Pears, Handful')),
      press('c', shows('#102', 'Chosen: Pears, Crate')),
      fill('Amount', '3', shows('#103', '3')),
      look('Chosen: Pears, Crate'),
      { ...click('Order', did('ordered', '3 x Pears, Crate')), asks: {} },
      click('Save list', did('wrote', 'order.txt')),
    ],
    leaves: { files: { 'order.txt': '3 x Pears, Crate\r\n' }, did: ['ordered: 3 x Pears, Crate', 'wrote: order.txt'] },
  },
  {
    program: 'shelf',
    goal: 'Order a basket of cherries and a pallet of figs from the picture alone',
    steps: () => [
      bind('Shelf'),
      { call: 'screenshot', input: {} },
      look('[Custom]'),
      clickAt({ line: { controlType: 'Custom' }, right: 60, down: 55 }, shows('#102', 'Chosen: no fruit, Basket')),
      {
        ...step('click', { count: 2 }, did('ordered', '1 x Cherries, Basket')),
        point: { line: { controlType: 'List' }, right: 60, down: 78 },
      },
      clickAt({ line: { controlType: 'Custom' }, right: 60, down: 100 }, shows('#102', 'Chosen: Cherries, Pallet')),
      {
        ...step('click', { count: 2 }, did('ordered', '1 x Figs, Pallet')),
        point: { line: { controlType: 'List' }, right: 60, down: 100 },
      },
      look('2 on the list'),
      click('Save list', did('wrote', 'order.txt')),
    ],
    leaves: {
      files: { 'order.txt': '1 x Cherries, Basket\r\n1 x Figs, Pallet\r\n' },
      did: ['ordered: 1 x Cherries, Basket', 'ordered: 1 x Figs, Pallet', 'wrote: order.txt'],
    },
  },
];

const picks: readonly Task[] = [
  {
    program: 'picks',
    goal: 'Tick mail and news, whose branch loads late, and apply',
    steps: () => [
      bind('Picks'),
      look('[TreeItem] "Network"'),
      clickA('TreeItem', 'Network', window('Picks')),
      press('right', answers('#100', [TVM_GETCOUNT, 0, 0], 8)),
      { call: 'wait-for', input: { name: 'News', role: 'TreeItem' } },
      clickA('TreeItem', 'Mail', window('Picks')),
      press('space', did('ticked', 'Mail')),
      clickA('TreeItem', 'News', window('Picks')),
      press('space', did('ticked', 'News')),
      look('checked'),
      click('Apply', did('wrote', 'picks.txt')),
    ],
    leaves: {
      files: { 'picks.txt': 'Network/Mail\r\nNetwork/News\r\nPrint\r\n' },
      did: ['ticked: Mail', 'ticked: News', 'wrote: picks.txt'],
    },
  },
  {
    program: 'picks',
    goal: 'Click the check marks with the real mouse: printing off, fonts on',
    steps: () => [
      bind('Picks'),
      look('[TreeItem] "Print"'),
      {
        ...step('click', { delivery: 'foreground' }, did('cleared', 'Print')),
        point: { line: { name: 'Print' }, right: -12 },
      },
      {
        ...step('click', { delivery: 'foreground' }, did('ticked', 'Fonts')),
        point: { line: { name: 'Fonts' }, right: -12 },
      },
      look('checked'),
      click('Apply', did('wrote', 'picks.txt')),
    ],
    leaves: { files: { 'picks.txt': 'Fonts\r\n' }, did: ['cleared: Print', 'ticked: Fonts', 'wrote: picks.txt'] },
  },
  {
    program: 'picks',
    goal: 'Clear every check mark, and answer the program’s question',
    files: { 'picks.txt': 'Print\r\n' },
    steps: () => [
      bind('Picks'),
      { ...click('Reset...', window('Picks')) },
      bindNew,
      look('Clear every mark?'),
      click('OK', did('reset')),
      bind('Picks'),
      click('Apply', file('picks.txt', '')),
    ],
    leaves: { files: { 'picks.txt': '' }, did: ['reset', 'wrote: picks.txt'] },
  },
];

const HEAD = (title: string, grid: number, zoom: number): string =>
  `title ${title}\r\ngrid ${grid}\r\nzoom ${zoom}\r\n`;
const ribbon: readonly Task[] = [
  {
    program: 'ribbon',
    goal: 'Draw a red square and a black circle with buttons that have only tool tips, add a title, and save',
    steps: () => [
      bind('Drawing'),
      look('Insert circle'),
      click('Insert circle', did('inserted', 'circle')),
      pick('Colour', 'Red', answers('#105', [CB_GETCURSEL, 0, 0], 1)),
      click('Insert square', did('inserted', 'square')),
      fill('Title', 'Two shapes', shows('#106', 'Two shapes')),
      click('Save drawing', did('wrote', 'drawing.txt')),
    ],
    leaves: {
      files: { 'drawing.txt': `${HEAD('Two shapes', 0, 100)}Black circle\r\nRed square\r\n` },
      did: ['inserted: circle', 'inserted: square', 'wrote: drawing.txt'],
    },
  },
  {
    program: 'ribbon',
    goal: 'Show the grid and zoom in with the other tab’s tool bar, and save with the keyboard',
    steps: () => [
      bind('Drawing'),
      clickA('TabItem', 'View', answers('#100', [TCM_GETCURSEL, 0, 0], 1)),
      look('Zoom in'),
      click('Show grid', answers('#104', [0x040a, 208, 0], 1)),
      click('Zoom in', window('Drawing')),
      click('Zoom in', window('Drawing')),
      press('ctrl+s', did('wrote', 'drawing.txt')),
    ],
    leaves: { files: { 'drawing.txt': HEAD('Untitled', 1, 150) }, did: ['wrote: drawing.txt'] },
  },
];

export const drawn: readonly Task[] = [...shelf, ...picks, ...ribbon];
