/**
 * The administrator's folder of a tenant: its keys, who was enrolled, and the server's configuration. A person who can
 * read it is the administrator; no server and no machine needs it. Each change is written here first and published afterwards, so
 * a server that is away learns it by `provision` when it is back.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectBus, oldServer, signerOfCredential, usesTls, type CredentialFile } from './credential.ts';
import { nameOf, POLICY_SUBJECT, STREAM } from './names.ts';
import { PolicyTrust, sealPolicy } from './policy.ts';
import { addQueue, endRequests, provision, provisioningProblems } from './provisioning.ts';
import { readValue, whereUnanswered, writeValue } from './records.ts';
import type { Role } from './signed.ts';
import {
  accountJwt,
  createServerKeys,
  createTenantKeys,
  credentialFile,
  serverConfiguration,
  systemCredentials,
  type ServerKeys,
  type TenantKeys,
} from './tenant.ts';

export type EnrolledRole = Exclude<Role, 'administrator'>;

/** A credential that was issued; none of its secrets. */
interface Issued {
  readonly name: string;
  readonly role: CredentialFile['role'];
  readonly pools: readonly string[];
  readonly userId: string;
  readonly cardId: string | null;
  /** Seconds of the epoch. */
  readonly expires: number;
  readonly revoked: number | null;
}

interface Tenant {
  readonly format: 'uiahost fleet tenant 1';
  readonly servers: readonly string[];
  readonly ca: string | null;
  readonly replicas: number;
  readonly serverKeys: ServerKeys;
  readonly keys: TenantKeys;
  readonly administrator: CredentialFile;
  readonly issued: readonly Issued[];
  readonly policyVersion: number;
  /** How long machines go by a policy; absent in folders of earlier versions. */
  readonly policyDays?: number;
  readonly listen: Listen;
}

export interface Listen {
  readonly host: string;
  readonly port: number;
  readonly store: string;
  readonly certificate: string | null;
  readonly key: string | null;
}

const FILE = 'tenant.json';
const seconds = (): number => Math.floor(Date.now() / 1000);
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const YEARS_S = 10 * 365 * DAY_S;
const MOST_LOSSES = 5;
const POLICY_DAYS = 90;

export const hasTenant = (folder: string): boolean => existsSync(join(folder, FILE));

export class TenantFolder {
  readonly folder: string;
  #tenant: Tenant;
  /** Its file, as it was read or written last. */
  #text = '';

  private constructor(folder: string, tenant: Tenant) {
    this.folder = folder;
    this.#tenant = tenant;
  }

  /** Errors: those of the disk; SyntaxError for a damaged file. */
  static open(folder: string): TenantFolder {
    const text = readFileSync(join(folder, FILE), 'utf8');
    const tenant = JSON.parse(text) as Tenant;
    // a role that is younger than the folder
    const roles = { ...createTenantKeys('').roles, ...tenant.keys.roles };
    const opened = new TenantFolder(folder, { ...tenant, keys: { ...tenant.keys, roles } });
    opened.#text = text;
    return opened;
  }

  static async create(
    folder: string,
    given: { name: string; servers: readonly string[]; ca: string | null; replicas: number; listen: Listen },
  ): Promise<TenantFolder> {
    usesTls(given.servers);
    const keys = createTenantKeys(given.name);
    const role = 'administrator';
    const tenant = new TenantFolder(folder, {
      ...given,
      format: 'uiahost fleet tenant 1',
      serverKeys: createServerKeys(),
      keys,
      administrator: (await credentialFile({ keys, ...given }, role, { name: role, expires: seconds() + YEARS_S }))
        .file,
      issued: [],
      policyVersion: 1,
    });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    await tenant.#save();
    return tenant;
  }

  get configuration(): string {
    return join(this.folder, 'server.conf');
  }

  get members(): readonly Issued[] {
    return this.#tenant.issued;
  }

  async #save(change: Partial<Tenant> = {}): Promise<void> {
    this.#tenant = { ...this.#tenant, ...change };
    const { serverKeys, keys, listen } = this.#tenant;
    const { certificate, key } = listen;
    const tls = `tls { cert_file: ${JSON.stringify(certificate)}, key_file: ${JSON.stringify(key)}, min_version: "1.2" }`;
    const own = [
      '# Made by `uiahost fleet`; made again with each change of the tenant.',
      `host: ${JSON.stringify(listen.host)}`,
      `port: ${listen.port}`,
      // a claim that a power cut takes back would let a second machine run the job; 2.10 or later
      `jetstream { store_dir: ${JSON.stringify(listen.store)}, sync_interval: always, max_file_store: 16G }`,
      ...(certificate === null ? [] : [tls]),
    ];
    const tenants = [{ keys, revoked: this.#revokedUsers() }];
    const text = [...own, await serverConfiguration(serverKeys, tenants, join(listen.store, 'accounts'))].join('\n');
    const file = join(this.folder, FILE);
    if (existsSync(file) && readFileSync(file, 'utf8') !== this.#text)
      throw new Error(`another command has changed ${file} meanwhile; nothing was changed, repeat it`);
    this.#text = `${JSON.stringify(this.#tenant, null, 2)}\n`;
    write(file, this.#text);
    write(this.configuration, `${text}\n`);
  }

  #revokedUsers(): Record<string, number> {
    const gone = this.#tenant.issued.flatMap(({ userId, revoked }) => (revoked === null ? [] : [[userId, revoked]]));
    return Object.fromEntries(gone) as Record<string, number>;
  }

  /** A new credential; a seat's queues are made on the server first. An earlier one of this name stays valid until it ends or is revoked. */
  async enrol(
    role: EnrolledRole,
    text: string,
    { pools, days }: { pools: readonly string[]; days: number },
  ): Promise<CredentialFile> {
    const name = role === 'seat' ? nameOf('seat', text) : memberName(text);
    const targets = pools.map((pool) => nameOf('pool', pool));
    if (name === null || targets.includes(null))
      throw new RangeError('A name has 1 to 58 letters, digits and hyphens; any other letter counts as three or more.');
    const expires = seconds() + days * DAY_S;
    const named = targets.filter((target) => target !== null);
    const { file, ...ids } = await credentialFile(this.#tenant, role, { name, pools: named, expires });
    if (role === 'seat') await this.#withServer((nc) => addQueues(nc, [name, ...named]));
    const issued = { name, role, pools: named, ...ids, expires, revoked: null };
    await this.#save({ issued: [...this.#tenant.issued, issued] });
    return file;
  }

  /** Ends every credential of this name. Returns how many were valid. Publishing is `publish`. */
  async revoke(text: string): Promise<number> {
    const names = namesOf(text);
    const isMeant = (each: Issued): boolean => names.includes(each.name) && each.revoked === null;
    const { length: count } = this.#tenant.issued.filter(isMeant);
    if (!this.#tenant.issued.some(({ name }) => names.includes(name)))
      throw new RangeError(`No seat or orchestrator is enrolled as ${text}.`);
    if (count === 0) return 0;
    const at = seconds();
    const issued = this.#tenant.issued.map((each) => (isMeant(each) ? { ...each, revoked: at } : each));
    await this.#save({ issued, policyVersion: this.#tenant.policyVersion + 1 });
    return count;
  }

  #queuesOf(text: string): string[] {
    const seats = this.#tenant.issued.filter(({ role, name }) => role === 'seat' && namesOf(text).includes(name));
    return [...new Set(seats.flatMap(({ name, pools }) => [name, ...pools]))];
  }

  #seats(): Issued[] {
    const now = seconds();
    return this.#tenant.issued.filter((each) => each.role === 'seat' && each.revoked === null && each.expires > now);
  }

  /** Makes the server what this folder says: tenant, streams, queues, policy. May be repeated. `revoked`: whose requests end. */
  async publish({ revoked }: { readonly revoked?: string } = {}): Promise<void> {
    await this.#tellTenant();
    await this.#withServer(async (nc) => {
      // who is revoked ends first; a server that has lost its streams has no policy yet
      if (revoked !== undefined) await this.#publishPolicy(nc).catch(whereUnanswered(undefined));
      await provision(nc, this.#tenant.replicas);
      if (revoked !== undefined) await endRequests(nc, this.#queuesOf(revoked));
      await addQueues(
        nc,
        this.#seats().flatMap(({ name, pools }) => [name, ...pools]),
      );
      await this.#publishPolicy(nc);
    });
  }

  get policyDays(): number {
    return this.#tenant.policyDays ?? POLICY_DAYS;
  }

  /** `publish` tells the machines. */
  setPolicyDays = (policyDays: number): Promise<void> => this.#save({ policyDays });

  /** What makes the streams and the policy unsafe as they are on the server. */
  problems(): Promise<string[]> {
    return this.#withServer(async (nc) => {
      const problems = await provisioningProblems(nc);
      const old = oldServer(nc);
      if (old !== null) problems.push(`the server is ${old}; 2.10 or later is needed`);
      const trust = new PolicyTrust(this.#tenant.administrator.issuer);
      await trust.follow(nc);
      const { policyVersion } = this.#tenant;
      if (trust.version < policyVersion)
        problems.push(
          `the policy is version ${trust.version}, not ${policyVersion}: an older one was put back, or it was lost`,
        );
      else if (trust.until < Date.now()) problems.push('the policy has expired, and no machine takes a job');
      return problems;
    });
  }

  /** Also from an older copy of the folder: the server keeps the revocations that it has. */
  async #publishPolicy(nc: NatsConnection): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const { administrator, issued, policyVersion } = this.#tenant;
      const kept = await readValue(nc, STREAM.policy, POLICY_SUBJECT);
      const trust = new PolicyTrust(administrator.issuer);
      if (kept !== null) trust.learn(kept.text, Date.now());
      const isOlder = trust.version >= policyVersion;
      // a card that has expired is refused by its date
      const isOver = (card: string): boolean =>
        issued.some(({ cardId, expires }) => cardId === card && expires < seconds());
      const gone = issued.flatMap(({ revoked: at, cardId }) =>
        at === null || cardId === null ? [] : [[cardId, at] as const],
      );
      const since = new Map([...[...trust.revokedAt].map(([card, at]) => [card, at / 1000] as const), ...gone]);
      const revoked = [...since.keys()].filter((card) => !isOver(card));
      const lastsMs = this.policyDays * DAY_S * 1000;
      const until = Date.now() + lastsMs;
      const isFresh = trust.until > until - lastsMs / 3 && trust.until <= until;
      if (isOlder && isFresh && revoked.every((card) => trust.revoked.has(card))) return;
      const version = isOlder ? trust.version + 1 : policyVersion;
      const told = {
        version,
        until,
        revoked,
        revokedAt: revoked.map((card) => since.get(card) ?? 0),
      };
      const text = sealPolicy(told, signerOfCredential(administrator));
      // a client that writes over it without end does not keep it from the server
      const expected = tries > MOST_LOSSES ? null : (kept?.revision ?? 0);
      if ((await writeValue(nc, POLICY_SUBJECT, text, expected)) === 'taken') continue;
      if (isOlder) await this.#save({ policyVersion: version });
      return;
    }
  }

  async #withServer<T>(work: (nc: NatsConnection) => Promise<T>, as = this.#tenant.administrator): Promise<T> {
    const nc = await connectBus(as);
    try {
      return await work(nc);
    } finally {
      await nc.close();
    }
  }

  /** Connections of revoked users end with the answer. */
  async #tellTenant(): Promise<void> {
    const { serverKeys, keys, administrator } = this.#tenant;
    const creds = await systemCredentials(serverKeys, seconds() + HOUR_S);
    const jwt = await accountJwt(serverKeys, keys, this.#revokedUsers());
    await this.#withServer(
      async (nc) => {
        const reply = await nc.request('$SYS.REQ.CLAIMS.UPDATE', jwt, { timeout: 10_000, noMux: true });
        const { error } = reply.json<{ error?: { description?: string } }>();
        if (error !== undefined) throw new Error(`The server did not take the tenant: ${error.description ?? ''}`);
      },
      { ...administrator, creds },
    );
  }
}

/** The name of a member that is not a seat: a seat's, without its prefix. */
function memberName(text: string): string | null {
  const name = nameOf('seat', text);
  return name === null ? null : name.slice(2);
}

/** As whom a member can be revoked. */
const namesOf = (text: string): (string | null)[] => [text, memberName(text), nameOf('seat', text)];

/** By rename; the administrator's alone. */
function write(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

async function addQueues(nc: NatsConnection, targets: readonly string[]): Promise<void> {
  for (const target of new Set(targets)) await addQueue(nc, target);
}
