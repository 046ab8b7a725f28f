import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { OverlayStage } from './stage.ts';

/** The status indicators of all owners, in the overlay's window thread. */
export interface Indicators extends Disposable {
  /** Changes an owner's indicator; the answer is what is drawn now. */
  set(owner: string, record: BindingRecord | null, change: 'show' | 'hide' | 'status', message: string | undefined): { active: boolean; message?: string };
}

export function createIndicators(_stage: OverlayStage): Indicators {
  return {
    set(_owner, _record, change) {
      if (change === 'show') throw new UiaHostError('unsupported', 'This host draws no indicator; nothing was shown.');
      return { active: false };
    },
    [Symbol.dispose]: () => {},
  };
}
