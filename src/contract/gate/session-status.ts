/** States of sessions (schemas/seeds/computer-use.schema.json) and of actions. Without schemas: the store's thread reads it too. */

export const ACTION_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

export const SESSION_STATUSES = [
  'running',
  'completed',
  'aborted',
  'duration_exceeded',
  'action_limit_exceeded',
  'failed',
] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];
export type SessionEndStatus = Exclude<SessionStatus, 'running'>;
