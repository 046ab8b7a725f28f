/** What agents do now, in one word, for a sign that a person sees without asking. */
import type { HostState } from '../../contract/process/host-state.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { HostActivity } from '../face/meter.ts';

/** Events come in groups; a person sees nothing shorter. */
const SETTLES_MS = 150;
/** A host's first second belongs to its agents: who shows the state has to start too. */
const FIRST_MS = 1500;

const stateOf = ({ stopped, approvalsPending, actionsRunning }: HostActivity): HostState =>
  stopped ? 'stopped' : approvalsPending > 0 ? 'waiting' : actionsRunning > 0 ? 'acting' : 'idle';

/** Tells the state now and after each event that may have changed it; the returned function ends that. */
export function followState(hub: EventHub, activity: () => HostActivity, tell: (state: HostState) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const look = (afterMs: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      tell(stateOf(activity()));
    }, afterMs);
  };
  const leave = hub.subscribe(() => look(SETTLES_MS));
  look(FIRST_MS);
  return () => {
    leave();
    clearTimeout(timer);
  };
}
