/**
 * The facts of the public headers that the wanted interfaces need: `native-bindings/uia/headers.tsv`. The table is
 * extracted from mingw-w64's headers (`--headers DIR`) and committed, so that generating needs no headers.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface HeaderMethod {
  readonly owner: string;
  readonly name: string;
  readonly slot: number;
  readonly parameters: readonly string[];
}
interface HeaderInterface {
  readonly name: string;
  readonly base: string;
  readonly iid: string;
  readonly methods: readonly HeaderMethod[];
}
/** `symbol` is its name in C. */
interface HeaderConstant {
  readonly group: string;
  readonly name: string;
  readonly symbol: string;
  readonly value: number;
}
export interface HeaderFacts {
  readonly interfaces: ReadonlyMap<string, HeaderInterface>;
  readonly constants: readonly HeaderConstant[];
}

const FILES = [
  'uiautomationclient.h',
  'uiautomationcore.h',
  'oleacc.h',
  'oaidl.h',
  'objidl.h',
  'servprov.h',
  'propsys.h',
  'shobjidl.h',
];
const TABLE = /typedef struct (I\w+)Vtbl \{([\s\S]*?)\} \1Vtbl;/g;
/** `owner` is the interface whose section of the table contains it; inherited slots name the base. */
const MEMBER = /\/\*\*\* (\w+) methods \*\*\*\/|(\w+) \(STDMETHODCALLTYPE \*(\w+)\)\(([\s\S]*?)\);/g;

function guidOf(text: string, symbol: string): string | undefined {
  const match = new RegExp(`DEFINE_GUID\\(${symbol}, ([^)]*)\\)`).exec(text);
  if (!match) return undefined;
  const parts = match[1]!.split(',').map((p) => Number(p.trim()));
  const hex = (n: number, width: number) => n.toString(16).padStart(width, '0');
  const tail = parts
    .slice(3)
    .map((n) => hex(n, 2))
    .join('');
  return `${hex(parts[0]!, 8)}-${hex(parts[1]!, 4)}-${hex(parts[2]!, 4)}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

function readTable(name: string, body: string, iid: string): HeaderInterface {
  const methods: HeaderMethod[] = [];
  const owners: string[] = [];
  for (const [, section, , method, parameters] of body.matchAll(MEMBER)) {
    if (section !== undefined) {
      owners.push(section);
      continue;
    }
    // The first parameter is the object itself.
    const list = parameters!
      .split(',')
      .map((p) => p.replace(/\s+/g, ' ').trim())
      .slice(1);
    methods.push({ owner: owners.at(-1)!, name: method!, slot: methods.length, parameters: list });
  }
  return { name, base: owners.at(-2) ?? '', iid, methods };
}

/** Identifiers and enumerations that go into `identifiers.generated.ts`, by group. */
const ID_GROUPS: readonly (readonly [string, RegExp])[] = [
  ['PatternId', /^#define UIA_(\w+Pattern\d?)Id \((\d+)\)/gm],
  ['PropertyId', /^#define UIA_(\w+)PropertyId \((\d+)\)/gm],
  ['ControlTypeId', /^#define UIA_(\w+)ControlTypeId \((\d+)\)/gm],
  ['EventId', /^#define UIA_(\w+)EventId \((\d+)\)/gm],
  ['TextAttributeId', /^#define UIA_(\w+)AttributeId \((\d+)\)/gm],
  ['AccRole', /^#define ROLE_SYSTEM_(\w+) \(?(0x[0-9a-fA-F]+)\)?/gm],
  // STATE_SYSTEM_VALID is a mask, and differs between versions of the headers.
  ['AccState', /^#define STATE_SYSTEM_(?!VALID\b)(\w+) \(?(0x[0-9a-fA-F]+)\)?/gm],
  ['AccSelect', /^#define SELFLAG_(\w+) \(?(0x[0-9a-fA-F]+)\)?/gm],
  ['AccNavigate', /^#define NAVDIR_(\w+) \(?(0x[0-9a-fA-F]+)\)?/gm],
];
const ENUMS = [
  'TreeScope',
  'TreeTraversalOptions',
  'PropertyConditionFlags',
  'AutomationElementMode',
  'ToggleState',
  'ExpandCollapseState',
  'ScrollAmount',
  'OrientationType',
  'RowOrColumnMajor',
  'WindowVisualState',
  'WindowInteractionState',
  'TextUnit',
  'TextPatternRangeEndpoint',
  'SupportedTextSelection',
  'LiveSetting',
  'ConnectionRecoveryBehaviorOptions',
  'CoalesceEventsOptions',
];

/** `A = 0x1, B, C = A | B` as numbers. */
function enumValues(name: string, body: string): HeaderConstant[] {
  const values = new Map<string, number>();
  let next = 0;
  for (const part of body
    .split(',')
    .map((p) => p.trim())
    .filter(Boolean)) {
    const [member, expression] = part.split('=').map((p) => p.trim());
    const value =
      expression === undefined
        ? next
        : expression
            .replace(/[()]/g, '')
            .split('|')
            .map((p) => p.trim())
            .reduce((sum, term) => sum | (values.get(term) ?? Number(term)), 0);
    if (!Number.isInteger(value)) throw new Error(`${name}.${member} = ${expression} cannot be read.`);
    values.set(member!, value);
    next = value + 1;
  }
  return [...values].map(([member, value]) => ({
    group: name,
    name: member.replace(`${name}_`, ''),
    symbol: member,
    value,
  }));
}

/** Extracts the facts from a folder of headers. */
export function readHeaders(folder: string, wanted: ReadonlySet<string>): HeaderFacts {
  const texts = FILES.map((f) => join(folder, f))
    .filter((f) => existsSync(f))
    .map((f) => readFileSync(f, 'utf8'));
  const interfaces = new Map<string, HeaderInterface>();
  for (const text of texts) {
    for (const [, name, body] of text.matchAll(TABLE)) {
      if (interfaces.has(name!)) continue;
      const iid = guidOf(text, `IID_${name}`);
      if (iid) interfaces.set(name!, readTable(name!, body!, iid));
    }
  }
  const needed = new Map<string, HeaderInterface>();
  for (const name of wanted) {
    for (let at: string | undefined = name; at && at !== 'IUnknown'; at = interfaces.get(at)?.base) {
      const found = interfaces.get(at);
      if (!found) throw new Error(`${at} is in none of ${FILES.join(', ')} of ${folder}.`);
      needed.set(at, found);
    }
  }
  const constants: HeaderConstant[] = [];
  for (const [group, pattern] of ID_GROUPS) {
    const found = new Map<string, { symbol: string; value: number }>();
    for (const text of texts)
      for (const [line, name, value] of text.matchAll(pattern))
        if (!found.has(name!)) found.set(name!, { symbol: line.split(' ')[1]!, value: Number(value) });
    constants.push(
      ...[...found]
        .map(([name, { symbol, value }]) => ({ group, name, symbol, value }))
        .sort((a, b) => a.value - b.value || (a.name < b.name ? -1 : 1)),
    );
  }
  for (const name of ENUMS) {
    const body = texts
      .map((text) => new RegExp(`^enum ${name} \\{([^}]*)\\}`, 'm').exec(text)?.[1])
      .find((b) => b !== undefined);
    if (body === undefined) throw new Error(`enum ${name} is in none of the headers of ${folder}.`);
    constants.push(...enumValues(name, body));
  }
  return { interfaces: new Map([...needed].sort(([a], [b]) => (a < b ? -1 : 1))), constants };
}

/** As the committed table: tab-separated lines. A method occurs once, with the interface that introduces it. */
export function formatFacts(facts: HeaderFacts): string {
  const lines = ['# Drawn from the public mingw-w64 headers by `npm run generate -- --headers DIR`. Do not edit.'];
  for (const { name, base, iid, methods } of facts.interfaces.values()) {
    lines.push(['interface', name, base, iid].join('\t'));
    for (const m of methods)
      if (m.owner === name) lines.push(['method', name, m.name, m.slot, m.parameters.join('; ')].join('\t'));
  }
  for (const { group, name, symbol, value } of facts.constants)
    lines.push(['constant', group, name, symbol, value].join('\t'));
  return `${lines.join('\n')}\n`;
}

/** The committed table. Methods of an interface are its own; the base's are found through `base`. */
export function parseFacts(text: string): HeaderFacts {
  const interfaces = new Map<string, { name: string; base: string; iid: string; methods: HeaderMethod[] }>();
  const constants: HeaderConstant[] = [];
  for (const line of text.split('\n')) {
    const [kind, a = '', b = '', c = '', d = ''] = line.split('\t');
    if (kind === 'interface') interfaces.set(a, { name: a, base: b, iid: c, methods: [] });
    else if (kind === 'method')
      interfaces
        .get(a)!
        .methods.push({ owner: a, name: b, slot: Number(c), parameters: d === '' ? [] : d.split('; ') });
    else if (kind === 'constant') constants.push({ group: a, name: b, symbol: c, value: Number(d) });
  }
  return { interfaces, constants };
}
