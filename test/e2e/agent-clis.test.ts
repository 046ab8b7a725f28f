/**
 * Agent CLIs by the installed configuration unchanged, over stdio and HTTP. The model is a script; the host, the gate and the
 * window are real. `npm run clients` runs every case and every CLI, `npm run test:all` the short ones of Codex and Gemini.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import { agentCli, CLIS, MORE_CLIS, startCli, type AgentCli, type Transport } from '../support/agent-cli.ts';
import { Scene, type NotepadWindow } from '../support/scene.ts';
import { startModel, type Shown, type ToolTurn } from '../support/cli-model.ts';
import { until } from '../support/until.ts';

/** The names of `npm run clients`; undefined in the other commands. */
const wanted = process.env['UIAHOST_CLIENTS']?.split(' ');
const isLong = wanted !== undefined;
const ALL: readonly AgentCli[] = [...CLIS, ...MORE_CLIS];
const chosen = wanted === undefined ? CLIS : ALL.filter((cli) => wanted.includes('all') || wanted.includes(cli));
const TYPED = 'Typed by a CLI – ’狐’';
const LIMIT = { timeout: 180_000 };
/** The others show their model a picture as text, or leave it out. */
const SHOWS_PICTURES: ReadonlySet<AgentCli> = new Set(['codex', 'gemini', 'claude']);
/** Its configuration takes no token from a variable. */
const HAS_NO_HTTP: ReadonlySet<AgentCli> = new Set(['cline']);
const over = chosen.flatMap((cli): Array<[AgentCli, Transport]> => [
  [cli, 'stdio'],
  ...(HAS_NO_HTTP.has(cli) ? [] : [[cli, 'http'] as [AgentCli, Transport]]),
]);

let scene: Scene;
let notepad: NotepadWindow;
beforeAll(async () => {
  for (const cli of chosen) await agentCli(cli);
  scene = await Scene.open({ env: { UIAHOST_LEVEL: 'control' } });
}, 900_000);
afterAll(() => scene?.[Symbol.asyncDispose]());
beforeEach(async () => {
  notepad = await scene.notepad();
});
afterEach(() => notepad.program.kill());

/** Follows a script, and waits for a person as the answers say. */
const script =
  (turns: readonly ToolTurn[]) =>
  (shown: readonly Shown[]): ToolTurn | null => {
    const waits = shown.filter(({ tool }) => tool === 'await_approval').length;
    const last = shown.at(-1)?.text ?? '';
    const pending = /\\*"status\\*":\s*\\*"pending\\*"/.test(last);
    const approvalId = /\\*"approvalId\\*":\s*\\*"([A-Za-z0-9_-]+)/.exec(last)?.[1];
    if (pending && approvalId !== undefined) return { tool: 'await_approval', args: { approvalId } };
    return turns[shown.length - waits] ?? null;
  };

const pendingCards = async (): Promise<Array<{ approvalId: string }>> =>
  (await scene.host.request('/v1/approvals?status=pending', { token: 'operator' })).body.approvals;

async function decide(decision: 'approve' | 'deny', afterMs = 0): Promise<void> {
  const [card] = await until(pendingCards, (cards) => cards.length > 0, 60_000);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  await scene.host.request(`/v1/approvals/${card!.approvalId}`, { token: 'operator', body: { decision } });
}

const bind = (): ToolTurn => ({ tool: 'bind_to_window', args: { hwnd: notepad.hwnd } });
const type = (text: string): ToolTurn => ({ tool: 'virtual_keyboard', args: { action: 'type', text } });
const shownBy = (shown: readonly Shown[], tool: string): Shown => {
  const found = shown.findLast((each) => each.tool === tool);
  if (found === undefined)
    throw new Error(`the model saw no answer of ${tool}: ${JSON.stringify(shown).slice(0, 500)}`);
  return found;
};

describe.each(over)('%s over %s', (cli, transport) => {
  it('binds, looks, types with a yes, takes a picture, is refused and denied', LIMIT, async () => {
    await using model = await startModel(
      script([
        bind(),
        { tool: 'snapshot', args: {} },
        type(TYPED),
        { tool: 'screenshot', args: {} },
        { tool: 'click_element', args: { name: 'No such thing' } },
        type(' and more'),
      ]),
    );
    await using running = await startCli(scene.host, cli, transport, model.url);
    await decide('approve');
    await decide('deny');
    const { status, output } = await running.ended;
    expect(status, output.slice(-2000)).toBe(0);
    expect(await notepad.text()).toBe(TYPED);
    expect([...model.offered]).toEqual(expect.arrayContaining(['bind_to_window', 'screenshot', 'await_approval']));
    expect(shownBy(model.shown, 'snapshot').text).toContain('[Window]');
    const shot = shownBy(model.shown, 'screenshot');
    const [, hash] = /artifact:\/\/([0-9a-f]{64})/.exec(JSON.stringify(model.shown)) ?? [];
    const hashes = shot.pictures.map((data) => createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex'));
    // The model gets the picture as it was taken: a scaled one would mislead its clicks.
    if (SHOWS_PICTURES.has(cli)) expect(hashes).toContain(hash);
    expect(shownBy(model.shown, 'click_element').text).toContain('target_not_found');
    expect(shownBy(model.shown, 'virtual_keyboard').text).toContain('approval_denied');
  });

  it('that ends while a person is asked takes its card along, and nothing runs', LIMIT, async () => {
    await using model = await startModel(script([bind(), type(TYPED)]));
    await using running = await startCli(scene.host, cli, transport, model.url);
    await until(pendingCards, (cards) => cards.length > 0, 60_000);
    running.kill();
    await until(pendingCards, (cards) => cards.length === 0, 20_000);
    expect(await notepad.text()).toBe('');
  });

  if (isLong && (CLIS as readonly AgentCli[]).includes(cli))
    it('gets the answer of an approval that comes after 65 s', LIMIT, async () => {
      await using model = await startModel(script([bind(), type(TYPED)]));
      await using running = await startCli(scene.host, cli, transport, model.url);
      await decide('approve', 65_000);
      expect((await running.ended).status).toBe(0);
      expect(await notepad.text()).toBe(TYPED);
      expect(shownBy(model.shown, 'await_approval').text).toContain('confirmed');
    });
});
