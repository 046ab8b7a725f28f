/** What the page asks of a real host: one element, a plan, a change of the policy. Nothing is done. */
import { expect, it } from 'vitest';
import { createHttpServer } from '../../../src/http/server.ts';
import { startTestHost } from '../host/running-host.ts';

it('the end of an action reports how much its answer gives to read', async () => {
  await using t = await startTestHost({ level: 'control' });
  const ended: Array<Record<string, unknown>> = [];
  t.host.hub.subscribe((event) => {
    if (event.type === 'tool.end') ended.push({ ...event });
  });
  await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
  const snapshot = await t.host.runner.run(t.agent, 'snapshot', {}).result;
  expect(ended.at(-1)).toMatchObject({ ok: true, textLength: JSON.stringify(snapshot).length, pictures: 0 });
  const picture = await t.host.runner.run(t.agent, 'screenshot', {}).result;
  const { base64: _, ...value } = picture.value as { base64: string };
  expect(ended.at(-1)).toMatchObject({ textLength: JSON.stringify({ ...picture, value }).length, pictures: 1 });
});

it('a plan is judged and a change of the policy described, and neither is done', async () => {
  await using t = await startTestHost({ level: 'control' });
  const server = await createHttpServer({ host: t.host, address: '127.0.0.1', port: 0 });
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: 'Bearer operator-token-operator', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, any>;
  };
  try {
    const { value } = await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
    const { hwnd } = value as { hwnd: string };
    const steps = [
      { action: 'snapshot', input: {} },
      { action: 'click-element', input: { name: 'Save draft' } },
    ];
    const judged = await send('POST', '/v1/page/would-ask', { hwnd, steps });
    expect(judged['steps']).toMatchObject([
      { outcome: 'runs' },
      { outcome: 'asks', why: expect.arrayContaining(['level']) },
    ]);
    expect((await t.host.approvals.list({ status: 'all' })).approvals).toEqual([]);

    const before = t.host.policy.get();
    const grant = { app: 'C:\\Windows\\notepad.exe', tier: 'read' };
    expect(await send('POST', '/v1/page/policy', { level: 'full', grants: [grant], elementsOnly: true })).toEqual({
      loosened: ['level: control → full', `granted: ${grant.app} read`],
      narrowed: ['only elements are allowed, no points'],
      other: [],
    });
    expect(await send('POST', '/v1/page/policy', { level: 'ful' })).toMatchObject({ code: 'invalid_argument' });
    expect(t.host.policy.get()).toEqual(before);

    const { element, sources } = await send('GET', `/v1/page/element?hwnd=${hwnd}&name=Save%20draft`);
    expect(element).toMatchObject({ name: 'Save draft', identity: expect.any(String), source: expect.any(String) });
    expect(sources).toMatchObject([{ name: 'Save draft', patterns: ['invoke'] }, { source: 'window' }]);
    expect(await send('GET', `/v1/page/element?hwnd=${hwnd}&name=Nobody`)).toMatchObject({ code: 'target_not_found' });
  } finally {
    await server.close();
  }
});
