/** A machine of a fleet in processes that can be killed: a real host, whose desktop is a stand-in, and its real link. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UiaHostClient } from '../../src/client/client.ts';
import { findHost } from '../../src/client/locate.ts';
import { memberFolder, readReport, writePrivately, type Membership } from '../../src/fleet/link/membership.ts';
import type { CredentialFile } from '../../src/fleet/bus/credential.ts';
import { until } from '../support/until.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export class SeatProcess implements AsyncDisposable {
  readonly data = mkdtempSync(join(tmpdir(), 'uiahost-seat-'));
  readonly journalFile = join(this.data, 'journal.txt');
  #host: ChildProcess | null = null;
  #link: ChildProcess | null = null;

  /** Joins without the command: the host's own agent token stands for the orchestrator's. */
  join(credential: CredentialFile, orchestrator: string): void {
    joinByHand(this.data, credential, { [orchestrator]: { tokenId: 'agent', token: 'agent-token-agent-token' } });
  }

  async startHost(level = 'full'): Promise<void> {
    this.#host = run([fileOf('host-process.ts'), this.data, this.journalFile, level]);
    await line(this.#host, 'the host');
  }

  async startLink(): Promise<void> {
    this.#link = run([fileOf('../../src/entry/fleet.ts'), this.data]);
    await line(this.#link, 'the link');
  }

  /** Until it takes jobs. */
  async ready(): Promise<void> {
    await until(() => readReport(memberFolder(this.data))?.takesNoJob === null, 'a link that takes jobs');
  }

  /** The host's agent and operator. */
  async client(): Promise<UiaHostClient> {
    const { url } = await findHost(this.data);
    return new UiaHostClient({ url, token: 'agent-token-agent-token', operatorToken: 'operator-token-operator' });
  }

  report() {
    return readReport(memberFolder(this.data));
  }

  /** How the link ended by itself. */
  async linkEnd(): Promise<number | null> {
    const link = this.#link;
    if (link !== null && link.exitCode === null && link.signalCode === null) await once(link, 'exit');
    return link?.exitCode ?? null;
  }

  killHost = (): Promise<void> => kill(this.#host);
  killLink = (): Promise<void> => kill(this.#link);

  get journal(): string[] {
    return existsSync(this.journalFile) ? readFileSync(this.journalFile, 'utf8').split('\n').filter(Boolean) : [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.killHost(), this.killLink()]);
    rmSync(this.data, { recursive: true, force: true });
  }
}

export function joinByHand(data: string, credential: CredentialFile, orchestrators: Membership['orchestrators']): void {
  const membership: Membership = { format: 'uiahost fleet membership 1', credential, orchestrators };
  writePrivately(memberFolder(data).file, membership);
}

const run = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, ['--no-warnings', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });

async function line(child: ChildProcess, what: string): Promise<void> {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${what} ended: ${child.exitCode}`);
  });
  ended.catch(() => {});
  if (child.stdout === null) throw new Error(`${what} has no output`);
  await Promise.race([once(child.stdout, 'data'), ended]);
}

async function kill(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
