import type { AppPort } from './app.ts';
import type { BindingPort } from './binding.ts';
import type { CapturePort } from './capture.ts';
import type { ClipboardPort } from './clipboard.ts';
import type { DisplayPort } from './display.ts';
import type { ElementPort } from './element.ts';
import type { IndicatorPort } from './indicator.ts';
import type { KeyboardPort } from './keyboard.ts';
import type { PointerPort } from './pointer.ts';
import type { SystemPort } from './system.ts';
import type { TerminalPort } from './terminal.ts';
import type { WindowPort } from './window.ts';

/** The desktop as the host sees it: one port a topic. Calls take and give plain data, since they cross a process border. */
export interface Desktop {
  readonly app: AppPort;
  readonly binding: BindingPort;
  readonly capture: CapturePort;
  readonly clipboard: ClipboardPort;
  readonly display: DisplayPort;
  readonly element: ElementPort;
  readonly indicator: IndicatorPort;
  readonly keyboard: KeyboardPort;
  readonly pointer: PointerPort;
  readonly system: SystemPort;
  readonly terminal: TerminalPort;
  readonly window: WindowPort;
}

export type * from './app.ts';
export type * from './binding.ts';
export type * from './call.ts';
export type * from './capture.ts';
export type * from './clipboard.ts';
export type * from './display.ts';
export type * from './element.ts';
export type * from './indicator.ts';
export type * from './keyboard.ts';
export type * from './pointer.ts';
export type * from './system.ts';
export type * from './terminal.ts';
export type * from './window.ts';
