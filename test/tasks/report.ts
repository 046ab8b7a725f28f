/** docs/tasks.md from the results of a run; and its tasks read back, to compare them with the catalogue. */
import { PROGRAM_NAMES, PROGRAMS, type ProgramName } from './program-names.ts';
import type { Task } from './task.ts';

/** The result of one task, as plain data. */
export interface TaskReport {
  readonly program: ProgramName;
  readonly goal: string;
  readonly calls: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly confirmed: number;
  readonly unverified: number;
  readonly asked: number;
  readonly untrue: number;
  readonly endedWell: boolean;
}

/** A token is about four bytes of such text. */
const BYTES_A_TOKEN = 4;
const tokensOf = ({ bytes }: Pick<TaskReport, 'bytes'>): number => Math.round(bytes / BYTES_A_TOKEN);

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export interface TaskGoals {
  readonly tasks: number;
  readonly programs: number;
  readonly endedWell: number;
  readonly calls: number;
  readonly tokens: number;
  readonly seconds: number;
  readonly untrue: number;
}

/** `calls`, `tokens` and `seconds` are medians. */
export function goalsOf(reports: readonly TaskReport[]): TaskGoals {
  return {
    tasks: reports.length,
    programs: new Set(reports.map(({ program }) => program)).size,
    endedWell: reports.filter(({ endedWell }) => endedWell).length,
    calls: median(reports.map(({ calls }) => calls)),
    tokens: median(reports.map(tokensOf)),
    seconds: median(reports.map(({ seconds }) => seconds)),
    untrue: reports.reduce((sum, { untrue }) => sum + untrue, 0),
  };
}

const line = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const cell = (text: string): string => text.replaceAll('|', '\\|');
const decimal = (number: number): string => number.toFixed(1);
const HEAD = line('task', 'calls', 'tokens', 'seconds', 'actions confirmed', 'unverified', 'approvals', 'result');

function programPart(program: ProgramName, reports: readonly TaskReport[]): string[] {
  return [
    '',
    `## ${program}`,
    `${PROGRAMS[program][0]!.toUpperCase()}${PROGRAMS[program].slice(1)}.`,
    '',
    HEAD,
    line(...Array.from({ length: 8 }, () => '---')),
    ...reports.map((report) =>
      line(
        cell(report.goal),
        report.calls,
        tokensOf(report),
        decimal(report.seconds),
        report.confirmed,
        report.unverified,
        report.asked,
        report.endedWell ? 'completed' : 'FAILED',
      ),
    ),
  ];
}

export function markdown(reports: readonly TaskReport[]): string {
  const goals = goalsOf(reports);
  return `${[
    '<!-- Made by `node scripts/tasks.mjs` from a run of the tasks (test/tasks). Do not edit. -->',
    '# Tasks',
    'What people do with programs, each from a goal to its effect on disk or in the registry, by calls of the public interface alone (HTTP), measured under Wine. The program starts fresh; an agent that knows it only from the answers could make every call. After each call that acts, another process checks that the answer is true, and at the end that everything that should have changed has changed and nothing else has: files, the registry, the program’s own journal. A window in front, where a person would work, notices lost focus, moved cursors and stray keys.',
    '',
    'A call is one HTTP request. Tokens are the bytes of requests and answers, pictures left out, divided by four. Seconds are the time spent in the calls. What Wine cannot show is in [windows-truth.md](windows-truth.md).',
    '',
    line('', ''),
    line('---', '---'),
    line('tasks', goals.tasks),
    line('programs', goals.programs),
    line('completed', goals.endedWell),
    line('answers that a witness contradicted', goals.untrue),
    line('median calls per task', goals.calls),
    line('median tokens per task', Math.round(goals.tokens)),
    line('median seconds per task', decimal(goals.seconds)),
    ...PROGRAM_NAMES.filter((program) => reports.some((report) => report.program === program)).flatMap((program) =>
      programPart(
        program,
        reports.filter((report) => report.program === program),
      ),
    ),
  ].join('\n')}\n`;
}

export const taskName = ({ program, goal }: Pick<Task, 'program' | 'goal'>): string => `${program}: ${goal}`;

/** The tasks of a committed report, in order. */
export function tasksIn(document: string): string[] {
  const tasks: string[] = [];
  let program = '';
  let isTable = false;
  for (const text of document.split('\n')) {
    if (text.startsWith('## ')) program = text.slice(3);
    if (!text.startsWith('|')) isTable = false;
    else if (text === HEAD) isTable = true;
    else if (isTable && !text.startsWith('| ---'))
      tasks.push(`${program}: ${(text.split(/(?<!\\) ?\| ?/)[1] ?? '').replaceAll('\\|', '|')}`);
  }
  return tasks;
}
