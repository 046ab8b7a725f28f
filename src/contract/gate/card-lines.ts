/** The lines of a card, for every interface that shows it. Without zod, because the overlay uses it. */
import type { ApprovalCard, CardCells, CardPage } from './approval.ts';
import { quoted, visible } from '../json/quoted.ts';

export const DEFAULT_WINDOW_MINUTES = 10;

/** The page of a browser, its origin first. */
export function pageLines({ origin, unicodeHost, address, frame }: CardPage): string[] {
  const page = origin ?? address;
  return [
    page === null ? 'Page unknown: it cannot be determined reliably' : `Page ${page}`,
    ...(unicodeHost === null
      ? []
      : [`Its name in other letters: ${quoted(unicodeHost)}; letters of other scripts can look like Latin ones`]),
    ...(frame === null
      ? []
      : [
          frame.origin === null
            ? 'The element is in a frame of unknown origin'
            : `The element is in a frame of ${frame.origin}`,
        ]),
    ...(origin === null || address === null || address === `${origin}/` ? [] : [`Address ${address}`]),
  ];
}

const LONGEST_PATH = 300;
const LONGEST_NAME = 80;

/** A program by its path, then by the name that its file claims. */
export const programWords = (path: string, displayName: string): string =>
  `${visible(path).slice(0, LONGEST_PATH)}, which calls itself ${quoted(displayName, LONGEST_NAME)}`;

/** The host’s own reasons, and the agent’s words. */
export function reasonsOfHost({ why }: Pick<ApprovalCard, 'why'>): string[] {
  return why.filter(({ kind }) => kind !== 'proposer').map(({ text }) => text);
}

/** `decidedBy` of a card that the overlay answered, or that ended without an answer. */
export const DECIDED_BY = {
  /** A device, on the card. */
  person: 'overlay',
  /** Input on the card that a program may have made: a no counts nevertheless. */
  unsure: 'overlay, touch or injected input',
  lost: 'overlay lost',
  noSurface: 'no surface',
  restart: 'host restart',
  deadline: 'deadline',
} as const;

/** `decidedBy` of an answer that an approver elsewhere signed begins with it; the name follows. */
export const BY_APPROVER = 'approver:';

const DENIALS: Readonly<Record<string, string>> = {
  [DECIDED_BY.person]: 'A person said no on the card',
  [DECIDED_BY.unsure]: 'The card got a no from touch or injected input, which a person or a program can make',
  [DECIDED_BY.lost]:
    'The card was lost before anyone decided, because its window or the overlay ended; that counts as no',
  [DECIDED_BY.noSurface]: 'No surface was available to ask a person on; that counts as no',
  [DECIDED_BY.restart]: 'The host ended before anyone decided; that counts as no',
  [DECIDED_BY.deadline]: 'No answer came in time; that counts as no',
};

/** Who said no to a card, or why no answer came, truthfully. */
export function denialWords(decidedBy: string | null): string {
  const by = decidedBy ?? 'an unknown surface';
  if (by.startsWith('api:')) return `An operator’s token said no through the API (${by.slice('api:'.length)})`;
  if (by.startsWith(BY_APPROVER)) return `The approver said no from another device (${by.slice(BY_APPROVER.length)})`;
  return DENIALS[by] ?? `The card was denied (by ${by})`;
}

/** The sheet and range of a table of changes. */
export const cellsPlace = ({ sheet, range, hidden }: CardCells): string =>
  `${quoted(sheet)} ${visible(range)}${hidden === true ? ', on a hidden sheet' : ''}`;

/** A table of changes, a line for each cell, and how many it does not show. */
export const cellLines = ({ changes, more }: CardCells): string[] => [
  ...changes.map(({ cell, before, after }) => `${cell}: ${before} → ${after}`),
  ...(more === 0 ? [] : [`and ${more} more ${more === 1 ? 'cell' : 'cells'}, as in the arguments`]),
];
