/** Edits between two names: insert, delete, replace, or swap two neighbours. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * The names a caller may have meant, best first. Case and separators do not count. @param limit maximum number of
 * names
 */
export function nearest(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = plain(name.slice(0, 100));
  if (wanted === '') return [];
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const found = [...new Set(candidates)]
    .map((candidate) => {
      const other = plain(candidate);
      const edits = distance(wanted, other);
      const isPart =
        wanted.length >= 3 &&
        other.length >= 3 &&
        (other.includes(wanted) || wanted.includes(other) || words.every((word) => other.includes(word)));
      return { candidate, edits: isPart ? Math.min(edits, allowed) : edits };
    })
    .filter(({ edits }) => edits <= allowed)
    .sort((a, b) => a.edits - b.edits || a.candidate.length - b.candidate.length);
  const best = found[0]?.edits ?? 0;
  // Next to a name that is almost right, distant ones only distract.
  return found
    .filter(({ edits }) => edits <= best + 1)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** The question that ends an error if there are similar names; else empty. */
export const didYouMean = (names: readonly string[]): string =>
  names.length === 0 ? '' : `did you mean ${[...new Set(names)].join(' or ')}?`;
