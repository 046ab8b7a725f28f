/** Limits of connections: what connects and shows no token locks no one out. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { OPERATOR_TOKEN, serve } from '../../support/http-server.ts';
import { TEST_TLS } from '../../support/tls.ts';
import { until } from '../../support/until.ts';

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** Connections that say nothing. */
async function idle(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect({ host: '127.0.0.1', port }).on('error', () => {}));
  opened.push(...sockets);
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

const isClosed = (socket: Socket): boolean => socket.closed || socket.readableEnded || socket.destroyed;

describe('more idle connections than a server takes', () => {
  test('lock neither a health check nor a stop out, and end no stream that has shown a token', async () => {
    const { server, call } = await serve({ limits: { maxConnections: 20 } });
    const stream = await call('GET', '/v1/events', { token: OPERATOR_TOKEN });
    expect(stream.status).toBe(200);
    for (let round = 0; round < 3; round += 1) {
      const sockets = await idle(server.port, 60);
      for (const socket of sockets) socket.resume();
      for (const [method, path, token] of [
        ['GET', '/healthz', null],
        ['POST', '/v1/stop', OPERATOR_TOKEN],
      ] as const)
        // Windows accepts connections in no order: a connection that comes now may be among the oldest, once.
        await until(async () => (await call(method, path, { token }).catch(() => null))?.status === 200, path, 5000);
      await until(() => sockets.filter(isClosed).length >= 35, 'the oldest to be closed');
    }
    const reader = stream.body!.getReader();
    const { done } = await reader.read();
    expect(done).toBe(false);
    await reader.cancel();
  });

  test('are refused themselves if all others have shown a token', async () => {
    const { server, call } = await serve({ limits: { maxConnections: 3 } });
    const streams = await Promise.all([1, 2, 3].map(() => call('GET', '/v1/events', { token: OPERATOR_TOKEN })));
    const [socket] = await idle(server.port, 1);
    socket!.resume();
    await until(() => isClosed(socket!), 'its end');
    for (const { body } of streams) await body!.cancel();
  });
});

test('[http.ready] readiness is shown without a token, with the codes of what prevents actions', async () => {
  const { host, call } = await serve();
  const ready = await call('GET', '/readyz', { token: null });
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', reasons: [] }]);
  host.unready.add('stopped');
  const not = await call('GET', '/readyz', { token: null });
  expect([not.status, await not.json()]).toEqual([503, { status: 'not_ready', reasons: ['stopped'] }]);
});

test('a connection that begins no TLS handshake is closed', async () => {
  const { server } = await serve({ tls: TEST_TLS, limits: { handshakeTimeoutMs: 200 } });
  const [socket] = await idle(server.port, 1);
  socket!.resume();
  await until(() => isClosed(socket!), 'its end');
});
