import type { Tier } from '../../contract/permissions.ts';

const ORDER: Readonly<Record<Tier, number>> = { read: 0, click: 1, full: 2 };

export function tierReaches(tier: Tier, needed: Tier): boolean {
  return ORDER[tier] >= ORDER[needed];
}

export const higherTier = (a: Tier, b: Tier): Tier => (tierReaches(a, b) ? a : b);
export const lowerTier = (a: Tier, b: Tier): Tier => (tierReaches(a, b) ? b : a);
