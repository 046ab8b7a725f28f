/** A place where a person sees cards and answers, the overlay or the operator's API, and the picture on a card. */
import type { ApprovalCard } from '../../contract/gate/approval.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { SurfaceName } from '../face/host.ts';
import type { ImageArtifactStore } from '../../artifacts/types.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { screenRectToImage } from '../../contract/element/coordinates.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
import type { Desktop } from '../../desktop/index.ts';
import type { CardDraft } from '../../policy/gate/index.ts';
import type { OwnCall } from '../home/own-call.ts';

/** The bound window at the moment when the card is made. */
export interface CardPicture {
  /** Where the stored picture can be read; null if pictures are not kept. */
  readonly url: string | null;
  /** PNG. */
  readonly bytes: Uint8Array;
  /** The target, in pixels of the picture. */
  readonly outline: Rect | null;
}

export interface Surface {
  readonly name: SurfaceName;
  /** Whether a person can approve there now; if not, they can still deny. The API always can if the policy lists it. */
  isAvailable(): boolean;
  /** It shows one card at a time, and reports which one through `Approvals.seen`. */
  readonly showsInTurn?: boolean;
  /** How long a card may wait for an answer there, in place of a shorter time of the policy. */
  waitMs?(): number;
  show(card: ApprovalCard, picture: CardPicture | null): void;
  takeAway(approvalId: string): void;
  /** The card is visible now; its time starts here. */
  setClock?(approvalId: string, expiresAt: string, totalMs: number): void;
}

interface CardPictureParts {
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
