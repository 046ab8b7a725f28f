/** The worker’s end of the protocol: what leaves it when a call fails. */
import { expect, test } from 'vitest';
import type { WorkerDesktop } from '../../../../src/desktop/index.ts';
import type { FromWorker } from '../../../../src/win32/worker/protocol.ts';
import { createWorkerServer } from '../../../../src/win32/worker/server.ts';
import { until } from '../../../support/until.ts';

test('[fault.log] the message of a fault, which may quote a window, is not logged', async () => {
  const sent: FromWorker[] = [];
  const server = createWorkerServer({
    send: (message) => sent.push(message),
    createDesktop: () => ({
      desktop: {
        window: {
          list: async () => {
            throw new TypeError('no element in “Kontoauszug 4711”\nof the text “geheim”');
          },
        },
      } as unknown as WorkerDesktop,
      refHigh: () => 0,
      held: () => [],
      moved: () => [],
      onStateChange: () => {},
      setOwnPids: () => {},
      give: () => null,
      take: () => {},
      onOwnInput: () => {},
      inputElsewhere: () => {},
      close: async () => {},
    }),
    exit: () => {},
  });
  server.receive({ kind: 'init' } as never);
  server.receive({
    kind: 'call',
    id: 1,
    topic: 'window',
    method: 'list',
    args: [],
    owner: 'tok_1/default',
    deadlineMs: 1000,
    remoteControlMemory: false,
  } as never);
  await until(() => sent.some(({ kind }) => kind === 'answer'), 'the answer');
  const log = sent.find((message) => message.kind === 'log')?.message;
  expect(log).toContain('window.list: TypeError');
  expect(log).toContain('worker-server.test');
  expect(JSON.stringify(sent)).not.toMatch(/Kontoauszug|geheim/);
});
