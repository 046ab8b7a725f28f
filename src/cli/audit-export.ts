// `uiahost audit export` and `audit verify --bundle`: a part of the audit as one file that can be checked on its own.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Option, type Command } from 'commander';
import { findCopy } from '../audit/copy.ts';
import { exportAudit } from '../audit/export.ts';
import { keyIdOf, readKey, type SegmentKey } from '../audit/key.ts';
import { verifyExport, withFile, type ExportVerdict } from '../audit/verify-export.ts';
import { dataDirectoryOf } from '../client/locate.ts';
import { globalsOf, type CliContext } from './flags.ts';
import { FailedError, printable, unanswered, UnansweredError, UsageError, writeNewFile } from './output.ts';

const REASONS: Readonly<Record<string, string>> = {
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
        throw unanswered(`${flags.key} does not contain an audit key.`);
      const copy = findCopy(folder, flags.key);
      if (copy === null) throw unanswered(`There is no audit in ${folder}.`, 'Give a data directory with --data DIR.');
      const since = flags.since === undefined ? null : readTime(flags.since, '--since');
      const until = flags.until === undefined ? null : readTime(flags.until, '--until', true);
      if (since !== null && until !== null && since > until) throw new UsageError('--since is later than --until.');
      const made = await exportAudit(copy, { since, until, version: context.version }).catch((error: unknown) => {
        throw new UnansweredError(error);
      });
      if (made === null) throw unanswered('The audit has no record in this time; nothing was written.');
      await writeNewFile(flags.out, made.content, {
        hint: 'Choose another file, or give --force.',
        force: flags.force,
        mode: 0o600,
      });
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
          `The audit is damaged at record ${verdict.firstBad?.seq ?? '?'} (${faultText(verdict.firstBad?.reason)}); it was exported unchanged.`,
          'Keep the original files unchanged and find out who or what changed them.',
        );
    });
}

/** The key that an export is checked with. */
interface UsedKey {
  readonly key: SegmentKey;
  readonly file: string;
  /** Given by the caller, and not found next to the export. */
  readonly isGiven: boolean;
}

function keyFor(bundle: string, given: string | undefined): UsedKey | null {
  const file = given ?? join(dirname(bundle), 'audit.key');
  const isGiven = given !== undefined;
  const key = isGiven || existsSync(file) ? readKeyFile(file) : null;
  if (key === null && isGiven) throw unanswered(`${file} does not contain an audit key.`);
  return key === null ? null : { key, file, isGiven };
}

/** A verdict on an exported file, and the key that it was checked with. */
export interface BundleVerdict extends ExportVerdict {
  readonly key: {
    readonly id: string;
    readonly segment: number;
    readonly file: string;
    readonly isGiven: boolean;
  } | null;
}

/** Judges an exported file. Errors: UnansweredError if it cannot be read. */
export function bundleVerdict(bundle: string, keyFile: string | undefined): BundleVerdict {
  const used = keyFor(bundle, keyFile);
  try {
    return {
      ...withFile(bundle, (bytes) => verifyExport(bytes, used?.key ?? null, used?.isGiven)),
      key:
        used === null
          ? null
          : { id: keyIdOf(used.key.key), segment: used.key.segment, file: used.file, isGiven: used.isGiven },
    };
  } catch (error) {
    throw new UnansweredError(error);
  }
}

/**
 * Which seals were checked, where some were not; null where all were, or there was no key to check any.
 * @param first the first record there is
 */
export function sealsOf(
  { ok, records, sealsCheckedFrom }: Pick<ExportVerdict, 'ok' | 'records' | 'sealsCheckedFrom'>,
  first: number,
  flags: string,
): string | null {
  if (ok !== true || records === 0 || sealsCheckedFrom === first) return null;
  const checked =
    sealsCheckedFrom === null ? 'No seal was checked' : `Seals were checked from record ${sealsCheckedFrom} on`;
  const before = sealsCheckedFrom === null ? 'the records' : 'the records before it';
  return `${checked}: this key is newer than ${before}, which were checked by the hash chain alone. An earlier exported key checks their seals (${flags}).`;
}

/** What a fault is called; the file may name any. */
export const faultText = (reason: string | undefined): string =>
  reason !== undefined && Object.hasOwn(REASONS, reason) ? (REASONS[reason] ?? '') : 'unknown';

/** Says what a verdict on an exported file means. Errors: FailedError if it is damaged, UnansweredError if not all could be checked. */
export function sayBundleVerdict(verdict: BundleVerdict, context: CliContext): void {
  const { ok, records, head, first, firstBad, damage, unchecked, newest, since, until, exportedAt, key } = verdict;
  if (key !== null)
    context.output.out(
      `Checked with the key ${key.id} of segment ${key.segment}, from ${printable(key.file)}${key.isGiven ? '' : ', which was next to the export'}.`,
    );
  if (damage !== null)
    throw new FailedError(
      `The export is damaged: ${damage}.`,
      'Export again from the data directory, and keep this file.',
    );
  const what = `${records} records, head ${head}, from ${since ?? 'the beginning'} to ${until ?? exportedAt ?? '?'}, exported ${exportedAt ?? '?'}`;
  if (ok === false)
    throw new FailedError(
      `The exported records are damaged at record ${firstBad?.seq ?? '?'} (${faultText(firstBad?.reason)}).`,
      'Compare with the data directory, and find out who or what changed the records.',
    );
  context.output.out(`${ok === true ? 'The export is complete and unchanged' : 'No damage found'}: ${what}.`);
  const seals = sealsOf(verdict, first ?? 1, '--bundle FILE --key FILE');
  if (seals !== null) context.output.out(seals);
  if (newest !== null)
    context.output.out(
      `The newest record at that time was ${newest.seq}, hash ${newest.hash}: compare it with the events of source uiahost in the Windows event log.`,
    );
  if (ok === null) {
    context.output.err(
      `Without an audit key that you kept, the following could not be checked:\n${unchecked.map((each) => `  ${each}`).join('\n')}`,
    );
    throw unanswered(
      'The export could not be checked completely.',
      'Give the audit key that you kept with --key FILE.',
    );
  }
}
