// `uiahost policy show`, `policy level` and `policy check`.
import { readFile } from 'node:fs/promises';
import { Argument, type Command } from 'commander';
import { Level } from '../contract/permissions.ts';
import { checkPolicyText, describeProblems } from '../policy/file/policy-file.ts';
import { globalsOf, type CliContext } from './context.ts';
import { FailedError, readable, UsageError } from './output.ts';

/** policy show|level|check. */
export function addPolicyCommands(program: Command, context: CliContext): void {
  const policy = program
    .command('policy')
    .description('show the policy, set its level, or check a policy file')
    .helpGroup('A person in control:');

  policy
    .command('show')
    .description('show the policy in force')
    .action(async (_flags: unknown, command: Command) => {
      const text = await (await context.connect()).text('GET', '/v1/policy', { scope: 'operator' });
      context.output.out(globalsOf(command).json ? text : readable(JSON.parse(text)));
    });

  policy
    .command('level')
    .description('set what agents may do: disabled, observe (read only), control (a person is asked), full (no asking)')
    .addArgument(new Argument('<level>').choices(Level.options))
    .action(async (level: string, _flags: unknown, command: Command) => {
      const connection = await context.connect();
      const text = await connection.text('PATCH', '/v1/policy', { scope: 'operator', body: { level } });
      const { level: now } = JSON.parse(text) as { level: string };
      context.output.out(globalsOf(command).json ? text : `The level is now ${now}.`);
    });

  policy
    .command('check <file>')
    .description('check a policy file and report errors by line; needs no running host')
    .action(async (file: string, _flags: unknown, command: Command) => {
      let text: string;
      try {
        text = await readFile(file, 'utf8');
      } catch (error) {
        throw new UsageError(`${file} cannot be read: ${String((error as NodeJS.ErrnoException).code)}`);
      }
      const { file: parsed, problems } = checkPolicyText(text);
      if (globalsOf(command).json) context.output.out(JSON.stringify({ ok: parsed !== null, problems }));
      else if (parsed !== null && problems.length === 0) context.output.out(`${file} is valid.`);
      else if (parsed !== null) context.output.out(`${describeProblems(file, problems)}\n${file} is valid.`);
      if (parsed === null)
        throw new FailedError(globalsOf(command).json ? `${file} is not valid.` : describeProblems(file, problems));
    });
}
