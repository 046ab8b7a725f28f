/** Facts of a window that are asked once. */
import type { ControlKind } from '../../windows/classes.ts';

/** What stays the same for the lifetime of a window. Its parent may change, which is reported. */
export interface WindowFacts {
  readonly className: string;
  readonly kind: ControlKind;
  readonly id: number;
  readonly parent: number;
  readonly thread: number;
  readonly process: number;
}
