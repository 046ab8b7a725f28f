/**
 * Entry of the link: takes a fleet's jobs to this user's host. `uiahost fleet link` starts it, and only after `join`.
 * Prints one line of JSON when it has begun, and one when it ends. Ends with its standard input, if asked, or by a signal.
 */
import { memberFolder, readMembership } from '../fleet/link/membership.ts';
import { Seat } from '../fleet/link/seat.ts';

const [dataDirectory = '', ...flags] = process.argv.slice(2);
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
if (flags.includes('--exit-with-stdin')) process.stdin.resume().once('end', () => stop.abort());
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const folder = memberFolder(dataDirectory);
const membership = readMembership(folder);
if (membership === null) {
  say({ ended: 'not_joined' });
  process.exitCode = 1;
} else {
  say({ seat: membership.credential.name, pid: process.pid });
  try {
    const ended = await new Seat({ dataDirectory, folder, membership, signal: stop.signal }).run();
    say({ ended });
    process.exitCode = ended === 'stopped' ? 0 : 1;
  } catch (error) {
    say({ ended: 'failed', message: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
  }
  process.stdin.destroy();
}
