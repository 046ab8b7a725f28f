/** A Windows machine with a disk of its own, for tests of what is installed on it by Wine's msiexec. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from '../../scripts/lib/package/msi/files.mjs';
import { startDesktop, type Desktop } from '../../scripts/lib/desktop.mjs';
import { windowsPath } from '../../scripts/lib/places.mjs';

export interface Installation {
  /** msiexec's status; on Linux its lowest byte (1603 is 67). */
  readonly status: number | null;
  readonly log: string;
  readonly milliseconds: number;
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

  static async start(): Promise<WindowsMachine> {
    return new WindowsMachine(await startDesktop());
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
    this.#logs += 1;
    const log = path.join(this.#desktop.prefix, `msi-${this.#logs}.log`);
    const { status, milliseconds } = await this.run('msiexec.exe', ...words, '/qn', '/l*v', windowsPath(log));
    return { status, milliseconds, log: existsSync(log) ? readFileSync(log, 'latin1') : '' };
  }

  install(msi: string, ...properties: string[]): Promise<Installation> {
    return this.msiexec('/i', windowsPath(msi), ...properties);
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
      .filter((line) => line.trim() !== '')
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

  /** A folder of the signed-in user, as Linux sees it. */
  userFolder(place: string): string {
    const [user] = readdirSync(this.file('C:\\users')).filter((name) => name !== 'Public');
    return this.file(`C:\\users\\${user}\\${place}`);
  }

  has(place: string): boolean {
    return statSync(this.file(place), { throwIfNoEntry: false }) !== undefined;
  }

  list(place: string): string[] {
    return this.has(place) ? readdirSync(this.file(place)).toSorted() : [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#desktop.stop();
  }
}
