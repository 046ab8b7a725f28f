/** The record of the four given contracts: each of their elements is held, as the tests of a promise show, or a declared departure. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { promisedIds } from '../../../scripts/lib/promises.mjs';

const text = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const [head, ...rows] = text('test/fixtures/contracts.tsv')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'));

/** What the table of departures has for each element that is not held as it was given. */
const DEPARTURES: Readonly<Record<string, string>> = {
  'hidden (always [])': '`hidden`',
  'activated? (never set)': '`activated`',
  'previewHideSet (always [])': '`previewHideSet`',
  'resolve: doHide? (hides nothing)': '`doHide`',
  'scroll: dx, dy': '`scroll` `dx`, `dy`',
  'mouseWheel: delta (|delta| <= 100)': '`mouseWheel` `delta`',
  'openTerminal: agent custom (no shell syntax)': '`openTerminal` with `custom`',
  'activateWindow: foreground + click to focus (click only if given)': '`activateWindow`',
  'click: modifiers?': '`click` with modifiers',
  'per-action decision channel': 'the control channel takes decisions',
  'urls item format uri': '`urls` of a session',
  'GET also answers running, failed': '`GET` of a session',
  'observe: screen capture only (host: every look)': 'level `observe`',
  'full: without confirmation (alwaysAsk)': 'level `full`',
  'loop interleaves model output with tool execution': 'the streaming loop interleaves',
};

/** Ids that the titles of the tests that run the product, its tools or its Windows code cite. */
const used = new Set(
  ['e2e', 'native', 'tools'].flatMap((folder) =>
    readdirSync(new URL(`../../${folder}`, import.meta.url), { recursive: true })
      .map((file) => `test/${folder}/${String(file).replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.test.ts'))
      .flatMap((file) => [...text(file).matchAll(/\[([a-z][A-Za-z0-9.-]*)\]/g)].map(([, id]) => id)),
  ),
);
/** What no such test uses, and why. */
const NOT_USED: Readonly<Record<string, string>> = {
  'terminal.powershell': 'no PowerShell runs under Wine',
  'exports.examples': 'programs of their own: a pure test runs them word for word',
};

describe('the elements of the given contracts', () => {
  it('are each held by a promise with a test, or declared', () => {
    expect(head).toEqual(['contract', 'part', 'element', 'verdict', 'promise']);
    expect(rows).toHaveLength(348);
    const known = promisedIds();
    for (const [contract, part, element, verdict, promise] of rows) {
      expect(['executor', 'protocol', 'tool', 'safety']).toContain(contract);
      expect(['held', 'declared']).toContain(verdict);
      expect([part, element, known.has(promise ?? '')]).toEqual([part, element, true]);
    }
  });

  it('are declared in the table of departures where they are not held, and those are few', () => {
    const declared = rows.filter(([, , , verdict]) => verdict === 'declared').map(([, , element]) => element ?? '');
    expect(declared.length).toBeLessThanOrEqual(15);
    expect([...declared].sort()).toEqual(Object.keys(DEPARTURES).sort());
    const [, table = ''] = text('docs/behaviour.md').split('## Departures from the given contracts');
    for (const [element, words] of Object.entries(DEPARTURES))
      expect([element, table.includes(words)]).toEqual([element, true]);
  });

  it('are each used by a test that runs the product or its Windows code', () => {
    const read = rows.map(([, , , , promise = '']) => promise).filter((id) => !used.has(id));
    expect([...new Set(read)].sort()).toEqual(Object.keys(NOT_USED).sort());
  });
});
