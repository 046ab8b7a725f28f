/** Integrity levels of processes, as Windows orders them. Without zod: the desktop worker imports this. */
export const INTEGRITIES = ['untrusted', 'low', 'medium', 'high', 'system', 'unknown'] as const;
export type Integrity = (typeof INTEGRITIES)[number];

/**
 * Whether a program runs with an administrator's rights: lists of windows and the risk of an action use the same
 * answer.
 */
export const isElevated = (integrity: Integrity): boolean => integrity === 'high' || integrity === 'system';
