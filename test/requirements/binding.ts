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
