/** Ends everything of a computer-use session: its runs, its bindings, its pauses. */
import type { UiaHostError } from '../../contract/errors.ts';
import type { Desktop } from '../../desktop/index.ts';
import type { Approvals } from '../approvals/approval-service.ts';
import type { OwnCall } from '../home/own-call.ts';
import type { LiveRuns } from './live-runs.ts';
import type { Owners } from './owners.ts';

export interface QuiesceParts {
  readonly desktop: Desktop;
  readonly live: LiveRuns;
  readonly owners: Owners;
  readonly approvals: Approvals;
  readonly ownCall: OwnCall;
  onFault(error: unknown, where: string): void;
}

const RELEASE_MS = 2000;

/** Aborts every caller's runs in the session, and releases what these tokens hold in it. Never rejects. */
export async function quiesce(
  parts: QuiesceParts,
  tokenIds: ReadonlySet<string>,
  sessionId: string,
  error: UiaHostError,
): Promise<void> {
  parts.live.abortAll(error, (caller) => caller.session === sessionId);
  await Promise.all(
    [...tokenIds].map(async (tokenId) => {
      const owner = `${tokenId}/${sessionId}`;
      parts.owners.forget(owner);
      await parts.desktop.binding
        .release(null, parts.ownCall(owner, RELEASE_MS))
        .catch((failure: unknown) => parts.onFault(failure, 'release at the end of a session'));
      parts.approvals.sessionEnded(owner);
    }),
  );
}
