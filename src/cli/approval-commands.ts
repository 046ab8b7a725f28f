// `uiahost approvals`: list, watch and decide cards, and let paused agents ask again.
import { Option, type Command } from 'commander';
import { ApprovalScope, type ApprovalCard, type AskPause } from '../contract/gate/approval.ts';
import {
  denialWords,
  cellLines,
  cellsPlace,
  pageLines,
  programWords,
  reasonsOfHost,
} from '../contract/gate/card-lines.ts';
import { addRouteCommand, globalsOf, whole, type RouteCall, type CliContext } from './flags.ts';
import { printable, UsageError } from './output.ts';

function describeCard(card: ApprovalCard): string {
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

/** Prints cards as they arrive and are decided, until Ctrl+C. */
async function watch(context: CliContext, json: boolean): Promise<void> {
  const connection = await context.connect();
  for await (const card of connection.approvals()) context.output.out(json ? JSON.stringify(card) : describeCard(card));
}

const describePauses = (pauses: readonly AskPause[]): string =>
  pauses.length === 0 ? 'Every agent may ask.' : pauses.map(describePause).join('\n');

interface DenyFlags {
  readonly allOf?: string;
}

/** approvals [watch|approve|deny|pauses|lift]. */
export function addApprovalCommands(program: Command, context: CliContext): void {
  const approvals = addRouteCommand(program, context, {
    usage: 'approvals',
    about: 'list the cards that wait for an answer',
    ask: ({ host, flags }: RouteCall<{ all?: boolean }>) =>
      host.listApprovals({ status: flags.all === true ? 'all' : 'pending' }),
    show: ({ approvals: cards }) => (cards.length === 0 ? 'No card is waiting.' : cards.map(describeCard).join('\n')),
  })
    .helpGroup('A person in control:')
    .option('--all', 'include decided cards');

  approvals
    .command('watch')
    .description('print cards as they arrive and are decided, until Ctrl+C')
    .action(async (_flags: unknown, command: Command) => watch(context, globalsOf(command).json));

  addRouteCommand(approvals, context, {
    usage: 'approve <approvalId>',
    about: 'approve a card',
    ask: ({ host, words: [id], flags }: RouteCall<{ scope?: ApprovalScope; minutes?: number }>) =>
      host.decideApproval(id, { decision: 'approve', ...flags }),
    show: describeCard,
  })
    .addOption(new Option('--scope <scope>', 'what the approval covers').choices(ApprovalScope.options))
    .addOption(new Option('--minutes <number>', 'with --scope window: how long it lasts').argParser(whole(1, 480)));

  addRouteCommand(approvals, context, {
    usage: 'deny [approvalId]',
    about: 'deny a card, or everything that an agent asks',
    ask: async ({ host, words: [id], flags: { allOf: owner } }: RouteCall<DenyFlags>) =>
      owner === undefined ? host.decideApproval(id, { decision: 'deny' }) : host.denyAllOfAgent({ owner }),
    show: (answer) =>
      'pause' in answer
        ? `Denied ${answer.denied.length} open cards. ${describePause(answer.pause)}`
        : describeCard(answer),
  })
    .option(
      '--all-of <owner>',
      'instead of one card, deny everything from this agent (token/session, as on its cards); it cannot ask again until `approvals lift`',
    )
    .hook('preAction', (deny) => {
      if ((deny.args.length === 0) === (deny.opts<DenyFlags>().allOf === undefined))
        throw new UsageError('Give one card, or --all-of with an agent.');
    });

  addRouteCommand(approvals, context, {
    usage: 'pauses',
    about: 'list the agents that cannot ask for approval',
    ask: ({ host }) => host.listApprovalPauses(),
    show: ({ pauses }) => describePauses(pauses),
  });

  addRouteCommand(approvals, context, {
    usage: 'lift',
    about: 'let an agent ask again',
    ask: ({ host, words: [owner] }) => host.liftApprovalPause({ owner }),
    show: (_answer, { words: [owner] }) => `${owner} may ask again.`,
  }).argument('<owner>', 'token/session, or a token with all its sessions');
}
