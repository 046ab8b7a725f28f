/** Runs the steps of a routine, each through the gate, and reports what was done, expected and seen. */
import { setTimeout as pause } from 'node:timers/promises';
import { hasActed, type ActionResult, type Outcome } from '../contract/outcome.ts';
import { queryOf, sentenceOf, wantedOf, type Look, type Query, type ReadyStep } from './file.ts';

/** The one way to act and to look: a client of the host, with the rights of its caller. */
export interface Acts {
  /** Errors: those of the host, with code, message, hint and delivery. */
  run(action: string, input: unknown): Promise<ActionResult>;
  /** The text of a file of this machine; null without one, or where the caller has no files. */
  readFile(file: string): string | null;
  /** Called before each step. */
  onStep?(at: string, sentence: string): void;
}

type Verdict = 'verified' | 'done, not verified' | 'halted before the effect';

interface Picture {
  readonly mimeType: string;
  readonly base64: string;
  readonly width: number;
  readonly height: number;
}

/** Why something was not done, as the host says it. */
interface Trouble {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly delivery: string;
  readonly suggestions: readonly string[];
  readonly candidates: ReadonlyArray<Readonly<Record<string, string | undefined>>>;
}

interface StepReport {
  readonly at: string;
  readonly sentence: string;
  readonly action: string;
  status: 'verified' | 'not verified' | 'halted' | 'left out' | 'not run';
  /** What was measured of its effect. */
  evidence: string[];
  readonly expected: string[];
  readonly seen: string[];
  trouble: Trouble | null;
  ms: number;
  before: Picture | null;
  after: Picture | null;
}

interface Element {
  readonly role: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly id?: string | undefined;
  readonly states: readonly string[];
}

/** The query that found nothing, or two, and what is in the window instead. */
interface Lost {
  readonly step: ReadyStep;
  /** Where the query is in the document. */
  readonly path: readonly (string | number)[];
  readonly query: Query;
  readonly candidates: Trouble['candidates'];
  readonly elements: readonly Element[];
}

export interface Ran {
  readonly verdict: Verdict;
  /** One sentence: why it is not `verified`. */
  readonly why: string;
  readonly steps: readonly StepReport[];
  readonly lost: Lost | null;
}

const LOOK_EVERY_MS = 250;
/** How long a record that a step relies on may take to show, and what a step should show. */
const CHECK_MS = 3000;
const EXPECT_MS = 10_000;
const ROWS_A_READ = 1000;
/** They choose the window that everything after them is judged for. */
const OPENING: ReadonlySet<string> = new Set(['bind-to-window', 'open-app', 'open-terminal', 'unbind-from-window']);
/** What a person would wait for before acting. */
const WAITS: Readonly<Record<string, string>> = { target_not_found: 'appears', target_disabled: 'enabled' };
const MOST_OF_A_PLAN = 50;

/** The error of a call in one form, whichever side it comes from. */
function troubleOf(error: unknown): Trouble {
  const { problem = error, message } = error as { problem?: unknown; message: string };
  const {
    code = 'connection_failed',
    hint = '',
    delivery = 'unknown',
    suggestions,
    candidates,
  } = problem as Partial<Trouble>;
  const { detail = message } = problem as { detail?: string };
  return { code, message: detail, hint, delivery, suggestions: suggestions ?? [], candidates: candidates ?? [] };
}

/** `find`: the wait for the element of a step, by its whole name. */
type Phase = 'if' | 'check' | 'find' | 'with' | 'expect';

/** Ends a run: the host refused, or what is expected was not seen. */
class Halt extends Error {
  readonly phase: Phase;
  /** Which look of the phase. */
  readonly index: number;
  readonly trouble: Trouble | null;

  constructor(message: string, phase: Phase, index: number, trouble: Trouble | null) {
    super(message);
    this.phase = phase;
    this.index = index;
    this.trouble = trouble;
  }
}

interface RunOptions {
  /** Takes a picture before and after each step; else only where it halts. */
  readonly pictures: boolean;
  /** The first step that is done; steps before it that choose a window are done too. */
  readonly from: string | undefined;
}

export async function runSteps(
  steps: readonly ReadyStep[],
  end: readonly Look[],
  acts: Acts,
  options: RunOptions,
): Promise<Ran> {
  return new Run(steps, acts, options).all(end);
}

/** What the gate would decide of each step now. Only windows are chosen; nothing else is done. */
export async function foresee(steps: readonly ReadyStep[], acts: Acts): Promise<string[]> {
  const lines: string[] = [];
  for (const step of steps) {
    const { action, input } = step;
    let outlook: string;
    try {
      if (action === 'bind-to-window') outlook = (await acts.run(action, input)) && 'chosen';
      else {
        const { value } = await acts.run('would-ask', { steps: [{ action, input }] });
        const [found] = (value as { steps: Array<{ outcome: string; why: string[]; code: string | null }> }).steps;
        outlook = [found?.outcome, ...(found?.why ?? []), found?.code ?? ''].filter(Boolean).join(' ');
      }
    } catch (error) {
      outlook = troubleOf(error).code;
    }
    lines.push(`${step.at.padEnd(4)} ${outlook.padEnd(8)} ${sentenceOf(step)}`);
  }
  return lines;
}

/** A part of a batch: an action, or a wait for what it relies on or should show. */
interface Part {
  readonly number: number;
  readonly phase: Phase;
  readonly index: number;
  readonly call: { readonly action: string; readonly input: unknown };
}

/** What waits for the named element of a step; null where it names none. */
function waitFor({ action, input, waitMs }: ReadyStep): object | null {
  const query = queryOf({ input });
  return query?.name === undefined || OPENING.has(action) || action === 'wait-for' || action === 'find'
    ? null
    : { ...query, deadlineMs: waitMs };
}

class Run {
  readonly #steps: readonly ReadyStep[];
  readonly #acts: Acts;
  readonly #options: RunOptions;
  readonly #reports: StepReport[];
  /** The step that is under way. */
  #now = 0;
  #last: Picture | null = null;

  constructor(steps: readonly ReadyStep[], acts: Acts, options: RunOptions) {
    this.#steps = steps;
    this.#acts = acts;
    this.#options = options;
    this.#reports = steps.map((step) => ({
      at: step.at,
      sentence: sentenceOf(step),
      action: step.action,
      status: 'not run',
      evidence: [],
      expected: [],
      seen: [],
      trouble: null,
      ms: 0,
      before: null,
      after: null,
    }));
  }

  async all(end: readonly Look[]): Promise<Ran> {
    const { from } = this.#options;
    const first = from === undefined ? 0 : this.#steps.findIndex(({ at }) => at === from);
    const isLeftOut = ({ action }: ReadyStep, number: number): boolean => number < first && !OPENING.has(action);
    try {
      /** Steps up to here go one by one: a person is asked about none of them. */
      let judged = 0;
      while (this.#now < this.#steps.length) {
        const plan = this.#now < Math.max(judged, first) ? [] : this.#planFrom(this.#now);
        judged = Math.max(judged, this.#now + plan.length);
        if (plan.length > 1 && (await this.#asks(plan))) await this.#asPlan(plan);
        else if (isLeftOut(this.#steps[this.#now]!, this.#now)) this.#reports[this.#now]!.status = 'left out';
        else await this.#one(this.#steps[this.#now]!, this.#reports[this.#now]!);
        this.#now += 1;
      }
      return await this.#ended(end);
    } catch (error) {
      return this.#halted(error instanceof Halt ? error : new Halt('', 'with', 0, troubleOf(error)));
    }
  }

  /** One step by itself. */
  async #one(step: ReadyStep, report: StepReport): Promise<void> {
    const began = performance.now();
    this.#acts.onStep?.(step.at, report.sentence);
    try {
      for (const [index, look] of step.when.entries())
        if (!(await this.#see(look, 0, 'if', index)).holds) {
          report.status = 'left out';
          return;
        }
      for (const [index, look] of step.check.entries()) await this.#must(look, index, 'check', CHECK_MS);
      if (this.#options.pictures && !OPENING.has(step.action)) report.before = this.#last ?? (await this.#picture());
      await this.#find(step);
      this.#done(report, (await this.#act(step)).outcome);
      await this.#shows(step, report);
      if (this.#options.pictures) report.after = await this.#picture();
    } finally {
      report.ms = Math.round(performance.now() - began);
    }
  }

  /** Errors: Halt, where no element has the whole name: the host takes a name that only contains it, which may be another element’s. */
  async #find(step: ReadyStep): Promise<void> {
    const input = waitFor(step);
    if (input !== null)
      await this.#acts.run('wait-for', input).catch((error: unknown) => {
        const trouble = troubleOf(error);
        const why = trouble.code === 'deadline_exceeded' ? 'No element has that whole name.' : trouble.message;
        throw new Halt(why, 'find', 0, trouble);
      });
  }

  /** Acts; where its element is not there yet or is disabled, waits for it and acts again. */
  async #act({ action, input, waitMs }: ReadyStep): Promise<ActionResult> {
    const query = queryOf({ input });
    const until = Date.now() + waitMs;
    for (;;)
      try {
        return await this.#acts.run(action, input);
      } catch (error) {
        const trouble = troubleOf(error);
        const halt = new Halt(trouble.message, 'with', 0, trouble);
        const condition = WAITS[trouble.code];
        // A dialog in front is another state, and is not waited for.
        if (condition === undefined || trouble.candidates.length > 0 || Date.now() >= until) throw halt;
        const deadlineMs = Math.max(500, until - Date.now());
        const wait = (): Promise<unknown> => this.#acts.run('wait-for', { ...query, condition, deadlineMs });
        if (query === null || OPENING.has(action) || 'item' in input) await pause(LOOK_EVERY_MS);
        else
          await wait().catch(() => {
            throw halt;
          });
      }
  }

  /** Notes what the host measured. */
  #done(report: StepReport, outcome: Outcome): void {
    const { effect, readBack, evidence } = outcome;
    const isSeen = (effect === 'confirmed' || effect === 'pending_modal') && readBack !== 'mismatch';
    report.status = !hasActed(outcome) || isSeen ? 'verified' : 'not verified';
    report.evidence = evidence.map(({ kind, before, after }) => `${kind}: ${short(before)} → ${short(after)}`);
  }

  async #shows({ expect }: ReadyStep, report: StepReport): Promise<void> {
    for (const [index, look] of expect.entries()) await this.#must(look, index, 'expect', EXPECT_MS);
    if (expect.length > 0) report.status = 'verified';
  }

  /** Errors: Halt, where it does not hold in time. */
  async #must(look: Look, index: number, phase: 'check' | 'expect', ms: number): Promise<void> {
    const report = this.#reports[this.#now]!;
    const { holds, seen, trouble } = await this.#see(
      look,
      look.seconds === undefined ? ms : look.seconds * 1000,
      phase,
      index,
    );
    report.expected.push(wantedOf(look));
    report.seen.push(seen);
    if (holds) return;
    const what =
      phase === 'check' ? 'It relies on another record' : 'It was done, and what it should show was not seen';
    throw new Halt(`${what}: expected ${wantedOf(look)}; seen: ${seen}`, phase, index, trouble);
  }

  async #ended(end: readonly Look[]): Promise<Ran> {
    const unsure = this.#reports.filter(({ status }) => status !== 'verified' && status !== 'left out');
    let why =
      unsure.length === 0
        ? ''
        : `Nothing shows the effect of ${unsure.map(({ at, sentence }) => `step ${at} (${sentence})`).join(', ')}: give it an \`expect\`.`;
    for (const look of end) {
      const { holds, seen } = await this.#see(look, EXPECT_MS, 'expect', 0);
      if (!holds) why = `At the end: expected ${wantedOf(look)}; seen: ${seen}`;
    }
    return { verdict: why === '' ? 'verified' : 'done, not verified', why, steps: this.#reports, lost: null };
  }

  async #halted({ message, phase, index, trouble }: Halt): Promise<Ran> {
    const step = this.#steps[this.#now]!;
    const report = this.#reports[this.#now]!;
    const isBefore =
      phase !== 'expect' && (phase !== 'with' || trouble === null || trouble.delivery === 'not_delivered');
    report.status = isBefore ? 'halted' : 'not verified';
    report.trouble = trouble;
    report.after = await this.#picture();
    const { code = '', candidates = [], hint = '', message: said = '' } = trouble ?? {};
    const isInTheWay = code === 'target_disabled' && candidates.length > 0;
    const advice = isInTheWay
      ? 'The routine has no step for this dialog: answer it, or add one with `if`.'
      : phase === 'with' || phase === 'find'
        ? hint
        : '';
    const look =
      phase === 'with' || phase === 'find'
        ? undefined
        : { if: step.when, check: step.check, expect: step.expect }[phase][index];
    const field = look === undefined ? null : 'element' in look ? 'element' : 'table';
    const query = field === null ? queryOf(step) : ((look as Record<string, Query>)[field] ?? null);
    const isLost =
      (phase === 'find' || code === 'target_not_found' || code === 'target_ambiguous') &&
      query !== null &&
      phase !== 'if';
    const path = field === null ? [...step.path, 'with'] : [...step.path, phase, index, field];
    return {
      verdict: isBefore ? 'halted before the effect' : 'done, not verified',
      why: [`Step ${step.at} (${report.sentence}): ${message || said}`, advice].join(' ').trim(),
      steps: this.#reports,
      lost: isLost ? { step, path, query, candidates, elements: await this.#elements() } : null,
    };
  }

  /**
   * The steps from here that a single card can show: in one window, with nothing between them that wait-for cannot decide.
   * The looks after the last one are its own.
   */
  #planFrom(from: number): readonly ReadyStep[] {
    const plan: ReadyStep[] = [];
    let parts = 0;
    for (const step of this.#steps.slice(from)) {
      const { action, when, check, expect } = step;
      parts += 2 + check.length + expect.length;
      if (OPENING.has(action) || when.length > 0 || check.some(isOther) || parts > MOST_OF_A_PLAN) break;
      plan.push(step);
      if (expect.some(isOther)) break;
    }
    return plan;
  }

  /** Whether a person would be asked about one of them. */
  async #asks(steps: readonly ReadyStep[]): Promise<boolean> {
    const asked = steps.map(({ action, input }) => ({ action, input }));
    const { value } = await this.#acts.run('would-ask', { steps: asked });
    return (value as { steps: Array<{ outcome: string }> }).steps.some(({ outcome }) => outcome === 'asks');
  }

  /** Steps as one batch, which a person sees on one card; its waits are their checks and expectations. */
  async #asPlan(steps: readonly ReadyStep[]): Promise<void> {
    const first = this.#now;
    const waits = (looks: readonly Look[], number: number, phase: Phase, ms: number): Part[] =>
      looks.map((look, index) => ({
        number,
        phase,
        index,
        call: { action: 'wait-for', input: { ...waitOf(look), deadlineMs: ms } },
      }));
    const parts = steps.flatMap((step, index): Part[] => {
      const number = first + index;
      const isLast = index === steps.length - 1;
      const call = { action: step.action, input: step.input };
      const found = waitFor(step);
      return [
        ...waits(step.check, number, 'check', CHECK_MS),
        ...(found === null
          ? []
          : [{ number, phase: 'find' as const, index: 0, call: { action: 'wait-for', input: found } }]),
        { number, phase: 'with', index: 0, call },
        ...(isLast ? [] : waits(step.expect, number, 'expect', EXPECT_MS)),
      ];
    });
    steps.forEach((step, index) => this.#acts.onStep?.(step.at, this.#reports[first + index]!.sentence));
    const before = await this.#picture();
    const { completed, error } = await this.#batch(parts);
    for (const [at, { number, phase, index }] of parts.entries()) {
      this.#now = number;
      const report = this.#reports[number]!;
      report.before ??= before;
      const result = completed[at];
      if (result === undefined) throw new Halt('', phase, index, troubleOf(error));
      if (phase === 'with') this.#done(report, result.outcome);
      else report.status = phase === 'expect' ? 'verified' : report.status;
    }
    await this.#shows(steps.at(-1)!, this.#reports[this.#now]!);
    this.#reports[this.#now]!.after = await this.#picture();
  }

  /** What of a batch was carried out, and what ended it. */
  async #batch(parts: readonly Part[]): Promise<{ completed: readonly ActionResult[]; error: unknown }> {
    type Done = { completed: ActionResult[]; failed?: { error: unknown } };
    try {
      const { value } = await this.#acts.run('batch', { steps: parts.map(({ call }) => call), approveAsPlan: true });
      return { completed: (value as Done).completed, error: null };
    } catch (error) {
      const { problem = error } = error as { problem?: unknown };
      const { completed = [], failed } = ((problem as { partialResult?: Done }).partialResult ?? {}) as Partial<Done>;
      return { completed, error: failed?.error ?? error };
    }
  }

  /** Looks until it holds or the time is over. */
  async #see(look: Look, ms: number, phase: Phase, index: number): Promise<Seen> {
    const until = Date.now() + ms;
    for (;;) {
      const seen = await this.#look(look).catch((error: unknown): Seen => {
        const trouble = troubleOf(error);
        if (trouble.code !== 'target_not_found') throw new Halt(trouble.message, phase, index, trouble);
        return { holds: 'state' in look && look.state === 'gone', seen: trouble.message, trouble };
      });
      if (seen.holds || Date.now() >= until) return seen;
      await pause(LOOK_EVERY_MS);
    }
  }

  async #look(look: Look): Promise<Seen> {
    const read = async <T>(action: string, input: object): Promise<T> =>
      (await this.#acts.run(action, input)).value as T;
    const is = (holds: boolean, seen: string): Seen => ({ holds, seen, trouble: null });
    if ('text' in look) {
      for (const field of ['name', 'value']) {
        const { total, elements } = await read<{ total: number; elements: Element[] }>('find', {
          [field]: String(look.text),
          limit: 1,
          as: 'elements',
        });
        if (total > 0) return is(true, told(elements[0]!));
      }
      return is(false, 'no such text in the window');
    }
    if ('window' in look) {
      const open = await read<Array<{ title: string }>>('list-visible-windows', {});
      const titles = open.map(({ title }) => title);
      const found = titles.find((title) => title.toLowerCase().includes(look.window.toLowerCase()));
      return is((found !== undefined) !== (look.state === 'gone'), found ?? titles.map(short).join(', '));
    }
    if ('element' in look) {
      const { elements } = await read<{ elements: Element[] }>('snapshot', {
        ...look.element,
        depth: 0,
        as: 'elements',
      });
      const [element] = elements;
      if (element === undefined) return is(false, 'nothing');
      if ('value' in look) return is((element.value ?? element.name) === String(look.value), told(element));
      const { states } = element;
      const holds =
        look.state === 'there' ||
        (look.state === 'enabled' ? !states.includes('disabled') : states.includes(look.state as never));
      return is(holds, told(element));
    }
    if ('table' in look) return this.#row(look);
    if ('range' in look) {
      const { values } = await read<{ values: unknown[][] }>('read-range', {
        range: look.range,
        ...(look.sheet === undefined ? {} : { sheet: look.sheet }),
      });
      return is(String(values[0]?.[0] ?? '') === String(look.value), short(values[0]?.[0]));
    }
    const text = this.#acts.readFile(look.file);
    if (text === null) return is(false, 'no such file');
    return is(look.contains === undefined || text.includes(look.contains), `${text.length} characters`);
  }

  /** Exactly one row must hold the cells. */
  async #row(look: Extract<Look, { table: Query }>): Promise<Seen> {
    const fits: Array<ReadonlyMap<string, string>> = [];
    let total = 1;
    for (let from = 0; from < total; from += ROWS_A_READ) {
      const { value } = await this.#acts.run('read-table', { ...look.table, from, count: ROWS_A_READ });
      const { columns, rows, totalRows } = value as {
        columns: string[];
        rows: Array<{ cells: Array<string | null> }>;
        totalRows: number;
      };
      total = totalRows;
      const wanted = Object.entries(look.row);
      const strange = wanted.find(([column]) => !columns.includes(column));
      if (strange !== undefined) return { holds: false, seen: `the columns ${columns.join(', ')}`, trouble: null };
      for (const { cells } of rows) {
        const row = new Map(columns.map((column, at) => [column, cells[at] ?? '']));
        if (wanted.every(([column, cell]) => row.get(column) === String(cell))) fits.push(row);
      }
    }
    const [row] = fits;
    if (row === undefined || fits.length > 1)
      return { holds: false, seen: `${fits.length} such rows of ${total}`, trouble: null };
    const cells = [...row.values()].join(' | ');
    return { holds: !('column' in look) || row.get(look.column) === String(look.value), seen: cells, trouble: null };
  }

  /** The bound window now; null where there is none, or none may be taken. */
  async #picture(): Promise<Picture | null> {
    const taken = await this.#acts.run('screenshot', {}).catch(() => null);
    const {
      base64 = '',
      width = 0,
      height = 0,
    } = (taken?.value ?? {}) as { base64?: string; width?: number; height?: number };
    const mimeType = base64.startsWith('/9j/') ? 'image/jpeg' : base64.startsWith('UklG') ? 'image/webp' : 'image/png';
    return (this.#last = base64 === '' ? null : { base64, width, height, mimeType });
  }

  async #elements(): Promise<readonly Element[]> {
    const taken = await this.#acts
      .run('snapshot', { as: 'elements', maxTokens: 50_000, form: 'brief' })
      .catch(() => null);
    return (taken?.value as { elements?: Element[] } | undefined)?.elements ?? [];
  }
}

interface Seen {
  readonly holds: boolean;
  readonly seen: string;
  readonly trouble: Trouble | null;
}

/** A look that wait-for does not take. */
const isOther = (look: Look): boolean => waitOf(look) === null;

/** A look as wait-for takes it, for a plan; null where that needs another action. */
function waitOf(look: Look): Readonly<Record<string, unknown>> | null {
  if ('window' in look) return { windowTitle: look.window, condition: look.state === 'gone' ? 'goes' : 'appears' };
  if (!('element' in look)) return null;
  if ('value' in look) return { ...look.element, condition: 'value', value: String(look.value) };
  const condition = { there: 'appears', gone: 'goes', enabled: 'enabled' }[look.state as 'there'];
  return condition === undefined ? null : { ...look.element, condition };
}

const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 300);

const told = ({ role, name, value, states }: Element): string =>
  [role, short(name), ...(value === undefined ? [] : [`value ${short(value)}`]), ...states].join(' ');
