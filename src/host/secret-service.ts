import type { AuditEntryInput } from '../audit/entry.ts';
import { UiaHostError } from '../contract/errors.ts';
import { SECRET_PREFIX, type SecretView } from '../contract/secret.ts';
import type { SecretService } from './host.ts';

/** Where secrets are kept: the Windows credential manager. Names carry the prefix; `app` is the application of the entry. */
export interface SecretVault {
  list(): Array<{ readonly ref: string; readonly app: string }>;
  /** Errors: not_found. */
  read(ref: string): { readonly app: string; readonly secret: string };
  write(ref: string, app: string, secret: string): void;
  /** False where there was none. */
  remove(ref: string): boolean;
}

export interface SecretParts {
  readonly vault: SecretVault;
  audit(entry: AuditEntryInput): Promise<unknown>;
}

/** A full path or an AppUserModelID. A bare file name would fit whatever program is called so. */
const WHOLE_IDENTITY = /^(?:[a-z]:\\|\\\\)[^/]+$|^[^\\/!]+![^\\/!]+$/i;

const viewOf = (ref: string, app: string): SecretView => ({ name: ref.slice(SECRET_PREFIX.length), secretRef: ref, app });
const isSameApp = (one: string, other: string): boolean => one !== '' && one.toLowerCase() === other.toLowerCase();

/**
 * Stored secrets: each belongs to one application, goes from the vault into one of its password fields, and is never answered,
 * logged or audited. Nothing of one is kept here.
 */
export class Secrets implements SecretService {
  readonly #parts: SecretParts;

  constructor(parts: SecretParts) {
    this.#parts = parts;
  }

  async list(): Promise<SecretView[]> {
    return this.#parts.vault.list().map(({ ref, app }) => viewOf(ref, app));
  }

  async set(name: string, entry: { app: string; secret: string }, by: string): Promise<SecretView> {
    const app = entry.app.trim().replaceAll('/', '\\');
    if (!WHOLE_IDENTITY.test(app)) {
      throw new UiaHostError('invalid_argument', 'app: expected an application’s whole bundleId, a full path or an AppUserModelID; a bare name could mean any program that is called so. Nothing was stored.', {
        hint: 'list-running-apps and list-visible-windows tell the bundleId of what runs.',
      });
    }
    const view = viewOf(SECRET_PREFIX + name, app.includes('!') ? app : app.toLowerCase());
    // Written down before it can be used: a secret that nobody could say who stored is not stored.
    await this.#audit('secret.stored', view, by);
    this.#parts.vault.write(view.secretRef, view.app, entry.secret);
    return view;
  }

  async remove(name: string, by: string): Promise<SecretView> {
    const ref = SECRET_PREFIX + name;
    const found = this.#parts.vault.list().find((entry) => entry.ref === ref);
    if (found === undefined || !this.#parts.vault.remove(ref)) {
      throw new UiaHostError('not_found', `There is no stored secret ${ref}; nothing was removed.`, { hint: 'GET /v1/secrets, or `uiahost secret list`, tells the names.' });
    }
    const view = viewOf(ref, found.app);
    await this.#audit('secret.removed', view, by);
    return view;
  }

  /** Whether it may be typed into this application. Errors: not_found, blocked_by_policy. */
  assertUsable(ref: string, bundleId: string): void {
    const found = this.#parts.vault.list().find((entry) => entry.ref === ref);
    if (found === undefined) throw new UiaHostError('not_found', `There is no stored secret ${ref}; nothing was typed.`, { hint: 'A person stores it with `uiahost secret set`.' });
    requireOwner(ref, found.app, bundleId);
  }

  /** The secret, for the one action that types it. Errors: not_found, blocked_by_policy. */
  read(ref: string, bundleId: string): string {
    const entry = this.#parts.vault.read(ref);
    requireOwner(ref, entry.app, bundleId);
    return entry.secret;
  }

  async #audit(action: string, view: SecretView, by: string): Promise<void> {
    await this.#parts.audit({ kind: 'secret', actor: { tokenId: by, surface: 'api' }, action, details: { secretRef: view.secretRef, app: view.app } });
  }
}

function requireOwner(ref: string, owner: string, bundleId: string): void {
  if (isSameApp(owner, bundleId)) return;
  throw new UiaHostError('blocked_by_policy', `The stored secret ${ref} belongs to another application than the bound one; nothing was typed.`, {
    hint: 'Bind a window of its application, or let a person store the secret for this one.',
  });
}
