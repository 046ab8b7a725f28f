/** What `uiahost service …` and `uiahost autostart …` answer. */

export type ServiceState = 'not_installed' | 'stopped' | 'start_pending' | 'running' | 'stop_pending' | 'paused';

export interface ServiceFacts {
  readonly state: ServiceState;
  /** Null while it does not run. */
  readonly pid: number | null;
  /** Its command line; null where it is not installed or may not be read. */
  readonly program: string | null;
  readonly account: string | null;
  readonly start: 'auto' | 'demand' | 'disabled' | 'other' | null;
}

/** A user's session as the service sees it, or the fleet's link. */
export interface ServiceSession {
  readonly session: number;
  readonly user: string | null;
  readonly state: 'starting' | 'running' | 'waiting' | 'refused' | 'excluded' | 'ending' | 'none';
  readonly pid: number | null;
  readonly url: string | null;
  /** When its host was started. */
  readonly since: string | null;
  /** How often a host was started in place of another that ended. */
  readonly restarts: number;
  /** Why it has no host, or had none at the last try. */
  readonly why: string | null;
}

export interface ServiceEvent {
  readonly time: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly id: number;
  readonly text: string;
}

export interface ServiceStatus extends ServiceFacts {
  readonly sessions: readonly ServiceSession[];
  /** The fleet's link; absent where the machine has not joined. */
  readonly link?: ServiceSession;
  readonly events: readonly ServiceEvent[];
  /** What is wrong with its registration, in sentences. */
  readonly problems: readonly string[];
}

export interface Autostart {
  readonly autostart: boolean;
  readonly command: string | null;
  readonly service: boolean;
}
