/**
 * Which hosts should run, as a pure state machine: what happens goes in, what must be done comes out. It reads no clock,
 * starts nothing and waits for nothing; `supervisor.ts` does that.
 */
import type { ServiceEvent, ServiceSession } from '../contract/process/service-status.ts';
import { quoted } from '../contract/json/quoted.ts';
import { PLACE_TAKEN, POLICY_REFUSED, SESSION_HELD } from '../contract/process/exit-codes.ts';
import { LINK_SESSION, type SessionChange } from '../contract/process/service-channel.ts';

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** A host that ran this long had no lasting fault. */
const GOOD_MS = 600_000;

export class BackOff {
  #failures = 0;

  /** Milliseconds until the next start, after a run of this length. */
  next(ranMs: number): number {
    if (ranMs >= GOOD_MS) this.#failures = 0;
    const delay = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#failures);
    this.#failures += 1;
    return delay;
  }
}

/** A host that refuses its user's policy is tried this often: the service does not read users' files. */
const REFUSED_MS = 60_000;

/** A host has this long to release held input, deny open approvals and close its audit. */
export const END_MS = 10_000;

/**
 * `refused`: the machine's policy is not valid; `excluded`: it gives this session no host. A host is started when that
 * changes.
 */
type HostState = ServiceSession['state'];

export type Happening =
  /** A user is signed in to this session. */
  | {
      readonly kind: 'opened';
      readonly session: number;
      readonly user: string | null;
      /** Why the machine's policy gives it no host. */
      readonly unwanted?: string | null;
    }
  | { readonly kind: 'closed'; readonly session: number }
  | { readonly kind: 'changed'; readonly session: number; readonly change: SessionChange }
  /** The machine's policy was read: why it is not valid, null if it is. */
  | {
      readonly kind: 'policy';
      readonly why: string | null;
      /** Why it gives a session no host; sessions that are missing get one. */
      readonly unwanted?: ReadonlyMap<number, string>;
    }
  | { readonly kind: 'power'; readonly change: 'suspend' | 'resume' }
  | { readonly kind: 'started'; readonly session: number; readonly pid: number; readonly at: string }
  | { readonly kind: 'not-started'; readonly session: number; readonly why: string }
  | { readonly kind: 'ready'; readonly session: number; readonly pid: number; readonly url: string }
  /** The host said why it ends. */
  | { readonly kind: 'failed'; readonly session: number; readonly pid: number; readonly why: string }
  | { readonly kind: 'exited'; readonly session: number; readonly pid: number; readonly status: number }
  /** The time that a `wake` effect asked for has come. */
  | { readonly kind: 'woken'; readonly session: number }
  | { readonly kind: 'stop' };

export type Level = ServiceEvent['level'];

export type Effect =
  | { readonly do: 'start'; readonly session: number }
  | { readonly do: 'tell'; readonly session: number; readonly change: SessionChange }
  | { readonly do: 'end'; readonly session: number; readonly reason: string }
  | { readonly do: 'kill'; readonly session: number }
  /** Replaces an earlier wake of the session. */
  | { readonly do: 'wake'; readonly session: number; readonly afterMs: number }
  | { readonly do: 'report'; readonly level: Level; readonly event: keyof typeof EVENTS; readonly text: string }
  /** No host is left after `stop`. */
  | { readonly do: 'finish' };

/** Numbers of the events in the Windows event log. 1 is the host's own note about its audit. */
export const EVENTS = {
  serviceStarted: 10,
  serviceStopped: 11,
  serviceFailed: 12,
  hostStarted: 20,
  hostEnded: 21,
  hostNotStarted: 22,
  hostKilled: 23,
  hostElsewhere: 24,
  leftOver: 25,
  policyRefused: 26,
  hostExcluded: 27,
  noFolder: 30,
} as const;

interface Session {
  readonly id: number;
  readonly user: string | null;
  readonly backOff: BackOff;
  /** False once the user has signed out or the service stops. */
  isWanted: boolean;
  state: HostState;
  pid: number | null;
  url: string | null;
  since: string | null;
  startedMs: number;
  restarts: number;
  hasRun: boolean;
  /** Another host already owns this session (reported once). */
  isElsewhere: boolean;
  /** Its user's policy is not valid (reported once). */
  isRefused: boolean;
  /** Why the machine's policy gives it no host. */
  unwanted: string | null;
  /** Why its last host ended, or did not start. */
  why: string | null;
}

export class Supervision {
  readonly #sessions = new Map<number, Session>();
  /** Why the machine's policy is not valid. */
  #refusal: string | null = null;
  #isStopping = false;

  /** `nowMs` must not run backwards. */
  handle(happening: Happening, nowMs: number): Effect[] {
    switch (happening.kind) {
      case 'opened':
        return this.#opened(happening.session, happening.user, happening.unwanted ?? null, nowMs);
      case 'closed':
        return this.#closed(happening.session, 'the user signed out');
      case 'changed':
        return this.#isTold(happening.session)
          ? [{ do: 'tell', session: happening.session, change: happening.change }]
          : [];
      case 'policy':
        return this.#policy(happening.why, happening.unwanted ?? new Map(), nowMs);
      case 'power':
        return [...this.#sessions.keys()]
          .filter((session) => this.#isTold(session))
          .map((session) => ({ do: 'tell', session, change: happening.change }));
      case 'started':
        return this.#started(happening.session, happening.pid, happening.at, nowMs);
      case 'not-started':
        return this.#notStarted(happening.session, happening.why, nowMs);
      case 'ready':
        return this.#ready(happening.session, happening.pid, happening.url);
      case 'failed':
        return this.#failed(happening.session, happening.pid, happening.why);
      case 'exited':
        return this.#exited(happening.session, happening.pid, happening.status, nowMs);
      case 'woken':
        return this.#woken(happening.session, nowMs);
      case 'stop':
        return this.#stop();
    }
  }

  sessions(): ServiceSession[] {
    return [...this.#sessions.values()]
      .filter(({ isWanted, state }) => isWanted || state !== 'none')
      .map(({ id, user, state, pid, url, since, restarts, unwanted, why }) => ({
        session: id,
        user,
        state,
        pid,
        url,
        since,
        restarts,
        why: state === 'running' ? null : state === 'refused' ? this.#refusal : (unwanted ?? why),
      }))
      .sort((one, other) => one.session - other.session);
  }

  #isTold(id: number): boolean {
    const state = this.#sessions.get(id)?.state;
    return state === 'starting' || state === 'running';
  }

  #opened(id: number, user: string | null, unwanted: string | null, nowMs: number): Effect[] {
    if (this.#isStopping) return [];
    const known = this.#sessions.get(id);
    // Its last host is still ending: the exit starts the next one.
    if (known?.state === 'ending') {
      this.#sessions.set(id, { ...known, user, unwanted, isWanted: true });
      return [];
    }
    if (known?.isWanted === true) return [];
    const session: Session = {
      id,
      user,
      backOff: new BackOff(),
      isWanted: true,
      state: 'none',
      pid: null,
      url: null,
      since: null,
      startedMs: nowMs,
      restarts: 0,
      hasRun: false,
      isElsewhere: false,
      isRefused: false,
      unwanted,
      why: null,
    };
    this.#sessions.set(id, session);
    return this.#start(session, nowMs);
  }

  /** None is started with a policy that is not valid; what is valid of it ends hosts nevertheless. */
  #policy(why: string | null, unwanted: ReadonlyMap<number, string>, nowMs: number): Effect[] {
    const isNew = why !== null && why !== this.#refusal;
    this.#refusal = why;
    const reported = isNew
      ? [report('error', 'policyRefused', `No host is started until the machine's policy changes: ${why}`)]
      : [];
    const ended = [...this.#sessions.values()].flatMap((session) => {
      session.unwanted = unwanted.get(session.id) ?? null;
      const { isWanted, state, pid } = session;
      if (!isWanted || state === 'ending') return [];
      if (session.unwanted === null)
        return why === null && (state === 'refused' || state === 'excluded') ? this.#start(session, nowMs) : [];
      // Its exit leads to `excluded`.
      if (pid !== null) return this.#end(session, session.unwanted);
      return why !== null || state === 'excluded' ? [] : this.#start(session, nowMs);
    });
    return [...reported, ...ended];
  }

  #start(session: Session, nowMs: number): Effect[] {
    if (this.#refusal !== null) {
      session.state = 'refused';
      return [];
    }
    if (session.unwanted !== null) {
      session.state = 'excluded';
      return [report('info', 'hostExcluded', `${describe(session)}: no host is started: ${session.unwanted}.`)];
    }
    session.state = 'starting';
    session.startedMs = nowMs;
    return [{ do: 'start', session: session.id }];
  }

  #closed(id: number, reason: string): Effect[] {
    const session = this.#sessions.get(id);
    if (session === undefined) return [];
    session.isWanted = false;
    // Without a process yet, `started` ends it.
    if (session.pid !== null && session.state !== 'ending') return this.#end(session, reason);
    if (['waiting', 'refused', 'excluded'].includes(session.state)) this.#forget(session);
    return this.#finishIfDone();
  }

  #end(session: Session, reason: string): Effect[] {
    session.state = 'ending';
    return [
      { do: 'end', session: session.id, reason },
      { do: 'wake', session: session.id, afterMs: END_MS },
    ];
  }

  #started(id: number, pid: number, at: string, nowMs: number): Effect[] {
    const session = this.#sessions.get(id);
    if (session === undefined) return [];
    Object.assign(session, { pid, url: null, since: at, startedMs: nowMs });
    if (session.hasRun) session.restarts += 1;
    session.hasRun = true;
    if (!session.isWanted) return this.#end(session, 'its session ended while it started');
    return [];
  }

  #ready(id: number, pid: number, url: string): Effect[] {
    const session = this.#sessions.get(id);
    if (session === undefined || session.pid !== pid || session.state !== 'starting') return [];
    session.state = 'running';
    session.url = url;
    session.isElsewhere = false;
    session.isRefused = false;
    session.why = null;
    const place = url === '' ? '' : ` at ${url}`;
    return [report('info', 'hostStarted', `${describe(session)}: ${whatOf(session)} runs${place} (process ${pid}).`)];
  }

  #failed(id: number, pid: number, why: string): Effect[] {
    const session = this.#sessions.get(id);
    if (session?.pid === pid) session.why = why;
    return [];
  }

  #notStarted(id: number, why: string, nowMs: number): Effect[] {
    const session = this.#sessions.get(id);
    if (session === undefined) return [];
    if (!session.isWanted) {
      this.#forget(session);
      return this.#finishIfDone();
    }
    session.why = why;
    return this.#wait(session, nowMs, (delay) =>
      report(
        'error',
        'hostNotStarted',
        `${describe(session)}: ${id === LINK_SESSION ? 'the link could not' : 'no host could'} be started: ${why} ${next(delay)}`,
      ),
    );
  }

  #exited(id: number, pid: number, status: number, nowMs: number): Effect[] {
    const session = this.#sessions.get(id);
    if (session === undefined || session.pid !== pid) return [];
    const wasEnding = session.state === 'ending';
    session.pid = null;
    session.url = null;
    session.since = null;
    if (!session.isWanted) {
      this.#forget(session);
      return [
        report(
          'info',
          'hostEnded',
          `${describe(session)}: ${whatOf(session)} (process ${pid}) ended with status ${status}.`,
        ),
        ...this.#finishIfDone(),
      ];
    }
    // It was ended for a session that a user opened again meanwhile.
    if (wasEnding) return this.#start(session, nowMs);
    if (status === POLICY_REFUSED) return this.#refused(session);
    const isElsewhere = status === PLACE_TAKEN || status === SESSION_HELD;
    const isFirst = isElsewhere && !session.isElsewhere;
    session.isElsewhere = isElsewhere;
    return this.#wait(session, nowMs, (delay) => {
      if (!isElsewhere)
        return report(
          'warning',
          'hostEnded',
          `${describe(session)}: ${whatOf(session)} (process ${pid}) ended by itself with status ${status}. ${saidBy(session)}${next(delay)}`,
        );
      return isFirst
        ? report(
            'info',
            'hostElsewhere',
            `${describe(session)}: another host already serves this session. The service starts its own when that one has ended.`,
          )
        : null;
    });
  }

  /** Its user's file or key is not valid: the machine's was checked before. */
  #refused(session: Session): Effect[] {
    if (this.#refusal !== null) {
      session.state = 'refused';
      return [];
    }
    const text = `${describe(session)}: the policy of this user is not valid, so no host runs; \`uiahost doctor\` in that session names the reason. ${saidBy(session)}It is tried again each minute.`;
    const said = session.isRefused ? [] : [report('error', 'policyRefused', text)];
    session.isRefused = true;
    session.state = 'waiting';
    return [...said, { do: 'wake', session: session.id, afterMs: REFUSED_MS }];
  }

  #wait(session: Session, nowMs: number, describeWait: (delayMs: number) => Effect | null): Effect[] {
    const delay = session.backOff.next(nowMs - session.startedMs);
    session.state = 'waiting';
    const said = describeWait(delay);
    return [...(said === null ? [] : [said]), { do: 'wake', session: session.id, afterMs: delay }];
  }

  #woken(id: number, nowMs: number): Effect[] {
    const session = this.#sessions.get(id);
    if (session?.state === 'waiting') return this.#start(session, nowMs);
    if (session?.state !== 'ending') return [];
    return [
      report(
        'warning',
        'hostKilled',
        `${describe(session)}: ${whatOf(session)} (process ${session.pid ?? 0}) did not end within ${END_MS / 1000} seconds and was ended by force.`,
      ),
      { do: 'kill', session: id },
    ];
  }

  #stop(): Effect[] {
    if (this.#isStopping) return [];
    this.#isStopping = true;
    const effects = [...this.#sessions.keys()].flatMap((id) => this.#closed(id, 'the service stops'));
    // Each closed session may have been the last one.
    const rest = effects.filter((effect) => effect.do !== 'finish');
    return [...rest, ...this.#finishIfDone()];
  }

  #forget(session: Session): void {
    this.#sessions.delete(session.id);
  }

  #finishIfDone(): Effect[] {
    return this.#isStopping && this.#sessions.size === 0 ? [{ do: 'finish' }] : [];
  }
}

const describe = ({ id, user }: Session): string =>
  id === LINK_SESSION ? 'Fleet' : `Session ${id}${user === null ? '' : ` (${user})`}`;
const whatOf = ({ id }: Session): string => (id === LINK_SESSION ? 'the link' : 'the host');
/** Characters of a reason that a record repeats. */
const LONGEST_REASON = 500;
/** A host is a user's process: its reason is quoted. */
const saidBy = ({ why }: Session): string => (why === null ? '' : `It said: ${quoted(why, LONGEST_REASON)} `);
const next = (delayMs: number): string => `It is started again in ${Math.round(delayMs / 1000)} s.`;
const report = (level: Level, event: keyof typeof EVENTS, text: string): Effect => ({
  do: 'report',
  level,
  event,
  text,
});
