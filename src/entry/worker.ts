/** Entry of the desktop worker: the process that makes every native call that can block. */
import { fileURLToPath } from 'node:url';
import { createWin32Desktop } from '../win32/index.ts';
import type { FromWorker, ToWorker } from '../win32/worker/protocol.ts';
import { createWorkerServer } from '../win32/worker/server.ts';

const consoleFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './console.ts' : './console.mjs', import.meta.url),
);

/** The desktop worker: owns every native call that can block. Ends with its host, whatever ends that. */
const server = createWorkerServer({
  send: (message: FromWorker) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  },
  createDesktop: (init) => createWin32Desktop(init, { console: consoleFile }),
  exit: () => process.exit(0),
});
process.on('message', (message) => server.receive(message as ToWorker));
process.on('disconnect', () => server.receive({ kind: 'exit' }));
// A console's Ctrl+C is for the host, which ends this process in order.
process.on('SIGINT', () => {});
