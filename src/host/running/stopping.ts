/** The end of what runs: of a session, by the emergency stop and its release, and at the host's shutdown. */
import type { AuditEntryInput } from '../../audit/entry.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { LOOKER } from '../../contract/gate/looker.ts';
import type { SessionChange } from '../../contract/process/service-channel.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
import type { Desktop } from '../../desktop/index.ts';
import type { Approvals } from '../approvals/approval-service.ts';
import { askRelease } from '../approvals/ask-person.ts';
import type { EmergencyStop } from '../approvals/emergency-stop.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { Stopped } from '../../contract/gate/views.ts';
import type { Host } from '../face/host.ts';
import { valueWithin, type OwnCall } from '../home/own-call.ts';
import type { SessionLifecycle } from '../sessions/session-lifecycle.ts';
import type { DesktopControl, Owners } from './owners.ts';
import type { LiveRuns } from './run-scope.ts';

export interface StoppingParts {
  readonly desktop: Desktop;
  readonly desktopControl: DesktopControl;
  readonly stop: EmergencyStop;
  readonly live: LiveRuns;
  readonly owners: Owners;
  readonly approvals: Approvals;
  readonly lifecycle: SessionLifecycle;
  readonly hub: Pick<EventHub, 'publish'>;
  readonly ownCall: OwnCall;
  policy(): Policy;
  audit(entry: AuditEntryInput): Promise<unknown>;
  onFault(error: unknown, where: string): void;
}

/** The worker has this long to release keys and buttons; then it is replaced. */
const STOP_MS = 120;
const END_MS = 1000;

export class Stopping implements Pick<Host, 'stop' | 'resume'> {
  readonly #parts: StoppingParts;

  constructor(parts: StoppingParts) {
    this.#parts = parts;
  }

  /** Whatever cannot be written, such as on a full disk, ends nothing of the stop. Errors: those of the stop's memory; it is on. */
  async stop(by: string): Promise<Stopped> {
    const { stop, live, desktopControl, lifecycle, approvals, owners, hub, audit, onFault } = this.#parts;
    const kept = stop.press(by);
    // Awaited below: everything else must happen whether or not the stop can be written to disk.
    kept.catch((error: unknown) => onFault(error, 'emergency stop'));
    // Before the runs are aborted, so that the cards name the stop and not their caller.
    const withdrawn = approvals
      .cancelAll(`emergency stop (${by})`)
      .catch((error: unknown) => onFault(error, 'cards of the emergency stop'));
    live.abortAll(new UiaHostError('stopped', `The emergency stop was pressed (${by}).`, { delivery: 'unknown' }));
    const isReleased = await this.#releaseAll(STOP_MS);
    if (!isReleased) desktopControl.restart('stopped', 'The emergency stop replaced the desktop worker.');
    const recorded = audit({
      kind: 'stop',
      actor: { tokenId: by, surface: 'host' },
      action: 'stop.pressed',
      details: { isReleased },
    }).then(
      () => true,
      (error: unknown) => {
        onFault(error, 'audit of the emergency stop');
        return false;
      },
    );
    const [sessionsAborted, isRecorded] = await Promise.all([
      lifecycle.endAll('aborted', `Emergency stop (${by}).`),
      recorded,
      withdrawn,
    ]);
    owners.revokeAll();
    hub.publish('stop', { stopped: true, by });
    await kept;
    return { stopped: true, heldReleased: isReleased, sessionsAborted, recorded: isRecorded };
  }

  /** If the operator's token cannot approve cards, a person must agree. Errors: approval_denied, approval_expired. */
  async resume(by: string): Promise<{ stopped: false }> {
    const { stop, owners, hub, audit, policy } = this.#parts;
    if (stop.by !== null && !policy().approvals.surfaces.includes('api')) await askRelease(this.#parts, stop.by, by);
    await audit({ kind: 'stop', actor: { tokenId: by, surface: 'host' }, action: 'stop.released' });
    // An answer that was in transit when the stop came may have granted rights after it.
    owners.revokeAll();
    await stop.release();
    hub.publish('stop', { stopped: false, by });
    return { stopped: false };
  }

  /** The stop of another host of this user holds here too; that a program took it away is audited. Returns what ends that. */
  followUser(): () => void {
    const { stop, audit, onFault } = this.#parts;
    return stop.follow(
      (by) => void this.stop(by).catch((error: unknown) => onFault(error, 'emergency stop of another host')),
      (how) =>
        void audit({
          kind: 'stop',
          actor: { tokenId: null, surface: 'host' },
          action: 'stop.held',
          details: { how, by: stop.by },
        }).catch((error: unknown) => onFault(error, 'audit of the emergency stop')),
    );
  }

  /** Where no person can see the desktop any more, nothing stays held down; each change is in the audit. Never rejects. */
  async sessionChanged(change: SessionChange): Promise<void> {
    const { audit, onFault } = this.#parts;
    const isOutOfSight = change === 'lock' || change === 'disconnect' || change === 'suspend';
    const heldReleased = isOutOfSight ? await this.#releaseAll(STOP_MS) : null;
    await audit({
      kind: 'host',
      actor: { tokenId: null, surface: 'host' },
      action: `host.session-${change}`,
      details: heldReleased === null ? {} : { heldReleased },
    }).catch((error: unknown) => onFault(error, 'audit of a session change'));
  }

  /** Ends sessions, withdraws cards and releases held input when the host shuts down. */
  async close(): Promise<void> {
    const { live, lifecycle, approvals, audit, onFault } = this.#parts;
    const withdrawn = approvals.cancelAll('host ending');
    live.abortAll(new UiaHostError('cancelled', 'The host is ending.', { delivery: 'unknown' }));
    await lifecycle.close();
    await withdrawn;
    await this.#releaseAll(END_MS);
    await audit({ kind: 'host', actor: { tokenId: null, surface: 'host' }, action: 'host.ended' }).catch(
      (error: unknown) => onFault(error, 'audit at the end'),
    );
  }

  /** Whether the worker has released every key and button in time. */
  async #releaseAll(ms: number): Promise<boolean> {
    const { desktop, ownCall } = this.#parts;
    const released = desktop.keyboard.releaseAll(ownCall('stop', ms)).then(() => true);
    return (await valueWithin(released, ms)) === true;
  }
}

export interface QuiesceParts {
  readonly desktop: Desktop;
  readonly live: LiveRuns;
  readonly owners: Owners;
  readonly approvals: Approvals;
  readonly ownCall: OwnCall;
  onFault(error: unknown, where: string): void;
}

const RELEASE_MS = 2000;

/** How long the end of a token waits for its runs; a run in a program that hangs ends with its worker. */
const ENDED_WITHIN_MS = 5000;

/**
 * A token has ended: its runs are aborted, its cards are closed and its requests are over, by its signal. What is left of
 * it ends here: the sessions that it started, and what its sessions hold. Resolves when nothing of it is under way.
 */
export async function endToken(
  parts: QuiesceParts & { readonly lifecycle: SessionLifecycle },
  tokenId: string,
  error: UiaHostError,
): Promise<void> {
  const runs = Promise.all(parts.live.of(tokenId).map(({ ended }) => ended));
  await Promise.all([valueWithin(runs, ENDED_WITHIN_MS), parts.lifecycle.endOf(tokenId, error.message)]);
  const owners = [tokenId, `${LOOKER}${tokenId}`].flatMap((each) => parts.owners.ofToken(each));
  await Promise.all(owners.map((owner) => release(parts, owner)));
}

/** Forgets an owner’s binding and rights, and releases what it holds down. Never rejects. */
async function release(parts: QuiesceParts, owner: string): Promise<void> {
  parts.owners.forget(owner);
  await parts.desktop.binding
    .release(null, parts.ownCall(owner, RELEASE_MS))
    .catch((failure: unknown) => parts.onFault(failure, 'release of what an owner held'));
  parts.approvals.sessionEnded(owner);
}

/** Aborts every caller's runs in the session, and releases what these tokens hold in it. Never rejects. */
export async function quiesce(
  parts: QuiesceParts,
  tokenIds: ReadonlySet<string>,
  sessionId: string,
  error: UiaHostError,
): Promise<void> {
  parts.live.abortAll(error, (caller) => caller.session === sessionId);
  await Promise.all([...tokenIds].map((tokenId) => release(parts, `${tokenId}/${sessionId}`)));
}
