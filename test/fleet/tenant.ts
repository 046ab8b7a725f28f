/** A tenant on a real server, with what most tests of a fleet begin with. Each part ends with its test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { onTestFinished } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { signerOfCredential, type CredentialFile } from '../../src/fleet/bus/credential.ts';
import { POLICY_SUBJECT, STREAM } from '../../src/fleet/bus/names.ts';
import { sealPolicy, type FleetPolicy } from '../../src/fleet/bus/policy.ts';
import { addQueue, provision } from '../../src/fleet/bus/provisioning.ts';
import { readValue, writeValue } from '../../src/fleet/bus/records.ts';
import { createTenantKeys, type TenantKeys } from '../../src/fleet/bus/tenant.ts';
import type { Role } from '../../src/fleet/bus/signed.ts';
import { memberFolder, type SeatRules } from '../../src/fleet/link/membership.ts';
import { Seat, type SeatOptions } from '../../src/fleet/link/seat.ts';
import { openFleet } from '../../src/fleet/orchestrator/fleet.ts';
import type { Fleet } from '../../src/fleet/orchestrator/types.ts';
import { SeatProcess } from './seat-process.ts';
import { TestServer } from './server.ts';
import { standInHost } from './stand-in-host.ts';

/** What a test opens last ends first. */
export const use = <T extends AsyncDisposable>(made: T): T => {
  onTestFinished(() => Promise.resolve(made[Symbol.asyncDispose]()));
  return made;
};

/** A folder of this test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-fleet-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Typing into the window of the stand-in desktop (`host-process.ts`). */
export const stepsOf = (text: string) => [
  { action: 'bind-to-window', input: { title: 'Notepad' } },
  { action: 'type-into-element', input: { name: 'Save draft', text } },
];

export interface Told {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** A command of the product, in this process. `hear` gets what it writes to standard error at once. */
export async function command(
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
  hear: (text: string) => void = () => {},
): Promise<Told> {
  let [out, err] = ['', ''];
  const output = {
    out: (text: string) => (out += `${text}\n`),
    err(text: string) {
      err += `${text}\n`;
      hear(`${text}\n`);
    },
  };
  const status = await run([...words], { output: output as never, env: { ...process.env, ...env }, version: 'test' });
  return { status, out: out.trim(), err: err.trim() };
}

const ORDERS_ALONE: SeatRules = {
  orchestrators: { orders: { tokenId: 'stand-in', token: 'stand-in' } },
  isDrained: false,
  onlyWhenIdle: false,
};

/** A seat of this product in this process; its host is a stand-in where the test names no other. */
export class StandIn implements AsyncDisposable {
  readonly folder: SeatOptions['folder'];
  readonly #stop = new AbortController();
  readonly #link: Promise<unknown>;

  constructor(given: Pick<SeatOptions, 'credential' | 'folder'> & Partial<SeatOptions>) {
    this.folder = given.folder;
    const hosts = standInHost(given.credential.name, join(given.folder.folder, 'journal.txt'));
    this.#link = new Seat({ rules: () => ORDERS_ALONE, hosts, signal: this.#stop.signal, ...given }).run();
  }

  /** How it ended. */
  end(): Promise<unknown> {
    this.#stop.abort();
    return this.#link;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}

export class TestTenant implements AsyncDisposable {
  readonly keys: TenantKeys;
  readonly server: TestServer;
  readonly admin: NatsConnection;

  private constructor(keys: TenantKeys, server: TestServer, admin: NatsConnection) {
    this.keys = keys;
    this.server = server;
    this.admin = admin;
  }

  /** For one test. */
  static async start(...given: Parameters<typeof TestTenant.make>): Promise<TestTenant> {
    return use(await TestTenant.make(...given));
  }

  /** With the queues of these seats and pools. */
  static async make(targets: readonly string[] = [], queue: Parameters<typeof addQueue>[2] = {}): Promise<TestTenant> {
    const keys = createTenantKeys('A');
    const server = await TestServer.start([keys]);
    const { nc } = await server.member(keys, 'administrator', 'admin');
    const tenant = new TestTenant(keys, server, nc);
    await tenant.provide(targets, queue);
    return tenant;
  }

  /** As provisioning does: also a server that has lost its store. */
  async provide(targets: readonly string[], queue: Parameters<typeof addQueue>[2] = {}, version = 1): Promise<true> {
    await provision(this.admin);
    await this.publish({ version, revoked: [] });
    for (const target of targets) await addQueue(this.admin, target, queue);
    return true;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }

  credential(role: Role, name: string, pools: readonly string[] = []): Promise<CredentialFile> {
    return this.server.credentialFile(this.keys, role, name, pools);
  }

  async open(credential?: CredentialFile): Promise<Fleet> {
    return use(await openFleet({ credential: credential ?? (await this.credential('orchestrator', 'orders')) }));
  }

  /** As another administrator's command publishes it. */
  async publish(policy: FleetPolicy | string): Promise<void> {
    const signer = signerOfCredential(await this.credential('administrator', 'admin'));
    const text = typeof policy === 'string' ? policy : sealPolicy(policy, signer);
    const kept = await readValue(this.admin, STREAM.policy, POLICY_SUBJECT);
    await writeValue(this.admin, POLICY_SUBJECT, text, kept?.revision ?? 0);
  }

  /** A seat with a stand-in for its host. */
  async standIn(name: string, options: Partial<SeatOptions> = {}): Promise<StandIn> {
    const folder = memberFolder(testFolder());
    return use(new StandIn({ folder, credential: await this.credential('seat', name), ...options }));
  }

  /** A seat with a real host, whose link is to be started. */
  async machine(
    name: string,
    { pools, level }: { pools?: readonly string[]; level?: string } = {},
  ): Promise<SeatProcess> {
    const seat = use(new SeatProcess());
    seat.join(await this.credential('seat', name, pools), 'orders');
    await seat.startHost(level);
    return seat;
  }
}
