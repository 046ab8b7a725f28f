/**
 * Many links of a fleet in one process, each the product's own, with a stand-in for its host that writes each effect into a
 * journal. Argument: a file with the seats' folders. Ends with its standard input.
 */
import { readFileSync } from 'node:fs';
import { memberFolder, rulesOf, readMembership } from '../../src/fleet/link/membership.ts';
import { Seat } from '../../src/fleet/link/seat.ts';
import { signByNode } from './sign-by-node.ts';
import { standInHost } from './stand-in-host.ts';

export interface SeatsFile {
  readonly folders: readonly string[];
  readonly journal: string;
}

signByNode();
const { folders, journal } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as SeatsFile;
const stop = new AbortController();
process.stdin.resume().once('end', () => stop.abort());

const ends = folders.map(async (dataDirectory) => {
  const folder = memberFolder(dataDirectory);
  const membership = readMembership(folder);
  if (membership === null) throw new Error(`${dataDirectory} has not joined`);
  const hosts = standInHost(membership.credential.name, journal);
  // in memory, as a link that the service runs has them
  const rules = rulesOf(folder);
  return new Seat({
    folder,
    credential: membership.credential,
    rules: () => rules,
    hosts,
    signal: stop.signal,
  }).run();
});
const ended = await Promise.all(ends);
if (!stop.signal.aborted) process.stdout.write(`${JSON.stringify(ended)}\n`);
process.exitCode = ended.every((end) => end === 'stopped') ? 0 : 1;
