/** The TypeScript client against a real HTTP server with a stand-in host. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ConnectionError,
  HostNotFoundError,
  isPending,
  ProblemError,
  TimeoutError,
  UiaHostClient,
} from '../../../src/client/index.ts';
import { adapterRoutes } from '../../../src/adapters/index.ts';
import { AGENT_TOKEN, OPERATOR_TOKEN, serve, type Served } from '../../support/http-server.ts';
import { createStandInHost } from '../../support/stand-in-host.ts';
import { PICTURE_HASH } from '../../support/stand-in-host.ts';
import { until } from '../../support/until.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const clean: Array<() => unknown> = [];
afterEach(async () => {
  for (const each of clean.splice(0)) await each();
});

const clientOf = ({ url }: Served, more: object = {}): UiaHostClient =>
  new UiaHostClient({ url, token: AGENT_TOKEN, operatorToken: OPERATOR_TOKEN, ...more });

/** The error of a call that must fail. */
async function errorOf<E extends Error>(call: Promise<unknown>, kind: new (...given: never[]) => E): Promise<E> {
  const error = await call.then(
    (value) => new Error(`It answered ${JSON.stringify(value)}.`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(kind);
  return error as E;
}

/** Sits between the client and the host, and cuts each connection after its first event. */
async function cutting(port: number): Promise<{ url: string; connections: () => number }> {
  let count = 0;
  const server: Server = createServer((client) => {
    count += 1;
    const host = connect(port, '127.0.0.1');
    // The host takes no other name than its own.
    const named = (data: Buffer): string => data.toString('latin1').replace(/^host: .*$/im, `Host: 127.0.0.1:${port}`);
    client.on('data', (data) => host.write(named(data), 'latin1'));
    host.on('data', (data) => {
      client.write(data, () => {
        if (data.includes('id: ')) client.destroy();
      });
    });
    for (const socket of [client, host]) {
      socket.on('error', () => {});
      socket.on('close', () => (client.destroy(), host.destroy()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  clean.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => count };
}

describe('actions', () => {
  it('runs an action by its method, in the client’s session or the call’s', async () => {
    const served = await serve();
    served.host.answers.set('click-element', ({ name }) => name === 'Save');
    const client = clientOf(served, { session: 'mine' });
    const { value, action } = await client.actions.clickElement({ name: 'Save' });
    expect([value, action]).toEqual([true, 'clickElement']);
    await client.actions.getDisplaySize();
    await client.actions.clickElement({ name: 'x' }, { session: 'other', idempotencyKey: 'once' });
    expect(
      served.host.runs.map(({ caller, action: name, options }) => [caller.session, name, options.idempotencyKey]),
    ).toEqual([
      // An action that acts gets a key of its own.
      ['mine', 'click-element', expect.any(String)],
      ['mine', 'get-display-size', undefined],
      ['other', 'click-element', 'once'],
    ]);
  });

  it('[client.own-session] a program that names no session has one of its own, whatever it calls', async () => {
    const host = createStandInHost();
    const served = await serve({ mounts: adapterRoutes(host) }, host);
    const client = clientOf(served);
    await client.actions.getDisplaySize();
    await client.callTool('get_display_size', {});
    await client.anthropicComputer({ action: 'screenshot' });
    await client.openaiComputerCall({ type: 'screenshot' });
    await client.geminiComputer({ name: 'take_screenshot' });
    await clientOf(served).executor().getDisplaySize();
    expect(client.session).toMatch(/^client-[0-9a-f]{8}$/);
    const sessions = served.host.runs.map(({ caller }) => caller.session);
    // The first call for Gemini takes a picture to know its size.
    expect(sessions).toHaveLength(7);
    expect(new Set(sessions)).toEqual(new Set([client.session]));
    const status = vi.spyOn(served.host, 'status');
    await client.status();
    expect(status.mock.calls[0]![0].session).toBe(client.session);
  });

  it('[client.every-action] has every action and every route of the document', async () => {
    const served = await serve();
    const client = clientOf(served);
    const { actions } = await client.listActions();
    const camel = (name: string): string => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    expect(Object.keys(client.actions).sort()).toEqual(actions.map(({ name }) => camel(name)).sort());
    const { paths } = (await client.openApi()) as { paths: Record<string, Record<string, { operationId: string }>> };
    const ids = Object.entries(paths)
      .filter(([path]) => !/^\/v1\/actions\/[a-z]/.test(path) && path !== '/mcp')
      .flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId));
    expect(ids.filter((id) => typeof (client as unknown as Record<string, unknown>)[id] !== 'function')).toEqual([]);
  });

  it('tells a pending action from a result, and waits for its end', async () => {
    const served = await serve();
    served.host.asks.add('key');
    const client = clientOf(served);
    const asked = await client.actions.key({ keySequence: 'ctrl+s' }, { wait: false });
    if (!isPending(asked)) throw new Error('It did not ask.');
    const slow = await errorOf(client.waitForAction(asked.actionId, { timeoutMs: 10, lookEveryMs: 5 }), TimeoutError);
    expect(slow.message).toContain('it continues');
    const waiting = client.waitForAction(asked.actionId, { lookEveryMs: 5 });
    await client.decideApproval(asked.approvalId, { decision: 'approve' });
    expect(await waiting).toMatchObject({ action: 'key', decision: { approvalId: asked.approvalId } });
    const done = await client.actions.getDisplaySize({}, { wait: false });
    expect(isPending(done)).toBe(false);
  });

  it('waiting for a denied action throws its refusal', async () => {
    const served = await serve();
    served.host.asks.add('key');
    const client = clientOf(served);
    const asked = await client.actions.key({ keySequence: 'ctrl+s' }, { wait: false });
    if (!isPending(asked)) throw new Error('It did not ask.');
    await client.decideApproval(asked.approvalId, { decision: 'deny' });
    const error = await errorOf(client.waitForAction(asked.actionId), ProblemError);
    expect([error.code, error.delivery, error.retryable]).toEqual(['approval_denied', 'not_delivered', false]);
  });
});

describe('errors', () => {
  it('[client.errors] a refusal has code, delivery, retryable and hint', async () => {
    const served = await serve();
    const error = await errorOf(clientOf(served).actions.clickElement({ nmae: 'Save' } as object), ProblemError);
    expect(error).toMatchObject({ code: 'invalid_argument', status: 400, delivery: 'not_delivered', retryable: false });
    expect(error.message).toContain('nmae');
    expect(error.hint.length).toBeGreaterThan(10);
    expect(JSON.parse(error.text)).toEqual(error.problem);
  });

  it('if no host listens, nothing was delivered and the call can be repeated', async () => {
    const client = new UiaHostClient({ url: 'http://127.0.0.1:9', token: 'x' });
    const error = await errorOf(client.actions.clickElement({ name: 'Save' }), ConnectionError);
    expect(error).toMatchObject({ code: 'connection_failed', delivery: 'not_delivered', retryable: true });
  });

  it('after a connection broke, an action may have been delivered', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    clean.push(() => server.close());
    const client = new UiaHostClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'x' });
    const acted = await errorOf(client.actions.clickElement({ name: 'Save' }), ConnectionError);
    expect(acted).toMatchObject({ delivery: 'unknown', retryable: false });
    const read = await errorOf(client.status(), ConnectionError);
    expect(read).toMatchObject({ delivery: 'not_delivered', retryable: true });
  });

  it('[client.abort] a signal or a time ends a call, and the host cancels the action', async () => {
    const served = await serve();
    served.host.asks.add('key');
    const client = clientOf(served);
    const stop = new AbortController();
    const call = client.actions.key({ keySequence: 'a' }, { signal: stop.signal });
    const ended = expect(call).rejects.toThrow('enough');
    await until(
      () => served.host.cards.size,
      (size) => size === 1,
    );
    stop.abort(new Error('enough'));
    await ended;
    await errorOf(client.actions.key({ keySequence: 'b' }, { timeoutMs: 200 }), TimeoutError);
    await errorOf(clientOf(served, { timeoutMs: 200 }).actions.key({ keySequence: 'c' }), TimeoutError);
    await until(
      () => served.host.cancelled.length,
      (count) => count === 3,
    );
    expect([...served.host.cards.values()].map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
    await errorOf(client.status({ signal: AbortSignal.abort(new TypeError('before')) }), TypeError);
  });
});

describe('streams', () => {
  it('[client.resume] a lost connection is opened again after the last event: none missing, none twice', async () => {
    const served = await serve();
    const proxy = await cutting(served.server.port);
    const { computerUseSessionId: id } = await clientOf(served).startSession({ goal: 'g', urls: ['app://x'] } as never);
    for (const message of ['two', 'three']) served.host.say(id, { type: 'error', code: 'x', message, timestamp: NOW });
    served.host.say(id, { type: 'session.ended', status: 'completed', summary: 'four', timestamp: NOW });
    const client = new UiaHostClient({ url: proxy.url, token: AGENT_TOKEN });
    const ids: Array<string | undefined> = [];
    for await (const event of client.streamSession(id)) ids.push(event.id);
    expect(ids).toEqual([1, 2, 3, 4].map((number) => `${id}:${number}`));
    expect(proxy.connections()).toBeGreaterThan(1);
    const later: Array<string | undefined> = [];
    for await (const event of clientOf(served).streamSession(id, { lastEventId: `${id}:3` })) later.push(event.id);
    expect(later).toEqual([`${id}:4`]);
  });

  it('[client.resume] without resume a lost connection ends the stream with an error', async () => {
    const served = await serve();
    const proxy = await cutting(served.server.port);
    const { computerUseSessionId: id } = await clientOf(served).startSession({ goal: 'g', urls: ['app://x'] } as never);
    const client = new UiaHostClient({ url: proxy.url, token: AGENT_TOKEN });
    const read = async (): Promise<void> => {
      await Array.fromAsync(client.streamSession(id, { resume: false }));
    };
    await errorOf(read(), ConnectionError);
  });

  it('yields the waiting cards, then new ones and decisions, until its signal', async () => {
    const served = await serve();
    served.host.asks.add('key');
    const client = clientOf(served);
    const asked = await client.actions.key({ keySequence: 'a' }, { wait: false });
    if (!isPending(asked)) throw new Error('It did not ask.');
    const stop = new AbortController();
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { approvalId, status } of client.approvals({ signal: stop.signal }))
        seen.push(`${approvalId} ${status}`);
    })();
    await until(
      () => seen.length,
      (length) => length === 1,
    );
    const card = { ...(await client.getApproval(asked.approvalId)), status: 'approved' as const };
    served.host.emit({ type: 'approval.decided', timestamp: NOW, card } as never);
    await until(
      () => seen.length,
      (length) => length === 2,
    );
    expect(seen).toEqual([`${asked.approvalId} pending`, `${asked.approvalId} approved`]);
    stop.abort(new Error('seen enough'));
    await expect(watching).rejects.toThrow('seen enough');
  });
});

describe('other routes', () => {
  it('passes path, body, query and headers, with the token of the route’s scope', async () => {
    const served = await serve();
    const client = clientOf(served);
    expect(await client.getArtifactContent(PICTURE_HASH)).toBeInstanceOf(Uint8Array);
    expect(await client.getArtifact(PICTURE_HASH)).toMatchObject({ mimeType: 'image/png' });
    expect((await client.readAudit({ after: 4, limit: 2 })).entries).toEqual([{ seq: 5 }, { seq: 6 }]);
    await client.setSecret('pin', { app: 'notepad.exe', secret: '1' });
    expect(await client.listSecrets()).toMatchObject({ secrets: [{ name: 'pin' }] });
    const conflict = await errorOf(client.changePolicy({ level: 'observe' }, { ifMatch: '"other"' }), ProblemError);
    expect(conflict.code).toBe('state_conflict');
    const agent = new UiaHostClient({ url: served.url, token: AGENT_TOKEN });
    expect((await errorOf(agent.listApprovals(), ProblemError)).code).toBe('permission_denied');
    // One route takes an agent's abort and the operator's decision.
    const control = vi.spyOn(served.host.sessions, 'control');
    const { computerUseSessionId } = await client.startSession({ goal: 'look', urls: ['https://example.com/'] });
    const of = { computerUseSessionId };
    await client.controlSession(computerUseSessionId, { ...of, action: 'abort' });
    const deny = { ...of, action: 'decision', actionId: 'act_1', decision: 'deny' } as const;
    await client.controlSession(computerUseSessionId, deny);
    expect(control.mock.calls.map(([{ scope }]) => scope)).toEqual(['agent', 'operator']);
  });

  it('finds the running host of a data directory, and says where none is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'uiahost-client-'));
    clean.push(() => rmSync(folder, { recursive: true, force: true }));
    const none = await errorOf(UiaHostClient.connect({ dataDirectory: folder }), HostNotFoundError);
    expect(none).toMatchObject({ code: 'host_not_found', delivery: 'not_delivered' });
    const served = await serve({ proofKey: Buffer.from('key') });
    const about = { url: served.url, port: served.server.port, pid: 1, version: '1', startedAt: NOW };
    writeFileSync(join(folder, 'host.json'), JSON.stringify(about));
    writeFileSync(join(folder, 'host.key'), 'key');
    writeFileSync(join(folder, 'agent.token'), AGENT_TOKEN);
    const client = await UiaHostClient.connect({ env: { UIAHOST_DATA_DIR: folder } });
    expect((await client.status()).version).toBe('0.0.0-stand-in');
    // The operator's token is read where it is needed, and is not there.
    expect((await errorOf((async () => client.listApprovals())(), HostNotFoundError)).message).toContain('operator');
  });
});
