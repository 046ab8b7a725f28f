/** What the catalogue must contain: kept apart from its rows, so that a missing row is noticed. */
import { addressingOf, ADDRESSING, deliveryAsked, TARGETS, type Row, type TargetName } from './row.ts';

type Cell =
  | 'element background'
  | 'coordinate background'
  | 'keys background'
  | 'element foreground'
  | 'coordinate foreground'
  | 'keys foreground';

/** Minimum number of rows that must work (deliver or read), and that must be refused. */
interface Wanted {
  readonly works: number;
  readonly refused: number;
}
const at = (works: number, refused: number): Wanted => ({ works, refused });

/**
 * A cell that is not listed is not required: the console by coordinates, because its window is one surface of text and clicks
 * select text for copying; the foreground elsewhere, because real input goes through one piece of code, which three programs show.
 */
const MATRIX: Readonly<Record<TargetName, Partial<Record<Cell, Wanted>>>> = {
  controls: {
    'element background': at(35, 11),
    'coordinate background': at(11, 3),
    'keys background': at(8, 2),
    'element foreground': at(2, 0),
    'coordinate foreground': at(4, 0),
    'keys foreground': at(1, 0),
  },
  accessible: { 'element background': at(6, 4), 'coordinate background': at(2, 0), 'keys background': at(1, 0) },
  provider: { 'element background': at(3, 3), 'coordinate background': at(2, 0), 'keys background': at(1, 0) },
  notepad: {
    'element background': at(5, 2),
    'coordinate background': at(6, 1),
    'keys background': at(16, 1),
    'element foreground': at(1, 0),
    'coordinate foreground': at(1, 0),
    'keys foreground': at(2, 1),
  },
  wordpad: {
    'element background': at(4, 2),
    'coordinate background': at(2, 0),
    'keys background': at(4, 1),
    'keys foreground': at(1, 0),
  },
  regedit: { 'element background': at(5, 2), 'coordinate background': at(2, 0), 'keys background': at(2, 0) },
  winecfg: { 'element background': at(7, 1), 'coordinate background': at(1, 1), 'keys background': at(1, 1) },
  taskmgr: { 'element background': at(4, 1), 'coordinate background': at(2, 1), 'keys background': at(0, 1) },
  console: { 'element background': at(0, 2), 'keys background': at(6, 1) },
};

/**
 * Which actions must be delivered in the background to at least one program. The rest exists only in the foreground.
 */
const FOREGROUND_ONLY: ReadonlySet<string> = new Set(['activate-window']);

/**
 * Actions that the catalogue does not show, and the test that shows them with a witness of its own. Editing a cell in place needs a list view
 * that allows it; in the catalogue's own program that would change what a second click on a row does.
 */
export const SHOWN_ELSEWHERE: Readonly<Record<string, { readonly test: string; readonly runs: string }>> = {
  'focus-element': { test: 'test/e2e/element-pointer.test.ts', runs: `client.act('focus-element'` },
  'hover-element': { test: 'test/e2e/element-pointer.test.ts', runs: `client.act('hover-element'` },
  'drag-element': { test: 'test/e2e/element-pointer.test.ts', runs: `client.act('drag-element'` },
  'describe-element': { test: 'test/native/win32/elements/parts.test.ts', runs: 'port.facts(' },
  'write-cell': { test: 'test/native/win32/acting/write-cell.test.ts', runs: 'port.writeCell(' },
};

/** The minimum size of the catalogue. */
const LEAST_ROWS = 140;

type Catalogue = Readonly<Record<TargetName, readonly Row[]>>;

export const rowName = (target: TargetName, row: Row): string =>
  `${target}: ${row.action}, ${deliveryAsked(row)}: ${row.what}`;

/** Duplicate names. */
export function doubled(catalogue: Catalogue): string[] {
  const seen = new Set<string>();
  return TARGETS.flatMap((target) => catalogue[target].map((row) => rowName(target, row))).filter(
    (name) => seen.size === seen.add(name).size,
  );
}

/** Cells of the matrix with too few rows, rows in cells that are not required, and actions without a row. */
export function missing(catalogue: Catalogue): string[] {
  const gaps: string[] = [];
  for (const target of TARGETS) {
    const counts = new Map<string, { works: number; refused: number }>();
    for (const row of catalogue[target]) {
      const cell = `${addressingOf(row)} ${deliveryAsked(row)}`;
      const count = counts.get(cell) ?? { works: 0, refused: 0 };
      count[row.expect.is === 'refused' ? 'refused' : 'works'] += 1;
      counts.set(cell, count);
    }
    for (const [cell, wanted] of Object.entries(MATRIX[target])) {
      const { works, refused } = counts.get(cell) ?? { works: 0, refused: 0 };
      if (works < wanted.works || refused < wanted.refused)
        gaps.push(
          `${target}, ${cell}: ${works} rows that work and ${refused} that are refused, of ${wanted.works} and ${wanted.refused}`,
        );
    }
    for (const cell of counts.keys())
      if (!(cell in MATRIX[target])) gaps.push(`${target}, ${cell}: has rows, but the matrix does not ask for any`);
  }
  const all = TARGETS.flatMap((target) => catalogue[target]);
  for (const action of ADDRESSING.keys()) {
    if (action in SHOWN_ELSEWHERE) continue;
    const works = all.some(
      (row) =>
        row.action === action &&
        row.expect.is !== 'refused' &&
        (FOREGROUND_ONLY.has(action) || deliveryAsked(row) === 'background'),
    );
    if (!works) gaps.push(`${action}: no row in which it works`);
  }
  if (all.length < LEAST_ROWS) gaps.push(`the catalogue has ${all.length} rows, fewer than ${LEAST_ROWS}`);
  return gaps;
}
