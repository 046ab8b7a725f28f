/** What a card says in lines of its own, for every face that shows it. Without zod: the overlay uses it. */
import type { CardPage } from './approval.ts';
import { quoted } from './quoted.ts';

/** The page of a browser: its origin first, whatever else follows. */
export function pageLines({ origin, unicodeHost, address, frame }: CardPage): string[] {
  const page = origin ?? address;
  return [
    page === null ? 'Page unknown: what the browser shows cannot be told for certain' : `Page ${page}`,
    ...(unicodeHost === null ? [] : [`Its name in other letters: ${quoted(unicodeHost)}; letters of other scripts can look like Latin ones`]),
    ...(frame === null ? [] : [frame.origin === null ? 'The element is in a frame of unknown origin' : `The element is in a frame of ${frame.origin}`]),
    ...(origin === null || address === null || address === `${origin}/` ? [] : [`Address ${address}`]),
  ];
}
