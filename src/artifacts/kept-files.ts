/**
 * Files that a store keeps for a time. With a seal only its holder can read them, and their names reveal nothing: what
 * another process sealed for itself is deleted. Plain ones are those of earlier versions, or of a store without a seal.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile, TEMPORARY_PREFIX, writeDurably } from '../base/durable-file.ts';
import type { Seal } from '../base/seal.ts';

const SEALED = /^[0-9a-f]{64}\.sealed$/;
const PLAIN = /^(?:out_[0-9a-f]{32}|[0-9a-f]{64})\.json$/;

/** Limits of a folder: age in milliseconds, and bytes. */
export interface Retention {
  readonly retentionMs: number;
  readonly quotaBytes: number;
}

export interface Swept {
  readonly deleted: number;
  readonly bytesFreed: number;
  /** Bytes that are left. */
  readonly bytesKept: number;
}

export class KeptFiles {
  readonly #root: string;
  readonly #seal: Seal | undefined;
  /** Names that this process has sealed. */
  readonly #own = new Set<string>();

  constructor(root: string, seal: Seal | undefined) {
    this.#root = root;
    this.#seal = seal;
  }

  /** `id` becomes part of a path where there is no seal, so it is checked by the caller. Errors: those of the file system. */
  async write(id: string, content: Uint8Array): Promise<void> {
    const name = this.#sealedName(id);
    if (name === null || this.#seal === undefined) return writeDurably(this.#plainPath(id), content);
    this.#own.add(name);
    await writeDurably(join(this.#root, name), this.#seal.close(content));
  }

  /** Null if there is none, or it can no longer be read. */
  async read(id: string): Promise<Buffer | null> {
    const name = this.#sealedName(id);
    const sealed = name === null ? null : await readFile(join(this.#root, name)).catch(() => null);
    if (sealed !== null) return this.#seal?.open(sealed) ?? null;
    return readFile(this.#plainPath(id)).catch(() => null);
  }

  /** Deletes what is too old or can no longer be read, and the oldest beyond the quota. `room`: bytes to leave free in it. */
  async sweep(now: Date, { retentionMs, quotaBytes }: Retention, room = 0): Promise<Swept> {
    const files = await this.#list();
    let [deleted, bytesFreed, bytesKept] = [0, 0, 0];
    for (const { name, size, time } of files.sort((a, b) => b.time - a.time)) {
      const isLost = this.#seal?.isLasting === false && SEALED.test(name) && !this.#own.has(name);
      const isOld = time < now.getTime() - retentionMs;
      if (!isLost && !isOld && room + bytesKept + bytesFreed + size <= quotaBytes) {
        bytesKept += size;
        continue;
      }
      this.#own.delete(name);
      if (await removeFile(join(this.#root, name))) deleted += 1;
      bytesFreed += size;
    }
    return { deleted, bytesFreed, bytesKept };
  }

  async #list(): Promise<Array<{ name: string; size: number; time: number }>> {
    const found: Array<{ name: string; size: number; time: number }> = [];
    for (const name of await readdir(this.#root).catch(() => [])) {
      if (!SEALED.test(name) && !PLAIN.test(name) && !name.startsWith(TEMPORARY_PREFIX)) continue;
      const facts = await stat(join(this.#root, name)).catch(() => null);
      if (facts !== null) found.push({ name, size: facts.size, time: facts.mtimeMs });
    }
    return found;
  }

  #sealedName(id: string): string | null {
    return this.#seal === undefined ? null : `${this.#seal.nameOf(id)}.sealed`;
  }

  #plainPath(id: string): string {
    return join(this.#root, `${id}.json`);
  }
}
