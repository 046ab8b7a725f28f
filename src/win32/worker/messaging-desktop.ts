/** The desktop as the host calls it: each method of the table becomes a message. */
import { METHOD_KINDS, type CallContext, type WorkerDesktop } from '../../desktop/index.ts';
import type { Topic } from './protocol.ts';

export type Send = (topic: Topic, method: string, args: readonly unknown[], call: CallContext) => Promise<unknown>;

/** The desktop, with each method of the table sending a message; the last argument is the call context. */
export function messagingDesktop(send: Send): WorkerDesktop {
  const topics = (Object.keys(METHOD_KINDS) as Topic[]).map((topic) => [
    topic,
    Object.fromEntries(
      Object.keys(METHOD_KINDS[topic]).map((method) => [
        method,
        (...args: unknown[]) => send(topic, method, args.slice(0, -1), args.at(-1) as CallContext),
      ]),
    ),
  ]);
  return Object.fromEntries(topics) as WorkerDesktop;
}
