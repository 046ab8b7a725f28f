/** Live view over a fleet: a real server, a real host and its windows. */
import { expect, it } from 'vitest';
import { SeatHosts } from '../../src/fleet/link/seat-host.ts';
import { ORDERS_ALONE, TestTenant } from '../fleet/tenant.ts';
import { controlId } from '../support/controls.ts';
import { decode } from '../support/pixels.ts';
import { sharedScene } from '../support/scene.ts';
import { parseTree, type TreeNode } from '../support/snapshot-tree.ts';
import { until } from '../support/until.ts';

const { scene, client, controls } = await sharedScene(async (opened) => ({ controls: await opened.boundControls() }));

it('[fleet.view] a viewer sees the bound window, its password masked, while a strip names the viewer; the stop ends it', async () => {
  const tenant = await TestTenant.start(['h_pc1']);
  const made = await scene.host.request('/v1/tokens', {
    token: 'operator',
    body: { name: 'fleet viewer: anna', tokenId: 'fleet-view.anna', scope: 'viewer', limits: { level: 'observe' } },
  });
  const viewers = { anna: { tokenId: 'fleet-view.anna', token: String(made.body['token']) } };
  const hosts = new SeatHosts(
    async () => scene.host.url,
    () => viewers.anna,
  );
  await tenant.standIn('h_pc1', { hosts, rules: () => ({ ...ORDERS_ALONE, orchestrators: {}, viewers }) });
  const fleet = await tenant.open(await tenant.credential('viewer', 'anna'));
  await until(async () => (await fleet.hosts()).length === 1, 'the seat');
  const strips = async () =>
    (await scene.witness.windows()).filter(({ className }) => className.startsWith('uiahost-strip'));

  const look = fleet.look('h_pc1')[Symbol.asyncIterator]();
  const { value: seen } = await look.next();
  if (seen === undefined) throw new Error('no picture');
  expect(seen).toMatchObject({
    title: (await scene.witness.windows()).find(({ hwnd }) => hwnd === controls.hwnd)?.title,
  });
  const picture = await decode(Buffer.from(seen.png).toString('base64'));
  const { value } = await client.act('screenshot', {});
  const nodes = parseTree(value.accessibilityText);
  const coloursIn = (id: string): number => {
    const { x, y, width, height } = nodes.find((node: TreeNode) => node.id === String(controlId(id as never)))!;
    return picture.coloursIn(x + 3, y + 3, width - 6, height - 6);
  };
  expect([picture.width, picture.height]).toEqual([value.width, value.height]);
  expect(coloursIn('PASSWORD')).toBe(1);
  expect(coloursIn('EDIT_NAME')).toBeGreaterThan(1);

  const [strip] = await until(strips, (found) => found.length > 0);
  expect(strip?.title).toBe('anna is looking at this window from another machine');
  const { body } = await scene.host.request('/v1/audit?limit=1000', { token: 'operator' });
  expect(JSON.stringify(body)).toContain('page:fleet-view.anna');

  // what changes is seen; the stop ends it, and the strip
  await client.act('type-into-element', { automationId: String(controlId('EDIT_NAME')), text: 'changed' });
  expect((await look.next()).value?.png).not.toEqual(seen.png);
  await scene.host.request('/v1/stop', { token: 'operator', body: {} });
  try {
    const rest = async () => {
      for (;;) if ((await look.next()).done === true) return;
    };
    await expect(rest()).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('stopped') });
    await until(async () => (await strips()).length === 0, 'the end of the strip');
  } finally {
    await scene.host.request('/v1/resume', { token: 'operator', body: {} });
  }
});
