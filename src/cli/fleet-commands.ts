// `uiahost fleet …` for administrators, and the other groups of its commands. What speaks NATS is loaded by these commands alone.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { dataDirectoryOf } from '../client/locate.ts';
import type { EnrolledRole, TenantFolder } from '../fleet/bus/tenant-folder.ts';
import { speaking } from './fleet-command.ts';
import { addJobCommands } from './fleet-job-commands.ts';
import { addMachineCommands } from './fleet-machine-commands.ts';
import { adding, textIn, whole, type Add, type Answer, type Call, type CliContext } from './flags.ts';
import { FailedError, table, UsageError } from './output.ts';
import { askNative, nativeBundle } from './start.ts';
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
    `2. Make its streams: uiahost fleet provision${flags.tenant === undefined ? '' : ` --tenant "${folder}"`}`,
  ];
  const note = 'Its folder has the keys of the fleet: keep it, keep a copy, and give it to nobody.';
  return { value: { tenant: folder, configuration, made: isNew }, text: lines.join('\n'), note };
}

interface ProvisionFlags extends TenantFlags {
  readonly check?: boolean;
  readonly policyDays?: number;
}

async function provision(flags: ProvisionFlags, call: Call): Promise<Answer> {
  const { check, policyDays } = flags;
  const tenant = await openTenant(flags, call);
  const problems = await speaking(async () => {
    if (policyDays !== undefined) await tenant.setPolicyDays(policyDays);
    if (check !== true) await tenant.publish();
    return tenant.problems();
  });
  if (problems.length === 0) return { value: { problems }, text: 'The streams and the policy are as they must be.' };
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
    .option('--check', 'change nothing: read streams and policy back, status 1 if one is unsafe')
    .addOption(
      new Option(
        '--policy-days <number>',
        'machines take no job this long after the last renewal of the policy',
      ).argParser(whole(1, 365)),
    );
  add('enrol [name]', enrol)
    .description(
      'issue a credential to a seat (one user’s Windows session), an orchestrator or a viewer, or to each seat of a list',
    )
    .addOption(tenantFlag())
    .addOption(new Option('--role <role>', 'whose it is').choices(['seat', 'orchestrator', 'viewer']).default('seat'))
    .option('--from <list>', 'a text file: the name of a seat on each line, then its pools; # begins a comment')
    .option('--pools <pool...>', 'pools that a seat takes jobs of, or each of the list')
    .addOption(new Option('--days <number>', 'days until it expires').argParser(whole(1, 3650)).default(365))
    .option('--out <file>', 'the new file, or with --from its folder; default: NAME.fleet.json here');
  add('revoke <name>', revoke)
    .description('end every credential of this name: its connection, and what it signed')
    .addOption(tenantFlag());
  add('members', listMembers).description('list who was enrolled').addOption(tenantFlag());
}

interface EnrolFlags extends TenantFlags {
  readonly role: EnrolledRole;
  readonly from?: string;
  readonly pools?: readonly string[];
  readonly days: number;
  readonly out?: string;
}

async function enrol(name: string | undefined, flags: EnrolFlags, call: Call): Promise<Answer> {
  const { role, pools = [], days, from } = flags;
  if ((name === undefined) === (from === undefined)) throw new UsageError('Give a name, or a list by --from.');
  if (pools.length > 0 && role !== 'seat') throw new UsageError('--pools is for a seat.');
  if (from !== undefined && role !== 'seat') throw new UsageError('--from is for seats.');
  const tenant = await openTenant(flags, call);
  if (name === undefined) return enrolAll(tenant, textIn(from ?? ''), flags);
  const file = resolve(flags.out ?? `${name}.fleet.json`);
  const credential = await speaking(() => tenant.enrol(role, name, { pools, days }));
  await writeEnrolment(file, undefined, credential);
  const value = { name: credential.name, role: credential.role, pools: credential.pools, file };
  const note = `On its machine: uiahost fleet join ${file} --orchestrator NAME. Then delete the file.`;
  return { value, text: `${role} ${value.name}: ${file}`, note: role === 'seat' ? note : undefined };
}

/** Each seat of a list that has no valid credential gets one: a list that has grown, or was not finished, is given again. */
async function enrolAll(
  tenant: TenantFolder,
  list: string,
  { pools = [], days, out = '.' }: EnrolFlags,
): Promise<Answer> {
  const { nameOf } = await import('../fleet/bus/names.ts');
  const lines = list.replace(/^\ufeff/, '').split(/\r?\n/);
  const machines = lines.flatMap((line) => {
    const [machine, ...own] = line
      .replace(/#.*/, '')
      .split(/[\s,;]+/)
      .filter((word) => word !== '');
    return machine === undefined ? [] : [{ seat: nameOf('seat', machine), machine, pools: [...pools, ...own] }];
  });
  const isKnown = (seat: string): boolean =>
    tenant.members.some((each) => each.name === seat && each.revoked === null && each.expires * 1000 > Date.now());
  const folder = resolve(out);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const rows = [];
  for (const { seat, machine, pools: named } of machines) {
    if (seat === null) throw new UsageError(`${machine} is not a name of a seat.`);
    const file = join(folder, `${seat.slice(2)}.fleet.json`);
    if (isKnown(seat)) {
      rows.push({ seat, pools: named.join(' '), state: 'enrolled before' });
      continue;
    }
    if (existsSync(file)) throw new FailedError(`${file} is there already.`, 'Move it away, and give the list again.');
    const credential = await speaking(() => tenant.enrol('seat', machine, { pools: named, days }));
    try {
      await writeEnrolment(file, undefined, credential);
    } catch (error) {
      // The file is not there: the list, given again, gets another credential.
      await tenant.revoke(machine);
      throw error;
    }
    rows.push({ seat, pools: credential.pools.join(' '), state: file });
  }
  const note = 'On each machine: uiahost fleet join FILE --orchestrator NAME. Then delete the file.';
  return { value: { seats: rows }, text: rows.length === 0 ? 'The list is empty.' : table(rows), note };
}

/** fleet init, provision, enrol, revoke, members; join, link, status, drain, leave; hosts, run, watch, artifact, cancel, give-up. */
export function addFleetCommands(program: Command, context: CliContext): void {
  const fleet = program
    .command('fleet')
    .description('jobs to many machines that dial out to a NATS server')
    .helpGroup('Host:');
  const add = adding(fleet, context);
  addAdministratorCommands(add);
  addMachineCommands(add);
  addJobCommands(add);
}
