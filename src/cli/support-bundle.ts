// `uiahost support-bundle FILE.zip`: what a person who helps needs to see, and nothing that windows showed or a person typed.
import { existsSync, readFileSync } from 'node:fs';
import { hostname, release, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { findCopy, verifyCopy } from '../audit/copy.ts';
import { zip, type ZipEntry } from '../base/zip.ts';
import type { DoctorFinding } from '../contract/process/doctor.ts';
import type { PolicySources } from '../contract/gate/policy-sources.ts';
import { SETTINGS } from '../contract/process/settings.ts';
import { dataDirectoryOf } from '../client/locate.ts';
import { adding, type Answer, type CliContext } from './flags.ts';
import { examine, type Examination } from './doctor.ts';
import { FailedError, writeNewFile } from './output.ts';
import { askNative, nativeBundle } from './start.ts';
import { policySources } from './policy-commands.ts';
import { attempt } from '../contract/attempt.ts';

const README = `Support bundle of uiahost

doctor.json        what is wrong, and its cure
status.json        the host's status, without titles of windows; null if no host answered
policy.json        every setting of the policy, where its value comes from, what narrowed it
machine.json       versions, service, sign-in entry, free space, rights of files
audit.json         the verdict on the audit, not its content
events.json        events of source uiahost in the Windows event log, by number; texts are left out
counters.txt       the host's counters, as GET /metrics answers them

Left out: titles and content of windows, typed text, tokens, keys, passwords, environment variables (their names are listed).
Logs are not here: they may name windows. Names of the user and of the computer are replaced.
Look at the files before you pass them on.
`;

/** Variables whose values are secrets wherever they occur. */
const SECRET_VARIABLE = /(TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|CREDENTIAL|PRIVATE)/i;
const SECRET_FILES = [
  'agent.token',
  'operator.token',
  'agent.given-token',
  'operator.given-token',
  'host.key',
  'audit.key',
];
/** Shorter values would also replace ordinary words. */
const SHORTEST = 4;

const LEFT_OUT = '[left out]';

interface Redactor {
  /** Replaces names and secrets. */
  text(text: string): string;
  /** The same in every text of a value, keys included. */
  value(value: unknown): unknown;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function secretsIn(dataDirectory: string, env: NodeJS.ProcessEnv): string[] {
  const ofFiles = SECRET_FILES.flatMap((name) => {
    return attempt(() => {
      // audit.key has several parts; each is a secret.
      return readFileSync(join(dataDirectory, name), 'latin1').split(/[\s\0]+/);
    }, []);
  });
  const ofVariables = Object.entries(env).flatMap(([name, value]) =>
    SECRET_VARIABLE.test(name) && value !== undefined ? [value.trim()] : [],
  );
  return [...ofFiles, ...ofVariables].filter((secret) => secret.length >= 8);
}

function namesIn(env: NodeJS.ProcessEnv): Array<[name: string, placeholder: string]> {
  const user = ((): string => {
    return attempt(() => userInfo().username, '');
  })();
  const names: Array<[string | undefined, string]> = [
    [env['USERPROFILE'], '%USERPROFILE%'],
    [env['HOME'], '%USERPROFILE%'],
    [env['USERNAME'], '%USERNAME%'],
    [env['USER'], '%USERNAME%'],
    [user, '%USERNAME%'],
    [env['USERDOMAIN'], '%USERDOMAIN%'],
    [env['COMPUTERNAME'], '%COMPUTERNAME%'],
    [hostname(), '%COMPUTERNAME%'],
  ];
  return names.flatMap(([name, placeholder]): Array<[string, string]> =>
    name === undefined || name.trim().length < SHORTEST ? [] : [[name.trim(), placeholder]],
  );
}

/** Replaces longer texts first: a profile's path contains the user's name. */
export function createRedactor(dataDirectory: string, env: NodeJS.ProcessEnv): Redactor {
  const replaced = new Map<string, string>();
  for (const [name, placeholder] of namesIn(env)) {
    replaced.set(name.toLowerCase(), placeholder);
    // As JSON and URLs write paths.
    replaced.set(name.replaceAll('\\', '\\\\').toLowerCase(), placeholder);
    replaced.set(name.replaceAll('\\', '/').toLowerCase(), placeholder);
  }
  for (const secret of secretsIn(dataDirectory, env)) replaced.set(secret.toLowerCase(), '[secret]');
  const words = [...replaced.keys()].sort((a, b) => b.length - a.length);
  const pattern = words.length === 0 ? null : new RegExp(words.map(escaped).join('|'), 'gi');
  // The profile of any user, including users that this process does not know.
  const profile = /([A-Za-z]:[\\/]+Users[\\/]+|\/home\/)[^\\/\s"'\u201c\u201d;,]+/gi;
  const text = (given: string): string =>
    (pattern === null
      ? given
      : given.replaceAll(pattern, (found) => replaced.get(found.toLowerCase()) ?? LEFT_OUT)
    ).replaceAll(profile, (_found, before: string) => `${before}%USERNAME%`);
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, each]) => [text(key), value(each)]));
  };
  return { text, value };
}

/** Texts quoted in a sentence come from other programs. */
const withoutQuotes = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|\u201c[^\u201d]*\u201d/g, `"${LEFT_OUT}"`);

const findingsOf = (findings: readonly DoctorFinding[]): unknown =>
  findings.map((finding) => ({ ...finding, message: withoutQuotes(finding.message) }));

/** What a status says about the host itself. */
function statusOf(status: Examination['status']): unknown {
  if (status === null) return null;
  const { level, stopped, capabilities, worker, version, binding } = status as Record<string, never>;
  return {
    level,
    stopped,
    capabilities,
    worker,
    version,
    bound: (binding as { bound?: unknown } | undefined)?.bound === true,
  };
}

/** Sessions without their users, and no command lines of other programs. */
function machineOf(facts: Examination['facts']): unknown {
  if (facts === null) return null;
  const { service, ...rest } = facts as { service?: { sessions?: Array<Record<string, unknown>>; events?: unknown } };
  const { sessions = [], events: _events, ...registration } = service ?? {};
  return {
    ...rest,
    service: { ...registration, sessions: sessions.map(({ user: _user, ...session }) => session) },
  };
}

const NOTE = /record (\d{1,15}) has the hash ([0-9a-f]{64})\.$/;

/** Any program can write events under any name: only what has the form of ours is kept. */
function eventsOf(events: ReadonlyArray<{ time: string; id: number; type: number; text: string }>): unknown {
  return events.map(({ time, id, type, text }) => {
    const [, record, hash] = NOTE.exec(text.trim()) ?? [];
    return { time, id, type, ...(record === undefined ? {} : { record: Number(record), hash }) };
  });
}

/** Something that could not be had says why, in its place. */
const orWhy = async <T>(work: () => Promise<T>): Promise<T | { unavailable: string }> =>
  work().catch((error: unknown) => ({
    unavailable: withoutQuotes(error instanceof Error ? error.message : String(error)),
  }));

const json = (redactor: Redactor, value: unknown): string => `${JSON.stringify(redactor.value(value), null, 2)}\n`;

/** Everything that goes into the file. Never fails: what cannot be had is named. */
async function supportFiles(context: CliContext, now: Date): Promise<ZipEntry[]> {
  const data = dataDirectoryOf(context.env);
  const redactor = createRedactor(data, context.env);
  const seen = await orWhy(() => examine(context, { audit: true }));
  const examination: Examination =
    'unavailable' in seen
      ? {
          findings: [{ code: 'not_examined', severity: 'blocks', message: seen.unavailable, cure: '' }],
          status: null,
          facts: null,
        }
      : seen;
  const policy: PolicySources | { unavailable: string } = await orWhy(() => policySources(context));
  const bundle = nativeBundle('inspect');
  const events = await orWhy(async () =>
    bundle === null ? [] : askNative<Parameters<typeof eventsOf>[0]>(bundle, ['events', data]),
  );
  const verdict = await orWhy(async () => {
    const copy = findCopy(data);
    return copy === null ? null : verifyCopy(copy);
  });
  const counters = await orWhy(async () => (await context.connect()).text('GET', '/metrics'));
  const machine = {
    madeAt: now.toISOString(),
    uiahost: context.version,
    node: process.version,
    system: `${process.platform} ${release()} ${process.arch}`,
    settings: Object.keys(SETTINGS).filter((name) => (context.env[name] ?? '') !== ''),
    machine: machineOf(examination.facts),
  };
  return [
    { name: 'README.txt', content: README },
    { name: 'doctor.json', content: json(redactor, findingsOf(examination.findings)) },
    { name: 'status.json', content: json(redactor, statusOf(examination.status)) },
    { name: 'policy.json', content: json(redactor, policy) },
    { name: 'machine.json', content: json(redactor, machine) },
    { name: 'audit.json', content: json(redactor, verdict) },
    { name: 'events.json', content: json(redactor, 'unavailable' in events ? events : eventsOf(events)) },
    {
      name: 'counters.txt',
      content: redactor.text(typeof counters === 'string' ? counters : `# ${counters.unavailable}\n`),
    },
  ];
}

export function addSupportBundle(program: Command, context: CliContext): void {
  const write = async (file: string, { force }: { force?: boolean }): Promise<Answer> => {
    const hint = 'Choose another file, or give --force.';
    if (existsSync(file) && force !== true) throw new FailedError(`${file} already exists and was not changed.`, hint);
    const now = new Date();
    const files = await supportFiles(context, now);
    await writeNewFile(file, zip(files, now), { hint, force, mode: 0o600 });
    const names = files.map(({ name }) => name);
    const text = `Wrote ${file}: ${names.join(', ')}. Look at it before you pass it on.`;
    return { value: { file, files: names }, text };
  };
  adding(program, context)('support-bundle <file>', write)
    .description('gather diagnosis, status, policy, versions and counters in one zip file')
    .helpGroup('Host:')
    .option('--force', 'replace a file that exists')
    .addHelpText(
      'after',
      `
Works with and without a running host. No titles or content of windows, no typed text, no tokens, keys or passwords, no values of
environment variables, no logs; names of the user and of the computer are replaced. Look at it before you pass it on.`,
    );
}
