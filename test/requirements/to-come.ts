/** Requirements that no test shows yet. One that a test cites must leave this list, or `npm run check` fails. */
export const toCome: readonly string[] = [
  'app.packaged', 'app.host-bundle-id', 'app.icon-on-request',
  'method.appUnderPoint',
  'space.executor', 'space.awareness',
  'prepare.preferred',
  'keyboard.key-state', 'keyboard.ignored',
  'typing.abort',
  'foreground.recheck',
  'manage.win32',
  'gate.one-way', 'gate.held-input',
  'decides.environment',
  'overlay.hardware', 'overlay.robust', 'overlay.hidden', 'overlay.focus', 'overlay.accessible',
  'stop.ways',
  'session.defaults',
  'proposal.coordinate',
];
