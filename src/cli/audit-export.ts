// `uiahost audit export` and `audit verify --bundle`: a part of the audit as one file that can be checked on its own.
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Option, type Command } from 'commander';
import { findCopy } from '../audit/copy.ts';
import { exportAudit, verifyExport, type ExportVerdict } from '../audit/export.ts';
import { readKey, type SegmentKey } from '../audit/key.ts';
import { dataDirectoryOf } from '../client/locate.ts';
import { globalsOf, type CliContext } from './flags.ts';
import { FailedError, UnansweredError, UsageError } from './output.ts';

export const REASONS: Readonly<Record<string, string>> = {
  hash: 'the record was changed',
  gap: 'records are missing before it',
  order: 'records are out of order',
  truncated: 'records are missing at the end',
  key: 'the record or the checkpoint was not made with this key',
};

/** The key in a file; null if it has none. Errors: UnansweredError if the file cannot be read. */
export function readKeyFile(file: string): ReturnType<typeof readKey> {
  try {
    return readKey(file);
  } catch (error) {
    throw new UnansweredError(error);
  }
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `2026-03-01`, `2026-03-01T08:00`, `2026-03-01T08:00:00Z`, `24h`, `7d`. A date alone ends with its last moment where `isEnd`. Errors: UsageError. */
export function readTime(text: string, name: string, isEnd = false, now = Date.now()): Date {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return new Date(now - Number(count) * (UNITS[unit] ?? 0));
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/.test(text);
  // A date alone is a day at this machine, as a time without a zone is.
  const time = isDate ? new Date(`${text}T${isEnd ? '23:59:59.999' : '00:00:00'}`) : new Date(text);
  if ((!isDate && !isTime) || Number.isNaN(time.getTime()))
    throw new UsageError(
      `${name} is ${JSON.stringify(text)}; give a date (2026-03-01), a time (2026-03-01T08:00 or 2026-03-01T08:00:00Z), or an age (90m, 24h, 7d).`,
    );
  return time;
}

interface ExportFlags {
  readonly since?: string;
  readonly until?: string;
  readonly out: string;
  readonly data?: string;
  readonly key?: string;
  readonly force?: boolean;
}

export function addAuditExport(audit: Command, context: CliContext): void {
  audit
    .command('export')
    .description('write the records of a time to one file that can be checked on its own, on any system')
    .requiredOption('--out <file>', 'the file to write')
    .option('--since <time>', 'first time: 2026-03-01, 2026-03-01T08:00, 24h, 7d; default: the beginning')
    .option('--until <time>', 'last time; default: now')
    .option('--data <dir>', 'a data directory, or a copy; default: this user’s. No host needs to run')
    .option('--key <file>', 'an exported audit key; default: the key in the data directory')
    .addOption(new Option('--force', 'replace a file that exists'))
    .addHelpText(
      'after',
      `
Check the file with: uiahost audit verify --bundle FILE [--key KEY]
It has no tokens, no passwords and no typed text; names of windows and persons may be in it.
Exit status: 0 written, 1 written from a damaged audit or not written, 2 nothing to export or wrong usage.`,
    )
    .action(async (flags: ExportFlags, command: Command) => {
      const folder = flags.data ?? dataDirectoryOf(context.env);
      if (flags.key !== undefined && readKeyFile(flags.key) === null)
        throw new UnansweredError(new FailedError(`${flags.key} does not contain an audit key.`));
      const copy = findCopy(folder, flags.key);
      if (copy === null)
        throw new UnansweredError(
          new FailedError(`There is no audit in ${folder}.`, 'Give a data directory with --data DIR.'),
        );
      const since = flags.since === undefined ? null : readTime(flags.since, '--since');
      const until = flags.until === undefined ? null : readTime(flags.until, '--until', true);
      if (since !== null && until !== null && since > until) throw new UsageError('--since is later than --until.');
      const made = await exportAudit(copy, { since, until, version: context.version }).catch((error: unknown) => {
        throw new UnansweredError(error);
      });
      if (made === null)
        throw new UnansweredError(new FailedError('The audit has no record in this time; nothing was written.'));
      await writeFile(flags.out, made.content, { mode: 0o600, flag: flags.force === true ? 'w' : 'wx' }).catch(
        (error: NodeJS.ErrnoException) => {
          throw error.code === 'EEXIST'
            ? new FailedError(
                `${flags.out} already exists and was not changed.`,
                'Choose another file, or give --force.',
              )
            : new FailedError(`${flags.out} could not be written: ${String(error.code)}.`);
        },
      );
      const { records, first, last, verdict, isSealed } = made;
      if (globalsOf(command).json)
        context.output.out(JSON.stringify({ file: flags.out, records, first, last, sealed: isSealed, verdict }));
      else
        context.output.out(
          `Wrote ${records} records (${first} to ${last}) to ${flags.out}. Check it: uiahost audit verify --bundle ${flags.out}`,
        );
      if (!isSealed)
        context.output.err(
          'Note: the export has no seal, since the audit’s present key was not at hand. Its records keep their own seals.',
        );
      if (verdict.ok === false)
        throw new FailedError(
          `The audit is damaged at record ${verdict.firstBad?.seq ?? '?'} (${REASONS[verdict.firstBad?.reason ?? ''] ?? 'unknown'}); it was exported unchanged.`,
          'Keep the original files unchanged and find out who or what changed them.',
        );
    });
}

/** The key given, or the file audit.key next to the export. */
function keyFor(bundle: string, keyFile: string | undefined): SegmentKey | null {
  if (keyFile === undefined) {
    const beside = join(dirname(bundle), 'audit.key');
    return existsSync(beside) ? readKeyFile(beside) : null;
  }
  const key = readKey(keyFile);
  if (key === null) throw new FailedError(`${keyFile} does not contain an audit key.`);
  return key;
}

/** Judges an exported file. Errors: UnansweredError if it cannot be read. */
export function bundleVerdict(bundle: string, keyFile: string | undefined): ExportVerdict {
  try {
    return verifyExport(readFileSync(bundle), keyFor(bundle, keyFile));
  } catch (error) {
    throw new UnansweredError(error);
  }
}

/** Says what a verdict on an exported file means. Errors: FailedError if it is damaged, UnansweredError if not all could be checked. */
export function sayBundleVerdict(verdict: ExportVerdict, context: CliContext): void {
  const { ok, records, head, firstBad, damage, unchecked, newest, since, until, exportedAt, sealsCheckedFrom } =
    verdict;
  if (damage !== null)
    throw new FailedError(
      `The export is damaged: ${damage}.`,
      'Export again from the data directory, and keep this file.',
    );
  const what = `${records} records, head ${head}, from ${since ?? 'the beginning'} to ${until ?? exportedAt ?? '?'}, exported ${exportedAt ?? '?'}`;
  if (ok === false)
    throw new FailedError(
      `The exported records are damaged at record ${firstBad?.seq ?? '?'} (${REASONS[firstBad?.reason ?? ''] ?? 'unknown'}).`,
      'Compare with the data directory, and find out who or what changed the records.',
    );
  context.output.out(`${ok === true ? 'The export is complete and unchanged' : 'No damage found'}: ${what}.`);
  if (ok === true && sealsCheckedFrom === null)
    context.output.out(
      'The seal of the export was checked. The seals of its records were not: this key is newer than they are. An earlier exported key checks them (--key FILE).',
    );
  if (newest !== null)
    context.output.out(
      `The newest record at that time was ${newest.seq}, hash ${newest.hash}: compare it with the events of source uiahost in the Windows event log.`,
    );
  if (ok === null) {
    context.output.err(
      `Without the audit key, the following could not be checked:\n${unchecked.map((each) => `  ${each}`).join('\n')}`,
    );
    throw new UnansweredError(
      new FailedError('The export could not be checked completely.', 'Give the audit key with --key FILE.'),
    );
  }
}
