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
  /** Who may look; absent in a membership of before. */
  readonly viewers?: Readonly<Record<string, MemberToken>>;
}

/** What holds for a seat now. */
export interface SeatRules {
  readonly orchestrators: Membership['orchestrators'];
  readonly viewers: Membership['orchestrators'];
  readonly isDrained: boolean;
  /** A job is taken only while the session is locked or disconnected. */
  readonly onlyWhenIdle: boolean;
}

/** Null if this machine does not accept the orchestrator, or viewer; its name may be that of any property. */
export const tokenOf = (
  rules: SeatRules,
  by: string,
  role: 'orchestrators' | 'viewers' = 'orchestrators',
): MemberToken | null => (Object.hasOwn(rules[role], by) ? (rules[role][by] ?? null) : null);

/** None where its file is not there, or was cut off with the machine's power. */
export function readAsked({ asked }: MemberFolder): string[] {
  try {
    const ids: unknown = JSON.parse(readFileSync(asked, 'utf8'));
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

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
  /** The version of uiahost that the fleet's administrators want. */
  readonly wantVersion: string | null;
}

export interface MemberFolder {
  readonly folder: string;
  readonly ledger: string;
  readonly policy: string;
  /** Cards that the fleet's approver was asked, by their ids: a link that is started again tells which have ended. */
  readonly asked: string;
  readonly file: string;
  /** What the policy takes away here: hosts read it. */
  readonly layers: string;
}

/** A user's, below its data directory. */
export const memberFolder = (root: string): MemberFolder => folderOf(join(root, 'fleet'), 'policy/layers.json');

/**
 * A machine's seat, by the folder of the link that the service runs; hosts read another folder of the machine. `kept`: where its
 * ledger is instead, which nothing here makes: a new folder in place of a disk that is away would have an empty ledger.
 */
export const seatFolder = (link: string, name: string, kept: string | null = null): MemberFolder => ({
  ...folderOf(join(link, name), `../../../fleet-policy/${name}.json`),
  ...(kept === null ? {} : { ledger: join(kept, `${name}.sqlite`) }),
});

const folderOf = (folder: string, layers: string): MemberFolder => ({
  folder,
  file: join(folder, 'membership.json'),
  ledger: join(folder, 'ledger.sqlite'),
  policy: join(folder, 'policy.json'),
  asked: join(folder, 'asked.json'),
  layers: join(folder, layers),
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
  const { orchestrators = {}, viewers = {} } = readMembership(folder) ?? {};
  return { orchestrators, viewers, isDrained: existsSync(join(folder.folder, 'drain')), onlyWhenIdle: false };
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

/** Null if no link runs. */
export function readReport(folder: MemberFolder): LinkReport | null {
  const report = lastReport(folder);
  try {
    if (report !== null) process.kill(report.pid, 0);
    return report;
  } catch {
    return null;
  }
}

export function forgetMembership({ folder, layers }: MemberFolder): void {
  rmSync(folder, { recursive: true, force: true });
  rmSync(layers, { force: true });
}
