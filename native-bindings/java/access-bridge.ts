/**
 * Java's Access Bridge: the controls of Swing and AWT, which only the program's virtual machine knows. A control has the
 * methods of an IAccessible, so that it is read and used as one. Source: AccessBridgeCalls.h and AccessBridgePackages.h of
 * the JDK; docs.oracle.com/en/java/javase/21/access/java-access-bridge-api.html
 */
import { ComError, HRESULT } from '../com/hresult.ts';
import { bindLibrary, fn, text16, type Library } from '../library.ts';
import { AccRole, AccSelect, AccState } from '../uia/identifiers.generated.ts';
import { PM_REMOVE } from '../win32/constants.ts';
import { MSG } from '../win32/structs.ts';
import { user32 } from '../win32/user32.ts';

const FUNCTIONS = {
  /** Makes a window on this thread and tells every virtual machine: they answer by messages to it. */
  Windows_run: fn('void', []),
  isJavaWindow: fn('bool', ['hwnd window']),
  getAccessibleContextFromHWND: fn('bool', ['hwnd window', 'ptr vm', 'ptr context']),
  getAccessibleContextInfo: fn('bool', ['int32 vm', 'int64 context', 'ptr info']),
  getAccessibleChildFromContext: fn('int64', ['int32 vm', 'int64 context', 'int32 index']),
  getAccessibleParentFromContext: fn('int64', ['int32 vm', 'int64 context']),
  getCurrentAccessibleValueFromContext: fn('bool', ['int32 vm', 'int64 context', 'ptr value', 'int16 length']),
  getAccessibleTextInfo: fn('bool', ['int32 vm', 'int64 context', 'ptr info', 'int32 x', 'int32 y']),
  getAccessibleTextRange: fn('bool', [
    'int32 vm',
    'int64 context',
    'int32 first',
    'int32 last',
    'ptr text',
    'int16 length',
  ]),
  getAccessibleActions: fn('bool', ['int32 vm', 'int64 context', 'ptr actions']),
  doAccessibleActions: fn('bool', ['int32 vm', 'int64 context', 'ptr actions', 'ptr failure']),
  setTextContents: fn('bool', ['int32 vm', 'int64 context', 'str16 text']),
  requestFocus: fn('bool', ['int32 vm', 'int64 context']),
  clearAccessibleSelectionFromContext: fn('void', ['int32 vm', 'int64 context']),
  addAccessibleSelectionFromContext: fn('void', ['int32 vm', 'int64 context', 'int32 index']),
  /** The child that is selected, by its place among the selected ones. */
  getAccessibleSelectionFromContext: fn('int64', ['int32 vm', 'int64 context', 'int32 index']),
  isAccessibleChildSelectedFromContext: fn('bool', ['int32 vm', 'int64 context', 'int32 index']),
  releaseJavaObject: fn('void', ['int32 vm', 'int64 object']),
} as const;

/** AccessibleContextInfo: six texts, then numbers. Bytes. */
const INFO = {
  size: 6188,
  name: 0,
  description: 2048,
  role: 4608,
  states: 5632,
  index: 6144,
  children: 6148,
  rect: 6152,
};
const HAS = { action: 6172, selection: 6176, text: 6180, interfaces: 6184 };
/** `AccessibleInterfaces`: the value interface. */
const VALUE_INTERFACE = 1;
/** A name in the lists of actions: 256 units. */
const ACTION_BYTES = 512;
const MOST_ACTIONS = 256;
/** Between a combo box and its list. */
const MOST_FRAMES = 8;
/** What one call takes of a text: MAX_BUFFER_SIZE is 10,240 bytes, MAX_STRING_SIZE 1,024 units. */
const PIECE = 5000;
const LONGEST_SET = 1023;
/** Longer texts are not read. */
const LONGEST_READ = 100_000;

/** The bridge waits at most four seconds for a program. After a late answer the bridge rests (ms). */
const SLOW_MS = 3000;
const REST_MS = 5000;
/** How often messages of virtual machines are taken (ms): a virtual machine that ends waits for that. */
const PUMP_MS = 200;
/** A virtual machine answers the first call within this time (ms). */
const GREETING_MS = 1500;

/** By the English name. Source: AccessibleRole of the JDK; docs.oracle.com/en/java/javase/21/docs/api/java.desktop/javax/accessibility/AccessibleRole.html */
const ROLES: Readonly<Record<string, number>> = {
  'push button': AccRole.PUSHBUTTON,
  'toggle button': AccRole.CHECKBUTTON,
  'check box': AccRole.CHECKBUTTON,
  'radio button': AccRole.RADIOBUTTON,
  'combo box': AccRole.COMBOBOX,
  'page tab list': AccRole.PAGETABLIST,
  'page tab': AccRole.PAGETAB,
  list: AccRole.LIST,
  'list item': AccRole.LISTITEM,
  tree: AccRole.OUTLINE,
  table: AccRole.TABLE,
  'column header': AccRole.COLUMNHEADER,
  'row header': AccRole.ROWHEADER,
  text: AccRole.TEXT,
  'password text': AccRole.TEXT,
  paragraph: AccRole.STATICTEXT,
  label: AccRole.STATICTEXT,
  hyperlink: AccRole.LINK,
  icon: AccRole.GRAPHIC,
  'menu bar': AccRole.MENUBAR,
  menu: AccRole.MENUITEM,
  'menu item': AccRole.MENUITEM,
  'popup menu': AccRole.MENUPOPUP,
  'tool bar': AccRole.TOOLBAR,
  'tool tip': AccRole.TOOLTIP,
  'status bar': AccRole.STATUSBAR,
  'progress bar': AccRole.PROGRESSBAR,
  slider: AccRole.SLIDER,
  spinbox: AccRole.SPINBUTTON,
  'scroll bar': AccRole.SCROLLBAR,
  separator: AccRole.SEPARATOR,
  dialog: AccRole.DIALOG,
  'internal frame': AccRole.WINDOW,
  'group box': AccRole.GROUPING,
};
/** Parts of these are shown by what paints them, which is mostly a label. */
const PARTS: ReadonlyMap<number, number> = new Map([
  [AccRole.LIST, AccRole.LISTITEM],
  [AccRole.OUTLINE, AccRole.OUTLINEITEM],
  [AccRole.OUTLINEITEM, AccRole.OUTLINEITEM],
  [AccRole.TABLE, AccRole.CELL],
  [AccRole.COMBOBOX, AccRole.LISTITEM],
]);
/** An action of these changes their own state. That of a button may open a dialog, and until that is closed the bridge is deaf. */
const SWITCHES: ReadonlySet<number> = new Set([AccRole.CHECKBUTTON, AccRole.RADIOBUTTON]);

const STATES: ReadonlyArray<readonly [string, number]> = [
  ['focused', AccState.FOCUSED],
  ['checked', AccState.CHECKED],
  ['selected', AccState.SELECTED],
  ['selectable', AccState.SELECTABLE],
  ['expanded', AccState.EXPANDED],
  ['collapsed', AccState.COLLAPSED],
];

type Functions = Library<typeof FUNCTIONS>;

/** The client’s half of the bridge in this thread. */
class AccessBridge {
  readonly call: Functions;
  readonly #message = Buffer.alloc(MSG.size);
  #silentUntil = 0;

  constructor(dll: string) {
    this.call = bindLibrary(dll, FUNCTIONS);
    this.call.Windows_run();
    setInterval(() => this.pump(), PUMP_MS).unref();
  }

  pump(): void {
    while (user32.PeekMessageW(this.#message, 0, 0, 0, PM_REMOVE)) user32.DispatchMessageW(this.#message);
  }

  get isSilent(): boolean {
    return performance.now() < this.#silentUntil;
  }

  /** Null where the program did not answer in time, or the bridge rests. */
  ask<T>(question: (call: Functions) => T): T | null {
    if (this.isSilent) return null;
    const since = performance.now();
    const answer = question(this.call);
    return this.#isLate(since) ? null : answer;
  }

  /** Its answer says nothing where it comes late: then the call may have taken effect, and may yet. */
  async act<T>(name: string, started: Promise<T>): Promise<T> {
    const since = performance.now();
    const answer = await started;
    if (this.#isLate(since)) throw new ComError(HRESULT.UIA_E_TIMEOUT, `AccessBridge.${name}`);
    return answer;
  }

  #isLate(since: number): boolean {
    const end = performance.now();
    if (end - since < SLOW_MS) return false;
    this.#silentUntil = end + REST_MS;
    return true;
  }
}

let bridge: AccessBridge | null = null;

/** Loads the bridge’s client once: `dll` is its full path, or its name in the system’s folder. Null where it cannot be loaded. */
function bridgeOf(dll: string): AccessBridge | null {
  try {
    return (bridge ??= new AccessBridge(dll));
  } catch {
    return null;
  }
}

/**
 * The content of a window of Java's toolkit, which the caller disposes of; null where its virtual machine has no bridge or
 * does not answer. Waits for a virtual machine that this process has not seen yet. Spins messages of this thread.
 */
export function javaWindow(hwnd: number, process: number, dlls: readonly string[]): JavaAccessible | null {
  const client = bridge ?? dlls.map(bridgeOf).find((each) => each !== null) ?? null;
  if (client === null) return null;
  // a later window may get the handle, and a later process the number; both at once it does not
  const window = `${hwnd}/${process}`;
  const end = performance.now() + (known.has(window) ? 0 : GREETING_MS);
  known.add(window);
  client.pump();
  while (!client.call.isJavaWindow(hwnd)) {
    if (performance.now() > end) return null;
    Atomics.wait(sleeper, 0, 0, 10);
    client.pump();
  }
  const [vm, context] = [new Int32Array(1), new BigInt64Array(1)];
  const isFound = client.ask((call) => call.getAccessibleContextFromHWND(hwnd, vm, context));
  return isFound === true && context[0] !== 0n ? new JavaAccessible(client, vm[0]!, context[0]!, 0) : null;
}
const known = new Set<string>();
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Coordinates in screen pixels. Nothing throws: a program that does not answer has no names, places and children. */
export class JavaAccessible implements Disposable {
  readonly #bridge: AccessBridge;
  readonly #vm: number;
  readonly #context: bigint;
  /** The role of what it is a part of. */
  readonly #above: number;
  /** The entry that its combo box shows. */
  #isChosen = false;
  /** Where a cell is: the bridge gives it as what paints it, which knows neither its table nor its place. */
  #cell: { readonly table: JavaAccessible; readonly index: number; isSelected?: boolean } | null = null;
  /** Its owner, and the cells of a table. */
  #users = 1;
  #info: Buffer | null = null;

  constructor(client: AccessBridge, vm: number, context: bigint, above: number) {
    this.#bridge = client;
    this.#vm = vm;
    this.#context = context;
    this.#above = above;
  }

  /** Whether its program answers. */
  get isAnswering(): boolean {
    return !this.#bridge.isSilent;
  }

  get_accRole(_child: number): number {
    const role = ROLES[this.#text(INFO.role)] ?? 0;
    const part = PARTS.get(this.#above);
    if (part !== undefined && (role === 0 || role === AccRole.STATICTEXT || role === AccRole.LISTITEM)) return part;
    return role === 0 ? AccRole.PANE : role;
  }

  get_accState(_child: number): number {
    const words = this.#text(INFO.states).split(',');
    const has = (word: string): boolean => words.includes(word);
    let state = 0;
    for (const [word, bit] of STATES) if (has(word)) state |= bit;
    if (!has('enabled')) state |= AccState.UNAVAILABLE;
    if (this.#above === AccRole.COMBOBOX) {
      // the list of a closed combo box knows nothing of the choice, and is not shown
      state &= ~AccState.SELECTED;
      if (this.#isChosen) state |= AccState.SELECTED;
      return (state | (has('showing') ? 0 : AccState.OFFSCREEN)) >>> 0;
    }
    // cells of tables have no place, and are selectable without saying so
    const isCell = this.get_accRole(0) === AccRole.CELL;
    if (isCell) state |= AccState.SELECTABLE | (this.#isCellSelected() ? AccState.SELECTED : 0);
    if (!has('visible') || (this.#number(INFO.rect) < 0 && !isCell)) state |= AccState.INVISIBLE;
    else if (!has('showing')) state |= AccState.OFFSCREEN;
    if (this.#text(INFO.role) === 'password text') state |= AccState.PROTECTED;
    if (this.get_accRole(0) === AccRole.TEXT && !has('editable')) state |= AccState.READONLY;
    return state >>> 0;
  }

  /** Its description, which is mostly its tool tip, where it has no name. */
  get_accName(_child: number): string {
    return this.#text(INFO.name) || this.#text(INFO.description);
  }

  get_accDefaultAction(_child: number): string {
    return SWITCHES.has(this.get_accRole(0)) && this.#number(HAS.action) !== 0 ? this.#action() : '';
  }

  /** Not asked for a protected field. */
  get_accValue(_child: number): string | null {
    if ((this.get_accState(0) & AccState.PROTECTED) !== 0) return null;
    const role = this.get_accRole(0);
    if (role === AccRole.TEXT) return this.#content();
    if (role === AccRole.COMBOBOX) {
      using chosen = this.#chosen();
      return chosen?.get_accName(0) ?? null;
    }
    if (SWITCHES.has(role) || (this.#number(HAS.interfaces) & VALUE_INTERFACE) === 0) return null;
    if (role !== AccRole.SLIDER && role !== AccRole.PROGRESSBAR && role !== AccRole.SPINBUTTON) return null;
    const value = Buffer.alloc(512);
    const isRead = this.#ask((call) => call.getCurrentAccessibleValueFromContext(this.#vm, this.#context, value, 256));
    return isRead === true ? text16(value) : null;
  }

  accLocation(_child: number): { left: number; top: number; width: number; height: number } {
    const [left = 0, top = 0, width = 0, height = 0] = [0, 4, 8, 12].map((at) => this.#number(INFO.rect + at));
    return width < 0 ? { left: 0, top: 0, width: 0, height: 0 } : { left, top, width, height };
  }

  /**
   * Its parts, at most `most`, which the caller disposes of. What only lays others out and has no name is left out. The content of
   * a page follows its tab, which does not contain it on the screen.
   */
  children(most: number): JavaAccessible[] {
    const role = this.get_accRole(0);
    if (role === AccRole.COMBOBOX) return this.#entries(most);
    return role === AccRole.PAGETAB ? [] : this.#below(most, role === AccRole.PANE ? this.#above : role);
  }

  /** The entries of a combo box: its list is in a menu, in a frame, and there while it is closed. */
  #entries(most: number): JavaAccessible[] {
    using list = this.#firstList(MOST_FRAMES);
    if (list === null) return [];
    const entries = list.#below(most, AccRole.COMBOBOX);
    using chosen = this.#chosen();
    const index = chosen === null ? -1 : chosen.#number(INFO.index);
    for (const entry of entries) entry.#isChosen = entry.#number(INFO.index) === index;
    return entries;
  }

  /** The caller disposes of it. */
  #firstList(levels: number): JavaAccessible | null {
    if (levels === 0) return null;
    const context = this.#ask((call) => call.getAccessibleChildFromContext(this.#vm, this.#context, 0)) ?? 0n;
    if (context === 0n) return null;
    const child = new JavaAccessible(this.#bridge, this.#vm, context, 0);
    if (child.get_accRole(0) === AccRole.LIST) return child;
    using frame = child;
    return frame.#firstList(levels - 1);
  }

  #below(most: number, above: number): JavaAccessible[] {
    const found: JavaAccessible[] = [];
    const count = this.#number(INFO.children);
    for (let at = 0; at < count && found.length < most && this.isAnswering; at += 1) {
      const context = this.#ask((call) => call.getAccessibleChildFromContext(this.#vm, this.#context, at)) ?? 0n;
      if (context === 0n) continue;
      const child = new JavaAccessible(this.#bridge, this.#vm, context, above);
      const role = child.get_accRole(0);
      if (role === AccRole.CELL) {
        child.#cell = { table: this, index: at };
        this.#users += 1;
      }
      if (role !== AccRole.PANE || child.#text(INFO.name) !== '') found.push(child);
      if (role === AccRole.PAGETAB) found.push(...child.#below(most - found.length, 0));
      else if (role === AccRole.PANE && child.#text(INFO.name) === '') {
        using layout = child;
        found.push(...layout.#below(most - found.length, above));
      }
    }
    return found;
  }

  // Acting: called by `src/win32/exits` alone.

  /** S_FALSE: nothing was done. Errors: UIA_E_TIMEOUT, after which it may have been done. */
  async accDoDefaultActionAsync(_child: number): Promise<number> {
    const name = this.#action();
    const wanted = Buffer.alloc(4 + 32 * ACTION_BYTES);
    wanted.writeInt32LE(1, 0);
    wanted.write(name, 4, 'utf16le');
    const { call } = this.#bridge;
    const started = call.doAccessibleActions.async(this.#vm, this.#context, wanted, new Int32Array(1));
    return (await this.#bridge.act('doAccessibleActions', started)) ? 0 : HRESULT.S_FALSE;
  }

  async accSelectAsync(what: number, _child: number): Promise<number> {
    const bridge = this.#bridge;
    const { call } = bridge;
    if (what === AccSelect.TAKEFOCUS)
      return (await bridge.act('requestFocus', call.requestFocus.async(this.#vm, this.#context))) ? 0 : HRESULT.S_FALSE;
    const parent = this.#container();
    if (parent === 0n) return HRESULT.S_FALSE;
    const index = this.#cell?.index ?? this.#number(INFO.index);
    try {
      // tabs and combo boxes always have one choice
      if (this.#above !== AccRole.PAGETABLIST && this.#above !== AccRole.COMBOBOX)
        await bridge.act('clearSelection', call.clearAccessibleSelectionFromContext.async(this.#vm, parent));
      await bridge.act('addSelection', call.addAccessibleSelectionFromContext.async(this.#vm, parent, index));
      const isSelected = bridge.ask(() => call.isAccessibleChildSelectedFromContext(this.#vm, parent, index));
      return isSelected === true ? 0 : HRESULT.S_FALSE;
    } finally {
      if (!bridge.isSilent && this.#cell === null) call.releaseJavaObject(this.#vm, parent);
    }
  }

  /** What its selection belongs to, which the caller releases where it is not a cell; 0 if there is none. */
  #container(): bigint {
    if (this.#cell !== null) return this.#cell.table.#context;
    const parentOf = (context: bigint): bigint =>
      this.#ask((call) => call.getAccessibleParentFromContext(this.#vm, context)) ?? 0n;
    let at = parentOf(this.#context);
    if (this.#above !== AccRole.COMBOBOX) return at;
    for (let level = 0; at !== 0n && level <= MOST_FRAMES; level += 1) {
      const each = new JavaAccessible(this.#bridge, this.#vm, at, 0);
      if (each.get_accRole(0) === AccRole.COMBOBOX) return at;
      at = parentOf(at);
      each[Symbol.dispose]();
    }
    return 0n;
  }

  /** S_FALSE also for more than 1,023 characters, which the bridge would cut. */
  async put_accValueAsync(_child: number, text: string): Promise<number> {
    if (text.length > LONGEST_SET) return HRESULT.S_FALSE;
    const started = this.#bridge.call.setTextContents.async(this.#vm, this.#context, text);
    return (await this.#bridge.act('setTextContents', started)) ? 0 : HRESULT.S_FALSE;
  }

  [Symbol.dispose](): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#cell?.table[Symbol.dispose]();
    if (this.isAnswering) this.#bridge.call.releaseJavaObject(this.#vm, this.#context);
  }

  #ask<T>(question: (call: Functions) => T): T | null {
    return this.#bridge.ask(question);
  }

  #facts(): Buffer {
    if (this.#info !== null) return this.#info;
    const info = Buffer.alloc(INFO.size);
    const isRead = this.#ask((call) => call.getAccessibleContextInfo(this.#vm, this.#context, info));
    return (this.#info = isRead === true ? info : Buffer.alloc(INFO.size));
  }

  #isCellSelected(): boolean {
    if (this.#cell === null) return false;
    const { table, index } = this.#cell;
    const ask = (call: Functions): boolean =>
      call.isAccessibleChildSelectedFromContext(this.#vm, table.#context, index);
    return (this.#cell.isSelected ??= this.#ask(ask) === true);
  }

  #text(at: number): string {
    return text16(this.#facts().subarray(at, at === INFO.name || at === INFO.description ? at + 2048 : at + 512));
  }

  #number(at: number): number {
    return this.#facts().readInt32LE(at);
  }

  #action(): string {
    const actions = Buffer.alloc(4 + MOST_ACTIONS * ACTION_BYTES);
    const isRead = this.#ask((call) => call.getAccessibleActions(this.#vm, this.#context, actions));
    return isRead === true && actions.readInt32LE(0) > 0 ? text16(actions.subarray(4, 4 + ACTION_BYTES)) : '';
  }

  /** The entry that a combo box shows. */
  #chosen(): JavaAccessible | null {
    const context = this.#ask((call) => call.getAccessibleSelectionFromContext(this.#vm, this.#context, 0)) ?? 0n;
    return context === 0n ? null : new JavaAccessible(this.#bridge, this.#vm, context, AccRole.COMBOBOX);
  }

  /** Its whole text; null where it cannot be read. */
  #content(): string | null {
    const info = new Int32Array(3);
    if (this.#number(HAS.text) === 0) return null;
    if (this.#ask((call) => call.getAccessibleTextInfo(this.#vm, this.#context, info, 0, 0)) !== true) return null;
    const [count = 0] = info;
    if (count > LONGEST_READ) return null;
    let text = '';
    for (let at = 0; at < count; at += PIECE) {
      const last = Math.min(count, at + PIECE) - 1;
      const piece = Buffer.alloc((PIECE + 1) * 2);
      const isRead = this.#ask((call) =>
        call.getAccessibleTextRange(this.#vm, this.#context, at, last, piece, PIECE + 1),
      );
      if (isRead !== true) return null;
      text += text16(piece);
    }
    return text;
  }
}
