/** Requirements of bindings. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#binding, beyond the Windows layer's own list. */
export const binding: readonly Requirement[] = [
  { id: 'binding.rechecked', text: 'The binding record is checked before every action.', source: 'behaviour#binding' },
  {
    id: 'binding.session',
    text: 'A binding belongs to (token, session name), so two clients do not share one by accident.',
    source: 'behaviour#binding',
  },
  {
    id: 'binding.replaced',
    text: 'Where two programs share a session, an action of one is state_conflict once the other has changed the window, until it binds again or asks for the binding.',
    source: 'behaviour#binding',
  },
  {
    id: 'rate.share',
    text: 'The actions a minute of a token are shared fairly among its sessions: one that has had its share leaves room for the others.',
    source: 'behaviour#binding',
  },
  {
    id: 'rate.failures',
    text: 'What fails before it reaches the desktop takes nothing from the actions and has a limit of its own.',
    source: 'behaviour#binding',
  },
  { id: 'binding.order', text: 'Actions on one window run in order.', source: 'behaviour#binding' },
  { id: 'binding.parallel', text: 'Actions on different windows run in parallel.', source: 'behaviour#binding' },
  {
    id: 'binding.watching',
    text: 'An action that only watches (wait-for, wait-quiet) keeps no other action from its window.',
    source: 'behaviour#binding',
  },
  { id: 'binding.unbound', text: 'getBindingStatus without a binding is {bound: false}.', source: 'behaviour#binding' },
  { id: 'binding.unbind-held', text: 'Unbinding releases what is held.', source: 'behaviour#binding' },
  {
    id: 'window.list-deny',
    text: 'Windows of deny-listed applications are listed without a title.',
    source: 'behaviour#binding',
  },
];
