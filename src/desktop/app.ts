/** The port of applications: list, start, and find the owner of a point. */
import type { AppIdentity } from '../contract/element/binding.ts';
import type { InstalledApp, RunningApp } from '../contract/executor.ts';
import type { Point } from '../contract/element/geometry.ts';
import type { CallContext, Done } from './call.ts';

export interface AppPort {
  /** The host's own identity. */
  host(call: CallContext): Promise<AppIdentity>;
  frontmost(call: CallContext): Promise<AppIdentity | null>;
  /** `at` in screen pixels. */
  underPoint(at: Point, call: CallContext): Promise<AppIdentity | null>;
  installed(options: { icons: boolean }, call: CallContext): Promise<InstalledApp[]>;
  running(call: CallContext): Promise<RunningApp[]>;
  /** PNG data URL; undefined where the file has no icon. */
  icon(path: string, call: CallContext): Promise<string | undefined>;
  /**
   * Identity, path, AppUserModelID or exact display name. Waits for the window, never moves it. `accessibility`: with the
   * switch of Chromium programs that builds their pages for UI Automation. Errors: launch_failed; unsupported for
   * `accessibility` with any other program.
   */
  open(bundleId: string, options: { accessibility: boolean }, call: CallContext): Promise<Done<null>>;
  /** Whether a path leads to another machine (mapped drives included) or to a device. No file is accessed. */
  isForeign(path: string, call: CallContext): Promise<boolean>;
  /**
   * Identity for a name a caller gave (path, AppUserModelID, display name or file name); null when unknown. A path on
   * another machine is judged by its text alone.
   */
  resolve(name: string, call: CallContext): Promise<AppIdentity | null>;
}
