/**
 * The administrator's policy file, as the installer writes it: a given file, or a level alone. A change keeps a copy of the
 * previous file next to it, so that a failed installation can restore it.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeDurablySync } from '../../base/durable-file.ts';
import { badInput, UiaHostError } from '../../contract/errors.ts';
import { levelReaches } from '../../contract/gate/orders.ts';
import { Level } from '../../contract/gate/permissions.ts';
import { checkPolicyText, describeProblems, type PolicyFile } from './policy-file.ts';

/** Larger files are not read: 500 rules of each kind fit several times. */
const MOST_BYTES = 4 * 1024 * 1024;

const before = (file: string): string => join(dirname(file), 'policy.json.before-setup');

function refused(message: string): UiaHostError {
  return badInput(message, {
    hint: 'Check the file with `uiahost policy check FILE`, then run the installation again.',
  });
}

/** Text and content of a policy file. Errors: invalid_argument that names the file, and the line where there is one. */
function readPolicyFile(file: string, name: string): { text: string; policy: PolicyFile } {
  let text: string;
  try {
    const bytes = readFileSync(file);
    if (bytes.length > MOST_BYTES) throw refused(`${name} (${file}) is larger than 4 MB.`);
    text = bytes.toString('utf8');
  } catch (error) {
    if (error instanceof UiaHostError) throw error;
    throw refused(`${name} (${file}) cannot be read: ${String((error as NodeJS.ErrnoException).code)}.`);
  }
  const { file: policy, problems } = checkPolicyText(text);
  if (policy === null) throw refused(`${name} is not a valid policy.\n${describeProblems(file, problems)}`);
  return { text, policy };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file)) copyFileSync(file, before(file));
  writeDurablySync(file, text);
}

function checkedLevel(level: string): Level {
  const parsed = Level.safeParse(level);
  if (parsed.success) return parsed.data;
  throw refused(`LEVEL is ${JSON.stringify(level)}; it must be ${Level.options.join(', ')}.`);
}

/** The policy with another level: its other keys stay, comments do not. */
const withLevel = (policy: PolicyFile, level: Level): string => `${JSON.stringify({ ...policy, level }, null, 2)}\n`;

/** Makes a given file the machine's policy. Where a level is given too, the lower of both applies. */
export function applyPolicyFile(target: string, given: string, level: string): void {
  const { text, policy } = readPolicyFile(given, 'POLICYFILE');
  const own = policy.level ?? 'disabled';
  const asked = level === '' ? own : checkedLevel(level);
  write(target, levelReaches(asked, own) ? text : withLevel(policy, asked));
}

/**
 * Writes a policy that is only a level, or changes the level of the existing one. A level that was not given changes
 * nothing there.
 */
export function applyLevel(target: string, level: string, isGiven: boolean): void {
  const wanted = checkedLevel(level);
  if (!existsSync(target)) return write(target, `${JSON.stringify({ level: wanted }, null, 2)}\n`);
  if (!isGiven) return;
  const { policy } = readPolicyFile(target, 'The policy of the machine');
  if (policy.level !== wanted) write(target, withLevel(policy, wanted));
}

/** What an earlier installation kept is not this one's to put back. */
export function forgetEarlier(target: string): void {
  rmSync(before(target), { force: true });
}

/** Puts the policy back as it was before this installation. `hadPolicy`: there was one. */
export function undoPolicy(target: string, hadPolicy: boolean): void {
  if (existsSync(before(target))) renameSync(before(target), target);
  else if (!hadPolicy) rmSync(target, { force: true });
  const folder = dirname(target);
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
