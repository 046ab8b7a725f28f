import type { Requirement } from './requirement.ts';

/** BEHAVIOUR section 9. */
export const errors: readonly Requirement[] = [
  { id: 'error.table', text: 'One table, code → HTTP status → retryable → hint, with exactly the codes and statuses of the page.', source: 'BEHAVIOUR 9' },
  { id: 'error.closed', text: 'The table is closed: no code outside it.', source: 'BEHAVIOUR 9' },
  { id: 'error.words', text: 'An error says what happened, the state now, what to try, and whether input was delivered.', source: 'BEHAVIOUR 9' },
];
