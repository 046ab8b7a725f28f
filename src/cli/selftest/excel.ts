// `uiahost selftest --excel`: walks through the spreadsheet actions on a new workbook, which it opens and closes unsaved.
import { setTimeout as sleep } from 'node:timers/promises';
import type { UiaHostClient } from '../../client/client.ts';
import { ProblemError } from '../../client/errors.ts';
import { FailedError } from '../output.ts';
import { EXCEL_STEPS, type ExcelStep, type ExcelTools } from './excel-steps.ts';
import { Run } from './run.ts';

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
const DISCARD = [
  "Don't Save",
  'Don’t Save',
  'Nicht speichern',
  'Ne pas enregistrer',
  'No guardar',
  'Non salvare',
  'Não salvar',
  'Niet opslaan',
  'Nie zapisuj',
  'Не сохранять',
  '保存しない',
  '不保存',
  'No',
  'Nein',
  'Non',
];

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
      const error = await run.act(action, input).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (error === null) throw new Error(`${action} was carried out; expected ${code}.`);
      if (codeOf(error) !== code) throw new Error(`Expected ${code}, got ${wordsOf(error)}`);
      return wordsOf(error);
    },
  };
  const book = await openWorkbook(run, options);
  const steps: ExcelStepResult[] = [];
  let closed = false;
  try {
    for (const step of EXCEL_STEPS) {
      options.signal.throwIfAborted();
      const result = await runStep(step, tools, options);
      steps.push(result);
      options.onStep(result);
    }
  } finally {
    // After Ctrl+C too: the workbook must not stay open with what was written.
    closed = await closeUnsaved(new Run(connection, AbortSignal.timeout(CLOSES_WITHIN_MS * 3)), book).catch(
      () => false,
    );
    if (!closed) options.say('The workbook is still open: close it without saving.');
  }
  const ok = closed && steps.every((step) => step.ok !== false);
  return { uiahost: options.version, date: new Date(began).toISOString(), steps, ms: Date.now() - began, closed, ok };
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

const windows = (run: Run): Promise<Row[]> => run.act('list-visible-windows', {}) as Promise<Row[]>;

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
      const { accessibilityText } = (await run.act('snapshot', {})) as { accessibilityText: string };
      const name = DISCARD.find((each) => accessibilityText.includes(`[Button] ${JSON.stringify(each)}`));
      if (name !== undefined) await run.act('click-element', { name, role: 'Button' }).catch(() => undefined);
    }
    await sleep(POLL_MS);
  }
  return !(await isOpen());
}
