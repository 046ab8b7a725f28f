/** Named tokens: of operators and agents, with a fixed id, from the machine's policy and from the service. */
import { describe, expect, test } from 'vitest';
import { parsePolicyToken, PolicyToken, policyTokenText } from '../../../../src/contract/gate/machine-host.ts';
import { readToHost } from '../../../../src/contract/process/service-channel.ts';
import {
  channelTokens,
  type GivenToken,
  policyTokens,
  type Tokens,
} from '../../../../src/host/access/token-service.ts';
import { newToken } from '../../../../src/host/face/token.ts';
import { openFaces } from '../../faces.ts';
import { startTestHost } from '../running-host.ts';

const given = (tokenId: string, hash: string, more: Partial<GivenToken> = {}): GivenToken => ({
  tokenId,
  scope: 'agent',
  hash,
  expiresAt: null,
  limits: null,
  ...more,
});

describe('[tokens.named] operators have names', () => {
  test('an operator’s token is made by name, works until it is revoked, and is named in approvals and audit', async () => {
    await using face = await openFaces('legacy', { level: 'control' });
    const { t } = face;
    const { token, tokenId } = await t.host.tokens.create({ name: 'Anna', scope: 'operator' }, 'operator');
    expect(t.host.tokens.authenticate(token)).toMatchObject({ tokenId, scope: 'operator', limits: null });
    const call = (path: string, body: object = {}): Promise<Response> =>
      fetch(new URL(path, face.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const run = t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' });
    await run.result;
    const click = t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' });
    const ended = click.result.catch(() => null);
    const approvalId = await click.pending;
    const card = (await (await call(`/v1/approvals/${approvalId}`, { decision: 'deny' })).json()) as {
      decidedBy: string;
    };
    expect(card.decidedBy).toBe(`api:Anna (${tokenId})`);
    // the record of the action has the decision
    await ended;
    expect(JSON.stringify(await t.auditEntries())).toContain(`Anna (${tokenId})`);
    expect((await call('/v1/stop')).status).toBe(200);
    expect(JSON.stringify(await t.auditEntries())).toContain(`api:Anna (${tokenId})`);
    await t.host.tokens.revoke(tokenId, 'operator');
    expect((await call('/v1/resume')).status).toBe(401);
  });

  test('limits are refused for an operator', async () => {
    await using t = await startTestHost();
    await expect(
      t.host.tokens.create({ name: 'x', scope: 'operator', limits: { level: 'observe' } }, 'operator'),
    ).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

test('a fixed id stays when the token is replaced: a name and an id are free again once their token has ended, and not before', async () => {
  await using t = await startTestHost();
  const make = () => t.host.tokens.create({ name: 'orders', tokenId: 'fleet-orders' }, 'operator');
  const first = await make();
  await expect(make()).rejects.toMatchObject({ code: 'state_conflict' });
  await t.host.tokens.revoke('fleet-orders', 'operator');
  const second = await make();
  expect([second.tokenId, second.name]).toEqual(['fleet-orders', 'orders']);
  expect(t.host.tokens.authenticate(first.token)).toBeNull();
  expect(t.host.tokens.authenticate(second.token)).toMatchObject({ tokenId: 'fleet-orders' });
  expect((await t.host.tokens.list()).map(({ tokenId }) => tokenId)).toEqual(['fleet-orders']);
});

describe.each(['policy', 'service'] as const)('[tokens.given] tokens that the %s gives', (from) => {
  test('count while they are given, with their rights, and end with what runs under them when they are not', async () => {
    await using t = await startTestHost();
    const tokens = t.host.tokens as Tokens;
    const [one, two, next] = [newToken(), newToken(), newToken()];
    await tokens.give(from, [
      given('fleet-a', one.sha256, { limits: { level: 'observe' } }),
      given('desk', two.sha256, { scope: 'operator' }),
    ]);
    expect(tokens.authenticate(one.token)).toMatchObject({ tokenId: 'fleet-a', limits: { level: 'observe' } });
    expect(tokens.authenticate(two.token)).toMatchObject({ tokenId: 'desk', scope: 'operator' });
    expect((await tokens.list()).map(({ tokenId, from: by }) => [tokenId, by]).toSorted()).toEqual([
      ['desk', from],
      ['fleet-a', from],
    ]);
    await expect(tokens.revoke('desk', 'operator')).rejects.toMatchObject({ code: 'state_conflict' });
    // The same again ends nothing; another hash under the same id replaces it.
    const isOver = tokens.endOf('desk');
    await tokens.give(from, [given('desk', two.sha256, { scope: 'operator' }), given('fleet-a', next.sha256)]);
    expect([isOver.aborted, tokens.authenticate(one.token)]).toEqual([false, null]);
    expect(tokens.authenticate(next.token)).toMatchObject({ tokenId: 'fleet-a', limits: null });
    await tokens.give(from, []);
    const left = [tokens.authenticate(two.token), tokens.authenticate(next.token)];
    expect([isOver.aborted, ...left]).toEqual([true, null, null]);
  });

  test('never take the place of a token that another made', async () => {
    await using t = await startTestHost();
    const tokens = t.host.tokens as Tokens;
    const own = await tokens.create({ name: 'mine', tokenId: 'fleet-a' }, 'operator');
    await tokens.give(from, [given('fleet-a', newToken().sha256, { scope: 'operator' })]);
    expect(tokens.authenticate(own.token)).toMatchObject({ tokenId: 'fleet-a', scope: 'agent' });
    const other = newToken();
    await tokens.give(from, [given('desk', other.sha256, { expiresAt: '2020-01-01T00:00:00Z' })]);
    expect(tokens.authenticate(other.token)).toBeNull();
  });
});

test('[tokens.given] a token that the policy names as old counts until its end, and nothing of its id ends', async () => {
  await using t = await startTestHost();
  const tokens = t.host.tokens as Tokens;
  const [one, two] = [newToken(), newToken()];
  const until = new Date(Date.now() + 500).toISOString();
  const who = ({ token }: { token: string }) => tokens.authenticate(token)?.tokenId;
  await tokens.give('policy', [given('desk', one.sha256, { expiresAt: until })]);
  const end = tokens.endOf('desk');
  const next = given('desk', two.sha256, { old: { sha256: one.sha256, until } });
  for (const given of [next, next]) {
    await tokens.give('policy', [given]);
    expect([who(one), who(two), end.aborted]).toEqual(['desk', 'desk', false]);
  }
  await expect.poll(() => who(one)).toBeUndefined();
  expect([who(two), end.aborted, tokens.endOf('desk')]).toEqual(['desk', false, end]);
  // Without the word old, or with other rights, it is another token.
  await tokens.give('policy', [given('desk', one.sha256, { ...next, hash: one.sha256, scope: 'operator' })]);
  expect([who(one), who(two), end.aborted]).toEqual(['desk', undefined, true]);
});

describe('[tokens.policy-text] the registry’s text of a token', () => {
  const sha256 = 'a'.repeat(64);
  test('says the same in both directions', () => {
    for (const token of [
      { id: 'a', scope: 'operator', sha256 },
      {
        id: 'b',
        scope: 'agent',
        sha256,
        expiresAt: '2030-01-01T00:00:00Z',
        old: { sha256: 'b'.repeat(64), until: '2029-01-01T00:00:00Z' },
        level: 'observe',
        apps: ['a.exe', 'C:\\b c.exe'],
      },
    ] as const)
      expect(PolicyToken.parse(parsePolicyToken(token.id, policyTokenText(token as PolicyToken)))).toEqual(token);
  });

  test('refuses what is not one, and the ids that a host gives itself', () => {
    const good = `scope=agent; sha256=${sha256}`;
    for (const text of [
      '',
      'agent',
      `scope=operator; ${good}`,
      `sha256=`,
      `colour=red; ${good}`,
      `${good}; old=${sha256}`,
    ])
      expect(() => PolicyToken.parse(parsePolicyToken('a', text)), text).toThrow();
    for (const id of ['agent', 'operator', 'tok_x', '', 'a b', 'x'.repeat(65)])
      expect(PolicyToken.safeParse({ id, scope: 'agent', sha256 }).success, id).toBe(false);
    const operator = PolicyToken.parse({ id: 'a', scope: 'operator', sha256, level: 'observe' });
    expect(policyTokens([operator])[0]?.limits).toBeNull();
  });
});

describe('a message of the service', () => {
  const token = { tokenId: 'a', scope: 'agent', hash: 'a'.repeat(64), expiresAt: null, level: 'new', apps: null };
  test('is taken whole or not at all; an unknown level permits nothing', () => {
    const read = (tokens: unknown) => readToHost(JSON.stringify({ kind: 'tokens', tokens }));
    const message = read([token]);
    expect(message).toEqual({ kind: 'tokens', tokens: [token] });
    if (message?.kind === 'tokens')
      expect(channelTokens(message.tokens)[0]?.limits).toEqual({ level: 'disabled', apps: undefined });
    const wrong = [{ hash: 'x' }, { tokenId: 'a b' }, { scope: 'root' }].map((part) => [token, { ...token, ...part }]);
    for (const bad of [null, {}, ...wrong]) expect(read(bad)).toBeNull();
  });
});
