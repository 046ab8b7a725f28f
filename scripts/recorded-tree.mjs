// Makes rows of `test/fixtures/real-windows` of files that other programs record of UI Automation on Windows: Accessibility
// Insights' .snapshot, .hier and .a11ytest, and the test snapshots of React Native Windows.
//   node scripts/recorded-tree.mjs FILE…
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail } from './lib/progress.mjs';

/** Names and ids are shortened to this: they are other people's texts. */
const NAME = 24;
const ID = 40;

const shortName = (text) => {
  const words = text
    .replaceAll(/\s+/g, ' ')
    .slice(0, NAME + 1)
    .split(' ');
  return (text.length > NAME ? words.slice(0, -1).join(' ') || text.slice(0, NAME) : text).trim();
};

/** `[pid:7,providerId:0x2 Main:Microsoft: MSAA Proxy (unmanaged:uiautomationcore.dll)]` → `[Main:MSAA Proxy]` */
const shortProvider = (description) =>
  description
    .replaceAll(/\[pid:[^ ]* /g, '[')
    .replaceAll(/ \(unmanaged:uiautomationcore\.dll\)/gi, '')
    .replaceAll('Microsoft: ', '')
    .replaceAll(/, \w+, Version=[^)]*/g, '');

/** States that a test's snapshot names. */
const STATE_NUMBERS = { Off: 0, On: 1, Indeterminate: 2, Collapsed: 0, Expanded: 1, PartiallyExpanded: 2, LeafNode: 3 };

/** What a row has of a pattern besides its name: the states that a reading asks for. */
const STATES = {
  ExpandCollapse: ({ ExpandCollapseState: state }) => STATE_NUMBERS[state] ?? state,
  Toggle: ({ ToggleState: state }) => STATE_NUMBERS[state] ?? state,
  SelectionItem: ({ IsSelected: is }) => (is ? 1 : undefined),
  Value: ({ IsReadOnly: is }) => (is ? 'readonly' : undefined),
  RangeValue: ({ Value: value }) => value,
  LegacyIAccessible: ({ DefaultAction: action }) => action?.replaceAll(' ', '_') || undefined,
};

const patternWord = (name, properties) => {
  const state = STATES[name]?.(properties);
  return state === undefined ? name : `${name}=${state}`;
};

/** Properties that make a word of the row: where they have this value. */
const WORDS = [
  [30010, false, 'disabled'],
  [30022, true, 'offscreen'],
  [30019, true, 'password'],
  [30008, true, 'focused'],
  [30016, false, 'raw'],
];

/**
 * Rows of an element that Accessibility Insights recorded, with those below it.
 * @returns {string[][]} level, type, name, id, class, framework, window, RuntimeId, rectangle, words, patterns, provider
 */
function insightsRows(element, level) {
  const value = (id) => element.Properties?.[id]?.Value ?? undefined;
  const rect = value(30001);
  const patterns = (element.Patterns ?? []).map(({ Name: name, Properties: properties }) =>
    patternWord(
      name.replace(/Pattern$/, ''),
      Object.fromEntries((properties ?? []).map((each) => [each.Name, each.Value])),
    ),
  );
  const own = [
    String(level),
    String(value(30003)),
    shortName(value(30005) ?? ''),
    (value(30011) ?? '').slice(0, ID),
    value(30012) ?? '',
    value(30024) ?? '',
    String(value(30020) || ''),
    (value(30000) ?? []).join('.'),
    rect === undefined ? '' : rect.join(' '),
    WORDS.flatMap(([id, wanted, word]) => (value(id) === wanted ? [word] : [])).join(' '),
    patterns.join(' '),
    shortProvider(value(30107) ?? ''),
  ];
  return [own, ...(element.Children ?? []).flatMap((child) => insightsRows(child, level + 1))];
}

/** The same of a tree in a test's snapshot. Elements have no rectangles and no RuntimeIds there. */
function reactRows(element, level) {
  const patterns = new Map();
  for (const [key, value] of Object.entries(element)) {
    const [, pattern, property] = /^(\w+)Pattern\.(\w+)$/.exec(key) ?? [];
    if (pattern !== undefined) patterns.set(pattern, { ...patterns.get(pattern), [property]: value });
  }
  const words = [...patterns].map(([name, all]) => patternWord(name.replace(/^TextRange$/, 'Text'), all));
  const own = [level, element.ControlType ?? '', shortName(element.Name ?? ''), element.AutomationId ?? ''].map(String);
  const rest = ['', '', '', '', '-', element.IsEnabled === false ? 'disabled' : '', words.join(' '), ''];
  return [[...own, ...rest], ...(element.children ?? []).flatMap((child) => reactRows(child, level + 1))];
}

/** Jest prints strings as they are, quotation marks and line ends included, so this is not JSON: it has one property a line. */
function printedTree(lines) {
  /** @type {Array<Record<string, any>>} */
  const open = [{ children: [] }];
  for (const line of lines.slice(1)) {
    const last = open[open.length - 1] ?? {};
    const [, key, value] = /^ *"([\w.]+)": (.*?),?$/.exec(line) ?? [];
    if (/^ *\{$/.test(line)) last.children.push({ children: [] });
    if (/^ *\{$/.test(line)) open.push(last.children.at(-1));
    else if (/^ *\},?$/.test(line) && open.length > 1) open.pop();
    else if (key !== undefined && /^(?:"|\d|true|false)/.test(value ?? ''))
      last[key] = value?.startsWith('"') === true ? value.slice(1).replace(/"$/, '') : JSON.parse(value ?? 'null');
  }
  return open[0];
}

const parse = (bytes) => JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));

/** @param {string} file @returns {Map<string, string[][]>} the rows of each tree, by its name */
export function recordedTrees(file) {
  const isZip = file.endsWith('.a11ytest');
  const bytes = isZip ? execFileSync('unzip', ['-p', file, 'el.snapshot'], { maxBuffer: 2 ** 26 }) : readFileSync(file);
  const name = path.basename(file).replace(/\..*$/, '');
  if (!file.endsWith('.snap')) return new Map([[name, insightsRows(parse(bytes), 0)]]);
  const trees = [
    ...bytes.toString('utf8').matchAll(/^exports\[`(.*)`\] = `\n\{\n {2}"Automation Tree": (\{[^]*?\n {2}\})/gm),
  ];
  return new Map(trees.map(([, title, text]) => [`${name}: ${title}`, reactRows(printedTree(text.split('\n')), 0)]));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    if (process.argv.length < 3) throw new Error('usage: node scripts/recorded-tree.mjs FILE…');
    for (const file of process.argv.slice(2))
      for (const [name, rows] of recordedTrees(file))
        console.log([`= ${name}`, ...rows.map((row) => row.join('\t'))].join('\n'));
  } catch (error) {
    fail(error);
  }
}
