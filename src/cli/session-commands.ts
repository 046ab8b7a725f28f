// `uiahost session …`: computer-use sessions from the command line, for scripts that run the loop themselves.
import { InvalidArgumentError, type Command } from 'commander';
import type { ProposalAnswer } from '../contract/gate/traits.ts';
import type { ComputerUseStreamEvent, SessionView } from '../contract/gate/session.ts';
import { jsonArgument } from './action-commands.ts';
import { globalsOf, parseJson, type CliContext } from './flags.ts';
import { printable, table } from './output.ts';

const SESSIONS = '/v1/computer-use/sessions';
const placeOf = (id: string): string => `${SESSIONS}/${encodeURIComponent(id)}`;
/** After this, say that the action may be waiting for approval. */
const TELL_AFTER_MS = 2000;

function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value)) throw new InvalidArgumentError('Expected a whole number.');
  return value;
}

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
async function stream(context: CliContext, id: string, after: string | undefined, json: boolean): Promise<void> {
  const connection = await context.connect();
  for await (const { id: eventId, data } of connection.streamSession(id, { lastEventId: after }))
    context.output.out(json ? JSON.stringify(data) : describeEvent(eventId, data as ComputerUseStreamEvent));
}

/** Prints an answer: as it came with `--json`, else described. */
type Print = (command: Command, text: string, describe: (text: string) => string) => void;

/** session start|list|status|stream|propose|complete|abort. */
export function addSessionCommands(program: Command, context: CliContext): void {
  const session = program
    .command('session')
    .description('computer-use sessions: a goal, allowed targets, limits, events')
    .helpGroup('Agents:');
  const print: Print = (command, text, describe) => context.output.out(globalsOf(command).json ? text : describe(text));
  const asSession = (text: string): string => describeSession(JSON.parse(text) as SessionView);

  addStart(session, context, print);

  session
    .command('list')
    .description('list the sessions of this token')
    .action(async (_flags: unknown, command: Command) => {
      print(command, await (await context.connect()).text('GET', SESSIONS), (text) => {
        const { sessions } = JSON.parse(text) as { sessions: SessionView[] };
        return sessions.length === 0
          ? 'No sessions.'
          : table(
              sessions.map(({ computerUseSessionId, status, actionsExecuted, startedAt, goal }) => ({
                session: computerUseSessionId,
                status,
                actions: actionsExecuted,
                started: startedAt,
                goal,
              })),
            );
      });
    });

  session
    .command('status <id>')
    .description('show the state of a session')
    .action(async (id: string, _flags: unknown, command: Command) => {
      print(command, await (await context.connect()).text('GET', placeOf(id)), asSession);
    });

  session
    .command('stream <id>')
    .description('print its events until it ends or Ctrl+C; with --json one event per line')
    .option('--after <eventId>', 'continue after this event')
    .action(async (id: string, flags: { after?: string }, command: Command) =>
      stream(context, id, flags.after, globalsOf(command).json),
    );

  addPropose(session, context, print);

  session
    .command('complete <id>')
    .description('end a session as completed')
    .requiredOption('--summary <text>', 'what was done')
    .action(async (id: string, { summary }: { summary: string }, command: Command) => {
      print(
        command,
        await (await context.connect()).text('POST', `${placeOf(id)}/complete`, { body: { summary } }),
        asSession,
      );
    });

  session
    .command('abort <id>')
    .description('end a session now: stop what runs, deny open cards')
    .option('--reason <text>', 'reason; becomes its summary')
    .action(async (id: string, { reason }: { reason?: string }, command: Command) => {
      const text = await (
        await context.connect()
      ).text('POST', `${placeOf(id)}/control`, {
        body: { action: 'abort', computerUseSessionId: id, ...(reason === undefined ? {} : { reason }) },
      });
      print(command, text, () => `${id}  ${(JSON.parse(text) as { status: string }).status}`);
    });
}

function addStart(session: Command, context: CliContext, print: Print): void {
  session
    .command('start')
    .description('start a session; act in it with: uiahost --session ID COMMAND')
    .requiredOption('--goal <text>', 'what to achieve; shown on cards and in the audit')
    .requiredOption(
      '--url <url>',
      'allowed target: app:notepad.exe, https://…; repeatable',
      (url: string, before: string[] | undefined) => [...(before ?? []), url],
    )
    .option('--max-actions <number>', 'most actions that change something', wholeNumber)
    .option('--max-duration-ms <number>', 'longest duration, including waiting', wholeNumber)
    .option('--hints <json>', 'kept in the audit; grants nothing', parseJson)
    .option('--idempotency-key <key>', 'repeating the key with the same input returns the first session')
    .action(
      async (
        flags: {
          goal: string;
          url: string[];
          maxActions?: number;
          maxDurationMs?: number;
          hints?: unknown;
          idempotencyKey?: string;
        },
        command: Command,
      ) => {
        const { goal, url: urls, idempotencyKey, ...limits } = flags;
        const text = await (
          await context.connect()
        ).text('POST', SESSIONS, {
          body: { goal, urls, ...limits },
          headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
        });
        print(command, text, () => {
          const { computerUseSessionId: id } = JSON.parse(text) as { computerUseSessionId: string };
          return `${id}\nAct in it with: uiahost --session ${id} bind-to-window …; end it with: uiahost session complete ${id} --summary …`;
        });
      },
    );
}

function addPropose(session: Command, context: CliContext, print: Print): void {
  session
    .command('propose <id> [json]')
    .description(
      'propose one action (the arguments of request_ui_action; - reads them from standard input) and run it if allowed',
    )
    .option('--idempotency-key <key>', 'repeating the key with the same proposal returns the first answer')
    .action(async (id: string, json: string | undefined, flags: { idempotencyKey?: string }, command: Command) => {
      const body = await jsonArgument(json, 'The proposal');
      const told = setTimeout(
        () => context.output.err('Waiting; a person may have to approve it (uiahost approvals). Ctrl+C cancels.'),
        TELL_AFTER_MS,
      );
      const text = await (
        await context.connect()
      )
        .text('POST', `${placeOf(id)}/propose`, {
          body,
          headers: flags.idempotencyKey === undefined ? {} : { 'idempotency-key': flags.idempotencyKey },
        })
        .finally(() => clearTimeout(told));
      print(command, text, () => describeProposal(JSON.parse(text) as ProposalAnswer));
    });
}
