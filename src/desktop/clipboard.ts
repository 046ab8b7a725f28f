/** The port of the clipboard’s text. */
import type { CallContext, Done } from './call.ts';

export interface ClipboardPort {
  /** Unicode text, untrimmed; empty when there is none. Retried while another program holds the clipboard. */
  read(call: CallContext): Promise<string>;
  write(text: string, call: CallContext): Promise<Done<null>>;
}
