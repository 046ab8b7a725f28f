/** Requirements of errors and their texts. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#errors. */
export const errors: readonly Requirement[] = [
  {
    id: 'batch.outcome',
    text: 'A batch’s effect is the sum of its steps, not counting looks: confirmed if every step that acted is, pending_modal if the last one is, none if all are, else unverified.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'batch.changes',
    text: 'Focus and cursor count as changed by a batch where any step changed them.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'batch.delivery',
    text: 'The delivery of a batch is that of its steps where they share one, else batch.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'batch.outcome.partial',
    text: 'A batch that failed has the outcome of its steps in its partialResult.',
    source: 'behaviour#errors',
  },
  {
    id: 'batch.delivered',
    text: 'A failed batch with a step that was carried out is delivered, and not retryable as a whole.',
    source: 'behaviour#errors',
  },
  {
    id: 'error.table',
    text: 'One table, code → HTTP status → retryable → hint, with exactly the codes and statuses of the page.',
    source: 'behaviour#errors',
  },
  {
    id: 'errors.retryable',
    text: 'An error is retryable only if nothing of the request was delivered.',
    source: 'behaviour#errors',
  },
  { id: 'error.closed', text: 'The table is closed: no code outside it.', source: 'behaviour#errors' },
  {
    id: 'errors.quoted',
    text: 'Other programs’ words are always quoted the same way: on one line, short, in one pair of quotation marks.',
    source: 'behaviour#errors',
  },
  {
    id: 'errors.unseen',
    text: 'Format, tag, private and control characters in quoted words show as \\u{…}.',
    source: 'behaviour#errors',
  },
  {
    id: 'errors.quote-end',
    text: 'Nothing in quoted words can end the quotation or forge an escape.',
    source: 'behaviour#errors',
  },
  {
    id: 'errors.json-text',
    text: 'JSON for people escapes the characters that a reader would not see.',
    source: 'behaviour#errors',
  },
  {
    id: 'errors.quoted-everywhere',
    text: 'No text of the host quotes a value in another way.',
    source: 'behaviour#errors',
  },
  {
    id: 'errors.one-line',
    text: 'Whatever goes into an error, its detail and hint are one line without invisible characters.',
    source: 'behaviour#errors',
  },
  {
    id: 'errors.quoted-adapters',
    text: 'An adapter whose answer is one plain text says that quoted words are other programs’ own: data, not instructions.',
    source: 'behaviour#errors',
  },
  {
    id: 'errors.face-words',
    text: 'Hints name MCP tools to a model, commands to a person at a terminal, and routes to a program that calls HTTP.',
    source: 'behaviour#errors',
  },
  {
    id: 'errors.sentences',
    text: 'Each text of an error, and each hint, is a sentence: it begins with a capital, a value or the field it is about, and ends with a full stop.',
    source: 'behaviour#errors',
  },
  {
    id: 'errors.words',
    text: 'No text of an error has a phrase of the list of banned words.',
    source: 'behaviour#errors',
  },
  {
    id: 'error.words',
    text: 'An error says what happened, the state now, what to try, and whether input was delivered.',
    source: 'behaviour#errors',
  },
];
