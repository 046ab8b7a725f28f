// Answers docs/windows-truth.md by number, from what the selftest's steps did.

export type Answer = 'yes' | 'no' | 'not tried';

/** The page's beliefs are T1 to this; a test compares. */
const BELIEFS = 75;

interface Report {
  readonly uiahost: string;
  readonly system: { readonly windows: string } | null;
  readonly beliefs: Readonly<Record<string, Answer>>;
}

/** Every belief with its answer: no where a step says no; yes where every step of it says yes; else not tried. */
export function answersOf(
  results: ReadonlyArray<{ readonly beliefs: string; readonly answer: Answer }>,
): Record<string, Answer> {
  const answer = (belief: string): Answer => {
    const given = results.filter(({ beliefs }) => beliefs.split(' ').includes(belief)).map((each) => each.answer);
    if (given.includes('no')) return 'no';
    return given.length === 0 || given.includes('not tried') ? 'not tried' : 'yes';
  };
  return Object.fromEntries(Array.from({ length: BELIEFS }, (_each, at) => [`T${at + 1}`, answer(`T${at + 1}`)]));
}

/** The answers as a table to paste, one row each. */
export function answersTable({ beliefs, uiahost, system }: Report): string {
  const rows = (['yes', 'no', 'not tried'] as const).map((wanted) => {
    const numbers = Object.keys(beliefs).filter((belief) => beliefs[belief] === wanted);
    return `| ${wanted} | ${numbers.join(', ') || '–'} |`;
  });
  return [`| uiahost ${uiahost} | Windows ${system?.windows ?? '?'} |`, '|---|---|', ...rows].join('\n');
}
