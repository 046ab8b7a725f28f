/** A real NATS server with tenants, on a free loopback port; gone after the test. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { ensureNatsServer } from '../../scripts/lib/nats.mjs';
import {
  createServerKeys,
  credentialFile,
  serverConfiguration,
  type ServerKeys,
  type TenantKeys,
} from '../../src/fleet/bus/tenant.ts';
import type { CredentialFile } from '../../src/fleet/bus/credential.ts';
import { STREAM } from '../../src/fleet/bus/names.ts';
import type { Role } from '../../src/fleet/bus/signed.ts';
import { TEST_TLS } from '../support/tls.ts';
import { until } from '../support/until.ts';

export const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;

/** The program itself, killed at its end. */
export class NatsProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  /** What it said. */
  log = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.log += text));
  }

  static async start(configuration: string): Promise<NatsProcess> {
    const child = spawn(await ensureNatsServer(), ['-c', configuration], { stdio: ['ignore', 'ignore', 'pipe'] });
    const started = new NatsProcess(child);
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`nats-server ended: ${started.log}`);
      return started.log.includes('Server is ready');
    }, 'the server');
    return started;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}

interface Started {
  readonly folder: string;
  readonly port: number;
  readonly isTls: boolean;
}

export interface ServerOptions {
  readonly isTls?: boolean;
  /** One of several servers: the keys that they share, and what more its configuration has. */
  readonly cluster?: { readonly keys: ServerKeys; readonly port: number; readonly lines: readonly string[] };
  /** Synced each message, as `uiahost fleet init` has it; servers before 2.10 do not know it. */
  readonly isSynced?: boolean;
}

export class TestServer implements AsyncDisposable {
  readonly #started: Started;
  readonly #connections: NatsConnection[] = [];
  #process: NatsProcess | null = null;

  private constructor(started: Started) {
    this.#started = started;
  }

  static async start(
    tenants: readonly TenantKeys[],
    { isTls = false, cluster, isSynced = false }: ServerOptions = {},
  ): Promise<TestServer> {
    const folder = mkdtempSync(join(tmpdir(), 'uiahost-nats-'));
    const port = cluster?.port ?? (await freePort());
    const server = new TestServer({ folder, port, isTls });
    const at = (name: string): string => JSON.stringify(join(folder, name));
    const sync = isSynced ? ', sync_interval: always' : '';
    const own = [
      `host: "127.0.0.1"`,
      `port: ${port}`,
      `jetstream { store_dir: ${at('store')}, max_file_store: 40G, max_memory_store: 64M${sync} }`,
      ...(isTls ? [`tls { cert_file: ${at('cert.pem')}, key_file: ${at('key.pem')}, min_version: "1.2" }`] : []),
      ...(cluster?.lines ?? []),
    ];
    const keys = tenants.map((each) => ({ keys: each }));
    const configuration = await serverConfiguration(
      cluster?.keys ?? createServerKeys(),
      keys,
      join(folder, 'accounts'),
    );
    writeFileSync(join(folder, 'cert.pem'), TEST_TLS.cert);
    writeFileSync(join(folder, 'key.pem'), TEST_TLS.key);
    writeFileSync(join(folder, 'server.conf'), [...own, configuration].join('\n'));
    await server.run();
    return server;
  }

  get port(): number {
    return this.#started.port;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** What the program said since its last start. */
  get log(): string {
    return this.#process?.log ?? '';
  }

  /** Where it keeps its streams. */
  get store(): string {
    return join(this.#started.folder, 'store');
  }

  /** Starts the program again, with what it has on disk. */
  async run(): Promise<void> {
    this.#process = await NatsProcess.start(join(this.#started.folder, 'server.conf'));
  }

  async kill(): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
  }

  /** A connection as that member; `errors` collects what the server refused. */
  async connect(
    name: string,
    { creds }: Pick<CredentialFile, 'creds'>,
  ): Promise<{ nc: NatsConnection; errors: string[] }> {
    const nc = await connect({
      servers: `127.0.0.1:${this.port}`,
      authenticator: credsAuthenticator(new TextEncoder().encode(creds)),
      inboxPrefix: `_INBOX.${name}`,
      name,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 100,
      timeout: 20_000,
      ...(this.#started.isTls ? { tls: { ca: TEST_TLS.cert } } : {}),
    });
    this.#connections.push(nc);
    const errors: string[] = [];
    void (async () => {
      for await (const status of nc.status()) if (status.type === 'error') errors.push(status.error.message);
    })();
    return { nc, errors };
  }

  async member(keys: TenantKeys, role: Role, name: string, pools: readonly string[] = []) {
    const credential = await this.credentialFile(keys, role, name, pools);
    return { ...(await this.connect(name, credential)), credential };
  }

  /** The file that `uiahost fleet enrol` would write. */
  async credentialFile(
    keys: TenantKeys,
    role: Role,
    name: string,
    pools: readonly string[] = [],
  ): Promise<CredentialFile> {
    const servers = [`${this.#started.isTls ? 'tls' : 'nats'}://127.0.0.1:${this.#started.port}`];
    const ca = this.#started.isTls ? TEST_TLS.cert : null;
    return (await credentialFile({ keys, servers, ca }, role, { name, pools, expires: inAnHour() })).file;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#connections.map((nc) => nc.close().catch(() => {})));
    await this.kill();
    rmSync(this.#started.folder, { recursive: true, force: true });
  }
}

/** What is in all queues, also what no consumer would deliver. */
export async function messagesLeft(admin: NatsConnection): Promise<number> {
  const manager = await jetstreamManager(admin, { checkAPI: false });
  const states = await Promise.all(
    [STREAM.jobs, STREAM.pools].map(async (name) => (await manager.streams.info(name)).state),
  );
  return states.reduce((sum, { messages }) => sum + messages, 0);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
