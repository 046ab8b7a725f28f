// `uiahost fleet approvals|approve|deny`: the cards of a fleet's jobs, for its approver.
import type { CredentialFile } from '../fleet/bus/credential.ts';
import type { FleetApproval } from '../fleet/orchestrator/types.ts';
import { describeCard } from './approval-commands.ts';
import {
  credentialFlag,
  print,
  withFleet,
  type Add,
  type Answer,
  type Call,
  type CredentialFlags,
} from './fleet-command.ts';
import { FailedError, printable } from './output.ts';

/** As a proposal; the administrators write what they want. */
const WAIT_MS = 3_600_000;
/** What a name of a card has of its hash. */
const HASH_LETTERS = 20;

/** What the policy of a machine has of the fleet's approver. */
export async function approverPolicy(credential: CredentialFile) {
  const { publicKeyText } = await import('../fleet/bus/approval.ts');
  const { signerOfCredential } = await import('../fleet/bus/credential.ts');
  const publicKey = publicKeyText(signerOfCredential(credential));
  return { address: 'fleet:', name: credential.name, publicKey, waitMs: WAIT_MS };
}

/** By its hash too: who answers by this name has seen that card. */
const approvalName = ({ seat, question, digest }: FleetApproval): string =>
  `${seat}.${question.card.approvalId}.${digest.slice(0, HASH_LETTERS)}`;

function describeApproval(approval: FleetApproval): string {
  const { seat, job, question } = approval;
  const { host, card, picture } = question;
  const [covers] = card.covers ?? [];
  const lines = [
    approvalName(approval),
    `  on ${seat}: ${host.name}, ${host.user}, for the job ${job}`,
    ...(picture === null ? [] : [`  picture: uiahost fleet artifact ${seat} artifact://${picture}`]),
    ...(covers === undefined ? [] : [`  an approval covers: ${covers.text}`]),
  ];
  return `${printable(lines.join('\n'))}\n${describeCard(card)}`;
}

interface ApprovalFlags extends CredentialFlags {
  readonly follow?: boolean;
}

const showApprovals = (flags: ApprovalFlags, call: Call): Promise<Answer | null> =>
  withFleet(flags, async (open) => {
    const valueOf = (approval: FleetApproval) => ({ approval: approvalName(approval), ...approval });
    if (flags.follow !== true) {
      const waiting = await open.approvals();
      const text = waiting.length === 0 ? 'No card is waiting.' : waiting.map(describeApproval).join('\n');
      return { value: waiting.map(valueOf), text };
    }
    for await (const { seat, approvalId, approval } of open.watchApprovals()) {
      const ended = { value: { seat, approvalId, ended: true }, text: `${seat}.${approvalId}: ended` };
      print(call, approval === null ? ended : { value: valueOf(approval), text: describeApproval(approval) });
    }
    return null;
  });

const decideApproval = (
  decision: 'approve' | 'deny',
  name: string,
  flags: CredentialFlags,
  { output, isJson }: Call,
): Promise<Answer> =>
  withFleet(flags, async (open) => {
    const waiting = await open.approvals();
    const approval = waiting.find((each) => approvalName(each) === name);
    if (approval === undefined)
      throw new FailedError(
        `No card waits as ${name}.`,
        'List them: uiahost fleet approvals. A card that has changed has another name, and is to be read again.',
      );
    if (!isJson) output.err(describeApproval(approval));
    await open.decide(approval, decision);
    return { value: { approval: name, decision }, text: `The host took it: ${decision}.` };
  });

/** fleet approvals, approve, deny. */
export function addApproverCommands(add: Add): void {
  add('approvals', showApprovals)
    .description('list the cards that wait for the fleet’s approver')
    .addOption(credentialFlag('an approver'))
    .option('--follow', 'then each that comes or ends, until Ctrl+C');
  for (const decision of ['approve', 'deny'] as const)
    add(`${decision} <approval>`, (name: string, flags: CredentialFlags, call: Call) =>
      decideApproval(decision, name, flags, call),
    )
      .description(`${decision} a card, by its name in \`fleet approvals\`; waits until its host has taken the answer`)
      .addOption(credentialFlag('an approver'));
}
