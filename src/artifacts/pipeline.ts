/** Passes new artifacts of known kinds to their listeners, and quarantines artifacts that cannot be emitted. */
import { ImageArtifact } from '../contract/artifact.ts';
import { attempt } from '../contract/attempt.ts';

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

export interface EmittedArtifact {
  readonly kind: string;
  readonly record: unknown;
}

export interface EmissionFault extends EmittedArtifact {
  readonly reason: string;
  readonly at: string;
}

export type ArtifactListener = (artifact: EmittedArtifact) => void | Promise<void>;

/** Hands artifacts to their listeners. What cannot be emitted is quarantined; no error here reaches the action. */
export interface ArtifactPipeline {
  /** `emitted` false: quarantined, with the reason. */
  emit(
    artifact: EmittedArtifact,
  ): Promise<
    { readonly emitted: true } | { readonly emitted: false; readonly reason: string; readonly isRefusal: boolean }
  >;
  subscribe(listener: ArtifactListener): () => void;
  /** The latest faults, oldest first. */
  readonly quarantine: readonly EmissionFault[];
}

/** Only the last few help a person; more would fill the memory of a host whose disk is full. */
const MAX_FAULTS = 100;

export interface ArtifactPipelineOptions {
  readonly registry: ArtifactRegistry;
  readonly onQuarantine?: (fault: EmissionFault) => void;
}

export function createArtifactPipeline({ registry, onQuarantine }: ArtifactPipelineOptions): ArtifactPipeline {
  const listeners = new Set<ArtifactListener>();
  const quarantine: EmissionFault[] = [];

  const setAside = (artifact: EmittedArtifact, reason: string, isRefusal: boolean) => {
    const fault: EmissionFault = { ...artifact, reason, at: new Date().toISOString() };
    quarantine.push(fault);
    if (quarantine.length > MAX_FAULTS) quarantine.shift();
    // The handler only reports; its own failure must not reach the action either.
    attempt(() => onQuarantine?.(fault), undefined);
    return { emitted: false, reason, isRefusal } as const;
  };

  return {
    quarantine,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async emit(artifact) {
      try {
        const refusal = registry.check(artifact.kind, artifact.record);
        if (refusal !== null) return setAside(artifact, refusal, true);
        for (const listener of listeners) await listener(artifact);
        return { emitted: true };
      } catch (error) {
        return setAside(artifact, error instanceof Error ? error.message : String(error), false);
      }
    },
  };
}
