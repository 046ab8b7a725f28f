/** The page's sign-in, its two halves, and what a viewer may. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PageSessions } from '../../../src/host/access/page-sessions.ts';
import { routeTable } from '../../../src/http/server.ts';
import { OPERATOR_TOKEN, problemOf, serve, type Served } from '../../support/http-server.ts';
import { createStandInHost } from '../../support/stand-in-host.ts';

interface Page {
  readonly headers: Record<string, string>;
  readonly cookie: string;
  readonly setCookie: string;
}

async function codeOf({ call }: Served, scope: 'operator' | 'viewer'): Promise<string> {
  const response = await call('POST', '/v1/page/codes', { token: OPERATOR_TOKEN, body: { scope } });
  expect(response.status).toBe(201);
  return ((await response.json()) as { code: string }).code;
}

async function signIn(served: Served, scope: 'operator' | 'viewer' = 'operator'): Promise<Page> {
  const code = await codeOf(served, scope);
  const response = await served.call('POST', '/v1/page/session', { token: null, body: { code } });
  expect(response.status).toBe(201);
  const { key } = (await response.json()) as { key: string };
  const setCookie = response.headers.get('set-cookie') ?? '';
  const cookie = setCookie.split(';', 1)[0] ?? '';
  return { headers: { 'uiahost-page': key, cookie }, cookie, setCookie };
}

describe('signing in', () => {
  it('[page.code] opens the page once, and keeps one half of the session from scripts', async () => {
    const served = await serve();
    const code = await codeOf(served, 'operator');
    const first = await served.call('POST', '/v1/page/session', { token: null, body: { code } });
    expect(first.status).toBe(201);
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Strict');
    const again = await served.call('POST', '/v1/page/session', { token: null, body: { code } });
    expect((await problemOf(again)).code).toBe('unauthenticated');
  });

  it('[page.code] refuses a code of more than a minute ago, and a code with a token that has ended', () => {
    let now = 0;
    const ended = new AbortController();
    const sessions = new PageSessions({ endOf: () => ended.signal }, () => now);
    const { code } = sessions.code('tok_1', 'operator');
    now = 60_000;
    expect(() => sessions.open(code)).toThrow(/older than a minute/);
    const { code: other } = sessions.code('tok_1', 'operator');
    ended.abort();
    expect(() => sessions.open(other)).toThrow(/older than a minute/);
  });

  it('[page.halves] takes neither the cookie nor the key alone, nor halves of two pages', async () => {
    const served = await serve();
    const [one, other] = [await signIn(served), await signIn(served)];
    const tries = [
      { cookie: one.cookie },
      { 'uiahost-page': one.headers['uiahost-page'] ?? '' },
      { cookie: one.cookie, 'uiahost-page': other.headers['uiahost-page'] ?? '' },
    ];
    for (const headers of tries) {
      const response = await served.call('GET', '/v1/sessions', { token: null, headers });
      expect((await problemOf(response)).code).toBe('unauthenticated');
    }
    expect((await served.call('GET', '/v1/sessions', { token: null, headers: one.headers })).status).toBe(200);
  });

  it('[page.halves] ends with its token, by signing out, and after twelve hours without use', async () => {
    const served = await serve();
    const page = await signIn(served);
    await served.call('DELETE', '/v1/page/session', { token: null, headers: page.headers });
    const after = await served.call('GET', '/v1/sessions', { token: null, headers: page.headers });
    expect((await problemOf(after)).code).toBe('unauthenticated');

    let now = 0;
    const token = new AbortController();
    const sessions = new PageSessions({ endOf: () => token.signal }, () => now);
    const idle = sessions.open(sessions.code('tok_1', 'viewer').code);
    expect(sessions.authenticate(idle.cookie, idle.key)).toEqual({ tokenId: 'tok_1', scope: 'viewer' });
    now += 12 * 3_600_000;
    expect(sessions.authenticate(idle.cookie, idle.key)).toBeNull();
    const open = sessions.open(sessions.code('tok_1', 'operator').code);
    token.abort();
    expect(sessions.authenticate(open.cookie, open.key)).toBeNull();
  });

  it('refuses a request from another origin, although its cookie and key are right', async () => {
    const served = await serve();
    const page = await signIn(served);
    const response = await served.call('POST', '/v1/stop', {
      token: null,
      headers: { ...page.headers, origin: 'http://127.0.0.1:1' },
      body: {},
    });
    expect((await problemOf(response)).code).toBe('origin_not_allowed');
  });
});

describe('what a page may', () => {
  it('[page.viewer] lets a viewer call what is marked for viewers, and no other route', async () => {
    const host = createStandInHost();
    const served = await serve({}, host);
    const page = await signIn(served, 'viewer');
    const routes = routeTable({ host, proofKey: null, port: () => 0, mounts: [] });
    const ids = { approvalId: 'apr_1', sha256: 'a'.repeat(64) };
    for (const route of routes) {
      if (route.scope === 'none' || route.path === '/v1/events') continue;
      const path = route.path.replaceAll(
        /\{([A-Za-z0-9]+)\}/g,
        (_, name: string) => (ids as Record<string, string>)[name] ?? 'x',
      );
      const response = await served.call(route.method, path, {
        token: null,
        headers: page.headers,
        ...(route.body === undefined ? {} : { body: {} }),
      });
      const code = response.ok ? 'ok' : (await problemOf(response)).code;
      if (route.isViewable === true)
        expect([route.operationId, code]).not.toEqual([route.operationId, 'permission_denied']);
      else expect([route.operationId, code]).toEqual([route.operationId, 'permission_denied']);
    }
    expect(host.runs.map(({ action }) => action)).toEqual([]);
  });

  it('decides cards as the surface `page`, not as the API', async () => {
    const host = createStandInHost();
    const decided: string[] = [];
    const spied = {
      ...host,
      approvals: {
        ...host.approvals,
        decide: async (id: string, _decision: unknown, by: string, surface: string) => {
          decided.push(`${id} ${by} ${surface}`);
          return host.approvals.get(id);
        },
      },
    };
    const served = await serve({}, spied as typeof host);
    const page = await signIn(served);
    await served.call('POST', '/v1/approvals/apr_1', {
      token: null,
      headers: page.headers,
      body: { decision: 'deny' },
    });
    await served.call('POST', '/v1/approvals/apr_1', { token: OPERATOR_TOKEN, body: { decision: 'deny' } });
    expect(decided).toEqual(['apr_1 page:tok_operator page', 'apr_1 api:tok_operator api']);
  });

  it('serves its files with a strict content policy, and no other file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'page-'));
    for (const name of ['index.html', 'app.js', 'style.css']) writeFileSync(join(folder, name), name);
    const { call } = await serve({ pageFolder: folder });
    for (const [path, text] of [
      ['/', 'index.html'],
      ['/page/app.js', 'app.js'],
      ['/page/style.css', 'style.css'],
    ] as const) {
      const response = await call('GET', path, { token: null });
      expect(await response.text()).toBe(text);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|https?:/);
    }
    for (const path of ['/page/', '/page/../host.json', '/page/%2e%2e/agent.token', '/index.html'])
      expect((await call('GET', path, { token: null })).status).toBe(404);
  });
});
