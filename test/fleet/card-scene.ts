/** A machine whose cards the approver of a fleet decides: a real server, a real link and a real host with a stand-in desktop. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UiaHostClient } from '../../src/client/client.ts';
import { findHost } from '../../src/client/locate.ts';
import { publicKeyText } from '../../src/fleet/bus/approval.ts';
import { signerOfCredential, type CredentialFile } from '../../src/fleet/bus/credential.ts';
import type { Fleet, FleetApproval } from '../../src/fleet/orchestrator/types.ts';
import { until } from '../support/until.ts';
import { joinByHand, SeatProcess } from './seat-process.ts';
import { TestTenant, use } from './tenant.ts';

export const SEAT = 'h_card';

export async function start(approverOf: (jane: CredentialFile) => object | null) {
  const tenant = await TestTenant.start([SEAT]);
  const { keys, server, admin } = tenant;
  const jane = await tenant.credential('approver', 'jane');
  const seat = use(new SeatProcess());
  const approver = approverOf(jane);
  if (approver !== null)
    writeFileSync(join(seat.data, 'machine.json'), JSON.stringify({ level: 'full', host: { approver } }));
  const credential = await tenant.credential('seat', SEAT);
  await seat.startHost('control');
  const { url } = await findHost(seat.data);
  const host = new UiaHostClient({ url, token: '', operatorToken: 'operator-token-operator' });
  // as `uiahost fleet join` makes it
  const tokenId = 'fleet-orders';
  const body = { name: 'fleet: orders', scope: 'agent', tokenId };
  const { token } = await host.json<{ token: string }>('POST', '/v1/tokens', { scope: 'operator', body });
  joinByHand(seat.data, credential, { orders: { tokenId, token } });
  await seat.startLink();
  await seat.ready();
  const open = (file: CredentialFile): Promise<Fleet> => tenant.open(file);
  const orders = await tenant.open();
  const refusals = async (): Promise<string[]> => {
    const scope = { scope: 'operator' } as const;
    const audit = await host.json<{ entries: { action?: string; why?: string[] }[] }>(
      'GET',
      '/v1/audit?limit=500',
      scope,
    );
    return audit.entries.filter(({ action }) => action === 'answer.refused').map(({ why }) => why?.[0] ?? '');
  };
  const card = async (id: string) => host.getApproval(id);
  return { tenant, keys, server, admin, jane, seat, credential, host, orders, open, refusals, card, agent: token };
}

export const ofFleet = (jane: CredentialFile): object => ({
  address: 'fleet:',
  name: 'jane',
  publicKey: publicKeyText(signerOfCredential(jane)),
  waitMs: 600_000,
});

export async function waiting(fleet: Fleet): Promise<FleetApproval> {
  let found: readonly FleetApproval[] = [];
  await until(async () => (found = await fleet.approvals()).length === 1, 'the card on the bus');
  return found[0] as FleetApproval;
}
