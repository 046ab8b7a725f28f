/** A Windows machine with a disk of its own, for tests of what is installed on it by Wine's msiexec. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from '../../scripts/lib/package/msi/files.mjs';
import { startDesktop, type Desktop } from '../../scripts/lib/desktop.mjs';
import { windowsPath } from '../../scripts/lib/places.mjs';
import { killAllWith } from './proc.ts';
import { until } from './until.ts';

export interface Installation {
  /** msiexec's status; on Linux its lowest byte (1603 is 67). */
  readonly status: number | null;
  readonly log: string;
  readonly milliseconds: number;
}

/** The host that the service started. */
export interface InstalledHost {
  readonly url: string;
  /** Its data directory, as Linux sees it. */
  readonly data: string;
  act(name: string, input: object): Promise<{ status: number; body: Record<string, any> }>;
}

/** What an installation may change, for comparing before and after. */
export interface Inventory {
  readonly files: readonly string[];
  readonly registry: string;
  readonly services: string;
  readonly path: string;
}

export class WindowsMachine implements AsyncDisposable {
  readonly #desktop: Desktop;
  #logs = 0;

  private constructor(desktop: Desktop) {
    this.#desktop = desktop;
  }

  /** A machine with a new disk; or with the given one, which is kept. */
  static async start(prefix?: string): Promise<WindowsMachine> {
    return new WindowsMachine(await startDesktop(prefix === undefined ? {} : { prefix }));
  }

  get desktop(): Desktop {
    return this.#desktop;
  }

  /** A Windows path on drive C: as Linux sees it. */
  file(place: string): string {
    return path.join(this.#desktop.prefix, 'drive_c', ...place.split('\\').slice(1));
  }

  /** Runs a Windows program to its end; its standard output. */
  async run(program: string, ...args: string[]): Promise<{ status: number | null; out: string; milliseconds: number }> {
    const begun = performance.now();
    const { wine } = this.#desktop.description;
    const child = spawn(wine, [this.#desktop.programFile(program), ...args], {
      env: this.#desktop.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => {
        out += piece.toString('latin1');
      });
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      // services that it starts keep its pipes open
      child.on('exit', (code) => setTimeout(() => resolve(code), 50));
    });
    return { status, out, milliseconds: performance.now() - begun };
  }

  /** `msiexec WORDS /qn /l*v LOG`. */
  async msiexec(...words: string[]): Promise<Installation> {
    const { log, ended } = this.beginMsiexec(...words);
    const { status, milliseconds } = await ended;
    return { status, milliseconds, log: log() };
  }

  /** The same without waiting: its log as far as it is written, and its end. */
  beginMsiexec(...words: string[]): { log(): string; ended: ReturnType<WindowsMachine['run']> } {
    this.#logs += 1;
    const file = path.join(this.#desktop.prefix, `msi-${this.#logs}.log`);
    // a copy of another machine's disk has its logs
    rmSync(file, { force: true });
    return {
      log: () => (existsSync(file) ? readFileSync(file, 'latin1') : ''),
      ended: this.run('msiexec.exe', ...words, '/qn', '/l*v', windowsPath(file)),
    };
  }

  install(msi: string, ...properties: string[]): Promise<Installation> {
    return this.msiexec('/i', windowsPath(msi), ...properties);
  }

  /** The host of the signed-in user, once it answers. */
  async host(milliseconds = 60_000): Promise<InstalledHost> {
    const data = this.userFolder('AppData\\Local\\uiahost');
    const url = await until(
      async () => {
        const file = path.join(data, 'host.json');
        if (!existsSync(file)) return null;
        const { url: its } = JSON.parse(readFileSync(file, 'utf8')) as { url: string };
        const answer = await fetch(`${its}/healthz`).catch(() => null);
        return answer?.status === 200 ? its : null;
      },
      'the host of the session',
      milliseconds,
    );
    return {
      url,
      data,
      act: async (name, input) => {
        const answer = await fetch(`${url}/v1/actions/${name}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${readFileSync(path.join(data, 'agent.token'), 'utf8').trim()}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify(input),
        });
        return { status: answer.status, body: (await answer.json()) as Record<string, any> };
      },
    };
  }

  /** Values and keys below a key, as `reg query /s` prints them; empty where there is none. */
  async registry(key: string): Promise<string> {
    const { status, out } = await this.run('reg.exe', 'query', key, '/s');
    return status === 0 ? out.replaceAll('\r', '') : '';
  }

  /** State of a service by `sc query`; null where it is not registered. */
  async serviceState(name = 'uiahost'): Promise<string | null> {
    const { out } = await this.run('sc.exe', 'query', name);
    return /STATE\s*:\s*\d+\s+(\w+)/.exec(out)?.[1] ?? null;
  }

  /** Files below the folders that a product may write to, the registry's, the services and the PATH. */
  async inventory(): Promise<Inventory> {
    const folders = ['Program Files', 'ProgramData'];
    const files = folders.flatMap((folder) => {
      const place = this.file(`C:\\${folder}`);
      return existsSync(place) ? filesBelow(place).map((file: string) => `${folder}/${file}`) : [];
    });
    // one after the other: each starts a program
    const registry = [
      await this.registry('HKLM\\SOFTWARE\\uiahost'),
      await this.registry('HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall'),
      await this.registry('HKLM\\SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application'),
    ]
      .join('\n')
      .split('\n')
      // the day of the installation is another one after midnight
      .filter((line) => line.trim() !== '' && !/^\s*InstallDate\s/.test(line))
      .join('\n');
    const services = await this.registry('HKLM\\SYSTEM\\CurrentControlSet\\Services');
    const environment = await this.registry('HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment');
    return {
      files,
      registry,
      services: services
        .split('\n')
        .filter((line) => /uiahost/i.test(line))
        .join('\n'),
      // Wine leaves the separators of a removed entry
      path: (/^\s*PATH\s+\S+\s+(.*)$/im.exec(environment)?.[1] ?? '')
        .split(';')
        .filter((entry) => entry.trim() !== '')
        .join(';'),
    };
  }

  /** Makes a folder with a file in it, as a user or a host of theirs does. */
  folder(place: string): string {
    const folder = this.file(place);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** The Windows path of a folder of the signed-in user. */
  userPath(place: string): string {
    const [user] = readdirSync(this.file('C:\\users')).filter((name) => name !== 'Public');
    return `C:\\users\\${user}\\${place}`;
  }

  /** The same, as Linux sees it. */
  userFolder(place: string): string {
    return this.file(this.userPath(place));
  }

  has(place: string): boolean {
    return statSync(this.file(place), { throwIfNoEntry: false }) !== undefined;
  }

  list(place: string): string[] {
    return this.has(place) ? readdirSync(this.file(place)).toSorted() : [];
  }

  /**
   * Kills every process at once, as a power failure does. What is not on the disk is lost; with `isRegistryKept`, what was written
   * to the registry is there.
   */
  async powerOff({ isRegistryKept = false } = {}): Promise<void> {
    // Wine keeps the registry in its server, which writes it now and then, and when it is ended in order
    const kept = isRegistryKept ? this.#desktop.description.pids.wineserver : undefined;
    killAllWith(`WINEPREFIX=${this.#desktop.prefix}`, kept);
    await this.#desktop.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#desktop.stop();
  }
}
