// `uiahost fleet …` for administrators and orchestrators. What speaks NATS is loaded by these commands alone.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import { dataDirectoryOf } from '../client/locate.ts';
import { MAX_DEPTH, parseStrictJson } from '../contract/json/strict-json.ts';
import type { Fleet, FleetEvent, FleetJobRef, FleetOutcome, FleetStep } from '../fleet/orchestrator/types.ts';
import type { Asking } from '../fleet/bus/enrolment.ts';
import type { Asked, EnrolledRole, TenantFolder } from '../fleet/bus/tenant-folder.ts';
import { addApproverCommands, approverPolicy } from './fleet-approval-commands.ts';
import { addMachineCommands } from './fleet-machine-commands.ts';
import { globalsOf, textIn, whole, type CliContext } from './flags.ts';
import { askNative, nativeBundle } from './native-bundle.ts';
import { writeNewFile } from './new-file.ts';
import { AnsweredError, FailedError, printable, table, UsageError } from './output.ts';
import { checkPolicyText, describeProblems, FleetPolicyFile } from '../policy/file/policy-file.ts';
import { writeEnrolment } from './token-commands.ts';

/** Status 3: the outcome is unknown. */
const UNKNOWN = 3;
const MINUTE_MS = 60_000;

/** Runs work that speaks to the server; its errors become the command's. */
async function speaking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FailedError || error instanceof UsageError) throw error;
    const { name, message, hint, code } = error as Error & { hint?: string; code?: string };
    if (error instanceof RangeError) throw new UsageError(message);
    if (name === 'FleetError') throw new FailedError(`${code}: ${message}`, hint);
    if (/authorization|authentication|expired/i.test(`${name} ${message}`))
      throw new FailedError(
        `The server refused this credential (${message}).`,
        'Enrol it again, or see whether it was revoked.',
      );
    throw new FailedError(
      `The fleet’s server could not be asked: ${message}.`,
      'Start it with the configuration of `uiahost fleet init` (nats-server -c server.conf), and check its address.',
    );
  }
}

const tenantFlag = (): Option =>
  new Option('--tenant <folder>', 'the administrator’s folder; default: fleet-tenant in the data directory');

const tenantPlace = (flags: { tenant?: string }, { env }: CliContext): string =>
  flags.tenant === undefined ? join(dataDirectoryOf(env), 'fleet-tenant') : resolve(flags.tenant);

async function openTenant(flags: { tenant?: string }, context: CliContext): Promise<TenantFolder> {
  const folder = tenantPlace(flags, context);
  const { hasTenant, TenantFolder: Folder } = await import('../fleet/bus/tenant-folder.ts');
  if (!hasTenant(folder))
    throw new FailedError(
      `There is no tenant in ${folder}.`,
      'Make one with `uiahost fleet init`, or name its folder: --tenant FOLDER.',
    );
  return Folder.open(folder);
}

interface InitFlags {
  readonly tenant?: string;
  readonly name: string;
  readonly server: readonly string[];
  readonly store?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly ca?: string;
  readonly replicas: number;
}

async function init(flags: InitFlags, context: CliContext, isJson: boolean): Promise<void> {
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
  if (isJson) return context.output.out(JSON.stringify({ tenant: folder, configuration, made: isNew }));
  context.output.out(`${isNew ? 'Made' : 'There is'} a tenant in ${folder}${isNew ? '' : '; nothing was changed'}.`);
  context.output.out(`1. Start the server: nats-server -c ${configuration}`);
  context.output.out('2. Make its streams: uiahost fleet provision');
  context.output.err('Its folder has the keys of the fleet: keep it, keep a copy, and give it to nobody.');
}

function addAdministratorCommands(fleet: Command, context: CliContext): void {
  fleet
    .command('init')
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
    .addOption(new Option('--replicas <number>', '1, or 3 in a cluster').argParser(whole(1, 5)).default(1))
    .action((flags: InitFlags, command: Command) => init(flags, context, globalsOf(command).json));

  fleet
    .command('provision')
    .description('make the server what the tenant’s folder says: streams, queues, revocations; may be repeated')
    .addOption(tenantFlag())
    .option('--check', 'change nothing: read the streams back, status 1 if one is unsafe')
    .option(
      '--want-version <version>',
      'of uiahost, that machines show as wanted; `none` for none. Nothing updates itself',
    )
    .action(async (flags: { tenant?: string; check?: boolean; wantVersion?: string }, command: Command) => {
      const { check, wantVersion } = flags;
      if (check === true && wantVersion !== undefined) throw new UsageError('--check changes nothing.');
      const tenant = await openTenant(flags, context);
      if (wantVersion !== undefined) await tenant.want(wantVersion === 'none' ? undefined : wantVersion);
      const problems = await speaking(async () => {
        if (check !== true) await tenant.publish();
        return tenant.problems();
      });
      if (globalsOf(command).json) context.output.out(JSON.stringify({ problems }));
      else context.output.out(problems.length === 0 ? 'The streams are as they must be.' : problems.join('\n'));
      if (problems.length > 0) throw new AnsweredError(1);
    });

  fleet
    .command('policy [file]')
    .description(
      'take rights away on all machines, in a pool or on a seat, by a policy file; without one, show what is set',
    )
    .addOption(tenantFlag())
    .option('--for <scope>', 'all, a pool (p_…) or a seat (h_…)', 'all')
    .option('--none', 'take nothing away there any more')
    .action((file: string | undefined, flags: PolicyFlags, command: Command) =>
      narrow(file, flags, context, globalsOf(command).json),
    );
}

/** Who belongs to the tenant. */
function addMemberCommands(fleet: Command, context: CliContext): void {
  fleet
    .command('enrol <name>')
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
    .addOption(new Option('--days <number>', 'days until it expires').argParser(whole(1, 3650)).default(365))
    .option('--out <file>', 'the new file; default: NAME.fleet.json here')
    .action(async (name: string, flags: EnrolFlags, command: Command) => {
      const { role, pools = [], days, count, names } = flags;
      if (pools.length > 0 && role !== 'seat' && role !== 'enrolment') throw new UsageError('--pools is for a seat.');
      if ((count === undefined) === (role === 'enrolment'))
        throw new UsageError('An enrolment, and it alone, has --count.');
      const tenant = await openTenant(flags, context);
      const file = resolve(flags.out ?? `${name}.fleet.json`);
      const admits = count === undefined ? undefined : { names, count };
      const credential = await speaking(() => tenant.enrol(role, name, { pools, days, admits }));
      await writeEnrolment(file, undefined, credential);
      const approver = role === 'approver' ? await approverPolicy(credential) : undefined;
      const shown = { name: credential.name, role: credential.role, pools: credential.pools, file, approver };
      if (globalsOf(command).json) return context.output.out(JSON.stringify(shown));
      context.output.out(`${shown.role} ${shown.name}: ${file}`);
      if (approver !== undefined) {
        context.output.out(JSON.stringify({ host: { approver } }, null, 2));
        context.output.err('These lines belong in the policy of each machine whose cards this approver may decide.');
      }
      if (role === 'seat')
        context.output.err(`On its machine: uiahost fleet join ${file} --orchestrator NAME. Then delete the file.`);
      if (role === 'enrolment')
        context.output.err('On each machine: uiahost fleet join FILE --orchestrator NAME. Here: uiahost fleet admit.');
    });

  fleet
    .command('admit [name...]')
    .description(
      'admit machines that ask with an enrolment credential: those named by seat or key, else all within its limits',
    )
    .addOption(tenantFlag())
    .option('--watch', 'until it is ended')
    .option('--dry-run', 'change nothing: show who asks')
    .option('--replace', 'let the machines named take over names that others have; their credentials end')
    .addOption(
      new Option('--days <number>', 'days until a seat’s credential expires').argParser(whole(1, 3650)).default(365),
    )
    .action((names: string[], flags: AdmitFlags, command: Command) =>
      admit(names, flags, context, globalsOf(command).json),
    );

  fleet
    .command('revoke <name>')
    .description('end every credential of this name: its connection, and what it signed')
    .addOption(tenantFlag())
    .action(async (name: string, flags: { tenant?: string }, command: Command) => {
      const tenant = await openTenant(flags, context);
      const count = await speaking(async () => {
        const ended = await tenant.revoke(name);
        // also after an earlier try that did not reach the server
        await tenant.publish({ revoked: name });
        return ended;
      });
      if (globalsOf(command).json) context.output.out(JSON.stringify({ name, revoked: count }));
      else
        context.output.out(
          count === 0 ? `${name} was revoked before.` : `Revoked ${count} of ${name}; the server knows.`,
        );
    });

  fleet
    .command('members')
    .description('list who was enrolled')
    .addOption(tenantFlag())
    .action(async (flags: { tenant?: string }, command: Command) => {
      const { members } = await openTenant(flags, context);
      if (globalsOf(command).json) return context.output.out(JSON.stringify({ members }));
      const stateOf = (revoked: number | null, expires: number): string =>
        revoked !== null ? 'revoked' : expires * 1000 < Date.now() ? 'expired' : 'valid';
      const rows = members.map(({ name, role, pools, expires, revoked }) => ({
        name,
        role,
        pools: pools.join(' '),
        state: stateOf(revoked, expires),
        expires: new Date(expires * 1000).toISOString().slice(0, 10),
      }));
      context.output.out(rows.length === 0 ? 'Nobody is enrolled.' : table(rows));
    });
}

interface AdmitFlags {
  readonly tenant?: string;
  readonly watch?: boolean;
  readonly dryRun?: boolean;
  readonly replace?: boolean;
  readonly days: number;
}

const WATCH_MS = 5000;
/** How much of a machine's key tables show. */
const KEY_LETTERS = 12;

async function admit(names: readonly string[], flags: AdmitFlags, context: CliContext, isJson: boolean): Promise<void> {
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
    const tenant = await openTenant(flags, context);
    const isReplaced = flags.replace === true;
    const round = speaking(() => tenant.admit({ days: flags.days, isMeant, isReplaced, isDry }));
    const told = await round.catch((error: unknown) => {
      if (flags.watch !== true || error instanceof UsageError) throw error;
      context.output.err((error as Error).message);
      return null;
    });
    const asked = told?.asked.filter(({ signer, state }) => flags.watch !== true || shown.get(signer) !== state) ?? [];
    for (const { signer, state } of asked) shown.set(signer, state === 'admit' ? 'admitted' : state);
    if (told !== null) showAsked(asked, told.unreadable, { isDry, isJson, isWatch: flags.watch === true }, context);
    if (flags.watch !== true) return;
    await sleep(WATCH_MS);
  }
}

function showAsked(
  asked: readonly Asked[],
  unreadable: number,
  { isDry, isJson, isWatch }: { isDry: boolean; isJson: boolean; isWatch: boolean },
  { output }: CliContext,
): void {
  const stateOf = (state: string): string => (state !== 'admit' ? state : isDry ? 'would be admitted' : 'admitted now');
  const rows = asked.map(({ seat, machine, signer, enrolment, at, state }) => ({
    seat,
    machine,
    key: isJson ? signer : signer.slice(0, KEY_LETTERS),
    enrolment,
    asked: new Date(at).toISOString(),
    state: stateOf(state),
  }));
  if (isWatch && rows.length === 0) return;
  if (isJson) return output.out(JSON.stringify({ asked: rows, unreadable }));
  output.out(rows.length === 0 ? 'No machine asks.' : table(rows));
  if (unreadable > 0) output.err(`${unreadable} texts there are no request of a valid enrolment credential.`);
}

interface PolicyFlags {
  readonly tenant?: string;
  readonly for: string;
  readonly none?: boolean;
}

/** The policy in a file. Errors: UsageError that names what is wrong, by line. */
function layerIn(file: string): Readonly<Record<string, unknown>> {
  const { file: policy, problems } = checkPolicyText(textIn(file), FleetPolicyFile);
  if (policy === null) throw new UsageError(describeProblems(file, problems));
  return policy;
}

async function narrow(file: string | undefined, flags: PolicyFlags, context: CliContext, isJson: boolean) {
  if (file !== undefined && flags.none === true) throw new UsageError('A file and --none exclude each other.');
  const layer = file === undefined ? null : layerIn(file);
  const tenant = await openTenant(flags, context);
  const { version, layers, seats } = await speaking(async () => {
    if (layer !== null || flags.none === true) {
      await tenant.narrow(flags.for, layer);
      await tenant.publish();
    }
    return tenant.policy();
  });
  const have = seats.filter((seat) => seat.version !== null && seat.version >= version).length;
  if (isJson) return context.output.out(JSON.stringify({ version, policies: layers, have, seats }));
  for (const [scope, policy] of Object.entries(layers)) context.output.out(`${scope}: ${JSON.stringify(policy)}`);
  context.output.out(`Version ${version}: ${have} of ${seats.length} seats have it.`);
  if (have < seats.length) context.output.err('A seat that is connected takes it within 15 seconds; ask again.');
}

interface EnrolFlags {
  readonly tenant?: string;
  readonly role: EnrolledRole;
  readonly pools?: readonly string[];
  readonly names: string;
  readonly count?: number;
  readonly days: number;
  readonly out?: string;
}

const credentialFlag = (whose = 'an orchestrator'): Option =>
  new Option('--credential <file>', `the credential of ${whose}`).makeOptionMandatory();

/** Works with the fleet, and closes it. */
function withFleet<T>(flags: { credential: string }, work: (fleet: Fleet) => Promise<T>): Promise<T> {
  const credential = textIn(flags.credential, '--credential: ');
  return speaking(async () => {
    const { openFleet } = await import('../fleet/orchestrator/fleet.ts');
    const fleet = await openFleet({ credential });
    try {
      return await work(fleet);
    } finally {
      await fleet.close();
    }
  });
}

/** `TARGET.ID`, as commands print it. */
function refOf(job: string): FleetJobRef {
  const dot = job.indexOf('.');
  if (dot < 0) throw new UsageError('A job is named TARGET.ID, as `uiahost fleet run` prints it.');
  return { target: job.slice(0, dot), id: job.slice(dot + 1) };
}

function printOutcome(context: CliContext, outcome: FleetOutcome, isJson: boolean): void {
  const { target, id, status, delivery, code, step, seat, late } = outcome;
  const words = [
    `${target}.${id}: ${status}`,
    ...(seat === null ? [] : [`on ${seat}`]),
    ...(status === 'succeeded'
      ? []
      : [`(${code ?? 'no reason'}${step === undefined ? '' : `, step ${step}`}: ${delivery})`]),
    ...(late === true ? ['late'] : []),
  ];
  context.output.out(isJson ? JSON.stringify(outcome) : printable(words.join(' ')));
  if (status !== 'succeeded') throw new AnsweredError(status === 'unknown' ? UNKNOWN : 1);
}

interface RunFlags {
  readonly credential: string;
  readonly key?: string;
  readonly startWithin: number;
  readonly runWithin: number;
  readonly lostAfter?: number;
  readonly wait: boolean;
}

interface WatchFlags {
  readonly credential: string;
  readonly after?: number;
}

interface LookFlags {
  readonly credential: string;
  readonly out: string;
  readonly follow?: boolean;
  readonly force?: boolean;
}

interface ArtifactFlags {
  readonly credential: string;
  readonly out?: string;
  readonly force?: boolean;
}

async function stepsIn(place: string): Promise<FleetStep[]> {
  let text = '';
  if (place === '-') for await (const part of process.stdin) text += String(part);
  else text = readFileSync(place, 'utf8');
  const given: unknown = parseStrictJson(text.replace(/^\uFEFF/u, ''), { depth: MAX_DEPTH });
  const steps = Array.isArray(given) ? given : [given];
  if (steps.every((step): step is FleetStep => typeof (step as { action?: unknown } | null)?.action === 'string'))
    return steps;
  throw new UsageError(`${place}: expected a list of steps, each {"action": NAME, "input": {…}}.`);
}

async function runJob(
  target: string,
  place: string,
  flags: RunFlags,
  context: CliContext,
  isJson: boolean,
): Promise<void> {
  const steps = await stepsIn(place).catch((error: unknown) => {
    throw error instanceof UsageError ? error : new UsageError(`${place}: ${(error as Error).message}`);
  });
  const outcome = await withFleet(flags, async (fleet) => {
    const job = await fleet.submit(target, steps, {
      idempotencyKey: flags.key,
      notAfterMs: flags.startWithin * MINUTE_MS,
      runMs: flags.runWithin * MINUTE_MS,
    });
    if (!flags.wait) {
      context.output.out(isJson ? JSON.stringify(job) : `${job.target}.${job.id}`);
      return null;
    }
    if (!isJson) context.output.err(`${job.target}.${job.id}${job.isAgain ? ' (submitted before)' : ''}`);
    return fleet.wait(job, { lostAfterMs: flags.lostAfter === undefined ? undefined : flags.lostAfter * MINUTE_MS });
  });
  if (outcome !== null) printOutcome(context, outcome, isJson);
}

function eventLine({ at, type, seat, step, what, until }: FleetEvent): string {
  const words = [
    new Date(at).toISOString(),
    type,
    seat ?? '-',
    ...(step === undefined ? [] : [`step ${step} ${what ?? ''}`]),
    ...(until === undefined ? [] : [`for a person, until ${new Date(until).toISOString()}`]),
  ];
  return printable(words.join('  '));
}

const lookAt = (seat: string, flags: LookFlags, context: CliContext, isJson: boolean): Promise<void> =>
  withFleet(flags, async (open) => {
    const file = resolve(flags.out);
    let { force } = flags;
    for await (const { png, at, ...seen } of open.look(seat)) {
      await writeNewFile(file, png, { hint: 'Choose another file, or give --force.', force });
      force = true;
      const time = new Date(at).toISOString();
      const job = seen.job === null ? '' : `, job ${seen.job}`;
      const line = printable(`${file}: ${seen.title} (${seen.app})${job}, ${time}`);
      context.output.out(isJson ? JSON.stringify({ ...seen, file, bytes: png.length, time }) : line);
      if (flags.follow !== true) return;
    }
  });

function addOrchestratorCommands(fleet: Command, context: CliContext): void {
  fleet
    .command('hosts')
    .description('list the seats, and whether each is there')
    .addOption(credentialFlag())
    .action(async (flags: { credential: string }, command: Command) => {
      const hosts = await withFleet(flags, (open) => open.hosts());
      if (globalsOf(command).json) return context.output.out(JSON.stringify({ hosts }));
      const rows = hosts.map(
        ({ seat, state, silentMs, pools, version, wantVersion, level, takesNoJob, policyVersion, job }) => ({
          seat,
          state,
          silent: `${Math.round(silentMs / 1000)} s`,
          pools: pools.join(' '),
          version: `${version ?? '-'}${wantVersion === null || wantVersion === version ? '' : ` (wanted: ${wantVersion})`}`,
          level: level ?? '-',
          'takes no job': takesNoJob ?? '',
          policy: policyVersion,
          job: job ?? '',
        }),
      );
      context.output.out(rows.length === 0 ? 'No seat has been there.' : table(rows));
    });

  fleet
    .command('run <target> <steps>')
    .description('submit a job to a seat (h_…) or a pool (p_…) and wait for its outcome: 0 succeeded, 1 not, 3 unknown')
    .addOption(credentialFlag())
    .option('--key <key>', 'your own id of the job: the same key runs it once')
    .addOption(new Option('--start-within <minutes>', 'latest start').argParser(whole(1, 1440)).default(15))
    .addOption(new Option('--run-within <minutes>', 'time from its start').argParser(whole(1, 1440)).default(10))
    .addOption(
      new Option('--lost-after <minutes>', 'give it up when its seat was gone so long').argParser(whole(1, 10_080)),
    )
    .option('--no-wait', 'print the job’s name at once')
    .addHelpText(
      'after',
      '\nSTEPS is a JSON file, or - for standard input: [{"action": "bind-to-window", "input": {"title": "Demo"}}, …]',
    )
    .action((target: string, place: string, flags: RunFlags, command: Command) =>
      runJob(target, place, flags, context, globalsOf(command).json),
    );

  fleet
    .command('watch <job>')
    .description('show each step of a job, from its begin until its outcome')
    .addOption(credentialFlag())
    .addOption(
      new Option('--after <sequence>', 'continue: steps after this sequence (--json shows it)').argParser(
        whole(0, Number.MAX_SAFE_INTEGER),
      ),
    )
    .action(async (job: string, flags: WatchFlags, command: Command) => {
      const isJson = globalsOf(command).json;
      const outcome = await withFleet(flags, async (open) => {
        for await (const event of open.watch(refOf(job), { after: flags.after })) {
          context.output.out(isJson ? JSON.stringify(event) : eventLine(event));
          if (event.outcome !== undefined) return event.outcome;
        }
        return null;
      });
      if (outcome !== null && !isJson) printOutcome(context, outcome, false);
    });

  fleet
    .command('artifact <seat> <artifact>')
    .description('fetch a picture or a long answer that an outcome names (artifact://…); kept for a day')
    .addOption(credentialFlag())
    .option('--out <file>', 'the new file; default: its hash, here')
    .option('--force', 'replace a file that exists')
    .action(async (seat: string, artifact: string, flags: ArtifactFlags, command: Command) => {
      const bytes = await withFleet(flags, (open) => open.artifact(seat, artifact));
      const file = resolve(flags.out ?? artifact.replace(/^artifact:\/\//, ''));
      await writeNewFile(file, bytes, { hint: 'Choose another file, or give --force.', force: flags.force });
      const { json } = globalsOf(command);
      context.output.out(json ? JSON.stringify({ file, bytes: bytes.length }) : `${file}: ${bytes.length} bytes`);
    });

  fleet
    .command('look <seat>')
    .description('fetch a picture of the window that agents work in, for a viewer whom the machine names')
    .addOption(credentialFlag('a viewer'))
    .requiredOption('--out <file>', 'the new file')
    .option('--follow', 'write each new picture into the file, until it is ended')
    .option('--force', 'replace a file that exists')
    .action((seat: string, flags: LookFlags, command: Command) =>
      lookAt(seat, flags, context, globalsOf(command).json),
    );

  fleet
    .command('cancel <job>')
    .description('end a job: a job that no machine has begun never runs; the action of a running one is cancelled')
    .addOption(credentialFlag())
    .action(async (job: string, flags: { credential: string }, command: Command) => {
      const ref = refOf(job);
      const outcome = await withFleet(flags, (open) => open.cancel(ref));
      if (globalsOf(command).json) return context.output.out(JSON.stringify({ ...ref, outcome }));
      context.output.out(
        outcome === null
          ? 'It is running; its action is cancelled. Watch it for its outcome.'
          : `It has ended: ${outcome.status}.`,
      );
    });

  fleet
    .command('give-up <job>')
    .description('declare a running job lost with its machine: its outcome becomes unknown; status 3')
    .addOption(credentialFlag())
    .action(async (job: string, flags: { credential: string }, command: Command) =>
      printOutcome(context, await withFleet(flags, (open) => open.giveUp(refOf(job))), globalsOf(command).json),
    );
}

/** fleet init, provision, enrol, admit, revoke, policy, members; join, link, status, drain, leave; hosts, run, watch, artifact, look, cancel, give-up. */
export function addFleetCommands(program: Command, context: CliContext): void {
  const fleet = program
    .command('fleet')
    .description('jobs to many machines that dial out to a NATS server')
    .helpGroup('Host:');
  addAdministratorCommands(fleet, context);
  addMemberCommands(fleet, context);
  addMachineCommands(fleet, context, speaking);
  addOrchestratorCommands(fleet, context);
  addApproverCommands(fleet, context, withFleet);
}
