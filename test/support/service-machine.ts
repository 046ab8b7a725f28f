/** A Windows machine of its own under Wine, with Wine's real service manager, on which the service is installed and driven. */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partsFor, writeFolder } from '../../scripts/lib/package/folder.mjs';
import { ended } from '../../scripts/lib/processes.mjs';
import { startDesktop, type Desktop } from './desktop.ts';
import { processesWith } from './proc.ts';
import { until } from './until.ts';

const PRODUCT = 'Program Files/uiahost';

export interface Ran {
  readonly status: number | null;
  readonly text: string;
}

export interface ServiceStatus {
  readonly state: string;
  readonly pid: number | null;
  readonly program: string | null;
  readonly account: string | null;
  readonly start: string | null;
  readonly sessions: ReadonlyArray<{
    readonly session: number;
    readonly user: string | null;
    readonly state: string;
    readonly pid: number | null;
    readonly url: string | null;
    readonly since: string | null;
    readonly restarts: number;
    readonly why: string | null;
  }>;
  readonly link?: { readonly state: string; readonly why: string | null };
  readonly events: ReadonlyArray<{
    readonly time: string;
    readonly level: string;
    readonly id: number;
    readonly text: string;
  }>;
  readonly problems: readonly string[];
}

export class ServiceMachine implements AsyncDisposable {
  readonly desktop: Desktop;
  readonly #folder = mkdtempSync(join(tmpdir(), 'uiahost-service-'));
  #runs = 0;

  private constructor(desktop: Desktop) {
    this.desktop = desktop;
  }

  /**
   * With the product in Program Files: the service refuses files that others can replace, as a checkout below a
   * temporary folder is.
   */
  static async start(): Promise<ServiceMachine> {
    const machine = new ServiceMachine(await startDesktop());
    const tree = process.env['UIAHOST_TEST_TREE'] ?? '';
    await writeFolder(machine.file(PRODUCT), partsFor('x64', tree, ''));
    return machine;
  }

  /** A file of the machine's drive C, on Linux. */
  file(path: string): string {
    return join(this.desktop.prefix, 'drive_c', path);
  }

  /** Runs a Windows program to its end. */
  async run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
    this.#runs += 1;
    const file = join(this.#folder, String(this.#runs));
    const output = openSync(file, 'w');
    const child = this.desktop.run(program, args, { stdio: ['ignore', output, output], env });
    closeSync(output);
    if (!(await ended(child, 90_000))) throw new Error(`${program} ${args.join(' ')} does not end`);
    return { status: child.exitCode, text: readFileSync(file, 'utf8') };
  }

  /** `uiahost …` as an administrator types it. */
  uiahost(...words: string[]): Promise<Ran> {
    return this.run(this.program, words);
  }

  get program(): string {
    return this.file(`${PRODUCT}/uiahost.exe`);
  }

  async status(): Promise<ServiceStatus> {
    const { status, text } = await this.uiahost('service', 'status', '--json');
    if (status !== 0) throw new Error(text);
    return JSON.parse(text) as ServiceStatus;
  }

  /** Waits until the status is what is wanted. */
  reaches(wanted: (status: ServiceStatus) => boolean, milliseconds = 60_000): Promise<ServiceStatus> {
    return until(() => this.status(), wanted, milliseconds);
  }

  /** The status once the host of the only session answers. */
  hostRuns(previous?: number | null): Promise<ServiceStatus> {
    return this.reaches(({ sessions: [first] }) => first?.state === 'running' && first.pid !== previous);
  }

  /** Ends a process without a word, by its id on the machine. */
  async kill(pid: number | null): Promise<void> {
    const { status, text } = await this.run('taskkill.exe', ['/F', '/PID', String(pid)]);
    if (status !== 0) throw new Error(`taskkill ${pid}: ${text}`);
  }

  /** When the process with this word in its command line was started, in milliseconds since 1970; null if there is none. */
  processStart(word: string): number | null {
    for (const pid of processesWith(`WINEPREFIX=${this.desktop.prefix}`)) {
      try {
        if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word)) return statSync(`/proc/${pid}`).ctimeMs;
      } catch {
        // It ended meanwhile.
      }
    }
    return null;
  }

  /** The service's log, one object a line. */
  log(): Array<Record<string, unknown>> {
    const file = this.file('ProgramData/uiahost/service/service.log');
    return existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.desktop.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
