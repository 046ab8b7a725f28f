/** All tasks, in the order of the report. */
import { PROGRAM_NAMES } from './program-names.ts';
import { LOOKING, valuesOf, type Step, type Task } from './task.ts';
import { dialogs } from './rows/dialogs.ts';
import { documents } from './rows/documents.ts';
import { drawn } from './rows/drawn.ts';
import { system } from './rows/system.ts';
import { tools } from './rows/tools.ts';

export const TASKS: readonly Task[] = [...dialogs, ...documents, ...drawn, ...system, ...tools].sort(
  (a, b) => PROGRAM_NAMES.indexOf(a.program) - PROGRAM_NAMES.indexOf(b.program),
);

const PLACE = { path: (name?: string) => `Z:\\folder${name === undefined ? '' : `\\${name}`}`, key: 'Software\\key' };
const stepsOf = (task: Task): readonly Step[] => task.steps(PLACE);

/** Faults of the catalogue, one per line. */
export function faults(tasks: readonly Task[]): string[] {
  const goals = tasks.map(({ program, goal }) => `${program}: ${goal}`);
  return [
    ...goals.filter((goal, index) => goals.indexOf(goal) !== index).map((goal) => `twice: ${goal}`),
    ...tasks.flatMap((task) => {
      const steps = stepsOf(task);
      const { files = {}, values = {}, seen = [] } = task.leaves;
      return [
        ...steps
          .filter(({ call, seen = [] }) => !LOOKING.has(call) && seen.length === 0)
          .map(({ call, input }) => `nobody sees what ${call} ${JSON.stringify(input)} does: ${task.goal}`),
        ...(Object.keys(files).length + Object.keys(values).length + seen.length === 0
          ? [`nothing is left behind: ${task.goal}`]
          : []),
        // shared values are restored to what the task found
        ...Object.keys(values)
          .filter((name) => name.includes('\\') && valuesOf(task, PLACE)[name] === undefined)
          .map((name) => `not put back: ${name}: ${task.goal}`),
        ...(steps[0]?.call === 'bind-to-window' ||
        steps[0]?.call === 'batch' ||
        steps[0]?.call === 'list-visible-windows' ||
        steps[0]?.call === 'request-access'
          ? []
          : [`begins without a window: ${task.goal}`]),
      ];
    }),
  ];
}
