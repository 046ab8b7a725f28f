import { z } from 'zod';
import { ImageArtifact } from '../../contract/artifact.ts';
import type { Host } from '../../host/host.ts';
import { json, tokenRoute, type PathParameter, type Route } from '../../host/route.ts';

const sha256: PathParameter = { pattern: /^[0-9a-f]{64}$/, meaning: 'SHA-256 of the bytes, lower-case hex.', unknown: 'artifact_not_found' };

export function artifactRoutes(host: Host): Route[] {
  return [
    tokenRoute({
      method: 'GET',
      path: '/v1/artifacts/{sha256}',
      operationId: 'getArtifact',
      tag: 'artifacts',
      scope: 'agent',
      summary: 'Record of a stored picture.',
      pathParameters: { sha256 },
      replies: { 200: { description: 'The record.', schema: ImageArtifact } },
      async handle({ path }) {
        return json(await host.artifact(path['sha256'] ?? ''));
      },
    }),
    tokenRoute({
      method: 'GET',
      path: '/v1/artifacts/{sha256}/content',
      operationId: 'getArtifactContent',
      tag: 'artifacts',
      scope: 'agent',
      summary: 'Bytes of a stored picture.',
      pathParameters: { sha256 },
      replies: { 200: { description: 'The picture: PNG, JPEG or WebP.', mediaType: 'image/*', schema: z.string() } },
      async handle({ path }) {
        const { bytes, mimeType } = await host.artifactContent(path['sha256'] ?? '');
        return { kind: 'bytes', bytes, mimeType, headers: { 'Content-Length': String(bytes.byteLength), ETag: `"${path['sha256']}"` } };
      },
    }),
  ];
}
