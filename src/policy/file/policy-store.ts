/** Keeps the policy in force: from its file, watched for changes, and changed through the API. */
import { existsSync, unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { writeDurably } from '../../base/durable-file.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { defaultPolicy, type Level, type Policy } from '../../contract/permissions.ts';
import { canonicalJson } from '../../contract/canonical-json.ts';
import { loosened } from './loosening.ts';
import { narrowPolicy } from './narrow-policy.ts';
import {
  checkPolicyText,
  completePolicy,
  describeProblems,
  matchesETag,
  mergePatch,
  policyETag,
  readPolicy,
  type PolicyFile,
  type PolicyProblem,
} from './policy-file.ts';

export interface PolicyStoreOptions {
  /** The user's policy file; it need not exist. */
  readonly path: string;
  /** The administrator's for the whole machine; it only narrows. */
  readonly machinePath?: string | null;
  /** Why that file is not the administrator's: somebody else can change it. Null where it is; left out, every file is believed. */
  readonly whyNotBelieved?: (file: string) => string | null;
  /** What a file leaves out, and what holds without any file. Default: preset balanced as shipped. */
  readonly defaults?: Policy;
  /** A level given at start (environment, command line). It holds until an operator sets another, and never beats the machine's policy. */
  readonly level?: Level | null;
  /**
   * Set where the host was installed and does not run from a checkout: an agent with a shell of the same user could read
   * the operator's token, so cards are decided on the overlay alone unless the administrator's policy names the API.
   */
  readonly isInstalled?: boolean;
  /**
   * Asks a person whether the policy may become looser in these points. Needed in an installed host where the operator's API
   * decides nothing: who could loosen the policy there could answer the cards. Without it such a change is refused.
   */
  readonly confirmLoosening?: (points: readonly string[], by: string | null) => Promise<boolean>;
  /** Writes a change down before it holds. Where it rejects, the policy stays as it is; a changed file is tried again. */
  readonly record?: (change: PolicyChange) => Promise<void>;
  /** `by`: who changed it through the host; null when a file changed. */
  readonly onChange?: (policy: Policy, by: string | null) => void;
  /** A changed file that is refused: the last good policy stays in force. */
  readonly onRefused?: (file: string, problems: readonly PolicyProblem[]) => void;
}

export interface PolicyState {
  readonly policy: Policy;
  readonly etag: string;
}

/** One change of the policy in force. */
export interface PolicyChange {
  readonly from: Policy;
  readonly to: Policy;
  /** Who asked for it through the host; null where a file was edited. */
  readonly by: string | null;
  /** Where it comes from: the operator's API, the user's file, the administrator's. */
  readonly surface: 'api' | 'file' | 'machine';
}

/** What the policy in force is put together from. */
interface Sources {
  readonly level: Level | null;
  readonly user: Policy;
  readonly machine: PolicyFile | null;
  /** A changed file of the machine that waits for a person because it is looser: until then it only takes away. */
  readonly nextMachine: PolicyFile | null;
}

interface PolicyFiles {
  readonly user: PolicyFile | null;
  readonly machine: PolicyFile | null;
  /** Why the machine's file counts as none although there is one. */
  readonly disbelieved: string | null;
  readonly refused: ReadonlyArray<{ readonly file: string; readonly problems: readonly PolicyProblem[] }>;
}

/** How often a file is looked at; watching by notification misses renames on network drives and under Wine. */
const LOOK_EVERY_MS = 500;

/** The policy in force: from files, reloaded when they change, changed by operators. */
export class PolicyStore {
  readonly #options: PolicyStoreOptions;
  readonly #defaults: Policy;
  #sources: Sources;
  #disbelieved: string | null = null;
  #state: PolicyState;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;
  /** A looser file that a person was asked about; the same content is not asked again. */
  #waitsFor: string | null = null;

  private constructor(options: PolicyStoreOptions) {
    this.#options = options;
    this.#defaults = options.defaults ?? defaultPolicy();
    this.#sources = { level: options.level ?? null, user: this.#defaults, machine: null, nextMachine: null };
    this.#state = this.#stateOf(this.#sources);
  }

  /** Loads the files. Errors: invalid_argument with file, line and reason when one of them is not valid. */
  static async open(options: PolicyStoreOptions): Promise<PolicyStore> {
    const store = new PolicyStore(options);
    const files = await store.#read();
    if (files.refused.length > 0) {
      throw new UiaHostError(
        'invalid_argument',
        `The policy is not valid, so the host does not start:\n${files.refused.map(({ file, problems }) => describeProblems(file, problems)).join('\n')}`,
        {
          hint: 'Correct the file; `uiahost policy check FILE` reports the same without starting the host.',
        },
      );
    }
    store.#begin(files);
    // What could not be written down does not hold, and is tried again until it can be.
    const reload = (): void =>
      void store.reload().catch(() => {
        setTimeout(reload, LOOK_EVERY_MS).unref();
      });
    for (const file of store.#files()) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, reload);
    return store;
  }

  /** The policy in force now. */
  get(): PolicyState {
    return this.#state;
  }

  /** Why a policy of the machine is there and does not count; null where none is, or it counts. */
  get disbelieved(): string | null {
    return this.#disbelieved;
  }

  /**
   * `replace`: the body is the whole policy; `merge`: RFC 7396 on the present one. Written to the user's file before it holds.
   * Errors: state_conflict when `ifMatch` names another state; invalid_argument with the reason; approval_denied where a
   * person had to agree to a looser policy and did not. Nothing is changed then.
   */
  async change(
    change: unknown,
    how: 'replace' | 'merge',
    ifMatch: string | undefined,
    by: string,
  ): Promise<PolicyState> {
    const asked = this.#state.etag;
    const points = loosened(
      this.#state.policy,
      this.#stateOf({ ...this.#sources, level: null, user: this.#changed(change, how, ifMatch) }).policy,
    );
    if (points.length === 0 || !this.#mustConfirm()) return this.#inTurn(() => this.#write(change, how, ifMatch, by));
    // Nobody else's change waits for this person, so what they saw must still hold when they have answered.
    if (!(await this.#confirm(points, by))) {
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

  /** The user's policy after a change, without holding it yet. */
  #changed(change: unknown, how: 'replace' | 'merge', ifMatch: string | undefined): Policy {
    if (ifMatch !== undefined && !matchesETag(ifMatch, this.#state.etag)) {
      throw new UiaHostError(
        'state_conflict',
        `The policy has changed in the meantime (it is now ${this.#state.etag}); nothing was changed.`,
        { hint: 'GET /v1/policy, and send the change again with its ETag.' },
      );
    }
    const { source: _source, ...present } = withLevel(this.#sources);
    if (how === 'merge' && (typeof change !== 'object' || change === null || Array.isArray(change))) {
      throw new UiaHostError(
        'invalid_argument',
        'A merge patch of the policy must be a JSON object; nothing was changed.',
      );
    }
    const { source: _said, ...file } = readPolicy(how === 'merge' ? mergePatch(present, change) : change);
    return completePolicy(file, basename(this.#options.path), this.#defaults);
  }

  async #write(
    change: unknown,
    how: 'replace' | 'merge',
    ifMatch: string | undefined,
    by: string,
  ): Promise<PolicyState> {
    const next = this.#changed(change, how, ifMatch);
    const { source: _written, ...written } = next;
    await this.#hold({ level: null, user: next }, by, () =>
      writePolicyFile(this.#options.path, `${JSON.stringify(written, null, 2)}\n`),
    );
    return this.#state;
  }

  #mustConfirm(): boolean {
    return this.#options.isInstalled === true && !this.#state.policy.approvals.surfaces.includes('api');
  }

  async #confirm(points: readonly string[], by: string | null): Promise<boolean> {
    return (await this.#options.confirmLoosening?.(points, by).catch(() => false)) ?? false;
  }

  /** Reads the files again; one that is not valid is reported and the last good policy stays. */
  reload(): Promise<PolicyState> {
    return this.#inTurn(async () => {
      if (this.#closed) return this.#state;
      const files = await this.#read();
      for (const { file, problems } of files.refused) this.#options.onRefused?.(file, problems);
      if (files.refused.length === 0) await this.#takeOrAsk(files);
      return this.#state;
    });
  }

  /** Files that were edited to be looser hold after a person's yes; until then, and after a no, they only take away. */
  async #takeOrAsk(files: PolicyFiles): Promise<void> {
    const next = this.#sourcesOf(files);
    const points = loosened(this.#state.policy, this.#stateOf(next).policy);
    this.#tellDisbelieved(files);
    if (points.length === 0 || !this.#mustConfirm()) return this.#take(next);
    // What the administrator takes away needs nobody's yes, and no edit of the user's file may hold it up.
    await this.#hold({ nextMachine: files.machine }, null);
    const said = canonicalJson(files);
    if (said === this.#waitsFor) return;
    this.#waitsFor = said;
    void this.#confirm(points, null)
      .then((isConfirmed) =>
        this.#inTurn(async () => {
          if (this.#closed || this.#waitsFor !== said || !isConfirmed) return;
          const now = await this.#read();
          if (
            canonicalJson({ user: now.user, machine: now.machine }) ===
            canonicalJson({ user: files.user, machine: files.machine })
          )
            await this.#take(this.#sourcesOf(now));
        }),
      )
      .catch(() => {
        // The yes could not be written down: it is asked for once more when the files are looked at again.
        this.#waitsFor = null;
      });
  }

  close(): void {
    this.#closed = true;
    for (const file of this.#files()) unwatchFile(file);
  }

  #files(): string[] {
    const { path, machinePath } = this.#options;
    return machinePath === undefined || machinePath === null ? [path] : [path, machinePath];
  }

  async #read(): Promise<PolicyFiles> {
    const refused: PolicyFiles['refused'][number][] = [];
    const read = async (file: string | null | undefined): Promise<PolicyFile | null> => {
      if (file === null || file === undefined) return null;
      let text: string;
      try {
        text = await readFile(file, 'utf8');
      } catch (error) {
        // No file is a policy of its own; one that cannot be read is not.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        refused.push({
          file,
          problems: [
            {
              severity: 'error',
              line: 1,
              column: 1,
              reason: `The file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown cause'}).`,
            },
          ],
        });
        return null;
      }
      const check = checkPolicyText(text);
      if (check.file === null) refused.push({ file, problems: check.problems });
      return check.file;
    };
    const user = await read(this.#options.path);
    const { machinePath, whyNotBelieved } = this.#options;
    const isThere = machinePath !== null && machinePath !== undefined && existsSync(machinePath);
    const disbelieved = isThere ? (whyNotBelieved?.(machinePath) ?? null) : null;
    const machine = disbelieved === null ? await read(machinePath) : null;
    return { user, machine, disbelieved, refused };
  }

  #userPolicy({ user }: PolicyFiles): Policy {
    return user === null ? this.#defaults : completePolicy(user, basename(this.#options.path), this.#defaults);
  }

  #sourcesOf(files: PolicyFiles): Sources {
    return { level: this.#sources.level, user: this.#userPolicy(files), machine: files.machine, nextMachine: null };
  }

  /** What is there when the host starts. */
  #begin(files: PolicyFiles): void {
    const before = canonicalJson(this.#state.policy);
    this.#sources = this.#sourcesOf(files);
    this.#state = this.#stateOf(this.#sources);
    this.#tellDisbelieved(files);
    if (canonicalJson(this.#state.policy) !== before) this.#options.onChange?.(this.#state.policy, null);
  }

  async #take(sources: Sources): Promise<void> {
    await this.#hold(sources, null);
    this.#waitsFor = null;
  }

  #tellDisbelieved({ disbelieved }: PolicyFiles): void {
    if (disbelieved !== null && disbelieved !== this.#disbelieved) {
      this.#options.onRefused?.(this.#options.machinePath ?? '', [
        { severity: 'error', line: 1, column: 1, reason: `It does not count as the administrator’s: ${disbelieved}.` },
      ]);
    }
    this.#disbelieved = disbelieved;
  }

  #stateOf(sources: Sources): PolicyState {
    const machines = sources.nextMachine === null ? [sources.machine] : [sources.machine, sources.nextMachine];
    const narrowed = machines.reduce(
      (policy, machine) => (machine === null ? policy : narrowPolicy(policy, machine)),
      withLevel(sources),
    );
    const policy = this.#options.isInstalled === true ? withoutApi(narrowed, machines) : narrowed;
    return { policy, etag: policyETag(policy) };
  }

  /**
   * Writes the change down, carries out `write`, then lets it hold. Errors: those of both; the policy is as it was then,
   * and what was written down is taken back by a second entry.
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

/** Whether two policies are under the same files of the machine. */
const isSameFiles = (one: Sources, other: Sources): boolean =>
  canonicalJson([one.machine, one.nextMachine]) === canonicalJson([other.machine, other.nextMachine]);

/** The API decides in an installed host only where every policy of the machine that counts names it. */
function withoutApi(policy: Policy, machines: ReadonlyArray<PolicyFile | null>): Policy {
  if (machines.length > 0 && machines.every((machine) => machine?.approvals?.surfaces?.includes('api') === true))
    return policy;
  return { ...policy, approvals: { ...policy.approvals, surfaces: ['overlay'] } };
}

/** Errors: internal; the policy is as it was. */
async function writePolicyFile(path: string, text: string): Promise<void> {
  try {
    await writeDurably(path, text);
  } catch (cause) {
    throw new UiaHostError('internal', 'The policy file could not be written; the policy is unchanged.', { cause });
  }
}
