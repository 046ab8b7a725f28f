/** Types of the picture store: its policy, its references, and the records of quarantined pictures. */
import type { ArtifactReference, ImageArtifact, ImageMimeType } from '../contract/artifact.ts';

/** Why a picture was not kept. */
export type QuarantineReason =
  | 'not_base64'
  | 'too_large'
  | 'type_not_allowed'
  | 'type_mismatch'
  | 'malformed'
  | 'too_many_pixels'
  | 'quota'
  | 'write_failed'
  | 'record_failed'
  | 'refused_by_registry'
  | 'emission_failed';

/** A picture that was not kept, or whose bytes have changed since. Its bytes are not kept either. */
export interface Quarantined {
  readonly reason: QuarantineReason;
  readonly message: string;
  readonly mimeType: string;
  readonly byteSize: number;
  readonly contentHash: string | null;
  readonly sourceTool: string | null;
  readonly at: string;
}

export interface ImageArtifactPolicy {
  /** Default 5 MiB. */
  readonly maxBytes: number;
  /** Default png, jpeg, webp. */
  readonly allowedMimeTypes: readonly ImageMimeType[];
  /** Width × height. */
  readonly maxPixels: number;
  /** Beyond a quota the oldest pictures are deleted, of the session or overall; a picture larger than the quota is refused. */
  readonly sessionQuotaBytes: number;
  readonly totalQuotaBytes: number;
  /** Pictures older than this are deleted by `sweep`. */
  readonly retentionMs: number;
  /** False: pictures are not written; the record is still made, so that the audit has the hash. */
  readonly keep: boolean;
}

export interface ImageInput {
  /** Bytes, or strict base64. */
  readonly data: Uint8Array | string;
  readonly mimeType: string;
  readonly sessionId?: string;
  readonly actionId?: string;
  readonly sourceTool?: string;
  readonly toolOutputSpoolId?: string;
}

/** `kept`: on disk and recorded. `not_kept`: keeping is switched off; not on disk. `quarantined`: refused or failed. */
export type ImageStored =
  | { readonly status: 'kept'; readonly artifact: ImageArtifact; readonly reference: ArtifactReference }
  | { readonly status: 'not_kept'; readonly artifact: ImageArtifact }
  | { readonly status: 'quarantined'; readonly quarantined: Quarantined };

export interface SweepReport {
  readonly expired: number;
  readonly orphans: number;
  readonly missing: number;
  readonly bytesFreed: number;
}

/** The interface for the host, `/v1/artifacts` and programs. Nothing here throws for a bad picture. */
export interface ImageArtifactStore {
  /** The folder of the pictures. */
  readonly root: string;
  put(image: ImageInput): Promise<ImageStored>;
  /** The record, or null for an unknown or malformed hash. */
  get(contentHash: string): Promise<ImageArtifact | null>;
  /** Record and bytes; null if unknown, or if the bytes no longer have this hash. */
  read(contentHash: string): Promise<{ artifact: ImageArtifact; bytes: Uint8Array } | null>;
  /** Releases one reference; the last one deletes the file. */
  release(reference: ArtifactReference): Promise<{ references: number }>;
  /** Deletes expired pictures, files without a record and records without a file. */
  sweep(now?: Date): Promise<SweepReport>;
  /** Changes the policy from the next picture on. */
  configure(policy: Partial<ImageArtifactPolicy>): void;
}
