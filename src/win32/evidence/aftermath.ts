/** Watches what a delivery does to the foreground, a moment after its effect. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import { followFocus } from './late-foreground.ts';
import { Deadline } from '../windows/waiting.ts';
import { startWitness, type Findings, type Witness } from '../windows/witness.ts';
import type { TreeNode } from '../elements/tree/tree.ts';

/**
 * Watches from before an action until the program takes the foreground afterwards, so that the outcome can report it.
 */
export interface Aftermath {
  readonly witness: Witness;
  /** For an action that sent nothing to the program. */
  untouched(findings: Findings): Outcome;
  /** For an action that succeeded; the findings name the method. */
  of(node: TreeNode, findings: Findings): Promise<Outcome>;
}

/**
 * A mouse message may activate its window; a program that switches pages focuses the new one, which on Wine brings the
 * whole window to the front. Both happen after the selection or click itself. Any other method may move the focus too,
 * which is checked.
 */
export function startAftermath(record: BindingRecord, call: CallContext): Aftermath {
  const witness = startWitness();
  const followed = followFocus(record, witness, call, new Deadline(call));
  return {
    witness,
    untouched: (findings) => witness.outcome(findings),
    of: ({ locator }, findings) =>
      followed(
        witness.outcome(findings),
        findings.delivery === 'posted' || (locator.kind === 'item' && locator.item === 'tab-item'),
      ),
  };
}
