/** docs/tasks.md: every task, from a run of them (`npm run tasks`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdown, taskName, tasksIn, type TaskReport } from '../test/tasks/report.ts';
import { TASKS } from '../test/tasks/tasks.ts';
import { keepReport } from './lib/generated.ts';

keepReport('docs/tasks.md', 'node scripts/tasks.mjs', {
  listed: tasksIn,
  wanted: TASKS.map(taskName),
  text: (folder) => markdown(JSON.parse(readFileSync(join(folder, 'tasks.json'), 'utf8')) as TaskReport[]),
});
