/** Binding another window: held input of the owner's former window is released, and the window moved back. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Desktop } from '../../desktop/index.ts';
import type { OwnCall } from '../home/own-call.ts';
import type { Owners } from './owners.ts';
import type { RunScope } from './run-scope.ts';

export interface BindParts {
  readonly desktop: Desktop;
  readonly owners: Owners;
  readonly ownCall: OwnCall;
  onFault(error: unknown, where: string): void;
}

/** Time limit for releasing a former window. */
const RELEASE_MS = 3000;

/**
 * Replaces the binding of the run's owner. Unbinding releases everything: a button can be down without a window too.
 */
export async function rebind(parts: BindParts, { state }: RunScope, record: BindingRecord | null): Promise<void> {
  const replaced = parts.owners.bind(state, record);
  for (const { owner, binding } of parts.owners.takeSurplus()) void release(parts, owner, binding);
  if (record === null) await release(parts, state.owner, null);
  else if (replaced !== null) await release(parts, state.owner, replaced);
}

/** A window that is gone needs no release; that is not a failure of the bind. */
async function release(parts: BindParts, owner: string, binding: BindingRecord | null): Promise<void> {
  try {
    await parts.desktop.binding.release(binding, parts.ownCall(owner, RELEASE_MS));
  } catch (error) {
    parts.onFault(error, 'release of a former binding');
  }
}
