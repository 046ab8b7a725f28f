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
  | { readonly kind: 'close' | 'open' | 'foreground' | 'system' }
);

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
  readonly node: string;
}
