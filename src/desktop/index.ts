/** The desktop as the host sees it: one port for each topic, with calls that can cross a process boundary. */
import type { ElementPort } from './element.ts';
import type {
  AppPort,
  BindingPort,
  CapturePort,
  ClipboardPort,
  DisplayPort,
  IndicatorPort,
  KeyboardPort,
  PointerPort,
  SheetPort,
  SystemPort,
  WindowPort,
} from './ports.ts';
import type { TerminalPort } from './terminal.ts';

/** The topics that the desktop worker serves; the indicator belongs to the overlay's process. */
export interface WorkerDesktop {
  readonly app: AppPort;
  readonly binding: BindingPort;
  readonly capture: CapturePort;
  readonly clipboard: ClipboardPort;
  readonly display: DisplayPort;
  readonly element: ElementPort;
  readonly keyboard: KeyboardPort;
  readonly pointer: PointerPort;
  readonly sheet: SheetPort;
  readonly system: SystemPort;
  readonly terminal: TerminalPort;
  readonly window: WindowPort;
}

/**
 * `looks`: if it is interrupted, no input was delivered. `acts`: input may have been delivered.
 */
export type MethodKind = 'looks' | 'acts';

export const METHOD_KINDS: {
  readonly [T in keyof WorkerDesktop]: { readonly [M in keyof WorkerDesktop[T]]: MethodKind };
} = {
  app: {
    host: 'looks',
    frontmost: 'looks',
    underPoint: 'looks',
    installed: 'looks',
    running: 'looks',
    icon: 'looks',
    open: 'acts',
    isForeign: 'looks',
    resolve: 'looks',
  },
  // Releasing a binding releases keys and moves a window back.
  binding: {
    find: 'looks',
    at: 'looks',
    front: 'looks',
    verify: 'looks',
    isAlive: 'looks',
    describe: 'looks',
    release: 'acts',
  },
  capture: { window: 'looks', display: 'looks', region: 'looks' },
  clipboard: { read: 'looks', write: 'acts' },
  display: { list: 'looks', ofApplications: 'looks', countWindows: 'looks' },
  element: {
    geometry: 'looks',
    snapshot: 'looks',
    find: 'looks',
    facts: 'looks',
    context: 'looks',
    click: 'acts',
    focus: 'acts',
    point: 'acts',
    typeInto: 'acts',
    select: 'acts',
    scrollIntoView: 'acts',
    waitFor: 'looks',
    waitQuiet: 'looks',
    laterChanges: 'looks',
    readTable: 'looks',
    writeCell: 'acts',
  },
  keyboard: { typeText: 'acts', chords: 'acts', press: 'acts', release: 'acts', hold: 'acts', releaseAll: 'acts' },
  pointer: {
    move: 'acts',
    hover: 'acts',
    click: 'acts',
    button: 'acts',
    drag: 'acts',
    wheel: 'acts',
    position: 'looks',
    cursor: 'looks',
  },
  sheet: {
    info: 'looks',
    read: 'looks',
    before: 'looks',
    write: 'acts',
    change: 'acts',
    list: 'looks',
    select: 'acts',
  },
  system: { facts: 'looks', capabilities: 'looks', answers: 'looks' },
  terminal: { programs: 'looks', open: 'acts', respond: 'acts', read: 'looks' },
  window: {
    listVisible: 'looks',
    rect: 'looks',
    manage: 'acts',
    clientToScreen: 'looks',
    screenToClient: 'looks',
    activate: 'acts',
  },
};

/**
 * The desktop as the host sees it: one port per topic. Calls take and return plain data, since they cross a process
 * boundary.
 */
export interface Desktop extends WorkerDesktop {
  readonly indicator: IndicatorPort;
}

export type * from './call.ts';
export type * from './element.ts';
export type * from './ports.ts';
export { WINDOW_ACTIONS } from './ports.ts';
export type * from './terminal.ts';
