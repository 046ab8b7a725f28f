/** States of sessions (schemas/seeds/computer-use.schema.json), of actions and of the whole host. Without schemas: the store's thread reads it too. */

export const ACTION_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** How far an action came: it waits for its turn, the gate or a person; its delivery has begun; it has ended. */
export const ACTION_DELIVERIES = ['queued', 'delivering', 'done'] as const;
export type ActionDelivery = (typeof ACTION_DELIVERIES)[number];

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

/** What agents do now: nothing, something, wait for a person's answer, or nothing any more. */
export type HostState = 'idle' | 'acting' | 'waiting' | 'stopped';
