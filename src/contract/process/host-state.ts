/** What agents do now: nothing, something, wait for a person's answer, or nothing any more. */
export type HostState = 'idle' | 'acting' | 'waiting' | 'stopped';
