/**
 * What the service tells the fleet's link: its seats, how their hosts are reached, and tokens for them. A token is made here for
 * each orchestrator and session; the host gets its hash, the link the token, both over their pipes. Nothing of it is on disk.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MACHINE_FILE,
  orchestratorTokenId,
  type FleetMachine,
  type FleetMachineSeat,
} from '../contract/process/fleet-machine.ts';
import {
  LINK_SESSION,
  type ChannelSeat,
  type FleetRules,
  type LocalHost,
  type ToHost,
} from '../contract/process/service-channel.ts';
import { newToken } from '../host/face/token.ts';

/** Null if the machine has not joined, or its file cannot be read as a membership. */
export function readFleetMachine(folder: string): FleetMachine | null {
  try {
    const machine = JSON.parse(readFileSync(join(folder, MACHINE_FILE), 'utf8')) as FleetMachine;
    return machine.format === 'uiahost fleet machine 1' ? machine : null;
  } catch {
    return null;
  }
}

interface FleetSystem {
  machine(): FleetMachine | null;
  rules(): FleetRules;
  /** Whether the session is this user's; for null, whether no other session has a user. */
  isOf(session: number, user: string | null): boolean;
  send(session: number, message: ToHost): void;
  /** Starts the link, or ends it. */
  setWanted(isWanted: boolean): void;
}

type Token = ReturnType<typeof newToken>;

const NO_LINK = '';

export class FleetService {
  readonly #system: FleetSystem;
  /** Hosts that are ready, by session. */
  readonly #hosts = new Map<number, LocalHost>();
  /** By session and id: a host that is started again gets the same, so that steps under way keep their key. */
  readonly #tokens = new Map<string, Token>();
  #machine: FleetMachine | null = null;
  #rules: FleetRules | null = null;
  #isLinkReady = false;
  /** What the link was told of each seat, and each host of its tokens. */
  #told = new Map<string | number, string>();

  constructor(system: FleetSystem) {
    this.#system = system;
  }

  /** Reads who the machine's seats are and what the policy says; the link follows. */
  read(): void {
    const before = this.#connections();
    this.#machine = this.#system.machine();
    // before the join the policy is not asked either
    if (this.#machine !== null) this.#rules = this.#system.rules();
    if (this.#rules?.isOff === true) this.#machine = null;
    const now = this.#connections();
    if (now !== before) {
      // another credential is another connection, and another ledger another memory: the link starts again
      if (before !== NO_LINK) this.#system.setWanted(false);
      this.#isLinkReady = false;
      if (now !== NO_LINK) this.#system.setWanted(true);
    }
    for (const session of this.#hosts.keys()) this.#giveTokens(session);
    this.#tell();
  }

  ready(session: number, host: LocalHost | undefined): void {
    if (session === LINK_SESSION) {
      this.#isLinkReady = true;
      for (const key of this.#told.keys()) if (typeof key === 'string') this.#told.delete(key);
    } else if (host !== undefined) {
      this.#hosts.set(session, host);
      this.#told.delete(session);
      this.#giveTokens(session);
    }
    this.#tell();
  }

  gone(session: number): void {
    if (session === LINK_SESSION) this.#isLinkReady = false;
    this.#hosts.delete(session);
    this.#tell();
  }

  #connections(): string {
    const seats = this.#seats();
    return seats.length === 0 ? NO_LINK : JSON.stringify([seats, this.#rules?.ledger ?? null]);
  }

  #seats(): FleetMachineSeat[] {
    const pools = this.#rules?.pools ?? null;
    return (this.#machine?.seats ?? []).map(({ user, credential }) => ({
      user,
      credential: { ...credential, pools: credential.pools.filter((pool) => pools === null || pools.includes(pool)) },
    }));
  }

  /** Names of the accepted orchestrators. */
  #orchestrators(): string[] {
    const allowed = this.#rules?.orchestrators ?? null;
    return Object.keys(this.#machine?.orchestrators ?? {}).filter((name) => allowed?.includes(name) ?? true);
  }

  /** The session whose host the seat is: its user's. A seat without a user has no desktop where another person's could be meant. */
  #sessionOf({ user }: FleetMachineSeat): number | null {
    const others = user === null ? this.#seats().filter((seat) => seat.user !== null) : [];
    const isIts = (session: number): boolean =>
      this.#system.isOf(session, user) && !others.some((seat) => this.#system.isOf(session, seat.user));
    return [...this.#hosts.keys()].find(isIts) ?? null;
  }

  #token(session: number, tokenId: string): Token {
    const key = `${session} ${tokenId}`;
    const token = this.#tokens.get(key) ?? newToken();
    this.#tokens.set(key, token);
    return token;
  }

  /** What the link gets of a session's tokens, by the orchestrators that they are for. */
  #given(session: number | null): ChannelSeat['orchestrators'] {
    if (session === null) return {};
    const given = this.#orchestrators().map((name) => {
      const tokenId = orchestratorTokenId(name);
      return [name, { tokenId, token: this.#token(session, tokenId).token }];
    });
    return Object.fromEntries(given) as ChannelSeat['orchestrators'];
  }

  /** Those of orchestrators that are not accepted any more end, and what runs with them. */
  #giveTokens(session: number): void {
    const isSeat = this.#seats().some((seat) => this.#sessionOf(seat) === session);
    const tokens = (isSeat ? this.#orchestrators() : []).map((name) => {
      const { level = null, apps = null } = this.#machine?.orchestrators[name] ?? {};
      const { sha256: hash } = this.#token(session, orchestratorTokenId(name));
      return { tokenId: orchestratorTokenId(name), scope: 'agent' as const, hash, expiresAt: null, level, apps };
    });
    this.#say(session, session, { kind: 'tokens', tokens });
  }

  /** Only what is new. */
  #say(key: string | number, session: number, message: ToHost): void {
    const text = JSON.stringify(message);
    if (this.#told.get(key) === text) return;
    this.#told.set(key, text);
    this.#system.send(session, message);
  }

  /** What changed, seat by seat. */
  #tell(): void {
    if (!this.#isLinkReady) return;
    for (const seat of this.#seats()) {
      const session = this.#sessionOf(seat);
      const message: ToHost = {
        kind: 'seat',
        name: seat.credential.name,
        credential: seat.credential,
        host: session === null ? null : (this.#hosts.get(session) ?? null),
        orchestrators: this.#given(session),
        ledger: this.#rules?.ledger ?? null,
        isDrained: this.#machine?.isDrained === true || this.#rules?.isDrained === true,
        onlyWhenIdle: this.#rules?.onlyWhenIdle === true,
      };
      this.#say(message.name, LINK_SESSION, message);
    }
  }
}
