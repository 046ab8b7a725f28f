/** What the host keeps for each owner, a token and a session name: binding, rights, observations, held input. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { badInput, type ErrorCode, UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { Allowances } from '../../policy/rights/allowances.ts';
import { SessionGrants } from '../../policy/rights/grants.ts';
import { LeftBehind, type Readers } from '../../policy/risk/content/keyboard.ts';
import type { Store } from '../../store/client.ts';
import type { FileTrust } from '../../contract/gate/app-match.ts';
import type { ActionTraits } from '../../contract/gate/traits.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
import { Revocations } from '../../policy/rights/revocations.ts';
import type { ObservationBook } from '../../actions/index.ts';
import type { ObservationGeometry } from '../../contract/element/geometry.ts';
import { type Caller, isUnnamed, newId } from '../face/caller.ts';
import { remember } from '../face/remember.ts';
import { isSessionId } from '../sessions/live-session.ts';
import type { HostStatus } from '../../contract/gate/views.ts';

export interface DesktopControl {
  status(): HostStatus['worker'];
  /** Replaces the process, including everything it is doing. */
  restart(code: ErrorCode, reason: string): void;
  /** Canonical names of the keys that an owner holds down. */
  heldKeys(owner: string): readonly string[];
}

/** docs/behaviour.md#snapshots: the last eight observations of a binding stay valid. */
const KEPT = 8;

/** Observations of one owner, oldest first. Emptied when the binding changes. */
export class Observations implements ObservationBook {
  readonly #kept = new Map<string, ObservationGeometry>();

  newId(): string {
    return newId('obs');
  }

  add(observationId: string, geometry: ObservationGeometry): void {
    remember(this.#kept, observationId, geometry, KEPT);
  }

  get(observationId: string | undefined): ObservationGeometry {
    if (observationId === undefined) {
      const latest = this.latest();
      if (latest === null) {
        throw new UiaHostError(
          'state_conflict',
          'The coordinates are in image space, but there is no picture yet that they could refer to. Nothing was sent.',
          {
            hint: 'Take a screenshot or snapshot first and use its pixels, or say space: client or screen.',
          },
        );
      }
      return latest.geometry;
    }
    const geometry = this.#kept.get(observationId);
    if (geometry === undefined) {
      throw badInput(`The observation ${observationId} is unknown or older than the last ${KEPT}.`, {
        hint: 'Take a new screenshot or snapshot and use its observationId.',
      });
    }
    return geometry;
  }

  latest(): { readonly observationId: string; readonly geometry: ObservationGeometry } | null {
    const [observationId, geometry] = [...this.#kept].at(-1) ?? [];
    return observationId === undefined || geometry === undefined ? null : { observationId, geometry };
  }

  /** The same observations, with the current latest one fixed as the latest. */
  asOfNow(): ObservationBook {
    const latest = this.latest();
    return {
      newId: () => this.newId(),
      add: (observationId, geometry) => this.add(observationId, geometry),
      get: (observationId) =>
        observationId === undefined && latest !== null ? latest.geometry : this.get(observationId),
      latest: () => latest ?? this.latest(),
    };
  }

  has(observationId: string): boolean {
    return this.#kept.has(observationId);
  }

  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  clear(): void {
    this.#kept.clear();
  }
}

/** What a person has allowed for more than one action. */
export interface Rights {
  readonly grants: SessionGrants;
  readonly allowances: Allowances;
}

/** The rights of sessions, which follow the policy. */
export function sessionRights(policy: () => Policy, isProtected: FileTrust | undefined) {
  const revocations = new Revocations();
  let before = policy();
  return {
    /** The rights of an owner without any grant. */
    create: (): Rights => ({
      grants: new SessionGrants(policy, { revocations, isProtected }),
      allowances: new Allowances(undefined, revocations),
    }),
    /** Revokes from every session what the policy no longer allows. */
    policyChanged(): void {
      const now = policy();
      revocations.follow(before, now);
      before = now;
    },
  };
}

/** Programs of one session whose window is remembered. */
const MOST_CLIENTS = 32;

/** The window that each program of a session last acted in: another program may have bound another one since. */
class SeenBindings {
  /** Used longest ago first. */
  readonly #seen = new Map<string, BindingRecord | null>();

  note(client: string | undefined, record: BindingRecord | null): void {
    if (client !== undefined) remember(this.#seen, client, record, MOST_CLIENTS);
  }

  /** Whether a program acted in a window: it is not to act in another one unasked. */
  get isEmpty(): boolean {
    return [...this.#seen.values()].every((record) => record === null);
  }

  has(client: string): boolean {
    return this.#seen.has(client);
  }

  /** Errors: state_conflict if the window is another one than this program’s last. */
  assertUnchanged(client: string | undefined, now: BindingRecord | null): void {
    const before = client === undefined ? undefined : this.#seen.get(client);
    if (before === undefined || isSameWindow(before, now)) return;
    const present = now === null ? 'no window is bound' : `${quoted(now.title)} is bound`;
    throw new UiaHostError(
      'state_conflict',
      `Another program that uses this session changed its window: ${present} now, and your last action was ${before === null ? 'without a bound window' : `in ${quoted(before.title)}`}. Nothing was delivered.`,
      {
        hint: 'Bind your window again, or call get-binding-status to continue with the present one. A session of your own prevents this.',
      },
    );
  }
}

/** What the host keeps for one (token, session name): its binding, its observations, and its rights. */
export interface OwnerState extends Rights {
  readonly owner: string;
  binding: BindingRecord | null;
  /** Names the binding in an action's input; it must be given where binds may be of different programs (`mustName`). */
  bindingId: string;
  mustName: boolean;
  readonly seen: SeenBindings;
  readonly observations: Observations;
  /** What outlives a call, for the gate. */
  readonly left: LeftBehind;
  /** When its last action began (milliseconds since 1970). */
  actedAt: number;
  /** Programs that an action made its window's program start, denied ones and consoles; until a person has approved an action. */
  readonly started: Set<string>;
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

/** A client that connects again for each call acts soon after its bind. */
const MOMENT_MS = 60_000;

/** Between a session's owner and the id of a further window; no name of a session has it. */
const FURTHER = '~';
const sessionOf = (owner: string): string => owner.split(FURTHER, 1)[0] ?? owner;

const READERS_KEY = 'readers';

/** Who has read, kept with the tokens: a restart of the host makes no agent forget. */
export async function openReaders(meta: Pick<Store['meta'], 'get' | 'set'>): Promise<Readers> {
  const kept = new Set(JSON.parse((await meta.get(READERS_KEY)) ?? '[]') as string[]);
  return {
    has: (agent) => kept.has(agent),
    add(agent) {
      if (kept.has(agent)) return;
      kept.add(agent);
      // What cannot be kept holds until the host ends.
      meta.set(READERS_KEY, JSON.stringify([...kept])).catch(() => {});
    },
  };
}

/** Bindings by owner. A binding belongs to (token, session name), so two clients never share one by accident. */
export class Owners {
  /** Least recently used first. */
  readonly #states = new Map<string, KeptState>();
  readonly #rights: () => Rights;
  readonly #mostBindings: number;
  /** One keyboard, one pointer, for all sessions and bindings. */
  readonly #left: LeftBehind;

  /** `rights`: those of a new owner. */
  constructor(rights: () => Rights, mostBindings = MAX_BINDINGS, readers: Readers = new Set()) {
    this.#left = new LeftBehind(undefined, readers);
    this.#rights = rights;
    this.#mostBindings = mostBindings;
  }

  /** For reading only; a run uses `begin`. `window`: the id of a binding in the session. */
  of(owner: string, window?: string): KeptState {
    const named = window === undefined ? undefined : this.#inSession(owner).find((each) => each.bindingId === window);
    return named ?? this.#states.get(owner) ?? this.#newState(owner);
  }

  /** The session's own state, and one for each further window that is bound in it. */
  #inSession(owner: string): KeptState[] {
    const session = sessionOf(owner);
    return [...this.#states.values()].filter((each) => sessionOf(each.owner) === session);
  }

  /** The owner of the session where a binding is, for a client that connects again for each call. */
  whoBound(tokenId: string, window: string): string | undefined {
    const found = this.bound().find((each) => each.bindingId === window)?.owner;
    const isOther = found?.startsWith(`${tokenId}/`) !== true || isSessionId(found.slice(tokenId.length + 1));
    return isOther ? undefined : sessionOf(found);
  }

  /**
   * Before an action is judged. Errors: not_bound for an id without a binding, and with the way out for a client that connects again
   * for each call; target_ambiguous where an action must name its window and does not.
   */
  assertNamed(state: OwnerState, caller: Caller, concerns: ActionTraits['binding']): void {
    const { tokenId, window } = caller;
    if (window === undefined ? concerns === 'none' : window === state.bindingId) return;
    const bound = this.#inSession(state.owner).filter(({ binding }) => binding !== null);
    bound.sort((one, other) => (one.owner < other.owner ? -1 : 1));
    const ids = bound.map(({ binding, bindingId }) => `window: "${bindingId}" for ${quoted(binding!.title)}`);
    if (window !== undefined)
      throw new UiaHostError('not_bound', `No window is bound as ${window} in this session; nothing was done.`, {
        hint: `Bind it again and use the id in the answer${ids.length === 0 ? '' : `, or ${ids.join(', ')}`}.`,
      });
    if (this.of(sessionOf(state.owner)).mustName)
      throw new UiaHostError('target_ambiguous', 'Several windows are bound here, and this action names none.', {
        hint: `Add your own: ${ids.join(', ')}. With a session of its own (?session=NAME, --session NAME) a program needs no id.`,
        candidates: bound.map(({ binding }) => ({ hwnd: binding!.hwnd, title: binding!.title })),
      });
    if (concerns !== 'required' || state.binding !== null || !isUnnamed(caller)) return;
    const since = Date.now() - MOMENT_MS;
    if (this.bound().some(({ owner, actedAt }) => owner.startsWith(`${tokenId}/mcp-`) && actedAt > since))
      throw new UiaHostError('not_bound', 'No window is bound in this session; nothing was done.', {
        hint: 'Bind one with bind-to-window. If you just did, this client connects again for each call: give the id that it answered (window: "w_…") with each action, or ask the person to add ?session=NAME to its address (--session NAME to its command).',
      });
  }

  /**
   * Binds without an id: the session's own state where the caller is surely the program that bound its window, or where no bound
   * window exists any more (`left`: the states of further ones); else one of a further window. A computer-use session is
   * never shared by accident: its id is its name.
   */
  async bindFor(
    own: OwnerState,
    { client, isShared, session }: Caller,
    record: BindingRecord,
    isAlive: (binding: BindingRecord) => Promise<boolean>,
  ) {
    const bound = (place: OwnerState, left: string[] = []) => ({ place, left, replaced: this.bind(place, record) });
    const isSure = isSessionId(session) || (isShared !== true && (client === undefined || own.seen.has(client)));
    if (!own.mustName && (own.binding === null || isSure)) return bound(own);
    const before = this.#inSession(own.owner).filter(({ binding }) => binding !== null);
    const alive = await Promise.all(before.map(({ binding }) => isAlive(binding!)));
    // Read again after the wait: another bind may have come.
    const all = this.#inSession(own.owner);
    const stay = all.filter((each) => each.binding !== null && alive[before.indexOf(each)] !== false);
    const same = stay.find(({ binding }) => isSameWindow(binding, record));
    if (same !== undefined) return bound(same);
    own.mustName = stay.length > 0;
    if (!own.mustName) {
      const left = all.flatMap(({ owner }) => (owner !== own.owner && this.#states.delete(owner) ? [owner] : []));
      return bound(own, left);
    }
    const further = this.#newState(`${own.owner}${FURTHER}${newId('w')}`, own);
    this.#states.set(further.owner, further);
    return bound(further);
  }

  /** For the duration of a run, until `end`. */
  begin(owner: string, window?: string): OwnerState {
    const state = this.of(owner, window);
    state.runs += 1;
    state.actedAt = Date.now();
    this.#states.delete(state.owner);
    this.#states.set(state.owner, state);
    return state;
  }

  /** An owner without a binding, observations and rights leaves nothing behind. */
  end(state: OwnerState): void {
    const kept = this.#states.get(state.owner);
    // If the session ended meanwhile, another owner may have the name.
    if (kept === undefined || kept !== state) return;
    kept.runs -= 1;
    if (kept.runs === 0 && kept.binding === null && kept.observations.isEmpty && !hasKept(kept))
      this.#states.delete(kept.owner);
  }

  /** Removes the owners in excess of the limit, except those with a run; the caller releases their bindings. */
  takeSurplus(): OwnerState[] {
    const holders = [...this.#states.values()].filter((state) => state.binding !== null || hasKept(state));
    const surplus = holders.filter(({ runs }) => runs === 0).slice(0, Math.max(0, holders.length - this.#mostBindings));
    for (const { owner } of surplus) this.#states.delete(owner);
    return surplus;
  }

  /** Replaces the binding; observations of another window are dropped. Returns the previous binding. */
  bind(state: OwnerState, record: BindingRecord | null): BindingRecord | null {
    const before = state.binding;
    const isSame = before !== null && isSameWindow(before, record);
    if (!isSame) {
      state.observations.clear();
      state.bindingId = record === null ? '' : `w_${newId('').slice(1, 7)}`;
    }
    state.binding = record;
    if (record !== null) return isSame ? null : before;
    if (state.owner.includes(FURTHER)) this.#states.delete(state.owner);
    const all = this.#inSession(state.owner);
    if (all.every(({ binding }) => binding === null)) for (const each of all) each.mustName = false;
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

  /** The owners of a token’s sessions. */
  ofToken(tokenId: string): string[] {
    return [...this.#states.keys()].filter((owner) => owner.startsWith(`${tokenId}/`));
  }

  forget(owner: string): void {
    this.#states.delete(owner);
  }

  /** `own`: the state of the session that a further window is bound in, whose rights are its own too. */
  #newState(owner: string, own?: OwnerState): KeptState {
    return {
      owner,
      binding: null,
      bindingId: '',
      mustName: own !== undefined,
      seen: new SeenBindings(),
      observations: new Observations(),
      left: this.#left.of(owner.slice(0, owner.indexOf('/'))),
      actedAt: 0,
      started: own?.started ?? new Set(),
      ...(own === undefined ? this.#rights() : { grants: own.grants, allowances: own.allowances }),
      runs: 0,
    };
  }
}

/** What must not be forgotten: rights, what the next action asks for, and which window each program acted in. */
const hasKept = ({ grants, allowances, started, seen, mustName }: OwnerState): boolean =>
  mustName || !grants.isEmpty || !allowances.isEmpty || started.size > 0 || !seen.isEmpty;

/** Whether two bindings name the same window, or both are absent. The title may differ. */
function isSameWindow(one: BindingRecord | null, other: BindingRecord | null): boolean {
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
