/** Requirements of the Windows service and of hosts that it starts. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#service. */
export const service: readonly Requirement[] = [
  {
    id: 'service.sessions',
    text: 'The service starts one host in each session of a signed-in user, with that user’s token, desktop and environment, and ends it when the user signs out.',
    source: 'behaviour#service',
  },
  {
    id: 'service.restart',
    text: 'A host that ends by itself is started again after 1, 2, 4 … 60 seconds; ten good minutes reset the delay.',
    source: 'behaviour#service',
  },
  {
    id: 'service.stop',
    text: 'When the service stops or its session ends, a host has ten seconds to end in order; then it is ended by force. A stop during a start leaves no host.',
    source: 'behaviour#service',
  },
  {
    id: 'service.killed',
    text: 'The hosts of a killed service end by themselves, and the next service ends what is left.',
    source: 'behaviour#service',
  },
  {
    id: 'service.states',
    text: 'The service reports START_PENDING, RUNNING and STOP_PENDING truthfully, with check points, and a failed start as its own error.',
    source: 'behaviour#service',
  },
  {
    id: 'service.policy',
    text: 'With a machine policy that is not valid the service starts no host until it changes; the reason is in its status and the event log.',
    source: 'behaviour#service',
  },
  {
    id: 'service.changes',
    text: 'A host learns of lock, unlock, disconnect, connect, suspend and resume; out of sight nothing stays held down.',
    source: 'behaviour#service',
  },
  {
    id: 'service.status',
    text: '`uiahost service status --json` shows state, pid, the host of each session (session, user, pid, url, since, restarts) and the last five events.',
    source: 'behaviour#service',
  },
  {
    id: 'service.repeatable',
    text: 'install, uninstall, start and stop can be repeated; without an administrator’s rights they change nothing and say so.',
    source: 'behaviour#service',
  },
  {
    id: 'service.protected',
    text: 'The service’s path is quoted, its files and configuration are for administrators, and its folder is refused where another account made it or a link is in its place.',
    source: 'behaviour#service',
  },
  {
    id: 'service.hostile',
    text: 'A host gets nothing of the service’s environment and no variable that changes how Node runs.',
    source: 'behaviour#service',
  },
  {
    id: 'service.environment',
    text: 'Variables by which Node would load code are empty for the service, whatever the machine’s environment says.',
    source: 'behaviour#service',
  },
  {
    id: 'service.autostart',
    text: '`uiahost autostart on|off|status` makes and removes a logon command of the user, where no service is installed.',
    source: 'behaviour#service',
  },
  {
    id: 'host.session0',
    text: 'A host does not start in session 0, and names the service.',
    source: 'behaviour#service',
  },
  {
    id: 'fleet.view',
    text: 'A viewer of a fleet sees bound windows alone, as a page that can only look; a strip on the window names it in the host’s words, and each look is in the audit.',
    source: 'fleet#look',
  },
  {
    id: 'fleet.ledger',
    text: 'A seat whose ledger is on a disk that was kept tells how its job ended after the machine was reset; while that disk is away it takes no job.',
    source: 'deploy/fleet#settings',
  },
  {
    id: 'service.link',
    text: 'On a machine that joined a fleet the service runs the link under LocalService or none; the link gets credentials, addresses and tokens over its pipe alone, is started again like a host, and ends with its pipe.',
    source: 'behaviour#service',
  },
  {
    id: 'logs.rotate',
    text: 'Logs of host and service rotate at 10 MB; five files are kept.',
    source: 'behaviour#service',
  },
  {
    id: 'service.scope',
    text: 'The service starts hosts only for the users, groups and kinds of session that the machine’s policy names, none at level disabled or on demand, and follows a change.',
    source: 'behaviour#service',
  },
];
