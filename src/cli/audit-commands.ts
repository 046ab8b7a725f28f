// `uiahost audit`: verify, show and replay the audit of a host, of a copied data directory or of an export, and export its key.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Option, type Command } from 'commander';
import { findCopy, verifyCopy, type CopyVerdict } from '../audit/copy.ts';
import { renderKey } from '../audit/key.ts';
import { readAuditLog } from '../audit/files.ts';
import type { AuditEntry, AuditPage } from '../audit/entry.ts';
import type { AuditPlace } from '../audit/verify.ts';
import { exportedEntries, withFile } from '../audit/verify-export.ts';
import { dataDirectoryOf } from '../client/locate.ts';
import { jsonText } from '../contract/json/quoted.ts';
import { addAuditExport, bundleVerdict, faultText, sayBundleVerdict, sealsOf, readKeyFile } from './audit-export.ts';
import { globalsOf, whole, type CliContext } from './flags.ts';
import { FailedError, printable, unanswered, UnansweredError, UsageError, writeNewFile } from './output.ts';
import { renderReport } from '../routines/report.ts';
import { sessionOfCopy, sessionOfHost } from './replay.ts';

function describeEntry(entry: Partial<AuditEntry>): string {
  const { seq, time, kind, actor, sessionId, action, decision, errorCode } = entry;
  const parts = [
    String(seq).padStart(6),
    time ?? '-',
    (kind ?? '-').padEnd(10),
    `${actor?.tokenId ?? '-'}/${actor?.surface ?? '-'}`,
    sessionId ?? '-',
    action ?? '-',
    decision ?? '',
    errorCode ?? '',
  ];
  return printable(parts.join('  ').trimEnd());
}

/** A host's has no list of what could not be checked; an older host's not where it is complete from. */
type Verdict = Omit<CopyVerdict, 'unchecked' | 'completeFrom'> &
  Partial<Pick<CopyVerdict, 'unchecked' | 'completeFrom'>>;

const STATUSES = `
Exit status of verify: 0 the audit is whole, 1 it is damaged, 2 it could not be checked (no host, no audit there, no key, wrong usage).
With --data a copied data directory, or a copy of its folder audit, is read on any system, with no host. The key is audit.key in
that folder; --key names another, as export-key wrote it. The host keeps only the key of its present segment, and seals are checked
from a key's segment on; the records before are checked by their chain. Without a key the chain alone is, and what that leaves open is said.
With --bundle, a file written by uiahost audit export is checked in the same way. Only a key that you kept (--key FILE) can tell that
it is complete and unchanged: an audit.key next to the file is used to find damage, but whoever made the file could have put it there.`;

interface CopyFlags {
  readonly data?: string;
  readonly key?: string;
}

const addCopyOptions = (command: Command): Command =>
  command
    .option('--data <dir>', 'a copied data directory instead of the running host')
    .option('--key <file>', 'with --data: an exported audit key; default: the key in that directory');

/** The audit in `--data`; null for the running host. Errors: UsageError; UnansweredError if there is no audit. */
function copyOf({ data, key }: CopyFlags): AuditPlace | null {
  if (data === undefined) {
    if (key !== undefined) throw new UsageError('--key needs --data or --bundle.');
    return null;
  }
  if (key !== undefined && readKeyFile(key) === null)
    throw unanswered(
      `${key} does not contain an audit key.`,
      'The key is the file audit.key in the host’s data directory.',
    );
  const place = findCopy(data, key);
  if (place === null)
    throw unanswered(`There is no audit in ${data}.`, 'Give a copy of a data directory, or of its audit folder.');
  return place;
}

function sayVerdict(verdict: Verdict, context: CliContext): void {
  const { ok, records, head, firstBad, unchecked = [], completeFrom = 1 } = verdict;
  const whole = `${records} records, head ${head === '' ? 'none' : head}`;
  const from = completeFrom === 1 ? '' : ` from record ${completeFrom} (earlier ones were deleted by the policy)`;
  if (ok === true) context.output.out(`The audit is complete and unchanged${from}: ${whole}.`);
  const seals = sealsOf(verdict, completeFrom, '--data DIR --key FILE');
  if (seals !== null) context.output.out(seals);
  if (ok === null) context.output.out(`No damage found: ${whole}.`);
  if (unchecked.length > 0)
    context.output.err(`The following could not be checked:\n${unchecked.map((each) => `  ${each}`).join('\n')}`);
  if (ok === false) {
    const { seq = '?', reason = '' } = firstBad ?? {};
    throw new FailedError(
      `The audit is damaged at record ${seq} (${reason === '' ? 'unknown' : `${reason}: ${faultText(reason)}`}).`,
      'Keep the files unchanged and find out who or what changed them.',
    );
  }
  if (ok === null)
    throw unanswered(
      'The audit could not be checked completely.',
      verdict.sealsCheckedFrom === null ? 'Give its key with --key FILE.' : undefined,
    );
}

async function verdictOf(flags: CopyFlags, context: CliContext): Promise<string> {
  const copy = copyOf(flags);
  try {
    return copy === null
      ? await (await context.connect()).text('GET', '/v1/audit/verify', { scope: 'operator' })
      : JSON.stringify(await verifyCopy(copy));
  } catch (error) {
    // A failure to get the verdict is not a verdict.
    throw new UnansweredError(error);
  }
}

interface ShowFlags extends CopyFlags {
  readonly after: number;
  readonly limit: number;
  readonly bundle?: string;
}

/** A page of an exported file. Errors: UnansweredError if it cannot be read. */
function pageOf(bundle: string, after: number, limit: number): AuditPage {
  try {
    return withFile(bundle, (bytes) => {
      const entries: AuditEntry[] = [];
      for (const entry of exportedEntries(bytes, after)) {
        if (entries.length === limit) return { entries, next: entries.at(-1)?.seq ?? null };
        entries.push(entry);
      }
      return { entries, next: null };
    });
  } catch (error) {
    throw new UnansweredError(error);
  }
}

/** audit verify|export|export-key|show|replay. */
export function addAuditCommands(program: Command, context: CliContext): void {
  const audit = program
    .command('audit')
    .description('read and check the record of what was requested, decided and done')
    .helpGroup('A person in control:')
    .addHelpText('after', STATUSES);

  addCopyOptions(audit.command('verify'))
    .option('--bundle <file>', 'a file written by `audit export` instead')
    .description('check that the audit is complete and unchanged')
    .addHelpText('after', STATUSES)
    .action(async ({ bundle, ...flags }: CopyFlags & { bundle?: string }, command: Command) => {
      const { json } = globalsOf(command);
      const said = json ? { ...context, output: { ...context.output, out: () => {} } } : context;
      if (bundle !== undefined) {
        if (flags.data !== undefined) throw new UsageError('Give --data or --bundle, not both.');
        const verdict = bundleVerdict(bundle, flags.key);
        if (json) context.output.out(jsonText(verdict));
        return sayBundleVerdict(verdict, said);
      }
      const text = await verdictOf(flags, context);
      if (json) context.output.out(text);
      sayVerdict(JSON.parse(text) as Verdict, said);
    });

  audit
    .command('export-key <file>')
    .description('copy the current audit key to a new file, to check the audit later')
    .option('--data <dir>', 'a data directory instead of the running host’s')
    .addHelpText(
      'after',
      `
Keep the file where no agent and no program of this user reads it: it checks every seal from now on, and could make them, too.`,
    )
    .action(async (file: string, { data }: CopyFlags) => {
      const keyFile = join(data ?? dataDirectoryOf(context.env), 'audit.key');
      const key = readKeyFile(keyFile);
      if (key === null)
        throw new FailedError(`${keyFile} does not contain an audit key.`, 'The host creates it on its first start.');
      // Never overwrite a file: it may be an earlier key, which checks more.
      const hint = 'Choose a new file: an earlier key checks more of the audit.';
      await writeNewFile(file, renderKey(key), { hint, mode: 0o600 });
      context.output.out(
        `Wrote the key of segment ${key.segment} to ${file}. It checks the seals from that segment on: uiahost audit verify --data DIR --key FILE.`,
      );
    });

  addAuditExport(audit, context);

  addCopyOptions(audit.command('show'))
    .option('--bundle <file>', 'a file written by `audit export` instead')
    .description('print entries')
    .addOption(new Option('--after <seq>', 'start after this entry').default(0).argParser(whole()))
    .addOption(new Option('--limit <number>', 'most entries to print').default(100).argParser(whole()))
    .action(async ({ after, limit, bundle, ...flags }: ShowFlags, command: Command) => {
      const copy = bundle === undefined ? copyOf(flags) : null;
      const text =
        bundle !== undefined
          ? jsonText(pageOf(bundle, after, limit))
          : copy === null
            ? await (
                await context.connect()
              ).text('GET', `/v1/audit?after=${after}&limit=${limit}`, { scope: 'operator' })
            : JSON.stringify(await readAuditLog(copy.directory, { after, limit }));
      const { entries } = JSON.parse(text) as AuditPage;
      context.output.out(
        globalsOf(command).json ? text : entries.length === 0 ? 'No entries.' : entries.map(describeEntry).join('\n'),
      );
    });

  addCopyOptions(audit.command('replay <session>'))
    .description('write a session as one HTML page: entries, events, cards and pictures in order')
    .requiredOption('--output <file>', 'the page to write')
    .action(async (session: string, { output, ...flags }: CopyFlags & { output: string }) => {
      const copy = copyOf(flags);
      const record =
        copy === null
          ? await sessionOfHost(await context.connect(), session)
          : await sessionOfCopy(copy, flags.data ?? '', session);
      await writeFile(output, renderReport([{ run: null, record }]));
      context.output.err(
        `Wrote ${output}: ${record.entries.length} entries, ${record.pictures.size} pictures${copy === null ? '.' : '. Events and cards are missing: they are in the host’s database.'}`,
      );
    });
}
