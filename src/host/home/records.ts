/** Reads what the host has stored: pictures, documents, large outputs, the audit. */
import type { ToolOutputSpool } from '../../artifacts/spool.ts';
import type { DocumentStore } from '../../artifacts/document-store.ts';
import type { ImageArtifactStore } from '../../artifacts/types.ts';
import type { AuditLog } from '../../audit/entry.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Host } from '../face/host.ts';
import { readSpooled } from '../face/spooled.ts';

export type Records = Pick<
  Host,
  'artifact' | 'artifactContent' | 'spoolOutput' | 'spooled' | 'auditEntries' | 'auditVerify'
>;

export function createRecords(parts: {
  readonly images: ImageArtifactStore;
  readonly documents: DocumentStore;
  readonly spool: ToolOutputSpool;
  readonly audit: AuditLog;
}): Records {
  const { images, documents, spool, audit } = parts;
  const notFound = (sha256: string): UiaHostError =>
    new UiaHostError('artifact_not_found', `There is no artifact ${sha256}.`);
  return {
    async artifact(sha256) {
      const found = (await images.get(sha256)) ?? (await documents.read(sha256))?.artifact;
      if (found === undefined) throw notFound(sha256);
      return found;
    },
    async artifactContent(sha256) {
      const found = (await images.read(sha256)) ?? (await documents.read(sha256));
      if (found === null) throw notFound(sha256);
      return { bytes: found.bytes, mimeType: found.artifact.mimeType };
    },
    spoolOutput: async (content, context) => (await spool.spool(content, context)).content,
    spooled: (caller, spoolId) => readSpooled(spool, caller, spoolId),
    auditEntries: async (after, limit) => audit.read({ after, limit }),
    async auditVerify() {
      const { ok, records, head, firstBad, sealsCheckedFrom, completeFrom } = await audit.verify();
      return { ok, records, head: head?.hash ?? '', firstBad, sealsCheckedFrom, completeFrom };
    },
  };
}
