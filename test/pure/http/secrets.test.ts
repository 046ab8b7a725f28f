/** Stored secrets over HTTP. */
import { describe, expect, it } from 'vitest';
import { OPERATOR_TOKEN, problemOf, serve } from '../../support/http-server.ts';

const APP = 'c:\\program files\\bank\\bank.exe';
const SECRET = 'Zaunkönig-4711';
const token = OPERATOR_TOKEN;

describe('stored secrets over HTTP', () => {
  it('[secret.routes] the operator stores, lists and removes; no answer has the secret', async () => {
    const { call, host } = await serve();
    const view = { name: 'bank', secretRef: 'uiahost:bank', app: APP };
    const stored = await call('PUT', '/v1/secrets/bank', { token, body: { app: APP, secret: SECRET } });
    expect([stored.status, await stored.json()]).toEqual([200, view]);
    expect(host.storedSecrets.get('bank')?.secret).toBe(SECRET);
    expect(await (await call('GET', '/v1/secrets', { token })).json()).toEqual({ secrets: [view] });
    expect(await (await call('DELETE', '/v1/secrets/bank', { token })).json()).toEqual(view);
    expect(await problemOf(await call('DELETE', '/v1/secrets/bank', { token }))).toMatchObject({ code: 'not_found' });
  });

  it('[secret.routes] an agent’s token reaches none of it, and a refusal does not repeat the secret', async () => {
    const { call, host } = await serve();
    for (const [method, path, body] of [
      ['GET', '/v1/secrets', undefined],
      ['PUT', '/v1/secrets/bank', { app: APP, secret: SECRET }],
      ['DELETE', '/v1/secrets/bank', undefined],
    ] as const) {
      expect(await problemOf(await call(method, path, body === undefined ? {} : { body }))).toMatchObject({
        code: 'permission_denied',
      });
    }
    for (const body of [
      { app: APP },
      { secret: SECRET },
      { app: APP, secret: '' },
      { app: APP, secret: SECRET.repeat(200) },
      { app: APP, secret: SECRET, more: SECRET },
      { app: 1, secret: SECRET },
    ]) {
      const problem = await problemOf(await call('PUT', '/v1/secrets/bank', { token, body }));
      expect(problem.code).toBe('invalid_argument');
      expect(JSON.stringify(problem)).not.toContain(SECRET);
    }
    for (const name of ['..', '%2e%2e', 'a%2Fb', 'a%00', 'a b', 'uiahost:bank', 'x'.repeat(101)]) {
      expect(
        await problemOf(await call('PUT', `/v1/secrets/${name}`, { token, body: { app: APP, secret: SECRET } })),
      ).toMatchObject({ code: expect.stringMatching(/^(not_found|invalid_argument|method_not_allowed)$/) });
    }
    // A name that cannot be used is bad input where a secret would be stored, and unknown where one would be removed.
    for (const name of ['%20', 'a%20b'])
      expect([
        (await problemOf(await call('PUT', `/v1/secrets/${name}`, { token, body: { app: APP, secret: SECRET } })))
          .status,
        (await problemOf(await call('DELETE', `/v1/secrets/${name}`, { token }))).status,
      ]).toEqual([400, 404]);
    expect(host.storedSecrets.size).toBe(0);
  });
});
