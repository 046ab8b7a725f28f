/** The routines of a data directory by their names, and which texts a person agreed to and has seen proven. */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../contract/attempt.ts';
import type { Catalog } from '../host/face/host.ts';
import { readRoutine, type RoutineFile } from './file.ts';

/** Facts about a text, by its hash. */
interface Known {
  /** When a person agreed to run it. */
  readonly agreed?: string;
  /** The session in which all of it was verified. */
  readonly proven?: string;
}

export class Shelf {
  readonly folder: string;

  constructor(dataDirectory: string) {
    this.folder = join(dataDirectory, 'routines');
  }

  fileOf(name: string): string {
    return join(this.folder, `${name}.yaml`);
  }

  names(): string[] {
    const files = attempt(() => readdirSync(this.folder), []);
    return files.filter((file) => /^[a-z][a-z0-9-]*\.yaml$/.test(file)).map((file) => file.slice(0, -5));
  }

  /** The routines that are agreed to as they are now; a file that was changed, or is none, is not among them. */
  agreed(catalog: Catalog): RoutineFile[] {
    return this.names().flatMap((name) => {
      const file = attempt(() => readRoutine(readFileSync(this.fileOf(name), 'utf8'), catalog), null);
      return file !== null && file.routine.name === name && this.known(file.hash).agreed !== undefined ? [file] : [];
    });
  }

  known(hash: string): Known {
    return this.#all()[hash] ?? {};
  }

  note(hash: string, known: Known): void {
    const all = { ...this.#all(), [hash]: { ...this.known(hash), ...known } };
    mkdirSync(this.folder, { recursive: true });
    const file = join(this.folder, 'known.json');
    writeFileSync(`${file}.new`, `${JSON.stringify(all, null, 2)}\n`);
    renameSync(`${file}.new`, file);
  }

  #all(): Readonly<Record<string, Known>> {
    const text = attempt(() => readFileSync(join(this.folder, 'known.json'), 'utf8'), '{}');
    return attempt(() => JSON.parse(text) as Record<string, Known>, {});
  }
}
