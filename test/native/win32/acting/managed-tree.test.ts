/**
 * The managed mode of uia-com.dll is a table of ours. What it shows of the standard controls is held to what Microsoft's
 * own binaries answered over the same program, as recorded (`test/fixtures/uia-com/managed-tree.txt`).
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  IUIAutomationElement,
  type IUIAutomationTreeWalker,
} from '../../../../native-bindings/uia/automation.generated.ts';
import { ControlTypeId, PropertyId } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { close, com, controls, open } from '../support/standard-cases.ts';

/** What acts, and what our reading asks for. */
const PATTERNS = ['ExpandCollapse', 'Invoke', 'RangeValue', 'Selection', 'SelectionItem', 'Text', 'Toggle', 'Value'];
const TYPES = new Map<number, string>(Object.entries(ControlTypeId).map(([name, id]) => [id, name]));
/** Patterns that the recorded run could not have: Wine's rich edit has no object model. */
const UNRECORDED = /^Document "Notes:" #213/;

interface Shown {
  readonly line: string;
  readonly children: Shown[];
}

function recorded(): Shown[] {
  const file = fileURLToPath(new URL('../../../fixtures/uia-com/managed-tree.txt', import.meta.url));
  const roots: Shown[] = [];
  const path: Shown[] = [];
  for (const line of readFileSync(file, 'utf8')
    .replaceAll('\\u000a', '\\n')
    .split('\n')
    .filter((each) => each !== '' && !each.startsWith('#'))) {
    const depth = /^ */.exec(line)![0].length / 2;
    const [, head, patterns = ''] = /^(.*#(?:Item \d+|HeaderItem \d+|Octet \d+|[^ ]*))(?: (.*))?$/.exec(line.trim())!;
    const acting = patterns.split(' ').filter((each) => PATTERNS.includes(each));
    const node = { line: [head, ...acting].join(' '), children: [] };
    path.length = depth;
    (path.at(-1)?.children ?? roots).push(node);
    path.push(node);
  }
  return roots;
}

function shown(walker: IUIAutomationTreeWalker, element: IUIAutomationElement): Shown {
  const value = (id: number): unknown => element.GetCurrentPropertyValue(id);
  const patterns = PATTERNS.filter(
    (name) => value(PropertyId[`Is${name}PatternAvailable` as keyof typeof PropertyId]) === true,
  );
  const type = TYPES.get(Number(value(PropertyId.ControlType))) ?? '?';
  const head = `${type} ${JSON.stringify(value(PropertyId.Name) ?? '')} #${String(value(PropertyId.AutomationId) ?? '')}`;
  return { line: [head, ...patterns].join(' '), children: childrenOf(walker, element) };
}

function childrenOf(walker: IUIAutomationTreeWalker, above: IUIAutomationElement): Shown[] {
  const found: Shown[] = [];
  for (let child = walker.GetFirstChildElement(above); child !== null;) {
    const current: IUIAutomationElement = child;
    found.push(shown(walker, current));
    child = walker.GetNextSiblingElement(current);
    current[Symbol.dispose]();
  }
  return found;
}

const flat = (nodes: readonly Shown[]): Shown[] => nodes.flatMap((node) => [node, ...flat(node.children)]);

/** What was recorded and is not shown so, with what is shown in its place; of several alike, what fits best. */
function differences(expected: readonly Shown[], actual: readonly Shown[], above: string): string[] {
  const idOf = ({ line }: Shown): string => line.replace(/^(\S+) "(?:[^"\\]|\\.)*" /, '').split(' ')[0]!;
  return expected.flatMap((node, index) => {
    const tried = actual
      .filter(({ line }) => line === node.line)
      .map((each) => differences(node.children, each.children, `${above} > ${node.line}`))
      .sort((a, b) => a.length - b.length);
    const near = actual.find((each) => idOf(each) === idOf(node)) ?? actual[index];
    return tried[0] ?? [`${node.line} <> ${near?.line ?? 'nothing'}`];
  });
}

beforeAll(() => open('Controls as recorded', { proxies: 'managed' }));
afterAll(close);

test('[bench.managed] the managed mode shows what Microsoft’s managed proxies showed', () => {
  using automation = com.factory();
  using root = automation.ElementFromHandle(controls.hwnd)!;
  using walker = automation.get_ControlViewWalker()!;
  const all = flat(childrenOf(walker, root));
  const expected = recorded();
  expect(flat(expected).length).toBeGreaterThan(140);
  expect(
    differences(
      expected.filter(({ line }) => !UNRECORDED.test(line)),
      all,
      '',
    ),
  ).toEqual([]);
});
