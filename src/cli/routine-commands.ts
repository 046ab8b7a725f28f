// `uiahost run` and `uiahost routine`: routines run, shown, kept and accepted.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { attempt } from '../contract/attempt.ts';
import { UiaHostError } from '../contract/errors.ts';
import { MAX_DEPTH, parseStrictJson } from '../contract/json/strict-json.ts';
import { visible } from '../contract/json/quoted.ts';
import type { ActionResult } from '../contract/outcome.ts';
import { didYouMean, nearest } from '../contract/json/near.ts';
import { dataDirectoryOf } from '../client/locate.ts';
import { buildCatalog } from '../host/face/catalog.ts';
import {
  endOf,
  readRoutine,
  sentenceOf,
  stepsOf,
  outlineOf,
  valuesOf,
  wantedOf,
  type RoutineFile,
} from '../routines/file.ts';
import { healed, propose } from '../routines/heal.ts';
import { recordRoutine, skillOf } from '../routines/record.ts';
import { renderReport, type RunRecord } from '../routines/report.ts';
import { foresee, runSteps, type Acts, type Ran } from '../routines/run.ts';
import { Shelf } from '../routines/shelf.ts';
import { adding, awaited, textIn, type Answer, type Call, type CliContext } from './flags.ts';
import { FailedError, printable, table, UsageError, writeNewFile } from './output.ts';
import { auditOf, sessionOfHost } from './replay.ts';

interface RunFlags {
  readonly table?: string;
  readonly dryRun?: boolean;
  readonly from?: string;
  readonly junit?: string;
  readonly html?: string;
  readonly agree?: string;
}

type Opened = RoutineFile & { readonly place: string };

const HEAL = '.heal.yaml';
const catalog = buildCatalog();
const shelfOf = ({ env }: CliContext): Shelf => new Shelf(dataDirectoryOf(env));

/** A routine by its file, or by its name in the data directory. Errors: UsageError; invalid_argument if it is not valid. */
function open(named: string, context: CliContext): Opened {
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
function described({ routine, hash }: RoutineFile): string {
  const inputs = Object.entries(routine.inputs).map(
    ([name, { type, description = '', default: value }]) =>
      `  --${name.replaceAll('_', '-')}  ${type}${value === undefined ? '' : `, default ${String(value)}`}${description === '' ? '' : `: ${description}`}`,
  );
  const lines = outlineOf(routine).flatMap((step) => [
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
async function agree(file: RoutineFile, given: string | undefined, context: CliContext): Promise<void> {
  const shelf = shelfOf(context);
  if (shelf.known(file.hash).agreed !== undefined) return;
  const hash = file.hash.slice(0, 16);
  if (given === undefined || given.length < 16 || !file.hash.startsWith(given)) {
    context.output.err(described(file));
    if (process.stdin.isTTY !== true)
      throw new UsageError(`This routine is new here, or was changed. Read it, then add --agree ${hash}.`);
    if (!(await says('Agree to this routine?'))) throw new UsageError('Nothing was done.');
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
  await agree(file, flags.agree, call);
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
    const ran = await runSteps(steps, end, acts, { pictures: flags.html !== undefined, from: flags.from });
    results.push({ session, ...ran, why: [ran.why, await proposal(file, ran)].join(' ').trim() });
  }
  const isProven = flags.from === undefined && results.every(({ verdict }) => verdict === 'verified');
  if (isProven) shelfOf(call).note(file.hash, { proven: results.at(-1)?.session ?? '' });
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

/** Writes what fits best in place of a query that found nothing or two, and says where. */
async function proposal(file: Opened, { lost }: Ran): Promise<string> {
  const proposed = lost === null ? null : propose(lost, file);
  if (lost === null || proposed === null) return '';
  const place = file.place.replace(/(?:\.heal)?\.ya?ml$/, '') + HEAL;
  await writeNewFile(place, healed(file, lost, proposed), { force: true });
  return `${proposed.why} Proposal: ${place}. It counts once it ran verified and you accepted it (uiahost routine accept).`;
}

/** uiahost routine accept: puts a proposal in the place of the routine that it heals. */
async function accept(named: string, { yes = false }: { yes?: boolean }, call: Call): Promise<Answer> {
  const file = open(named, call);
  const { heals } = file.routine;
  const place = file.place.replace(HEAL, '.yaml');
  if (heals === undefined || place === file.place)
    throw new UsageError(`${file.place} is not a proposal (NAME${HEAL}).`);
  const original = open(place, call);
  if (original.hash !== heals.of)
    throw new FailedError(`${place} was changed since this proposal was made.`, 'Run it again to get a new one.');
  const { proven } = shelfOf(call).known(file.hash);
  if (proven === undefined)
    throw new FailedError('This proposal has not run to the end verified yet.', `Run it: uiahost run ${named}`);
  call.output.err(
    printable(
      `Step ${heals.step}: ${JSON.stringify(heals.was)} → ${JSON.stringify(heals.now)}\n${heals.why}\nVerified in session ${proven}.`,
    ),
  );
  if (!yes && !(process.stdin.isTTY === true && (await says('Accept it?'))))
    throw new UsageError('Nothing was changed. Accept it on a terminal, or with --yes.');
  file.document.delete('heals');
  const text = file.document.toString({ lineWidth: 0 });
  await writeNewFile(place, text, { force: true });
  rmSync(file.place);
  shelfOf(call).note(readRoutine(text, catalog).hash, { agreed: new Date().toISOString() });
  return { value: { place }, text: `${place} has the new query.` };
}

/** uiahost routine add: keeps a routine under its name. */
async function keep(named: string, { agree: given }: { agree?: string }, call: Call): Promise<Answer> {
  const file = open(named, call);
  await agree(file, given, call);
  const place = shelfOf(call).fileOf(file.routine.name);
  await writeNewFile(place, textIn(file.place), { force: true });
  return { value: { place }, text: `Kept: uiahost run ${file.routine.name}` };
}

/** uiahost routine list. */
async function list(_: unknown, call: Call): Promise<Answer> {
  const shelf = shelfOf(call);
  const agreed = new Set(shelf.agreed(catalog).map(({ routine }) => routine.name));
  const rows = shelf.names().map((name) => ({ name, state: agreed.has(name) ? 'agreed to' : 'changed: agree again' }));
  return { value: rows, text: rows.length === 0 ? 'No routine is kept here.' : table(rows) };
}

const skillPlace = (place: string): string => join(dirname(place), 'SKILL.md');

/** uiahost routine skill: writes the routine in words, for agents. */
async function skill(named: string, { replace = false }: { replace?: boolean }, call: Call): Promise<Answer> {
  const file = open(named, call);
  const place = skillPlace(file.place);
  await writeNewFile(place, skillOf(file.routine), {
    force: replace,
    hint: 'It may be of another routine; --replace overwrites it.',
  });
  return { value: { place }, text: `Wrote ${place}.` };
}

/** uiahost record: a routine from what an agent did. */
async function record({ from, out }: { from: string; out: string }, call: Call): Promise<Answer> {
  const client = await call.connect();
  const entries = await auditOf(client, from);
  const results = new Map<string, ActionResult>();
  for (const { actionId, kind, errorCode } of entries)
    if (kind === 'outcome' && errorCode === null && actionId !== null) {
      const { result } = await client.getAction(actionId).catch(() => ({ result: undefined }));
      if (result !== undefined) results.set(actionId, result as ActionResult);
    }
  const name = basename(out)
    .replace(/\.ya?ml$/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '');
  const { text, questions, steps } = recordRoutine(name === '' ? 'routine' : name, entries, results, catalog);
  if (steps === 0) throw new FailedError(`Session ${from} did nothing that a routine could do again.`);
  const { hash, routine } = readRoutine(text, catalog);
  await writeNewFile(out, text);
  shelfOf(call).note(hash, { agreed: new Date().toISOString() });
  const isNew = await writeNewFile(skillPlace(out), skillOf(routine)).then(
    () => true,
    () => false,
  );
  return {
    value: { out, steps, questions },
    text: `Wrote ${out}: ${steps} steps${isNew ? `, and ${skillPlace(out)}` : ''}. Texts that were typed are inputs: the audit does not keep them.`,
    note:
      questions.length === 0
        ? undefined
        : printable(
            `Answer these in the file (they are in it as comments):\n${questions.map((each) => `  ${each}`).join('\n')}`,
          ),
  };
}

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

/** run, record, routine list|add|skill|accept. */
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
  add('record', record)
    .description('write a routine from what an agent did in a session')
    .helpGroup('Agents:')
    .requiredOption('--from <session>', 'the session, as `uiahost audit show` names it')
    .requiredOption('--out <file>', 'the file to write')
    .addHelpText('after', '\nSKILL.md, the same in words for agents, is written next to it where there is none yet.');

  const routine = program
    .command('routine')
    .description('routines that are kept here, and proposals for them')
    .helpGroup('Agents:');
  const under = adding(routine, context);
  under('list', list).description('list the routines that are kept in the data directory, by their names');
  under('add <file>', keep)
    .description('keep a routine under its name')
    .option('--agree <hash>', 'agree to it by the hash that was shown');
  under('skill <routine>', skill)
    .description('write SKILL.md next to it: the routine in words, for agents')
    .option('--replace', 'replace a SKILL.md that is there');
  under('accept <file>', accept)
    .description('accept a proposal (NAME.heal.yaml) that ran verified')
    .option('--yes', 'do not ask');
}
