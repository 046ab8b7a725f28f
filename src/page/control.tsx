/** What the host allows and remembers: doctor, policy, tokens, grants, audit. */
import { signal } from '@preact/signals';
import { call } from './api.ts';
import { attempt, host, type Finding } from './state.ts';

interface Setting {
  readonly setting: string;
  readonly value: unknown;
  readonly layer: string;
  readonly place: string | null;
}

interface Token {
  readonly tokenId: string;
  readonly name: string;
  readonly scope: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

interface AuditEntry {
  readonly seq: number;
  readonly time?: string;
  readonly kind?: string;
  readonly action?: string | null;
  readonly decision?: string | null;
  readonly sessionId?: string | null;
}

interface Verdict {
  readonly ok: boolean;
  readonly records: number;
  readonly firstBad: { readonly seq: number; readonly reason: string } | null;
}

const settings = signal<readonly Setting[] | null>(null);
const tokens = signal<readonly Token[] | null>(null);
const entries = signal<readonly AuditEntry[] | null>(null);
const verdict = signal<Verdict | 'checking' | null>(null);
const search = signal('');

const LEVELS = ['disabled', 'observe', 'control', 'full'] as const;

const readSettings = (): Promise<boolean> =>
  attempt(async () => {
    settings.value = (await call<{ settings: Setting[] }>('GET', '/v1/policy/sources')).settings;
  });
const readTokens = (): Promise<boolean> =>
  attempt(async () => {
    tokens.value = (await call<{ tokens: Token[] }>('GET', '/v1/tokens')).tokens;
  });

const AUDIT_PAGE = 1000;

/** Checks the audit, whose count leads to its newest records: the route reads from the oldest on. */
const readAudit = (): Promise<boolean> =>
  attempt(async () => {
    verdict.value = 'checking';
    const found = await call<Verdict>('GET', '/v1/audit/verify');
    verdict.value = found;
    let after: number | null = Math.max(0, found.records - AUDIT_PAGE);
    let newest: AuditEntry[] = [];
    while (after !== null) {
      const page: { entries: AuditEntry[]; next: number | null } = await call(
        'GET',
        `/v1/audit?after=${after}&limit=${AUDIT_PAGE}`,
      );
      newest = [...newest, ...page.entries].slice(-AUDIT_PAGE);
      after = page.entries.length === 0 ? null : page.next;
    }
    entries.value = newest.toReversed();
  });

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return <p class="empty">The doctor found nothing.</p>;
  return (
    <ul class="findings">
      {findings.map(({ code, severity, message, cure }) => (
        <li key={code}>
          <span class={`tag is-${severity}`}>{severity}</span> <strong>{code}</strong>
          <p>{message}</p>
          <p class="hint">{cure}</p>
        </li>
      ))}
    </ul>
  );
}

/** What a person loosens here asks on the same surfaces as every loosening; the host decides that, not the page. */
function Policy() {
  return (
    <section aria-labelledby="policy-title">
      <h2 id="policy-title">Policy</h2>
      <div class="row" role="group" aria-label="Level">
        {LEVELS.map((level) => (
          <button
            key={level}
            type="button"
            aria-pressed={host.value?.level === level}
            onClick={() => void attempt(() => call('PATCH', '/v1/policy', { level }))}
          >
            {level}
          </button>
        ))}
      </div>
      {settings.value === null ? (
        <button type="button" onClick={() => void readSettings()}>
          Show every setting
        </button>
      ) : (
        <div class="scrolls" tabIndex={0} role="region" aria-label="Settings">
          <table>
            <thead>
              <tr>
                <th scope="col">Setting</th>
                <th scope="col">Value</th>
                <th scope="col">From</th>
              </tr>
            </thead>
            <tbody>
              {settings.value.map(({ setting, value, layer, place }) => (
                <tr key={setting}>
                  <th scope="row">{setting}</th>
                  <td>
                    <code>{JSON.stringify(value)}</code>
                  </td>
                  <td>{place === null ? layer : `${layer}: ${place}`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Tokens() {
  return (
    <section aria-labelledby="tokens-title">
      <h2 id="tokens-title">Tokens</h2>
      {tokens.value === null ? (
        <button type="button" onClick={() => void readTokens()}>
          Show tokens
        </button>
      ) : tokens.value.length === 0 ? (
        <p class="empty">Only the two tokens of the data directory.</p>
      ) : (
        <ul>
          {tokens.value.map(({ tokenId, name, scope, expiresAt, revokedAt }) => (
            <li key={tokenId} class="row">
              <strong>{name}</strong> {scope}
              <span>
                {revokedAt !== null ? 'revoked' : expiresAt === null ? 'does not expire' : `until ${expiresAt}`}
              </span>
              {revokedAt === null ? (
                <button
                  type="button"
                  class="danger"
                  onClick={() =>
                    void attempt(() => call('DELETE', `/v1/tokens/${encodeURIComponent(tokenId)}`)).then(readTokens)
                  }
                >
                  Revoke
                </button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const verdictWords = (found: Verdict | 'checking' | null): string =>
  found === null
    ? ''
    : found === 'checking'
      ? 'Checking…'
      : found.ok
        ? `Complete and unchanged: ${found.records} records.`
        : `Damaged at record ${found.firstBad?.seq ?? '?'} (${found.firstBad?.reason ?? 'unknown'}).`;

function Audit() {
  const words = search.value.trim().toLowerCase();
  const shown = (entries.value ?? []).filter(
    (entry) => words === '' || JSON.stringify(entry).toLowerCase().includes(words),
  );
  return (
    <section aria-labelledby="audit-title">
      <h2 id="audit-title">Audit</h2>
      <div class="row">
        <button type="button" onClick={() => void readAudit()}>
          Check it, and show the newest records
        </button>
        <span role="status">{verdictWords(verdict.value)}</span>
      </div>
      {entries.value === null ? null : (
        <>
          <div class="row">
            <label for="audit-search">Search</label>
            <input
              id="audit-search"
              type="search"
              value={search.value}
              onInput={(event) => (search.value = event.currentTarget.value)}
            />
          </div>
          <div class="scrolls is-tall" tabIndex={0} role="region" aria-label="Records">
            <table>
              <thead>
                <tr>
                  <th scope="col">Record</th>
                  <th scope="col">Time</th>
                  <th scope="col">Kind</th>
                  <th scope="col">Action</th>
                  <th scope="col">Decision</th>
                  <th scope="col">Session</th>
                </tr>
              </thead>
              <tbody>
                {shown.slice(0, 200).map((entry) => (
                  <tr key={entry.seq}>
                    <th scope="row">{entry.seq}</th>
                    <td>{entry.time === undefined ? '' : new Date(entry.time).toLocaleString()}</td>
                    <td>{entry.kind ?? ''}</td>
                    <td>{entry.action ?? ''}</td>
                    <td>{entry.decision ?? ''}</td>
                    <td>{entry.sessionId ?? ''}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  );
}

export function Control() {
  return (
    <div class="columns is-even">
      <div>
        <section aria-labelledby="doctor-title">
          <h2 id="doctor-title">Doctor</h2>
          <Findings findings={host.value?.doctor ?? []} />
        </section>
        <Policy />
        <Tokens />
      </div>
      <Audit />
    </div>
  );
}
