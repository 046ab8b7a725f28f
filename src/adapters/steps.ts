/** Runs one call of a foreign computer tool: its steps in order through the host’s runner, and clean-up after a failure. */
import { setTimeout as sleep } from 'node:timers/promises';
import { abortReason } from '../contract/errors.ts';
import { hasActed, triedOf, type ActionResult } from '../contract/outcome.ts';
import type { Caller } from '../host/face/caller.ts';
import type { Host } from '../host/face/host.ts';

/** One step of a foreign action; `onFailure` names an action that cleans up. */
export type ForeignStep =
  | { readonly action: string; readonly input: Record<string, unknown>; readonly onFailure?: string }
  | { readonly waitMs: number };

export const step = (
  action: string,
  input: Record<string, unknown> = {},
): { action: string; input: Record<string, unknown> } => ({
  action,
  input: Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
});

/** The caller as an adapter's; cards and lists of sessions name the tool. */
export function adapterCaller(host: Host, caller: Caller, vendor: string): Caller {
  host.approvals.noteClient(caller, `${vendor} computer tool`);
  return { ...caller, surface: 'adapter' };
}

/** Waits. Errors: the signal's reason. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => {
    throw abortReason(signal, 'The wait was cancelled.');
  });

/** How one foreign call is run: each step through the host's runner, like a separate action. */
export interface Stepper {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  run(action: string, input?: Record<string, unknown>): Promise<ActionResult>;
  /** What did not go as it was asked in the steps so far; empty if all did. */
  otherwise(): string;
}

export function stepper(host: Host, caller: Caller, signal: AbortSignal): Stepper {
  const results: ActionResult[] = [];
  return {
    caller,
    signal,
    async run(action, input = {}) {
      const result = await host.runner.run(caller, action, input, { signal }).result;
      results.push(result);
      return result;
    },
    otherwise: () =>
      results
        .map(sayOtherwise)
        .filter((text) => text !== '')
        .join(' '),
  };
}

function sayOtherwise({ outcome }: ActionResult): string {
  const { effect, readBack, focusChanged, cursorMoved } = outcome;
  return [
    ...(hasActed(outcome) && effect === 'unverified' ? ['Its effect could not be verified.'] : []),
    ...(hasActed(outcome) && effect === 'none' ? ['Nothing changed.'] : []),
    ...(effect === 'pending_modal' ? ['A dialog opened and waits for an answer.'] : []),
    ...(readBack === 'mismatch'
      ? [`The field holds another text than was typed (${triedOf(outcome).join('; ')}).`]
      : []),
    ...(focusChanged ? ['The foreground window changed.'] : []),
    ...(cursorMoved ? ['The cursor moved.'] : []),
  ].join(' ');
}
