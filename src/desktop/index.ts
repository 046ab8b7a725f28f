/** The desktop as the host sees it: one port for each topic, with calls that can cross a process boundary. */
import type { IndicatorPort } from './indicator.ts';
import type { WorkerDesktop } from './methods.ts';

/**
 * The desktop as the host sees it: one port per topic. Calls take and return plain data, since they cross a process
 * boundary.
 */
export interface Desktop extends WorkerDesktop {
  readonly indicator: IndicatorPort;
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
export { METHOD_KINDS, type MethodKind, type WorkerDesktop } from './methods.ts';
export type * from './pointer.ts';
export type * from './sheet.ts';
export type * from './system.ts';
export type * from './terminal.ts';
export type * from './window.ts';
export { WINDOW_ACTIONS } from './window.ts';
