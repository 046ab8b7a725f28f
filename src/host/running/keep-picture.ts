/** Stores the pictures that actions take, and reports them to their session. */
import type { ImageArtifactStore } from '../../artifacts/types.ts';
import type { Picture } from '../../desktop/index.ts';
import type { EventHub } from '../events/event-hub.ts';
import { isSessionId } from '../sessions/live-session.ts';
import type { SessionReports } from '../sessions/session-reports.ts';
import type { RunScope } from './run-scope.ts';

export interface KeepPictureParts {
  readonly images: ImageArtifactStore;
  readonly hub: Pick<EventHub, 'publish'>;
  readonly sessions: SessionReports;
}

/** The artifact's URI; null if pictures are not kept, or this one was quarantined. */
export async function keepPicture(
  { images, hub, sessions }: KeepPictureParts,
  { caller, actionId }: RunScope,
  picture: Picture,
  sourceTool: string,
): Promise<string | null> {
  const stored = await images.put({
    data: picture.bytes,
    mimeType: picture.mimeType,
    sessionId: caller.session,
    actionId,
    sourceTool,
  });
  if (stored.status === 'quarantined')
    hub.publish('artifact.quarantined', { actionId, reason: stored.quarantined.reason });
  if (stored.status !== 'kept') return null;
  const { contentHash, width, height, uri } = stored.artifact;
  if (isSessionId(caller.session)) await sessions.onPicture(caller.session, contentHash, width, height);
  return uri;
}
