/** Proposes another query where that of a step finds nothing, or two. A proposal only: never another deed. */
import { visit } from 'yaml';
import type { Ran } from './run.ts';
import type { Query, RoutineFile } from './file.ts';

type Lost = NonNullable<Ran['lost']>;

interface Proposal {
  readonly now: Query;
  /** What changed: its label, its place among others, or a second one like it. */
  readonly why: string;
}

/** Labels of these may grow or shrink; on a button another word is another deed. */
const FIELDS: ReadonlySet<string> = new Set([
  'Edit',
  'ComboBox',
  'CheckBox',
  'List',
  'Table',
  'DataGrid',
  'Tree',
  'Spinner',
  'Slider',
]);
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
const words = (name: string): string[] => plain(name).split(' ');

/** Null where nothing fits, or more than one: then a person must say what is meant. */
export function propose({ step, path, query, candidates, elements }: Lost, { document }: RoutineFile): Proposal | null {
  // An element that an input names is a record: another one is not a new name for it.
  if (Object.keys(query).some((key) => String(document.getIn([...path, key])).includes('${'))) return null;
  const { was } = step;
  const role = query.role ?? was?.role;
  if (candidates.length > 1) {
    const same = candidates.filter(
      (each) =>
        (role === undefined || each['role'] === role) &&
        (was === undefined || was.id === '' || each['automationId'] === was.id),
    );
    const [only] = same;
    if (same.length !== 1 || only?.['role'] === undefined) return null;
    const isByRole = candidates.filter((each) => each['role'] === only['role']).length === 1;
    if (!isByRole && !only['automationId']) return null;
    return {
      now: { ...query, role: only['role'], ...(isByRole ? {} : { automationId: only['automationId']! }) },
      why: 'There is a second element with this name.',
    };
  }
  if (role === undefined) return null;
  const alike = elements.filter((each) => each.role === role && each.name !== '');
  const byId = was === undefined || was.id === '' ? [] : alike.filter(({ id }) => id === was.id);
  const name = query.name ?? was?.name ?? '';
  const byName = alike.filter((each) => isSameLabel(name, each.name, role));
  const [found] = byId.length > 0 ? byId : byName;
  if (found === undefined || (byId.length || byName.length) !== 1 || found.name === query.name) return null;
  const { automationId: _, path: _path, ...rest } = query;
  return {
    now: { ...rest, role, name: found.name },
    why: `Its label is ${JSON.stringify(found.name)} now, it was ${JSON.stringify(name)}${byId.length > 0 ? '; its id is the same' : ''}.`,
  };
}

/** A label that says the same: other marks or word order, one letter in a long word; for a field also a word more or less. */
function isSameLabel(was: string, now: string, role: string): boolean {
  const [before, after] = [words(was), words(now)];
  const isMore = (few: readonly string[], many: readonly string[]): boolean =>
    few.every((word) => many.some((other) => isSameWord(word, other)));
  const isSame = before.length === after.length && isMore(before, after);
  return isSame || (FIELDS.has(role) && was !== '' && (isMore(before, after) || isMore(after, before)));
}

/** One letter more, less or other, in words of at least five. */
function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.min(a.length, b.length) < 5 || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  return shorter.slice(start + Number(a.length === b.length)) === longer.slice(start + 1);
}

/** The text of the routine with the proposal in it, wherever it has that query, and what it heals. */
export function healed({ document, hash }: RoutineFile, { step, query }: Lost, { now, why }: Proposal): string {
  const copy = document.clone();
  visit(copy, {
    Map(_, node) {
      const isQuery = Object.entries(query).every(([key, value]) => node.get(key) === value) && !node.has('id');
      if (!isQuery) return;
      for (const key of Object.keys(query)) node.delete(key);
      for (const [key, value] of Object.entries(now)) node.set(key, value);
    },
  });
  copy.set('heals', { of: hash, step: step.at, was: query, now, why });
  return copy.toString({ lineWidth: 0 });
}
