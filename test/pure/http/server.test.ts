/** Who may call the server, and what a request may look like. */
import { get as httpsGet } from 'node:https';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createHttpServer, routeTable } from '../../../src/http/server.ts';
import { AGENT_TOKEN, OPERATOR_TOKEN, problemOf, serve } from '../../support/http-server.ts';
import { createStandInHost } from '../../support/stand-in-host.ts';
import { TEST_TLS } from '../../support/tls.ts';
import { phrasesOf, wordsOf } from '../../support/words.ts';

/** Sends raw bytes and answers everything that comes back until the connection ends (or `waitMs` is over). */
function raw(port: number, text: string | Buffer, waitMs = 4000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    const over = setTimeout(() => socket.destroy(), waitMs);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', (error) => (answer === '' ? reject(error) : undefined));
    socket.on('close', () => {
      clearTimeout(over);
      resolve(answer);
    });
  });
}
const request = (port: number, headers: string[], target = '/healthz'): string =>
  [
    `GET ${target} HTTP/1.1`,
    ...headers.map((line) => line.replace('PORT', String(port))),
    'Connection: close',
    '',
    '',
  ].join('\r\n');
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const codeOf = (answer: string): string | undefined => /"code":"([a-z_]+)"/.exec(answer)?.[1];

describe('who may call', () => {
  it('[http.host] answers under loopback names with its port and under no other', async () => {
    const { server, host } = await serve({ allowedHosts: ['desk.example:9000', 'desk.example'] });
    for (const name of wordsOf`127.0.0.1:PORT localhost:PORT LOCALHOST:PORT [::1]:PORT desk.example:9000 desk.example:PORT`) {
      expect(statusOf(await raw(server.port, request(server.port, [`Host: ${name}`])))).toBe(200);
    }
    for (const name of [
      'evil.example:PORT',
      'evil.example',
      '127.0.0.1',
      '127.0.0.1:1',
      'localhost.evil.example:PORT',
      '127.0.0.1:PORT.evil.example',
      '0.0.0.0:PORT',
      '',
    ]) {
      const answer = await raw(
        server.port,
        request(server.port, [`Host: ${name}`, `Authorization: Bearer ${AGENT_TOKEN}`], '/v1/status'),
      );
      expect([statusOf(answer), codeOf(answer)]).toEqual([403, 'host_not_allowed']);
    }
    expect(host.refusals.every((refusal) => refusal.code === 'host_not_allowed')).toBe(true);
    expect(host.refusals).toHaveLength(8);
  });

  it('[http.host] refuses two Host headers, none, and a whole address as target', async () => {
    const { server } = await serve();
    const twice = await raw(server.port, request(server.port, ['Host: 127.0.0.1:PORT', 'Host: evil.example']));
    expect(statusOf(twice)).toBeGreaterThanOrEqual(400);
    expect(statusOf(await raw(server.port, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'))).toBe(400);
    expect(codeOf(await raw(server.port, 'GET /healthz HTTP/1.0\r\n\r\n'))).toBe('host_not_allowed');
    expect(
      codeOf(await raw(server.port, request(server.port, ['Host: 127.0.0.1:PORT'], 'http://evil.example/healthz'))),
    ).toBe('host_not_allowed');
  });

  it('[http.origin] takes no Origin or its own, and refuses every other', async () => {
    const { server } = await serve();
    for (const origin of ['http://127.0.0.1:PORT', 'http://localhost:PORT']) {
      expect(
        statusOf(await raw(server.port, request(server.port, ['Host: 127.0.0.1:PORT', `Origin: ${origin}`]))),
      ).toBe(200);
    }
    for (const origin of [
      'https://evil.example',
      'null',
      'http://127.0.0.1',
      'http://127.0.0.1:1',
      'https://127.0.0.1:PORT',
      'file://',
      'chrome-extension://abc',
      '',
    ]) {
      const answer = await raw(
        server.port,
        request(
          server.port,
          ['Host: 127.0.0.1:PORT', `Origin: ${origin}`, `Authorization: Bearer ${AGENT_TOKEN}`],
          '/v1/actions',
        ),
      );
      expect([statusOf(answer), codeOf(answer)]).toEqual([403, 'origin_not_allowed']);
    }
  });

  it('answers a preflight with method_not_allowed and no CORS header', async () => {
    const { call } = await serve();
    const response = await call('OPTIONS', '/v1/actions/click-element', {
      token: null,
      headers: { 'access-control-request-method': 'POST' },
    });
    expect((await problemOf(response)).code).toBe('method_not_allowed');
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('[http.token] refuses missing, malformed and unknown tokens, and says how to authenticate', async () => {
    const { call, host } = await serve();
    for (const headers of [
      {},
      { authorization: 'Bearer' },
      { authorization: `Basic ${AGENT_TOKEN}` },
      { authorization: 'Bearer wrong' },
      { authorization: `Bearer ${AGENT_TOKEN}x` },
      { authorization: `Bearer ${AGENT_TOKEN} ${OPERATOR_TOKEN}` },
    ]) {
      const response = await call('POST', '/v1/actions/click-element', { token: null, headers, body: { name: 'OK' } });
      expect((await problemOf(response)).code).toBe('unauthenticated');
      expect(response.headers.get('www-authenticate')).toContain('Bearer');
    }
    expect((await problemOf(await call('GET', `/v1/status?token=${AGENT_TOKEN}`, { token: null }))).code).toBe(
      'unauthenticated',
    );
    expect(host.runs).toEqual([]);
    expect(host.refusals).toHaveLength(7);
    expect(JSON.stringify(host.refusals)).not.toContain(AGENT_TOKEN);
  });

  it('an agent token reaches no operator route', async () => {
    const { call, host } = await serve();
    const table = routeTable({ host, proofKey: null, port: () => 1, mounts: [] });
    const routes = table
      .filter(({ scope }) => scope === 'operator')
      .map(({ method, path, pathParameters = {} }): [string, string] => [
        method,
        path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
          ['apr_1', 'x', '1'].find((value) => pathParameters[name]!.pattern.test(value))!,
        ),
      ]);
    expect(routes.length).toBeGreaterThan(20);
    for (const [method, path] of routes) {
      const problem = await problemOf(await call(method, path));
      expect([method, path, problem.code, problem.status]).toEqual([method, path, 'permission_denied', 403]);
    }
    expect(host.refusals).toHaveLength(routes.length);
    expect(host.refusals[0]?.tokenId).toBe('tok_agent');
  });

  it('an operator token may do everything that an agent token may', async () => {
    const { call } = await serve();
    expect(
      (await call('POST', '/v1/actions/click-element', { token: OPERATOR_TOKEN, body: { name: 'OK' } })).status,
    ).toBe(200);
  });

  it('health and document need no token', async () => {
    const { call } = await serve();
    expect(await (await call('GET', '/healthz', { token: null })).json()).toEqual({
      status: 'ok',
      version: '0.0.0-stand-in',
    });
    expect((await call('GET', '/v1/openapi.json', { token: null })).status).toBe(200);
  });

  it('[http.loopback-needs] does not start on an address others can reach without TLS and the explicit setting', async () => {
    const host = createStandInHost();
    await expect(createHttpServer({ host, address: '0.0.0.0', port: 0 })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await expect(createHttpServer({ host, address: '0.0.0.0', port: 0, allowRemote: true })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await expect(
      createHttpServer({ host, address: '0.0.0.0', port: 0, tls: { key: '', cert: '' } }),
    ).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('serves TLS with the same names and guards, and starts on any address with the explicit setting', async () => {
    const { server } = await serve({ tls: TEST_TLS, address: '0.0.0.0', allowRemote: true });
    const get = (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        httpsGet(
          {
            host: '127.0.0.1',
            port: server.port,
            path: '/healthz',
            ca: TEST_TLS.cert,
            servername: 'localhost',
            headers,
            agent: false,
          },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        ).on('error', reject);
      });
    expect(server.url).toMatch(/^https:/);
    expect(await get({ host: `localhost:${server.port}` })).toBe(200);
    expect(await get({ host: `localhost:${server.port}`, origin: `https://localhost:${server.port}` })).toBe(200);
    expect(await get({ host: `localhost:${server.port}`, origin: `http://localhost:${server.port}` })).toBe(403);
    expect(await get({ host: 'evil.example' })).toBe(403);
  });

  it('reports that the port is taken, and what to try', async () => {
    const { server, host } = await serve();
    await expect(createHttpServer({ host, address: '127.0.0.1', port: server.port })).rejects.toMatchObject({
      code: 'state_conflict',
      message: expect.stringContaining(String(server.port)),
    });
  });
});

describe('what a request may look like', () => {
  const head = (length: number, type = 'application/json'): string =>
    `POST /v1/actions/click-element HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nAuthorization: Bearer ${AGENT_TOKEN}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;

  it('[http.body-limit] takes 1 MiB exactly and refuses one byte more', async () => {
    const { call, host } = await serve();
    const body = (bytes: number): string => JSON.stringify({ name: 'x'.repeat(bytes - '{"name":""}'.length) });
    const exact = await call('POST', '/v1/actions/click-element', { body: body(1024 * 1024) });
    // It came through the reader; the name is longer than names may be, which the action says.
    expect((await problemOf(exact)).detail).toContain('name: expected a text of at most 1000 characters');
    expect(host.runs).toHaveLength(1);
    const more = await problemOf(await call('POST', '/v1/actions/click-element', { body: body(1024 * 1024 + 1) }));
    expect(more).toMatchObject({ code: 'payload_too_large', status: 413 });
    expect(host.runs).toHaveLength(1);
  });

  it('refuses a chunked body beyond 1 MiB and a declared huge one before it comes', async () => {
    const { server } = await serve();
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const chunked = `POST /v1/actions/click-element HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${AGENT_TOKEN}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`;
    expect(codeOf(await raw(server.port, chunked, 1000))).toBe('payload_too_large');
    expect(codeOf(await raw(server.port, head(10 ** 12).replace('PORT', String(server.port))))).toBe(
      'payload_too_large',
    );
  });

  it('takes JSON in UTF-8 alone', async () => {
    const { call } = await serve();
    for (const type of phrasesOf`
      text/plain | application/x-www-form-urlencoded | multipart/form-data; boundary=x |
      application/json; charset=utf-16 | application/jsonp | text/json | application/merge-patch+json
    `) {
      const problem = await problemOf(
        await call('POST', '/v1/actions/click-element', { body: '{"name":"OK"}', headers: { 'content-type': type } }),
      );
      expect([type, problem.code]).toEqual([type, 'unsupported_media_type']);
    }
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      expect(
        (await call('POST', '/v1/actions/click-element', { body: '{"name":"OK"}', headers: { 'content-type': type } }))
          .status,
      ).toBe(200);
    }
    const packed = await call('POST', '/v1/actions/click-element', {
      body: '{"name":"OK"}',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
    expect(await problemOf(packed)).toMatchObject({
      code: 'unsupported_media_type',
      hint: 'Send the body uncompressed, without Content-Encoding.',
    });
    const latin = await call('POST', '/v1/actions/click-element', {
      body: Buffer.from('{"name":"\u00e9"}', 'latin1'),
      headers: { 'content-type': 'application/json' },
    });
    expect((await problemOf(latin)).detail).toContain('UTF-8');
  });

  it('answers broken, duplicate and prototype JSON with invalid_argument and runs nothing', async () => {
    const { call, host } = await serve();
    for (const body of [
      '{"name":',
      '{"name":"a","name":"b"}',
      '{"__proto__":{"x":1},"name":"OK"}',
      '{"name":{"constructor":1}}',
      '{"a":'.repeat(70) + '1' + '}'.repeat(70),
      '{"deadlineMs":1e999,"name":"OK"}',
      '{"name":NaN}',
    ]) {
      expect((await problemOf(await call('POST', '/v1/actions/click-element', { body }))).code).toBe(
        'invalid_argument',
      );
    }
    expect(host.runs).toEqual([]);
  });

  it('answers bodies that are not objects, and null fields, with invalid_argument', async () => {
    const { call } = await serve();
    for (const body of ['[]', '"x"', '3', 'null', 'true', '{"name":null}']) {
      expect((await problemOf(await call('POST', '/v1/actions/click-element', { body }))).code).toBe(
        'invalid_argument',
      );
    }
  });

  it('answers unknown addresses with not_found and broken escapes with invalid_argument', async () => {
    const { call } = await serve();
    for (const path of wordsOf`
      /nothing /v1 /v1/ /v2/status /v1/actions/ /V1/actions /v1/status/ /.env /v1/artifacts
      /v1/computer-use/sessions/x/other
    `) {
      expect([path, (await problemOf(await call('GET', path))).code]).toEqual([path, 'not_found']);
    }
    expect((await problemOf(await call('GET', '/v1/actions/%zz'))).code).toBe('invalid_argument');
  });

  it('answers a wrong method with method_not_allowed and Allow', async () => {
    const { call } = await serve();
    for (const [method, path, allow] of [
      ['PUT', '/v1/actions', 'GET, HEAD'],
      ['GET', '/v1/stop', 'POST'],
      ['POST', '/v1/policy', 'GET, HEAD, PUT, PATCH'],
      ['PATCH', '/v1/actions/act_1', 'POST, GET, HEAD, DELETE'],
      ['DELETE', '/healthz', 'GET, HEAD'],
    ] as const) {
      const response = await call(method, path);
      expect((await problemOf(response)).code).toBe('method_not_allowed');
      expect([path, response.headers.get('allow')]).toEqual([path, allow]);
    }
  });

  it('refuses unknown and repeated query parameters', async () => {
    const { call, host } = await serve();
    for (const query of ['?wait=2', '?wiat=0', '?wait=0&wait=1', '?wait']) {
      expect([
        query,
        (await problemOf(await call('POST', `/v1/actions/click-element${query}`, { body: { name: 'OK' } }))).code,
      ]).toEqual([query, 'invalid_argument']);
    }
    expect(host.runs).toEqual([]);
  });

  it('takes no id that could leave a folder', async () => {
    const { call } = await serve();
    for (const id of [
      '..%2f..%2f..%2fetc%2fpasswd',
      '%2e%2e%5c%2e%2e',
      'a%00b',
      `${'a'.repeat(63)}/`,
      'A'.repeat(64),
      `${'a'.repeat(64)}%2e%2e`,
    ]) {
      const problem = await problemOf(await call('GET', `/v1/artifacts/${id}`));
      expect(['artifact_not_found', 'not_found']).toContain(problem.code);
    }
    expect((await problemOf(await call('GET', '/v1/computer-use/sessions/..%2f..'))).code).toBe('session_not_found');
    expect((await problemOf(await call('GET', '/v1/approvals/..%2f..', { token: OPERATOR_TOKEN }))).code).toBe(
      'approval_not_found',
    );
  });

  it('refuses too many and too large headers', async () => {
    const { server, call } = await serve();
    const many = Array.from({ length: 150 }, (_, index) => `X-Flood-${index}: 1`);
    expect(codeOf(await raw(server.port, request(server.port, ['Host: 127.0.0.1:PORT', ...many])))).toBe(
      'payload_too_large',
    );
    const large = await raw(
      server.port,
      request(server.port, ['Host: 127.0.0.1:PORT', `X-Large: ${'x'.repeat(20_000)}`]),
    );
    expect([statusOf(large), codeOf(large)]).toEqual([413, 'payload_too_large']);
    expect((await call('GET', '/healthz')).status).toBe(200);
  });

  it('ends requests that never arrive in full, and answers others meanwhile', async () => {
    const { server, call } = await serve({ limits: { headersTimeoutMs: 300, requestTimeoutMs: 600 } });
    const started = Date.now();
    const slowHead = raw(server.port, 'GET /healthz HTTP/1.1\r\nHost: 127', 5000);
    const slowBody = raw(server.port, head(100).replace('PORT', String(server.port)) + '{"na', 5000);
    expect((await call('GET', '/healthz')).status).toBe(200);
    expect(codeOf(await slowHead)).toBe('deadline_exceeded');
    expect(statusOf(await slowBody)).not.toBe(200);
    expect(Date.now() - started).toBeLessThan(3000);
  });

  it('answers input that is not HTTP with a problem and survives', async () => {
    const { server, call } = await serve();
    expect(codeOf(await raw(server.port, '\u0000\u0001\u0002 hello\r\n\r\n'))).toBe('invalid_argument');
    expect(
      codeOf(
        await raw(
          server.port,
          `POST /v1/stop HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        ),
      ),
    ).toBe('invalid_argument');
    expect((await call('GET', '/healthz')).status).toBe(200);
  });

  it('sends security headers, no x-powered-by, and nothing to cache', async () => {
    const { call } = await serve();
    for (const response of [
      await call('GET', '/healthz'),
      await call('GET', '/nothing'),
      await call('GET', '/v1/status', { token: null }),
    ]) {
      expect(response.headers.get('x-powered-by')).toBeNull();
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(response.headers.get('x-frame-options')).toBe('DENY');
    }
  });

  it('answers an unexpected fault with internal and none of its text', async () => {
    const { call, host } = await serve();
    host.answers.set('click-element', () => {
      throw new Error('secret path C:\\Users\\person');
    });
    const problem = await problemOf(await call('POST', '/v1/actions/click-element', { body: { name: 'OK' } }));
    expect(problem).toMatchObject({ code: 'internal', status: 500 });
    expect(JSON.stringify(problem)).not.toContain('person');
  });

  it('says when to come back on rate_limited', async () => {
    const { call, host } = await serve();
    const { UiaHostError } = await import('../../../src/contract/errors.ts');
    host.answers.set('click-element', () => {
      throw new UiaHostError('rate_limited', 'Too many actions in this minute.', { retryAfterSeconds: 17 });
    });
    const response = await call('POST', '/v1/actions/click-element', { body: { name: 'OK' } });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('17');
  });
});
