/** Entry of the overlay process: cards, status strip, hotkeys and the input guard. */
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { runIconThread } from '../win32/overlay/notification-icon.ts';
import type { ToOverlay } from '../win32/overlay/protocol.ts';
import { createOverlayServer, type OverlayPart } from '../win32/overlay/server.ts';
import { runOverlayThread } from '../win32/overlay/thread.ts';

/** The overlay process: windows, hotkeys and the input guard, alive while the desktop worker hangs. Ends with its host. */
function serve(): void {
  const server = createOverlayServer({
    threadFile: fileURLToPath(import.meta.url),
    send: (message) => {
      if (process.connected) process.send?.(message, undefined, undefined, () => {});
    },
    exit: (status) => process.exit(status),
  });
  process.on('message', (message) => server.receive(message as ToOverlay));
  process.on('disconnect', () => server.receive({ kind: 'exit' }));
  // A console's Ctrl+C is for the host, which ends this process in order.
  process.on('SIGINT', () => {});
}

if (isMainThread) {
  serve();
} else if (parentPort !== null) {
  if ((workerData as OverlayPart) === 'icon') runIconThread(parentPort);
  else runOverlayThread(parentPort);
}
