/** Tasks in dialogs: an installer's pages, a property sheet, dialogs with their own message loops, tabs within tabs. */
import {
  step,
  answers,
  bind,
  bindNew,
  click,
  clickA,
  did,
  ended,
  fill,
  gone,
  look,
  pick,
  shows,
  type Step,
  type Task,
  value,
  type Witness,
  window,
} from '../task.ts';

const BM_GETCHECK = 0x00f0;
const CB_GETCURSEL = 0x0147;
const TCM_GETCURSEL = 0x130b;
const LB_GETCURSEL = 0x0188;
const TBM_GETPOS = 0x0400;
const ticked = (part: string, is: 0 | 1 = 1, title?: string) => answers(part, [BM_GETCHECK, 0, 0], is, title);

const SETUP = 'Meadow Setup';
const toFolder: readonly Step[] = [
  bind(SETUP),
  click('Next >', did('page', 'Licence')),
  click('I accept the terms of the licence', shows('#1012', 'Licence')),
  click('Next >', did('page', 'Destination')),
];
const installed: Step = { call: 'wait-for', input: { name: 'Finish', condition: 'enabled' } };

const wizard: readonly Task[] = [
  {
    program: 'wizard',
    goal: 'Install into a folder of the user’s choice, without the manual, and write the note at the end',
    steps: (place) => [
      ...toFolder,
      look('[Edit]'),
      step(
        'type-into-element',
        { role: 'textbox', text: place.path('My Meadow') },
        shows('#1030', place.path('My Meadow')),
      ),
      click('Next >', did('page', 'What is installed')),
      click('Manual', ticked('#1041', 0)),
      click('Install', did('page', 'Installing')),
      installed,
      click('Write a note about the installation', ticked('#1060')),
      click('Finish', ended),
    ],
    leaves: {
      files: {
        'My Meadow/': '',
        'My Meadow/meadow.txt': 'Meadow, for everybody\r\n',
        'My Meadow/note.txt': 'Installed by Meadow Setup\r\n',
      },
      did: ['wrote: meadow.txt', 'wrote: note.txt', 'finished'],
    },
  },
  {
    program: 'wizard',
    goal: 'Install for one user into a folder that is not empty, and answer yes to the question',
    files: { 'Meadow/keep.txt': 'mine' },
    steps: () => [
      ...toFolder,
      click('Next >', window(SETUP)),
      bindNew,
      look('This folder is not empty'),
      click('Yes', did('page', 'What is installed')),
      bind(SETUP),
      click('Only me', ticked('#1044')),
      click('Install', did('page', 'Installing')),
      installed,
      click('Finish', ended),
    ],
    leaves: {
      files: {
        'Meadow/keep.txt': 'mine',
        'Meadow/meadow.txt': 'Meadow, for one user\r\n',
        'Meadow/manual.txt': 'How to use Meadow\r\n',
      },
      did: ['wrote: meadow.txt', 'wrote: manual.txt', 'finished'],
    },
  },
  {
    program: 'wizard',
    goal: 'Browse for the folder, go back, and install with a link',
    files: { 'Programs/readme.txt': 'here' },
    steps: (place) => [
      ...toFolder,
      click('Browse...', window(/Browse/)),
      bindNew,
      look('[TreeItem] "Programs"'),
      clickA('TreeItem', 'Programs', window(/Browse/)),
      click('OK', shows('#1030', place.path('Programs'))),
      bind(SETUP),
      step(
        'type-into-element',
        { role: 'textbox', text: String.raw`\Meadow`, mode: 'append' },
        shows('#1030', place.path('Programs/Meadow')),
      ),
      click('Next >', did('page', 'What is installed')),
      click('Link on the desktop', ticked('#1042')),
      click('Install', did('page', 'Installing')),
      installed,
      click('Finish', ended),
    ],
    leaves: {
      files: {
        'Programs/Meadow/': '',
        'Programs/Meadow/meadow.txt': 'Meadow, for everybody\r\n',
        'Programs/Meadow/manual.txt': 'How to use Meadow\r\n',
        'Programs/Meadow/link.txt': 'meadow.txt\r\n',
      },
      did: ['wrote: meadow.txt', 'wrote: manual.txt', 'wrote: link.txt', 'finished'],
    },
  },
];

const pickTab = (item: string, ...then: readonly Witness[]): Step => ({
  call: 'select-element',
  input: { role: 'Tab', item },
  seen: then,
});
const SHEET = 'Station properties';
const sheet: readonly Task[] = [
  {
    program: 'sheet',
    goal: 'Rename the station, enter a greeting of two lines, allow 250 listeners, apply and close',
    steps: () => [
      bind(SHEET),
      look('Station name:'),
      fill('Station name', 'Radio Ærø ☼', shows('#1010', 'Radio Ærø ☼')),
      fill('Greeting', 'Hello\r\nand welcome', shows('#1012', 'Hello\r\nand welcome')),
      pickTab('Limits', answers('#12320', [TCM_GETCURSEL, 0, 0], 1)),
      fill('Listeners at most', '250', shows('#1020', '250')),
      click('Apply', value('Listeners', 250)),
      click('OK', ended),
    ],
    leaves: {
      values: { Station: 'Radio Ærø ☼', Greeting: 'Hello\r\nand welcome', Listeners: 250 },
      did: ['set: Station', 'set: Greeting', 'set: Listeners'],
    },
  },
  {
    program: 'sheet',
    goal: 'Set the loudness to 8, choose the best quality, and use a proxy',
    values: { Station: 'Old', Quality: 0 },
    steps: () => [
      bind(SHEET),
      clickA('TabItem', 'Limits', answers('#12320', [TCM_GETCURSEL, 0, 0], 1)),
      look('[Slider]'),
      step('type-into-element', { role: 'Slider', text: '8' }, answers('#1022', [TBM_GETPOS, 0, 0], 8)),
      clickA('TabItem', 'Advanced', answers('#12320', [TCM_GETCURSEL, 0, 0], 2)),
      pick('Quality', 'Lossless', answers('#1030', [CB_GETCURSEL, 0, 0], 3)),
      clickA('RadioButton', 'Proxy', ticked('#1032')),
      look('[Edit]'),
      {
        ...step('type-into-element', { text: 'proxy.example.org:8080' }, shows('#1033', 'proxy.example.org:8080')),
        ref: { line: { controlType: 'Edit', id: '1033' } },
      },
      click('OK', ended),
    ],
    leaves: {
      values: { Station: 'Old', Loudness: 8, Quality: 3, Proxy: 'proxy.example.org:8080' },
      did: ['set: Loudness', 'set: Quality', 'set: Proxy'],
    },
  },
  {
    program: 'sheet',
    goal: 'Give the station an empty name, read the error that the sheet shows, and enter a valid name',
    steps: () => [
      bind(SHEET),
      fill('Station name', '', shows('#1010', '')),
      { ...click('OK'), seen: [window(SHEET)] },
      bindNew,
      look('The station needs a name.'),
      { ...click('OK', window(SHEET)) },
      bind(SHEET),
      fill('Station name', 'Radio Two', shows('#1010', 'Radio Two')),
      clickA('CheckBox', 'Start with the system', ticked('#1011')),
      click('OK', ended),
    ],
    leaves: { values: { Station: 'Radio Two', Autostart: 1 }, did: ['set: Station', 'set: Autostart'] },
  },
  {
    program: 'sheet',
    goal: 'Read the settings of all pages and leave them unchanged',
    values: { Station: 'Radio Three', Loudness: 9 },
    steps: () => [
      bind(SHEET),
      look('Radio Three'),
      pickTab('Limits', answers('#12320', [TCM_GETCURSEL, 0, 0], 1)),
      look('[Slider]'),
      pickTab('Advanced', answers('#12320', [TCM_GETCURSEL, 0, 0], 2)),
      look('Medium'),
      click('Cancel', ended),
    ],
    leaves: { values: { Station: 'Radio Three', Loudness: 9 }, did: ['cancelled'] },
  },
];

const [BACKUP, SETTINGS, CHOOSE] = ['Backup', 'Backup settings', 'Choose a place'];
const loops: readonly Task[] = [
  {
    program: 'loops',
    goal: 'Set up the backup: to the office, every three days, without messages; and write the plan',
    steps: () => [
      bind(BACKUP),
      click('Settings...', window(SETTINGS)),
      bind(SETTINGS),
      click('Choose...', window(CHOOSE)),
      bind(CHOOSE),
      step('select-element', { role: 'List', item: 'Office' }, answers('#1030', [LB_GETCURSEL, 0, 0], 3, CHOOSE)),
      click('OK', gone(CHOOSE), shows('#1020', 'Office', SETTINGS)),
      bind(SETTINGS),
      fill('Every (days)', '3', shows('#1021', '3', SETTINGS)),
      clickA('CheckBox', 'Quietly', ticked('#1023', 1, SETTINGS)),
      click('OK', gone(SETTINGS), did('set up', 'Office')),
      bind(BACKUP),
      click('Write plan', did('wrote', 'plan.txt')),
    ],
    leaves: {
      files: { 'plan.txt': 'place=Office\r\ndays=3\r\nquiet=1\r\n' },
      did: ['set up: Office', 'wrote: plan.txt'],
    },
  },
  {
    program: 'loops',
    goal: 'Open the settings, cancel both dialogs, and write a file that says there is no plan',
    steps: () => [
      bind(BACKUP),
      click('Settings...', window(SETTINGS)),
      bind(SETTINGS),
      click('Choose...', window(CHOOSE)),
      bind(CHOOSE),
      look('Attic'),
      click('Cancel', gone(CHOOSE)),
      bind(SETTINGS),
      click('Cancel', gone(SETTINGS)),
      bind(BACKUP),
      click('Write plan', did('wrote', 'plan.txt')),
    ],
    leaves: { files: { 'plan.txt': 'no plan\r\n' }, did: ['left as it was', 'wrote: plan.txt'] },
  },
];

const TABS = 'Pipeline';
const before = (stage: string): string =>
  `[${stage}]\r\nserver=${stage}.example.org\r\nverbose=0\r\nlevel=None\r\nstrict=0\r\n`;
const strict = (stage: string): object[] => [
  { action: 'click-element', input: { role: 'TabItem', name: stage } },
  { action: 'click-element', input: { role: 'TabItem', name: 'Advanced' } },
  { action: 'click-element', input: { name: 'Strict' } },
];
const tabs: readonly Task[] = [
  {
    program: 'tabs',
    goal: 'Deploy to another server, and optimise everything in the build stage',
    steps: () => [
      bind(TABS),
      look('Build.example.org'),
      clickA('TabItem', 'Deploy', answers('#100', [TCM_GETCURSEL, 0, 0], 2)),
      fill('Server', 'live.example.org', answers('#100', [TCM_GETCURSEL, 0, 0], 2)),
      clickA('TabItem', 'Build', answers('#100', [TCM_GETCURSEL, 0, 0], 0)),
      clickA('TabItem', 'Advanced', answers('#101', [TCM_GETCURSEL, 0, 0], 1)),
      pick('Optimise', 'All', answers('#104', [CB_GETCURSEL, 0, 0], 2)),
      click('Save settings', did('wrote', 'settings.ini')),
    ],
    leaves: {
      files: {
        'settings.ini': `${before('Build').replace('level=None', 'level=All')}${before('Test')}${before('Deploy').replace('Deploy.example', 'live.example')}`,
      },
      did: ['wrote: settings.ini'],
    },
  },
  {
    program: 'tabs',
    goal: 'Switch every stage to strict in one batch, and save',
    steps: () => [
      bind(TABS),
      look('[TabItem] "Deploy"'),
      step(
        'batch',
        {
          steps: [
            ...strict('Build'),
            ...strict('Test'),
            ...strict('Deploy'),
            { action: 'click-element', input: { name: 'Save settings' } },
          ],
        },
        did('wrote', 'settings.ini'),
      ),
    ],
    leaves: {
      files: {
        'settings.ini': ['Build', 'Test', 'Deploy']
          .map((stage) => before(stage).replace('strict=0', 'strict=1'))
          .join(''),
      },
      did: ['wrote: settings.ini'],
    },
  },
];

export const dialogs: readonly Task[] = [...wizard, ...sheet, ...loops, ...tabs];
