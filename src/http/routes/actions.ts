// /v1/actions: list, run, follow and cancel actions.
import { didYouMean } from '../../contract/json/near.ts';
import { z } from 'zod';
import { UiaHostError } from '../../contract/errors.ts';
import { ActionResult } from '../../contract/outcome.ts';
import { Effect } from '../../contract/gate/permissions.ts';
import { ActionRecord } from '../../contract/gate/views.ts';
import { changeReportsOf, Observe } from '../../host/face/changes.ts';
import type { CatalogEntry, Host } from '../../host/face/host.ts';
import { type Caller, inWindow } from '../../host/face/caller.ts';
import {
  ID_PATTERN,
  json,
  tokenRoute,
  type PathParameter,
  type ReplyDescription,
  type Route,
  type RouteReply,
} from '../../host/face/route.ts';
import { idempotencyKey, IDEMPOTENCY_HEADER, SESSION_HEADER } from '../body.ts';

const AGENT = { tag: 'actions', scope: 'agent' } as const;
const actionId: PathParameter = {
  pattern: ID_PATTERN,
  meaning: 'Id of an action that ran.',
  unknown: 'action_not_found',
};
const underWay: PathParameter = {
  pattern: /^(?:[A-Za-z0-9_-]{1,128}|key:[\x21-\x7e]{1,255})$/,
  meaning: 'Id of an action; or `key:` and the Idempotency-Key of one that this token has under way.',
  unknown: 'action_not_found',
};
const ActionRow = z.object({
  name: z.string(),
  method: z.string(),
  tool: z.string(),
  meaning: z.string(),
  effect: Effect,
  input: z.record(z.string(), z.unknown()),
  output: z.record(z.string(), z.unknown()),
});
/** The answer 202. */
export const PendingAction = z.object({ actionId: z.string(), approvalId: z.string(), status: z.literal('pending') });
const DONE: ReplyDescription = { description: 'Done.', schema: ActionResult };
const WAITS: ReplyDescription = {
  description: 'The action waits for approval.',
  schema: PendingAction,
  headers: { Location: 'URL of the action’s record.' },
};
const RUN_OBSERVE = Observe.optional().describe(
  'delta: answer what changed in the window since this session’s last snapshot; default none.',
);

/** What the two routes that run an action have in common. */
const RUN = {
  ...AGENT,
  pathParameters: {
    name: { pattern: /^[A-Za-z0-9_:-]{1,64}$/, meaning: 'Name of the action.', unknown: 'not_found' },
  },
  headers: { ...IDEMPOTENCY_HEADER, ...SESSION_HEADER },
  // The gate validates the input, so that a refusal is audited with its action.
  body: { schema: z.unknown(), required: false },
} as const;

interface AskedRun {
  readonly name: string;
  readonly body: unknown;
  readonly observe: Observe | undefined;
  /** False: answers 202 as soon as a person must decide. */
  readonly waits: boolean;
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
}

async function runAction(
  host: Host,
  given: Caller,
  { name, body, observe, waits, signal, header }: AskedRun,
): Promise<RouteReply> {
  const caller = inWindow(given, body);
  const entry = actionNamed(host, name);
  const key = idempotencyKey(header('idempotency-key'));
  // Without waiting, the action belongs to its record and not to the connection, which may close at any time.
  const run = host.runner.run(caller, entry.name, forPrograms(entry, body), {
    idempotencyKey: key,
    ...(waits ? { signal } : {}),
  });
  const answer = async () => json(await changeReportsOf(host).withChanges(caller, await run.result, observe ?? 'none'));
  if (waits) return answer();
  run.result.catch(() => {});
  const approvalId = await run.pending;
  if (approvalId === null) return answer();
  return json({ actionId: run.actionId, approvalId, status: 'pending' }, 202, {
    Location: `/v1/actions/${run.actionId}`,
  });
}

/** A caller over HTTP is a program: it gets elements as data, unless it asks for the text alone. */
function forPrograms({ inputSchema }: CatalogEntry, body: unknown): unknown {
  const { as } = (inputSchema['properties'] ?? {}) as { as?: unknown };
  const isInput = body === undefined || (typeof body === 'object' && body !== null && !Array.isArray(body));
  return as === undefined || !isInput ? body : { as: 'elements', ...body };
}

/** The action with this name. Errors: not_found with similar names. */
function actionNamed(host: Host, name: string): CatalogEntry {
  const entry = host.catalog.find(name);
  if (entry !== undefined) return entry;
  const suggestions = host.catalog.near(name);
  throw new UiaHostError(
    'not_found',
    `Unknown action ${JSON.stringify(name.slice(0, 80))}${suggestions.length > 0 ? `; ${didYouMean(suggestions)}` : '.'}`,
    { suggestions },
  );
}

export function actionRoutes(host: Host): Route[] {
  return [
    tokenRoute('GET /v1/actions', 'listActions', {
      ...AGENT,
      summary: 'Every action with its input and output schema.',
      replies: { 200: { description: 'The actions.', schema: z.object({ actions: z.array(ActionRow) }) } },
      async handle() {
        const actions = host.catalog.entries.map(
          ({ name, method, tool, meaning, effect, inputSchema, outputSchema }) => ({
            name,
            method,
            tool,
            meaning,
            effect,
            input: inputSchema,
            output: outputSchema,
          }),
        );
        return json({ actions });
      },
    }),
    tokenRoute('POST /v1/actions/{name}', 'runAction', {
      ...RUN,
      summary:
        'Run an action. Waits for approval if needed, and closing the connection cancels it; with wait=0 neither is true.',
      query: z.strictObject({
        wait: z
          .enum(['0', '1'])
          .optional()
          .describe(
            '0: answer 202 immediately if the action needs approval, and continue if the connection closes; default 1.',
          ),
        observe: RUN_OBSERVE,
      }),
      replies: { 200: DONE, 202: WAITS },
      async handle({ path, query, body, header, signal }, caller) {
        const asked = { name: path['name'] ?? '', body, header, observe: query.observe, signal };
        return runAction(host, caller, { ...asked, waits: query.wait !== '0' });
      },
    }),
    tokenRoute('POST /v1/actions/{name}/start', 'startAction', {
      ...RUN,
      summary:
        'Start an action: answers 202 immediately if a person must decide, and continues if the connection closes. The same as wait=0 without `/start`.',
      query: z.strictObject({ observe: RUN_OBSERVE }),
      replies: { 200: DONE, 202: WAITS },
      async handle({ path, query, body, header, signal }, caller) {
        const asked = { name: path['name'] ?? '', body, header, observe: query.observe, signal };
        return runAction(host, caller, { ...asked, waits: false });
      },
    }),
    tokenRoute('GET /v1/actions/{actionId}', 'getAction', {
      ...AGENT,
      summary: 'State and result of an action that this token ran in the last 24 hours.',
      pathParameters: { actionId },
      replies: { 200: { description: 'The record.', schema: ActionRecord } },
      handle: async ({ path }, caller) => json(await host.runner.record(caller, path['actionId'] ?? '')),
    }),
    tokenRoute('DELETE /v1/actions/{actionId}', 'cancelAction', {
      ...AGENT,
      summary: 'Cancel an action and withdraw its approval card.',
      pathParameters: { actionId: underWay },
      replies: { 200: { description: 'The current record.', schema: ActionRecord } },
      handle: async ({ path }, caller) => json(await host.runner.cancel(caller, path['actionId'] ?? '')),
    }),
  ];
}
