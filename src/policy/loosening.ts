import { addedPages } from '../contract/pages.ts';
import type { Policy } from '../contract/permissions.ts';
import { canonicalJson } from './digest.ts';
import { levelReaches } from './levels.ts';

const added = (from: readonly string[], to: readonly string[]): string[] => to.filter((one) => !from.includes(one));

/**
 * What a changed policy allows that the present one does not, each in words for a person; empty where it only narrows.
 * Any change of the grants counts: without its grant an application falls back to what the level gives, which may be more.
 */
export function loosened(from: Policy, to: Policy): string[] {
  const found: string[] = [];
  const raised = (name: string, before: number | null, after: number | null): void => {
    if ((after ?? Infinity) > (before ?? Infinity)) found.push(`${name}: ${before} → ${after ?? 'no limit'}`);
  };
  if (!levelReaches(from.level, to.level)) found.push(`level: ${from.level} → ${to.level}`);
  if (canonicalJson(from.grants) !== canonicalJson(to.grants)) found.push(`grants: ${to.grants.map(({ app, tier }) => `${app} ${tier}`).join(', ') || 'none'}`);
  for (const flag of added(from.flags, to.flags)) found.push(`flag given: ${flag}`);
  for (const app of added(to.deny, from.deny)) found.push(`no longer denied: ${app}`);
  for (const kind of added(to.alwaysAsk, from.alwaysAsk)) found.push(`no longer always asked: ${kind}`);
  for (const surface of added(from.approvals.surfaces, to.approvals.surfaces)) found.push(`decisions are taken from: ${surface}`);
  if (from.elementsOnly && !to.elementsOnly) found.push('points are allowed beside elements');
  if (!from.coordinateProposals && to.coordinateProposals) found.push('proposals may name points');
  if (!from.remoteControlMemory && to.remoteControlMemory) found.push('memory of other programs may be used to read their controls');
  if (!from.allowInsecureUrls && to.allowInsecureUrls) found.push('http: pages are allowed');
  for (const page of addedPages(from.pages, to.pages)) found.push(`page allowed: ${page}`);
  raised('actions a minute', from.limits.actionsPerMinute, to.limits.actionsPerMinute);
  raised('actions a session', from.limits.maxActions, to.limits.maxActions);
  raised('milliseconds a session', from.limits.maxDurationMs, to.limits.maxDurationMs);
  return found;
}
