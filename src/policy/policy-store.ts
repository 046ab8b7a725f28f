import { randomBytes } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { UiaHostError } from '../contract/errors.ts';
import { defaultPolicy, type Level, type Policy } from '../contract/permissions.ts';
import { canonicalJson } from './digest.ts';
import { narrowPolicy } from './narrow-policy.ts';
import { checkPolicyText, completePolicy, describeProblems, matchesETag, mergePatch, policyETag, readPolicy, type PolicyFile, type PolicyProblem } from './policy-file.ts';

export interface PolicyStoreOptions {
  /** The user's policy file; it need not exist. */
  readonly path: string;
  /** The administrator's for the whole machine; it only narrows. */
  readonly machinePath?: string | null;
  /** What a file leaves out, and what holds without any file. Default: preset balanced as shipped. */
  readonly defaults?: Policy;
  /** A level given at start (environment, command line). It holds until an operator sets another, and never beats the machine's policy. */
  readonly level?: Level | null;
  /**
   * Set where the host was installed and does not run from a checkout: an agent with a shell of the same user could read
   * the operator's token, so cards are decided on the overlay alone unless the administrator's policy names the API.
   */
  readonly isInstalled?: boolean;
  /** `by`: who changed it through the host; null when a file changed. */
  readonly onChange?: (policy: Policy, by: string | null) => void;
  /** A changed file that is refused: the last good policy stays in force. */
  readonly onRefused?: (file: string, problems: readonly PolicyProblem[]) => void;
}

export interface PolicyState {
  readonly policy: Policy;
  readonly etag: string;
}

/** How often a file is looked at; watching by notification misses renames on network drives and under Wine. */
const LOOK_EVERY_MS = 500;

/** The policy in force: from files, reloaded when they change, changed by operators. */
export class PolicyStore {
  readonly #options: PolicyStoreOptions;
  readonly #defaults: Policy;
  #level: Level | null;
  #user: Policy;
  #machine: PolicyFile | null = null;
  #state: PolicyState;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(options: PolicyStoreOptions) {
    this.#options = options;
    this.#defaults = options.defaults ?? defaultPolicy();
    this.#level = options.level ?? null;
    this.#user = this.#defaults;
    this.#state = this.#compose();
  }

  /** Loads the files. Errors: invalid_argument with file, line and reason when one of them is not valid. */
  static async open(options: PolicyStoreOptions): Promise<PolicyStore> {
    const store = new PolicyStore(options);
    const files = await store.#read();
    if (files.refused.length > 0) {
      throw new UiaHostError('invalid_argument', `The policy is not valid, so the host does not start:\n${files.refused.map(({ file, problems }) => describeProblems(file, problems)).join('\n')}`, {
        hint: 'Correct the file; `uiahost policy check FILE` says the same without starting.',
      });
    }
    store.#take(files);
    const reload = (): void => void store.reload().catch(() => {});
    for (const file of store.#files()) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, reload);
    return store;
  }

  /** The policy in force now. */
  get(): PolicyState {
    return this.#state;
  }

  /**
   * `replace`: the body is the whole policy; `merge`: RFC 7396 on the present one. Written to the user's file before it holds.
   * Errors: state_conflict when `ifMatch` names another state; invalid_argument with the reason, nothing changed.
   */
  change(change: unknown, how: 'replace' | 'merge', ifMatch: string | undefined, by: string): Promise<PolicyState> {
    return this.#inTurn(async () => {
      if (ifMatch !== undefined && !matchesETag(ifMatch, this.#state.etag)) {
        throw new UiaHostError('state_conflict', `The policy has changed meanwhile (it is ${this.#state.etag} now); nothing was changed.`, { hint: 'GET /v1/policy, and send the change again with its ETag.' });
      }
      const { source: _source, ...present } = this.#withLevel(this.#user);
      if (how === 'merge' && (typeof change !== 'object' || change === null || Array.isArray(change))) {
        throw new UiaHostError('invalid_argument', 'A merge patch of the policy is a JSON object; nothing was changed.');
      }
      const { source: _said, ...file } = readPolicy(how === 'merge' ? mergePatch(present, change) : change);
      const next = completePolicy(file, basename(this.#options.path), this.#defaults);
      const { source: _written, ...written } = next;
      await writeDurably(this.#options.path, `${JSON.stringify(written, null, 2)}\n`);
      this.#level = null;
      this.#user = next;
      this.#announce(by);
      return this.#state;
    });
  }

  /** Reads the files again; one that is not valid is reported and the last good policy stays. */
  reload(): Promise<PolicyState> {
    return this.#inTurn(async () => {
      if (this.#closed) return this.#state;
      const files = await this.#read();
      for (const { file, problems } of files.refused) this.#options.onRefused?.(file, problems);
      if (files.refused.length === 0) this.#take(files);
      return this.#state;
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

  async #read(): Promise<{ user: PolicyFile | null; machine: PolicyFile | null; refused: Array<{ file: string; problems: readonly PolicyProblem[] }> }> {
    const refused: Array<{ file: string; problems: readonly PolicyProblem[] }> = [];
    const read = async (file: string | null | undefined): Promise<PolicyFile | null> => {
      if (file === null || file === undefined) return null;
      let text: string;
      try {
        text = await readFile(file, 'utf8');
      } catch (error) {
        // No file is a policy of its own; one that cannot be read is not.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        refused.push({ file, problems: [{ severity: 'error', line: 1, column: 1, reason: `The file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown cause'}).` }] });
        return null;
      }
      const check = checkPolicyText(text);
      if (check.file === null) refused.push({ file, problems: check.problems });
      return check.file;
    };
    const user = await read(this.#options.path);
    const machine = await read(this.#options.machinePath);
    return { user, machine, refused };
  }

  #take(files: { user: PolicyFile | null; machine: PolicyFile | null }): void {
    this.#user = files.user === null ? this.#defaults : completePolicy(files.user, basename(this.#options.path), this.#defaults);
    this.#machine = files.machine;
    this.#announce(null);
  }

  #withLevel(policy: Policy): Policy {
    return this.#level === null ? policy : { ...policy, level: this.#level };
  }

  #compose(): PolicyState {
    const user = this.#withLevel(this.#user);
    const narrowed = this.#machine === null ? user : narrowPolicy(user, this.#machine);
    const policy = this.#options.isInstalled === true ? withoutApi(narrowed, this.#machine) : narrowed;
    return { policy, etag: policyETag(policy) };
  }

  #announce(by: string | null): void {
    const before = canonicalJson(this.#state.policy);
    this.#state = this.#compose();
    if (canonicalJson(this.#state.policy) !== before) this.#options.onChange?.(this.#state.policy, by);
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(run, run);
    this.#queue = result.catch(() => {});
    return result;
  }
}

function withoutApi(policy: Policy, machine: PolicyFile | null): Policy {
  if (machine?.approvals?.surfaces?.includes('api') === true) return policy;
  return { ...policy, approvals: { ...policy.approvals, surfaces: ['overlay'] } };
}

const WAITS_MS = [10, 20, 50, 100, 200, 400] as const;

/** Windows refuses to replace a file while another program has it open, as a virus scanner or an editor does for a moment. */
async function renameWhenFree(from: string, to: string): Promise<void> {
  for (const milliseconds of WAITS_MS) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (!['EPERM', 'EACCES', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await wait(milliseconds);
    }
  }
  await rename(from, to);
}

/** Temporary file, sync, rename: a crash leaves the old policy or the new one. */
async function writeDurably(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameWhenFree(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new UiaHostError('internal', 'The policy file could not be written; the policy is as it was.', { cause });
  }
}
