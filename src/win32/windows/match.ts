/** Which windows a binding query means. No Windows in here. */
import type { BindingQuery } from '../../desktop/binding.ts';
import type { WindowDescription } from './describe.ts';

/** What a query is compared with. */
export type Matchable = Pick<WindowDescription, 'hwnd' | 'title' | 'process'>;

/** 0 exact, 1 equal ignoring case, 2 contained ignoring case; null = no match. */
export function titleRank(title: string, wanted: string): 0 | 1 | 2 | null {
  if (title === wanted) return 0;
  const [lower, wantedLower] = [title.toLowerCase(), wanted.toLowerCase()];
  if (lower === wantedLower) return 1;
  return lower.includes(wantedLower) ? 2 : null;
}

/**
 * The windows that meet every criterion, with the best title rank among them, in the order given. `hwnd` is already a
 * number. Empty if none does.
 */
export function bestMatches<W extends Matchable>(
  windows: readonly W[],
  query: { readonly hwnd: number | null } & Pick<BindingQuery, 'title' | 'pid'>,
): W[] {
  let best: number = Number.POSITIVE_INFINITY;
  let matches: W[] = [];
  for (const window of windows) {
    if (query.hwnd !== null && window.hwnd !== query.hwnd) continue;
    if (query.pid !== undefined && window.process.pid !== query.pid) continue;
    const rank = query.title === undefined ? 0 : titleRank(window.title, query.title);
    if (rank === null || rank > best) continue;
    if (rank < best) {
      best = rank;
      matches = [];
    }
    matches.push(window);
  }
  return matches;
}
