/** The orders of levels, tiers, risk levels and integrity: which of two reaches further. Without zod: the worker imports this. */
import type { Level, RiskLevel, Tier } from './permissions.ts';

export const INTEGRITIES = ['untrusted', 'low', 'medium', 'high', 'system', 'unknown'] as const;
type Integrity = (typeof INTEGRITIES)[number];

/**
 * Whether a program runs with an administrator's rights: lists of windows and the risk of an action use the same
 * answer.
 */
export const isElevated = (integrity: Integrity): boolean => integrity === 'high' || integrity === 'system';

const LEVELS: Readonly<Record<Level, number>> = { disabled: 0, observe: 1, control: 2, full: 3 };
const TIERS: Readonly<Record<Tier, number>> = { read: 0, click: 1, full: 2 };
const RISK_LEVELS: Readonly<Record<RiskLevel, number>> = { low: 0, medium: 1, high: 2, critical: 3 };

export const levelReaches = (level: Level, needed: Level): boolean => LEVELS[level] >= LEVELS[needed];

export const tierReaches = (tier: Tier, needed: Tier): boolean => TIERS[tier] >= TIERS[needed];
export const higherTier = (a: Tier, b: Tier): Tier => (tierReaches(a, b) ? a : b);
export const lowerTier = (a: Tier, b: Tier): Tier => (tierReaches(a, b) ? b : a);

export const isHigherRisk = (a: RiskLevel, than: RiskLevel): boolean => RISK_LEVELS[a] > RISK_LEVELS[than];
export const higherRisk = (a: RiskLevel, b: RiskLevel): RiskLevel => (isHigherRisk(b, a) ? b : a);
