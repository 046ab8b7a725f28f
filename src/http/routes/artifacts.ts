// /v1/artifacts and /v1/spool: stored pictures, cells before a write, and truncated outputs.
import { z } from 'zod';
import { DocumentArtifact, ImageArtifact, WholeOutput } from '../../contract/artifact.ts';
import type { Host } from '../../host/face/host.ts';
import { ID_PATTERN, json, tokenRoute, type PathParameter, type Route } from '../../host/face/route.ts';

const AGENT = { tag: 'artifacts', scope: 'agent' } as const;
const spoolId: PathParameter = {
  pattern: ID_PATTERN,
  meaning: 'Id from the last line of the truncated output.',
  unknown: 'artifact_not_found',
};
const sha256: PathParameter = {
  pattern: /^[0-9a-f]{64}$/,
  meaning: 'SHA-256 of the bytes, lower-case hex.',
  unknown: 'artifact_not_found',
};

export function artifactRoutes(host: Host): Route[] {
  return [
    tokenRoute('GET /v1/artifacts/{sha256}', 'getArtifact', {
      ...AGENT,
      summary: 'Record of a stored picture, or of the cells before a write.',
      pathParameters: { sha256 },
      replies: { 200: { description: 'The record.', schema: z.union([ImageArtifact, DocumentArtifact]) } },
      handle: async ({ path }) => json(await host.artifact(path['sha256'] ?? '')),
    }),
    tokenRoute('GET /v1/artifacts/{sha256}/content', 'getArtifactContent', {
      ...AGENT,
      isViewable: true,
      summary: 'Bytes of a stored picture, or of the cells before a write.',
      pathParameters: { sha256 },
      replies: {
        200: {
          description: 'The picture (PNG, JPEG or WebP), or the cells before a write (JSON).',
          mediaType: '*/*',
          schema: z.string(),
        },
      },
      async handle({ path }) {
        const { bytes, mimeType } = await host.artifactContent(path['sha256'] ?? '');
        return {
          kind: 'bytes',
          bytes,
          mimeType,
          headers: { 'Content-Length': String(bytes.byteLength), ETag: `"${path['sha256']}"` },
        };
      },
    }),
    tokenRoute('GET /v1/spool/{spoolId}', 'getSpooledOutput', {
      ...AGENT,
      summary: 'A truncated tool output in full, for the token that made the call; its pictures are references.',
      pathParameters: { spoolId },
      replies: { 200: { description: 'The output.', schema: WholeOutput } },
      handle: async ({ path }, caller) => json(await host.spooled(caller, path['spoolId'] ?? '')),
    }),
  ];
}
