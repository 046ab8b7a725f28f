/** Names of stored secrets, and how an action refers to one. */
import { z } from 'zod';

/** Prefix of the host's entries in the Windows credential manager: `uiahost:NAME`. */
export const SECRET_PREFIX = 'uiahost:';

/** A stored secret's own name. */
export const SecretName = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,100}$/, 'letters, digits, dots, dashes and underscores, at most 100');

/** How an action names a stored secret. */
export const SecretRef = z.string().regex(/^uiahost:[A-Za-z0-9._-]{1,100}$/, 'a secret is named uiahost:NAME');

/**
 * UTF-16 units that the credential manager accepts. Source: CRED_MAX_CREDENTIAL_BLOB_SIZE,
 * learn.microsoft.com/windows/win32/api/wincred/ns-wincred-credentialw
 */
export const MAX_SECRET_UNITS = 1280;

/** A stored secret as an operator sees it: its name and what it is for, never the secret. */
export const SecretView = z.strictObject({
  name: z.string(),
  secretRef: z.string(),
  app: z.string(),
  /** In a browser: the only origin where it is typed. */
  origin: z.string().optional(),
});
export type SecretView = z.infer<typeof SecretView>;
