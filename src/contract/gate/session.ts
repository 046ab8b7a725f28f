/** Schemas of computer-use sessions: how one is started, its limits, and its events. */
import { z } from 'zod';
import { SESSION_STATUSES, type SessionEndStatus } from './session-status.ts';

/** RFC 3986: a scheme, and only characters that a URI may carry, others percent-encoded. */
const URI =
  /^[a-z][a-z0-9+.-]*:(?:\/\/(?:(?:[\w.~!$&'()*+,;=:-]|%[0-9a-f]{2})*@)?(?:\[[0-9a-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d*)?(?=[/?#]|$))?(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i;
export const isUri = (text: string): boolean => URI.test(text);

/** The computer-use protocol (schemas/seeds/computer-use.schema.json), as zod. A test compares both by examples, and URIs character by character. */
export const ComputerUseInput = z.strictObject({
  goal: z.string().min(1).max(1000),
  urls: z
    .array(
      z
        .string()
        .min(1)
        .max(2048)
        .refine(isUri, 'expected a URI, with other characters percent-encoded')
        .meta({ format: 'uri' }),
    )
    .min(1)
    .max(16),
  maxActions: z.int().min(1).max(200).optional(),
  maxDurationMs: z.int().min(1000).max(1_800_000).optional(),
  hints: z.record(z.string(), z.unknown()).optional(),
});
export type ComputerUseInput = z.infer<typeof ComputerUseInput>;

/** The limits of a session that states none and that no policy limits. */
export const SESSION_DEFAULTS = { maxActions: 50, maxDurationMs: 300_000 } as const;

export const SessionView = z.strictObject({
  computerUseSessionId: z.string(),
  status: z.enum(SESSION_STATUSES),
  summary: z.string(),
  lastUrl: z.string().optional(),
  actionsExecuted: z.int(),
  durationMs: z.int(),
  evidence: z.record(z.string(), z.unknown()),
  goal: z.string(),
  urls: z.array(z.string()),
  pendingApprovalIds: z.array(z.string()),
  startedAt: z.string(),
  error: z.string().optional(),
});
export type SessionView = z.infer<typeof SessionView>;

export const ComputerUseControlRequest = z.union([
  z.strictObject({ action: z.literal('abort'), computerUseSessionId: z.string(), reason: z.string().optional() }),
  z.strictObject({
    action: z.literal('decision'),
    computerUseSessionId: z.string(),
    actionId: z.string(),
    decision: z.enum(['approve', 'deny']),
  }),
]);
export type ComputerUseControlRequest = z.infer<typeof ComputerUseControlRequest>;

/** An event of a session's stream, exactly the protocol's objects. */
export type ComputerUseStreamEvent =
  | { type: 'session.started'; computerUseSessionId: string; timestamp: string }
  | {
      type: 'action';
      actionId: string;
      actionType: string;
      riskLevel: string;
      url?: string;
      summary: string;
      timestamp: string;
    }
  | { type: 'screenshot'; url: string; width?: number; height?: number; timestamp: string }
  | {
      type: 'approval_required';
      actionId: string;
      actionType: string;
      summary: string;
      url?: string;
      timestamp: string;
    }
  | { type: 'approval_resolved'; actionId: string; decision: 'approve' | 'deny'; timestamp: string }
  | { type: 'session.ended'; status: SessionEndStatus; summary: string; timestamp: string }
  | { type: 'error'; code: string; message: string; timestamp: string };
