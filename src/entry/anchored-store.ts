/** The store as a service whose commits include the audit's anchor, so that it needs no commit of its own. */
import { ANCHOR_KEY, type Anchor } from '../audit/anchor.ts';
import type { Database, StoreRequest } from '../store/database.ts';
import type { ThreadService } from '../store/thread.ts';

export interface AnchorSource {
  /** Of the newest record that is on disk; null if the database has it already. */
  dueAnchor(): Anchor | null;
  /** It is in the database now. */
  anchored(anchor: Anchor): void;
}

/** The anchor is written after the log: what is in the database was on disk before, whenever the host is killed. */
export function anchoredStore(database: Database, service: ThreadService, audit: AnchorSource): ThreadService {
  const write = (anchor: Anchor): void => {
    const request: StoreRequest = { topic: 'meta', method: 'set', args: [ANCHOR_KEY, JSON.stringify(anchor)] };
    const [result] = database.runBatch([request]);
    if (result !== undefined && !('error' in result)) audit.anchored(anchor);
  };
  const writeDue = (): void => {
    const anchor = audit.dueAnchor();
    if (anchor !== null) write(anchor);
  };
  return {
    handle(requests) {
      const anchor = audit.dueAnchor();
      if (anchor === null) return service.handle(requests);
      const [first, ...results] = service.handle([
        { method: 'meta.set', args: [ANCHOR_KEY, JSON.stringify(anchor)] },
        ...requests,
      ]);
      if (first !== undefined && !('error' in first)) audit.anchored(anchor);
      return results;
    },
    settle: () => service.settle(),
    idle() {
      writeDue();
      service.idle();
    },
    close() {
      writeDue();
      service.close();
    },
  };
}
