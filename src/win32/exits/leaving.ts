/**
 * What may leave now. The permit of a call goes with its asynchronous context, so that no function in between can drop,
 * change or replace it; without one nothing can be sent. What prepares or follows an exit (scrolling into view, giving
 * the foreground back) leaves by the permit of what caused it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Exit, Permit } from '../../contract/gate/exit.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { areHeld, fits, Progress, type Sent } from './fits.ts';

/**
 * The exits that a function can be. `along`: it prepares or follows any of them. `release`: it ends what was begun, such as
 * a held key, and needs no permit.
 */
export type Leaving = Exit['kind'] | 'along' | 'release';

/** What left: a permitted kind, or what belongs to any. */
export type Left = Exit['kind'] | 'along';

interface Running {
  readonly permit: Permit;
  /** What left, for the host and for tests: never contents. */
  readonly left: Set<Left>;
  /** The pointer was shown to the program, or a branch was opened: it may have done something of its own. */
  isTouched: boolean;
  /** What is there now instead of what was judged; null if it is the same. */
  compare: (() => string | null) | null;
  isCompared: boolean;
  progress: Progress;
  /** Kinds are compared, contents are not. */
  readonly isLoose: boolean;
  /** After this moment (`performance.now()`) the caller has its answer: nothing begins to leave. */
  readonly endsAt: number;
}

const running = new AsyncLocalStorage<Running | null>();

const stateOf = (permit: Permit, endsAt = Infinity, isLoose = false): Running => ({
  permit,
  left: new Set(),
  isTouched: false,
  compare: null,
  isCompared: false,
  progress: new Progress(),
  isLoose,
  endsAt,
});

/** Nowhere: what a call may do that passes no gate. */
const NOWHERE = { window: null, element: null } as const;
/** The end of a binding, of a worker and of a stop moves windows back. */
const OWED: Permit = { exits: [{ kind: 'window', operation: 'back' }], target: NOWHERE, start: null };

/** Runs a call with its permit, which ends with its time; `null`: it only reads, and can release what is held. */
export const withPermit = <T>(permit: Permit | null, work: () => T, endsAt = Infinity): T =>
  running.run(permit === null ? null : stateOf(permit, endsAt), work);

/** Releases what earlier calls held, and moves windows back. */
export const givingBack = <T>(work: () => T): T => running.run(stateOf(OWED), work);

/** For tests that call a port themselves: from here on, by kinds alone. */
export const enterPermit = (permit: Permit): void => running.enterWith(stateOf(permit, Infinity, true));

/** The permit of the running call, for a helper process that sends for it. */
export const permitNow = (): Permit | null => running.getStore()?.permit ?? null;

/** What has left so far by the running call's permit. */
export const whatLeft = (): readonly Left[] => [...(running.getStore()?.left ?? [])];

/** What prepares an exit reached the program in a way that shows there. */
export const noteTouch = (): void => void Object.assign(running.getStore() ?? {}, { isTouched: true });

/** Whether something may have reached the program. */
export const hasTouched = (): boolean => running.getStore()?.isTouched === true;

/** `look` is called directly before anything is sent: what is there now instead of what was judged, or null. */
export function comparedBy(look: () => string | null): void {
  const now = running.getStore();
  if (now !== undefined && now !== null) Object.assign(now, { compare: look, isCompared: false });
}

/** The item that is chosen next is the judged one. */
export function comparedItem(): void {
  const now = running.getStore();
  if (now !== undefined && now !== null) now.progress.isItemCompared = true;
}

/** Only a part of the call is seen here: its texts may begin anywhere in the permitted one. */
export function inParts(): void {
  const now = running.getStore();
  if (now !== undefined && now !== null) now.progress.typed = null;
}

/** Another way is tried: what it sends is compared again, and begins again. */
export function beginWay(): void {
  const now = running.getStore();
  if (now === undefined || now === null) return;
  now.isCompared = false;
  now.progress.presses = 0;
  if (now.progress.typed !== null) now.progress.typed = 0;
}

/** What acts on an element that the caller named is sent only after a comparison with it. */
const AIMED: ReadonlySet<Exit['kind']> = new Set<Exit['kind']>(['press', 'text', 'choose', 'focus']);

/** The permitted exit that a sending is part of; undefined if there is none. */
function permitted(now: Running, kinds: readonly Leaving[], sent: Sent): Left | undefined {
  const { permit, progress, isLoose } = now;
  const { exits, target } = permit;
  const isUncompared = target.isNamed === true && now.compare === null;
  const exit = exits.find(
    (each) =>
      kinds.includes(each.kind) &&
      !(isUncompared && AIMED.has(each.kind)) &&
      (isLoose || fits(each, sent, permit, progress)),
  );
  if (exit !== undefined) return exit.kind;
  // Keys that are held during a click.
  if (kinds.includes('keys') && exits.some((each) => each.kind === 'point' && areHeld(sent, each.held))) return 'point';
  return kinds.includes('along') && permit !== OWED && exits.length > 0 ? 'along' : undefined;
}

/**
 * To be called directly before sending: one of these exits must be permitted, and its target must still be what was
 * judged. Errors: state_conflict, deadline_exceeded; nothing was sent.
 */
export function leave(kinds: readonly Leaving[], sent: Sent = {}): void {
  if (kinds.includes('release')) return;
  const now = running.getStore() ?? null;
  const exit = now === null ? undefined : permitted(now, kinds, sent);
  if (now === null || exit === undefined)
    throw new UiaHostError(
      'state_conflict',
      `The action would have sent something that was not judged (${kinds.join(' or ')}); it was not sent.`,
      { delivery: [...(now?.left ?? [])].some((kind) => kind !== 'along') ? 'unknown' : 'not_delivered' },
    );
  if (exit !== 'along' && now.compare !== null && !now.isCompared) {
    const instead = now.compare();
    if (instead !== null)
      throw new UiaHostError(
        'state_conflict',
        `${instead[0]!.toUpperCase()}${instead.slice(1)}, which is not what was judged; nothing was sent.`,
        { delivery: 'not_delivered', hint: 'Take a new snapshot, and decide again by what it shows.' },
      );
    now.isCompared = true;
  }
  if (performance.now() > now.endsAt && [...now.left].every((kind) => kind === 'along'))
    throw new UiaHostError('deadline_exceeded', 'The deadline passed before anything was sent.', {
      delivery: 'not_delivered',
    });
  now.left.add(exit);
}
