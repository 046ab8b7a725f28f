/** Requirements of a host’s life: start, stop, and what survives. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#lifecycle. */
export const lifecycle: readonly Requirement[] = [
  {
    id: 'worker.separate',
    text: 'Native work that can block happens in a worker process that can be killed and restarted.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.threads',
    text: 'Calls that wait for a dialog of their program delay no other call, even four or more of them.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'session.no-screen',
    text: 'Without a screen, windows are found, read and acted on, and cells are read; the doctor names what goes on and what does not.',
    source: 'deploy/unattended#what-works',
  },
  {
    id: 'bindings.metadata',
    text: 'Every function, structure, constant, interface and slot that the bindings declare is as Microsoft’s metadata has it; what it lacks is named.',
    source: 'architecture#rules',
  },
  {
    id: 'bindings.stack',
    text: 'A native call on another thread has a megabyte of stack, as a thread of Windows has.',
    source: 'architecture#several-workers',
  },
  {
    id: 'worker.replaced',
    text: 'A worker that crashes or is replaced is started again.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.replaced-answer',
    text: 'The action whose worker crashes answers worker_restarted.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.patience',
    text: 'A call that waits behind a slow one of the same program ends at its deadline with nothing sent, and does not interrupt it.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.slow',
    text: 'A call that is late does not end its worker while the program that it asks takes messages, however slowly; nothing begins to be sent after its deadline.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.called-off',
    text: 'A look that its caller gave up does not end its worker, unless the worker takes no message.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.late-look',
    text: 'A look that is late does not end its worker, unless the worker takes no message.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.deadline',
    text: 'An action whose worker does not answer ends by its deadline.',
    source: 'behaviour#lifecycle',
  },
  { id: 'worker.rebound', text: 'The window stays bound when the worker is replaced.', source: 'behaviour#lifecycle' },
  {
    id: 'worker.waiting',
    text: 'A call that waits for the worker is sent to the one that lives, or ends when it is called off.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.programs',
    text: 'Each program has a worker of its own from its binding on, and never changes it; the first one has the first worker.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.limit',
    text: 'There are eight workers at most, fewer only for want of memory; a further program joins one that serves the fewest.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.hung-alone',
    text: 'A program that hangs its worker delays no call to a program of another worker, nor a list of windows or a bind.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.idle',
    text: 'No worker ends while a session has one of its programs bound; of those without programs, one is kept for the next.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.shared',
    text: 'Real input and the clipboard are used by one worker at a time; letting go of keys waits for nothing.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.released',
    text: 'A release, the stop and the end reach every worker that holds something.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'worker.interrupted',
    text: 'An interrupted call of a method that only looks reports that no input was delivered; one that acts reports that this is unknown.',
    source: 'behaviour#errors',
  },
  {
    id: 'host.one',
    text: 'One host per data directory: a second start says which process holds the lock.',
    source: 'behaviour#lifecycle',
  },
  { id: 'host.stale-lock', text: 'The lock of a host that was killed is recovered.', source: 'behaviour#lifecycle' },
  {
    id: 'host.one.session',
    text: 'One host per user session: a second one does not start, and says which process runs and where its data directory is.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'host.one.session-killed',
    text: 'After the host of a user session was killed, a new one can start.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'host.one.squatted',
    text: 'If another program holds the mutex name, the host does not start and says so.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'files.durable',
    text: 'Policy, host.json, audit key, checkpoint, pictures and client configurations are written whole or not at all.',
    source: 'behaviour#trust-in-files',
  },
  {
    id: 'files.durable-waits',
    text: 'A file that another program has open for a moment is waited for.',
    source: 'behaviour#trust-in-files',
  },
  {
    id: 'host.file',
    text: 'host.json in the data directory tells clients the port and the process.',
    source: 'behaviour#lifecycle',
  },
  { id: 'host.exit', text: 'A host that ends removes its host.json and its lock.', source: 'behaviour#lifecycle' },
  {
    id: 'host.exit-keys',
    text: 'A host that ends releases the keys and buttons that are held.',
    source: 'behaviour#lifecycle',
  },
  { id: 'host.exit-overlay', text: 'The overlay ends with its host.', source: 'behaviour#lifecycle' },
  { id: 'host.exit-alone', text: 'A host that ends leaves other programs alone.', source: 'behaviour#lifecycle' },
  {
    id: 'host.exit-child',
    text: 'A part of the host that does not end when asked is killed.',
    source: 'behaviour#lifecycle',
  },
  { id: 'doctor.cures', text: 'A cure of the doctor names only what there is.', source: 'behaviour#lifecycle' },
  {
    id: 'doctor.states',
    text: 'The session doctor reports problems before an action: session 0, locked, disconnected, secure desktop, elevated target, hung, no desktop.',
    source: 'behaviour#lifecycle',
  },
];
