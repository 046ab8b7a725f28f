/** Sentences of docs/behaviour.md that the store, the audit and the artifacts carry out. Test titles cite the ids in brackets. */
export const requirements = [
  {
    id: 'store.thread',
    text: 'Sessions, events, approvals, actions, artifacts’ records are in SQLite (WAL, full sync), used from a separate thread with group commit: one flush before a delivery, one after.',
    source: 'behaviour#sessions',
  },
  { id: 'store.acknowledged', text: 'After a crash what was acknowledged is there.', source: 'behaviour#sessions' },
  {
    id: 'store.recovery',
    text: 'After a crash, running sessions end failed and open approvals are denied.',
    source: 'behaviour#sessions',
  },
  {
    id: 'store.never-waits',
    text: 'Server, stop, stream and store never wait for native work: the store has its own thread.',
    source: 'behaviour#lifecycle',
  },
  { id: 'stream.ids', text: '`id:` = `<sessionId>:<sequence>`.', source: 'behaviour#streams' },
  {
    id: 'stream.ended-once',
    text: 'session.ended is the last event of a session’s stream.',
    source: 'behaviour#streams',
  },
  { id: 'stream.replay', text: '`Last-Event-ID` replays a stream from the store.', source: 'behaviour#streams' },
  { id: 'stream.gap', text: 'A gap in what a stream can replay is noticed.', source: 'behaviour#streams' },
  {
    id: 'session.max-actions',
    text: 'maxActions counts executed actions that change something.',
    source: 'behaviour#sessions',
  },
  {
    id: 'session.uncounted',
    text: 'The action after the last one that maxActions allows is not counted.',
    source: 'behaviour#sessions',
  },
  {
    id: 'session.idempotency',
    text: '`Idempotency-Key`: the same key and body get the first answer.',
    source: 'behaviour#sessions',
  },
  {
    id: 'session.idempotency-body',
    text: 'The same idempotency key with another body is refused.',
    source: 'behaviour#sessions',
  },
  { id: 'approval.first-wins', text: 'The first decision on a card wins.', source: 'behaviour#approvals' },
  { id: 'approval.same-again', text: 'The same decision again is fine.', source: 'behaviour#approvals' },
  {
    id: 'approval.opposite',
    text: 'The opposite decision on a decided card is a conflict.',
    source: 'behaviour#approvals',
  },
  { id: 'action.kept-24h', text: 'The record of an action is kept 24 hours.', source: 'api#http' },
  { id: 'token.hash-only', text: 'The store has only the hash of a token.', source: 'api#http' },
  { id: 'token.revoked', text: 'Stored tokens are found by hash and listed.', source: 'api#http' },
  { id: 'token.revoked-once', text: 'A stored token is revoked once.', source: 'api#http' },
  {
    id: 'grant.revoked',
    text: 'A revoked token or grant is gone from the store immediately.',
    source: 'behaviour#grants',
  },
  {
    id: 'artifact.file',
    text: 'Every picture is stored as `<sha256>.<ext>` under `.agent-runtime/spool/images/` of the data directory, ≤ 5 MiB, png, jpeg, webp.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'artifact.strict',
    text: 'Strict base64, magic bytes equal to the type, dimensions decoded, pixel cap.',
    source: 'behaviour#artifacts',
  },
  { id: 'artifact.atomic', text: 'Temporary file, sync, rename.', source: 'behaviour#artifacts' },
  {
    id: 'artifact.references',
    text: 'Pictures are reference-counted, so that refusing one copy never deletes another.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'artifact.quotas',
    text: 'Quotas per session and in total, retention by age; keeping pictures can be switched off.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'artifact.record',
    text: 'Record (exported type `ImageArtifact`): uri `artifact://…`, mimeType, byteSize, contentHash, width, height, sourceTool, toolOutputSpoolId.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'artifact.quarantine',
    text: 'A failed artifact is quarantined and never breaks the action.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'artifact.lookup',
    text: '`GET /v1/artifacts/{sha256}` and `/content` find the record and the bytes.',
    source: 'api#http',
  },
  { id: 'artifact.no-path', text: 'No artifact id leads outside the folder.', source: 'api#http' },
  {
    id: 'artifact.examples',
    text: '`createArtifactRegistry`, `createArtifactPipeline`, `createImageArtifactStore` are called as the safety document shows.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'spool.large-outputs',
    text: 'Tool outputs past 64 KiB spill to `.agent-runtime/spool/` with a line that says what was cut and where the rest is.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'spool.read',
    text: 'A cut output can be read by the token that made the call: over HTTP, as an MCP resource and by command.',
    source: 'seeds/computer-use-safety.md',
  },
  {
    id: 'spool.named',
    text: 'The line about a cut names every way to the rest: GET /v1/spool/{id}, the MCP resource spool://…, `uiahost spool`.',
    source: 'seeds/computer-use-safety.md',
  },
  { id: 'spool.foreign', text: 'Another token cannot read a cut output.', source: 'seeds/computer-use-safety.md' },
  {
    id: 'spool.images',
    text: "Image segments of spilled outputs become separate files, replaced by `{type: 'resource', uri, mimeType}`.",
    source: 'behaviour#artifacts',
  },
  {
    id: 'streaming.persisted',
    text: 'tool.start, tool.progress, tool.end and stream events go to the event bus, are persisted, and can be replayed.',
    source: 'behaviour#artifacts',
  },
  {
    id: 'audit.readable',
    text: 'Audit: `<data>/audit/*.jsonl`, readable while the host runs, append-only.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.text',
    text: 'The audit has hashes and lengths of typed text and never the text.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.chain',
    text: 'Chained by hash, with a keyed checkpoint: editing, deleting, reordering, inserting or cutting does not verify.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.killed',
    text: 'A record of the audit is synced before the checkpoint moves.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.ahead',
    text: 'One valid record ahead of the checkpoint is accepted, so the audit of a killed host verifies.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.unavailable',
    text: 'When the audit cannot be written, the caller of append gets the error.',
    source: 'behaviour#audit',
  },
  {
    id: 'audit.replay',
    text: 'A session can be replayed from the audit: one self-contained page with events, cards and pictures in order.',
    source: 'behaviour#audit',
  },
] as const;
