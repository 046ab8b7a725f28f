// `uiahost support-bundle FILE.zip`: what a person who helps needs to see, and nothing that windows showed or a person typed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { findCopy, verifyCopy } from '../audit/copy.ts';
import { zip, type ZipEntry } from '../base/zip.ts';
import type { DoctorFinding } from '../contract/process/doctor.ts';
import type { PolicySources } from '../contract/gate/policy-sources.ts';
import { SETTINGS } from '../contract/process/settings.ts';
import { dataDirectoryOf } from '../client/locate.ts';
import { globalsOf, type CliContext } from './flags.ts';
import { examine, type Examination } from './doctor.ts';
import { askNative, nativeBundle } from './native-bundle.ts';
import { FailedError } from './output.ts';
import { policySources } from './policy-commands.ts';
import { packageFolder } from './start.ts';
import { createRedactor, knownTexts, LEFT_OUT, redactLog, type KnownText, type Redactor } from './support-redaction.ts';

/** The end of a log: what happened last is what matters. */
const LOG_BYTES = 2 * 1024 * 1024;
const LOG = /^(host|service)\.log(\.\d)?$/;

const README = `Support bundle of uiahost

doctor.json        what is wrong, and its cure
status.json        the host's status, without titles of windows; null if no host answered
policy.json        every setting of the policy, where its value comes from, what narrowed it
machine.json       versions, service, sign-in entry, free space, rights of files
audit.json         the verdict on the audit, not its content
events.json        events of source uiahost in the Windows event log, by number; texts are left out
logs/              the host's and the service's logs

Left out: titles and content of windows, typed text, tokens, keys, passwords, environment variables (their names are listed).
Names of the user and of the computer are replaced. In logs only texts of uiahost itself are kept; all others read "${LEFT_OUT}".
Look at the files before you pass them on.
`;

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

function tailOf(file: string): string {
  const bytes = readFileSync(file);
  const text = bytes.subarray(Math.max(0, bytes.length - LOG_BYTES)).toString('utf8');
  return bytes.length > LOG_BYTES ? text.slice(text.indexOf('\n') + 1) : text;
}

function logsIn(folder: string, name: string, isKnown: KnownText): ZipEntry[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => LOG.test(file))
    .flatMap((file) => {
      try {
        return [{ name: `logs/${name}${file}`, content: redactLog(tailOf(join(folder, file)), isKnown) }];
      } catch {
        return [];
      }
    });
}

/** The program's own text, from its bundles; without a build there is no such text, and logs are left without texts. */
function programCode(): string {
  const folder = join(packageFolder(), 'dist');
  if (!existsSync(folder)) return '';
  return readdirSync(folder)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

/** Something that could not be had says why, in its place. */
const orWhy = async <T>(work: () => Promise<T>): Promise<T | { unavailable: string }> =>
  work().catch((error: unknown) => ({
    unavailable: withoutQuotes(error instanceof Error ? error.message : String(error)),
  }));

const json = (redactor: Redactor, value: unknown): string => `${JSON.stringify(redactor.value(value), null, 2)}\n`;

/** Everything that goes into the file. Never fails: what cannot be had is named. */
async function supportFiles(context: CliContext, now: Date, code = programCode()): Promise<ZipEntry[]> {
  const data = dataDirectoryOf(context.env);
  const redactor = createRedactor(data, context.env);
  const isKnown = knownTexts(code);
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
  const machine = {
    madeAt: now.toISOString(),
    uiahost: context.version,
    node: process.version,
    system: `${process.platform} ${release()} ${process.arch}`,
    settings: Object.keys(SETTINGS).filter((name) => (context.env[name] ?? '') !== ''),
    machine: machineOf(examination.facts),
  };
  const programData = context.env['ProgramData'] ?? context.env['PROGRAMDATA'];
  return [
    { name: 'README.txt', content: README },
    { name: 'doctor.json', content: json(redactor, findingsOf(examination.findings)) },
    { name: 'status.json', content: json(redactor, statusOf(examination.status)) },
    { name: 'policy.json', content: json(redactor, policy) },
    { name: 'machine.json', content: json(redactor, machine) },
    { name: 'audit.json', content: json(redactor, verdict) },
    { name: 'events.json', content: json(redactor, 'unavailable' in events ? events : eventsOf(events)) },
    ...[
      ...logsIn(join(data, 'logs'), '', isKnown),
      ...(programData === undefined ? [] : logsIn(join(programData, 'uiahost', 'service'), '', isKnown)),
    ].map(({ name, content }) => ({ name, content: redactor.text(String(content)) })),
  ];
}

export function addSupportBundle(program: Command, context: CliContext): void {
  program
    .command('support-bundle <file>')
    .description('gather diagnosis, status, policy, versions and redacted logs in one zip file')
    .helpGroup('Host:')
    .option('--force', 'replace a file that exists')
    .addHelpText(
      'after',
      `
Works with and without a running host. No titles or content of windows, no typed text, no tokens, keys or passwords, no values of
environment variables; names of the user and of the computer are replaced. Look at it before you pass it on.`,
    )
    .action(async (file: string, { force }: { force?: boolean }, command: Command) => {
      if (existsSync(file) && force !== true)
        throw new FailedError(`${file} already exists and was not changed.`, 'Choose another file, or give --force.');
      const now = new Date();
      const files = await supportFiles(context, now);
      await writeFile(file, zip(files, now), { mode: 0o600, flag: force === true ? 'w' : 'wx' }).catch(
        (error: NodeJS.ErrnoException) => {
          throw new FailedError(`${file} could not be written: ${String(error.code)}.`);
        },
      );
      const names = files.map(({ name }) => name);
      if (globalsOf(command).json) context.output.out(JSON.stringify({ file, files: names }));
      else context.output.out(`Wrote ${file}: ${names.join(', ')}. Look at it before you pass it on.`);
    });
}
