import type { BindingRecord } from '../contract/binding.ts';
import { Observations } from './observations.ts';

/** What the host keeps for one (token, session name): its binding and what it has seen. */
export interface OwnerState {
  readonly owner: string;
  binding: BindingRecord | null;
  readonly observations: Observations;
}

/** Bindings by owner. A binding belongs to (token, session name), so two clients never share one by accident. */
export class Owners {
  readonly #states = new Map<string, OwnerState>();

  of(owner: string): OwnerState {
    let state = this.#states.get(owner);
    if (state === undefined) {
      state = { owner, binding: null, observations: new Observations() };
      this.#states.set(owner, state);
    }
    return state;
  }

  /** Replaces the binding; refs and observations of another window mean nothing any more. Returns the one that was replaced. */
  bind(owner: string, record: BindingRecord | null): BindingRecord | null {
    const state = this.of(owner);
    const before = state.binding;
    const isSame = before !== null && record !== null && before.hwnd === record.hwnd && before.processCreated === record.processCreated;
    if (!isSame) state.observations.clear();
    state.binding = record;
    return isSame ? null : before;
  }

  bound(): OwnerState[] {
    return [...this.#states.values()].filter((state) => state.binding !== null);
  }

  forget(owner: string): void {
    this.#states.delete(owner);
  }
}
