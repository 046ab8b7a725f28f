/** A host as the service starts it: it talks over its pipes, ends with them, and takes another port where its own is taken. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostCommand } from '../../scripts/lib/host.mjs';
import { ended } from '../../scripts/lib/processes.mjs';
import { SUPERVISED } from '../../src/contract/process/service-channel.ts';
import { controlId } from '../support/controls.ts';
import { sharedDesktop } from '../support/desktop.ts';
import type { Fixture } from '../support/fixture.ts';
import { Stage } from '../support/scene.ts';
import { until } from '../support/until.ts';

let stage: Stage;
let controls: Fixture;
beforeAll(async () => {
  stage = await Stage.empty();
  controls = await stage.fixture('controls');
});
afterAll(() => stage?.[Symbol.asyncDispose]());

/** The host, with its pipes in the test's hands. */
async function startSupervised(env: Record<string, string>) {
  const dataDir = stage.folder();
  const command = hostCommand({
    dataDir,
    windowsTree: process.env['UIAHOST_TEST_TREE'] ?? '',
    env: { UIAHOST_LEVEL: 'full', ...env },
  });
  const file = join(dataDir, 'output');
  const output = openSync(file, 'w');
  const args = [...command.args.filter((word) => word !== '--exit-with-stdin'), SUPERVISED];
  const child = sharedDesktop().run(command.program, args, { env: command.env, stdio: ['pipe', output, output] });
  closeSync(output);
  const said = await until(
    () => /"kind":"(?:ready","url":"([^"]+)"|failed".*)/.exec(readFileSync(file, 'utf8')),
    'the host’s address',
    60_000,
  );
  const [line, url = ''] = said;
  if (url === '') throw new Error(line);
  return {
    url,
    dataDir,
    say: (message: object) => child.stdin?.write(`${JSON.stringify(message)}\n`),
    hangUp: () => child.stdin?.end(),
    async status(): Promise<number | null> {
      await ended(child, 60_000);
      return child.exitCode;
    },
    act: (name: string, input: object) =>
      fetch(`${url}/v1/actions/${name}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${readFileSync(join(dataDir, 'agent.token'), 'utf8').trim()}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(input),
      }),
    audit: () =>
      readdirSync(join(dataDir, 'audit'))
        .map((name) => readFileSync(join(dataDir, 'audit', name), 'utf8'))
        .join('\n'),
  };
}

it('[service.stop] a lock releases held keys and is in the audit; when asked to end, it ends in order', async () => {
  const host = await startSupervised({ UIAHOST_PORT: '0' });
  expect((await host.act('bind-to-window', { hwnd: controls.hwnd })).status).toBe(200);
  await controls.tell(`focus ${controlId('EDIT_NAME')}`);
  controls.journal.mark();
  const held = host.act('hold-key', { keyNames: ['shift'], durationMs: 60_000, deadlineMs: 90_000 }).catch(() => null);
  const shift = (kind: string) =>
    controls.journal.events({ event: 'key', kind }).find(({ vk }) => vk === 16 || vk === 160);
  await until(() => shift('down'), 'Shift going down');
  expect(shift('up')).toBeUndefined();
  host.say({ kind: 'session', change: 'lock' });
  await until(() => shift('up'), 'Shift going up');
  await until(
    () => host.audit().includes('host.session-lock'),
    (isThere) => isThere,
  );
  host.say({ kind: 'session', change: 'unlock' });
  await until(
    () => host.audit().includes('host.session-unlock'),
    (isThere) => isThere,
  );
  host.say({ kind: 'not one of ours' });
  // As the service does: it asks, and closes its end.
  host.say({ kind: 'end', reason: 'the test is over' });
  host.hangUp();
  expect(await host.status()).toBe(0);
  await held;
  expect(existsSync(join(host.dataDir, 'host.json'))).toBe(false);
  expect(host.audit()).toContain('host.ended');
  expect(readFileSync(join(host.dataDir, 'logs/host.log'), 'utf8')).toContain('"reason":"the test is over"');
}, 180_000);

it('a port that another program of the session has is an error, with its reason; a host ends when its pipe closes', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  try {
    await expect(startSupervised({ UIAHOST_PORT: String(port) })).rejects.toThrow(
      new RegExp(`"kind":"failed","why":"state_conflict: Cannot listen on 127.0.0.1, port ${port}`),
    );
    const host = await startSupervised({});
    expect(await (await fetch(`${host.url}/healthz`)).json()).toMatchObject({ status: 'ok' });
    host.hangUp();
    expect(await host.status()).toBe(0);
    expect(existsSync(join(host.dataDir, 'host.json'))).toBe(false);
  } finally {
    taken.close();
  }
}, 180_000);
