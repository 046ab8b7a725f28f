// `uiahost fleet …` for administrators, and the other groups of its commands. What speaks NATS is loaded by these commands alone.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import { dataDirectoryOf } from '../client/locate.ts';
import type { Asking } from '../fleet/bus/enrolment.ts';
import type { Asked, EnrolledRole, TenantFolder } from '../fleet/bus/tenant-folder.ts';
import { addApproverCommands, approverPolicy } from './fleet-approval-commands.ts';
import { adding, print, speaking, type Add, type Answer, type Call } from './fleet-command.ts';
import { addJobCommands } from './fleet-job-commands.ts';
import { addMachineCommands } from './fleet-machine-commands.ts';
import { textIn, whole, type CliContext } from './flags.ts';
import { FailedError, table, UsageError } from './output.ts';
import { askNative, nativeBundle } from './start.ts';
import { checkPolicyText, describeProblems, FleetPolicyFile } from '../policy/file/policy-file.ts';
import { writeEnrolment } from './token-commands.ts';

interface TenantFlags {
  readonly tenant?: string;
}

const tenantFlag = (): Option =>
  new Option('--tenant <folder>', 'the administrator’s folder; default: fleet-tenant in the data directory');

const tenantPlace = (flags: TenantFlags, { env }: CliContext): string =>
  flags.tenant === undefined ? join(dataDirectoryOf(env), 'fleet-tenant') : resolve(flags.tenant);

async function openTenant(flags: TenantFlags, context: CliContext): Promise<TenantFolder> {
  const folder = tenantPlace(flags, context);
  const { hasTenant, TenantFolder: Folder } = await import('../fleet/bus/tenant-folder.ts');
  if (!hasTenant(folder))
    throw new FailedError(
      `There is no tenant in ${folder}.`,
      'Make one with `uiahost fleet init`, or name its folder: --tenant FOLDER.',
    );
  return Folder.open(folder);
}

interface InitFlags extends TenantFlags {
  readonly name: string;
  readonly server: readonly string[];
  readonly store?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly ca?: string;
  readonly replicas: number;
}

async function init(flags: InitFlags, context: Call): Promise<Answer> {
  const folder = tenantPlace(flags, context);
  const { hasTenant, TenantFolder: Folder } = await import('../fleet/bus/tenant-folder.ts');
  const { usesTls } = await import('../fleet/bus/credential.ts');
  const isNew = !hasTenant(folder);
  let tenant: TenantFolder;
  if (isNew) {
    let isTls: boolean;
    try {
      isTls = usesTls(flags.server);
    } catch (error) {
      throw new UsageError(`--server: ${(error as Error).message}`);
    }
    if (isTls !== (flags.tlsCert !== undefined && flags.tlsKey !== undefined))
      throw new UsageError('A server at tls:// needs --tls-cert and --tls-key; one at nats:// has neither.');
    const first = new URL(flags.server[0] ?? '');
    tenant = await Folder.create(folder, {
      name: flags.name,
      servers: flags.server,
      ca: flags.ca === undefined ? null : readFileSync(flags.ca, 'utf8'),
      replicas: flags.replicas,
      listen: {
        host: isTls ? '0.0.0.0' : first.hostname.replaceAll(/[[\]]/g, ''),
        port: Number(first.port || 4222),
        store: resolve(flags.store ?? join(folder, 'store')),
        certificate: flags.tlsCert === undefined ? null : resolve(flags.tlsCert),
        key: flags.tlsKey === undefined ? null : resolve(flags.tlsKey),
      },
    });
    const bundle = nativeBundle('inspect');
    if (bundle !== null) await askNative(bundle, ['restrict', folder, '']);
  } else tenant = Folder.open(folder);
  const { configuration } = tenant;
  const lines = [
    `${isNew ? 'Made' : 'There is'} a tenant in ${folder}${isNew ? '' : '; nothing was changed'}.`,
    `1. Start the server: nats-server -c ${configuration}`,
    '2. Make its streams: uiahost fleet provision',
  ];
  const note = 'Its folder has the keys of the fleet: keep it, keep a copy, and give it to nobody.';
  return { value: { tenant: folder, configuration, made: isNew }, text: lines.join('\n'), note };
}

interface ProvisionFlags extends TenantFlags {
  readonly check?: boolean;
  readonly wantVersion?: string;
}

async function provision(flags: ProvisionFlags, call: Call): Promise<Answer> {
  const { check, wantVersion } = flags;
  if (check === true && wantVersion !== undefined) throw new UsageError('--check changes nothing.');
  const tenant = await openTenant(flags, call);
  if (wantVersion !== undefined) await tenant.want(wantVersion === 'none' ? undefined : wantVersion);
  const problems = await speaking(async () => {
    if (check !== true) await tenant.publish();
    return tenant.problems();
  });
  if (problems.length === 0) return { value: { problems }, text: 'The streams are as they must be.' };
  return { value: { problems }, text: problems.join('\n'), status: 1 };
}

async function revoke(name: string, flags: TenantFlags, call: Call): Promise<Answer> {
  const tenant = await openTenant(flags, call);
  const revoked = await speaking(async () => {
    const ended = await tenant.revoke(name);
    // also after an earlier try that did not reach the server
    await tenant.publish({ revoked: name });
    return ended;
  });
  const text = revoked === 0 ? `${name} was revoked before.` : `Revoked ${revoked} of ${name}; the server knows.`;
  return { value: { name, revoked }, text };
}

async function listMembers(flags: TenantFlags, call: Call): Promise<Answer> {
  const { members } = await openTenant(flags, call);
  const stateOf = (revoked: number | null, expires: number): string =>
    revoked !== null ? 'revoked' : expires * 1000 < Date.now() ? 'expired' : 'valid';
  const rows = members.map(({ name, role, pools, expires, revoked }) => ({
    name,
    role,
    pools: pools.join(' '),
    state: stateOf(revoked, expires),
    expires: new Date(expires * 1000).toISOString().slice(0, 10),
  }));
  return { value: { members }, text: rows.length === 0 ? 'Nobody is enrolled.' : table(rows) };
}

function addAdministratorCommands(add: Add): void {
  const days = (of: string): Option =>
    new Option('--days <number>', `days until ${of} expires`).argParser(whole(1, 3650)).default(365);
  add('init', init)
    .description('make a tenant: its keys, and the configuration of its server')
    .addOption(tenantFlag())
    .option('--name <name>', 'name of the tenant', 'fleet')
    .option('--server <url...>', 'how machines reach the server: tls://nats.example.com:4222', [
      'nats://127.0.0.1:4222',
    ])
    .option('--store <folder>', 'where the server keeps its streams; default: in the tenant’s folder')
    .option('--tls-cert <file>', 'PEM file of the server’s certificate, with its chain')
    .option('--tls-key <file>', 'PEM file of its key')
    .option('--ca <file>', 'PEM file of the authority, if it is private')
    .addOption(new Option('--replicas <number>', '1, or 3 in a cluster').argParser(whole(1, 5)).default(1));
  add('provision', provision)
    .description('make the server what the tenant’s folder says: streams, queues, revocations; may be repeated')
    .addOption(tenantFlag())
    .option('--check', 'change nothing: read the streams back, status 1 if one is unsafe')
    .option(
      '--want-version <version>',
      'of uiahost, that machines show as wanted; `none` for none. Nothing updates itself',
    );
  add('policy [file]', narrow)
    .description(
      'take rights away on all machines, in a pool or on a seat, by a policy file; without one, show what is set',
    )
    .addOption(tenantFlag())
    .option('--for <scope>', 'all, a pool (p_…) or a seat (h_…)', 'all')
    .option('--none', 'take nothing away there any more');
  add('enrol <name>', enrol)
    .description(
      'issue a credential to a seat (one user’s Windows session), an orchestrator, an approver or a viewer, or for machines of an image to ask with',
    )
    .addOption(tenantFlag())
    .addOption(
      new Option('--role <role>', 'whose it is')
        .choices(['seat', 'orchestrator', 'approver', 'viewer', 'enrolment'])
        .default('seat'),
    )
    .option('--pools <pool...>', 'pools that a seat takes jobs of, or each seat that is admitted')
    .option('--names <pattern>', 'of an enrolment: which seats it admits, with * for any letters', '*')
    .addOption(new Option('--count <number>', 'of an enrolment: how many seats it admits').argParser(whole(1, 100_000)))
    .addOption(days('it'))
    .option('--out <file>', 'the new file; default: NAME.fleet.json here');
  add('admit [name...]', admit)
    .description(
      'admit machines that ask with an enrolment credential: those named by seat or key, else all within its limits',
    )
    .addOption(tenantFlag())
    .option('--watch', 'until it is ended')
    .option('--dry-run', 'change nothing: show who asks')
    .option('--replace', 'let the machines named take over names that others have; their credentials end')
    .addOption(days('a seat’s credential'));
  add('revoke <name>', revoke)
    .description('end every credential of this name: its connection, and what it signed')
    .addOption(tenantFlag());
  add('members', listMembers).description('list who was enrolled').addOption(tenantFlag());
}

interface AdmitFlags extends TenantFlags {
  readonly watch?: boolean;
  readonly dryRun?: boolean;
  readonly replace?: boolean;
  readonly days: number;
}

const WATCH_MS = 5000;
/** How much of a machine's key tables show. */
const KEY_LETTERS = 12;

async function admit(names: readonly string[], flags: AdmitFlags, call: Call): Promise<Answer | null> {
  if (flags.replace === true && (names.length === 0 || flags.watch === true))
    throw new UsageError('--replace needs the names of the machines, and goes without --watch.');
  const { nameOf } = await import('../fleet/bus/names.ts');
  const isMeant = ({ seat, signer }: Asking): boolean =>
    names.length === 0 ||
    names.some(
      (name) =>
        name === seat || nameOf('seat', name) === seat || (name.length >= KEY_LETTERS && signer.startsWith(name)),
    );
  const isDry = flags.dryRun === true;
  /** What was shown of each key. */
  const shown = new Map<string, string>();
  for (;;) {
    // opened each time: other commands change the folder meanwhile
    const tenant = await openTenant(flags, call);
    const isReplaced = flags.replace === true;
    const round = speaking(() => tenant.admit({ days: flags.days, isMeant, isReplaced, isDry }));
    const told = await round.catch((error: unknown) => {
      if (flags.watch !== true || error instanceof UsageError) throw error;
      call.output.err((error as Error).message);
      return null;
    });
    const asked = told?.asked.filter(({ signer, state }) => flags.watch !== true || shown.get(signer) !== state) ?? [];
    for (const { signer, state } of asked) shown.set(signer, state === 'admit' ? 'admitted' : state);
    const answer = told === null ? null : askedAnswer(asked, told.unreadable, isDry, call.isJson);
    if (flags.watch !== true) return answer;
    if (answer !== null && asked.length > 0) print(call, answer);
    await sleep(WATCH_MS);
  }
}

function askedAnswer(asked: readonly Asked[], unreadable: number, isDry: boolean, isJson: boolean): Answer {
  const stateOf = (state: string): string => (state !== 'admit' ? state : isDry ? 'would be admitted' : 'admitted now');
  const rows = asked.map(({ seat, machine, signer, enrolment, at, state }) => ({
    seat,
    machine,
    key: isJson ? signer : signer.slice(0, KEY_LETTERS),
    enrolment,
    asked: new Date(at).toISOString(),
    state: stateOf(state),
  }));
  const note = `${unreadable} texts there are no request of a valid enrolment credential.`;
  const text = rows.length === 0 ? 'No machine asks.' : table(rows);
  return { value: { asked: rows, unreadable }, text, note: unreadable > 0 ? note : undefined };
}

interface PolicyFlags extends TenantFlags {
  readonly for: string;
  readonly none?: boolean;
}

/** The policy in a file. Errors: UsageError that names what is wrong, by line. */
function layerIn(file: string): Readonly<Record<string, unknown>> {
  const { file: policy, problems } = checkPolicyText(textIn(file), FleetPolicyFile);
  if (policy === null) throw new UsageError(describeProblems(file, problems));
  return policy;
}

async function narrow(file: string | undefined, flags: PolicyFlags, call: Call): Promise<Answer> {
  if (file !== undefined && flags.none === true) throw new UsageError('A file and --none exclude each other.');
  const layer = file === undefined ? null : layerIn(file);
  const tenant = await openTenant(flags, call);
  const { version, layers, seats } = await speaking(async () => {
    if (layer !== null || flags.none === true) {
      await tenant.narrow(flags.for, layer);
      await tenant.publish();
    }
    return tenant.policy();
  });
  const have = seats.filter((seat) => seat.version !== null && seat.version >= version).length;
  const lines = Object.entries(layers).map(([scope, policy]) => `${scope}: ${JSON.stringify(policy)}`);
  lines.push(`Version ${version}: ${have} of ${seats.length} seats have it.`);
  const note = have < seats.length ? 'A seat that is connected takes it within 15 seconds; ask again.' : undefined;
  return { value: { version, policies: layers, have, seats }, text: lines.join('\n'), note };
}

interface EnrolFlags extends TenantFlags {
  readonly role: EnrolledRole;
  readonly pools?: readonly string[];
  readonly names: string;
  readonly count?: number;
  readonly days: number;
  readonly out?: string;
}

async function enrol(name: string, flags: EnrolFlags, call: Call): Promise<Answer> {
  const { role, pools = [], days, count, names } = flags;
  if (pools.length > 0 && role !== 'seat' && role !== 'enrolment') throw new UsageError('--pools is for a seat.');
  if ((count === undefined) === (role === 'enrolment'))
    throw new UsageError('An enrolment, and it alone, has --count.');
  const tenant = await openTenant(flags, call);
  const file = resolve(flags.out ?? `${name}.fleet.json`);
  const admits = count === undefined ? undefined : { names, count };
  const credential = await speaking(() => tenant.enrol(role, name, { pools, days, admits }));
  await writeEnrolment(file, undefined, credential);
  const approver = role === 'approver' ? await approverPolicy(credential) : undefined;
  const value = { name: credential.name, role: credential.role, pools: credential.pools, file, approver };
  const policy = approver === undefined ? '' : `\n${JSON.stringify({ host: { approver } }, null, 2)}`;
  const notes: Partial<Record<EnrolledRole, string>> = {
    approver: 'These lines belong in the policy of each machine whose cards this approver may decide.',
    seat: `On its machine: uiahost fleet join ${file} --orchestrator NAME. Then delete the file.`,
    enrolment: 'On each machine: uiahost fleet join FILE --orchestrator NAME. Here: uiahost fleet admit.',
  };
  return { value, text: `${role} ${value.name}: ${file}${policy}`, note: notes[role] };
}

/** fleet init, provision, enrol, admit, revoke, policy, members; join, link, status, drain, leave; hosts, run, watch, artifact, look, cancel, give-up. */
export function addFleetCommands(program: Command, context: CliContext): void {
  const fleet = program
    .command('fleet')
    .description('jobs to many machines that dial out to a NATS server')
    .helpGroup('Host:');
  const add = adding(fleet, context);
  addAdministratorCommands(add);
  addMachineCommands(add);
  addJobCommands(add);
  addApproverCommands(add);
}
