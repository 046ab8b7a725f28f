/**
 * docs/tasks.md. `--from FOLDER`: writes it from the results that a run of the tasks left in that folder (`npm run
 * tasks` does both). `--check`, part of `npm run check`: fails if the committed document does not list exactly the
 * present tasks.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markdown, taskName, tasksIn, type TaskReport } from '../test/tasks/report.ts';
import { TASKS } from '../test/tasks/tasks.ts';

const file = fileURLToPath(new URL('../docs/tasks.md', import.meta.url));

function check(): string[] {
  const listed = tasksIn(readFileSync(file, 'utf8'));
  const wanted = TASKS.map(taskName);
  return [
    ...wanted.filter((name) => !listed.includes(name)).map((name) => `not in the document: ${name}`),
    ...listed.filter((name) => !wanted.includes(name)).map((name) => `no longer a task: ${name}`),
    ...listed.filter((name, index) => listed.indexOf(name) !== index).map((name) => `twice in the document: ${name}`),
  ];
}

const [command, folder] = process.argv.slice(2);
if (command === '--check') {
  const problems = check();
  for (const problem of problems.slice(0, 20)) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) {
    process.stderr.write('docs/tasks.md does not list the present tasks. Try: npm run tasks\n');
    process.exitCode = 1;
  }
} else if (command === '--from' && folder !== undefined) {
  writeFileSync(file, markdown(JSON.parse(readFileSync(join(folder, 'tasks.json'), 'utf8')) as TaskReport[]));
  process.stdout.write('docs/tasks.md is written\n');
} else {
  process.stderr.write('usage: generate-tasks.ts --check | --from FOLDER\n');
  process.exitCode = 2;
}
