/** A place where a person sees cards and answers: the overlay, or the operator's API. */
import type { ApprovalCard } from '../../contract/gate/approval.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { SurfaceName } from '../face/host.ts';

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
  show(card: ApprovalCard, picture: CardPicture | null): void;
  takeAway(approvalId: string): void;
  /** The card is visible now; its time starts here. */
  setClock?(approvalId: string, expiresAt: string, totalMs: number): void;
}
