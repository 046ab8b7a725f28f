/** The port of the status strip on the bound window. */
import type { BindingRecord } from '../contract/binding.ts';
import type { CallContext } from './call.ts';

export interface IndicatorPort {
  /**
   * The click-through strip on the bound window, one for each owner of a call. `message` of the answer is what the strip
   * says; `active` is whether it is on the screen at this moment: false while the window is minimised, and with its end.
   * Without a record nothing is bound, and what the owner had is removed.
   * Errors: not_bound and window_gone for `show`; desktop_unavailable where Windows makes no window.
   */
  set(
    record: BindingRecord | null,
    change: 'show' | 'hide' | 'status',
    message: string | undefined,
    call: CallContext,
  ): Promise<{ active: boolean; message?: string }>;
}
