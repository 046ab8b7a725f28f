/** Actions over HTTP. */
import { describe, expect, it } from 'vitest';
import { OPERATOR_TOKEN, problemOf, serve } from '../../support/http-server.ts';
import { until } from '../../support/until.ts';

describe('actions over HTTP', () => {
  it('lists every action with exactly the fields of the contract', async () => {
    const { call, host } = await serve();
    const { actions } = (await (await call('GET', '/v1/actions')).json()) as {
      actions: Array<Record<string, unknown>>;
    };
    expect(actions).toHaveLength(host.catalog.entries.length);
    expect(Object.keys(actions[0] ?? {})).toEqual(['name', 'method', 'tool', 'meaning', 'effect', 'input', 'output']);
    expect(actions.map((action) => action['name'])).toContain('click-element');
  });

  it('[http.actions.run] runs an action and answers value, outcome and decision', async () => {
    const { call, host } = await serve();
    const response = await call('POST', '/v1/actions/click-element', {
      body: { name: 'OK' },
      headers: { 'uiahost-session': 'work' },
    });
    expect(response.status).toBe(200);
    const result = (await response.json()) as Record<string, unknown>;
    expect(result).toMatchObject({
      action: 'clickElement',
      value: true,
      decision: { result: 'execute', approvalId: null },
      outcome: { effect: 'none' },
    });
    expect(host.runs[0]).toMatchObject({
      action: 'click-element',
      input: { name: 'OK' },
      caller: { session: 'work', scope: 'agent', surface: 'http', tokenId: 'tok_agent' },
    });
  });

  it('[telemetry.traces] takes the caller’s trace from the header', async () => {
    const { call, host } = await serve();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await call('POST', '/v1/actions/click-element', { body: { name: 'OK' }, headers: { traceparent } });
    expect(host.runs[0]?.caller.traceparent).toBe(traceparent);
  });

  it('takes an absent body for an empty object', async () => {
    const { call } = await serve();
    const response = await call('POST', '/v1/actions/list-visible-windows');
    expect(response.status).toBe(200);
    expect(((await response.json()) as { value: unknown[] }).value).toHaveLength(1);
  });

  it('answers not_found with near names', async () => {
    const { call, host } = await serve();
    const problem = await problemOf(await call('POST', '/v1/actions/clik-element', { body: {} }));
    expect(problem).toMatchObject({ code: 'not_found', suggestions: ['click-element'] });
    expect(host.runs).toHaveLength(0);
  });

  it('refuses a malformed session name and uses default without one', async () => {
    const { call, host } = await serve();
    for (const name of ['a b', 'x'.repeat(65), '../x', 'ü']) {
      const response = await call('POST', '/v1/actions/list-visible-windows', {
        headers: { 'uiahost-session': encodeURIComponent(name) === name ? name : `${encodeURIComponent(name)}%` },
      });
      expect((await problemOf(response)).code).toBe('invalid_argument');
    }
    await call('POST', '/v1/actions/list-visible-windows');
    expect(host.runs.map(({ caller }) => caller.session)).toEqual(['default']);
  });

  it('names the field, what was expected and what came, and near keys', async () => {
    const { call } = await serve();
    const problem = await problemOf(
      await call('POST', '/v1/actions/click', { body: { x: 'left', y: 2, buton: 'left' } }),
    );
    expect(problem.code).toBe('invalid_argument');
    expect(problem.detail).toContain('x: expected a finite number, got a text of 4 characters');
    expect(problem.detail).toContain('unknown key "buton"; did you mean button?');
    expect(problem['suggestions']).toEqual(['button']);
  });

  it('names what quotation marks alone make wrong, and measures no list that is a text', async () => {
    const { call } = await serve();
    const detailOf = async (action: string, body: object): Promise<string> =>
      (await problemOf(await call('POST', `/v1/actions/${action}`, { body }))).detail;
    expect(await detailOf('click', { x: '10', y: 20 })).toBe(
      'x: expected a finite number, got a text of 2 characters; write it without quotes.',
    );
    expect(await detailOf('click', { x: '1', y: 20 })).toContain('a text of 1 character; write it without quotes');
    expect(await detailOf('click', { x: 1, y: 2, modifiers: '["ctrl"]' })).toBe(
      'modifiers: expected a list, got a text of 8 characters; write it without quotes.',
    );
    expect(await detailOf('screenshot', { text: 'false' })).toContain(
      'true or false, got a text of 5 characters; write',
    );
    expect(await detailOf('click', { x: 'ten', y: 2 })).toBe(
      'x: expected a finite number, got a text of 3 characters.',
    );
    expect(await detailOf('type', { text: 5 })).toBe('text: expected a text, got 5; write it in quotes.');
    expect(await detailOf('batch', { steps: [] })).toContain('at least 1 entry, got an empty list');
  });

  it('never repeats a text that came where none may be', async () => {
    const { call } = await serve();
    const problem = await problemOf(
      await call('POST', '/v1/actions/click', { body: { x: 'my-secret-passphrase', y: 2 } }),
    );
    expect(JSON.stringify(problem)).not.toContain('secret-passphrase');
  });

  it('[http.actions.wait-0] [http.actions.record] answers 202 with a Location, and the record follows the decision', async () => {
    const { call, host } = await serve();
    host.asks.add('click-element');
    const response = await call('POST', '/v1/actions/click-element?wait=0', { body: { name: 'OK' } });
    expect(response.status).toBe(202);
    const pending = (await response.json()) as { actionId: string; approvalId: string; status: string };
    expect(pending).toEqual({ actionId: expect.any(String), approvalId: expect.any(String), status: 'pending' });
    expect(response.headers.get('location')).toBe(`/v1/actions/${pending.actionId}`);
    const before = await (await call('GET', `/v1/actions/${pending.actionId}`)).json();
    expect(before).toEqual({ actionId: pending.actionId, status: 'pending', delivery: 'queued' });
    await host.approvals.decide(pending.approvalId, { decision: 'approve' }, 'test', 'api');
    await until(() => host.cards.get(pending.approvalId)?.status === 'approved', 'its approval');
    const after = (await (await call('GET', `/v1/actions/${pending.actionId}`)).json()) as Record<string, unknown>;
    expect(after).toMatchObject({ status: 'succeeded', result: { value: true } });
  });

  it('answers 200 with the result if no approval was needed', async () => {
    const { call } = await serve();
    const response = await call('POST', '/v1/actions/click-element?wait=0', { body: { name: 'OK' } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ value: true });
  });

  it('waits for the person without wait=0', async () => {
    const { call, host } = await serve();
    host.asks.add('click-element');
    const answer = call('POST', '/v1/actions/click-element', { body: { name: 'OK' } });
    await until(() => host.cards.size === 1, 'the card');
    const [card] = host.cards.values();
    await host.approvals.decide(card?.approvalId ?? '', { decision: 'deny' }, 'test', 'api');
    expect((await problemOf(await answer)).code).toBe('approval_denied');
  });

  it('[http.actions.cancel] DELETE cancels and takes the card away', async () => {
    const { call, host } = await serve();
    host.asks.add('click-element');
    const { actionId, approvalId } = (await (
      await call('POST', '/v1/actions/click-element?wait=0', { body: { name: 'OK' } })
    ).json()) as Record<string, string>;
    expect(await (await call('DELETE', `/v1/actions/${actionId}`)).json()).toMatchObject({
      actionId,
      status: 'cancelled',
    });
    expect(host.cards.get(approvalId ?? '')?.status).toBe('cancelled');
  });

  it('[http.actions.closed-connection] a client that closes its connection cancels the run and its card', async () => {
    const { call, host } = await serve();
    host.asks.add('click-element');
    const leave = new AbortController();
    const answer = call('POST', '/v1/actions/click-element', { body: { name: 'OK' }, signal: leave.signal });
    await until(() => host.cards.size === 1, 'the card');
    leave.abort();
    await expect(answer).rejects.toThrow();
    await until(() => [...host.cards.values()][0]?.status === 'cancelled', 'its cancellation');
    expect(host.cancelled).toHaveLength(1);
  });

  it('a connection that closes after its answer cancels nothing', async () => {
    const { call, host } = await serve();
    await (
      await call('POST', '/v1/actions/click-element', { body: { name: 'OK' }, headers: { connection: 'close' } })
    ).json();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(host.cancelled).toEqual([]);
    expect(host.runs[0]?.options.signal?.aborted).toBe(false);
  });

  it('the same key gives the first answer, another body 422', async () => {
    const { call } = await serve();
    const headers = { 'idempotency-key': 'k-1' };
    const first = (await (
      await call('POST', '/v1/actions/click-element', { body: { name: 'OK' }, headers })
    ).json()) as { actionId: string };
    const again = (await (
      await call('POST', '/v1/actions/click-element', { body: { name: 'OK' }, headers })
    ).json()) as { actionId: string };
    expect(again.actionId).toBe(first.actionId);
    expect(
      (await problemOf(await call('POST', '/v1/actions/click-element', { body: { name: 'No' }, headers }))).code,
    ).toBe('idempotency_mismatch');
    expect(
      (
        await problemOf(
          await call('POST', '/v1/actions/click-element', {
            body: { name: 'No' },
            headers: { 'idempotency-key': 'a b' },
          }),
        )
      ).code,
    ).toBe('invalid_argument');
  });

  it('another token does not see an action, and ids that cannot exist do not', async () => {
    const { call } = await serve();
    const { actionId } = (await (await call('POST', '/v1/actions/click-element', { body: { name: 'OK' } })).json()) as {
      actionId: string;
    };
    expect((await problemOf(await call('GET', `/v1/actions/${actionId}`, { token: OPERATOR_TOKEN }))).code).toBe(
      'action_not_found',
    );
    for (const id of ['..%2f..%2fagent.token', '%2e%2e', 'act%00', 'a'.repeat(200)]) {
      expect((await problemOf(await call('GET', `/v1/actions/${id}`))).code).toBe(
        id === '%2e%2e' ? 'not_found' : 'action_not_found',
      );
    }
  });
});
