/** What the page asks of a real host: one element, a plan, a change of the policy. Nothing is done. */
import { expect, it } from 'vitest';
import { UiaHostError } from '../../../src/contract/errors.ts';
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

it('[fleet.view] a viewer’s token sees the window of the session that acted last, and its strip names it', async () => {
  await using t = await startTestHost({ level: 'control' });
  const server = await createHttpServer({ host: t.host, address: '127.0.0.1', port: 0 });
  const viewer = { name: 'fleet: anna', tokenId: 'fleet-view.anna', scope: 'viewer' } as const;
  const { token } = await t.host.tokens.create(viewer, 'operator');
  const send = async (path: string, method = 'GET') => {
    const response = await fetch(`${server.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } });
    return (await response.json()) as Record<string, any>;
  };
  try {
    expect(await send('/v1/look')).toMatchObject({ code: 'not_bound' });
    await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
    const seen = { owner: 'agent/default', app: 'Notepad', title: 'Untitled - Notepad', image: expect.any(String) };
    for (const _ of ['first', 'again']) expect(await send('/v1/look')).toEqual(seen);
    const owner = 'page:fleet-view.anna/w4242';
    expect(t.scene.delivered).toEqual(Array(2).fill(`strip show anna of ${owner}`));
    const entries = await t.auditEntries();
    const looks = entries.filter(({ actor, action }) => actor.tokenId?.startsWith('page:') && action === 'screenshot');
    expect(looks.map(({ actor }) => actor.tokenId)).toEqual(Array(2).fill('page:fleet-view.anna'));
    // what it sees is on no disk
    expect(looks.map((entry) => JSON.stringify(entry)).join()).not.toContain('artifact://');
    for (const [path, method] of [
      ['/v1/actions/screenshot', 'POST'],
      ['/v1/policy', 'GET'],
    ] as const)
      expect(await send(path, method)).toMatchObject({ code: 'permission_denied' });

    await t.host.policy.change({ deny: ['notepad.exe'] }, 'merge', undefined, 'operator');
    expect(await send('/v1/look')).toMatchObject({ code: 'blocked_by_policy' });
    expect(t.scene.delivered.at(-1)).toBe(`left by ${owner}`);
    await t.host.policy.change({ deny: [] }, 'merge', undefined, 'operator');
    expect(await send('/v1/look')).toEqual(seen);
    await t.host.stop('operator');
    expect(await send('/v1/look')).toMatchObject({ code: 'stopped' });
    expect(t.scene.delivered.at(-1)).toBe(`left by ${owner}`);
    await t.host.resume('operator');
    // without the strip there is no picture
    const { indicator, capture } = t.scene.desktop;
    const drawn = indicator.set;
    let taken = 0;
    const capturing = capture.window;
    capture.window = (...given) => ((taken += 1), capturing(...given));
    indicator.set = async () => {
      throw new UiaHostError('desktop_unavailable', 'No strip.');
    };
    expect(await send('/v1/look')).toMatchObject({ code: 'desktop_unavailable' });
    indicator.set = drawn;
    await send('/v1/look');
    expect(taken).toBe(1);
    // nor while a card hides it, a moment after it was drawn
    indicator.set = async () => ({ active: false });
    expect(await send('/v1/look')).toMatchObject({ code: 'state_conflict' });
    indicator.set = drawn;
    // nor of another window that Windows has given the handle of the session's
    const { find } = t.scene.desktop.binding;
    t.scene.desktop.binding.find = async (query, call) => {
      if (query.pid !== 77) throw new UiaHostError('target_not_found', 'No window fits.');
      return find(query, call);
    };
    expect(await send('/v1/look')).toMatchObject({ code: 'target_not_found' });
    expect(taken).toBe(1);
    t.scene.desktop.binding.find = find;
    await send('/v1/look');
    t.scene.delivered.length = 0;
    await t.host.tokens.revoke('fleet-view.anna', 'operator');
    expect(t.scene.delivered).toEqual([`left by ${owner}`]);
    expect(await send('/v1/look')).toMatchObject({ code: 'unauthenticated' });
  } finally {
    await server.close();
  }
});
