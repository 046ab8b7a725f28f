/**
 * Three servers that keep each message together; any one may be killed. No test of the gate has them: servers of Debian's 2.10.27
 * whose routes are written otherwise than they tell them sometimes do not find each other for minutes (nats-server's 8454 and 8527).
 */
import { createServerKeys, type TenantKeys } from '../../src/fleet/bus/tenant.ts';
import type { CredentialFile } from '../../src/fleet/bus/credential.ts';
import type { Role } from '../../src/fleet/bus/signed.ts';
import { freePort, TestServer } from './server.ts';

export class TestCluster implements AsyncDisposable {
  readonly #servers: readonly TestServer[];

  private constructor(servers: readonly TestServer[]) {
    this.#servers = servers;
  }

  static async start(tenants: readonly TenantKeys[]): Promise<TestCluster> {
    const keys = createServerKeys();
    const ports = await freePorts(6);
    const [routes, clients] = [ports.slice(0, 3), ports.slice(3)];
    const starting = routes.map(async (route, index) => {
      const lines = [
        `server_name: "n${index}"`,
        `cluster { name: "test", pool_size: -1, host: "127.0.0.1", port: ${route}, routes: ${JSON.stringify(routes.map((each) => `nats-route://127.0.0.1:${each}/`))} }`,
      ];
      const cluster = { keys, port: clients[index] ?? 0, lines };
      return TestServer.start(tenants, { isTls: true, isSynced: true, cluster });
    });
    return new TestCluster(await Promise.all(starting));
  }

  /** What each server said at last. */
  get logs(): string {
    return this.#servers.map(({ log }) => log.slice(-3000)).join('\n\n');
  }

  get pids(): number[] {
    return this.#servers.map(({ pid }) => pid);
  }

  member(keys: TenantKeys, role: Role, name: string) {
    return this.#node(0).member(keys, role, name);
  }

  async credentialFile(
    keys: TenantKeys,
    role: Exclude<CredentialFile['role'], 'approver' | 'enrolment'>,
    name: string,
    pools: readonly string[] = [],
  ) {
    const files = await Promise.all(this.#servers.map((server) => server.credentialFile(keys, role, name, pools)));
    const [file] = files;
    if (file === undefined) throw new RangeError('a cluster without servers');
    return { ...file, servers: files.flatMap(({ servers }) => servers) };
  }

  kill(index: number): Promise<void> {
    return this.#node(index).kill();
  }

  restart(index: number): Promise<void> {
    return this.#node(index).run();
  }

  #node(index: number): TestServer {
    const server = this.#servers[index % this.#servers.length];
    if (server === undefined) throw new RangeError(`no server ${index}`);
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#servers.map((server) => server[Symbol.asyncDispose]()));
  }
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
