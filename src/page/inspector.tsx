/** Points at an element of any window, and gives the query that finds exactly it, as a call of each client. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DescribedElement } from '../contract/gate/views.ts';
import { act, call } from './api.ts';
import {
  codeFor,
  FORMS,
  pathOf,
  queriesFor,
  type Form,
  type PathQuery,
  type Query,
  type SeenElement,
  type WindowQuery,
} from './elements.ts';
import { attempt, isOperator, seen, watch, watched } from './state.ts';
import { ButtonRow, SearchRow, Table } from './parts.tsx';
import { chosen, chosenElement, lineWords, pointed, WindowView } from './window-view.tsx';
import { t } from './words.ts';

interface ListedWindow {
  readonly hwnd: string;
  readonly title: string;
}

const windows = signal<readonly ListedWindow[] | null>(null);
const form = signal<Form>('CLI');
const copied = signal<string | null>(null);
/** Words that a line of the tree must contain. */
const wanted = signal('');

const readWindows = (): Promise<boolean> =>
  attempt(async () => {
    windows.value = (await act('list-visible-windows', {})) as ListedWindow[];
  });

function WindowChoice() {
  if (windows.value === null) {
    windows.value = [];
    void readWindows();
  }
  return (
    <div class="row">
      <label for="window-choice">{t('Window')}</label>
      <select id="window-choice" value={watched.value ?? ''} onChange={(event) => watch(event.currentTarget.value)}>
        <option value="" disabled>
          {t('Choose a window')}
        </option>
        {(windows.value ?? []).map(({ hwnd, title }) => (
          <option key={hwnd} value={hwnd}>
            {title === '' ? t('(no title, {hwnd})', { hwnd }) : title}
          </option>
        ))}
      </select>
      <button type="button" onClick={() => void readWindows()}>
        {t('List again')}
      </button>
    </div>
  );
}

/** Moves through the tree with the arrow keys; one row is in the order of the Tab key. */
function onTreeKey(event: KeyboardEvent, elements: readonly SeenElement[]): void {
  const at = elements.findIndex(({ ref }) => ref === chosen.value);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: elements.length - 1 }[event.key];
  const to = next === undefined ? undefined : elements[Math.max(0, Math.min(elements.length - 1, next))];
  if (to === undefined) return;
  event.preventDefault();
  chosen.value = to.ref;
  document.getElementById(`row-${to.ref}`)?.focus();
}

function Tree() {
  const all = seen.value?.elements ?? [];
  const words = wanted.value.trim().toLowerCase();
  const elements =
    words === ''
      ? all
      : all.filter((each) =>
          `${each.role} ${each.name} ${each.value ?? ''} ${each.id ?? ''}`.toLowerCase().includes(words),
        );
  const inOrder = elements.some(({ ref }) => ref === chosen.value) ? chosen.value : elements[0]?.ref;
  return (
    <>
      <SearchRow id="tree-filter" label={t('Find')} words={wanted} />
      <div class="tree" role="tree" aria-label={t('Elements')} onKeyDown={(event) => onTreeKey(event, elements)}>
        {elements.map((element) => (
          <div
            key={element.ref}
            id={`row-${element.ref}`}
            role="treeitem"
            aria-level={element.depth + 1}
            aria-selected={chosen.value === element.ref}
            tabIndex={inOrder === element.ref ? 0 : -1}
            class={pointed.value === element.ref ? 'is-pointed' : ''}
            style={{ paddingInlineStart: `${0.5 + Math.min(element.depth, 12)}em` }}
            onClick={() => (chosen.value = element.ref)}
            onMouseEnter={() => (pointed.value = element.ref)}
            onMouseLeave={() => (pointed.value = null)}
          >
            {lineWords(element)}
          </div>
        ))}
      </div>
    </>
  );
}

function copy(text: string): void {
  void navigator.clipboard.writeText(text).then(
    () => (copied.value = text),
    () => (copied.value = null),
  );
}

/** What the host knows of the chosen element, and the shortest query by which it finds exactly that one. */
interface KnownElement {
  readonly ref: string;
  readonly described: DescribedElement | null;
  /** Null: none does. */
  readonly query: Query | PathQuery | null;
}
const found = signal<KnownElement | null>(null);

const find = (
  query: Query | PathQuery | { readonly ref: string },
  end: AbortSignal,
): Promise<DescribedElement | null> =>
  call<DescribedElement>(
    'GET',
    `/v1/page/element?${new URLSearchParams({ hwnd: watched.value ?? '', ...query }).toString()}`,
    undefined,
    end,
  ).then(
    (described) => described,
    () => null,
  );

async function ask(all: readonly SeenElement[], chosenNow: SeenElement, end: AbortSignal): Promise<void> {
  const { ref } = chosenNow;
  const described = await find({ ref }, end);
  let query: KnownElement['query'] = null;
  const last = described === null || described.path === null ? [] : [{ path: described.path }];
  for (const each of described === null ? [] : [...queriesFor(all, chosenNow), ...last]) {
    if (query !== null || end.aborted) break;
    if ((await find(each, end))?.element.identity === described?.element.identity) query = each;
  }
  if (!end.aborted) found.value = { ref, described, query };
}

const SOURCE_NAMES: Readonly<Record<string, string>> = {
  uia: 'UI Automation',
  msaa: 'MSAA',
  window: t('Window'),
  message: t('Control’s messages'),
};

/** What each source of Windows shows of it: where a name comes from, and which patterns there are. */
function Sources({ described }: { readonly described: DescribedElement | null }) {
  if (described === null) return null;
  return (
    <Table
      label={t('What each source shows')}
      columns={[t('Source'), 'Name', t('Patterns, default action'), t('Control type'), 'AutomationId', t('Class')]}
      rows={described.sources.map((each) => ({
        id: each.source,
        cells: [
          SOURCE_NAMES[each.source] ?? each.source,
          each.name === '' ? t('(none)') : each.name,
          [...(each.patterns ?? []), ...(each.defaultAction === undefined ? [] : [each.defaultAction])].join(', '),
          each.controlType ?? '',
          each.automationId ?? '',
          each.className ?? '',
        ],
      }))}
    />
  );
}

function windowQuery(): WindowQuery {
  const listed = windows.value ?? [];
  const hwnd = watched.value ?? '';
  const title = listed.find((each) => each.hwnd === hwnd)?.title ?? '';
  const isAlone = listed.filter((each) => each.title === title).length === 1;
  return title !== '' && isAlone ? { title } : { hwnd };
}

function Code({ element }: { readonly element: SeenElement }) {
  const all = seen.value?.elements ?? [];
  useEffect(() => {
    const end = new AbortController();
    if (isOperator.value) void ask(all, element, end.signal);
    // Another element was chosen, or the view is left.
    return () => end.abort();
  }, [element]);
  const answer = found.value?.ref === element.ref ? found.value : null;
  // A host that does not answer in time checks nothing; the snapshot’s query stays.
  const query = answer === null || answer.described === null ? (queriesFor(all, element)[0] ?? null) : answer.query;
  const text = codeFor(form.value, windowQuery(), element, query ?? { ref: element.ref });
  const verdict =
    answer === null
      ? isOperator.value
        ? t('Asking the host…')
        : t('Compared with this picture’s elements alone: a viewer cannot ask the host.')
      : answer.described === null
        ? t('Compared with this picture’s elements alone: the host did not find this element.')
        : t('The host finds exactly this element.');
  return (
    <>
      <Sources described={answer?.described ?? null} />
      <h2>{t('Query')}</h2>
      <p>
        {query === null ? (
          t('No name, id or path finds this element alone. Its ref does, until the window changes.')
        ) : (
          <code>{JSON.stringify(query)}</code>
        )}
      </p>
      <p class="hint" role="status">
        {verdict}
        {answer?.described === null || answer === null
          ? ''
          : t(' It comes from {source}, and its identity there is {identity}.', answer.described.element)}
      </p>
      <ButtonRow label={t('Copy as')} of={FORMS} chosen={form.value} onChoose={(each) => (form.value = each)} />
      <pre tabIndex={0} aria-label={t('The call')}>
        {text}
      </pre>
      <button type="button" class="primary" onClick={() => copy(text)}>
        {copied.value === text ? t('Copied') : t('Copy')}
      </button>
    </>
  );
}

function Details() {
  const element = chosenElement();
  if (element === null)
    return <p class="empty">{t('Point at the picture and click, or choose a line of the tree.')}</p>;
  const rows: ReadonlyArray<readonly [string, string]> = [
    [t('Control type'), element.role],
    ['Name', element.name],
    [t('Value'), element.value ?? ''],
    ['AutomationId', element.id ?? ''],
    [t('States'), element.states],
    [
      t('Rectangle'),
      `${element.x}, ${element.y}, ${element.width} × ${element.height} ${t('(pixels of the picture)')}`,
    ],
    [t('Ref'), element.ref],
    [
      t('Path'),
      pathOf(seen.value?.elements ?? [], element)
        .map((each) => (each.name === '' ? each.role : each.name))
        .join(' › '),
    ],
  ];
  return (
    <>
      <dl>
        {rows
          .filter(([, text]) => text !== '')
          .map(([label, text]) => (
            <>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </>
          ))}
      </dl>
      <Code element={element} />
    </>
  );
}

export function Inspector() {
  return (
    <div class="columns is-inspector">
      <section aria-label={t('Window')}>
        <WindowChoice />
        <WindowView isChoosing={true} />
        <div aria-live="polite">
          <Details />
        </div>
      </section>
      <section aria-labelledby="tree-title">
        <h2 id="tree-title">{t('Elements')}</h2>
        <Tree />
      </section>
    </div>
  );
}
