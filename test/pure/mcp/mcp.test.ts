/** MCP over HTTP, with real clients of both revisions. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { buildCatalog } from '../../../src/host/face/catalog.ts';
import { readRoutine } from '../../../src/routines/file.ts';
import { UiaHostError } from '../../../src/contract/errors.ts';
import { problemOf } from '../../support/http-server.ts';
import { serveMcp, type Era } from '../../support/mcp-client.ts';
import { PICTURE_HASH } from '../../support/stand-in-host.ts';
import { until } from '../../support/until.ts';
import { wordsOf } from '../../support/words.ts';

const textOf = (result: { content: Array<{ type: string; text?: string }> }): string =>
  result.content.find((part) => part.type === 'text')?.text ?? '';
const seed = JSON.parse(
  readFileSync(new URL('../../../schemas/seeds/request-ui-action.tool.json', import.meta.url), 'utf8'),
) as { parameters: unknown };
const ERAS: Array<[string, Era]> = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
];

describe.each(ERAS)('MCP %s', (_name, era) => {
  it('[mcp.list] lists the core tools in few words, each with all four hints and strict input', async () => {
    const { connect } = await serveMcp();
    const { tools } = await (await connect(era)).listTools();
    const shown = tools.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }));
    // 2,800 tokens by a model's tokenizer (npm run bench -- tokens).
    expect(shown.join('').length).toBeLessThanOrEqual(12_195);
    expect(shown.join('')).not.toContain('$ref');
    expect(JSON.stringify({ tools }).length).toBeLessThanOrEqual(20_000);
    const names = tools.map((tool) => tool.name);
    expect(names).toEqual(
      expect.arrayContaining(wordsOf`
        list_visible_windows bind_to_window snapshot screenshot click_element type_into_element virtual_keyboard
        wait_for batch await_approval permission_prompt computer_use
      `),
    );
    expect(names).not.toContain('move_mouse');
    for (const tool of tools) {
      expect(tool.annotations).toEqual({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
      if (tool.name !== 'permission_prompt')
        expect([tool.name, tool.inputSchema['additionalProperties']]).toEqual([tool.name, false]);
    }
  });

  it('[routine.tool] has a tool for each routine that is kept, with its inputs; others are not listed', async () => {
    const text = `routine: 1
name: find-save
description: Looks for Save.
inputs: { name: { type: text } }
steps: [{ do: find, with: { name: "\${name}" } }]`;
    const { connect, host } = await serveMcp({ routines: () => [readRoutine(text, buildCatalog())] });
    const client = await connect(era);
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'run_find_save');
    expect(tool).toMatchObject({
      description: 'Looks for Save.',
      inputSchema: { required: ['name'], additionalProperties: false },
    });
    expect(host).toBeDefined();
    const ran = await client.callTool({ name: 'run_find_save', arguments: { name: 'Save' } });
    expect(JSON.parse(textOf(ran as never))).toMatchObject({
      steps: [{ at: '1', sentence: expect.stringContaining('Save') }],
    });
    const refused = await client.callTool({ name: 'run_find_save', arguments: { nam: 'Save' } });
    expect([refused.isError, textOf(refused as never)]).toEqual([true, expect.stringContaining('did you mean name?')]);
  });

  it('[mcp.caps] opens further tools by capability, and names the capability that a closed tool needs', async () => {
    const { connect, host, call } = await serveMcp();
    const all = await (await connect(era, '?caps=all')).listTools();
    expect(all.tools).toHaveLength(host.catalog.entries.length + 5 + 3);
    const pointer = (await (await connect(era, '?caps=pointer,computer')).listTools()).tools.map((tool) => tool.name);
    expect(pointer).toEqual(
      expect.arrayContaining(['move_mouse', 'computer_screenshot', 'request_ui_action', 'snapshot']),
    );
    const closed = await (await connect(era)).callTool({ name: 'move_mouse', arguments: { x: 1, y: 1 } });
    expect(closed.isError).toBe(true);
    expect(textOf(closed as never)).toContain('?caps=pointer');
    expect(host.runs).toEqual([]);
    expect((await problemOf(await call('POST', '/mcp?caps=nothing', { body: {} }))).code).toBe('invalid_argument');
  });

  it('[telemetry.traces] takes the caller’s trace from _meta', async () => {
    const { connect, host } = await serveMcp();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const click = { name: 'click_element', arguments: { name: 'OK' }, _meta: { traceparent } };
    await (await connect(era)).callTool(click);
    expect(host.runs[0]?.caller.traceparent).toBe(traceparent);
  });

  it('runs through the host as the token’s caller with the session of the address', async () => {
    const { connect, host } = await serveMcp();
    const result = await (
      await connect(era, '?session=desk')
    ).callTool({ name: 'click_element', arguments: { name: 'OK' } });
    expect(JSON.parse(textOf(result as never))).toMatchObject({ value: true });
    expect(host.runs[0]).toMatchObject({
      action: 'click-element',
      input: { name: 'OK' },
      caller: { session: 'desk', surface: 'mcp', tokenId: 'tok_agent' },
    });
  });

  it('[mcp.own-session] has a session for each client, also where both are sessionless: text of one never goes to another one’s window', async () => {
    const { connect, host, call } = await serveMcp();
    const click = { name: 'click_element', arguments: { name: 'OK' } };
    for (const client of [await connect(era), await connect(era)])
      for (let twice = 0; twice < 2; twice += 1) await client.callTool(click);
    const sessions = host.runs.map(({ caller }) => caller.session);
    expect(sessions[0]).toMatch(/^mcp-/);
    expect(sessions[1]).toBe(sessions[0]);
    expect(sessions[3]).toBe(sessions[2]);
    // The newer revision has no session id: clients of one name have one session, as their configuration may name others.
    if (era === 'legacy') expect(sessions[2]).not.toBe(sessions[0]);
    else expect(sessions[0]).toBe('mcp-test');
    await call('POST', '/v1/actions/click-element', { body: { name: 'OK' } });
    expect(host.runs.at(-1)?.caller.session).toBe('default');
  });

  it('answers refusals as isError with the problem', async () => {
    const { connect } = await serveMcp();
    const client = await connect(era);
    const strict = await client.callTool({ name: 'click_element', arguments: { name: 'OK', nam: 'x' } });
    expect(strict.isError).toBe(true);
    expect(JSON.parse(textOf(strict as never))).toMatchObject({ code: 'invalid_argument', suggestions: ['name'] });
  });

  it('each tool has a title for people', async () => {
    const { connect } = await serveMcp();
    const { tools } = await (await connect(era, '?caps=all')).listTools();
    const titles = Object.fromEntries(tools.map(({ name, title }) => [name, title]));
    expect(titles).toMatchObject({ click_element: 'Click element', computer_click: 'Computer: click' });
    expect(Object.values(titles).filter((title) => !/^[A-Z][a-z]+(?::? [a-z]+)*$/.test(title ?? ''))).toEqual([]);
  });

  it('the server says how to begin, which flags open more tools, and how to reach a program that is not running', async () => {
    const { connect, host } = await serveMcp();
    const said = (await connect(era)).getInstructions() ?? '';
    const caps = new Set(host.catalog.entries.map(({ cap }) => cap));
    for (const cap of caps) if (cap !== 'core') expect(said).toContain(cap);
    expect(said).toMatch(/not running: open_app, with the capability apps/);
    expect(said).toContain('bind_to_window');
  });

  it('resources/list has the pictures of the session’s own answers, newest first', async () => {
    const { connect, host } = await serveMcp();
    const client = await connect(era, '?session=desk');
    expect((await client.listResources()).resources).toEqual([]);
    await client.callTool({ name: 'screenshot', arguments: {} });
    const second = 'b'.repeat(64);
    const shown = host.answers.get('screenshot')!;
    host.answers.set('screenshot', (input, context) => ({
      ...(shown(input, context) as object),
      artifact: `artifact://${second}`,
    }));
    await client.callTool({ name: 'screenshot', arguments: {} });
    await client.callTool({ name: 'screenshot', arguments: {} });
    expect((await client.listResources()).resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      [`artifact://${second}`, 'image/png'],
      [`artifact://${PICTURE_HASH}`, 'image/png'],
    ]);
    expect((await (await connect(era, '?session=other')).listResources()).resources).toEqual([]);
  });

  it('a tool that does not exist is the protocol’s invalid params, with similar names', async () => {
    const { connect, host } = await serveMcp();
    await expect((await connect(era)).callTool({ name: 'clik_element', arguments: {} })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('click_element'),
      data: { code: 'not_found', suggestions: ['click_element'], hint: expect.stringContaining('list') },
    });
    expect(host.refusals.filter(({ surface }) => surface === 'mcp')).toMatchObject([{ code: 'not_found' }]);
  });

  it('hints name tools, in answers and in steps of a batch', async () => {
    const { connect, host } = await serveMcp();
    const missing = new UiaHostError('target_not_found', 'No button OK.');
    host.answers.set('click-element', () => {
      throw missing;
    });
    host.answers.set('batch', () => ({ completed: [], failed: { index: 0, error: missing.toProblem() } }));
    const client = await connect(era);
    const failed = await client.callTool({ name: 'click_element', arguments: { name: 'OK' } });
    expect(JSON.parse(textOf(failed as never)).hint).toMatch(/^Look again with list_visible_windows or snapshot/);
    const batch = await client.callTool({
      name: 'batch',
      arguments: { steps: [{ action: 'click-element', input: { name: 'OK' } }] },
    });
    expect(textOf(batch as never)).toContain('list_visible_windows');
    expect(textOf(batch as never)).not.toContain('list-visible-windows');
  });

  it('[mcp.screenshot] comes as image content, is named in its JSON, and is a resource that can be read', async () => {
    const { connect } = await serveMcp();
    const client = await connect(era);
    const result = await client.callTool({ name: 'screenshot', arguments: {} });
    const parts = result.content as Array<Record<string, unknown>>;
    expect(parts[0]).toEqual({ type: 'image', data: expect.any(String), mimeType: 'image/png' });
    expect(parts.slice(1).every(({ type }) => type === 'text')).toBe(true);
    const json = parts.find(({ text }) => typeof text === 'string' && text.startsWith('{'))!;
    expect(JSON.parse(json['text'] as string)).toMatchObject({
      value: { width: 1, method: 'print-window', artifact: `artifact://${PICTURE_HASH}` },
    });
    expect(json['text']).not.toContain(parts[0]?.['data']);
    expect((await client.listResources()).resources).toMatchObject([{ uri: `artifact://${PICTURE_HASH}` }]);
    const read = await client.readResource({ uri: `artifact://${PICTURE_HASH}` });
    expect(read.contents[0]).toMatchObject({ mimeType: 'image/png', blob: parts[0]?.['data'] });
    await expect(client.readResource({ uri: 'artifact://../../agent.token' })).rejects.toThrow(/no artifact/);
  });

  it('[mcp.computer] the computer tools carry an underscore', async () => {
    const { connect, host } = await serveMcp();
    const client = await connect(era, '?caps=computer');
    expect((await client.callTool({ name: 'computer_screenshot', arguments: {} })).content).toEqual([
      { type: 'image', data: expect.any(String), mimeType: 'image/png' },
    ]);
    await client.callTool({ name: 'computer_keypress', arguments: { key: 's', modifiers: ['ctrl'] } });
    expect(host.runs[1]).toMatchObject({ action: 'key', input: { keySequence: 'ctrl+s' } });
  });

  it('[mcp.pending] [mcp.await] [card.page] answers pending before a client gives up, and await_approval continues to the result', async () => {
    const { connect, host } = await serveMcp({ times: { answerBeforeMs: 80 } });
    host.asks.add('click-element');
    const client = await connect(era);
    const pending = await client.callTool({ name: 'click_element', arguments: { name: 'OK' } });
    const told = JSON.parse(textOf(pending as never)) as { status: string; approvalId: string };
    const [card] = [...host.cards.values()];
    expect(told).toMatchObject({
      status: 'pending',
      approvalId: card?.approvalId,
      asked: { summary: card?.summary, page: { origin: 'https://bank.example' } },
    });
    expect(pending.isError).toBeFalsy();
    const again = await client.callTool({ name: 'await_approval', arguments: { approvalId: told.approvalId } });
    expect(JSON.parse(textOf(again as never))).toMatchObject({ status: 'pending', approvalId: told.approvalId });
    await host.approvals.decide(told.approvalId, { decision: 'approve' }, 'test', 'api');
    const done = await client.callTool({ name: 'await_approval', arguments: { approvalId: told.approvalId } });
    expect(JSON.parse(textOf(done as never))).toMatchObject({ value: true });
    expect(host.cancelled).toEqual([]);
  });

  it('[mcp.pending] a client without progress hears of the card within 5 s', async () => {
    const { connect, host } = await serveMcp();
    host.asks.add('click-element');
    const client = await connect(era);
    const pending = await client.callTool({ name: 'click_element', arguments: { name: 'OK' } }, { timeout: 5000 });
    expect(JSON.parse(textOf(pending as never))).toMatchObject({ status: 'pending' });
    expect([...host.cards.values()].map(({ status }) => status)).toEqual(['pending']);
  });

  it('await_approval answers the refusal', async () => {
    const { connect, host } = await serveMcp({ times: { answerBeforeMs: 60 } });
    host.asks.add('click-element');
    const client = await connect(era);
    const { approvalId } = JSON.parse(
      textOf((await client.callTool({ name: 'click_element', arguments: { name: 'OK' } })) as never),
    ) as { approvalId: string };
    await host.approvals.decide(approvalId, { decision: 'deny' }, 'test', 'api');
    const refused = await client.callTool({ name: 'await_approval', arguments: { approvalId } });
    expect(refused.isError).toBe(true);
    expect(JSON.parse(textOf(refused as never))).toMatchObject({ code: 'approval_denied' });
  });

  it('a run whose client does not return is cancelled and its card taken away', async () => {
    const { connect, host } = await serveMcp({ times: { answerBeforeMs: 40, leaseMs: 80 } });
    host.asks.add('click-element');
    await (await connect(era)).callTool({ name: 'click_element', arguments: { name: 'OK' } });
    await until(() => [...host.cards.values()][0]?.status === 'cancelled', 'its cancellation');
    expect(host.cancelled).toHaveLength(1);
  });

  it('a long action without a person answers running, and can be awaited by its actionId', async () => {
    const { connect, host } = await serveMcp({ times: { answerBeforeMs: 60 } });
    host.answers.set('wait-for', async () => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return { met: true, element: null };
    });
    const client = await connect(era);
    const running = JSON.parse(
      textOf((await client.callTool({ name: 'wait_for', arguments: { name: 'OK' } })) as never),
    ) as { status: string; actionId: string };
    expect(running.status).toBe('running');
    let done: Record<string, unknown> = {};
    for (let round = 0; round < 5 && done['value'] === undefined; round += 1)
      done = JSON.parse(
        textOf((await client.callTool({ name: 'await_approval', arguments: { actionId: running.actionId } })) as never),
      ) as Record<string, unknown>;
    expect(done).toMatchObject({ value: { met: true } });
  });

  it('await_approval shows nothing of another token’s approval', async () => {
    const { connect, host, call } = await serveMcp();
    const { OPERATOR_TOKEN } = await import('../../support/http-server.ts');
    host.asks.add('click-element');
    const { approvalId } = (await (
      await call('POST', '/v1/actions/click-element?wait=0', { token: OPERATOR_TOKEN, body: { name: 'OK' } })
    ).json()) as { approvalId: string };
    const client = await connect(era);
    for (const given of [{ approvalId }, { approvalId: 'apr_none' }]) {
      const refused = await client.callTool({ name: 'await_approval', arguments: given });
      expect(JSON.parse(textOf(refused as never))).toMatchObject({ code: 'approval_not_found' });
    }
    expect(
      JSON.parse(textOf((await client.callTool({ name: 'await_approval', arguments: {} })) as never)),
    ).toMatchObject({ code: 'invalid_argument' });
  });

  it('await_approval follows an action that another face of the same token began', async () => {
    const { connect, host, call } = await serveMcp();
    host.asks.add('click-element');
    const { approvalId } = (await (
      await call('POST', '/v1/actions/click-element?wait=0', { body: { name: 'OK' } })
    ).json()) as { approvalId: string };
    const client = await connect(era);
    const waiting = client.callTool({ name: 'await_approval', arguments: { approvalId } });
    await host.approvals.decide(approvalId, { decision: 'approve' }, 'test', 'api');
    expect(JSON.parse(textOf((await waiting) as never))).toMatchObject({ value: true });
  });

  it('[mcp.progress] sends progress while a watching client waits, and none to a client that did not ask', async () => {
    const { connect, host } = await serveMcp({ progressMs: 30, times: { answerBeforeMs: 20_000 } });
    host.asks.add('click-element');
    const client = await connect(era);
    const seen: number[] = [];
    const decideNext = async () => {
      await until(() => [...host.cards.values()].some(({ status }) => status === 'pending'), 'the card');
      const card = [...host.cards.values()].find(({ status }) => status === 'pending')!;
      await host.approvals.decide(card.approvalId, { decision: 'approve' }, 'test', 'api');
    };
    const watched = client.callTool(
      { name: 'click_element', arguments: { name: 'OK' } },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    await until(() => seen.length >= 3, 'progress');
    await decideNext();
    await watched;
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    const heard = seen.length;
    await Promise.all([client.callTool({ name: 'click_element', arguments: { name: 'No' } }), decideNext()]);
    expect(seen).toHaveLength(heard);
  });

  it('[mcp.cancel] a cancelled call cancels the run and takes the card away', async () => {
    const { connect, host } = await serveMcp();
    host.asks.add('click-element');
    const client = await connect(era);
    const leave = new AbortController();
    const answer = client.callTool({ name: 'click_element', arguments: { name: 'OK' } }, { signal: leave.signal });
    await until(() => host.cards.size === 1, 'the card');
    leave.abort();
    await expect(answer).rejects.toThrow();
    await until(() => [...host.cards.values()][0]?.status === 'cancelled', 'its cancellation');
  });

  it('a client’s time-out does the same', async () => {
    const { connect, host } = await serveMcp();
    host.asks.add('click-element');
    const client = await connect(era);
    await expect(
      client.callTool({ name: 'click_element', arguments: { name: 'OK' } }, { timeout: 150 }),
    ).rejects.toThrow();
    await until(() => [...host.cards.values()][0]?.status === 'cancelled', 'its cancellation');
  });

  it('a closed connection does the same', async () => {
    const { connect, host } = await serveMcp();
    host.asks.add('click-element');
    const client = await connect(era);
    const answer = client.callTool({ name: 'click_element', arguments: { name: 'OK' } });
    answer.catch(() => {});
    await until(() => host.cards.size === 1, 'the card');
    await client.close();
    await until(() => [...host.cards.values()][0]?.status === 'cancelled', 'its cancellation');
  });

  it('[mcp.permission] permission_prompt answers allow with the input, or deny, as text', async () => {
    const { connect, host } = await serveMcp();
    const client = await connect(era);
    const ask = async (decision: 'approve' | 'deny'): Promise<unknown> => {
      const answer = client.callTool({
        name: 'permission_prompt',
        arguments: { tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 'toolu_1', further: true },
      });
      await until(() => [...host.cards.values()].some((card) => card.status === 'pending'), 'a card');
      const card = [...host.cards.values()].find((each) => each.status === 'pending');
      await host.approvals.decide(card?.approvalId ?? '', { decision }, 'test', 'api');
      return JSON.parse(textOf((await answer) as never));
    };
    expect(await ask('approve')).toEqual({ behavior: 'allow', updatedInput: { command: 'ls' } });
    expect(await ask('deny')).toEqual({ behavior: 'deny', message: expect.any(String) });
    const malformed = await client.callTool({ name: 'permission_prompt', arguments: { tool: 'Bash' } });
    expect(JSON.parse(textOf(malformed as never))).toMatchObject({ behavior: 'deny' });
  });

  it('[mcp.permission-own] permission_prompt knows this server’s own tools by its address, and asks about all others', async () => {
    const { connect, host } = await serveMcp();
    const answered = async (address: string, name: string): Promise<{ behavior: string }> => {
      const client = await connect(era, address);
      const call = client.callTool({
        name: 'permission_prompt',
        arguments: { tool_name: name, input: { name: 'OK' } },
      });
      const cards = () => [...host.cards.values()].filter(({ status }) => status === 'pending');
      await Promise.race([call, until(() => cards().length > 0, 'a card')]);
      const [card] = cards();
      if (card !== undefined) await host.approvals.decide(card.approvalId, { decision: 'deny' }, 'test', 'api');
      return JSON.parse(textOf((await call) as never));
    };
    expect(await answered('?server=uiahost', 'mcp__uiahost__click_element')).toEqual({
      behavior: 'allow',
      updatedInput: { name: 'OK' },
    });
    expect((await answered('?server=desk', 'mcp__desk__click_element')).behavior).toBe('allow');
    expect(host.cards.size).toBe(0);
    const foreign = [
      ['?server=uiahost', 'mcp__other__click_element'],
      ['?server=uiahost', 'mcp__uiahost__clik_element'],
      ['?server=uiahost', 'click_element'],
      ['?server=uiahost', 'Bash'],
      // Another server can have our product's name.
      ['?server=desk', 'mcp__uiahost__click_element'],
      // The address of an earlier version's configuration.
      ['', 'mcp__uiahost__click_element'],
      ['', 'mcp__null__click_element'],
    ] as const;
    for (const [address, name] of foreign)
      expect([address, name, (await answered(address, name)).behavior]).toEqual([address, name, 'deny']);
    expect(host.cards.size).toBe(foreign.length);
  });

  it('the built product has none of the conformance suites’ tools', async () => {
    const { connect } = await serveMcp();
    const { tools } = await (await connect(era, '?caps=all')).listTools();
    expect(tools.filter((tool) => tool.name.startsWith('test_'))).toEqual([]);
  });
});

describe('MCP over HTTP', () => {
  it('cancelling a finished call is a no-op and never hits the next one', async () => {
    const { call, host } = await serveMcp();
    const accept = { accept: 'application/json, text/event-stream' };
    const post = (body: unknown, mark?: string): Promise<Response> =>
      call('POST', '/mcp', { body, headers: { ...accept, ...(mark === undefined ? {} : { 'mcp-session-id': mark }) } });
    const initialize = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    };
    const first = (await post(initialize)).headers.get('mcp-session-id') ?? '';
    const second = (await post(initialize)).headers.get('mcp-session-id') ?? '';
    expect(first).not.toBe(second);
    const toolCall = (id: number): unknown => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'click_element', arguments: { name: 'OK' } },
    });
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    await (await post(toolCall(7), first)).text();
    host.asks.add('click-element');
    const waiting = post(toolCall(7), second).then((response) => response.text());
    await until(() => host.cards.size === 1, 'the card');
    // The first client cancels its finished call 7 while the second one's call 7 waits.
    expect((await post(cancel, first)).status).toBe(202);
    await post({ ...cancel, params: { requestId: 8 } }, second);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([...host.cards.values()][0]?.status).toBe('pending');
    await host.approvals.decide([...host.cards.keys()][0] ?? '', { decision: 'approve' }, 'test', 'api');
    expect(await waiting).toMatch(/value\\*":\s*true/);
    expect(host.cancelled).toEqual([]);
  });

  it('a cancellation that fits two calls hits neither', async () => {
    const { call, host } = await serveMcp();
    host.asks.add('click-element');
    const accept = { accept: 'application/json, text/event-stream' };
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'click_element', arguments: { name: 'OK' } },
    };
    const calls = [1, 2].map(() => call('POST', '/mcp', { body, headers: accept }).then((response) => response.text()));
    await until(() => host.cards.size === 2, 'the second card');
    await call('POST', '/mcp', {
      body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      headers: accept,
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([...host.cards.values()].map((card) => card.status)).toEqual(['pending', 'pending']);
    for (const id of host.cards.keys()) await host.approvals.decide(id, { decision: 'deny' }, 'test', 'api');
    await Promise.all(calls);
  });

  it('a request without its parameters is the client’s mistake, said in words', async () => {
    const { call } = await serveMcp();
    for (const method of ['tools/call', 'resources/read']) {
      const response = await call('POST', '/mcp', {
        body: { jsonrpc: '2.0', id: 1, method },
        headers: { accept: 'application/json, text/event-stream' },
      });
      const text = await response.text();
      expect([method, text]).toEqual([method, expect.stringContaining('"code":-32602')]);
      expect(text).toContain('Invalid params: params: ');
    }
  });

  it('lists request_ui_action with the given parameters byte for byte', async () => {
    const { call } = await serveMcp();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const answer = await (
      await call('POST', '/mcp?caps=computer', { body, headers: { accept: 'application/json, text/event-stream' } })
    ).text();
    expect(answer).toContain('"name":"request_ui_action"');
    expect(answer).toContain(JSON.stringify(seed.parameters));
  });

  it('needs no initialize and no session id of the transport', async () => {
    const { call } = await serveMcp();
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'click_element', arguments: { name: 'OK' } },
    };
    for (const headers of [{}, { 'mcp-session-id': 'of-another-host' }]) {
      const response = await call('POST', '/mcp', {
        body,
        headers: { accept: 'application/json, text/event-stream', ...headers },
      });
      expect(await response.text()).toMatch(/value\\*":\s*true/);
    }
  });

  it('the endpoint needs a token, its own Host and Origin, and takes POST alone', async () => {
    const { call, server } = await serveMcp();
    expect((await problemOf(await call('POST', '/mcp', { token: null, body: {} }))).code).toBe('unauthenticated');
    expect(
      (await problemOf(await call('POST', '/mcp', { body: {}, headers: { origin: 'https://evil.example' } }))).code,
    ).toBe('origin_not_allowed');
    const foreign = await new Promise<string>((resolve, reject) => {
      const asked = request({ port: server.port, path: '/mcp', method: 'POST', headers: { host: 'evil.example' } });
      asked.on('response', (response) => void json(response).then((body) => resolve((body as { code: string }).code)));
      asked.on('error', reject).end('{}');
    });
    expect(foreign).toBe('host_not_allowed');
    const get = await call('GET', '/mcp');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await problemOf(await call('POST', '/mcp?session=a%20b', { body: {} }))).code).toBe('invalid_argument');
    expect(
      (await call('POST', '/mcp', { body: {}, headers: { accept: 'application/json, text/event-stream' } })).status,
    ).toBe(400);
  });

  it('[mcp.body] a body that that is not JSON is answered by a JSON-RPC error; the API keeps its problem', async () => {
    const { call } = await serveMcp();
    const message = (params: string): string => `{"jsonrpc":"2.0","id":1,"method":"ping"${params}}`;
    const json = { 'content-type': 'application/json' };
    const cases: ReadonlyArray<readonly [string | Uint8Array, number, number, Record<string, string>?]> = [
      [message(',"id":2'), 400, -32_700],
      [message(',"params":{"x":NaN}'), 400, -32_700],
      [message(',"params":{"x":"\\ud83d"}'), 400, -32_700],
      [message(',"params":{"x":871822610227022011}'), 400, -32_700],
      [message(',"params":{"__proto__":{}}'), 400, -32_700],
      [Buffer.from(message(',"params":{"x":"caf\u00e9"}'), 'latin1'), 400, -32_700],
      [message(''), 415, -32_600, { 'content-type': 'text/plain' }],
      [message(''), 415, -32_600, { ...json, 'content-encoding': 'gzip' }],
      [message(`,"params":{"x":"${'y'.repeat(1_100_000)}"}`), 413, -32_600],
    ];
    for (const [body, status, code, headers = json] of cases) {
      const answer = await call('POST', '/mcp', { body, headers });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json; charset=utf-8']);
      const { error, ...rest } = (await answer.json()) as { error: { message: string; data: { detail: string } } };
      expect(rest).toEqual({ jsonrpc: '2.0', id: null });
      expect(error).toMatchObject({ code, data: { status, delivery: 'not_delivered' } });
      expect(error.message).toBe(error.data.detail);
      const api = await call('POST', '/v1/actions/snapshot', { body, headers });
      expect([api.status, (await problemOf(api)).detail]).toEqual([status, error.message]);
    }
  });
});
