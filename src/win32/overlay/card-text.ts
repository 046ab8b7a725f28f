/** The fixed words of a card, and those made from what it asks. */
import type { ApprovalCard, ApprovalScope } from '../../contract/gate/approval.ts';
import {
  cellLines,
  cellsPlace,
  moreCells,
  pageLines,
  programWords,
  reasonsOfHost,
} from '../../contract/gate/card-lines.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { Vouching } from './protocol.ts';

/** The overlay's hotkeys, as shown to a person. */
export const FOCUS_KEYS = 'Ctrl+Alt+Shift+Space';
export const STOP_KEYS = 'Ctrl+Alt+Shift+Esc';

/** Denies all cards of this card's agent. */
export const DENY_ALL = 'Deny all from this agent';

export interface CardSection {
  readonly label: string;
  /** How it is drawn: a list, a quotation with a bar at its side, code, tags, or a table. */
  readonly form: 'list' | 'quote' | 'code' | 'tags' | 'table';
  readonly lines: readonly string[];
  /** Rows of a table, and the lines below them; `lines` has the same as text. */
  readonly table?: { readonly rows: ReadonlyArray<readonly string[]>; readonly below: readonly string[] };
}

/** A card as text, before it is measured and drawn. */
export interface CardText {
  readonly summary: string;
  /** The page of a browser, its origin first; empty for other programs. */
  readonly page: readonly string[];
  /** Application, window and control, one line each. */
  readonly where: readonly string[];
  readonly risk: string;
  readonly sections: readonly CardSection[];
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

/** The complete arguments as JSON, in which no string can look like a part of the card. */
function argumentLines(value: unknown): string[] {
  if (value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0))
    return [];
  return drawable(JSON.stringify(value, null, 2)).split('\n');
}

export function cardText(card: ApprovalCard): CardText {
  const sections: CardSection[] = [];
  const add = (label: string, form: CardSection['form'], lines: readonly string[]): void => {
    if (lines.length > 0) sections.push({ label, form, lines });
  };
  add('Why approval is needed', 'list', reasonsOfHost(card).map(oneLine));
  for (const cells of card.cells ?? [])
    sections.push({
      label: `Cells ${oneLine(cellsPlace(cells))}`,
      form: 'table',
      lines: cellLines(cells).map(oneLine),
      table: {
        rows: [
          ['Cell', 'Before', 'After'],
          ...cells.changes.map(({ cell, before, after }) => [cell, before, after].map(oneLine)),
        ],
        below: moreCells(cells),
      },
    });
  add('Arguments', 'code', argumentLines(card.arguments));
  add('Tags', 'tags', [...card.riskTags, ...card.flags].map(oneLine));
  add('Request', 'list', [
    `Action ${oneLine(card.action)}, session ${oneLine(card.sessionId)}`,
    ...(card.owner === null
      ? ['Asked by the host itself']
      : [
          `Asked by ${oneLine(card.owner)} (token and session)`,
          `${quoted(DENY_ALL)} denies all its open cards and its later requests, until you run: uiahost approvals lift ${oneLine(card.owner)}`,
        ]),
  ]);
  // Last, so that it cannot push the host's own words out of view.
  add('In the agent’s words', 'quote', [
    ...(card.proposerReason === null ? [] : drawable(card.proposerReason).split('\n')),
    ...card.why.filter(({ kind }) => kind === 'proposer').map(({ text }) => oneLine(text)),
  ]);
  return {
    summary: oneLine(card.summary),
    page: card.page === null ? [] : pageLines(card.page).map(oneLine),
    where: [
      ...(card.app === null ? [] : [`Program ${programWords(card.app.bundleId, card.app.displayName)}`]),
      ...(card.window === null ? [] : [`Window ${quoted(card.window.title, 200)}`]),
      ...(card.element === null ? [] : [`${oneLine(card.element.role)} ${quoted(card.element.name, 200)}`]),
    ],
    risk: `${card.riskLevel} risk`,
    sections,
  };
}

/** Greatest length of the window's text: some screen readers copy into small buffers. */
const ACCESSIBLE_LENGTH = 8000;
/** Greatest length of a section: an agent's long arguments must not cut off the host's words. */
const SECTION_LENGTH = 2500;

const shortened = (text: string): string =>
  text.length <= SECTION_LENGTH ? text : `${text.slice(0, SECTION_LENGTH - 2)} …`;

/** The whole card as the window's text, for screen readers: readable, and nothing in it can be pressed. */
export function accessibleText(
  text: CardText,
  position: string,
  secondsLeft: number,
  focus: string | null,
  covers = '',
): string {
  const parts = [
    `uiahost asks for approval${position === '' ? '' : ` (${position})`}: ${text.summary}`,
    ...text.page,
    ...text.where,
    `Risk: ${text.risk}`,
    ...text.sections.map(
      ({ label, form, lines }) =>
        `${label}: ${shortened((form === 'quote' ? lines.map((line) => quoted(line, SECTION_LENGTH)) : lines).join('\n'))}`,
    ),
    ...(covers === '' ? [] : [`An approval covers: ${covers}.`]),
    `No answer means deny. ${secondsLeft} seconds were left when this text was made.`,
    focus === null
      ? `${FOCUS_KEYS} moves the keyboard here; ${STOP_KEYS} stops everything.`
      : `The keyboard is here, on ${focus}. Tab moves, Space presses, Enter never approves.`,
  ];
  const whole = parts.join('\n');
  return whole.length <= ACCESSIBLE_LENGTH ? whole : `${whole.slice(0, ACCESSIBLE_LENGTH - 2)} …`;
}

export const MINUTES = [5, 10, 30, 60] as const;

/** Label of a scope's button. */
export function scopeLabel(scope: ApprovalScope): string {
  switch (scope) {
    case 'once':
      return 'Once';
    case 'window':
      return 'This window';
    case 'plan':
      return 'Whole plan';
    case 'session':
      return 'This session';
  }
}

/** What an approval of this scope covers, as the card says it: `Scroll in this window, 60 min`. */
export function coverText(card: ApprovalCard, scope: ApprovalScope, minutes: number): string {
  const text = card.covers?.find((one) => one.scope === scope)?.text ?? scopeLabel(scope);
  return oneLine(scope === 'window' ? `${text}, ${minutes} min` : text);
}

/** Why this card can only be denied; null if a person's approval can be distinguished from a program's input. */
export function denyOnlyText({ canApprove, hindrances }: Vouching, isWatching: boolean): string | null {
  if (canApprove && isWatching) return null;
  const why = hindrances.includes('server_edition')
    ? 'a Server edition of Windows does not report reliably where input comes from'
    : 'this system cannot tell a person’s input from a program’s';
  return `You can only deny here: ${why}. An operator can approve by the API where the policy allows it.`;
}

/** `1:58` for a countdown; whole seconds, rounded up, never below zero. */
export function clockText(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
