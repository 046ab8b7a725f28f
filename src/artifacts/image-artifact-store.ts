/**
 * Keeps pictures by the hash of their bytes: checks them, counts references, enforces the quota, and quarantines what is
 * not valid.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ImageMimeType, type ImageArtifact } from '../contract/artifact.ts';
import { decodeBase64, decodedLength } from './base64.ts';
import { parseImage, sniffMimeType } from './image-format.ts';
import { createMemoryLedger, type ArtifactLedger } from './ledger.ts';
import type { ArtifactPipeline } from './pipeline.ts';
import { IMAGE_ARTIFACT } from './registry.ts';
import type {
  ArtifactReference,
  ImageArtifactPolicy,
  ImageArtifactStore,
  ImageInput,
  ImageStored,
  Quarantined,
  QuarantineReason,
  SweepReport,
} from './types.ts';
import { TEMPORARY_PREFIX, writeDurably } from '../base/durable-file.ts';
import { removeFile } from './remove-file.ts';

const MIB = 1024 * 1024;

export const DEFAULT_IMAGE_POLICY: ImageArtifactPolicy = {
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
export const IMAGE_ROOT = join('.agent-runtime', 'spool', 'images');

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

/** Runs one task after another. */
function createQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const run = last.then(task, task);
    last = run.catch(() => undefined);
    return run;
  };
}

/**
 * Keeps pictures as `<sha256>.<ext>`. Equal pictures are one file with a reference for each action that sent it, so giving
 * one back never removes another's. `put` returns failures instead of throwing them.
 */
export function createImageArtifactStore(options: ImageArtifactStoreOptions): ImageArtifactStore {
  const { pipeline, onQuarantine } = options;
  const root = options.root ?? join(process.cwd(), IMAGE_ROOT);
  const ledger = options.ledger ?? createMemoryLedger();
  const isLasting = options.ledger !== undefined;
  let policy: ImageArtifactPolicy = { ...DEFAULT_IMAGE_POLICY, ...options.policy };
  // Counting, writing and deleting are serialised, so that a picture just found present is not being deleted.
  const inOrder = createQueue();

  const pathOf = ({ contentHash, mimeType }: ImageArtifact): string =>
    join(root, `${contentHash}.${EXTENSIONS[mimeType]}`);

  const report = (quarantined: Quarantined): void => {
    try {
      onQuarantine?.(quarantined);
    } catch {
      // The handler only reports; its own failure must not reach the action.
    }
  };

  const setAside = (
    image: Pick<ImageInput, 'mimeType' | 'sourceTool'>,
    byteSize: number,
    contentHash: string | null,
    fault: unknown,
  ): ImageStored => {
    const quarantined: Quarantined = {
      reason: fault instanceof Refusal ? fault.reason : 'write_failed',
      message: fault instanceof Error ? fault.message : String(fault),
      mimeType: image.mimeType.slice(0, 100),
      byteSize,
      contentHash,
      sourceTool: image.sourceTool ?? null,
      at: new Date().toISOString(),
    };
    report(quarantined);
    return { status: 'quarantined', quarantined };
  };

  /** Files whose bytes were found to have their hash, as they were then: the same picture often comes again at once. */
  const checked = new Map<string, string>();
  const isOnDisk = async (artifact: ImageArtifact): Promise<boolean> => {
    const path = pathOf(artifact);
    try {
      const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
      const state = `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
      if (checked.get(path) === state) return true;
      checked.delete(path);
      if (sha256(await readFile(path)) !== artifact.contentHash) return false;
      if (checked.size >= MOST_CHECKED) checked.clear();
      checked.set(path, state);
      return true;
    } catch {
      return false;
    }
  };

  const removePicture = async (artifact: ImageArtifact): Promise<void> => {
    await ledger.remove(artifact.contentHash);
    await removeFile(pathOf(artifact));
  };

  /**
   * Bytes of each session and in all, at most: counted up with each picture. The records, which must add up all pictures,
   * are asked only once this exceeds a quota.
   */
  const atMost = { total: Number.POSITIVE_INFINITY, bySession: new Map<string, number>() };
  const setAtMost = (sessionId: string, total: number, ofSession: number): void => {
    if (atMost.bySession.size >= MOST_SESSIONS && !atMost.bySession.has(sessionId)) atMost.bySession.clear();
    atMost.total = total;
    atMost.bySession.set(sessionId, ofSession);
  };

  /** Counts a picture that was just recorded. Drops the oldest beyond the session's quota and the total quota, but not this one. */
  const makeRoom = async (sessionId: string, added: ImageArtifact, isNew: boolean): Promise<void> => {
    const total = atMost.total + (isNew ? added.byteSize : 0);
    const ofSession = (atMost.bySession.get(sessionId) ?? Number.POSITIVE_INFINITY) + added.byteSize;
    setAtMost(sessionId, total, ofSession);
    if (!isNew || (total <= policy.totalQuotaBytes && ofSession <= policy.sessionQuotaBytes)) return;
    let { totalBytes, sessionBytes } = await ledger.usage(sessionId);
    const oldestOf = async (ofSession: string | null): Promise<ImageArtifact | undefined> =>
      // A clock that was set back could make the new one the oldest.
      (await ledger.oldest({ before: null, ofSession, limit: 2 }))
        .map(({ artifact }) => artifact)
        .find(({ contentHash }) => contentHash !== added.contentHash);
    while (sessionBytes > policy.sessionQuotaBytes) {
      const oldest = await oldestOf(sessionId);
      if (oldest === undefined) break;
      const { references } = await ledger.releaseSession(oldest.contentHash, sessionId);
      if (references === 0) {
        await removeFile(pathOf(oldest));
        totalBytes -= oldest.byteSize;
      }
      sessionBytes -= oldest.byteSize;
    }
    while (totalBytes > policy.totalQuotaBytes) {
      const oldest = await oldestOf(null);
      if (oldest === undefined) break;
      await removePicture(oldest);
      totalBytes -= oldest.byteSize;
    }
    setAtMost(sessionId, totalBytes, sessionBytes);
  };

  const releaseNow = async (reference: ArtifactReference): Promise<{ references: number }> => {
    const entry = await ledger.get(reference.contentHash);
    const left = await ledger.release(reference);
    if (entry !== null && left.references === 0) await removeFile(pathOf(entry.artifact));
    return left;
  };

  /** The file and its record at the same time: `sweep` removes one that is left without the other. */
  const keep = async ({ bytes, artifact }: CheckedImage, reference: ArtifactReference): Promise<void> => {
    if (bytes.length > policy.sessionQuotaBytes || bytes.length > policy.totalQuotaBytes)
      throw new Refusal('quota', `The picture alone has ${bytes.length} bytes, more than the quota.`);
    const [recorded, written] = await Promise.allSettled([
      ledger.add(artifact, reference, new Date().toISOString()),
      isOnDisk(artifact).then((isThere) => (isThere ? undefined : writeDurably(pathOf(artifact), bytes))),
    ]);
    if (recorded.status === 'rejected') {
      const { reason } = recorded as { reason: unknown };
      if ((await ledger.get(artifact.contentHash)) === null) await removeFile(pathOf(artifact));
      throw new Refusal(
        'record_failed',
        `The picture’s record could not be written: ${reason instanceof Error ? reason.message : String(reason)}`,
      );
    }
    if (written.status === 'rejected') {
      await releaseNow(reference);
      throw written.reason;
    }
    // With further references it was there before.
    await makeRoom(reference.sessionId, artifact, recorded.value.references === 1);
    const emission = await pipeline.emit({ kind: IMAGE_ARTIFACT, record: artifact });
    if (emission.emitted) return;
    await releaseNow(reference);
    throw new Refusal(emission.isRefusal ? 'refused_by_registry' : 'emission_failed', emission.reason);
  };

  /** Without a persistent ledger, the folder itself is the record of earlier runs. */
  const fromDisk = async (contentHash: string): Promise<ImageArtifact | null> => {
    if (isLasting) return null;
    for (const mimeType of ImageMimeType.options) {
      const bytes = await readFile(join(root, `${contentHash}.${EXTENSIONS[mimeType]}`)).catch(() => null);
      const facts = bytes === null ? null : parseImage(bytes);
      if (bytes !== null && facts !== null) {
        return { uri: `artifact://${contentHash}`, contentHash, byteSize: bytes.length, ...facts };
      }
    }
    return null;
  };

  const get = async (contentHash: string): Promise<ImageArtifact | null> => {
    // A caller's text becomes a path only if it is exactly 64 hex digits.
    if (!CONTENT_HASH.test(contentHash)) return null;
    return (await ledger.get(contentHash))?.artifact ?? (await fromDisk(contentHash));
  };

  const dropExpired = async (now: Date): Promise<{ expired: number; bytesFreed: number }> => {
    const before = new Date(now.getTime() - policy.retentionMs).toISOString();
    let expired = 0;
    let bytesFreed = 0;
    for (;;) {
      const batch = await ledger.oldest({ before, ofSession: null, limit: 100 });
      if (batch.length === 0) return { expired, bytesFreed };
      for (const { artifact } of batch) {
        await removePicture(artifact);
        expired += 1;
        bytesFreed += artifact.byteSize;
      }
    }
  };

  /** Reconciles folder and records, whatever happened to either. */
  const reconcile = async (): Promise<{ orphans: number; missing: number; bytesFreed: number }> => {
    const names = await readdir(root).catch(() => []);
    const known = new Set(await ledger.hashes());
    const present = new Set<string>();
    let orphans = 0;
    let bytesFreed = 0;
    for (const name of names) {
      const contentHash = FILE_NAME.exec(name)?.[1];
      if (contentHash !== undefined && known.has(contentHash)) present.add(contentHash);
      const isOrphan =
        name.startsWith(TEMPORARY_PREFIX) || (contentHash !== undefined && isLasting && !known.has(contentHash));
      if (!isOrphan) continue;
      bytesFreed += (await stat(join(root, name)).catch(() => null))?.size ?? 0;
      if (await removeFile(join(root, name))) orphans += 1;
    }
    const missing = [...known].filter((contentHash) => !present.has(contentHash));
    for (const contentHash of missing) await ledger.remove(contentHash);
    return { orphans, missing: missing.length, bytesFreed };
  };

  return {
    root,
    get,
    async put(image) {
      let found: CheckedImage | null = null;
      const byteSize = typeof image.data === 'string' ? Math.floor(decodedLength(image.data)) : image.data.byteLength;
      try {
        found = checkImage(image, policy);
        const { artifact } = found;
        if (!policy.keep) return { status: 'not_kept', artifact };
        const reference: ArtifactReference = {
          contentHash: artifact.contentHash,
          sessionId: image.sessionId ?? '',
          actionId: image.actionId ?? randomUUID(),
        };
        const present = found;
        await inOrder(() => keep(present, reference));
        return { status: 'kept', artifact, reference };
      } catch (error) {
        return setAside(image, byteSize, found?.artifact.contentHash ?? null, error);
      }
    },
    async read(contentHash) {
      const artifact = await get(contentHash);
      if (artifact === null) return null;
      const bytes = await readFile(pathOf(artifact)).catch(() => null);
      if (bytes === null) return null;
      if (sha256(bytes) !== contentHash) {
        setAside(
          {
            mimeType: artifact.mimeType,
            ...(artifact.sourceTool === undefined ? {} : { sourceTool: artifact.sourceTool }),
          },
          bytes.length,
          contentHash,
          new Refusal('malformed', 'The bytes on disk no longer have the picture’s hash; they are not served.'),
        );
        return null;
      }
      return { artifact, bytes };
    },
    release: (reference) => inOrder(() => releaseNow(reference)),
    sweep: (now = new Date()) =>
      inOrder(async (): Promise<SweepReport> => {
        const { expired, bytesFreed } = await dropExpired(now);
        const { orphans, missing, bytesFreed: orphanBytes } = await reconcile();
        return { expired, orphans, missing, bytesFreed: bytesFreed + orphanBytes };
      }),
    configure(changes) {
      policy = { ...policy, ...changes };
    },
  };
}
