/** Settings of hosts that only administrators make: where a host listens, who gets one, and which tokens it accepts. */
import { z } from 'zod';
import { isLoopback } from '../process/host-file.ts';
import { Level } from './permissions.ts';

/** Ids that a host makes itself, or has from its start. */
const OWN_ID = /^(agent|operator|host|(tok|act|apr|obs|cus)_.*)$/;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 of 64 lower-case hexadecimal digits');
const WHEN = 'expected a time in UTC such as 2030-01-01T00:00:00Z';
const utc = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/, WHEN)
  .refine((time) => !Number.isNaN(Date.parse(time)), WHEN);

/**
 * A token that the machine's policy names. Every user can read that policy, so it has the hash of the token and never the
 * token. The id stays when the token is replaced: a host keeps idempotency keys and limits by it.
 */
export const PolicyToken = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected 1 to 64 letters, digits, dots, hyphens or underscores')
    .refine((id) => !OWN_ID.test(id), 'expected an id that a host does not give itself'),
  scope: z.enum(['agent', 'operator']),
  sha256,
  expiresAt: utc.optional(),
  old: z
    .strictObject({ sha256, until: utc })
    .optional()
    .describe(
      'The token that this one replaces: it counts until then, so that both sides may change at their own time.',
    ),
  level: Level.optional(),
  apps: z.array(z.string().min(1).max(1024)).max(100).optional(),
});
export type PolicyToken = z.infer<typeof PolicyToken>;

const path = z.string().min(1).max(1024);
const account = z.string().min(1).max(256);

/** In place of an address, of earlier versions: no card goes there any more. */
const BY_FLEET = 'fleet:';

/** An address of cards: HTTPS, or a program of this machine. Credentials and fragments have no place in it. */
function isApproverAddress(text: string): boolean {
  if (text === BY_FLEET) return true;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  const isOwn = isLoopback(hostname.replace(/^\[|\]$/g, ''));
  return (protocol === 'https:' || (protocol === 'http:' && isOwn)) && `${username}${password}${hash}` === '';
}

/** A person elsewhere who decides cards; all of it but `waitMs` and `pictures` is needed. */
const Approver = z
  .strictObject({
    address: z
      .string()
      .max(2048)
      .refine(isApproverAddress, 'expected an https:// address without credentials and fragment')
      .describe('Where cards are sent, and answers are fetched. `fleet:`, of earlier versions, has no effect.'),
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/, 'expected 1 to 64 letters, digits, dots, hyphens, underscores or @')
      .describe('Who decides, as records name them.'),
    publicKey: z
      .string()
      .regex(/^[A-Za-z0-9+/]{43}=$/, 'expected the 32 bytes of an Ed25519 public key in Base64')
      .describe('Ed25519 public key whose private half the approver alone has.'),
    secretFile: path.describe('File with the secret that signs what is sent (Standard Webhooks, whsec_…).'),
    waitMs: z.int().min(1000).max(86_400_000).describe('How long a card may wait for the approver.'),
    pictures: z.boolean().describe('Whether a card is sent with its picture.'),
  })
  .partial();

/** In the machine's policy file under `host`, in the registry by the values of the category Host. */
export const MachineHost = z
  .strictObject({
    address: z
      .string()
      .regex(/^(\d{1,3}(\.\d{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$/, 'expected an IP address')
      .max(45),
    port: z.int().min(1, 'expected a port (1 to 65535)').max(65_535, 'expected a port (1 to 65535)'),
    allowRemote: z.boolean(),
    names: z.array(z.string().min(1).max(253)).max(100).describe('Names by which clients reach the host.'),
    tls: z
      .strictObject({
        key: path.describe('PEM file of the private key.'),
        certificate: path.describe('PEM file of the certificate, with its chain.'),
        pfx: path.describe('PKCS #12 file with both, in place of the two PEM files.'),
        passphraseFile: path.describe('File with the passphrase of the PKCS #12 file.'),
        store: z
          .string()
          .min(1)
          .max(1024)
          .describe('Not used; a certificate of the Windows store in earlier versions.'),
      })
      .partial(),
    users: z.array(account).max(500).describe('Users who get a host: DOMAIN\\name or SID. Absent: every user.'),
    groups: z.array(account).max(500).describe('Groups whose members get a host, in addition to `users`.'),
    sessions: z.array(z.enum(['console', 'remote'])).describe('Kinds of session that get a host. Absent: all.'),
    onDemand: z.boolean().describe('The service starts no host; `uiahost start` and the MCP bridge do.'),
    icon: z.boolean().describe('Whether the notification area shows that a host runs.'),
    tokens: z.array(PolicyToken).max(200),
    tokensNotBefore: utc.describe('Tokens that a host made before this time have ended. Counts when a host starts.'),
    approver: Approver,
    fleet: z
      .strictObject({
        on: z.boolean().describe('Whether the service starts the link of a machine that has joined a fleet.'),
        drain: z.boolean().describe('The link takes no further job.'),
        onlyWhenIdle: z.boolean().describe('The link takes a job only while the session is locked or disconnected.'),
        pools: z
          .array(z.string().regex(/^p_[a-z0-9=-]{1,58}$/, 'expected the name of a pool, such as p_excel'))
          .max(20)
          .describe('The only pools that jobs are taken of, among those of the credential.'),
        orchestrators: z
          .array(z.string().regex(/^[a-z0-9=-]{1,60}$/, 'expected the name of an orchestrator'))
          .max(100)
          .describe('The only orchestrators whose jobs are taken, among those that the machine joined for.'),
        live: z
          .array(z.string().regex(/^[a-z0-9=-]{1,60}$/, 'expected the name of a viewer'))
          .max(100)
          .describe('Of earlier versions; without effect.'),
        ledger: path.describe('Folder, on a disk that stays, for the ledgers of the seats. Absent: with the link.'),
      })
      .partial(),
    collector: z
      .strictObject({
        address: z
          .string()
          .max(2048)
          .refine(
            (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
            'expected an address such as https://otel.example.com:4318',
          )
          .describe('OpenTelemetry collector that gets traces and metrics by OTLP over HTTP.'),
        headersFile: path.describe('File with headers for the collector, NAME=VALUE, one for each line.'),
        titles: z.boolean().describe('Whether titles of windows and names of elements are sent too.'),
      })
      .partial(),
  })
  .partial()
  .describe('Counts in the policy of the machine alone.');
export type MachineHost = z.infer<typeof MachineHost>;

/** Where traces and metrics are sent, by OTLP over HTTP. */
export interface Collector {
  /** Without `/v1/traces` and `/v1/metrics`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Titles of windows and names of elements too. */
  readonly titles: boolean;
}

type Given = z.infer<typeof Approver>;
const NEEDED = ['address', 'name', 'publicKey', 'secretFile'] as const;
/** An approver with all that is needed to ask. */
export type WholeApprover = Given & Readonly<Record<(typeof NEEDED)[number], string>>;

/** Whether it is an approver of earlier versions, whom no card reaches: cards are decided as without one. */
export const isOfFleet = (approver: Given | undefined): boolean => approver?.address === BY_FLEET;

export const isWholeApprover = (approver: Given | undefined): approver is WholeApprover =>
  NEEDED.every((each) => approver?.[each] !== undefined) && !isOfFleet(approver);

const FIELDS = ['scope', 'sha256', 'expires', 'old', 'level', 'apps'] as const;

/** `scope=operator; sha256=…; expires=…; old=SHA256@UNTIL; level=…; apps=a.exe|b.exe`: how the registry names a token. Errors: a sentence, thrown as Error. */
export function parsePolicyToken(id: string, text: string): Record<string, unknown> {
  const found = new Map<string, string>();
  for (const part of text.split(';').filter((each) => each.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([a-z0-9]+)\s*=\s*(.*?)\s*$/i.exec(part) ?? [];
    const field = FIELDS.find((each) => each === name.toLowerCase());
    if (field === undefined || found.has(field) || value === '')
      throw new Error(`expected ${FIELDS.map((each) => `${each}=…`).join('; ')}, each at most once.`);
    found.set(field, value);
  }
  const { expires, old, apps, ...rest } = Object.fromEntries(found);
  const [oldHash, until] = old?.split('@') ?? [];
  return {
    id,
    ...rest,
    ...(expires === undefined ? {} : { expiresAt: expires }),
    ...(old === undefined ? {} : { old: { sha256: oldHash, until } }),
    ...(apps === undefined ? {} : { apps: apps.split('|').map((each) => each.trim()) }),
  };
}

/** The same text for a token. */
export const policyTokenText = ({ scope, sha256: hash, expiresAt, old, level, apps }: PolicyToken): string =>
  [
    `scope=${scope}`,
    `sha256=${hash}`,
    ...(expiresAt === undefined ? [] : [`expires=${expiresAt}`]),
    ...(old === undefined ? [] : [`old=${old.sha256}@${old.until}`]),
    ...(level === undefined ? [] : [`level=${level}`]),
    ...(apps === undefined ? [] : [`apps=${apps.join('|')}`]),
  ].join('; ');
