/**
 * Each skill of `uiahost skills install`, evaluated: a real agent CLI that has it, whose model is a script that does the
 * skill's task with the tools that the skill names, in its order. The host, the gate and the windows are real.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import skills from '../../src/cli/skills.json' with { type: 'json' };
import { agentCli, startCli, type AgentCli } from '../support/agent-cli.ts';
import { startModel, type Shown, type ToolTurn } from '../support/cli-model.ts';
import { startDemo } from '../support/demo.ts';
import { fixture, windowsPath } from '../support/desktop.ts';
import { Journal } from '../support/journal.ts';
import { endWindowsTree } from '../support/processes.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { cellsShown } from '../support/workbook.ts';

const LIMIT = { timeout: 180_000 };
/** A skill is read into a model's context with each task that needs it. */
const MOST_BYTES = 1400;

let scene: Scene;
beforeAll(async () => {
  await agentCli('codex');
  scene = await Scene.open({ env: { UIAHOST_LEVEL: 'control' } });
}, 900_000);
afterAll(() => scene?.[Symbol.asyncDispose]());

type Next = (shown: readonly Shown[]) => ToolTurn | null;
type Name = keyof typeof skills;

const turn = (tool: string, args: ToolTurn['args'] = {}): ToolTurn => ({ tool, args });
const isPending = ({ text }: Shown): boolean => /\\*"status\\*":\s*\\*"pending\\*"/.test(text);
const approvalIn = ({ text }: Shown): string => /\\*"approvalId\\*":\s*\\*"([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? '';
const lastOf = (shown: readonly Shown[], tool: string): string =>
  shown.findLast((each) => each.tool === tool)?.text ?? '';

/** The steps in their order; what waits for a person is awaited, as the skill on asking says. */
const steps =
  (turns: ReadonlyArray<ToolTurn | ((shown: readonly Shown[]) => ToolTurn)>): Next =>
  (shown) => {
    const last = shown.at(-1);
    if (last !== undefined && isPending(last)) return turn('await_approval', { approvalId: approvalIn(last) });
    const next = turns[shown.filter(({ tool }) => tool !== 'await_approval').length];
    return typeof next === 'function' ? next(shown) : (next ?? null);
  };

const waitingCards = async (): Promise<Array<{ approvalId: string }>> =>
  (await scene.host.request('/v1/approvals?status=pending', { token: 'operator' })).body.approvals;

async function decide(decision: 'approve' | 'deny'): Promise<void> {
  const [card] = await until(waitingCards, (cards) => cards.length > 0, 60_000);
  await scene.host.request(`/v1/approvals/${card!.approvalId}`, { token: 'operator', body: { decision } });
}

interface Evaluated {
  readonly cli: AgentCli;
  readonly caps?: string;
  readonly next: Next;
  /** What a person does meanwhile. */
  readonly person?: () => Promise<void>;
}

/** Runs the task to the CLI's end. The skills name and the CLI offers every tool that was called. */
async function evaluate(name: Name, { cli, caps, next, person }: Evaluated): Promise<readonly Shown[]> {
  await using model = await startModel(next);
  await using running = await startCli(scene.host, cli, 'stdio', model.url, {
    hasSkills: true,
    ...(caps === undefined ? {} : { caps }),
  });
  await person?.();
  const { status, output } = await running.ended;
  expect(status, output.slice(-2000)).toBe(0);
  // The CLI found the skill, and offers it to its model by name and description.
  expect(model.told).toContain(name);
  expect(model.told).toContain(JSON.stringify(skills[name].description).slice(1, -1));
  const words = Object.values(skills)
    .flatMap(({ lines }) => lines)
    .join('\n');
  for (const { tool } of model.shown) {
    expect([tool, words.includes(`\`${tool}\``)]).toEqual([tool, true]);
    expect([...model.offered]).toContain(tool);
  }
  return model.shown;
}

const refIn = (shown: readonly Shown[], line: RegExp): string => line.exec(lastOf(shown, 'snapshot'))?.[1] ?? '';

describe('a CLI with the skills', () => {
  it.each(Object.entries(skills))('%s is short', (_name, { description, lines }) => {
    expect(Buffer.byteLength(lines.join('\n'))).toBeLessThanOrEqual(MOST_BYTES);
    expect(Buffer.byteLength(description)).toBeLessThanOrEqual(250);
  });

  it('uiahost-windows: fills in a form by refs and names, and waits for what appears', LIMIT, async () => {
    await scene.client.policy({ level: 'full' });
    await using demo = await startDemo(scene.witness);
    const shown = await evaluate('uiahost-windows', {
      cli: 'codex',
      next: steps([
        turn('list_visible_windows'),
        turn('bind_to_window', { title: 'uiahost demo' }),
        turn('snapshot', { form: 'brief' }),
        (seen) => turn('type_into_element', { ref: refIn(seen, /Edit (e\d+) \\*"Customer/), text: 'Ada Lovelace' }),
        turn('select_element', { name: 'Product', item: 'Coffee' }),
        turn('click_element', { name: 'Express delivery' }),
        turn('click_element', { name: 'Check stock' }),
        turn('wait_for', { name: 'Stock: 12 pieces' }),
      ]),
    });
    expect(await demo.text('customer')).toBe('Ada Lovelace');
    expect(await demo.isOn('express')).toBe(true);
    expect(shown).toHaveLength(8);
    expect(lastOf(shown, 'wait_for')).toContain('Stock: 12 pieces');
    // No further snapshot was needed: the answers said what changed.
    expect(shown.filter(({ tool }) => tool === 'snapshot')).toHaveLength(1);
  });

  it(
    'uiahost-asking: waits for a person, takes a denial for an answer, and looks before it reports',
    LIMIT,
    async () => {
      await scene.client.policy({ level: 'full' });
      await using demo = await startDemo(scene.witness);
      const shown = await evaluate('uiahost-asking', {
        cli: 'gemini',
        next: steps([
          turn('bind_to_window', { title: 'uiahost demo' }),
          // The button is enabled with this.
          turn('type_into_element', { name: 'Customer', text: 'Ada Lovelace' }),
          turn('click_element', { name: 'Place order' }),
          turn('snapshot', { form: 'brief' }),
        ]),
        person: () => decide('deny'),
      });
      expect(
        lastOf(shown, shown.some(({ tool }) => tool === 'await_approval') ? 'await_approval' : 'click_element'),
      ).toContain('approval_denied');
      expect(await demo.says()).toBe('Customer: Ada Lovelace');
      expect(await waitingCards()).toEqual([]);
    },
  );

  it('uiahost-terminals: reads a question, answers it, and reads again', LIMIT, async () => {
    await scene.client.policy({ level: 'full' });
    const folder = scene.folder();
    const journal = new Journal(join(folder, 'journal.jsonl'));
    const command = `"${windowsPath(fixture('prompt.exe'))}" --journal "${windowsPath(journal.file)}" yes-no text`;
    const asked = await scene.client.pending('open-terminal', {
      agent: 'custom',
      terminal: 'cmd',
      command,
      workingDirectory: windowsPath(folder),
      deadlineMs: 30_000,
    });
    await scene.client.decide(asked.card.approvalId, 'approve');
    const { value, outcome } = (await scene.client.ended(asked.actionId)).result!;
    try {
      await journal.waitFor({ event: 'asked' }, 20_000);
      const shown = await evaluate('uiahost-terminals', {
        cli: 'codex',
        caps: 'terminal',
        next: steps([
          turn('bind_to_window', { hwnd: value.hwnd }),
          turn('read_terminal'),
          turn('respond_to_prompt', { responseType: 'yes' }),
          turn('read_terminal'),
        ]),
        person: () => decide('approve'),
      });
      expect(shown.find(({ tool }) => tool === 'read_terminal')?.text).toContain('Proceed? (y/n)');
      expect(await journal.waitFor({ event: 'answer', step: 'yes-no' })).toMatchObject({ text: 'y' });
      expect(lastOf(shown, 'read_terminal')).toContain('Your name:');
    } finally {
      await endWindowsTree(outcome.details!['pid'] as number);
    }
  });

  // The last one, since its policy asks for nothing by itself.
  it('uiahost-excel: reads a range, and writes it with what was read', LIMIT, async () => {
    await scene.client.policy({ level: 'full', alwaysAsk: [] });
    await using book = await scene.fixture('workbook');
    const shown = await evaluate('uiahost-excel', {
      cli: 'gemini',
      caps: 'sheet',
      next: steps([
        turn('bind_to_window', { hwnd: book.hwnd }),
        turn('workbook_info'),
        turn('read_range', { range: 'A3:B3' }),
        (seen) =>
          turn('write_range', {
            range: 'A3:B3',
            values: [['008', { formula: '=B2*2' }]],
            expect: /A3:B3\.[0-9a-f]{32}/.exec(lastOf(seen, 'read_range'))?.[0] ?? '',
          }),
      ]),
    });
    expect(lastOf(shown, 'write_range')).toContain('confirmed');
    const cells = await cellsShown(book, 'Sheet1!A3:B3');
    expect(cells['A3']).toMatchObject({ text: '008' });
    expect(JSON.stringify(cells['B3'])).toContain('=B2*2');
  });
});
