/**
 * What may leave now. The permit of a call goes with its asynchronous context, so that no function in between can drop,
 * change or replace it; without one nothing can be sent. What prepares or follows an exit (scrolling into view, giving
 * the foreground back) leaves by the permit of what caused it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Button, Exit, Permit } from '../../contract/gate/exit.ts';
import { UiaHostError } from '../../contract/errors.ts';

/**
 * The exits that a function can be. `along`: it prepares or follows any of them. `release`: it ends what was begun, such as
 * a held key, and needs no permit.
 */
export type Leaving = Exit['kind'] | 'along' | 'release';

/** What left: a permitted kind, or what belongs to any. */
export type Left = Exit['kind'] | 'along';

/** What is compared with the permitted exit of that kind. */
export interface Sent {
  readonly text?: string;
  readonly button?: Button;
  readonly operations?: readonly string[];
  /** Cells are written, not only selected. */
  readonly writes?: boolean;
}

interface Running {
  readonly permit: Permit;
  /** What left, for the host and for tests: never contents. */
  readonly left: Set<Left>;
  /** What is there now instead of what was judged; null if it is the same. */
  compare: (() => string | null) | null;
  isCompared: boolean;
}

const running = new AsyncLocalStorage<Running | null>();

const stateOf = (permit: Permit): Running => ({ permit, left: new Set(), compare: null, isCompared: false });

/** Nowhere: what a call may do that passes no gate. */
const NOWHERE = { window: null, element: null } as const;
/** The end of a binding, of a worker and of a stop moves windows back. */
const OWED: Permit = { exits: [{ kind: 'window', operation: 'back' }], target: NOWHERE, start: null };

/** Runs a call with its permit; `null`: it only reads, and can release what is held. */
export const withPermit = <T>(permit: Permit | null, work: () => T): T =>
  running.run(permit === null ? null : stateOf(permit), work);

/** Releases what earlier calls held, and moves windows back. */
export const givingBack = <T>(work: () => T): T => running.run(stateOf(OWED), work);

/** For tests that call a port themselves: from here on. */
export const enterPermit = (permit: Permit): void => running.enterWith(stateOf(permit));

/** The permit of the running call, for a helper process that sends for it. */
export const permitNow = (): Permit | null => running.getStore()?.permit ?? null;

/** What has left so far by the running call's permit. */
export const whatLeft = (): readonly Left[] => [...(running.getStore()?.left ?? [])];

/** `look` is called directly before anything is sent: what is there now instead of what was judged, or null. */
export function comparedBy(look: () => string | null): void {
  const now = running.getStore();
  if (now !== undefined && now !== null) Object.assign(now, { compare: look, isCompared: false });
}

/** Another way is tried: what it sends is compared again. */
export function beginWay(): void {
  const now = running.getStore();
  if (now !== undefined && now !== null) now.isCompared = false;
}

/** What the exits of a kind allow. */
const FITS: { readonly [K in Exit['kind']]?: (exit: Extract<Exit, { kind: K }>, sent: Sent) => boolean } = {
  press: ({ button }, sent) => sent.button === undefined || sent.button === button,
  point: ({ button, does }, sent) => sent.button === undefined || (sent.button === button && does !== 'move'),
  text: ({ text }, sent) => isPartOf(sent.text, text),
  keys: ({ text, chords }, sent) => chords.length > 0 || isPartOf(sent.text, text),
  cells: ({ aim }, sent) => sent.writes !== true || aim.write !== null,
  clipboard: ({ text }, sent) => isPartOf(sent.text, text),
  window: ({ operation }, sent) => sent.operations === undefined || sent.operations.includes(operation),
};

const plainLines = (text: string): string => text.replaceAll(/\r\n|\r/g, '\n');

/** A part of the permitted text, or a field's earlier text followed by it. Null: a stored secret, which the gate does not know. */
function isPartOf(sent: string | undefined, permitted: string | null): boolean {
  if (sent === undefined || permitted === null) return true;
  const [one, all] = [plainLines(sent), plainLines(permitted)];
  // Every text ends with the empty one.
  return all.includes(one) || (all !== '' && one.endsWith(all));
}

const fits = <K extends Exit['kind']>(exit: Extract<Exit, { kind: K }>, sent: Sent): boolean =>
  FITS[exit.kind as K]?.(exit, sent) ?? true;

/** The permitted exit that a sending is part of; undefined if there is none. */
function permitted({ permit }: Running, kinds: readonly Leaving[], sent: Sent): Left | undefined {
  const { exits, target } = permit;
  const exit = exits.find((each) => kinds.includes(each.kind) && fits(each, sent));
  if (exit !== undefined) return exit.kind;
  // Keys that are held during a click.
  if (kinds.includes('keys') && exits.some((each) => each.kind === 'point' && each.held.length > 0)) return 'point';
  // Keys that an element carries out press that element.
  if (kinds.includes('press') && (target.commands?.length ?? 0) > 0 && exits.some(({ kind }) => kind === 'keys'))
    return 'keys';
  return kinds.includes('along') && permit !== OWED && exits.length > 0 ? 'along' : undefined;
}

/**
 * To be called directly before sending: one of these exits must be permitted, and its target must still be what was
 * judged. Errors: state_conflict; nothing was sent.
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
  now.left.add(exit);
}
