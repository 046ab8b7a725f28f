/** Lists the differences between two policies, and which of them loosen one. */
import { addedPages } from '../../contract/gate/pages.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
import type { PolicyDifference } from '../../contract/gate/views.ts';
import { canonicalJson } from '../../contract/json/strict-json.ts';
import { levelReaches } from '../../contract/gate/orders.ts';

const added = (from: readonly string[], to: readonly string[]): string[] => to.filter((one) => !from.includes(one));

function compareLists(from: Policy, to: Policy, { loosened, narrowed }: PolicyDifference): void {
  const granted = ({ grants }: Policy): string[] => grants.map(({ app, tier }) => `${app} ${tier}`);
  loosened.push(...added(granted(from), granted(to)).map((grant) => `granted: ${grant}`));
  // Without its grant an application falls back to what the level allows, which may be more.
  loosened.push(...added(granted(to), granted(from)).map((grant) => `no longer granted: ${grant}`));
  const lists = [
    [from.flags, to.flags, 'flag given', 'flag removed'],
    [to.deny, from.deny, 'no longer denied', 'denied'],
    [to.alwaysAsk, from.alwaysAsk, 'no longer always asked', 'always asked'],
    [from.approvals.surfaces, to.approvals.surfaces, 'decisions are taken from', 'decisions are no longer taken from'],
  ] as const;
  for (const [less, more, looser, narrower] of lists) {
    loosened.push(...added(less, more).map((one) => `${looser}: ${one}`));
    narrowed.push(...added(more, less).map((one) => `${narrower}: ${one}`));
  }
  loosened.push(...addedPages(from.pages, to.pages).map((page) => `page allowed: ${page}`));
  narrowed.push(...addedPages(to.pages, from.pages).map((page) => `page no longer allowed: ${page}`));
}

function compareSwitches(from: Policy, to: Policy, { loosened, narrowed }: PolicyDifference): void {
  const switches = [
    [
      !from.elementsOnly,
      !to.elementsOnly,
      'points are allowed in addition to elements',
      'only elements are allowed, no points',
    ],
    [from.coordinateProposals, to.coordinateProposals, 'proposals may name points', 'proposals may not name points'],
    [
      from.remoteControlMemory,
      to.remoteControlMemory,
      'memory of other programs may be used to read their controls',
      'memory of other programs may not be used',
    ],
    [from.allowInsecureUrls, to.allowInsecureUrls, 'http: pages are allowed', 'http: pages are not allowed'],
  ] as const;
  for (const [before, after, looser, narrower] of switches) {
    if (!before && after) loosened.push(looser);
    if (before && !after) narrowed.push(narrower);
  }
}

/** A higher limit loosens. So do fewer days that a record is kept: they destroy evidence sooner. */
function compareNumbers(from: Policy, to: Policy, { loosened, narrowed }: PolicyDifference): void {
  const numbers = [
    ['actions a minute', ({ limits }: Policy) => limits.actionsPerMinute, 'no limit', loosened],
    ['actions a session', ({ limits }: Policy) => limits.maxActions, 'no limit', loosened],
    ['milliseconds a session', ({ limits }: Policy) => limits.maxDurationMs, 'no limit', loosened],
    ['days that the audit is kept', ({ retention }: Policy) => retention.auditDays, 'all', narrowed],
    ['days that the pictures are kept', ({ retention }: Policy) => retention.pictureDays, 'all', narrowed],
    ['days that the sessions are kept', ({ retention }: Policy) => retention.sessionDays, 'all', narrowed],
  ] as const;
  for (const [name, valueIn, none, ifMore] of numbers) {
    const [before, after] = [valueIn(from), valueIn(to)];
    if (before === after) continue;
    const isMore = (after ?? Infinity) > (before ?? Infinity);
    const ifLess = ifMore === loosened ? narrowed : loosened;
    (isMore ? ifMore : ifLess).push(`${name}: ${before ?? none} → ${after ?? none}`);
  }
}

/** All differences between two policies, each in words for a person; `source` is not a setting. */
export function comparePolicies(from: Policy, to: Policy): PolicyDifference {
  const points: PolicyDifference = { loosened: [], narrowed: [], other: [] };
  if (from.level !== to.level)
    (levelReaches(from.level, to.level) ? points.narrowed : points.loosened).push(`level: ${from.level} → ${to.level}`);
  compareLists(from, to, points);
  compareSwitches(from, to, points);
  compareNumbers(from, to, points);
  if (from.keepPictures !== to.keepPictures)
    points.other.push(to.keepPictures ? 'pictures are kept' : 'pictures are not kept');
  if (from.approvals.timeoutMs !== to.approvals.timeoutMs)
    points.other.push(`milliseconds that a card waits: ${from.approvals.timeoutMs} → ${to.approvals.timeoutMs}`);
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
