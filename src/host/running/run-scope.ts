import type { ActionDefinition, ObservationBook } from '../../actions/index.ts';
import type { BindingRecord } from '../../contract/binding.ts';
import type { GateRecord } from '../../policy/gate/index.ts';
import type { Caller } from '../face/caller.ts';
import type { Deadline } from './deadline.ts';
import type { OwnerState } from './owners.ts';

/** What one run carries through the host, beside its input. */
export interface RunScope {
  readonly caller: Caller;
  readonly state: OwnerState;
  readonly actionId: string;
  /** The action that this one is a part of: a batch, a proposal. */
  readonly outerId: string | null;
  readonly definition: ActionDefinition;
  /** The window that was bound when the action's traits were read: what is judged and what is delivered to are this one, whatever is bound meanwhile. */
  readonly bound: BindingRecord | null;
  /** As they were then: a point in the latest picture means the same picture for gate and delivery, whatever is seen meanwhile. */
  readonly observations: ObservationBook;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
  /** Gives the window's turn back while a person is asked, and takes it again. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
  onPending(approvalId: string): void;
  /** A batch has done so many of its steps. */
  onStep(progress: number, total: number): void;
  onGate(record: GateRecord): void;
}
