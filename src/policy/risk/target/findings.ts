/** Collects the risk tags of one action, each with the first reason for it. */
import type { RiskTag } from '../../../contract/gate/permissions.ts';

/** Why a tag was set, in words for a person. */
export interface RiskEvidence {
  readonly tag: RiskTag;
  readonly text: string;
}

export class Findings {
  readonly evidence: RiskEvidence[] = [];
  readonly flags = new Set<string>();
  readonly #tags = new Set<RiskTag>();

  add(tag: RiskTag, text: string): void {
    if (this.#tags.has(tag)) return;
    this.#tags.add(tag);
    this.evidence.push({ tag, text });
  }

  has(tag: RiskTag): boolean {
    return this.#tags.has(tag);
  }

  get tags(): RiskTag[] {
    return [...this.#tags];
  }
}
