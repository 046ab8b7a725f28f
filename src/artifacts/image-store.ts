/** The picture store of a host: records in its database, pictures in its data directory. */
import { join } from 'node:path';
import { createImageArtifactStore, IMAGE_ROOT } from './image-artifact-store.ts';
import type { ArtifactLedger } from './ledger.ts';
import { createArtifactPipeline, type ArtifactListener } from './pipeline.ts';
import { createArtifactRegistry } from './registry.ts';
import type { ImageArtifactPolicy, ImageArtifactStore, Quarantined } from './types.ts';

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
