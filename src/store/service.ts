/** The database as a service of the store’s thread. */
import type { Database } from './database.ts';
import type { ThreadService } from './thread.ts';

/** The database as a service of the thread; methods are called `topic.method`. */
export function storeService(database: Database): ThreadService {
  return {
    handle: (requests) =>
      database.runBatch(
        requests.map(({ method, args }) => {
          const [topic = '', name = ''] = method.split('.');
          return { topic, method: name, args };
        }),
      ),
    settle: () => database.trim(),
    idle: () => database.tidy(),
    close: () => database.close(),
  };
}
