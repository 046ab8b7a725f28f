/** Cards that wait for a person, with the words that the overlay's cards have; answered here only where the policy says so. */
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { ApprovalCard, ApprovalScope } from '../contract/gate/approval.ts';
import { cardText, clockText, coverText, scopeLabel, type CardSection } from '../contract/gate/card-text.ts';
import { CARD_LANGUAGES, ENGLISH, type CardWords } from '../contract/gate/card-words.ts';
import { call, pictureUrl } from './api.ts';
import { Table } from './parts.tsx';
import { answered, attempt, cards, isOperator, me } from './state.ts';
import { t } from './words.ts';

const words: CardWords =
  (CARD_LANGUAGES as Readonly<Record<string, CardWords>>)[navigator.language.slice(0, 2).toLowerCase()] ?? ENGLISH;

/** A card that has just appeared is read first: no press counts before. */
const SETTLES_MS = 700;

function Section({ section }: { readonly section: CardSection }) {
  const { label, form, lines, table } = section;
  return (
    <section class="exact">
      <h4>{label}</h4>
      {table !== undefined ? (
        <div class="scrolls" tabIndex={0} role="region" aria-label={label}>
          <table>
            <thead>
              <tr>
                {(table.rows[0] ?? []).map((text) => (
                  <th key={text} scope="col">
                    {text}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.slice(1).map((row, at) => (
                <tr key={at}>
                  {row.map((text, column) => (
                    <td key={column}>{text}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {table.below.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      ) : form === 'code' ? (
        <pre tabIndex={0} aria-label={label}>
          {lines.join('\n')}
        </pre>
      ) : (
        <ul class={form === 'tags' ? 'tags' : ''}>
          {lines.map((text, at) => (
            <li key={at}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Picture({ path, outline }: { readonly path: string; readonly outline: ApprovalCard['pictureOutline'] }) {
  const [size, setSize] = useState<{ readonly width: number; readonly height: number } | null>(null);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    void pictureUrl(path).then(
      (found) => {
        made = found;
        setUrl(found);
      },
      () => {},
    );
    return () => {
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [path]);
  if (url === null) return null;
  const part = (pixels: number, of: number): string => `${(100 * pixels) / of}%`;
  return (
    <div class="picture card-picture">
      <img
        src={url}
        alt={t('The window that it concerns')}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize({ width: naturalWidth, height: naturalHeight })
        }
      />
      {size === null || outline === undefined ? null : (
        <span
          class="outline"
          style={{
            left: part(outline.x, size.width),
            top: part(outline.y, size.height),
            width: part(outline.width, size.width),
            height: part(outline.height, size.height),
          }}
        />
      )}
    </div>
  );
}

function Clock({ until }: { readonly until: string }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span class="tag">{words.ui.clock.replace('{time}', clockText(Date.parse(until) - now))}</span>;
}

const MINUTES = 10;

/** Approve waits until the card has settled, and until the end of what it covers was on the screen. */
function Answer({ card }: { readonly card: ApprovalCard }) {
  const [scope, setScope] = useState<ApprovalScope>(card.allowedScopes[0] ?? 'once');
  const [isReady, setReady] = useState(false);
  const [end, setEnd] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (end === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) timer ??= setTimeout(() => setReady(true), SETTLES_MS);
    });
    observer.observe(end);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [end]);
  const decide = (body: object): void =>
    void attempt(() => call('POST', `/v1/approvals/${encodeURIComponent(card.approvalId)}`, body));
  const canApprove = me.value?.decides === true;
  return (
    <>
      <span ref={setEnd} class="end" />
      {canApprove && card.allowedScopes.length > 1 ? (
        <div class="row" role="group" aria-label={t('Scope')}>
          {card.allowedScopes.map((each) => (
            <button key={each} type="button" aria-pressed={scope === each} onClick={() => setScope(each)}>
              {scopeLabel(each, words)}
            </button>
          ))}
        </div>
      ) : null}
      {canApprove ? <p>{words.ui.covers.replace('{what}', coverText(card, words, scope, MINUTES))}</p> : null}
      {isOperator.value ? (
        <div class="row answer">
          <button type="button" onClick={() => decide({ decision: 'deny' })}>
            {words.ui.deny}
          </button>
          {canApprove ? (
            <button
              type="button"
              class="primary"
              disabled={!isReady}
              onClick={() =>
                decide({ decision: 'approve', scope, ...(scope === 'window' ? { minutes: MINUTES } : {}) })
              }
            >
              {words.ui.approve}
            </button>
          ) : null}
          {card.owner === null ? null : (
            <button type="button" class="plain" onClick={() => decide({ decision: 'deny', all: true })}>
              {words.ui.denyAll}
            </button>
          )}
        </div>
      ) : null}
      {isOperator.value && !canApprove ? (
        <p class="hint">
          {t('Approve on the card on the screen. Here you can deny; approving here needs this in the policy:')}{' '}
          <code>approvals.surfaces: page</code>
        </p>
      ) : null}
    </>
  );
}

const unfolded = signal<string | null>(null);

function Card({ card }: { readonly card: ApprovalCard }) {
  const text = cardText(card, words);
  const isOpen = unfolded.value === card.approvalId;
  return (
    <article class="card" aria-label={text.sentence}>
      <h3 dir="auto">{text.sentence}</h3>
      {text.notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
      <p class="row">
        <span class={`tag is-${card.riskLevel}`}>{text.risk}</span>
        <Clock until={card.expiresAt} />
      </p>
      {card.pictureUrl === null ? null : <Picture path={card.pictureUrl} outline={card.pictureOutline} />}
      <p>{text.why}</p>
      {text.exact.map((section, at) => (
        <Section key={at} section={section} />
      ))}
      <Answer key={card.approvalId} card={card} />
      <button
        type="button"
        class="plain"
        aria-expanded={isOpen}
        onClick={() => (unfolded.value = isOpen ? null : card.approvalId)}
      >
        {words.ui.more}
      </button>
      {isOpen ? text.details.map((section, at) => <Section key={at} section={section} />) : null}
    </article>
  );
}

/** Who answered, and what, newest first. */
function Answered() {
  return (
    <section aria-labelledby="answered-title">
      <h2 id="answered-title">{t('Answered')}</h2>
      {answered.value.length === 0 ? (
        <p class="empty">{t('No card was answered yet.')}</p>
      ) : (
        <Table
          label={t('Answers')}
          columns={[t('What'), t('Answer'), t('By'), t('Asked at')]}
          rows={answered.value.map((card) => ({
            id: card.approvalId,
            cells: [
              cardText(card, words).sentence,
              t(card.status),
              card.decidedBy ?? '',
              <time dateTime={card.createdAt}>{new Date(card.createdAt).toLocaleString()}</time>,
            ],
          }))}
        />
      )}
    </section>
  );
}

export function Approvals() {
  return (
    <section aria-labelledby="cards-title">
      <h2 id="cards-title">{t('Waiting for an answer')}</h2>
      <div aria-live="polite">
        {cards.value.length === 0 ? <p class="empty">{t('No agent waits for an answer.')}</p> : null}
        {cards.value.map((card) => (
          <Card key={card.approvalId} card={card} />
        ))}
      </div>
      <Answered />
    </section>
  );
}
