/**
 * Windows of Java, read and used by the Access Bridge's functions: a stand-in for the bridge's client, laid out by its public
 * headers, before a program without Java. The real one drives real Swing in `npm run programs -- swing`.
 */
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Elements, only, refusal } from '../support/elements.ts';
import { Fixture, newCall, type JournalEntry } from '../support/programs.ts';
import { until } from '../../../support/until.ts';
import type { TreeNode } from '../../../support/snapshot-tree.ts';
import { phrasesOf } from '../../../support/words.ts';

let fixture: Fixture;
let elements: Elements;
let unread: TreeNode[];

const DLL = 'windowsaccessbridge-64.dll';
const INSTALLED = path.join(process.env['SystemRoot'] ?? '', 'System32', DLL);

beforeAll(async () => {
  const from = process.env['UIAHOST_FIXTURES'] ?? '';
  const planted = mkdtempSync(path.join(os.tmpdir(), 'uiahost-java-'));
  const program = path.join(planted, 'java-stand-in.exe');
  copyFileSync(path.join(from, 'java-stand-in.exe'), program);
  for (const folder of ['.', 'runtime/bin']) {
    mkdirSync(path.join(planted, folder), { recursive: true });
    copyFileSync(path.join(from, 'access-bridge-stand-in.dll'), path.join(planted, folder, DLL));
  }
  fixture = await Fixture.start('java-stand-in', [], program);
  elements = await Elements.bind(fixture.hwnd);
  unread = await elements.nodes({ items: 'all' });
  copyFileSync(path.join(from, 'access-bridge-stand-in.dll'), INSTALLED);
});
// A loaded library cannot be removed: it stays on the test's own disk.
afterAll(() => fixture[Symbol.asyncDispose]());

it('[java.installed] no bridge is loaded from a folder that an ordinary user can write, next to the program or below', () => {
  expect(unread.map(({ name }) => name)).not.toContain('Customer');
});

const did = (): JournalEntry[] => fixture.journal().filter(({ event }) => event === 'did');
const since = async (work: () => Promise<unknown>): Promise<JournalEntry[]> => {
  const before = did().length;
  await work();
  return did().slice(before);
};
const shown = async (name: string): Promise<TreeNode> => only(await elements.nodes({ items: 'all' }), { name });

it('[java.read] a window of Java is read by the bridge: roles, names, values, states, and no password', async () => {
  const nodes = await elements.nodes({ items: 'all' });
  const lines = nodes.map(({ controlType, name }) => `${controlType} ${name}`);
  expect(lines).toEqual(
    expect.arrayContaining(phrasesOf`
      Edit Customer | Edit Secret | CheckBox Express | Button Ask | ComboBox Colour | ListItem Blue |
      DataItem Bolts | TabItem Delivery
    `),
  );
  expect(only(nodes, { name: 'Customer' }).value).toBe('Contoso');
  expect(only(nodes, { name: 'Colour' }).value).toBe('Green');
  expect(only(nodes, { name: 'Green' }).states).toContain('selected');
  expect(only(nodes, { name: 'Secret' })).toMatchObject({ states: expect.arrayContaining(['password']) as unknown });
  expect(JSON.stringify(nodes)).not.toContain('geheim');
  expect(did()).toEqual([]);
});

describe('[java.used] its controls', () => {
  it('take a text and a tick, each confirmed', async () => {
    expect((await elements.type({ name: 'Customer' }, 'Ada Müller')).outcome).toMatchObject({ effect: 'confirmed' });
    expect((await shown('Customer')).value).toBe('Ada Müller');
    expect((await elements.click({ name: 'Express' })).outcome).toMatchObject({ effect: 'confirmed' });
    expect((await shown('Express')).states).toContain('checked');
    expect((await elements.click({ name: 'Delivery' })).outcome).toMatchObject({ effect: 'confirmed' });
  });

  it('an entry of a closed combo box is chosen by name and by index, and stays closed', async () => {
    const named = await since(async () =>
      expect((await elements.select({ name: 'Colour' }, { name: 'Blue' })).outcome.effect).toBe('confirmed'),
    );
    expect(named).toMatchObject([{ verb: 'choose', name: 'Colour', child: 2 }]);
    expect((await shown('Colour')).value).toBe('Blue');
    expect((await elements.select({ name: 'Colour' }, { index: 0 })).outcome.effect).toBe('confirmed');
    expect((await shown('Colour')).value).toBe('Red');
  });

  it('a cell without a place is chosen', async () => {
    expect((await elements.click({ name: 'Bolts' })).outcome.effect).toBe('confirmed');
    expect((await shown('Bolts')).states).toContain('selected');
    expect((await shown('Nuts')).states).not.toContain('selected');
  });

  it('a button is refused, with the way that works', async () => {
    const done = await since(async () => {
      const error = await refusal(elements.click({ name: 'Ask' }), 'unsupported');
      expect(error.hint).toContain('foreground');
    });
    expect(done).toEqual([]);
  });
});

it('a program that answers too late is not tried in another way, and nothing is confirmed', async () => {
  const ref = await elements.ref({ name: 'Express' });
  await fixture.tell('deaf 5000');
  const done = await since(async () => {
    const { outcome } = await elements.port.click(
      elements.record,
      ref,
      { delivery: 'background' },
      newCall({ deadlineMs: 20_000 }),
    );
    expect(outcome.effect).toBe('unverified');
    expect(outcome.attempts.at(-1)?.reason).toContain('UIA_E_TIMEOUT');
    await until(() => did().some(({ verb }) => verb === 'act') || null, 'the late click');
  });
  expect(done.map(({ verb, name }) => [verb, name])).toEqual([['act', 'Express']]);
});
