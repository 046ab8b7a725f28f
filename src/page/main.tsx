/** The page: its head, its four views, and what stands there while it is not connected. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { PAGE_TITLE } from '../contract/gate/looker.ts';
import { Approvals } from './approvals.tsx';
import { Control } from './control.tsx';
import { Inspector } from './inspector.tsx';
import { Live } from './live.tsx';
import { call, signOut } from './api.ts';
import {
  attempt,
  cards,
  connection,
  host,
  isOperator,
  isStopped,
  me,
  notice,
  show,
  start,
  view,
  type View,
} from './state.ts';
import { t } from './words.ts';

const TABS: ReadonlyArray<readonly [View, string]> = [
  ['live', t('Live')],
  ['inspector', t('Inspector')],
  ['approvals', t('Approvals')],
  ['control', t('Control')],
];

const tabsShown = (): ReadonlyArray<readonly [View, string]> =>
  isOperator.value ? TABS : TABS.filter(([name]) => name !== 'inspector' && name !== 'control');

/** Arrow keys move between tabs, as in every row of tabs. */
function onTabKey(event: KeyboardEvent): void {
  const names = tabsShown().map(([name]) => name);
  const at = names.indexOf(view.value);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  const name = names[(next + names.length) % names.length] ?? 'live';
  show(name);
  document.getElementById(`tab-${name}`)?.focus();
}

function Tabs() {
  return (
    <nav aria-label={t('Views')}>
      <div class="tabs" role="tablist" aria-label={t('Views')} onKeyDown={onTabKey}>
        {tabsShown().map(([name, label]) => (
          <button
            key={name}
            id={`tab-${name}`}
            role="tab"
            type="button"
            aria-selected={view.value === name}
            aria-controls="view"
            tabIndex={view.value === name ? 0 : -1}
            onClick={() => show(name)}
          >
            {label}
            {name === 'approvals' && cards.value.length > 0 ? (
              <span class="count" aria-label={t('{count} waiting', { count: cards.value.length })}>
                {cards.value.length}
              </span>
            ) : null}
          </button>
        ))}
      </div>
    </nav>
  );
}

function StopButton() {
  if (!isOperator.value) return null;
  const isOn = isStopped.value;
  return (
    <button
      type="button"
      class={isOn ? 'primary' : 'danger'}
      onClick={() => void attempt(() => call('POST', isOn ? '/v1/resume' : '/v1/stop', {}))}
    >
      {isOn ? t('Resume') : t('Stop everything')}
    </button>
  );
}

const stateWords = (): string =>
  connection.value === 'lost'
    ? t('Connection lost, trying again…')
    : isStopped.value
      ? t('Stopped')
      : cards.value.length > 0
        ? t('Waiting for an answer')
        : t('Level {level}', { level: host.value?.level ?? '…' });

function Head() {
  return (
    <header>
      <h1>uiahost</h1>
      <p class={`state ${isStopped.value ? 'is-stopped' : ''}`} role="status">
        {stateWords()}
      </p>
      <StopButton />
      {/* a viewer's page says that it is one */}
      {isOperator.value ? null : <p class="tag">{t('View only')}</p>}
      <button type="button" class="plain" onClick={() => void signOut().then(() => (connection.value = 'signed-out'))}>
        {t('Sign out')}
      </button>
    </header>
  );
}

const VIEWS = { live: Live, inspector: Inspector, approvals: Approvals, control: Control };

function App() {
  if (connection.value === 'signed-out')
    return (
      <main class="alone">
        <h1>uiahost</h1>
        <p>{notice.value ?? t('Signed out.')}</p>
        <p>
          {t('Open this page again with')} <code>uiahost open</code>.
        </p>
      </main>
    );
  if (me.value === null)
    return (
      <main class="alone">
        <h1>uiahost</h1>
        <p role="status">{t('Connecting…')}</p>
      </main>
    );
  const Shown = VIEWS[view.value];
  return (
    <>
      <Head />
      <Tabs />
      {notice.value === null ? null : (
        <p class="notice" role="alert">
          {notice.value}
          <button type="button" class="plain" onClick={() => (notice.value = null)}>
            {t('Dismiss')}
          </button>
        </p>
      )}
      <main>
        <div id="view" role="tabpanel" aria-labelledby={`tab-${view.value}`}>
          <Shown />
        </div>
      </main>
    </>
  );
}

// The host knows its page's windows by this title.
effect(() => {
  document.title = cards.value.length === 0 ? PAGE_TITLE : `${PAGE_TITLE} (${cards.value.length})`;
});
render(<App />, document.body);
void start();
