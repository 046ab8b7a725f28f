/** The sessions that are open now: who, in which window, waiting for which card; and their pauses. */
import type { AuditEntryInput } from '../../audit/entry.ts';
import { isDenied } from '../../contract/gate/app-match.ts';
import { LOOKER } from '../../contract/gate/looker.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { Host, OpenSession } from '../face/host.ts';
import { release, type QuiesceParts } from './stopping.ts';

interface OpenSessionsParts extends QuiesceParts {
  /** Agents that a person has paused. */
  readonly paused: Set<string>;
  readonly hub: Pick<EventHub, 'publish'>;
  policy(): Policy;
  audit(entry: AuditEntryInput): Promise<unknown>;
}

export const createOpenSessions = (parts: OpenSessionsParts): Pick<Host, 'openSessions' | 'pause' | 'leave'> => ({
  openSessions: () => openSessions(parts),
  pause: (owner, isPaused, by) => pause(parts, owner, isPaused, by),
  leave: (owner) => release(parts, owner),
});

/** A title is that of the time when the window was bound; that of a denied program is empty. */
async function openSessions({ owners, approvals, policy, paused }: OpenSessionsParts): Promise<OpenSession[]> {
  const { deny } = policy();
  const clients = approvals.clients();
  const waiting = approvals.waitingByOwner();
  const bound = new Map(owners.bound().map(({ owner, binding }) => [owner, binding]));
  const all = [...new Set([...bound.keys(), ...clients.keys(), ...waiting.keys(), ...paused])].filter(
    (owner) => !owner.startsWith(LOOKER),
  );
  return Promise.all(
    all.map(async (owner) => {
      const [tokenId = '', session = ''] = owner.split('/', 2);
      const binding = bound.get(owner) ?? null;
      return {
        owner,
        tokenName: await approvals.nameOf(tokenId),
        session,
        client: clients.get(owner) ?? null,
        window:
          binding === null
            ? null
            : {
                hwnd: binding.hwnd,
                pid: binding.pid,
                app: binding.app.displayName,
                title: isDenied(binding.app, deny) ? '' : binding.title,
              },
        waiting: waiting.get(owner) ?? [],
        isPaused: paused.has(owner) || paused.has(tokenId),
      };
    }),
  );
}

async function pause(
  { paused, hub, audit }: OpenSessionsParts,
  owner: string,
  isPaused: boolean,
  by: string,
): Promise<void> {
  // Pausing holds although its record may fail; the end of a pause needs its record first.
  if (isPaused) paused.add(owner);
  await audit({
    kind: 'session',
    actor: { tokenId: null, surface: 'host' },
    action: isPaused ? 'agent.paused' : 'agent.resumed',
    why: [`by ${by}`],
    details: { owner },
  });
  if (!isPaused) paused.delete(owner);
  hub.publish(isPaused ? 'session.paused' : 'session.resumed', { owner });
}
