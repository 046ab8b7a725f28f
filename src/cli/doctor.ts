// `uiahost doctor`: what the running host reports about itself, and what the machine shows with or without one.
import type { Command } from 'commander';
import type { DoctorFinding } from '../contract/process/doctor.ts';
import { HostNotFoundError } from '../client/errors.ts';
import { dataDirectoryOf } from '../client/locate.ts';
import { fleetFindings } from './fleet-machine-commands.ts';
import { CLI_SESSION, globalsOf, type CliContext } from './flags.ts';
import { AnsweredError, printable, UnansweredError } from './output.ts';
import { askNative, nativeBundle } from './start.ts';

interface Repair {
  readonly code: string;
  readonly done: boolean;
  readonly text: string;
}

/** What was found, and how far the command could look. */
export interface Examination {
  readonly findings: readonly DoctorFinding[];
  /** The status of the host; null if none answered. */
  readonly status: Record<string, unknown> | null;
  /** Facts of the machine; null where they cannot be read (other systems than Windows). */
  readonly facts: Record<string, unknown> | null;
}

const SEVERITIES: ReadonlyArray<DoctorFinding['severity']> = ['blocks', 'limits', 'info'];

const notRunning = (error: HostNotFoundError): DoctorFinding => ({
  code: error.isPlaceTaken ? 'host_replaced' : 'host_not_running',
  severity: 'blocks',
  message: error.message,
  cure: error.hint,
});

/** Asks the host and the machine; `audit`: all of it is verified. Errors: UnansweredError if neither could be asked. */
export async function examine(
  context: CliContext,
  { session, audit = false }: { session?: string; audit?: boolean } = {},
): Promise<Examination> {
  let status: (Record<string, unknown> & { doctor: DoctorFinding[] }) | null = null;
  let missing: HostNotFoundError | null = null;
  try {
    const connection = await context.connect();
    status = await connection.json('GET', '/v1/status', { session });
  } catch (error) {
    if (!(error instanceof HostNotFoundError)) throw new UnansweredError(error);
    missing = error;
  }
  const bundle = nativeBundle('inspect');
  const ofFleet = await fleetFindings(context);
  if (bundle === null) {
    if (status === null) throw new UnansweredError(missing);
    return { findings: bySeverity([...status.doctor, ...ofFleet]), status, facts: null };
  }
  const words = [
    'look',
    dataDirectoryOf(context.env),
    ...(status === null ? [] : ['running']),
    ...(audit ? ['audit'] : []),
  ];
  const machine = await askNative<{ findings: DoctorFinding[]; facts: Record<string, unknown> }>(bundle, words).catch(
    (error: unknown) => {
      if (status === null) throw new UnansweredError(error);
      return { findings: [unseen(error)], facts: null };
    },
  );
  const ofHost = [...(missing === null ? [] : [notRunning(missing)]), ...(status?.doctor ?? [])];
  const known = new Set(ofHost.map(({ code, message }) => `${code} ${message}`));
  const ofMachine = machine.findings.filter(({ code, message }) => !known.has(`${code} ${message}`));
  return { findings: bySeverity([...ofHost, ...ofMachine, ...ofFleet]), status, facts: machine.facts };
}

const unseen = (error: unknown): DoctorFinding => ({
  code: 'machine_not_examined',
  severity: 'info',
  message: `The machine could not be examined: ${error instanceof Error ? error.message : String(error)}`,
  cure: 'Run the command again; if it stays so, install uiahost again.',
});

/** What blocks comes first. */
const bySeverity = (findings: readonly DoctorFinding[]): DoctorFinding[] =>
  [...findings].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));

export const describeFindings = (findings: readonly DoctorFinding[]): string =>
  findings
    .map(({ code, severity, message, cure }) => `${severity.padEnd(6)}  ${code}: ${message}\n        fix: ${cure}`)
    .join('\n');

const describeRepairs = (fixed: readonly Repair[]): string =>
  fixed.length === 0
    ? 'Nothing to fix.'
    : fixed.map(({ code, done, text }) => `${done ? 'fixed ' : 'failed'}  ${code}: ${text}`).join('\n');

export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description('list what prevents acting on the desktop, and how to fix it')
    .helpGroup('Host:')
    .option('--fix', 'first do what is safe, and list it')
    .option('--audit', 'also verify the whole audit, which may take a while')
    .addHelpText(
      'after',
      `
Severities: blocks (nothing works before it is mended), limits (something does not work), info.
--fix restricts the data directory and its secrets to this user, removes host.lock and host.json of a host that has ended and a
sign-in entry whose program does not exist, and starts a service that is stopped (as an administrator). It never changes a policy,
a token, a key or an audit, and can be repeated.
Exit status: 0 nothing blocks, 1 something does, 2 could not look.`,
    )
    .action(async (flags: { fix?: boolean; audit?: boolean }, command: Command) => {
      const { json, session = CLI_SESSION } = globalsOf(command);
      const bundle = nativeBundle('inspect');
      let fixed: readonly Repair[] | undefined;
      if (flags.fix === true) {
        fixed =
          bundle === null
            ? []
            : (
                await askNative<{ fixed: Repair[] }>(bundle, ['fix', dataDirectoryOf(context.env)]).catch(
                  (error: unknown) => {
                    throw new UnansweredError(error);
                  },
                )
              ).fixed;
        if (!json) context.output.out(printable(describeRepairs(fixed)));
      }
      const { findings } = await examine(context, { session, audit: flags.audit === true });
      if (json) context.output.out(JSON.stringify({ doctor: findings, ...(fixed === undefined ? {} : { fixed }) }));
      else context.output.out(findings.length === 0 ? 'No problems found.' : printable(describeFindings(findings)));
      if (findings.some(({ severity }) => severity === 'blocks')) throw new AnsweredError(1);
    });
}
