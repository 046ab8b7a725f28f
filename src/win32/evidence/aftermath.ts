/** What a delivery may do to the foreground, a moment after its effect. */
import type { BindingRecord } from '../../contract/binding.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import { followFocus } from './late-foreground.ts';
import { Deadline } from '../windows/waiting.ts';
import { startWitness, type Findings, type Witness } from '../windows/witness.ts';
import type { TreeNode } from '../elements/tree.ts';

/** Looks from before an action until a foreground that the program takes afterwards is seen, so that the outcome can say so. */
export interface Aftermath {
  readonly witness: Witness;
  /** Where nothing was sent to the program. */
  untouched(findings: Findings): Outcome;
  /** After something was: by which way, the findings say. */
  of(node: TreeNode, findings: Findings): Promise<Outcome>;
}

/**
 * A mouse message may activate its window; a program that shows another page gives it the focus, which on Wine brings the
 * whole window to the front. Both happen after the selection or the click itself. Any other way may move the focus as well,
 * which is looked at.
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
