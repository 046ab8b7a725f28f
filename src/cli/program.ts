// Builds the command tree and runs a command line.
import { Command, CommanderError } from 'commander';
import { ProblemError } from '../client/errors.ts';
import { didYouMean, nearest } from '../contract/json/near.ts';
import { buildCatalog } from '../host/face/catalog.ts';
import { addActionCommands } from './action-commands.ts';
import { addApprovalCommands } from './approval-commands.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addDemoCommand } from './demo.ts';
import { createContext, globalsOf } from './flags.ts';
import { addDoctorCommand } from './doctor.ts';
import { addDataCommands } from './data-commands.ts';
import { addFleetCommands } from './fleet-commands.ts';
import { addHostCommands, addPageCommands } from './host-commands.ts';
import { addTokenCommands } from './token-commands.ts';
import { addMcpCommands, addSkillCommands } from './mcp-commands.ts';
import { AnsweredError, describeError, UnansweredError, UsageError, type Output } from './output.ts';
import { addPolicyCommands } from './policy-commands.ts';
import { addRoutineCommands } from './routine-commands.ts';
import { addSecretCommands } from './secret-commands.ts';
import { addServiceCommands } from './service-commands.ts';
import { addSelftestCommand } from './selftest/command.ts';
import { addSessionCommands } from './session-commands.ts';
import { addSupportBundle } from './support-bundle.ts';

/** Commands about this machine, which no other host can be asked for. */
const OF_THIS_MACHINE = new Set([
  'data',
  'demo',
  'doctor',
  'fleet',
  'mcp-config',
  'policy check',
  'policy edit',
  'selftest',
  'service',
  'skills',
  'start',
  'support-bundle',
]);

export interface ProgramOptions {
  readonly output: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
}

const START_HERE = `Start here:
  uiahost list-visible-windows                            the windows that can be operated
  uiahost bind-to-window --title "uiahost demo"           choose one (uiahost demo opens that one)
  uiahost snapshot                                        its elements, a line each
  uiahost type-into-element --name Customer --text Ada    act on them: click-element, select-element, read-table
  uiahost policy level full                               where each step should not ask (reading is free)`;

/** The whole command tree. */
export function createProgram({ output, env, version }: ProgramOptions): Command {
  const program = new Command('uiahost')
    .description('Operate one bound window on a Windows desktop by its elements, with a person in control.')
    .version(version)
    .option('--json', 'print exactly what the host answers')
    .option('--session <name>', 'session name, or a computerUseSessionId')
    .option('--host <url>', 'ask this host instead of this machine’s, such as https://pc17.example.com:7423')
    .option('--token-file <file>', 'the token for --host: a file that `uiahost token make` wrote')
    .addHelpText('before', `${START_HERE}\n`)
    .showHelpAfterError('(uiahost --help, uiahost COMMAND --help)')
    .configureOutput({ writeOut: (text) => output.out(text), writeErr: (text) => output.err(text) })
    .exitOverride()
    .hook('preAction', (_program, command) => assertHere(command));
  const context = createContext(output, env, version, () => globalsOf(program).remote);
  addHostCommands(program, context);
  addTokenCommands(program, context);
  addDataCommands(program, context);
  addDoctorCommand(program, context);
  addSupportBundle(program, context);
  addServiceCommands(program, context);
  addDemoCommand(program, context);
  addSelftestCommand(program, context);
  addFleetCommands(program, context);
  addActionCommands(program, buildCatalog(), context);
  addSessionCommands(program, context);
  addApprovalCommands(program, context);
  addPageCommands(program, context);
  addPolicyCommands(program, context);
  addSecretCommands(program, context);
  addAuditCommands(program, context);
  addRoutineCommands(program, context);
  addMcpCommands(program, context);
  addSkillCommands(program, context);
  return program;
}

/** Errors: UsageError where `--host` names a host that the command does not ask, or a token is named without it. */
function assertHere(command: Command): void {
  const { remote } = globalsOf(command);
  if (remote === undefined) {
    if (command.optsWithGlobals<{ tokenFile?: string }>().tokenFile === undefined) return;
    throw new UsageError('--token-file is the token for --host: name the host too.');
  }
  const names: string[] = [];
  for (let each = command; each.parent !== null; each = each.parent) names.unshift(each.name());
  if (OF_THIS_MACHINE.has(names[0] ?? '') || OF_THIS_MACHINE.has(names.join(' ')) || names.join(' ') === 'token')
    throw new UsageError(`--host: \`uiahost ${names.join(' ')}\` is about this machine. Run it there.`);
}

/** Errors: UsageError for a word that names no command, also where its help is asked for. */
function assertKnown(program: Command, args: readonly string[]): void {
  const { operands } = program.parseOptions([...args]);
  let at = program;
  for (const word of operands.filter((each) => each !== 'help')) {
    if (at.commands.length === 0 || at.registeredArguments.length > 0) return;
    const next = at.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next === undefined) {
      const names = at.commands.map((each) => each.name());
      const near = didYouMean(nearest(word, names)) || 'uiahost --help lists them.';
      throw new UsageError(`Unknown command ${JSON.stringify(word)}; ${near}`);
    }
    at = next;
  }
}

/** Runs a command line. Exit status: 0 done, 1 refused or failed, 2 wrong usage or a question that could not be answered. */
export async function run(args: readonly string[], options: ProgramOptions): Promise<number> {
  const program = createProgram(options);
  if (args.length === 0) {
    options.output.out(`${START_HERE}\nuiahost --help lists every command.`);
    return 0;
  }
  const isJson = args.includes('--json');
  try {
    assertKnown(program, args);
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed its text: help and version are not errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof AnsweredError) return error.status;
    const cause = error instanceof UnansweredError ? error.cause : error;
    const isRefusal = cause instanceof ProblemError;
    // A program reads one stream.
    options.output[isJson && isRefusal ? 'out' : 'err'](describeError(error, isJson));
    const isWrongUse = isRefusal && cause.problem.code === 'invalid_argument';
    return isWrongUse || error instanceof UsageError || error instanceof UnansweredError ? 2 : 1;
  }
}
