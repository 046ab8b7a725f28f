/** How the link's calls reach the host: over its HTTP API, with the job's session, key and trace. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hostOfUser, SeatHosts } from '../../../src/fleet/link/seat-host.ts';
import { openDataDirectory, readOrCreateSecret, writeHostFile } from '../../../src/host/home/data-directory.ts';
import { AGENT_TOKEN, serve } from '../../support/http-server.ts';

it('carries the trace of a job to the action', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-seat-host-'));
  try {
    const data = openDataDirectory(folder);
    const key = readOrCreateSecret(data.proofKey, { restrict: () => {}, whyNot: () => null });
    const { host, url } = await serve({ proofKey: Buffer.from(key, 'utf8') });
    const { port } = new URL(url);
    writeHostFile(data.hostFile, { url, port: Number(port), pid: process.pid, version: '1', startedAt: '' });
    const seat = new SeatHosts(hostOfUser(folder), (by) =>
      by === 'orders' ? { tokenId: 'agent', token: AGENT_TOKEN } : null,
    );
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const steps = [{ action: 'click-element', input: { name: 'OK' } }];
    const job = { v: 1, target: 'h_a', id: 'j1', at: 0, notAfter: 1, runMs: 1, steps, traceparent } as const;
    const how = { until: Date.now() + 60_000, shouldStop: () => false };
    expect(await seat.run({ ...job, steps }, 0, 'fleet:h_a:j1:0', { ...how, by: 'orders' })).toMatchObject({
      status: 'succeeded',
    });
    expect(host.runs[0]?.caller).toMatchObject({ session: 'job_j1', traceparent });
    expect(await seat.run({ ...job, steps }, 0, 'k', { ...how, by: 'stranger' })).toMatchObject({
      code: 'orchestrator_not_accepted',
      delivery: 'not_delivered',
    });
    expect(host.runs).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
