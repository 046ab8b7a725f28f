// `uiahost data export` and `data remove`: a person's copy of what uiahost keeps of them, and its deletion.
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Command } from 'commander';
import { zip, type ZipEntry } from '../base/zip.ts';
import { dataDirectoryOf, findHost } from '../client/locate.ts';
import { HostNotFoundError } from '../client/errors.ts';
import { adding, print, type Answer, type Call, type CliContext } from './flags.ts';
import { FailedError, UsageError, writeNewFile } from './output.ts';
import { askNative, nativeBundle } from './start.ts';

/** Tokens and keys are no data about a person, files of a running host are no records, and a checkout has its desktop there. */
const LEFT_OUT =
  /^desktop$|(^|[\\/])((host|audit)\.key|.*(token|\.lock|\.tmp)|(desktop|host|held-input|moved-windows)\.json)$/i;

interface Exported {
  readonly entries: ZipEntry[];
  /** What could not be read, and why. */
  readonly missing: string[];
}

function gather(root: string): Exported {
  const entries: ZipEntry[] = [];
  const missing: string[] = [];
  const walk = (folder: string): void => {
    for (const { name } of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, name);
      const named = relative(root, path).replaceAll('\\', '/');
      const facts = lstatSync(path);
      if (facts.isSymbolicLink() || LEFT_OUT.test(named)) continue;
      if (facts.isDirectory()) {
        walk(path);
        continue;
      }
      try {
        entries.push({ name: named, content: readFileSync(path) });
      } catch (error) {
        missing.push(`${named}: ${String((error as NodeJS.ErrnoException).code)}`);
      }
    }
  };
  walk(root);
  return { entries, missing };
}

async function exportData(file: string, _flags: object, context: Call): Promise<Answer> {
  const data = dataDirectoryOf(context.env);
  if (!existsSync(data)) throw new FailedError(`There is no data in ${data}.`);
  const { entries, missing } = gather(data);
  const now = new Date();
  const readme = `Data that uiahost keeps of the user of ${data}, exported ${now.toISOString()}. Without tokens and keys.\n${missing.length === 0 ? '' : `Not readable:\n${missing.join('\n')}\n`}`;
  await writeNewFile(file, zip([{ name: 'README.txt', content: readme }, ...entries], now), { mode: 0o600 });
  const left = missing.length === 0 ? '' : `; ${missing.length} could not be read, see README.txt in it`;
  return { value: { file, files: entries.length, missing }, text: `Wrote ${file}: ${entries.length} files${left}.` };
}

interface RemoveFlags {
  readonly user?: string;
  readonly left?: boolean;
  readonly yes?: boolean;
}

interface DataFolder {
  readonly folder: string;
  readonly why: string | null;
}

/** Errors: FailedError while a host uses the directory. */
async function removeOwn(
  { yes }: RemoveFlags,
  context: CliContext,
): Promise<{ found: DataFolder[]; kept: DataFolder[] }> {
  const folder = dataDirectoryOf(context.env);
  if (!existsSync(folder)) return { found: [], kept: [] };
  const isUsed = await findHost(folder).then(
    () => true,
    (error: unknown) => !(error instanceof HostNotFoundError) || error.isPlaceTaken,
  );
  const found: DataFolder = { folder, why: isUsed ? 'a host uses it: `uiahost service stop`, or end it' : null };
  if (yes !== true || isUsed) return { found: [found], kept: isUsed ? [found] : [] };
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return { found: [found], kept: [] };
}

async function removeOthers({ user, yes }: RemoveFlags): Promise<{ found: DataFolder[]; kept: DataFolder[] }> {
  const bundle = nativeBundle('inspect');
  if (bundle === null) throw new FailedError('--user and --left need Windows and an installation.');
  return askNative(bundle, [
    yes === true ? 'remove-data' : 'find-data',
    user ?? '',
    user === undefined ? 'left' : 'user',
  ]);
}

async function removeData(flags: RemoveFlags, call: Call): Promise<null> {
  const { user, left, yes } = flags;
  if (user !== undefined && left === true)
    throw new UsageError('--user names one user, --left all who have left: give one.');
  const { found, kept } = await (user === undefined && left !== true ? removeOwn(flags, call) : removeOthers(flags));
  const rows = found.map(({ folder, why }) => {
    const isKept = kept.some((each) => each.folder === folder);
    const done = isKept ? 'kept    ' : yes === true ? 'removed ' : 'would remove ';
    return `${done}${folder}${why === null ? '' : ` (${why})`}`;
  });
  print(call, {
    value: { removed: yes === true, found, kept },
    text: rows.length === 0 ? 'There is no such data.' : rows.join('\n'),
    note: rows.length > 0 && yes !== true ? 'Nothing was deleted: repeat it with --yes.' : undefined,
  });
  if (kept.length > 0 && yes === true)
    throw new FailedError(
      'Not everything was deleted.',
      kept.map(({ folder, why }) => `${folder}: ${why ?? ''}`).join('\n'),
    );
  return null;
}

export function addDataCommands(program: Command, context: CliContext): void {
  const data = program
    .command('data')
    .description('a person’s data: a copy of it, and its deletion')
    .helpGroup('Host:');
  const add = adding(data, context);
  add('export <file>', exportData).description(
    'write your data to a zip file: audit, sessions, pictures, policy, logs; no tokens and keys',
  );
  add('remove', removeData)
    .description('delete your data, the audit too; without --yes list what would be deleted')
    .option('--user <account>', 'as an administrator: the data of this user (DOMAIN\\name or SID)')
    .option('--left', 'as an administrator: the data of all users whose account no longer exists')
    .option('--yes', 'delete it');
}
