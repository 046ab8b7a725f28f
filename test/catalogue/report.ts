/** The delivery matrix as Markdown, from the results of a run; and its rows read back, to compare them with the catalogue. */
import { addressingOf, deliveryAsked, TARGETS, type Row, type TargetName } from './row.ts';
import type { RandomFigures } from './random.ts';
import { ACTIVATING } from './activating.ts';

/** The result of one row, as plain data. */
export interface RowReport {
  readonly target: TargetName;
  readonly what: string;
  readonly action: string;
  readonly addressing: string;
  readonly delivery: string;
  readonly expected: string;
  readonly came: string;
  readonly effect: string | null;
  readonly way: string | null;
  readonly code: string | null;
  readonly focusChanged: boolean;
  readonly isDenied: boolean;
  readonly asExpected: boolean;
  /** Why the host cannot see the effect, where the row expects that it does not. */
  readonly because?: string;
}

export interface Goals {
  readonly rows: number;
  /** Rows that expect delivery in the background. */
  readonly background: number;
  readonly delivered: number;
  readonly confirmed: number;
  /** Reported as a fact (`confirmed`, not delivered, no disturbance), but contradicted by a second witness. */
  readonly denied: number;
  readonly refused: number;
  readonly looks: number;
}

export function goalsOf(rows: readonly RowReport[]): Goals {
  const background = rows.filter(({ delivery, expected }) => delivery === 'background' && expected === 'delivered');
  const delivered = background.filter(({ came }) => came === 'delivered');
  const confirmed = delivered.filter(({ effect }) => effect === 'confirmed' || effect === 'pending_modal');
  return {
    rows: rows.length,
    background: background.length,
    delivered: delivered.length,
    confirmed: confirmed.length,
    denied: rows.filter(({ isDenied }) => isDenied).length,
    refused: rows.filter(({ came }) => came === 'refused').length,
    looks: rows.filter(({ expected }) => expected === 'looks').length,
  };
}

const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10} %`;
const line = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const cell = (text: string): string => text.replaceAll('|', '\\|');

function wayTable(rows: readonly RowReport[]): string[] {
  const ways = [...new Set(rows.flatMap(({ way }) => (way === null || way === 'none' ? [] : [way])))].sort();
  return [
    line('way', 'delivered', 'confirmed', 'a modal window opened', 'unverified', 'foreground changed'),
    line('---', '---', '---', '---', '---', '---'),
    ...ways.map((way) => {
      const by = rows.filter((row) => row.way === way && row.came === 'delivered');
      const of = (effect: string): number => by.filter((row) => row.effect === effect).length;
      return line(
        `\`${way}\``,
        by.length,
        of('confirmed'),
        of('pending_modal'),
        of('unverified'),
        by.filter(({ focusChanged }) => focusChanged).length,
      );
    }),
  ];
}

function said(row: RowReport): string {
  if (row.came === 'refused') return `refused: \`${row.code}\``;
  if (row.came === 'answered') return 'answered';
  const effect = row.effect === 'pending_modal' ? 'a modal window opened' : (row.effect ?? '');
  return `${row.came}, ${effect}`;
}

const HEAD = line('action', 'delivery', 'what', 'result', 'way');

function targetTable(target: TargetName, is: string, rows: readonly RowReport[]): string[] {
  const { background, delivered, confirmed } = goalsOf(rows);
  return [
    '',
    `## ${target}`,
    `${is[0]!.toUpperCase()}${is.slice(1)}. ${rows.length} rows; in the background ${delivered} of ${background} delivered, ${confirmed} of them confirmed.`,
    '',
    HEAD,
    line('---', '---', '---', '---', '---'),
    ...rows.map((row) =>
      line(
        `\`${row.action}\``,
        row.delivery,
        cell(row.what),
        said(row),
        row.way === null || row.way === 'none'
          ? ''
          : `\`${row.way}\`${row.focusChanged ? ' (foreground changed)' : ''}`,
      ),
    ),
  ];
}

const RANDOM_HEAD = '## Random actions';

function randomPart(figures: RandomFigures): string[] {
  const list = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([what, times]) => `${what} ${times}`)
      .join(', ') || 'none';
  const refusals = Object.values(figures.refused).reduce((sum, times) => sum + times, 0);
  return [
    '',
    RANDOM_HEAD,
    `${figures.actions} random background actions from seed ${figures.seed}, with the sentinel in front: ${figures.delivered} delivered (${figures.confirmed} confirmed), ${refusals} refused (${list(figures.refused)}).`,
    '',
    line('', 'times'),
    line('---', '---'),
    line('focus changes, cursor moves and keys that no outcome reported', figures.unreported.length),
    ...figures.unreported.map((what) => line(cell(`unreported: ${what}`), 1)),
    ...Object.entries(figures.reported)
      .sort()
      .map(([why, times]) => line(`foreground changes that the outcome reported: ${why}`, times)),
  ];
}

/** What arrived and is not called confirmed, with the cause. */
function unseenTable(rows: readonly RowReport[]): string[] {
  const unseen = rows.filter(({ came, effect }) => came !== 'refused' && effect === 'unverified');
  return [
    '',
    '## Not confirmed, and why',
    line('target', 'action', 'delivery', 'row', 'why the host does not see it'),
    line('---', '---', '---', '---', '---'),
    ...unseen.map(({ target, action, delivery, what, because }) =>
      line(target, `\`${action}\``, delivery, cell(what), because ?? 'unknown: the row expects that it is seen'),
    ),
  ];
}

/**
 * @param random figures, or the section of an earlier report without its heading
 * @param is what each target is, in words
 */
export function markdown(
  rows: readonly RowReport[],
  random: RandomFigures | string,
  is: (target: TargetName) => string,
): string {
  const goals = goalsOf(rows);
  const foreground = rows.filter(({ delivery, expected }) => delivery === 'foreground' && expected === 'delivered');
  return `${[
    '<!-- Made by `node scripts/delivery-matrix.mjs` from a run of the catalogue (test/catalogue). Do not edit. -->',
    '# Delivery matrix',
    'What each action does to each program, by elements, by coordinates and by keys, measured under Wine against the running host over HTTP. A second witness saw each row: the program’s own journal, its text and state read by another process, the screen. For background rows a window in front, the sentinel, counted lost focus, cursor moves and stray keys. What Wine cannot show is in [windows-truth.md](windows-truth.md).',
    '',
    line('', 'rows', ''),
    line('---', '---', '---'),
    line('all', goals.rows, ''),
    line('expect delivery in the background', goals.background, ''),
    line('of these, delivered', goals.delivered, percent(goals.delivered, goals.background)),
    line('of the delivered, confirmed', goals.confirmed, percent(goals.confirmed, goals.delivered)),
    line('`confirmed` or not delivered, but contradicted by a witness', goals.denied, ''),
    line('refused as required, and nothing reached the program', goals.refused, ''),
    line('only read', goals.looks, ''),
    line(
      'real input in the foreground, delivered',
      foreground.filter(({ came }) => came === 'delivered').length,
      `of ${foreground.length}`,
    ),
    '',
    '“Confirmed” counts what the host saw happen, a modal window that opened included; “unverified” was delivered, and the witness saw its effect, but the host had no way to see it.',
    '',
    '## By which way',
    ...wayTable(rows),
    '',
    'These ways may bring their target to the front; the outcome reports it when it happens:',
    '',
    ...ACTIVATING.map(({ way, by, because }) => `- \`${way}\`${by === undefined ? '' : ` (${by})`}: ${because}.`),
    ...unseenTable(rows),
    ...(typeof random === 'string' ? ['', RANDOM_HEAD, random] : randomPart(random)),
    ...TARGETS.flatMap((target) =>
      targetTable(
        target,
        is(target),
        rows.filter((row) => row.target === target),
      ),
    ),
  ].join('\n')}\n`;
}

/** The rows of a committed report, one text each, in order. */
export function rowsIn(document: string): string[] {
  const rows: string[] = [];
  let target = '';
  let isTable = false;
  for (const text of document.split('\n')) {
    if (text.startsWith('## ')) target = text.slice(3);
    if (!text.startsWith('|')) isTable = false;
    else if (text === HEAD) isTable = true;
    else if (isTable && !text.startsWith('| ---')) {
      const [, action = '', delivery = '', what = ''] = text.split(/(?<!\\) ?\| ?/);
      rows.push(`${target}: ${action.replaceAll('`', '')}, ${delivery}: ${what.replaceAll('\\|', '|')}`);
    }
  }
  return rows;
}

/** The expectations of a row, without what only the run needs. */
export const expectedOf = (
  row: Row,
): Pick<RowReport, 'what' | 'action' | 'addressing' | 'delivery' | 'expected' | 'because'> => ({
  what: row.what,
  action: row.action,
  addressing: addressingOf(row),
  delivery: deliveryAsked(row),
  expected: row.expect.is,
  ...('because' in row.expect ? { because: row.expect.because } : {}),
});
