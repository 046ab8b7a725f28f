/** End to end: stored secrets are typed and never written down anywhere. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, expectProblem } from '../support/client.ts';
import { controlId, PASSWORD } from '../support/controls.ts';
import type { RequestOptions, TestHost } from '../support/desktop.ts';
import type { Fixture } from '../support/fixture.ts';
import { decode, type Pixels } from '../support/pixels.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { PLANTED_VARIABLES, taintBelow, taintIn } from '../support/taint.ts';
import { runOnTerminal } from '../support/terminal.ts';
import { wordsOf } from '../support/words.ts';

const command = fileURLToPath(new URL('../../bin/uiahost.mjs', import.meta.url));
const STORED = 'Zaunkönig ’; "5512" 🦊';
const PLANTS = {
  stored: STORED,
  typed: 'Wendehals-Gamander-8812',
  pressed: 'quw7zk3v',
  title: 'Habicht-Kontoauszug-5519',
  text: 'Steinkauz-Saldo-9947',
  unknownToken: 'planted-token-Rotmilan-3071-Trauerschnaepper',
};
const field = { automationId: String(controlId('PASSWORD')) };

let scene: Scene;
let controls: Fixture;
let client: Client;
let app: string;
/** Every answer of every interface, and everything on the event stream. */
const seen: string[] = [];

/** The host with everything that it answers kept. */
function recorded(host: TestHost): TestHost {
  const request = async (path: string, options: RequestOptions = {}): ReturnType<TestHost['request']> => {
    const answer = await host.request(path, options);
    seen.push(JSON.stringify(answer.body), JSON.stringify([...answer.headers]));
    return answer;
  };
  return {
    ...host,
    request,
    call: (name, input = {}, more = {}) => request(`/v1/actions/${name}`, { ...more, body: input }),
  };
}

/** Everything on a stream from now on, unchanged. */
function listen(path: string, token: string, signal: AbortSignal): Promise<void> {
  return (async () => {
    const response = await fetch(new URL(path, scene.host.url), {
      signal,
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    });
    const chunks: string[] = [];
    seen.push('');
    const place = seen.length - 1;
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      chunks.push(decoder.decode(chunk as Uint8Array, { stream: true }));
      seen[place] = chunks.join('');
    }
  })().catch(() => {});
}

const uiahost = (...args: string[]): Promise<{ status: number; out: string; err: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [command, ...args],
      { env: { ...process.env, UIAHOST_DATA_DIR: scene.host.dataDir }, timeout: 20_000 },
      (error, out, err) => {
        seen.push(out, err);
        resolve({ status: error === null ? 0 : Number(error.code), out, err });
      },
    );
  });

const listening = new AbortController();
beforeAll(async () => {
  scene = await Scene.open();
  client = new Client(recorded(scene.host));
  controls = await scene.fixture('controls');
  void listen('/v1/events', scene.host.operatorToken, listening.signal);
  app = (await client.act('list-visible-windows')).value.find(({ hwnd }: any) => hwnd === controls.hwnd).app;
  await client.bind({ hwnd: controls.hwnd });
});
afterAll(() => {
  listening.abort();
  return scene?.[Symbol.asyncDispose]();
});

/** What the password field holds, read by the second witness. */
async function held(): Promise<string> {
  const state = (await controls.dump()).get(controlId('PASSWORD'))!;
  return scene.witness.text(String(state['hwnd']));
}
async function approveNext(): Promise<void> {
  const [card] = await until(
    async () => (await client.operator('/v1/approvals?status=pending')).approvals as any[],
    (cards) => cards.length > 0,
  );
  await client.decide(card.approvalId, 'approve');
}

describe('a stored secret', () => {
  it('is asked from a person on a terminal, and listed by name and application', async () => {
    const env = { HOME: process.env['HOME'] ?? '', UIAHOST_DATA_DIR: scene.host.dataDir };
    const { status, shown } = await runOnTerminal(
      [process.execPath, command, 'secret', 'set', 'e2e', '--app', app],
      env,
      [
        ['uiahost:e2e', `${STORED}\r`],
        ['Repeat:', `${STORED}\r`],
      ],
    );
    expect({ status, shown }).toMatchObject({ status: 0, shown: expect.stringContaining('Stored uiahost:e2e') });
    seen.push(shown);
    expect(JSON.parse((await uiahost('secret', 'list', '--json')).out).secrets).toContainEqual({
      name: 'e2e',
      secretRef: 'uiahost:e2e',
      app,
    });
  });

  it('goes into the password field after an approval that names both, even with nothing on the policy’s ask list', async () => {
    await client.policy({ alwaysAsk: [] });
    controls.journal.mark();
    const { actionId, card } = await client.pending('type-into-element', { ...field, secretRef: 'uiahost:e2e' });
    expect(card.summary).toContain('uiahost:e2e');
    expect(card.element).toMatchObject({ automationId: field.automationId });
    expect(card.why.map(({ text }) => text).join(' ')).toContain('uiahost:e2e');
    expect(card).toMatchObject({
      riskTags: expect.arrayContaining(['password']),
      allowedScopes: ['once'],
      arguments: { secretRef: 'uiahost:e2e' },
    });
    await client.decide(card.approvalId, 'approve');
    const ended = await client.ended(actionId);
    expect(ended).toMatchObject({ status: 'succeeded', result: { value: true, outcome: { effect: 'confirmed' } } });
    expect(controls.journal.events({ event: 'password_read' })).toEqual([]);
    expect(await held()).toBe(STORED);
    // A secret that appears once is a failure.
    const again = await client.pending('type-into-element', { ...field, secretRef: 'uiahost:e2e' });
    await client.decide(again.card.approvalId, 'deny');
    await client.ended(again.actionId);
    await client.policy({ alwaysAsk: ['prompts', 'customCommand', 'password', 'financial', 'destructive'] });
  });

  it('[secret.bound] into no other field, of no other application, by no keys, and none that is not ours', async () => {
    await client.operator('/v1/secrets/elsewhere', {
      method: 'PUT',
      body: { app: 'C:\\Other\\other.exe', secret: STORED },
    });
    await client.refused('blocked_by_policy', 'type-into-element', { ...field, secretRef: 'uiahost:elsewhere' });
    await client.refused('not_found', 'type-into-element', { ...field, secretRef: 'uiahost:nowhere' });
    await client.refused('blocked_by_policy', 'type-into-element', {
      automationId: String(controlId('EDIT_NAME')),
      secretRef: 'uiahost:e2e',
    });
    await client.refused('invalid_argument', 'type-into-element', {
      ...field,
      secretRef: 'uiahost:e2e',
      delivery: 'foreground',
    });
    await client.refused('invalid_argument', 'type-into-element', { ...field, secretRef: 'git:https://example.com' });
    expect((await client.operator('/v1/approvals?status=pending')).approvals).toEqual([]);
    for (const [method, path] of [
      ['GET', '/v1/secrets'],
      ['DELETE', '/v1/secrets/e2e'],
    ] as const)
      expectProblem(await client.host.request(path, { method }), 'permission_denied');
    expect(await held()).toBe(STORED);
  });
});

// A secret that was seen once has been seen, whatever a second try shows.
describe('planted secrets', { retry: 0 }, () => {
  it('typed into the password field by every way there is', { timeout: 120_000 }, async () => {
    const typed = client.act(
      'type-into-element',
      { ...field, text: PLANTS.typed },
      { headers: { 'idempotency-key': 'taint-1' } },
    );
    await approveNext();
    await typed;
    expect(await held()).toBe(PLANTS.typed);
    await controls.tell(`focus ${controlId('PASSWORD')}`);
    for (const [name, input] of [
      ['virtual-keyboard', { action: 'type', text: PLANTS.typed }],
      ['type', { text: PLANTS.typed }],
      ['key', { keySequence: [...PLANTS.pressed].join(' ') }],
      ['virtual-keyboard', { action: 'combo', text: [...PLANTS.pressed].join(' ') }],
    ] as const) {
      const { actionId, card } = await client.pending(name, input);
      expect(card.riskTags, JSON.stringify(card)).toContain('password');
      await client.decide(card.approvalId, name === 'key' ? 'approve' : 'deny');
      await client.ended(actionId);
    }
    const plan = await client.pending('batch', {
      approveAsPlan: true,
      steps: [
        { action: 'type-into-element', input: { ...field, text: PLANTS.typed } },
        { action: 'type-into-element', input: { name: 'Password of a dialog to come', text: PLANTS.typed } },
      ],
    });
    await client.decide(plan.card.approvalId, 'deny');
    await client.ended(plan.actionId);

    const {
      body: { computerUseSessionId: id, streamUrl },
    } = await client.host.request('/v1/computer-use/sessions', {
      body: { goal: 'sign in', urls: [`app:${encodeURIComponent(app)}`] },
    });
    void listen(streamUrl, scene.host.agentToken, listening.signal);
    const inSession = new Client(client.host, id);
    await inSession.bind({ hwnd: controls.hwnd });
    const proposed = client.host.request(`/v1/computer-use/sessions/${id}/propose`, {
      body: {
        action_type: 'type',
        target: { role: 'textbox', name: '', test_id: field.automationId },
        text: PLANTS.typed,
        reason: 'to sign in',
        risk_tags: [],
        requires_approval: false,
      },
    });
    await approveNext();
    await proposed;
    await inSession.act('screenshot');
    await client.host.request(`/v1/computer-use/sessions/${id}/complete`, { body: { summary: 'signed in' } });
    for (const wrong of [
      { ...field, txt: PLANTS.typed },
      { ...field, text: { deep: PLANTS.typed } },
      { ...field, text: [PLANTS.typed] },
      { ...field, text: PLANTS.typed, mode: PLANTS.typed.repeat(20) },
      { ...field, text: PLANTS.typed, secretRef: PLANTS.typed },
    ]) {
      expect((await client.send('type-into-element', wrong)).status).toBe(400);
    }
  });

  it('in the field, while every face looks at its window', { timeout: 120_000 }, async () => {
    const restore = client.act('type-into-element', { ...field, text: PLANTS.typed });
    await approveNext();
    await restore;
    controls.journal.mark();
    await client.look({ maxTokens: 40_000 });
    await client.act('wait-for', { ...field });
    await client.send('wait-for', { ...field, condition: 'value', value: 'x', deadlineMs: 300 });
    await client.act('wait-quiet');
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const { value } = await client.act('screenshot', { format });
      const node = (await client.look({ maxTokens: 40_000 })).nodes.find(({ id }) => id === field.automationId)!;
      const picture = await decode(value.base64);
      // The lossy formats leave traces of its neighbours at the field's rim.
      if (format === 'png') expect(picture.coloursIn(node.x + 3, node.y + 3, node.width - 6, node.height - 6)).toBe(1);
    }
    const node = await client.element({ id: field.automationId });
    const zoomed = await decode(
      (await client.act('zoom', { regionLogical: { x: node.x, y: node.y, w: node.width, h: node.height } })).value
        .base64,
    );
    expect(zoomed.coloursIn(4, 4, zoomed.width - 8, zoomed.height - 8)).toBe(1);
    const mcp = new McpClient({ name: 'taint', version: '1' });
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', scene.host.url), {
        requestInit: { headers: { authorization: `Bearer ${scene.host.agentToken}` } },
      }),
    );
    try {
      seen.push(JSON.stringify(await mcp.listTools()));
      for (const [name, args] of [
        ['bind_to_window', { hwnd: controls.hwnd }],
        ['snapshot', {}],
        ['screenshot', {}],
        ['click_element', { name: 'none such' }],
        ['type_into_element', { ...field, text: [PLANTS.typed] }],
      ] as const) {
        seen.push(JSON.stringify(await mcp.callTool({ name, arguments: { ...args } }).catch(String)));
      }
    } finally {
      await mcp.close();
    }
    await uiahost('bind-to-window', '--hwnd', controls.hwnd, '--session', 'cli');
    for (const words of [
      ['status'],
      ['doctor'],
      ['snapshot', '--session', 'cli'],
      ['snapshot', '--session', 'cli', '--json'],
      ['approvals', '--all'],
      ['audit', 'show'],
      ['policy', 'show'],
      ['secret', 'list'],
    ])
      await uiahost(...words);
    for (const path of ['/v1/tools/computer:screenshot/call', '/v1/tools/snapshot/call'])
      await client.host.request(path, { body: {} });
    await client.host.request('/v1/adapters/anthropic/computer', { body: { action: 'screenshot' } });
    await client.host.request('/v1/adapters/openai/computer-call', { body: { type: 'screenshot' } });
    expect(controls.journal.events({ event: 'password_read' })).toEqual([]);
  });

  it('in title and text of a window of a deny-listed application', async () => {
    const { deny, flags } = await client.operator('/v1/policy');
    await client.policy({ deny: [...deny, 'provider.exe'], flags: [...flags, 'displayCapture'] });
    await using denied = await scene.fixture('provider', {
      title: `Bank ${PLANTS.title}`,
      args: ['--small', '--activate', '--x', 620, '--y', 60, '--width', 500, '--height', 400],
    });
    await denied.tell(`name btnOk ${PLANTS.text}`);
    await denied.tell(`value txtName ${PLANTS.text}`);
    const place = (await scene.witness.windows()).find(({ hwnd }) => hwnd === denied.hwnd)!;
    expect(place.title).toContain(PLANTS.title);
    const centre = { x: place.x + place.width / 2, y: place.y + place.height / 2 };

    const listed = (await client.act('list-visible-windows')).value.find(({ hwnd }: any) => hwnd === denied.hwnd);
    expect(listed).toMatchObject({ title: '' });
    const free = new Client(client.host, 'free');
    for (const query of [{ hwnd: denied.hwnd }, { pid: denied.pid }, { title: 'Bank' }, { title: 'Kontoauszug' }])
      expect((await free.send('bind-to-window', query)).status, JSON.stringify(query)).toBeGreaterThanOrEqual(400);
    for (const [name, input] of [
      ['get-frontmost-app', {}],
      ['app-under-point', { ...centre, space: 'screen' }],
      ['list-running-apps', {}],
      ['find-window-displays', { bundleIds: [listed.app] }],
      ['list-displays', {}],
      ['prepare-for-action', { allowedBundleIds: [listed.app] }],
      ['preview-hide-set', { allowedBundleIds: [listed.app] }],
      ['resolve-prepare-capture', { allowedBundleIds: [listed.app], autoResolve: true }],
      ['wait-for', { windowTitle: 'Kontoauszug', deadlineMs: 300 }],
      ['click', { ...centre, space: 'screen' }],
      ['virtual-keyboard', { action: 'type', text: 'x' }],
      ['type', { text: 'x' }],
      ['key', { keySequence: 'f5' }],
      ['get-cursor-position', {}],
      ['request-access', { apps: [{ app: listed.app }], reason: 'to read it' }],
      ['open-app', { bundleId: listed.app }],
      ['get-binding-status', {}],
    ] as const) {
      const answer = await free.send(name, input, { headers: { 'uiahost-session': 'free' } });
      expect(taintIn(JSON.stringify(answer.body), Object.values(PLANTS)), name).toEqual([]);
    }
    const { value } = await free.act('screenshot', { displayId: (await free.act('list-displays')).value[0].displayId });
    const picture = await decode(value.base64);
    expect(coloursOf(picture, place, value)).toBe(1);
    const bound = await client.act('screenshot');
    expect(bound.value.base64.length).toBeGreaterThan(1000);
    await uiahost('list-visible-windows');
    await uiahost('list-visible-windows', '--json');
    await client.policy({ deny, flags });
  });

  it('in a token: wrong, made, revoked, and where none belongs', async () => {
    const unknown = PLANTS.unknownToken;
    expectProblem(await client.host.request('/v1/status', { token: unknown }), 'unauthenticated');
    for (const path of [
      `/v1/status?token=${unknown}`,
      `/v1/events?access_token=${unknown}`,
      `/v1/${unknown}`,
      `/v1/artifacts/${unknown}`,
      `/v1/computer-use/sessions/${unknown}/stream`,
    ]) {
      expect((await scene.host.request(path)).status, path).toBeGreaterThanOrEqual(400);
      expect((await scene.host.request(path, { token: 'none' })).status, path).toBeGreaterThanOrEqual(400);
    }
    await scene.host.request('/v1/status', { headers: { cookie: `token=${unknown}`, 'x-api-key': unknown } });
    const { body: made } = await scene.host.request('/v1/tokens', { token: 'operator', body: { name: 'planted' } });
    expect((await client.host.request('/v1/status', { token: made.token })).status).toBe(200);
    await client.operator(`/v1/tokens/${made.tokenId}`, { method: 'DELETE' });
    expectProblem(await client.host.request('/v1/status', { token: made.token }), 'unauthenticated');
    await client.operator('/v1/tokens');
    expect(taintBelow(scene.host.dataDir, [made.token])).toEqual([]);
    expect(taintIn(seen.join('\n'), [made.token])).toEqual([]);
  });

  it('[secret.taint] stand in no answer, stream, log, audit, database, picture or spool, in no form', async () => {
    for (const path of wordsOf`
      /v1/audit?limit=1000 /v1/approvals?status=all /v1/computer-use/sessions /v1/status /v1/policy /v1/openapi.json
      /v1/actions /v1/tools /v1/secrets /v1/audit/verify
    `) {
      await client.host.request(path, { token: 'operator' });
    }
    const texts = [
      ...Object.values(PLANTS),
      PASSWORD,
      ...Object.values(PLANTED_VARIABLES),
      scene.host.agentToken,
      scene.host.operatorToken,
    ];
    // A test that finds nothing must have looked at something.
    const all = seen.join('\n');
    expect(all.length).toBeGreaterThan(100_000);
    expect(all).toContain('approval.asked');
    expect(all).toContain('session.ended');
    expect(taintIn(all, texts)).toEqual([]);
    expect(taintBelow(scene.host.dataDir, texts)).toEqual([]);
    // Keys pressed one by one appear in no text in the form in which they were sent.
    const pressed = [[...PLANTS.pressed].join(' '), [...PLANTS.pressed].join('+'), JSON.stringify([...PLANTS.pressed])];
    expect(taintIn(all, pressed)).toEqual([]);
    expect(taintBelow(scene.host.dataDir, pressed)).toEqual([]);
    for (const name of ['e2e', 'elsewhere']) expect((await uiahost('secret', 'remove', name)).status).toBe(0);
  });
});

/** Colours inside a window's frame in a picture of the display. */
function coloursOf(
  picture: Pixels,
  place: { x: number; y: number; width: number; height: number },
  shot: { displayWidth: number; width: number; originX: number; originY: number },
): number {
  const scale = shot.width / shot.displayWidth;
  const [x, y, width, height] = [
    (place.x - shot.originX) * scale,
    (place.y - shot.originY) * scale,
    place.width * scale,
    place.height * scale,
  ].map(Math.round) as [number, number, number, number];
  return picture.coloursIn(x + 4, y + 4, width - 8, height - 8);
}
