import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Allowances } from '../../policy/rights/allowances.ts';
import type { SessionGrants } from '../../policy/rights/grants.ts';
import { TypedLately } from '../../policy/risk/typed-text.ts';
import { Observations } from './observations.ts';

/** What a person gave that holds for more than one action. */
export interface Rights {
  readonly grants: SessionGrants;
  readonly allowances: Allowances;
}

/** What the host keeps for one (token, session name): its binding, what it has seen, and what persons gave it. */
export interface OwnerState extends Rights {
  readonly owner: string;
  binding: BindingRecord | null;
  readonly observations: Observations;
  /** What was typed lately, for the gate. */
  readonly typed: TypedLately;
}

/** Names of sessions are the clients' to make up, and some make one up for each task: beyond this many bindings the longest unused one is given back. */
const MOST_BINDINGS = 256;

interface KeptState extends OwnerState {
  /** Actions of the owner that are under way. */
  runs: number;
}

/** Bindings by owner. A binding belongs to (token, session name), so two clients never share one by accident. */
export class Owners {
  /** The longest unused first. */
  readonly #states = new Map<string, KeptState>();
  readonly #rights: () => Rights;
  readonly #mostBindings: number;

  /** `rights`: those of an owner whom nobody gave anything yet. */
  constructor(rights: () => Rights, mostBindings = MOST_BINDINGS) {
    this.#rights = rights;
    this.#mostBindings = mostBindings;
  }

  /** For a look; only a run keeps what it finds. */
  of(owner: string): OwnerState {
    return this.#states.get(owner) ?? this.#newState(owner);
  }

  /** For the time of a run, which tells its end with `end`. */
  begin(owner: string): OwnerState {
    const state = this.#states.get(owner) ?? this.#newState(owner);
    state.runs += 1;
    this.#states.delete(owner);
    this.#states.set(owner, state);
    return state;
  }

  /** An owner who has bound and seen nothing, and whom nobody gave anything, leaves nothing behind. */
  end(state: OwnerState): void {
    const kept = this.#states.get(state.owner);
    // Another one has the name where the session ended meanwhile.
    if (kept === undefined || kept !== state) return;
    kept.runs -= 1;
    if (kept.runs === 0 && kept.binding === null && kept.observations.isEmpty && !hasRights(kept))
      this.#states.delete(kept.owner);
  }

  /** Takes out the owners of bindings and rights that are too many; the caller releases the bindings. One with a run under way stays. */
  takeSurplus(): OwnerState[] {
    const holders = [...this.#states.values()].filter((state) => state.binding !== null || hasRights(state));
    const surplus = holders.filter(({ runs }) => runs === 0).slice(0, Math.max(0, holders.length - this.#mostBindings));
    for (const { owner } of surplus) this.#states.delete(owner);
    return surplus;
  }

  /** Replaces the binding; refs and observations of another window mean nothing any more. Returns the one that was replaced. */
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

  /** Takes back from everybody what persons gave. */
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

/** Whether two bindings are to the same window, or both to none. The title may differ. */
export function isSameWindow(one: BindingRecord | null, other: BindingRecord | null): boolean {
  return one?.hwnd === other?.hwnd && one?.processCreated === other?.processCreated;
}

/** Errors: state_conflict where another window than this is bound by now. */
export function assertStillBound(state: OwnerState, bound: BindingRecord | null): void {
  if (isSameWindow(state.binding, bound)) return;
  throw new UiaHostError(
    'state_conflict',
    `While the action was on its way, ${state.binding === null ? 'the window was given up' : 'another window was bound'}; nothing was delivered.`,
    {
      hint: 'Wait for the answer of a bind before the next action, and send this one again.',
    },
  );
}
