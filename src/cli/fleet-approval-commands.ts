// `uiahost fleet approvals|approve|deny`: the cards of a fleet's jobs, for its approver.
import { Option, type Command } from 'commander';
import type { CredentialFile } from '../fleet/bus/credential.ts';
import type { Fleet, FleetApproval } from '../fleet/orchestrator/types.ts';
import { describeCard } from './approval-commands.ts';
import { globalsOf, type CliContext } from './flags.ts';
import { FailedError, printable } from './output.ts';

/** Works with the fleet, and closes it. */
type WithFleet = (flags: { credential: string }, work: (fleet: Fleet) => Promise<void>) => Promise<void>;

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

interface ApprovalFlags {
  readonly credential: string;
  readonly follow?: boolean;
}

async function showApprovals(
  withFleet: WithFleet,
  { follow, ...flags }: ApprovalFlags,
  { output }: CliContext,
  isJson: boolean,
): Promise<void> {
  const show = (approval: FleetApproval): string =>
    isJson ? JSON.stringify({ approval: approvalName(approval), ...approval }) : describeApproval(approval);
  await withFleet(flags, async (open) => {
    if (follow !== true) {
      const waiting = await open.approvals();
      if (isJson) return output.out(`[${waiting.map(show).join()}]`);
      return output.out(waiting.length === 0 ? 'No card is waiting.' : waiting.map(show).join('\n'));
    }
    for await (const { seat, approvalId, approval } of open.watchApprovals())
      if (approval !== null) output.out(show(approval));
      else output.out(isJson ? JSON.stringify({ seat, approvalId, ended: true }) : `${seat}.${approvalId}: ended`);
  });
}

async function decideApproval(
  withFleet: WithFleet,
  { name, decision }: { readonly name: string; readonly decision: 'approve' | 'deny' },
  flags: ApprovalFlags,
  { output }: CliContext,
  isJson: boolean,
): Promise<void> {
  await withFleet(flags, async (open) => {
    const waiting = await open.approvals();
    const approval = waiting.find((each) => approvalName(each) === name);
    if (approval === undefined)
      throw new FailedError(
        `No card waits as ${name}.`,
        'List them: uiahost fleet approvals. A card that has changed has another name, and is to be read again.',
      );
    if (!isJson) output.err(describeApproval(approval));
    await open.decide(approval, decision);
  });
  output.out(isJson ? JSON.stringify({ approval: name, decision }) : `The host took it: ${decision}.`);
}

/** fleet approvals, approve, deny. */
export function addApproverCommands(fleet: Command, context: CliContext, withFleet: WithFleet): void {
  const credential = (): Option =>
    new Option('--credential <file>', 'the credential of an approver').makeOptionMandatory();
  fleet
    .command('approvals')
    .description('list the cards that wait for the fleet’s approver')
    .addOption(credential())
    .option('--follow', 'then each that comes or ends, until Ctrl+C')
    .action((flags: ApprovalFlags, command: Command) =>
      showApprovals(withFleet, flags, context, globalsOf(command).json),
    );
  for (const decision of ['approve', 'deny'] as const)
    fleet
      .command(`${decision} <approval>`)
      .description(`${decision} a card, by its name in \`fleet approvals\`; waits until its host has taken the answer`)
      .addOption(credential())
      .action((name: string, flags: ApprovalFlags, command: Command) =>
        decideApproval(withFleet, { name, decision }, flags, context, globalsOf(command).json),
      );
}
