/**
 * Entry of the link: takes a fleet's jobs to hosts of this machine, and only after `join`. `uiahost fleet link` starts it for its
 * user's host. The service starts it under LocalService, with a folder for what it keeps, and tells it everything else over its
 * pipes. Prints one line of JSON when it has begun, and one when a seat ends. Ends by a signal, or with its standard input.
 */
import {
  encodeMessage,
  LineReader,
  readToHost,
  SUPERVISED,
  type ChannelSeat,
} from '../contract/process/service-channel.ts';
import { credentialOf } from '../fleet/bus/credential.ts';
import {
  memberFolder,
  readMembership,
  rulesOf,
  tokenOf,
  seatFolder,
  type SeatRules,
} from '../fleet/link/membership.ts';
import { Seat, type SeatOptions } from '../fleet/link/seat.ts';
import { hostOfChannel, hostOfUser, SeatHosts } from '../fleet/link/seat-host.ts';

const [folder = '', ...flags] = process.argv.slice(2);
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const isSupervised = flags.includes(SUPERVISED);
if (isSupervised || flags.includes('--exit-with-stdin')) process.stdin.resume().once('end', () => stop.abort());
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const tokensOf = (rules: () => SeatRules) => (by: string) => tokenOf(rules(), by);

async function run(options: Omit<SeatOptions, 'signal'>): Promise<void> {
  try {
    const ended = await new Seat({ ...options, signal: stop.signal }).run();
    say({ seat: options.credential.name, ended });
    process.exitCode = ended === 'stopped' ? 0 : 1;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // the service starts it again
    say(isSupervised ? { kind: 'failed', why } : { ended: 'failed', message: why });
    process.exit(1);
  }
}

/** What the service said last of each seat. */
const seats = new Map<string, ChannelSeat>();

function takeSeat(seat: ChannelSeat): void {
  const isNew = !seats.has(seat.name);
  seats.set(seat.name, seat);
  if (!isNew) return;
  const rules = (): SeatRules => seats.get(seat.name) ?? seat;
  void run({
    folder: seatFolder(folder, seat.name, seat.ledger),
    credential: credentialOf(JSON.stringify(seat.credential)),
    rules,
    hosts: new SeatHosts(
      hostOfChannel(() => seats.get(seat.name)?.host ?? null),
      tokensOf(rules),
      true,
    ),
  });
}

if (isSupervised) {
  const lines = new LineReader();
  process.stdin.setEncoding('utf8').on('data', (piece: string) => {
    for (const message of lines.add(piece).map(readToHost)) {
      if (message?.kind === 'end') stop.abort();
      else if (message?.kind === 'seat') takeSeat(message);
    }
  });
  // a signal or the end of the pipe ends the seats; without one nothing else keeps the process
  stop.signal.addEventListener('abort', () => process.stdin.destroy());
  process.stdout.write(encodeMessage({ kind: 'ready', url: '' }));
} else {
  const own = memberFolder(folder);
  const membership = readMembership(own);
  if (membership === null) {
    say({ ended: 'not_joined' });
    process.exitCode = 1;
  } else {
    const { credential } = membership;
    say({ seat: credential.name, pid: process.pid });
    const rules = (): SeatRules => rulesOf(own);
    await run({
      folder: own,
      credential,
      rules,
      hosts: new SeatHosts(hostOfUser(folder), tokensOf(rules)),
    });
  }
  process.stdin.destroy();
}
