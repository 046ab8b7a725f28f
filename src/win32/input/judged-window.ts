/** The window that real input is for: the window that the gate judged, even if another came to the front meanwhile. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/index.ts';
import type { TreeReader } from '../evidence/shown-effects.ts';
import type { FocusMemory } from '../elements/finding/focus-memory.ts';

/** Errors: state_conflict if neither the gate nor a binding names one. */
export function judgedWindow(
  record: BindingRecord | null,
  call: CallContext,
  end: 'target' | 'start' = 'target',
): BindingRecord {
  const window = call.permit?.[end]?.window ?? record;
  if (window !== null) return window;
  throw new UiaHostError('state_conflict', 'No window was judged for this input; nothing was sent.', {
    hint: 'Bind the intended window first.',
  });
}

/**
 * Makes sure that the first key goes to the judged part: a program may move its focus, and a browser show another page.
 * Later keys of a call were judged by everything they could reach.
 * Errors: state_conflict; nothing was sent.
 */
export function assertSameFocus(
  record: BindingRecord | null,
  isReal: boolean,
  { focus, trees }: { readonly focus: FocusMemory; readonly trees?: TreeReader },
  call: CallContext,
): void {
  const judged = call.permit?.target;
  const window = judged?.window ?? record;
  if (judged === undefined || window === null) return;
  const page = trees?.pageInstead(window, judged, call) ?? null;
  if (page !== null)
    throw new UiaHostError('state_conflict', `In this window ${page}, not what was judged; nothing was sent.`, {
      hint: 'Take a new snapshot, and decide again by what it shows.',
    });
  if (judged.keysTo === undefined) return;
  const bound = Number(window.hwnd);
  const [then, now] = isReal
    ? [judged.keysTo.real, focus.reportedFocus(bound)]
    : [judged.keysTo.posted, focus.find(bound, call.owner)?.hwnd ?? 0];
  if (String(now) === then) return;
  throw new UiaHostError(
    'state_conflict',
    'The program moved its focus to another part after the action was judged; nothing was sent.',
    { hint: 'Take a new snapshot, then send the keys again.' },
  );
}
