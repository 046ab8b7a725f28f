/** A viewer's look at one seat: its signed request, renewed while pictures are wanted, and the pictures put together. */
import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import { Frames, NOT_NAMED, RENEW_MS, VIEW_MS } from '../bus/live.ts';
import { liveSubject, viewSubject } from '../bus/names.ts';
import { seal, type Signer, type Trust } from '../bus/signed.ts';
import { FleetError } from './error.ts';
import type { FleetPicture } from './types.ts';

interface Looking {
  readonly seat: string;
  /** The viewer's name. */
  readonly name: string;
  readonly signer: Signer;
  readonly trust: Trust;
  readonly signal: AbortSignal;
}

const SILENCE_LOOK_MS = 1000;

export const notNamed = (seat: string): FleetError =>
  new FleetError(
    'forbidden',
    `${seat} does not name this viewer.`,
    'Its administrator names viewers by FleetLive, a user by `uiahost fleet join --viewer`.',
  );

function ended(seat: string, why: string): FleetError {
  switch (why) {
    case 'not_bound':
      return new FleetError('no_window', `No session has bound a window on ${seat}.`, 'Look while a job runs there.');
    case 'no_host':
      return new FleetError('away', `No host answers on ${seat}.`, 'A user must be signed in there.');
    case NOT_NAMED:
      return notNamed(seat);
    default:
      return new FleetError('forbidden', `The host of ${seat} shows nothing: ${why}.`, 'See who set this there.');
  }
}

/** Until the signal. Errors: FleetError. */
export async function* lookAt(nc: NatsConnection, looking: Looking): AsyncGenerator<FleetPicture, void, undefined> {
  const { seat, name, signer, trust, signal } = looking;
  const id = randomUUID();
  const frames = new Frames(seat, id, trust);
  const coming = nc.subscribe(liveSubject(seat, name));
  const ask = (content: object = {}): void => {
    const text = seal({ kind: 'view', target: seat, id }, { clock: Date.now(), ...content }, signer);
    if (!nc.isClosed()) nc.publish(viewSubject(seat), text);
  };
  let heard = Date.now();
  const isSilent = (): boolean => Date.now() - heard > VIEW_MS;
  const stop = (): void => coming.unsubscribe();
  let has = '';
  const renewing = setInterval(() => ask({ has }), RENEW_MS);
  const watching = setInterval(() => isSilent() && stop(), SILENCE_LOOK_MS);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    ask();
    for await (const message of coming) {
      const taken = frames.take(message);
      if (taken === null) continue;
      heard = Date.now();
      if (!('png' in taken)) {
        if (taken.why !== null) throw ended(seat, taken.why);
        continue;
      }
      const { at, app, title, job } = taken.head;
      has = taken.head.sha256;
      yield { seat, at, app, title, job, png: taken.png };
    }
    if (!signal.aborted)
      throw new FleetError(
        'unanswered',
        `${seat} sends no pictures.`,
        'At most four views of a seat are open at once, two of one viewer.',
      );
  } finally {
    clearInterval(renewing);
    clearInterval(watching);
    signal.removeEventListener('abort', stop);
    stop();
    ask({ end: true });
  }
}
