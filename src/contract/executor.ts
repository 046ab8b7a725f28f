/** The given interface ComputerExecutor, its results, and the list of its methods. */

/** One monitor (seed), in physical pixels. */
export interface DisplayGeometry {
  displayId: number;
  width: number;
  height: number;
  scaleFactor: number;
  originX: number;
  originY: number;
  label?: string;
  isPrimary?: boolean;
}

/** A capture (seed). Screen point of an image point: `x · displayWidth / width + originX`. */
export interface ScreenshotResult {
  base64: string;
  width: number;
  height: number;
  displayWidth: number;
  displayHeight: number;
  originX: number;
  originY: number;
  displayId?: number;
  /** Structured text of the bound window's elements. */
  accessibilityText?: string;
}

export interface FrontmostApp {
  bundleId: string;
  displayName: string;
}

export interface InstalledApp {
  bundleId: string;
  displayName: string;
  path: string;
  iconDataUrl?: string;
}

export interface RunningApp {
  bundleId: string;
  displayName: string;
  pid?: number;
}

export interface ResolvePrepareCaptureResult extends ScreenshotResult {
  hidden: string[];
  activated?: string;
  displayId: number;
  captureError?: string;
}

export interface ComputerExecutorCapabilities {
  screenshotFiltering: 'native' | 'none';
  platform: 'darwin' | 'win32';
  /** The host's own application identity. */
  hostBundleId: string;
}

/**
 * The given interface with the generic arguments that its text is missing (docs/behaviour.md#executor).
 * Points are physical screen pixels except where a method says client coordinates.
 * Source: schemas/seeds/computer-executor.txt; a test compares every name, parameter, option and union.
 */
export interface ComputerExecutor {
  capabilities: ComputerExecutorCapabilities;
  prepareForAction(allowlistBundleIds: string[], displayId?: number): Promise<string[]>;
  previewHideSet(
    allowlistBundleIds: string[],
    displayId?: number,
  ): Promise<Array<{ bundleId: string; displayName: string }>>;
  getDisplaySize(displayId?: number): Promise<DisplayGeometry>;
  listDisplays(): Promise<DisplayGeometry[]>;
  findWindowDisplays(bundleIds: string[]): Promise<Array<{ bundleId: string; displayIds: number[] }>>;
  resolvePrepareCapture(opts: {
    allowedBundleIds: string[];
    preferredDisplayId?: number;
    autoResolve: boolean;
    doHide?: boolean;
  }): Promise<ResolvePrepareCaptureResult>;
  screenshot(opts: { allowedBundleIds: string[]; displayId?: number }): Promise<ScreenshotResult>;
  zoom(
    regionLogical: { x: number; y: number; w: number; h: number },
    allowedBundleIds: string[],
    displayId?: number,
  ): Promise<{ base64: string; width: number; height: number }>;
  key(keySequence: string, repeat?: number): Promise<void>;
  holdKey(keyNames: string[], durationMs: number): Promise<void>;
  type(text: string, opts: { viaClipboard: boolean }): Promise<void>;
  readClipboard(): Promise<string>;
  writeClipboard(text: string): Promise<void>;
  moveMouse(x: number, y: number): Promise<void>;
  click(
    x: number,
    y: number,
    button: 'left' | 'right' | 'middle',
    count: 1 | 2 | 3,
    modifiers?: string[],
  ): Promise<void>;
  mouseDown(): Promise<void>;
  mouseUp(): Promise<void>;
  getCursorPosition(): Promise<{ x: number; y: number }>;
  drag(from: { x: number; y: number } | undefined, to: { x: number; y: number }): Promise<void>;
  scroll(x: number, y: number, dx: number, dy: number): Promise<void>;
  getFrontmostApp(): Promise<FrontmostApp | null>;
  appUnderPoint(x: number, y: number): Promise<{ bundleId: string; displayName: string } | null>;
  listInstalledApps(): Promise<InstalledApp[]>;
  getAppIcon(path: string): Promise<string | undefined>;
  listRunningApps(): Promise<RunningApp[]>;
  openApp(bundleId: string): Promise<void>;
  manageWindow?(action: string, opts?: { x?: number; y?: number; width?: number; height?: number }): Promise<boolean>;
  getWindowRect?(): Promise<{ x: number; y: number; width: number; height: number } | null>;
  openTerminal?(opts: {
    agent: 'claude' | 'codex' | 'gemini' | 'custom';
    command?: string;
    terminal?: 'wt' | 'powershell' | 'cmd';
    workingDirectory?: string;
  }): Promise<{ hwnd: string; title: string; launched: boolean } | null>;
  bindToWindow?(query: {
    hwnd?: string;
    title?: string;
    pid?: number;
  }): Promise<{ hwnd: string; title: string; pid: number } | null>;
  unbindFromWindow?(): Promise<void>;
  hasBoundWindow?(): Promise<boolean>;
  getBindingStatus?(): Promise<{
    bound: boolean;
    hwnd?: string;
    title?: string;
    pid?: number;
    rect?: { x: number; y: number; width: number; height: number };
  } | null>;
  listVisibleWindows?(): Promise<Array<{ hwnd: string; pid: number; title: string }>>;
  statusIndicator?(
    action: 'show' | 'hide' | 'status',
    message?: string,
  ): Promise<{ active: boolean; message?: string }>;
  virtualKeyboard?(opts: {
    action: 'type' | 'combo' | 'press' | 'release' | 'hold';
    text: string;
    duration?: number;
    repeat?: number;
  }): Promise<boolean>;
  virtualMouse?(opts: {
    action: 'click' | 'double_click' | 'right_click' | 'move' | 'drag' | 'down' | 'up';
    x: number;
    y: number;
    startX?: number;
    startY?: number;
  }): Promise<boolean>;
  mouseWheel?(x: number, y: number, delta: number, horizontal?: boolean): Promise<boolean>;
  activateWindow?(clickX?: number, clickY?: number): Promise<boolean>;
  respondToPrompt?(opts: {
    responseType: 'yes' | 'no' | 'enter' | 'escape' | 'select' | 'type';
    arrowDirection?: 'up' | 'down';
    arrowCount?: number;
    text?: string;
  }): Promise<boolean>;
  clickElement?(query: { name?: string; role?: string; automationId?: string }): Promise<boolean>;
  typeIntoElement?(query: { name?: string; role?: string; automationId?: string }, text: string): Promise<boolean>;
}

/** The 42 methods. */
export type ExecutorMethod = Exclude<keyof ComputerExecutor, 'capabilities'>;
