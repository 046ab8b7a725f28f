/** The policy that a host would have, and where each value comes from: for where no host runs. */
import { existsSync, watchFile } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PolicyFlaws, PolicySources } from '../contract/gate/policy-sources.ts';
import { defaultPolicy } from '../contract/gate/permissions.ts';
import type { FleetRules, HostScope } from '../contract/process/service-channel.ts';
import { diagnosePolicy } from '../host/home/doctor.ts';
import { machineHost, type MachineSettings, narrowByMachine, readLayers } from '../policy/file/machine-layers.ts';
import { PolicyStore } from '../policy/file/policy-store.ts';
import { registryPolicy } from '../policy/file/registry-policy.ts';
import { POLICY_KEY } from '../policy/file/registry-values.ts';
import { machineFolder } from '../win32/services/machine-folder.ts';
import { forbidByPolicy, readPolicyRegistry, watchMachineRegistry } from '../win32/system/policy-registry.ts';
import { USER_STATE } from '../win32/system/policy-registry.ts';
import { whyNotAdministrators } from '../win32/system/trust.ts';

/** How often the service looks at the machine's policy file. */
const LOOK_EVERY_MS = 2000;

function machineFile(): string | null {
  const folder = machineFolder();
  return folder === null ? null : join(folder, 'policy.json');
}

const readAll = (userFile: string | null, registry = readPolicyRegistry(POLICY_KEY)) =>
  readLayers({
    userFile,
    machineFile: machineFile(),
    registry: registryPolicy(registry),
    whyNotBelieved: whyNotAdministrators,
  });
const readMachine = () => readAll(null, { ...readPolicyRegistry(POLICY_KEY), user: null });

/** What of the policy does not count, in any layer. */
export const policyFlaws = (userFile: string): PolicyFlaws => readAll(userFile).flaws;

/** What administrators set for hosts; of it, what is valid. */
export const machineSettings = (): MachineSettings => machineHost(readMachine().machine, machineFile() ?? '');

/** What the service needs of the policy; no host starts where it is not valid. */
export function hostScope(): HostScope {
  const { machine, flaws } = readMachine();
  const { users, groups, sessions, onDemand } = machineHost(machine, '').host;
  const { level } = narrowByMachine(defaultPolicy('full'), machine);
  return {
    why: flaws.refused.length === 0 ? null : flaws.refused.join('\n'),
    isDisabled: level === 'disabled',
    isOnDemand: onDemand === true,
    users: users ?? null,
    groups: groups ?? null,
    sessions: sessions ?? null,
  };
}

/** No agent acts on this machine. Errors: permission_denied. */
export const forbidAll = (): void => forbidByPolicy(POLICY_KEY);

/** What the machine's policy sets for the fleet's link. */
export function fleetRules(): FleetRules {
  const { machine, refused } = readMachine();
  const { fleet } = machineHost(machine, '').host;
  return {
    isOff: fleet?.on === false,
    isDrained: fleet?.drain === true || refused.length > 0,
    onlyWhenIdle: fleet?.onlyWhenIdle === true,
    pools: fleet?.pools ?? null,
    orchestrators: fleet?.orchestrators ?? null,
    ledger: fleet?.ledger ?? null,
  };
}

/** Calls `changed` when the machine's policy may have changed, for as long as the process lives. */
export function watchMachinePolicy(changed: () => void): void {
  watchMachineRegistry(POLICY_KEY, changed);
  const file = machineFile();
  if (file !== null) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, changed);
}

/** Errors: invalid_argument naming what is not valid, as when a host starts. */
export async function policySourcesOf(userFile: string): Promise<PolicySources> {
  const store = await PolicyStore.open({
    path: userFile,
    machinePath: machineFile(),
    whyNotBelieved: whyNotAdministrators,
    registry: { read: () => registryPolicy(readPolicyRegistry(POLICY_KEY)), watch: () => () => {} },
    isInstalled: existsSync(join(process.execPath, '..', 'dist', 'host.mjs')),
    agreement: { read: () => USER_STATE.readFolder(dirname(userFile)), write: () => {} },
  });
  try {
    return { settings: store.settings(), problems: diagnosePolicy(store.flaws).map(({ message }) => message) };
  } finally {
    store.close();
  }
}
