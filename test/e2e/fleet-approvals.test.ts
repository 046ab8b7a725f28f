/** A real host under Wine whose registry names a fleet's approver: its card, with its picture, is decided over a real server. */
import { afterAll, expect, it } from 'vitest';
import { hashOf } from '../../src/fleet/bus/artifacts.ts';
import { publicKeyText } from '../../src/fleet/bus/approval.ts';
import { signerOfCredential } from '../../src/fleet/bus/credential.ts';
import { memberFolder, readReport } from '../../src/fleet/link/membership.ts';
import { hostOfUser, SeatHosts } from '../../src/fleet/link/seat-host.ts';
import type { FleetApproval } from '../../src/fleet/orchestrator/types.ts';
import { ORDERS_ALONE, TestTenant } from '../fleet/tenant.ts';
import { sharedDesktop, startHost } from '../support/desktop.ts';
import { Stage } from '../support/scene.ts';
import { until } from '../support/until.ts';

const KEY = 'HKLM\\SOFTWARE\\Policies\\uiahost';
const reg = async (...words: string[]): Promise<void> => {
  const { exitCode } = await ended(words);
  if (exitCode !== 0) throw new Error(`reg ${words.join(' ')}: ${exitCode}`);
};
const ended = (words: readonly string[]): Promise<{ exitCode: number | null }> =>
  new Promise((resolve) => {
    sharedDesktop()
      .run('reg.exe', [...words], { stdio: 'ignore' })
      .once('exit', (exitCode) => resolve({ exitCode }));
  });
afterAll(() => ended(['delete', KEY, '/f']));

it('[approver.fleet] decides the card of a real host over the fleet', async () => {
  await using stage = await Stage.empty();
  const controls = await stage.fixture('controls');
  const tenant = await TestTenant.start(['h_pc1']);
  const jane = await tenant.credential('approver', 'jane');
  const publicKey = publicKeyText(signerOfCredential(jane));
  for (const [name, type, data] of [
    ['ApproverAddress', 'REG_SZ', 'fleet:'],
    ['ApproverName', 'REG_SZ', 'jane'],
    ['ApproverKey', 'REG_SZ', publicKey],
    ['ApproverWaitMs', 'REG_DWORD', '600000'],
    ['ApproverPictures', 'REG_DWORD', '1'],
  ] as const)
    await reg('add', KEY, '/v', name, '/t', type, '/d', data, '/f');
  await using host = await startHost({ dataDir: stage.folder(), env: { UIAHOST_LEVEL: 'control' } });
  const made = await host.request('/v1/tokens', {
    token: 'operator',
    body: { name: 'fleet: orders', scope: 'agent', tokenId: 'fleet-orders' },
  });
  const orchestrators = { orders: { tokenId: 'fleet-orders', token: (made.body as { token: string }).token } };
  const folder = memberFolder(stage.folder());
  const hosts = new SeatHosts(hostOfUser(host.dataDir), () => orchestrators.orders);
  await tenant.standIn('h_pc1', { folder, rules: () => ({ ...ORDERS_ALONE, orchestrators }), hosts });
  await until(() => readReport(folder)?.takesNoJob === null, 'a link that takes jobs');
  const orders = await tenant.open();
  const approver = await tenant.open(jane);
  controls.journal.mark();
  const steps = [
    { action: 'bind-to-window', input: { hwnd: controls.hwnd } },
    { action: 'click-element', input: { name: 'Push me' } },
  ];
  for (const decision of ['approve', 'deny'] as const) {
    const job = await orders.submit('h_pc1', steps, { idempotencyKey: decision, runMs: 300_000 });
    let waiting: readonly FleetApproval[] = [];
    await until(async () => (waiting = await approver.approvals()).length === 1, 'the card on the bus');
    const [card] = waiting;
    if (card === undefined) throw new Error('there is no card');
    expect(card.question.card).toMatchObject({ element: { name: 'Push me' }, status: 'pending' });
    const picture = await approver.artifact('h_pc1', card.question.picture ?? '');
    expect(hashOf(picture)).toBe(card.question.picture);
    expect(Buffer.from(picture).subarray(1, 4).toString()).toBe('PNG');
    await approver.decide(card, decision);
    const outcome = await orders.wait(job);
    expect(outcome).toMatchObject(
      decision === 'approve' ? { status: 'succeeded' } : { status: 'failed', code: 'approval_denied', step: 1 },
    );
    const { body } = await host.request(`/v1/approvals/${card.question.card.approvalId}`, { token: 'operator' });
    expect(body).toMatchObject({ decidedBy: 'approver:jane' });
    await until(async () => (await approver.approvals()).length === 0, 'the end of the card');
  }
  const pressed = { event: 'command', codeName: 'BN_CLICKED' };
  expect(controls.journal.events(pressed)).toHaveLength(1);
}, 240_000);
