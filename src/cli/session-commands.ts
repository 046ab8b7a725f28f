// `uiahost session …`: computer-use sessions from the command line, for scripts that run the loop themselves.
import type { Command } from 'commander';
import type { ProposalAnswer, UiActionProposal } from '../contract/gate/traits.ts';
import type { ComputerUseStreamEvent, SessionView } from '../contract/gate/session.ts';
import { jsonArgument } from './action-commands.ts';
import {
  adding,
  addRouteCommand,
  awaited,
  parseJson,
  whole,
  type Answer,
  type RouteCall,
  type Call,
  type CliContext,
} from './flags.ts';
import { printable, table } from './output.ts';

function describeSession(view: SessionView): string {
  return printable(
    [
      `${view.computerUseSessionId}  ${view.status}  ${view.actionsExecuted} actions, ${Math.round(view.durationMs / 1000)} s`,
      `  goal: ${JSON.stringify(view.goal)}`,
      `  may touch: ${view.urls.join(' ')}`,
      ...(view.lastUrl === undefined ? [] : [`  last: ${view.lastUrl}`]),
      ...view.pendingApprovalIds.map((approvalId) => `  waits for approval: ${approvalId}`),
      `  ${view.error ?? view.summary}`,
    ].join('\n'),
  );
}

function describeEvent(id: string | undefined, { type, timestamp, ...facts }: ComputerUseStreamEvent): string {
  const told = Object.entries(facts).map(
    ([name, value]) =>
      `${name}=${typeof value === 'string' && /\s/.test(value) ? JSON.stringify(value) : String(value)}`,
  );
  return printable([timestamp, id ?? '', type, ...told].join('  '));
}

function describeProposal(answer: ProposalAnswer): string {
  const tags = answer.riskTags.length > 0 ? ` (${answer.riskTags.join(', ')})` : '';
  return printable(`${answer.decision}, ${answer.riskLevel}${tags}: ${answer.reason === '' ? 'done' : answer.reason}`);
}

/** Prints a session's events as they arrive, until it ends or Ctrl+C. */
async function stream(id: string, { after }: { after?: string }, { connect, output, isJson }: Call): Promise<null> {
  const connection = await connect();
  for await (const { id: eventId, data } of connection.streamSession(id, { lastEventId: after }))
    output.out(isJson ? JSON.stringify(data) : describeEvent(eventId, data as ComputerUseStreamEvent));
  return null;
}

interface ProposeFlags {
  readonly idempotencyKey?: string;
}

interface StartFlags {
  readonly goal: string;
  readonly url: string[];
  readonly maxActions?: number;
  readonly maxDurationMs?: number;
  readonly hints?: Record<string, unknown>;
  readonly idempotencyKey?: string;
}

const rowOf = ({
  computerUseSessionId,
  status,
  actionsExecuted,
  startedAt,
  goal,
}: SessionView): Record<string, unknown> => ({
  session: computerUseSessionId,
  status,
  actions: actionsExecuted,
  started: startedAt,
  goal,
});

/** session start|list|status|stream|propose|complete|abort. */
export function addSessionCommands(program: Command, context: CliContext): void {
  const session = program
    .command('session')
    .description('computer-use sessions: a goal, allowed targets, limits, events')
    .helpGroup('Agents:');

  addRouteCommand(session, context, {
    usage: 'start',
    about: 'start a session; act in it with: uiahost --session ID COMMAND',
    ask: ({ host, flags: { url: urls, idempotencyKey, ...given } }: RouteCall<StartFlags>) =>
      host.startSession({ urls, ...given }, { idempotencyKey }),
    show: ({ computerUseSessionId: id }) =>
      `${id}\nAct in it with: uiahost --session ${id} bind-to-window …; end it with: uiahost session complete ${id} --summary …`,
  })
    .requiredOption('--goal <text>', 'what to achieve; shown on cards and in the audit')
    .requiredOption(
      '--url <url>',
      'allowed target: app:notepad.exe, https://…; repeatable',
      (url: string, before: string[] | undefined) => [...(before ?? []), url],
    )
    .option('--max-actions <number>', 'most actions that change something', whole())
    .option('--max-duration-ms <number>', 'longest duration, including waiting', whole())
    .option('--hints <json>', 'kept in the audit; grants nothing', parseJson)
    .option('--idempotency-key <key>', 'repeating the key with the same input returns the first session');

  addRouteCommand(session, context, {
    usage: 'list',
    about: 'list the sessions of this token',
    ask: ({ host }) => host.listSessions(),
    show: ({ sessions }) => (sessions.length === 0 ? 'No sessions.' : table(sessions.map(rowOf))),
  });

  addRouteCommand(session, context, {
    usage: 'status <id>',
    about: 'show the state of a session',
    ask: ({ host, words: [id] }) => host.getSession(id),
    show: describeSession,
  });

  const add = adding(session, context);
  add('stream <id>', stream)
    .description('print its events until it ends or Ctrl+C; with --json one event per line')
    .option('--after <eventId>', 'continue after this event');

  const propose = async (id: string, json: string | undefined, flags: ProposeFlags): Promise<Answer> => {
    // The host judges its form, so that a refusal is in the audit.
    const proposal = (await jsonArgument(json, 'The proposal')) as UiActionProposal;
    const answer = await awaited(context, id, (await context.connect()).proposeAction(id, proposal, flags));
    return { value: answer, text: describeProposal(answer) };
  };
  add('propose <id> [json]', propose)
    .description(
      'propose one action (the arguments of request_ui_action; - reads them from standard input) and run it if allowed',
    )
    .option('--idempotency-key <key>', 'repeating the key with the same proposal returns the first answer');

  addRouteCommand(session, context, {
    usage: 'complete <id>',
    about: 'end a session as completed',
    ask: ({ host, words: [id], flags }: RouteCall<{ summary: string }>) => host.completeSession(id, flags),
    show: describeSession,
  }).requiredOption('--summary <text>', 'what was done');

  addRouteCommand(session, context, {
    usage: 'abort <id>',
    about: 'end a session now: stop what runs, deny open cards',
    ask: ({ host, words: [id], flags }: RouteCall<{ reason?: string }>) =>
      host.controlSession(id, { action: 'abort', computerUseSessionId: id, ...flags }),
    show: ({ status }, { words: [id] }) => `${id}  ${status}`,
  }).option('--reason <text>', 'reason; becomes its summary');
}
