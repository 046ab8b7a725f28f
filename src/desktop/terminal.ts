/** The port of terminals: open one, read its screen, and answer its prompt. */
import type { AppIdentity, BindingRecord } from '../contract/element/binding.ts';
import type { TerminalLaunch } from '../contract/gate/traits.ts';
import type { StyledText } from '../contract/terminal/terminal-style.ts';
import type { CallContext, Done } from './call.ts';

export type TerminalProgram = NonNullable<TerminalLaunch['terminal']>;
type PromptResponse = 'yes' | 'no' | 'enter' | 'escape' | 'select' | 'type';

export interface PromptAnswer {
  readonly responseType: PromptResponse;
  readonly arrowDirection: 'up' | 'down';
  /** 0 to 50. */
  readonly arrowCount: number;
  /** For `type`. */
  readonly text: string;
}

export interface TerminalScreen {
  /** Visible rows, right-trimmed. */
  readonly screen: string;
  /** Rows above the visible ones, right-trimmed; null if there are none. */
  readonly scrollback: string | null;
  /** Column and row in the visible part; null if unknown or not in view. */
  readonly cursor: { x: number; y: number } | null;
  /** Exit status of a command the host started; null while it runs or if unknown. */
  readonly exitStatus: number | null;
  /** What is drawn in another style than the rest, if that was requested; null if the terminal does not show it. */
  readonly styles?: readonly StyledText[] | null;
}

interface OpenedTerminalWindow {
  readonly hwnd: string;
  /** Process of the window. */
  readonly pid: number;
  readonly title: string;
  readonly launched: boolean;
}

export interface TerminalPort {
  /**
   * Starts an agent or a command in its own terminal. Errors: launch_failed, naming what is missing or ended
   * immediately; invalid_argument for a directory that does not exist and for arguments that the terminal would not
   * pass on unchanged.
   */
  open(launch: TerminalLaunch, call: CallContext): Promise<Done<OpenedTerminalWindow>>;
  /**
   * Which programs `open` would start with these options: the terminal's, the shell in it and the command's. Starts nothing.
   * Errors: those of `open` for a missing program.
   */
  programs(launch: TerminalLaunch, call: CallContext): Promise<AppIdentity[]>;
  /**
   * Answers the prompt of the bound terminal. Errors: unsupported (no terminal), invalid_argument, window_gone,
   * window_hung.
   */
  respond(record: BindingRecord, answer: PromptAnswer, call: CallContext): Promise<Done<boolean>>;
  /** Errors: unsupported (no terminal, or a terminal whose text cannot be read), window_gone, window_hung. */
  read(record: BindingRecord, wanted: { readonly styles: boolean }, call: CallContext): Promise<TerminalScreen>;
}
