import type { Requirement } from './requirement.ts';

/** BEHAVIOUR section 8, beyond the policy's list. */
export const gate: readonly Requirement[] = [
  { id: 'gate.one-way', text: 'Every action from every edge goes through one function; nothing else can reach an executor, batch items included.', source: 'BEHAVIOUR 8' },
  { id: 'gate.chosen', text: 'The item that the gate judged is the one that is chosen: it is bound by the approval and stands on the card, and another one in its place is a state_conflict with nothing sent.', source: 'BEHAVIOUR 8' },
  { id: 'gate.under-pointer', text: 'The risk comes from the live element: a press by coordinates, at the pointer, or without a binding is judged by what lies there; a choice by its item.', source: 'BEHAVIOUR 8' },
  { id: 'threats.shown', text: 'What the threat model says is shown by a test is shown by that test.', source: 'BEHAVIOUR 11' },
  { id: 'threats.complete', text: 'The threat model says per asset who is believed and per attacker what stops them, and what is out of scope.', source: 'BEHAVIOUR 11' },
  { id: 'policy.remote-memory', text: 'Structured control messages need memory in the target; policy remoteControlMemory can forbid it, for looks and actions.', source: 'BEHAVIOUR 4' },
  { id: 'gate.deadline', text: 'Run with a deadline: deadlineMs, default 10,000, at most 120,000, waiting for a person not counted.', source: 'BEHAVIOUR 8' },
  { id: 'gate.held-input', text: 'Actions run with a held-input guard.', source: 'BEHAVIOUR 8' },
  { id: 'gate.demo', text: 'npm start grants its demo Notepad full.', source: 'BEHAVIOUR 8' },
  { id: 'access.request', text: 'request-access {apps, tier?, flags?, reason} → card → {granted, denied}.', source: 'BEHAVIOUR 8' },
  { id: 'session.denials', text: 'Three denials in a row end the session aborted.', source: 'BEHAVIOUR 8' },
  { id: 'approval.agent-cannot', text: 'An agent’s token decides nothing.', source: 'BEHAVIOUR 8' },
  { id: 'decides.surfaces', text: 'approvals.surfaces = overlay and/or api; from a checkout both; installed: overlay alone unless an administrator’s policy adds api.', source: 'BEHAVIOUR 8' },
  { id: 'decides.environment', text: 'uiahost mcp starts the host with a clean environment.', source: 'BEHAVIOUR 8' },
  { id: 'overlay.hardware', text: 'The overlay takes hardware input only: origin hardware on button-down and -up, and a low-level hook without the injected flag; where either cannot vouch it can only deny.', source: 'BEHAVIOUR 8' },
  { id: 'overlay.robust', text: 'Posted and sent messages, BM_CLICK, UIA Invoke, WM_CLOSE, WM_QUIT and foreign window calls change nothing or deny; at the click it checks rectangle, visibility, alpha, and that no window covers the card.', source: 'BEHAVIOUR 8' },
  { id: 'overlay.hidden', text: 'The overlay is drawn without real button controls, cannot be bound or listed, is masked out of our pictures.', source: 'BEHAVIOUR 8' },
  { id: 'overlay.focus', text: 'The overlay never takes the focus by itself; a hardware hotkey focuses it: Deny is focused, Approve is Tab then Space, Enter never approves; Approve becomes active after 700 ms.', source: 'BEHAVIOUR 8' },
  { id: 'overlay.accessible', text: 'The overlay’s accessible name and text are readable, not invokable.', source: 'BEHAVIOUR 8' },
  { id: 'card.page', text: 'A card about a browser says which page it shows, its origin first and whole, or that it cannot be told, on every face that shows cards.', source: 'BEHAVIOUR 8' },
  { id: 'stop.ways', text: 'Emergency stop: hotkey Ctrl+Alt+Shift+Esc, overlay, operator API, CLI.', source: 'BEHAVIOUR 8' },
  { id: 'stop.kept', text: 'The emergency stop outlives the host: one that starts again is still stopped.', source: 'BEHAVIOUR 8' },
  { id: 'stop.release', text: 'Where the operator’s API decides no cards, it releases the emergency stop only after a person’s yes on the overlay.', source: 'BEHAVIOUR 8' },
  { id: 'stop.effect', text: 'Emergency stop: no further input within 200 ms, everything released, sessions aborted.', source: 'BEHAVIOUR 8' },
];
