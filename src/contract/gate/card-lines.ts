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

/** The sheet and range of a table of changes. */
export const cellsPlace = ({ sheet, range, hidden }: CardCells): string =>
  `${quoted(sheet)} ${visible(range)}${hidden === true ? ', on a hidden sheet' : ''}`;

/** The cells that a table of changes does not show. */
export const moreCells = ({ more }: CardCells): string[] =>
  more === 0 ? [] : [`and ${more} more ${more === 1 ? 'cell' : 'cells'}, as in the arguments`];

/** A table of changes, a line for each cell. */
export const cellLines = (cells: CardCells): string[] => [
  ...cells.changes.map(({ cell, before, after }) => `${cell}: ${before} → ${after}`),
  ...moreCells(cells),
];
