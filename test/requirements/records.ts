/** Requirements of the audit and of what is recorded. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#audit and the safety document, beyond the store's list. */
export const records: readonly Requirement[] = [
  {
    id: 'computer.tools',
    text: 'createComputerTools(controller, policy): screenshot {displayId?}, pointer_move {x, y}, click {x, y, button?, clickCount?}, keypress {key, modifiers?, repeat?}, type {text}; in MCP the colon becomes _.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'computer.image',
    text: 'computer:screenshot returns {type: image, data, mimeType: image/png}.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'exports.examples',
    text: 'The safety document’s two examples run verbatim: the policy builder, and the artifact pipeline with an image store of an own policy.',
    source: 'behaviour#artifacts',
  },
  { id: 'exports.bridge', text: 'Exported: createStreamEventBridge({stream, bus}).', source: 'behaviour#artifacts' },
  {
    id: 'streaming.loop',
    text: 'The streaming loop interleaves a model’s output with the execution of the tools that it calls, in one order that a bus keeps and replays; a tool starts while the model goes on, tools run one after the other.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'streaming.loop.ends',
    text: 'A model that fails, an abort and a tool that does not exist end or answer the loop without leaving a tool behind; no tool begins after that.',
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
  {
    id: 'audit.every',
    text: 'The audit has every request including refused ones, decisions with who and why, outcomes.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.refusals',
    text: 'Refused requests are audited; a flood of them is counted instead of filling the audit.',
    source: 'behaviour#audit',
  },
  { id: 'audit.verifies', text: 'A running host’s audit verifies over the API.', source: 'behaviour#audit' },
  {
    id: 'safety.levels',
    text: 'Four levels: disabled blocks all, observe allows screen capture only, control asks for input, full does not.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'safety.high-risk',
    text: 'Input actions are high-risk and tagged computer:input when confirmation is required.',
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
    source: 'behaviour#audit',
    text: 'Every change of the policy is in the audit with what it loosens and narrows and where it comes from, before it holds; what cannot be written down does not hold.',
  },
  {
    id: 'audit.keyed-hashes',
    source: 'behaviour#audit',
    text: 'Hashes of typed text and digests of arguments are keyed; of secrets, and of what is typed for a payment or into a password field, there is none.',
  },
  {
    id: 'records.typed-text',
    source: 'behaviour#audit',
    text: 'What is typed under approval is on the card while it waits, and in no file of the data folder, before and after the decision, also where the host is killed.',
  },
  {
    id: 'records.sealed-answers',
    source: 'api#http',
    text: 'A kept answer is whole for as long as its host runs; on disk its texts are sealed with a key of that process, and a later host tells what was done without them.',
  },
  {
    id: 'audit.anchor',
    source: 'behaviour#audit',
    text: 'How far the audit reaches is kept in the database too: an audit that was deleted, cut, replaced or begun again is noticed at the start and by verify; a killed host raises no alarm.',
  },
  {
    id: 'audit.segments',
    source: 'behaviour#audit',
    text: 'The audit’s key moves on at each start, with each hour and each 500 records, and the one before is erased: with the present key no earlier record can be sealed again unseen by whoever holds an exported key. A kill during the move raises no alarm; verify says from which record on it checked the seals.',
  },
  {
    id: 'audit.witness',
    source: 'behaviour#audit',
    text: 'Number and hash of the audit’s newest record are reported to the Windows event log (source uiahost) at the start, each 1,000 records, each hour and at the end; a report that fails or is not kept hinders nothing and is a finding of the doctor.',
  },
  {
    id: 'audit.export-key',
    source: 'behaviour#audit',
    text: 'uiahost audit export-key copies the present key into a new file; audit verify --key checks every seal from that key’s segment on.',
  },
];
