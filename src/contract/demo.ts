/** What the demo's process prints once its window is shown: one line of JSON on its standard output. */

export interface DemoReport {
  readonly hwnd: string;
  readonly pid: number;
  readonly title: string;
  /** It was open before, and no second one was opened. */
  readonly wasOpen: boolean;
}
