/** The picture on a card: the bound window, with the target outlined. */
import type { ImageArtifactStore } from '../../artifacts/types.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { screenRectToImage } from '../../contract/element/coordinates.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
import type { Desktop } from '../../desktop/index.ts';
import type { CardDraft } from '../../policy/gate/index.ts';
import type { OwnCall } from '../home/own-call.ts';
import type { CardPicture } from './surface.ts';

export interface CardPictureParts {
  readonly desktop: Desktop;
  readonly images: ImageArtifactStore;
  readonly ownCall: OwnCall;
  policy(): Policy;
  /** The binding of any owner to this window. */
  boundTo(hwnd: string): BindingRecord | null;
  onFault(error: unknown, where: string): void;
}

const CAPTURE_MS = 1500;

/** Null if no window is concerned or its picture fails: a card does not need one. */
export async function takeCardPicture(parts: CardPictureParts, draft: CardDraft): Promise<CardPicture | null> {
  const bound = draft.window === null ? null : parts.boundTo(draft.window.hwnd);
  if (bound === null) return null;
  try {
    const picture = await parts.desktop.capture.window(
      bound,
      { format: 'png', deny: parts.policy().deny },
      parts.ownCall('approvals', CAPTURE_MS),
    );
    const kept = await parts.images.put({
      data: picture.bytes,
      mimeType: picture.mimeType,
      actionId: draft.actionId,
      sessionId: draft.sessionId,
      sourceTool: 'approval',
    });
    return {
      url: kept.status === 'kept' ? `/v1/artifacts/${kept.artifact.contentHash}/content` : null,
      bytes: picture.bytes,
      outline: draft.outline === null ? null : screenRectToImage(picture.geometry, draft.outline),
    };
  } catch (error) {
    parts.onFault(error, 'picture of a card');
    return null;
  }
}
