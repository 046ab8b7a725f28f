/** What agents do now, in one word, for a sign that a person sees without asking. */
import type { HostState } from '../../contract/process/host-state.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { HostActivity } from '../face/meter.ts';

/** Events come in groups; a person sees nothing shorter. */
const SETTLES_MS = 150;

const stateOf = ({ stopped, approvalsPending, actionsRunning }: HostActivity): HostState =>
  stopped ? 'stopped' : approvalsPending > 0 ? 'waiting' : actionsRunning > 0 ? 'acting' : 'idle';

/** Tells the state now and after each event that may have changed it; the returned function ends that. */
export function followState(hub: EventHub, activity: () => HostActivity, tell: (state: HostState) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      tell(stateOf(activity()));
    }, SETTLES_MS);
  };
  const leave = hub.subscribe(look);
  look();
  return () => {
    leave();
    clearTimeout(timer);
  };
}
