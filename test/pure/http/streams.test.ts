/** Event streams over HTTP: order, resuming, and limits. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { MOST_WAITING_BYTES } from '../../../src/http/express-routes.ts';
import { AGENT_TOKEN, OPERATOR_TOKEN, problemOf, serve, type Served } from '../../support/http-server.ts';

const input = { goal: 'Save the draft', urls: ['app:notepad.exe'] };
const NOW = '2026-01-02T03:04:05.000Z';

async function startSession({ call }: Served): Promise<string> {
  return (
    (await (await call('POST', '/v1/computer-use/sessions', { body: input })).json()) as {
      computerUseSessionId: string;
    }
  ).computerUseSessionId;
}

/** Reads a stream until its text holds `wanted`, or it ends. */
async function readUntil(response: Response, wanted: string | null): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    const chunk = decoder.decode(value, { stream: true });
    text += chunk;
    if (wanted !== null && text.slice(-chunk.length - wanted.length).includes(wanted)) break;
  }
  await reader.cancel();
  return text;
}

describe('session stream', () => {
  it('sends type, <session>:<sequence> and exactly the protocol’s object, and ends after session.ended', async () => {
    const served = await serve();
    const id = await startSession(served);
    const response = await served.call('GET', `/v1/computer-use/sessions/${id}/stream`);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    served.host.say(id, {
      type: 'action',
      actionId: 'act_1',
      actionType: 'clickElement',
      riskLevel: 'high',
      summary: 'a line\nbreak',
      timestamp: NOW,
    });
    served.host.say(id, { type: 'session.ended', status: 'completed', summary: 'done', timestamp: NOW });
    const text = await readUntil(response, null);
    expect(text).toContain(
      `event: session.started\nid: ${id}:1\ndata: {"type":"session.started","computerUseSessionId":"${id}","timestamp":"${NOW}"}\n\n`,
    );
    expect(text).toContain(
      `event: action\nid: ${id}:2\ndata: {"type":"action","actionId":"act_1","actionType":"clickElement","riskLevel":"high","summary":"a line\\nbreak","timestamp":"${NOW}"}\n\n`,
    );
    expect(text.trimEnd().endsWith(`"timestamp":"${NOW}"}`)).toBe(true);
    expect(text).toContain(`id: ${id}:3`);
  });

  it('Last-Event-ID continues after the event it names', async () => {
    const served = await serve();
    const id = await startSession(served);
    served.host.say(id, { type: 'error', code: 'x', message: 'two', timestamp: NOW });
    served.host.say(id, { type: 'session.ended', status: 'completed', summary: 'three', timestamp: NOW });
    const text = await readUntil(
      await served.call('GET', `/v1/computer-use/sessions/${id}/stream`, { headers: { 'last-event-id': `${id}:1` } }),
      null,
    );
    expect(text.match(/^id: .*$/gm)).toEqual([`id: ${id}:2`, `id: ${id}:3`]);
    for (const wrong of ['other:1', `${id}`, `${id}:x`, `${id}:-1`]) {
      expect(
        (
          await problemOf(
            await served.call('GET', `/v1/computer-use/sessions/${id}/stream`, { headers: { 'last-event-id': wrong } }),
          )
        ).code,
      ).toBe('invalid_argument');
    }
  });

  it('a client that comes back after session.ended gets that the session is over', async () => {
    const served = await serve();
    const id = await startSession(served);
    served.host.say(id, { type: 'session.ended', status: 'completed', summary: 'two', timestamp: NOW });
    const answer = await served.call('GET', `/v1/computer-use/sessions/${id}/stream`, {
      headers: { 'last-event-id': `${id}:2` },
    });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  });

  it('an unknown session is a problem, not an empty stream', async () => {
    const { call } = await serve();
    expect((await problemOf(await call('GET', '/v1/computer-use/sessions/cus_none/stream'))).code).toBe(
      'session_not_found',
    );
  });

  it('sends a comment while nothing happens', async () => {
    const served = await serve({ heartbeatMs: 40 });
    const id = await startSession(served);
    const text = await readUntil(
      await served.call('GET', `/v1/computer-use/sessions/${id}/stream`),
      ': heartbeat\n\n: heartbeat',
    );
    expect(text).toContain('event: session.started');
  });

  it('drops a reader that does not read, and others continue', async () => {
    const served = await serve();
    const id = await startSession(served);
    const socket = connect(served.server.port, '127.0.0.1');
    socket.write(
      `GET /v1/computer-use/sessions/${id}/stream HTTP/1.1\r\nHost: 127.0.0.1:${served.server.port}\r\nAuthorization: Bearer ${AGENT_TOKEN}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    const closed = new Promise((resolve) => {
      socket.on('close', resolve);
      socket.on('error', () => {});
    });
    const other = await served.call('GET', `/v1/computer-use/sessions/${id}/stream`);
    const reading = readUntil(other, '"code":"last"');
    const long = 'x'.repeat(256 * 1024);
    // The system's own buffers take some megabytes before ours fill.
    for (let sent = 0; sent < 12 * MOST_WAITING_BYTES; sent += long.length) {
      served.host.say(id, { type: 'error', code: 'long', message: long, timestamp: NOW });
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    served.host.say(id, { type: 'error', code: 'last', message: '', timestamp: NOW });
    expect(await reading).toContain('"code":"last"');
    socket.resume();
    await closed;
  });

  it('closing the server ends the streams', async () => {
    const served = await serve();
    const id = await startSession(served);
    const response = await served.call('GET', `/v1/computer-use/sessions/${id}/stream`);
    const started = Date.now();
    await served.server.close();
    await readUntil(response, null).catch(() => '');
    expect(Date.now() - started).toBeLessThan(1500);
  });
});

it('event stream of everything: needs the operator, numbers events and resumes', async () => {
  const { call, host } = await serve();
  expect((await problemOf(await call('GET', '/v1/events'))).code).toBe('permission_denied');
  host.emit({ type: 'tool.start', time: NOW, actionId: 'act_1' });
  const stream = await call('GET', '/v1/events', { token: OPERATOR_TOKEN });
  host.emit({ type: 'tool.end', time: NOW, actionId: 'act_1' });
  expect(await readUntil(stream, 'id: 2')).toContain('event: tool.start\nid: 1\n');
  const resumed = await readUntil(
    await call('GET', '/v1/events', { token: OPERATOR_TOKEN, headers: { 'last-event-id': '1' } }),
    'id: 2',
  );
  expect(resumed).not.toContain('id: 1\n');
  expect(
    (await problemOf(await call('GET', '/v1/events', { token: OPERATOR_TOKEN, headers: { 'last-event-id': 'x' } })))
      .code,
  ).toBe('invalid_argument');
});
