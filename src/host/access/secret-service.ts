/** Stored secrets, which actions type without showing them to any agent. */
import type { AuditEntryInput } from '../../audit/entry.ts';
import type { AppIdentity } from '../../contract/element/binding.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import { badInput, UiaHostError } from '../../contract/errors.ts';
import { originOf, readOrigin } from '../../contract/gate/pages.ts';
import { SECRET_PREFIX, type SecretView } from '../../contract/gate/secret.ts';
import { kindOf, showsPage } from '../../policy/risk/words/app-kind.ts';
import type { SecretService } from '../face/host.ts';

/** What a secret is for. */
export interface SecretPurpose {
  readonly app: string;
  /** In a browser: the only origin where it is typed. Null if none was given. */
  readonly origin: string | null;
}

/** Where secrets are kept: the Windows credential manager. Names carry the prefix. */
export interface SecretVault {
  list(): Array<SecretPurpose & { readonly ref: string }>;
  /** Errors: not_found. */
  read(ref: string): SecretPurpose & { readonly secret: string };
  write(ref: string, purpose: SecretPurpose, secret: string): void;
  /** False if there was none. */
  remove(ref: string): boolean;
}

export interface SecretParts {
  readonly vault: SecretVault;
  audit(entry: AuditEntryInput): Promise<unknown>;
}

/** A full path or an AppUserModelID. A bare file name would match any program of that name. */
const WHOLE_IDENTITY = /^(?:[a-z]:\\|\\\\)[^/]+$|^[^\\/!]+![^\\/!]+$/i;

const viewOf = (ref: string, { app, origin }: SecretPurpose): SecretView => ({
  name: ref.slice(SECRET_PREFIX.length),
  secretRef: ref,
  app,
  ...(origin === null ? {} : { origin }),
});
const isSameApp = (one: string, other: string): boolean => one !== '' && one.toLowerCase() === other.toLowerCase();

/**
 * Each secret belongs to one application, in a browser to one origin. It goes from the vault into a password field
 * there, and is never returned, logged or audited. No part of it is kept here.
 */
export class Secrets implements SecretService {
  readonly #parts: SecretParts;

  constructor(parts: SecretParts) {
    this.#parts = parts;
  }

  async list(): Promise<SecretView[]> {
    return this.#parts.vault.list().map(({ ref, ...purpose }) => viewOf(ref, purpose));
  }

  async set(
    name: string,
    entry: { app: string; origin?: string | undefined; secret: string },
    by: string,
  ): Promise<SecretView> {
    const app = entry.app.trim().replaceAll('/', '\\');
    if (!WHOLE_IDENTITY.test(app)) {
      throw badInput(
        'app: expected an application’s whole bundleId, a full path or an AppUserModelID; a bare name could mean any program of that name. Nothing was stored.',
        {
          hint: '`list-running-apps` and `list-visible-windows` show the bundleId of each running application.',
        },
      );
    }
    const purpose: SecretPurpose = {
      app: app.includes('!') ? app : app.toLowerCase(),
      origin: originToKeep(app, entry.origin),
    };
    const view = viewOf(SECRET_PREFIX + name, purpose);
    // Audited before it can be used: a secret is never stored without a record of who stored it.
    await this.#audit('secret.stored', view, by);
    this.#parts.vault.write(view.secretRef, purpose, entry.secret);
    return view;
  }

  async remove(name: string, by: string): Promise<SecretView> {
    const ref = SECRET_PREFIX + name;
    const found = this.#parts.vault.list().find((entry) => entry.ref === ref);
    if (found === undefined || !this.#parts.vault.remove(ref)) {
      throw new UiaHostError('not_found', `There is no stored secret ${ref}; nothing was removed.`, {
        hint: 'GET /v1/secrets lists the names.',
      });
    }
    const view = viewOf(ref, found);
    await this.#audit('secret.removed', view, by);
    return view;
  }

  /** Errors: not_found; blocked_by_policy if it may not be typed there. */
  assertUsable(ref: string, place: SecretPlace): void {
    const found = this.#parts.vault.list().find((entry) => entry.ref === ref);
    if (found === undefined)
      throw new UiaHostError('not_found', `There is no stored secret ${ref}; nothing was typed.`, {
        hint: 'A person stores it with `uiahost secret set`.',
      });
    assertPlace(ref, found, place);
  }

  /** The secret, for the one action that types it there. Errors: not_found, blocked_by_policy. */
  read(ref: string, place: SecretPlace): string {
    const entry = this.#parts.vault.read(ref);
    assertPlace(ref, entry, place);
    return entry.secret;
  }

  async #audit(action: string, view: SecretView, by: string): Promise<void> {
    await this.#parts.audit({
      kind: 'secret',
      actor: { tokenId: by, surface: 'api' },
      action,
      details: {
        secretRef: view.secretRef,
        app: view.app,
        ...(view.origin === undefined ? {} : { origin: view.origin }),
      },
    });
  }
}

/** Where a secret would be typed. */
export interface SecretPlace {
  readonly app: AppIdentity | null;
  /** The password field and the page around it, as they are now. */
  readonly context: ElementContext | null;
}

const HOW_TO_STORE = 'A person stores it for a page with `uiahost secret set NAME --app … --origin https://…`.';

/** Errors: invalid_argument. */
function originToKeep(app: string, given: string | undefined): string | null {
  if (given === undefined) {
    if (kindOf({ bundleId: app, displayName: '', executable: null }) !== 'browser') return null;
    throw badInput(
      'origin: a secret for a browser needs its site, or every page could ask for it. Nothing was stored.',
      {
        hint: 'Give it as https://host (`uiahost secret set NAME --app … --origin https://…`).',
      },
    );
  }
  const origin = readOrigin(given);
  if (origin !== null) return origin;
  throw badInput(
    'origin: expected https://host, with a port if it has one and nothing after it; http: only for this machine. Nothing was stored.',
  );
}

/** Its application and, in a browser, its origin: that of the field’s own document. Errors: blocked_by_policy. */
function assertPlace(ref: string, { app: owner, origin }: SecretPurpose, { app, context }: SecretPlace): void {
  if (!isSameApp(owner, app?.bundleId ?? '')) {
    throw new UiaHostError(
      'blocked_by_policy',
      `The stored secret ${ref} belongs to a different application than the bound one; nothing was typed.`,
      {
        hint: 'Bind a window of its application, or let a person store the secret for this one.',
      },
    );
  }
  if (origin === null && !showsPage(app, context)) return;
  if (origin === null) {
    throw new UiaHostError(
      'blocked_by_policy',
      `The stored secret ${ref} names no origin, so any page of the browser could ask for it; nothing was typed.`,
      { hint: HOW_TO_STORE },
    );
  }
  const there = originOf(context?.document.address ?? null);
  if (there === origin) return;
  throw new UiaHostError(
    'blocked_by_policy',
    there === null
      ? `The stored secret ${ref} is for ${origin}, but the page or frame of its field could not be identified with certainty; nothing was typed.`
      : `The stored secret ${ref} is for ${origin}, but its field belongs to ${there}; nothing was typed.`,
    {
      hint: `Go to ${origin} first and look at its address. ${HOW_TO_STORE}`,
    },
  );
}
