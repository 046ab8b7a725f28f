/** What a card says in lines of its own, for every face that shows it. Without zod: the overlay uses it. */
import type { ApprovalCard, CardPage } from './approval.ts';
import { quoted, visible } from './quoted.ts';

/** The page of a browser: its origin first, whatever else follows. */
export function pageLines({ origin, unicodeHost, address, frame }: CardPage): string[] {
  const page = origin ?? address;
  return [
    page === null ? 'Page unknown: what the browser shows cannot be told for certain' : `Page ${page}`,
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

/** A program by where it is, then by the name that its own file gives it. */
export const programWords = (path: string, displayName: string): string =>
  `${visible(path).slice(0, LONGEST_PATH)}, which calls itself ${quoted(displayName, LONGEST_NAME)}`;

/** The host’s own reasons, and what is the agent’s word. */
export function reasonsOfHost({ why }: Pick<ApprovalCard, 'why'>): string[] {
  return why.filter(({ kind }) => kind !== 'proposer').map(({ text }) => text);
}
