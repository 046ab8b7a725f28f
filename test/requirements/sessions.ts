import type { Requirement } from './requirement.ts';

/** BEHAVIOUR section 10 and the two given schemas that it carries out, beyond the lists of policy, store and HTTP. */
export const sessions: readonly Requirement[] = [
  { id: 'session.defaults', text: 'Absent limits: 50 actions, 300,000 ms.', source: 'BEHAVIOUR 10' },
  { id: 'urls.address', text: 'The address of a browser window is its Document’s value with the address bar as second witness; disagreement or none is refused; it is checked again before delivery.', source: 'BEHAVIOUR 10' },
  { id: 'session.goal', text: 'goal stands on cards and in the audit as the agent’s words; hints is audited and gives no permission.', source: 'BEHAVIOUR 10' },
  { id: 'session.summary', text: 'summary is always filled (abort: its reason); lastUrl = last listed URI acted on; evidence = {artifacts, audit{from,to}, denials, approvals}.', source: 'BEHAVIOUR 10' },
  { id: 'session.duration', text: 'Duration is wall clock, waiting included; at the limit what is held is released, then duration_exceeded.', source: 'BEHAVIOUR 10' },
  { id: 'session.after-crash', text: 'After a crash what was acknowledged is there; running sessions end failed, approvals denied.', source: 'BEHAVIOUR 10' },
  { id: 'stream.kinds', text: 'All seven kinds: session.started first; action before delivery; screenshot per picture; approval_required per card; approval_resolved also at deadline, abort, disconnect; error per failed or blocked action; session.ended last.', source: 'BEHAVIOUR 10' },
  { id: 'session.stream', text: 'Stream data is exactly the protocol’s object, no key added; every event and the output are valid against the given schema.', source: 'BEHAVIOUR 10' },
  { id: 'session.replay', text: 'A gap in a replay is an error with code EVENTS_LOST.', source: 'BEHAVIOUR 10' },
  { id: 'session.abort', text: 'Control: abort in any live state, idempotent.', source: 'BEHAVIOUR 10' },
  { id: 'session.decision', text: 'Control: a decision needs the operator’s scope and belongs to its session.', source: 'BEHAVIOUR 10' },
  { id: 'session.owner', text: 'A session is seen by its own token alone.', source: 'API HTTP' },
  { id: 'proposal.answer', text: 'request_ui_action on every face: the answer is {decision, riskLevel, riskTags, proposedRiskTags, flags, reason, evidence, approvalId, actionId, result}.', source: 'BEHAVIOUR 10' },
  { id: 'proposal.execute', text: 'The tool executes nothing itself; on execute, or after a yes, the gate runs the action once.', source: 'BEHAVIOUR 10' },
  { id: 'proposal.approve', text: 'A proposal is asked for the tags found in the live element, whatever the model claims; a person’s yes runs it once.', source: 'BEHAVIOUR 10' },
  { id: 'proposal.review', text: 'A proposal that is not clear, or goes by coordinates where elements are asked for, is reviewed: not run, the reason comes back.', source: 'BEHAVIOUR 8' },
  { id: 'proposal.block', text: 'A proposal beside text on the screen that gives instructions is blocked where it carries a risk.', source: 'BEHAVIOUR 8' },
  { id: 'proposal.mapping', text: 'Mapping: click → clickElement; type → typeIntoElement append; keypress: keys from text, else target.name; scroll: ScrollItem, nameless = one page down; wait: until the window is quiet, ≤ 5 s; text with click, scroll or wait is invalid_argument.', source: 'BEHAVIOUR 10' },
  { id: 'proposal.coordinate', text: 'role coordinate: name = x,y of the latest observation, only where policy allows; test_id = automationId; empty strings = not given.', source: 'BEHAVIOUR 10' },
  { id: 'protocol.input', text: 'ComputerUseInput: goal, 1–16 urls, maxActions 1–200, maxDurationMs 1,000–1,800,000, hints; nothing else.', source: 'seed computer-use' },
  { id: 'protocol.output', text: 'ComputerUseOutput: computerUseSessionId, status, summary, actionsExecuted, durationMs, lastUrl, evidence.', source: 'seed computer-use' },
  { id: 'protocol.events', text: 'ComputerUseStreamEvent: the seven events with exactly their keys.', source: 'seed computer-use' },
  { id: 'protocol.control', text: 'ComputerUseControlRequest: abort with reason, decision with actionId and approve or deny.', source: 'seed computer-use' },
  { id: 'proposal.parameters', text: 'request_ui_action is accepted word for word, strictly; risk tags are recomputed from the live UI and requires_approval is advisory.', source: 'seed request_ui_action' },
];
