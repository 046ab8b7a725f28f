/** What the Windows layer of windows, bindings, pictures, applications and session facts has to do. Tests cite the ids. */
export const requirements = [
  {
    id: 'trust.descriptors',
    text: 'Who may change or read a file is told by its owner and its access list; what cannot be told counts as everybody.',
    source: 'behaviour#trust-in-files',
  },
  {
    id: 'trust.folder',
    text: 'A host never starts in a folder that somebody else owns or can write, and no client takes a folder of the machine for its own.',
    source: 'behaviour#trust-in-files',
  },
  {
    id: 'trust.secrets',
    text: 'A secret that lies there already is believed only where its user alone can read and change it.',
    source: 'behaviour#trust-in-files',
  },
  {
    id: 'trust.machine-policy',
    text: 'The machine’s policy counts only where administrators alone can change it; else the doctor says so.',
    source: 'behaviour#trust-in-files',
  },
  {
    id: 'trust.environment',
    text: 'An installed host takes tokens, level and grants from no environment; where the machine’s policy lies is asked of Windows.',
    source: 'behaviour#trust-in-files',
  },
  {
    id: 'trust.files',
    text: 'A folder or secret that another user owns, can write or (a secret) can read is not believed.',
    source: 'behaviour#trust-in-files',
  },
  {
    id: 'binding.criteria',
    text: 'All given criteria (hwnd, title, pid) must match; at least one is needed.',
    source: 'behaviour#binding',
  },
  {
    id: 'binding.title-rank',
    text: 'title: exact, else exact ignoring case, else substring.',
    source: 'behaviour#binding',
  },
  {
    id: 'binding.ambiguous',
    text: 'More than one window in the best rank is target_ambiguous with candidates.',
    source: 'behaviour#binding',
  },
  {
    id: 'binding.hwnd-wire',
    text: 'An hwnd is a decimal string; 0x… is accepted too.',
    source: 'behaviour#identities',
  },
  {
    id: 'binding.record',
    text: 'The record is hwnd, pid, process creation time, thread, class, executable, integrity.',
    source: 'behaviour#binding',
  },
  {
    id: 'binding.dead',
    text: 'A dead window is window_gone, and hasBoundWindow is false.',
    source: 'behaviour#binding',
  },
  { id: 'binding.reused', text: 'A handle reused by another process is window_gone.', source: 'behaviour#binding' },
  {
    id: 'binding.hung',
    text: 'A hung window is window_hung within the deadline while other calls go on answering.',
    source: 'behaviour#binding',
  },
  { id: 'binding.elevated', text: 'Higher integrity than ours is target_elevated.', source: 'behaviour#binding' },
  {
    id: 'binding.quiet',
    text: 'Binding never restores, raises or focuses, and never moves the cursor.',
    source: 'behaviour#binding',
  },
  {
    id: 'binding.starter',
    text: 'Windows of the terminal that the host was started from, and of the programs above that, cannot be bound.',
    source: 'behaviour#binding',
  },
  {
    id: 'binding.own',
    text: 'The host’s own windows are not listed and cannot be bound.',
    source: 'behaviour#binding',
  },
  {
    id: 'binding.release',
    text: 'Unbinding puts a window that move_offscreen moved back.',
    source: 'behaviour#binding',
  },
  {
    id: 'binding.describe',
    text: 'getBindingStatus tells the present title and rectangle.',
    source: 'behaviour#binding',
  },
  {
    id: 'services.release',
    text: 'Ending a binding runs every clean-up, also when one fails, and forgets the owner’s state.',
    source: 'behaviour#binding',
  },
  {
    id: 'window.list',
    text: 'listVisibleWindows lists all visible windows, topmost first, tool windows marked, cloaked and own ones left out.',
    source: 'behaviour#binding',
  },
  {
    id: 'window.elevated',
    text: 'The list calls a window elevated by the rule that gives an action on it the risk tag elevated: high or system integrity, or above the host’s.',
    source: 'behaviour#windows',
  },
  { id: 'window.list-hung', text: 'Listing windows never waits for one of them.', source: 'behaviour#binding' },
  {
    id: 'window.rect',
    text: 'getWindowRect is the outer rectangle in screen pixels; null once the window is gone.',
    source: 'behaviour#binding',
  },
  {
    id: 'window.client',
    text: 'Client and screen points correspond; a point outside the client area is invalid_argument and nothing is sent.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'manage.state',
    text: 'minimize, maximize and restore are verified from outside before true.',
    source: 'behaviour#windows',
  },
  {
    id: 'manage.move',
    text: 'move_resize needs x and y; sizes are clamped and the rectangle obtained is reported.',
    source: 'behaviour#windows',
  },
  { id: 'manage.close', text: 'close posts WM_CLOSE and waits until the window is gone.', source: 'behaviour#windows' },
  {
    id: 'manage.still-open',
    text: 'A “save changes?” dialog is still_open with its hwnd, binding kept.',
    source: 'behaviour#windows',
  },
  {
    id: 'manage.offscreen',
    text: 'move_offscreen puts the whole window beside the desktop.',
    source: 'behaviour#windows',
  },
  {
    id: 'activate.foreground',
    text: 'activateWindow is true when the foreground was obtained.',
    source: 'behaviour#windows',
  },
  {
    id: 'activate.click',
    text: 'activateWindow clicks only when both coordinates are given.',
    source: 'behaviour#windows',
  },
  {
    id: 'outcome.witness',
    text: 'Every outcome says truly whether the foreground changed and the cursor moved.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'display.geometry',
    text: 'Displays are physical pixels, scaleFactor = DPI / 96, real origins, label, isPrimary on exactly one.',
    source: 'behaviour#displays',
  },
  {
    id: 'display.stable-id',
    text: 'A display keeps its id when others come, go or change places.',
    source: 'behaviour#displays',
  },
  {
    id: 'display.windows',
    text: 'findWindowDisplays covers every top-level window of the application.',
    source: 'behaviour#displays',
  },
  { id: 'display.dpi-aware', text: 'The process is per-monitor-DPI-aware.', source: 'behaviour#coordinates' },
  {
    id: 'capture.window',
    text: 'A bound window is captured alone, without changing its state, and the way is said.',
    source: 'behaviour#pictures',
  },
  { id: 'capture.covered', text: 'A covered window is captured whole.', source: 'behaviour#pictures' },
  {
    id: 'capture.crop',
    text: 'A crop of the screen is only used if no other window lies above it.',
    source: 'behaviour#pictures',
  },
  {
    id: 'capture.blank',
    text: 'capture_blank only with a cause: minimised, protected, every way uniform while there is content.',
    source: 'behaviour#pictures',
  },
  { id: 'capture.budget', text: 'Images are scaled to the budget before they leave.', source: 'behaviour#coordinates' },
  { id: 'capture.formats', text: 'PNG by default, JPEG and WebP on request.', source: 'behaviour#pictures' },
  { id: 'capture.own', text: 'The host’s own windows are never in a picture.', source: 'behaviour#pictures' },
  {
    id: 'capture.deny',
    text: 'Windows of deny-listed applications are painted over in a display picture.',
    source: 'behaviour#pictures',
  },
  { id: 'capture.password', text: 'Password fields are painted over.', source: 'behaviour#pictures' },
  {
    id: 'capture.password.unanswered',
    text: 'A window whose program could say where its password fields are and does not is not pictured (capture_failed), and is painted over in a display picture; where not everything was looked through, the outcome says masksMayBeIncomplete.',
    source: 'behaviour#pictures',
  },
  { id: 'capture.zoom', text: 'zoom crops a fresh capture at native resolution.', source: 'behaviour#pictures' },
  {
    id: 'capture.display-id',
    text: 'No displayId is the primary display, an unknown one invalid_argument.',
    source: 'behaviour#pictures',
  },
  {
    id: 'geometry.budget',
    text: '28 px tiles, at most 1568 tiles and 1568 px on the long edge, aspect kept.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'geometry.points',
    text: 'Image and screen points convert both ways with recorded geometries.',
    source: 'behaviour#coordinates',
  },
  { id: 'geometry.finite', text: 'Points that are not finite are invalid_argument.', source: 'behaviour#coordinates' },
  {
    id: 'app.identity',
    text: 'bundleId is the AppUserModelID of a packaged app, else the lower-cased full path of the executable.',
    source: 'behaviour#identities',
  },
  {
    id: 'app.display-name',
    text: 'displayName is the package name, else FileDescription, else the file name.',
    source: 'behaviour#identities',
  },
  {
    id: 'app.open',
    text: 'openApp takes identity, path, AppUserModelID or exact display name, and waits for the window.',
    source: 'behaviour#applications',
  },
  { id: 'app.open-unmoved', text: 'openApp never moves the window.', source: 'behaviour#applications' },
  {
    id: 'app.launch-failed',
    text: 'A program that cannot be started or shows no window is launch_failed.',
    source: 'behaviour#errors',
  },
  {
    id: 'app.installed',
    text: 'Installed applications come from uninstall keys (both views and hives), Start menu and packages, merged by executable.',
    source: 'behaviour#applications',
  },
  { id: 'app.icon', text: 'getAppIcon is a PNG data URL with transparency.', source: 'behaviour#applications' },
  {
    id: 'app.running',
    text: 'listRunningApps has one row an application with a window.',
    source: 'behaviour#applications',
  },
  {
    id: 'app.frontmost',
    text: 'getFrontmostApp is the application in the foreground, null on an empty desktop.',
    source: 'behaviour#applications',
  },
  {
    id: 'app.under-point',
    text: 'appUnderPoint is the application whose window is at a point; outside the desktop is invalid_argument.',
    source: 'behaviour#applications',
  },
  {
    id: 'system.facts',
    text: 'The doctor’s facts about the session are read without waiting for a program.',
    source: 'behaviour#lifecycle',
  },
  { id: 'system.integrity', text: 'Integrity levels are ordered as Windows orders them.', source: 'behaviour#binding' },
  {
    id: 'system.token-files',
    text: 'Token files are readable by their user and the system alone.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'system.secrets',
    text: 'Secrets are entries uiahost:* of the Windows credential manager.',
    source: 'architecture#rules',
  },
] as const;
