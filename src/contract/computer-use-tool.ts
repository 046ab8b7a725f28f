/** The `computer_use` tool: the protocol's input starts a session; further actions follow, control and end it. */
import { z } from 'zod';
import { parseOrRefuse } from './json/issues.ts';
import { keys } from './gate/input-content.ts';
import { UiActionProposal } from './gate/traits.ts';
import { ComputerUseControlRequest, ComputerUseInput } from './gate/session.ts';
import { SESSION_STATUSES } from './gate/session-status.ts';

const Coordinate = z.number();

/** Arguments of the safety document's computer tools, strict. Points are pixels of the latest picture. */
export const COMPUTER_INPUTS = {
  screenshot: z.strictObject({
    displayId: z.int().optional().describe('Capture this display instead of the bound window.'),
  }),
  pointer_move: z.strictObject({ x: Coordinate, y: Coordinate }),
  click: z.strictObject({
    x: Coordinate,
    y: Coordinate,
    button: z.enum(['left', 'right', 'middle']).optional(),
    clickCount: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
  }),
  keypress: z.strictObject({
    key: keys(z.string().min(1).max(40)),
    modifiers: keys(z.array(z.string().min(1).max(20)).max(6)).optional(),
    repeat: z.int().min(1).max(100).optional(),
  }),
  type: z.strictObject({ text: z.string().max(100_000) }),
} as const;

/** What each of them does, as models read it. */
export const COMPUTER_DESCRIPTIONS: Readonly<Record<keyof typeof COMPUTER_INPUTS, string>> = {
  screenshot: 'Picture of the bound window, or of a display.',
  pointer_move: 'Move the pointer to a point of the latest picture.',
  click: 'Click at a point of the latest picture.',
  keypress: 'Press a key, with modifiers held.',
  type: 'Type text.',
};

export const COMPUTER_USE = 'computer_use';
/** In addition to an action's own arguments: the computer-use session that it acts in. */
export const SESSION_FIELD = 'computerUseSessionId';

const [Abort] = ComputerUseControlRequest.options;
const id = z.string().min(1).max(128);

/** Without `action` the arguments are the protocol's input, and abort is the protocol's control request. */
const REQUESTS = {
  /** With `wait` the answer is the protocol's output: it comes when the session has ended. */
  start: ComputerUseInput.extend({ action: z.literal('start').optional(), wait: z.boolean().optional() }),
  state: z.strictObject({ action: z.literal('state'), computerUseSessionId: id }),
  follow: z.strictObject({
    action: z.literal('follow'),
    computerUseSessionId: id,
    after: z.string().max(200).optional(),
  }),
  propose: z.strictObject({ action: z.literal('propose'), computerUseSessionId: id, proposal: UiActionProposal }),
  complete: z.strictObject({
    action: z.literal('complete'),
    computerUseSessionId: id,
    summary: z.string().min(1).max(4000),
  }),
  abort: Abort,
} as const;
type Requests = typeof REQUESTS;
export type ComputerUseRequest = {
  readonly [A in keyof Requests]: Omit<z.output<Requests[A]>, 'action'> & { readonly action: A };
}[keyof Requests];

const Action = z.enum(Object.keys(REQUESTS) as [keyof Requests, ...Array<keyof Requests>]);

/**
 * One flat object, as clients want a tool's arguments; the descriptions say which field belongs to which action, and
 * `parseComputerUse` checks it.
 */
export const ComputerUseArguments = z.strictObject({
  action: Action.optional().describe(
    'Default start, which takes goal, urls, limits and hints; all others take computerUseSessionId.',
  ),
  ...ComputerUseInput.partial().shape,
  computerUseSessionId: id.optional(),
  wait: z.boolean().optional().describe('start: answer at its end.'),
  after: z.string().optional().describe('follow: lastEventId of the previous answer.'),
  proposal: z.record(z.string(), z.unknown()).optional().describe('propose: the arguments of request_ui_action.'),
  summary: z.string().optional().describe('complete: what was done.'),
  reason: z.string().optional().describe('abort: why.'),
});

/** The protocol's output; `running` until there is one. */
export const ComputerUseAnswer = z.looseObject({
  computerUseSessionId: z.string(),
  status: z.enum(SESSION_STATUSES).exclude(['failed']),
  summary: z.string(),
  lastUrl: z.string().optional(),
  actionsExecuted: z.int(),
  durationMs: z.int(),
  evidence: z.record(z.string(), z.unknown()).optional(),
});

/** Errors: invalid_argument. */
export function parseComputerUse(given: unknown): ComputerUseRequest {
  const { action = 'start' } = parseOrRefuse(z.looseObject({ action: Action.optional() }), given);
  return { ...parseOrRefuse(REQUESTS[action] as z.ZodObject, given), action } as ComputerUseRequest;
}
