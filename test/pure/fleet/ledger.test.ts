/** The link's ledger on disk. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openLedger } from '../../../src/fleet/link/ledger.ts';
import type { Row } from '../../../src/fleet/link/protocol.ts';

const folder = mkdtempSync(join(tmpdir(), 'uiahost-ledger-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps its id and its jobs, and erases the texts of what was reported', () => {
  const file = join(folder, 'ledger.sqlite');
  const row: Row = {
    target: 'h_a',
    id: 'j',
    state: 'accepted',
    by: { name: 'orch', card: 'c' },
    nonce: 'n',
    bodyHash: '0'.repeat(64),
    job: {
      v: 1,
      target: 'h_a',
      id: 'j',
      at: 0,
      notAfter: 0,
      runMs: 1,
      steps: [{ action: 'a', input: { text: 'canary-text' } }],
    },
    revision: null,
    attempts: 0,
    startedAt: null,
    steps: [],
    outcome: null,
  };
  let id = '';
  {
    using ledger = openLedger(file, 'h_seat');
    ({ id } = ledger);
    ledger.put(row, 1);
    ledger.put({ ...row, target: 'p_x' }, 2);
    expect(ledger.open().map(({ target }) => target)).toEqual(['h_a', 'p_x']);
  }
  using ledger = openLedger(file, 'h_seat');
  expect(ledger.id).toBe(id);
  expect(ledger.find('h_a', 'j')).toEqual(row);
  for (const target of ['h_a', 'p_x']) ledger.put({ ...row, target, state: 'reported', job: null }, 3);
  expect(ledger.open()).toEqual([]);
  for (const each of readdirSync(folder)) expect(readFileSync(join(folder, each)).includes('canary-text')).toBe(false);
  expect(ledger.forget(3)).toBe(0);
  expect(ledger.forget(4)).toBe(2);
  expect(ledger.find('h_a', 'j')).toBeNull();
});
