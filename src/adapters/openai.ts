/** The computer tool of OpenAI’s models: its actions as steps of ours, and answers in its format. */
import { z } from 'zod';
import { pageLines } from '../contract/gate/card-lines.ts';
import { toUiaHostError, UiaHostError } from '../contract/errors.ts';
import { asModelsWrite } from '../contract/json/as-meant.ts';
import type { ActionResult } from '../contract/outcome.ts';
import type { Host } from '../host/face/host.ts';
import type { Caller } from '../host/face/caller.ts';
import { json, tokenRoute, type Route } from '../host/face/route.ts';
import { adapterCaller, pause, step, type ForeignStep } from './steps.ts';

/**
 * OpenAI's computer tool on our actions: an action, a list of them, or a whole `computer_call` item; the answer is a
 * `computer_call_output` with a picture of the result. Coordinates are pixels of the latest picture.
 * Source: the types ResponseComputerToolCall and ComputerCallOutput of the openai package.
 */
const keys = z.array(z.string().min(1).max(40)).max(6).nullish();
const Point = z.strictObject({ x: z.number(), y: z.number() });
const place = { x: z.number(), y: z.number() };

const Action = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('click'),
    ...place,
    button: z.enum(['left', 'right', 'wheel', 'back', 'forward']).optional(),
    keys,
  }),
  z.strictObject({ type: z.literal('double_click'), ...place, keys }),
  z.strictObject({ type: z.literal('drag'), path: z.array(Point).min(2).max(48), keys }),
  z.strictObject({ type: z.literal('keypress'), keys: z.array(z.string().min(1).max(40)).min(1).max(8) }),
  z.strictObject({ type: z.literal('move'), ...place, keys }),
  z.strictObject({ type: z.literal('screenshot') }),
  z.strictObject({ type: z.literal('scroll'), ...place, scroll_x: z.number(), scroll_y: z.number(), keys }),
  z.strictObject({ type: z.literal('type'), text: z.string().max(100_000) }),
  z.strictObject({ type: z.literal('wait') }),
]);
type Action = z.output<typeof Action>;

const SafetyCheck = z.object({ id: z.string(), code: z.string().nullish(), message: z.string().nullish() });
const Call = z
  .strictObject({
    type: z.literal('computer_call').optional(),
    id: z.string().optional(),
    call_id: z.string().optional(),
    action: Action.optional(),
    actions: z.array(Action).min(1).max(50).optional(),
    status: z.string().optional(),
    pending_safety_checks: z.array(SafetyCheck).optional(),
  })
  .refine(
    ({ action, actions }) => (action === undefined) !== (actions === undefined),
    'Give exactly one of action and actions.',
  );
const Body = asModelsWrite(z.union([Action, Call]));

/** The vendor's own item, which can be sent on unchanged. */
const Item = z.object({
  type: z.literal('computer_call_output'),
  call_id: z.string().optional(),
  status: z.enum(['completed', 'incomplete']),
  output: z.object({ type: z.literal('computer_screenshot'), image_url: z.string() }),
});

/** The item, and what became of each action of the call. */
const Output = Item.extend({
  pending_safety_checks: z.array(SafetyCheck),
  actions: z.array(
    z.object({
      type: z.string(),
      status: z.enum(['ran', 'waiting', 'not_started']).describe('waiting: for a person; its record has the end.'),
    }),
  ),
  actionId: z.string().optional().describe('Of the action that waits.'),
});

/** Pixels per notch of the wheel, as these models count. */
const PIXELS_A_NOTCH = 100;
const MOST_NOTCHES = 100;
/** The tool's wait action has no duration. */
const WAIT_MS = 1000;

const notches = (pixels: number): number => Math.max(-MOST_NOTCHES, Math.min(MOST_NOTCHES, pixels / PIXELS_A_NOTCH));

type Keys = z.output<typeof keys>;
const holding = (held: Keys): { modifiers?: string[] } =>
  held === null || held === undefined || held.length === 0 ? {} : { modifiers: held };

function clickStep(point: { x: number; y: number }, button: string, count: number, held: Keys): ForeignStep {
  if (button === 'back' || button === 'forward')
    throw new UiaHostError('unsupported', `There is no ${button} button here; nothing was done.`, {
      hint: 'Use the keys alt+left or alt+right, or the page’s own button.',
    });
  return step('click', {
    x: point.x,
    y: point.y,
    button: button === 'wheel' ? 'middle' : button,
    count,
    ...holding(held),
  });
}

/** Our steps for an action. Errors: unsupported for an action without a counterpart; nothing was done then. */
function stepsOf(action: Action): ForeignStep[] {
  switch (action.type) {
    case 'click':
      return [clickStep(action, action.button ?? 'left', 1, action.keys)];
    case 'double_click':
      return [clickStep(action, 'left', 2, action.keys)];
    case 'keypress':
      return [step('key', { keySequence: action.keys.map((key) => (key === ' ' ? 'space' : key)).join('+') })];
    case 'move':
      return [step('move-mouse', { x: action.x, y: action.y, ...holding(action.keys) })];
    case 'scroll':
      return [
        step('scroll', {
          x: action.x,
          y: action.y,
          dx: notches(action.scroll_x),
          dy: notches(action.scroll_y),
          ...holding(action.keys),
        }),
      ];
    case 'type':
      return [step('type', { text: action.text })];
    case 'wait':
      return [{ waitMs: WAIT_MS }];
    case 'screenshot':
      return [];
    case 'drag': {
      const held = holding(action.keys);
      const [from, ...rest] = action.path;
      const to = rest.at(-1);
      if (rest.length === 1) return [step('drag', { from, to, ...held })];
      const path = [
        step('move-mouse', { ...from, ...held }),
        step('mouse-down', held),
        ...rest.map((point) => step('move-mouse', { ...point, ...held })),
        step('mouse-up', held),
      ];
      // One plan, so that a person is asked once for the whole stroke; a stroke that stops halfway leaves no button
      // down.
      return [{ ...step('batch', { steps: path, approveAsPlan: true }), onFailure: 'mouse-up' }];
    }
  }
}

/** A step that waits for a person: the call answers with its card instead of waiting. */
interface WaitingStep {
  readonly approvalId: string;
  readonly actionId: string;
}

/** How far a call came: its first `ran` actions ran; with `asked`, the next one waits for a person and the rest did not start. */
interface Progress {
  readonly ran: number;
  readonly asked: WaitingStep | null;
}

/** Errors: those of the action that failed; the text says which of several it was, and that the later ones did not start. */
async function runActions(
  host: Host,
  caller: Caller,
  actions: ReadonlyArray<{ readonly type: string; readonly steps: readonly ForeignStep[] }>,
  { signal, waits }: { readonly signal: AbortSignal; readonly waits: boolean },
): Promise<Progress> {
  for (const [index, { type, steps }] of actions.entries()) {
    try {
      for (const each of steps) {
        if ('waitMs' in each) {
          await pause(each.waitMs, signal);
          continue;
        }
        const asked = await runStep(host, caller, each, { signal, waits });
        if (asked !== null) return { ran: index, asked };
      }
    } catch (thrown) {
      if (actions.length === 1) throw thrown;
      const error = toUiaHostError(thrown);
      const before = index === 0 ? 'None ran before it' : `The ${index} before it ran`;
      throw error.with({
        detail: `${error.message} This was action ${index + 1} of ${actions.length} (${type}). ${before}, and no later one started.`,
      });
    }
  }
  return { ran: actions.length, asked: null };
}

async function runStep(
  host: Host,
  caller: Caller,
  { action, input, onFailure }: Exclude<ForeignStep, { waitMs: number }>,
  { signal, waits }: { readonly signal: AbortSignal; readonly waits: boolean },
): Promise<WaitingStep | null> {
  const left = new AbortController();
  const leave = (): void => left.abort(signal.reason);
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  try {
    const run = host.runner.run(caller, action, input, { signal: left.signal });
    run.result.catch(() => {});
    const approvalId = waits ? null : await run.pending;
    // From here on the card carries the action, as with ?wait=0: its record says how it went.
    if (approvalId !== null) return { approvalId, actionId: run.actionId };
    await run.result;
    return null;
  } catch (error) {
    if (onFailure !== undefined) await host.runner.run(caller, onFailure, {}).result.catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function imageUrl(result: ActionResult): string {
  const { base64, mimeType } = result.value as { base64: string; mimeType: string };
  return `data:${mimeType};base64,${base64}`;
}

async function checksOf(host: Host, asked: WaitingStep | null): Promise<Array<z.output<typeof SafetyCheck>>> {
  if (asked === null) return [];
  const card = await host.approvals.get(asked.approvalId);
  return [
    {
      id: card.approvalId,
      code: card.riskTags.find((tag) => tag !== 'computer:input') ?? 'approval_required',
      message: [
        `${card.summary}.`,
        ...(card.page === null ? [] : pageLines(card.page).map((line) => `${line}.`)),
        ...card.why.map((reason) => reason.text),
      ].join(' '),
    },
  ];
}

export function openaiRoutes(host: Host): Route[] {
  return [
    tokenRoute('POST /v1/adapters/openai/computer-call', 'openaiComputerCall', {
      tag: 'adapters',
      scope: 'agent',
      summary:
        'Run an OpenAI computer action (or the actions of a computer_call); answers a computer_call_output with a picture. Where a person must decide, pending_safety_checks has the card and the action waits for it; `actions` says which ran. With wait=1 the call waits for the person, runs to its end, and answers the vendor’s item alone.',
      headers: { 'Uiahost-Session': 'Session name or a computerUseSessionId; `default` when absent.' },
      body: { schema: Body },
      query: z.strictObject({
        wait: z
          .enum(['0', '1'])
          .optional()
          .describe('1: waits for a person’s decision instead of answering with its card. Default 0.'),
      }),
      replies: {
        200: {
          description: 'The output item; without wait=1 also what became of each action.',
          schema: z.union([Output, Item]),
        },
      },
      async handle({ body, query, signal }, httpCaller) {
        const caller = adapterCaller(host, httpCaller, 'OpenAI');
        const { callId, actions } = readBody(body);
        // All of them are checked before the first runs, so that an impossible one does not stop the rest halfway.
        const planned = actions.map((action) => ({ type: action.type, steps: stepsOf(action) }));
        const { ran, asked } = await runActions(host, caller, planned, { signal, waits: query.wait === '1' });
        const shot = await host.runner.run(caller, 'screenshot', {}, { signal }).result;
        const item: z.output<typeof Item> = {
          type: 'computer_call_output',
          ...(callId === undefined ? {} : { call_id: callId }),
          status: asked === null ? 'completed' : 'incomplete',
          output: { type: 'computer_screenshot', image_url: imageUrl(shot) },
        };
        if (query.wait === '1') return json(item);
        return json({
          ...item,
          pending_safety_checks: await checksOf(host, asked),
          actions: actions.map(({ type }, index) => ({
            type,
            status: index < ran ? 'ran' : index === ran ? 'waiting' : 'not_started',
          })),
          ...(asked === null ? {} : { actionId: asked.actionId }),
        });
      },
    }),
  ];
}

function readBody(body: z.output<typeof Body>): { callId: string | undefined; actions: Action[] } {
  const single = Action.safeParse(body);
  if (single.success) return { callId: undefined, actions: [single.data] };
  const { call_id: callId, action, actions } = body as z.output<typeof Call>;
  return { callId, actions: actions ?? (action === undefined ? [] : [action]) };
}
