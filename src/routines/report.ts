/** The page of a routine's run, and of any session: one HTML file without scripts, light and dark. */
import { createHash } from 'node:crypto';
import type { AuditEntry } from '../audit/entry.ts';
import type { ImageMimeType } from '../contract/artifact.ts';
import type { ApprovalCard } from '../contract/gate/approval.ts';
import type { AuditVerdict } from '../contract/gate/views.ts';
import { quoted } from '../contract/json/quoted.ts';
import type { Ran } from './run.ts';

const CSS = `
:root { color-scheme: light dark; --ink: #1c2128; --dim: #5b6470; --page: #f6f7f9; --card: #fff; --line: #d9dee5;
  --yes: #1a7f4b; --no: #b3261e; --ask: #8a5a00; --mark: #2456a6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e7ec; --dim: #98a2ae; --page: #15181c; --card: #1d2126; --line: #343b44;
  --yes: #5cc78d; --no: #ff8a80; --ask: #e8b04a; --mark: #82aaf0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 4rem; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.45rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1rem; margin: 2rem 0 .75rem; }
p { margin: .25rem 0; }
.dim { color: var(--dim); }
a, .kind { color: var(--mark); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 1rem 0 0; }
dt { color: var(--dim); }
dd { margin: 0; }
.verdict { margin: 1rem 0 0; padding: .6rem .9rem; border-left: 4px solid var(--yes); background: var(--card); }
.verdict.no { border-color: var(--no); }
.verdict.ask { border-color: var(--ask); }
.verdict b { font-size: 1.15rem; }
ol { list-style: none; margin: 0; padding: 0; }
ol > li { display: grid; grid-template-columns: 5.5rem 1fr; gap: 0 1rem; padding: .55rem 0; border-top: 1px solid var(--line); }
.at { color: var(--dim); font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
.at small { display: block; }
.tag { display: inline-block; padding: 0 .45em; margin: 0 .25em .15em 0; border: 1px solid var(--line); border-radius: 3px; font-size: .85em; }
.yes { color: var(--yes); } .no { color: var(--no); } .ask { color: var(--ask); }
.card { margin: .3rem 0 0; padding: .7rem .9rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
ul { margin: .2rem 0; padding-left: 1.2rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
figure { margin: .4rem 0 0; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); background: var(--card); }
figcaption, summary { color: var(--dim); font-size: .88em; }
summary { cursor: pointer; }
pre { margin: .3rem 0 0; padding: .6rem .8rem; background: var(--card); border: 1px solid var(--line); border-radius: 4px;
  font: 12.5px/1.45 ui-monospace, Consolas, monospace; white-space: pre-wrap; }
code { font: .92em ui-monospace, Consolas, monospace; }
@media (max-width: 40rem) { ol > li, .pair { grid-template-columns: 1fr; } .at { text-align: left; } .at small { display: inline; } }
@media print { body { max-width: none; padding: 0; } ol > li { break-inside: avoid; } }
`;

/** Markup that is already safe. Anything else is escaped when inserted. */
class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that are invisible or reverse the reading order: a window's title could use them to deceive. Line feed and tab stay. */
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]/gu;

/** Text for any place between tags or inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replace(UNSEEN, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

type Part = Html | string | number | null | undefined | readonly Part[];

function render(part: Part): string {
  if (part === null || part === undefined) return '';
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(render).join('');
  return escapeHtml(String(part));
}

/** Template tag: escapes each inserted value unless it is Html. */
function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(literals.map((literal, at) => (at === 0 ? literal : render(parts[at - 1]) + literal)).join(''));
}

export interface ReportPicture {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A session as it was recorded. */
export interface SessionRecord {
  readonly session: string;
  /** Its entries, in the order of their seq. */
  readonly entries: readonly AuditEntry[];
  /** Events of its stream, in the order of their sequence. */
  readonly events: readonly { readonly id: string; readonly event: Readonly<Record<string, unknown>> }[];
  readonly cards: readonly ApprovalCard[];
  /** By content hash; a picture that is not here is shown as missing. */
  readonly pictures: ReadonlyMap<string, ReportPicture>;
  /** What verifying the whole log found; null when it was not verified. */
  readonly verification: Pick<AuditVerdict, 'records' | 'head' | 'firstBad'> | null;
}

/** A run of a routine. */
export interface RunRecord {
  readonly name: string;
  readonly description: string;
  readonly hash: string;
  readonly ran: Ran;
}

const PICTURE_URL = /^\/v1\/artifacts\/([0-9a-f]{64})\/content$/;
const TYPES: ReadonlySet<string> = new Set<ImageMimeType>(['image/png', 'image/jpeg', 'image/webp']);
const GOOD = new Set(['execute', 'approve', 'approved', 'succeeded', 'completed', 'confirmed', 'verified']);
const BAD = new Set([
  'block',
  'deny',
  'denied',
  'refused',
  'failed',
  'aborted',
  'expired',
  'void',
  'cancelled',
  'halted',
  'halted before the effect',
]);
const tone = (word: string): string => (GOOD.has(word) ? 'yes' : BAD.has(word) ? 'no' : 'ask');

/**
 * Each run with its steps, then everything that its session recorded; or a session alone. The page needs nothing from anywhere, runs
 * no script (its content security policy forbids both), and shows other programs' words as text. A pure function of its input.
 */
export function renderReport(
  parts: ReadonlyArray<{ readonly run: RunRecord | null; readonly record: SessionRecord }>,
): string {
  const styleHash = createHash('sha256').update(CSS).digest('base64');
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  const title = parts.map(({ run, record }) => run?.name ?? `Session ${record.session}`)[0] ?? '';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(CSS)}</style>
</head>
<body>
${parts.map(({ run, record }) => section(run, record))}
</body>
</html>
`.markup;
}

function section(run: RunRecord | null, record: SessionRecord): Html {
  const show = pictureBook(record.pictures);
  const { session, entries, events, cards } = record;
  const started = entries.find(({ action }) => action === 'session.started');
  const ended = entries.findLast(({ action }) => action === 'session.ended');
  const { goal, urls = [] } = (started?.details ?? {}) as { goal?: string; urls?: string[] };
  const { status, summary } = (ended?.details ?? {}) as { status?: string; summary?: string };
  const begin = entries[0]?.time ?? '';
  const rows: [string, Part][] = [
    ...(run === null ? [] : [['Routine', html`<code>${run.hash}</code>`] as [string, Part]]),
    ...(started === undefined
      ? []
      : [
          ['Ended as', status ?? 'not ended in this audit'] as [string, Part],
          ['Summary', summary ?? '–'] as [string, Part],
          ['May touch', html`<ul>${urls.map((url) => html`<li><code>${url}</code></li>`)}</ul>`] as [string, Part],
        ]),
    ['Time', `${begin} – ${entries.at(-1)?.time ?? ''}`],
    ['Audit', `${entries.length} entries, ${cards.length} cards`],
  ];
  const steps = mergeByTime([
    actionsIn(entries).map((group) => ({ time: group[0]!.time, body: () => actionStep(group, show) })),
    events.map(({ id, event }) => ({ time: String(event['timestamp'] ?? ''), body: () => eventStep(id, event, show) })),
    [...cards]
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
      .map((card) => ({ time: card.createdAt, body: () => cardStep(card, show) })),
  ]);
  return html`<header>
<p class="dim">Session <code>${session}</code></p>
<h1>${run === null ? (goal ?? `Session ${session}`) : `${run.name}: ${run.description}`}</h1>
${run === null ? '' : html`<p class="verdict ${tone(run.ran.verdict)}"><b>${run.ran.verdict}</b> ${run.ran.why}</p>`}
<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${chain(record.verification)}
</header>
<main>
${run === null ? '' : html`<h2>Steps</h2><ol>${run.ran.steps.map(runStep)}</ol>`}
<h2>What the audit recorded</h2>
${steps.length === 0 ? html`<p class="dim">Nothing was recorded.</p>` : html`<ol>${steps.map((step) => stepItem(step, begin))}</ol>`}
</main>`;
}

function chain(verification: SessionRecord['verification']): Html {
  if (verification === null) return html`<p class="verdict no">The audit log was not verified for this page.</p>`;
  const { records, head, firstBad } = verification;
  return firstBad === null
    ? html`<p class="verdict">The audit log verifies: ${records} records, last hash <code>${head === '' ? 'none' : head}</code>.</p>`
    : html`<p class="verdict no">The audit log does <b>not</b> verify: at entry ${firstBad.seq} (${firstBad.reason}). Entries from there on cannot be relied on.</p>`;
}

function runStep({
  at,
  sentence,
  status,
  evidence,
  expected,
  seen,
  trouble,
  ms,
  before,
  after,
}: Ran['steps'][number]): Html {
  const image = (words: string, picture: typeof before): Html | '' =>
    picture === null
      ? ''
      : html`<figure><img alt="${words}" width="${picture.width}" height="${picture.height}" src="data:${picture.mimeType};base64,${picture.base64}"><figcaption>${words}</figcaption></figure>`;
  return html`<li><div class="at">${at} <small>${ms > 0 ? `${(ms / 1000).toFixed(1)} s` : ''}</small></div><div>
<p><b>${sentence}</b> <span class="${tone(status)}">${status}</span></p>
${expected.map((wanted, index) => html`<p class="dim">expected ${wanted}; seen ${seen[index] ?? 'nothing'}</p>`)}
${evidence.length === 0 ? '' : html`<p class="dim">${evidence.join('; ')}</p>`}
${trouble === null ? '' : html`<p class="no">${trouble.code}: ${trouble.message}</p>`}
<div class="pair">${image('before', before)}${image('after', after)}</div>
</div></li>
`;
}

interface TimedRow {
  readonly time: string;
  /** Called in the order of the page, so that a picture is shown where it first comes. */
  readonly body: () => Html;
}

function stepItem({ time, body }: TimedRow, begin: string): Html {
  const since = Math.round((Date.parse(time) - Date.parse(begin)) / 100) / 10;
  return html`<li><div class="at"><time datetime="${time}" title="${time}">${Number.isFinite(since) ? `${since.toFixed(1)} s` : ''}</time> <small>${time.slice(11, 19)}</small></div><div>${body()}</div></li>
`;
}

/** The entries of each action together, in the order of their first ones. */
function actionsIn(entries: readonly AuditEntry[]): AuditEntry[][] {
  const groups = new Map<string, AuditEntry[]>();
  for (const entry of entries) {
    const key = entry.actionId ?? `#${entry.seq}`;
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()];
}

const tag = (text: string, className = ''): Html => html`<span class="tag ${className}">${text}</span>`;
const data = (label: string, value: unknown): Html =>
  html`<details><summary>${label}</summary><pre>${JSON.stringify(value, null, 2)}</pre></details>`;

function actionStep(group: readonly AuditEntry[], show: PictureBook): Html {
  const [first] = group as [AuditEntry];
  const last = <K extends keyof AuditEntry>(key: K): AuditEntry[K] | null =>
    group.findLast((entry) => entry[key] !== null)?.[key] ?? null;
  const { element } = (group.find(({ details }) => 'element' in details)?.details ?? {}) as {
    element?: { role: string; name: string } | null;
  };
  const text = last('text');
  const { effect } = (last('outcome') ?? {}) as { effect?: unknown };
  const said = [...new Set([last('decision'), effect === 'none' ? null : effect])].filter(
    (word) => typeof word === 'string',
  );
  const tags = [...new Set(group.flatMap(({ riskTags }) => riskTags ?? []))];
  const why = [...new Set(group.flatMap((entry) => entry.why ?? []))];
  const risk = last('riskLevel');
  return html`<p><span class="kind">${first.kind}</span> <b>${first.action ?? ''}</b> ${element ? `${element.role} ${quoted(element.name, 200)}` : ''} ${said.map((word) => html`<span class="${tone(word)}">${word}</span> `)}
${risk === null ? '' : tag(`risk ${risk}`)}${tags.map((name) => tag(name))}${last('errorCode') === null ? '' : tag(last('errorCode') ?? '', 'no')}
<span class="dim">#${first.seq} by ${first.actor.tokenId ?? 'nobody'} on ${first.actor.surface}</span></p>
${why.length === 0 ? '' : html`<ul>${why.map((reason) => html`<li>${reason}</li>`)}</ul>`}
${text === null ? '' : html`<p class="dim">Text of ${text.length} characters, ${'hmac' in text ? html`keyed hash <code>${text.hmac ?? 'none: a secret'}</code>` : html`SHA-256 <code>${text.sha256}</code>`}</p>`}
${[...new Set(group.flatMap(({ artifacts }) => artifacts))].map((hash) => show(hash))}
${group.map((entry) => data(`#${entry.seq} ${entry.kind}`, entry))}`;
}

function eventStep(id: string, event: Readonly<Record<string, unknown>>, show: PictureBook): Html {
  const { type, timestamp: _timestamp, ...rest } = event;
  const words = ['summary', 'message', 'decision', 'status', 'code'].flatMap((name) =>
    typeof rest[name] === 'string' ? [rest[name]] : [],
  );
  const hash = typeof rest['url'] === 'string' ? PICTURE_URL.exec(rest['url'])?.[1] : undefined;
  return html`<p><b>${String(type)}</b> ${words.map((word) => html`<span class="${GOOD.has(word) || BAD.has(word) ? tone(word) : ''}">${word}</span> `)}<span class="dim">${id}</span></p>
${hash === undefined ? '' : show(hash)}
${Object.keys(rest).length > 0 ? data('Event', rest) : ''}`;
}

function cardStep(card: ApprovalCard, show: PictureBook): Html {
  const where = [card.app?.displayName, card.window?.title]
    .filter((name) => name !== undefined && name !== '')
    .join(' – ');
  const hash = card.pictureUrl === null ? undefined : PICTURE_URL.exec(card.pictureUrl)?.[1];
  return html`<p><b>A person was asked</b> <span class="${tone(card.status)}">${card.status}</span> <span class="dim">${card.decidedBy === null ? '' : `by ${card.decidedBy}`}</span></p>
<div class="card">
<p><b>${card.summary}</b></p>
<p>${where} ${card.element === null ? '' : `– ${card.element.role} ${quoted(card.element.name, 200)}`}</p>
<p>${tag(`risk ${card.riskLevel}`)}${card.riskTags.map((name) => tag(name))}${card.flags.map((name) => tag(name))}</p>
<ul>${card.why.map(({ kind, text }) => html`<li>${kind}: ${text}</li>`)}</ul>
${card.proposerReason === null ? '' : html`<p class="dim">${`The proposer’s words: ${quoted(card.proposerReason, 2000)}`}</p>`}
${hash === undefined ? '' : show(hash)}
${data('Arguments', card.arguments)}
<p class="dim">Digest <code>${card.digest}</code></p>
</div>`;
}

type PictureBook = (contentHash: string) => Html;

/** A picture is put into the page once; where it comes again, a link leads to it. */
function pictureBook(pictures: SessionRecord['pictures']): PictureBook {
  const shown = new Set<string>();
  return (contentHash) => {
    const short = `${contentHash.slice(0, 12)}…`;
    const picture = pictures.get(contentHash);
    if (picture === undefined || !TYPES.has(picture.mimeType))
      return html`<p class="dim">Picture <code>${short}</code> is not kept any more.</p>`;
    if (shown.has(contentHash))
      return html`<p class="dim"><a href="#picture-${contentHash}">Picture ${short}</a>, shown above.</p>`;
    shown.add(contentHash);
    const source = `data:${picture.mimeType};base64,${Buffer.from(picture.bytes).toString('base64')}`;
    return html`<figure id="picture-${contentHash}"><img alt="Picture ${short}" width="${picture.width}" height="${picture.height}" src="${new Html(source)}">
<figcaption>${`${picture.width} × ${picture.height}`}, SHA-256 <code>${contentHash}</code></figcaption></figure>`;
  };
}

/** Merges lists by time. The order inside each list stays, also where a clock was set back. */
function mergeByTime(lists: readonly (readonly TimedRow[])[]): TimedRow[] {
  const left = lists.map((list) => [...list]);
  const merged: TimedRow[] = [];
  for (;;) {
    const [next] = left
      .filter((list) => list.length > 0)
      .sort((a, b) => (a[0]!.time < b[0]!.time ? -1 : Number(a[0]!.time > b[0]!.time)));
    if (next === undefined) return merged;
    merged.push(next.shift()!);
  }
}
