/** What a host answers about itself, its tokens, its sessions, its actions and its audit. */
import { z } from 'zod';
import { ElementInfo, SourceFacts } from '../element/element.ts';
import { ActionResult } from '../outcome.ts';
import { Problem } from '../problem.ts';
import { DoctorFinding } from '../process/doctor.ts';
import { PolicyToken } from './machine-host.ts';
import { Level } from './permissions.ts';
import { ACTION_DELIVERIES, ACTION_STATUSES } from './session-status.ts';

/** A process of the desktop worker. */
const WORKER = {
  state: z.enum(['ready', 'starting', 'restarting', 'failed']),
  pid: z.int().nullable(),
  restarts: z.int(),
};

const MachineNames = z.object({
  name: z.string(),
  user: z.string(),
  /** Null where there are no sessions. */
  session: z.int().nullable(),
});
export type MachineNames = z.infer<typeof MachineNames>;

export const HostStatus = z.object({
  binding: z.object({
    bound: z.boolean(),
    hwnd: z.string().optional(),
    title: z.string().optional(),
    pid: z.int().optional(),
  }),
  level: z.string(),
  stopped: z.boolean(),
  capabilities: z.record(z.string(), z.unknown()),
  doctor: z.array(DoctorFinding),
  /** The first desktop worker, and further workers while several programs are in use. */
  worker: z.object({ ...WORKER, further: z.array(z.object(WORKER)) }),
  version: z.string(),
  machine: MachineNames.describe('Where the host runs: the machine, the user, the Windows session.'),
  pid: z.int(),
  startedAt: z.string(),
  uptimeSeconds: z.int(),
  storeId: z.string().describe('Identifies the data directory, for as long as it exists.'),
});
export type HostStatus = z.infer<typeof HostStatus>;

export const Stopped = z.object({
  stopped: z.literal(true),
  heldReleased: z.boolean(),
  sessionsAborted: z.int(),
  recorded: z.boolean().describe('False: the stop is on, but the audit could not be written.'),
});
export type Stopped = z.infer<typeof Stopped>;

/** A session of a client that is open now: it has bound a window, given its name, or waits for an answer. */
export const OpenSession = z.object({
  /** TOKEN/SESSION, as cards name it. */
  owner: z.string(),
  /** The name that a person gave the token; its id if it has none. */
  tokenName: z.string(),
  session: z.string(),
  /** The name that the client's program gives itself. */
  client: z.string().nullable(),
  window: z.object({ hwnd: z.string(), pid: z.int(), app: z.string(), title: z.string() }).nullable(),
  /** Ids of the cards that wait for a person. */
  waiting: z.array(z.string()),
  /** A person has paused it. */
  isPaused: z.boolean(),
  /** ISO 8601. Half an hour later it is not listed any more; its next action lists it again. */
  lastActionAt: z.string(),
});
export type OpenSession = z.infer<typeof OpenSession>;

/** The limits that an additional agent token may have. */
export const TokenLimits = z.strictObject({
  level: Level.optional(),
  apps: z.array(z.string().min(1).max(1024)).max(100).optional(),
});
export type TokenLimits = z.infer<typeof TokenLimits>;

/** `viewer`: sees what sessions do, and does nothing. */
export const Scope = z.enum(['agent', 'operator', 'viewer']);
export type Scope = z.infer<typeof Scope>;

/** A token as an operator sees it, never the token itself. */
export const TokenView = z.object({
  tokenId: z.string(),
  name: z.string(),
  scope: Scope,
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  limits: TokenLimits.nullable(),
  revokedAt: z.string().nullable(),
  from: z
    .enum(['host', 'policy', 'service'])
    .describe('This host made it, the machine’s policy names it, or the service brought it.'),
});
export type TokenView = z.infer<typeof TokenView>;

export const NewToken = z.strictObject({
  name: z.string().min(1).max(100),
  scope: Scope.optional().describe('Default agent. A viewer sees what sessions do, and can do nothing.'),
  tokenId: PolicyToken.shape.id
    .optional()
    .describe('An id that stays when the token is replaced, such as `fleet-orders`; default: a new one.'),
  expiresAt: z.iso
    .datetime()
    .optional()
    .describe('UTC, such as 2030-01-01T00:00:00Z; without it the token never expires.'),
  limits: TokenLimits.optional(),
});
export type NewToken = z.infer<typeof NewToken>;

export const ActionRecord = z.object({
  actionId: z.string(),
  status: z.enum(ACTION_STATUSES),
  delivery: z
    .enum(ACTION_DELIVERIES)
    .describe('queued: nothing was delivered yet; delivering: input may have reached the target; done: it has ended.'),
  result: ActionResult.optional(),
  error: Problem.optional(),
});
export type ActionRecord = z.infer<typeof ActionRecord>;

/** What a change of the policy would allow and forbid, in words. */
export const PolicyDifference = z.object({
  loosened: z.array(z.string()),
  narrowed: z.array(z.string()),
  other: z.array(z.string()),
});
export type PolicyDifference = z.infer<typeof PolicyDifference>;

export const AuditVerdict = z.object({
  ok: z.boolean(),
  records: z.int(),
  head: z.string(),
  firstBad: z.object({ seq: z.int(), reason: z.enum(['hash', 'gap', 'order', 'truncated', 'key']) }).nullable(),
  sealsCheckedFrom: z
    .int()
    .nullable()
    .describe(
      'First record whose seal the host’s current key could check; earlier records were checked by the hash chain alone.',
    ),
  completeFrom: z
    .int()
    .describe(
      'First record that is there: 1, or a later one where older records were deleted by the policy (auditDays).',
    ),
});
export type AuditVerdict = z.infer<typeof AuditVerdict>;

/** Hints for MCP clients; they follow from the effect class and the definition. */
export const ToolHints = z.object({
  readOnlyHint: z.boolean(),
  destructiveHint: z.boolean(),
  idempotentHint: z.boolean(),
  openWorldHint: z.boolean(),
});
export type ToolHints = z.infer<typeof ToolHints>;

/** What the gate would decide of one action. */
export const StepOutlook = z.strictObject({
  action: z.string(),
  outcome: z
    .enum(['runs', 'asks', 'refused', 'unknown'])
    .describe('unknown: it cannot be judged yet, for example since its element is not there.'),
  why: z.array(z.string()).describe('Kinds of reasons and tags.'),
  code: z.string().nullable().describe('The error, if it is refused or unknown.'),
});
export type StepOutlook = z.infer<typeof StepOutlook>;

/** An element, what each source shows of it, and its path. */
export const DescribedElement = z.object({
  element: ElementInfo,
  sources: z.array(SourceFacts),
  path: z.string().nullable(),
});
export type DescribedElement = z.infer<typeof DescribedElement>;

const nullable = z.string().nullable();
/** One record of the audit, as `audit/*.jsonl` and exports hold it. Later versions add fields and kinds. */
export const AuditRecord = z.looseObject({
  seq: z.int().describe('1, 2, 3 … without gaps across all files.'),
  flush: z.int().describe('First number of the flush that the record was written with.'),
  time: z.string().describe('RFC 3339, UTC.'),
  kind: z
    .string()
    .describe(
      'host, request, decision, delivery, outcome, approval, session, policy, grant, token, secret, stop, artifact, audit.',
    ),
  actor: z.looseObject({ tokenId: nullable, surface: z.string() }),
  sessionId: nullable,
  actionId: nullable.describe('The same for all records of an action.'),
  action: nullable.describe('The action’s name, or what happened: session.started, token.revoked.'),
  decision: nullable.describe('execute, review, approve, block, approved, denied, refused.'),
  riskLevel: nullable,
  riskTags: z.array(z.string()),
  why: z.array(z.string()),
  outcome: z.record(z.string(), z.unknown()).nullable(),
  errorCode: nullable,
  text: z.looseObject({ length: z.int() }).nullable().describe('Length and keyed hash of typed text, never the text.'),
  input: z.unknown().describe('The input without texts.'),
  digest: nullable,
  artifacts: z.array(z.string()).describe('SHA-256 of pictures.'),
  details: z.record(z.string(), z.unknown()),
  previous: z.string().describe('Hash of the record before; 64 zeros for the first.'),
  hash: z.string().describe('SHA-256 of this record’s JSON without hash and mac.'),
  mac: z.string(),
});
export type AuditRecord = z.infer<typeof AuditRecord>;
