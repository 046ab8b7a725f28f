/** Stores what an action would lose otherwise, such as the cells before a write. */
import type { DocumentStore } from '../../artifacts/document-store.ts';
import type { RunScope } from './run-scope.ts';

export interface KeepDocumentParts {
  readonly documents: DocumentStore;
  onFault(error: unknown, where: string): void;
}

/**
 * Where the document is served; null if it is not kept. With the action's id in it, its hash says nothing about its content:
 * it cannot be guessed from a few likely values.
 */
export async function keepDocument(
  { documents, onFault }: KeepDocumentParts,
  { actionId }: Pick<RunScope, 'actionId'>,
  content: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  try {
    const kept = await documents.put(JSON.stringify({ actionId, ...content }));
    return kept === null ? null : `/v1/artifacts/${kept.contentHash}/content`;
  } catch (error) {
    onFault(error, 'keeping a document');
    return null;
  }
}
