/** A TCP proxy before a server, whose connections can be reset, or swallow everything without a word. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** How a server begins. */
const INFO = 'INFO {"server_id":"X","version":"2.10.0","proto":1,"headers":true,"max_payload":1048576}\r\n';

export class Proxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  /** How many of the next connections get the answer that the server had no time for their credential. */
  timeOuts = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(onwardPort: number): Promise<Proxy> {
    const server = createServer((socket) => {
      if (proxy.timeOuts > 0) {
        proxy.timeOuts -= 1;
        socket
          .on('error', () => {})
          .resume()
          .end(`${INFO}-ERR 'Authentication Timeout'\r\n`);
        return;
      }
      const onward = connect(onwardPort, '127.0.0.1');
      const pair = [socket, onward] as const;
      proxy.#pairs.add(pair);
      for (const each of pair)
        each
          .on('error', () => {})
          .on('close', () => {
            for (const other of pair) other.destroy();
            proxy.#pairs.delete(pair);
          });
      socket.pipe(onward).pipe(socket);
    }).listen(0, '127.0.0.1');
    const proxy = new Proxy(server);
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends its connections with a reset. */
  reset(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  /** What comes on its connections is read and dropped, without an end. */
  silence(): void {
    for (const [socket, onward] of this.#pairs) {
      socket.unpipe(onward).resume();
      onward.unpipe(socket).resume();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.reset();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
