/** What agents do now, in one word, for a sign that a person sees without asking. */
import type { HostState } from '../../contract/process/host-state.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { HostGauges } from '../face/meter.ts';

/** Events come in groups; a person sees nothing shorter. */
const SETTLES_MS = 150;
/** A host's first second belongs to its agents: who shows the state has to start too. */
const FIRST_MS = 1500;

const stateOf = ({ stopped, approvalsPending, actionsRunning }: HostGauges): HostState =>
  stopped ? 'stopped' : approvalsPending > 0 ? 'waiting' : actionsRunning > 0 ? 'acting' : 'idle';

/** Tells the state now and after each event that may have changed it; the returned function ends that. */
export function followState(
  hub: EventHub,
  gauges: () => Promise<HostGauges>,
  tell: (state: HostState) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = (afterMs: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      gauges().then(
        (now) => {
          if (!isOver) tell(stateOf(now));
        },
        () => {},
      );
    }, afterMs);
  };
  const leave = hub.subscribe(() => look(SETTLES_MS));
  look(FIRST_MS);
  return () => {
    isOver = true;
    leave();
    clearTimeout(timer);
  };
}
