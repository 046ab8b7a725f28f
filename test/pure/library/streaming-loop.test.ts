/** runStreamingLoop of the package. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import {
  createEventBus,
  createEventStream,
  createStreamEventBridge,
  runStreamingLoop,
  type ComputerController,
  type LoopAnswer,
  type LoopTool,
  type ModelEvent,
} from '../../../src/index.ts';
import { openStore } from '../../../src/store/client.ts';
import { picture } from '../artifacts/pictures.ts';
import { scratch } from '../store/scratch.ts';
import { phrasesOf } from '../../support/words.ts';

type Told = { readonly type: string; readonly [key: string]: unknown };
const brief = ({ type, ...event }: Told): string =>
  [type, event['text'] ?? event['tool'] ?? event['name'], event['isError'] === true ? 'error' : undefined]
    .filter((part) => part !== undefined)
    .join(' ');

/** A gate that other code opens, so that the test decides the order and not the clock. */
const gate = (): { readonly opened: Promise<void>; open(): void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
};

const folder = mkdtempSync(fileURLToPath(new URL('../../../node_modules/.streaming-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the example of docs/typescript.md word for word, with a model, a controller and a person of the test's own. */
async function runExample(
  given: object,
): Promise<{ end: { turns: number; calls: number }; events: Array<{ event: Told }> }> {
  const [, code = ''] =
    /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(new URL('../../../docs/typescript.md', import.meta.url), 'utf8')) ??
    [];
  const outfile = join(folder, 'example.mjs');
  await build({
    stdin: {
      contents: `const { controller, confirm, model } = globalThis.example;\n${code}\nexport { end, events };\n`,
      loader: 'ts',
      resolveDir: folder,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'silent',
    alias: { uiahost: fileURLToPath(new URL('../../../src/index.ts', import.meta.url)) },
    packages: 'external',
    define: { __VERSION__: '"0.0.0"' },
  });
  (globalThis as { example?: object }).example = given;
  return (await import(pathToFileURL(outfile).href)) as {
    end: { turns: number; calls: number };
    events: Array<{ event: Told }>;
  };
}

describe('runStreamingLoop', () => {
  test('[streaming.loop] the example of docs/typescript.md: a scripted model and the tools that it calls interleave, and are replayed in that order', async () => {
    const [hasBegun, hasSpoken, isAsked] = [gate(), gate(), gate()];
    const answered: Array<readonly LoopAnswer[]> = [];
    const done: string[] = [];
    const data = (await picture('image/png')).toString('base64');
    const controller: ComputerController = {
      async screenshot() {
        hasBegun.open();
        // It takes its time: the model continues meanwhile.
        await hasSpoken.opened;
        done.push('screenshot');
        return { data };
      },
      type: async ({ text }) => void done.push(`type ${text}`),
      pointerMove: async () => {},
      click: async () => {},
      keypress: async () => {},
    };
    async function* model(answers: readonly LoopAnswer[]): AsyncGenerator<ModelEvent> {
      answered.push(answers);
      if (answers.length > 0) {
        yield { type: 'text', text: 'It is there.' };
        return;
      }
      yield { type: 'text', text: 'I look.' };
      yield { type: 'tool_call', callId: 'c1', name: 'computer:screenshot', input: {} };
      await hasBegun.opened;
      yield { type: 'text', text: 'Then I write.' };
      yield { type: 'tool_call', callId: 'c2', name: 'computer:type', input: { text: 'a planted sentence' } };
      hasSpoken.open();
      await isAsked.opened;
      yield { type: 'text', text: 'You decide.' };
    }
    const confirm = async (): Promise<boolean> => {
      isAsked.open();
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
      return true;
    };
    const { end, events } = await runExample({ controller, confirm, model });
    expect(end).toEqual({ turns: 2, calls: 2 });
    expect(done).toEqual(['screenshot', 'type a planted sentence']);
    expect(events.map(({ event }) => brief(event))).toEqual(phrasesOf`
      text I look. | tool_call computer:screenshot | tool.start computer:screenshot | text Then I write. |
      tool_call computer:type | tool.end computer:screenshot | tool.start computer:type |
      tool.progress computer:type | text You decide. | tool.end computer:type | text It is there.
    `);
    expect(answered[1]?.map(({ callId, content: [part], isError }) => [callId, part?.type, isError])).toEqual([
      ['c1', 'image', false],
      ['c2', 'text', false],
    ]);
    expect(JSON.stringify(events)).not.toContain('planted');
  });

  test('its stored record is the same after a restart', async () => {
    const file = join(scratch(), 'uiahost.db');
    let store = await openStore({ file });
    const stream = createEventStream();
    const heard: string[] = [];
    stream.subscribe((event) => heard.push(brief(event)));
    const bridge = createStreamEventBridge({ stream, bus: createEventBus({ log: store.events, streamId: 'loop' }) });
    const tool: LoopTool = {
      name: 'look',
      async call() {
        stream.emit({ type: 'tool.start', tool: 'look' });
        await new Promise((resolve) => {
          setTimeout(resolve, 1);
        });
        stream.emit({ type: 'tool.end', tool: 'look' });
        return { content: [], isError: false };
      },
    };
    async function* model(answers: readonly LoopAnswer[]): AsyncGenerator<ModelEvent> {
      for (let count = 0; count < 20 && answers.length === 0; count += 1) {
        yield { type: 'text', text: String(count) };
        yield { type: 'tool_call', callId: `c${count}`, name: 'look', input: {} };
        if (count % 3 === 0)
          await new Promise((resolve) => {
            setTimeout(resolve, 2);
          });
      }
    }
    await runStreamingLoop({ model, tools: [tool], stream });
    await bridge.settled();
    bridge.close();
    await store.close();
    store = await openStore({ file });
    const { events } = await createEventBus({ log: store.events, streamId: 'loop' }).replay();
    await store.close();
    expect(heard).toHaveLength(80);
    expect(events.map(({ event }) => brief(event))).toEqual(heard);
    // One desktop: no tool starts before the one before it has ended.
    expect(heard.filter((line) => line.startsWith('tool.'))).toEqual(
      Array.from({ length: 20 }, () => ['tool.start look', 'tool.end look']).flat(),
    );
  });

  test('a model that fails leaves no tool behind: the running one ends, no other starts', async () => {
    const slow = gate();
    const { ran, tools } = toolsThat(slow);
    async function* failing(): AsyncGenerator<ModelEvent> {
      yield call('slow');
      yield call('next');
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
      setTimeout(slow.open, 30);
      throw new Error('the model is gone');
    }
    await expect(runStreamingLoop({ model: failing, tools, stream: createEventStream() })).rejects.toThrow(
      'the model is gone',
    );
    expect(ran).toEqual(['slow begins', 'slow ends']);
  });

  test('an abort ends the loop, and no tool starts after it', async () => {
    const { ran, tools } = toolsThat(gate());
    const leave = new AbortController();
    async function* aborted(): AsyncGenerator<ModelEvent> {
      yield call('next');
      leave.abort(new Error('enough'));
      yield call('next');
    }
    await expect(
      runStreamingLoop({ model: aborted, tools, stream: createEventStream(), signal: leave.signal }),
    ).rejects.toThrow('enough');
    expect(ran.length).toBeLessThanOrEqual(1);
    const before = ran.length;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(ran).toHaveLength(before);
  });

  test('an unknown tool and a tool that fails are answered, and the model continues', async () => {
    const { tools } = toolsThat(gate());
    const answers: LoopAnswer[] = [];
    async function* mistaken(before: readonly LoopAnswer[]): AsyncGenerator<ModelEvent> {
      answers.push(...before);
      if (before.length === 0) for (const name of ['nothing', 'fails']) yield call(name);
    }
    await runStreamingLoop({ model: mistaken, tools, stream: createEventStream() });
    expect(
      answers.map(({ callId, isError, content: [part] }) => [
        callId,
        isError,
        (JSON.parse(part?.type === 'text' ? part.text : '{}') as { code: string }).code,
      ]),
    ).toEqual([
      ['nothing', true, 'not_found'],
      ['fails', true, 'internal'],
    ]);
  });

  test('a model that never stops calling tools ends at maxTurns', async () => {
    const { ran, tools } = toolsThat(gate());
    async function* endless(): AsyncGenerator<ModelEvent> {
      yield call('next');
    }
    await expect(
      runStreamingLoop({ model: endless, tools, stream: createEventStream(), maxTurns: 3 }),
    ).rejects.toMatchObject({ code: 'action_limit_exceeded' });
    expect(ran).toEqual(['next', 'next', 'next']);
  });
});

const call = (name: string): ModelEvent => ({ type: 'tool_call', callId: name, name, input: {} });

/** A tool that waits, one to answer and one to throw; what they did. */
function toolsThat(slow: ReturnType<typeof gate>): { ran: string[]; tools: LoopTool[] } {
  const ran: string[] = [];
  const tools: LoopTool[] = [
    {
      name: 'slow',
      call: async () => {
        ran.push('slow begins');
        await slow.opened;
        ran.push('slow ends');
        return { content: [], isError: false };
      },
    },
    {
      name: 'next',
      call: async () => {
        ran.push('next');
        return { content: [], isError: false };
      },
    },
    {
      name: 'fails',
      call: async () => {
        throw new Error('broken');
      },
    },
  ];
  return { ran, tools };
}
