/** Every setting of the policy, a row each: how it narrows, and both directions in words. From it policies are narrowed and compared. */
import { addedPages, commonPages } from '../../contract/gate/pages.ts';
import { AlwaysAsk, type Grant, type Policy } from '../../contract/gate/permissions.ts';
import type { PolicyDifference } from '../../contract/gate/views.ts';
import { canonicalJson } from '../../contract/json/strict-json.ts';
import { levelReaches, lowerTier } from '../../contract/gate/orders.ts';
import { type PolicyFile, put, valueAt } from './policy-file.ts';

/** Limits and days may be null: no limit, and records that are kept for good. Null pages are all. */
type Value = boolean | number | null | readonly string[];

/** What a setting is where both policies have one. `isBelieved`: only administrators can change the second. */
const NARROWED = {
  fewer: (own: string[], given: string[]) => own.filter((one) => given.includes(one)),
  more: (own: string[], given: string[]) => [...new Set([...own, ...given])],
  pages: commonPages,
  on: (own: boolean, given: boolean) => own || given,
  off: (own: boolean, given: boolean) => own && given,
  least: (own: number | null, given: number | null) =>
    own === null || given === null ? (own ?? given) : Math.min(own, given),
  // Administrators decide in both directions; what others can change keeps records longer only.
  days: (own: number | null, given: number | null, isBelieved: boolean) =>
    isBelieved || (given ?? Infinity) >= (own ?? Infinity) ? given : own,
} as const;

type Nested = 'approvals' | 'limits' | 'retention';
type Setting =
  | Exclude<keyof Policy, 'level' | 'grants' | 'source' | Nested>
  | { [N in Nested]: `${N}.${keyof Policy[N] & string}` }[Nested];
/** `narrowest`: what a value counts as that is not valid; records are kept longest; undefined: the level is disabled. A number has its name and the word for none. */
type Rule = readonly [how: keyof typeof NARROWED, narrowest: Value | undefined, looser: string, narrower: string];

const RULES: Readonly<Record<Setting, Rule>> = {
  flags: ['fewer', [], 'flag given', 'flag removed'],
  deny: ['more', undefined, 'no longer denied', 'denied'],
  alwaysAsk: ['more', AlwaysAsk.options, 'no longer always asked', 'always asked'],
  'approvals.surfaces': ['fewer', [], 'decisions are taken from', 'decisions are no longer taken from'],
  pages: ['pages', [], 'page allowed', 'page no longer allowed'],
  elementsOnly: ['on', true, 'points are allowed in addition to elements', 'only elements are allowed, no points'],
  coordinateProposals: ['off', false, 'proposals may name points', 'proposals may not name points'],
  remoteControlMemory: [
    'off',
    false,
    'memory of other programs may be used to read their controls',
    'memory of other programs may not be used',
  ],
  allowInsecureUrls: ['off', false, 'http: pages are allowed', 'http: pages are not allowed'],
  'limits.actionsPerMinute': ['least', 1, 'actions a minute', 'no limit'],
  'limits.maxActions': ['least', 1, 'actions a session', 'no limit'],
  'limits.maxDurationMs': ['least', 1000, 'milliseconds a session', 'no limit'],
  'retention.auditDays': ['days', null, 'days that the audit is kept', 'all'],
  'retention.pictureDays': ['days', 3650, 'days that the pictures are kept', 'all'],
  'retention.sessionDays': ['days', 3650, 'days that the sessions are kept', 'all'],
  keepPictures: ['off', false, 'pictures are kept', 'pictures are not kept'],
  'approvals.timeoutMs': ['least', 1000, 'milliseconds that a card waits', 'no limit'],
};
const ROWS = Object.entries(RULES);
/** They let an agent do neither more nor less. */
const NEITHER: ReadonlySet<string> = new Set<Setting>(['keepPictures', 'approvals.timeoutMs']);
/** More of these is narrower: so are more days that a record is kept, as fewer destroy evidence sooner. */
const NARROWS_BY_MORE: ReadonlySet<string> = new Set<Rule[0]>(['more', 'on', 'days']);

const sameApp = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

/** A grant counts only if both policies spell the application the same way: another spelling can grant less, never more. */
const commonGrants = (own: readonly Grant[], allowed: readonly Grant[]): Grant[] =>
  own.flatMap(({ app, tier }) => {
    const most = allowed.find((grant) => sameApp(grant.app, app));
    return most === undefined ? [] : [{ app, tier: lowerTier(tier, most.tier) }];
  });

/**
 * A user's policy, narrowed by the administrator's for the machine. Only what the administrator's file sets counts, and it only
 * narrows: the lower level, the longer lists of what is denied or needs approval, the smaller limits, and the user's
 * grants that it also names, at the lower tier.
 * A machine file with a missing or unknown level means disabled, as in any other policy. In the registry (`isPartial`) a missing
 * level sets nothing, as every other missing value.
 */
export function narrowPolicy(
  user: Policy,
  machine: PolicyFile,
  {
    isPartial = false,
    by = "the machine's policy",
    isBelieved = false,
  }: { isPartial?: boolean; by?: string; isBelieved?: boolean } = {},
): Policy {
  const level = machine.level ?? (isPartial ? user.level : 'disabled');
  const narrowed: Policy = {
    ...structuredClone(user),
    level: levelReaches(level, user.level) ? user.level : level,
    grants: machine.grants === undefined ? user.grants : commonGrants(user.grants, machine.grants),
    source: `${user.source}, narrowed by ${by}`,
  };
  for (const [setting, [how]] of ROWS) {
    const given = valueAt(machine, setting);
    if (given !== undefined)
      put(narrowed, setting, NARROWED[how](valueAt(user, setting) as never, given as never, isBelieved));
  }
  return narrowed;
}

/** What fields that are not valid count as. Another approver's cards would fall to the person who sits here: no card is decided. */
export function narrowestOf(fields: readonly string[]): PolicyFile {
  const narrowest: Record<string, unknown> = {};
  for (const field of fields) {
    const given = /^host(\.approver|$)/.test(field) ? 'approvals.surfaces' : field;
    if (['level', 'grants', 'deny'].includes(given)) narrowest['level'] = 'disabled';
    for (const [setting, [, value]] of ROWS)
      if (value !== undefined && `${setting}.`.startsWith(`${given}.`)) put(narrowest, setting, value);
  }
  return structuredClone(narrowest);
}

const added = (from: readonly string[], to: readonly string[]): string[] => to.filter((one) => !from.includes(one));

/** What of a setting is looser, and what is narrower, each in words for a person. */
function differences([how, , looser, narrower]: Rule, from: Value, to: Value): readonly [string[], string[]] {
  const [less, more] = NARROWS_BY_MORE.has(how) ? [to, from] : [from, to];
  if (typeof less === 'boolean')
    return [!less && more === true ? [looser] : [], less && more === false ? [narrower] : []];
  if (typeof less === 'object' && typeof more === 'object' && how !== 'least' && how !== 'days') {
    const lists =
      how === 'pages' ? [addedPages(less, more), addedPages(more, less)] : [added(less!, more!), added(more!, less!)];
    return [lists[0]!.map((one) => `${looser}: ${one}`), lists[1]!.map((one) => `${narrower}: ${one}`)];
  }
  if (from === to) return [[], []];
  const change = [`${looser}: ${from ?? narrower} → ${to ?? narrower}`];
  return (less ?? Infinity) < (more ?? Infinity) ? [change, []] : [[], change];
}

/** All differences between two policies, each in words for a person; `source` is not a setting. */
export function comparePolicies(from: Policy, to: Policy): PolicyDifference {
  const points: PolicyDifference = { loosened: [], narrowed: [], other: [] };
  if (from.level !== to.level)
    (levelReaches(from.level, to.level) ? points.narrowed : points.loosened).push(`level: ${from.level} → ${to.level}`);
  const granted = ({ grants }: Policy): string[] => grants.map(({ app, tier }) => `${app} ${tier}`);
  points.loosened.push(...added(granted(from), granted(to)).map((grant) => `granted: ${grant}`));
  // Without its grant an application falls back to what the level allows, which may be more.
  points.loosened.push(...added(granted(to), granted(from)).map((grant) => `no longer granted: ${grant}`));
  for (const [setting, rule] of ROWS) {
    const [looser, narrower] = differences(rule, valueAt(from, setting) as Value, valueAt(to, setting) as Value);
    const isNeither = NEITHER.has(setting);
    (isNeither ? points.other : points.loosened).push(...looser);
    (isNeither ? points.other : points.narrowed).push(...narrower);
  }
  const opensAll = ({ level, alwaysAsk }: Policy): boolean => level === 'full' && alwaysAsk.length === 0;
  if (opensAll(to) && !opensAll(from)) points.loosened.push('no longer asked: browsers and trading programs');
  // Only a list's order is not covered by the words above.
  const isNamed = points.loosened.length + points.narrowed.length + points.other.length > 0;
  if (!isNamed && canonicalJson({ ...from, source: '' }) !== canonicalJson({ ...to, source: '' }))
    points.other.push('the order of a list');
  return points;
}

/** What a changed policy allows and the present one does not; empty if it only narrows. Any change to the grants counts. */
export function loosened(from: Policy, to: Policy): readonly string[] {
  return comparePolicies(from, to).loosened;
}
