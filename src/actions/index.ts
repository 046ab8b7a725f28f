/** The list of all actions. Every interface (routes, tools, commands, executor methods) is derived from it. */
import type { ExecutorMethod } from '../contract/executor.ts';
import * as app from './app.ts';
import * as book from './book.ts';
import * as binding from './binding.ts';
import * as capture from './capture.ts';
import * as clipboard from './clipboard.ts';
import type { ActionDefinition, MethodDefinition } from './definition.ts';
import * as element from './element.ts';
import * as elementPointer from './element-pointer.ts';
import * as hosting from './hosting.ts';
import * as window from './window.ts';
import * as keyboard from './keyboard.ts';
import * as pointer from './pointer.ts';
import * as sheet from './sheet.ts';
import * as table from './table.ts';
import * as terminal from './terminal.ts';

/** One definition per method: the compiler refuses a missing or misnamed one. */
export const METHODS: { readonly [M in ExecutorMethod]: MethodDefinition<M> } = {
  prepareForAction: capture.prepareForAction,
  previewHideSet: capture.previewHideSet,
  resolvePrepareCapture: capture.resolvePrepareCapture,
  screenshot: capture.screenshot,
  zoom: capture.zoom,
  getDisplaySize: capture.getDisplaySize,
  listDisplays: capture.listDisplays,
  findWindowDisplays: capture.findWindowDisplays,
  key: keyboard.key,
  holdKey: keyboard.holdKey,
  type: keyboard.type,
  virtualKeyboard: keyboard.virtualKeyboard,
  moveMouse: pointer.moveMouse,
  click: pointer.click,
  mouseDown: pointer.mouseDown,
  mouseUp: pointer.mouseUp,
  getCursorPosition: pointer.getCursorPosition,
  drag: pointer.drag,
  scroll: pointer.scroll,
  virtualMouse: pointer.virtualMouse,
  mouseWheel: pointer.mouseWheel,
  readClipboard: clipboard.readClipboard,
  writeClipboard: clipboard.writeClipboard,
  getFrontmostApp: app.getFrontmostApp,
  appUnderPoint: app.appUnderPoint,
  listInstalledApps: app.listInstalledApps,
  getAppIcon: app.getAppIcon,
  listRunningApps: app.listRunningApps,
  openApp: app.openApp,
  manageWindow: window.manageWindow,
  getWindowRect: window.getWindowRect,
  listVisibleWindows: window.listVisibleWindows,
  activateWindow: window.activateWindow,
  bindToWindow: binding.bindToWindow,
  unbindFromWindow: binding.unbindFromWindow,
  hasBoundWindow: binding.hasBoundWindow,
  getBindingStatus: binding.getBindingStatus,
  clickElement: element.clickElement,
  typeIntoElement: element.typeIntoElement,
  openTerminal: terminal.openTerminal,
  respondToPrompt: terminal.respondToPrompt,
  statusIndicator: window.statusIndicator,
};

/** Every action, in the order in which lists show them. */
export const ACTIONS: readonly ActionDefinition[] = [
  ...Object.values(METHODS),
  ...element.beyond,
  ...elementPointer.beyond,
  ...table.beyond,
  ...terminal.beyond,
  ...sheet.beyond,
  ...book.beyond,
  ...hosting.beyond,
];

export type * from './definition.ts';
export { CAPS } from './definition.ts';
export { toScreenPoint } from './points.ts';
