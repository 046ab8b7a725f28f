import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { findCopy, verifyCopy } from '../audit/copy.ts';
import { readKey, renderKey } from '../audit/key.ts';
import { readAuditLog } from '../audit/read.ts';
import type { AuditPlace } from '../audit/verify.ts';
import { dataDirectoryOf } from '../host/client/locate.ts';
import { globalsOf, type CliContext } from './context.ts';
import { FailedError, printable, UnansweredError, UsageError } from './output.ts';
import { replayCopy } from './replay-copy.ts';
import { replayPage } from './replay.ts';

interface Entry {
  readonly seq: number;
  readonly time: string;
  readonly kind: string;
  readonly actor: { readonly tokenId: string | null; readonly surface: string };
  readonly sessionId: string | null;
  readonly action: string | null;
  readonly decision: string | null;
  readonly errorCode: string | null;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('Expected a whole number.');
  return value;
}

function describeEntry({ seq, time, kind, actor, sessionId, action, decision, errorCode }: Entry): string {
  const parts = [
    String(seq).padStart(6),
    time,
    kind.padEnd(10),
    `${actor.tokenId ?? '-'}/${actor.surface}`,
    sessionId ?? '-',
    action ?? '-',
    decision ?? '',
    errorCode ?? '',
  ];
  return printable(parts.join('  ').trimEnd());
}

interface Verdict {
  /** Null: nothing wrong was found, and not everything could be checked. */
  readonly ok: boolean | null;
  readonly records: number;
  readonly head: string;
  readonly firstBad: { readonly seq: number; readonly reason: string } | null;
  readonly unchecked?: readonly string[];
  /** First record whose seal was checked; null where none was. */
  readonly sealsCheckedFrom: number | null;
}

const REASONS: Readonly<Record<string, string>> = {
  hash: 'the record was changed',
  gap: 'records are missing before it',
  order: 'records are not in their order',
  truncated: 'records are missing at the end',
  key: 'the record or the checkpoint was not made with this key',
};

const STATUSES = `
Exit status of verify: 0 the audit is whole, 1 it is damaged, 2 it could not be checked (no host, no audit there, no key, wrong usage).
With --data a copied data directory, or a copy of its folder audit, is read on any system, with no host. The key is audit.key in
that folder; --key names another, as export-key wrote it. The host keeps only the key of its present segment, and seals are checked
from a key's segment on; the records before are checked by their chain. Without a key the chain alone is, and what that leaves open is said.`;

interface CopyFlags {
  readonly data?: string;
  readonly key?: string;
}

const addCopyOptions = (command: Command): Command =>
  command
    .option('--data <dir>', 'a copied data directory, instead of the running host')
    .option('--key <file>', 'with --data: an exported key of the audit; default: the one beside it');

/** The audit of `--data`; null where the running host is meant. Errors: UsageError; UnansweredError where nothing is there. */
function copyOf({ data, key }: CopyFlags): AuditPlace | null {
  if (data === undefined) {
    if (key !== undefined) throw new UsageError('--key belongs to --data.');
    return null;
  }
  if (key !== undefined && readKeyFile(key) === null)
    throw new UnansweredError(
      new FailedError(`${key} holds no audit key.`, 'The key is audit.key in the host’s data directory.'),
    );
  const place = findCopy(data, key);
  if (place === null)
    throw new UnansweredError(
      new FailedError(`There is no audit in ${data}.`, 'Name a copy of a data directory, or of its folder audit.'),
    );
  return place;
}

function readKeyFile(file: string): ReturnType<typeof readKey> {
  try {
    return readKey(file);
  } catch (error) {
    throw new UnansweredError(error);
  }
}

/** Nothing where every seal was checked, or no key was there to check any. */
function sealsOf({ ok, records, sealsCheckedFrom }: Verdict): string | null {
  if (ok !== true || records === 0 || sealsCheckedFrom === 1) return null;
  const checked =
    sealsCheckedFrom === null ? 'No seal was checked' : `Seals were checked from record ${sealsCheckedFrom} on`;
  const before = sealsCheckedFrom === null ? 'the records' : 'the records before it';
  return `${checked}: this key is of a later segment than ${before}, which were checked by the hash chain alone. A key that was exported earlier checks theirs (--data DIR --key FILE).`;
}

function sayVerdict(verdict: Verdict, context: CliContext): void {
  const { ok, records, head, firstBad, unchecked = [] } = verdict;
  const whole = `${records} records, head ${head === '' ? 'none' : head}`;
  if (ok === true) context.output.out(`The audit is whole: ${whole}.`);
  const seals = sealsOf(verdict);
  if (seals !== null) context.output.out(seals);
  if (ok === null) context.output.out(`Nothing wrong was found: ${whole}.`);
  if (unchecked.length > 0)
    context.output.err(
      `Without the audit’s key it could not be checked:\n${unchecked.map((each) => `  ${each}`).join('\n')}`,
    );
  if (ok === false) {
    const { seq = '?', reason = '' } = firstBad ?? {};
    throw new FailedError(
      `The audit is damaged at record ${seq} (${reason === '' ? 'unknown' : `${reason}: ${REASONS[reason] ?? 'unknown'}`}).`,
      'Keep the files as they are, and find out who or what changed them.',
    );
  }
  if (ok === null)
    throw new UnansweredError(
      new FailedError('The audit could not be checked to its end.', 'Name its key with --key FILE.'),
    );
}

async function verdictOf(flags: CopyFlags, context: CliContext): Promise<string> {
  const copy = copyOf(flags);
  try {
    return copy === null
      ? await (await context.connect()).text('GET', '/v1/audit/verify', { scope: 'operator' })
      : JSON.stringify(await verifyCopy(copy));
  } catch (error) {
    // Whatever keeps the verdict from us is none.
    throw new UnansweredError(error);
  }
}

/** audit verify|export-key|show|replay. */
export function addAuditCommands(program: Command, context: CliContext): void {
  const audit = program
    .command('audit')
    .description('what was asked, decided and done')
    .helpGroup('A person in control:')
    .addHelpText('after', STATUSES);

  addCopyOptions(audit.command('verify'))
    .description('whether the audit is whole and unchanged')
    .addHelpText('after', STATUSES)
    .action(async (flags: CopyFlags, command: Command) => {
      const text = await verdictOf(flags, context);
      const { json } = globalsOf(command);
      if (json) context.output.out(text);
      sayVerdict(
        JSON.parse(text) as Verdict,
        json ? { ...context, output: { ...context.output, out: () => {} } } : context,
      );
    });

  audit
    .command('export-key <file>')
    .description('copy the audit’s present key into a new file, for whoever checks the audit later')
    .option('--data <dir>', 'a data directory, instead of the running host’s')
    .addHelpText(
      'after',
      `
Keep the file where no agent and no program of this user reads it: it checks every seal from now on, and could make them, too.`,
    )
    .action(async (file: string, { data }: CopyFlags) => {
      const keyFile = join(data ?? dataDirectoryOf(context.env), 'audit.key');
      const key = readKeyFile(keyFile);
      if (key === null)
        throw new FailedError(`${keyFile} holds no audit key.`, 'A host makes it when it starts for the first time.');
      // Never over a file that is there: it may be an earlier key, which checks more.
      await writeFile(file, renderKey(key), { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST'
          ? new FailedError(
              `${file} is there already and was left as it is.`,
              'Name a new file; an earlier key checks more of the audit.',
            )
          : error;
      });
      context.output.out(
        `The key of segment ${key.segment} is in ${file}. It checks the seals of the audit from that segment on: uiahost audit verify --data DIR --key FILE.`,
      );
    });

  addCopyOptions(audit.command('show'))
    .description('print entries')
    .addOption(new Option('--after <seq>', 'from the entry after this one').default(0).argParser(wholeNumber))
    .addOption(new Option('--limit <number>', 'at most so many').default(100).argParser(wholeNumber))
    .action(async ({ after, limit, ...flags }: CopyFlags & { after: number; limit: number }, command: Command) => {
      const copy = copyOf(flags);
      const text =
        copy === null
          ? await (
              await context.connect()
            ).text('GET', `/v1/audit?after=${after}&limit=${limit}`, { scope: 'operator' })
          : JSON.stringify(await readAuditLog(copy.directory, { after, limit }));
      const { entries } = JSON.parse(text) as { entries: Entry[] };
      context.output.out(
        globalsOf(command).json ? text : entries.length === 0 ? 'No entries.' : entries.map(describeEntry).join('\n'),
      );
    });

  addCopyOptions(audit.command('replay <session>'))
    .description('write a session as one HTML page: entries, events, cards and pictures in their order')
    .requiredOption('--output <file>', 'the page to write')
    .action(async (session: string, { output, ...flags }: CopyFlags & { output: string }) => {
      const copy = copyOf(flags);
      const page =
        copy === null
          ? await replayPage(await context.connect(), session)
          : await replayCopy(copy, flags.data ?? '', session);
      await writeFile(output, page.html);
      context.output.err(
        `written to ${output}: ${page.entries} entries, ${page.pictures} pictures${copy === null ? '' : '; events and cards are in the host’s database and not on it'}`,
      );
    });
}
