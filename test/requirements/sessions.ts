/** Requirements of computer-use sessions. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#sessions and the two given schemas that it carries out, beyond the lists of policy, store and HTTP. */
export const sessions: readonly Requirement[] = [
  { id: 'session.defaults', text: 'Absent limits: 50 actions, 300,000 ms.', source: 'behaviour#sessions' },
  {
    id: 'urls.address',
    text: 'The address of a browser window is its Document’s value with the address bar as second witness; without both in agreement, looks are refused too.',
    source: 'behaviour#sessions',
  },
  {
    id: 'urls.recheck',
    text: 'The address of a browser window is checked again before delivery.',
    source: 'behaviour#sessions',
  },
  { id: 'session.goal', text: 'goal is on cards, as the agent’s words.', source: 'behaviour#sessions' },
  { id: 'session.goal-audited', text: 'goal is in the audit.', source: 'behaviour#sessions' },
  { id: 'session.hints-audited', text: 'hints are in the audit.', source: 'behaviour#sessions' },
  { id: 'session.hints', text: 'hints give no permission.', source: 'behaviour#sessions' },
  { id: 'session.summary', text: 'summary is always filled.', source: 'behaviour#sessions' },
  {
    id: 'session.abort-summary',
    text: 'The summary of an aborted session is its reason.',
    source: 'behaviour#sessions',
  },
  { id: 'session.last-url', text: 'lastUrl is the last listed URI that was acted on.', source: 'behaviour#sessions' },
  {
    id: 'session.evidence',
    text: 'The evidence of a session is {artifacts, audit{from,to}, denials, approvals}.',
    source: 'behaviour#sessions',
  },
  {
    id: 'session.duration',
    text: 'A session ends with duration_exceeded at its time limit.',
    source: 'behaviour#sessions',
  },
  {
    id: 'session.duration-waiting',
    text: 'The time that a session waits for a person counts towards its duration.',
    source: 'behaviour#sessions',
  },
  {
    id: 'session.duration-released',
    text: 'Keys and buttons that a session holds are released at its time limit.',
    source: 'behaviour#sessions',
  },
  {
    id: 'outcome.queued',
    text: 'After a killed host, a queued action is not_delivered under its key for good, only the one in delivery is unknown, and the answer names the first request’s action.',
    source: 'behaviour#sessions',
  },
  {
    id: 'token.end',
    text: 'A token that is revoked or expires ends at once what entered under it: actions, cards, streams, sessions, bindings.',
    source: 'behaviour#sessions',
  },
  { id: 'session.after-crash', text: 'After a crash, running sessions end failed.', source: 'behaviour#sessions' },
  {
    id: 'stream.kinds',
    text: 'A session’s stream has seven kinds of events: session.started, action, screenshot, approval_required, approval_resolved, error, session.ended.',
    source: 'behaviour#streams',
  },
  {
    id: 'stream.action-first',
    text: 'An action event is in the stream before anything of the action is delivered.',
    source: 'behaviour#streams',
  },
  { id: 'stream.screenshot', text: 'Each picture is one screenshot event.', source: 'behaviour#streams' },
  { id: 'stream.approval-required', text: 'Each card is one approval_required event.', source: 'behaviour#streams' },
  {
    id: 'stream.approval-resolved',
    text: 'Each decision on a card is one approval_resolved event.',
    source: 'behaviour#streams',
  },
  {
    id: 'stream.expired-resolved',
    text: 'A card that expires is approval_resolved with deny.',
    source: 'behaviour#streams',
  },
  {
    id: 'stream.disconnect-resolved',
    text: 'A card whose client disconnects is approval_resolved with deny.',
    source: 'behaviour#streams',
  },
  { id: 'stream.error', text: 'Each failed or blocked action is one error event.', source: 'behaviour#streams' },
  { id: 'stream.started-first', text: 'session.started comes first.', source: 'behaviour#streams' },
  {
    id: 'stream.abort-resolved',
    text: 'A card that an abort takes away is approval_resolved with deny.',
    source: 'behaviour#streams',
  },
  {
    id: 'stream.approval-url',
    text: 'approval_required names the page that it is about if that is known, else the program.',
    source: 'seeds/computer-use.schema.json',
  },
  {
    id: 'session.stream',
    text: 'Stream data is exactly the protocol’s object, no key added.',
    source: 'behaviour#sessions',
  },
  {
    id: 'session.schema',
    text: 'Every event of a session and its output are valid against the given schema.',
    source: 'behaviour#sessions',
  },
  { id: 'session.replay', text: 'A gap in a replay is an error with code EVENTS_LOST.', source: 'behaviour#sessions' },
  { id: 'session.abort', text: 'A session can be aborted in any live state.', source: 'behaviour#sessions' },
  { id: 'session.abort-again', text: 'Aborting a session again changes nothing.', source: 'behaviour#sessions' },
  { id: 'session.decision', text: 'Control: a decision needs the operator’s scope.', source: 'behaviour#sessions' },
  {
    id: 'session.decision-own',
    text: 'Control: a decision is about a card of that session.',
    source: 'behaviour#sessions',
  },
  { id: 'session.owner', text: 'Only a session’s own token sees it.', source: 'api#http' },
  {
    id: 'proposal.answer',
    text: 'request_ui_action on every face: the answer is {decision, riskLevel, riskTags, proposedRiskTags, flags, reason, evidence, approvalId, actionId, result}.',
    source: 'behaviour#proposals',
  },
  {
    id: 'proposal.execute',
    text: 'A proposal that needs no approval is executed once.',
    source: 'behaviour#proposals',
  },
  {
    id: 'proposal.execute-approved',
    text: 'A proposal that was approved is executed once.',
    source: 'behaviour#proposals',
  },
  {
    id: 'proposal.approve',
    text: 'A proposal needs approval for the tags found in the live element, whatever the model claims.',
    source: 'behaviour#proposals',
  },
  {
    id: 'proposal.review',
    text: 'A proposal whose target is ambiguous is reviewed: it is not run, and the candidates are returned.',
    source: 'behaviour#proposals',
  },
  {
    id: 'proposal.review-coordinate',
    text: 'A coordinate is reviewed where elements are required.',
    source: 'behaviour#proposals',
  },
  {
    id: 'proposal.block',
    text: 'A proposal that carries a risk is blocked while text on the screen gives instructions.',
    source: 'behaviour#proposals',
  },
  { id: 'proposal.mapping', text: 'A proposed keypress is key.', source: 'behaviour#proposals' },
  {
    id: 'proposal.mapping-scroll',
    text: 'A proposed scroll without a target is one page down.',
    source: 'behaviour#proposals',
  },
  { id: 'proposal.mapping-click', text: 'A proposed click is clickElement.', source: 'behaviour#proposals' },
  {
    id: 'proposal.mapping-type',
    text: 'A proposed type is typeIntoElement in append mode.',
    source: 'behaviour#proposals',
  },
  {
    id: 'proposal.keys',
    text: 'A keypress takes its keys from text, else from target.name.',
    source: 'behaviour#proposals',
  },
  {
    id: 'proposal.keys-target',
    text: 'A keypress that names an element gives it the focus first, and sends no key where it does not get it.',
    source: 'behaviour#proposals',
  },
  {
    id: 'proposal.text-refused',
    text: 'text with click, scroll or wait is invalid_argument.',
    source: 'behaviour#proposals',
  },
  {
    id: 'proposal.wait',
    text: 'A proposal to wait answers true when the window was quiet for half a second, and false after five seconds.',
    source: 'behaviour#proposals',
  },
  {
    id: 'proposal.coordinate',
    text: 'The role coordinate takes x,y of the latest observation from name, only where the policy allows it.',
    source: 'behaviour#proposals',
  },
  { id: 'proposal.test-id', text: 'test_id of a proposal is the AutomationId.', source: 'behaviour#proposals' },
  { id: 'proposal.empty', text: 'Empty strings of a proposal count as not given.', source: 'behaviour#proposals' },
  {
    id: 'protocol.input',
    text: 'ComputerUseInput: goal, 1–16 urls, maxActions 1–200, maxDurationMs 1,000–1,800,000, hints; nothing else.',
    source: 'seeds/computer-use.schema.json',
  },
  {
    id: 'protocol.output',
    text: 'ComputerUseOutput: computerUseSessionId, status, summary, actionsExecuted, durationMs, lastUrl, evidence.',
    source: 'seeds/computer-use.schema.json',
  },
  {
    id: 'protocol.events',
    text: 'ComputerUseStreamEvent: the seven events with exactly their keys.',
    source: 'seeds/computer-use.schema.json',
  },
  {
    id: 'protocol.control',
    text: 'ComputerUseControlRequest: abort with reason, decision with actionId and approve or deny.',
    source: 'seeds/computer-use.schema.json',
  },
  {
    id: 'tool.computer-use.loop',
    text: 'With computer_use alone, an agent starts a session, acts in it, proposes, follows its events and completes it, in both revisions of MCP.',
    source: 'seeds/computer-use.schema.json',
  },
  {
    id: 'tool.computer-use.wait',
    text: 'computer_use with wait answers when the session has ended, with the protocol’s output, and reports its events as progress.',
    source: 'seeds/computer-use.schema.json',
  },
  {
    id: 'tool.computer-use.ends',
    text: 'computer_use aborts a session with its reason.',
    source: 'seeds/computer-use.schema.json',
  },
  {
    id: 'tool.computer-use.limit',
    text: 'computer_use says when a session was ended by a limit.',
    source: 'seeds/computer-use.schema.json',
  },
  {
    id: 'tool.computer-use.late',
    text: 'computer_use refuses calls after a session’s end.',
    source: 'seeds/computer-use.schema.json',
  },
  {
    id: 'tool.computer-use.pending',
    text: 'A proposal by computer_use that needs approval answers pending before a client gives up.',
    source: 'api#mcp',
  },
  {
    id: 'tool.computer-use.awaited',
    text: 'await_approval follows a proposal by computer_use to its end.',
    source: 'api#mcp',
  },
  {
    id: 'tool.computer-use.http',
    text: 'computer_use is a tool over HTTP with the same arguments and answers.',
    source: 'seeds/computer-use.schema.json',
  },
  {
    id: 'tool.computer-use.polled',
    text: 'follow over HTTP answers with the events after the one it names.',
    source: 'seeds/computer-use.schema.json',
  },
  {
    id: 'tool.computer-use.input',
    text: 'computer_use starts a session with exactly what the protocol’s schema takes.',
    source: 'seeds/computer-use.schema.json',
  },
  { id: 'tool.computer-use.owner', text: 'computer_use reaches only its own token’s sessions.', source: 'api#http' },
  { id: 'tool.computer-use.refusals', text: 'What computer_use refuses is audited.', source: 'api#http' },
  {
    id: 'tool.computer-use.own-binding',
    text: 'A tool call that names no computer-use session acts in none.',
    source: 'behaviour#binding',
  },
  {
    id: 'tool.computer-use.named',
    text: 'A tool call acts in the computer-use session that it names.',
    source: 'behaviour#binding',
  },
  {
    id: 'proposal.parameters',
    text: 'request_ui_action is accepted exactly as the given tool schema says; anything else is invalid_argument.',
    source: 'seeds/request-ui-action.tool.json',
  },
  {
    id: 'proposal.tags',
    text: 'The risk tags of a proposal are recomputed from the live UI.',
    source: 'seeds/request-ui-action.tool.json',
  },
  {
    id: 'proposal.advisory',
    text: 'requires_approval: false of a proposal lowers nothing.',
    source: 'seeds/request-ui-action.tool.json',
  },
];
