/** The states of an action's record. */
export const ACTION_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];
