/** Records the policy: every change is in the audit, with what it loosens and narrows, before it takes effect. */
import { createHmac } from 'node:crypto';
import type { AuditEntryInput } from '../../audit/entry.ts';
import { defaultPolicy, type Policy } from '../../contract/gate/permissions.ts';
import { comparePolicies } from '../../policy/file/loosening.ts';
import { completePolicy, readPolicy } from '../../policy/file/policy-file.ts';
import type { PolicyChange } from '../../policy/file/policy-store.ts';
import type { Store } from '../../store/client.ts';

/** The policy in force, for the next host: an edit while no host runs is a change too. */
const KEY = 'policy';
/** Proves which agreement this host kept for the user. */
const AGREED_KEY = 'agreement';
/** The size of one entry, well below the size at which the audit writes a hash instead. */
const ENTRY_BYTES = 16 * 1024;

interface Agreement {
  read(): string | null;
  write(text: string): void;
}

type Point = readonly ['loosened' | 'narrowed' | 'other', string];

export class PolicyRecord {
  readonly #audit: { append(entry: AuditEntryInput): Promise<unknown> };
  readonly #meta: Pick<Store['meta'], 'get' | 'set'>;

  constructor(audit: { append(entry: AuditEntryInput): Promise<unknown> }, meta: Pick<Store['meta'], 'get' | 'set'>) {
    this.#audit = audit;
    this.#meta = meta;
  }

  /**
   * What a person agreed to, from where the user's programs can write too: it counts only as this host wrote it. Anything
   * else is in the audit, and a person is asked again. `key`: the host's own.
   */
  async agreement(users: Agreement, key: Uint8Array): Promise<Agreement> {
    const proofOf = (text: string | null): string =>
      text === null ? '' : createHmac('sha256', key).update(text).digest('hex');
    let kept = await this.#meta.get(AGREED_KEY);
    if (kept === null) {
      // An earlier version kept no proof: what was agreed to then is kept. A new directory begins without.
      kept = (await this.#meta.get(KEY)) === null ? '' : proofOf(users.read());
      await this.#meta.set(AGREED_KEY, kept);
    }
    const read = (): string | null => {
      const text = users.read();
      return proofOf(text) === kept ? text : null;
    };
    if (proofOf(users.read()) !== kept)
      await this.#audit.append({
        kind: 'host',
        actor: { tokenId: null, surface: 'host' },
        action: 'host.agreement-differs',
      });
    return {
      read,
      write: (text) => {
        users.write(text);
        kept = proofOf(text);
        // Without it the person is asked again.
        this.#meta.set(AGREED_KEY, kept).catch(() => {});
      },
    };
  }

  /** Errors: audit_unavailable, internal; then the change must not take effect. */
  changed({ from, to, by, surface }: PolicyChange): Promise<void> {
    return this.#write(from, to, by, surface);
  }

  /**
   * Records what changed since the last host of this data directory ended; at the first start, relative to the default
   * policy. Errors: as above.
   */
  async started(now: Policy): Promise<void> {
    await this.#write(policyOf(await this.#meta.get(KEY)), now, null, 'start');
  }

  async #write(from: Policy, to: Policy, by: string | null, surface: string): Promise<void> {
    const parts = inParts(pointsOf(from, to));
    for (const [index, points] of parts.entries()) {
      const of = (kind: Point[0]): string[] => points.flatMap(([one, text]) => (one === kind ? [text] : []));
      await this.#audit.append({
        kind: 'policy',
        actor: { tokenId: by, surface },
        action: 'policy.changed',
        details: {
          level: to.level,
          source: to.source,
          loosened: of('loosened'),
          narrowed: of('narrowed'),
          other: of('other'),
          ...(parts.length === 1 ? {} : { part: index + 1, parts: parts.length }),
        },
      });
    }
    await this.#meta.set(KEY, JSON.stringify(to));
  }
}

function pointsOf(from: Policy, to: Policy): Point[] {
  const { loosened, narrowed, other } = comparePolicies(from, to);
  const source: Point[] = from.source === to.source ? [] : [['other', `source: ${from.source} → ${to.source}`]];
  return [
    ...loosened.map((text): Point => ['loosened', text]),
    ...narrowed.map((text): Point => ['narrowed', text]),
    ...other.map((text): Point => ['other', text]),
    ...source,
  ];
}

/** A change of hundreds of grants takes several entries, each small enough to be recorded in words. */
function inParts(points: readonly Point[]): Point[][] {
  const parts: Point[][] = [];
  let left = 0;
  for (const point of points) {
    const bytes = Buffer.byteLength(JSON.stringify(point));
    if (bytes > left) {
      parts.push([]);
      left = ENTRY_BYTES;
    }
    parts.at(-1)?.push(point);
    left -= bytes;
  }
  return parts;
}

function policyOf(kept: string | null): Policy {
  if (kept === null) return defaultPolicy();
  try {
    const { source } = JSON.parse(kept) as Policy;
    return completePolicy(readPolicy(JSON.parse(kept)), source);
  } catch {
    // Recorded by a host with other settings, or damaged: every difference from the default policy is listed.
    return defaultPolicy();
  }
}
