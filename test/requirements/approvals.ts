/** Requirements of decisions, approvals, their scopes and their cards. */
import type { Requirement } from './requirement.ts';

export const approvals: readonly Requirement[] = [
  { id: 'decisions', text: 'The gate decides execute, review, approve or block.', source: 'behaviour#the-gate' },
  {
    id: 'approval.server',
    text: 'Where a card can only be denied, as on Server editions, the doctor, the denial and the log of the installation name the line that allows approvals.',
    source: 'approvals#who-may-answer',
  },
  {
    id: 'decisions.judging',
    text: 'Judging a proposal asks, counts, records and runs nothing.',
    source: 'behaviour#the-gate',
  },
  { id: 'approval.deny', text: 'A denial is approval_denied, and nothing happens.', source: 'behaviour#approvals' },
  {
    id: 'approval.who',
    text: 'A denial states who said no: a person, a token, a program’s input, the deadline, or a lost card.',
    source: 'behaviour#approvals',
  },
  {
    id: 'approval.expired',
    text: 'A card without an answer by its deadline is approval_expired.',
    source: 'behaviour#approvals',
  },
  {
    id: 'approval.withdrawn',
    text: 'A request that is cancelled, or whose client goes away, takes its card away.',
    source: 'behaviour#approvals',
  },
  {
    id: 'approval.deadline',
    text: 'A card waits as long as the policy says: 120 s by default.',
    source: 'behaviour#approvals',
  },
  { id: 'approval.deadline-longest', text: 'A card waits at most 300 s.', source: 'behaviour#approvals' },
  {
    id: 'approval.digest',
    source: 'behaviour#approvals',
    text: 'The digest covers action, canonical arguments, binding record, application, and the target’s identity (RuntimeId or control id, role, name, enabled, its dialog’s text).',
  },
  { id: 'approval.other-changes', source: 'behaviour#approvals', text: 'Other changes on the screen do not count.' },
  { id: 'scope.once', text: 'Scope once covers one call.', source: 'behaviour#approvals' },
  {
    id: 'scope.window',
    text: 'The scope window covers this kind of action on this window for N minutes.',
    source: 'behaviour#approvals',
  },
  {
    id: 'scope.window-never',
    text: 'The scope window is never offered for financial and destructive actions, prompts and passwords.',
    source: 'behaviour#approvals',
  },
  { id: 'scope.plan', text: 'The scope plan shows all steps on one card.', source: 'behaviour#approvals' },
  {
    id: 'scope.plan-bound',
    text: 'A plan’s approval binds its steps by their digest, in their order.',
    source: 'behaviour#approvals',
  },
  {
    id: 'scope.plan-changed',
    text: 'Anything other than the approved step of a plan asks again.',
    source: 'behaviour#approvals',
  },
  { id: 'scope.session', text: 'Scope session covers a tier until the session ends.', source: 'behaviour#approvals' },
  {
    id: 'scope.covers',
    text: 'A lasting approval covers calls of the method, the sub-action and the purpose that its card showed; a session’s never crosses from one kind of effect to another.',
    source: 'behaviour#approvals',
  },
  {
    id: 'scope.other-risk',
    text: 'A lasting approval covers nothing with another risk, level or reason.',
    source: 'behaviour#approvals',
  },
  {
    id: 'scope.shell',
    source: 'behaviour#approvals',
    text: 'No approval lasts for typed text, pasting or Enter in terminals and IDEs.',
  },
  {
    id: 'card.covers',
    source: 'behaviour#approvals',
    text: 'The card, the overlay and the API say in plain words what each scope of an answer covers.',
  },
  {
    id: 'card.why',
    source: 'behaviour#approvals',
    text: 'The card says why it asks (level from → to, tier, flag, tag, alwaysAsk).',
  },
  {
    id: 'card.sentence',
    text: 'A card says in one sentence who wants what and where; the client’s own name is quoted after the token’s.',
    source: 'behaviour#approvals',
  },
  {
    id: 'card.one-reason',
    text: 'A card shows the worst reason and how many more there are.',
    source: 'behaviour#approvals',
  },
  {
    id: 'card.exact',
    text: 'What is typed, pressed, written or started is shown at once and exactly, never in the fold alone.',
    source: 'behaviour#approvals',
  },
  { id: 'card.fold', text: 'All reasons, arguments and tags fold out on a card.', source: 'behaviour#approvals' },
  { id: 'card.languages', text: 'A card speaks the person’s language.', source: 'behaviour#approvals' },
  { id: 'card.reason', source: 'behaviour#approvals', text: 'The card shows the proposer’s reason as its words.' },
  { id: 'card.arguments', text: 'The card shows the arguments of the call.', source: 'api#card' },
  { id: 'card.masked', text: 'Secrets among a card’s arguments are masked.', source: 'api#card' },
];
