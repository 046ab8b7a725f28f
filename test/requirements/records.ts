/** Requirements of the audit and of what is recorded. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#audit and the safety document, beyond the store's list. */
export const records: readonly Requirement[] = [
  {
    id: 'computer.tools',
    text: 'createComputerTools(controller, policy): screenshot {displayId?}, pointer_move {x, y}, click {x, y, button?, clickCount?}, keypress {key, modifiers?, repeat?}, type {text}.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'computer.image',
    text: 'computer:screenshot returns {type: image, data, mimeType: image/png}.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'exports.examples',
    text: 'The safety document’s two examples run verbatim: the policy builder, and the artifact pipeline with an image store that has its own policy.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'exports.oldest-node',
    text: 'The library’s parts of the safety document run in the oldest Node that the package names; an executor in it is unsupported, and the error names the Node that it needs.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'exports.bridge',
    text: 'createStreamEventBridge({stream, bus}) puts start, progress and end of each tool call on the bus.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'exports.bridge-text',
    text: 'Typed text does not go over the bridge to the bus.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'streaming.loop',
    text: 'In the streaming loop a tool starts while the model continues.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'streaming.loop.order',
    text: 'Tools of the streaming loop run one after the other.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'streaming.loop.replayed',
    text: 'A bus replays the events of the streaming loop in order.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'streaming.loop.stored',
    text: 'What a store keeps of the streaming loop is the same after a restart.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'streaming.loop.model-fails',
    text: 'If the model fails, the streaming loop waits for the running tool, starts no other, and rejects.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'streaming.loop.aborted',
    text: 'An abort ends the streaming loop, and no tool starts after it.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'streaming.loop.unknown-tool',
    text: 'A call of an unknown tool is answered with an error, and the streaming loop continues.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'streaming.loop.tool-fails',
    text: 'A tool that fails is answered with an error, and the streaming loop continues.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'streaming.loop.turns',
    text: 'The streaming loop ends after its maximum number of turns.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'exports.types',
    text: 'A TypeScript program that imports the package compiles against its types: the executor is Required<ComputerExecutor>.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'exports.host',
    text: 'A host created in TypeScript accepts imageStore and policy.',
    source: 'behaviour#artifacts',
  },
  { id: 'audit.every', text: 'The audit has every request, refused ones too.', source: 'behaviour#audit' },
  { id: 'audit.decisions', text: 'The audit has each decision, who made it and why.', source: 'behaviour#audit' },
  { id: 'audit.refusals', text: 'Refused requests are audited.', source: 'behaviour#audit' },
  {
    id: 'audit.refusals-flood',
    text: 'A flood of refused requests is counted instead of filling the audit.',
    source: 'behaviour#audit',
  },
  { id: 'audit.verifies', text: 'A running host’s audit verifies over the API.', source: 'behaviour#audit' },
  {
    id: 'safety.levels',
    text: 'Four levels: disabled blocks all, observe allows screen capture only, control asks for input, full does not.',
    source: 'seeds/computer-use-safety.md',
  },
  { id: 'safety.high-risk', text: 'Input actions are high-risk.', source: 'seeds/computer-use-safety.md' },
  {
    id: 'safety.tagged',
    text: 'Input actions are tagged computer:input when confirmation is required.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'safety.confirmation',
    text: 'Confirmation is asked before high-risk actions and presents risk labels and escalation reasons.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'safety.artifacts',
    text: 'Artifact emission failures are quarantined and do not crash the tool execution path.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'policy.recorded',
    text: 'A change of the policy over the API is in the audit with what it loosens and narrows, and by whom.',
    source: 'behaviour#audit',
  },
  {
    id: 'policy.recorded-file',
    text: 'A change of the policy file is in the audit, made while the host runs or not.',
    source: 'behaviour#audit',
  },
  {
    id: 'policy.recorded-points',
    text: 'Every setting that a change of the policy loosens or narrows is named.',
    source: 'behaviour#audit',
  },
  {
    id: 'policy.recorded-card',
    text: 'What a card grants for longer is in the audit before it takes effect.',
    source: 'behaviour#audit',
  },
  {
    id: 'policy.unrecorded',
    text: 'A change of the policy that cannot be recorded does not take effect.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.keyed-hashes',
    text: 'Hashes of typed text and digests of arguments are keyed.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.no-hash',
    text: 'There is no hash of secrets, or of what is typed for a payment or into a password field.',
    source: 'behaviour#audit',
  },
  {
    id: 'records.typed-text',
    text: 'What is typed under approval is on the card while it waits.',
    source: 'behaviour#audit',
  },
  {
    id: 'records.typed-text-disk',
    text: 'What is typed under approval is in no file of the data folder, before or after the decision, even if the host is killed.',
    source: 'behaviour#audit',
  },
  { id: 'records.sealed-answers', text: 'A kept answer is complete while its host runs.', source: 'api#http' },
  {
    id: 'records.sealed-disk',
    text: 'The texts of a kept answer are sealed on disk with a key of its process.',
    source: 'api#http',
  },
  {
    id: 'records.sealed-contents',
    text: 'Large outputs and the cells that writes replaced are sealed on disk with a key of their host’s process, and end with it.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'records.later-host',
    text: 'A later host reports what was done, without the texts of a kept answer.',
    source: 'api#http',
  },
  {
    id: 'audit.anchor',
    text: 'The database also keeps how far the audit reaches: an audit that was deleted, cut, replaced or restarted is noticed at the start and by verify.',
    source: 'behaviour#audit',
  },
  { id: 'audit.anchor-kill', text: 'A killed host raises no alarm about its audit.', source: 'behaviour#audit' },
  {
    id: 'audit.segments',
    text: 'The audit’s key changes at each start and each 500 records.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.segments-erased',
    text: 'The previous key of the audit is erased from the disk.',
    source: 'behaviour#audit',
  },
  { id: 'audit.segments-hour', text: 'The audit’s key changes after an hour.', source: 'behaviour#audit' },
  { id: 'audit.segments-idle', text: 'A start that writes nothing keeps the key.', source: 'behaviour#audit' },
  {
    id: 'audit.segments-sealed',
    text: 'Anyone who holds an earlier key notices records that were sealed again with the present key.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.segments-kill',
    text: 'A kill while the audit’s key changes raises no alarm.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.witness',
    text: 'Number and hash of the audit’s record are reported to the Windows event log (source uiahost) at the start, each 1,000 records and at the end.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.witness-hour',
    text: 'The newest record is reported to the event log each hour.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.witness-kept',
    text: 'A report counts as kept only if the event log has grown.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.witness-hinders',
    text: 'A report to the event log that fails or never returns holds up no record.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.witness-failed',
    text: 'A report to the event log that is not kept is a finding of the doctor.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.export-key',
    text: '`uiahost audit export-key` copies the present key into a new file.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.export-key-checks',
    text: '`audit verify --key` checks every seal from that key’s segment on.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.export-key-from',
    text: 'verify reports from which record on it checked the seals.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.export',
    text: 'uiahost audit export writes the records of a time to one file, which is checked on its own on any system, with what cannot be checked without the key.',
    source: 'audit#exporting-a-part',
  },
  {
    id: 'audit.export.strict',
    text: 'An export is complete and unchanged only by a key that was kept elsewhere (--key); its head has a schema, none of its texts reaches the terminal raw, and checking it takes time and memory by its size alone.',
    source: 'audit#exporting-a-part',
  },
  {
    id: 'audit.export.damage',
    text: 'A change of any byte of an export is found without a key, a rebuilt export with it.',
    source: 'audit#exporting-a-part',
  },
  {
    id: 'audit.cut',
    text: 'An audit that is kept for a number of days loses whole files, each after a sealed record of it; verification says from where it is complete, and a cut hides no damage.',
    source: 'behaviour#audit',
  },
  {
    id: 'records.retention',
    text: 'Days for audit, pictures and sessions are the policy’s; fewer days are a loosening, and administrators decide in both directions.',
    source: 'behaviour#audit',
  },
  {
    id: 'upgrade.data',
    text: 'A data directory of an earlier version works: policies, database, audit, tokens, and the configurations that were printed for MCP clients.',
    source: 'behaviour#what-is-stored',
  },
  {
    id: 'data.commands',
    text: '`uiahost data export` gathers one user’s data without secrets; `data remove` deletes it after it was listed, and an administrator’s does so for a user, or for all who have left, without following links.',
    source: 'behaviour#how-long-it-is-kept',
  },
];
