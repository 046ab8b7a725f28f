/** Tasks in the system's tools: registry, settings, tasks, files, programs, a game, a console. */
import {
  step,
  bind,
  bindNew,
  click,
  clickA,
  ended,
  file,
  fill,
  look,
  press,
  shows,
  type Task,
  value,
  window,
  write,
} from '../task.ts';

const REGEDIT = 'Registry Editor';
const AT = String.raw`My Computer > HKEY_CURRENT_USER > Software > uiahost-tasks`;
const selected = shows('#2001', /\\uiahost-tasks$/);
const openKey = { call: 'select-element', input: { role: 'Tree', item: AT }, seen: [selected] } as const;

const regedit: readonly Task[] = [
  {
    program: 'regedit',
    goal: 'Change a number, where a person approves what may start programs',
    values: { Count: 7, Other: 'same' },
    steps: () => [
      bind(REGEDIT),
      openKey,
      clickA('ListItem', 'Count', selected),
      { ...press('enter', window(/^Edit DWORD/)), asks: {} },
      bind('Edit DWORD'),
      look('[Edit]'),
      fill('Value data', '2a', window(/^Edit DWORD/)),
      { ...click('OK', value('Count', 42)), asks: {} },
    ],
    leaves: { values: { Count: 42, Other: 'same' } },
  },
];

const OVERRIDE = String.raw`Software\Wine\DllOverrides\uiahosttest`;
const DOTS = String.raw`Software\Wine\ShowDotFiles`;
const winecfg: readonly Task[] = [
  {
    program: 'winecfg',
    goal: 'Remove one library override, after a person approves',
    values: { [OVERRIDE]: 'native' },
    steps: () => [
      bind('Wine configuration'),
      clickA('TabItem', 'Libraries', window('Wine configuration')),
      clickA('ListItem', 'uiahosttest (native)', window('Wine configuration')),
      { ...click('Remove', window('Wine configuration')), asks: {} },
      click('Apply', value(OVERRIDE, null)),
      click('OK', ended),
    ],
    leaves: { values: { [OVERRIDE]: null }, seen: [ended] },
  },
  {
    program: 'winecfg',
    goal: 'Show files whose names begin with a dot',
    values: { [DOTS]: 'N' },
    steps: () => [
      bind('Wine configuration'),
      clickA('TabItem', 'Drives', window('Wine configuration')),
      look('Show dot files'),
      click('Show dot files', window('Wine configuration')),
      click('OK', ended, value(DOTS, 'Y')),
    ],
    leaves: { values: { [DOTS]: 'Y' }, seen: [ended] },
  },
];

const taskmgr: readonly Task[] = [
  {
    program: 'taskmgr',
    goal: 'Start a new task that writes a file',
    files: { 'job.cmd': '@echo done> "%~dp0done.txt"\r\n' },
    steps: (place) => [
      bind('Task Manager'),
      click('New Task...', window(/New Task/)),
      bindNew,
      look('Open:'),
      { ...fill('Open', place.path('job.cmd'), window(/New Task/)), asks: {} },
      { ...click('OK', file('done.txt', 'done\r\n')), starts: true, asks: {} },
    ],
    leaves: { files: { 'done.txt': 'done\r\n' } },
  },
];

const UNINSTALL = String.raw`Software\Microsoft\Windows\CurrentVersion\Uninstall\Meadow`;
const uninstaller: readonly Task[] = [
  {
    program: 'uninstaller',
    goal: 'Remove one program from the list, after a person approves',
    values: (place) => ({
      [`${UNINSTALL}\\DisplayName`]: 'Meadow',
      [`${UNINSTALL}\\UninstallString`]: `regedit.exe /S ${place.path('gone.reg')}`,
    }),
    files: { 'gone.reg': `REGEDIT4\r\n\r\n[-HKEY_CURRENT_USER\\${UNINSTALL}]\r\n` },
    steps: () => [
      bind('Add/Remove Programs'),
      look('[ListItem] "Meadow"'),
      clickA('ListItem', 'Meadow', window('Add/Remove Programs')),
      { ...click('Remove', value(`${UNINSTALL}\\DisplayName`, null)), asks: {} },
      { ...click('OK', ended), asks: {} },
    ],
    leaves: { values: { [`${UNINSTALL}\\DisplayName`]: null, [`${UNINSTALL}\\UninstallString`]: null }, seen: [ended] },
  },
];

const COMMAND = ['cmd.exe', '/k', 'prompt $G'];
const commandLine: readonly Task[] = [
  {
    program: 'console',
    goal: 'Make a folder and a file in it with commands',
    args: () => COMMAND,
    steps: (place) => [
      { ...bind('cmd') },
      { ...write(`cd /d ${place.path()}\n`, window(/cmd/)), asks: {} },
      { ...write('mkdir new\n', file('new/', '')), asks: {} },
      { ...write('echo one two> new\\list.txt\n', file('new/list.txt', 'one two\r\n')), asks: {} },
      { call: 'read-terminal', input: {}, reads: 'list.txt' },
    ],
    leaves: { files: { 'new/': '', 'new/list.txt': 'one two\r\n' } },
  },
  {
    program: 'console',
    goal: 'Delete a file and answer the question, after a person approves',
    args: () => COMMAND,
    files: { 'old.txt': 'x', 'new.txt': 'y' },
    steps: (place) => [
      { ...bind('cmd') },
      { ...write(`del /p ${place.path('old.txt')}\n`, window(/cmd/)), asks: {} },
      { call: 'read-terminal', input: {}, reads: 'old.txt' },
      { ...step('respond-to-prompt', { responseType: 'yes' }, file('old.txt', null)), asks: {} },
    ],
    leaves: { files: { 'old.txt': null } },
  },
];

export const tools: readonly Task[] = [...regedit, ...winecfg, ...taskmgr, ...uninstaller, ...commandLine];
