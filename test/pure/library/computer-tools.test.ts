/** createComputerTools and createExecutorController of the package. */
import { describe, expect, test } from 'vitest';
import {
  createArtifactPipeline,
  createArtifactRegistry,
  createComputerTools,
  createEventBus,
  createEventStream,
  createExecutorController,
  createImageArtifactStore,
  createStreamEventBridge,
  securityPolicy,
  type ComputerController,
  type ComputerToolDefinition,
  type ComputerToolOptions,
  type ToolContent,
} from '../../../src/index.ts';
import { COMPUTER_INPUTS } from '../../../src/contract/computer-use-tool.ts';
import { buildMcpTools } from '../../../src/mcp/tool-list.ts';
import { buildCatalog } from '../../../src/host/face/catalog.ts';
import { picture } from '../artifacts/pictures.ts';
import { scratch } from '../store/scratch.ts';
import { phrasesOf, wordsOf } from '../../support/words.ts';

const PNG = (await picture('image/png')).toString('base64');

function controller(): ComputerController & { readonly calls: unknown[] } {
  const calls: unknown[] = [];
  const note =
    (name: string) =>
    async (given: unknown): Promise<void> =>
      void calls.push([name, given]);
  return {
    calls,
    screenshot: async (given) => {
      calls.push(['screenshot', given]);
      return { data: PNG };
    },
    pointerMove: note('pointerMove'),
    click: note('click'),
    keypress: note('keypress'),
    type: note('type'),
  };
}
const toolsAt = (level: 'disabled' | 'observe' | 'control' | 'full', options: ComputerToolOptions = {}) => {
  const driven = controller();
  const tools = createComputerTools(driven, securityPolicy().withComputerPermission(level).build(), options);
  return {
    driven,
    tools,
    call: (name: string, input?: unknown) =>
      (tools.find((tool) => tool.name === `computer:${name}`) as ComputerToolDefinition).call(input),
  };
};
const INPUTS: Readonly<Record<string, object>> = {
  screenshot: {},
  pointer_move: { x: 3, y: 4 },
  click: { x: 3, y: 4, button: 'right', clickCount: 2 },
  keypress: { key: 's', modifiers: ['ctrl'], repeat: 2 },
  type: { text: 'Grüße' },
};
const codeOf = ({ content: [part] }: { content: readonly ToolContent[] }): string =>
  (JSON.parse(part?.type === 'text' ? part.text : '{}') as { code: string }).code;

describe('createComputerTools', () => {
  test('[computer.tools] the five tools with their inputs, strict, each driving the controller', async () => {
    const { tools, call, driven } = toolsAt('full');
    expect(tools.map(({ name }) => name)).toEqual(
      'computer:screenshot computer:pointer_move computer:click computer:keypress computer:type'.split(' '),
    );
    expect(
      Object.fromEntries(
        tools.map(({ name, inputSchema }) => [
          name.slice('computer:'.length),
          [
            Object.keys(inputSchema['properties'] as object),
            inputSchema['required'] ?? [],
            inputSchema['additionalProperties'],
          ],
        ]),
      ),
    ).toEqual({
      screenshot: [['displayId'], [], false],
      pointer_move: [['x', 'y'], ['x', 'y'], false],
      click: [['x', 'y', 'button', 'clickCount'], ['x', 'y'], false],
      keypress: [['key', 'modifiers', 'repeat'], ['key'], false],
      type: [['text'], ['text'], false],
    });
    for (const [name, input] of Object.entries(INPUTS))
      expect(await call(name, input)).toMatchObject({ isError: false });
    expect(driven.calls).toEqual([
      ['screenshot', {}],
      ['pointerMove', INPUTS['pointer_move']],
      ['click', INPUTS['click']],
      ['keypress', INPUTS['keypress']],
      ['type', INPUTS['type']],
    ]);
    for (const [name, input] of Object.entries(INPUTS))
      expect(codeOf(await call(name, { ...input, more: 1 }))).toBe('invalid_argument');
    expect(driven.calls).toHaveLength(5);
  });

  test('[mcp.computer] in MCP the colon becomes _', () => {
    const names = buildMcpTools(buildCatalog())
      .list(new Set(['computer']))
      .map(({ name }) => name);
    for (const tool of Object.keys(COMPUTER_INPUTS)) expect(names).toContain(`computer_${tool}`);
    expect(names.filter((name) => name.includes(':'))).toEqual([]);
  });

  test('[computer.image] a screenshot is one image part, a PNG in base64', async () => {
    for (const level of ['observe', 'control', 'full'] as const) {
      expect(await toolsAt(level).call('screenshot', {})).toEqual({
        content: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
        isError: false,
      });
    }
  });

  test('[safety.levels] disabled blocks all, observe lets look, control asks for input and full does not', async () => {
    const inputs = Object.entries(INPUTS);
    const disabled = toolsAt('disabled');
    for (const [name, input] of inputs) expect(codeOf(await disabled.call(name, input))).toBe('permission_denied');
    expect(disabled.driven.calls).toEqual([]);
    const observing = toolsAt('observe');
    for (const [name, input] of inputs.slice(1))
      expect(codeOf(await observing.call(name, input))).toBe('permission_denied');
    expect(observing.driven.calls).toEqual([]);
    const asked: unknown[] = [];
    const controlled = toolsAt('control', {
      confirm: async (confirmation) => {
        asked.push(confirmation);
        return confirmation.tool !== 'computer:type';
      },
    });
    for (const [name, input] of inputs) expect((await controlled.call(name, input)).isError).toBe(name === 'type');
    expect(controlled.driven.calls.map((each) => (each as [string])[0])).toEqual(wordsOf`
      screenshot pointerMove click keypress
    `);
    expect(asked[1]).toEqual({
      tool: 'computer:click',
      input: INPUTS['click'],
      riskLevel: 'high',
      riskTags: ['computer:input'],
      reason: expect.stringContaining('control → full'),
    });
  });

  test('[safety.confirmation] no one to ask, and a failed question, count as denied', async () => {
    for (const options of [
      {},
      {
        confirm: async () => {
          throw new Error('no terminal');
        },
      },
      {
        confirm: () => {
          throw new Error('no terminal, and no promise');
        },
      },
      { confirm: async () => 'yes' as unknown as boolean },
    ]) {
      const { call, driven } = toolsAt('control', options);
      expect(codeOf(await call('click', INPUTS['click']))).toBe('approval_denied');
      expect(driven.calls).toEqual([]);
    }
    const plain = toolsAt('control', { confirm: (() => true) as unknown as () => Promise<boolean> });
    expect(await plain.call('click', INPUTS['click'])).toMatchObject({ isError: false });
  });

  test('[safety.artifacts] a store that refuses or fails costs the artifact, never the answer', async () => {
    const pipeline = createArtifactPipeline({ registry: createArtifactRegistry() });
    const quarantined: unknown[] = [];
    const strict = createImageArtifactStore({
      pipeline,
      root: scratch(),
      policy: { maxBytes: 10 },
      onQuarantine: (each) => quarantined.push(each.reason),
    });
    for (const imageStore of [
      strict,
      {
        put: async () => {
          throw new Error('disk full');
        },
      },
      {
        put: () => {
          throw new Error('no disk, and no promise');
        },
      },
    ]) {
      expect(await toolsAt('full', { imageStore }).call('screenshot', {})).toMatchObject({
        isError: false,
        content: [{ type: 'image' }],
      });
    }
    expect(quarantined).toEqual(['too_large']);
    const failing = createArtifactPipeline({ registry: createArtifactRegistry() });
    failing.subscribe(() => {
      throw new Error('listener');
    });
    expect(
      await toolsAt('full', { imageStore: createImageArtifactStore({ pipeline: failing, root: scratch() }) }).call(
        'screenshot',
        {},
      ),
    ).toMatchObject({ isError: false });
    expect(failing.quarantine).toHaveLength(1);
  });

  test('[exports.bridge] start, progress and end of each call go over a bridge to the bus, and typed text does not', async () => {
    const stream = createEventStream();
    const bus = createEventBus();
    const bridge = createStreamEventBridge({ stream, bus });
    const imageStore = createImageArtifactStore({
      pipeline: createArtifactPipeline({ registry: createArtifactRegistry() }),
      root: scratch(),
    });
    const { call } = toolsAt('control', { stream, imageStore, confirm: async () => true });
    await call('screenshot', {});
    await call('type', { text: 'a planted sentence' });
    await call('type', { txt: 'a planted sentence' });
    await bridge.settled();
    bridge.close();
    const { events } = await bus.replay();
    expect(events.map(({ event }) => `${event.type} ${String(event['tool'])} ${String(event['isError'] ?? '')}`.trim()))
      .toEqual(phrasesOf`
      tool.start computer:screenshot | tool.end computer:screenshot false | tool.start computer:type |
      tool.progress computer:type | tool.end computer:type false | tool.start computer:type |
      tool.end computer:type true
    `);
    expect(events[1]?.event['artifacts']).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(JSON.stringify(events)).not.toContain('planted');
  });
});

test('[computer.tools] createExecutorController: drives the executor: points of the latest picture become screen pixels, keys a sequence', async () => {
  const calls: unknown[] = [];
  const note =
    (name: string) =>
    async (...given: unknown[]): Promise<void> =>
      void calls.push([name, ...given]);
  const driven = createExecutorController({
    screenshot: async () => ({
      base64: PNG,
      width: 400,
      height: 300,
      displayWidth: 800,
      displayHeight: 600,
      originX: -100,
      originY: 50,
    }),
    moveMouse: note('moveMouse'),
    click: note('click'),
    key: note('key'),
    type: note('type'),
  });
  await expect(driven.click({ x: 1, y: 1 })).rejects.toMatchObject({ code: 'state_conflict' });
  expect(await driven.screenshot({})).toEqual({ data: PNG });
  await driven.pointerMove({ x: 200, y: 150 });
  await driven.click({ x: 0, y: 299 });
  await driven.click({ x: 10, y: 10, button: 'middle', clickCount: 3 });
  await driven.keypress({ key: '+', modifiers: ['ctrl', 'shift'], repeat: 3 });
  await driven.type({ text: 'ok' });
  expect(calls).toEqual([
    ['moveMouse', 300, 350],
    ['click', -100, 648, 'left', 1],
    ['click', -80, 70, 'middle', 3],
    ['key', 'ctrl+shift+plus', 3],
    ['type', 'ok', { viaClipboard: false }],
  ]);
});
