/** States of a session (schemas/seeds/computer-use.schema.json). Without schemas: the store's thread reads it too. */
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
