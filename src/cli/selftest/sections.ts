// The selftest's sections: what each step does, what must be seen, and which beliefs that answers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageFolder } from '../start.ts';
import { all, choose, click, eventually, fill, focus, keys, NotTried, step, STEPS } from './steps.ts';
import type { Section, SelftestStep, StepTools } from './steps.ts';
import { FORMS, PAGE, WPF } from './texts.ts';

const CHANGES = 200;
const SLEEPS_MS = 6000;
const MINUTE_MS = 60_000;

function needs(given: unknown, what: string): void {
  if (given !== true) throw new NotTried(what);
}
/** Whether the doctor finds this, by its code. */
const finds = async ({ host }: StepTools, wanted: string): Promise<boolean> =>
  (await host()).doctor.some(({ code }) => code === wanted);
const shown = async (tools: StepTools): Promise<string> => (await tools.act('snapshot', {})).accessibilityText;
const showsField =
  (name: string): SelftestStep['run'] =>
  async (tools) => {
    if (!(await shown(tools)).includes(`"${name}"`)) throw new Error(`The snapshot has no field "${name}".`);
  };

/** The window's title ends like this, as its program wrote it. */
const ends =
  (words: string): NonNullable<SelftestStep['sees']> =>
  async (witness, at) =>
    (await witness.title(at))?.endsWith(`: ${words}`) === true;

const [TEXT, CHECK, COMBO, GRID, PRESS] = [
  step('', 'text into a field', fill('Customer', 'Ada'), ends('text Ada')),
  step('', 'check box', click('Express delivery'), ends('check True')),
  step('', 'combo box', choose('Product', 'Coffee'), ends('combo Coffee')),
  step('', 'grid', choose('Orders', '2026-0002'), ends('grid 2026-0002')),
  step('', 'button', click('Press'), ends('pressed')),
] as const;
/** Its dialog is seen with it, and used without binding it. */
const dialog = (beliefs: string): SelftestStep =>
  step(beliefs, 'modal dialog', all(click('Details'), fill('Comment', 'Ring'), click('OK')), ends('dialog Ring'));

const facts: readonly SelftestStep[] = [
  step('T1', 'a clone: packages, build and start worked', async () =>
    needs(existsSync(join(packageFolder(), 'scripts', 'start.mjs')), 'This is not a clone.'),
  ),
  step('T2', 'a host for an unusual account', async ({ system: { account } }) =>
    needs(account.isBuiltIn || account.isElsewhere, 'The account and its profile are usual ones.'),
  ),
  step('T40', 'monitors as a second process sees them', async ({ act, system }) => {
    const displays: Array<{ width: number; height: number; scaleFactor: number }> = await act('list-displays', {});
    const sizes = displays.map(({ width, height, scaleFactor }) => `${width}x${height} ${scaleFactor * 96}`);
    return String(sizes.sort()) === String(system.monitors.map((m) => `${m.width}x${m.height} ${m.dpi}`).sort());
  }),
  step('T65', 'the event log keeps our events', async (tools) => !(await finds(tools, 'event_log_silent'))),
];

const forms: readonly SelftestStep[] = [
  TEXT,
  CHECK,
  COMBO,
  step('', 'list', choose('Payment', 'Card'), ends('list Card')),
  GRID,
  step('T69', 'typed characters, and Undo', all(focus('Notes'), keys('x'.repeat(100))), ends('notes 100 True')),
  dialog('T18 T73'),
  step(
    'T13 T15',
    'a program that sleeps is left in time',
    async (tools) => {
      await click('Sleep')(tools);
      const began = performance.now();
      await tools.act('snapshot', { deadlineMs: 1000 }).catch(() => null);
      if (performance.now() - began > 2000) throw new Error('A deadline of a second took more than two.');
      await eventually(() => tools.act('snapshot', { deadlineMs: SLEEPS_MS }).catch(() => null));
    },
    ends('awake'),
  ),
];

const wpf: readonly SelftestStep[] = [
  step('T10', 'a field of another toolkit inside', showsField('Hosted')),
  step('T38', 'password field behind a provider', async ({ act }) => {
    const { total } = await act('find', { role: 'Edit', state: 'password' });
    return total === 1;
  }),
  TEXT,
  CHECK,
  COMBO,
  step('T20', 'row that is not made yet', choose('Rows', 'Row 900'), ends('list Row 900')),
  GRID,
  PRESS,
  step('T25', 'Invoke brings its window forward', async (tools) => {
    await click('Press')(tools);
    const { focusChanged, details } = tools.last();
    const foreground = details?.['foreground'] as { givenBack?: boolean } | undefined;
    return focusChanged === true && foreground?.givenBack !== true;
  }),
  dialog(''),
];

const PROFILE = String.raw`--user-data-dir={folder}\profile`;
const browser = (...words: string[]) => ['edge', ...words, PROFILE, '--no-first-run', '--no-default-browser-check'];
const page: readonly SelftestStep[] = [
  step('T11 T19', 'the page is in the first snapshot', showsField('Customer')),
  TEXT,
  CHECK,
  COMBO,
  PRESS,
  step('T74', 'a minimised page is marked', async (tools) => {
    await tools.act('manage-window', { action: 'minimize' });
    const text = await shown(tools);
    await tools.act('manage-window', { action: 'restore' });
    return text.includes('minimised');
  }),
  step('T74', 'a tab that is shown for the first time', async (tools) => {
    await tools.start({ words: browser('{page}#one', '{page}#two'), page: PAGE }, 'uiahost selftest page#');
    await tools.act('click-element', { role: 'TabItem', name: 'uiahost selftest page#two' });
    const { accessibilityText, partial } = await tools.act('snapshot', {});
    return partial || accessibilityText.includes('"Customer"');
  }),
];

/** A program that asks a question, in a terminal of this kind. */
const asking =
  (terminal: 'cmd' | 'wt'): SelftestStep['run'] =>
  async (tools) => {
    await tools.open('open-terminal', { agent: 'custom', command: await tools.witness.asks(), terminal });
    await screenShows(tools, 'Proceed?');
  };
const screenShows = ({ act }: StepTools, words: string): Promise<unknown> =>
  eventually(async () => (await act('read-terminal', {})).screen.includes(words));
const answered: SelftestStep['run'] = async (tools) => {
  await tools.act('respond-to-prompt', { responseType: 'yes' });
  await screenShows(tools, 'Answer: y');
};
const consoles: readonly SelftestStep[] = [
  step('T42', 'a question answered in a console', all(asking('cmd'), answered)),
  step('T43 T44', 'a question answered in Windows Terminal', all(asking('wt'), answered)),
  step('T4', 'a new window of the terminal that runs this', async (tools) => {
    needs(tools.env['WT_SESSION'] !== undefined, 'This does not run in Windows Terminal.');
    await asking('wt')(tools);
  }),
];

/** The demo's button that needs a card, left to a person. */
const approve = (beliefs: string, how: string, session: 'console' | 'remote', more = {}): SelftestStep =>
  step(beliefs, `Approve by ${how}, session: ${session}`, async (tools) => {
    needs(tools.system.session === session, 'This is another kind of session.');
    await fill('Customer', 'Ada Lovelace')(tools);
    await tools.byPerson(`Press Approve on the card by ${how}.`, 'click-element', { name: 'Place order', ...more });
  });
const person: readonly SelftestStep[] = [
  approve('T27 T47 T66', 'mouse', 'console', { delivery: 'foreground' }),
  approve('T47', 'keyboard', 'console'),
  approve('T48', 'mouse', 'remote'),
  step('T51 T52', 'locked: clicks go on, pictures do not', async (tools) => {
    await tools.ask('You will have a minute to lock the machine (Windows+L); unlock it ten seconds later.');
    const limit = Date.now() + MINUTE_MS;
    while (!(await finds(tools, 'locked'))) {
      needs(Date.now() < limit, 'The machine was not locked.');
      await sleep(500);
    }
    await click('Express delivery')(tools);
    return (await tools.act('screenshot', {}).catch(() => null)) === null;
  }),
];

/** A program of Windows that is opened and read; its content may be another process's. */
const opened = (beliefs: string, name: string, bundleId: string, shows: RegExp): SelftestStep =>
  step(beliefs, name, async (tools) => {
    await tools.open('open-app', { bundleId });
    return shows.test(await shown(tools));
  });
export const CALCULATOR = 'Microsoft.WindowsCalculator_8wekyb3d8bbwe!App';
export const SETTINGS = 'windows.immersivecontrolpanel_cw5n1h2txyewy!microsoft.windows.immersivecontrolpanel';
const others: readonly SelftestStep[] = [
  opened('T5', 'Notepad', 'notepad.exe', /\[(?:Edit|Document)\]/),
  step('T24', 'no focus window in the background', async ({ witness }) => {
    if (await witness.isInFront()) throw new NotTried('The demo is in front.');
    return (await witness.focus()) === 0;
  }),
  opened('T9', 'Calculator', CALCULATOR, /(?:\[Button\][^]*){10}/),
  opened('', 'Settings', SETTINGS, /\[List/),
  step('T6', 'no desktop worker ended', async (tools) => (await tools.host()).worker.restarts === tools.restartsBefore),
  step('T7', 'no call into Windows failed', async ({ results }) =>
    results.every(({ error }) => error?.startsWith('internal') !== true),
  ),
  // last: it takes longest, and the section has a deadline
  step('T72', `${CHANGES} changes by another process, read at once`, async ({ act, bind, demo, witness }) => {
    await bind(demo);
    let stale = 0;
    for (let n = 1; n <= CHANGES; n++) {
      await witness.set('email', `change ${n}.`);
      if (!(await act('snapshot', { name: 'E-mail' })).accessibilityText.includes(`change ${n}.`)) stale++;
    }
    return stale === 0;
  }),
];

const shell = ['powershell', '-NoProfile', '-Command', '-'];
const demo = ({ bind, demo: hwnd }: StepTools): Promise<void> => bind(hwnd);
const section = (
  letter: string,
  title: string,
  minutes: number,
  steps: readonly SelftestStep[],
  begin: NonNullable<Section['begin']> = demo,
): Section => ({ letter, title, limitMs: minutes * MINUTE_MS, steps, begin });
/** In the order in which they run. `operator`: steps of the demo through the operator's side of the host. */
export const sections = (operator: readonly SelftestStep[]): readonly Section[] => [
  section('A', 'facts of this machine', 0.5, facts),
  section('B', 'the demo: standard controls', 2, [...STEPS, ...operator]),
  section('C', 'a window of Windows Forms, made by PowerShell', 1, forms, ({ start }) =>
    start({ words: shell, input: FORMS }, 'uiahost selftest forms'),
  ),
  section('C', 'a window of WPF, made by PowerShell', 1, wpf, ({ start }) =>
    start({ words: shell, input: WPF }, 'uiahost selftest WPF'),
  ),
  section('D', 'a page in Edge', 1, page, ({ start }) =>
    start({ words: browser('--app={page}'), page: PAGE }, 'uiahost selftest page'),
  ),
  section('E', 'consoles', 1, consoles),
  section('F', 'a person', 10, person),
  section('G', 'other programs', 2, others),
];
