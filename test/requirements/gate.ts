/** Requirements of the gate. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#the-gate, beyond the policy's list. */
export const gate: readonly Requirement[] = [
  {
    id: 'gate.one-way',
    text: 'Every action from every edge goes through one function; nothing else can reach an executor, batch items included.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'gate.chosen',
    text: 'The item that the gate judged is the one that is chosen: the approval binds it and the card shows it, and another item in its place is a state_conflict with nothing sent.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'gate.under-pointer',
    text: 'A press by coordinates, at the pointer or without a binding is judged by the live element there.',
    source: 'behaviour#the-gate',
  },
  { id: 'gate.by-item', text: 'A choice is judged by its item.', source: 'behaviour#the-gate' },
  {
    id: 'gate.sequences',
    text: 'No sequence of at most four calls reaches a destructive button, an agent’s question, a command line, a denied or read-only application or a password without a person’s approval of a card about that very call, at any level, with any allowance for something harmless.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'threats.shown',
    text: 'Every test that the threat model names shows what the model says it shows.',
    source: 'behaviour#audit',
  },
  {
    id: 'threats.complete',
    text: 'The threat model says for each asset what is trusted, for each attacker what stops them, and what is out of scope.',
    source: 'behaviour#audit',
  },
  {
    id: 'policy.remote-memory',
    text: 'Policy remoteControlMemory can forbid memory in the target, for looks and actions.',
    source: 'behaviour#snapshots',
  },
  { id: 'gate.deadline', text: 'An action without deadlineMs gets 10,000 ms.', source: 'behaviour#the-gate' },
  { id: 'gate.deadline-longest', text: 'deadlineMs is at most 120,000.', source: 'behaviour#the-gate' },
  {
    id: 'gate.deadline-person',
    text: 'The time that an action waits for a person does not count against its deadline.',
    source: 'behaviour#the-gate',
  },
  { id: 'gate.held-input', text: 'Actions run with a held-input guard.', source: 'behaviour#the-gate' },
  { id: 'gate.demo', text: 'npm start grants its demo Notepad full.', source: 'behaviour#the-gate' },
  {
    id: 'access.request',
    text: 'request-access {apps, tier?, flags?, reason} → card → {granted, denied}.',
    source: 'behaviour#the-gate',
  },
  { id: 'session.denials', text: 'Three denials in a row end the session aborted.', source: 'behaviour#sessions' },
  { id: 'approval.agent-cannot', text: 'An agent’s token decides nothing.', source: 'behaviour#approvals' },
  {
    id: 'decides.surfaces',
    text: 'approvals.surfaces says where cards are approved: overlay, api or both.',
    source: 'behaviour#the-gate',
  },
  { id: 'decides.deny', text: 'A denial is taken from every surface.', source: 'behaviour#the-gate' },
  {
    id: 'decides.installed',
    text: 'An installed host takes approvals from the overlay alone unless an administrator’s policy adds api.',
    source: 'behaviour#the-gate',
  },
  { id: 'decides.checkout', text: 'From a checkout both surfaces approve.', source: 'behaviour#the-gate' },
  {
    id: 'decides.environment',
    text: 'uiahost mcp starts the host with a clean environment.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'overlay.hardware',
    text: 'Only hardware input decides on a card: origin hardware on button-down and -up, and a low-level hook without the injected flag.',
    source: 'behaviour#overlay',
  },
  {
    id: 'overlay.vouch',
    text: 'Where a witness cannot vouch for the input, the overlay can only deny.',
    source: 'behaviour#overlay',
  },
  {
    id: 'overlay.robust',
    text: 'Posted and sent messages, BM_CLICK, UIA Invoke, WM_CLOSE, WM_QUIT and foreign window calls change nothing or deny.',
    source: 'behaviour#overlay',
  },
  {
    id: 'overlay.click-checks',
    text: 'At the click the overlay checks the card’s rectangle, visibility and transparency, and that no window covers it.',
    source: 'behaviour#overlay',
  },
  { id: 'overlay.hidden', text: 'The overlay is not listed and cannot be bound.', source: 'behaviour#overlay' },
  { id: 'overlay.drawn', text: 'The overlay is drawn without real controls.', source: 'behaviour#overlay' },
  {
    id: 'overlay.masked',
    text: 'The overlay is painted over in pictures that the host takes.',
    source: 'behaviour#overlay',
  },
  { id: 'overlay.focus', text: 'The overlay never takes the focus by itself.', source: 'behaviour#overlay' },
  {
    id: 'overlay.hotkey',
    text: 'A hardware hotkey focuses the overlay on Deny; Approve is Tab, then Space.',
    source: 'behaviour#overlay',
  },
  { id: 'overlay.enter', text: 'Enter never approves a card.', source: 'behaviour#overlay' },
  {
    id: 'overlay.settle',
    text: 'Approve counts once the card has been visible for 700 ms; another card, a change by another program or a window above restarts that time, and it never counts after the card expired.',
    source: 'behaviour#overlay',
  },
  {
    id: 'overlay.press',
    text: 'A press on the card begins and ends on the same control by the same device; half a press does nothing.',
    source: 'behaviour#overlay',
  },
  {
    id: 'overlay.scope',
    text: 'An approval carries the scope and minutes shown as chosen; each card starts with the first scope it allows and ten minutes.',
    source: 'behaviour#overlay',
  },
  {
    id: 'overlay.notice',
    text: 'The card says why input did not count, and redraws what changes with time.',
    source: 'behaviour#overlay',
  },
  {
    id: 'overlay.accessible',
    text: 'The overlay’s accessible name and text can be read but not invoked.',
    source: 'behaviour#overlay',
  },
  {
    id: 'card.page',
    text: 'A card about a browser says which page it shows, its origin first and whole, or that the page is unknown, on every face that shows cards.',
    source: 'behaviour#approvals',
  },
  {
    id: 'card.words',
    text: 'A card names programs by their file first and then by the name that the file gives itself, quoted; other programs’ and agents’ words are quoted wherever they appear, and the agent’s own come last, marked as its own.',
    source: 'behaviour#approvals',
  },
  { id: 'asks.limit', text: 'A session has at most 5 open cards and a token 20.', source: 'behaviour#the-gate' },
  {
    id: 'asks.limit-kinds',
    text: 'Prompts and access cards count among the open cards.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'asks.limit-early',
    text: 'One more card is rate_limited with the time to wait, before its picture is taken or anything is stored.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'asks.turns',
    text: 'The overlay shows the cards of tokens, and of their sessions, in turn.',
    source: 'behaviour#the-gate',
  },
  { id: 'asks.seen', text: 'A card’s time runs from when it is seen.', source: 'behaviour#the-gate' },
  { id: 'asks.unseen', text: 'A card that is not seen is over after 30 minutes.', source: 'behaviour#the-gate' },
  {
    id: 'asks.deny-all',
    text: '“Deny all from this agent” (overlay, API, `uiahost approvals deny --all-of`) denies its open cards.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'asks.denied-session',
    text: 'After “Deny all”, further requests of that session are approval_denied until a person lifts it or the session ends.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'asks.denied-token',
    text: 'When a token’s third session is denied this way, the whole token is denied.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'asks.denials',
    text: 'Three denials in a row pause the requests of a named session for ten minutes, or until a person lifts the pause.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'stop.ways',
    text: 'Emergency stop: hotkey Ctrl+Alt+Shift+Esc, overlay, operator API, CLI.',
    source: 'behaviour#emergency-stop',
  },
  {
    id: 'stop.kept',
    text: 'The emergency stop outlives the host: one that starts again is still stopped.',
    source: 'behaviour#emergency-stop',
  },
  {
    id: 'stop.release',
    text: 'Where the operator’s API decides no cards, it releases the emergency stop only after a person approves on the overlay.',
    source: 'behaviour#emergency-stop',
  },
  {
    id: 'stop.effect',
    text: 'After the emergency stop, no further input is delivered.',
    source: 'behaviour#emergency-stop',
  },
  { id: 'stop.running', text: 'The emergency stop ends what runs.', source: 'behaviour#emergency-stop' },
  {
    id: 'stop.released',
    text: 'The emergency stop releases every key and button that is held.',
    source: 'behaviour#emergency-stop',
  },
  { id: 'stop.cards', text: 'The emergency stop takes every card away.', source: 'behaviour#emergency-stop' },
  {
    id: 'stop.sessions',
    text: 'The emergency stop aborts the running computer-use sessions.',
    source: 'behaviour#emergency-stop',
  },
  {
    id: 'stop.looks',
    text: 'During an emergency stop every action is refused, looks included.',
    source: 'behaviour#emergency-stop',
  },
];
