/** Keeps the policy in force: read from its file, watched for changes, changed through the API. */
import { unwatchFile, watchFile } from 'node:fs';
import { basename } from 'node:path';
import { writeDurably } from '../../base/durable-file.ts';
import { badInput, UiaHostError } from '../../contract/errors.ts';
import { defaultPolicy, type Level, type Policy } from '../../contract/gate/permissions.ts';
import { canonicalJson } from '../../contract/json/strict-json.ts';
import { NO_FLAWS, type PolicyFlaws, type PolicySetting } from '../../contract/gate/policy-sources.ts';
import type { PolicyDifference } from '../../contract/gate/views.ts';
import { comparePolicies, loosened, narrowestOf, narrowPolicy } from './loosening.ts';
import {
  type LayersRead,
  type MachineLayers,
  narrowByMachine,
  narrowByWaiting,
  NO_LAYERS,
  readLayers,
  setsLevel,
  surfacesInForce,
} from './machine-layers.ts';
import {
  completePolicy,
  describeProblems,
  matchesETag,
  mergePatch,
  policyETag,
  readPolicy,
  withPreset,
  type PolicyFile,
  type PolicyProblem,
  type Refusal,
} from './policy-file.ts';
import { policySettings } from './policy-sources.ts';
import { NO_REGISTRY_POLICY, type RegistryPolicy } from './registry-policy.ts';

export interface PolicyStoreOptions {
  /** The user's policy file; it need not exist. */
  readonly path: string;
  /** The administrator's policy file for the whole machine; it can only narrow. */
  readonly machinePath?: string | null;
  /** Why that file is not the administrator's alone (others can change it); null if it is. Then it only narrows. Without this check every file is. */
  readonly whyNotBelieved?: (file: string) => string | null;
  /** Group Policy's values, which only narrow; absent on systems without a registry. */
  readonly registry?: RegistrySource;
  /** Settings of the host that Group Policy sets too, as `settings` lists them. */
  readonly hostSettings?: readonly PolicySetting[];
  /** Fills in what a file leaves out, and applies if there is no file. Default: preset balanced as shipped. */
  readonly defaults?: Policy;
  /** A level given at start (environment, command line). It applies until an operator sets another, and never overrides the machine's policy. */
  readonly level?: Level | null;
  /**
   * Set if the host was installed, not run from a checkout: an agent with a shell of the same user could read
   * the operator's token, so cards are decided only on the overlay unless the administrator's policy names the API.
   */
  readonly isInstalled?: boolean;
  /**
   * Asks a person whether the policy may be loosened in these points. Needed in an installed host where the operator's API
   * cannot decide cards: otherwise a caller could loosen the policy and then decide them. Without it such a change is refused.
   */
  readonly confirmLoosening?: (points: readonly string[], by: string | null, why: LooseningCause) => Promise<boolean>;
  /**
   * What a person last agreed to for this file, kept for the user outside the data directory. A file that allows more
   * waits for a person, at the start too; without anything kept, all that allows more than looking does. Absent: the
   * file counts as agreed to.
   */
  readonly agreement?: { read(): string | null; write(text: string): void };
  /**
   * Who agreed by starting the host. `person`: to what the files say. `program`: to `defaults`, which the embedding
   * program gave.
   */
  readonly startedBy?: 'person' | 'program' | null;
  /** Records a change before it takes effect. If it rejects, the policy stays unchanged; a changed file is tried again. */
  readonly record?: (change: PolicyChange) => Promise<void>;
  /** `by`: who changed it through the host; null when a file changed. */
  readonly onChange?: (policy: Policy, by: string | null) => void;
  /** What administrators set for the machine, each time it was read. */
  readonly onMachine?: (layers: MachineLayers) => void;
  /** A part of a changed layer is not valid; the rest takes effect. */
  readonly onRefused?: (file: string, problems: readonly PolicyProblem[]) => void;
}

export interface RegistrySource {
  /** Never throws: what cannot be understood is in `refused`. */
  read(): RegistryPolicy;
  /** Calls `changed` when values may have changed; returns what ends it. */
  watch(changed: () => void): () => void;
}

/** Why a person is asked: a caller or a file wants more, or the data directory was not used before. */
type LooseningCause = 'change' | 'unseen';

interface PolicyState {
  readonly policy: Policy;
  readonly etag: string;
}

/** One change of the policy in force. */
export interface PolicyChange {
  readonly from: Policy;
  readonly to: Policy;
  /** Who requested it through the host; null if a file was edited. */
  readonly by: string | null;
  /** Its origin: the operator's API, the user's file or the administrator's. */
  readonly surface: 'api' | 'file' | 'machine';
}

/** The parts that make up the policy in force. */
interface Sources {
  readonly level: Level | null;
  readonly user: Policy;
  /** What the user's file sets; null where there is none. */
  readonly userFile: PolicyFile | null;
  readonly machine: MachineLayers;
  /** A looser policy that waits for a person's approval; until then it can only narrow. */
  readonly next: Pick<Sources, 'user' | 'userFile' | 'machine'> | null;
  /** What parts that are not valid count as, over everything; elsewhere they keep their last values. */
  readonly refusal: PolicyFile | null;
}

/** A policy is not valid: the host does not start. */
export class PolicyRefusedError extends UiaHostError {}

/** How often a file is checked; change notifications miss renames on network drives and under Wine. */
const LOOK_EVERY_MS = 500;

/** A program may be in the middle of writing a file; what is still not valid then stops the host. */
const STOP_AFTER_MS = 60_000;

/** The policy in force: read from files, reloaded when they change, changed by operators. */
export class PolicyStore {
  readonly #options: PolicyStoreOptions;
  readonly #defaults: Policy;
  #sources: Sources;
  #flaws: PolicyFlaws = NO_FLAWS;
  #last: LayersRead | undefined;
  #refusedFor: NodeJS.Timeout | null = null;
  #isRefusedLong = false;
  #unwatch: (() => void) | null = null;
  #state: PolicyState;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;
  /** A looser file that a person was asked about; the same content does not ask again. */
  #waitsFor: string | null = null;

  private constructor(options: PolicyStoreOptions) {
    this.#options = options;
    this.#defaults = options.defaults ?? defaultPolicy();
    this.#sources = {
      level: options.level ?? null,
      user: this.#defaults,
      userFile: null,
      machine: NO_LAYERS,
      next: null,
      refusal: null,
    };
    this.#state = this.#stateOf(this.#sources);
  }

  /** Loads files and registry. Errors: invalid_argument with file and line, or key and value, of what is not valid. */
  static async open(options: PolicyStoreOptions): Promise<PolicyStore> {
    const store = new PolicyStore(options);
    const files = store.#read();
    if (files.refused.length > 0) {
      store.close();
      throw new PolicyRefusedError(
        'invalid_argument',
        `The policy is not valid, so the host does not start:\n${files.refused.map(({ file, problems }) => describeProblems(file, problems)).join('\n')}`,
        {
          hint: files.refused.some(({ problems }) => problems.some(({ line }) => line === 0))
            ? 'Correct the values in Group Policy or in the registry, as an administrator. docs/deploy/group-policy.md lists them.'
            : 'Correct the file; `uiahost policy check FILE` reports the same without starting the host.',
        },
      );
    }
    options.onMachine?.(files.machine);
    store.#begin(files);
    for (const file of store.#files()) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, store.#look);
    store.#unwatch = options.registry?.watch(store.#look) ?? null;
    return store;
  }

  /** A change that could not be recorded does not take effect, and is tried again until it can be. */
  readonly #look = (): void =>
    void this.reload().catch(() => {
      setTimeout(this.#look, LOOK_EVERY_MS).unref();
    });

  /** The policy in force now. */
  get(): PolicyState {
    return this.#state;
  }

  /** What does not count, or only in part. */
  get flaws(): PolicyFlaws {
    return this.#flaws;
  }

  /** Where each value in force comes from. */
  settings(): PolicySetting[] {
    const { level, next, refusal } = this.#sources;
    const { user, userFile, machine } = next ?? this.#sources;
    const { path, machinePath, isInstalled } = this.#options;
    const ofPolicy = policySettings({
      userFile,
      userPath: path,
      user,
      level,
      machine,
      machinePath: machinePath ?? '',
      isInstalled: isInstalled === true,
      refusal,
      inForce: this.#state.policy,
    });
    return [...ofPolicy, ...(this.#options.hostSettings ?? [])];
  }

  /**
   * `replace`: the body is the whole policy; `merge`: RFC 7396 on the present one. Written to the user's file before it takes effect.
   * Errors: state_conflict if `ifMatch` names another state; invalid_argument with the reason; approval_denied if a
   * person had to agree to a looser policy and did not; those of the question. After an error nothing has changed.
   */
  async change(
    change: unknown,
    how: 'replace' | 'merge',
    ifMatch: string | undefined,
    by: string,
  ): Promise<PolicyState> {
    const asked = this.#state.etag;
    const points = this.#loosened(this.#sources, this.#withUser(this.#changed(change, how, ifMatch)));
    if (points.length === 0 || !this.#mustConfirm()) return this.#inTurn(() => this.#write(change, how, ifMatch, by));
    // Other changes do not wait for this person, so what they saw must still be true when they have answered.
    if (!(await this.#confirm(points, by, 'change'))) {
      throw new UiaHostError(
        'approval_denied',
        `A person did not agree to a looser policy (${points.join('; ')}); nothing was changed.`,
        {
          hint: 'Ask the person at the machine, or let the administrator set the policy of the machine.',
        },
      );
    }
    return this.#inTurn(() => this.#write(change, how, ifMatch ?? asked, by));
  }

  /** What a merge patch would allow and forbid, without making the change. Errors: invalid_argument. */
  compare(change: unknown): PolicyDifference {
    const changed = this.#stateOf(this.#withUser(this.#changed(change, 'merge', undefined))).policy;
    return comparePolicies(this.#state.policy, changed);
  }

  /** The user's policy after a change that has not taken effect yet. */
  #changed(change: unknown, how: 'replace' | 'merge', ifMatch: string | undefined): Policy {
    if (ifMatch !== undefined && !matchesETag(ifMatch, this.#state.etag)) {
      throw new UiaHostError(
        'state_conflict',
        `The policy has changed in the meantime (it is now ${this.#state.etag}); nothing was changed.`,
        { hint: 'GET /v1/policy, and send the change again with its ETag.' },
      );
    }
    const { source: _source, ...present } = this.#sources.next?.user ?? withLevel(this.#sources);
    if (how === 'merge' && (typeof change !== 'object' || change === null || Array.isArray(change))) {
      throw badInput('A merge patch of the policy must be a JSON object; nothing was changed.');
    }
    const { source: _said, ...file } = readPolicy(
      how === 'merge' ? mergePatch(present, withPreset(change as Record<string, unknown>)) : change,
    );
    return completePolicy(file, basename(this.#options.path), this.#defaults);
  }

  /** The sources with another policy of the user. A policy of the machine that waits continues to wait. */
  #withUser(user: Policy, userFile: PolicyFile | null = null): Sources {
    const { machine, next, refusal } = this.#sources;
    const isWaiting = next !== null && canonicalJson(next.machine) !== canonicalJson(machine);
    const waiting = isWaiting ? { user, userFile, machine: next.machine } : null;
    return { level: null, user, userFile, machine, next: waiting, refusal };
  }

  /** What others allow in addition. What is not valid now hides nothing of it. */
  #loosened(from: Sources, to: Sources): readonly string[] {
    return loosened(this.#stateOf({ ...from, refusal: null }).policy, this.#stateOf({ ...to, refusal: null }).policy);
  }

  async #write(
    change: unknown,
    how: 'replace' | 'merge',
    ifMatch: string | undefined,
    by: string,
  ): Promise<PolicyState> {
    const next = this.#changed(change, how, ifMatch);
    const { source: _written, ...written } = next;
    await this.#hold(this.#withUser(next, written), by, () =>
      writePolicyFile(this.#options.path, `${JSON.stringify(written, null, 2)}\n`),
    );
    this.#keep(written);
    return this.#state;
  }

  #mustConfirm(): boolean {
    return this.#options.isInstalled === true && !this.#state.policy.approvals.surfaces.includes('api');
  }

  /** A file is anyone's who can write it; only a person who started a host of a checkout has agreed to all of them. */
  #mustConfirmFiles(): boolean {
    const { agreement, startedBy } = this.#options;
    return this.#mustConfirm() || (agreement !== undefined && startedBy !== 'person');
  }

  async #confirm(points: readonly string[], by: string | null, why: LooseningCause): Promise<boolean> {
    return (await this.#options.confirmLoosening?.(points, by, why)) ?? false;
  }

  /** What a person agreed to: undefined if this file was not seen before. */
  #agreed(): PolicyFile | null | undefined {
    const text = this.#options.agreement?.read() ?? null;
    if (text === null) return undefined;
    try {
      const kept = JSON.parse(text) as { policy: unknown };
      return kept.policy === null ? null : readPolicy(kept.policy);
    } catch {
      // Damaged, or of a later version: a person is asked again.
      return undefined;
    }
  }

  #keep(policy: PolicyFile | null): void {
    const text = JSON.stringify({ policy });
    const { agreement } = this.#options;
    if (agreement !== undefined && agreement.read() !== text) agreement.write(text);
  }

  /** Keeps what allows no more than a person agreed to; the rest, which the machine's policy hides, is not agreed to. */
  #keepNarrowed(agreed: PolicyFile | null | undefined, files: LayersRead): void {
    if (agreed !== undefined && loosened(this.#complete(agreed), this.#complete(files.user)).length === 0)
      this.#keep(files.user);
  }

  /** Reads the layers again. A part that is not valid is reported and counts as the narrowest; the others take effect. */
  reload(): Promise<PolicyState> {
    return this.#inTurn(async () => {
      if (this.#closed) return this.#state;
      const files = this.#read();
      this.#options.onMachine?.(files.machine);
      for (const { file, problems } of files.refused) this.#options.onRefused?.(file, problems);
      await this.#takeOrAsk(files);
      return this.#state;
    });
  }

  /** A file edited to be looser takes effect once a person approves it; until then, or if they deny it, it can only narrow. */
  async #takeOrAsk(files: LayersRead): Promise<void> {
    const next = this.#sourcesOf(files);
    const points = this.#loosened({ ...this.#sources, next: null }, next);
    if (points.length === 0 || !this.#mustConfirmFiles()) {
      await this.#take(next);
      if (points.length > 0) this.#keep(files.user);
      else this.#keepNarrowed(this.#agreed(), files);
      return;
    }
    // The administrator may narrow without approval, and no edit of the user's file may delay it.
    await this.#hold({ next, refusal: next.refusal }, null);
    this.#ask(files, points, 'change');
  }

  /** Asks a person once about each content of the files. */
  #ask(files: LayersRead, points: readonly string[], why: LooseningCause): void {
    const said = canonicalJson(files);
    if (said === this.#waitsFor) return;
    this.#waitsFor = said;
    void this.#confirm(points, null, why)
      .catch(() => false)
      .then((isConfirmed) =>
        this.#inTurn(async () => {
          if (this.#closed || this.#waitsFor !== said || !isConfirmed) return;
          const now = this.#read();
          if (
            canonicalJson({ user: now.user, machine: now.machine }) !==
            canonicalJson({ user: files.user, machine: files.machine })
          )
            return;
          await this.#take(this.#sourcesOf(now));
          this.#keep(now.user);
        }),
      )
      .catch(() => {
        // The approval could not be recorded: the person is asked again when the files are next checked.
        this.#waitsFor = null;
      });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#refusedFor ?? undefined);
    this.#unwatch?.();
    for (const file of this.#files()) unwatchFile(file);
  }

  #files(): string[] {
    const { path, machinePath } = this.#options;
    return [path, ...(machinePath === undefined || machinePath === null ? [] : [machinePath])];
  }

  #read(): LayersRead {
    const { path, machinePath, whyNotBelieved, registry } = this.#options;
    const places = {
      userFile: path,
      machineFile: machinePath ?? null,
      registry: registry?.read() ?? NO_REGISTRY_POLICY,
    };
    const files = readLayers({ ...places, whyNotBelieved: whyNotBelieved ?? (() => null) }, this.#last);
    this.#last = files;
    this.#tellDisbelieved(files.flaws.disbelieved);
    this.#flaws = files.flaws;
    return files;
  }

  /** What the parts that are not valid count as; after a minute nothing is allowed. */
  #refusalOf(refused: readonly Refusal[]): PolicyFile | null {
    if (refused.length === 0) {
      clearTimeout(this.#refusedFor ?? undefined);
      [this.#refusedFor, this.#isRefusedLong] = [null, false];
      return null;
    }
    this.#refusedFor ??= setTimeout(() => {
      this.#isRefusedLong = true;
      this.#look();
    }, STOP_AFTER_MS).unref();
    const narrowest = narrowestOf(refused.flatMap(({ fields }) => fields ?? []));
    if (this.#isRefusedLong) return { ...narrowest, level: 'disabled' };
    return Object.keys(narrowest).length === 0 ? null : narrowest;
  }

  #complete(user: PolicyFile | null): Policy {
    return user === null ? this.#defaults : completePolicy(user, basename(this.#options.path), this.#defaults);
  }

  #sourcesOf(files: LayersRead): Sources {
    return {
      level: this.#sources.level,
      user: this.#complete(files.user),
      userFile: files.user,
      machine: files.machine,
      next: null,
      refusal: this.#refusalOf(files.refused),
    };
  }

  /** The state when the host starts: what a person agreed to, and all that allows no more. */
  #begin(files: LayersRead): void {
    const before = canonicalJson(this.#state.policy);
    const { agreement, startedBy } = this.#options;
    const next = this.#sourcesOf(files);
    const kept = agreement === undefined || startedBy === 'person' ? files.user : this.#agreed();
    const agreed = kept === undefined ? this.#unseen(files) : kept;
    const present = { ...next, user: this.#complete(agreed), userFile: agreed };
    const points = this.#loosened(present, next);
    this.#sources = points.length === 0 ? next : { ...present, next };
    this.#state = this.#stateOf(this.#sources);
    if (points.length === 0) this.#keepNarrowed(agreed, files);
    else this.#ask(files, points, kept === undefined ? 'unseen' : 'change');
    if (canonicalJson(this.#state.policy) !== before) this.#options.onChange?.(this.#state.policy, null);
  }

  /**
   * What counts as agreed to where nothing is kept: looking. A level that administrators chose, which narrows this too,
   * is an answer, and so are the defaults of the program that embeds the host.
   */
  #unseen({ machine }: LayersRead): PolicyFile | null {
    if (this.#options.startedBy === 'program') return null;
    return { level: setsLevel(machine) ? 'full' : 'observe' };
  }

  async #take(sources: Sources): Promise<void> {
    await this.#hold(sources, null);
    this.#waitsFor = null;
  }

  #tellDisbelieved(disbelieved: string | null): void {
    if (disbelieved === null || disbelieved === this.#flaws.disbelieved) return;
    const reason = `It is not the administrator’s alone, so it only narrows: ${disbelieved}.`;
    this.#options.onRefused?.(this.#options.machinePath ?? '', [{ severity: 'warning', line: 1, column: 1, reason }]);
  }

  #stateOf(sources: Sources): PolicyState {
    const { machine, next, refusal } = sources;
    const machines = next === null ? [machine] : [machine, next.machine];
    const own = next === null ? withLevel(sources) : narrowByWaiting(withLevel(sources), next.user);
    const narrowed = machines.reduce(narrowByMachine, own);
    const surfaces = surfacesInForce(
      own.approvals.surfaces,
      narrowed.approvals.surfaces,
      machines,
      this.#options.isInstalled === true,
    );
    const held = { ...narrowed, approvals: { ...narrowed.approvals, surfaces } };
    const how = { isPartial: true, by: 'what is not valid', isBelieved: true };
    const policy = refusal === null ? held : narrowPolicy(held, refusal, how);
    return { policy, etag: policyETag(policy) };
  }

  /**
   * Records the change, carries out `write`, then puts it in force. Errors: those of both; the policy is then unchanged,
   * and a second entry takes the record back.
   */
  async #hold(changed: Partial<Sources>, by: string | null, write?: () => Promise<void>): Promise<void> {
    const sources = { ...this.#sources, ...changed };
    const [from, state] = [this.#state.policy, this.#stateOf(sources)];
    const isOther = canonicalJson(from) !== canonicalJson(state.policy);
    const surface = by !== null ? 'api' : isSameFiles(sources, this.#sources) ? 'file' : 'machine';
    if (isOther) await this.#options.record?.({ from, to: state.policy, by, surface });
    try {
      await write?.();
    } catch (error) {
      if (isOther) await this.#options.record?.({ from: state.policy, to: from, by, surface }).catch(() => {});
      throw error;
    }
    this.#sources = sources;
    this.#state = state;
    if (isOther) this.#options.onChange?.(state.policy, by);
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(run, run);
    this.#queue = result.catch(() => {});
    return result;
  }
}

const withLevel = ({ level, user }: Sources): Policy => (level === null ? user : { ...user, level });

/** Whether the same machine files apply to two policies. */
const isSameFiles = (one: Sources, other: Sources): boolean =>
  canonicalJson([one.machine, one.next?.machine ?? null]) ===
  canonicalJson([other.machine, other.next?.machine ?? null]);

/** Errors: internal; the policy is unchanged. */
async function writePolicyFile(path: string, text: string): Promise<void> {
  try {
    await writeDurably(path, text);
  } catch (cause) {
    throw new UiaHostError('internal', 'The policy file could not be written; the policy is unchanged.', { cause });
  }
}
