/** The host's side of the overlay when the overlay's process ends in the middle of a call, with a real process. */
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { OverlayClient } from '../../../../src/win32/overlay/client.ts';

const call = { owner: 'binding', remoteControlMemory: false, deadlineMs: 30_000, signal: new AbortController().signal };

test('[indicator.truth] an overlay that ends takes its indicators along: hide and status report it, show fails', async () => {
  let ready: (() => void) | undefined;
  const client = new OverlayClient({
    overlayFile: fileURLToPath(new URL('./dying-overlay.mjs', import.meta.url)),
    env: process.env,
    onDecision() {},
    onShown() {},
    onStop() {},
    onProcess() {},
    onLog(_level, message) {
      if (message.startsWith('overlay ready')) ready?.();
    },
  });
  onTestFinished(() => client.close());
  const nextReady = (): Promise<void> =>
    new Promise((resolve) => {
      ready = resolve;
    });
  const first = nextReady();
  client.start();
  await first;
  for (const change of ['status', 'hide'] as const) {
    const again = nextReady();
    expect(await client.indicator.set(null, change, undefined, call)).toEqual({ active: false });
    await again;
  }
  await expect(client.indicator.set(null, 'show', 'text', call)).rejects.toMatchObject({
    code: 'worker_restarted',
    delivery: 'unknown',
  });
});
