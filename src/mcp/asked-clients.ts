// Brings a client's answer to the server that asked it: under the 2025 revision the answer is another HTTP request.
import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/server';

type Transport = Parameters<Server['connect']>[0];
type Message = Parameters<Transport['send']>[0];
type Answer = Extract<Message, { result: unknown } | { error: unknown }>;

/**
 * What servers have asked clients during a call (elicitation, sampling, roots). Each server lives for one request and counts its
 * own questions from 0, so a question gets an id that no other server uses, and its answer is passed to the server behind it.
 */
export class AskedClients {
  readonly #open = new Map<string, (answer: Answer) => void>();

  /** Follows the questions of a server that is not connected yet. `keyOf` adds to an id what its client is known by. */
  follow(server: Server, keyOf: (id: string) => string): void {
    const connect = server.connect.bind(server);
    server.connect = async (transport) => {
      const ids = new Map<string | number, string>();
      const send = transport.send.bind(transport);
      transport.send = (message, options) => send(this.#renamed(message, ids, transport, keyOf), options);
      const close = transport.close.bind(transport);
      transport.close = async () => {
        for (const id of ids.values()) this.#open.delete(keyOf(id));
        await close();
      };
      await connect(transport);
    };
  }

  /** Passes an answer on; one to a question that is not open is ignored. */
  answer(key: string, answer: Answer): void {
    const pass = this.#open.get(key);
    this.#open.delete(key);
    pass?.(answer);
  }

  #renamed(
    message: Message,
    ids: Map<string | number, string>,
    transport: Transport,
    keyOf: (id: string) => string,
  ): Message {
    if (!('method' in message)) return message;
    if (!('id' in message)) {
      const id = message.method === 'notifications/cancelled' ? ids.get(cancelledIn(message)) : undefined;
      return id === undefined ? message : { ...message, params: { ...message.params, requestId: id } };
    }
    const own = message.id;
    const id = randomUUID();
    ids.set(own, id);
    this.#open.set(keyOf(id), (answer) => transport.onmessage?.({ ...answer, id: own }));
    return { ...message, id };
  }
}

const cancelledIn = ({ params }: { params?: Record<string, unknown> | undefined }): string | number => {
  const id = params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : '';
};
