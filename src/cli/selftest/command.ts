// `uiahost selftest`: shows on this machine what the host can do, in the demo, or in a new workbook of Excel.
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { globalsOf, type CliContext } from '../flags.ts';
import { FailedError, UsageError } from '../output.ts';
import { excelSelftest, type ExcelReport, type ExcelStepResult } from './excel.ts';
import { answersTable } from './beliefs.ts';
import { selftest, type SelftestReport } from './drive.ts';
import type { Section, StepResult } from './steps.ts';

/** A person takes longer. */
const [LIMIT_MS, PERSON_MS] = [300_000, 900_000];
const SECTIONS = 'ABCDEG';
/** Ctrl+C, what ends a process, and a closed terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Flags {
  readonly output?: string;
  readonly excel?: string | true;
  readonly yes?: boolean;
  readonly sections: string;
}

export function addSelftestCommand(program: Command, context: CliContext): void {
  program
    .command('selftest')
    .description('show on this machine what the host can do, and check each effect from outside')
    .helpGroup('Host:')
    .option('--output <file>', 'where the report goes; default: uiahost-selftest-DATE.json')
    .option('--excel [program]', 'instead: try the spreadsheet actions in a new workbook; default program: excel.exe')
    .option('--yes', 'with --excel: do not ask, and leave out what needs a person')
    .option('--sections <letters>', 'A facts, B demo, C PowerShell, D Edge, E consoles, F a person, G others', SECTIONS)
    .addHelpText(
      'after',
      `
It opens windows of its own and closes them at the end, among them two made by Windows PowerShell from a fixed text, Edge with a
profile of its own, consoles, Notepad, Calculator and Settings. It touches no other window, and takes five minutes at most.
What is missing on this machine is not tried. Section F is left out unless it is asked for: it says what you do, such as to
press Approve, and takes up to ten minutes more.
It approves its own cards, lets one expire, and uses the emergency stop once, which ends the host's running sessions.
With --excel it asks first, opens a new workbook, writes into that alone, and closes it without saving. Some steps need
a person: it says what to do, and takes an hour at most.
The report, written wherever this ends, has the system's version and settings, answers to docs/windows-truth.md by number, and
nothing of your own windows.
Exit status 0: everything was done and seen; 1: something was not.`,
    )
    .action(async (flags: Flags, command: Command) => {
      if (flags.yes === true && flags.excel === undefined) throw new UsageError('--yes is for --excel.');
      const { json } = globalsOf(command);
      await (flags.excel === undefined ? tryDemo(context, flags, json) : tryExcel(context, flags, json));
    });
}

async function tryDemo({ output, env, version, connect }: CliContext, flags: Flags, json: boolean): Promise<void> {
  const letters = flags.sections.toUpperCase();
  const isAsking = letters.includes('F');
  using person = attended(isAsking, 'Cancelled. The demo was closed.');
  const { ask, end, signal } = person;
  const late = new FailedError('It took too long.');
  const limit = setTimeout(() => end(late), isAsking ? PERSON_MS : LIMIT_MS);
  let shown: Section | undefined;
  const file = fileOf(flags, 'selftest');
  const report = await selftest(connect, {
    env,
    version,
    signal,
    letters,
    onReport: (kept) => written(kept, file),
    onStep: (result, section, why) => {
      if (json) return;
      if (section !== shown) output.out(`\n${section.letter}  ${section.title}${why === null ? '' : `: ${why}`}`);
      if (why === null) output.out(line(result));
      shown = section;
    },
    ...(isAsking ? { ask } : {}),
  }).finally(() => clearTimeout(limit));
  output.out(json ? JSON.stringify(report) : summary(report, file));
  if (report.ended !== null)
    throw new FailedError(
      report.ended,
      `See the report: ${file}. uiahost doctor lists what prevents windows on this machine.`,
    );
  if (!report.ok) throw new FailedError('Not everything was done.', 'See the lines with FAILED, and the report.');
}

async function tryExcel({ output, version, connect }: CliContext, flags: Flags, json: boolean): Promise<void> {
  const isAsking = flags.yes !== true;
  if (isAsking && process.stdin.isTTY !== true)
    throw new UsageError('This asks a person first, and standard input is not a terminal. Use --yes to go without.');
  const file = fileOf(flags, 'selftest-excel');
  using person = attended(isAsking, 'Cancelled.');
  const { ask, question, signal } = person;
  try {
    if (isAsking && !/^y(?:es)?$/i.test((await question(AGREED)) ?? '')) throw new FailedError('Nothing was opened.');
    const report = await excelSelftest(await connect(), {
      program: typeof flags.excel === 'string' ? flags.excel : 'excel.exe',
      version,
      signal,
      onStep: (result) => {
        if (!json) output.out(excelLine(result));
      },
      onReport: (kept) => written(kept, file),
      say: (text) => output.err(text),
      ...(isAsking ? { ask } : {}),
    });
    output.out(json ? JSON.stringify(report) : excelSummary(report, file));
    if (!report.ok) throw new FailedError('Not everything was done.', 'See the lines with FAILED, and the report.');
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

const AGREED =
  'This opens a new workbook in Excel, writes into it, approves its own cards, and closes it without saving. Continue? [y/N] ';

/** What ends a selftest early, and a person's answers, if any are asked for: Ctrl+C reaches an open question first. */
function attended(isAsking: boolean, cancelled: string) {
  const cancel = new AbortController();
  const end = (reason: Error): void => cancel.abort(reason);
  const interrupt = (): void => end(new FailedError(cancelled));
  for (const name of SIGNALS) process.once(name, interrupt);
  // Questions go to standard error: standard output has the answer alone.
  const terminal = isAsking ? createInterface({ input: process.stdin, output: process.stderr }) : null;
  terminal?.once('SIGINT', interrupt);
  const left = new AbortController();
  terminal?.once('close', () => left.abort());
  const { signal } = cancel;
  /** Null where no person answers any more. Errors: the reason of the end. */
  const question = async (text: string): Promise<string | null> => {
    try {
      return (await terminal!.question(text, { signal: AbortSignal.any([signal, left.signal]) })).trim();
    } catch {
      signal.throwIfAborted();
      return null;
    }
  };
  const ask = async (what: string): Promise<boolean> =>
    !['s', undefined].includes((await question(`${what}\nThen press Enter here; s leaves it out. `))?.toLowerCase());
  const dispose = (): void => {
    terminal?.close();
    for (const name of SIGNALS) process.removeListener(name, interrupt);
  };
  return { signal, end, question, ask, [Symbol.dispose]: dispose };
}

const fileOf = ({ output }: Flags, name: string): string =>
  output ?? `uiahost-${name}-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.json`;

/** A message may name a file in the person's folder. */
const withoutName = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll(homedir(), '~') : value;
const written = (report: object, file: string): void =>
  writeFileSync(file, `${JSON.stringify(report, withoutName, 2)}\n`);

function line({ ok, answer, step, beliefs, delivery, effect, seen, ms, error }: StepResult): string {
  const how = [delivery, effect, seen === true ? 'seen' : null].filter((word) => word !== null && word !== 'none');
  const state = ok === null ? '–' : !ok ? 'FAILED' : answer === 'no' ? 'other' : 'ok';
  const time = ok === null ? '' : `${ms} ms`;
  const words = [state.padEnd(6), step.padEnd(46), time.padStart(8), beliefs.padEnd(11), how.join(', ')];
  return `${words.join('  ').trimEnd()}${error === null ? '' : `\n        ${error}`}`;
}

function excelLine({ ok, step, note, ms, error }: ExcelStepResult): string {
  const state = ok === null ? 'left  ' : ok ? 'ok    ' : 'FAILED';
  const more = error ?? note;
  return `${`${state}  ${step.padEnd(52)}  ${ok === null ? '' : `${ms} ms`.padStart(8)}`.trimEnd()}${more === null ? '' : `\n        ${more}`}`;
}

function summary(report: SelftestReport, file: string): string {
  const { steps, ms, system } = report;
  const count = (wanted: boolean | null): number => steps.filter(({ ok }) => ok === wanted).length;
  return `
ok: done, and Windows behaves as the page has it. other: done, and it behaves otherwise. –: not tried.

Answers to docs/windows-truth.md, to paste into an issue:

${answersTable(report)}

${count(true)} steps done, ${count(false)} failed, ${count(null)} not tried in ${(ms / 1000).toFixed(0)} s on Windows ${system?.windows ?? '(version not known)'}. Report: ${file}`;
}

function excelSummary({ steps, ms, closed }: ExcelReport, file: string): string {
  const good = steps.filter(({ ok }) => ok === true).length;
  const left = steps.filter(({ ok }) => ok === null).length;
  return `${good} of ${steps.length} done${left === 0 ? '' : `, ${left} left to a person`} in ${(ms / 1000).toFixed(0)} s; the workbook ${closed ? 'was closed without saving' : 'is still open'}. Report: ${file}`;
}
