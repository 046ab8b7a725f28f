/** What Microsoft's managed proxies showed of `controls.exe`, as recorded, and what is shown instead. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type {
  IUIAutomationCondition,
  IUIAutomationElement,
} from '../../../../native-bindings/uia/automation.generated.ts';
import { ControlTypeId, PropertyId, TreeScope } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { com, controls } from './standard-cases.ts';

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

function shown(view: IUIAutomationCondition, element: IUIAutomationElement): Shown {
  const value = (id: number): unknown => element.GetCurrentPropertyValue(id);
  const patterns = PATTERNS.filter(
    (name) => value(PropertyId[`Is${name}PatternAvailable` as keyof typeof PropertyId]) === true,
  );
  const type = TYPES.get(Number(value(PropertyId.ControlType))) ?? '?';
  const head = `${type} ${JSON.stringify(value(PropertyId.Name) ?? '')} #${String(value(PropertyId.AutomationId) ?? '')}`;
  return { line: [head, ...patterns].join(' '), children: childrenOf(view, element) };
}

function childrenOf(view: IUIAutomationCondition, above: IUIAutomationElement): Shown[] {
  using children = above.FindAll(TreeScope.Children, view)!;
  return Array.from({ length: children.get_Length() }, (_, index) => {
    using child = children.GetElement(index)!;
    return shown(view, child);
  });
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

/** What was recorded and is not shown so by uia-com.dll in its present mode, and how many elements were compared. */
/** @param isWindowOnce a window that is shown twice, as itself and as a part, is one element: the list of a simple combo box */
export function comparedWithRecord({ isWindowOnce = false } = {}): {
  readonly differences: readonly string[];
  readonly count: number;
} {
  using automation = com.factory();
  using root = automation.ElementFromHandle(controls.hwnd)!;
  using view = automation.get_ControlViewCondition()!;
  const expected = recorded().filter(({ line }) => !UNRECORDED.test(line));
  const shownOnce = /^List "" #1000 /;
  const all = flat(childrenOf(view, root));
  const found = differences(expected, all, '').filter((line) => !isWindowOnce || !shownOnce.test(line));
  return { differences: found, count: flat(expected).length };
}
