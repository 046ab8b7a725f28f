/** What the next host says after one was killed in the middle of a delivery. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ActionRecord } from '../../../../src/store/records.ts';
import { openStore } from '../../../../src/store/client.ts';
import { threadEntry } from '../../../support/bundled.ts';
import { scratch } from '../../store/scratch.ts';

/** Kills a host while a click is being delivered; what the next one finds recorded of the action. */
async function killedWhileDelivering(
  action: string,
  input: unknown,
  endless: string,
  cards: number,
): Promise<ActionRecord> {
  const root = scratch();
  const child = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('../victim.ts', import.meta.url)),
      root,
      action,
      JSON.stringify(input),
      endless,
      String(cards),
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (line === 'delivering') break;
  }
  child.kill('SIGKILL');
  await exited;
  const actionId = said[0] ?? '';
  expect(said).toEqual([actionId, 'delivering']);
  await using store = await openStore({ file: join(root, 'uiahost.sqlite'), threadEntry: threadEntry() });
  return (await store.actions.get(actionId))!;
}

const unknown = { status: 'failed', error: { code: 'worker_restarted', delivery: 'unknown' } };
const save = { action: 'click-element', input: { name: 'Save draft' } };
const pay = { action: 'click-element', input: { name: 'Pay invoice' } };

describe('[session.after-crash] a host that is killed while it delivers', () => {
  test('an approved action: the record states that its delivery is unknown, not that no one decided', async () => {
    expect(await killedWhileDelivering('click-element', { name: 'Save draft' }, 'e1', 1)).toMatchObject(unknown);
  });

  test('a step of a batch was waiting for a person: the batch does not wait either', async () => {
    expect(await killedWhileDelivering('batch', { steps: [save] }, 'e1', 1)).toMatchObject(unknown);
  });

  test('the second step was waiting after the first was done: it does not wait either', async () => {
    expect(await killedWhileDelivering('batch', { steps: [save, pay] }, 'e2', 2)).toMatchObject(unknown);
  });

  test('a plan that was approved as a whole', async () => {
    expect(await killedWhileDelivering('batch', { steps: [save, pay], approveAsPlan: true }, 'e2', 1)).toMatchObject(
      unknown,
    );
  });
});
