/** End to end: the examples, as a person runs them, on a real host, with a scripted model in place of the vendor’s. */
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../support/demo.ts';
import { programsFolder, type ProgramsFolder } from '../support/programs-folder.ts';
import { sharedScene } from '../support/scene.ts';
import { claudeTurns, openaiTurns, scriptedModel } from '../support/scripted-model.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const TIME = 180_000;
let demo: Demo;
const { scene, client } = await sharedScene(async ({ witness }) => {
  demo = await startDemo(witness);
  return {};
});
let programs: ProgramsFolder;
beforeAll(async () => {
  expect(existsSync(join(root, 'dist/client.mjs'))).toBe(true);
  programs = await programsFolder(root);
  for (const file of readdirSync(join(root, 'examples')))
    cpSync(join(root, 'examples', file), join(programs.folder, file));
}, TIME);
afterAll(() => programs?.[Symbol.dispose]());

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(
  args: readonly string[],
  env: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [...args], {
    cwd: programs.folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Nothing of this machine's environment, so no key either.
    env: { PATH: process.env['PATH'], UIAHOST_DATA_DIR: scene.host.dataDir, ...env },
  });
  const ended = (async () => {
    const [stdout, stderr] = await Promise.all([readAll(child.stdout!), readAll(child.stderr!)]);
    return { status: child.exitCode, stdout, stderr };
  })();
  return { child, ended };
}

/** Runs an example to its end. */
async function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const { child, ended } = start(args, env);
  child.stdin!.end();
  await new Promise((resolve) => child.once('close', resolve));
  return { ...(await ended), status: child.exitCode };
}

/** The middle of a control in the picture that a model sees. */
async function middle(controlType: string, name: string): Promise<[number, number]> {
  const { x, y, width, height } = await client.element({ controlType, name });
  return [Math.round(x + width / 2), Math.round(y + height / 2)];
}

const keys = (url: string) => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'no-key',
  OPENAI_BASE_URL: url,
  OPENAI_API_KEY: 'no-key',
});
const TITLE = 'uiahost demo';

beforeEach(async () => {
  await client.bind({ hwnd: demo.hwnd });
  if (await demo.isOn('express')) await client.act('click-element', { role: 'checkbox', name: 'Express delivery' });
  expect(await demo.isOn('express')).toBe(false);
});

describe('the examples', () => {
  it('Claude’s computer tool clicks by the picture, and reads a refusal', { timeout: TIME }, async () => {
    const point = await middle('CheckBox', 'Express delivery');
    await using model = await scriptedModel(
      claudeTurns(
        [
          [{ name: 'computer', input: { action: 'screenshot' } }],
          [{ name: 'computer', input: { action: 'left_click', coordinate: [9000, 9000] } }],
          [{ name: 'computer', input: { action: 'left_click', coordinate: point } }],
        ],
        'Express delivery is ticked.',
      ),
    );
    const ended = await run(['anthropic-computer.mjs', TITLE, 'Tick it.'], keys(model.url));
    expect(ended).toEqual({ status: 0, stdout: 'Express delivery is ticked.\n', stderr: '' });
    expect(await demo.isOn('express')).toBe(true);
    const [first, ...later] = model.asked;
    expect(first.tools).toEqual([
      {
        type: 'computer_20251124',
        name: 'computer',
        display_width_px: expect.any(Number),
        display_height_px: expect.any(Number),
      },
    ]);
    const results = later.map(({ messages }) => messages.at(-1).content[0]);
    expect(results[0].content[0]).toMatchObject({ type: 'image', source: { type: 'base64', media_type: 'image/png' } });
    expect(results[1]).toMatchObject({ is_error: true });
    expect(JSON.stringify(results[1].content)).toContain('invalid_argument');
    expect(results[2].content).toEqual([{ type: 'text', text: 'Clicked.' }]);
  });

  it('the computer toolset clicks by its members', { timeout: TIME }, async () => {
    const point = await middle('CheckBox', 'Express delivery');
    const member = (name: string, input: object) => ({ name, toolset_name: 'computer', input });
    await using model = await scriptedModel(
      claudeTurns([[member('screenshot', {})], [member('left_click', { coordinate: point })]], 'Done.'),
    );
    const ended = await run(['anthropic-toolset.mjs', TITLE, 'Tick it.'], keys(model.url));
    expect(ended).toEqual({ status: 0, stdout: 'Done.\n', stderr: '' });
    expect(await demo.isOn('express')).toBe(true);
    expect(model.asked[0].tools).toEqual([{ type: 'computer_toolset_20260801' }]);
    expect(model.asked[1].messages.at(-1).content[0]).toMatchObject({
      toolset_name: 'computer',
      content: [{ type: 'image' }],
    });
  });

  it('OpenAI’s computer tool runs the actions of a call, and answers with the picture', { timeout: TIME }, async () => {
    const [x, y] = await middle('CheckBox', 'Express delivery');
    await using model = await scriptedModel(
      openaiTurns(
        [
          [{ type: 'computer_call', pending_safety_checks: [], actions: [{ type: 'screenshot' }] }],
          [
            {
              type: 'computer_call',
              pending_safety_checks: [],
              actions: [
                { type: 'move', x, y },
                { type: 'click', x, y, button: 'left' },
              ],
            },
          ],
        ],
        'Express delivery is ticked.',
      ),
    );
    const ended = await run(['openai-computer.mjs', TITLE, 'Tick it.'], keys(model.url));
    expect(ended).toEqual({ status: 0, stdout: 'Express delivery is ticked.\n', stderr: '' });
    expect(await demo.isOn('express')).toBe(true);
    const outputs = model.asked.at(-1).input.filter(({ type }: { type: string }) => type === 'computer_call_output');
    expect(outputs).toHaveLength(2);
    for (const { output } of outputs)
      expect(output).toEqual({
        type: 'computer_screenshot',
        image_url: expect.stringMatching(/^data:image\/png;base64,/),
      });
  });

  it('Claude and an OpenAI model use uiahost’s own tools', { timeout: TIME }, async () => {
    const steps = [
      { name: 'snapshot', input: {} },
      { name: 'click_element', input: { role: 'checkbox', name: 'No such box' } },
      { name: 'click_element', input: { role: 'checkbox', name: 'Express delivery' } },
    ];
    {
      await using model = await scriptedModel(
        claudeTurns(
          steps.map((step) => [step]),
          'Done.',
        ),
      );
      const ended = await run(['toolset.mjs', 'anthropic', TITLE, 'Tick it.'], keys(model.url));
      expect(ended).toEqual({ status: 0, stdout: 'Done.\n', stderr: '' });
      expect(await demo.isOn('express')).toBe(true);
      expect(model.asked[0].tools.map(({ name }: { name: string }) => name)).toContain('type_into_element');
      const results = model.asked.slice(1).map(({ messages }) => messages.at(-1).content[0]);
      expect(JSON.stringify(results[0].content)).toContain('Express delivery');
      expect(results[1]).toMatchObject({ is_error: true });
      expect(JSON.stringify(results[1].content)).toContain('target_not_found');
    }
    {
      const calls = steps.map(({ name, input }, index) => [
        { type: 'function_call', name, arguments: JSON.stringify(input), call_id: `call_${index}` },
      ]);
      await using model = await scriptedModel(openaiTurns(calls, 'Done.'));
      const ended = await run(['toolset.mjs', 'openai', TITLE, 'Tick it.'], keys(model.url));
      expect(ended).toEqual({ status: 0, stdout: 'Done.\n', stderr: '' });
      // The second click takes the tick away again.
      expect(await demo.isOn('express')).toBe(false);
      const outputs = model.asked.at(-1).input.filter(({ type }: { type: string }) => type === 'function_call_output');
      expect(JSON.stringify(outputs[1])).toContain('target_not_found');
    }
  });

  it('a program elsewhere drives the host by address and token', { timeout: TIME }, async () => {
    await client.act('type-into-element', { role: 'edit', name: 'Customer', text: '-' });
    const { url, agentToken, operatorToken } = scene.host;
    const elsewhere = { UIAHOST_URL: url, UIAHOST_AGENT_TOKEN: agentToken, UIAHOST_OPERATOR_TOKEN: operatorToken };
    const { child, ended } = start(['orchestrator.mjs', TITLE], { ...elsewhere, UIAHOST_DATA_DIR: programs.folder });
    let seen = '';
    // The person at its terminal approves each card by its id.
    child.stdout!.on('data', (piece: Buffer) => {
      seen += piece.toString();
      for (const [, id] of seen.matchAll(/^card (\S+) pending/gm)) child.stdin!.write(`${id}\n`);
    });
    await new Promise((resolve) => child.once('close', resolve));
    const { stdout, stderr } = await ended;
    expect([child.exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^completed after [23] actions$/m);
    expect(stdout).toMatch(/^event session\.started$/m);
    expect(stdout).toMatch(/^event session\.ended$/m);
    expect([await demo.text('customer'), await demo.isOn('express')]).toEqual(['Adventure Works', true]);
  });
});
