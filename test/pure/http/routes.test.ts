/** The routes of status, approvals, policy and the others that are not actions. */
import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OPERATOR_TOKEN, problemOf, serve } from '../../support/http-server.ts';
import { PICTURE_HASH } from '../../support/stand-in-host.ts';
import { wordsOf } from '../../support/words.ts';

const operator = { token: OPERATOR_TOKEN };
const seed = JSON.parse(
  readFileSync(new URL('../../../schemas/seeds/request-ui-action.tool.json', import.meta.url), 'utf8'),
) as { parameters: unknown };

describe('status, stop and resume', () => {
  it('[http.status] answers binding, level, capabilities, doctor, worker and version', async () => {
    const { call } = await serve();
    const status = (await (await call('GET', '/v1/status')).json()) as Record<string, unknown>;
    expect(Object.keys(status)).toEqual(
      expect.arrayContaining(['binding', 'level', 'capabilities', 'doctor', 'worker', 'version']),
    );
    expect(Object.keys(status['machine'] as object)).toEqual(['name', 'user', 'session']);
    expect(Object.keys(status)).toEqual(expect.arrayContaining(['pid', 'startedAt', 'uptimeSeconds']));
  });

  it('[telemetry.metrics] needs a token for the metrics, which are Prometheus’ text', async () => {
    const { call } = await serve();
    expect((await call('GET', '/metrics', { token: null })).status).toBe(401);
    const answer = await call('GET', '/metrics');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(await answer.text()).toContain('uiahost_ready 1');
  });

  it('[http.stop] [http.resume] the operator stops and resumes; a body with unknown keys is refused', async () => {
    const { call } = await serve();
    expect(await (await call('POST', '/v1/stop', operator)).json()).toMatchObject({ stopped: true });
    expect(await (await call('POST', '/v1/resume', operator)).json()).toEqual({ stopped: false });
    expect((await problemOf(await call('POST', '/v1/stop', { ...operator, body: { now: true } }))).code).toBe(
      'invalid_argument',
    );
  });
});

it('[http.approvals-decided] approvals: lists, shows and decides; the opposite afterwards is approval_conflict', async () => {
  const { call, host } = await serve();
  host.asks.add('click-element');
  const { approvalId } = (await (
    await call('POST', '/v1/actions/click-element?wait=0', { body: { name: 'OK' } })
  ).json()) as { approvalId: string };
  const list = (await (await call('GET', '/v1/approvals', operator)).json()) as {
    approvals: Array<{ approvalId: string }>;
    nextCursor: null;
  };
  expect(list.nextCursor).toBeNull();
  expect(list.approvals.map((card) => card.approvalId)).toEqual([approvalId]);
  expect(await (await call('GET', `/v1/approvals/${approvalId}`, operator)).json()).toMatchObject({
    approvalId,
    status: 'pending',
  });
  const decided = await (
    await call('POST', `/v1/approvals/${approvalId}`, { ...operator, body: { decision: 'approve', scope: 'once' } })
  ).json();
  expect(decided).toMatchObject({ status: 'approved', decidedBy: 'api:tok_operator' });
  expect(
    (await call('POST', `/v1/approvals/${approvalId}`, { ...operator, body: { decision: 'approve' } })).status,
  ).toBe(200);
  expect(
    (await problemOf(await call('POST', `/v1/approvals/${approvalId}`, { ...operator, body: { decision: 'deny' } })))
      .code,
  ).toBe('approval_conflict');
  expect(
    ((await (await call('GET', '/v1/approvals?status=all', operator)).json()) as { approvals: unknown[] }).approvals,
  ).toHaveLength(1);
  expect((await problemOf(await call('GET', '/v1/approvals/apr_none', operator))).code).toBe('approval_not_found');
  expect(
    (await problemOf(await call('POST', `/v1/approvals/${approvalId}`, { ...operator, body: { decision: 'yes' } })))
      .detail,
  ).toContain('one of approve, deny');
});

it('[http.policy] policy answers the whole with an ETag, changes by merge, and honours If-Match', async () => {
  const { call } = await serve();
  const first = await call('GET', '/v1/policy', operator);
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[^"]+"$/);
  const whole = (await first.json()) as Record<string, unknown>;
  const patched = await call('PATCH', '/v1/policy', {
    ...operator,
    body: { level: 'full' },
    headers: { 'if-match': etag, 'content-type': 'application/merge-patch+json' },
  });
  expect(patched.status).toBe(200);
  expect(await patched.json()).toEqual({ ...whole, level: 'full', source: 'api' });
  expect(patched.headers.get('etag')).not.toBe(etag);
  const stale = await call('PATCH', '/v1/policy', {
    ...operator,
    body: { level: 'observe' },
    headers: { 'if-match': etag },
  });
  expect((await problemOf(stale)).code).toBe('state_conflict');
  const put = await call('PUT', '/v1/policy', { ...operator, body: { ...whole, level: 'observe' } });
  expect(await put.json()).toMatchObject({ level: 'observe' });
  expect(
    (await problemOf(await call('PATCH', '/v1/policy', { ...operator, body: { level: 'godmode' } }))).detail,
  ).toContain('one of disabled, observe, control, full');
  expect((await problemOf(await call('PATCH', '/v1/policy', { ...operator, body: [] }))).code).toBe('invalid_argument');
  // Without a body, a policy of nothing would replace all of it.
  for (const method of ['PUT', 'PATCH'])
    expect((await problemOf(await call(method, '/v1/policy', operator))).code).toBe('invalid_argument');
  expect(await (await call('GET', '/v1/policy', operator)).json()).toMatchObject({ level: 'observe' });
});

it('[http.tokens] tokens: a further token works until it is revoked, and lists never show it', async () => {
  const { call } = await serve();
  const response = await call('POST', '/v1/tokens', {
    ...operator,
    body: { name: 'ci', expiresAt: '2030-01-01T00:00:00Z', limits: { level: 'observe' } },
  });
  expect(response.status).toBe(201);
  const made = (await response.json()) as { tokenId: string; token: string };
  expect(response.headers.get('location')).toBe(`/v1/tokens/${made.tokenId}`);
  expect((await call('GET', '/v1/status', { token: made.token })).status).toBe(200);
  expect(await (await call('GET', '/v1/tokens', operator)).text()).not.toContain(made.token);
  expect(await (await call('DELETE', `/v1/tokens/${made.tokenId}`, operator)).json()).toMatchObject({
    tokenId: made.tokenId,
  });
  expect((await problemOf(await call('GET', '/v1/status', { token: made.token }))).code).toBe('unauthenticated');
  expect(
    (await problemOf(await call('POST', '/v1/tokens', { ...operator, body: { name: 'x', expiresAt: 'tomorrow' } })))
      .code,
  ).toBe('invalid_argument');
});

describe('artifacts and audit', () => {
  it('answers record and bytes', async () => {
    const { call } = await serve();
    const record = (await (await call('GET', `/v1/artifacts/${PICTURE_HASH}`)).json()) as { byteSize: number };
    const content = await call('GET', `/v1/artifacts/${PICTURE_HASH}/content`);
    expect(content.headers.get('content-type')).toBe('image/png');
    expect((await content.arrayBuffer()).byteLength).toBe(record.byteSize);
    expect((await problemOf(await call('GET', `/v1/artifacts/${'b'.repeat(64)}`))).code).toBe('artifact_not_found');
  });

  it('reads entries by sequence and verifies', async () => {
    const { call } = await serve();
    expect(await (await call('GET', '/v1/audit?after=5&limit=2', operator)).json()).toEqual({
      entries: [{ seq: 6 }, { seq: 7 }],
      next: null,
    });
    expect(await (await call('GET', '/v1/audit/verify', operator)).json()).toMatchObject({ ok: true, firstBad: null });
    for (const query of ['?after=-1', '?limit=0', '?limit=5000', '?after=x', '?limit=1.5', '?after=1e3']) {
      expect([query, (await problemOf(await call('GET', `/v1/audit${query}`, operator))).code]).toEqual([
        query,
        'invalid_argument',
      ]);
    }
  });
});

describe('tools', () => {
  it('lists every action, the five computer tools, computer_use, and request_ui_action with its parameters byte for byte', async () => {
    const { call, host } = await serve();
    const { tools } = (await (await call('GET', '/v1/tools')).json()) as {
      tools: Array<{ name: string; inputSchema: unknown; annotations: Record<string, boolean> }>;
    };
    const names = tools.map((tool) => tool.name);
    expect(tools).toHaveLength(host.catalog.entries.length + 5 + 1);
    expect(names).toEqual(
      expect.arrayContaining(wordsOf`
        click_element computer:screenshot computer:pointer_move computer:click computer:keypress computer:type
        request_ui_action computer_use
      `),
    );
    expect(JSON.stringify(tools.find((tool) => tool.name === 'request_ui_action')?.inputSchema)).toBe(
      JSON.stringify(seed.parameters),
    );
    expect(tools.every((tool) => typeof tool.annotations['readOnlyHint'] === 'boolean')).toBe(true);
  });

  it('[http.tools.call] answers content, and an error as isError', async () => {
    const { call, host } = await serve();
    const answer = (await (await call('POST', '/v1/tools/click_element/call', { body: { name: 'OK' } })).json()) as {
      content: Array<{ type: string; text: string }>;
      isError: boolean;
    };
    expect(Object.keys(answer)).toEqual(['content', 'isError']);
    expect(answer.isError).toBe(false);
    expect(JSON.parse(answer.content[0]?.text ?? '')).toMatchObject({ value: true });
    const refused = (await (
      await call('POST', '/v1/tools/click_element/call', { body: { nam: 'OK' } })
    ).json()) as typeof answer;
    expect(refused.isError).toBe(true);
    expect(JSON.parse(refused.content[0]?.text ?? '')).toMatchObject({
      code: 'invalid_argument',
      suggestions: ['name'],
    });
    expect(await problemOf(await call('POST', '/v1/tools/click_elemnt/call', { body: {} }))).toMatchObject({
      code: 'not_found',
      suggestions: ['click_element'],
    });
    expect(host.runs).toHaveLength(2);
  });

  it('[http.tools.screenshot] the computer tools run our actions and the screenshot is one PNG', async () => {
    const { call, host } = await serve();
    const content = async (name: string, body: unknown): Promise<unknown> =>
      ((await (await call('POST', `/v1/tools/${name}/call`, { body })).json()) as { content: unknown }).content;
    expect(await content('computer:screenshot', {})).toEqual([
      { type: 'image', data: expect.any(String), mimeType: 'image/png' },
    ]);
    await content('computer:pointer_move', { x: 1, y: 2 });
    await content('computer:click', { x: 1, y: 2, button: 'right', clickCount: 2 });
    await content('computer:keypress', { key: '+', modifiers: ['ctrl', 'shift'], repeat: 3 });
    await content('computer:keypress', { key: ' ' });
    await content('computer:type', { text: 'héllo 漢字' });
    expect(host.runs.map(({ action, input }) => [action, input])).toEqual([
      ['screenshot', { text: false, allowedBundleIds: ['*'] }],
      ['move-mouse', { x: 1, y: 2 }],
      ['click', { x: 1, y: 2, button: 'right', count: 2 }],
      ['key', { keySequence: 'ctrl+shift+plus', repeat: 3 }],
      ['key', { keySequence: 'space' }],
      ['type', { text: 'héllo 漢字' }],
    ]);
  });

  it('refuses input that the tool does not take, running nothing', async () => {
    const { call, host } = await serve();
    for (const [name, body] of [
      ['computer:click', { x: 1 }],
      ['computer:click', { x: 1, y: 2, count: 2 }],
      ['computer:keypress', { key: 'a b' }],
      ['computer:keypress', { key: 'a', repeat: 101 }],
      ['computer:type', {}],
    ] as const) {
      const answer = (await (await call('POST', `/v1/tools/${name}/call`, { body })).json()) as {
        isError: boolean;
        content: Array<{ text: string }>;
      };
      expect(answer.isError).toBe(true);
      expect(JSON.parse(answer.content[0]?.text ?? '')).toMatchObject({ code: 'invalid_argument' });
    }
    expect(host.runs).toEqual([]);
    expect(host.refusals).toHaveLength(5);
  });

  it('[http.tools.untrusted-text] an accessibility text is a part of its own, unescaped', async () => {
    const { call } = await serve();
    const { content } = (await (await call('POST', '/v1/tools/snapshot/call', { body: {} })).json()) as {
      content: Array<{ text: string }>;
    };
    expect(content[0]?.text).toBe('[Window] "Say \\"hi\\"" (0,0 1x1) ref=e1');
    expect(JSON.parse(content[1]?.text ?? '')).toMatchObject({ value: { observationId: 'obs_2', untrusted: true } });
  });
});

describe('computer-use sessions', () => {
  const input = { goal: 'Save the draft', urls: ['app:notepad.exe'] };

  it('[http.sessions.view] starts with 201 and the three fields, and lists and shows it', async () => {
    const { call } = await serve();
    const response = await call('POST', '/v1/computer-use/sessions', { body: input });
    expect(response.status).toBe(201);
    const started = (await response.json()) as Record<string, string>;
    const id = started['computerUseSessionId'] ?? '';
    expect(started).toEqual({
      computerUseSessionId: id,
      streamUrl: `/v1/computer-use/sessions/${id}/stream`,
      controlUrl: `/v1/computer-use/sessions/${id}/control`,
    });
    expect(response.headers.get('location')).toBe(`/v1/computer-use/sessions/${id}`);
    const view = (await (await call('GET', `/v1/computer-use/sessions/${id}`)).json()) as Record<string, unknown>;
    expect(view).toMatchObject({
      computerUseSessionId: id,
      goal: input.goal,
      urls: input.urls,
      status: 'running',
      pendingApprovalIds: [],
    });
    const page = async (query = ''): Promise<unknown> =>
      (await call('GET', `/v1/computer-use/sessions${query}`)).json();
    expect(await page()).toEqual({ sessions: [view], nextCursor: null });
    expect(await page('?cursor=1')).toEqual({ sessions: [], nextCursor: null });
  });

  it('[schemas.served] serves the given contracts as they are, and the enumerations of this version', async () => {
    const { call } = await serve();
    const read = (path: string): { description: string } =>
      JSON.parse(readFileSync(new URL(`../../../schemas/${path}`, import.meta.url), 'utf8'));
    const get = async (name: string): Promise<object> =>
      (await (await call('GET', `/v1/schemas/${name}`, { token: null })).json()) as object;
    for (const name of ['computer-use.schema.json', 'request-ui-action.tool.json'])
      expect(await get(name)).toEqual(read(`seeds/${name}`));
    const governance = read('governance.schema.json');
    expect(governance.description).toMatch(/uiahost \d+\.\d+\.\d+.* add names and remove or rename none/);
    expect({ ...(await get('governance.schema.json')), description: '' }).toEqual({ ...governance, description: '' });
    expect((await call('GET', '/v1/schemas/other.json')).status).toBe(404);
    const { exports } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(exports['./schemas/*']).toBe('./schemas/*');
  });

  it('refuses exactly what the protocol’s schema refuses', async () => {
    const { call } = await serve();
    const protocol = JSON.parse(
      readFileSync(new URL('../../../schemas/seeds/computer-use.schema.json', import.meta.url), 'utf8'),
    ) as { $id: string };
    const governance = JSON.parse(
      readFileSync(new URL('../../../schemas/governance.schema.json', import.meta.url), 'utf8'),
    ) as object;
    const ajv = new Ajv({ strict: false });
    addFormatsModule.default(ajv);
    ajv.addSchema(governance);
    ajv.addSchema(protocol);
    const isValid = ajv.compile({ $ref: `${protocol.$id}#/definitions/ComputerUseInput` });
    const bodies: unknown[] = [
      input,
      { ...input, maxActions: 1 },
      { ...input, maxActions: 200, maxDurationMs: 1000, hints: { a: 1 } },
      { ...input, maxActions: 0 },
      { ...input, maxActions: 201 },
      { ...input, maxActions: 1.5 },
      { ...input, maxDurationMs: 999 },
      { ...input, maxDurationMs: 1_800_001 },
      { ...input, goal: '' },
      { ...input, goal: 'x'.repeat(1000) },
      { ...input, goal: 'x'.repeat(1001) },
      { ...input, urls: [] },
      { ...input, urls: Array.from({ length: 17 }, () => 'app:a') },
      { ...input, extra: 1 },
      { goal: 'x' },
      { urls: ['app:a'] },
      { ...input, hints: [] },
      { ...input, hints: 'x' },
      [],
      null,
    ];
    const urls = [
      ...wordsOf`
        app:notepad.exe app:c%3A%5Cwindows%5Cnotepad.exe app:my%20app.exe app:%zz https://a.example/a%20b
        https://a.example/"x" https://a.example/<x> https://ü.example/ https://a.example/ü notepad.exe a.example/x
        1a:x :x https://a.example:80x/ app:a!b(c)*~ app:{a}
      `,
      'app:c:\\windows\\notepad.exe',
      'app:my app.exe',
      'https://a.example/a b',
      '',
    ];
    bodies.push(...urls.map((url) => ({ ...input, urls: [url] })));
    // Not a URI because of one character: every printable one, at the end of a host's path and of an application's
    // name.
    for (let code = 0x20; code < 0x7f; code += 1)
      for (const front of ['https://a.example/x', 'app:x'])
        bodies.push({ ...input, urls: [`${front}${String.fromCharCode(code)}y`] });
    for (const body of bodies) {
      const response = await call('POST', '/v1/computer-use/sessions', { body: JSON.stringify(body) });
      expect([JSON.stringify(body).slice(0, 80), response.status]).toEqual([
        JSON.stringify(body).slice(0, 80),
        isValid(body) ? 201 : 400,
      ]);
    }
  });

  it('[http.sessions.control] agent aborts; deciding needs the operator; the body must name the session', async () => {
    const { call } = await serve();
    const { computerUseSessionId, controlUrl = '' } = (await (
      await call('POST', '/v1/computer-use/sessions', { body: input })
    ).json()) as Record<string, string>;
    const decision = { action: 'decision', computerUseSessionId, actionId: 'act_1', decision: 'approve' };
    expect((await problemOf(await call('POST', controlUrl, { body: decision }))).code).toBe('permission_denied');
    expect(await (await call('POST', controlUrl, { ...operator, body: decision })).json()).toEqual({
      status: 'running',
    });
    expect(
      (
        await problemOf(
          await call('POST', controlUrl, { ...operator, body: { ...decision, computerUseSessionId: 'cus_other' } }),
        )
      ).code,
    ).toBe('invalid_argument');
    expect(
      (await problemOf(await call('POST', controlUrl, { body: { action: 'pause', computerUseSessionId } }))).code,
    ).toBe('invalid_argument');
    expect(
      await (
        await call('POST', controlUrl, { body: { action: 'abort', computerUseSessionId, reason: 'enough' } })
      ).json(),
    ).toEqual({ status: 'aborted' });
    expect(
      (
        await problemOf(
          await call('POST', '/v1/computer-use/sessions/cus_none/control', {
            body: { action: 'abort', computerUseSessionId: 'cus_none' },
          }),
        )
      ).code,
    ).toBe('session_not_found');
  });

  it('[http.sessions.propose] takes the given tool’s arguments and nothing else', async () => {
    const { call } = await serve();
    const { computerUseSessionId } = (await (
      await call('POST', '/v1/computer-use/sessions', { body: input })
    ).json()) as Record<string, string>;
    const proposal = {
      action_type: 'click',
      target: { role: 'button', name: 'Save', test_id: '' },
      text: '',
      reason: 'save',
      risk_tags: [],
      requires_approval: false,
    };
    const path = `/v1/computer-use/sessions/${computerUseSessionId}/propose`;
    expect(await (await call('POST', path, { body: proposal })).json()).toMatchObject({ proposal });
    for (const wrong of [
      { ...proposal, extra: 1 },
      { ...proposal, action_type: 'hover' },
      { ...proposal, target: { role: 'button', name: 'Save' } },
      { ...proposal, risk_tags: ['x'] },
    ]) {
      expect((await problemOf(await call('POST', path, { body: wrong }))).code).toBe('invalid_argument');
    }
  });

  it('ends the session completed', async () => {
    const { call } = await serve();
    const { computerUseSessionId } = (await (
      await call('POST', '/v1/computer-use/sessions', { body: input })
    ).json()) as Record<string, string>;
    expect(
      await (
        await call('POST', `/v1/computer-use/sessions/${computerUseSessionId}/complete`, { body: { summary: 'saved' } })
      ).json(),
    ).toMatchObject({ status: 'completed', summary: 'saved' });
  });
});
