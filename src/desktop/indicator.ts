/** The port of the status strip on the bound window. */
import type { BindingRecord } from '../contract/element/binding.ts';
import type { CallContext } from './call.ts';

export interface IndicatorPort {
  /**
   * The click-through strip on the bound window, one for each owner of a call. The answer's `message` is the strip's
   * text; `active` says whether it is on the screen now: false while the window is minimised, and once it is gone.
   * `notice`: the host's own words before the agent's.
   * Without a record nothing is bound, and the owner's strip is removed. Errors: not_bound and window_gone for `show`;
   * desktop_unavailable if Windows creates no window.
   */
  set(
    record: BindingRecord | null,
    change: 'show' | 'hide' | 'status',
    message: string | undefined,
    call: CallContext,
    notice?: string,
  ): Promise<{ active: boolean; message?: string }>;
}
