/** Entry of the console helper: a process that joins other programs’ consoles for the desktop worker. */
import type { FromConsoleHelper, ToConsoleHelper } from '../win32/terminal/console-protocol.ts';
import { leaveOwnConsole, serveConsole } from '../win32/terminal/console-server.ts';

/** The console helper: joins other programs' consoles for the desktop worker, and ends with it. */
const send = (message: FromConsoleHelper): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
};

leaveOwnConsole();
process.on('message', (message) => {
  const { id, request, permit } = message as ToConsoleHelper;
  send({ id, ...serveConsole(request, permit) });
});
process.on('disconnect', () => process.exit(0));
// Control events of a console that the helper has joined for a moment are not for us.
for (const signal of ['SIGINT', 'SIGBREAK', 'SIGHUP'] as const) process.on(signal, () => {});
send({ kind: 'ready' });
