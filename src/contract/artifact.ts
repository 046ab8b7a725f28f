/** Schemas of stored pictures and documents, and of the parts of an answer that carry them. */
import { z } from 'zod';

export const ImageMimeType = z.enum(['image/png', 'image/jpeg', 'image/webp']);
export type ImageMimeType = z.infer<typeof ImageMimeType>;

/** Record of a stored picture. `contentHash` is the SHA-256 of the bytes in lower-case hex. */
export const ImageArtifact = z.strictObject({
  uri: z.string().regex(/^artifact:\/\/[0-9a-f]{64}$/),
  mimeType: ImageMimeType,
  byteSize: z.int().min(1),
  contentHash: z.string().regex(/^[0-9a-f]{64}$/),
  width: z.int().min(1),
  height: z.int().min(1),
  sourceTool: z.string().optional(),
  toolOutputSpoolId: z.string().optional(),
});
export type ImageArtifact = z.infer<typeof ImageArtifact>;

/** Record of a stored JSON document, such as the cells before a write. */
export const DocumentArtifact = z.strictObject({
  uri: z.string().regex(/^artifact:\/\/[0-9a-f]{64}$/),
  mimeType: z.literal('application/json'),
  byteSize: z.int().min(1),
  contentHash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type DocumentArtifact = z.infer<typeof DocumentArtifact>;

/** One part of a tool's answer in MCP shape. */
export type ToolContent =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  /** A picture that is kept elsewhere. */
  | { type: 'resource'; uri: string; mimeType: string };
