/** The kinds of artifact that may be emitted, each with the check of its record. */
import { ImageArtifact } from '../contract/artifact.ts';

/** Returns what is wrong with a record of its kind; null if nothing is. */
export type ArtifactCheck = (record: unknown) => string | null;

/** Knows the kinds of artifact that may be emitted. */
export interface ArtifactRegistry {
  /** Adds a kind, or replaces its check. */
  register(kind: string, check: ArtifactCheck): void;
  /** Null for a valid record of a known kind, otherwise the reason. */
  check(kind: string, record: unknown): string | null;
  readonly kinds: readonly string[];
}

export const IMAGE_ARTIFACT = 'ImageArtifact';

/** A registry that knows `ImageArtifact`. */
export function createArtifactRegistry(): ArtifactRegistry {
  const checks = new Map<string, ArtifactCheck>();
  checks.set(IMAGE_ARTIFACT, (record) => {
    const parsed = ImageArtifact.safeParse(record);
    return parsed.success
      ? null
      : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  });
  return {
    register(kind, check) {
      checks.set(kind, check);
    },
    check(kind, record) {
      const check = checks.get(kind);
      return check === undefined ? `no kind of artifact is called ${kind}` : check(record);
    },
    get kinds() {
      return [...checks.keys()];
    },
  };
}
