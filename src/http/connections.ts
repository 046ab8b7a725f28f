// The connections of a server: within limits that no peer, and nothing without a token, can use up for the others.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from '../contract/process/host-file.ts';

export interface ConnectionLimits {
  /** The sum over all peers. Beyond it, connections that have shown no token make room. */
  readonly maxConnections: number;
  /** From one address of another machine. */
  readonly maxPerPeer: number;
  /** A connection that is lost without a word is noticed by probes that begin after this time. */
  readonly keepAliveMs: number;
}

interface Connection {
  readonly socket: Socket;
  readonly peer: string;
  /** Has carried a request with a valid token. */
  isTrusted: boolean;
}

/** A connection that says nothing useful makes room for one with a token. */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** Oldest first. */
  readonly #open = new Map<string, Connection>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Before the server listens. */
  follow(server: Server): void {
    // For TLS too this is the connection below it, before the handshake.
    server.on('connection', (socket) => this.#add(socket));
  }

  /** This connection carried a valid token: it never makes room for another. The socket may be that of TLS. */
  trust(socket: Socket): void {
    const connection = this.#open.get(keyOf(socket));
    if (connection !== undefined) connection.isTrusted = true;
  }

  #add(socket: Socket): void {
    const key = keyOf(socket);
    const peer = socket.remoteAddress ?? '';
    socket.setKeepAlive(true, this.#limits.keepAliveMs);
    this.#open.set(key, { socket, peer, isTrusted: false });
    socket.once('close', () => {
      if (this.#open.get(key)?.socket === socket) this.#open.delete(key);
    });
    const own = this.#of(peer);
    if (!isLoopback(peer.replace(/^::ffff:/, '')) && own.length > this.#limits.maxPerPeer) this.#makeRoom(own, socket);
    if (this.#open.size > this.#limits.maxConnections) this.#makeRoom(this.#ofLargest(), socket);
  }

  /** Closes the oldest of these that has shown no token; the new one if all have. */
  #makeRoom(among: readonly Connection[], newest: Socket): void {
    const oldest = among.find(({ isTrusted }) => !isTrusted)?.socket ?? newest;
    this.#open.delete(keyOf(oldest));
    oldest.destroy();
  }

  #of(peer: string): Connection[] {
    return [...this.#open.values()].filter((connection) => connection.peer === peer);
  }

  /** The connections without a token of the peer that has most of them. */
  #ofLargest(): Connection[] {
    const byPeer = Map.groupBy(
      [...this.#open.values()].filter(({ isTrusted }) => !isTrusted),
      ({ peer }) => peer,
    );
    return [...byPeer.values()].reduce((largest, each) => (each.length > largest.length ? each : largest), []);
  }
}

/** The same for a connection and for the TLS above it. */
const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
