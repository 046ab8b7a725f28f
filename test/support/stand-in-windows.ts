/**
 * A stand-in for Windows: one recorded tree of UI Automation (`test/fixtures/real-windows`), with the windows in it, in the
 * place of UI Automation and of user32. Everything above them is the product's. Messages answer nothing but a ping.
 */
import { readFileSync } from 'node:fs';
import * as m from '../../native-bindings/win32/constants.ts';
import { dwmapi } from '../../native-bindings/win32/dwmapi.ts';
import { kernel32 } from '../../native-bindings/win32/kernel32.ts';
import { oleacc } from '../../native-bindings/win32/oleacc.ts';
import { user32 } from '../../native-bindings/win32/user32.ts';
import type { IUIAutomation } from '../../native-bindings/uia/automation.generated.ts';
import { ControlTypeId, PropertyId } from '../../native-bindings/uia/identifiers.generated.ts';
import type { BindingRecord } from '../../src/contract/element/binding.ts';
import type { Rect } from '../../src/contract/element/geometry.ts';
import { LiveViews } from '../../src/win32/elements/reading/live-views.ts';
import { Automation } from '../../src/win32/elements/sources/uia-client.ts';

/** An element as it was recorded. */
export interface Recorded {
  readonly type: number;
  readonly name: string;
  readonly id: string;
  readonly className: string;
  readonly framework: string;
  readonly hwnd: number;
  readonly runtimeId: readonly number[];
  /** Null where it gave none. */
  rect: Rect | null;
  readonly words: readonly string[];
  /** By their names, with what was recorded of their state. */
  readonly patterns: ReadonlyMap<string, string>;
  readonly provider: string;
  readonly children: Recorded[];
  readonly above: Recorded | null;
}

const PID = 4242;
/** Each stand-in has a thread of its own, as a program that was started again. */
let threads = 0;
const DESKTOP = 0x10;
const FRAME = 0x1_0001;
/** A row of elements whose places were not recorded, and how far it is indented. */
const ROW = { height: 24, indent: 8, width: 400 } as const;

const fullProvider = (short: string): string =>
  short
    .replaceAll(/:([A-Z][\w-]*(?: \w+)* Proxy)/g, ':Microsoft: $1 (unmanaged:uiautomationcore.dll)')
    .replaceAll('[', '[pid:1,providerId:0x0 ');

function recordedOf(row: string, number: number, above: Recorded | null): Recorded {
  const [, type, name = '', id = '', className = '', framework = '', hwnd, runtimeId = '', ...more] = row.split('\t');
  const [rect = '', words = '', patterns = '', provider = ''] = more;
  const [x, y, width, height] = rect.split(' ').map(Number);
  return {
    type: Number(type),
    name: name.replaceAll('\\n', '\n'),
    id,
    className,
    framework,
    hwnd: Number(hwnd),
    runtimeId: runtimeId === '' ? [7, PID, number] : runtimeId.split('.').map(Number),
    // Not recorded: it follows when the tree is laid out.
    rect:
      rect === '-'
        ? { x: -1, y: -1, width: -1, height: -1 }
        : height === undefined
          ? null
          : { x: x!, y: y!, width: width!, height },
    words: words.split(' '),
    patterns: new Map(
      patterns
        .split(' ')
        .filter(Boolean)
        .map((word) => [
          /^\w+/.exec(word)![0],
          word
            .replace(/^\w+[=:]?/, '')
            .replaceAll('_', ' ')
            .replaceAll('\\n', '\n'),
        ]),
    ),
    provider: fullProvider(provider),
    children: [],
    above,
  };
}

/** Lays out what has no recorded place, one row below the other. Returns where the next row begins. */
function layOut(element: Recorded, x: number, y: number): number {
  const isRecorded = element.rect === null || element.rect.width >= 0;
  let below = y + ROW.height;
  for (const child of element.children) below = layOut(child, x + ROW.indent, below);
  if (!isRecorded) element.rect = { x, y, width: ROW.width - 2 * (x - ROW.indent), height: below - y };
  return below + 4;
}

const frameOf = (children: Recorded[], name: string): Recorded => ({
  ...recordedOf(`0\t${ControlTypeId.Window}\t${name}\t\tFrame\t\t${FRAME}\t42.${FRAME}\t\t\tWindow\t`, 0, null),
  rect: { x: -1, y: -1, width: -1, height: -1 },
  children,
});

/** The trees of a file, each from its window on; what was recorded without one is in a plain frame. */
export function recordedTrees(file: string): Map<string, Recorded> {
  const text = readFileSync(new URL(`../fixtures/real-windows/${file}`, import.meta.url), 'utf8');
  const trees = new Map<string, Recorded>();
  for (const part of text.split(/^= /m).slice(1)) {
    const [name = '', ...rows] = part.trimEnd().split('\n');
    const path: Recorded[] = [];
    const tops: Recorded[] = [];
    for (const [number, row] of rows.entries()) {
      const level = Number.parseInt(row, 10);
      const above = level === 0 ? null : path[level - 1]!;
      const element = recordedOf(row, number + 1, above);
      path[level] = element;
      (above?.children ?? tops).push(element);
    }
    const [first] = tops;
    const window = first!.className === '#32769' ? first!.children[0]! : first!;
    const root = window.hwnd === 0 ? frameOf(tops, name) : window;
    layOut(root, ROW.indent, 0);
    // A frame is as large as what was recorded in it.
    if (root.hwnd === FRAME) for (const { rect } of tops) if (rect !== null && rect.y > 0) root.rect = { ...rect };
    trees.set(name, root);
  }
  return trees;
}

export const everyElement = (root: Recorded): Recorded[] => [root, ...root.children.flatMap(everyElement)];

const word = (element: Recorded, name: string): boolean => element.words.includes(name);
const stateOf = (element: Recorded, pattern: string): number | undefined =>
  element.patterns.has(pattern) ? Number(element.patterns.get(pattern)) : undefined;

const AVAILABLE = new Map<number, string>(
  Object.entries(PropertyId).flatMap(([name, id]) => {
    const pattern = /^Is(\w+)PatternAvailable$/.exec(name)?.[1];
    return pattern === undefined ? [] : [[id, pattern] as const];
  }),
);

const ANSWERS: Readonly<Record<number, (element: Recorded) => unknown>> = {
  [PropertyId.RuntimeId]: (element) => element.runtimeId,
  [PropertyId.ControlType]: (element) => element.type,
  [PropertyId.Name]: (element) => element.name,
  [PropertyId.AutomationId]: (element) => element.id,
  [PropertyId.ClassName]: (element) => element.className,
  [PropertyId.FrameworkId]: (element) => element.framework,
  [PropertyId.NativeWindowHandle]: (element) => element.hwnd,
  [PropertyId.ProviderDescription]: (element) => element.provider,
  [PropertyId.ProcessId]: () => PID,
  [PropertyId.BoundingRectangle]: ({ rect }) => (rect === null ? undefined : [rect.x, rect.y, rect.width, rect.height]),
  [PropertyId.IsEnabled]: (element) => !word(element, 'disabled'),
  [PropertyId.IsOffscreen]: (element) => word(element, 'offscreen'),
  [PropertyId.IsPassword]: (element) => word(element, 'password'),
  [PropertyId.HasKeyboardFocus]: (element) => word(element, 'focused'),
  [PropertyId.IsControlElement]: (element) => !word(element, 'raw'),
  [PropertyId.ToggleToggleState]: (element) => stateOf(element, 'Toggle'),
  [PropertyId.ExpandCollapseExpandCollapseState]: (element) => stateOf(element, 'ExpandCollapse'),
  [PropertyId.SelectionItemIsSelected]: (element) => stateOf(element, 'SelectionItem') === 1,
  [PropertyId.ValueIsReadOnly]: (element) => element.patterns.get('Value') === 'readonly',
  [PropertyId.ValueValue]: (element) => (element.patterns.get('Value') ?? '').replace(/^readonly$/, ''),
  [PropertyId.RangeValueValue]: (element) => stateOf(element, 'RangeValue'),
  [PropertyId.LegacyIAccessibleDefaultAction]: (element) => element.patterns.get('LegacyIAccessible') ?? '',
};

/** An object of COM that nothing has to release. */
const free = <T extends object>(methods: T): T & Disposable => ({ ...methods, [Symbol.dispose]: () => undefined });
const listOf = <T>(all: readonly T[]): object =>
  free({ get_Length: () => all.length, GetElement: (at: number) => all[at] ?? null });

interface Condition {
  fits(element: Recorded): boolean;
}

/** The children in the view of controls, which a cache request has. */
const controlsIn = ({ children }: Recorded): Recorded[] =>
  children.flatMap((child) => (word(child, 'raw') ? controlsIn(child) : [child]));

/** The element of UI Automation; cached and current answers are the same. */
function shown(element: Recorded): object {
  const ask = (property: number): unknown => {
    const pattern = AVAILABLE.get(property);
    return pattern === undefined ? ANSWERS[property]?.(element) : element.patterns.has(pattern);
  };
  return free({
    element,
    GetCachedPropertyValueEx: ask,
    GetCurrentPropertyValueEx: ask,
    GetCachedChildren: () => listOf(controlsIn(element).map(shown)),
    BuildUpdatedCache: () => shown(element),
    FindAllBuildCache: (_scope: number, { fits }: Condition) => listOf(everyElement(element).filter(fits).map(shown)),
    GetCurrentPattern: () => null,
    GetCurrentPatternAs: () => null,
    clone: () => shown(element),
  });
}

function clientOf(root: Recorded): IUIAutomation {
  type Shown = { readonly element: Recorded };
  const at = (all: readonly Recorded[] | undefined, index: number): object | null =>
    all?.at(index) === undefined ? null : shown(all.at(index)!);
  const first = ({ element }: Shown): object | null => at(element.children, 0);
  const walker = {
    GetFirstChildElement: first,
    GetFirstChildElementBuildCache: first,
    GetNextSiblingElementBuildCache: ({ element }: Shown) =>
      at(element.above?.children, (element.above?.children.indexOf(element) ?? 0) + 1),
  };
  return free({
    query: () => null,
    CreateTrueCondition: () => free({ fits: () => true }),
    get_ProxyFactoryMapping: () => null,
    CreatePropertyCondition: (property: number, value: unknown) =>
      free({
        fits: (element: Recorded) =>
          (shown(element) as { GetCachedPropertyValueEx(property: number): unknown }).GetCachedPropertyValueEx(
            property,
          ) === value,
      }),
    CreateOrCondition: (one: Condition, other: Condition) =>
      free({ fits: (element: Recorded) => one.fits(element) || other.fits(element) }),
    CreateAndCondition: (one: Condition, other: Condition) =>
      free({ fits: (element: Recorded) => one.fits(element) && other.fits(element) }),
    CreateCacheRequest: () => free({ AddProperty: () => 0, put_TreeScope: () => 0 }),
    CreateTreeWalker: () => free(walker),
    ElementFromHandle: (hwnd: number) => {
      const found = everyElement(root).find((each) => each.hwnd === hwnd);
      return found === undefined ? null : shown(found);
    },
    ElementFromPointBuildCache: () => null,
    GetFocusedElementBuildCache: () => null,
  }) as unknown as IUIAutomation;
}

/** The class of Windows that Windows Forms derives its own from. */
const systemClass = (className: string): string => /^WindowsForms10\.(\w+)\./.exec(className)?.[1] ?? className;

/**
 * What user32 answers of the windows of a tree.
 * @param answersObjects whether the program answers WM_GETOBJECT for a window
 */
function windowFunctions(
  root: Recorded,
  thread: number,
  answersObjects: (window: Recorded) => boolean,
): Record<string, unknown> {
  const windows = new Map(
    everyElement(root)
      .filter(({ hwnd }) => hwnd !== 0)
      .map((each) => [each.hwnd, each]),
  );
  const parentOf = (hwnd: number): number => {
    let at = windows.get(hwnd)?.above ?? null;
    while (at !== null && (at.hwnd === 0 || !windows.has(at.hwnd))) at = at.above;
    return at?.hwnd ?? (windows.has(hwnd) ? DESKTOP : 0);
  };
  const isBelow = (top: number, hwnd: number): boolean => hwnd !== 0 && (hwnd === top || isBelow(top, parentOf(hwnd)));
  const write = (memory: Buffer, text: string): number => {
    memory.write(`${text}\0`, 'utf16le');
    return text.length;
  };
  const writeRect = (memory: Buffer, { x, y, width, height }: Rect): true => {
    for (const [at, side] of [x, y, x + width, y + height].entries()) memory.writeInt32LE(Math.round(side), at * 4);
    return true;
  };
  const rectOf = (hwnd: number): Rect => windows.get(hwnd)?.rect ?? { x: 0, y: 0, width: 0, height: 0 };
  const shift = (hwnd: number, point: Buffer, sign: number): true => {
    const { x, y } = rectOf(hwnd);
    point.writeInt32LE(point.readInt32LE(0) + sign * x, 0);
    point.writeInt32LE(point.readInt32LE(4) + sign * y, 4);
    return true;
  };
  const style = (hwnd: number): number =>
    m.WS_VISIBLE | (hwnd === root.hwnd ? 0 : m.WS_CHILD) | (word(windows.get(hwnd)!, 'disabled') ? m.WS_DISABLED : 0);
  return {
    IsWindow: (hwnd: number) => windows.has(hwnd),
    IsChild: (top: number, hwnd: number) => hwnd !== top && isBelow(top, hwnd),
    GetWindowThreadProcessId: (hwnd: number, memory: Buffer) => {
      memory.writeUInt32LE(PID);
      return windows.has(hwnd) ? thread : 0;
    },
    GetClassNameW: (hwnd: number, memory: Buffer) => write(memory, windows.get(hwnd)?.className ?? ''),
    RealGetWindowClassW: (hwnd: number, memory: Buffer) =>
      write(memory, systemClass(windows.get(hwnd)?.className ?? '')),
    InternalGetWindowText: (hwnd: number, memory: Buffer) => write(memory, hwnd === root.hwnd ? root.name : ''),
    GetWindowLongW: (hwnd: number, index: number) => (index === m.GWL_STYLE && windows.has(hwnd) ? style(hwnd) : 0),
    GetWindowLongPtrW: (hwnd: number) => Number(/^\d+$/.exec(windows.get(hwnd)?.id ?? '')?.[0] ?? 0),
    GetAncestor: (hwnd: number, which: number) =>
      which === m.GA_PARENT ? parentOf(hwnd) : windows.has(hwnd) ? root.hwnd : 0,
    GetWindow: () => 0,
    EnumChildWindows: (top: number, visit: (hwnd: number) => boolean) => {
      for (const hwnd of windows.keys()) if (hwnd !== top && isBelow(top, hwnd)) visit(hwnd);
      return true;
    },
    GetWindowRect: (hwnd: number, memory: Buffer) => windows.has(hwnd) && writeRect(memory, rectOf(hwnd)),
    GetClientRect: (hwnd: number, memory: Buffer) =>
      windows.has(hwnd) && writeRect(memory, { ...rectOf(hwnd), x: 0, y: 0 }),
    ClientToScreen: (hwnd: number, point: Buffer) => shift(hwnd, point, 1),
    ScreenToClient: (hwnd: number, point: Buffer) => shift(hwnd, point, -1),
    SendMessageTimeoutW: (
      ...[hwnd, message, , , , , out]: [number, number, unknown, unknown, unknown, unknown, Buffer]
    ) => {
      out.writeBigInt64LE(message === m.WM_GETOBJECT && answersObjects(windows.get(hwnd)!) ? 1n : 0n);
      return 1;
    },
    GetGUIThreadInfo: () => false,
    GetWindowRgnBox: () => 0,
    GetDesktopWindow: () => DESKTOP,
    GetDpiForWindow: () => 96,
    IsWindowEnabled: (hwnd: number) => !windows.has(hwnd) || !word(windows.get(hwnd)!, 'disabled'),
    GetMenu: () => 0,
    IsIconic: () => false,
    IsWindowVisible: () => true,
    IsZoomed: () => false,
  };
}

/** The windows of a recorded tree, until this is disposed of. */
export class StandInWindows implements Disposable {
  readonly record: BindingRecord;
  readonly automation: Automation;
  readonly views = new LiveViews();
  readonly #taken: Array<() => void> = [];

  constructor(root: Recorded, answersObjects: (window: Recorded) => boolean = () => false) {
    const threadId = (threads += 1);
    this.#take(user32, windowFunctions(root, threadId, answersObjects));
    this.#take(dwmapi, { DwmGetWindowAttribute: () => -1 });
    this.#take(kernel32, { OpenProcess: () => 0, GetLastError: () => 0 });
    this.#take(oleacc, { AccessibleObjectFromWindow: () => -1 });
    this.views.begin = () => null;
    this.automation = Automation.start(() => clientOf(root))!;
    this.record = {
      hwnd: String(root.hwnd),
      pid: PID,
      processCreated: '0',
      threadId,
      className: root.className,
      title: root.name,
      app: { bundleId: 'recorded.exe', displayName: 'Recorded', executable: null },
      integrity: 'medium',
    };
  }

  #take(library: object, functions: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(functions)) {
      const own = Object.getOwnPropertyDescriptor(library, name)!;
      Object.defineProperty(library, name, { value, configurable: true, enumerable: true });
      this.#taken.push(() => Object.defineProperty(library, name, own));
    }
  }

  [Symbol.dispose](): void {
    for (const giveBack of this.#taken) giveBack();
  }
}
