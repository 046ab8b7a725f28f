/** End to end: runs all tasks, from goal to effect. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postSentinel, type Sentinel } from '../catalogue/sentinel.ts';
import { person } from '../support/hardware.ts';
import { Scene } from '../support/scene.ts';
import { goalsOf, taskName, type TaskReport } from '../tasks/report.ts';
import { runTask, type TaskResult } from '../tasks/run.ts';
import { TASKS } from '../tasks/tasks.ts';

let scene: Scene;
let sentinel: Sentinel;
/** By task; a repeated task keeps its earlier untrue answers. */
const results = new Map<string, TaskResult>();

beforeAll(async () => {
  scene = await Scene.open();
  sentinel = await postSentinel(scene);
  // in the person's own window: new windows below the cursor count as input on Wine
  const [left, top, right, bottom] = sentinel.fixture.ready['rect'] as [number, number, number, number];
  await person.moveMouse((left + right) / 2, (top + bottom) / 2);
});
afterAll(() => scene?.[Symbol.asyncDispose]());

// If tasks are repeated, what was untrue once stays untrue, and each task counts once.
it.each(TASKS.map((task) => [taskName(task), task] as const))('%s', { timeout: 120_000 }, async (name, task) => {
  const result = await runTask(scene, sentinel, task);
  const untrueBefore = results.get(name)?.untrue ?? [];
  results.set(name, { ...result, untrue: [...untrueBefore, ...result.untrue] });
  expect(untrueBefore, 'untrue when it was tried before').toEqual([]);
  expect(result.wrong).toEqual([]);
});

describe('all tasks', { retry: 0 }, () => {
  const reports = (): TaskReport[] =>
    [...results.values()].map(({ task, calls, bytes, seconds, confirmed, unverified, asked, untrue, wrong }) => ({
      program: task.program,
      goal: task.goal,
      calls,
      bytes,
      seconds,
      confirmed,
      unverified,
      asked,
      untrue: untrue.length,
      endedWell: wrong.length === 0,
    }));

  it('end well, with a median of twelve calls and three thousand tokens, and no outcome claims what did not happen', () => {
    const goals = goalsOf(reports());
    process.stdout.write(`tasks: ${JSON.stringify(goals)}\n`);
    const folder = process.env['UIAHOST_TASK_RESULTS'];
    if (folder !== undefined) writeFileSync(join(folder, 'tasks.json'), JSON.stringify(reports()));
    expect(
      TASKS.map(taskName).filter((name) => !results.has(name)),
      'tasks that were not run',
    ).toEqual([]);
    expect(goals.endedWell).toBe(goals.tasks);
    expect(goals.untrue).toBe(0);
    expect(goals.calls).toBeLessThanOrEqual(12);
    expect(goals.tokens).toBeLessThanOrEqual(3000);
  });
});
