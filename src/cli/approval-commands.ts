import { InvalidArgumentError, Option, type Command } from 'commander';
import { ApprovalScope, type ApprovalCard } from '../contract/approval.ts';
import { pageLines } from '../contract/card-lines.ts';
import { globalsOf, type CliContext } from './context.ts';
import { openStream } from './events.ts';
import { printable } from './output.ts';

function describeCard(card: ApprovalCard): string {
  const lines = [
    `${card.approvalId}  ${card.status}  ${card.riskLevel}${card.riskTags.length > 0 ? ` (${card.riskTags.join(', ')})` : ''}`,
    `  ${card.summary}`,
    ...card.why.map((reason) => `  why: ${reason.text}`),
    ...(card.proposerReason === null ? [] : [`  the agent says: ${JSON.stringify(card.proposerReason)}`]),
    ...(card.page === null ? [] : pageLines(card.page).map((line, index) => `  ${index === 0 ? line.replace(/^Page /, 'page: ') : line}`)),
    ...(card.app === null ? [] : [`  program: ${card.app.displayName} (${card.app.bundleId})`]),
    ...(card.window === null ? [] : [`  window: ${JSON.stringify(card.window.title)} (hwnd ${card.window.hwnd}, process ${card.window.pid})`]),
    ...(card.element === null ? [] : [`  element: [${card.element.role}] ${JSON.stringify(card.element.name)}`]),
    `  arguments: ${JSON.stringify(card.arguments)}`,
    card.status === 'pending' ? `  until ${card.expiresAt}; counts as no afterwards` : `  decided by ${card.decidedBy ?? 'nobody'}`,
  ];
  return printable(lines.join('\n'));
}

function wholeMinutes(text: string): number {
  const minutes = Number(text);
  if (!Number.isInteger(minutes) || minutes < 1) throw new InvalidArgumentError('Expected whole minutes, at least 1.');
  return minutes;
}

/** Cards as they come and are decided, until Ctrl+C. */
async function watch(context: CliContext, json: boolean): Promise<void> {
  const connection = await context.connect();
  const print = (card: ApprovalCard): void => context.output.out(json ? JSON.stringify(card) : describeCard(card));
  const events = await openStream(connection, '/v1/events', { scope: 'operator' });
  const { approvals } = await connection.json<{ approvals: ApprovalCard[] }>('GET', '/v1/approvals', { scope: 'operator' });
  for (const card of approvals) print(card);
  const shown = new Set(approvals.map((card) => card.approvalId + card.status));
  for await (const { type, data } of events) {
    const card = (data as { card?: ApprovalCard }).card;
    if (!type.startsWith('approval.') || card === undefined || shown.has(card.approvalId + card.status)) continue;
    shown.add(card.approvalId + card.status);
    print(card);
  }
}

/** approvals [watch|approve|deny]. */
export function addApprovalCommands(program: Command, context: CliContext): void {
  const approvals = program.command('approvals').description('the cards that wait for a person').helpGroup('A person in control:')
    .option('--all', 'decided ones as well')
    .action(async (flags: { all?: boolean }, command: Command) => {
      const text = await (await context.connect()).text('GET', `/v1/approvals?status=${flags.all === true ? 'all' : 'pending'}`, { scope: 'operator' });
      const list = JSON.parse(text) as { approvals: ApprovalCard[] };
      if (globalsOf(command).json) context.output.out(text);
      else context.output.out(list.approvals.length === 0 ? 'No card waits.' : list.approvals.map(describeCard).join('\n'));
    });

  approvals.command('watch').description('show cards as they come and are decided, until Ctrl+C')
    .action(async (_flags: unknown, command: Command) => watch(context, globalsOf(command).json));

  for (const decision of ['approve', 'deny'] as const) {
    const command = approvals.command(`${decision} <approvalId>`).description(decision === 'approve' ? 'say yes to a card' : 'say no to a card');
    if (decision === 'approve') {
      command.addOption(new Option('--scope <scope>', 'how far the yes reaches').choices(ApprovalScope.options));
      command.addOption(new Option('--minutes <number>', 'with scope window: for how long').argParser(wholeMinutes));
    }
    command.action(async (approvalId: string, flags: { scope?: string; minutes?: number }, self: Command) => {
      const { scope, minutes } = flags;
      const text = await (await context.connect()).text('POST', `/v1/approvals/${encodeURIComponent(approvalId)}`, {
        scope: 'operator', body: { decision, ...(scope === undefined ? {} : { scope }), ...(minutes === undefined ? {} : { minutes }) },
      });
      context.output.out(globalsOf(self).json ? text : describeCard(JSON.parse(text) as ApprovalCard));
    });
  }
}
