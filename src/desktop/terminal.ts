import type { BindingRecord } from '../contract/binding.ts';
import type { CallContext, Done } from './call.ts';

export type TerminalAgent = 'claude' | 'codex' | 'gemini' | 'custom';
export type TerminalProgram = 'wt' | 'powershell' | 'cmd';
export type PromptResponse = 'yes' | 'no' | 'enter' | 'escape' | 'select' | 'type';

export interface TerminalScreen {
  /** Visible rows, right-trimmed. */
  readonly screen: string;
  readonly scrollback: string | null;
  readonly cursor: { x: number; y: number } | null;
  /** Exit status of a command the host started; null while it runs or when it is not known. */
  readonly exitStatus: number | null;
}

export interface TerminalPort {
  open(
    options: { agent: TerminalAgent; command?: string | undefined; terminal?: TerminalProgram | undefined; workingDirectory?: string | undefined },
    call: CallContext,
  ): Promise<Done<{ hwnd: string; title: string; launched: boolean }>>;
  respond(
    record: BindingRecord,
    answer: { responseType: PromptResponse; arrowDirection: 'up' | 'down'; arrowCount: number; text: string },
    call: CallContext,
  ): Promise<Done<boolean>>;
  read(record: BindingRecord, call: CallContext): Promise<TerminalScreen>;
}
