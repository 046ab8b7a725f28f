/** What the demo's process prints once its window is shown: one line of JSON on its standard output. */
import type { AppControl } from './doctor.ts';

export interface DemoReport {
  readonly hwnd: string;
  readonly pid: number;
  readonly title: string;
  /** It was open before, and no second one was opened. */
  readonly wasOpen: boolean;
}

/** What the selftest's witness is asked. `control` is a control id of the demo's window. */
export type WitnessQuestion = { readonly hwnd: number } & (
  | { readonly kind: 'text'; readonly control: number }
  | {
      readonly kind: 'ask';
      readonly control: number;
      readonly message: number;
      readonly wParam: number;
      readonly lParam: number;
    }
  | { readonly kind: 'dialog'; readonly title: string }
  | { readonly kind: 'set'; readonly control: number; readonly text: string }
  | ({ readonly kind: 'start' } & StartedProgram)
  | { readonly kind: 'ended'; readonly pid: number }
  | { readonly kind: 'close' | 'open' | 'foreground' | 'focus' | 'title' | 'asks' | 'endStarted' | 'system' }
);

/** What the witness starts for the selftest, and ends with it. */
export interface StartedProgram {
  /** `powershell`, `edge` or a path, then the arguments; `{folder}` in them is a new folder, `{page}` the page's address. */
  readonly words: readonly string[];
  /** Its standard input. */
  readonly input?: string;
  /** A page in that folder, as HTML. */
  readonly page?: string;
}

/** What system a selftest ran on. */
export interface SystemFacts {
  /** Major, minor and build: `10.0.26100`. */
  readonly windows: string;
  readonly revision: number | null;
  readonly edition: string | null;
  readonly isServer: boolean;
  readonly architecture: string;
  readonly language: string | null;
  readonly monitors: ReadonlyArray<{
    readonly width: number;
    readonly height: number;
    readonly dpi: number;
    readonly isPrimary: boolean;
  }>;
  readonly session: 'console' | 'remote';
  readonly integrity: string;
  readonly appControl: AppControl;
  /** The built-in Administrator (RID 500), and whether the profile is where Windows puts profiles. */
  readonly account: { readonly isBuiltIn: boolean; readonly isElsewhere: boolean };
  /** Settings of Windows by name; null where one is not set. */
  readonly settings: Readonly<Record<string, string | number | null>>;
  /** Names of security products. */
  readonly security: readonly string[];
  readonly node: string;
}
