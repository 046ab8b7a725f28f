// How results and errors are printed, and files are written.
import { writeFile } from 'node:fs/promises';
import { wordsOf } from '../contract/json/face-words.ts';
import { HIDDEN } from '../contract/json/quoted.ts';
import { ClientError, ProblemError } from '../client/errors.ts';

/** Where a command writes. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

export const STANDARD_OUTPUT: Output = {
  out: (text) => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`),
  err: (text) => void process.stderr.write(text.endsWith('\n') ? text : `${text}\n`),
};

/** Wrong use of a command: exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was refused or failed, and the message says why: exit status 1. */
export class FailedError extends Error {
  override readonly name = 'FailedError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** The question could not be answered; `cause` says why. Exit status 2, for commands whose status 1 is an answer. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

export const unanswered = (message: string, hint?: string): UnansweredError =>
  new UnansweredError(new FailedError(message, hint));

/** The command has printed its answer, and only the status says what it was. */
export class AnsweredError extends Error {
  override readonly name = 'AnsweredError';
  readonly status: number;

  constructor(status: number) {
    super(`exit status ${status}`);
    this.status = status;
  }
}

/** Replaces control and invisible characters: window titles and names are other programs' text and could control the terminal. */
export function printable(text: string): string {
  return text.replace(HIDDEN, (hidden) => (hidden === '\n' || hidden === '\t' ? hidden : '\ufffd'));
}

const commandWords = wordsOf('cli');

function describeProblem({ problem }: ProblemError): string {
  const lines = [`${problem.code}: ${problem.detail}`];
  if (problem.delivery !== 'not_delivered')
    lines.push(`  input: ${problem.delivery === 'delivered' ? 'was delivered' : 'may have been delivered'}`);
  for (const { ref, hwnd, role, name, title, automationId } of problem.candidates ?? []) {
    lines.push(
      `  candidate: ${[ref ?? hwnd, role, name ?? title, automationId].filter((part) => part !== undefined && part !== '').join('  ')}`,
    );
  }
  if (problem.suggestions !== undefined && problem.suggestions.length > 0)
    lines.push(`  near: ${problem.suggestions.join(', ')}`);
  lines.push(`  try: ${commandWords(problem.hint)}`);
  return printable(lines.join('\n'));
}

/** An error as text; with `json` a problem's body unchanged. */
export function describeError(error: unknown, json: boolean): string {
  if (error instanceof UnansweredError) return describeError(error.cause, json);
  if (error instanceof ProblemError) return json ? error.text : describeProblem(error);
  if (error instanceof ClientError) return `${error.message}\n  try: ${error.hint}`;
  if (error instanceof FailedError)
    return error.hint === undefined ? error.message : `${error.message}\n  try: ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}

/** A line of cells of a sheet or a list holds few columns of this width. */
const WIDEST = 40;

/** Columns side by side; cells longer than `widest` end in an ellipsis. */
export function aligned(rows: readonly string[][], widest = WIDEST): string[] {
  const short = rows.map((row) =>
    row.map((cell) => (cell.length > widest ? `${cell.slice(0, widest - 1)}…` : cell).replaceAll('\n', ' ')),
  );
  const widths = (short[0] ?? []).map((_, column) => Math.max(...short.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]): string => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return short.map((row) => line(row).trimEnd());
}

/** Rows as aligned columns. */
export function table(rows: ReadonlyArray<Readonly<Record<string, unknown>>>): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown): string =>
    printable(typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''));
  return aligned([columns, ...rows.map((row) => columns.map((column) => cell(row[column])))], Infinity).join('\n');
}

/** A value in its most readable form: text, rows or JSON. */
export function readable(value: unknown): string {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value) && value.length === 0) return '(none)';
  if (Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row)))
    return table(value as Array<Record<string, unknown>>);
  return printable(JSON.stringify(value, null, 2));
}

interface NewFileOptions {
  /** Default: choose another file. */
  readonly hint?: string;
  /** Replaces a file that exists. */
  readonly force?: boolean | undefined;
  /** Default: what the umask leaves. */
  readonly mode?: number;
}

/** Errors: FailedError where the file exists, and was not changed, or cannot be written. */
export async function writeNewFile(
  file: string,
  content: string | Uint8Array,
  { hint = 'Choose a file that does not exist.', force = false, mode = 0o666 }: NewFileOptions = {},
): Promise<void> {
  await writeFile(file, content, { mode, flag: force ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new FailedError(`${file} already exists and was not changed.`, hint)
      : new FailedError(`${file} could not be written: ${String(error.code)}.`);
  });
}
