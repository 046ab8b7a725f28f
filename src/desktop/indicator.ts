import type { BindingRecord } from '../contract/binding.ts';
import type { CallContext } from './call.ts';

export interface IndicatorPort {
  /** A click-through strip on the bound window. The answer is what is drawn now. */
  set(record: BindingRecord | null, change: 'show' | 'hide' | 'status', message: string | undefined, call: CallContext): Promise<{ active: boolean; message?: string }>;
}
