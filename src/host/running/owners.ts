/** What the host keeps for each owner: (token, session name). */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Allowances } from '../../policy/rights/allowances.ts';
import type { SessionGrants } from '../../policy/rights/grants.ts';
import { TypedLately } from '../../policy/risk/content/typed-text.ts';
import { Observations } from './observations.ts';

/** What a person has allowed for more than one action. */
export interface Rights {
  readonly grants: SessionGrants;
  readonly allowances: Allowances;
}

/** What the host keeps for one (token, session name): its binding, its observations, and its rights. */
export interface OwnerState extends Rights {
  readonly owner: string;
  binding: BindingRecord | null;
  readonly observations: Observations;
  /** What was typed lately, for the gate. */
  readonly typed: TypedLately;
}

/**
 * Clients choose session names, some a new one for each task: beyond this many bindings the least recently used one is
 * released.
 */
const MAX_BINDINGS = 256;

interface KeptState extends OwnerState {
  /** Actions of the owner that are running. */
  runs: number;
}

/** Bindings by owner. A binding belongs to (token, session name), so two clients never share one by accident. */
export class Owners {
  /** Least recently used first. */
  readonly #states = new Map<string, KeptState>();
  readonly #rights: () => Rights;
  readonly #mostBindings: number;

  /** `rights`: those of a new owner. */
  constructor(rights: () => Rights, mostBindings = MAX_BINDINGS) {
    this.#rights = rights;
    this.#mostBindings = mostBindings;
  }

  /** For reading only; a run uses `begin`. */
  of(owner: string): OwnerState {
    return this.#states.get(owner) ?? this.#newState(owner);
  }

  /** For the duration of a run, until `end`. */
  begin(owner: string): OwnerState {
    const state = this.#states.get(owner) ?? this.#newState(owner);
    state.runs += 1;
    this.#states.delete(owner);
    this.#states.set(owner, state);
    return state;
  }

  /** An owner without a binding, observations and rights leaves nothing behind. */
  end(state: OwnerState): void {
    const kept = this.#states.get(state.owner);
    // If the session ended meanwhile, another owner may have the name.
    if (kept === undefined || kept !== state) return;
    kept.runs -= 1;
    if (kept.runs === 0 && kept.binding === null && kept.observations.isEmpty && !hasRights(kept))
      this.#states.delete(kept.owner);
  }

  /** Removes the owners in excess of the limit, except those with a run; the caller releases their bindings. */
  takeSurplus(): OwnerState[] {
    const holders = [...this.#states.values()].filter((state) => state.binding !== null || hasRights(state));
    const surplus = holders.filter(({ runs }) => runs === 0).slice(0, Math.max(0, holders.length - this.#mostBindings));
    for (const { owner } of surplus) this.#states.delete(owner);
    return surplus;
  }

  /** Replaces the binding; observations of another window are dropped. Returns the previous binding. */
  bind(state: OwnerState, record: BindingRecord | null): BindingRecord | null {
    const before = state.binding;
    const isSame = before !== null && isSameWindow(before, record);
    if (!isSame) state.observations.clear();
    state.binding = record;
    return isSame ? null : before;
  }

  bound(): OwnerState[] {
    return [...this.#states.values()].filter((state) => state.binding !== null);
  }

  /** Revokes all rights of all owners. */
  revokeAll(): void {
    for (const { grants, allowances } of this.#states.values()) {
      grants.revokeAll();
      allowances.revokeAll();
    }
  }

  forget(owner: string): void {
    this.#states.delete(owner);
  }

  #newState(owner: string): KeptState {
    return {
      owner,
      binding: null,
      observations: new Observations(),
      typed: new TypedLately(),
      ...this.#rights(),
      runs: 0,
    };
  }
}

const hasRights = ({ grants, allowances }: Rights): boolean => !grants.isEmpty || !allowances.isEmpty;

/** Whether two bindings name the same window, or both are absent. The title may differ. */
export function isSameWindow(one: BindingRecord | null, other: BindingRecord | null): boolean {
  return one?.hwnd === other?.hwnd && one?.processCreated === other?.processCreated;
}

/** Errors: state_conflict if another window is bound by now. */
export function assertStillBound(state: OwnerState, bound: BindingRecord | null): void {
  if (isSameWindow(state.binding, bound)) return;
  throw new UiaHostError(
    'state_conflict',
    `While the action was on its way, ${state.binding === null ? 'the window was unbound' : 'another window was bound'}; nothing was delivered.`,
    {
      hint: 'Wait for a bind to answer before the next action, and send this one again.',
    },
  );
}
