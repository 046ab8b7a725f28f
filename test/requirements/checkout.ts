/** Requirements of a checkout: `npm start`, settings and the README. */
import type { Requirement } from './requirement.ts';

/** docs/api.md#checkout, and the README. */
export const checkout: readonly Requirement[] = [
  { id: 'readme.first-session', text: 'The README’s first session works when pasted.', source: 'api#checkout' },
  {
    id: 'readme.shells',
    text: 'PowerShell, cmd, Git Bash and a Unix shell make the same arguments of the README’s lines.',
    source: 'api#checkout',
  },
  {
    id: 'demo.controls',
    text: 'uiahost demo shows a window of every standard control, each with its name and id, the same on every system and in every language.',
    source: 'behaviour#the-demo',
  },
  {
    id: 'demo.enabled',
    text: 'A button of the demo is disabled until a field is filled.',
    source: 'behaviour#the-demo',
  },
  { id: 'demo.status', text: 'The demo’s status bar says what happened last.', source: 'behaviour#the-demo' },
  { id: 'demo.late', text: 'One effect in the demo comes two seconds after its click.', source: 'behaviour#the-demo' },
  {
    id: 'demo.dialogs',
    text: 'One button of the demo opens a modal dialog; another asks before it deletes all orders.',
    source: 'behaviour#the-demo',
  },
  { id: 'demo.menus', text: 'The demo has a menu bar and a context menu.', source: 'behaviour#the-demo' },
  {
    id: 'demo.one',
    text: 'uiahost demo reports the window that is open already and opens another on request only.',
    source: 'behaviour#the-demo',
  },
  {
    id: 'demo.command',
    text: 'uiahost demo prints the window handle, process and title, and on Linux opens the window on the desktop of npm start.',
    source: 'behaviour#the-demo',
  },
  {
    id: 'selftest.steps',
    text: 'uiahost selftest drives the demo in every way that a person’s own windows are not needed for, and a second process sees each effect.',
    source: 'behaviour#the-selftest',
  },
  {
    id: 'selftest.report',
    text: 'The selftest’s report says what was delivered and confirmed, how long it took and what the system is, and has nothing of other windows.',
    source: 'behaviour#the-selftest',
  },
  {
    id: 'selftest.leaves-nothing',
    text: 'The selftest leaves no window and no changed setting.',
    source: 'behaviour#the-selftest',
  },
  {
    id: 'selftest.excel',
    text: 'uiahost selftest --excel asks first, tries the spreadsheet actions in a new workbook that it opens and closes unsaved, and leaves to a person what needs one.',
    source: 'behaviour#the-selftest',
  },
  { id: 'selftest.cancel', text: 'Ctrl+C ends the selftest and closes its demo.', source: 'behaviour#the-selftest' },
  {
    id: 'selftest.limit',
    text: 'The selftest ends after two minutes or at Ctrl+C, and closes its demo, also while the demo or its second process does not answer.',
    source: 'behaviour#the-selftest',
  },
  {
    id: 'selftest.ended',
    text: 'Where the selftest ends early, its report is written all the same: the reason, and the steps until then.',
    source: 'behaviour#what-it-reports',
  },
  {
    id: 'selftest.status',
    text: 'The selftest’s exit status is 0 only if everything was done and seen.',
    source: 'behaviour#the-selftest',
  },
  { id: 'demo.closes', text: 'The demo’s process ends with its window.', source: 'behaviour#the-demo' },
  {
    id: 'readme.approvals',
    text: 'The README’s way to decide an action from another terminal works when pasted.',
    source: 'api#checkout',
  },
  {
    id: 'start.ready-file',
    text: 'npm start -- --ready-file FILE writes url, pid, token files and display once the host answers.',
    source: 'api#checkout',
  },
  { id: 'start.ready-file-removed', text: 'npm start removes the ready file at its end.', source: 'api#checkout' },
  {
    id: 'host.closing',
    text: 'A host that ends closes everything it opened, last opened first.',
    source: 'style#habits',
  },
  {
    id: 'host.closing-failure',
    text: 'A part that fails to close is logged and does not keep the rest open.',
    source: 'style#habits',
  },
  {
    id: 'start.host-signal',
    text: 'A host that a signal ends does not stay: npm start notices, and ends the rest.',
    source: 'api#checkout',
  },
  { id: 'start.ends', text: 'Ctrl+C ends everything that npm start started.', source: 'api#checkout' },
  { id: 'start.ends-alone', text: 'Ctrl+C in npm start ends nothing that it did not start.', source: 'api#checkout' },
  { id: 'start.demo-shown', text: 'The demonstration starts with a visible window.', source: 'api#checkout' },
  { id: 'start.demo-missing', text: 'npm start says so if the demonstration shows no window.', source: 'api#checkout' },
  { id: 'start.no-demo', text: '--no-demo opens no demo window.', source: 'api#checkout' },
  {
    id: 'checkout.line-feeds',
    text: 'A clone with core.autocrlf=true has line feeds alone, and npm run check passes there.',
    source: 'api#checkout',
  },
  {
    id: 'checkout.windows.start',
    text: 'On Windows, npm start in a fresh checkout gets ready, shows the demo, lets it be driven, and ends with Ctrl+C or its terminal; nothing is left.',
    source: 'api#checkout',
  },
  {
    id: 'checkout.windows.empty',
    text: 'On Windows, the steps of the workflow run in order in a clone without packages, and the first leaves the selftest’s report.',
    source: 'api#checkout',
  },
  {
    id: 'checkout.report-first',
    text: 'The first command of the test workflow writes the selftest’s report and keeps it before anything else runs; where something on the way to it fails, the report says what.',
    source: 'api#checkout',
  },
  {
    id: 'checkout.windows.test',
    text: 'On Windows, npm test runs the tests that need no Linux; where no mingw-w64 is, it says how to get one.',
    source: 'api#checkout',
  },
  {
    id: 'checkout.workflows',
    text: 'The workflows run both commands and the selftest on the hosted systems, with pinned actions, least permissions and time limits; the check reads them with GitHub’s parser.',
    source: 'api#checkout',
  },
  {
    id: 'start.variables',
    text: 'UIAHOST_PORT, UIAHOST_DATA_DIR, UIAHOST_LEVEL, UIAHOST_AGENT_TOKEN and UIAHOST_OPERATOR_TOKEN reach the host of npm start.',
    source: 'api#checkout',
  },
  {
    id: 'settings.table',
    text: 'Every UIAHOST_* variable is declared in one table, which the host, the commands, the scripts, help and README follow.',
    source: 'api#checkout',
  },
  {
    id: 'settings.passed',
    text: 'npm start and uiahost start pass on every setting of the host.',
    source: 'api#checkout',
  },
  {
    id: 'start.after',
    text: 'uiahost start waits for a host that is ending to leave its place, and starts one then.',
    source: 'api#checkout',
  },
  { id: 'settings.bridge', text: 'The bridge passes on only which host is meant.', source: 'api#checkout' },
  {
    id: 'settings.said',
    text: 'A setting that does not reach the host is named, with the reason.',
    source: 'api#checkout',
  },
  {
    id: 'settings.absolute',
    text: 'A relative data directory is refused by the host, the client and npm start.',
    source: 'behaviour#trust-in-files',
  },
  {
    id: 'settings.remote',
    text: 'The packaged uiahost start serves other machines if all four settings are given.',
    source: 'api#http',
  },
  {
    id: 'settings.remote-missing',
    text: 'With fewer settings than remote access needs, uiahost start does not start and says what is missing.',
    source: 'api#http',
  },
  {
    id: 'start.side-by-side',
    text: 'Several npm start may run on different ports and data directories.',
    source: 'api#checkout',
  },
  { id: 'start.own-desktop', text: 'Each npm start has its own desktop.', source: 'api#checkout' },
  {
    id: 'wine.program',
    text: 'npm run wine runs any Windows program on the desktop of the running npm start.',
    source: 'api#checkout',
  },
  {
    id: 'wine.linux-paths',
    text: 'npm run wine takes Linux paths as the program and as arguments.',
    source: 'api#checkout',
  },
  { id: 'wine.exit-status', text: 'npm run wine returns the exit status of its program.', source: 'api#checkout' },
  {
    id: 'desktop.picture',
    text: 'npm run desktop:picture takes a picture of the whole desktop.',
    source: 'api#checkout',
  },
  { id: 'input.strict', text: 'Invalid input gets the right 4xx status and code.', source: 'behaviour#keyboard' },
  { id: 'input.undone', text: 'Nothing is done of invalid input.', source: 'behaviour#keyboard' },
  {
    id: 'faces.mcp',
    text: 'An agent CLI can bind, look, click and type in Notepad over MCP, by streamable HTTP and by stdio.',
    source: 'api#mcp',
  },
  {
    id: 'faces.cli',
    text: 'The command line binds, looks and acts through the running host.',
    source: 'api#command-line',
  },
  {
    id: 'package.complete',
    text: 'npm run package makes a folder and an archive with everything that a Windows machine without npm and Node needs, and the licences of it.',
    source: 'api#checkout',
  },
  { id: 'package.runs', text: 'The packaged command starts the packaged host.', source: 'api#checkout' },
];
