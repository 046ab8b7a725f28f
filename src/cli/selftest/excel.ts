// `uiahost selftest --excel`: walks through the spreadsheet actions on a new workbook, which it opens and closes unsaved.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { UiaHostClient } from '../../client/client.ts';
import { ProblemError } from '../../client/errors.ts';
import { FailedError } from '../output.ts';
import { Run } from './drive.ts';

interface ExcelTools {
  /** Runs an action and answers its value; a card that it needs is approved. */
  // oxlint-disable-next-line typescript/no-explicit-any
  act(action: string, input: object): Promise<any>;
  /** Runs an action that must be refused with this code; what the error says. */
  refused(code: string, action: string, input: object): Promise<string>;
}

interface ExcelStep {
  readonly name: string;
  /** What a person does before it; such a step is left out where no person is asked. */
  readonly ask?: string;
  /** What is worth noting: a time, a separator. */
  run(tools: ExcelTools): Promise<string | void>;
}

/** More than one card's table, and more than a write that counts as small. */
const ROWS = 500;
const COLUMNS = 20;
const SHORT_MS = 3000;
const mixed = (r: number, c: number): unknown =>
  [r * 1000 + c, `text ${r} of ${c}`, r % 2 === 0, (r - c) / 4, { error: '#N/A' }][(r * 7 + c) % 5];

function expect(what: string, got: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(got, wanted))
    throw new Error(`${what}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}.`.slice(0, 500));
}

async function writes(tools: ExcelTools, range: string, values: readonly unknown[][]): Promise<void> {
  const { differing } = await tools.act('write-range', { range, values, overwrite: true });
  expect(`Cells of ${range} that differ`, differing, []);
}

const LOOK_ALIKES = [['007', '1-2', '=A1', 'TRUE', '@x', "'x", '+1', '12%', '#N/A']];
const DAYS = [[{ date: '1900-03-01' }, { date: '2024-02-29' }, { date: '2026-11-23T14:30:05' }]];

const step = (name: string, run: ExcelStep['run'], ask?: string): ExcelStep =>
  ask === undefined ? { name, run } : { name, run, ask };

type Call = readonly [action: string, input: object];
const cells = (op: string, range: string, more: object = {}): Call => [
  'edit-cells',
  { op, sheet: 'List', range, ...more },
];
const format = (range: string, more: object): Call => ['format-cells', { sheet: 'List', range, ...more }];
const book = (op: string, more: object): Call => ['edit-workbook', { op, ...more }];
const look = (op: string, more: object = {}): Call => ['inspect-workbook', { op, ...more }];

/** Each of the fourteen, on a sheet of its own: calls that must change something, and be read back. */
const FOURTEEN: ReadonlyArray<readonly [name: string, ...calls: readonly Call[]]> = [
  [
    '1 sheets',
    book('add_sheet', { name: 'List' }),
    book('copy_sheet', { sheet: 'List', name: 'Copy' }),
    book('rename_sheet', { sheet: 'Copy', name: 'Other' }),
    book('move_sheet', { sheet: 'Other', to: 1 }),
    book('hide_sheet', { sheet: 'Other' }),
    book('delete_sheet', { sheet: 'Other' }),
  ],
  ['2 rows and columns', cells('insert', '2:3'), cells('delete', '2:3'), cells('move', '4:4', { to: '2' })],
  ['3 merged cells', cells('merge', 'F1:G1'), cells('unmerge', 'F1:G1')],
  ['4 number format', format('B2:B5', { numberFormat: '0.00' })],
  ['5 looks', format('A1:C1', { bold: true, fill: '#ffee00', border: 'thin', align: 'center', width: 20 })],
  ['7 sort', cells('sort', 'A1:B5', { by: ['-B'] })],
  ['8 filter', cells('filter', 'A1:B5', { by: ['B'], criteria: ['>2'] }), cells('unfilter', 'A1:B5')],
  ['9 duplicates', cells('remove_duplicates', 'A1:B5')],
  ['10 and 11 fill by formula', cells('fill_formula', 'C2:C4', { formula: '=B2*2' })],
  [
    '6 tables',
    ['write-range', { sheet: 'List', range: 'C1', values: [['Twice']] }],
    book('make_table', { sheet: 'List', range: 'A1:C4', name: 'Tried' }),
    book('add_rows', { name: 'Tried', count: 1 }),
    book('totals', { name: 'Tried', on: true }),
  ],
  ['12 charts', book('make_chart', { sheet: 'List', range: 'A1:B4', type: 'column', name: 'Bars' }), look('charts')],
  ['13 pivots and connections', look('sources')],
  ['14 find', look('find', { sheet: 'List', text: 'oak' })],
];

async function tries({ act }: ExcelTools, calls: readonly Call[]): Promise<void> {
  for (const [action, input] of calls) {
    const { result = 'changed' } = await act(action, input);
    expect(`${action} ${JSON.stringify(input)}`, result, 'changed');
  }
}

const EXCEL_STEPS: readonly ExcelStep[] = [
  step('the workbook answers for its own window', async ({ act }) => {
    const { application, separators } = await act('workbook-info', {});
    return `${application.name} ${application.version}, decimal separator ${separators.decimal}, list separator ${separators.list}`;
  }),
  step('texts stay these texts, whatever they look like', async (tools) => {
    await writes(tools, 'A1:I1', LOOK_ALIKES);
    const { values, formulas } = await tools.act('read-range', { range: 'A1:I1' });
    expect('values', values, LOOK_ALIKES);
    expect('formulas', formulas, {});
  }),
  step('numbers, booleans, errors and dates come back', async (tools) => {
    const values = [[1.5, -3, true, { error: '#N/A' }, ...DAYS[0]!]];
    await writes(tools, 'A2:G2', values);
    expect('values', (await tools.act('read-range', { range: 'A2:G2' })).values, values);
    const { text } = await tools.act('read-range', { range: 'A2:G2', text: true });
    return `displayed as ${text[0].join(' | ')}`;
  }),
  step('a formula is calculated and read back', async (tools) => {
    await writes(tools, 'A3:B3', [[{ formula: '=SUM(A2:B2)' }, { formula: '=A3*2' }]]);
    const { values, formulas } = await tools.act('read-range', { range: 'A3:B3' });
    expect('values', values, [[-1.5, -3]]);
    expect('formulas', formulas, { A3: '=SUM(A2:B2)', B3: '=A3*2' });
  }),
  step('a formula that spills fills the cells below', async (tools) => {
    await tools.act('write-range', { range: 'D3', values: [[{ formula: '=SEQUENCE(3)' }]], overwrite: true });
    const { values } = await tools.act('read-range', { range: 'D3:D5', what: 'values' });
    const isOlder = JSON.stringify(values[0]) === JSON.stringify([{ error: '#NAME?' }]);
    if (!isOlder) expect('values', values, [[1], [2], [3]]);
    return isOlder ? 'this version has no SEQUENCE' : undefined;
  }),
  step('a broken formula is refused with the program’s words', (tools) =>
    tools.refused('invalid_argument', 'write-range', { range: 'A6', values: [[{ formula: '=SUM(' }]] }),
  ),
  step('a formula that starts programs is blocked', async (tools) => {
    const values = [[{ formula: "=cmd|'/c calc'!A0" }]];
    await tools.refused('blocked_by_policy', 'write-range', { range: 'A6', values });
    expect('A6', (await tools.act('read-range', { range: 'A6' })).values, [[null]]);
  }),
  step('cells that are not empty are kept', async (tools) => {
    await tools.refused('state_conflict', 'write-range', { range: 'A1', values: [['x']] });
    const { digest } = await tools.act('read-range', { range: 'A1:I1' });
    await writes(tools, 'A1', [['changed']]);
    await tools.refused('state_conflict', 'write-range', { range: 'A1', values: [['x']], expect: digest });
  }),
  step('a range is selected', async (tools) => {
    await tools.act('select-range', { range: 'B40:C41' });
    expect('selection', (await tools.act('read-range', { range: 'selection' })).range, 'B40:C41');
  }),
  step('10,000 cells are written, read back and read', async (tools) => {
    const values = Array.from({ length: ROWS }, (_r, r) => Array.from({ length: COLUMNS }, (_c, c) => mixed(r, c)));
    const began = performance.now();
    await writes(tools, 'K1', values);
    const wrote = performance.now();
    expect('values', (await tools.act('read-range', { range: 'K1:AD500', maxCells: 10_000 })).values, values);
    return `written in ${Math.round(wrote - began)} ms, read in ${Math.round(performance.now() - wrote)} ms`;
  }),
  step('a sheet for the fourteen', async (tools) => {
    await tries(tools, FOURTEEN[0]!.slice(1) as Call[]);
    await writes(tools, 'List!A1:B5', [
      ['Tree', 'Count'],
      ['oak', 3],
      ['elm', 1],
      ['ash', 5],
      ['oak', 3],
    ]);
  }),
  ...FOURTEEN.slice(1).map(([name, ...calls]) => step(name, (tools) => tries(tools, calls))),
  step(
    'a cell that a person edits',
    async (tools) => {
      await tools.refused('state_conflict', 'read-range', { range: 'A1', deadlineMs: SHORT_MS });
      return tools.refused('state_conflict', 'write-range', { range: 'J1', values: [['x']], deadlineMs: SHORT_MS });
    },
    'Start typing into an empty cell, and leave it in edit mode.',
  ),
  step(
    'an open dialog',
    (tools) => tools.refused('state_conflict', 'read-range', { range: 'A1', deadlineMs: SHORT_MS }),
    'Press Escape, then open Format Cells (Ctrl+1) and leave it open.',
  ),
  step(
    'a filtered list',
    async (tools) => {
      const values = Array.from({ length: 20 }, (_, r) => [`row ${r}`, r]);
      await writes(tools, 'AF1', values);
      expect('values', (await tools.act('read-range', { range: 'AF1:AG20' })).values, values);
    },
    'Close the dialog. Filter column K so that only the numbers are shown.',
  ),
  step(
    'undo after a write',
    async ({ act }) => `A1 now holds ${JSON.stringify((await act('read-range', { range: 'A1' })).values[0][0])}`,
    'Remove the filter, and press Ctrl+Z. If something was undone that the selftest wrote, note it in the report.',
  ),
  step(
    'a protected sheet',
    (tools) => tools.refused('target_readonly', 'write-range', { range: 'J2', values: [['x']] }),
    'Protect the sheet (Review, Protect Sheet), without a password.',
  ),
];

export interface ExcelReport {
  readonly uiahost: string;
  readonly date: string;
  readonly steps: readonly ExcelStepResult[];
  readonly ms: number;
  /** The workbook was closed without saving. */
  readonly closed: boolean;
  /** Every step that was done went well, and the workbook is closed. */
  readonly ok: boolean;
}

export interface ExcelStepResult {
  readonly step: string;
  /** Null: left to a person. */
  readonly ok: boolean | null;
  readonly note: string | null;
  readonly ms: number;
  readonly error: string | null;
}

export interface ExcelOptions {
  /** Identity, path or name of the program. */
  readonly program: string;
  readonly version: string;
  readonly signal: AbortSignal;
  onStep(result: ExcelStepResult): void;
  /** The report so far: at the beginning, after each step and at the end, so that a report is left wherever it ends. */
  onReport(report: ExcelReport): void;
  /** Tells a person what to do; false: left out. Absent: no person is there. */
  ask?(what: string): Promise<boolean>;
  /** Something that a person should know now. */
  say(text: string): void;
}

interface Row {
  readonly hwnd: string;
  readonly pid: number;
  readonly className: string;
}

const POLL_MS = 250;
/** Excel takes several seconds to start; a person may have to leave its start screen. */
const OPENS_WITHIN_MS = 90_000;
const CLOSES_WITHIN_MS = 10_000;
/** How Excel and older message boxes name the button. */
const DISCARD =
  "Don't Save|Don’t Save|Nicht speichern|Ne pas enregistrer|No guardar|Non salvare|Não salvar|Niet opslaan|Nie zapisuj|Не сохранять|保存しない|不保存|No|Nein|Non".split(
    '|',
  );

const codeOf = (error: unknown): string | undefined =>
  error instanceof ProblemError ? error.problem.code : /^([a-z_]+): /.exec(String((error as Error).message))?.[1];
const wordsOf = (error: unknown): string => (error instanceof ProblemError ? error.problem.detail : String(error));

export async function excelSelftest(connection: UiaHostClient, options: ExcelOptions): Promise<ExcelReport> {
  const { level } = await connection.json<{ level: string }>('GET', '/v1/status');
  if (level !== 'control' && level !== 'full')
    throw new FailedError(`At level ${level} nothing can be written.`, 'Run `uiahost policy level control`.');
  const began = Date.now();
  const run = new Run(connection, options.signal);
  const tools: ExcelTools = {
    act: (action, input) => run.act(action, input),
    async refused(code, action, input) {
      let error: unknown = null;
      await run.act(action, input).catch((thrown: unknown) => (error = thrown));
      if (error === null) throw new Error(`${action} was carried out; expected ${code}.`);
      if (codeOf(error) !== code) throw new Error(`Expected ${code}, got ${wordsOf(error)}`);
      return wordsOf(error);
    },
  };
  const steps: ExcelStepResult[] = [];
  let closed = false;
  const told = (): ExcelReport => ({
    uiahost: options.version,
    date: new Date(began).toISOString(),
    steps,
    ms: Date.now() - began,
    closed,
    ok: closed && steps.length === EXCEL_STEPS.length && steps.every((step) => step.ok !== false),
  });
  options.onReport(told());
  const book = await openWorkbook(run, options);
  try {
    for (const step of EXCEL_STEPS) {
      options.signal.throwIfAborted();
      const result = await runStep(step, tools, options);
      steps.push(result);
      options.onStep(result);
      options.onReport(told());
    }
  } finally {
    // After Ctrl+C too: the workbook must not stay open with what was written.
    closed = await closeUnsaved(new Run(connection, AbortSignal.timeout(CLOSES_WITHIN_MS * 3)), book).catch(
      () => false,
    );
    if (!closed) options.say('The workbook is still open: close it without saving.');
    options.onReport(told());
  }
  return told();
}

async function runStep(step: ExcelStep, tools: ExcelTools, { ask }: ExcelOptions): Promise<ExcelStepResult> {
  const isLeft = step.ask !== undefined && !((await ask?.(step.ask)) ?? false);
  if (isLeft) return { step: step.name, ok: null, note: step.ask ?? null, ms: 0, error: null };
  const began = performance.now();
  const ended = await step.run(tools).then(
    (note) => ({ ok: true, note: note ?? null, error: null }),
    (error: unknown) => ({ ok: false, note: null, error: wordsOf(error) }),
  );
  return { step: step.name, ...ended, ms: Math.round(performance.now() - began) };
}

const windows = (run: Run): Promise<Row[]> => run.act('list-visible-windows', {});

/** Starts the program and binds its new workbook, which must be empty and never saved. Errors: FailedError. */
async function openWorkbook(run: Run, { program, signal, say }: ExcelOptions): Promise<Row> {
  const before = new Set((await windows(run)).map(({ hwnd }) => hwnd));
  await run.act('open-app', { bundleId: program }).catch((error: unknown) => {
    throw new FailedError(
      `The spreadsheet program could not be started: ${wordsOf(error)}`,
      'Name it: `--excel PATH`.',
    );
  });
  let hasSaid = false;
  for (const end = Date.now() + OPENS_WITHIN_MS; Date.now() < end;) {
    signal.throwIfAborted();
    const book = (await windows(run)).find(({ hwnd, className }) => className === 'XLMAIN' && !before.has(hwnd));
    if (book !== undefined) {
      await run.act('bind-to-window', { hwnd: book.hwnd });
      const info = await run.act('workbook-info', {}).catch((error: unknown) => {
        if (!['unsupported', 'state_conflict'].includes(codeOf(error) ?? '')) throw error;
        return null;
      });
      if (info !== null) return assertNew(info as WorkbookFacts, book);
      if (!hasSaid) say('If Excel shows its start screen, choose “Blank workbook”.');
      hasSaid = true;
    }
    await sleep(POLL_MS, undefined, { signal });
  }
  throw new FailedError('No new workbook opened.', 'Close the window that opened, if any, and try again.');
}

interface WorkbookFacts {
  readonly workbook: { readonly name: string; readonly path: string | null };
  readonly sheets: ReadonlyArray<{ readonly usedRange: string | null }>;
}

/** A person's workbook is never written into. */
function assertNew({ workbook, sheets }: WorkbookFacts, book: Row): Row {
  if (workbook.path === null && sheets.every(({ usedRange }) => usedRange === null || usedRange === 'A1')) return book;
  throw new FailedError(
    `The window that opened shows ${workbook.name}, which is not a new workbook; nothing was written.`,
    'Close it, and start again with Excel closed.',
  );
}

/** Closes the window and answers its question with “Don't Save”. False: it is still open. */
async function closeUnsaved(run: Run, book: Row): Promise<boolean> {
  const isOpen = async (): Promise<boolean> => (await windows(run)).some(({ hwnd }) => hwnd === book.hwnd);
  await run.act('bind-to-window', { hwnd: book.hwnd });
  const before = new Set((await windows(run)).map(({ hwnd }) => hwnd));
  await run.act('manage-window', { action: 'close' }).catch(() => undefined);
  for (const end = Date.now() + CLOSES_WITHIN_MS; Date.now() < end;) {
    const rows = await windows(run);
    if (!rows.some(({ hwnd }) => hwnd === book.hwnd)) return true;
    const dialog = rows.find(({ hwnd, pid }) => pid === book.pid && !before.has(hwnd));
    if (dialog !== undefined) {
      await run.act('bind-to-window', { hwnd: dialog.hwnd });
      const { accessibilityText } = await run.act('snapshot', {});
      const name = DISCARD.find((each) => accessibilityText.includes(`[Button] ${JSON.stringify(each)}`));
      if (name !== undefined) await run.act('click-element', { name, role: 'Button' }).catch(() => undefined);
    }
    await sleep(POLL_MS);
  }
  return !(await isOpen());
}
