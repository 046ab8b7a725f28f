// `uiahost approvals`: list, watch and decide cards, and let paused agents ask again.
import { InvalidArgumentError, Option, type Command } from 'commander';
import { ApprovalScope, type ApprovalCard, type AskPause } from '../contract/gate/approval.ts';
import {
  denialWords,
  cellLines,
  cellsPlace,
  pageLines,
  programWords,
  reasonsOfHost,
} from '../contract/gate/card-lines.ts';
import { UiaHostClient } from '../client/client.ts';
import { globalsOf, type CliContext } from './flags.ts';
import { printable } from './output.ts';

export function describeCard(card: ApprovalCard): string {
  const lines = [
    `${card.approvalId}  ${card.status}  ${card.riskLevel}${card.riskTags.length > 0 ? ` (${card.riskTags.join(', ')})` : ''}`,
    `  ${card.summary}`,
    ...(card.page === null
      ? []
      : pageLines(card.page).map((line, index) => `  ${index === 0 ? line.replace(/^Page /, 'page: ') : line}`)),
    ...(card.app === null ? [] : [`  program: ${programWords(card.app.bundleId, card.app.displayName)}`]),
    ...(card.window === null
      ? []
      : [`  window: ${JSON.stringify(card.window.title)} (hwnd ${card.window.hwnd}, process ${card.window.pid})`]),
    ...(card.element === null ? [] : [`  element: [${card.element.role}] ${JSON.stringify(card.element.name)}`]),
    ...(card.owner === null ? [] : [`  asked by: ${card.owner}`]),
    ...reasonsOfHost(card).map((text) => `  why: ${text}`),
    ...(card.cells ?? []).flatMap((cells) => [
      `  cells: ${cellsPlace(cells)}`,
      ...cellLines(cells).map((line) => `    ${line}`),
    ]),
    `  arguments: ${JSON.stringify(card.arguments)}`,
    ...card.why.filter(({ kind }) => kind === 'proposer').map(({ text }) => `  from the agent: ${text}`),
    ...(card.proposerReason === null ? [] : [`  the agent says: ${JSON.stringify(card.proposerReason)}`]),
    card.status === 'pending'
      ? `  expires ${card.expiresAt}; no answer means no`
      : card.status === 'denied' || card.status === 'expired'
        ? `  ${denialWords(card.decidedBy)}`
        : card.status === 'cancelled'
          ? `  withdrawn before anyone decided (${card.decidedBy ?? 'no reason known'})`
          : `  decided by ${card.decidedBy ?? 'no one'}`,
  ];
  return printable(lines.join('\n'));
}

const describePause = ({ owner, reason, until }: AskPause): string =>
  `${owner} cannot ask for approval ${until === null ? '' : `until ${until}, or `}until you run \`uiahost approvals lift ${owner}\`: ${reason === 'denied-all' ? 'all its requests were denied' : 'three of its cards in a row were denied or left unanswered'}.`;

function wholeMinutes(text: string): number {
  const minutes = Number(text);
  if (!Number.isInteger(minutes) || minutes < 1) throw new InvalidArgumentError('Expected whole minutes, at least 1.');
  return minutes;
}

/** Prints cards as they arrive and are decided, until Ctrl+C. */
async function watch(context: CliContext, json: boolean): Promise<void> {
  const connection = await context.connect();
  for await (const card of connection.approvals()) context.output.out(json ? JSON.stringify(card) : describeCard(card));
}

/** A Tab key waits for no longer than this. */
const COMPLETES_WITHIN_MS = 1000;

/** Ids of the cards that wait, for completion: empty where no host answers in time. */
export async function waitingApprovals(env: NodeJS.ProcessEnv): Promise<string[]> {
  try {
    const client = await UiaHostClient.connect({ env, timeoutMs: COMPLETES_WITHIN_MS });
    const { approvals } = await client.listApprovals({ status: 'pending' });
    return approvals.map(({ approvalId }) => approvalId);
  } catch {
    return [];
  }
}

/** approvals [watch|approve|deny|pauses|lift]. */
export function addApprovalCommands(program: Command, context: CliContext): void {
  const approvals = program
    .command('approvals')
    .description('list the cards that wait for an answer')
    .helpGroup('A person in control:')
    .option('--all', 'include decided cards')
    .action(async (flags: { all?: boolean }, command: Command) => {
      const text = await (
        await context.connect()
      ).text('GET', `/v1/approvals?status=${flags.all === true ? 'all' : 'pending'}`, { scope: 'operator' });
      const list = JSON.parse(text) as { approvals: ApprovalCard[] };
      if (globalsOf(command).json) context.output.out(text);
      else
        context.output.out(
          list.approvals.length === 0 ? 'No card is waiting.' : list.approvals.map(describeCard).join('\n'),
        );
    });

  approvals
    .command('watch')
    .description('print cards as they arrive and are decided, until Ctrl+C')
    .action(async (_flags: unknown, command: Command) => watch(context, globalsOf(command).json));

  for (const decision of ['approve', 'deny'] as const) {
    const isDeny = decision === 'deny';
    const command = approvals
      .command(isDeny ? 'deny [approvalId]' : 'approve <approvalId>')
      .description(isDeny ? 'deny a card, or everything that an agent asks' : 'approve a card');
    if (isDeny)
      command.option(
        '--all-of <owner>',
        'instead of one card, deny everything from this agent (token/session, as on its cards); it cannot ask again until `approvals lift`',
      );
    if (decision === 'approve') {
      command.addOption(new Option('--scope <scope>', 'what the approval covers').choices(ApprovalScope.options));
      command.addOption(
        new Option('--minutes <number>', 'with --scope window: how long it lasts').argParser(wholeMinutes),
      );
    }
    command.action(
      async (
        approvalId: string | undefined,
        flags: { scope?: string; minutes?: number; allOf?: string },
        self: Command,
      ) => {
        const { scope, minutes, allOf } = flags;
        if ((approvalId === undefined) === (allOf === undefined))
          throw new InvalidArgumentError('Give one card, or --all-of with an agent.');
        if (approvalId === undefined) {
          const answer = await (
            await context.connect()
          ).text('POST', '/v1/approval-pauses', { scope: 'operator', body: { owner: allOf } });
          const { pause, denied } = JSON.parse(answer) as { pause: AskPause; denied: string[] };
          context.output.out(
            globalsOf(self).json ? answer : `Denied ${denied.length} open cards. ${describePause(pause)}`,
          );
          return;
        }
        const text = await (
          await context.connect()
        ).text('POST', `/v1/approvals/${encodeURIComponent(approvalId)}`, {
          scope: 'operator',
          body: { decision, ...(scope === undefined ? {} : { scope }), ...(minutes === undefined ? {} : { minutes }) },
        });
        context.output.out(globalsOf(self).json ? text : describeCard(JSON.parse(text) as ApprovalCard));
      },
    );
  }

  approvals
    .command('pauses')
    .description('list the agents that cannot ask for approval')
    .action(async (_flags: unknown, command: Command) => {
      const text = await (await context.connect()).text('GET', '/v1/approval-pauses', { scope: 'operator' });
      const { pauses } = JSON.parse(text) as { pauses: AskPause[] };
      context.output.out(
        globalsOf(command).json
          ? text
          : pauses.length === 0
            ? 'Every agent may ask.'
            : pauses.map(describePause).join('\n'),
      );
    });

  approvals
    .command('lift')
    .argument('<owner>', 'token/session, or a token with all its sessions')
    .description('let an agent ask again')
    .action(async (owner: string, _flags: unknown, command: Command) => {
      const text = await (
        await context.connect()
      ).text('POST', '/v1/approval-pauses/lift', { scope: 'operator', body: { owner } });
      context.output.out(globalsOf(command).json ? text : `${owner} may ask again.`);
    });
}
