/** Entry of the store’s thread: the database and the audit. */
import { parentPort, workerData } from 'node:worker_threads';
import { ANCHOR_KEY, parseAnchor, type AnchorKeeper } from '../audit/anchor.ts';
import { auditService } from '../audit/log.ts';
import type { StoreThreadData } from '../store/client.ts';
import { openDatabase, type Database, type OpenedDatabase } from '../store/database.ts';
import { serveThread } from '../store/thread.ts';
import { toWireError, type WireGreeting } from '../store/wire.ts';

const anchorsIn = (database: Database): AnchorKeeper => ({
  kept() {
    const [found] = database.handle([{ method: 'meta.get', args: [ANCHOR_KEY] }]);
    return found !== undefined && 'value' in found ? parseAnchor(found.value as string | null) : null;
  },
  keep(anchor) {
    const [written] = database.handle([{ method: 'meta.set', args: [ANCHOR_KEY, JSON.stringify(anchor)] }]);
    return written !== undefined && 'value' in written;
  },
});

/** The thread that owns the disk: the database and the audit log, so that the host's main loop never waits for a flush. */
function start(): void {
  if (parentPort === null) throw new Error('This file is the entry of the store’s thread; openStore starts it.');
  const { file } = workerData as StoreThreadData;
  try {
    const database = openDatabase(file);
    // In this order: an event is in the audit before anything else sees it, and the database is closed last.
    serveThread(parentPort, { audit: auditService(anchorsIn(database)), store: database });
    parentPort.postMessage({ ready: database.opened } satisfies WireGreeting<OpenedDatabase>);
  } catch (error) {
    parentPort.postMessage({ failed: toWireError(error) } satisfies WireGreeting<OpenedDatabase>);
  }
}

start();
