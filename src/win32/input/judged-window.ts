/** The window that real input is for: what the gate judged, and nothing that came to the front meanwhile. */
import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/index.ts';

/** Errors: state_conflict where neither the gate nor a binding names one. */
export function judgedWindow(record: BindingRecord | null, call: CallContext, end: 'target' | 'start' = 'target'): BindingRecord {
  const window = call.judged?.[end]?.window ?? record;
  if (window !== null) return window;
  throw new UiaHostError('state_conflict', 'No window was judged for this input; nothing was sent.', { hint: 'Bind the window that you mean.' });
}
