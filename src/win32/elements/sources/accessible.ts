/**
 * Microsoft Active Accessibility: programs that serve their own IAccessible. Standard controls are read by their
 * messages instead, which say more. Source: learn.microsoft.com/windows/win32/winauto/microsoft-active-accessibility
 */
import { win32 } from 'node:path';
import { type ControlType, type ElementState, VALUE_FIELDS } from '../../../contract/element/control-types.ts';
import { withoutAccelerator } from '../../../contract/element/element-words.ts';
import { ComRef } from '../../../../native-bindings/com/com-ref.ts';
import { VARIANT_SIZE, type VariantValue, takeVariant } from '../../../../native-bindings/com/variant.ts';
import { IAccessible } from '../../../../native-bindings/uia/accessible.generated.ts';
import { AccRole, AccState } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { CHILDID_SELF, OBJID_CLIENT, WM_GETOBJECT } from '../../../../native-bindings/win32/constants.ts';
import { oleacc } from '../../../../native-bindings/win32/oleacc.ts';
import type { Rect } from '../../../contract/element/geometry.ts';
import type { WindowEntry } from '../../drivers/driver.ts';
import type { Asker } from '../../windows/ask.ts';
import { type JavaAccessible, javaWindow } from '../../../../native-bindings/java/access-bridge.ts';
import { type Capability, type TreeNode, makeNode } from '../tree/tree.ts';
import { executableOf, isOurEqual, withProcess } from '../../system/process.ts';
import { isProtectedProgram } from '../../system/trust.ts';
import { isJavaClass } from '../../windows/classes.ts';
import { classNameOf, windowProcess } from '../../windows/window-info.ts';
import { comAnswer } from './boundary.ts';

const DLL = 'windowsaccessbridge-64.dll';

/**
 * The content of a window by the Access Bridge, which the caller disposes of; null for other windows and without a bridge.
 * Reading runs nothing of the program’s: the client is the system's, or that of an installed runtime (java.exe is in its
 * `bin`, a packaged program next to its `runtime`), which administrators alone can write. Any client talks to every
 * virtual machine of this user and of no lower integrity.
 */
function javaContent(hwnd: number): JavaAccessible | null {
  if (!isJavaClass(classNameOf(hwnd))) return null;
  const pid = windowProcess(hwnd);
  const program = withProcess(pid, (handle) => (isOurEqual(handle) ? executableOf(handle) : null));
  if (program === null) return null;
  const folder = win32.dirname(program);
  const installed = [`${folder}\\${DLL}`, `${folder}\\runtime\\bin\\${DLL}`].filter(isProtectedProgram);
  return javaWindow(hwnd, pid, [DLL, ...installed]);
}

const MAX_CHILDREN = 500;
const MOST_LEVELS = 12;

/** An object of MSAA, or one of Java's Access Bridge, which has the same methods. */
export type AccessibleObject = IAccessible | JavaAccessible;

/** Source: learn.microsoft.com/windows/win32/winauto/object-roles, mapped as by UI Automation's own proxy */
const TYPES: Readonly<Record<number, ControlType>> = {
  [AccRole.TITLEBAR]: 'TitleBar',
  [AccRole.MENUBAR]: 'MenuBar',
  [AccRole.SCROLLBAR]: 'ScrollBar',
  [AccRole.WINDOW]: 'Window',
  [AccRole.CLIENT]: 'Pane',
  [AccRole.MENUPOPUP]: 'Menu',
  [AccRole.MENUITEM]: 'MenuItem',
  [AccRole.TOOLTIP]: 'ToolTip',
  [AccRole.DOCUMENT]: 'Document',
  [AccRole.PANE]: 'Pane',
  [AccRole.DIALOG]: 'Window',
  [AccRole.GROUPING]: 'Group',
  [AccRole.SEPARATOR]: 'Separator',
  [AccRole.TOOLBAR]: 'ToolBar',
  [AccRole.STATUSBAR]: 'StatusBar',
  [AccRole.TABLE]: 'Table',
  [AccRole.COLUMNHEADER]: 'HeaderItem',
  [AccRole.ROWHEADER]: 'HeaderItem',
  [AccRole.ROW]: 'DataItem',
  [AccRole.CELL]: 'DataItem',
  [AccRole.LINK]: 'Hyperlink',
  [AccRole.LIST]: 'List',
  [AccRole.LISTITEM]: 'ListItem',
  [AccRole.OUTLINE]: 'Tree',
  [AccRole.OUTLINEITEM]: 'TreeItem',
  [AccRole.PAGETAB]: 'TabItem',
  [AccRole.PROPERTYPAGE]: 'Pane',
  [AccRole.GRAPHIC]: 'Image',
  [AccRole.STATICTEXT]: 'Text',
  [AccRole.TEXT]: 'Edit',
  [AccRole.PUSHBUTTON]: 'Button',
  [AccRole.CHECKBUTTON]: 'CheckBox',
  [AccRole.RADIOBUTTON]: 'RadioButton',
  [AccRole.COMBOBOX]: 'ComboBox',
  [AccRole.DROPLIST]: 'ComboBox',
  [AccRole.PROGRESSBAR]: 'ProgressBar',
  [AccRole.SLIDER]: 'Slider',
  [AccRole.SPINBUTTON]: 'Spinner',
  [AccRole.BUTTONDROPDOWN]: 'SplitButton',
  [AccRole.BUTTONMENU]: 'Button',
  [AccRole.PAGETABLIST]: 'Tab',
  [AccRole.SPLITBUTTON]: 'SplitButton',
  [AccRole.IPADDRESS]: 'Edit',
  [AccRole.HOTKEYFIELD]: 'Edit',
};

/** One element: an object, or a simple child of one. */
export interface AccessibleElement {
  readonly object: AccessibleObject;
  readonly child: number;
}

const pointerOut = new BigUint64Array(1);
const countOut = new Int32Array(1);

/** The object that serves a window's client area, which the caller disposes of; null if there is none. */
export function accessibleOf(hwnd: number): AccessibleObject | null {
  const java = javaContent(hwnd);
  if (java !== null) return java;
  pointerOut[0] = 0n;
  return oleacc.AccessibleObjectFromWindow(hwnd, OBJID_CLIENT >>> 0, IAccessible.iid, pointerOut) < 0 ||
    pointerOut[0] === 0n
    ? null
    : new IAccessible(pointerOut[0]!);
}

/** By handle and thread. An object that is not fetched stays in its program, so a window is asked once. */
const served = new Map<string, number>();
const MOST_SERVED = 1000;

/**
 * Whether its program answers for a window with an IAccessible of its own. “MSAA Proxy”, as UI Automation describes it,
 * says nothing: it shows the system's objects too, and so does an annotation.
 * Source: learn.microsoft.com/windows/win32/winauto/wm-getobject
 */
export function servesItself({ info: { hwnd }, thread }: Pick<WindowEntry, 'info' | 'thread'>, asker: Asker): boolean {
  const key = `${hwnd} ${thread}`;
  if (served.size >= MOST_SERVED) served.clear();
  const answer = served.get(key) ?? asker.ask(hwnd, WM_GETOBJECT, 0, OBJID_CLIENT >>> 0);
  if (answer !== null) served.set(key, answer);
  return answer !== null && answer > 0;
}

function plainNumber(value: VariantValue | null): number | null {
  if (value instanceof ComRef) value[Symbol.dispose]();
  return typeof value === 'number' ? value : null;
}

export const roleOf = ({ object, child }: AccessibleElement): number =>
  plainNumber(comAnswer(() => object.get_accRole(child))) ?? 0;
export const stateOf = ({ object, child }: AccessibleElement): number =>
  plainNumber(comAnswer(() => object.get_accState(child))) ?? 0;
export const nameOf = ({ object, child }: AccessibleElement): string =>
  comAnswer(() => object.get_accName(child)) ?? '';
export const defaultActionOf = ({ object, child }: AccessibleElement): string =>
  comAnswer(() => object.get_accDefaultAction(child)) ?? '';

/** Not for a protected field: the caller checks its state first. */
export function valueOf(element: AccessibleElement): string | null {
  return (stateOf(element) & AccState.PROTECTED) === 0
    ? comAnswer(() => element.object.get_accValue(element.child))
    : null;
}

function rectOf({ object, child }: AccessibleElement): Rect {
  const place = comAnswer(() => object.accLocation(child));
  return place === null
    ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: place.left, y: place.top, width: Math.max(0, place.width), height: Math.max(0, place.height) };
}

interface Child {
  readonly element: AccessibleElement;
  readonly owned: AccessibleObject | null;
}

/** The children: each an object (which the caller disposes of) or a simple child of this one. */
function childrenOf(object: AccessibleObject): Child[] {
  if (!(object instanceof IAccessible))
    return object.children(MAX_CHILDREN).map((owned) => ({ element: { object: owned, child: CHILDID_SELF }, owned }));
  const count = Math.min(comAnswer(() => object.get_accChildCount()) ?? 0, MAX_CHILDREN);
  if (count <= 0) return [];
  const memory = Buffer.alloc(count * VARIANT_SIZE);
  countOut[0] = 0;
  if (oleacc.AccessibleChildren(object.pointer, 0, count, memory, countOut) < 0) return [];
  const children: Child[] = [];
  for (let index = 0; index < Math.min(count, countOut[0]!); index++) {
    const value = takeVariant(memory, index * VARIANT_SIZE);
    if (typeof value === 'number') {
      // A simple child may nevertheless have its own object.
      const own = childObject(object, value);
      children.push(
        own === null
          ? { element: { object, child: value }, owned: null }
          : { element: { object: own, child: CHILDID_SELF }, owned: own },
      );
    } else if (value instanceof ComRef) {
      using unknown = value;
      const own = comAnswer(() => unknown.query(IAccessible));
      if (own !== null) children.push({ element: { object: own, child: CHILDID_SELF }, owned: own });
    }
  }
  return children;
}

function childObject(object: IAccessible, child: number): IAccessible | null {
  using dispatch = comAnswer(() => object.get_accChild(child));
  return dispatch === null ? null : comAnswer(() => dispatch.query(IAccessible));
}

const STATES: ReadonlyArray<readonly [number, ElementState]> = [
  [AccState.FOCUSED, 'focused'],
  [AccState.UNAVAILABLE, 'disabled'],
  [AccState.CHECKED, 'checked'],
  [AccState.MIXED, 'mixed'],
  [AccState.SELECTED, 'selected'],
  [AccState.EXPANDED, 'expanded'],
  [AccState.COLLAPSED, 'collapsed'],
  [AccState.READONLY, 'readonly'],
  [AccState.PROTECTED, 'password'],
  [AccState.OFFSCREEN, 'offscreen'],
];

/** The states as words, for an outcome. */
export function stateWords(state: number): string {
  return STATES.flatMap(([bit, word]) => ((state & bit) === 0 ? [] : [word])).join(' ');
}

function nodeOf(element: AccessibleElement, hwnd: number, path: readonly number[]): TreeNode | null {
  const role = roleOf(element);
  const state = stateOf(element);
  if ((state & AccState.INVISIBLE) !== 0) return null;
  const name = withoutAccelerator(nameOf(element));
  const controlType = TYPES[role] ?? 'Custom';
  const node = makeNode({
    // Children have no lasting ids: position, role and name together distinguish one from a later element in its place.
    identity: `hwnd:${hwnd}/acc:${path.join('.')}:${role}:${name}`,
    locator: { kind: 'msaa', hwnd, path },
    controlType,
    name,
    rect: rectOf(element),
    source: 'msaa',
    hwnd,
  });
  for (const [bit, word] of STATES)
    if ((state & bit) !== 0 && (word !== 'readonly' || VALUE_FIELDS.has(controlType))) node.states.add(word);
  if ((state & AccState.DEFAULT) !== 0) node.isDefaultButton = true;
  if ((state & AccState.PROTECTED) === 0) node.value = comAnswer(() => element.object.get_accValue(element.child));
  const capabilities = new Set<Capability>();
  if (node.value !== null && VALUE_FIELDS.has(controlType)) capabilities.add('value');
  if (defaultActionOf(element) !== '') capabilities.add('default-action');
  if ((state & AccState.SELECTABLE) !== 0) capabilities.add('selection-item');
  node.capabilities = capabilities;
  return node;
}

function readChildren(object: AccessibleObject, hwnd: number, path: readonly number[], asker: Asker): TreeNode[] {
  const nodes: TreeNode[] = [];
  using stack = new DisposableStack();
  const children = childrenOf(object);
  for (const { owned } of children) if (owned !== null) stack.use(owned);
  for (const [index, { element, owned }] of children.entries()) {
    if (asker.isOver) {
      asker.cut();
      break;
    }
    const here = [...path, index];
    const node = nodeOf(element, hwnd, here);
    if (node === null) continue;
    if (owned !== null && here.length < MOST_LEVELS) node.children = readChildren(owned, hwnd, here, asker);
    if (node.children.length >= MAX_CHILDREN) node.isCut = true;
    nodes.push(node);
  }
  if (!(object instanceof IAccessible) && !object.isAnswering) asker.cut();
  return nodes;
}

/** The content of a window's own IAccessible; empty if it has none. The caller has checked that the thread answers. */
export function readAccessible(hwnd: number, asker: Asker): TreeNode[] {
  using object = accessibleOf(hwnd);
  return object === null ? [] : readChildren(object, hwnd, [], asker);
}

/** An element with every object on the way to it; disposable. */
export interface HeldAccessible extends Disposable {
  readonly element: AccessibleElement;
}

/**
 * The element at a path of child indices; null if it is gone. The caller compares its role and name with the expected
 * ones.
 */
export function accessibleAt(hwnd: number, path: readonly number[]): HeldAccessible | null {
  const start = accessibleOf(hwnd);
  if (start === null) return null;
  let held: Disposable = start;
  let element: AccessibleElement = { object: start, child: CHILDID_SELF };
  try {
    for (const index of path) {
      const children = element.child === CHILDID_SELF ? childrenOf(element.object) : [];
      const next = children[index];
      // Released here and not with the result: a program that hangs in the call that follows answers no release either.
      for (const each of children) if (each !== next) each.owned?.[Symbol.dispose]();
      if (next === undefined) {
        held[Symbol.dispose]();
        return null;
      }
      if (next.owned !== null) {
        held[Symbol.dispose]();
        held = next.owned;
      }
      element = next.element;
    }
  } catch (error) {
    held[Symbol.dispose]();
    throw error;
  }
  return {
    element,
    [Symbol.dispose]: () => {
      held[Symbol.dispose]();
    },
  };
}
