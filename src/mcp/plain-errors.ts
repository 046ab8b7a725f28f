// Answers a malformed request as the client's mistake, in words.
import { ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { z } from 'zod';

type Transport = Parameters<Server['connect']>[0];
type Message = Parameters<Transport['send']>[0];

const Issues = z.array(z.looseObject({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).min(1);

/**
 * The protocol's library answers a request without the parameters of its method as an internal error, and with its validator's issues
 * as the text. Both are put right before they are sent. Called before the server is connected.
 */
export function withPlainErrors(server: Server): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(plain(message), options);
    await connect(transport);
  };
}

/** Codes that the library gives such a request: for most methods the first, for tools/call the second. */
const BLAMED: readonly number[] = [ProtocolErrorCode.InternalError, ProtocolErrorCode.InvalidParams];

function plain(message: Message): Message {
  if (!('error' in message) || !BLAMED.includes(message.error.code)) return message;
  const issues = issuesIn(message.error.message);
  if (issues === null) return message;
  const [{ path, message: text } = { path: [], message: '' }] = issues;
  const where = path.length === 0 ? '' : `${path.join('.')}: `;
  return { ...message, error: { code: ProtocolErrorCode.InvalidParams, message: `Invalid params: ${where}${text}` } };
}

function issuesIn(text: string): z.output<typeof Issues> | null {
  const [list] = /\[\n[^]*\]$/.exec(text) ?? [];
  if (list === undefined) return null;
  try {
    return Issues.safeParse(JSON.parse(list)).data ?? null;
  } catch {
    return null;
  }
}
