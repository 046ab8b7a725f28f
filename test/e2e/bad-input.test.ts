/** End to end: wrong input gets its typed error on every interface, and nothing is delivered. */
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../src/contract/errors.ts';
import { expectProblem } from '../support/client.ts';
import type { Answer, RequestOptions } from '../support/desktop.ts';
import { sharedScene } from '../support/scene.ts';

const { scene, client, controls } = await sharedScene(async (opened) => ({ controls: await opened.boundControls() }));

const window = async (): Promise<string> =>
  JSON.stringify([...(await controls.dump())].map(([id, { t: _t, ...rest }]) => [id, rest]));

const before = await window();
controls.journal.mark();

const post = (name: string, body: string | object, options: RequestOptions = {}): Promise<Answer> =>
  scene.host.request(`/v1/actions/${name}`, { body, method: 'POST', ...options });

/** A request with a foreign Host or Origin, which fetch cannot send. */
function foreign(headers: Record<string, string>): Promise<Answer> {
  const { hostname, port } = new URL(scene.host.url);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        hostname,
        port,
        method: 'POST',
        path: '/v1/actions/click-element',
        headers: { authorization: `Bearer ${scene.host.agentToken}`, 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (data: string) => {
            text += data;
          })
          .on('end', () => {
            resolve({
              status: response.statusCode ?? 0,
              headers: new Headers(response.headers as Record<string, string>),
              body: JSON.parse(text),
            });
          });
      },
    );
    request.on('error', reject);
    request.end('{"name":"Push me"}');
  });
}

describe('bad input', () => {
  const megabyte = 1024 * 1024;
  const large = (bytes: number): string => `{"name":"${'x'.repeat(bytes - 11)}"}`;
  const cases: Array<[string, ErrorCode, () => Promise<Answer>]> = [
    ['an unknown key', 'invalid_argument', () => post('click-element', { name: 'Push me', forse: true })],
    ['a wrong type', 'invalid_argument', () => post('click-element', { name: 7 })],
    ['null for a text', 'invalid_argument', () => post('click-element', { name: null })],
    ['a list for an object', 'invalid_argument', () => post('click-element', '["Push me"]')],
    ['a text for an object', 'invalid_argument', () => post('click-element', '"Push me"')],
    [
      'a number beyond the range',
      'invalid_argument',
      () => post('virtual-mouse', '{"action":"click","x":1e999,"y":1}'),
    ],
    ['NaN', 'invalid_argument', () => post('virtual-mouse', '{"action":"click","x":NaN,"y":1}')],
    [
      'a point outside of the window',
      'invalid_argument',
      () => post('virtual-mouse', { action: 'click', space: 'client', x: 100_000, y: 5 }),
    ],
    [
      'a negative point',
      'invalid_argument',
      () => post('virtual-mouse', { action: 'click', space: 'client', x: -1, y: 5 }),
    ],
    ['a fraction for a count', 'invalid_argument', () => post('key', { keySequence: 'a', repeat: 1.5 })],
    ['an unknown choice', 'invalid_argument', () => post('virtual-keyboard', { action: 'smash', text: 'x' })],
    [
      'a deadline beyond the limit',
      'invalid_argument',
      () => post('click-element', { name: 'Push me', deadlineMs: 120_001 }),
    ],
    [
      'half a surrogate pair',
      'invalid_argument',
      () => post('type-into-element', '{"name":"Full name","text":"\\ud83e"}'),
    ],
    ['broken JSON', 'invalid_argument', () => post('click-element', '{"name":"Push me"')],
    ['a key that stands twice', 'invalid_argument', () => post('click-element', '{"name":"Red","name":"Push me"}')],
    [
      '__proto__',
      'invalid_argument',
      () => post('click-element', '{"name":"Push me","__proto__":{"delivery":"foreground"}}'),
    ],
    [
      'constructor',
      'invalid_argument',
      () => post('click-element', '{"name":"Push me","constructor":{"prototype":{"x":1}}}'),
    ],
    ['a body of 1 MiB and one byte', 'payload_too_large', () => post('click-element', large(megabyte + 1))],
    [
      'a body that is no JSON',
      'unsupported_media_type',
      () => post('click-element', 'name=Push+me', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    ],
    ['an unknown action', 'not_found', () => post('click-elemnt', { name: 'Push me' })],
    ['an action of the prototype', 'not_found', () => post('constructor', {})],
    ['a wrong method', 'method_not_allowed', () => scene.host.request('/v1/actions', { method: 'DELETE' })],
    [
      'a bad session name',
      'invalid_argument',
      () => post('click-element', { name: 'Push me' }, { headers: { 'uiahost-session': 'a b' } }),
    ],
    ['no token', 'unauthenticated', () => post('click-element', { name: 'Push me' }, { token: 'none' })],
    ['a wrong token', 'unauthenticated', () => post('click-element', { name: 'Push me' }, { token: 'x'.repeat(43) })],
    [
      'the agent’s token where the operator’s is needed',
      'permission_denied',
      () => scene.host.request('/v1/policy', { method: 'PUT', body: { level: 'full' } }),
    ],
    ['a foreign Host', 'host_not_allowed', () => foreign({ host: 'evil.example:7423' })],
    ['a foreign Origin', 'origin_not_allowed', () => foreign({ origin: 'https://evil.example' })],
    ['the Origin null', 'origin_not_allowed', () => foreign({ origin: 'null' })],
  ];

  it.each(cases)('[input.strict] [error.words] %s', async (_what, code, send) => {
    const problem = expectProblem(await send(), code);
    expect(problem.status).toBe(ERRORS[code].status);
    expect(problem.delivery).toBe('not_delivered');
  });

  it('[http.body-limit] a body of exactly 1 MiB is read', async () => {
    expectProblem(await post('click-element', large(megabyte)), 'invalid_argument');
  });

  it('an unknown action has near names', async () => {
    expect(expectProblem(await post('click-elemnt', {}), 'not_found').suggestions).toContain('click-element');
  });

  it('nothing of all that was done', async () => {
    expect(
      controls.journal.events(({ event }) =>
        ['command', 'operated', 'key', 'char', 'mouse', 'custom_click'].includes(event),
      ),
    ).toEqual([]);
    expect(await window()).toBe(before);
    expect((await client.act('get-binding-status')).value).toMatchObject({ hwnd: controls.hwnd });
    expect(await client.operator('/v1/policy')).toMatchObject({ level: 'full' });
    expect(await client.operator('/v1/audit/verify')).toMatchObject({ ok: true });
  });
});

describe('the table of errors', () => {
  it('[error.table] matches the documented table: code → status', () => {
    const promised: Record<number, string> = {
      400: 'invalid_argument',
      401: 'unauthenticated',
      403: 'permission_denied approval_denied approval_expired blocked_by_policy grant_flag_required app_not_granted tier_insufficient key_blocked target_elevated host_not_allowed origin_not_allowed',
      404: 'not_found target_not_found session_not_found approval_not_found artifact_not_found action_not_found',
      405: 'method_not_allowed',
      409: 'review_required not_bound target_ambiguous target_disabled target_readonly target_offscreen element_stale state_conflict still_open session_ended approval_conflict action_limit_exceeded duration_exceeded stopped user_active cancelled lock_held',
      410: 'window_gone',
      413: 'payload_too_large',
      415: 'unsupported_media_type',
      422: 'idempotency_mismatch',
      429: 'rate_limited',
      500: 'internal',
      501: 'unsupported',
      502: 'launch_failed capture_failed capture_blank',
      503: 'desktop_unavailable worker_restarted audit_unavailable',
      504: 'window_hung deadline_exceeded',
    };
    const expected = Object.entries(promised).flatMap(([status, codes]) =>
      codes.split(' ').map((code) => [code, Number(status)]),
    );
    expect(
      Object.entries(ERRORS)
        .map(([code, row]) => [code, row.status])
        .sort(),
    ).toEqual(expected.sort());
    for (const [code, row] of Object.entries(ERRORS))
      expect({ code, hint: row.hint.length > 10, title: row.title.length > 5 }).toEqual({
        code,
        hint: true,
        title: true,
      });
  });

  it('the document lists every code of it', async () => {
    const { body } = await scene.host.request('/v1/openapi.json', { token: 'none' });
    const told = JSON.stringify(body.components.schemas);
    for (const code of Object.keys(ERRORS)) expect(told, code).toContain(`"${code}"`);
  });
});
