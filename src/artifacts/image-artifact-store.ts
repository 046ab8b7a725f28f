/**
 * Keeps pictures by the hash of their bytes: checks them, counts references, enforces the quota, and quarantines what is
 * not valid.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ImageMimeType, type ArtifactReference, type ImageArtifact } from '../contract/artifact.ts';
import { parseImage, sniffMimeType } from './image-format.ts';
import { createMemoryLedger, type ArtifactLedger } from './ledger.ts';
import {
  createArtifactPipeline,
  createArtifactRegistry,
  IMAGE_ARTIFACT,
  type ArtifactListener,
  type ArtifactPipeline,
} from './pipeline.ts';
import type {
  ImageArtifactPolicy,
  ImageArtifactStore,
  ImageInput,
  ImageStored,
  Quarantined,
  QuarantineReason,
  SweepReport,
} from './types.ts';
import { removeFile, TEMPORARY_PREFIX, writeDurably } from '../base/durable-file.ts';
import { attempt } from '../contract/attempt.ts';

const MIB = 1024 * 1024;

const DEFAULT_IMAGE_POLICY: ImageArtifactPolicy = {
  maxBytes: 5 * MIB,
  allowedMimeTypes: ['image/png', 'image/jpeg', 'image/webp'],
  // Four 4K displays side by side are 33 million; decoded at 4 bytes each this is 200 MB.
  maxPixels: 50_000_000,
  sessionQuotaBytes: 256 * MIB,
  totalQuotaBytes: 2048 * MIB,
  retentionMs: 7 * 24 * 3_600_000,
  keep: true,
};

/** Below the working directory, or the data directory of a host. */
const IMAGE_ROOT = join('.agent-runtime', 'spool', 'images');

const EXTENSIONS: Record<ImageMimeType, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };
const FILE_NAME = /^([0-9a-f]{64})\.(png|jpg|webp)$/;
/** Files that need not be read again while they are unchanged. */
const MOST_CHECKED = 200;
/** Sessions whose bytes are kept in memory. */
const MOST_SESSIONS = 1000;
const CONTENT_HASH = /^[0-9a-f]{64}$/;

export interface ImageArtifactStoreOptions {
  readonly pipeline: ArtifactPipeline;
  readonly policy?: Partial<ImageArtifactPolicy>;
  /** Folder of the pictures; default `.agent-runtime/spool/images` in the working directory. */
  readonly root?: string;
  /** Records and reference counts; default in memory, for as long as the process lives. */
  readonly ledger?: ArtifactLedger;
  /** Receives every picture that was not kept. */
  readonly onQuarantine?: (quarantined: Quarantined) => void;
}

/** Why a picture is refused; thrown by a check, caught by `put`. */
class Refusal extends Error {
  readonly reason: QuarantineReason;

  constructor(reason: QuarantineReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

interface CheckedImage {
  readonly bytes: Buffer;
  readonly artifact: ImageArtifact;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Decodes strict base64 (RFC 4648 section 4): standard alphabet and padding, no blanks, no stray bits; null for anything else. */
export function decodeBase64(text: string): Buffer | null {
  if (text.length === 0 || text.length % 4 !== 0) return null;
  const bytes = Buffer.from(text, 'base64');
  // Node's decoder accepts almost anything; encoding the result again shows whether the text was strict.
  return bytes.length === decodedLength(text) && bytes.toString('base64') === text ? bytes : null;
}

/** Number of bytes that a base64 text encodes, without decoding it. */
function decodedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** Checks everything about a picture that can be checked before writing. Throws Refusal. */
function checkImage(image: ImageInput, policy: ImageArtifactPolicy): CheckedImage {
  const claimed = ImageMimeType.safeParse(image.mimeType);
  if (!claimed.success || !policy.allowedMimeTypes.includes(claimed.data)) {
    throw new Refusal(
      'type_not_allowed',
      `Pictures of type ${image.mimeType.slice(0, 100)} are not kept; allowed: ${policy.allowedMimeTypes.join(', ')}.`,
    );
  }
  const length = typeof image.data === 'string' ? decodedLength(image.data) : image.data.byteLength;
  if (length > policy.maxBytes)
    throw new Refusal('too_large', `The picture has ${length} bytes; at most ${policy.maxBytes} are kept.`);
  const bytes =
    typeof image.data === 'string'
      ? decodeBase64(image.data)
      : Buffer.from(image.data.buffer, image.data.byteOffset, image.data.byteLength);
  if (bytes === null) throw new Refusal('not_base64', 'The data is not strict base64.');
  const sniffed = sniffMimeType(bytes);
  if (sniffed !== claimed.data)
    throw new Refusal(
      'type_mismatch',
      `The picture claims to be ${claimed.data}; its first bytes show ${sniffed ?? 'no picture type'}.`,
    );
  const facts = parseImage(bytes);
  if (facts === null)
    throw new Refusal('malformed', 'The picture is damaged, truncated, animated, or followed by other data.');
  if (facts.width * facts.height > policy.maxPixels) {
    throw new Refusal(
      'too_many_pixels',
      `The picture has ${facts.width} × ${facts.height} pixels; at most ${policy.maxPixels} are kept.`,
    );
  }
  const contentHash = sha256(bytes);
  const artifact: ImageArtifact = {
    uri: `artifact://${contentHash}`,
    mimeType: facts.mimeType,
    byteSize: bytes.length,
    contentHash,
    width: facts.width,
    height: facts.height,
    ...(image.sourceTool === undefined ? {} : { sourceTool: image.sourceTool }),
    ...(image.toolOutputSpoolId === undefined ? {} : { toolOutputSpoolId: image.toolOutputSpoolId }),
  };
  return { bytes, artifact };
}

/**
 * Keeps pictures as `<sha256>.<ext>`. Equal pictures are one file with a reference for each action that sent it, so giving
 * one back never removes another's. `put` returns failures instead of throwing them.
 */
class ImageFolder implements ImageArtifactStore {
  readonly root: string;
  readonly #pipeline: ArtifactPipeline;
  readonly #ledger: ArtifactLedger;
  /** The ledger outlives this process; without such a one the folder itself is the record of earlier runs. */
  readonly #isLasting: boolean;
  readonly #onQuarantine: ImageArtifactStoreOptions['onQuarantine'];
  #policy: ImageArtifactPolicy;
  /** Counting, writing and deleting are serialised, so that a picture just found present is not being deleted. */
  #last: Promise<unknown> = Promise.resolve();
  /** Files whose bytes were found to have their hash, as they were then: the same picture often comes again at once. */
  readonly #checked = new Map<string, string>();
  /**
   * Bytes of each session and in all, at most: counted up with each picture. The records, which must add up all pictures,
   * are asked only once this exceeds a quota.
   */
  #totalAtMost = Number.POSITIVE_INFINITY;
  readonly #sessionsAtMost = new Map<string, number>();

  constructor({ pipeline, policy, root, ledger, onQuarantine }: ImageArtifactStoreOptions) {
    this.root = root ?? join(process.cwd(), IMAGE_ROOT);
    this.#pipeline = pipeline;
    this.#ledger = ledger ?? createMemoryLedger();
    this.#isLasting = ledger !== undefined;
    this.#onQuarantine = onQuarantine;
    this.#policy = { ...DEFAULT_IMAGE_POLICY, ...policy };
  }

  async put(image: ImageInput): Promise<ImageStored> {
    let found: CheckedImage | null = null;
    const byteSize = typeof image.data === 'string' ? Math.floor(decodedLength(image.data)) : image.data.byteLength;
    try {
      found = checkImage(image, this.#policy);
      const { artifact } = found;
      if (!this.#policy.keep) return { status: 'not_kept', artifact };
      const reference: ArtifactReference = {
        contentHash: artifact.contentHash,
        sessionId: image.sessionId ?? '',
        actionId: image.actionId ?? randomUUID(),
      };
      const present = found;
      await this.#inOrder(() => this.#keep(present, reference));
      return { status: 'kept', artifact, reference };
    } catch (error) {
      return this.#setAside(image, byteSize, found?.artifact.contentHash ?? null, error);
    }
  }

  async get(contentHash: string): Promise<ImageArtifact | null> {
    // A caller's text becomes a path only if it is exactly 64 hex digits.
    if (!CONTENT_HASH.test(contentHash)) return null;
    return (await this.#ledger.get(contentHash))?.artifact ?? (await this.#fromDisk(contentHash));
  }

  async read(contentHash: string): Promise<{ artifact: ImageArtifact; bytes: Uint8Array } | null> {
    const artifact = await this.get(contentHash);
    if (artifact === null) return null;
    const bytes = await readFile(this.#pathOf(artifact)).catch(() => null);
    if (bytes === null) return null;
    if (sha256(bytes) === contentHash) return { artifact, bytes };
    const { mimeType, sourceTool } = artifact;
    this.#setAside(
      { mimeType, ...(sourceTool === undefined ? {} : { sourceTool }) },
      bytes.length,
      contentHash,
      new Refusal('malformed', 'The bytes on disk no longer have the picture’s hash; they are not served.'),
    );
    return null;
  }

  release(reference: ArtifactReference): Promise<{ references: number }> {
    return this.#inOrder(() => this.#releaseNow(reference));
  }

  sweep(now = new Date()): Promise<SweepReport> {
    return this.#inOrder(async () => {
      const { expired, bytesFreed } = await this.#dropExpired(now);
      const { orphans, missing, bytesFreed: orphanBytes } = await this.#reconcile();
      return { expired, orphans, missing, bytesFreed: bytesFreed + orphanBytes };
    });
  }

  configure(changes: Partial<ImageArtifactPolicy>): void {
    this.#policy = { ...this.#policy, ...changes };
  }

  #inOrder<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#last.then(task);
    this.#last = run.catch(() => undefined);
    return run;
  }

  #pathOf({ contentHash, mimeType }: ImageArtifact): string {
    return join(this.root, `${contentHash}.${EXTENSIONS[mimeType]}`);
  }

  #setAside(
    image: Pick<ImageInput, 'mimeType' | 'sourceTool'>,
    byteSize: number,
    contentHash: string | null,
    fault: unknown,
  ): ImageStored {
    const quarantined: Quarantined = {
      reason: fault instanceof Refusal ? fault.reason : 'write_failed',
      message: fault instanceof Error ? fault.message : String(fault),
      mimeType: image.mimeType.slice(0, 100),
      byteSize,
      contentHash,
      sourceTool: image.sourceTool ?? null,
      at: new Date().toISOString(),
    };
    // The handler only reports; its own failure must not reach the action.
    attempt(() => this.#onQuarantine?.(quarantined), undefined);
    return { status: 'quarantined', quarantined };
  }

  async #isOnDisk(artifact: ImageArtifact): Promise<boolean> {
    const path = this.#pathOf(artifact);
    try {
      const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
      const state = `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
      if (this.#checked.get(path) === state) return true;
      this.#checked.delete(path);
      if (sha256(await readFile(path)) !== artifact.contentHash) return false;
      if (this.#checked.size >= MOST_CHECKED) this.#checked.clear();
      this.#checked.set(path, state);
      return true;
    } catch {
      return false;
    }
  }

  async #removePicture(artifact: ImageArtifact): Promise<void> {
    await this.#ledger.remove(artifact.contentHash);
    await removeFile(this.#pathOf(artifact));
  }

  #setAtMost(sessionId: string, total: number, ofSession: number): void {
    if (this.#sessionsAtMost.size >= MOST_SESSIONS && !this.#sessionsAtMost.has(sessionId))
      this.#sessionsAtMost.clear();
    this.#totalAtMost = total;
    this.#sessionsAtMost.set(sessionId, ofSession);
  }

  /** Counts a picture that was just recorded. Drops the oldest beyond the session's quota and the total quota, but not this one. */
  async #makeRoom(sessionId: string, added: ImageArtifact, isNew: boolean): Promise<void> {
    const total = this.#totalAtMost + (isNew ? added.byteSize : 0);
    const ofSession = (this.#sessionsAtMost.get(sessionId) ?? Number.POSITIVE_INFINITY) + added.byteSize;
    this.#setAtMost(sessionId, total, ofSession);
    if (!isNew || (total <= this.#policy.totalQuotaBytes && ofSession <= this.#policy.sessionQuotaBytes)) return;
    let { totalBytes, sessionBytes } = await this.#ledger.usage(sessionId);
    const oldestOf = async (ofSession: string | null): Promise<ImageArtifact | undefined> =>
      // A clock that was set back could make the new one the oldest.
      (await this.#ledger.oldest({ before: null, ofSession, limit: 2 }))
        .map(({ artifact }) => artifact)
        .find(({ contentHash }) => contentHash !== added.contentHash);
    while (sessionBytes > this.#policy.sessionQuotaBytes) {
      const oldest = await oldestOf(sessionId);
      if (oldest === undefined) break;
      const { references } = await this.#ledger.releaseSession(oldest.contentHash, sessionId);
      if (references === 0) {
        await removeFile(this.#pathOf(oldest));
        totalBytes -= oldest.byteSize;
      }
      sessionBytes -= oldest.byteSize;
    }
    while (totalBytes > this.#policy.totalQuotaBytes) {
      const oldest = await oldestOf(null);
      if (oldest === undefined) break;
      await this.#removePicture(oldest);
      totalBytes -= oldest.byteSize;
    }
    this.#setAtMost(sessionId, totalBytes, sessionBytes);
  }

  async #releaseNow(reference: ArtifactReference): Promise<{ references: number }> {
    const entry = await this.#ledger.get(reference.contentHash);
    const left = await this.#ledger.release(reference);
    if (entry !== null && left.references === 0) await removeFile(this.#pathOf(entry.artifact));
    return left;
  }

  /** The file and its record at the same time: `sweep` removes either if it is left without the other. */
  async #keep({ bytes, artifact }: CheckedImage, reference: ArtifactReference): Promise<void> {
    if (bytes.length > this.#policy.sessionQuotaBytes || bytes.length > this.#policy.totalQuotaBytes)
      throw new Refusal('quota', `The picture alone has ${bytes.length} bytes, more than the quota.`);
    const [recorded, written] = await Promise.allSettled([
      this.#ledger.add(artifact, reference, new Date().toISOString()),
      this.#isOnDisk(artifact).then((isThere) => (isThere ? undefined : writeDurably(this.#pathOf(artifact), bytes))),
    ]);
    if (recorded.status === 'rejected') {
      const { reason } = recorded as { reason: unknown };
      if ((await this.#ledger.get(artifact.contentHash)) === null) await removeFile(this.#pathOf(artifact));
      throw new Refusal(
        'record_failed',
        `The picture’s record could not be written: ${reason instanceof Error ? reason.message : String(reason)}`,
      );
    }
    if (written.status === 'rejected') {
      await this.#releaseNow(reference);
      throw written.reason;
    }
    // With further references it was there before.
    await this.#makeRoom(reference.sessionId, artifact, recorded.value.references === 1);
    const emission = await this.#pipeline.emit({ kind: IMAGE_ARTIFACT, record: artifact });
    if (emission.emitted) return;
    await this.#releaseNow(reference);
    throw new Refusal(emission.isRefusal ? 'refused_by_registry' : 'emission_failed', emission.reason);
  }

  async #fromDisk(contentHash: string): Promise<ImageArtifact | null> {
    if (this.#isLasting) return null;
    for (const mimeType of ImageMimeType.options) {
      const bytes = await readFile(join(this.root, `${contentHash}.${EXTENSIONS[mimeType]}`)).catch(() => null);
      const facts = bytes === null ? null : parseImage(bytes);
      if (bytes !== null && facts !== null) {
        return { uri: `artifact://${contentHash}`, contentHash, byteSize: bytes.length, ...facts };
      }
    }
    return null;
  }

  async #dropExpired(now: Date): Promise<{ expired: number; bytesFreed: number }> {
    const before = new Date(now.getTime() - this.#policy.retentionMs).toISOString();
    let expired = 0;
    let bytesFreed = 0;
    for (;;) {
      const batch = await this.#ledger.oldest({ before, ofSession: null, limit: 100 });
      if (batch.length === 0) return { expired, bytesFreed };
      for (const { artifact } of batch) {
        await this.#removePicture(artifact);
        expired += 1;
        bytesFreed += artifact.byteSize;
      }
    }
  }

  /** Reconciles folder and records, whatever happened to either. */
  async #reconcile(): Promise<{ orphans: number; missing: number; bytesFreed: number }> {
    const names = await readdir(this.root).catch(() => []);
    const known = new Set(await this.#ledger.hashes());
    const present = new Set<string>();
    let orphans = 0;
    let bytesFreed = 0;
    for (const name of names) {
      const contentHash = FILE_NAME.exec(name)?.[1];
      if (contentHash !== undefined && known.has(contentHash)) present.add(contentHash);
      const isOrphan =
        name.startsWith(TEMPORARY_PREFIX) || (contentHash !== undefined && this.#isLasting && !known.has(contentHash));
      if (!isOrphan) continue;
      bytesFreed += (await stat(join(this.root, name)).catch(() => null))?.size ?? 0;
      if (await removeFile(join(this.root, name))) orphans += 1;
    }
    const missing = [...known].filter((contentHash) => !present.has(contentHash));
    for (const contentHash of missing) await this.#ledger.remove(contentHash);
    return { orphans, missing: missing.length, bytesFreed };
  }
}

/** A picture store; without a ledger, for programs that keep pictures without a host. */
export function createImageArtifactStore(options: ImageArtifactStoreOptions): ImageArtifactStore {
  return new ImageFolder(options);
}

export interface ImageStoreOptions {
  /** The host's data directory; the pictures go to `.agent-runtime/spool/images` in it. */
  readonly dataDirectory: string;
  /** `store.artifacts`. */
  readonly ledger: ArtifactLedger;
  readonly policy?: Partial<ImageArtifactPolicy>;
  /** Receives every picture that was not kept; the host records it in the audit. */
  readonly onQuarantine?: (quarantined: Quarantined) => void;
  /** Receives every picture that was kept. */
  readonly onArtifact?: ArtifactListener;
}

/** The host's picture store: records in the database, pictures in the data directory. */
export function createImageStore({
  dataDirectory,
  ledger,
  policy,
  onQuarantine,
  onArtifact,
}: ImageStoreOptions): ImageArtifactStore {
  const pipeline = createArtifactPipeline({ registry: createArtifactRegistry() });
  if (onArtifact !== undefined) pipeline.subscribe(onArtifact);
  return createImageArtifactStore({
    pipeline,
    ledger,
    root: join(dataDirectory, IMAGE_ROOT),
    ...(policy === undefined ? {} : { policy }),
    ...(onQuarantine === undefined ? {} : { onQuarantine }),
  });
}
