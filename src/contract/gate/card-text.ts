/** The words of a card, for every surface, in the person's language: one sentence, one reason, what exactly is typed or started, and what folds out. */
import type { ApprovalCard, ApprovalScope } from './approval.ts';
import { cellLines, cellsPlace, programWords, reasonsOfHost } from './card-lines.ts';
import { ENGLISH, fill, sayWhat, sayWhoAndWhat, type CardWords } from './card-words.ts';
import { quoted } from '../json/quoted.ts';

/** The overlay's hotkeys, as shown to a person. */
export const FOCUS_KEYS = 'Ctrl+Alt+Shift+Space';
export const STOP_KEYS = 'Ctrl+Alt+Shift+Esc';

export interface CardSection {
  readonly label: string;
  /** How it is drawn: a list, a quotation with a bar at its side, code, tags, or a table. */
  readonly form: 'list' | 'quote' | 'code' | 'tags' | 'table';
  readonly lines: readonly string[];
  /** For screen readers, where that differs: one line for each value, which none can leave. */
  readonly spoken?: readonly string[];
  /** Rows of a table, and the lines below them; `lines` has the same as text. */
  readonly table?: { readonly rows: ReadonlyArray<readonly string[]>; readonly below: readonly string[] };
}

/** A card as text, before it is measured and drawn. */
export interface CardText {
  /** Who wants to do what, and where. */
  readonly sentence: string;
  /** What the sentence leaves open: an unusual program's file, a page's name in other letters. */
  readonly notes: readonly string[];
  /** The worst reason, and how many more there are. */
  readonly why: string;
  /** What exactly is typed, pressed, written or started. */
  readonly exact: readonly CardSection[];
  /** Folds out: nothing here decides alone. */
  readonly details: readonly CardSection[];
  readonly risk: string;
}

/** Line break, and the two joiners that scripts and emoji are written with. */
const KEPT_MARKS = new Set(['\n', '\u200c', '\u200d']);

/**
 * Text of other programs and of agents, safe to draw: without control characters and marks that change the direction of
 * writing, which could make a card read differently. Line breaks stay.
 */
export function drawable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '    ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (mark) => (KEPT_MARKS.has(mark) ? mark : '\ufffd'));
}

const oneLine = (text: string): string => drawable(text).replace(/\s*\n\s*/g, ' ');

/** Text that is typed: line breaks and tabs press keys, so they are shown as such. */
const exactText = (text: string): string => drawable(text.replace(/\t/g, '\u21e5').replace(/\r\n?|\n/g, '\u21b5\n'));

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** The complete arguments as JSON, in which no string can look like a part of the card. */
const jsonLines = (value: unknown): string[] =>
  isEmpty(value) ? [] : drawable(JSON.stringify(value, null, 2)).split('\n');

/** Fields that the sentence and the picture say, or that only say how: they fold in. Everything else is shown at once. */
const SAID: ReadonlySet<string> = new Set(
  [
    'name role automationId ref toName toRole toAutomationId toRef item index bundleId',
    'x y space observationId from to startX startY clickX clickY width height',
    'action button count mode dx dy delta horizontal scroll sheet range overwrite',
    'row column secretRef viaClipboard deadlineMs window approveAsPlan accessibility',
  ].flatMap((names) => names.split(' ')),
);
/** A longer value is cut in the sentence. */
const LONGEST_SAID = 80;

/** Fields with a label of their own. */
const LABELLED = {
  text: 'text',
  keySequence: 'keys',
  keyNames: 'keys',
  command: 'command',
} as const satisfies Readonly<Record<string, keyof CardWords['ui']>>;

const isLabelled = (key: string): key is keyof typeof LABELLED => Object.hasOwn(LABELLED, key);

/** What exactly one call types, presses or starts. `hasTable`: its cells are in a table already. */
function exactSections(args: unknown, words: CardWords, hasTable: boolean): CardSection[] {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return [];
  const sections: CardSection[] = [];
  const also: string[] = [];
  for (const [key, value] of Object.entries(args)) {
    const json = JSON.stringify(value) ?? '';
    if (isEmpty(value) || value === '' || (hasTable && key === 'values')) continue;
    if (SAID.has(key) && json.length <= LONGEST_SAID) continue;
    if (isLabelled(key)) {
      const text = Array.isArray(value) ? value.map(String).join(' ') : typeof value === 'string' ? value : json;
      sections.push({
        label: words.ui[LABELLED[key]],
        form: 'code',
        lines: exactText(text).split('\n'),
        spoken: [json],
      });
    } else {
      also.push(drawable(`${key}: ${json}`));
    }
  }
  return also.length === 0 ? sections : [...sections, { label: words.ui.also, form: 'code', lines: also }];
}

/** The steps of a plan, each with what exactly it does. */
function stepSections({ steps, arguments: args }: ApprovalCard, words: CardWords): CardSection[] {
  const inputs = ((args as { steps?: ReadonlyArray<{ input?: unknown }> } | null)?.steps ?? []).map(
    ({ input }) => input,
  );
  return (steps ?? []).map((step, index) => {
    const exact = exactSections(inputs[index], words, false);
    return {
      label: oneLine(`${index + 1}. ${sayWhat(words, step)}`),
      form: 'code',
      lines: exact.flatMap(({ lines }) => lines),
      spoken: exact.flatMap(({ lines, spoken }) => spoken ?? lines),
    };
  });
}

/** The changes of one range. */
const cellSections = ({ cells = [] }: ApprovalCard, words: CardWords): CardSection[] =>
  cells.map((range) => ({
    label: fill(words, words.ui.cells, { place: oneLine(cellsPlace(range)) }),
    form: 'table',
    lines: cellLines(range).map(oneLine),
    table: {
      rows: [
        [words.ui.cell, words.ui.before, words.ui.after],
        ...range.changes.map(({ cell, before, after }) => [cell, before, after].map(oneLine)),
      ],
      below: range.more === 0 ? [] : [fill(words, words.ui.moreCells, { count: String(range.more) })],
    },
  }));

/** What weighs most comes first: tags of `alwaysAsk`, then kinds of reasons. */
const WORST: ReadonlyArray<keyof CardWords['why']> = [
  ...(['prompts', 'customCommand', 'password', 'financial', 'destructive'] as const),
  ...(['external_submit', 'pii_export', 'authenticated', 'terms_or_cookies'] as const),
  ...(['host', 'access', 'path', 'unknown', 'tier', 'display', 'flag', 'plan', 'level', 'proposer', 'tag'] as const),
];
/** Kinds whose own text says more than ours, in English. */
const TELLING: ReadonlySet<string> = new Set(['host', 'path', 'tier', 'flag', 'tag']);
const ALWAYS = 'approval_required:';

/** One line: the worst reason, and how many more there are. */
function whyLine(card: ApprovalCard, words: CardWords): string {
  const tags = card.flags.filter((flag) => flag.startsWith(ALWAYS)).map((flag) => flag.slice(ALWAYS.length));
  const kinds = new Set<string>([...tags, ...card.why.map(({ kind }) => kind)]);
  const worst = WORST.find((each) => kinds.has(each)) ?? 'level';
  const own = card.why.find(({ kind, text }) =>
    tags.includes(worst) ? kind === 'alwaysAsk' && text.includes(` ${worst}:`) : kind === worst,
  )?.text;
  const evidence = own?.split(`${worst}: `)[1]?.replace(/\.$/, '');
  const reason =
    words !== ENGLISH || own === undefined
      ? words.why[worst]
      : TELLING.has(worst)
        ? own
        : tags.includes(worst) && evidence !== undefined
          ? `${words.why[worst].replace(/\.$/, '')}: ${evidence}.`
          : words.why[worst];
  const count = reasonsOfHost(card).length - 1;
  return oneLine(count < 1 ? reason : fill(words, words.ui.andMore, { reason, count: String(count) }));
}

/** Folders that only administrators write to: a program there may be named by the name that it gives itself. */
const INSTALLED = /^[a-z]:\\(?:windows|program files(?: \(x86\))?)\\/i;

function notesOf({ app, page }: ApprovalCard, words: CardWords): string[] {
  const isUnusual = app !== null && /[\\/]/.test(app.bundleId) && !INSTALLED.test(app.bundleId);
  return [
    ...(page?.unicodeHost === null || page === null
      ? []
      : [fill(words, words.ui.otherLetters, { host: quoted(page.unicodeHost) })]),
    ...(isUnusual ? [fill(words, words.ui.program, { path: quoted(app.bundleId, 300).slice(1, -1) })] : []),
  ].map(oneLine);
}

/** Everything else: all reasons, where, arguments, tags, who asked, and the agent's own words last. */
function detailsOf(card: ApprovalCard, words: CardWords): CardSection[] {
  const { ui } = words;
  const sections: CardSection[] = [];
  const add = (label: string, form: CardSection['form'], lines: readonly string[]): void => {
    if (lines.length > 0) sections.push({ label, form, lines });
  };
  add(ui.reasons, 'list', reasonsOfHost(card).map(oneLine));
  const { app, window, page, owner } = card;
  add(ui.request, 'list', [
    ...(app === null ? [] : [fill(words, ui.program, { path: programWords(app.bundleId, app.displayName) })]),
    ...(window === null ? [] : [fill(words, ui.window, { title: quoted(window.title, 200) })]),
    ...(page?.address === undefined || page.address === null
      ? []
      : [oneLine(fill(words, ui.address, { address: page.address }))]),
    oneLine(fill(words, ui.action, { action: card.action, session: card.sessionId })),
    ...(owner === null
      ? [ui.askedByHost]
      : [
          oneLine(fill(words, ui.askedBy, { owner })),
          oneLine(fill(words, ui.denyAllNote, { denyAll: ui.denyAll, owner })),
        ]),
    fill(words, ui.hint, { focus: FOCUS_KEYS, stop: STOP_KEYS }),
  ]);
  add(ui.arguments, 'code', jsonLines(card.arguments));
  add(ui.tags, 'tags', [...card.riskTags, ...card.flags].map(oneLine));
  add(ui.agentWords, 'quote', [
    ...(card.proposerReason === null ? [] : drawable(card.proposerReason).split('\n')),
    ...card.why.filter(({ kind }) => kind === 'proposer').map(({ text }) => oneLine(text)),
  ]);
  return sections;
}

export function cardText(card: ApprovalCard, words: CardWords): CardText {
  const { agent = null, sentence, owner } = card;
  const name = agent?.name ?? owner?.split('/', 1)[0] ?? '';
  const client = agent === null || agent.callsItself === null ? null : quoted(agent.callsItself, 60);
  const tables = cellSections(card, words);
  const isWhole = tables.length > 0 && (card.cells ?? []).every(({ more }) => more === 0);
  return {
    sentence:
      sentence === undefined
        ? oneLine(card.summary)
        : oneLine(sayWhoAndWhat(words, sentence, owner === null ? null : { name: quoted(name, 60), client })),
    notes: notesOf(card, words),
    why: whyLine(card, words),
    exact: [
      ...tables,
      ...(card.steps === undefined ? exactSections(card.arguments, words, isWhole) : stepSections(card, words)),
    ],
    details: detailsOf(card, words),
    risk: words.ui[card.riskLevel],
  };
}

/**
 * The whole question in one text, in English: a device elsewhere shows it, and what is signed there has its hash. So an answer
 * counts for this text alone, whatever was delivered.
 */
export function questionText(
  card: ApprovalCard,
  { name, user }: { readonly name: string; readonly user: string },
): string {
  const { sentence, notes, why, exact, details, risk } = cardText(card, ENGLISH);
  const sections = [...exact, ...details].map(({ label, lines }) =>
    [label, ...lines.map((line) => `  ${line}`)].join('\n'),
  );
  return [oneLine(`${name} · ${user}`), sentence, ...notes, risk, why, ...sections].join('\n');
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** For drawing: a quotation in a script from right to left does not pull the words around it along. */
export const anchored = (line: string): string =>
  RIGHT_TO_LEFT.test(line)
    ? `\u200e${line.replace(/\u201c[^\u201d]*\u201d/g, (words) => `\u200e${words}\u200e`)}`
    : line;

/** Greatest length of the window's text: some screen readers copy into small buffers. */
const ACCESSIBLE_LENGTH = 8000;
/** Greatest length of a section: an agent's long arguments must not cut off the host's words. */
const SECTION_LENGTH = 2500;

const shortened = (text: string): string =>
  text.length <= SECTION_LENGTH ? text : `${text.slice(0, SECTION_LENGTH - 2)} …`;

function spokenSection({ label, form, lines, spoken = lines }: CardSection): string {
  const said = form === 'quote' ? spoken.map((line) => quoted(line, SECTION_LENGTH)) : spoken;
  return said.length === 0 ? label : `${label}: ${shortened(said.join('\n'))}`;
}

/** The whole card as the window's text, for screen readers: readable, and nothing in it can be pressed. */
export function accessibleText(
  text: CardText,
  words: CardWords,
  now: {
    readonly position: string;
    readonly secondsLeft: number;
    readonly focus: string | null;
    readonly covers: string;
  },
): string {
  const { ui } = words;
  const parts = [
    `${ui.header}${now.position === '' ? '' : ` (${now.position})`}: ${text.sentence}`,
    ...text.notes,
    fill(words, ui.spokenRisk, { risk: text.risk }),
    fill(words, ui.spokenWhy, { why: text.why }),
    ...text.exact.map(spokenSection),
    ...(now.covers === '' ? [] : [fill(words, ui.covers, { what: now.covers })]),
    fill(words, ui.spokenEnd, { count: String(now.secondsLeft) }),
    now.focus === null
      ? fill(words, ui.spokenKeys, { focus: FOCUS_KEYS, stop: STOP_KEYS })
      : fill(words, ui.spokenFocus, { control: now.focus }),
    ...text.details.map(spokenSection),
  ];
  const whole = parts.join('\n');
  return whole.length <= ACCESSIBLE_LENGTH ? whole : `${whole.slice(0, ACCESSIBLE_LENGTH - 2)} …`;
}

export const MINUTES = [5, 10, 30, 60] as const;

/** Label of a scope's button. */
export function scopeLabel(scope: ApprovalScope, { ui }: CardWords): string {
  return { once: ui.once, window: ui.scopeWindow, plan: ui.plan, session: ui.session }[scope];
}

/** What an approval of this scope covers, as the card says it: `Scroll in this window, 60 min`. */
export function coverText(card: ApprovalCard, words: CardWords, scope: ApprovalScope, minutes: number): string {
  const { ui } = words;
  const what = card.covers?.find((one) => one.scope === scope)?.text ?? scopeLabel(scope, words);
  const text = { once: ui.coverOnce, window: ui.coverWindow, plan: ui.coverPlan, session: ui.coverSession }[scope];
  return oneLine(fill(words, text, { what, count: String(minutes) }));
}

/** Why this card can only be denied; null if a person's approval can be distinguished from a program's input. */
export function denyOnlyText(
  { canApprove, hindrances }: { readonly canApprove: boolean; readonly hindrances: readonly string[] },
  isWatching: boolean,
  { ui }: CardWords,
): string | null {
  if (canApprove && isWatching) return null;
  return hindrances.includes('server_edition') ? ui.onlyDenyServer : ui.onlyDeny;
}

/** `1:58` for a countdown; whole seconds, rounded up, never below zero. */
export function clockText(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
