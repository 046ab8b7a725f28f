/** Requirements of the executor, one for each method of the given interface. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#executor, and each method of the given interface. */
export const executor: readonly Requirement[] = [
  {
    id: 'executor.types',
    text: 'The executor face has exactly the types of the full signatures: every parameter, option and union of the seed’s text.',
    source: 'behaviour#executor',
  },
  { id: 'executor.methods', text: 'The executor has all 42 methods.', source: 'behaviour#executor' },
  {
    id: 'executor.failures-boolean',
    text: 'Where an executor method that answers a boolean fails, it answers false.',
    source: 'behaviour#executor',
  },
  {
    id: 'executor.failures-null',
    text: 'Where an executor method whose answer may be null fails, it answers null.',
    source: 'behaviour#executor',
  },
  {
    id: 'executor.failures',
    text: 'Where any other executor method fails, it rejects with a typed error.',
    source: 'behaviour#executor',
  },
  {
    id: 'executor.extras',
    text: 'The exported executor has every action beyond the 42 methods in extras, which take the action’s input strictly and give its whole result.',
    source: 'behaviour#executor',
  },
  {
    id: 'executor.lenient',
    text: 'The executor face leaves out empty strings, null, unknown fields and what does not belong to the kind of call.',
    source: 'behaviour#executor',
  },
  {
    id: 'executor.lenient-refused',
    text: 'What an executor call needs and does not get stays refused.',
    source: 'behaviour#executor',
  },
  {
    id: 'executor.wheel-delta',
    text: 'Wheel amounts of 100 and more on the executor face are in WHEEL_DELTA, at least one notch.',
    source: 'behaviour#executor',
  },
  { id: 'executor.strict', text: 'The action face refuses the same input.', source: 'api#http' },
  {
    id: 'executor.cause',
    text: 'After false, null or a rejection, lastResult has the problem.',
    source: 'behaviour#executor',
  },
  {
    id: 'executor.cause-value',
    text: 'After a value, lastResult has its outcome and decision.',
    source: 'behaviour#executor',
  },
  {
    id: 'executor.cause.each',
    text: 'resultOf has the result of each of several concurrent calls.',
    source: 'behaviour#executor',
  },
  {
    id: 'executor.cause.event',
    text: 'onResult is called for every call before its promise settles.',
    source: 'behaviour#executor',
  },
  {
    id: 'executor.cause.listener',
    text: 'An exception in onResult does not affect the call.',
    source: 'behaviour#executor',
  },
  {
    id: 'executor.icons',
    text: 'listInstalledApps of the executor face carries iconDataUrl where a program has an icon.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'prepare.unbound',
    text: 'prepareForAction without a binding verifies the desktop.',
    source: 'behaviour#pictures',
  },
  { id: 'prepare.empty', text: 'prepareForAction answers an empty list.', source: 'behaviour#pictures' },
  {
    id: 'prepare.bound',
    text: 'prepareForAction with a binding verifies the bound window.',
    source: 'behaviour#pictures',
  },
  {
    id: 'prepare.allowed',
    text: 'prepareForAction with a binding checks that its application is within the allowed ones.',
    source: 'behaviour#pictures',
  },
  {
    id: 'executor.gate',
    text: 'The exported executor goes through the gate like every other face.',
    source: 'behaviour#executor',
  },
  {
    id: 'action.outcome',
    text: 'The action face returns the value and the outcome, or a typed error.',
    source: 'behaviour#executor',
  },
  {
    id: 'action.not-bound',
    text: '“No window is bound” never stands in for another cause.',
    source: 'behaviour#executor',
  },
  {
    id: 'app.packaged',
    text: 'A packaged application is the process behind its CoreWindow, not ApplicationFrameHost.',
    source: 'behaviour#identities',
  },
  {
    id: 'identity.name',
    text: 'displayName is the FileDescription, else the file name; of a copy of a runtime it is the file name.',
    source: 'behaviour#identities',
  },
  { id: 'app.host-bundle-id', text: 'hostBundleId is the host’s own identity.', source: 'behaviour#identities' },

  {
    id: 'method.capabilities',
    text: 'capabilities: {screenshotFiltering, platform: win32, hostBundleId}.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.prepareForAction',
    text: 'prepareForAction(allowlist, displayId?) → string[].',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.previewHideSet',
    text: 'previewHideSet(allowlist, displayId?) → [{bundleId, displayName}].',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.getDisplaySize',
    text: 'getDisplaySize(displayId?) → DisplayGeometry.',
    source: 'seeds/computer-executor.txt',
  },
  { id: 'method.listDisplays', text: 'listDisplays() → DisplayGeometry[].', source: 'seeds/computer-executor.txt' },
  {
    id: 'method.findWindowDisplays',
    text: 'findWindowDisplays(bundleIds) → [{bundleId, displayIds}].',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.resolvePrepareCapture',
    text: 'resolvePrepareCapture({allowedBundleIds, preferredDisplayId?, autoResolve, doHide?}) → ResolvePrepareCaptureResult.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.screenshot',
    text: 'screenshot({allowedBundleIds, displayId?}) → ScreenshotResult.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.zoom',
    text: 'zoom(regionLogical, allowedBundleIds, displayId?) → {base64, width, height}.',
    source: 'seeds/computer-executor.txt',
  },
  { id: 'method.key', text: 'key(keySequence, repeat?).', source: 'seeds/computer-executor.txt' },
  { id: 'method.holdKey', text: 'holdKey(keyNames, durationMs).', source: 'seeds/computer-executor.txt' },
  { id: 'method.type', text: 'type(text, {viaClipboard}).', source: 'seeds/computer-executor.txt' },
  { id: 'method.readClipboard', text: 'readClipboard() → string.', source: 'seeds/computer-executor.txt' },
  { id: 'method.writeClipboard', text: 'writeClipboard(text).', source: 'seeds/computer-executor.txt' },
  { id: 'method.moveMouse', text: 'moveMouse(x, y).', source: 'seeds/computer-executor.txt' },
  { id: 'method.click', text: 'click(x, y, button, count, modifiers?).', source: 'seeds/computer-executor.txt' },
  { id: 'method.mouseDown', text: 'mouseDown().', source: 'seeds/computer-executor.txt' },
  { id: 'method.mouseUp', text: 'mouseUp().', source: 'seeds/computer-executor.txt' },
  { id: 'method.getCursorPosition', text: 'getCursorPosition() → {x, y}.', source: 'seeds/computer-executor.txt' },
  { id: 'method.drag', text: 'drag(from?, to).', source: 'seeds/computer-executor.txt' },
  { id: 'method.scroll', text: 'scroll(x, y, dx, dy).', source: 'seeds/computer-executor.txt' },
  {
    id: 'method.getFrontmostApp',
    text: 'getFrontmostApp() → FrontmostApp or null.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.appUnderPoint',
    text: 'appUnderPoint(x, y) → {bundleId, displayName} or null.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.listInstalledApps',
    text: 'listInstalledApps() → InstalledApp[].',
    source: 'seeds/computer-executor.txt',
  },
  { id: 'method.getAppIcon', text: 'getAppIcon(path) → data URL or undefined.', source: 'seeds/computer-executor.txt' },
  { id: 'method.listRunningApps', text: 'listRunningApps() → RunningApp[].', source: 'seeds/computer-executor.txt' },
  { id: 'method.openApp', text: 'openApp(bundleId).', source: 'seeds/computer-executor.txt' },
  {
    id: 'method.manageWindow',
    text: 'manageWindow(action, {x?, y?, width?, height?}) → boolean.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.getWindowRect',
    text: 'getWindowRect() → rectangle of the bound window or null.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.openTerminal',
    text: 'openTerminal({agent, command?, terminal?, workingDirectory?}) → {hwnd, title, launched} or null.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.bindToWindow',
    text: 'bindToWindow({hwnd?, title?, pid?}) → {hwnd, title, pid} or null.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.unbindFromWindow',
    text: 'unbindFromWindow() releases the binding.',
    source: 'seeds/computer-executor.txt',
  },
  { id: 'method.hasBoundWindow', text: 'hasBoundWindow() → boolean, cheap.', source: 'seeds/computer-executor.txt' },
  {
    id: 'method.getBindingStatus',
    text: 'getBindingStatus() → {bound, hwnd?, title?, pid?, rect?}.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.listVisibleWindows',
    text: 'listVisibleWindows() → [{hwnd, pid, title}].',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.statusIndicator',
    text: 'statusIndicator(show | hide | status, message?) → {active, message?}.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.virtualKeyboard',
    text: 'virtualKeyboard({action, text, duration?, repeat?}) sends keys to the bound window only.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.virtualMouse',
    text: 'virtualMouse({action, x, y, startX?, startY?}) acts on the bound window only.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.mouseWheel',
    text: 'mouseWheel(x, y, delta, horizontal?) at client coordinates.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.activateWindow',
    text: 'activateWindow(clickX?, clickY?) brings the bound window to the foreground.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.respondToPrompt',
    text: 'respondToPrompt({responseType, arrowDirection?, arrowCount?, text?}) → boolean.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.clickElement',
    text: 'clickElement({name?, role?, automationId?}) → boolean.',
    source: 'seeds/computer-executor.txt',
  },
  {
    id: 'method.typeIntoElement',
    text: 'typeIntoElement({name?, role?, automationId?}, text) → boolean.',
    source: 'seeds/computer-executor.txt',
  },
];
