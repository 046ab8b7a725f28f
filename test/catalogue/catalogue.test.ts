/** The case catalogue itself: its rows are well formed, and the delivery matrix lists them all. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { doubled, missing, rowName, SHOWN_ELSEWHERE } from './coverage.ts';
import { markdown, rowsIn, goalsOf, expectedOf, type RowReport } from './report.ts';
import { deliveryAsked, LOOKS, TARGETS, type Row } from './row.ts';
import { CATALOGUE } from './rows.ts';

const reports = TARGETS.flatMap((target) =>
  CATALOGUE[target].map((row): RowReport => ({
    target,
    ...expectedOf(row),
    came: 'delivered',
    effect: 'confirmed',
    way: 'message',
    code: null,
    focusChanged: false,
    isDenied: false,
    asExpected: true,
  })),
);

describe('the case catalogue', () => {
  it('has every row of its matrix, and nothing twice', () => {
    expect(missing(CATALOGUE)).toEqual([]);
    expect(doubled(CATALOGUE)).toEqual([]);
  });

  it('a missing, duplicate or misplaced row is noticed', () => {
    const without = { ...CATALOGUE, console: CATALOGUE.console.slice(0, 2) };
    expect(missing(without).join('\n')).toContain('console, keys background');
    expect(
      missing({ ...CATALOGUE, controls: CATALOGUE.controls.filter(({ action }) => action !== 'drag') }).join('\n') +
        missing({ ...CATALOGUE, controls: [], notepad: [] }).join('\n'),
    ).toContain('drag: no row');
    expect(doubled({ ...CATALOGUE, console: [...CATALOGUE.console, CATALOGUE.console[0]!] })).toHaveLength(1);
    const stray: Row = { what: 'a point', action: 'click', input: { x: 1, y: 1 }, expect: LOOKS, seen: [] };
    expect(missing({ ...CATALOGUE, console: [...CATALOGUE.console, stray] }).join('\n')).toContain(
      'does not ask for any',
    );
  });

  it('an action that is shown elsewhere has no row, and its test runs the action', () => {
    for (const [action, { test, runs }] of Object.entries(SHOWN_ELSEWHERE)) {
      expect(TARGETS.flatMap((target) => CATALOGUE[target]).filter((row) => row.action === action)).toEqual([]);
      expect(readFileSync(new URL(`../../${test}`, import.meta.url), 'utf8')).toContain(runs);
    }
  });

  it('every row has a witness', () => {
    expect(TARGETS.flatMap((target) => CATALOGUE[target]).filter(({ seen }) => seen.length === 0)).toEqual([]);
  });

  // The run fails where an effect is not as its row expects, so these figures are those of the product.
  it('expects delivery in the background of 140 rows, and sees the effect of all but six', () => {
    const background = TARGETS.flatMap((target) =>
      CATALOGUE[target]
        .filter((row) => deliveryAsked(row) === 'background' && row.expect.is === 'delivered')
        .map((row) => ({ name: rowName(target, row), expect: row.expect as { effect: string } })),
    );
    const unseen = background.filter(({ expect: { effect } }) => effect === 'unverified').map(({ name }) => name);
    expect(unseen).toEqual([
      'controls: click-element, background: a button that shows nothing, by its AutomationId',
      'controls: type-into-element, background: a field limited to five characters',
      'controls: move-mouse, background: the virtual pointer over a button',
      'accessible: click-element, background: a button by its default action',
      'accessible: click-element, background: a button of a nested object',
      'provider: virtual-keyboard, background: characters into the field that was clicked',
    ]);
    expect(background).toHaveLength(140);
    // The limited field takes a part, so it is not among the delivered ones.
    const document = readFileSync(new URL('../../docs/delivery-matrix.md', import.meta.url), 'utf8');
    expect(document).toContain('| expect delivery in the background | 140 |');
    expect(document).toContain('| of these, delivered | 139 | 99.3 % |');
    expect(document).toContain('| of the delivered, confirmed | 134 | 96.4 % |');
  });

  it('the document’s rows can be read back', () => {
    const random = {
      seed: 1,
      actions: 2,
      delivered: 1,
      confirmed: 1,
      refused: { key_blocked: 1 },
      reported: {},
      unreported: [],
    };
    const document = markdown(reports, random, () => 'a program');
    expect(rowsIn(document)).toEqual(
      reports.map(({ target, action, delivery, what }) => `${target}: ${action}, ${delivery}: ${what}`),
    );
  });

  it('counts what was delivered, confirmed and denied', () => {
    const [one, two, three] = reports as [RowReport, RowReport, RowReport];
    expect(
      goalsOf([one, { ...two, came: 'refused', code: 'unsupported', effect: null }, { ...three, isDenied: true }]),
    ).toMatchObject({ rows: 3, background: 3, delivered: 2, confirmed: 2, denied: 1, refused: 1 });
  });
});
