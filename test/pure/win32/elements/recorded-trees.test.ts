/** What real programs answered on real Windows (`test/fixtures/real-windows`), read, named, found, judged and shown by the product. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordedTrees as rowsIn } from '../../../../scripts/recorded-tree.mjs';
import { LastSeen } from '../../../../src/win32/elements/finding/key-target.ts';
import { RefBook, RefCounter } from '../../../../src/win32/elements/finding/refs.ts';
import { readWindow } from '../../../../src/win32/elements/reading/observe.ts';
import { readContext } from '../../../../src/win32/elements/showing/context.ts';
import { findElements } from '../../../../src/win32/elements/showing/find.ts';
import { takeSnapshot } from '../../../../src/win32/elements/showing/snapshot.ts';
import { walk, type TreeNode } from '../../../../src/win32/elements/tree/tree.ts';
import { everyElement, recordedTrees, StandInWindows, type Recorded } from '../../../support/stand-in-windows.ts';

const FILES = ['insights.tsv', 'toolkits.tsv', 'react-native.tsv', 'chromium.tsv'];
const trees = new Map(FILES.flatMap((file) => [...recordedTrees(file)]));
const shownFile = new URL('../../../fixtures/real-windows/shown.txt', import.meta.url);

const budgetMs = 30_000;
const remoteControlMemory = false;
const call = { owner: 'test', deadlineMs: 60_000, signal: new AbortController().signal, remoteControlMemory };
const refsOf = (): RefBook => new RefBook(new RefCounter(1));

async function snapshotOf({ record, automation, views }: StandInWindows): Promise<string> {
  const options = { observationId: 'o1', maxTokens: 100_000, maxElements: 1000, budgetMs, remoteControlMemory };
  const { accessibilityText, partial } = await takeSnapshot(refsOf(), record, options, call, { automation, views });
  return `${accessibilityText}${partial ? '\n(partial)' : ''}`;
}

test('[snapshot.sources] shows of each recorded tree what it showed before', async () => {
  const parts: string[] = [];
  for (const [name, root] of trees) {
    using windows = new StandInWindows(root);
    parts.push(`= ${name}\n${await snapshotOf(windows)}\n`);
  }
  const text = parts.join('');
  if (process.env['UPDATE'] !== undefined) writeFileSync(shownFile, text);
  expect(text).toBe(readFileSync(shownFile, 'utf8'));
  expect([...trees.values()].flatMap(everyElement).length).toBeGreaterThan(900);
});

test('[snapshot.sources] finds each element of the recorded trees and tells the gate of it, without a fault', async () => {
  let judged = 0;
  for (const root of trees.values()) {
    using windows = new StandInWindows(root);
    const { record, automation, views } = windows;
    const reading = { automation, views, remoteControlMemory };
    const [refs, seen] = [refsOf(), new LastSeen()];
    const found = await findElements(
      { refs, call, reading },
      record,
      { role: 'button' },
      { observationId: 'o1', attributes: false, form: 'full', limit: 100, budgetMs },
    );
    for (const [, ref] of found.accessibilityText.matchAll(/ ref=(e\d+)/g)) {
      const target = { kind: 'element', query: { ref: ref! }, purpose: 'click' } as const;
      const { element } = await readContext({ refs, seen }, record, target, { ...reading, budgetMs }, { call });
      expect(element).not.toBeNull();
      judged += 1;
    }
  }
  expect(judged).toBeGreaterThan(100);
});

const nodesIn = ({ record, automation, views }: StandInWindows): readonly TreeNode[] =>
  walk(readWindow(record, { automation, views, budgetMs, remoteControlMemory }).root);

function nodesOf(root: Recorded): readonly TreeNode[] {
  using windows = new StandInWindows(root);
  return nodesIn(windows);
}

test('[snapshot.sources] what real programs answer wrongly is not passed on', () => {
  const all = new Map([...trees].map(([name, root]) => [name, nodesOf(root)]));
  const ids = [...all.values()].flat().map(({ automationId }) => automationId);
  const wrong = ids.filter((id) => /^\d{5,}$|^0x|Item-\d+$|:r\d+:/.test(id));
  // 40965 is the control id of the taskbar's bar of bands.
  expect(wrong).toEqual(['40965']);
  expect(ids).toEqual(expect.arrayContaining(['Form1', 'label1', 'git.authors', '4113', 'three_cancel_button']));
  const wildlife = all.get('WildlifeManagerTest')!;
  const labelled = wildlife.filter(({ label }) => label !== null).map(({ controlType, name }) => [controlType, name]);
  expect(labelled).toEqual([
    ['List', 'Species:'],
    ['Edit', 'Weight:'],
  ]);
  expect(wildlife.some(({ beside }) => beside !== null)).toBe(false);
  // A row's own action is that of a double click; a click selects.
  const row = all.get('List view in a dialog')!.find(({ controlType }) => controlType === 'ListItem')!;
  expect(row.capabilities).toEqual(expect.objectContaining(new Set(['invoke', 'selection-item', 'default-action'])));
  const password = all.get('Chromium input-password')!.find(({ states }) => states.has('password'))!;
  expect(password.value).toBeNull();
});

test('[snapshot.own-messages] a program that answers WM_GETOBJECT speaks for its window, whatever describes the proxy', () => {
  const asked: number[] = [];
  using windows = new StandInWindows(trees.get('Windows Forms by PowerShell')!, ({ hwnd }) => asked.push(hwnd) > 0);
  const [edit] = nodesIn(windows).filter(({ controlType }) => controlType === 'Edit');
  expect(edit).toMatchObject({ name: 'Title', source: 'window' });
  nodesIn(windows);
  // Its edit and its button, each once: its program keeps each object that is not fetched.
  expect(asked).toEqual([14_420_026, 9_963_754]);
});

test('[snapshot.sources] makes rows of a file of Accessibility Insights', () => {
  const properties = {
    30003: 50000,
    30005: 'Send the letter to everybody',
    30011: 'send',
    30010: false,
    30001: [1, 2, 3, 4],
  };
  const element = {
    Properties: Object.fromEntries(Object.entries(properties).map(([id, Value]) => [id, { Value }])),
    Patterns: [
      { Name: 'InvokePattern' },
      { Name: 'LegacyIAccessiblePattern', Properties: [{ Name: 'DefaultAction', Value: 'Double Click' }] },
    ],
    Children: [{ Properties: { 30003: { Value: 50020 } } }],
  };
  const file = join(mkdtempSync(join(tmpdir(), 'recorded-')), 'made-up.snapshot');
  writeFileSync(file, `\uFEFF${JSON.stringify(element)}`);
  expect([...rowsIn(file)]).toEqual([
    [
      'made-up',
      [
        [
          '0',
          '50000',
          'Send the letter to',
          'send',
          '',
          '',
          '',
          '',
          '1 2 3 4',
          'disabled',
          'Invoke LegacyIAccessible=Double_Click',
          '',
        ],
        ['1', '50020', '', '', '', '', '', '', '', '', '', ''],
      ],
    ],
  ]);
});
