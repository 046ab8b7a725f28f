// `uiahost call`, `uiahost ACTION`, `action`, `actions` and `spool`: running actions from the command line.
import { Option, type Command } from 'commander';
import { MAX_DEPTH, parseStrictJson } from '../contract/json/strict-json.ts';
import { hasActed, toldDetails, triedOf, type ActionResult, type EffectSeen } from '../contract/outcome.ts';
import { tableRows } from '../contract/cells/cell-text.ts';
import { RangeRead, RangeWritten, WorkbookInfo } from '../contract/cells/sheet.ts';
import { TableData } from '../contract/element/element.ts';
import type { Catalog } from '../host/face/host.ts';
import {
  addRouteCommand,
  awaited,
  CLI_SESSION,
  flagsOf,
  givenText,
  globalsOf,
  inputOf,
  type RouteCall,
  type CliContext,
} from './flags.ts';
import { aligned, AnsweredError, FailedError, printable, readable, table, UsageError, writeNewFile } from './output.ts';

interface RunFlags {
  readonly output?: string;
  readonly wait?: boolean;
  readonly idempotencyKey?: string;
  readonly observe?: string;
  readonly require?: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a table of the cells does not show by itself. */
const unseen = ({ hidden, merged }: Pick<RangeRead, 'hidden' | 'merged'>): string[] => [
  ...(hidden === true ? ['This sheet is hidden.'] : []),
  ...(merged === undefined ? [] : [`Merged, only the first cell of each holds something: ${merged.join(', ')}`]),
];

function describeRead(read: RangeRead): string[] {
  return [
    `${read.sheet}!${read.range}, ${read.rows} × ${read.columns}`,
    ...unseen(read),
    ...aligned(tableRows(read)),
    ...(read.text === undefined
      ? []
      : ['As displayed:', ...aligned(tableRows({ range: read.range, values: read.text }))]),
    ...(read.nextRange === null ? [] : [`More: --range ${read.nextRange}`]),
    `Digest for write-range --expect: ${read.digest}`,
  ];
}

function describeWritten(written: RangeWritten): string[] {
  const { sheet, range, before, differing, beforeUrl } = written;
  const formulas = written.formulas === 0 ? '' : ` (formulas: ${written.formulas})`;
  return [
    `${sheet}!${range}: ${written.written} ${written.written === 1 ? 'cell' : 'cells'} written${formulas}, not saved; the program’s undo list is empty now${written.macrosMayRun ? ', and macros of the workbook may have run' : ''}.`,
    ...unseen(written),
    ...(differing.length === 0
      ? []
      : [
          `Cells that hold something else than was written: ${differing.length}`,
          table(differing.map(({ cell, wanted, got }) => ({ cell, wanted, got }))),
        ]),
    ...(before === null
      ? []
      : ['Before:', ...aligned(tableRows({ range, values: before.values, formulas: before.formulas }))]),
    ...(beforeUrl === null ? [] : [`The range as it was: ${beforeUrl}`]),
  ];
}

function describeWorkbook({
  application,
  workbook,
  sheets,
  selection,
  calculation,
  separators,
}: WorkbookInfo): string[] {
  const marks = [
    workbook.readOnly ? 'read-only' : '',
    workbook.protectedView ? 'Protected View' : '',
    workbook.saved ? 'saved' : 'has unsaved changes',
    workbook.date1904 ? '1904 date system' : '',
  ].filter((mark) => mark !== '');
  return [
    `${workbook.name} in ${application.name} ${application.version} (${marks.join(', ')})`,
    ...(workbook.path === null ? [] : [workbook.path]),
    table(
      sheets.map(({ name, usedRange, active, visible, protected: isProtected }) => ({
        sheet: name,
        used: usedRange ?? '',
        is: [active ? 'active' : '', visible ? '' : 'hidden', isProtected ? 'protected' : '']
          .filter(Boolean)
          .join(', '),
      })),
    ),
    ...(selection === null ? [] : [`Selected: ${selection.sheet}!${selection.range} (${selection.cells} cells)`]),
    `Calculation ${calculation}; decimal separator ${separators.decimal}, list separator ${separators.list}`,
  ];
}

/** The value of an action on cells or rows as text; null for any other. */
function describeCells(value: Readonly<Record<string, unknown>>): string | null {
  const { untrusted: _mark, ...read } = value;
  const range = RangeRead.safeParse(read);
  if (range.success) return printable(describeRead(range.data).join('\n'));
  const rows = TableData.safeParse(read);
  if (rows.success) return printable(describeTable(rows.data).join('\n'));
  const written = RangeWritten.safeParse(value);
  if (written.success) return printable(describeWritten(written.data).join('\n'));
  const workbook = WorkbookInfo.safeParse(value);
  return workbook.success ? printable(describeWorkbook(workbook.data).join('\n')) : null;
}

type Did = (on: string, given: Readonly<Record<string, unknown>>) => string;

/** What an action did to an element, by its input; others are called by their names. */
const DID: Readonly<Record<string, Did>> = {
  bindToWindow: () => 'bound',
  clickElement: (on, { button }) => `${typeof button === 'string' ? `${button} ` : ''}clicked ${on}`,
  focusElement: (on) => `focused ${on}`,
  key: (_, { keySequence }) => `pressed ${String(keySequence)}`,
  selectElement: (on, { item, index }) =>
    `chose ${typeof item === 'string' ? `${JSON.stringify(item)} in ` : typeof index === 'number' ? `item ${index} of ` : ''}${on}`,
  typeIntoElement: (on) => `typed into ${on}`,
  waitFor: () => 'found',
};

const EFFECTS: Readonly<Record<Exclude<EffectSeen, 'unverified'>, string>> = {
  confirmed: 'confirmed',
  none: 'nothing changed',
  pending_modal: 'a dialog waits for an answer',
};

const elementText = (found: Readonly<Record<string, unknown>>): string =>
  `${String(found['role'] ?? found['controlType'])} ${JSON.stringify(String(found['name'] ?? ''))}`;

/** One line: what happened to what. */
function happened({ action, value, outcome }: ActionResult, input: unknown): string {
  const { effect, delivery, focusChanged, cursorMoved, details = {} } = outcome;
  const given = isRecord(input) ? input : {};
  const element = details['target'] ?? details['on'];
  const texts = Object.values(given).filter((each) => typeof each !== 'object');
  const { name, ref, automationId } = given;
  const on = isRecord(element) ? elementText(element) : String(name ?? ref ?? automationId ?? texts.join(' '));
  const words = action.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const what = DID[action]?.(on, given) ?? `${words} ${on}`.trim();
  const answer =
    value === false ? ': no' : value === true && DID[action] === undefined && !hasActed(outcome) ? ': yes' : '';
  return [
    `${what}${answer}`,
    ...(hasActed(outcome) ? [effect === 'unverified' ? `unverified, sent by ${delivery}` : EFFECTS[effect]] : []),
    ...(focusChanged ? ['the foreground changed'] : []),
    ...(cursorMoved ? ['the cursor moved'] : []),
  ].join(', ');
}

const windowText = ({ title, hwnd, modal }: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify(String(title ?? ''))} (${String(hwnd)}${modal === true ? ', modal' : ''})`;

/** The rows of a table that was read, and how many there are. */
function describeTable({ columns, rows, totalRows }: TableData): string[] {
  const first = rows[0]?.index ?? 0;
  const next = (rows.at(-1)?.index ?? -1) + 1;
  return [
    ...aligned([
      ['row', ...columns],
      ...rows.map(({ index, depth = 0, cells, selected }) => [
        `${index}${selected === true ? '*' : ''}`,
        ...cells.map((cell, at) => `${at === 0 ? '  '.repeat(depth) : ''}${cell ?? '?'}`),
      ]),
    ]),
    `${rows.length} of ${totalRows}${first > 0 ? `, from row ${first}` : ''}${next < totalRows ? `; --from ${next}` : ''}`,
  ];
}

/** What an answer holds, as lines. */
function valueLines({ value }: ActionResult, isWritten: boolean): string[] {
  if (!isRecord(value)) return [readable(value)];
  const { base64, accessibilityText, elements: _, ...rest } = value;
  const lines = typeof accessibilityText === 'string' && accessibilityText !== '' ? [printable(accessibilityText)] : [];
  if (typeof rest['total'] === 'number') lines.push(`found: ${rest['total']}`);
  if (typeof base64 === 'string')
    lines.push(
      `picture of ${String(value['width'])}×${String(value['height'])}, ${Math.round((base64.length * 3) / 4)} bytes${isWritten ? '' : ' (--output FILE writes it)'}`,
    );
  const cells = describeCells(value);
  if (cells !== null) lines.push(cells);
  else if (lines.length === 0 || rest['partial'] === true || rest['cursor'] !== undefined) lines.push(readable(rest));
  return lines;
}

/** A result as text: what it holds, and one line of what happened to what. */
export function describeResult(result: ActionResult, isWritten: boolean, input?: unknown): string {
  const { action, value, outcome, changes } = result;
  const did = happened(result, input);
  const element = isRecord(value) ? value['element'] : undefined;
  const lines =
    action === 'bindToWindow' && isRecord(value)
      ? [`${did} ${windowText(value)}`]
      : action === 'waitFor' && isRecord(element)
        ? [`${did} ${elementText(element)}, ref ${String(element['ref'])}`]
        : [
            ...(value === null || typeof value === 'boolean' ? [] : valueLines(result, isWritten)),
            ...(hasActed(outcome) || value === null || typeof value === 'boolean' ? [did] : []),
          ];
  return [
    ...lines.map(printable),
    ...(hasActed(outcome) ? seenLines(result) : []),
    ...detailLines(outcome),
    ...(changes === undefined ? [] : changeLines(changes)),
  ].join('\n');
}

/** What did not go as it was asked, as tools report it: the field's text, other ways that were tried, and what was aimed at. */
function seenLines({ outcome }: ActionResult): string[] {
  const { effect, readBack, evidence } = outcome;
  const isOther = readBack === 'mismatch';
  const texts = evidence.filter(({ kind }) => kind === 'value' || kind === 'text');
  const others = effect === 'unverified' ? evidence.filter((each) => !texts.includes(each)) : [];
  return [
    ...(isOther ? ['the field holds another text than was typed'] : []),
    ...(isOther || readBack === 'normalised' ? texts.map(({ after }) => `it holds ${JSON.stringify(after)}`) : []),
    ...others.map(
      ({ kind, before, after }) => `${kind}: ${JSON.stringify(before)} before, ${JSON.stringify(after)} now`,
    ),
    ...(effect === 'confirmed' ? [] : triedOf(outcome)),
  ].map(printable);
}

/** All else that an outcome tells: windows that opened, whose turn it is. */
function detailLines({ details = {} }: ActionResult['outcome']): string[] {
  const {
    target: _,
    hwnd,
    title,
    foreground,
    newWindow,
    owner,
    ...others
  } = Object.fromEntries(toldDetails({ details }));
  const opened = isRecord(newWindow) ? newWindow : hwnd === undefined ? null : { hwnd, title };
  return [
    ...(opened === null ? [] : [`a window opened: ${windowText(opened)}`]),
    ...(isRecord(owner) ? [`the bound window closed; its owner is ${windowText(owner)}`] : []),
    ...(isRecord(foreground)
      ? [`the foreground was taken${foreground['givenBack'] === true ? ' and given back' : ''}`]
      : []),
    ...Object.entries(others).map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  ].map(printable);
}

function changeLines({ since, lines, complete }: NonNullable<ActionResult['changes']>): string[] {
  if (lines.length === 0 && complete) return ['nothing changed in the window'];
  if (since === '') return ['what else changed is not known; take a snapshot first'];
  return [...lines.map(printable), ...(complete ? [] : ['… more changed; take a snapshot'])];
}

async function writePicture(result: ActionResult, file: string, context: CliContext): Promise<void> {
  const { value } = result;
  const base64 = isRecord(value) ? value['base64'] : undefined;
  if (typeof base64 !== 'string' || base64 === '')
    throw new FailedError('The result contains no picture, so nothing was written.');
  await writeNewFile(file, Buffer.from(base64, 'base64'), { force: true });
  context.output.err(`Wrote ${file}.`);
}

/** Runs an action and prints its answer. Ctrl+C closes the connection, which cancels the action. */
async function runAction(
  context: CliContext,
  command: Command,
  name: string,
  input: unknown,
  flags: RunFlags,
): Promise<void> {
  const { json, session = CLI_SESSION } = globalsOf(command);
  const connection = await context.connect();
  const query = new URLSearchParams({
    ...(flags.wait === false ? { wait: '0' } : {}),
    ...(flags.observe === undefined ? {} : { observe: flags.observe }),
  }).toString();
  const sent = connection.text('POST', `/v1/actions/${name}${query === '' ? '' : `?${query}`}`, {
    body: input,
    session,
    headers: flags.idempotencyKey === undefined ? {} : { 'idempotency-key': flags.idempotencyKey },
  });
  const text = await awaited(context, session, sent);
  const answer = JSON.parse(text) as ActionResult | { status: 'pending'; actionId: string; approvalId: string };
  if ('status' in answer) {
    context.output.out(
      json
        ? text
        : `Waiting for approval ${answer.approvalId}. Follow the action with: uiahost action ${answer.actionId}`,
    );
    return;
  }
  if (flags.output !== undefined) await writePicture(answer, flags.output, context);
  context.output.out(json ? text : describeResult(answer, flags.output !== undefined, input));
  if (flags.require !== undefined && hasActed(answer.outcome) && answer.outcome.effect !== flags.require)
    throw new AnsweredError(1);
}

/** JSON from an argument; `-` reads it from standard input, as UTF-8. Errors: UsageError. */
export async function jsonArgument(text: string | undefined, what: string): Promise<unknown> {
  if (text === undefined) return {};
  const source = text === '-' ? await givenText() : text;
  try {
    return parseStrictJson(source, { depth: MAX_DEPTH });
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function withRunFlags(command: Command): Command {
  return command
    .option('--no-wait', 'answer immediately if the action needs approval')
    .option('--idempotency-key <key>', 'repeating the key with the same input returns the first answer')
    .addOption(
      new Option('--require <effect>', 'exit status 1 unless what was done is confirmed').choices(['confirmed']),
    )
    .addOption(
      new Option('--observe <what>', 'delta: also print what changed since the session’s last snapshot').choices([
        'delta',
        'none',
      ]),
    );
}

/** `call NAME JSON`, one command per action, and the commands that follow a running action. */
export function addActionCommands(program: Command, catalog: Catalog, context: CliContext): void {
  withRunFlags(program.command('call <name> [json]'))
    .description('run an action with its input as JSON (- reads it from standard input)')
    .option('--output <file>', 'write the result’s picture to a file')
    .helpGroup('Host:')
    .action(async (name: string, json: string | undefined, flags: RunFlags, command: Command) => {
      await runAction(context, command, encodeURIComponent(name), await jsonArgument(json, 'The input'), flags);
    });

  addRouteCommand(program, context, {
    usage: 'actions',
    about: 'list the actions of the running host',
    ask: ({ host }) => host.listActions(),
    show: ({ actions }) =>
      actions.map(({ name, effect, meaning }) => `${name.padEnd(24)}${effect.padEnd(9)}${meaning}`).join('\n'),
  }).helpGroup('Host:');

  addRouteCommand(program, context, {
    usage: 'action <actionId>',
    about: 'show the state and result of an action from the last 24 hours',
    ask: ({ host, words: [id], flags }: RouteCall<{ cancel?: boolean }>) =>
      flags.cancel === true ? host.cancelAction(id) : host.getAction(id),
    show: readable,
  })
    .option('--cancel', 'cancel it and withdraw its approval card')
    .helpGroup('Host:');

  addRouteCommand(program, context, {
    usage: 'spool <spoolId>',
    about: 'print a truncated output in full, by the id in its last line',
    ask: ({ host, words: [id] }) => host.getSpooledOutput(id),
    show: ({ content }) =>
      content
        .map((part) => (part.type === 'text' ? printable(part.text) : 'uri' in part ? `[picture: ${part.uri}]` : ''))
        .join('\n'),
  }).helpGroup('Host:');

  for (const entry of catalog.entries) {
    const flags = flagsOf(entry);
    const command = program.command(entry.name).description(entry.meaning).helpGroup('Actions:');
    // The contract's tool keeps its contract name here too.
    if (entry.method === entry.tool && entry.tool !== entry.name) command.alias(entry.tool);
    for (const { option } of flags) command.addOption(option);
    withRunFlags(command);
    if ('base64' in ((entry.outputSchema['properties'] ?? {}) as object))
      command.option('--output <file>', 'write the picture to a file');
    command.addHelpText('after', `\nEffect: ${entry.effect}. Needs: ${entry.needs}.`);
    command.action(async (given: Record<string, unknown>, self: Command) => {
      await runAction(context, self, entry.name, inputOf(flags, given), given as RunFlags);
    });
  }
}
