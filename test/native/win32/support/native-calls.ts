/** Counts calls of user32: the cost of an operation that does not depend on how busy the machine is. */
import { user32 } from '../../../../native-bindings/win32/user32.ts';

type Call = ((...args: unknown[]) => unknown) & { async: unknown };

/** How often each function was called. */
export type Counts = ReadonlyMap<string, number>;

/** Runs `work` and reports the synchronous calls that it makes. */
async function observe(work: () => Promise<unknown>, called: (name: string, args: unknown[]) => void): Promise<void> {
  const table = user32 as unknown as Record<string, Call>;
  const names = Object.keys(user32.declarations).filter((name) => user32.has(name as never));
  const before = new Map(names.map((name) => [name, table[name]!]));
  const put = (name: string, value: Call): void => {
    Object.defineProperty(table, name, { value, configurable: true, enumerable: true, writable: true });
  };
  for (const [name, call] of before)
    put(
      name,
      Object.assign(
        (...args: unknown[]) => {
          called(name, args);
          return call(...args);
        },
        { async: call.async },
      ),
    );
  try {
    await work();
  } finally {
    for (const [name, call] of before) put(name, call);
  }
}

/** Runs `work` and counts the synchronous calls that it makes. */
export async function countCalls(work: () => Promise<unknown>): Promise<Counts> {
  const counts = new Map<string, number>();
  await observe(work, (name) => counts.set(name, (counts.get(name) ?? 0) + 1));
  return counts;
}

/** Runs `work` and counts what it sends to a window, by message. */
export async function countMessages(hwnd: number, work: () => Promise<unknown>): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  await observe(work, (name, [to, message]) => {
    if (name === 'SendMessageTimeoutW' && to === hwnd)
      counts.set(Number(message), (counts.get(Number(message)) ?? 0) + 1);
  });
  return counts;
}

export const callsOf = (counts: Counts, ...names: string[]): number =>
  (names.length === 0 ? [...counts.values()] : names.map((name) => counts.get(name) ?? 0)).reduce((a, b) => a + b, 0);
