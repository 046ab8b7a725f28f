/** What the host allows and remembers: doctor, policy, tokens, grants, audit. */
import { signal } from '@preact/signals';
import { call } from './api.ts';
import { ButtonRow, SearchRow, Table } from './parts.tsx';
import type { PolicySetting } from '../contract/gate/policy-sources.ts';
import type { AuditRecord, AuditVerdict, HostStatus, StepOutlook, TokenView } from '../contract/gate/views.ts';
import { attempt, host, isOperator, isOwn, watched } from './state.ts';
import { t } from './words.ts';

const EXAMPLE = '[{"action": "click-element", "input": {"name": "Save"}}]';
const text = signal(EXAMPLE);
const verdicts = signal<readonly StepOutlook[] | null>(null);

const ask = (hwnd: string): void =>
  void attempt(async () => {
    verdicts.value = null;
    const steps = readSteps(text.value);
    verdicts.value = (await call<{ steps: StepOutlook[] }>('POST', '/v1/page/would-ask', { hwnd, steps })).steps;
  });

function readSteps(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw new SyntaxError(t('The steps are not JSON.'));
  }
}

const reason = ({ why, code }: StepOutlook): string => [...why, ...(code === null ? [] : [code])].join(', ');

function WouldAsk() {
  const hwnd = watched.value;
  return (
    <section aria-labelledby="would-ask-title">
      <h2 id="would-ask-title">{t('What would ask?')}</h2>
      <label for="would-ask-steps">{t('Steps, as for a batch')}</label>
      <textarea
        id="would-ask-steps"
        rows={4}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <div class="row">
        <button type="button" disabled={hwnd === null} onClick={() => hwnd !== null && ask(hwnd)}>
          {t('Judge them, without doing them')}
        </button>
        {hwnd === null ? <span class="hint">{t('Choose a window in Live or in the inspector first.')}</span> : null}
      </div>
      {verdicts.value === null ? null : (
        <Table
          label={t('Verdicts')}
          columns={[t('Step'), t('Action'), t('Verdict'), t('Why')]}
          rows={verdicts.value.map((each, at) => ({
            id: at,
            cells: [at + 1, each.action, each.outcome, reason(each)],
          }))}
        />
      )}
    </section>
  );
}

const settings = signal<readonly PolicySetting[] | null>(null);
const tokens = signal<readonly TokenView[] | null>(null);
const entries = signal<readonly AuditRecord[] | null>(null);
const verdict = signal<AuditVerdict | 'checking' | null>(null);
const search = signal('');

const LEVELS = ['disabled', 'observe', 'control', 'full'] as const;

const readSettings = (): Promise<boolean> =>
  attempt(async () => {
    settings.value = (await call<{ settings: PolicySetting[] }>('GET', '/v1/policy/sources')).settings;
  });
const readTokens = (): Promise<boolean> =>
  attempt(async () => {
    tokens.value = (await call<{ tokens: TokenView[] }>('GET', '/v1/tokens')).tokens;
  });

const AUDIT_PAGE = 1000;

/** Checks the audit, whose count leads to its newest records: the route reads from the oldest on. */
const readAudit = (): Promise<boolean> =>
  attempt(async () => {
    verdict.value = 'checking';
    const found = await call<AuditVerdict>('GET', '/v1/audit/verify');
    verdict.value = found;
    let after: number | null = Math.max(0, found.records - AUDIT_PAGE);
    let newest: AuditRecord[] = [];
    while (after !== null) {
      const page: { entries: AuditRecord[]; next: number | null } = await call(
        'GET',
        `/v1/audit?after=${after}&limit=${AUDIT_PAGE}`,
      );
      newest = [...newest, ...page.entries].slice(-AUDIT_PAGE);
      after = page.entries.length === 0 ? null : page.next;
    }
    entries.value = newest.toReversed();
  });

function Findings({ findings }: { readonly findings: HostStatus['doctor'] }) {
  if (findings.length === 0) return <p class="empty">{t('The doctor found nothing.')}</p>;
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

interface Grant {
  readonly app: string;
  readonly tier: string;
}

interface Change {
  readonly patch: Readonly<Record<string, unknown>>;
  readonly loosened: readonly string[];
  readonly narrowed: readonly string[];
  readonly other: readonly string[];
}

/** A change that a person has asked for and not confirmed. */
const change = signal<Change | null>(null);
const grants = signal<readonly Grant[] | null>(null);
const app = signal('');
const TIERS = ['read', 'click', 'full'] as const;
const tier = signal<(typeof TIERS)[number]>('read');

const readGrants = (): Promise<boolean> =>
  attempt(async () => {
    grants.value = (await call<{ grants: Grant[] }>('GET', '/v1/policy')).grants;
  });

/** Shows what a change would do before it is made. */
const propose = (patch: Readonly<Record<string, unknown>>): void =>
  void attempt(async () => {
    const words = await call<Omit<Change, 'patch'>>('POST', '/v1/page/policy', patch);
    change.value = { patch, ...words };
  });

/** What a person loosens here asks on the same surfaces as every loosening; the host decides that, not the page. */
function Proposed() {
  const { value } = change;
  if (value === null) return null;
  const { patch, loosened, narrowed, other } = value;
  const lists = [
    [t('It would allow'), loosened],
    [t('It would forbid'), narrowed],
    [t('It would also change'), other],
  ] as const;
  const isNone = loosened.length + narrowed.length + other.length === 0;
  return (
    <div class="exact" role="group" aria-label={t('The change')}>
      {isNone ? <p>{t('It would change nothing: another layer of the policy decides.')}</p> : null}
      {lists.map(([label, lines]) =>
        lines.length === 0 ? null : (
          <section key={label}>
            <h3>{label}</h3>
            <ul>
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
        ),
      )}
      <div class="row">
        <button type="button" onClick={() => (change.value = null)}>
          {t('Leave it')}
        </button>
        {isNone ? null : (
          <button
            type="button"
            class="primary"
            onClick={() =>
              void attempt(() => call('PATCH', '/v1/policy', patch)).then(() => {
                change.value = null;
                return grants.value === null ? undefined : readGrants();
              })
            }
          >
            {t('Change the policy')}
          </button>
        )}
      </div>
    </div>
  );
}

function Policy() {
  return (
    <section aria-labelledby="policy-title">
      <h2 id="policy-title">{t('Policy')}</h2>
      {isOperator.value ? (
        <ButtonRow
          label={t('Level')}
          of={LEVELS}
          chosen={LEVELS.find((each) => each === host.value?.level)}
          onChoose={(level) => propose({ level })}
        />
      ) : (
        <p>{t('Level {level}', { level: host.value?.level ?? '…' })}</p>
      )}
      <Proposed />
      {!isOperator.value ? null : settings.value === null ? (
        <button type="button" onClick={() => void readSettings()}>
          {t('Show every setting')}
        </button>
      ) : (
        <Table
          label={t('Settings')}
          columns={[t('Setting'), t('Value'), t('From')]}
          rows={settings.value.map(({ setting, value, layer, place }) => ({
            id: setting,
            cells: [setting, <code>{JSON.stringify(value)}</code>, place === null ? layer : `${layer}: ${place}`],
          }))}
        />
      )}
    </section>
  );
}

function Grants() {
  const { value } = grants;
  if (value === null)
    return (
      <section aria-labelledby="grants-title">
        <h2 id="grants-title">{t('Grants')}</h2>
        <button type="button" onClick={() => void readGrants()}>
          {t('Show grants')}
        </button>
      </section>
    );
  const without = (name: string): Grant[] => value.filter((each) => each.app !== name);
  return (
    <section aria-labelledby="grants-title">
      <h2 id="grants-title">{t('Grants')}</h2>
      {value.length === 0 ? (
        <p class="empty">{t('No application has a grant: the level alone decides.')}</p>
      ) : (
        <Table
          label={t('Applications')}
          columns={[t('Application'), t('Tier'), t('Change')]}
          rows={value.map((grant) => ({
            id: grant.app,
            cells: [
              grant.app,
              grant.tier,
              <button type="button" onClick={() => propose({ grants: without(grant.app) })}>
                {t('Remove')}
              </button>,
            ],
          }))}
        />
      )}
      <div class="row">
        <label for="grant-app">{t('Application')}</label>
        <input id="grant-app" value={app.value} onInput={(event) => (app.value = event.currentTarget.value)} />
        <button
          type="button"
          disabled={app.value.trim() === ''}
          onClick={() =>
            propose({ grants: [...without(app.value.trim()), { app: app.value.trim(), tier: tier.value }] })
          }
        >
          {t('Show what that allows')}
        </button>
      </div>
      <ButtonRow label={t('Tier')} of={TIERS} chosen={tier.value} onChoose={(each) => (tier.value = each)} />
    </section>
  );
}

function Tokens() {
  return (
    <section aria-labelledby="tokens-title">
      <h2 id="tokens-title">{t('Tokens')}</h2>
      {tokens.value === null ? (
        <button type="button" onClick={() => void readTokens()}>
          {t('Show tokens')}
        </button>
      ) : tokens.value.length === 0 ? (
        <p class="empty">{t('Only the two tokens of the data directory.')}</p>
      ) : (
        <ul>
          {tokens.value.map(({ tokenId, name, scope, expiresAt, revokedAt }) => (
            <li key={tokenId} class="row">
              <strong>{name}</strong> {scope}
              <span>
                {revokedAt !== null
                  ? t('revoked')
                  : expiresAt === null
                    ? t('does not expire')
                    : t('until {time}', { time: expiresAt })}
              </span>
              {revokedAt === null ? (
                <button
                  type="button"
                  class="danger"
                  onClick={() =>
                    void attempt(() => call('DELETE', `/v1/tokens/${encodeURIComponent(tokenId)}`)).then(readTokens)
                  }
                >
                  {t('Revoke')}
                </button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const verdictWords = (found: AuditVerdict | 'checking' | null): string =>
  found === null
    ? ''
    : found === 'checking'
      ? t('Checking…')
      : found.ok
        ? t('Complete and unchanged: {records} records.', { records: found.records })
        : t('Damaged at record {seq} ({reason}).', {
            seq: found.firstBad?.seq ?? '?',
            reason: found.firstBad?.reason ?? '?',
          });

function Audit() {
  const words = search.value.trim().toLowerCase();
  const shown = (entries.value ?? []).filter(
    (entry) => !isOwn(entry.actor.tokenId) && (words === '' || JSON.stringify(entry).toLowerCase().includes(words)),
  );
  return (
    <section aria-labelledby="audit-title">
      <h2 id="audit-title">{t('Audit')}</h2>
      <div class="row">
        <button type="button" onClick={() => void readAudit()}>
          {t('Check it, and show the newest records')}
        </button>
        <span role="status">{verdictWords(verdict.value)}</span>
      </div>
      {entries.value === null ? null : (
        <>
          <SearchRow id="audit-search" label={t('Search')} words={search} />
          <Table
            label={t('Records')}
            columns={[t('Record'), t('Time'), t('Kind'), t('Action'), t('Decision'), t('Session')]}
            isTall={true}
            rows={shown.slice(0, 200).map(({ seq, time, kind, action, decision, sessionId }) => ({
              id: seq,
              cells: [
                seq,
                time === undefined ? (
                  ''
                ) : (
                  <time dateTime={time}>
                    {new Date(time).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' })}
                  </time>
                ),
                kind ?? '',
                action ?? '',
                decision ?? '',
                sessionId ?? '',
              ],
            }))}
          />
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
          <h2 id="doctor-title">{t('Doctor')}</h2>
          <Findings findings={host.value?.doctor ?? []} />
        </section>
        <Policy />
        {isOperator.value ? (
          <>
            <Grants />
            <WouldAsk />
            <Tokens />
          </>
        ) : null}
      </div>
      <Audit />
    </div>
  );
}
