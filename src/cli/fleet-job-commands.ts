// `uiahost fleet …` for orchestrators and viewers: the seats, jobs and their outcomes.
import { resolve } from 'node:path';
import { Option } from 'commander';
import { MAX_DEPTH, parseStrictJson } from '../contract/json/strict-json.ts';
import type { FleetEvent, FleetJobRef, FleetOutcome, FleetStep } from '../fleet/orchestrator/types.ts';
import { credentialFlag, withFleet, type CredentialFlags } from './fleet-command.ts';
import { givenText, print, textIn, whole, type Add, type Answer, type Call } from './flags.ts';
import { printable, table, UsageError, writeNewFile } from './output.ts';

/** Status 3: the outcome is unknown. */
const UNKNOWN = 3;
const MINUTE_MS = 60_000;

/** `TARGET.ID`, as commands print it. */
function refOf(job: string): FleetJobRef {
  const dot = job.indexOf('.');
  if (dot < 0) throw new UsageError('A job is named TARGET.ID, as `uiahost fleet run` prints it.');
  return { target: job.slice(0, dot), id: job.slice(dot + 1) };
}

function outcomeAnswer(outcome: FleetOutcome): Answer {
  const { target, id, status, delivery, code, step, seat, late } = outcome;
  const words = [
    `${target}.${id}: ${status}`,
    ...(seat === null ? [] : [`on ${seat}`]),
    ...(status === 'succeeded'
      ? []
      : [`(${code ?? 'no reason'}${step === undefined ? '' : `, step ${step}`}: ${delivery})`]),
    ...(late === true ? ['late'] : []),
  ];
  const exit = status === 'succeeded' ? undefined : status === 'unknown' ? UNKNOWN : 1;
  return { value: outcome, text: printable(words.join(' ')), status: exit };
}

interface RunFlags extends CredentialFlags {
  readonly key?: string;
  readonly startWithin: number;
  readonly runWithin: number;
  readonly lostAfter?: number;
  readonly wait: boolean;
}

interface WatchFlags extends CredentialFlags {
  readonly after?: number;
}

interface ArtifactFlags extends CredentialFlags {
  readonly out?: string;
  readonly force?: boolean;
}

async function stepsIn(place: string): Promise<FleetStep[]> {
  const given: unknown = parseStrictJson(place === '-' ? await givenText() : textIn(place), { depth: MAX_DEPTH });
  const steps = Array.isArray(given) ? given : [given];
  if (steps.every((step): step is FleetStep => typeof (step as { action?: unknown } | null)?.action === 'string'))
    return steps;
  throw new UsageError(`${place}: expected a list of steps, each {"action": NAME, "input": {…}}.`);
}

async function runJob(target: string, place: string, flags: RunFlags, { output, isJson }: Call): Promise<Answer> {
  const steps = await stepsIn(place).catch((error: unknown) => {
    throw error instanceof UsageError ? error : new UsageError(`${place}: ${(error as Error).message}`);
  });
  return withFleet(flags, async (fleet) => {
    const job = await fleet.submit(target, steps, {
      idempotencyKey: flags.key,
      notAfterMs: flags.startWithin * MINUTE_MS,
      runMs: flags.runWithin * MINUTE_MS,
    });
    const name = `${job.target}.${job.id}`;
    if (!flags.wait) return { value: job, text: name };
    if (!isJson) output.err(`${name}${job.isAgain ? ' (submitted before)' : ''}`);
    const lostAfterMs = flags.lostAfter === undefined ? undefined : flags.lostAfter * MINUTE_MS;
    return outcomeAnswer(await fleet.wait(job, { lostAfterMs }));
  });
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

async function listHosts(flags: CredentialFlags): Promise<Answer> {
  const hosts = await withFleet(flags, (fleet) => fleet.hosts());
  const rows = hosts.map(({ seat, state, silentMs, pools, version, ...host }) => ({
    seat,
    state,
    silent: `${Math.round(silentMs / 1000)} s`,
    pools: pools.join(' '),
    version: version ?? '-',
    level: host.level ?? '-',
    'takes no job': host.takesNoJob,
    policy: host.policyVersion,
    job: host.job,
  }));
  return { value: { hosts }, text: rows.length === 0 ? 'No seat has been there.' : table(rows) };
}

const watchJob = (job: string, flags: WatchFlags, call: Call): Promise<Answer | null> =>
  withFleet(flags, async (open) => {
    for await (const event of open.watch(refOf(job), { after: flags.after })) {
      print(call, { value: event, text: eventLine(event) });
      if (event.outcome !== undefined && !call.isJson) return outcomeAnswer(event.outcome);
    }
    return null;
  });

async function fetchArtifact(seat: string, artifact: string, flags: ArtifactFlags): Promise<Answer> {
  const bytes = await withFleet(flags, (open) => open.artifact(seat, artifact));
  const file = resolve(flags.out ?? artifact.replace(/^artifact:\/\//, ''));
  await writeNewFile(file, bytes, { hint: 'Choose another file, or give --force.', force: flags.force });
  return { value: { file, bytes: bytes.length }, text: `${file}: ${bytes.length} bytes` };
}

async function cancelJob(job: string, flags: CredentialFlags): Promise<Answer> {
  const ref = refOf(job);
  const outcome = await withFleet(flags, (open) => open.cancel(ref));
  const running = 'It is running; its action is cancelled. Watch it for its outcome.';
  return { value: { ...ref, outcome }, text: outcome === null ? running : `It has ended: ${outcome.status}.` };
}

const giveUpJob = (job: string, flags: CredentialFlags): Promise<Answer> =>
  withFleet(flags, async (open) => outcomeAnswer(await open.giveUp(refOf(job))));

export function addJobCommands(add: Add): void {
  const minutes = (flag: string, meaning: string, most = 1440): Option =>
    new Option(`${flag} <minutes>`, meaning).argParser(whole(1, most));
  add('hosts', listHosts).description('list the seats, and whether each is there').addOption(credentialFlag());
  add('run <target> <steps>', runJob)
    .description('submit a job to a seat (h_…) or a pool (p_…) and wait for its outcome: 0 succeeded, 1 not, 3 unknown')
    .addOption(credentialFlag())
    .option('--key <key>', 'your own id of the job: the same key runs it once')
    .addOption(minutes('--start-within', 'latest start').default(15))
    .addOption(minutes('--run-within', 'time from its start').default(10))
    .addOption(minutes('--lost-after', 'give it up when its seat was gone so long', 10_080))
    .option('--no-wait', 'print the job’s name at once')
    .addHelpText(
      'after',
      '\nSTEPS is a JSON file, or - for standard input: [{"action": "bind-to-window", "input": {"title": "Demo"}}, …]',
    );
  add('watch <job>', watchJob)
    .description('show each step of a job, from its begin until its outcome')
    .addOption(credentialFlag())
    .addOption(
      new Option('--after <sequence>', 'continue: steps after this sequence (--json shows it)').argParser(
        whole(0, Number.MAX_SAFE_INTEGER),
      ),
    );
  add('artifact <seat> <artifact>', fetchArtifact)
    .description('fetch a picture or a long answer that an outcome names (artifact://…); kept for a day')
    .addOption(credentialFlag())
    .option('--out <file>', 'the new file; default: its hash, here')
    .option('--force', 'replace a file that exists');
  add('cancel <job>', cancelJob)
    .description('end a job: a job that no machine has begun never runs; the action of a running one is cancelled')
    .addOption(credentialFlag());
  add('give-up <job>', giveUpJob)
    .description('declare a running job lost with its machine: its outcome becomes unknown; status 3')
    .addOption(credentialFlag());
}
