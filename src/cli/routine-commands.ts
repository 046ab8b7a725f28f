// `uiahost run` and `uiahost routine`: routines run, shown, kept and accepted.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { attempt } from '../contract/attempt.ts';
import { UiaHostError } from '../contract/errors.ts';
import { MAX_DEPTH, parseStrictJson } from '../contract/json/strict-json.ts';
import { visible } from '../contract/json/quoted.ts';
import { didYouMean, nearest } from '../contract/json/near.ts';
import { dataDirectoryOf } from '../client/locate.ts';
import { buildCatalog } from '../host/face/catalog.ts';
import {
  endOf,
  readRoutine,
  sentenceOf,
  stepsOf,
  valuesOf,
  wantedOf,
  type ReadyStep,
  type RoutineFile,
} from '../routines/file.ts';
import { renderReport, type RunRecord } from '../routines/report.ts';
import { foresee, runSteps, type Acts, type Ran } from '../routines/run.ts';
import { Shelf } from '../routines/shelf.ts';
import { adding, awaited, textIn, type Answer, type Call, type CliContext } from './flags.ts';
import { printable, UsageError, writeNewFile } from './output.ts';
import { sessionOfHost } from './replay.ts';

interface RunFlags {
  readonly table?: string;
  readonly dryRun?: boolean;
  readonly from?: string;
  readonly junit?: string;
  readonly html?: string;
  readonly agree?: string;
}

const catalog = buildCatalog();
const shelfOf = ({ env }: CliContext): Shelf => new Shelf(dataDirectoryOf(env));

/** A routine by its file, or by its name in the data directory. Errors: UsageError; invalid_argument if it is not valid. */
function open(named: string, context: CliContext): RoutineFile & { readonly place: string } {
  const shelf = shelfOf(context);
  const isName = /^[a-z][a-z0-9-]*$/.test(named);
  if (isName && !shelf.names().includes(named)) {
    const near = didYouMean(nearest(named, shelf.names()));
    throw new UsageError(
      `There is no routine ${JSON.stringify(named)} in ${shelf.folder}; ${near || 'give a file, or keep one with `uiahost routine add FILE`.'}`,
    );
  }
  const place = isName ? shelf.fileOf(named) : named;
  return { ...used(() => readRoutine(textIn(place), catalog)), place };
}

/** What is wrong in a routine or its inputs is wrong use of the command. */
function used<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UiaHostError ? new UsageError(error.message) : error;
  }
}

/** The flags of a routine's inputs: `--customer Ada --express`. */
function inputsIn(words: readonly string[], { routine }: RoutineFile): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (let at = 0; at < words.length; at += 1) {
    const [, flag = '', , inline] = /^--([^=]+)(=([^]*))?$/.exec(words[at] ?? '') ?? [];
    if (flag === '') throw new UsageError(`Unexpected ${JSON.stringify(words[at])}: inputs are given as --NAME VALUE.`);
    const name = flag.replaceAll('-', '_');
    const next = words[at + 1];
    const hasOwn = inline === undefined && next !== undefined && !next.startsWith('--');
    if (hasOwn) at += 1;
    const value = inline ?? (hasOwn ? next : 'true');
    given[name] = routine.inputs[name]?.type === 'rows' ? rowsIn(value) : value;
  }
  return given;
}

/** The rows of a CSV file with titles, or of a JSON list of objects. Errors: UsageError. */
function rowsIn(file: string): Array<Record<string, unknown>> {
  const text = textIn(file);
  if (file.toLowerCase().endsWith('.json')) {
    const rows = attempt(() => parseStrictJson(text, { depth: MAX_DEPTH }), null);
    if (Array.isArray(rows) && rows.every((row) => typeof row === 'object' && row !== null)) return rows as [];
    throw new UsageError(`${file}: expected a JSON list of objects.`);
  }
  const [titles = [], ...lines] = csvOf(text.replace(/^\uFEFF/, ''));
  const bad = lines.findIndex((line) => line.length !== titles.length);
  if (bad >= 0)
    throw new UsageError(
      `${file}: row ${bad + 1} has ${lines[bad]?.length ?? 0} cells, the titles are ${titles.length}.`,
    );
  return lines.map((line) => Object.fromEntries(titles.map((title, at) => [title.trim(), line[at]])));
}

/** Lines of cells, as in RFC 4180; semicolons where the first line has no comma. */
function csvOf(text: string): string[][] {
  const mark = text.split('\n', 1)[0]?.includes(',') === true ? ',' : ';';
  const cells = text.matchAll(new RegExp(`("(?:[^"]|"")*"|[^${mark}\\r\\n]*)(${mark}|\\r?\\n|$)`, 'g'));
  const lines: string[][] = [[]];
  for (const [, cell = '', end] of cells) {
    lines.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end !== mark) lines.push([]);
  }
  return lines.filter((line) => line.some((cell) => cell !== ''));
}

/** What a routine does, for a person. */
function described({ routine, hash }: RoutineFile, steps: readonly ReadyStep[]): string {
  const inputs = Object.entries(routine.inputs).map(
    ([name, { type, description = '', default: value }]) =>
      `  --${name.replaceAll('_', '-')}  ${type}${value === undefined ? '' : `, default ${String(value)}`}${description === '' ? '' : `: ${description}`}`,
  );
  const lines = steps.flatMap((step) => [
    `  ${step.at.padEnd(4)} ${sentenceOf(step)}`,
    ...step.when.map((look) => `         if ${wantedOf(look)}`),
    ...step.check.map((look) => `         only where ${wantedOf(look)}`),
    ...step.expect.map((look) => `         shows ${wantedOf(look)}`),
  ]);
  return printable(
    [`${routine.name}: ${routine.description}`, ...inputs, ...lines, `Hash ${hash.slice(0, 16)}`].join('\n'),
  );
}

async function says(question: string): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await asking.question(`${question} [y/N] `)).trim());
  } finally {
    asking.close();
  }
}

/** A text that is new here is shown and agreed to once. Errors: UsageError. */
async function agree(file: RoutineFile, given: string | undefined, words: string, context: CliContext): Promise<void> {
  const shelf = shelfOf(context);
  if (shelf.known(file.hash).agreed !== undefined) return;
  const isGiven = given !== undefined && given.length >= 16 && file.hash.startsWith(given);
  if (!isGiven) {
    context.output.err(words);
    if (process.stdin.isTTY !== true)
      throw new UsageError(
        `This routine is new here, or was changed. Read it, then add --agree ${file.hash.slice(0, 16)}.`,
      );
    if (!(await says('Run this routine from now on?'))) throw new UsageError('Nothing was run.');
  }
  shelf.note(file.hash, { agreed: new Date().toISOString() });
}

const STATUSES = { verified: 0, 'halted before the effect': 1, 'done, not verified': 3 } as const;

/** uiahost run. */
async function run(named: string, flags: RunFlags, call: Call): Promise<Answer> {
  const file = open(named, call);
  const given = inputsIn(call.words.slice(1), file);
  const rows = flags.table === undefined ? [{}] : rowsIn(flags.table);
  const plans = used(() =>
    rows.map((row) => {
      const values = valuesOf(file.routine, { ...row, ...given });
      return { steps: stepsOf(file.routine, values, catalog), end: endOf(file.routine, values) };
    }),
  );
  if (flags.from !== undefined && !plans.every(({ steps }) => steps.some(({ at }) => at === flags.from)))
    throw new UsageError(
      `There is no step ${flags.from}; the steps are ${plans[0]?.steps.map(({ at }) => at).join(', ') ?? ''}.`,
    );
  await agree(file, flags.agree, described(file, plans[0]?.steps ?? []), call);
  const client = await call.connect();
  const results: Result[] = [];
  for (const { steps, end } of plans) {
    const session = call.session ?? `run-${file.routine.name}-${randomBytes(4).toString('hex')}`;
    const acts: Acts = {
      run: (action, input) => awaited(call, session, client.run(action, input, { session })) as ReturnType<Acts['run']>,
      readFile: (path) => attempt(() => readFileSync(path, 'utf8'), null),
      onStep: (at, sentence) => call.isJson || call.output.err(printable(`${at.padEnd(4)} ${sentence}`)),
    };
    if (flags.dryRun === true) {
      const lines = await foresee(steps, acts);
      return { value: lines, text: printable(lines.join('\n')) };
    }
    results.push({
      session,
      ...(await runSteps(steps, end, acts, { pictures: flags.html !== undefined, from: flags.from })),
    });
  }
  const { junit, html } = flags;
  if (junit !== undefined) await writeNewFile(junit, junitOf(file.routine.name, results), { force: true });
  if (html !== undefined) await writeNewFile(html, await pageOf(file, results, call), { force: true });
  const lines = results.map(
    ({ verdict, why, session }) => `${verdict} (session ${session})${why === '' ? '' : `\n  ${why}`}`,
  );
  return {
    value: { routine: file.routine.name, hash: file.hash, runs: results.map(withoutPictures) },
    text: printable(lines.join('\n')),
    status: Math.max(...results.map(({ verdict }) => STATUSES[verdict])),
  };
}

type Result = Ran & { readonly session: string };

const withoutPictures = ({ steps, verdict, why, session }: Result): object => ({
  verdict,
  why,
  session,
  steps: steps.map(({ before: _before, after: _after, ...step }) => step),
});

const xml = (text: string): string => visible(text).replaceAll(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** Each run with what its session recorded. */
async function pageOf({ routine, hash }: RoutineFile, results: readonly Result[], { connect }: Call): Promise<string> {
  const client = await connect();
  const run = (ran: Ran): RunRecord => ({ name: routine.name, description: routine.description, hash, ran });
  const parts = results.map(async (ran) => ({ run: run(ran), record: await sessionOfHost(client, ran.session) }));
  return renderReport(await Promise.all(parts));
}

/** A suite for each run, a case for each step. */
function junitOf(name: string, results: readonly Result[]): string {
  const suites = results.map(({ session, verdict, why, steps }) => {
    const cases = steps.map(({ at, sentence, status, ms, trouble }) => {
      const said = xml(trouble?.message ?? why);
      const child = {
        halted: `<failure message="${said}"/>`,
        'not verified': `<failure message="${said}"/>`,
        'left out': '<skipped/>',
        'not run': '<skipped/>',
        verified: '',
      };
      return `    <testcase classname="${xml(name)}" name="${xml(`${at} ${sentence}`)}" time="${ms / 1000}">${child[status]}</testcase>`;
    });
    const failures = cases.filter((each) => each.includes('<failure')).length;
    return [
      `  <testsuite name="${xml(`${name}: ${verdict}`)}" id="${xml(session)}" tests="${steps.length}" failures="${failures}">`,
      ...cases,
      '  </testsuite>',
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}

/** run. */
export function addRoutineCommands(program: Command, context: CliContext): void {
  const add = adding(program, context);
  add('run <routine>', run)
    .description('run a routine: a file of steps, or its name in the data directory; its inputs are flags')
    .helpGroup('Agents:')
    .allowUnknownOption()
    .allowExcessArguments()
    .option('--table <file>', 'a CSV or JSON file: one run for each row, whose columns are inputs')
    .option('--dry-run', 'do nothing: say of each step whether it would run, ask or be refused')
    .option('--from <step>', 'begin with this step; windows are chosen as before')
    .option('--junit <file>', 'write the result as JUnit XML')
    .option('--html <file>', 'write the result, with pictures and what the audit recorded, as one HTML page')
    .option('--agree <hash>', 'agree to a routine that is new here, by the hash that was shown');
}
