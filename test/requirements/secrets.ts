/** Requirements of stored secrets and of what may never be written down. */
import type { Requirement } from './requirement.ts';

/** Stored secrets and what may never be written down: docs/behaviour.md#snapshots. */
export const secrets: readonly Requirement[] = [
  {
    id: 'secret.set',
    text: '`uiahost secret set NAME --app BUNDLEID` asks the person on the terminal without echo.',
    source: 'behaviour#secrets',
  },
  {
    id: 'secret.no-pipe',
    text: 'A secret is never taken from an argument, a variable or a pipe.',
    source: 'behaviour#secrets',
  },
  {
    id: 'secret.commands',
    text: '`uiahost secret list` and `remove` show names and applications, never secrets.',
    source: 'behaviour#secrets',
  },
  {
    id: 'secret.routes',
    text: 'Secrets are stored, listed and removed with the operator’s token alone.',
    source: 'behaviour#secrets',
  },
  { id: 'secret.no-answer', text: 'No answer about secrets has a secret in it.', source: 'behaviour#secrets' },
  {
    id: 'secret.bound',
    text: 'A stored secret is refused for every other application before a person is asked.',
    source: 'behaviour#secrets',
  },
  {
    id: 'secret.bound-typed',
    text: 'A stored secret is typed into a password field of its own application after an approval.',
    source: 'behaviour#secrets',
  },
  {
    id: 'secret.bound-meanwhile',
    text: 'A stored secret that is given to another application while a person decides is not typed.',
    source: 'behaviour#secrets',
  },
  {
    id: 'secret.bound-whole',
    text: 'The application of a stored secret is identified in full.',
    source: 'behaviour#secrets',
  },
  { id: 'secret.origin', text: 'In a browser, a stored secret is bound to one origin.', source: 'behaviour#secrets' },
  {
    id: 'secret.frame',
    text: 'The origin that counts for a stored secret is that of the field’s own document.',
    source: 'behaviour#secrets',
  },
  {
    id: 'secret.recheck',
    text: 'The origin of a field is read when it is judged and again just before a stored secret is typed.',
    source: 'behaviour#secrets',
  },
  {
    id: 'secret.origin-refused',
    text: 'Another or an unknown origin is blocked_by_policy before a person is asked.',
    source: 'behaviour#secrets',
  },
  {
    id: 'secret.origin-needed',
    text: 'A secret for a browser needs an origin: one without it is not stored, and not typed.',
    source: 'behaviour#secrets',
  },
  {
    id: 'secret.background',
    text: 'A stored secret is put into its field only in the background, never by keys that go to whatever has the focus.',
    source: 'behaviour#secrets',
  },
  {
    id: 'secret.typed',
    text: 'type-into-element {secretRef} puts the secret into the password field after an approval that names secret and field.',
    source: 'behaviour#secrets',
  },
  { id: 'secret.not-read', text: 'A stored secret that was typed is never read back.', source: 'behaviour#secrets' },
  {
    id: 'secret.taint',
    text: 'Planted secrets (in a password field, in title and text of a window of a deny-listed application, in the environment, in a token) appear nowhere in logs, audit, snapshots, pictures, errors, store, artifacts, streams.',
    source: 'behaviour#secrets',
  },
  {
    id: 'fault.log',
    text: 'The log of a fault has names, codes and stack frames of its errors, and none of their messages, which may quote a window.',
    source: 'behaviour#secrets',
  },
];
