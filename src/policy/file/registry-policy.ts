/**
 * Judges what Group Policy wrote to the registry, by the same table that makes its templates. Every value that is there must be
 * of the right kind and within the schema's bounds: a value that cannot be understood never counts as "nothing set".
 */
import type { PolicyRegistryContent, RegistryContent, RegistryEntry } from '../../contract/gate/registry-content.ts';
import { parsePolicyToken } from '../../contract/gate/machine-host.ts';
import { type PolicyFile, type PolicyProblem, put, type Refusal, validPart } from './policy-file.ts';
import { isMachineOnly, REGISTRY_VALUES, type RegistryKind, type RegistryValue } from './registry-values.ts';

/** What one hive sets. A part that it does not set is absent, the level included: then it has no opinion. */
export interface RegistryLayer {
  /** `HKEY_LOCAL_MACHINE\Software\Policies\uiahost`. */
  readonly name: string;
  readonly policy: PolicyFile;
  /** Only administrators can change it. Another's key narrows too, and cannot allow what only administrators may. */
  readonly isAdministrators: boolean;
}

export interface RegistryPolicy {
  /** The strongest first: HKEY_LOCAL_MACHINE, then HKEY_CURRENT_USER. */
  readonly layers: readonly RegistryLayer[];
  /** Each names its value by key path and name. */
  readonly refused: readonly Refusal[];
  /** Keys that others than administrators can change, in sentences. */
  readonly writable: readonly string[];
  /** Values and keys whose names this version does not know: they limit nothing here, the others hold. */
  readonly unknown: readonly string[];
}

export const NO_REGISTRY_POLICY: RegistryPolicy = {
  layers: [],
  refused: [],
  writable: [],
  unknown: [],
};

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
/** The other kinds are keys. */
const VALUE_KINDS: Readonly<Partial<Record<RegistryKind, string>>> = {
  choice: 'REG_SZ',
  switch: 'REG_DWORD',
  number: 'REG_DWORD',
  text: 'REG_SZ',
};
const isKey = ({ kind }: RegistryValue): boolean => VALUE_KINDS[kind] === undefined;

/** A value that is not understood; the message says what was expected. */
class Refused extends Error {
  readonly place: string;
  constructor(place: string, reason: string) {
    super(reason);
    this.place = place;
  }
}

/** Long data is shortened: the value's name identifies it. */
const shown = (value: string | number): string =>
  JSON.stringify(typeof value === 'string' ? value.slice(0, 80) : value);

function textOf({ name, kind, value }: RegistryEntry, place: string): string {
  if (typeof value === 'string') return value;
  throw new Refused(`${place}\\${name}`, `expected a text (REG_SZ), found ${kind}.`);
}

function numberOf({ name, kind, value }: RegistryEntry, place: string): number {
  if (typeof value === 'number') return value;
  throw new Refused(
    `${place}\\${name}`,
    kind === 'REG_DWORD'
      ? 'expected a number (REG_DWORD) of 4 bytes.'
      : `expected a number (REG_DWORD), found ${kind}.`,
  );
}

function switchOf(entry: RegistryEntry, place: string): boolean {
  const number = numberOf(entry, place);
  if (number === 0 || number === 1) return number === 1;
  throw new Refused(`${place}\\${entry.name}`, `expected 1 or 0, found ${number}.`);
}

function tokenOf(entry: RegistryEntry, place: string): unknown {
  const text = textOf(entry, place);
  try {
    return parsePolicyToken(entry.name, text);
  } catch (error) {
    throw new Refused(`${place}\\${entry.name}`, (error as Error).message);
  }
}

/** Carries out a part of the reading by itself; undefined where it is refused. */
type TryTo = <T>(work: () => T) => T | undefined;

/** The default value of a key means nothing in a policy, and editors write an empty one. */
const named = (key: RegistryContent): RegistryEntry[] => key.entries.filter(({ name }) => name !== '');

/** What a key below the policy's own sets; undefined where it is empty. */
function contentOf(kind: RegistryKind, key: RegistryContent, place: string, tryTo: TryTo): unknown {
  if (key.unreadable !== null) throw new Refused(place, `the key cannot be read (${key.unreadable}).`);
  const [inside] = key.keys;
  if (inside !== undefined) throw new Refused(`${place}\\${inside.name}`, 'unknown key.');
  const entries = named(key);
  if (entries.length === 0) return undefined;
  switch (kind) {
    case 'list':
      return entries.map((entry) => textOf(entry, place));
    case 'grants':
      return entries.map((entry) => ({ app: entry.name, tier: textOf(entry, place) }));
    case 'tokens':
      return entries.flatMap((entry) => tryTo(() => [tokenOf(entry, place)]) ?? []);
    default:
      return entries.flatMap((entry) => (switchOf(entry, place) ? [entry.name] : []));
  }
}

/** Reads one value or key of the table. Errors: Refused. */
function take(
  policy: Record<string, unknown>,
  row: RegistryValue,
  entry: RegistryEntry | RegistryContent,
  place: string,
  tryTo: TryTo,
) {
  if ('entries' in entry) {
    const content = contentOf(row.kind, entry, `${place}\\${row.name}`, tryTo);
    if (content !== undefined) put(policy, row.field, content);
    return;
  }
  const read = { switch: switchOf, number: numberOf }[row.kind as string] ?? textOf;
  put(policy, row.field, read(entry, place));
}

/** The registry's spelling of the part of the policy that an issue of the schema is about. */
function placeOfField(path: readonly PropertyKey[], place: string, content: RegistryContent): string {
  const dotted = path.filter((part) => typeof part === 'string').join('.');
  const row = REGISTRY_VALUES.find(({ field }) => dotted === field || dotted.startsWith(`${field}.`));
  if (row === undefined) return place;
  const index = path.find((part) => typeof part === 'number');
  const key = content.keys.find(({ name }) => same(name, row.name));
  if (!isKey(row) || key === undefined || index === undefined) return `${place}\\${row.name}`;
  const members = named(key).filter(({ value }) => row.kind !== 'set' || value === 1);
  return `${place}\\${row.name}\\${members[Number(index)]?.name ?? ''}`;
}

const problem = (reason: string): PolicyProblem => ({ severity: 'error', line: 0, column: 0, reason });

/** One hive. Never throws: what is wrong is in `refused`, a value at a time. */
function readHive(
  content: RegistryContent,
  isMachine: boolean,
): { policy: PolicyFile; refused: readonly Refusal[]; unknown: string[] } {
  const unknown: string[] = [];
  const refused: Refusal[] = [];
  const found: Record<string, unknown> = {};
  const place = content.name;
  const refuse = (file: string, reason: string, fields: Refusal['fields']): void =>
    void refused.push({ file, problems: [problem(reason)], layer: place, fields });
  const trying =
    (field: string): TryTo =>
    (work) => {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refuse(error.place, error.message, [field]);
        return undefined;
      }
    };
  if (content.unreadable !== null) refuse(place, `the key cannot be read (${content.unreadable}).`, null);
  for (const entry of [...named(content), ...content.keys]) {
    const row = REGISTRY_VALUES.find(({ name }) => same(name, entry.name));
    const isKeyFound = 'entries' in entry;
    if (row === undefined) {
      // A newer template's name must not stop the hosts of a fleet; a misspelt one is a limit that does not apply, and is reported.
      unknown.push(
        `${place}\\${entry.name}: unknown ${isKeyFound ? 'key' : 'value'}; this version has no such policy.`,
      );
      continue;
    }
    const tryTo = trying(row.field);
    tryTo(() => {
      if (isMachineOnly(row) && !isMachine) return;
      if (isKeyFound !== isKey(row))
        throw new Refused(
          `${place}\\${entry.name}`,
          isKey(row)
            ? 'expected a key with values, found a value.'
            : `expected a value (${VALUE_KINDS[row.kind]}), found a key.`,
        );
      take(found, row, entry, place, tryTo);
    });
  }
  const { valid, fields, issues } = validPart(found);
  for (const issue of issues) {
    const at = issue.path.reduce<unknown>(
      (value, part) =>
        value === null || typeof value !== 'object' ? value : (value as Record<PropertyKey, unknown>)[part],
      found,
    );
    const seen = typeof at === 'string' || typeof at === 'number' ? `, found ${shown(at)}` : '';
    const expected =
      issue.code === 'invalid_value'
        ? `expected ${issue.values.map(String).join(', ')}`
        : issue.message.replace(/^[A-Z]/, (letter) => letter.toLowerCase()).replace(/\.$/, '');
    refuse(placeOfField(issue.path, place, content), `${expected}${seen}.`, fields);
  }
  return { policy: valid, refused, unknown };
}

/** Both hives as layers of the policy. */
export function registryPolicy({ machine, user, writable }: PolicyRegistryContent): RegistryPolicy {
  const layers: RegistryLayer[] = [];
  const refused: Refusal[] = [];
  const unknown: string[] = [];
  for (const [content, why, isMachine] of [
    [machine, writable.machine, true],
    [user, writable.user, false],
  ] as const) {
    if (content === null) continue;
    const hive = readHive(content, isMachine);
    refused.push(...hive.refused);
    unknown.push(...hive.unknown);
    if (hive.refused.length > 0 || Object.keys(hive.policy).length > 0)
      layers.push({ name: content.name, policy: hive.policy, isAdministrators: why === null });
  }
  const writableKeys = [writable.machine, writable.user].filter((why) => why !== null);
  return { layers, refused, writable: writableKeys, unknown };
}
