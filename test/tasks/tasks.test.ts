/** The tasks themselves: each is well formed, and docs/tasks.md lists them all. */
import { describe, expect, it } from 'vitest';
import { markdown, taskName, tasksIn, goalsOf, type TaskReport } from './report.ts';
import { ended, write, type Task } from './task.ts';
import { faults, TASKS } from './tasks.ts';

const reports = TASKS.map(({ program, goal }, index): TaskReport => ({
  program,
  goal,
  calls: index,
  bytes: 400,
  seconds: 1,
  confirmed: 1,
  unverified: 0,
  asked: 0,
  untrue: 0,
  endedWell: true,
}));

describe('the tasks', () => {
  it('are enough, in programs enough, each with an end that others see', () => {
    expect(TASKS.length).toBeGreaterThanOrEqual(30);
    expect(new Set(TASKS.map(({ program }) => program)).size).toBeGreaterThanOrEqual(10);
    expect(faults(TASKS)).toEqual([]);
  });

  it('a task that appears twice, is not seen or is not put back is noticed', () => {
    const [first] = TASKS as [Task];
    expect(faults([first, first])).toEqual([`twice: ${taskName(first)}`]);
    const unseen: Task = { program: 'notepad', goal: 'none', steps: () => [{ ...write('x'), seen: [] }], leaves: {} };
    expect(faults([unseen])).toHaveLength(3);
    const shared: Task = { ...first, leaves: { values: { 'Software\\Others\\Value': 1 }, seen: [ended] } };
    expect(faults([shared])).toEqual([expect.stringContaining('not put back: Software\\Others\\Value')]);
  });

  it('can be read back from the document', () => expect(tasksIn(markdown(reports))).toEqual(TASKS.map(taskName)));

  it('are summed up by medians, and untrue answers are counted', () => {
    const [one, two, three] = reports as [TaskReport, TaskReport, TaskReport];
    expect(goalsOf([one, { ...two, endedWell: false, untrue: 2 }, { ...three, calls: 40, bytes: 4000 }])).toMatchObject(
      { tasks: 3, endedWell: 2, untrue: 2, calls: 1, tokens: 100 },
    );
  });
});
