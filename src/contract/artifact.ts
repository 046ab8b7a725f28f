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

/** Who holds a picture: one reference for each action that sent it. */
export interface ArtifactReference {
  readonly contentHash: string;
  readonly sessionId: string;
  readonly actionId: string;
}

/** A picture that is kept, and how many references hold it. */
export interface StoredArtifact {
  readonly artifact: ImageArtifact;
  readonly storedAt: string;
  readonly references: number;
}

/** Record of a stored JSON document, such as the cells before a write. */
export const DocumentArtifact = z.strictObject({
  uri: z.string().regex(/^artifact:\/\/[0-9a-f]{64}$/),
  mimeType: z.literal('application/json'),
  byteSize: z.int().min(1),
  contentHash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type DocumentArtifact = z.infer<typeof DocumentArtifact>;

/** One part of a tool's answer in MCP shape; a `resource` is a picture that is kept elsewhere. */
export const ToolContent = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('resource'), uri: z.string(), mimeType: z.string() }),
]);
export type ToolContent = z.infer<typeof ToolContent>;

/** A tool's output that was too large to be sent: the whole of it, with pictures replaced by references. */
export const WholeOutput = z.object({
  spoolId: z.string(),
  tool: z.string(),
  sessionId: z.string().nullable(),
  actionId: z.string().nullable(),
  createdAt: z.string(),
  content: z.array(ToolContent),
});
export type WholeOutput = z.infer<typeof WholeOutput>;
