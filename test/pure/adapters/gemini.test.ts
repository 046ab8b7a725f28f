/** The adapter of Gemini's computer-use functions, over a stand-in host and over the real gate. */
import { describe, expect, test } from 'vitest';
import { adapterRoutes } from '../../../src/adapters/index.ts';
import { habitsOf } from './habits.ts';
import { problemOf, serve, type Served } from '../../support/http-server.ts';
import { createStandInHost } from '../../support/stand-in-host.ts';
import { startTestHost } from '../host/running-host.ts';
import { NOTEPAD } from '../host/stand-in-desktop.ts';

interface FunctionResponse {
  name: string;
  id?: string;
  response: Record<string, unknown>;
  parts: Array<{ inlineData: { mimeType: string; data: string } }>;
}

async function serveAdapters(): Promise<Served> {
  const host = createStandInHost();
  return serve({ mounts: adapterRoutes(host) }, host);
}
const post = ({ call }: Pick<Served, 'call'>, body: unknown): Promise<Response> =>
  call('POST', '/v1/adapters/gemini/computer', { body });

/** What a call makes the host do, without the pictures. */
async function runsOf(served: Served, name: string, args: unknown): Promise<unknown[]> {
  const before = served.host.runs.length;
  const given = typeof args === 'string' ? args : { ...(args as object), intent: 'x' };
  const answer = (await (await post(served, { name, args: given })).json()) as FunctionResponse;
  expect(answer).toMatchObject({ name, parts: [{ inlineData: { mimeType: 'image/png' } }] });
  expect(answer.response).not.toHaveProperty('error');
  return served.host.runs
    .slice(before)
    .filter(({ action }) => action !== 'screenshot')
    .map(({ action, input }) => [action, input]);
}

describe('Gemini computer use', () => {
  test('[adapter.gemini.functions] [tools.as-meant] maps every function, also with arguments as models write them', async () => {
    const served = await serveAdapters();
    await post(served, { name: 'take_screenshot' });
    const { width, height } = ((await served.host.runner.run({} as never, 'screenshot', {}).result) as any).value;
    const p = (x: number, y: number) => ({
      x: Math.min(width - 1, Math.round((x * width) / 1000)),
      y: Math.min(height - 1, Math.round((y * height) / 1000)),
    });
    const at = { x: 500, y: 250 };
    const click = (button: string, count: number) => [['click', { ...p(500, 250), button, count }]];
    const key = (keySequence: string) => ['key', { keySequence }];
    const rows: ReadonlyArray<readonly [string, object, unknown[]]> = [
      ['click', at, click('left', 1)],
      ['click_at', at, click('left', 1)],
      ['double_click', at, click('left', 2)],
      ['triple_click', at, click('left', 3)],
      ['middle_click', at, click('middle', 1)],
      ['right_click', at, click('right', 1)],
      ['move', at, [['move-mouse', p(500, 250)]]],
      ['hover_at', { x: 999, y: 0 }, [['move-mouse', p(999, 0)]]],
      [
        'mouse_down',
        at,
        [
          ['move-mouse', p(500, 250)],
          ['mouse-down', {}],
        ],
      ],
      [
        'mouse_up',
        at,
        [
          ['move-mouse', p(500, 250)],
          ['mouse-up', {}],
        ],
      ],
      ['type', { text: 'a' }, [['type', { text: 'a' }]]],
      ['type', { text: 'a', press_enter: true }, [['type', { text: 'a' }], key('enter')]],
      [
        'type_text_at',
        { ...at, text: 'a' },
        [...click('left', 1), key('ctrl+a delete'), ['type', { text: 'a' }], key('enter')],
      ],
      [
        'type_text_at',
        { ...at, text: 'a', press_enter: false, clear_before_typing: false },
        [...click('left', 1), ['type', { text: 'a' }]],
      ],
      [
        'drag_and_drop',
        { start_x: 0, start_y: 0, end_x: 500, end_y: 250 },
        [['drag', { from: p(0, 0), to: p(500, 250) }]],
      ],
      [
        'drag_and_drop',
        { x: 0, y: 0, destination_x: 500, destination_y: 250 },
        [['drag', { from: p(0, 0), to: p(500, 250) }]],
      ],
      ['wait', { seconds: 0 }, []],
      ['press_key', { key: 'Enter' }, [key('Enter')]],
      ['hotkey', { keys: ['control', ' '] }, [key('control+space')]],
      ['key_combination', { keys: 'Control+A' }, [key('Control+A')]],
      ['key_down', { key: 'shift' }, [['virtual-keyboard', { action: 'press', text: 'shift' }]]],
      ['key_up', { key: 'shift' }, [['virtual-keyboard', { action: 'release', text: 'shift' }]]],
      ['take_screenshot', {}, []],
      ['open_web_browser', {}, []],
      ['scroll', { ...at, direction: 'down' }, [['scroll', { ...p(500, 250), dx: 0, dy: 3 }]]],
      ['scroll_at', { ...at, direction: 'left' }, [['scroll', { ...p(500, 250), dx: -8, dy: 0 }]]],
      ['scroll_document', { direction: 'up' }, [['scroll', { ...p(500, 500), dx: 0, dy: -5 }]]],
      ['go_back', {}, [key('alt+left')]],
      ['go_forward', {}, [key('alt+right')]],
      [
        'navigate',
        { url: 'https://example.org' },
        [key('ctrl+l'), ['type', { text: 'https://example.org' }], key('enter')],
      ],
    ];
    for (const [name, args, runs] of rows) {
      expect([name, await runsOf(served, name, args)]).toEqual([name, runs]);
      for (const written of habitsOf(args))
        expect([name, written, await runsOf(served, name, written)]).toEqual([name, written, runs]);
    }
  });

  test('unknown functions and arguments are refused, and nothing runs', async () => {
    const served = await serveAdapters();
    for (const body of [
      { name: 'search', args: {} },
      { name: 'click', args: { x: 1 } },
      { name: 'click', args: { x: 1001, y: 0 } },
      { name: 'click', args: { x: 'one', y: 0 } },
      { name: 'click', args: '{"x":1' },
      {},
    ])
      expect([body, (await problemOf(await post(served, body))).code]).toEqual([body, 'invalid_argument']);
    expect(served.host.runs).toEqual([]);
  });

  test('what the model’s safety system doubts is asked on a card, also at full', async () => {
    await using t = await startTestHost({ level: 'full', alwaysAsk: [] });
    await t.host.runner.run({ ...t.agent, surface: 'adapter' }, 'bind-to-window', { title: NOTEPAD.title }).result;
    const [route] = adapterRoutes(t.host).filter(({ path }) => path === '/v1/adapters/gemini/computer');
    const send = async (args: object): Promise<FunctionResponse> => {
      const body = { name: 'type', id: 'f1', args: { text: 'x', ...args } };
      const { signal } = new AbortController();
      const reply = await (route as any).handle(
        { body, path: {}, query: {}, header: () => undefined, signal },
        t.agent,
      );
      return reply.body as FunctionResponse;
    };
    expect(await send({})).toMatchObject({ id: 'f1', response: { url: '' } });
    expect(t.scene.delivered).toEqual(['keys 1']);
    const doubted = { safety_decision: { decision: 'require_confirmation', explanation: 'It accepts the terms.' } };
    const approved = send(doubted);
    await t.decideNext('approve');
    expect((await approved).response).toEqual({ url: '', safety_acknowledgement: 'true' });
    expect(t.scene.delivered).toEqual(['keys 1', 'keys 1']);
    const denied = send(doubted);
    await t.decideNext('deny');
    expect((await denied).response).toMatchObject({ error: expect.stringContaining('approval_denied') as string });
    expect(t.scene.delivered).toEqual(['keys 1', 'keys 1']);
    const { approvals } = await t.host.approvals.list({ status: 'all' });
    expect(approvals.map(({ proposerReason }) => proposerReason)).toContain('It accepts the terms.');
  });
});
