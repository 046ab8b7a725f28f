/** Entry of the store’s thread: the database and the audit. */
import { parentPort, workerData } from 'node:worker_threads';
import { ANCHOR_KEY, parseAnchor, type Anchor } from '../audit/anchor.ts';
import { auditService } from '../audit/service.ts';
import type { StoreGreeting, StoreThreadData } from '../store/client.ts';
import { openDatabase } from '../store/database.ts';
import { storeService } from '../store/service.ts';
import { serveThread } from '../store/thread.ts';
import { toWireError, type WireGreeting } from '../store/wire.ts';
import { anchoredStore } from './anchored-store.ts';

/** The thread that owns the disk: the database and the audit log, so that the host's main loop never waits for a flush. */
function start(): void {
  if (parentPort === null) throw new Error('This file is the entry of the store’s thread; openStore starts it.');
  const { file } = workerData as StoreThreadData;
  try {
    const database = openDatabase(file);
    // In this order: an event is in the audit before anything else sees it.
    const kept = (): Anchor | null => {
      const [found] = database.runBatch([{ topic: 'meta', method: 'get', args: [ANCHOR_KEY] }]);
      return found !== undefined && 'value' in found ? parseAnchor(found.value as string | null) : null;
    };
    const audit = auditService(kept);
    serveThread(parentPort, { audit, store: anchoredStore(database, storeService(database), audit) });
    parentPort.postMessage({
      ready: { opened: database.opened },
    } satisfies WireGreeting<StoreGreeting>);
  } catch (error) {
    parentPort.postMessage({ failed: toWireError(error) } satisfies WireGreeting<StoreGreeting>);
  }
}

start();
