/**
 * What a machine's user has of the fleet: its credential, a token of the host for each orchestrator that may submit, and
 * what the link and the commands tell each other. All in the folder `fleet` of the data directory.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CredentialFile } from '../bus/credential.ts';
import { metricsOf, type Counted } from './metrics.ts';

/** A named token of the host, under which it keeps keys: its id stays. */
export interface MemberToken {
  readonly tokenId: string;
  readonly token: string;
}

export interface Membership {
  readonly format: 'uiahost fleet membership 1';
  readonly credential: CredentialFile;
  /** By the orchestrators' names. */
  readonly orchestrators: Readonly<Record<string, MemberToken>>;
  /** Who might look, in a membership of before: their tokens end with it. */
  readonly viewers?: Readonly<Record<string, MemberToken>>;
}

/** What holds for a seat now. */
export interface SeatRules {
  readonly orchestrators: Membership['orchestrators'];
  readonly isDrained: boolean;
  /** A job is taken only while the session is locked or disconnected. */
  readonly onlyWhenIdle: boolean;
}

/** Null if this machine does not accept the orchestrator; its name may be that of any property. */
export const tokenOf = ({ orchestrators }: SeatRules, by: string): MemberToken | null =>
  Object.hasOwn(orchestrators, by) ? (orchestrators[by] ?? null) : null;

/** What the link last reported. */
export interface LinkReport extends Counted {
  readonly pid: number;
  readonly at: number;
  readonly host: string;
  readonly job: string | null;
  readonly isDrained: boolean;
  readonly lastRefusal: string | null;
  readonly policyVersion: number;
  /** The server's version, where it is too old. */
  readonly oldServer: string | null;
}

export interface MemberFolder {
  readonly folder: string;
  readonly ledger: string;
  readonly policy: string;
  readonly file: string;
}

/** A user's, below its data directory. */
export const memberFolder = (root: string): MemberFolder => folderOf(join(root, 'fleet'));

/**
 * A machine's seat, by the folder of the link that the service runs. `kept`: where its ledger is instead, which nothing here makes: a new folder in place of a disk that is away would have an empty ledger.
 */
export const seatFolder = (link: string, name: string, kept: string | null = null): MemberFolder => ({
  ...folderOf(join(link, name)),
  ...(kept === null ? {} : { ledger: join(kept, `${name}.sqlite`) }),
});

const folderOf = (folder: string): MemberFolder => ({
  folder,
  file: join(folder, 'membership.json'),
  ledger: join(folder, 'ledger.sqlite'),
  policy: join(folder, 'policy.json'),
});

/** Null if this user's machine has not joined. Errors: SyntaxError for a file that is damaged. */
export function readMembership({ file }: MemberFolder): Membership | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Membership) : null;
}

export function writePrivately(file: string, content: unknown): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  const made = `${file}.${process.pid}`;
  writeFileSync(made, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(made, file);
}

/** As the user's last `join` and `drain` have it. */
export function rulesOf(folder: MemberFolder): SeatRules {
  const { orchestrators = {} } = readMembership(folder) ?? {};
  return { orchestrators, isDrained: existsSync(join(folder.folder, 'drain')), onlyWhenIdle: false };
}

export function setDrained({ folder }: MemberFolder, isOn: boolean): void {
  if (isOn) writePrivately(join(folder, 'drain'), 'uiahost fleet drain\n');
  else rmSync(join(folder, 'drain'), { force: true });
}

export function writeReport({ folder }: MemberFolder, seat: string, report: LinkReport): void {
  writePrivately(join(folder, 'link.json'), report);
  writePrivately(join(folder, 'metrics.prom'), metricsOf(seat, report));
}

/** What the link reported that runs, or ran last; null if there was none. */
export function lastReport({ folder }: MemberFolder): LinkReport | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'link.json'), 'utf8')) as LinkReport;
  } catch {
    return null;
  }
}

/** A link writes its report at least every 30 seconds; another program may have the number of a dead link. */
const REPORT_AGE_MS = 90_000;

/** Null if no link runs. */
export function readReport(folder: MemberFolder): LinkReport | null {
  const report = lastReport(folder);
  if (report === null || Math.abs(Date.now() - report.at) > REPORT_AGE_MS) return null;
  try {
    process.kill(report.pid, 0);
    return report;
  } catch {
    return null;
  }
}

export const forgetMembership = ({ folder }: MemberFolder): void => rmSync(folder, { recursive: true, force: true });
