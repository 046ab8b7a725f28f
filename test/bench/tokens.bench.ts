/**
 * What the text of a snapshot costs a model, in real programs: tokens for each element that can be operated, and for
 * the change of one value; and what each call of the README's session costs over MCP, here and with playwright-mcp in a
 * page. Counted by a model's tokenizer (o200k_base), and as the product counts its budget: four bytes each.
 *
 *   npm run bench -- tokens [--json] [--write] [--texts=FOLDER]
 *
 * `--texts` keeps each text in a folder. Nothing is asserted.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder } from '../../scripts/lib/places.mjs';
import { demoCommand } from '../../scripts/lib/demo.mjs';
import { sessionCost, tokenizer } from '../support/answer-costs.ts';
import { startDemo } from '../support/demo.ts';
import { fixture } from '../support/desktop.ts';
import { startProgram } from '../support/programs.ts';
import { Scene } from '../support/scene.ts';
import type { SeenWindow } from '../support/witness.ts';
import { playwrightSession } from './peers/playwright-session.ts';
import { report, tableOf } from './support/measurements.ts';
import { phrasesOf } from '../support/words.ts';

const texts = process.argv.find((word) => word.startsWith('--texts='))?.slice('--texts='.length);
/** Wine's UI Automation asks another program a dozen times for each element. */
const DEADLINE = { deadlineMs: 100_000 };

const tokensOf = await tokenizer();

/** Where the programs of the tests are: their windows show how a format behaves, not what people use. */
const FIXTURES = fixture('');

const OPERATED =
  /^ *\[?(?:Button|Calendar|CheckBox|ComboBox|DataItem|Document|Edit|HeaderItem|Hyperlink|ListItem|MenuItem|RadioButton|Slider|Spinner|SplitButton|TabItem|TreeItem)\b/u;

const FORMS = ['full', 'brief'] as const;
type Form = (typeof FORMS)[number];

interface Cost {
  readonly bytes: number;
  readonly tokens: number;
}
const costOf = (text: string): Cost => ({ bytes: Buffer.byteLength(text), tokens: tokensOf(text) });

interface Figures {
  /** Lines of elements that can be operated. */
  readonly operated: number;
  readonly whole: Cost;
  /** Cost of their lines alone. */
  readonly lines: Cost;
  /** What answers a change of one value; absent where nothing takes text. */
  readonly delta?: Cost | undefined;
}
interface Row {
  readonly program: string;
  readonly isReal: boolean;
  readonly forms: Readonly<Record<Form, Figures>>;
}
const rows: Row[] = [];

interface Subject {
  readonly name: string;
  readonly program: string;
  readonly args?: readonly string[];
  isIt(window: SeenWindow): boolean;
  /** A field to type into, for the change of one value. */
  readonly field?: object;
}

const titled =
  (title: RegExp) =>
  (window: SeenWindow): boolean =>
    title.test(window.title);
const classed =
  (name: string) =>
  ({ className }: SeenWindow): boolean =>
    className === name;

function subjects(): Subject[] {
  const demo = demoCommand(process.env['UIAHOST_TEST_TREE'] ?? '');
  const accessories = String.raw`C:\Program Files\Windows NT\Accessories`;
  const qt = readdirSync(cacheFolder()).find((name) => name.startsWith('program-qt-'));
  const ofQt = (name: string): string => join(cacheFolder(), qt ?? '', 'PySide6', `${name}.exe`);
  return [
    { name: 'Notepad', program: 'notepad.exe', isIt: classed('Notepad'), field: { role: 'Edit' } },
    { name: 'WordPad', program: `${accessories}\\wordpad.exe`, isIt: classed('WORDPADTOP') },
    { name: 'Registry Editor', program: 'regedit.exe', isIt: classed('RegEdit_RegEdit') },
    { name: 'Wine configuration', program: 'winecfg.exe', isIt: titled(/^Wine configuration$/) },
    { name: 'Task Manager', program: 'taskmgr.exe', isIt: titled(/^Task Manager$/) },
    { name: 'Add/Remove Programs', program: 'uninstaller.exe', isIt: titled(/^Add\/Remove Programs$/) },
    { name: 'File manager', program: 'winefile.exe', isIt: classed('WFS_Frame') },
    { name: 'uiahost demo', ...demo, isIt: titled(/^uiahost demo$/), field: { automationId: '1001' } },
    ...(qt === undefined || !existsSync(ofQt('linguist'))
      ? []
      : [
          { name: 'Qt Linguist', program: ofQt('linguist'), isIt: titled(/^Qt Linguist$/) },
          { name: 'Qt Designer', program: ofQt('designer'), isIt: titled(/^New Form - Qt Widgets Designer$/) },
        ]),
    {
      name: 'every common control',
      program: fixture('controls.exe'),
      isIt: classed('UiahostControls'),
      field: { automationId: '201' },
    },
    {
      name: '300 generated controls',
      program: fixture('controls.exe'),
      args: ['--many', '300'],
      isIt: classed('UiahostControls'),
    },
  ];
}

const keep = (name: string, text: string): void => {
  if (texts !== undefined) writeFileSync(join(texts, `${name.replaceAll(/\W+/g, '-')}.txt`), `${text}\n`);
};

/** The whole text, once it no longer grows: programs fill their windows after they show them. */
async function settled(scene: Scene, form: Form): Promise<string> {
  for (let last = ''; ;) {
    const { value } = await scene.client.act('snapshot', { form, maxTokens: 50_000, maxElements: 5000, ...DEADLINE });
    const text = value.accessibilityText as string;
    if (text.length === last.length && last !== '') return text;
    last = text;
    await sleep(1500);
  }
}

/** The lines that come with the answer to typing into a field, after a snapshot in this form. */
async function changeOf(scene: Scene, field: object, text: string): Promise<string> {
  const answer = await scene.host.request('/v1/actions/type-into-element?observe=delta', {
    body: { ...field, text, ...DEADLINE },
  });
  const { changes } = answer.body as { changes?: { lines: string[] } };
  if (changes === undefined) throw new Error(JSON.stringify(answer.body));
  return changes.lines.join('\n');
}

async function measure(scene: Scene, { name, program, args = [], isIt, field }: Subject): Promise<void> {
  const before = new Set((await scene.witness.windows()).map(({ hwnd }) => hwnd));
  await using running = startProgram(program, args);
  const { hwnd } = await scene.window((window) => isIt(window) && !before.has(window.hwnd), 90_000);
  await scene.client.bind({ hwnd });
  const forms: Partial<Record<Form, Figures>> = {};
  for (const form of FORMS) {
    const text = await settled(scene, form);
    keep(`${name} ${form}`, text);
    const lines = text.split('\n').filter((line) => OPERATED.test(line));
    const delta = field === undefined ? undefined : await changeOf(scene, field, `Ada ${form}`);
    if (delta !== undefined) keep(`${name} ${form} change`, delta);
    forms[form] = {
      operated: lines.length,
      whole: costOf(text),
      lines: costOf(lines.join('\n')),
      delta: delta === undefined ? undefined : costOf(delta),
    };
  }
  rows.push({ program: name, isReal: !program.startsWith(FIXTURES), forms: forms as Record<Form, Figures> });
  await scene.witness.close(hwnd);
  await running.kill();
}

if (texts !== undefined) mkdirSync(texts, { recursive: true });
await using scene = await Scene.open();
for (const subject of subjects()) {
  try {
    await measure(scene, subject);
  } catch (error) {
    console.error(`${subject.name}: ${(error as Error).message}`);
  }
}
const perElement = (amount: number, { operated }: Figures): string => (amount / operated).toFixed(1);
const sum = (costs: ReadonlyArray<Cost | undefined>): Cost => ({
  bytes: costs.reduce((all, cost) => all + (cost?.bytes ?? 0), 0),
  tokens: costs.reduce((all, cost) => all + (cost?.tokens ?? 0), 0),
});
function cellsOf(figures: Figures): string[] {
  const { lines, whole, delta } = figures;
  return [
    perElement(lines.tokens, figures),
    perElement(whole.tokens, figures),
    delta === undefined ? '' : String(delta.tokens),
  ];
}
const rowOf = (program: string, of: (form: Form) => Figures): string[] => [
  program,
  String(of('full').operated),
  ...cellsOf(of('full')),
  ...cellsOf(of('brief')),
];
/** All real programs together: each element counts once. */
function together(form: Form): Figures {
  const all = rows.filter(({ isReal }) => isReal).map(({ forms }) => forms[form]);
  return {
    operated: all.reduce((count, { operated }) => count + operated, 0),
    lines: sum(all.map(({ lines }) => lines)),
    whole: sum(all.map(({ whole }) => whole)),
  };
}
const table = tableOf(
  phrasesOf`
    program | elements | full: a line | whole text / elements | one value | brief: a line | whole text / elements |
    one value
  `,
  [
    ...rows.map(({ program, forms }) => rowOf(program, (form) => forms[form])),
    rowOf('real programs together', together),
  ],
);
report('tokens.bench', rows, table, 1);

await scene.client.policy({ level: 'full' });
const demo = await startDemo(scene.witness);
const { list, answers, total } = await sessionCost(scene.host, tokensOf);
await demo[Symbol.asyncDispose]();
const shown = ({ tool, call, answer, envelope, rows: count }: (typeof answers)[number]): string[] => [
  count === 0 ? tool : `${tool}, a row`,
  String(call),
  count === 0 ? String(answer) : (answer / count).toFixed(1),
  String(envelope),
];
report(
  'answers.bench',
  answers,
  tableOf(
    ['call', 'call', 'answer', 'of it envelope'],
    [['tools/list', '', String(list), ''], ...answers.map(shown), ['the session', '', String(total), '']],
  ),
  1,
);

const peer = await playwrightSession(tokensOf);
report(
  'answers-peer.bench',
  peer.calls,
  tableOf(
    ['playwright-mcp', 'call', 'answer'],
    [
      ['tools/list', '', String(peer.list)],
      ...peer.calls.map(({ what, call, answer }) => [what, String(call), String(answer)]),
      ['the session', '', String(peer.total)],
    ],
  ),
  1,
);
