// A program elsewhere drives a host by its address and token: it opens a computer-use session, acts in it, follows its
// events, and passes approvals on. UIAHOST_URL, UIAHOST_AGENT_TOKEN; with UIAHOST_OPERATOR_TOKEN it also shows the cards,
// and approves the cards whose id it reads from standard input.
// node orchestrator.mjs "Window title"
import { createInterface } from 'node:readline';
import { ProblemError, UiaHostClient } from 'uiahost/client';

const [title = 'uiahost demo'] = process.argv.slice(2);
const { UIAHOST_URL: url, UIAHOST_AGENT_TOKEN: token, UIAHOST_OPERATOR_TOKEN: operatorToken } = process.env;
if (url === undefined || token === undefined) throw new Error('Set UIAHOST_URL and UIAHOST_AGENT_TOKEN.');
const host = new UiaHostClient({ url, token, operatorToken });
const over = new AbortController();

/** Shows each card, and approves the cards that the person names. */
async function passOnApprovals() {
  createInterface({ input: process.stdin }).on('line', (id) => {
    host.decideApproval(id.trim(), { decision: 'approve' }).catch((error) => console.error(error.message));
  });
  for await (const { status, approvalId, summary } of host.approvals({ signal: over.signal }))
    console.log(`card ${approvalId} ${status}: ${summary}`);
}

/**
 * Prints the session's events until it has ended. A lost connection is opened again.
 * @param {string} id
 */
async function follow(id) {
  for await (const { type } of host.streamSession(id)) console.log(`event ${type}`);
}

const { value: windows } = await host.actions.listVisibleWindows();
const target = windows.find((window) => window.title === title);
if (target === undefined) throw new Error(`No window has the title ${JSON.stringify(title)}.`);
// Whatever runs in the session reaches this application alone.
const { computerUseSessionId: session } = await host.startSession({
  goal: 'Enter the customer and choose express delivery',
  urls: [`app:${encodeURIComponent(target.app)}`],
  maxActions: 10,
});
const cards = operatorToken === undefined ? Promise.resolve() : passOnApprovals().catch(() => {});
const events = follow(session);
try {
  await host.actions.bindToWindow({ hwnd: target.hwnd }, { session });
  await host.actions.typeIntoElement({ role: 'edit', name: 'Customer', text: 'Adventure Works' }, { session });
  await host.actions.clickElement({ role: 'checkbox', name: 'Express delivery' }, { session });
  const { status, actionsExecuted } = await host.completeSession(session, { summary: 'Customer entered.' });
  console.log(`${status} after ${actionsExecuted} actions`);
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  console.error(`${error.code}: ${error.message}\n  try: ${error.hint}`);
  await host.controlSession(session, { action: 'abort', computerUseSessionId: session, reason: error.code });
  process.exitCode = 1;
}
await events;
over.abort();
await cards;
process.stdin.destroy();
