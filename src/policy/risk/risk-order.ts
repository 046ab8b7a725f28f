import { RiskLevel } from '../../contract/permissions.ts';

const ORDER: ReadonlyMap<RiskLevel, number> = new Map(RiskLevel.options.map((level, index) => [level, index]));
const rank = (level: RiskLevel): number => ORDER.get(level) ?? 0;

export function isHigherRisk(a: RiskLevel, than: RiskLevel): boolean {
  return rank(a) > rank(than);
}

export function higherRisk(a: RiskLevel, b: RiskLevel): RiskLevel {
  return rank(a) >= rank(b) ? a : b;
}
