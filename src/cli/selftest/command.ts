// `uiahost selftest`: shows on this machine what the host can do, in the demo alone.
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { globalsOf, type CliContext } from '../context.ts';
import { FailedError } from '../output.ts';
import { selftest, type SelftestReport, type StepResult } from './run.ts';

/** With all its waits it takes about half of this. */
const LIMIT_MS = 120_000;

export function addSelftestCommand(program: Command, context: CliContext): void {
  const { output, env, version } = context;
  program
    .command('selftest')
    .description('drive the demo through the running host in every way, and check each effect from outside')
    .helpGroup('Host:')
    .option('--output <file>', 'where the report goes; default: uiahost-selftest-DATE.json')
    .addHelpText(
      'after',
      `
It opens a demo window of its own and closes it at the end; it touches no other window, and takes two minutes at most.
It approves its own cards, lets one expire, and uses the emergency stop once, which ends the host's running sessions.
The report has the system's version and settings, and nothing of your own windows.
Exit status 0: everything was done and seen; 1: something was not.`,
    )
    .action(async (flags: { output?: string }, command: Command) => {
      const { json } = globalsOf(command);
      const cancel = new AbortController();
      const interrupt = (): void => cancel.abort(new FailedError('Cancelled. The demo was closed.'));
      process.once('SIGINT', interrupt);
      const limit = setTimeout(() => cancel.abort(new FailedError('It took more than two minutes.')), LIMIT_MS);
      try {
        const connection = await context.connect();
        const show = (result: StepResult): void => {
          if (!json) output.out(line(result));
        };
        const report = await selftest(connection, env, version, cancel.signal, show);
        const file = flags.output ?? `uiahost-selftest-${report.date.slice(0, 19).replaceAll(':', '-')}.json`;
        await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
        output.out(json ? JSON.stringify(report) : summary(report, file));
        if (!report.ok) throw new FailedError('Not everything was done.', 'See the lines with FAILED, and the report.');
      } catch (error) {
        throw cancel.signal.aborted ? cancel.signal.reason : error;
      } finally {
        clearTimeout(limit);
        process.removeListener('SIGINT', interrupt);
      }
    });
}

function line({ ok, area, step, delivery, effect, seen, ms, error }: StepResult): string {
  const how = [delivery, effect, seen === true ? 'seen' : null].filter((word) => word !== null && word !== 'none');
  const words = [ok ? 'ok    ' : 'FAILED', area.padEnd(9), step.padEnd(36), `${ms} ms`.padStart(8), how.join(', ')];
  return `${words.join('  ').trimEnd()}${error === null ? '' : `\n        ${error}`}`;
}

function summary({ steps, ms, system }: SelftestReport, file: string): string {
  const done = steps.filter(({ ok }) => ok).length;
  return `${done} of ${steps.length} done in ${(ms / 1000).toFixed(0)} s on Windows ${system.windows}. Report: ${file}`;
}
