/** An audit log without a store: it is written in the test's own thread, and requests of one turn share a flush. */
import { auditService, createAuditLog as createLog, type AuditLog } from '../../src/audit/log.ts';

type Options = Parameters<typeof createLog>[0];
type Call = Parameters<ReturnType<typeof auditService>['handle']>[0][number];
interface Pending extends Call {
  readonly settle: (result: { value: unknown } | { error: unknown }) => void;
}

function ownThread(): Options['thread'] {
  const service = auditService();
  let queue: Pending[] = [];
  const run = (): void => {
    const batch = queue;
    queue = [];
    service.handle(batch).forEach((result, index) => batch[index]?.settle(result));
    service.settle();
  };
  return {
    call(_service, method, args) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const settle: Pending['settle'] = (result) => ('error' in result ? reject(result.error) : resolve(result.value));
      if (queue.push({ method, args, settle }) === 1) setImmediate(run);
      return promise;
    },
  };
}

export const createAuditLog = (options: Omit<Options, 'thread'> & Partial<Pick<Options, 'thread'>>): AuditLog =>
  createLog({ thread: ownThread(), ...options });
