/** Reads and checks policy files, and applies merge patches to them. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { badInput } from '../../contract/errors.ts';
import { invalidArgument } from '../../contract/json/issues.ts';
import { MachineHost } from '../../contract/gate/machine-host.ts';
import { defaultPolicy, Level, Policy, Preset, presetPolicy } from '../../contract/gate/permissions.ts';
import {
  canonicalJson,
  parseStrictJsonSource,
  StrictJsonError,
  type StrictJsonSource,
} from '../../contract/json/strict-json.ts';

/** A policy as a file or a request body: every key is optional; `source` is set by the host and ignored here. */
export const PolicyFile = z
  .strictObject({
    $schema: z.string().max(1024).optional().describe('Address of this schema, for editors.'),
    ...Policy.partial().shape,
    approvals: Policy.shape.approvals.partial().optional(),
    limits: Policy.shape.limits.partial().optional(),
    retention: Policy.shape.retention.partial().optional(),
    host: MachineHost.optional(),
  })
  .describe(
    'Policy of uiahost. A policy without `level`, or with an unknown one, is disabled; other missing keys have their default values. Comments (// and /* */) are allowed.',
  );
export type PolicyFile = z.infer<typeof PolicyFile>;

/** JSON Schema of the policy file, for editors and for management tools. */
export function policyJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(PolicyFile, { io: 'input' }) as Record<string, unknown>;
}

/** One error or warning. Values of the registry have no line: then it is 0. */
export interface PolicyProblem {
  readonly severity: 'error' | 'warning';
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** What is not valid in a layer of the policy. */
export interface Refusal {
  /** Its file, or its registry value. */
  readonly file: string;
  readonly problems: readonly PolicyProblem[];
  /** The layer: its file or registry key. */
  readonly layer: string;
  /** The fields that are not valid, such as `limits.maxActions`; null where nothing of the layer could be read. */
  readonly fields: readonly string[] | null;
}

export interface PolicyCheck {
  /** Null where there is an error. */
  readonly file: PolicyFile | null;
  /** What is valid of it. */
  readonly valid: PolicyFile;
  /** As in a refusal; empty without an error. */
  readonly fields: readonly string[] | null;
  readonly problems: readonly PolicyProblem[];
}

/** The value at a path such as `limits.maxActions`. */
export const valueAt = (from: unknown, field: string): unknown =>
  field
    .split('.')
    .reduce<unknown>(
      (value, part) =>
        value === null || typeof value !== 'object' ? undefined : (value as Record<string, unknown>)[part],
      from,
    );

/** Puts a value at such a path. */
export function put(into: Record<string, unknown>, field: string, value: unknown): void {
  const [first = '', ...rest] = field.split('.');
  if (rest.length === 0) into[first] = value;
  else put((into[first] ??= {}) as Record<string, unknown>, rest.join('.'), value);
}

/** What is valid of a policy, each value and each token by itself, and the fields that are not. */
export function validPart(value: unknown): Omit<PolicyCheck, 'file' | 'problems'> & { issues: z.core.$ZodIssue[] } {
  const left = structuredClone(value) as PolicyFile;
  const fields = new Set<string>();
  let issues: z.core.$ZodIssue[] = [];
  for (;;) {
    const parsed = PolicyFile.safeParse(left);
    if (parsed.success) return { valid: parsed.data, fields: [...fields], issues };
    if (fields.size === 0) issues = parsed.error.issues;
    for (const issue of parsed.error.issues)
      for (const key of issue.code === 'unrecognized_keys' ? issue.keys : [null]) {
        const path = [...issue.path, ...(key === null ? [] : [key])].map(String);
        if (path.length === 0) return { valid: {}, fields: null, issues };
        const index = path.findIndex((part) => /^\d+$/.test(part));
        const cut = index < 0 ? path : path.slice(0, index + Number(path[1] === 'tokens'));
        fields.add(path.slice(0, index < 0 ? undefined : index).join('.'));
        const holder = cut.length === 1 ? left : valueAt(left, cut.slice(0, -1).join('.'));
        if (holder !== undefined) Reflect.deleteProperty(holder as object, cut.at(-1)!);
      }
    // Tokens were taken out by their place in the list.
    if (Array.isArray(left.host?.tokens)) left.host.tokens = left.host.tokens.filter(() => true);
  }
}

/** A layer in which what is not valid keeps its last value; a token has none. */
export function keepLast(now: PolicyFile, last: PolicyFile | null, refused: readonly Refusal[]): PolicyFile | null {
  if (refused.length === 0) return now;
  if (refused.some(({ fields }) => fields === null)) return last;
  const kept = structuredClone(now) as Record<string, unknown>;
  for (const field of refused.flatMap(({ fields }) => fields ?? [])) {
    const value = valueAt(last, field);
    if (value !== undefined) put(kept, field, value);
  }
  if (kept['host'] !== undefined) put(kept, 'host.tokens', now.host?.tokens ?? []);
  return kept;
}

/** Deepest nesting of a policy file; the schema has three levels. */
const MOST_DEPTH = 32;

/**
 * Checks the text of a policy file. An unknown level is not an error: it means disabled, with a warning, because
 * a misspelt level must not result in the default one.
 */
export function checkPolicyText(text: string): PolicyCheck {
  let source: StrictJsonSource;
  try {
    // Windows editors may begin the file with a byte order mark.
    source = parseStrictJsonSource(text.replace(/^\ufeff/, ''), { depth: MOST_DEPTH, comments: true });
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const problems = [{ severity: 'error' as const, ...error.place, reason: error.message }];
    return { file: null, valid: {}, fields: null, problems };
  }
  const problems: PolicyProblem[] = [];
  const warn = (path: readonly PropertyKey[], reason: string): void =>
    void problems.push({ severity: 'warning', ...source.placeOf(path), reason });
  let { value } = source;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const fields = value as Record<string, unknown>;
    if (!Object.hasOwn(fields, 'level')) warn([], 'There is no level, so everything is disabled.');
    else if (!Level.safeParse(fields['level']).success) {
      warn(['level'], `The level is none of ${Level.options.join(', ')}, so everything is disabled.`);
      value = { ...fields, level: 'disabled' };
    }
    for (const [index, entry] of (Array.isArray(fields['grants']) ? (fields['grants'] as unknown[]) : []).entries()) {
      const app = (entry as { app?: unknown } | null)?.app;
      if (typeof app === 'string' && !/[\\/!]/.test(app)) {
        warn(
          ['grants', index],
          `The bare name ${JSON.stringify(app.slice(0, 80))} matches only packaged apps and files in folders that only administrators can write; give the full path for others.`,
        );
      }
    }
  }
  const { valid, fields, issues } = validPart(value);
  for (const issue of issues) {
    const path =
      issue.code === 'unrecognized_keys' && issue.keys[0] !== undefined ? [...issue.path, issue.keys[0]] : issue.path;
    problems.push({
      severity: 'error',
      ...source.placeOf(path),
      reason: invalidArgument(new z.ZodError([issue]), value, PolicyFile).message,
    });
  }
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { file: issues.length === 0 ? valid : null, valid, fields, problems };
}

/** `policy.json:3:5: error: …`, one per line; for a value of the registry its key path and name instead of file and line. */
export function describeProblems(name: string, problems: readonly PolicyProblem[]): string {
  return problems
    .map(({ severity, line, column, reason }) =>
      line === 0 ? `${name}: ${severity}: ${reason}` : `${name}:${line}:${column}: ${severity}: ${reason}`,
    )
    .join('\n');
}

/** The complete policy that a file describes. `defaults` fills in what the file leaves out, except the level. */
export function completePolicy(file: PolicyFile, source: string, defaults: Policy = defaultPolicy()): Policy {
  const { $schema: _schema, source: _said, host: _host, approvals, limits, retention, ...rest } = file;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return Policy.parse({
    ...defaults,
    ...given,
    level: file.level ?? 'disabled',
    approvals: { ...defaults.approvals, ...approvals },
    limits: { ...defaults.limits, ...limits },
    retention: { ...defaults.retention, ...retention },
    source,
  });
}

const UserPolicy = PolicyFile.omit({ host: true });

/** Reads a request body as a policy. Errors: invalid_argument with a reason for each field. */
export function readPolicy(body: unknown): PolicyFile {
  const parsed = UserPolicy.safeParse(body);
  if (parsed.success) return parsed.data;
  throw invalidArgument(parsed.error, body, UserPolicy);
}

/** RFC 7396: members of the patch replace, objects merge, null removes. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const base =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? (target as Record<string, unknown>) : {};
  const merged = new Map<string, unknown>(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    if (key === '__proto__') throw badInput('The key "__proto__" is not allowed; nothing was changed.');
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/** A patch that names a preset sets what the preset does; the rest of the patch counts in addition. Errors: invalid_argument. */
export function withPreset(patch: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { preset, ...rest } = patch;
  if (preset === undefined) return rest;
  const parsed = Preset.safeParse(preset);
  if (!parsed.success)
    throw badInput(`There is no such preset; the presets are ${Preset.options.join(', ')}. Nothing was changed.`);
  return { ...presetPolicy(parsed.data), ...rest };
}

/** Strong entity tag of a policy: equal policies have equal tags. */
export function policyETag(policy: Policy): string {
  return `"${createHash('sha256').update(canonicalJson(policy)).digest('hex').slice(0, 32)}"`;
}

/** Whether an If-Match header (one tag, several, or `*`) names the tag. */
export function matchesETag(ifMatch: string, etag: string): boolean {
  return ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === etag);
}
