/** The policy that a host would have, and where each value comes from: for where no host runs. */
import { existsSync, watchFile } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PolicySources } from '../contract/gate/policy-sources.ts';
import { defaultPolicy } from '../contract/gate/permissions.ts';
import type { FleetRules, HostScope } from '../contract/process/service-channel.ts';
import {
  machineHost,
  type MachineSettings,
  narrowByMachine,
  readMachinePolicy,
  unusedSettings,
} from '../policy/file/machine-layers.ts';
import { describeProblems } from '../policy/file/policy-file.ts';
import { PolicyStore } from '../policy/file/policy-store.ts';
import { registryPolicy } from '../policy/file/registry-policy.ts';
import { POLICY_KEY } from '../policy/file/registry-values.ts';
import { machineFolder } from '../win32/services/machine-folder.ts';
import { readPolicyRegistry, watchMachineRegistry } from '../win32/system/policy-registry.ts';
import { USER_STATE } from '../win32/system/user-state.ts';
import { whyNotAdministrators } from '../win32/system/trust.ts';

/** How often the service looks at the machine's policy file. */
const LOOK_EVERY_MS = 2000;

function machineFile(): string | null {
  const folder = machineFolder();
  return folder === null ? null : join(folder, 'policy.json');
}

const readMachine = () =>
  readMachinePolicy({ ...readPolicyRegistry(POLICY_KEY), user: null }, machineFile(), whyNotAdministrators);

/** Why the machine's policy, in the registry or its file, is not valid: no host starts then. Null if it is. */
export function machinePolicyProblem(): string | null {
  const { refused } = readMachine();
  return refused.length === 0 ? null : refused.join('\n');
}

/** What administrators set for hosts; nothing where the policy is not valid. */
export const machineSettings = (): MachineSettings => machineHost(readMachine().layers, machineFile() ?? '');

/** Settings of the machine's policy without effect, in sentences. */
export const unusedMachineSettings = (): string[] => unusedSettings(readMachine().layers, machineFile() ?? '');

/** What the service needs of the policy. */
export function hostScope(): HostScope {
  const { layers, refused } = readMachine();
  const { users, groups, sessions, onDemand } = machineHost(layers, '').host;
  const { level } = narrowByMachine(defaultPolicy('full'), layers);
  return {
    why: refused.length === 0 ? null : refused.join('\n'),
    isDisabled: level === 'disabled',
    isOnDemand: onDemand === true,
    users: users ?? null,
    groups: groups ?? null,
    sessions: sessions ?? null,
  };
}

/** What the machine's policy sets for the fleet's link. */
export function fleetRules(): FleetRules {
  const { fleet } = machineHost(readMachine().layers, '').host;
  return {
    isOff: fleet?.on === false,
    isDrained: fleet?.drain === true,
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
  const problems: string[] = [];
  const store = await PolicyStore.open({
    path: userFile,
    machinePath: machineFile(),
    whyNotBelieved: whyNotAdministrators,
    registry: { read: () => registryPolicy(readPolicyRegistry(POLICY_KEY)), watch: () => () => {} },
    isInstalled: existsSync(join(process.execPath, '..', 'dist', 'host.mjs')),
    agreement: { read: () => USER_STATE.readFolder(dirname(userFile)), write: () => {} },
    onRefused: (file, found) => problems.push(describeProblems(file, found)),
  });
  try {
    const { writableKeys, unknownNames, unusedSettings } = store;
    return { settings: store.settings(), problems: [...problems, ...writableKeys, ...unknownNames, ...unusedSettings] };
  } finally {
    store.close();
  }
}
