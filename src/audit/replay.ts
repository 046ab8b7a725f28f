/** The page that replays a session from its audit: what was done, decided and seen, as one HTML file without scripts. */
import { createHash } from 'node:crypto';
import type { ApprovalCard } from '../contract/gate/approval.ts';
import type { ImageMimeType } from '../contract/artifact.ts';
import { quoted } from '../contract/json/quoted.ts';
import type { AuditVerdict } from '../contract/gate/views.ts';
import type { AuditEntry } from './entry.ts';

const REPLAY_CSS = `
:root { color-scheme: light dark; --ink: #1c2128; --dim: #5b6470; --page: #f6f7f9; --card: #ffffff; --line: #d9dee5;
  --yes: #1a7f4b; --no: #b3261e; --ask: #8a5a00; --mark: #2456a6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e7ec; --dim: #98a2ae; --page: #15181c; --card: #1d2126; --line: #343b44;
  --yes: #5cc78d; --no: #ff8a80; --ask: #e8b04a; --mark: #82aaf0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 4rem; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.45rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1rem; margin: 2rem 0 .75rem; }
.dim { color: var(--dim); }
a { color: var(--mark); }
li p { margin: .25rem 0; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 1rem 0 0; }
dl.facts dt { color: var(--dim); }
dl.facts dd { margin: 0; }
.verdict { margin: 1rem 0 0; padding: .6rem .9rem; border-left: 4px solid var(--yes); background: var(--card); }
.verdict.bad { border-color: var(--no); }
ol.steps { list-style: none; margin: 0; padding: 0; }
ol.steps > li { display: grid; grid-template-columns: 5.5rem 1fr; gap: 0 1rem; padding: .55rem 0; border-top: 1px solid var(--line); }
.at { color: var(--dim); font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
.at small { display: block; }
.what { margin: 0; }
.what b { font-weight: 600; }
.tag { display: inline-block; padding: 0 .45em; margin: 0 .25em .15em 0; border: 1px solid var(--line); border-radius: 3px; font-size: .85em; }
.yes { color: var(--yes); } .no { color: var(--no); } .ask { color: var(--ask); } .kind { color: var(--mark); }
.card { margin: .3rem 0 0; padding: .7rem .9rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
.card p { margin: 0 0 .35rem; }
ul { margin: .2rem 0; padding-left: 1.2rem; }
figure { margin: .4rem 0 0; }
figure img { max-width: 100%; height: auto; border: 1px solid var(--line); background: var(--card); }
figcaption { color: var(--dim); font-size: .85em; }
details { margin: .25rem 0 0; }
summary { color: var(--dim); cursor: pointer; font-size: .9em; }
pre { margin: .3rem 0 0; padding: .6rem .8rem; background: var(--card); border: 1px solid var(--line); border-radius: 4px;
  font: 12.5px/1.45 ui-monospace, Consolas, monospace; white-space: pre-wrap; }
code { font: .92em ui-monospace, Consolas, monospace; }
@media (max-width: 40rem) { ol.steps > li { grid-template-columns: 1fr; } .at { text-align: left; } .at small { display: inline; } }
@media print { body { max-width: none; padding: 0; } details { display: block; } ol.steps > li { break-inside: avoid; } }
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
  return new Html(
    literals.map((literal, index) => (index === 0 ? literal : render(parts[index - 1]) + literal)).join(''),
  );
}

export interface ReplaySession {
  readonly sessionId: string;
  readonly goal: string;
  readonly urls: readonly string[];
  readonly status: string;
  readonly summary: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly actionsExecuted: number;
}

export interface ReplayPicture {
  readonly mimeType: ImageMimeType;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface Replay {
  readonly session: ReplaySession;
  /** Entries of this session, in the order of their seq. */
  readonly entries: readonly AuditEntry[];
  /** Events of its stream, in the order of their sequence. */
  readonly events: readonly { readonly id: string; readonly event: Readonly<Record<string, unknown>> }[];
  readonly cards: readonly ApprovalCard[];
  /** By content hash; a picture that is not here is shown as missing. */
  readonly pictures: ReadonlyMap<string, ReplayPicture>;
  /** What verifying the whole log found; null when it was not verified. */
  readonly verification: Pick<AuditVerdict, 'records' | 'head' | 'firstBad'> | null;
}

interface TimedRow {
  readonly time: string;
  /** Called in the order of the page, so that a picture is shown where it first comes. */
  readonly body: () => Html;
}

const PICTURE_URL = /^\/v1\/artifacts\/([0-9a-f]{64})\/content$/;
const TYPES: ReadonlySet<string> = new Set<ImageMimeType>(['image/png', 'image/jpeg', 'image/webp']);

/**
 * One session as one HTML page: audit entries, stream events, cards and pictures in their order. The page needs nothing
 * from anywhere, runs no script (its content security policy forbids both), and shows other programs' words as text.
 * A pure function of its input.
 */
export function renderReplay(replay: Replay): string {
  const pictures = pictureBook(replay.pictures);
  const steps = mergeByTime([
    replay.entries.map((entry) => ({ time: entry.time, body: () => entryStep(entry, pictures) })),
    replay.events.map(({ id, event }) => ({
      time: String(event.timestamp ?? ''),
      body: () => eventStep(id, event, pictures),
    })),
    [...replay.cards]
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
      .map((card) => ({ time: card.createdAt, body: () => cardStep(card, pictures) })),
  ]);
  const { session } = replay;
  const styleHash = createHash('sha256').update(REPLAY_CSS).digest('base64');
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Session ${session.sessionId}</title>
<style>${new Html(REPLAY_CSS)}</style>
</head>
<body>
<header>
<p class="dim">Session <code>${session.sessionId}</code></p>
<h1>${session.goal}</h1>
${facts(replay)}
${verdict(replay.verification)}
</header>
<main>
<h2>What happened</h2>
${steps.length === 0 ? html`<p class="dim">Nothing was recorded.</p>` : html`<ol class="steps">${steps.map((step) => stepItem(step, session.startedAt))}</ol>`}
</main>
</body>
</html>
`.markup;
}

function facts({ session, entries, pictures }: Replay): Html {
  const rows: [string, Html | string | number][] = [
    ['Ended as', session.status],
    ['Summary', session.summary === '' ? '–' : session.summary],
    ['Time', `${session.startedAt} – ${session.endedAt ?? 'still running'}`],
    ['Actions executed', session.actionsExecuted],
    ['May touch', html`<ul>${session.urls.map((url) => html`<li><code>${url}</code></li>`)}</ul>`],
    ['Audit entries', entries.length],
    ['Pictures', pictures.size],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

function verdict(verification: Replay['verification']): Html {
  if (verification === null) return html`<p class="verdict bad">The audit log was not verified for this page.</p>`;
  if (verification.firstBad === null) {
    return html`<p class="verdict">The audit log verifies: ${verification.records} records, last hash <code>${verification.head === '' ? 'none' : verification.head}</code>.</p>`;
  }
  const { seq, reason } = verification.firstBad;
  return html`<p class="verdict bad">The audit log does <b>not</b> verify: at entry ${seq} (${reason}). Entries from there on cannot be relied on.</p>`;
}

function stepItem({ time, body }: TimedRow, startedAt: string): Html {
  const offset = Date.parse(time) - Date.parse(startedAt);
  const relative = Number.isFinite(offset) ? `${offset < 0 ? '−' : '+'}${(Math.abs(offset) / 1000).toFixed(1)} s` : '';
  return html`<li><div class="at"><time datetime="${time}" title="${time}">${relative}</time> <small>${time.slice(11, 19)}</small></div><div>${body()}</div></li>
`;
}

const GOOD = new Set(['execute', 'approve', 'approved', 'succeeded', 'completed']);
const BAD = new Set(['block', 'deny', 'denied', 'refused', 'failed', 'aborted', 'expired', 'void', 'cancelled']);
const tone = (word: string): string => (GOOD.has(word) ? 'yes' : BAD.has(word) ? 'no' : 'ask');

const tag = (text: string, className = ''): Html => html`<span class="tag ${className}">${text}</span>`;
const data = (label: string, value: unknown): Html =>
  html`<details><summary>${label}</summary><pre>${JSON.stringify(value, null, 2)}</pre></details>`;
const isFilled = (value: object | null): boolean => value !== null && Object.keys(value).length > 0;

function entryStep(entry: AuditEntry, picture: PictureBook): Html {
  const { kind, action, decision, riskLevel, riskTags, errorCode, text, why } = entry;
  return html`<p class="what"><span class="kind">${kind}</span> <b>${action ?? ''}</b> ${decision === null ? '' : html`<span class="${tone(decision)}">${decision}</span>`}
${riskLevel === null ? '' : tag(`risk ${riskLevel}`)}${(Array.isArray(riskTags) ? riskTags : []).map((name) => tag(name))}${errorCode === null ? '' : tag(errorCode, 'no')}
<span class="dim">#${entry.seq} by ${entry.actor.tokenId ?? 'nobody'} on ${entry.actor.surface}</span></p>
${Array.isArray(why) && why.length > 0 ? html`<ul>${why.map((reason) => html`<li>${reason}</li>`)}</ul>` : ''}
${text === null ? '' : html`<p class="dim">Text of ${text.length} characters, ${'hmac' in text ? html`keyed hash <code>${text.hmac ?? 'none: a secret'}</code>` : html`SHA-256 <code>${text.sha256}</code>`}</p>`}
${entry.artifacts.map((contentHash) => picture(contentHash))}
${entry.input === null ? '' : data('Input', entry.input)}
${isFilled(entry.outcome) ? data('Outcome', entry.outcome) : ''}
${isFilled(entry.details) ? data('Details', entry.details) : ''}
<details><summary>Hash</summary><pre>${entry.hash}</pre></details>`;
}

function eventStep(id: string, event: Readonly<Record<string, unknown>>, picture: PictureBook): Html {
  const { type, timestamp: _timestamp, ...rest } = event;
  const words = ['summary', 'message', 'decision', 'status', 'code'].flatMap((name) =>
    typeof rest[name] === 'string' ? [rest[name]] : [],
  );
  const hash = typeof rest.url === 'string' ? PICTURE_URL.exec(rest.url)?.[1] : undefined;
  return html`<p class="what"><b>${String(type)}</b> ${words.map((word) => html`<span class="${GOOD.has(word) || BAD.has(word) ? tone(word) : ''}">${word}</span> `)}<span class="dim">${id}</span></p>
${hash === undefined ? '' : picture(hash)}
${isFilled(rest) ? data('Event', rest) : ''}`;
}

function cardStep(card: ApprovalCard, picture: PictureBook): Html {
  const where = [card.app?.displayName, card.window?.title]
    .filter((name) => name !== undefined && name !== '')
    .join(' – ');
  const hash = card.pictureUrl === null ? undefined : PICTURE_URL.exec(card.pictureUrl)?.[1];
  return html`<p class="what"><b>A person was asked</b> <span class="${tone(card.status)}">${card.status}</span>
<span class="dim">${card.decidedBy === null ? '' : `by ${card.decidedBy}`}</span></p>
<div class="card">
<p><b>${card.summary}</b></p>
<p>${where} ${card.element === null ? '' : `– ${card.element.role} ${quoted(card.element.name, 200)}`}</p>
<p>${tag(`risk ${card.riskLevel}`)}${card.riskTags.map((name) => tag(name))}${card.flags.map((name) => tag(name))}</p>
<ul>${card.why.map(({ kind, text }) => html`<li>${kind}: ${text}</li>`)}</ul>
${card.proposerReason === null ? '' : html`<p class="dim">${`The proposer’s words: ${quoted(card.proposerReason, 2000)}`}</p>`}
${hash === undefined ? '' : picture(hash)}
${data('Arguments', card.arguments)}
<p class="dim">Digest <code>${card.digest}</code></p>
</div>`;
}

type PictureBook = (contentHash: string) => Html;

/** A picture is put into the page once; where it comes again, a link leads to it. */
function pictureBook(pictures: Replay['pictures']): PictureBook {
  const shown = new Set<string>();
  return (contentHash) => {
    const short = contentHash.slice(0, 12);
    const name = `${short}…`;
    const picture = pictures.get(contentHash);
    if (picture === undefined || !TYPES.has(picture.mimeType))
      return html`<p class="dim">Picture <code>${name}</code> is not kept any more.</p>`;
    if (shown.has(contentHash))
      return html`<p class="dim"><a href="#picture-${contentHash}">Picture ${name}</a>, shown above.</p>`;
    shown.add(contentHash);
    const source = `data:${picture.mimeType};base64,${Buffer.from(picture.bytes).toString('base64')}`;
    return html`<figure id="picture-${contentHash}"><img alt="Picture ${short}, ${picture.width} by ${picture.height} pixels" width="${picture.width}" height="${picture.height}" src="${new Html(source)}">
<figcaption>${`${picture.width} × ${picture.height}`}, SHA-256 <code>${contentHash}</code></figcaption></figure>`;
  };
}

/** Merges lists by time. The order inside each list stays, also where a clock was set back. */
function mergeByTime(lists: readonly (readonly TimedRow[])[]): TimedRow[] {
  const heads = lists.map(() => 0);
  const merged: TimedRow[] = [];
  for (;;) {
    let next = -1;
    lists.forEach((list, index) => {
      const step = list[heads[index] ?? 0];
      const best = next < 0 ? undefined : lists[next]?.[heads[next] ?? 0];
      if (step !== undefined && (best === undefined || step.time < best.time)) next = index;
    });
    const step = lists[next]?.[heads[next] ?? 0];
    if (step === undefined) return merged;
    merged.push(step);
    heads[next] = (heads[next] ?? 0) + 1;
  }
}
