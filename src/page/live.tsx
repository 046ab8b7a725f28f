/** What agents do as they do it: their sessions, the window, and a list of the actions with pictures before and after. */
import { signal } from '@preact/signals';
import type { OpenSession } from '../contract/gate/views.ts';
import { call } from './api.ts';
import {
  attempt,
  figures,
  isOperator,
  readWhy,
  sessions,
  steps,
  watch,
  watched,
  type Figures,
  type ShownAction,
} from './state.ts';
import { WindowView } from './window-view.tsx';
import { t } from './words.ts';

const clientWords = ({ tokenName, session, client }: OpenSession): string =>
  `${tokenName} · ${session}${client === null ? '' : ` (${t('calls itself “{client}”', { client })})`}`;

/** Models differ; English takes about this. */
const LETTERS_A_TOKEN = 4;

type Text = Parameters<typeof t>[0];
const counted = (count: number, one: Text, more: Text): string =>
  t(count === 1 ? one : more, { count: count.toLocaleString() });

function figuresWords({ actions, failed, ms, textLength, pictures }: Figures): string {
  const done = `${counted(actions, '{count} action', '{count} actions')}${failed === 0 ? '' : t(' ({failed} failed)', { failed })}`;
  const tokens = counted(Math.round(textLength / LETTERS_A_TOKEN), '{count} token', '{count} tokens');
  return [
    t('{done} in {seconds} s', { done, seconds: (ms / 1000).toFixed(1) }),
    t('answers of about {tokens}', { tokens }),
    ...(pictures === 0 ? [] : [counted(pictures, '{count} picture', '{count} pictures')]),
  ].join(', ');
}

function SessionRow({ session }: { readonly session: OpenSession }) {
  const { window } = session;
  const spent = figures.value.get(session.owner);
  // Several may share a window; the newest of them is the one that is shown.
  const isWatched =
    session === sessions.value.find((each) => each.window !== null && each.window.hwnd === watched.value);
  return (
    <li class={`session ${isWatched ? 'is-watched' : ''}`}>
      <div>
        <strong>{clientWords(session)}</strong>
        <p>{window === null ? t('No window') : window.title === '' ? window.app : `${window.title} · ${window.app}`}</p>
        <p>{t('Last action at {time}', { time: new Date(session.lastActionAt).toLocaleTimeString() })}</p>
        {spent === undefined ? null : <p title={t('Since this page was opened')}>{figuresWords(spent)}</p>}
        {session.isPaused ? <p class="tag">{t('Paused')}</p> : null}
        {session.waiting.length > 0 ? <p class="tag">{t('Waits for an answer')}</p> : null}
      </div>
      <div class="buttons">
        {window === null ? null : (
          <button type="button" aria-pressed={isWatched} onClick={() => watch(window.hwnd)}>
            {t('Watch')}
          </button>
        )}
        {isOperator.value ? (
          <button
            type="button"
            title={t('While it is paused, each of its actions is refused, and the window is yours.')}
            onClick={() =>
              void attempt(() =>
                call('POST', '/v1/sessions/pause', { owner: session.owner, paused: !session.isPaused }),
              )
            }
          >
            {session.isPaused ? t('Let it go on') : t('Pause and take over')}
          </button>
        ) : null}
      </div>
    </li>
  );
}

const STATES = { running: t('running'), waiting: t('waits'), done: t('done'), failed: t('failed') } as const;

/** The action whose pictures are unfolded. */
const open = signal<string | null>(null);

/** Names of actions, codes and effects as words: `pending_modal`, `clickElement`. */
const asWords = (name: string): string =>
  name.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const targetWords = ({ target, why }: ShownAction): string =>
  target === null ? (why === null ? '' : ` ${why}`) : ` ${target.role} “${target.name}”`;

function Pictures({ step }: { readonly step: ShownAction }) {
  if (step.before === null && step.after === null)
    return <p class="empty">{t('This window was not watched then, so it has no picture.')}</p>;
  return (
    <div class="pair">
      {(['before', 'after'] as const).map((when) => {
        const url = step[when];
        return (
          <figure key={when}>
            {url === null ? (
              <p class="empty">{t('no picture')}</p>
            ) : (
              <img src={url} alt={t(`The window ${when} this action`)} />
            )}
            <figcaption>{t(when)}</figcaption>
          </figure>
        );
      })}
    </div>
  );
}

function StepRow({ step }: { readonly step: ShownAction }) {
  const isOpen = open.value === step.actionId;
  const effect = step.code ?? step.effect ?? '';
  return (
    <li class={`step is-${step.state}`}>
      <button
        type="button"
        class="plain"
        aria-expanded={isOpen}
        onClick={() => {
          open.value = isOpen ? null : step.actionId;
          if (step.state === 'failed' && step.why === null) readWhy(step.actionId);
        }}
      >
        <time dateTime={step.time}>{new Date(step.time).toLocaleTimeString()}</time>
        <span class="what">
          <strong>{asWords(step.action)}</strong>
          {targetWords(step)}
        </span>
        <span class={`effect is-${effect}`}>{effect === '' ? STATES[step.state] : asWords(effect)}</span>
      </button>
      {isOpen ? (
        <div class="more">
          <dl>
            <dt>{t('By')}</dt>
            <dd>{step.owner}</dd>
            {step.way === null ? null : (
              <>
                <dt>{t('Way')}</dt>
                <dd>{step.way}</dd>
              </>
            )}
            {step.why === null ? null : (
              <>
                <dt>{t('Why')}</dt>
                <dd>{step.why}</dd>
              </>
            )}
            {step.evidence.length === 0 ? null : (
              <>
                <dt>{t('Evidence')}</dt>
                <dd>{step.evidence.join(', ')}</dd>
              </>
            )}
            {step.durationMs === null ? null : (
              <>
                <dt>{t('Took')}</dt>
                <dd>{Math.round(step.durationMs)} ms</dd>
              </>
            )}
          </dl>
          <Pictures step={step} />
        </div>
      ) : null}
    </li>
  );
}

/** The newest actions are in view at once; the rest follows on request, so that ten thousand events stay cheap. */
const AT_ONCE = 50;
const shown = signal(AT_ONCE);

export function Live() {
  return (
    <div class="columns">
      <section aria-labelledby="sessions-title">
        <h2 id="sessions-title">{t('Sessions')}</h2>
        {sessions.value.length === 0 ? (
          <p class="empty">{t('No agent is connected.')}</p>
        ) : (
          <ul class="sessions">
            {sessions.value.map((session) => (
              <SessionRow key={session.owner} session={session} />
            ))}
          </ul>
        )}
        <WindowView isChoosing={false} />
      </section>
      <section aria-labelledby="steps-title">
        <h2 id="steps-title">{t('What it does')}</h2>
        {steps.value.length === 0 ? (
          <p class="empty">{t('Nothing yet.')}</p>
        ) : (
          <ol class="steps">
            {steps.value.slice(0, shown.value).map((step) => (
              <StepRow key={step.actionId} step={step} />
            ))}
          </ol>
        )}
        {steps.value.length > shown.value ? (
          <button type="button" onClick={() => (shown.value += AT_ONCE)}>
            {t('Show earlier actions')}
          </button>
        ) : null}
      </section>
    </div>
  );
}
